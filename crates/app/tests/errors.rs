//! Errors as users and programs get them: JSON, exit codes, words.

use crate::common::{EASY, FAR, PUZZLE_14_15, assert_refused, json, noyes, run_with};
use serde_json::Value;

#[test]
fn the_record_of_a_bad_puzzle_has_its_text_and_its_place() {
    let long = "7 ".repeat(200);
    let run = run_with(
        &["solve", "-", "no such file", "--json"],
        format!("{EASY}\n1 2 2/4 0 6/7 5 8\n{long}\n").as_bytes(),
    );
    let records: Vec<Value> = run.out.lines().map(json).collect();
    assert_eq!((run.code, records.len()), (2, 4));
    assert_eq!(records[1]["puzzle"], "1 2 2/4 0 6/7 5 8");
    let error = |i: usize| records[i]["error"].as_str().unwrap();
    assert!(error(1).starts_with("standard input:2: duplicate tile 2 (row 1, columns 2 and 3)"));
    let puzzle = records[2]["puzzle"].as_str().unwrap();
    assert!(puzzle.starts_with("7 7 7") && puzzle.ends_with('…') && puzzle.len() < 80);
    assert_eq!(records[3]["puzzle"], "no such file");
    assert!(records[1..].iter().all(|record| record["kind"].is_null()));
}

#[test]
fn the_record_of_a_limit_says_which() {
    for (args, said) in [
        (
            &["--heuristic", "manhattan", "--time-limit", "10ms"][..],
            "time",
        ),
        (&["--engine", "bfs", "--memory-limit", "1MB"], "memory"),
        (
            &[
                "--engine",
                "sat",
                "--heuristic",
                "manhattan",
                "--at-most",
                "10",
            ],
            "bound",
        ),
    ] {
        let run = noyes(&[&["solve", FAR, "--json"], args].concat());
        let record = json(&run.out);
        assert_eq!(
            (&record["status"], &record["stop"], &record["error"]),
            (&"limit".into(), &said.into(), &Value::Null)
        );
    }
}

#[test]
fn with_json_an_error_is_json_too() {
    for args in [
        &["check", "1 2 2/4 0 6/7 5 8", "D"][..],
        &["check", EASY, "DX"],
        &["check", EASY, "DD"],
        &["graph", "dodecahedron"],
        &["graph", "cycle:4", "--from", "1 2 2 0"],
        &["graph", "cycle:4", "--solve"],
        &["graph", "cycle:4", "--from", "0 1 2 3", "--check", "v3"],
        &["solve", EASY, "--goal", "blank-middle"],
        &["generate", "3x3", "--distance", "40"],
        &["pdb", "histogram", "9-9"],
    ] {
        let run = noyes(&[args, &["--json"]].concat());
        assert_eq!(
            (run.code, run.out.lines().count()),
            (2, 1),
            "{args:?}: {}",
            run.out
        );
        let error = json(&run.out)["error"].as_str().unwrap().to_string();
        assert!(run.err.contains(&error), "{args:?}: {error}");
    }
}

#[test]
fn the_most_severe_of_a_batch_is_the_exit_code() {
    for (puzzles, code) in [
        (&[EASY, PUZZLE_14_15][..], 4),
        (&[PUZZLE_14_15, FAR], 3),
        (&[PUZZLE_14_15, FAR, "1 1/2 0"], 2),
    ] {
        let run = noyes(
            &[
                &["solve", "--heuristic", "manhattan", "--time-limit", "10ms"],
                puzzles,
            ]
            .concat(),
        );
        assert_eq!(run.code, code, "{puzzles:?}");
    }
}

#[test]
fn a_goal_without_slashes_has_the_size_given() {
    let args = [
        "solve",
        "1 2 3 4 0 5",
        "--size",
        "3x2",
        "--goal",
        "1 2 3 0 4 5",
    ];
    assert!(
        noyes(&args)
            .out
            .starts_with("1 move, optimal\nplan (blank notation): L")
    );
    let args = [
        "check",
        "1 2 3 4 0 5",
        "L",
        "--size",
        "3x2",
        "--goal",
        "1 2 3 0 4 5",
    ];
    assert_eq!(noyes(&args).code, 0);
    let args = [
        "generate",
        "3x2",
        "--walk",
        "0",
        "--seed",
        "1",
        "--goal",
        "1 2 3 0 4 5",
    ];
    assert_eq!(noyes(&args).out, "1 2 3/0 4 5\n");
    assert_refused(
        &["solve", EASY, "--goal", "1 2/3 0"],
        b"",
        "both need the same size",
    );
}

