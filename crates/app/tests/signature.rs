//! The node signature: the node counts of every engine over a fixed set of puzzles.
//!
//! ```text
//! cargo test -p noyes --test all signature -- --nocapture
//! ```
//!
//! prints one line for each way of solving each set of puzzles: how many were solved, their total cost, and the totals
//! of what the engine counts. For searches that is states expanded and generated; for SAT it is conflicts, decisions
//! and clauses. The last line is a digest of the others. A refactoring leaves every line unchanged. A commit that
//! changes a search quotes the old and the new signature, and the lines that matter.
//!
//! The test compares the lines with `signature.txt`. `NOYES_SIGNATURE=renew` rewrites that file. `NOYES_BIN=PROGRAM`
//! runs another build of the program, to compare an old build with the same file.
//!
//! Every run uses one thread, no time limit and a fixed memory limit, so that nothing depends on the machine. Whatever
//! would depend on it is left out: several threads, time limits, and other programs as SAT backends.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Puzzles and the ways to solve them. Each way is a line of the signature.
struct Set {
    name: &'static str,
    /// Command lines without the flags that say how to solve.
    calls: Vec<Vec<String>>,
    ways: &'static [&'static str],
}

/// The totals of one line.
#[derive(Default)]
struct Sums {
    puzzles: u64,
    solved: u64,
    cost: u64,
    /// States expanded and generated.
    search: [u64; 2],
    /// Conflicts, decisions and clauses.
    sat: Option<[u64; 3]>,
}

/// One of the two hardest boards, two of medium difficulty, an easy one, and an unsolvable one.
const THREE: &[&str] = &[
    "8 6 7/2 5 4/3 0 1",
    "0 5 1/8 7 6/2 3 4",
    "1 5 6/7 0 2/8 4 3",
    "1 2 3/4 0 6/7 5 8",
    "1 2 3/4 5 6/8 7 0",
];
const THREE_EASY: &[&str] = &["4 2 0/8 1 3/7 6 5", "7 1 3/2 0 5/8 4 6"];
const OBLONG: &[&str] = &[
    "2 8 7 6 5/0 1 9 4 3",
    "4 2/7 1/3 9/6 5/8 0",
    "10 6 8 0/7 1 4 11/5 9 3 2",
];
const FOUR: &[&str] = &[
    "0 14 8 3/2 1 6 4/10 5 7 12/9 13 11 15",
    "1 3 0 6/2 9 7 4/14 12 15 8/5 10 13 11",
];
/// With more than 16 cells a state is stored as bytes, with more than 32 as 16-bit numbers.
const LARGE: &[&str] = &[
    "1 2 4 8 5/6 7 3 19 14/11 12 13 24 9/16 17 20 15 23/0 21 22 18 10",
    "7 1 2 9 5 6/13 8 4 3 11 12/19 14 15 10 16 17/20 21 27 22 23 18/25 26 33 29 35 24/31 0 32 28 30 34",
];
/// One box; two boxes; one more box than goals; two more boxes than goals; a box in a corner.
const TINY: &[&str] = &[
    "5#|#@$.#|5#",
    "6#|#@-.-#|#-$--#|#-$.-#|6#",
    "7#|#@-.--#|#-$-$-#|#--$.-#|#-----#|7#",
    "7#|#@-$--#|#-$-$-#|#----.#|7#",
    "5#|#-@.#|#$--#|5#",
];
/// Two players. The first level has as many boxes as goals, the others have one more box.
const CREWS: &[&str] = &[
    "7#|#@$-.@#|7#",
    "7#|#@-.-@#|#-$-$-#|#-----#|7#",
    "7#|##----#|#@$-@-#|#-#---#|#-$-#.#|3#---#|--5#",
];
/// Levels of `noyes.xsb` with one goal less, so that all searches run forward only.
const MORE_BOXES: &[&str] = &[
    "6#|#----##|#-$$-@#|3#---#|--#-.-#|--5#",
    "8#|#..#---#|#--#-#-#|#------#|#--$#--#|3#@$$-#|--3#--#|----4#",
    "10#|##------.#|#-$------#|#----3#.#|##--##--.#|##-$#--3#|##-$---$-#|##---##@-#|10#",
];
const LEVELS: &str = "data/sokoban/noyes.xsb";

