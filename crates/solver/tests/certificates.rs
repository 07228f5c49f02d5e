//! Certificates: reference formulas against breadth-first search, and proofs of every kind verified.

use std::collections::{HashMap, VecDeque};

use noyes_check::formula::{Tiles, Walks, manhattan};
use noyes_check::{
    Case, Certificate, Clauses, Counts, LevelCase, Refusal, Store, TilesCase, Verdict, verify,
};
use noyes_puzzle::sokoban::{Level, Walks as LevelPlan};
use noyes_puzzle::tiles::{Board, Direction, Generator, Goal, random_board};
use noyes_solver::prove::{CertifyError, Prover, certify, default_tables, stuck_boxes};
use noyes_solver::{Ask, Control, Objective, Plan, solve};

use crate::plain_sokoban::{fewest_steps, level, random_level};

fn is_satisfiable(clauses: &Clauses) -> bool {
    let mut solver = cadical_sys::CaDiCal::new();
    for clause in clauses.iter() {
        for &lit in clause {
            solver.add(lit);
        }
        solver.add(0);
    }
    solver.solve() == cadical_sys::Status::SATISFIABLE
}

/// The fewest moves from every board of a size to a goal.
fn distances(goal: &Board) -> HashMap<Vec<u16>, usize> {
    let mut known = HashMap::from([(goal.tiles().to_vec(), 0)]);
    let mut queue = VecDeque::from([goal.clone()]);
    while let Some(board) = queue.pop_front() {
        let moves = known[board.tiles()];
        for direction in Direction::ALL {
            let mut next = board.clone();
            if next.step(direction) && !known.contains_key(next.tiles()) {
                known.insert(next.tiles().to_vec(), moves + 1);
                queue.push_back(next);
            }
        }
    }
    known
}

#[test]
fn the_formula_of_a_board_has_a_solution_exactly_if_there_is_a_plan() {
    let goals: [Board; 4] = [
        Board::blank_last(2, 2),
        Board::blank_first(3, 2),
        Board::blank_last(2, 3),
        "1 0 2/4 3 5".parse().unwrap(),
    ];
    for goal in goals {
        for (i, (tiles, &moves)) in distances(&goal).iter().enumerate() {
            let start = Board::new(goal.width(), tiles.clone()).unwrap();
            let least = manhattan(&start, &goal);
            // All bounds on 2×2; on the others those next to the optimum, and all on some boards.
            let all = tiles.len() == 4 || i % 20 == 0;
            for bound in 0..=moves + 3 {
                if !all && bound.abs_diff(moves) > 2 {
                    continue;
                }
                match Tiles::new(&start, &goal, bound) {
                    None => assert!(bound < least && bound < moves, "{start} {bound}"),
                    Some(formula) => assert_eq!(
                        is_satisfiable(&formula.clauses),
                        bound >= moves,
                        "{start} to {goal}, {bound} moves"
                    ),
                }
            }
        }
    }
}

#[test]
fn the_formula_of_an_unsolvable_board_has_no_solution() {
    let goal = Board::blank_last(2, 2);
    let start: Board = "2 1/3 0".parse().unwrap();
    for bound in manhattan(&start, &goal)..14 {
        let formula = Tiles::new(&start, &goal, bound).unwrap();
        assert!(!is_satisfiable(&formula.clauses), "{bound}");
    }
}

#[test]
fn the_formula_of_sampled_3x3_boards_agrees_with_search() {
    let goal = Board::blank_last(3, 3);
    let distances = distances(&goal);
    let mut generator = Generator::new(7, 0);
    for _ in 0..12 {
        let start = random_board(&goal, &mut generator);
        let moves = distances[start.tiles()];
        for bound in [moves - 2, moves - 1, moves, moves + 1] {
            if let Some(formula) = Tiles::new(&start, &goal, bound) {
                let expected = bound >= moves;
                assert_eq!(
                    is_satisfiable(&formula.clauses),
                    expected,
                    "{start} {bound}"
                );
            }
        }
    }
}

