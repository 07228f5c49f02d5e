//! SAT: every encoding, schedule, keeping and backend gives the optimum; plans are models, and models plans.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::ways::{learning_ways, ways};
use noyes_check::board_plan;
use noyes_puzzle::tiles::{Board, Direction, Generator, Goal, random_board, random_walk};
use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::cnf::{Cnf, Lit, Sink};
use noyes_solver::sat::dimacs::{DimacsError, Instance};
use noyes_solver::sat::encoding::{Encoding, Question, unroll};
use noyes_solver::sat::{BoardEncoding, KeepName, Schedule, Share, Unfit, of_board};
use noyes_solver::{
    Answer, Ask, AtDistance, Control, Engine, Field, Plan, Request, SatOptions, Status, Stop, Why,
    solve,
};

/// Those with all optimal plans.
pub fn encodings() -> impl Iterator<Item = BoardEncoding> {
    let all = BoardEncoding::ALL.iter().copied();
    all.filter(|encoding| encoding.is_optimal())
}

/// The choices as a request takes them.
type Wish = SatOptions<BoardEncoding>;

fn encoding(name: &str) -> BoardEncoding {
    name.parse().unwrap()
}

/// The formula of a question, and of some more steps where it can have them.
fn formula(
    encoding: BoardEncoding,
    start: &Board,
    goal: &Board,
    k: u32,
    more: u32,
) -> (Cnf, Box<dyn Encoding<Move = Direction>>) {
    let mut cnf = Cnf::default();
    let mut made = of_board(encoding, start, goal, Question { k, least: 0 });
    let more = if encoding.is_for_one_bound() { 0 } else { more };
    unroll(&mut *made, (k + more).max(1), &mut cnf);
    (cnf, made)
}

/// A walk of this number of moves, or as many as the solver can undo: DPLL learns nothing.
fn walk(moves: usize, way: &SatOptions<()>) -> usize {
    match way.backend {
        BackendName::Dpll => moves.min(7),
        _ => moves,
    }
}

pub fn request(board: &Board, goal: &Board, sat: Wish) -> Request {
    Ask::board(board.clone(), Goal::Board(goal.clone()))
        .sat(sat)
        .request()
        .unwrap()
}

fn by_sat(board: &Board, goal: &Board, sat: Wish) -> Answer {
    solve(&request(board, goal, sat), &Control::new()).unwrap()
}

pub fn by_bfs(board: &Board, goal: &Board) -> (u32, Vec<Direction>) {
    let request = Ask::board(board.clone(), Goal::Board(goal.clone())).engine(Engine::Bfs);
    let answer = solve(&request.request().unwrap(), &Control::new()).unwrap();
    let Some(Plan::Directions(plan)) = answer.plan else {
        panic!("a plan of directions");
    };
    (answer.bounds.upper.unwrap(), plan)
}

pub fn assert_optimal(board: &Board, goal: &Board, sat: &Wish) {
    let told = format!("{board} to {goal} by {sat:?}");
    let (optimum, _) = by_bfs(board, goal);
    let answer = by_sat(board, goal, sat.clone());
    assert_eq!(answer.status, Status::Optimal, "{told}");
    assert_eq!(
        (answer.bounds.lower, answer.bounds.upper),
        (optimum, Some(optimum)),
        "{told}"
    );
    let encoding = sat.encoding;
    assert_eq!(answer.encoding, Some(encoding.into()));
    let counts = answer.counts.sat.unwrap();
    assert_eq!(counts.clauses > 0, board != goal, "{told}");
}

#[test]
fn every_way_gives_the_optimum_of_flooding() {
    for name in encodings() {
        for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 1), (1, 3), (2, 1), (1, 1)] {
            for goal in [
                Board::blank_last(width, height),
                Board::blank_first(width, height),
            ] {
                for (i, way) in ways().into_iter().enumerate() {
                    let generator = &mut Generator::new(5, i as u64);
                    let board = match walk(usize::MAX, &way) {
                        usize::MAX => random_board(&goal, generator),
                        moves => random_walk(&goal, moves, generator),
                    };
                    let sat = way.with(name);
                    assert_optimal(&board, &goal, &sat);
                }
            }
        }
    }
}