#[test]
fn standard_input_is_read_only_once() {
    for args in [
        &["solve", "-", "-"][..],
        &["check", "-", "-"],
        &["show", "-", "-"],
        &["graph", "-", "--from", "1 0", "--check", "-"],
    ] {
        assert_refused(
            args,
            EASY.as_bytes(),
            "standard input can be read only once",
        );
    }
}

#[test]
fn digits_of_other_scripts_get_the_error_of_a_board() {
    assert_refused(
        &["solve", "١ 2/3 0"],
        b"",
        "character 1: '١' does not belong to a board",
    );
}

#[test]
fn one_is_not_many() {
    for (args, said) in [
        (
            &["check", "1 2/0 3", "R"][..],
            "valid: 1 move (blank notation) leads from",
        ),
        (&["check", "1 2/0 3", "U"], "after 1 move the position"),
        (&["show", "1 2/0 3"], "start, 1 move to go"),
        (&["graph", "path:1"], "path:1: 1 vertex, 0 edges"),
        (&["graph", "path:2"], "path:2: 2 vertices, 1 edge,"),
    ] {
        let run = noyes(args);
        assert!(run.out.contains(said), "{args:?}: {}", run.out);
    }
}

#[test]
fn distances_that_no_board_has_are_refused_on_every_size() {
    for (size, distance, farthest) in [
        ("5x5", "1000", "530"),
        ("2x9", "400", "274"),
        ("100x100", "4000000000", ""),
    ] {
        let said = format!("none is farther than {farthest}");
        assert_refused(
            &["generate", size, "--distance", distance, "--seed", "1"],
            b"",
            &said,
        );
    }
}

#[test]
fn dense_graphs_are_compared_and_solved() {
    let labels: Vec<String> = (3..300).map(|i| i.to_string()).collect();
    let state = format!("2 1 {} 0", labels.join(" "));
    let args = ["graph", "complete:300", "--from", &state];
    let run = noyes(&args);
    assert!(
        run.code == 0 && run.out.contains("\nconnected: "),
        "{}{}",
        run.out,
        run.err
    );
    let run = noyes(&[&args[..], &["--solve"]].concat());
    assert!(
        run.out
            .starts_with("3 moves, optimal\nplan (blank notation): v1 v2 v300"),
        "{}",
        run.out
    );
}

#[test]
fn plans_on_graphs_are_replayed() {
    let check = |plan: &str, more: &[&str]| {
        noyes(
            &[
                &[
                    "graph", "cycle:4", "--from", "_ a b c", "--to", "a b c _", "--check", plan,
                ],
                more,
            ]
            .concat(),
        )
    };
    let good = check("v2, v3 v4", &[]);
    assert_eq!(
        (good.code, good.out.as_str()),
        (
            0,
            "valid: 3 moves (blank notation) lead from cycle:4 _ a b c to the goal a b c _\n"
        )
    );
    let short = check("v2 v3", &[]);
    assert_eq!(short.code, 5);
    assert_eq!(
        short.out,
        "not valid: after 2 moves the position is a b _ c, not the goal a b c _\n"
    );
    let record = json(&check("v2 v3", &["--json"]).out);
    assert_eq!(
        (&record["legal"], &record["solved"], &record["reached"]),
        (&true.into(), &false.into(), &"cycle:4 a b _ c".into())
    );
    for (plan, said) in [
        (
            "v2 v4",
            "plan: move 2 takes the blank from v2 to v4, which do not touch",
        ),
        ("v2 v9", "plan: move 2: there is no vertex `v9`"),
    ] {
        let run = check(plan, &[]);
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        assert!(run.err.contains(said), "{}", run.err);
    }
    let args = [
        "graph", "cycle:4", "--from", "0 1 2 3", "--to", "1 2 3 0", "--check", "-",
    ];
    assert_eq!(run_with(&args, b"v2\nv3\nv4\n").code, 0);
}

#[test]
fn a_search_for_show_ends_with_its_time_limit() {
    let run = noyes(&["show", FAR, "--time-limit", "20ms"]);
    assert_eq!(run.code, 3);
    assert!(
        run.out.starts_with("time limit reached: at least"),
        "{}",
        run.out
    );
}