#[test]
fn clause_numbers_are_those_of_the_clauses() {
    let start: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let goal = Board::blank_last(3, 3);
    for bound in [21, 23, 27] {
        let f = Tiles::new(&start, &goal, bound).unwrap();
        let clause = |number: usize| f.clauses.get(number).unwrap().to_vec();
        assert_eq!(clause(f.start_clause(0)), [f.blank(0, 7)]);
        assert_eq!(clause(f.start_clause(8)), [f.tile(0, 8, 0)]);
        for t in [0, 1, bound - 1] {
            assert_eq!(clause(f.done_blank(t, 3)), [-f.done(t), -f.blank(t, 3)]);
            assert_eq!(clause(f.done_tile(t, 8, 8)), [-f.done(t), -f.tile(t, 8, 8)]);
            for count in 2..=f.slack {
                assert_eq!(
                    clause(f.order(t, count)),
                    [-f.ups(t, count), f.ups(t, count - 1)]
                );
            }
            assert_eq!(clause(f.moves(t, 4))[..2], [-f.blank(t, 4), f.done(t)]);
            for (x, y, tile) in [(4, 5, 1), (0, 1, 8), (8, 7, 3)] {
                let slides = [-f.blank(t, x), -f.blank(t + 1, y), -f.tile(t, tile, y)];
                assert_eq!(clause(f.slide(t, x, y, tile))[..3], slides);
                assert_eq!(clause(f.slide(t, x, y, tile))[3], f.tile(t + 1, tile, x));
                let cell = if y == 2 { 3 } else { 2 };
                assert_eq!(
                    clause(f.stay(t, y, tile, cell)),
                    [
                        -f.blank(t + 1, y),
                        -f.tile(t, tile, cell),
                        f.tile(t + 1, tile, cell)
                    ]
                );
                if f.is_up(tile, y, x) {
                    assert_eq!(clause(f.rise(t, x, y, tile))[..3], slides);
                    assert_eq!(clause(f.rise(t, x, y, tile))[3], f.up(t));
                }
                if t > 0 {
                    let back = [-f.blank(t - 1, y), -f.blank(t, x), -f.blank(t + 1, y)];
                    assert_eq!(clause(f.back(t, x, y)), back);
                }
            }
            assert_eq!(clause(f.count(t, 0))[0], -f.up(t));
            for count in 1..=f.slack {
                assert_eq!(clause(f.count(t, count))[..2], [-f.up(t), -f.ups(t, count)]);
                assert_eq!(
                    clause(f.carry(t, count)),
                    [-f.ups(t, count), f.ups(t + 1, count)]
                );
            }
        }
    }
}

pub fn small_levels() -> Vec<Level> {
    let mut levels = vec![
        level(&["#####", "#@$.#", "#####"]),
        level(&["######", "#@ $.#", "######"]),
        level(&["######", "#    #", "# $@ #", "#.   #", "######"]),
        level(&["#######", "#.@$  #", "# $  .#", "#######"]),
        level(&["#######", "#  .  #", "# $#$ #", "#@ . ##", "#######"]),
        level(&["######", "#$ @.#", "######"]), // unsolvable
        level(&["#######", "#@$ $.#", "#   . #", "#######"]),
    ];
    levels.extend((0..12).map(|i| random_level(3, i, 1 + i as usize % 3, 1)));
    levels
}

#[test]
fn the_formula_of_a_level_by_steps_agrees_with_search() {
    for level in small_levels() {
        let steps = fewest_steps(&level, false).map(|steps| steps as usize);
        for bound in 0..steps.unwrap_or(8).min(24) + 2 {
            let formula = Walks::new(&level, false, bound).unwrap();
            let expected = steps.is_some_and(|steps| bound >= steps);
            assert_eq!(
                is_satisfiable(&formula.clauses),
                expected,
                "{level:?} {bound}"
            );
        }
    }
    for (i, wait) in (0..8).flat_map(|i| [(i, false), (i, true)]) {
        let level = random_level(5, i, 1 + i as usize % 2, 2);
        let steps = fewest_steps(&level, wait).map(|steps| steps as usize);
        for bound in 0..steps.unwrap_or(5).min(12) + 2 {
            let formula = Walks::new(&level, wait, bound).unwrap();
            let expected = steps.is_some_and(|steps| bound >= steps);
            assert_eq!(
                is_satisfiable(&formula.clauses),
                expected,
                "{level:?} {wait} {bound}"
            );
        }
    }
}

