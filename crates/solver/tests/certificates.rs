//! Certificates: reference formulas against breadth-first search, proofs of every kind verified, and mutants refused.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::process::Command;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use noyes_check::formula::{Pushes, Tiles, Walks, least_pushes, manhattan};
use noyes_check::{
    Case, Certificate, Clauses, Counts, LevelCase, Refusal, Step, StepReader, StepWriter, Store,
    TilesCase, Verdict, export, verify,
};
use noyes_puzzle::sokoban::{Level, Walks as LevelPlan};
use noyes_puzzle::tiles::{Board, Direction, Generator, Goal, random_board};
use noyes_solver::prove::{CertifyError, Prover, certify, default_tables, stuck_boxes};
use noyes_solver::{Ask, Control, Objective, Plan, solve};

use crate::plain_sokoban::{fewest_pushes, fewest_steps, level, random_level};
use crate::skipped::skipped;

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

fn small_levels() -> Vec<Level> {
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
fn the_formula_of_a_level_by_pushes_agrees_with_search() {
    for level in small_levels() {
        let pushes = fewest_pushes(&level).map(|pushes| pushes as usize);
        let least = least_pushes(&level);
        for bound in least..pushes.unwrap_or(least + 6) + 3 {
            let Some(formula) = Pushes::new(&level, bound) else {
                assert!(pushes.is_none(), "{level:?}");
                continue;
            };
            let expected = pushes.is_some_and(|pushes| bound >= pushes);
            assert_eq!(
                is_satisfiable(&formula.clauses),
                expected,
                "{level:?} {bound}"
            );
        }
    }
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

fn plan_of(start: &Board, goal: &Board) -> Option<Vec<Direction>> {
    let ask = Ask::board(start.clone(), Goal::Board(goal.clone()));
    let answer = solve(&ask.request().unwrap(), &Control::new()).unwrap();
    match answer.plan {
        Some(Plan::Directions(plan)) => Some(plan),
        _ => None,
    }
}

fn board_case(start: &str, goal: &Board, tables: Vec<Vec<u16>>) -> TilesCase {
    let start: Board = start.parse().unwrap();
    TilesCase {
        plan: plan_of(&start, goal),
        start,
        goal: goal.clone(),
        tables,
    }
}

fn made(case: Case, prover: Prover) -> Result<Vec<u8>, CertifyError> {
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

fn checked(bytes: &[u8]) -> Result<Verdict, Refusal> {
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

fn level_case(level: &Level, counts: Counts, plan: Option<LevelPlan>) -> Case {
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

fn solved_level(level: &Level, counts: Counts) -> (Option<LevelPlan>, Option<u32>) {
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

/// The parts of a certificate: its lines, and the steps of its proof.
fn parts(bytes: &[u8]) -> (Vec<u8>, Vec<Step>) {
    let end = bytes.windows(7).position(|w| w == b"\nproof\n").unwrap() + 7;
    let mut reader = StepReader::new(GzDecoder::new(&bytes[end..]));
    let mut steps = vec![];
    let mut step = Step::default();
    while reader.read(&mut step).unwrap() {
        steps.push(step.clone());
    }
    (bytes[..end].to_vec(), steps)
}

fn joined(lines: &[u8], steps: &[Step]) -> Vec<u8> {
    let mut writer = StepWriter::new(GzEncoder::new(lines.to_vec(), Compression::fast()));
    for step in steps {
        writer.write(step).unwrap();
    }
    writer.into_inner().finish().unwrap()
}

fn example() -> Vec<u8> {
    let goal = Board::blank_last(3, 3);
    let case = board_case("8 6 7/2 5 4/3 0 1", &goal, default_tables(&goal));
    made(Case::Tiles(case), Prover::Search).unwrap()
}

fn with_line(lines: &[u8], word: &str, value: &str) -> Vec<u8> {
    let text = String::from_utf8(lines.to_vec()).unwrap();
    let changed = |line: &str| {
        if line.starts_with(&format!("{word} ")) {
            format!("{word} {value}\n")
        } else {
            format!("{line}\n")
        }
    };
    text.lines().map(changed).collect::<String>().into_bytes()
}

#[test]
fn each_kind_of_forgery_is_refused_with_its_reason() {
    let bytes = example();
    let (lines, steps) = parts(&bytes);
    checked(&joined(&lines, &steps)).unwrap();
    let refused = |bytes: &[u8], reason: &str| {
        let why = checked(bytes).unwrap_err().to_string();
        assert!(why.contains(reason), "{why:?} does not say {reason:?}");
    };
    let lemma = steps.iter().position(|step| !step.is_fact).unwrap();
    let fact = steps.iter().position(|step| step.is_fact).unwrap();
    let change = |at: usize, how: &dyn Fn(&mut Step)| {
        let mut changed = steps.clone();
        how(&mut changed[at]);
        joined(&lines, &changed)
    };
    // A lemma dropped: what used it, or its slot, fails.
    let mut fewer = steps.clone();
    fewer.remove(lemma);
    refused(&joined(&lines, &fewer), "proof, step ");
    // A literal flipped, a hint wrong.
    refused(
        &change(lemma, &|step| step.literals[0] = -step.literals[0]),
        "hint",
    );
    refused(&change(lemma, &|step| step.hints[0] += 1), "hint");
    refused(
        &change(lemma, &|step| step.hints.truncate(1)),
        "proof, step ",
    );
    // A fact that asks for too little.
    refused(
        &change(fact, &|step| {
            step.literals.pop();
        }),
        "not a fact",
    );
    // The order changed.
    let mut swapped = steps.clone();
    let last = swapped.len() - 1;
    swapped.swap(last, last - 1);
    refused(&joined(&lines, &swapped), "proof, step ");
    // The proof of another board, a wrong bound, a wrong plan.
    let other = with_line(&lines, "start", "6 4 7/8 5 0/3 2 1");
    assert!(checked(&joined(&other, &steps)).is_err());
    refused(
        &joined(&with_line(&lines, "refutes", "27"), &steps),
        "there is a gap",
    );
    refused(
        &joined(&with_line(&lines, "refutes", "31"), &steps),
        "should be about 29",
    );
    refused(
        &joined(&with_line(&lines, "plan", "UU"), &steps),
        "the plan is wrong",
    );
    refused(
        &joined(&with_line(&lines, "plan", "DD"), &steps),
        "out of the board",
    );
    refused(
        &joined(&with_line(&lines, "tables", "1 2 3/3 4 5"), &steps),
        "common tile",
    );
    refused(
        &joined(&with_line(&lines, "tables", "1 2 99"), &steps),
        "no such tile",
    );
    // No proof at all, one cut short, one with more after it.
    let text = String::from_utf8(lines.clone()).unwrap();
    refused(
        text.replace("refutes 29\n", "").as_bytes(),
        "there is a gap",
    );
    refused(&lines, "proof, step 1");
    refused(&bytes[..bytes.len() - 9], "proof, step ");
    refused(&joined(&lines, &steps[..last]), "without the empty clause");
    refused(&[&bytes[..], b"x"].concat(), "more after the end");
    refused(b"", "line 1");
    refused(b"noyes certificate 2\n", "line 1");
    let mut longer = steps.clone();
    longer.push(steps[0].clone());
    refused(&joined(&lines, &longer), "after the empty clause");
}

#[test]
fn a_longer_plan_needs_a_proof_of_a_longer_bound() {
    let bytes = example();
    let (lines, steps) = parts(&bytes);
    let goal = Board::blank_last(3, 3);
    let plan = plan_of(&"8 6 7/2 5 4/3 0 1".parse().unwrap(), &goal).unwrap();
    let plan = noyes_puzzle::tiles::write_plan(&plan, noyes_puzzle::tiles::Notation::Blank);
    let longer = with_line(&lines, "plan", &format!("{plan}UD"));
    let why = checked(&joined(&longer, &steps)).unwrap_err().to_string();
    assert!(why.contains("there is a gap"), "{why}");
    // Even with the bound that fits, its proof is not a proof of that.
    let longer = with_line(&longer, "refutes", "31");
    assert!(checked(&joined(&longer, &steps)).is_err());
}

/// Ten thousand mutants of small certificates: bytes and steps changed at random. What is accepted must be a valid proof
/// by another checker, written in Python, that knows nothing of ours.
#[test]
fn no_mutant_is_accepted_unless_another_checker_accepts_it() {
    let goal = Board::blank_last(3, 2);
    let boards = [
        Case::Tiles(board_case("5 4 3/2 1 0", &goal, vec![])),
        Case::Tiles(board_case(
            "4 5 0/1 2 3",
            &goal,
            vec![vec![1, 2, 3], vec![4, 5]],
        )),
    ];
    let small = level(&["######", "#    #", "# $@ #", "#.   #", "######"]);
    let (plan, _) = solved_level(&small, Counts::Steps);
    let mut originals: Vec<Vec<u8>> = (boards.into_iter())
        .map(|case| made(case, Prover::Search).unwrap())
        .collect();
    originals.push(made(level_case(&small, Counts::Steps, plan), Prover::Search).unwrap());
    let mut generator = Generator::new(2026, 0);
    let mut accepted = vec![];
    for round in 0..10_200 {
        let bytes = &originals[round % originals.len()];
        let mutant = mutated(bytes, &mut generator);
        if mutant != *bytes && checked(&mutant).is_ok() {
            accepted.push(mutant);
        }
    }
    println!("{} mutants are still proofs", accepted.len());
    assert!(accepted.len() < 1000, "{}", accepted.len());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/lrat.py");
    if Command::new("python3").arg("--version").output().is_err() {
        skipped("mutants", "python3 is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut files = vec![];
    for (i, mutant) in accepted.iter().enumerate() {
        let (cnf, lrat) = (
            folder.path().join(format!("{i}.cnf")),
            folder.path().join(format!("{i}.lrat")),
        );
        export(|| Ok(&mutant[..]), &cnf, &lrat).unwrap();
        files.extend([cnf, lrat]);
    }
    // The checker itself has to refuse a wrong proof, and accept a right one.
    let (right, wrong) = (folder.path().join("right"), folder.path().join("wrong"));
    export(
        || Ok(&originals[0][..]),
        &right.with_extension("cnf"),
        &right.with_extension("lrat"),
    )
    .unwrap();
    fs::write(wrong.with_extension("cnf"), "p cnf 1 1\n1 0\n").unwrap();
    fs::write(wrong.with_extension("lrat"), "2 0 1 0\n").unwrap();
    let judged = |files: &[std::path::PathBuf]| {
        Command::new("python3")
            .arg(script)
            .args(files)
            .output()
            .unwrap()
            .status
            .success()
    };
    assert!(judged(&[
        right.with_extension("cnf"),
        right.with_extension("lrat")
    ]));
    assert!(!judged(&[
        wrong.with_extension("cnf"),
        wrong.with_extension("lrat")
    ]));
    assert!(files.is_empty() || judged(&files));
}

fn mutated(bytes: &[u8], generator: &mut Generator) -> Vec<u8> {
    let kind = generator.below(8);
    if kind < 2 {
        // A bit of the file, or its end.
        let mut bytes = bytes.to_vec();
        if kind == 0 {
            let at = generator.below(bytes.len());
            bytes[at] ^= 1 << generator.below(8);
        } else {
            bytes.truncate(generator.below(bytes.len()));
        }
        return bytes;
    }
    let (lines, mut steps) = parts(bytes);
    let count = steps.len();
    let at = generator.below(count);
    let step = &mut steps[at];
    match kind {
        2 => {
            steps.remove(at);
        }
        3 => {
            let other = generator.below(count);
            steps.swap(at, other);
        }
        4 => {
            if !step.literals.is_empty() {
                let i = generator.below(step.literals.len());
                match generator.below(3) {
                    0 => step.literals[i] = -step.literals[i],
                    1 => step.literals[i] += 1 - 2 * i32::from(step.literals[i] < 0),
                    _ => drop(step.literals.remove(i)),
                }
            }
        }
        5 => {
            if !step.hints.is_empty() {
                let i = generator.below(step.hints.len());
                match generator.below(3) {
                    0 => step.hints[i] += 1,
                    1 => drop(step.hints.remove(i)),
                    _ => {
                        let j = generator.below(step.hints.len());
                        step.hints.swap(i, j);
                    }
                }
            }
        }
        6 => step.slot = generator.below(count),
        _ => step.is_fact = !step.is_fact,
    }
    if kind == 7 && steps[at].is_fact {
        steps[at].hints.clear();
    }
    joined(&lines, &steps)
}