#[test]
fn boards_and_levels_do_not_share_a_file() {
    let level = "#####\n#@$.#\n#####\n";
    let boards_first = format!("1 2 3/4 0 6/7 5 8\n\n{level}");
    let run = run_with(&["solve", "-"], boards_first.as_bytes());
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(
        run.err
            .contains("standard input:4: a level of Sokoban among boards"),
        "{}",
        run.err
    );
    let levels_first = format!("{level}\n1 2 3/4 0 6/7 5 8\n");
    assert_refused(
        &["solve", "-"],
        levels_first.as_bytes(),
        "standard input:5: a board among levels of Sokoban",
    );
    assert_refused(
        &["levels", "-"],
        levels_first.as_bytes(),
        "standard input:5: a board among levels of Sokoban",
    );
    // Numbers in titles and walls in comments are neither.
    let titled = format!("; 1\n{level}\n2001/05\n\n{level}");
    assert_eq!(run_with(&["solve", "-"], titled.as_bytes()).code, 0);
    let commented = "1 2 3/4 0 6/7 5 8\n#####\n# $5 for the solver\n";
    assert_eq!(run_with(&["solve", "-"], commented.as_bytes()).code, 0);
}

#[test]
fn what_is_about_boards_is_refused_for_levels() {
    let level = "5#|#@$.#|5#";
    for (flag, value) in [
        ("--goal", "blank-last"),
        ("--size", "3x3"),
        ("--notation", "tile"),
    ] {
        let said = format!("{flag}: only for boards, and this is a level");
        assert_refused(&["solve", level, flag, value], b"", &said);
        assert_refused(&["check", level, "R", flag, value], b"", &said);
        assert_refused(&["show", level, "R", flag, value], b"", &said);
    }
}