fn sets() -> impl Iterator<Item = Set> {
    let families = [
        small_boards(),
        boards_and_graphs(),
        boards_by_sat(),
        levels(),
        crews(),
    ];
    families.into_iter().flatten()
}

fn small_boards() -> Vec<Set> {
    vec![
        Set {
            name: "3x3",
            calls: vec![solve(THREE)],
            ways: &[
                "--engine auto",
                "--engine bfs",
                "--engine dijkstra",
                "--engine table",
                "--engine human",
                "--engine astar --heuristic misplaced",
                "--engine astar --heuristic manhattan",
                "--engine astar --heuristic linear-conflict",
                "--engine astar --heuristic walking",
                "--engine astar --heuristic pdb:4-4",
                "--engine astar --heuristic pdb:4-4+plain",
                "--engine astar --heuristic pdb:3-3-2+reflect",
                "--engine astar --heuristic pdb:1,2,3+4,7+5,6,8",
                "--engine astar --heuristic pdb:fringe",
                "--engine astar --heuristic linear-conflict/pdb:fringe",
                "--engine idastar --heuristic misplaced",
                "--engine idastar --heuristic manhattan",
                "--engine idastar --heuristic manhattan --duplicates 8",
                "--engine idastar --heuristic linear-conflict",
                "--engine idastar --heuristic walking",
                "--engine idastar --heuristic pdb:4-4+reflect --duplicates 6",
                "--engine idastar --heuristic pdb:4-4+plain",
                "--engine idastar --heuristic pdb:fringe+reflect",
                "--engine idastar --heuristic walking/pdb:3-3-2",
                "--engine sma --heuristic manhattan",
                "--engine sma --heuristic manhattan --memory-limit 60kB",
                "--engine sma --heuristic pdb:4-4",
                "--engine bidirectional --heuristic manhattan",
                "--engine bidirectional --heuristic walking",
                "--engine bidirectional --heuristic pdb:4-4+reflect",
                "--engine anytime --heuristic manhattan",
                "--engine anytime --heuristic linear-conflict/pdb:4-4",
            ],
        },
        Set {
            name: "3x3 to another goal",
            calls: vec![[solve(THREE), words("--goal", &["4 2 0/6 7 1/3 5 8"])].concat()],
            ways: &[
                "--engine idastar --heuristic linear-conflict",
                "--engine astar --heuristic pdb:4-4",
                "--engine bidirectional --heuristic pdb:3-3-2",
                "--engine human",
            ],
        },
        Set {
            name: "3x3 without the hardest",
            calls: vec![solve(&THREE[2..])],
            ways: &["--engine iddfs", "--engine iddfs --duplicates 10"],
        },
    ]
}