#[test]
fn lengths_below_the_lower_bound_are_asked_too() {
    let goal = Board::blank_last(3, 2);
    for encoding in encodings().filter(|encoding| !encoding.is_for_one_bound()) {
        for (i, way) in learning_ways().into_iter().enumerate() {
            let board = random_board(&goal, &mut Generator::new(6, i as u64));
            let (optimum, _) = by_bfs(&board, &goal);
            for from in [0, 1, 2, optimum + 1] {
                let sat = SatOptions {
                    from: Some(from),
                    ..way.clone().with(encoding)
                };
                assert_optimal(&board, &goal, &sat);
            }
            let known = Ask::board(board.clone(), Goal::Board(goal.clone()));
            let known = noyes_solver::lower_bound(&known.request().unwrap());
            let sat = SatOptions {
                from: Some(1),
                at_most: Some(1),
                ..way.with(encoding)
            };
            let answer = by_sat(&board, &goal, sat);
            assert!(answer.bounds.lower >= known && answer.bounds.lower <= optimum);
            if optimum > 1 {
                assert_eq!(answer.status, Status::Limit(Stop::Bound), "{board}");
                assert!(answer.counts.sat.unwrap().variables > 0, "{encoding}");
            }
        }
    }
}

#[test]
fn random_boards_of_3x3() {
    let goals = [Board::blank_last(3, 3), Board::blank_first(3, 3)];
    // The papers' encodings take seconds for longer plans, and there are many ways.
    let near = goals
        .each_ref()
        .map(|goal| AtDistance::new(goal, 14, &Control::new()).unwrap());
    for name in encodings() {
        for (i, way) in ways().into_iter().enumerate() {
            let goal = &goals[i % 2];
            let board = if way.backend == BackendName::Dpll {
                random_walk(goal, walk(14, &way), &mut Generator::new(3, i as u64))
            } else if name.is_for_one_bound() {
                random_board(goal, &mut Generator::new(3, i as u64))
            } else {
                near[i % 2]
                    .draw(&mut Generator::new(3, i as u64), &Control::new())
                    .unwrap()
                    .0
            };
            let sat = way.with(name);
            assert_optimal(&board, goal, &sat);
        }
    }
}

#[test]
fn every_way_gives_the_optimum_on_3x3() {
    let goals: [Board; 3] = [
        Board::blank_last(3, 3),
        Board::blank_first(3, 3),
        "3 1 2/5 0 4/8 7 6".parse().unwrap(),
    ];
    for name in encodings() {
        for (i, way) in ways().into_iter().enumerate() {
            let goal = &goals[i % goals.len()];
            let board = random_walk(goal, walk(9, &way), &mut Generator::new(6, i as u64));
            let sat = way.with(name);
            assert_optimal(&board, goal, &sat);
        }
    }
}

#[test]
fn several_threads_give_the_optimum_too() {
    let goal = Board::blank_last(3, 3);
    for (i, &bounds) in Schedule::ALL.iter().cycle().take(9).enumerate() {
        let board = random_walk(&goal, 18, &mut Generator::new(7, i as u64));
        let sat = SatOptions {
            bounds,
            keep: KeepName::ALL[i % 2],
            threads: 2 + i % 4,
            ..SatOptions::default()
        };
        assert_optimal(&board, &goal, &sat);
    }
}

/// Encodings whose solvers can share what they learn.
fn written() -> impl Iterator<Item = BoardEncoding> {
    encodings().filter(|&encoding| encoding != BoardEncoding::default())
}

#[test]
fn threads_on_one_length_give_the_optimum_whatever_they_share() {
    let goal = Board::blank_last(3, 3);
    let near = AtDistance::new(&goal, 14, &Control::new()).unwrap();
    let mut i = 0;
    for name in written() {
        for threads in [2, 4] {
            for &keep in KeepName::ALL {
                for share in [Share::Clauses, Share::Nothing] {
                    i += 1;
                    let generator = &mut Generator::new(23, i);
                    let sat = SatOptions {
                        encoding: name,
                        bounds: Schedule::ALL[i as usize % 3],
                        keep,
                        threads,
                        share,
                        ..SatOptions::default()
                    };
                    let (board, _) = near.draw(generator, &Control::new()).unwrap();
                    assert_optimal(&board, &goal, &sat);
                    let small = Board::blank_first(3, 2);
                    assert_optimal(&random_board(&small, generator), &small, &sat);
                }
            }
        }
    }
}

#[test]
fn clauses_are_shared_and_counted() {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let goal = Board::blank_last(3, 3);
    let shared = |share| {
        let sat = SatOptions {
            encoding: encoding("edixhoven+no-undo+manhattan"),
            threads: 2,
            share,
            ..SatOptions::default()
        };
        let answer = by_sat(&board, &goal, sat);
        assert_eq!(answer.bounds.lower, 31);
        assert_eq!(answer.status, Status::Optimal);
        answer.counts.sat.unwrap().shared_clauses
    };
    assert!(shared(Share::Clauses) > 0);
    assert_eq!(shared(Share::Nothing), 0);
}

