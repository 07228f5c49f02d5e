//! What can go wrong with a benchmark: bad suites, bad results, bad runs, too many runs, a full disk.

use std::fs;

use crate::bench_place::{Place, SMALL};
use crate::common::noyes;

#[test]
fn results_that_cannot_be_compared_are_refused() {
    let place = Place::new(SMALL);
    assert_eq!(place.run(&["--filter", "sat"]).code, 0);
    let good = fs::read_to_string(place.results()).unwrap();
    for (from, to, said) in [
        ("\"version\":\"0", "\"version\":\"9", "results of noyes 9"),
        ("\"cores\":", "\"cores\":9", "results of another machine"),
        (
            "\"time_limit_s\":60",
            "\"time_limit_s\":61",
            "results within 61 s",
        ),
        (
            "--encoding lean",
            "--encoding rotated",
            "by another command",
        ),
        (
            "noyes-bench/2",
            "noyes-bench/0",
            "line 1: written as \"noyes-bench/0\"",
        ),
        ("\"suite\":", "\"sweet\":", "line 1: not a run"),
    ] {
        assert!(good.contains(from));
        let changed = good.replace(from, to);
        fs::write(place.results(), &changed).unwrap();
        let run = place.run(&[]);
        assert_eq!(run.code, 2, "{said}: {}", run.err);
        assert!(run.err.contains(said), "{said}: {}", run.err);
        assert_eq!(fs::read_to_string(place.results()).unwrap(), changed);
    }
}

#[test]
fn a_suite_that_is_wrong_is_refused_with_its_place() {
    for (from, to, said) in [
        ("title = \"two", "title = two", "own.toml, line 2, column "),
        (
            "puzzles =",
            "boards =",
            "line 5, column 1: unknown field `boards`",
        ),
        ("name = \"sat\"", "", "missing field `name`"),
        (
            "[[instances]]",
            "repetitions = 4000000000\n[[instances]]",
            "repetitions: expected 1 to 1000",
        ),
        (
            "--engine astar",
            "--engine astar --at-most {k}",
            "{k} is not one of its parameters, nor a tag of board-1",
        ),
        ("--engine astar", "--goal 'x", "missing closing quote"),
        (
            "name = \"sat\"",
            "name = \"search\"",
            "two configurations have the name \"search\"",
        ),
        (
            "name = \"sat\"",
            "name = \"sat\"\ninstances = [\"bored\"]",
            "no instances named \"bored\"",
        ),
        (
            "name = \"sat\"",
            "name = \"sat\"\nparameters = { k = [] }",
            "\"k\" has no values",
        ),
        (
            "puzzles = [",
            "puzzles = []\nonly = [1]\ntags = { x = 1 }\n#",
            "exactly one of puzzles, generate and file",
        ),
        ("puzzles = [", "puzzles = [\"1 2 3/4 4 6/7 5 8\", ", "4"),
        (
            "puzzles = [",
            "only = [3]\npuzzles = [",
            "only: expected each number from 1 to 2 at most once, found 3",
        ),
        (
            "[[instances]]",
            "time-limit = \"soon\"\n[[instances]]",
            "time-limit: expected a time",
        ),
        (
            "[[instances]]",
            "memory-limit = \"much\"\n[[instances]]",
            "memory-limit: expected an amount",
        ),
        (
            "[[instances]]",
            "repetitions = 0\n[[instances]]",
            "repetitions: expected 1 to 1000",
        ),
        (
            "[[instances]]",
            "process = \"outside\"\n[[instances]]",
            "unknown variant `outside`",
        ),
        (
            "[[configurations]]",
            "[[said]]\nconfiguration = \"sad\"\nmeasure = \"cost\"\nstatistic = \"mean\"\nvalue = 1\n[[configurations]]",
            "said: \"sad\" is not a configuration",
        ),
        (
            "[[configurations]]",
            "[[views]]\nkind = \"scatter\"\ntitle = \"\"\nmeasure = \"cost\"\nacross = \"sat\"\nup = \"sad\"\n[[configurations]]",
            "views: \"sad\" is not a configuration",
        ),
    ] {
        let place = Place::new(&SMALL.replacen(from, to, 1));
        let run = place.run(&[]);
        assert_eq!(run.code, 2, "{said}: {}", run.err);
        assert!(run.err.contains(said), "{said}: {}", run.err);
        assert!(!place.path("out").exists(), "{said}");
    }
}

