//! Sokoban search agrees with brute force on random small levels, for both objectives and including ties.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use crate::plain_sokoban::level;
use crate::skipped::skipped;
use noyes_puzzle::sokoban::{Level, read_levels};
use noyes_puzzle::tiles::{Direction, Generator};
use noyes_solver::sokoban::{any_plan, fewest_moves, fewest_pushes, first_plan, why_unsolvable};
use noyes_solver::{Control, Objective, Outcome, Status, Stop};

type State = (Vec<u16>, u16);

/// The pushes and moves of a plan. Asserts that the plan solves the level.
fn replay(level: &Level, plan: &[Direction]) -> (u32, u32) {
    let mut state: State = (level.boxes().to_vec(), level.players()[0]);
    let mut pushes = 0;
    for &direction in plan {
        let (next, pushed) = step(level, &state, direction).expect("a legal move");
        (state, pushes) = (next, pushes + u32::from(pushed));
    }
    assert!(is_solved(level, &state), "the plan solves the level");
    (pushes, plan.len() as u32)
}

fn is_solved(level: &Level, state: &State) -> bool {
    level.goals().all(|g| state.0.contains(&g))
}

/// The state after a move, and whether it was a push; none if the move is not legal.
fn step(level: &Level, state: &State, direction: Direction) -> Option<(State, bool)> {
    let (boxes, player) = state;
    let to = level.neighbour(*player, direction)?;
    let Some(i) = boxes.iter().position(|&b| b == to) else {
        return Some(((boxes.clone(), to), false));
    };
    let beyond = level.neighbour(to, direction)?;
    if boxes.contains(&beyond) {
        return None;
    }
    let mut boxes = boxes.clone();
    boxes[i] = beyond;
    boxes.sort_unstable();
    Some(((boxes, to), true))
}

/// The least cost by Dijkstra's algorithm over single steps, as (pushes, moves) or the other way round.
fn brute_force(level: &Level, pushes_first: bool) -> Option<(u32, u32)> {
    let start: State = (level.boxes().to_vec(), level.players()[0]);
    let mut best: BTreeMap<State, (u32, u32)> = BTreeMap::new();
    let mut open = BinaryHeap::from([Reverse(((0, 0), start.clone()))]);
    best.insert(start, (0, 0));
    while let Some(Reverse((cost, state))) = open.pop() {
        if is_solved(level, &state) {
            return Some(cost);
        }
        if best[&state] < cost {
            continue;
        }
        for direction in Direction::ALL {
            let Some((next, pushed)) = step(level, &state, direction) else {
                continue;
            };
            let push = u32::from(pushed);
            let cost = if pushes_first {
                (cost.0 + push, cost.1 + 1)
            } else {
                (cost.0 + 1, cost.1 + push)
            };
            if best.get(&next).is_none_or(|&known| cost < known) {
                best.insert(next.clone(), cost);
                open.push(Reverse((cost, next)));
            }
        }
    }
    None
}

/// The cost of an answer, pushes first or moves first; none if there is no plan.
fn cost_of(level: &Level, outcome: &Outcome<Direction>, pushes_first: bool) -> Option<(u32, u32)> {
    let Some(plan) = &outcome.plan else {
        assert_eq!(outcome.status, Status::Unsolvable);
        return None;
    };
    assert_eq!(outcome.status, Status::Optimal);
    let (pushes, moves) = replay(level, plan);
    let cost = if pushes_first {
        (pushes, moves)
    } else {
        (moves, pushes)
    };
    assert_eq!(outcome.bounds.upper, Some(cost.0));
    assert_eq!(outcome.bounds.lower, cost.0);
    Some(cost)
}

/// The parts of a level, which can be changed and put together again.
#[derive(Clone)]
struct Parts {
    width: usize,
    walls: Vec<bool>,
    goals: Vec<bool>,
    boxes: Vec<u16>,
    player: u16,
}

impl Parts {
    fn level(&self) -> Level {
        let Parts { width, walls, .. } = self;
        Level::new(*width, walls, &self.goals, &self.boxes, &[self.player]).expect("a level")
    }

