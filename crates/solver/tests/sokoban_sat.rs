//! Levels by SAT: every encoding, schedule, keeping and backend gives the optimum of flooding; plans are models, models plans.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::plain_sokoban::level;
use crate::ways::{learning_ways, ways};
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;
use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::cnf::{Cnf, Lit};
use noyes_solver::sat::dimacs::{DimacsError, LevelInstance};
use noyes_solver::sat::encoding::{Encoding, unroll};
use noyes_solver::sat::propagate::propagate;
use noyes_solver::sat::{
    Blocks, ByMoves, ByPushes, KeepName, LevelEncoding, Push, SatOptions, Schedule, Share, Unfit,
    by_moves, by_pushes, fit_level, solve_level,
};
use noyes_solver::sokoban::JointStep;
use noyes_solver::{Control, Objective, Status, Stop};

fn by(objective: Objective) -> impl Iterator<Item = LevelEncoding> {
    let all = LevelEncoding::ALL.iter().copied();
    all.filter(move |encoding| encoding.objective() == objective)
}

/// Numbers for levels: a linear congruence is random enough.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A random level with this number of inner rows, inner columns, boxes, goals and players.
fn random(seed: u64, size: (usize, usize), things: (usize, usize, usize)) -> Level {
    let mut numbers = Numbers(seed * 977 + 13);
    let (width, height) = (size.0 + 2, size.1 + 2);
    loop {
        let mut walls = vec![true; width * height];
        let mut floor: Vec<u16> = vec![];
        for (cell, wall) in walls.iter_mut().enumerate() {
            let (x, y) = (cell % width, cell / width);
            let inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
            *wall = !inside || numbers.below(6) == 0;
            if !*wall {
                floor.push(cell as u16);
            }
        }
        let (boxes, goals, players) = things;
        if floor.len() < boxes + players + 2 {
            continue;
        }
        let mut take = |count: usize, mut from: Vec<u16>| -> (Vec<u16>, Vec<u16>) {
            let taken = (0..count).map(|_| from.swap_remove(numbers.below(from.len())));
            (taken.collect(), from)
        };
        let (goal_cells, _) = take(goals, floor.clone());
        let (boxes, rest) = take(boxes, floor);
        let (players, _) = take(players, rest);
        let goals: Vec<bool> = (0..walls.len())
            .map(|c| goal_cells.contains(&(c as u16)))
            .collect();
        return Level::new(width, &walls, &goals, &boxes, &players).unwrap();
    }
}

/// Players in order, boxes sorted.
type State = (Vec<u16>, Vec<u16>);

/// The state after a step, by the rules as they are written; the number of pushes, too.
fn after(level: &Level, state: &State, step: &JointStep) -> Option<(State, u32)> {
    let (players, boxes) = state;
    let mut to_boxes = boxes.clone();
    let mut to_players = vec![];
    let mut pushes = 0;
    for (&from, goes) in players.iter().zip(step.iter()) {
        let Some(direction) = *goes else {
            to_players.push(from);
            continue;
        };
        let to = level.neighbour(from, direction)?;
        to_players.push(to);
        if let Some(i) = boxes.iter().position(|&b| b == to) {
            to_boxes[i] = level.neighbour(to, direction)?;
            pushes += 1;
        }
    }
    for (i, &one) in to_players.iter().enumerate() {
        for (j, &other) in to_players.iter().enumerate().skip(i + 1) {
            let swapped = one == players[j] && other == players[i];
            if one == other || swapped {
                return None;
            }
        }
        if to_boxes.contains(&one) {
            return None;
        }
    }
    to_boxes.sort_unstable();
    let distinct = to_boxes.windows(2).all(|pair| pair[0] != pair[1]);
    distinct.then_some(((to_players, to_boxes), pushes))
}

fn is_solved(level: &Level, boxes: &[u16]) -> bool {
    level.goals().all(|goal| boxes.contains(&goal))
}