fn boards_and_graphs() -> Vec<Set> {
    vec![
        Set {
            name: "oblong",
            calls: vec![solve(OBLONG)],
            ways: &[
                "--engine auto",
                "--engine astar --heuristic linear-conflict",
                "--engine idastar --heuristic walking --duplicates 8",
                "--engine bidirectional --heuristic manhattan",
                "--engine sma --heuristic walking",
                "--engine anytime --heuristic linear-conflict",
                "--engine human",
            ],
        },
        Set {
            name: "4x4",
            calls: vec![solve(FOUR)],
            ways: &[
                "--engine auto",
                "--engine astar --heuristic manhattan",
                "--engine astar --heuristic pdb:4-4-4-3",
                "--engine idastar --heuristic manhattan --duplicates 10",
                "--engine idastar --heuristic walking/linear-conflict",
                "--engine sma --heuristic linear-conflict",
                "--engine bidirectional --heuristic walking",
                "--engine anytime --heuristic walking",
                "--engine human",
            ],
        },
        Set {
            name: "5x5 and 6x6",
            calls: vec![solve(LARGE)],
            ways: &[
                "--engine auto",
                "--engine astar --heuristic manhattan",
                "--engine idastar --heuristic linear-conflict",
                "--engine idastar --heuristic linear-conflict --duplicates 6",
                "--engine sma --heuristic manhattan",
                "--engine bidirectional --heuristic manhattan",
                "--engine anytime --heuristic linear-conflict",
                "--engine human",
            ],
        },
        Set {
            name: "5x5",
            calls: vec![solve(&LARGE[..1])],
            ways: &["--engine astar --heuristic pdb:4-4-4-4-4-4"],
        },
        Set {
            name: "Korf 12 42 79 97",
            calls: vec![korf(&[12, 42, 79, 97])],
            ways: &[
                "--engine idastar --heuristic manhattan",
                "--engine idastar --heuristic pdb:4-4-4-3/walking",
                "--engine astar --heuristic pdb:5-5-5",
            ],
        },
        Set {
            name: "Korf 1 2 12 42 55 79 94",
            calls: vec![korf(&[1, 2, 12, 42, 55, 79, 94])],
            ways: &[
                "--engine auto",
                "--engine idastar --heuristic pdb:5-5-5",
                "--engine idastar --heuristic pdb:5-5-5+plain",
                "--engine idastar --heuristic pdb:6-6-3+reflect",
            ],
        },
        Set {
            name: "graphs",
            calls: vec![
                graph("theta0", "2 3 1 4 5 6 0"),
                graph("theta0", "6 5 4 3 2 1 0"),
                graph("petersen", "1 5 2 3 4 0 6 7 8 9"),
                graph("torus:3x3", "8 7 6 5 4 3 2 1 0"),
                graph("grid:3x2", "5 4 3 2 1 0"),
                graph("wheel:6", "6 5 4 3 2 1 0"),
            ],
            ways: &[
                "--engine auto",
                "--engine bfs",
                "--engine dijkstra",
                "--engine astar --heuristic misplaced",
                "--engine astar --heuristic manhattan",
                "--engine idastar --heuristic manhattan",
                "--engine idastar --heuristic manhattan --duplicates 6",
                "--engine sma",
                "--engine bidirectional",
                "--engine anytime",
            ],
        },
    ]
}

fn boards_by_sat() -> Vec<Set> {
    vec![
        Set {
            name: "3x3 easy",
            calls: vec![solve(THREE_EASY)],
            ways: &[
                "--engine sat --encoding edixhoven",
                "--engine sat --encoding edixhoven+no-undo",
                "--engine sat --encoding edixhoven+manhattan",
                "--engine sat --encoding edixhoven+no-undo+manhattan",
                "--engine sat --encoding edixhoven+blocks",
                "--engine sat --encoding rotated",
                "--engine sat --encoding rotated --bounds doubling",
                "--engine sat --encoding rotated --bounds binary",
                "--engine sat --encoding rotated --keep restart",
                "--engine sat --encoding rotated --at-most 14",
                "--engine sat --encoding rotated --bounds doubling --any",
                "--engine sat --encoding rotated --backend batsat",
                "--engine sat --encoding transitions",
                "--engine sat --encoding transitions --backend batsat",
                "--engine sat --encoding transitions --backend dpll",
                "--engine sat --encoding transitions+repeated",
                "--engine sat --encoding lean+static",
                "--engine sat --encoding lean --backend batsat",
            ],
        },
        Set {
            name: "3x3",
            calls: vec![solve(THREE)],
            ways: &[
                "--engine sat --encoding lean",
                "--engine sat --encoding lean --heuristic pdb:3-3-2",
                "--engine sat --encoding lean --bounds binary",
            ],
        },
        Set {
            name: "4x4",
            calls: vec![solve(FOUR)],
            ways: &["--engine sat --encoding lean --heuristic pdb:4-4-4-3"],
        },
        Set {
            name: "Korf 12 42 79",
            calls: vec![korf(&[12, 42, 79])],
            ways: &["--engine sat"],
        },
    ]
}