#[test]
fn limits_and_the_stop_flag_end_all_threads_that_share() {
    let board: Board = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0".parse().unwrap();
    let goal = Board::blank_last(4, 4);
    let ends = |name: &str, control: &Control, stop: Stop| {
        let sat = SatOptions {
            encoding: encoding(name),
            threads: 4,
            share: Share::Clauses,
            ..SatOptions::default()
        };
        let begun = Instant::now();
        let answer = solve(&request(&board, &goal, sat), control).unwrap();
        assert_eq!(answer.status, Status::Limit(stop));
        assert!((40..=80).contains(&answer.bounds.lower) && answer.bounds.upper.is_none());
        assert!(begun.elapsed() < Duration::from_secs(20));
    };
    let short = Duration::from_millis(700);
    ends("rotated", &Control::new().time_limit(short), Stop::Time);
    // The formulas alone are larger.
    let control = Control::new().memory_limit(40 << 20);
    ends("transitions", &control, Stop::Memory);
    let flag = Arc::new(AtomicBool::new(false));
    let control = Control::new().stop_flag(flag.clone());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(short);
            flag.store(true, Relaxed);
        });
        ends("rotated", &control, Stop::Interrupted);
    });
}

#[test]
fn sharing_that_a_solver_cannot_do_is_refused() {
    let goal = Board::blank_last(3, 3);
    let why = |sat: Wish| {
        let ask = Ask::board(goal.clone(), Goal::BlankLast).sat(sat);
        let error = ask.request().unwrap_err();
        assert_eq!(error.field, Field::Share);
        error.why
    };
    let clauses = SatOptions {
        share: Share::Clauses,
        ..SatOptions::default()
    };
    assert_eq!(why(clauses.clone()), Why::LazySharing);
    let backend = BackendName::Batsat;
    let by_batsat = SatOptions { backend, ..clauses };
    assert!(matches!(why(by_batsat), Why::NoSharing { .. }));
    let by_search = Ask::board(goal, Goal::BlankLast).share(Share::Nothing);
    let error = by_search.engine(Engine::AStar).request().unwrap_err();
    assert_eq!(error.field, Field::Share);
}

#[test]
fn a_hardest_board_of_3x3_has_31_moves() {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let answer = by_sat(&board, &Board::blank_last(3, 3), SatOptions::default());
    assert_eq!(
        (answer.status, answer.bounds.upper),
        (Status::Optimal, Some(31))
    );
    let counts = answer.counts.sat.unwrap();
    assert!(counts.conflicts > 0 && counts.decisions > 0 && counts.variables > 1000);
}

#[test]
fn any_plan_ends_with_the_first_one() {
    let goal = Board::blank_last(3, 3);
    for i in 0..6 {
        let board = random_walk(&goal, 20, &mut Generator::new(8, i));
        let (optimum, _) = by_bfs(&board, &goal);
        for &bounds in Schedule::ALL {
            let any = SatOptions {
                any: true,
                bounds,
                threads: 1 + i as usize % 2,
                ..SatOptions::default()
            };
            let answer = by_sat(&board, &goal, any);
            assert!(matches!(answer.status, Status::Solved | Status::Optimal));
            assert!(answer.bounds.upper >= Some(optimum) && answer.bounds.lower <= optimum);
        }
    }
}

#[test]
fn complete_blocks_give_up_optimality_and_say_so() {
    let goal = Board::blank_last(3, 3);
    for i in 0..12 {
        let board = random_walk(&goal, 16, &mut Generator::new(9, i));
        let (optimum, _) = by_bfs(&board, &goal);
        let sat = SatOptions::of(encoding("edixhoven+no-undo+manhattan+blocks"));
        let answer = by_sat(&board, &goal, sat);
        assert!(answer.bounds.upper >= Some(optimum) && answer.bounds.lower <= optimum);
        if answer.status == Status::Optimal {
            assert_eq!(answer.bounds.upper, Some(optimum));
        } else {
            assert_eq!(answer.status, Status::Solved);
        }
    }
    // The first row is home already, and an optimal plan has to break it.
    let board: Board = "1 2 3/7 6 5/0 4 8".parse().unwrap();
    let sat = SatOptions::of(encoding("edixhoven+no-undo+manhattan+blocks"));
    let answer = by_sat(&board, &goal, sat);
    assert_eq!(answer.status, Status::Solved);
    assert!(answer.bounds.upper > Some(by_bfs(&board, &goal).0));
}