    /// The same with every cell moved to where `to` says.
    fn map(&self, width: usize, to: impl Fn(usize) -> usize) -> Parts {
        let move_all = |from: &[bool]| {
            let mut all = vec![false; from.len()];
            for (i, &is) in from.iter().enumerate() {
                all[to(i)] = is;
            }
            all
        };
        Parts {
            width,
            walls: move_all(&self.walls),
            goals: move_all(&self.goals),
            boxes: self.boxes.iter().map(|&b| to(b.into()) as u16).collect(),
            player: to(self.player.into()) as u16,
        }
    }
}

/// A random level. Some have more boxes than goals, boxes on goals, or boxes that are walled in.
fn random(seed: u64, most_boxes: usize) -> Parts {
    let mut generator = Generator::new(5, seed);
    let mut below = |n: usize| generator.below(n);
    loop {
        let (width, height) = (4 + below(5), 4 + below(4));
        let one_in = 3 + below(5);
        let inside = |i: usize| {
            let (row, column) = (i / width, i % width);
            row > 0 && row + 1 < height && column > 0 && column + 1 < width
        };
        let walls: Vec<bool> = (0..width * height)
            .map(|i| !inside(i) || below(one_in) == 0)
            .collect();
        let mut floor: Vec<u16> = (0..walls.len())
            .filter(|&i| !walls[i])
            .map(|i| i as u16)
            .collect();
        let boxes = 1 + below(most_boxes);
        if floor.len() < 2 * boxes + 1 {
            continue;
        }
        let mut take = || floor.swap_remove(below(floor.len()));
        let player = take();
        let boxes: Vec<u16> = (0..boxes).map(|_| take()).collect();
        let mut goals = vec![false; walls.len()];
        let extra = if below(3) == 0 { below(boxes.len()) } else { 0 };
        for &cell in &boxes[extra..] {
            // On a box, under the player or elsewhere.
            let at: usize = match below(5) {
                0 => cell.into(),
                1 => player.into(),
                _ => floor[below(floor.len())].into(),
            };
            goals[at] = true;
        }
        let mut parts = Parts {
            width,
            walls,
            goals,
            boxes,
            player,
        };
        // Two in three are made by pulling boxes off their goals, so that there is a plan.
        if !seed.is_multiple_of(3) {
            let goals =
                (0..parts.goals.len()).filter(|&i| parts.goals[i] && i != usize::from(player));
            let goals: Vec<u16> = goals.map(|i| i as u16).collect();
            let others = parts.boxes.iter().filter(|b| !goals.contains(b));
            let all = goals.iter().chain(others).copied();
            parts.boxes = all.take(parts.boxes.len()).collect();
            for _ in 0..20 + below(300) {
                pull(&mut parts, below(4), below(4) > 0);
            }
        }
        return parts;
    }
}

/// The same with all goals together, on the first cells of the floor. Boxes freeze there, in good and in bad order.
fn crowd(mut parts: Parts) -> Parts {
    let count = parts.goals.iter().filter(|&&g| g).count();
    parts.goals.fill(false);
    let floor: Vec<usize> = (0..parts.walls.len())
        .filter(|&i| !parts.walls[i])
        .collect();
    for &cell in floor.iter().take(count) {
        parts.goals[cell] = true;
    }
    parts
}

/// Mirrors the left half of the walls and goals to the right, so that states have images. Boxes and player stay put;
/// none if they would be inside walls, or if the number of goals does not fit.
fn mirror(mut parts: Parts) -> Option<Parts> {
    let image = |i: usize| i / parts.width * parts.width + parts.width - 1 - i % parts.width;
    for i in 0..parts.walls.len() {
        if i % parts.width < parts.width / 2 {
            parts.walls[image(i)] = parts.walls[i];
            parts.goals[image(i)] = parts.goals[i];
        }
    }
    let wall = |cell: &u16| parts.walls[usize::from(*cell)];
    let goals = parts.goals.iter().filter(|&&g| g).count();
    let fits = !wall(&parts.player) && !parts.boxes.iter().any(wall);
    (fits && goals > 0 && goals <= parts.boxes.len()).then_some(parts)
}