fn levels() -> Vec<Set> {
    vec![
        Set {
            name: "tiny levels",
            calls: vec![solve(TINY)],
            ways: &[
                "--engine auto",
                "--engine auto --objective moves",
                "--engine auto --any",
                "--engine bidirectional",
                "--engine bidirectional --objective moves",
                "--engine anytime",
                "--engine anytime --objective moves --any",
                "--engine bfs",
                "--engine bfs --objective moves",
            ],
        },
        Set {
            name: "tiny levels",
            calls: vec![solve(&TINY[..4])],
            ways: &[
                "--engine sat --encoding tamura",
                "--engine sat --encoding tamura+dead",
                "--engine sat --encoding tamura+bad",
                "--engine sat --encoding tamura+dead+bad",
                "--engine sat --encoding pushes",
                "--engine sat --encoding pushes --bounds doubling",
                "--engine sat --encoding pushes --bounds doubling --any",
                "--engine sat --encoding pushes --backend batsat",
                "--engine sat --encoding moves --objective moves",
                "--engine sat --encoding moves+lean --objective moves",
                "--engine sat --encoding moves+lean --objective moves --keep restart",
                "--engine sat --encoding moves+lean --objective moves --backend batsat",
            ],
        },
        Set {
            name: "more boxes than goals",
            calls: vec![solve(MORE_BOXES)],
            ways: &[
                "--engine auto",
                "--engine auto --objective moves",
                "--engine auto --any",
                "--engine anytime",
            ],
        },
        Set {
            name: "map1",
            calls: vec![words("solve", &["data/sokoban/map1.txt"])],
            ways: &[
                "--engine auto",
                "--engine auto --objective moves",
                "--engine anytime --any",
                "--engine sat",
            ],
        },
        Set {
            name: "noyes.xsb 1-30",
            calls: vec![words("solve", &[LEVELS, "--level", "1-30"])],
            ways: &[
                "--engine auto",
                "--engine auto --objective moves",
                "--engine auto --any",
                "--engine anytime",
                "--engine anytime --objective moves",
            ],
        },
        Set {
            name: "noyes.xsb 1-6",
            calls: vec![words("solve", &[LEVELS, "--level", "1-6"])],
            ways: &[
                "--engine bfs",
                "--engine bfs --objective moves",
                "--engine sat",
                "--engine sat --backend batsat",
                "--engine sat --encoding tamura+dead+bad",
                "--engine sat --objective moves",
            ],
        },
    ]
}

fn crews() -> Vec<Set> {
    vec![
        Set {
            name: "tiny crews",
            calls: vec![solve(CREWS)],
            ways: &[
                "--engine auto",
                "--engine auto --no-wait",
                "--engine bfs",
                "--engine bfs --no-wait",
                "--engine sat --encoding moves",
                "--engine sat --encoding moves --no-wait",
                "--engine sat --encoding moves+lean",
                "--engine sat --encoding moves+lean --no-wait",
                "--engine sat --backend batsat",
            ],
        },
        Set {
            name: "noyes.xsb 31-33",
            calls: vec![words("solve", &[LEVELS, "--level", "31-33"])],
            ways: &["--engine bfs", "--engine bfs --no-wait"],
        },
        Set {
            name: "noyes.xsb 31-37",
            calls: vec![words("solve", &[LEVELS, "--level", "31-37"])],
            ways: &["--engine auto", "--engine auto --no-wait"],
        },
    ]
}

fn words(first: &str, more: &[&str]) -> Vec<String> {
    let all = [first].into_iter().chain(more.iter().copied());
    all.map(String::from).collect()
}

fn solve(puzzles: &[&str]) -> Vec<String> {
    words("solve", puzzles)
}

fn graph(name: &str, from: &str) -> Vec<String> {
    words("graph", &[name, "--from", from, "--solve"])
}