#[test]
fn what_reads_levels_speaks_of_levels() {
    let run = noyes(&["levels", "nowhere.xsb"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("expected a level such as") && !run.err.contains("board"),
        "{}",
        run.err
    );
    let run = run_with(&["levels", "-"], b"nothing here\n");
    assert!(
        run.err.contains("no level of Sokoban found") && !run.err.contains("board"),
        "{}",
        run.err
    );
    let many = "#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n";
    let run = run_with(&["levels", "-", "--level", "2", "--json"], many.as_bytes());
    assert_eq!(json(&run.out)["number"], 2, "{}", run.out);
    let run = run_with(
        &["levels", "-", "--info"],
        many.replace('\n', "\r").as_bytes(),
    );
    assert_eq!(run.out.lines().count(), 2, "{}{}", run.out, run.err);
    // One is not many.
    let run = noyes(&["solve", "8#|#@-#-$.#|8#"]);
    assert!(!run.out.contains("1 goals"), "{}", run.out);
    // What is too short is not always a number of moves.
    let asked = [
        "solve",
        "8#|#@-$--.#|8#",
        "--engine",
        "sat",
        "--at-most",
        "1",
    ];
    let run = noyes(&asked);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(!(run.out + &run.err).contains("so few moves"));
}

#[test]
fn show_says_when_its_plan_is_not_proven_optimal() {
    let board = noyes(&["generate", "6x6", "--seed", "1"]).out;
    // A busy machine needs longer to find any plan; the proof takes hours on every machine.
    let show = |limit| noyes(&["show", board.trim(), "--time-limit", limit]);
    let limits = ["200ms", "2s", "20s"];
    let mut runs = limits.into_iter().map(show);
    let run = runs.find(|run| run.out.contains("moves to go")).unwrap();
    assert_eq!(run.code, 3);
    assert!(run.out.contains(": solved\n"), "{}", run.out);
    assert!(
        run.err
            .starts_with("not proven optimal: the optimum is between ")
            && run.err.ends_with(" moves (time limit reached)\n"),
        "{}",
        run.err
    );
    assert_eq!(noyes(&["show", EASY]).err, "");
}

#[test]
fn errors_of_flags_start_with_the_flag() {
    let crew = "10#|#@$-..-$@#|#8-#|10#";
    for (args, said) in [
        (
            &["solve", EASY, "--explain"][..],
            "--explain: only the engine human",
        ),
        (
            &["solve", EASY, "--engine", "bfs", "--heuristic", "walking"],
            "--heuristic: the engine bfs uses none (expected one of the engines auto, astar, ",
        ),
        (
            &["solve", EASY, "--engine", "astar", "--duplicates", "4"],
            "--duplicates: the engine astar does not use it (expected one of the engines auto, idastar, ",
        ),
        (
            &[
                "graph",
                "cycle:3",
                "--from",
                "0 1 2",
                "--solve",
                "--engine",
                "dijkstra",
                "--heuristic",
                "misplaced",
            ],
            "--heuristic: the engine dijkstra uses none",
        ),
        (
            &["solve", crew, "--objective", "pushes"],
            "--objective: the plans of several players count steps, not pushes",
        ),
        (
            &["show", crew, "--objective", "pushes"],
            "--objective: the plans of several players",
        ),
        (
            &["generate", "3x3", "--boxes", "1"],
            "--boxes: only for levels",
        ),
        (
            &["generate", "sokoban", "--distance", "3"],
            "--distance: only for boards",
        ),
        (
            &["generate", "3x3", "--seed", "1", "--distance", "40"],
            "--distance: ",
        ),
        (
            &["encode", EASY, "-k", "2", "--objective", "moves"],
            "--objective: only for PDDL",
        ),
        (
            &["explain", "6#|#.@$-#|#----#|6#", "--after", "L9"],
            "--after: ",
        ),
        (&["solve", EASY, "--level", "1"], "--level: "),
    ] {
        let run = noyes(args);
        assert_eq!(run.code, 2, "{args:?}");
        let start = format!("noyes: {said}");
        assert!(run.err.starts_with(&start), "{args:?}: {}", run.err);
    }
    assert_eq!(noyes(&["solve", crew, "--objective", "moves"]).code, 0);
    assert_eq!(noyes(&["solve", EASY, "--heuristic", "walking"]).code, 0);
    for command in ["solve", "show"] {
        let args = [command, EASY, "--memory-limit", "0"];
        assert_refused(&args, b"", "must be greater than zero");
    }
    let crowd = [
        "generate",
        "sokoban",
        "--size",
        "5x5",
        "--boxes",
        "1",
        "--players",
        "30",
    ];
    assert_refused(&crowd, b"", "1 box and 30 players do not fit");
}

#[test]
fn a_binary_file_is_one_error() {
    let binary = [&b"\x7fELF\x02\n"[..], &b"\xff\x00\n".repeat(100)].concat();
    let run = run_with(&["solve", "-", "--json"], &binary);
    assert_eq!(
        (run.code, run.out.lines().count(), run.err.lines().count()),
        (2, 1, 1)
    );
    assert!(
        run.err.contains("standard input:2: not a text file"),
        "{}",
        run.err
    );
    let run = run_with(&["levels", "-"], &binary);
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
}

#[test]
fn flags_that_cannot_be_read_are_json_where_json_was_asked_for() {
    let board = "1 2 3/4 0 6/7 5 8";
    for flags in [
        ["--heuristic", "nonsense"],
        ["--engine", "nonsense"],
        ["--encoding", "nonsense"],
    ] {
        let run = noyes(&["solve", board, flags[0], flags[1], "--json"]);
        assert_eq!(run.code, 2);
        let record = json(&run.out);
        let error = record["error"].as_str().unwrap();
        assert!(
            error.contains("nonsense") && error.contains(flags[0]),
            "{error}"
        );
    }
    let single = ["solve", board, "--engine", "sat", "--at-most", "3", "--any"];
    assert_refused(&single, b"", "--at-most: it asks a single question");
    assert_refused(
        &["solve", board, "--goal", "blank-foo"],
        b"",
        "--goal: expected blank-last, blank-first or a board",
    );
}

#[test]
fn a_gpu_that_cannot_be_used_is_one_line() {
    let args = ["solve", EASY, "--device", "gpu", "--heuristic", "pdb:4-4"];
    let run = noyes(&args);
    if cfg!(feature = "gpu") && run.code == 0 {
        return; // there is a card
    }
    let said = if cfg!(feature = "gpu") {
        "noyes: GPU: no NVIDIA driver was found on this machine (libcuda cannot be opened)\n"
    } else {
        "noyes: --device: this program was built without support for GPUs (build it with the feature gpu)\n"
    };
    assert_eq!((run.err.as_str(), run.out.as_str()), (said, ""));
    assert_refused(
        &["solve", EASY, "--device", "gpu"],
        b"",
        "only IDA* with pattern databases runs on a GPU",
    );
    let large = "1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/25 26 27 28 0 29";
    assert_refused(
        &[
            "solve",
            large,
            "--device",
            "gpu",
            "--heuristic",
            "pdb:1,2,3",
        ],
        b"",
        "--device: a GPU searches boards of up to 25 cells, not 6x5",
    );
    let on_card = ["solve", EASY, "--device", "gpu", "--heuristic"];
    for (heuristic, said) in [
        (
            "pdb:1,2,3",
            "--device: a GPU needs pattern databases only, and the first patterns have to cover all tiles",
        ),
        ("manhattan", "--device: a GPU needs pattern databases only"),
        ("pdb:6-6-6-6", "--heuristic: "),
    ] {
        assert_refused(&[&on_card[..], &[heuristic]].concat(), b"", said);
    }
    assert_refused(
        &["solve", EASY, "--device", "tpu"],
        b"",
        "[possible values: cpu, gpu]",
    );
}