#[test]
fn a_call_that_is_wrong_is_refused() {
    let place = Place::new(SMALL);
    for (more, said) in [
        (&["--shard", "3/2"][..], "expected I/N, such as 2/8"),
        (&["--shard", "9/9"], "this part is empty"),
        (&["--shard", "x"], "expected I/N, such as 2/8"),
        (&["--data", "no/such/folder"], "no such folder"),
    ] {
        let run = place.run(more);
        assert!(run.code == 2 && run.err.contains(said), "{}", run.err);
    }
    let run = noyes(&["bench", "run", "tabel-7-1"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("did you mean table-7-1?") && run.err.contains("korf, "),
        "{}",
        run.err
    );
    let run = noyes(&["bench", "run", "no-such.toml"]);
    assert!(
        run.code == 2 && run.err.contains("no-such.toml: No such file"),
        "{}",
        run.err
    );
    fs::write(place.path("file"), "").unwrap();
    let file = place.path("file").display().to_string();
    let run = place.run(&["-o", &file]);
    assert!(
        run.code == 2 && run.err.contains("this is a file, expected a folder"),
        "{}",
        run.err
    );
}

#[test]
fn a_run_that_fails_is_a_line_and_the_others_go_on() {
    let suite = r#"
title = "what can go wrong"
time-limit = "60s"
[[instances]]
name = "board"
puzzles = ["1 2 3/4 0 6/7 5 8"]
[[configurations]]
name = "no such flag"
command = "solve --elephant"
[[configurations]]
name = "no such program"
command = "solve --engine sat --encoding rotated --backend cmd:/no/such/program"
[[configurations]]
name = "no JSON"
command = "completions bash"
alone = true
[[configurations]]
name = "no plan of one move"
command = "solve --engine sat --at-most 1"
[[configurations]]
name = "a plan"
command = "solve"
"#;
    let place = Place::new(suite);
    let run = place.run(&[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("3 failed"), "{}", run.err);
    let lines = place.lines();
    let find = |name: &str| lines.iter().find(|l| l["configuration"] == name).unwrap();
    let told = |name: &str| {
        let text = |field: &str| find(name)[field].as_str().unwrap_or_default().to_string();
        (text("status"), text("error"))
    };
    for (name, failure, said) in [
        ("no such flag", "bad-input", "'--elephant'"),
        ("no such program", "error", "/no/such/program"),
        ("no JSON", "unreadable", "something other than JSON"),
    ] {
        let (status, error) = told(name);
        assert_eq!(status, "failed", "{error}");
        assert_eq!(find(name)["failure"], failure, "{error}");
        assert!(error.contains(said), "{error}");
    }
    assert_eq!(told("no plan of one move"), ("done".into(), String::new()));
    assert_eq!(find("no plan of one move")["lower"], 2);
    assert_eq!(told("a plan"), ("optimal".into(), String::new()));
}

#[test]
fn limits_are_enforced_on_commands_that_know_none() {
    for (limit, stop) in [
        ("time-limit = \"50ms\"", "time"),
        ("memory-limit = \"14MiB\"", "memory"),
    ] {
        let suite = format!(
            "title = \"large\"\n{limit}\n[[configurations]]\nname = \"large\"\nalone = true\n\
             command = \"pdb histogram 7-8\"\n"
        );
        let place = Place::new(&suite);
        let run = place.run(&[]);
        assert_eq!(run.code, 0, "{}", run.err);
        let line = &place.lines()[0];
        assert_eq!(
            (&line["status"], &line["stop"], &line["killed"]),
            (&"limit".into(), &stop.into(), &true.into())
        );
        assert_eq!(line["instance"], "");
    }
}

#[test]
fn wrong_answers_are_reported_as_errors() {
    let known = SMALL.replace("[[configurations]]", "#").replacen(
        "name = \"search\"",
        "tags = { optimal = 4 }\n[[configurations]]\nname = \"search\"",
        1,
    );
    let known = known.replacen("name = \"sat\"", "[[configurations]]\nname = \"sat\"", 1);
    let place = Place::new(&known);
    let run = place.run(&[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.err.contains("WRONG ANSWER: board-1, moves"),
        "{}",
        run.err
    );
    assert!(run.err.contains("known optimum: 4"), "{}", run.err);
    assert_eq!(place.lines().len(), 4);

    // Two that prove different optima.
    let place = Place::new(SMALL);
    assert_eq!(place.run(&[]).code, 0);
    let text = fs::read_to_string(place.results()).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let wrong = "\"cost\":2,\"lower\":2,\"upper\":2";
    let first = first.replace(wrong, "\"cost\":3,\"lower\":3,\"upper\":3");
    fs::write(place.results(), format!("{first}\n{rest}")).unwrap();
    let run = place.run(&[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.err.contains("at least 3 by search") && run.err.contains("at most 2 by sat"),
        "{}",
        run.err
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_lines() {
    let place = Place::new(SMALL);
    let binary = env!("CARGO_BIN_EXE_noyes");
    let words: Vec<String> = (place.arguments(&[]).iter())
        .map(|w| format!("'{w}'"))
        .collect();
    // No file may be longer than four blocks: room for one line or two, not for four.
    let script = format!(
        "trap '' XFSZ; ulimit -f 4; exec '{binary}' {}",
        words.join(" ")
    );
    let done = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .unwrap();
    let err = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{err}");
    assert!(
        err.contains("own.full.jsonl: ") && err.contains("make room"),
        "{err}"
    );
    let before = fs::read_to_string(place.results()).unwrap();
    assert!(before.ends_with('\n') && (1..4).contains(&before.lines().count()));
    let run = place.run(&[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let after = fs::read_to_string(place.results()).unwrap();
    assert!(after.starts_with(&before));
    assert_eq!(place.lines().len(), 4);
}

/// A suite of one board with these lines among its instances and its configuration.
fn suite(instances: &str, configuration: &str) -> String {
    format!(
        "title = \"many\"\n[[instances]]\nname = \"x\"\n{instances}\n\
         [[configurations]]\nname = \"c\"\ncommand = \"solve --engine sat --at-most {{k}}\"\n{configuration}\n"
    )
}

#[test]
fn a_suite_of_too_many_runs_is_refused_before_they_are_made() {
    let values: Vec<String> = (0..3000).map(|k| k.to_string()).collect();
    let values = values.join(", ");
    let board = "puzzles = [\"1 2 3/4 0 6/7 5 8\"]";
    let square = format!("parameters = {{ j = [{values}], k = [{values}] }}");
    let one = "parameters = { k = [1] }";
    for (text, runs) in [
        (
            suite("generate = \"3x3 -n 4000000000 --seed 1\"", one),
            "4000000000",
        ),
        (
            suite(
                "generate = \"3x3 --count=18446744073709551615 --seed 1\"",
                one,
            ),
            "18446744073709551615",
        ),
        (
            suite(
                "generate = \"3x3 -n 60000 --seed 1\"\ndistances = [10, 20]",
                one,
            ),
            "120000",
        ),
        (suite(board, &square), "9000000"),
    ] {
        let place = Place::new(&text);
        for more in [&[][..], &["--dry-run"]] {
            let run = place.run(more);
            assert_eq!(run.code, 2, "{}", run.err);
            let said = format!("expands to {runs} runs, and the limit is 100000");
            assert!(run.err.contains(&said), "{said}: {}", run.err);
            assert_eq!(run.out, "");
            assert!(!place.path("out").exists());
        }
    }
}

#[test]
fn no_more_puzzles_are_generated_than_are_wanted() {
    let billions = "generate = \"3x3 -n 4000000000 --seed 1\"";
    for wanted in ["quick = 2", "only = [2, 1]"] {
        let place = Place::new(&suite(
            &format!("{billions}\n{wanted}"),
            "parameters = { k = [1] }",
        ));
        let run = place.run(&["--quick", "--dry-run"]);
        assert_eq!(run.code, 0, "{wanted}: {}", run.err);
        assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    }
    // They have the names that they have among all.
    let place = Place::new(&suite(
        &format!("{billions}\nquick = 1"),
        "parameters = { k = [1] }",
    ));
    assert_eq!(place.run(&["--quick"]).code, 0);
    let lines = fs::read_to_string(place.path("out/own.quick.jsonl")).unwrap();
    assert!(lines.contains("\"instance\":\"x-1\""), "{lines}");
}

#[test]
fn a_run_with_two_answers_is_refused_when_the_suite_goes_on() {
    let place = Place::new(SMALL);
    assert_eq!(place.run(&["--filter", "search"]).code, 0);
    let text = fs::read_to_string(place.results()).unwrap();
    let first = text.lines().next().unwrap();
    // Measured twice: no harm.
    let again = first.replace("\"wall_s\":", "\"wall_s\":1");
    fs::write(place.results(), format!("{text}{again}\n")).unwrap();
    assert_eq!(place.run(&["--filter", "search"]).code, 0);
    let wrong = first.replace("\"cost\":2,", "\"cost\":3,");
    assert_ne!(first, wrong);
    let contradictory = format!("{text}{wrong}\n");
    fs::write(place.results(), &contradictory).unwrap();
    let run = place.run(&[]);
    assert_eq!(run.code, 2, "{}", run.err);
    let said = "search on board-1 (repetition 1) has two different answers: optimal with cost 2, and optimal with cost 3";
    assert!(run.err.contains(said), "{}", run.err);
    assert_eq!(fs::read_to_string(place.results()).unwrap(), contradictory);
}

#[cfg(unix)]
#[test]
fn a_full_disk_under_a_report_is_no_bad_input() {
    let place = Place::new(SMALL);
    assert_eq!(place.run(&[]).code, 0);
    let binary = env!("CARGO_BIN_EXE_noyes");
    let results = place.path("out").display().to_string();
    for (command, output) in [("report", "reports"), ("merge", "merged")] {
        let output = place.path(output).display().to_string();
        // No file may be longer than one block.
        let script = format!(
            "trap '' XFSZ; ulimit -f 1; exec '{binary}' bench {command} '{results}' -o '{output}'"
        );
        let done = std::process::Command::new("sh")
            .args(["-c", &script])
            .output()
            .unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{err}");
        assert!(
            err.contains("noyes: cannot write ") && err.contains(&output),
            "{err}"
        );
        let left = fs::read_dir(&output).unwrap().flatten();
        let files = left.filter(|entry| entry.path().is_file()).count();
        assert_eq!(files, 0, "nothing is written in part");
    }
}

#[test]
fn a_gpu_runs_suites_that_are_made_for_it() {
    let run = noyes(&["bench", "run", "korf24", "--device", "gpu", "--dry-run"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("50 runs, after 1 preparing command"));
    assert!(run.out.lines().all(|line| line.contains(" --device gpu ")));
    let run = noyes(&["bench", "run", "korf", "--device", "gpu"]);
    assert_eq!(run.code, 2);
    let said = "noyes: --device gpu: korf has no runs for a GPU (expected korf24)\n";
    assert_eq!(run.err, said);
}

#[test]
fn preparing_in_this_process_fails_with_the_message_of_the_command() {
    for (tiles, said) in [
        (
            "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15",
            "keeps every position",
        ),
        ("2 1 3 4/5 6 7 8/9 10 11 12/13 14 0 15", "unsolvable"),
    ] {
        let prepare = format!("prepare = [\"solve --engine table '{tiles}'\"]\n");
        let place = Place::new(&format!("process = \"inside\"\n{prepare}{SMALL}"));
        let run = place.run(&[]);
        assert_eq!(run.code, 2, "{}", run.err);
        let (_, after) = run
            .err
            .split_once("noyes: prepare: noyes solve --engine table")
            .unwrap();
        assert!(after.contains(said), "{}", run.err);
    }
}
