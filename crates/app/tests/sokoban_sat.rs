//! Levels by SAT on the command line: the engine, its encodings, `encode` and `decode`.

use std::fs;
use std::path::Path;

use crate::common::{assert_refused, json, noyes};

const TRIVIAL: &str = "5#|#@$.#|5#";
const ROOM: &str = "6#|#@-.-#|#-$--#|#-$.-#|6#";
const CREW: &str = "7#|#@$-.@#|7#";

#[test]
fn levels_are_solved_by_sat() {
    for (objective, encoding, used) in [
        ("pushes", None, "pushes"),
        ("pushes", Some("tamura+dead+bad"), "tamura+dead+bad"),
        ("moves", None, "moves+lean"),
        ("moves", Some("moves"), "moves"),
    ] {
        let mut args = vec![
            "solve",
            ROOM,
            "--engine",
            "sat",
            "--json",
            "--objective",
            objective,
        ];
        args.extend(encoding.iter().flat_map(|name| ["--encoding", name]));
        let run = noyes(&args);
        assert_eq!(run.code, 0, "{}", run.err);
        let record = json(&run.out);
        let usual = json(&noyes(&["solve", ROOM, "--json", "--objective", objective]).out);
        assert_eq!(record["status"], "optimal");
        assert_eq!(record["cost"], usual["cost"]);
        assert_eq!(
            (&record["engine"], &record["encoding"]),
            (&"sat".into(), &used.into())
        );
        assert!(record["clauses"].as_u64() > Some(0));
    }
    let words = noyes(&["solve", ROOM, "--engine", "sat"]).out;
    assert!(
        words.contains("objective: fewest pushes (perhaps not the fewest moves)\n"),
        "{words}"
    );
}