pub fn plan_of(start: &Board, goal: &Board) -> Option<Vec<Direction>> {
    let ask = Ask::board(start.clone(), Goal::Board(goal.clone()));
    let answer = solve(&ask.request().unwrap(), &Control::new()).unwrap();
    match answer.plan {
        Some(Plan::Directions(plan)) => Some(plan),
        _ => None,
    }
}

pub fn board_case(start: &str, goal: &Board, tables: Vec<Vec<u16>>) -> TilesCase {
    let start: Board = start.parse().unwrap();
    TilesCase {
        plan: plan_of(&start, goal),
        start,
        goal: goal.clone(),
        tables,
    }
}

pub fn made(case: Case, prover: Prover) -> Result<Vec<u8>, CertifyError> {
    let mut certificate = Certificate {
        case,
        refutes: None,
    };
    let mut store = Store::new(None, 2);
    let certified = certify(
        &mut certificate,
        prover,
        &mut store,
        vec![],
        &Control::new(),
    );
    certified.map(|(_, bytes)| bytes)
}

pub fn checked(bytes: &[u8]) -> Result<Verdict, Refusal> {
    verify(bytes, &mut Store::new(None, 2))
}

fn assert_certified(case: Case, prover: Prover, cost: Option<u32>) -> Vec<u8> {
    let bytes = made(case, prover).unwrap();
    let verdict = checked(&bytes).unwrap();
    assert_eq!(verdict.cost, cost);
    bytes
}

/// With tables, without, and by SAT.
fn assert_board(start: &str, goal: &Board) -> u32 {
    let case = board_case(start, goal, default_tables(goal));
    let cost = case.plan.as_ref().unwrap().len() as u32;
    assert_certified(Case::Tiles(case.clone()), Prover::Search, Some(cost));
    let plain = TilesCase {
        tables: vec![],
        ..case
    };
    assert_certified(Case::Tiles(plain.clone()), Prover::Search, Some(cost));
    assert_certified(Case::Tiles(plain), Prover::Sat, Some(cost));
    cost
}

#[test]
fn boards_of_many_sizes_and_goals_are_certified() {
    let eight = Board::blank_last(3, 3);
    assert_eq!(assert_board("8 6 7/2 5 4/3 0 1", &eight), 31);
    assert_eq!(assert_board("1 2 3/4 5 6/7 8 0", &eight), 0);
    assert_eq!(assert_board("1 2 3/4 5 6/7 0 8", &eight), 1);
    assert_board("5 4 3/2 1 0", &Board::blank_last(3, 2));
    assert_board("1 2 0 4/3 5 6 7", &"1 2 3 4/5 6 0 7".parse().unwrap());
    assert_board("4 1 3 11/2 5 7 8/9 6 10 0", &Board::blank_last(4, 3));
    assert_board("5 1 3 9 4/6 2 7 8 0", &Board::blank_last(5, 2));
}

#[test]
fn every_board_of_3x2_is_certified() {
    let goal: Board = "1 0 2/4 3 5".parse().unwrap();
    for (i, (tiles, moves)) in distances(&goal).into_iter().enumerate() {
        let start = Board::new(3, tiles).unwrap();
        let tables = if i % 2 == 0 {
            vec![]
        } else {
            vec![vec![1, 2], vec![3, 4, 5]]
        };
        let case = TilesCase {
            plan: plan_of(&start, &goal),
            start,
            goal: goal.clone(),
            tables,
        };
        assert_certified(Case::Tiles(case), Prover::Search, Some(moves as u32));
    }
}

#[test]
fn random_3x3_boards_are_certified_with_and_without_tables() {
    let goal = Board::blank_first(3, 3);
    let distances = distances(&goal);
    let mut generator = Generator::new(11, 0);
    for _ in 0..30 {
        let start = random_board(&goal, &mut generator);
        let moves = distances[start.tiles()] as u32;
        for tables in [vec![], default_tables(&goal), vec![vec![2, 3, 7]]] {
            let case = board_case(&start.to_string(), &goal, tables);
            assert_certified(Case::Tiles(case), Prover::Search, Some(moves));
        }
    }
}