/// Whether a formula holds under assumptions, by propagation and search.
pub fn is_satisfiable(cnf: &Cnf, assumptions: &[Lit]) -> Option<Vec<bool>> {
    let mut solver = cadical_sys::CaDiCal::new();
    for clause in cnf.clauses() {
        for &lit in clause {
            solver.add(lit.dimacs());
        }
        solver.add(0);
    }
    for &lit in assumptions {
        solver.assume(lit.dimacs());
    }
    match solver.solve() {
        cadical_sys::Status::SATISFIABLE => {
            let variables = 1..=cnf.variables() as i32;
            let value = |v| v <= solver.vars() && solver.val(v) > 0;
            Some(variables.map(value).collect())
        }
        _ => None,
    }
}

/// A plan that never goes straight back, of any length: to where it leads is the goal.
fn some_plan(start: &Board, length: usize, generator: &mut Generator) -> (Vec<Direction>, Board) {
    let (mut board, mut plan) = (start.clone(), vec![]);
    while plan.len() < length {
        let direction = Direction::ALL[generator.below(4)];
        if plan
            .last()
            .is_none_or(|last: &Direction| last.opposite() != direction)
            && board.step(direction)
        {
            plan.push(direction);
        }
    }
    (plan, board)
}

#[test]
fn every_plan_is_a_model_and_every_model_that_plan() {
    for name in encodings() {
        for i in 0..30u64 {
            let generator = &mut Generator::new(10, i);
            let (width, height) = [(3, 3), (2, 2), (4, 2), (2, 5), (4, 4)][i as usize % 5];
            let start = random_board(&Board::blank_last(width, height), generator);
            let (plan, goal) = some_plan(&start, 1 + i as usize % 7, generator);
            let (first, _) = first_visit(&start, &goal, &plan);
            let (steps, more) = (plan.len() as u32, generator.below(3) as u32);
            let (cnf, encoding) = formula(name, &start, &goal, steps, more);
            let mut assumptions = encoding.literals(&plan[..first]);
            assumptions.push(encoding.solved_by(steps));
            let model = is_satisfiable(&cnf, &assumptions);
            let model = model.unwrap_or_else(|| panic!("{name} forbids {plan:?} from {start}"));
            let holds = |lit: Lit| lit.holds_in(&model);
            assert_eq!(cnf.violated(holds), None);
            assert_eq!(
                encoding.decode(steps, &holds),
                plan[..first],
                "{name} from {start}"
            );
        }
    }
}

/// After how many of its moves a plan first reaches the goal.
fn first_visit(start: &Board, goal: &Board, plan: &[Direction]) -> (usize, Board) {
    let mut board = start.clone();
    for (i, &direction) in plan.iter().enumerate() {
        if board == *goal {
            return (i, board);
        }
        board.step(direction);
    }
    (plan.len(), board)
}

#[test]
fn wrong_moves_are_no_models() {
    // The same literals with the goal out of reach, or a tile changed on the way.
    let start: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
    let goal = Board::blank_last(3, 3);
    let plan = [Direction::Down, Direction::Right];
    let astray = [Direction::Up, Direction::Right];
    for name in encodings() {
        let under = |plan: &[Direction], k| {
            let more = 2 - k; // as much longer as it can be
            let (cnf, encoding) = formula(name, &start, &goal, k, more);
            let mut lits = encoding.literals(plan);
            lits.push(encoding.solved_by(k));
            is_satisfiable(&cnf, &lits).is_some()
        };
        assert!(under(&plan, 2), "{name}");
        assert!(
            !under(&plan, 1) && !under(&plan, 0) && !under(&astray, 2),
            "{name}"
        );
    }
}

#[test]
fn variables_are_named_once_and_exist() {
    let board: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
    for name in encodings() {
        let (cnf, encoding) = formula(name, &board, &Board::blank_last(3, 3), 3, 0);
        let names = encoding.names();
        let mut lits: Vec<Lit> = names.iter().map(|n| n.0).collect();
        lits.sort_unstable();
        lits.dedup();
        assert_eq!(lits.len(), names.len(), "{name}");
        assert!(lits[0].is_positive(), "{name}");
        assert!(lits[lits.len() - 1].var() <= cnf.variables(), "{name}");
        let used = cnf.clauses().flatten().map(|l| l.var()).max();
        assert!(used <= Some(cnf.variables()), "{name}");
    }
}