/// Moves the player one step if the cell is free. With `with_box`, pulls along the box behind it, if there is one.
fn pull(parts: &mut Parts, direction: usize, with_box: bool) {
    let offset = [-(parts.width as isize), -1, 1, parts.width as isize][direction];
    let player = parts.player as isize;
    let (ahead, behind) = ((player + offset) as u16, (player - offset) as u16);
    if parts.walls[usize::from(ahead)] || parts.boxes.contains(&ahead) {
        return;
    }
    if let Some(pulled) = parts.boxes.iter_mut().find(|b| with_box && **b == behind) {
        *pulled = parts.player;
    }
    parts.player = ahead;
}

#[test]
fn both_objectives_agree_with_brute_force_including_ties() {
    agree(0..900);
}

#[test]
#[ignore = "twenty thousand levels: a minute with --release"]
fn both_objectives_agree_with_brute_force_on_many_levels() {
    agree(2000..22_000);
}

fn agree(seeds: Range<u64>) {
    let (mut solved, mut unsolvable, mut surplus) = (0, 0, 0);
    for seed in seeds {
        let parts = random(seed, if seed % 10 == 0 { 5 } else { 3 });
        let parts = if seed % 7 == 0 { crowd(parts) } else { parts };
        let level = parts.level();
        let pushes = brute_force(&level, true);
        let control = Control::new();
        let found = cost_of(&level, &fewest_pushes(&level, &control).outcome, true);
        assert_eq!(found, pushes, "pushes, seed {seed}");
        let moves = brute_force(&level, false);
        let found = cost_of(&level, &fewest_moves(&level, &control).outcome, false);
        assert_eq!(found, moves, "moves, seed {seed}");
        any_is_sound(&level, pushes, moves);
        solved += u32::from(pushes.is_some_and(|cost| cost.0 > 0));
        unsolvable += u32::from(pushes.is_none());
        surplus += u32::from(pushes.is_some() && level.boxes().len() > level.goals().count());
    }
    assert!(
        solved > 200 && unsolvable > 200 && surplus > 100,
        "{solved} {unsolvable} {surplus}"
    );
}

/// Asserts that a first plan is valid, that improving it ends with the optimum, and that no solvable level is called
/// unsolvable.
fn any_is_sound(level: &Level, pushes: Option<(u32, u32)>, moves: Option<(u32, u32)>) {
    let control = Control::new();
    for (objective, best) in [(Objective::Pushes, pushes), (Objective::Moves, moves)] {
        let first = first_plan(level, objective, 1, &control);
        assert_eq!(first.plan.is_some(), best.is_some());
        if let (Some(plan), Some(best)) = (&first.plan, best) {
            let (pushes, moves) = replay(level, plan);
            let cost = match objective {
                Objective::Pushes => pushes,
                Objective::Moves => moves,
            };
            assert_eq!(first.bounds.upper, Some(cost));
            assert!(first.bounds.lower <= best.0 && best.0 <= cost);
        }
        let last = any_plan(level, objective, 1, &control);
        assert_eq!(cost_of(level, &last, objective == Objective::Pushes), best);
    }
    assert!(pushes.is_none() || why_unsolvable(level, &Control::new()).is_none());
}

/// A level, with its number and the fewest pushes and moves if known.
type Known = (usize, Level, Option<u32>, Option<u32>);

/// The levels of Microban I, if they are there.
fn microban() -> Option<Vec<Known>> {
    let beside = format!(
        "{}/../../../shared/data/sokoban",
        env!("CARGO_MANIFEST_DIR")
    );
    let folder = std::env::var("SOKOBAN_DATA").unwrap_or(beside);
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).ok();
    let (levels, optima) = (read("microban1.xsb")?, read("microban1-optimal.csv")?);
    let blocks = levels.split("\n\n").filter(|block| block.contains('#'));
    let known = optima.lines().skip(1);
    let levels = blocks.zip(known).enumerate().map(|(i, (block, known))| {
        let rows: Vec<&str> = block.lines().filter(|l| !l.starts_with(';')).collect();
        let mut fields = known.split(',').skip(1).map(|f| f.parse().ok());
        let (pushes, moves) = (fields.next().flatten(), fields.next().flatten());
        (i + 1, level(&rows), pushes, moves)
    });
    Some(levels.collect())
}