#[test]
fn a_plan_that_is_not_optimal_gets_no_certificate() {
    let goal = Board::blank_last(3, 3);
    let mut case = board_case("1 2 3/4 0 6/7 5 8", &goal, vec![]);
    let plan = case.plan.as_mut().unwrap();
    plan.splice(0..0, [Direction::Up, Direction::Down]);
    let Err(CertifyError::Shorter(shorter)) = made(Case::Tiles(case.clone()), Prover::Search)
    else {
        panic!("a shorter plan");
    };
    assert_eq!(noyes_check::board_plan(&case.start, &goal, &shorter), Ok(2));
    assert!(matches!(
        made(Case::Tiles(case), Prover::Sat),
        Err(CertifyError::Cheaper)
    ));
    let start = level(&["######", "#@ $.#", "######"]);
    let case = level_case(&start, Counts::Steps, LevelPlan::parse("rlrR", 1).ok());
    assert!(matches!(
        made(case, Prover::Search),
        Err(CertifyError::Cheaper)
    ));
}

#[test]
fn unsolvable_boards_are_certified_by_parity() {
    let goal = Board::blank_last(4, 4);
    let case = board_case("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", &goal, vec![]);
    let bytes = assert_certified(Case::Tiles(case), Prover::Search, None);
    let verdict = checked(&bytes).unwrap();
    assert_eq!(verdict.proved, "no plan exists");
    let solvable = TilesCase {
        plan: None,
        ..board_case("1 2 3/4 0 6/7 5 8", &Board::blank_last(3, 3), vec![])
    };
    assert!(matches!(
        made(Case::Tiles(solvable), Prover::Search),
        Err(CertifyError::MaybeSolvable(_))
    ));
}

pub fn level_case(level: &Level, counts: Counts, plan: Option<LevelPlan>) -> Case {
    let stuck = match plan {
        Some(_) => vec![],
        None => stuck_boxes(level, &Control::new()).unwrap(),
    };
    Case::Level(LevelCase {
        level: level.clone(),
        counts,
        plan,
        stuck,
    })
}

pub fn solved_level(level: &Level, counts: Counts) -> (Option<LevelPlan>, Option<u32>) {
    let objective = match counts {
        Counts::Pushes => Objective::Pushes,
        _ => Objective::Moves,
    };
    let ask = Ask::level(level.clone())
        .objective(objective)
        .no_wait(!counts.may_wait());
    let ask = if level.players().len() > 1 {
        ask.objective(None)
    } else {
        ask
    };
    let answer = solve(&ask.request().unwrap(), &Control::new()).unwrap();
    (
        answer.plan.and_then(|plan| plan.walks().cloned()),
        answer.bounds.upper,
    )
}

#[test]
fn levels_are_certified_by_pushes_moves_and_steps() {
    for level in small_levels() {
        for counts in [Counts::Pushes, Counts::Steps] {
            let (plan, cost) = solved_level(&level, counts);
            let cost = plan.is_some().then_some(cost).flatten();
            assert_certified(level_case(&level, counts, plan), Prover::Search, cost);
        }
    }
    for i in 0..6 {
        let level = random_level(5, i, 1 + i as usize % 2, 2);
        for counts in [Counts::Steps, Counts::StepsWithoutWaiting] {
            let (plan, cost) = solved_level(&level, counts);
            if plan.is_some() {
                assert_certified(level_case(&level, counts, plan), Prover::Search, cost);
            }
        }
    }
}

/// The first ten of Korf's boards, with the default tables.
#[test]
#[ignore = "takes a minute in a release build"]
fn ten_of_korfs_boards_are_certified() {
    let goal = Board::blank_first(4, 4);
    let mut store = Store::new(None, 2);
    let rows = include_str!("../../../data/korf15.csv").lines();
    for row in rows.filter(|row| !row.starts_with('#')).skip(1).take(10) {
        let fields: Vec<&str> = row.split(',').collect();
        let case = board_case(fields[1], &goal, default_tables(&goal));
        let mut certificate = Certificate {
            case: Case::Tiles(case),
            refutes: None,
        };
        let control = Control::new();
        let made = certify(
            &mut certificate,
            Prover::Search,
            &mut store,
            vec![],
            &control,
        );
        let verdict = verify(&made.unwrap().1[..], &mut store).unwrap();
        assert_eq!(verdict.cost, Some(fields[2].parse().unwrap()), "{row}");
    }
}