#[test]
fn files_are_read_back_and_their_models_are_plans() {
    for name in encodings() {
        for (i, (width, height)) in [(3, 3), (2, 2), (4, 1), (2, 3)].into_iter().enumerate() {
            let goal = Board::blank_first(width, height);
            let board = random_walk(&goal, 10, &mut Generator::new(12, i as u64));
            let (optimum, _) = by_bfs(&board, &goal);
            for k in [optimum, optimum + 1] {
                let instance = Instance::new(&board, &goal, name, k).unwrap();
                let mut text = vec![];
                instance.write(&mut text).unwrap();
                let text = String::from_utf8(text).unwrap();
                let again = Instance::read(&text).unwrap();
                assert_eq!(again.cnf(), instance.cnf());
                let cnf = parse(&text);
                assert_eq!(&cnf, instance.cnf());
                let model = is_satisfiable(&cnf, &[]).unwrap();
                let plan = again.decode(&model);
                assert!(board_plan(&board, &goal, &plan).unwrap() <= k);
            }
            if optimum >= 2 {
                let less = Instance::new(&board, &goal, name, optimum - 2).unwrap();
                assert!(is_satisfiable(less.cnf(), &[]).is_none(), "{name} {board}");
            }
        }
    }
}

/// DIMACS, by a reader that believes nothing.
fn parse(text: &str) -> Cnf {
    let mut lines = text.lines().skip_while(|l| l.starts_with('c'));
    let header: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(header[..2], ["p", "cnf"]);
    let mut cnf = Cnf::default();
    for _ in 0..header[2].parse().unwrap() {
        cnf.variable();
    }
    for line in lines {
        let numbers: Vec<i32> = line
            .split_whitespace()
            .map(|w| w.parse().unwrap())
            .collect();
        let (&end, numbers) = numbers.split_last().unwrap();
        let lits = numbers.iter().map(|&n| Lit::from_dimacs(n).unwrap());
        let lits: Vec<Lit> = lits.collect();
        assert!(end == 0 && lits.iter().all(|l| l.var() <= cnf.variables()));
        cnf.clause(&lits);
    }
    assert_eq!(header[3], cnf.clauses().len().to_string());
    cnf
}

#[test]
fn files_of_others_are_refused() {
    let board = Board::blank_last(2, 2);
    let instance = Instance::new(&board, &board, encoding("rotated"), 2).unwrap();
    let mut text = vec![];
    instance.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let read = |from: &str, to: &str| {
        Instance::read(&text.replace(from, to))
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(
        read("c puzzle", "c"),
        DimacsError::Missing { name: "puzzle" }
    );
    for (from, to) in [
        ("c steps 2", "c steps -1"),
        ("c steps 2", "c steps 4000000000"),
        ("c encoding rotated", "c encoding rotten"),
        ("c goal 1 2/3 0", "c goal 1 2/3 3"),
    ] {
        assert!(matches!(read(from, to), DimacsError::Wrong { .. }), "{to}");
    }
    assert!(matches!(
        read("c steps 2", "c steps 3"),
        DimacsError::Other { .. }
    ));
    assert!(matches!(read("p cnf", "p wcnf"), DimacsError::Other { .. }));
    assert!(matches!(
        read("c goal 1 2/3 0", "c goal 1 2 0/"),
        DimacsError::Sizes { .. }
    ));
    assert!(Instance::read("").is_err());
}

#[test]
fn what_an_encoding_cannot_do_is_refused() {
    let board = Board::blank_last(11, 10);
    let ask = Ask::board(board, Goal::BlankLast).engine(Engine::Sat);
    assert!(matches!(
        ask.request().unwrap_err().why,
        Why::Unfit(Unfit::Cells { .. })
    ));
    let one = Board::blank_last(1, 1);
    assert!(Instance::new(&one, &one, encoding("rotated"), 1).is_err());
}

#[test]
fn limits_end_a_solve_with_sound_bounds() {
    let board: Board = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0".parse().unwrap();
    let goal = Board::blank_last(4, 4);
    for name in encodings() {
        for (i, way) in ways().into_iter().enumerate() {
            let sat = SatOptions {
                threads: 1 + i % 2,
                ..way.with(name)
            };
            let control = Control::new().time_limit(Duration::from_millis(1));
            let begun = Instant::now();
            let answer = solve(&request(&board, &goal, sat), &control).unwrap();
            assert_eq!(answer.status, Status::Limit(Stop::Time));
            assert!((40..=80).contains(&answer.bounds.lower) && answer.bounds.upper.is_none());
            assert!(begun.elapsed() < Duration::from_secs(10));
        }
    }
    let control = Control::new().memory_limit(1 << 16);
    let answer = solve(&request(&board, &goal, SatOptions::default()), &control).unwrap();
    assert_eq!(answer.status, Status::Limit(Stop::Memory));
}