#[test]
fn crews_take_steps_and_may_have_to_move() {
    for more in [&[][..], &["--no-wait"], &["--encoding", "moves"]] {
        let run = noyes(&[&["solve", CREW, "--engine", "sat", "--json"], more].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let usual = [&["solve", CREW, "--json"], &more[..more.len() % 2]].concat();
        assert_eq!(json(&run.out)["cost"], json(&noyes(&usual).out)["cost"]);
    }
}

#[test]
fn encodings_that_do_not_fit_are_refused() {
    let solve = |puzzle, encoding, objective| {
        let flags = [
            "--engine",
            "sat",
            "--encoding",
            encoding,
            "--objective",
            objective,
        ];
        [&["solve", puzzle][..], &flags].concat()
    };
    assert_refused(
        &solve(ROOM, "rotated", "pushes"),
        b"",
        "expected tamura[+dead][+bad], pushes",
    );
    assert_refused(&solve(ROOM, "tamura", "moves"), b"", "the fewest moves");
    assert_refused(&solve(CREW, "pushes", "pushes"), b"", "the fewest steps");
    assert_refused(
        &solve("1 2/0 3", "pushes", "moves"),
        b"",
        "the encoding pushes",
    );
    assert_refused(
        &["encode", CREW, "-k", "3", "--encoding", "tamura"],
        b"",
        "the fewest steps",
    );
    assert_refused(
        &["encode", "1 2/0 3", "-k", "3", "--no-wait"],
        b"",
        "--no-wait",
    );
}

#[test]
fn the_size_is_the_one_of_the_document() {
    let args = [
        "encode",
        TRIVIAL,
        "-k",
        "1",
        "--encoding",
        "tamura",
        "--stats",
    ];
    let words = noyes(&args).out;
    assert!(words.contains("tamura on 5x3 at 1 step\n"), "{words}");
    assert!(
        words.contains("CSP: 58 variables, 91 essential constraints, 0 additional constraints\n"),
        "{words}"
    );
    let record = json(&noyes(&[&args[..], &["--json"]].concat()).out);
    assert_eq!(record["csp_variables"], 58);
    assert_eq!(record["essential_constraints"], 91);
    assert_eq!(record["puzzle"], TRIVIAL);
}

#[test]
fn files_go_out_and_plans_come_back() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sokoban-sat");
    fs::create_dir_all(&folder).unwrap();
    let (file, said) = (folder.join("trivial.cnf"), folder.join("said.txt"));
    let (file, said) = (file.to_str().unwrap(), said.to_str().unwrap());
    for encoding in ["tamura", "pushes", "moves", "moves+lean"] {
        let run = noyes(&[
            "encode",
            TRIVIAL,
            "-k",
            "1",
            "--encoding",
            encoding,
            "-o",
            file,
        ]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let text = fs::read_to_string(file).unwrap();
        assert!(text.contains("\nc level 5#|#@$.#|5#\n") && text.contains("\nc wait yes\n"));
        fs::write(said, model(&text)).unwrap();
        let run = noyes(&["decode", file, said]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(
            run.out.contains("capitals push): R\nvalid: 1 step"),
            "{}",
            run.out
        );
        fs::write(said, "s UNSATISFIABLE\n").unwrap();
        let run = noyes(&["decode", file, said]);
        assert!(run.out.contains("no plan of at most 1 "), "{}", run.out);
    }
    let run = noyes(&["encode", TRIVIAL, "-k", "0", "-o", file]);
    assert_eq!(run.code, 0);
    assert!(run.err.contains("at least 1 step is needed"), "{}", run.err);
    let run = noyes(&["encode", "6#|#@$..#|6#", "-k", "2", "-o", file]);
    assert!(run.err.contains("unsolvable"), "{}", run.err);
}

/// A model of a DIMACS file as a solver prints it, by propagation and, where that is not enough, by trying.
fn model(text: &str) -> String {
    let clauses: Vec<Vec<i32>> = text
        .lines()
        .filter(|l| !l.starts_with(['c', 'p']))
        .map(|l| {
            l.split(' ')
                .map(|n| n.parse().unwrap())
                .filter(|&n| n != 0)
                .collect()
        })
        .collect();
    let header = text.lines().find(|l| l.starts_with("p ")).unwrap();
    let variables: usize = header.split(' ').nth(2).unwrap().parse().unwrap();
    let values = search(&clauses, vec![0; variables + 1]).expect("satisfiable");
    let lits = (1..=variables as i32).map(|v| if values[v as usize] > 0 { v } else { -v });
    let lits: Vec<String> = lits.map(|l| l.to_string()).collect();
    format!("s SATISFIABLE\nv {} 0\n", lits.join(" "))
}

fn search(clauses: &[Vec<i32>], mut values: Vec<i8>) -> Option<Vec<i8>> {
    let value = |values: &[i8], lit: i32| values[lit.unsigned_abs() as usize] * lit.signum() as i8;
    loop {
        let mut changed = false;
        for clause in clauses {
            if clause.iter().any(|&l| value(&values, l) > 0) {
                continue;
            }
            let mut free = clause.iter().filter(|&&l| value(&values, l) == 0);
            match (free.next(), free.next()) {
                (None, _) => return None,
                (Some(&only), None) => {
                    values[only.unsigned_abs() as usize] = only.signum() as i8;
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            break;
        }
    }
    let Some(free) = (1..values.len()).find(|&v| values[v] == 0) else {
        return Some(values);
    };
    [-1, 1].into_iter().find_map(|guess| {
        let mut tried = values.clone();
        tried[free] = guess;
        search(clauses, tried)
    })
}

/// A large empty room with boxes on one side and goals on the other.
#[cfg(target_os = "linux")]
#[test]
fn the_process_stays_within_the_memory_limit() {
    let inner = |left: &str, right: &str| format!("#{left}{}{right}#", "-".repeat(20));
    let mut rows = vec!["#".repeat(28), inner("-@---", ".")];
    rows.extend((0..8).map(|_| inner("--$--", ".")));
    rows.extend([inner("--$--", "-"), inner("-----", "-"), "#".repeat(28)]);
    let level = rows.join("|");
    for way in [
        "--objective pushes --backend cadical",
        "--objective pushes --encoding tamura+dead+bad",
        "--objective moves",
        "--objective moves --encoding moves",
        "--objective moves --backend batsat",
    ] {
        let mut args = vec!["solve", &level, "--engine", "sat"];
        args.extend(way.split_whitespace());
        crate::common::assert_stays_within(100, &args);
    }
}