#[test]
fn microban_has_its_known_optima() {
    let Some(levels) = microban() else {
        let why = "there is no microban1.xsb in $SOKOBAN_DATA or ../shared/data/sokoban";
        return skipped("microban_has_its_known_optima", why);
    };
    assert_eq!(levels.len(), 155);
    let slow = [93, 99, 111, 112, 123, 139, 143, 144, 145, 146, 153];
    for (number, level, pushes, moves) in levels {
        if slow.contains(&number) {
            continue;
        }
        let control = Control::new();
        let found = cost_of(&level, &fewest_pushes(&level, &control).outcome, true);
        assert_eq!(found.map(|cost| cost.0), pushes, "level {number}");
        let found = cost_of(&level, &fewest_moves(&level, &control).outcome, false);
        assert_eq!(found.map(|cost| cost.0), moves, "level {number}");
    }
}

#[test]
fn several_threads_find_plans_and_prove_what_one_proves() {
    let control = Control::new();
    for seed in 0..200 {
        let level = random(seed, 3).level();
        let one = first_plan(&level, Objective::Pushes, 1, &control);
        let three = first_plan(&level, Objective::Pushes, 3, &control);
        assert_eq!(one.status, three.status, "seed {seed}");
        let best = any_plan(&level, Objective::Pushes, 3, &control);
        let optimum = fewest_pushes(&level, &control).outcome;
        assert_eq!(best.bounds.upper, optimum.bounds.upper, "seed {seed}");
        assert_eq!(best.status, optimum.status, "seed {seed}");
        for plan in [&three.plan, &best.plan].into_iter().flatten() {
            replay(&level, plan);
        }
    }
}