/// Korf's instances by number.
fn korf(numbers: &[u32]) -> Vec<String> {
    let text = fs::read_to_string(root().join("data/korf15.csv")).unwrap();
    let board = |number: &u32| {
        let id = format!("{number},");
        let line = text.lines().find(|line| line.starts_with(&id)).unwrap();
        line.split(',').nth(1).unwrap()
    };
    let boards: Vec<&str> = numbers.iter().map(board).collect();
    [solve(&boards), words("--goal", &["blank-first"])].concat()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The totals of one way to solve the puzzles of some command lines, with newly built tables.
fn measure(calls: &[Vec<String>], way: &str) -> Sums {
    let tables = tempfile::tempdir().unwrap();
    let program = std::env::var("NOYES_BIN").unwrap_or(env!("CARGO_BIN_EXE_noyes").into());
    let mut sums = Sums::default();
    for call in calls {
        let mut command = Command::new(&program);
        command.current_dir(root()).args(call).arg("--json");
        command
            .args(way.split(' '))
            .arg("--pdb-dir")
            .arg(tables.path());
        if !way.contains("--memory-limit") {
            command.args(["--memory-limit", "2GB"]);
        }
        let done = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        // Exit code 4 means that a puzzle is unsolvable, which is an answer.
        let answered = matches!(done.status.code(), Some(0 | 4));
        assert!(answered, "{call:?} {way}: {}", text(&done.stderr));
        for line in text(&done.stdout).lines() {
            let record = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e} in {line}"));
            sums.add(&record);
        }
    }
    sums
}

impl Sums {
    fn add(&mut self, record: &Value) {
        let field = |name: &str| {
            record
                .get(name)
                .unwrap_or_else(|| panic!("no {name} in {record}"))
        };
        let count = |name: &str| {
            field(name)
                .as_u64()
                .unwrap_or_else(|| panic!("{name} of {record}"))
        };
        self.puzzles += 1;
        if let Some(cost) = field("cost").as_u64() {
            self.solved += 1;
            self.cost += cost;
        }
        for (sum, name) in self.search.iter_mut().zip(["expanded", "generated"]) {
            *sum += count(name);
        }
        if !field("conflicts").is_null() {
            let sat = self.sat.get_or_insert_default();
            for (sum, name) in sat.iter_mut().zip(["conflicts", "decisions", "clauses"]) {
                *sum += count(name);
            }
        }
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Sums {
            puzzles,
            solved,
            cost,
            ..
        } = self;
        write!(f, "solved {solved}/{puzzles}, cost {cost}, ")?;
        match (self.search, self.sat) {
            ([0, 0], Some([conflicts, decisions, clauses])) => {
                write!(
                    f,
                    "conflicts {conflicts}, decisions {decisions}, clauses {clauses}"
                )
            }
            ([expanded, generated], _) => write!(f, "expanded {expanded}, generated {generated}"),
        }
    }
}

/// The lines that changed, each old line above the new one.
fn differences(expected: &[&str], lines: &[&str]) -> Vec<String> {
    let is_same = |a: &str, b: &str| what(a) == what(b);
    let mut all = vec![];
    for old in expected.iter().filter(|old| !lines.contains(old)) {
        all.push(format!("- {old}"));
        let new = lines.iter().find(|new| is_same(old, new));
        all.extend(new.map(|new| format!("+ {new}")));
    }
    let added = lines
        .iter()
        .filter(|new| !expected.iter().any(|old| is_same(old, new)));
    all.extend(added.map(|new| format!("+ {new}")));
    all
}

/// The part of a line before its totals.
fn what(line: &str) -> &str {
    line.rsplit_once(": ").map_or(line, |(what, _)| what)
}

#[test]
fn node_counts_are_unchanged() {
    let mut lines = vec![];
    for set in sets() {
        for way in set.ways {
            let line = format!("{}: {way}: {}", set.name, measure(&set.calls, way));
            println!("{line}");
            lines.push(line);
        }
    }
    let digest = blake3::hash(lines.join("\n").as_bytes()).to_hex();
    lines.push(format!("signature: {}", &digest[..8]));
    println!("{}", lines[lines.len() - 1]);

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/signature.txt");
    let kept = fs::read_to_string(&path).unwrap();
    let (notes, expected): (Vec<&str>, Vec<&str>) =
        kept.lines().partition(|line| line.starts_with('#'));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    if std::env::var("NOYES_SIGNATURE").is_ok_and(|wish| wish == "renew") {
        fs::write(&path, [notes, lines].concat().join("\n") + "\n").unwrap();
        return;
    }
    let changes = differences(&expected, &lines);
    assert!(
        changes.is_empty(),
        "the node signature has changed:\n{}\nIf intended, quote both signatures in the commit and renew the file:\n\
         NOYES_SIGNATURE=renew cargo test -p noyes --test all signature",
        changes.join("\n")
    );
}
