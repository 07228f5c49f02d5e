//! The command line as users see it: every command, every exit code, all kinds of bad input.

use std::io::{BufRead, BufReader, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{
    EASY, FAR, HARDEST, PUZZLE_14_15, assert_refused, command, json, noyes, run_with,
};
use serde_json::Value;

#[test]
fn the_command_of_the_readme() {
    let run = noyes(&["solve", HARDEST]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "31 moves, optimal");
    let plan = lines[1].strip_prefix("plan (blank notation): ").unwrap();
    assert_eq!(plan.len(), 31);
    let check = noyes(&["check", HARDEST, plan]);
    assert_eq!(check.code, 0);
    assert!(
        check.out.starts_with("valid: 31 moves (blank notation)"),
        "{}",
        check.out
    );
}

#[test]
fn json_has_every_field_of_the_contract() {
    let run = noyes(&[
        "solve",
        EASY,
        "--json",
        "--engine",
        "bfs",
        "--notation",
        "tile",
    ]);
    let record = json(&run.out);
    let expected = "box_changes box_lines certificate clauses conflicts cost cpu_s decisions encoding engine error expanded generated \
        goal heuristic id kind lazy_clauses length lookups lower moves notation objective peak_bytes plan player_lines players \
        pushes pushing_sessions puzzle reason schema shared_clauses size status steps stop ties_proven title upper variables wall_s";
    let mut found: Vec<&str> = record
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    found.sort_unstable();
    assert_eq!(found, expected.split_whitespace().collect::<Vec<_>>());
    for (field, value) in [
        ("kind", "board"),
        ("puzzle", EASY),
        ("status", "optimal"),
        ("plan", "UL"),
        ("notation", "tile"),
        ("engine", "bfs"),
        ("objective", "moves"),
    ] {
        assert_eq!(record[field], value);
    }
    assert_eq!(
        (&record["cost"], &record["lower"], &record["upper"]),
        (&2.into(), &2.into(), &2.into())
    );
    assert_eq!(
        (&record["heuristic"], &record["error"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn batches_answer_in_order_and_go_on_after_a_bad_board() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    std::fs::write(
        &file,
        format!("# two boards\r\n{HARDEST}\r\n\n1 2 2/4 0 6/7 5 8 # broken\n{EASY} # easy\n"),
    )
    .unwrap();
    let file = file.to_str().unwrap();
    for threads in ["1", "4"] {
        let run = noyes(&["solve", file, "1 2/3 0", "--json", "--threads", threads]);
        let records: Vec<Value> = run.out.lines().map(json).collect();
        let costs: Vec<&Value> = records.iter().map(|r| &r["cost"]).collect();
        assert_eq!(
            costs,
            [&Value::from(31), &Value::Null, &2.into(), &0.into()]
        );
        assert!(
            records[1]["error"]
                .as_str()
                .unwrap()
                .contains("boards.txt:4: duplicate tile 2")
        );
        assert_eq!(run.code, 2);
    }
    let text = noyes(&["solve", file]);
    assert!(
        text.out
            .starts_with(&format!("board: {HARDEST}\n31 moves, optimal\n")),
        "{}",
        text.out
    );
    let piped = run_with(
        &["solve", "-", "--json"],
        format!("{EASY}\n{EASY}").as_bytes(),
    );
    assert_eq!((piped.code, piped.out.lines().count()), (0, 2));
}

#[test]
fn answers_stream_as_they_finish() {
    let mut child = command(&["solve", "-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..2 {
        writeln!(stdin, "{EASY}").unwrap(); // the answer comes while the input is still open
        assert_eq!(lines.next().unwrap().unwrap(), format!("board: {EASY}"));
        assert_eq!(lines.next().unwrap().unwrap(), "2 moves, optimal");
        assert!(lines.next().unwrap().unwrap().starts_with("plan"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn goals_sizes_and_notations() {
    let says = |args: &[&str], said: &str| {
        let run = noyes(args);
        assert!(run.out.contains(said), "{args:?}: {}{}", run.out, run.err);
    };
    says(
        &["solve", "1 0/2 3", "--goal", "blank-first"],
        "1 move, optimal\nplan (blank notation): L",
    );
    says(
        &[
            "solve",
            "1 2 3/4 0 5",
            "--goal",
            "1 2 3/4 5 0",
            "--notation",
            "tile",
        ],
        "plan (tile notation): L",
    );
    says(
        &["solve", "1 2 3 4 0 5", "--size", "3x2"],
        "plan (blank notation): R",
    );
    says(&["solve", "0 1 2 3/"], "RRR");
    let korf = noyes(&[
        "solve",
        "0 1 9 7/11 13 5 3/14 12 4 2/8 6 10 15",
        "--goal",
        "blank-first",
        "--json",
        "--engine",
        "idastar",
    ]);
    assert_eq!(
        (&json(&korf.out)["cost"], &json(&korf.out)["generated"]),
        (&42.into(), &540_860.into())
    );
    assert_refused(
        &["solve", EASY, "--goal", "1 2/3 0"],
        b"",
        "the goal is 2x2, the board 3x3",
    );
    assert_refused(
        &["solve", EASY, "--goal", "middle"],
        b"",
        "expected blank-last, blank-first or a board",
    );
    assert_refused(
        &["solve", EASY, "--notation", "both"],
        b"",
        "[possible values: blank, tile]",
    );
}

#[test]
fn unsolvable_is_an_answer_at_once_for_every_engine_and_size() {
    let mut big: Vec<String> = (1..10_000).map(|t| t.to_string()).collect();
    big.swap(0, 1);
    let big = big.join(" ") + " 0";
    for engine in noyes_solver::Engine::ALL {
        for board in [PUZZLE_14_15, "2 1 3 0/", &big] {
            let run = noyes(&["solve", board, "--engine", engine.name()]);
            assert_eq!(run.code, 4);
            assert!(run.out.starts_with("unsolvable: "), "{}", run.out);
        }
    }
    let record = json(&noyes(&["solve", PUZZLE_14_15, "--json"]).out);
    assert_eq!(
        (&record["status"], &record["lower"], &record["plan"]),
        (&"unsolvable".into(), &Value::Null, &Value::Null)
    );
    let why = record["reason"].as_str().unwrap();
    assert!(
        why.starts_with("needs an even permutation, this one is odd: 15 and 14 are swapped"),
        "{why}"
    );
}

#[test]
fn a_large_board_near_its_goal_is_solved() {
    let board = noyes(&["generate", "100x100", "--walk", "12", "--seed", "1"]).out;
    let run = run_with(&["solve", "-", "--json"], board.as_bytes());
    assert_eq!(
        (run.code, &json(&run.out)["status"]),
        (0, &"optimal".into())
    );
}

#[test]
fn limits_end_a_search_with_sound_bounds() {
    for args in [
        &["--heuristic", "manhattan", "--time-limit", "50ms"][..],
        &["--engine", "bfs", "--memory-limit", "20MB"],
        &["--engine", "dijkstra", "--memory-limit", "20MB"],
        &["--engine", "astar", "--memory-limit", "20MB"],
        &["--engine", "bidirectional", "--memory-limit", "20MB"],
        &["--engine", "sma", "--memory-limit", "2kB"],
        &["--heuristic", "manhattan", "--time-limit", "0"],
    ] {
        let run = noyes(&[&["solve", FAR, "--json"], args].concat());
        let record = json(&run.out);
        assert_eq!(
            (run.code, &record["status"]),
            (3, &"limit".into()),
            "{args:?}"
        );
        assert!(record["lower"].as_u64().unwrap() <= 80 && record["upper"].is_null());
        assert!(record["peak_bytes"].as_u64().unwrap() <= 20_000_000);
    }
    assert!(
        noyes(&[
            "solve",
            "--heuristic",
            "manhattan",
            FAR,
            "--time-limit",
            "50ms"
        ])
        .out
        .starts_with("time limit reached: at least ")
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_bounds() {
    for args in [
        &["solve", "--heuristic", "manhattan", FAR][..],
        &[
            "solve",
            "--heuristic",
            "manhattan",
            FAR,
            FAR,
            "--threads",
            "2",
        ],
        &["solve", "-"],
    ] {
        let mut child = command(args).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(400));
        let signalled = Instant::now();
        // `timeout` sends the signal twice, to the program and to its process group.
        for _ in 0..2 {
            let kill = ["-INT", &child.id().to_string()];
            Command::new("kill").args(kill).status().unwrap();
        }
        let input = child.stdin.take(); // still open while the program ends
        let done = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!(done.status.code(), Some(130));
        let said = match args {
            [.., "2"] => "interrupted: 0 of 2 puzzles answered\n",
            [.., "-"] => "interrupted: 0 puzzles answered\n",
            _ => "",
        };
        assert_eq!(String::from_utf8(done.stderr).unwrap(), said);
        assert!(signalled.elapsed() < Duration::from_secs(10));
        let out = String::from_utf8(done.stdout).unwrap();
        let searches = args.iter().filter(|&&a| a == FAR).count();
        assert_eq!(
            out.matches("interrupted: at least").count(),
            searches,
            "{out}"
        );
    }
}

#[test]
fn bad_boards_are_refused_with_their_place() {
    for (board, said) in [
        (
            "1 2 2/4 0 6/7 5 8",
            "duplicate tile 2 (row 1, columns 2 and 3); tile 3 is missing",
        ),
        ("1 2 9/4 0 6/7 5 8", "row 1, column 3: 9 is out of range"),
        (
            "1 2/4 0 6/7 5 8",
            "not a rectangle: row 2 has 3 tiles, row 1 has 2",
        ),
        ("1 2 3 0 4", "5 tiles make no square"),
        ("1 2 y/3 4 0", "character 5: 'y'"),
        ("", "no board here"),
        ("/", "no board here"),
        ("no such file", "no such file: No such file"),
        (".", "Is a directory"),
    ] {
        assert_refused(&["solve", board], b"", said);
    }
    for (input, said) in [
        (b"".to_vec(), "standard input: no puzzle found"),
        (b"\n# nothing\n".to_vec(), "standard input: no puzzle found"),
        (
            b"\xff\xfe\x00\x01".to_vec(),
            "standard input:1: not a text file: byte 1 of the line is 0xff",
        ),
        (
            b"1 ".repeat(5 << 20),
            "standard input:1: a line of more than 1048576 bytes",
        ),
        (
            b"1 ".repeat(400_000),
            "standard input:1: more than 65536 cells",
        ),
    ] {
        assert_refused(&["solve", "-"], &input, said);
    }
    assert_refused(
        &["solve", "1 2 3 0", "--size", "3x2"],
        b"",
        "4 tiles given, but a 3×2 board has 6 cells",
    );
    assert_refused(
        &["solve", "8", "6", "7", "0"],
        b"",
        "a board is one argument, in quotes: noyes solve \"8 6 7 0\"",
    );
    assert_refused(&["solve"], b"", "PUZZLE");
    assert_refused(
        &["solve", EASY, "--time-limit", "soon"],
        b"",
        "expected a time",
    );
    assert_refused(
        &["solve", EASY, "--memory-limit", "much"],
        b"",
        "expected an amount",
    );
    assert_refused(
        &["solve", EASY, "--objective", "pushes"],
        b"",
        "--objective: a plan of sliding tiles has moves, not pushes",
    );
    assert_refused(
        &["solve", EASY, "--threads", "0"],
        b"",
        "0 is not in 1..=1024",
    );
    assert_eq!(run_with(&["solve", "-"], b"1 2 3/4 0 6/7 5 8\r\n").code, 0);
}

#[test]
fn bad_plans_are_refused_and_wrong_ones_fail_the_check() {
    assert_refused(
        &["check", EASY, "DRD"],
        b"",
        "plan: move 3 takes the blank down from row 3, column 3, out of the board",
    );
    assert_refused(
        &["check", EASY, "DX"],
        b"",
        "plan: move 2: 'X' is no direction",
    );
    assert_refused(
        &["check", "1 2 3/4 0 6/7 5 5", "D"],
        b"",
        "duplicate tile 5",
    );
    assert_refused(
        &["check", "-", "D"],
        format!("{EASY}\n{EASY}").as_bytes(),
        "several boards, expected one",
    );
    let short = noyes(&["check", EASY, "D"]);
    assert_eq!(short.code, 5);
    assert!(
        short
            .out
            .starts_with("not valid: after 1 move the position is 1 2 3/4 5 6/7 0 8"),
        "{}",
        short.out
    );
    let record = json(&noyes(&["check", EASY, "UL", "--notation", "tile", "--json"]).out);
    assert_eq!(
        (&record["solved"], &record["cost"]),
        (&true.into(), &2.into())
    );
    assert_eq!(run_with(&["check", EASY, "-"], b"D R\n").code, 0);
}

#[test]
fn output_files_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    let path = file.to_str().unwrap();
    assert_eq!(
        noyes(&["generate", "3x3", "-n", "3", "--seed", "1", "-o", path]).code,
        0
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 3);
    assert_refused(
        &["generate", "3x3", "--seed", "1", "-o", "/no/such/folder/x"],
        b"",
        "cannot write /no/such/folder/x",
    );
    assert_refused(
        &[
            "generate",
            "3x3",
            "--seed",
            "1",
            "-o",
            folder.path().to_str().unwrap(),
        ],
        b"",
        "cannot write",
    );
    assert_refused(
        &[
            "generate",
            "3x3",
            "--distance",
            "40",
            "--seed",
            "1",
            "-o",
            path,
        ],
        b"",
        "none is farther",
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 3);
    assert_eq!(
        noyes(&["generate", "3x3", "--seed", "1", "-o", "/dev/null"]).code,
        0
    );
}

#[test]
fn show_prints_every_frame_where_there_is_no_terminal() {
    let run = noyes(&["show", EASY, "UL", "--notation", "tile"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.out,
        "start, 2 moves to go (tile notation)\n1 2 3\n4 _ 6\n7 5 8\n\nmove 1 of 2: U (tile notation)\n1 2 3\n4 5 6\n7 _ 8\n\n\
         move 2 of 2: L (tile notation): solved\n1 2 3\n4 5 6\n7 8 _\n\n"
    );
    assert_eq!(noyes(&["show", EASY]).out.matches("move ").count(), 2);
    assert_eq!(noyes(&["show", EASY, "D"]).code, 5);
    let level = [
        "show",
        "8#|#@-$-.-#|8#",
        "--objective",
        "moves",
        "--memory-limit",
        "1GB",
    ];
    assert!(noyes(&level).out.contains("step 3 of 3"));
    assert_eq!(noyes(&["show", "2 1 3/4 5 6/7 8 0"]).code, 4);
    assert_refused(
        &["show", EASY, "UU"],
        b"",
        "plan: move 2 takes the blank up from row 1, column 2",
    );
}

#[test]
fn help_manuals_and_completions() {
    let help = noyes(&["--help"]);
    for word in [
        "solve",
        "generate",
        "check",
        "show",
        "graph",
        "completions",
        "man",
        "130",
        "proven unsolvable",
    ] {
        assert!(help.out.contains(word), "{word} is missing in {}", help.out);
    }
    for command in ["solve", "generate", "check", "show", "graph", "levels"] {
        let help = noyes(&[command, "--help"]);
        assert!(help.code == 0 && help.out.contains("Example"), "{command}");
        assert!(
            noyes(&["man", command])
                .out
                .contains(&format!("noyes\\-{command}")),
            "{command}"
        );
    }
    assert!(noyes(&["man"]).out.contains(".TH noyes 1"));
    assert_refused(&["man", "dance"], b"", "\"dance\" is not a command");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(noyes(&["completions", shell]).out.contains("noyes"));
    }
    assert_eq!(noyes(&[]).code, 2);
    assert_eq!(
        noyes(&["--version"]).out,
        format!("noyes {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn colour_and_control_codes_stay_out_of_pipes() {
    for args in [
        &["solve", HARDEST, "-v"][..],
        &["show", EASY],
        &["graph", "theta0"],
        &["solve", "x"],
    ] {
        let run = noyes(args);
        assert!(
            !run.out.contains('\x1b') && !run.err.contains('\x1b'),
            "{args:?}"
        );
    }
}

/// The verdict of a board under these settings.
fn first_line(board: &str, flags: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = command(&[&["solve", board], flags].concat());
    command.envs(variables.iter().copied());
    let run = command.stdin(std::process::Stdio::null()).output().unwrap();
    let out = String::from_utf8(run.stdout).unwrap();
    out.lines().next().unwrap().to_string()
}

#[test]
fn verdicts_have_colour_where_it_is_wanted() {
    let optimal = "2 moves, \x1b[1m\x1b[32moptimal\x1b[0m";
    for (flags, variables, coloured) in [
        (&[][..], &[][..], false), // a pipe
        (&["--color", "always"], &[], true),
        (&["--color=always"], &[("NO_COLOR", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
    ] {
        let line = first_line(EASY, flags, variables);
        let expected = if coloured {
            optimal
        } else {
            "2 moves, optimal"
        };
        assert_eq!(line, expected, "{flags:?} {variables:?}");
    }
    let always = [
        "--color",
        "always",
        "--time-limit",
        "0",
        "--heuristic",
        "manhattan",
    ];
    assert!(
        first_line(PUZZLE_14_15, &always, &[]).starts_with("\x1b[1m\x1b[31munsolvable\x1b[0m: ")
    );
    assert!(
        first_line(FAR, &always, &[]).starts_with("\x1b[1m\x1b[33mtime limit reached\x1b[0m: ")
    );
    assert_refused(
        &["solve", EASY, "--color", "blue"],
        b"",
        "[possible values: auto, always, never]",
    );
    // JSON is for programs.
    json(&noyes(&["solve", EASY, "--json", "--color", "always"]).out);
}

#[test]
fn quiet_leaves_answers_and_errors() {
    let run = noyes(&["generate", "3x3", "-q"]);
    assert_eq!(
        (run.code, run.out.lines().count(), run.err.as_str()),
        (0, 1, "")
    );
    let encode = ["encode", HARDEST, "-k", "3", "--stats"];
    assert!(noyes(&encode).err.contains("the formula is unsatisfiable"));
    assert_eq!(noyes(&[&encode[..], &["--quiet"]].concat()).err, "");
    let run = noyes(&["--quiet", "solve", EASY, "1 1/2 0"]);
    assert!(run.out.contains("2 moves, optimal"), "{}", run.out);
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
    assert_refused(&["solve", EASY, "-q", "-v"], b"", "cannot be used with");
}

/// The lines of a command's help that can be typed, joined where they go on.
fn examples(help: &str) -> Vec<String> {
    let help = help.replace("\\\n", "");
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("  "));
    lines
        .filter(|line| !line.is_empty())
        .map(|line| line.trim().to_string())
        .collect()
}

/// Examples that need minutes, the network, another program, or the output of one.
fn is_only_parsed(example: &str) -> bool {
    let long = [
        "noyes serve",
        "noyes bench run",
        "noyes bench report",
        "noyes pdb build 7-8",
    ];
    let other = ["noyes decode", "kissat", "fast-downward", "curl"];
    long.iter()
        .chain(&other)
        .any(|start| example.starts_with(start))
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_help_work() {
    let folder = tempfile::tempdir().unwrap();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    std::os::unix::fs::symlink(data, folder.path().join("data")).unwrap();
    let program = format!("{} ", env!("CARGO_BIN_EXE_noyes"));
    let mut ran = 0;
    for name in [
        "solve", "generate", "check", "show", "levels", "explain", "graph", "pdb", "encode",
        "decode", "serve", "bench",
    ] {
        let examples = examples(&noyes(&["help", name]).out);
        assert!(!examples.is_empty(), "{name}");
        for example in examples.iter().filter(|example| !is_only_parsed(example)) {
            let run = Command::new("sh")
                .args(["-ec", &example.replace("noyes ", &program)])
                .current_dir(folder.path())
                .env("XDG_CACHE_HOME", folder.path())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(0), "{example}: {said}");
            ran += 1;
        }
    }
    assert!(ran > 20, "{ran}");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = command(&["generate", "9x9", "-n", "100000", "--seed", "1"])
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let done = child.wait_with_output().unwrap();
    assert_eq!(
        (done.status.code(), done.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn the_human_method_is_explained_step_by_step() {
    let board = "7 6 13 15/10 5 4 14/8 0 3 1/2 11 9 12";
    let run = noyes(&["solve", board, "--engine", "human", "--explain"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines[0],
        "109 moves, not proven optimal: at least 43 are needed"
    );
    let steps: Vec<&str> = lines
        .iter()
        .filter(|l| l.starts_with("Step"))
        .copied()
        .collect();
    assert_eq!(
        steps,
        [
            "Step 1: move tiles 1 and 2 into their final positions (29 moves)",
            "Step 2: move tiles 3 and 4 into set-up position, then into their final positions (17 moves)",
            "Step 3: repeat steps 1 and 2 for tiles 5 to 8 to solve the next row (27 moves)",
            "Step 4: in the last two rows, move tiles 9 and 13 into set-up position, then into their final positions (17 moves)",
            "Step 5: repeat step 4 for tiles 10 and 14 (13 moves)",
            "Step 6: rotate tiles 11, 12 and 15 until they are in their final positions (6 moves)",
        ]
    );
    // The set-up position of the thesis: 4 in the place of 3, 3 below, the corner free.
    assert!(
        run.out
            .contains("set-up position:\n     1  2  4  _\n     5 13  3 10\n")
    );
}

#[test]
fn explained_steps_are_numbered_without_gaps() {
    for board in [
        HARDEST,
        EASY,
        "1 2 3/4 5 6/7 8 0",
        "1 2/0 3",
        "1 3/2 5/4 0",
        "1 0/",
    ] {
        let run = noyes(&["solve", board, "--engine", "human", "--explain"]);
        let numbers: Vec<&str> = run
            .out
            .lines()
            .filter_map(|line| line.strip_prefix("Step ")?.split(':').next())
            .collect();
        let expected: Vec<String> = (1..=numbers.len()).map(|n| n.to_string()).collect();
        assert!(
            !numbers.is_empty() && numbers == expected,
            "{board}: {numbers:?}"
        );
    }
}

#[test]
fn the_steps_in_json_are_the_plan() {
    let run = noyes(&["solve", HARDEST, "--engine", "human", "--explain", "--json"]);
    let record = json(&run.out);
    let steps = record["steps"].as_array().unwrap();
    let moves: String = steps.iter().map(|s| s["plan"].as_str().unwrap()).collect();
    assert_eq!(record["plan"], moves);
    assert_eq!(
        (&steps[0]["number"], &steps[0]["tiles"]),
        (&1.into(), &vec![1].into())
    );
    let run = noyes(&["solve", HARDEST, "--engine", "human", "--json"]);
    assert_eq!(json(&run.out)["steps"], Value::Null);
}

#[test]
fn what_does_not_fit_the_puzzle_is_refused() {
    assert_refused(
        &["solve", EASY, "--explain"],
        b"",
        "--explain: only the engine human explains its steps, and the engine is auto",
    );
    let large = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 0 24";
    assert_refused(
        &["solve", large, "--heuristic", "walking"],
        b"",
        "too large a table for a 5x5 board",
    );
    assert_refused(
        &["solve", EASY, "--heuristic", "pdb:1,2/pdb:3,4/pdb:5,6"],
        b"",
        "too many heuristics for one maximum",
    );
    assert_refused(
        &["solve", EASY, "--heuristic", "walking/running"],
        b"",
        "expected misplaced, manhattan, linear-conflict, walking",
    );
    let graph = [
        "graph",
        "petersen",
        "--from",
        "2 1 3 4 5 6 7 8 9 0",
        "--solve",
    ];
    for (flags, said) in [
        (
            ["--heuristic", "walking"],
            "--heuristic: walking is about rows and columns, which a graph does not have (expected manhattan or misplaced)",
        ),
        (
            ["--heuristic", "manhattan/linear-conflict"],
            "--heuristic: linear-conflict is about rows and columns, which a graph does not have (expected manhattan or misplaced)",
        ),
        (["--engine", "human"], "works on boards, not on graphs"),
    ] {
        assert_refused(&[&graph[..], &flags[..]].concat(), b"", said);
    }
    let run = noyes(&[&graph[..], &["--heuristic", "misplaced"]].concat());
    assert!(run.out.starts_with("17 moves, optimal"), "{}", run.out);
}

#[test]
fn boards_are_read_in_the_forms_that_people_paste() {
    let rows = "1 2 3\n4 0 6\n7 5 8\n";
    for board in [
        "123406758",
        "[[1,2,3],[4,0,6],[7,5,8]]",
        "[1, 2, 3,\n 4, 0, 6,\n 7, 5, 8]",
        "1,2,3;4,_,6;7,5,8",
        rows,
    ] {
        let run = noyes(&["solve", board]);
        assert!(
            run.out.contains("2 moves, optimal"),
            "{board}: {} {}",
            run.out,
            run.err
        );
        // The same from standard input, where a board may also take one line.
        let run = run_with(
            &["solve", "-"],
            format!("# a comment\n{board}\n").as_bytes(),
        );
        assert_eq!(
            run.out.matches("2 moves, optimal").count(),
            1,
            "{board}: {}",
            run.out
        );
        assert_eq!(run.code, 0, "{board}: {}", run.err);
    }
    let run = run_with(&["solve", "-"], format!("{EASY}\n123406758\n").as_bytes());
    assert_eq!(run.out.matches("2 moves, optimal").count(), 2);
    let sizes =
        "12 tiles make no square board: use slashes between rows, or --size 3x4, 4x3, 2x6, 6x2";
    assert_refused(&["solve", "1 2 3 4 5 6 7 8 9 10 11 0"], b"", sizes);
    assert_refused(
        &["solve", "-"],
        b"1 2 3\n4 5 6\n7 8 8\n",
        "standard input:1: duplicate tile 8",
    );
    assert_refused(
        &["solve", "1 2 3/4 5 6/7 8 9"],
        b"",
        "the blank (0) is missing",
    );
}
