//! Forged certificates: each kind is refused with its reason, and thousands of random mutants are.

use std::fs;
use std::process::Command;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use noyes_check::{Case, Counts, Step, StepReader, StepWriter, export};
use noyes_puzzle::tiles::{Board, Generator};
use noyes_solver::prove::{Prover, default_tables};

use crate::certificates::{board_case, checked, level_case, made, plan_of, solved_level};
use crate::plain_sokoban::level;
use crate::rooms::with_rooms;
use crate::skipped::skipped;

/// The parts of a certificate: its lines, and the steps of its proof.
pub fn parts(bytes: &[u8]) -> (Vec<u8>, Vec<Step>) {
    let end = bytes.windows(7).position(|w| w == b"\nproof\n").unwrap() + 7;
    let mut reader = StepReader::new(GzDecoder::new(&bytes[end..]));
    let mut steps = vec![];
    let mut step = Step::default();
    while reader.read(&mut step).unwrap() {
        steps.push(step.clone());
    }
    (bytes[..end].to_vec(), steps)
}

pub fn joined(lines: &[u8], steps: &[Step]) -> Vec<u8> {
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
    refused(
        &joined(&with_line(&lines, "tables", "1 2 3/3 4 5"), &steps),
        "a common tile",
    );
    refused(
        &joined(&with_line(&lines, "tables", "1 x"), &steps),
        "expected patterns of tiles",
    );
    refused(
        &joined(&with_line(&lines, "refutes", "-1"), &steps),
        "expected a whole number",
    );
    // A literal twice would make lemmas of any length from nothing.
    let lemma = steps.iter().position(|step| !step.is_fact).unwrap();
    let mut twice = steps.clone();
    let first = twice[lemma].literals[0];
    twice[lemma].literals.push(first);
    refused(&joined(&lines, &twice), "stands twice");
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
    originals.push(with_rooms());
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