/// A room of 8x5 above a block of `filler` cells, from which no box can be pushed: with boxes there it is the same puzzle as with
/// walls. The room has three boxes and this number of goals.
fn above_a_block(seed: u64, filler: char, goals: usize) -> Level {
    let (width, height) = (8, 5);
    let mut lots = Generator::new(41, seed);
    let mut room = vec![' '; width * height];
    for what in "@$$$".chars().chain(".".repeat(goals).chars()) {
        let free = |c: &usize| room[*c] == ' ';
        let inner = |c: &usize| (1..width - 1).contains(&(c % width)) && c / width > 0;
        let cells: Vec<usize> = (0..room.len())
            .filter(free)
            .filter(|c| what != '$' || inner(c))
            .collect();
        room[cells[lots.below(cells.len())]] = what;
    }
    let wide = width + 2;
    let mut rows = vec!["#".repeat(wide)];
    rows.extend(
        room.chunks(width)
            .map(|row| format!("#{}#", row.iter().collect::<String>())),
    );
    let block = filler.to_string().repeat(width);
    rows.extend(vec![format!("#{block}#"); 33]);
    rows.push("#".repeat(wide));
    level(&rows.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn levels_of_more_boxes_than_are_matched_have_their_optimum() {
    let control = Control::new();
    let mut odd = 0;
    for (filler, goals) in [('*', 3), ('$', 2)] {
        for seed in 0..60 {
            let level = above_a_block(seed, filler, goals);
            assert!(level.boxes().len() > 256);
            let small = fewest_pushes(&above_a_block(seed, '#', goals), &control).outcome;
            let large = fewest_pushes(&level, &control).outcome;
            let ends = [&large, &small].map(|found| (found.status, found.bounds.upper));
            assert_eq!(ends[0], ends[1], "{goals} goals, seed {seed}");
            if let Some(plan) = &large.plan {
                replay(&level, plan);
                odd += large.bounds.lower % 2;
            }
        }
    }
    assert!(odd > 10, "{odd}");
}

#[test]
fn rooms_leave_levels_of_more_boxes_than_are_matched_alone() {
    let mut rows = vec!["#".repeat(70)];
    for what in ['.', '$'] {
        for _ in 0..8 {
            rows.push(format!("#{}#", " ".repeat(68)));
            rows.push(format!("# {} #", format!("{what} ").repeat(33)));
        }
    }
    rows.push(format!("#@{}#", " ".repeat(67)));
    rows.push("#".repeat(70));
    let level = level(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(level.boxes().len(), 264);
    let control = Control::new().memory_limit(6 << 20);
    let found = first_plan(&level, Objective::Pushes, 2, &control);
    if let Some(plan) = &found.plan {
        replay(&level, plan);
    }
    assert!(found.counts.generated > 0);
}

#[test]
fn several_threads_solve_a_large_level() {
    let file = include_str!("../../../data/sokoban/goal-rooms.xsb");
    let mut entries = read_levels(file).expect("levels");
    let level = entries
        .pop()
        .and_then(|entry| entry.level.ok())
        .expect("the last level");
    // Too large for the greedy search in the time that it has alone.
    assert_eq!(level.boxes().len(), 26);
    for threads in [1, 2, 5] {
        let found = first_plan(&level, Objective::Pushes, threads, &Control::new());
        let (pushes, _) = replay(&level, found.plan.as_ref().expect("a plan"));
        assert!(found.bounds.lower <= pushes);
        // So other searches have begun.
        assert!(found.counts.expanded > 3_500, "{:?}", found.counts);
        let short = Control::new().memory_limit(20 << 20);
        let stopped = first_plan(&level, Objective::Pushes, threads, &short);
        assert!(stopped.counts.peak_bytes <= 20 << 20);
        if let Some(plan) = &stopped.plan {
            replay(&level, plan);
        }
    }
}

#[test]
fn limits_end_a_search_with_what_is_known() {
    let level = hall(20, 20, 6);
    for objective in [Objective::Pushes, Objective::Moves] {
        let some = first_plan(&level, objective, 1, &Control::new());
        let optimum = some.bounds.upper.expect("a plan"); // an upper bound on it
        let control = Control::new().memory_limit(1 << 20);
        let stopped = match objective {
            Objective::Pushes => fewest_pushes(&level, &control).outcome,
            Objective::Moves => fewest_moves(&level, &control).outcome,
        };
        assert!(
            matches!(stopped.status, Status::Limit(Stop::Memory)),
            "{stopped:?}"
        );
        assert!(stopped.counts.peak_bytes <= 1 << 20);
        assert!(stopped.bounds.lower > 0 && stopped.bounds.lower <= optimum);
        assert_eq!(control.bounds(), stopped.bounds);
        let any = any_plan(&level, objective, 1, &control);
        assert!(matches!(any.status, Status::Limit(Stop::Memory)));
        if let Some(plan) = &any.plan {
            replay(&level, plan);
        }
        let raised = std::sync::Arc::new(true.into());
        let stopped = fewest_moves(&level, &Control::new().stop_flag(raised)).outcome;
        assert_eq!(stopped.status, Status::Limit(Stop::Interrupted));
    }
}

#[test]
fn rotated_and_mirrored_levels_keep_their_optimum() {
    for seed in 1000..1100 {
        let parts = random(seed, 3);
        let (width, height) = (parts.width, parts.walls.len() / parts.width);
        let (row, column) = (|i: usize| i / width, |i: usize| i % width);
        let images = [
            parts.map(width, |i| row(i) * width + width - 1 - column(i)),
            parts.map(width, |i| (height - 1 - row(i)) * width + column(i)),
            parts.map(height, |i| column(i) * height + row(i)),
            parts.map(height, |i| column(i) * height + height - 1 - row(i)),
        ];
        let level = parts.level();
        let control = Control::new();
        let pushes = cost_of(&level, &fewest_pushes(&level, &control).outcome, true);
        let moves = cost_of(&level, &fewest_moves(&level, &control).outcome, false);
        for image in images.map(|parts| parts.level()) {
            let found = cost_of(&image, &fewest_pushes(&image, &control).outcome, true);
            assert_eq!(found, pushes, "pushes, seed {seed}");
            let found = cost_of(&image, &fewest_moves(&image, &control).outcome, false);
            assert_eq!(found, moves, "moves, seed {seed}");
        }
    }
}

#[test]
fn mirror_symmetric_levels_agree_with_brute_force() {
    let (mut count, mut solved) = (0, 0);
    for level in (0..3000).filter_map(|seed| mirror(random(seed, 3))) {
        let level = level.level();
        let control = Control::new();
        let pushes = cost_of(&level, &fewest_pushes(&level, &control).outcome, true);
        assert_eq!(pushes, brute_force(&level, true), "level {level:?}");
        let moves = cost_of(&level, &fewest_moves(&level, &control).outcome, false);
        assert_eq!(moves, brute_force(&level, false), "level {level:?}");
        count += 1;
        solved += u32::from(pushes.is_some_and(|cost| cost.0 > 0));
    }
    assert!(count > 200 && solved > 50, "{count} {solved}");
}

#[test]
fn symmetric_levels_agree_with_brute_force() {
    let levels = [
        level(&[
            "#######", "#     #", "# $.$ #", "# .@. #", "# $.$ #", "#     #", "#######",
        ]),
        level(&["######", "#@   #", "# $$ #", "#    #", "#.  .#", "######"]),
        level(&[
            "#######", "#  .  #", "# $ $ #", "#. @ .#", "# $   #", "#  .  #", "#######",
        ]),
    ];
    for (i, level) in levels.iter().enumerate() {
        let control = Control::new();
        let pushes = cost_of(level, &fewest_pushes(level, &control).outcome, true);
        assert_eq!(pushes, brute_force(level, true), "level {i}");
        let moves = cost_of(level, &fewest_moves(level, &control).outcome, false);
        assert_eq!(moves, brute_force(level, false), "level {i}");
    }
}

#[test]
fn a_solved_level_has_an_empty_plan() {
    let level = level(&["#####", "#@ *#", "#####"]);
    for outcome in [
        fewest_pushes(&level, &Control::new()).outcome,
        fewest_moves(&level, &Control::new()).outcome,
    ] {
        assert_eq!(outcome.status, Status::Optimal);
        assert_eq!(outcome.plan, Some(vec![]));
    }
}

/// An empty hall of this size with rows of boxes, and as many goals.
fn hall(width: usize, height: usize, boxes: usize) -> Level {
    let at = |i: usize| (i / width, i % width);
    let walls: Vec<bool> = (0..width * height)
        .map(|i| {
            let (row, column) = at(i);
            row == 0 || row + 1 == height || column == 0 || column + 1 == width
        })
        .collect();
    let inner = |i: &usize| {
        let (row, column) = at(*i);
        row > 2 && row + 3 < height && column > 2 && column + 3 < width && row % 3 == 0
    };
    let cells: Vec<usize> = (0..walls.len()).filter(inner).collect();
    let all: Vec<u16> = cells.iter().take(boxes).map(|&c| c as u16).collect();
    let mut goals = vec![false; walls.len()];
    for &cell in cells.iter().rev().take(boxes) {
        goals[cell] = true;
    }
    Level::new(width, &walls, &goals, &all, &[width as u16 + 1]).expect("a level")
}

#[test]
fn large_levels_end_by_their_limits_with_sound_bounds() {
    for (width, height, boxes) in [
        (200, 200, 40),
        (255, 256, 3),
        (200, 200, 2000),
        (250, 250, 300),
    ] {
        let level = hall(width, height, boxes);
        for solver in [fewest_pushes, fewest_moves] {
            let control = Control::new()
                .time_limit(std::time::Duration::from_millis(300))
                .memory_limit(1 << 28);
            let started = std::time::Instant::now();
            let outcome = solver(&level, &control).outcome;
            assert!(outcome.bounds.lower > 0 || outcome.plan.is_none());
            assert!(
                outcome
                    .bounds
                    .upper
                    .is_none_or(|u| outcome.bounds.lower <= u)
            );
            let taken = started.elapsed();
            println!(
                "{width}x{height}, {boxes}: {:?} {:?} {taken:?}",
                outcome.status, outcome.bounds
            );
            assert!(taken.as_secs() < 20, "{taken:?}");
        }
    }
}

#[test]
fn a_room_of_goals_is_packed_within_few_states() {
    let level = level(&[
        "###############",
        "#@       ##  .#",
        "#  $$ $ $ #  .#",
        "#   #     # ..#",
        "##  ##  $ # ..#",
        "# $         ..#",
        "#   $ $   #  .#",
        "## $ #    #####",
        "#     #   #####",
        "###############",
    ]);
    let outcome = first_plan(&level, Objective::Pushes, 1, &Control::new());
    let (pushes, _) = replay(&level, outcome.plan.as_ref().expect("a plan"));
    assert!(pushes >= 101);
    // With the bound alone it took 26,871 states; with a goal order it takes 4,180.
    assert!(outcome.counts.expanded < 10_000, "{:?}", outcome.counts);
}
