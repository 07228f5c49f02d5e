//! Heuristics on whole spaces: never too high, consistent, and the same from move to move as from scratch.

use std::collections::HashMap;
use std::fmt::Debug;

use noyes_puzzle::tiles::Board;
use noyes_puzzle::{Nibbles, Position, SlideSpace, Space};
use noyes_solver::search::Heuristic;
use noyes_solver::tiles::heuristic::{
    GraphDistance, LinearConflict, Manhattan, Max, Misplaced, Walking,
};

type Tiles = SlideSpace<Nibbles>;
type State = Position<Nibbles>;

fn space(goal: &Board) -> Tiles {
    Tiles::on_board(goal, goal)
}

/// The distance of every state from the goal, by breadth-first search.
fn distances(space: &Tiles) -> HashMap<State, u32> {
    let mut distances = HashMap::from([(space.start(), 0)]);
    let mut layer = vec![space.start()];
    let mut depth = 0;
    while !layer.is_empty() {
        depth += 1;
        let mut next = vec![];
        for mut state in layer {
            for slide in space.moves(&state) {
                space.apply(&mut state, slide);
                distances.entry(state.clone()).or_insert_with(|| {
                    next.push(state.clone());
                    depth
                });
                space.undo(&mut state, slide);
            }
        }
        layer = next;
    }
    distances
}

/// Gives the sum of the bounds over all states.
fn assert_sound<H: Heuristic<Tiles>>(
    name: &str,
    heuristic: &H,
    space: &Tiles,
    distances: &HashMap<State, u32>,
) -> u64
where
    H::Memo: PartialEq + Debug,
{
    let memos: HashMap<&State, H::Memo> = distances
        .keys()
        .map(|state| (state, heuristic.start(state)))
        .collect();
    let mut sum = 0;
    for (state, &distance) in distances {
        let memo = memos[state];
        let bound = heuristic.bound(memo);
        assert!(
            bound <= distance,
            "{name}: {bound} > {distance} on {state:?}"
        );
        assert_eq!(bound == 0, distance == 0, "{name} on {state:?}");
        sum += u64::from(bound);
        let mut state = state.clone();
        for slide in space.moves(&state) {
            let after = heuristic.after(memo, &state, slide);
            space.apply(&mut state, slide);
            assert_eq!(after, memos[&state], "{name} on {state:?}");
            space.undo(&mut state, slide);
            let change = heuristic.bound(after).abs_diff(bound);
            assert!(change <= 1, "{name} changes by {change} on {state:?}");
        }
    }
    sum
}

fn bound(heuristic: &impl Heuristic<Tiles>, state: &State) -> u32 {
    heuristic.bound(heuristic.start(state))
}

fn assert_all_sound(goal: &str) {
    let goal: Board = goal.parse().unwrap();
    let space = space(&goal);
    let width = goal.width();
    let distances = distances(&space);
    let manhattan = || GraphDistance::on_board(&space, width);
    let mut max = Max::none();
    assert!(max.add(LinearConflict::new(&space, width)) && max.add(Walking::new(&space, width)));
    let [misplaced, manhattan, by_table, conflict, walking, max] = [
        assert_sound("misplaced", &Misplaced::new(&space), &space, &distances),
        assert_sound("manhattan", &manhattan(), &space, &distances),
        assert_sound(
            "manhattan by table",
            &Manhattan::new(&space, manhattan()),
            &space,
            &distances,
        ),
        assert_sound(
            "linear conflict",
            &LinearConflict::new(&space, width),
            &space,
            &distances,
        ),
        assert_sound("walking", &Walking::new(&space, width), &space, &distances),
        assert_sound("maximum", &max, &space, &distances),
    ];
    assert!(misplaced <= manhattan && manhattan == by_table, "{goal}");
    assert!(
        manhattan <= conflict.min(walking) && conflict.max(walking) <= max,
        "{goal}"
    );
}

#[test]
fn sound_on_all_of_3x3_with_the_blank_last() {
    assert_all_sound("1 2 3/4 5 6/7 8 0");
}

#[test]
fn sound_on_all_of_3x3_with_the_blank_first() {
    assert_all_sound("0 1 2/3 4 5/6 7 8");
}

#[test]
fn sound_on_all_of_3x3_with_any_goal() {
    assert_all_sound("3 1 2/5 0 4/8 7 6");
    assert_all_sound("6 0 7/1 2 8/4 3 5");
}

#[test]
fn sound_on_all_of_other_sizes() {
    for goal in [
        "0",
        "1 0 2 3/",
        "3 0 1 2",
        "1 2 3/4 5 0",
        "5 2 0/1 3 4",
        "4 1/0 3/5 2",
        "1 2 3 4/5 6 7 0",
        "3 7 0 4/5 1 6 2",
        "1 2/3 4/5 6/7 0",
        "7 1/3 0/6 2/4 5",
    ] {
        assert_all_sound(goal);
    }
}

/// Edixhoven: Attacking the n-puzzle using SAT solvers, Leiden 2016, section 3.3. Its figure 3.1 is lost, but the
/// text describes it: only tile 5 is in place; tile 1 has two horizontal and two vertical steps to go; 2, 5 and 8 are in
/// their columns, 1, 3, 4 and 6 have to cross the middle one; 7 tiles are misplaced, Manhattan distance is 19, X-Y 23
/// and the distance 27. Exactly one board fits.
#[test]
fn the_figure_of_edixhoven_is_found_from_its_numbers() {
    let goal = Board::blank_last(3, 3);
    let space = space(&goal);
    let manhattan = GraphDistance::on_board(&space, 3);
    let (misplaced, walking) = (Misplaced::new(&space), Walking::new(&space, 3));
    let home = goal.places();
    let is_the_figure = |state: &State| {
        let mut cell = [0u16; 9];
        for c in 0..9 {
            cell[usize::from(state.tile(c))] = c;
        }
        let sideways = |&tile: &usize| (cell[tile] % 3).abs_diff(home[tile] % 3);
        cell[5] == home[5]
            && (cell[1] / 3).abs_diff(home[1] / 3) == 2
            && [2, 5, 8].iter().all(|tile| sideways(tile) == 0)
            && [1, 3, 4, 6].iter().all(|tile| sideways(tile) == 2)
            && bound(&misplaced, state) == 7
            && bound(&manhattan, state) == 19
            && bound(&walking, state) == 23
    };
    let found: Vec<Vec<u16>> = distances(&space)
        .into_iter()
        .filter(|(state, distance)| *distance == 27 && is_the_figure(state))
        .map(|(state, _)| (0..9).map(|c| state.tile(c)).collect())
        .collect();
    assert_eq!(found, [[7, 8, 4, 3, 5, 0, 6, 2, 1]]);
}