/// All steps of this number of players.
fn steps(players: usize, wait: bool) -> Vec<JointStep> {
    let mut all = vec![JointStep::default()];
    for _ in 0..players {
        let ways = Direction::ALL
            .into_iter()
            .map(Some)
            .chain(wait.then_some(None));
        let ways: Vec<Option<Direction>> = ways.collect();
        let longer = |some: &JointStep| -> Vec<JointStep> {
            let ways = ways.iter();
            ways.map(|&way| some.iter().copied().chain([way]).collect())
                .collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// A cheapest plan by flooding, if there is one. Among equal states which comes first depends on the seed.
pub fn flood(
    level: &Level,
    objective: Objective,
    wait: bool,
    seed: u64,
) -> Option<(u32, Vec<JointStep>)> {
    let mut numbers = Numbers(seed);
    let mut all = steps(level.players().len(), wait && level.players().len() > 1);
    for i in (1..all.len()).rev() {
        all.swap(i, numbers.below(i + 1));
    }
    let start: State = (level.players().to_vec(), level.boxes().to_vec());
    let mut seen: HashMap<State, (u32, Option<(State, JointStep)>)> = HashMap::new();
    seen.insert(start.clone(), (0, None));
    let mut queue = VecDeque::from([(0, start)]);
    while let Some((cost, state)) = queue.pop_front() {
        if cost > seen[&state].0 {
            continue;
        }
        if is_solved(level, &state.1) {
            let (mut plan, mut at) = (vec![], state);
            while let Some((before, step)) = seen[&at].1.clone() {
                plan.push(step);
                at = before;
            }
            plan.reverse();
            return Some((cost, plan));
        }
        for step in &all {
            let Some((next, pushes)) = after(level, &state, step) else {
                continue;
            };
            let more = match objective {
                Objective::Pushes => pushes,
                Objective::Moves => 1,
            };
            if seen.get(&next).is_none_or(|s| cost + more < s.0) {
                seen.insert(
                    next.clone(),
                    (cost + more, Some((state.clone(), step.clone()))),
                );
                if more == 0 {
                    queue.push_front((cost, next));
                } else {
                    queue.push_back((cost + more, next));
                }
            }
        }
    }
    None
}

/// Replays a plan: its steps and its pushes.
pub fn replay(level: &Level, plan: &[JointStep]) -> (u32, u32) {
    let mut state: State = (level.players().to_vec(), level.boxes().to_vec());
    let mut pushes = 0;
    for step in plan {
        let (next, more) = after(level, &state, step).expect("a legal step");
        state = next;
        pushes += more;
    }
    assert!(is_solved(level, &state.1), "{level:?} {plan:?}");
    (plan.len() as u32, pushes)
}

fn assert_optimal(level: &Level, wait: bool, way: &SatOptions<LevelEncoding>, optimum: u32) {
    let told = format!("{level:?} by {way:?}, wait: {wait}");
    let outcome = solve_level(level, wait, way, &Control::new())
        .outcome
        .unwrap();
    assert_eq!(outcome.status, Status::Optimal, "{told}");
    assert_eq!(outcome.bounds.lower, optimum, "{told}");
    assert_eq!(outcome.bounds.upper, Some(optimum), "{told}");
    let (steps, pushes) = replay(level, &outcome.plan.unwrap());
    match way.encoding.objective() {
        Objective::Pushes => assert_eq!(pushes, optimum, "{told}"),
        Objective::Moves => assert_eq!(steps, optimum, "{told}"),
    }
}

/// Random levels with plans: as many boxes as goals, more boxes than goals.
pub fn levels(players: usize, count: usize) -> Vec<Level> {
    let kinds = [(1, 1), (2, 2), (2, 1), (3, 2), (3, 3)];
    let all = (0..).map(|seed| {
        let (boxes, goals) = kinds[seed as usize % kinds.len()];
        let size = if seed % 2 == 0 { (4, 3) } else { (3, 4) };
        random(seed, size, (boxes, goals, players))
    });
    let with_plans = all.filter(|level| {
        !is_solved(level, level.boxes()) && flood(level, Objective::Moves, true, 0).is_some()
    });
    with_plans.take(count).collect()
}

/// Solves a level by each encoding in some ways: every way on some levels, every level in some ways.
fn assert_in_some_ways(
    (number, level): (usize, &Level),
    objective: Objective,
    wait: impl Fn(usize) -> bool,
    one_in: usize,
) {
    let optima = [false, true].map(|wait| flood(level, objective, wait, 0));
    for (j, encoding) in by(objective).enumerate() {
        for (l, way) in ways().into_iter().enumerate() {
            // DPLL learns nothing, so it has levels of its own below.
            if !(number + j + l).is_multiple_of(one_in) || way.backend == BackendName::Dpll {
                continue;
            }
            let way = way.with(encoding);
            if let Some((optimum, _)) = &optima[usize::from(wait(l))] {
                assert_optimal(level, wait(l), &way, *optimum);
            }
        }
    }
}

#[test]
fn dpll_gives_the_optimum_of_small_levels() {
    let mut solved = 0;
    for number in 0..120 {
        let level = random(number, (4, 2), (1, 1, 1));
        for &encoding in LevelEncoding::ALL {
            let Some((optimum, _)) = flood(&level, encoding.objective(), true, 0) else {
                continue;
            };
            let most = if encoding.objective() == Objective::Pushes {
                2
            } else {
                5
            };
            if optimum <= most {
                let way = SatOptions {
                    backend: BackendName::Dpll,
                    bounds: Schedule::ALL[number as usize % 3],
                    keep: KeepName::ALL[number as usize % 2],
                    ..SatOptions::of(encoding)
                };
                assert_optimal(&level, true, &way, optimum);
                solved += u32::from(optimum > 0);
            }
        }
    }
    assert!(solved >= 40, "{solved}");
}

#[test]
fn every_way_gives_the_fewest_pushes() {
    for level in levels(1, 24).iter().enumerate() {
        assert_in_some_ways(level, Objective::Pushes, |_| true, 4);
    }
}

#[test]
fn every_way_gives_the_fewest_moves() {
    for level in levels(1, 30).iter().enumerate() {
        assert_in_some_ways(level, Objective::Moves, |l| l % 2 == 0, 4);
    }
}

#[test]
fn every_way_gives_the_fewest_steps_of_two_players() {
    for level in levels(2, 16).iter().enumerate() {
        for wait in [true, false] {
            assert_in_some_ways(level, Objective::Moves, |_| wait, 6);
        }
    }
}

#[test]
fn our_encodings_on_many_levels() {
    for level in levels(1, 150) {
        for &objective in Objective::ALL {
            let (optimum, _) = flood(&level, objective, true, 0).unwrap();
            let way = SatOptions::of(LevelEncoding::default_for(objective));
            assert_optimal(&level, true, &way, optimum);
        }
    }
    for level in levels(2, 40) {
        for wait in [true, false] {
            let Some((optimum, _)) = flood(&level, Objective::Moves, wait, 0) else {
                continue;
            };
            let way = SatOptions::of(LevelEncoding::Moves(ByMoves::Own));
            assert_optimal(&level, wait, &way, optimum);
        }
    }
}

/// A model of all clauses with these literals true.
fn model(cnf: &Cnf, assumptions: &[Lit]) -> Option<Vec<bool>> {
    let mut solver = cadical_sys::CaDiCal::new();
    for clause in cnf.clauses() {
        for &lit in clause {
            solver.add(lit.dimacs());
        }
        solver.add(0);
    }
    for &lit in assumptions {
        solver.add(lit.dimacs());
        solver.add(0);
    }
    let is = solver.solve() == cadical_sys::Status::SATISFIABLE;
    let known = solver.vars();
    is.then(|| {
        (1..=cnf.variables() as i32)
            .map(|v| v <= known && solver.val(v) > 0)
            .collect()
    })
}

/// The plan, and nothing else, is a model with its literals; the model decodes to it, and one step less is too few.
fn assert_model<M: PartialEq + std::fmt::Debug>(
    name: LevelEncoding,
    mut encoding: Box<dyn Encoding<Move = M>>,
    plan: &[M],
) {
    let k = plan.len() as u32;
    let mut cnf = Cnf::default();
    unroll(&mut *encoding, k + 1, &mut cnf);
    for by in [k, k + 1] {
        let mut lits = encoding.literals(plan);
        lits.push(encoding.solved_by(by));
        let model = model(&cnf, &lits).unwrap_or_else(|| panic!("{name} forbids {plan:?}"));
        let holds = |lit: Lit| lit.holds_in(&model);
        assert_eq!(cnf.violated(holds), None);
        let decoded = encoding.decode(by, &holds);
        assert_eq!(&decoded[..plan.len()], plan, "{name}");
    }
    if k > 0 {
        let mut lits = encoding.literals(plan);
        lits.push(encoding.solved_by(k - 1));
        assert!(model(&cnf, &lits).is_none(), "{name}: too soon");
    }
    let names = encoding.names();
    let mut lits: Vec<Lit> = names.iter().map(|n| n.0).collect();
    lits.sort_unstable();
    lits.dedup();
    assert_eq!(lits.len(), names.len(), "{name} names a variable twice");
    assert!(lits[0].is_positive() && lits[lits.len() - 1].var() <= cnf.variables());
}

/// The same of a plan of one player or more, in what the encoding counts.
fn assert_is_model(encoding: LevelEncoding, level: &Level, wait: bool, plan: &[JointStep]) {
    match encoding {
        LevelEncoding::Pushes(by) => {
            assert_model(encoding, by_pushes(level, by), &pushes_of(level, plan));
        }
        LevelEncoding::Moves(by) => assert_model(encoding, by_moves(level, wait, by), plan),
    }
}

fn pushes_of(level: &Level, plan: &[JointStep]) -> Vec<Push> {
    let mut state: State = (level.players().to_vec(), level.boxes().to_vec());
    let mut pushes = vec![];
    for step in plan {
        let (next, pushed) = after(level, &state, step).unwrap();
        if pushed > 0 {
            pushes.push(Push {
                cell: next.0[0],
                direction: step[0].unwrap(),
            });
        }
        state = next;
    }
    pushes
}

#[test]
fn optimal_plans_are_models_and_models_are_plans() {
    for (i, level) in levels(1, 15).iter().enumerate() {
        for seed in 0..3 {
            let (_, plan) = flood(level, Objective::Pushes, true, seed + i as u64).unwrap();
            for encoding in by(Objective::Pushes) {
                assert_is_model(encoding, level, true, &plan);
            }
            let (_, plan) = flood(level, Objective::Moves, true, seed + i as u64).unwrap();
            assert_is_model(LevelEncoding::Moves(ByMoves::Paper), level, true, &plan);
        }
    }
    for (i, level) in levels(2, 10).iter().enumerate() {
        for wait in [true, false] {
            let Some((_, plan)) = flood(level, Objective::Moves, wait, i as u64) else {
                continue;
            };
            for encoding in by(Objective::Moves) {
                assert_is_model(encoding, level, wait, &plan);
            }
        }
    }
}

#[test]
fn plans_longer_than_the_optimum_are_models_too() {
    // The player walks around before it pushes: three moves more, of which none is worth making.
    let level = level(&["######", "#@   #", "# $ .#", "#    #", "######"]);
    let go = |text: &str| -> Vec<JointStep> {
        text.chars()
            .map(|c| JointStep::from([Direction::from_letter(c)]))
            .collect()
    };
    let plan = go("RLDRR");
    assert_eq!(replay(&level, &plan), (5, 2));
    assert_is_model(LevelEncoding::Moves(ByMoves::Paper), &level, true, &plan);
    for encoding in by(Objective::Pushes) {
        assert_is_model(encoding, &level, true, &plan);
    }
}

#[test]
fn the_example_has_the_size_that_the_thesis_says() {
    let level = level(&["#####", "#@$.#", "#####"]);
    let mut cnf = Cnf::default();
    let mut tamura = by_pushes(&level, ByPushes::Tamura(Blocks::default()));
    unroll(&mut *tamura, 1, &mut cnf);
    let size = tamura.size().unwrap();
    assert_eq!(
        (size.variables, size.essential, size.additional),
        (58, 91, 0)
    );
    let mut cnf = Cnf::default();
    let all = Blocks {
        dead: true,
        bad: true,
    };
    let mut tamura = by_pushes(&level, ByPushes::Tamura(all));
    unroll(&mut *tamura, 1, &mut cnf);
    let size = tamura.size().unwrap();
    // The player's own cell is dead in both steps; three cells in a row make no square but with walls.
    assert_eq!((size.variables, size.essential), (58, 91));
    assert!(size.additional >= 2);
}

#[test]
fn the_paper_counts_as_many_literals() {
    // Cells × (players + boxes) × (steps + 1), and one literal for each step.
    let level = level(&["######", "#@$. #", "#.$@ #", "######"]);
    for steps in 1..4 {
        let mut cnf = Cnf::default();
        let mut moves = by_moves(&level, true, ByMoves::Paper);
        unroll(&mut *moves, steps, &mut cnf);
        let times = steps as usize + 1;
        assert_eq!(cnf.variables(), 8 * (2 + 2) * times + times);
    }
}

#[test]
fn files_are_read_back_and_their_models_are_plans() {
    for players in [1, 2] {
        for level in levels(players, 4) {
            for &encoding in LevelEncoding::ALL {
                let objective = encoding.objective();
                if players > 1 && objective == Objective::Pushes {
                    let error = LevelInstance::new(&level, encoding, 3, true).err().unwrap();
                    assert!(matches!(error, DimacsError::Unfit(_)), "{error}");
                    continue;
                }
                let (optimum, _) = flood(&level, objective, true, 0).unwrap();
                let instance = LevelInstance::new(&level, encoding, optimum, true).unwrap();
                assert!(instance.lower().unwrap() <= optimum);
                let mut text = vec![];
                instance.write(&mut text).unwrap();
                let text = String::from_utf8(text).unwrap();
                assert!(LevelInstance::is_in(&text));
                let again = LevelInstance::read(&text).unwrap();
                assert!(again.cnf() == instance.cnf(), "{encoding}");
                let walks = again.decode(&model(again.cnf(), &[]).unwrap());
                let steps: Vec<JointStep> =
                    (0..walks.len()).map(|t| walks.step(t).into()).collect();
                replay(&again.level, &steps);
                let less = LevelInstance::new(&level, encoding, optimum - 1, true).unwrap();
                assert!(model(less.cnf(), &[]).is_none(), "{encoding}");
                let broken = text.replace("c wait yes", "c wait maybe");
                assert!(matches!(
                    LevelInstance::read(&broken),
                    Err(DimacsError::Wrong { name: "wait", .. })
                ));
                let other = text.replace("p cnf ", "p cnf 1");
                assert!(matches!(
                    LevelInstance::read(&other),
                    Err(DimacsError::Other { .. })
                ));
            }
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let one = level(&["#####", "#@$.#", "#####"]);
    let two = level(&["######", "#@$.@#", "######"]);
    for (objective, name) in [
        (Objective::Moves, "pushes"),
        (Objective::Pushes, "moves"),
        (Objective::Pushes, "rotated"),
    ] {
        let error = fit_level(name.parse().ok(), &one, objective).unwrap_err();
        assert!(matches!(error, Unfit::Counts { .. }), "{error}");
    }
    let error = fit_level("tamura".parse().ok(), &two, Objective::Pushes).unwrap_err();
    assert!(error.to_string().contains("the fewest steps"), "{error}");
    let ask = |level: &Level, encoding| {
        let options = SatOptions::of(encoding);
        solve_level(level, true, &options, &Control::new()).outcome
    };
    // Fewer boxes than goals, and a box that no goal is in reach of.
    for rows in [
        ["######", "#@$..#", "######"],
        ["######", "#.@$ #", "######"],
    ] {
        for &encoding in LevelEncoding::ALL {
            let outcome = ask(&level(&rows), encoding).unwrap();
            assert_eq!(outcome.status, Status::Unsolvable, "{rows:?}");
        }
    }
    let solved = level(&["#####", "#@ *#", "#####"]);
    for &encoding in LevelEncoding::ALL {
        assert_eq!(ask(&solved, encoding).unwrap().plan, Some(vec![]));
    }
}

#[test]
fn without_a_plan_it_ends_all_the_same_and_bounds_stay_true() {
    // Each box could get to a goal, were it alone, but each is in the other's way.
    let level = level(&["######", "#.$$.#", "#  @ #", "######"]);
    if let Some((optimum, _)) = flood(&level, Objective::Pushes, true, 0) {
        panic!("it has a plan of {optimum} pushes");
    }
    for &encoding in LevelEncoding::ALL {
        let control = Control::new().time_limit(Duration::from_millis(300));
        // It may be through with all lengths up to the number of states by then.
        let outcome = solve_level(&level, true, &SatOptions::of(encoding), &control)
            .outcome
            .unwrap();
        let ends = [Status::Limit(Stop::Time), Status::Unsolvable];
        assert!(ends.contains(&outcome.status), "{encoding}");
        assert!(outcome.plan.is_none() && outcome.bounds.upper.is_none());
    }
}

#[test]
fn the_first_plan_will_do_and_threads_agree() {
    for level in levels(1, 6) {
        let (optimum, _) = flood(&level, Objective::Moves, true, 0).unwrap();
        let encoding = LevelEncoding::Moves(ByMoves::Own);
        let any = SatOptions {
            any: true,
            bounds: Schedule::Doubling,
            ..SatOptions::of(encoding)
        };
        let outcome = solve_level(&level, true, &any, &Control::new())
            .outcome
            .unwrap();
        assert!(replay(&level, &outcome.plan.unwrap()).0 >= optimum);
        for bounds in [Schedule::Up, Schedule::Binary] {
            let threads = SatOptions {
                bounds,
                threads: 3,
                ..SatOptions::of(encoding)
            };
            assert_optimal(&level, true, &threads, optimum);
        }
    }
}

#[test]
fn threads_on_one_length_agree_whatever_they_share() {
    for (i, level) in levels(1, 6).into_iter().enumerate() {
        for &encoding in LevelEncoding::ALL {
            let (optimum, _) = flood(&level, encoding.objective(), true, 0).unwrap();
            for share in [Share::Clauses, Share::Nothing] {
                let sat = SatOptions {
                    bounds: Schedule::ALL[i % 3],
                    keep: KeepName::ALL[i % 2],
                    threads: [2, 4][i / 2 % 2],
                    share,
                    ..SatOptions::of(encoding)
                };
                assert_optimal(&level, true, &sat, optimum);
            }
        }
    }
}

#[test]
fn small_levels_without_a_plan_are_proven_so() {
    let level = level(&["#####", "##  #", "##@ #", "#$$.#", "#   #", "#####"]);
    assert_eq!(flood(&level, Objective::Pushes, true, 0), None);
    let way = SatOptions::of(LevelEncoding::Pushes(ByPushes::Own));
    let outcome = solve_level(&level, true, &way, &Control::new())
        .outcome
        .unwrap();
    assert_eq!(outcome.status, Status::Unsolvable);
}

#[test]
fn a_lone_player_does_not_wait() {
    let level = level(&["#####", "#.$ #", "#   #", "#@  #", "#####"]);
    for name in by(Objective::Moves) {
        let way = SatOptions {
            at_most: Some(12),
            ..SatOptions::of(name)
        };
        let outcome = solve_level(&level, true, &way, &Control::new())
            .outcome
            .unwrap();
        let plan = outcome.plan.unwrap();
        assert!(plan.iter().all(|step| step[0].is_some()), "{name}");
        assert_eq!(outcome.bounds.upper, Some(plan.len() as u32), "{name}");
    }
}

#[test]
fn lengths_below_the_lower_bound_are_asked_and_bounds_stay_true() {
    for (i, level) in levels(1, 12).iter().enumerate() {
        for &encoding in LevelEncoding::ALL {
            let objective = encoding.objective();
            let (optimum, _) = flood(level, objective, true, 0).unwrap();
            for from in [0, 1, optimum, optimum + 3] {
                let mut ways = learning_ways();
                let way = ways.swap_remove((i + from as usize) % ways.len());
                let way = SatOptions {
                    from: Some(from),
                    ..way.with(encoding)
                };
                assert_optimal(level, true, &way, optimum);
            }
            // The one question below, too: with a formula, and no worse a bound than is known without one.
            let known = solve_level(level, true, &up_to(encoding, None, 0), &Control::new());
            let known = known.outcome.unwrap().bounds.lower;
            let asked = up_to(encoding, Some(1), 1);
            let outcome = solve_level(level, true, &asked, &Control::new()).outcome;
            let outcome = outcome.unwrap();
            assert!(outcome.counts.sat.unwrap().variables > 0, "{encoding}");
            assert!((known..=optimum).contains(&outcome.bounds.lower));
            assert_eq!(outcome.bounds.upper, (optimum <= 1).then_some(optimum));
            if optimum > 1 {
                assert_eq!(outcome.status, Status::Limit(Stop::Bound), "{encoding}");
            }
        }
    }
}

fn up_to(encoding: LevelEncoding, from: Option<u32>, most: u32) -> SatOptions<LevelEncoding> {
    SatOptions {
        from,
        at_most: Some(most),
        ..SatOptions::of(encoding)
    }
}

#[test]
fn from_and_at_most_ask_for_all_lengths_between() {
    for level in levels(1, 8) {
        for encoding in by(Objective::Moves) {
            let (optimum, _) = flood(&level, Objective::Moves, true, 0).unwrap();
            for most in 0..=optimum + 1 {
                let outcome = solve_level(
                    &level,
                    true,
                    &up_to(encoding, Some(0), most),
                    &Control::new(),
                );
                let outcome = outcome.outcome.unwrap();
                if most < optimum {
                    assert_eq!(outcome.status, Status::Limit(Stop::Bound));
                    assert!(outcome.bounds.lower > most && outcome.bounds.lower <= optimum);
                } else {
                    assert_eq!(outcome.status, Status::Optimal, "{encoding}");
                    assert_eq!(outcome.bounds.upper, Some(optimum));
                }
            }
        }
    }
}

#[test]
fn the_first_question_of_map1_is_as_large_as_in_the_paper() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sokoban/map1.txt");
    let level = noyes_puzzle::sokoban::parse_level(&std::fs::read_to_string(path).unwrap());
    let level = level.unwrap();
    let paper = LevelEncoding::Moves(ByMoves::Paper);
    for k in 1..4 {
        let asked = up_to(paper, Some(k), k);
        let outcome = solve_level(&level, false, &asked, &Control::new()).outcome;
        let outcome = outcome.unwrap();
        // The paper prints 420 and 630; here each step has one more that says whether it is solved.
        let times = u64::from(k) + 1;
        assert_eq!(
            outcome.counts.sat.unwrap().variables,
            30 * 7 * times + times
        );
        assert_eq!(outcome.status, Status::Limit(Stop::Bound));
        assert_eq!(outcome.bounds.lower, 12, "known without a solver");
        let instance = LevelInstance::new(&level, paper, k, false).unwrap();
        assert!(propagate(instance.cnf()).refuted);
    }
}
