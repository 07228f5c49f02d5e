//! Pattern databases as heuristics on whole spaces: never too high, and the same from move to move as from scratch.

use std::collections::HashMap;

use noyes_puzzle::tiles::Board;
use noyes_puzzle::{Nibbles, Position, SlideSpace, Space};
use noyes_solver::Control;
use noyes_solver::search::Heuristic;
use noyes_solver::tiles::heuristic::LinearConflict;
use noyes_solver::tiles::pdb::{Databases, Partition, Tables};

type Tiles = SlideSpace<Nibbles>;

/// The distance of every state from the goal, by breadth-first search.
fn distances(space: &Tiles) -> HashMap<Position<Nibbles>, u32> {
    let mut distances = HashMap::from([(space.start(), 0)]);
    let mut open = std::collections::VecDeque::from([space.start()]);
    while let Some(mut state) = open.pop_front() {
        let distance = distances[&state] + 1;
        for slide in space.moves(&state) {
            space.apply(&mut state, slide);
            distances.entry(state.clone()).or_insert_with(|| {
                open.push_back(state.clone());
                distance
            });
            space.undo(&mut state, slide);
        }
    }
    distances
}

/// Checks every state of the goal's space; gives the sum of the bounds.
fn assert_sound(partition: &str, goal: &Board) -> u64 {
    let partition: Partition = partition.parse().unwrap();
    let space = Tiles::on_board(goal, goal);
    let databases =
        Databases::new(&partition, goal, &Tables::in_memory(), &Control::new()).unwrap();
    let of = |state: &Position<Nibbles>| Heuristic::<Tiles>::start(&databases, state);
    let carried = Databases::new(&partition, goal, &Tables::in_memory(), &Control::new())
        .unwrap()
        .carried();
    let carried_of = |state: &Position<Nibbles>| Heuristic::<Tiles>::start(&carried, state);
    let bound = |memo| Heuristic::<Tiles>::bound(&databases, memo);
    let mut sum = 0;
    for (state, distance) in distances(&space) {
        let memo = of(&state);
        assert!(bound(memo) <= distance, "{partition} on {state:?}");
        sum += u64::from(bound(memo));
        let sights = carried_of(&state);
        assert_eq!(Heuristic::<Tiles>::bound(&carried, sights), bound(memo));
        let mut child = state.clone();
        for slide in space.moves(&state) {
            let after = databases.after(memo, &state, slide);
            space.apply(&mut child, slide);
            assert_eq!(after, of(&child), "{partition} on {child:?}");
            let sights_after = Heuristic::<Tiles>::after(&carried, sights, &state, slide);
            assert_eq!(sights_after, carried_of(&child), "{partition} on {child:?}");
            space.undo(&mut child, slide);
            let change = bound(after).abs_diff(bound(memo));
            assert!(
                partition.plain || change <= 1,
                "{partition} changes by {change} on {state:?}"
            );
        }
    }
    sum
}

#[test]
fn sound_on_all_of_3x3() {
    for goal in ["1 2 3/4 5 6/7 8 0", "3 1 2/5 0 4/8 7 6"] {
        let goal: Board = goal.parse().unwrap();
        let of = |partition| assert_sound(partition, &goal);
        assert!(
            of("4-4+plain") <= of("4-4"),
            "knowing the blank is never worse"
        );
        assert!(of("4-4") <= of("4-4+reflect"));
        assert!(of("4-4+reflect") < of("8"));
        assert!(of("1,2,3") < of("1,2,3+4,5+6,7,8"));
        of("fringe");
        of("fringe+reflect");
    }
}

#[test]
fn sound_on_all_of_other_sizes() {
    for (goal, partition) in [
        ("1 2 3/4 5 0", "3-2"),
        ("1 0 3/4 5 2", "3-2+reflect"),
        ("1 2/3 4/5 0", "5"),
        ("1 2 3 4/5 6 7 0", "4-3"),
        ("0 1/2 3", "2-1+reflect"),
        ("1 2 3/0 5 4", "fringe"),
    ] {
        assert_sound(partition, &goal.parse().unwrap());
    }
}

#[test]
fn one_pattern_of_all_tiles_is_the_distance_itself() {
    let goal = Board::blank_last(3, 3);
    let sum: u64 = distances(&Tiles::on_board(&goal, &goal))
        .values()
        .map(|&d| u64::from(d))
        .sum();
    assert_eq!(assert_sound("8", &goal), sum);
}

#[test]
fn two_patterns_beat_linear_conflict() {
    let goal = Board::blank_first(3, 3);
    let space = Tiles::on_board(&goal, &goal);
    let conflict = LinearConflict::new(&space, 3);
    let bound = |state: &Position<Nibbles>| u64::from(Heuristic::<Tiles>::start(&conflict, state));
    let sum: u64 = distances(&space).keys().map(bound).sum();
    assert!(assert_sound("4-4+reflect", &goal) > sum);
}

/// Six tiles on 5×5, the usual patterns for the 24 puzzle.
#[test]
#[ignore = "four tables of 5x5: 4 s with --release"]
fn six_tiles_on_5x5() {
    let goal = Board::blank_first(5, 5);
    let partition: Partition = "6-6-6-6".parse().unwrap();
    let space = SlideSpace::<[u8; 32]>::on_board(&goal, &goal);
    let databases =
        Databases::new(&partition, &goal, &Tables::in_memory(), &Control::new()).unwrap();
    let mut state = space.start();
    let mut memo = databases.start(&state);
    // A long walk: the value from move to move is the value from scratch.
    let mut last = None;
    for step in 0..2000usize {
        let moves: Vec<_> = match last {
            None => space.moves(&state).collect(),
            Some(last) => space.moves_after(&state, last).collect(),
        };
        let slide = moves[step * 7 % moves.len()];
        memo = databases.after(memo, &state, slide);
        space.apply(&mut state, slide);
        last = Some(slide);
        if step % 50 == 0 {
            assert_eq!(memo, databases.start(&state));
        }
    }
}
