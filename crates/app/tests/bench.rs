//! Benchmarks through the real program: runs, kills, shards, and what is refused.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Run, command, json, noyes};
use serde_json::Value;
use tempfile::TempDir;

/// Two boards by two configurations.
const SMALL: &str = r#"
title = "two boards, two ways"
[[instances]]
name = "board"
puzzles = ["1 2 3/4 0 6/7 5 8", "8 6 7/2 5 4/3 0 1"]
[[configurations]]
name = "search"
command = "solve --engine astar"
[[configurations]]
name = "sat"
command = "solve --engine sat --encoding lean"
"#;

/// A board that takes all of its three seconds, after one that takes none.
const SLOW: &str = r#"
title = "one quick, one slow"
time-limit = "3s"
[[instances]]
name = "board"
puzzles = ["1 2 3/4 0 6/7 5 8", "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0"]
[[configurations]]
name = "first"
command = "solve --engine idastar --heuristic misplaced"
[[configurations]]
name = "second"
command = "solve --engine iddfs"
"#;

/// A folder with a suite in it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(suite: &str) -> Place {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("own.toml"), suite).unwrap();
        Place { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let suite = self.path("own.toml").display().to_string();
        let output = self.path("out").display().to_string();
        let mut words = vec!["bench".into(), "run".into(), suite];
        if !more.contains(&"-o") {
            words.extend(["-o".into(), output]);
        }
        words.extend(more.iter().map(ToString::to_string));
        words
    }

    fn run(&self, more: &[&str]) -> Run {
        let words = self.arguments(more);
        noyes(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn start(&self) -> Child {
        let words = self.arguments(&[]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = command(&words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    fn results(&self) -> PathBuf {
        self.path("out/own.full.jsonl")
    }

    fn lines(&self) -> Vec<Value> {
        lines(&self.results())
    }

    /// Waits until so many runs are done.
    fn wait_for(&self, runs: usize) {
        let begin = Instant::now();
        let count = || {
            let text = fs::read_to_string(self.results()).unwrap_or_default();
            text.matches('\n').count()
        };
        while count() < runs {
            assert!(begin.elapsed() < Duration::from_secs(120), "no run is made");
            sleep(Duration::from_millis(5));
        }
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(json).collect()
}

/// What tells runs apart.
fn names(lines: &[Value]) -> Vec<String> {
    let name = |line: &Value| {
        format!(
            "{} {} {}",
            line["instance"], line["configuration"], line["repetition"]
        )
    };
    lines.iter().map(name).collect()
}

#[test]
fn a_run_is_a_line_with_everything_in_it() {
    let place = Place::new(SMALL);
    let run = place.run(&[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out, "");
    assert!(run.err.contains("4 runs"), "{}", run.err);
    let lines = place.lines();
    assert_eq!(lines.len(), 4);
    for line in &lines {
        assert_eq!(line["schema"], "noyes-bench/1");
        assert_eq!(
            (&line["suite"], &line["form"]),
            (&"own".into(), &"full".into())
        );
        assert_eq!(line["status"], "optimal");
        let optimum = if line["instance"] == "board-1" { 2 } else { 31 };
        assert_eq!(line["cost"], optimum);
        assert_eq!(
            (&line["lower"], &line["upper"]),
            (&optimum.into(), &optimum.into())
        );
        for positive in ["wall_s", "cpu_s", "peak_bytes", "started", "time_limit_s"] {
            assert!(line[positive].as_f64().unwrap() > 0.0, "{positive}: {line}");
        }
        assert!(
            line["version"]
                .as_str()
                .unwrap()
                .starts_with(env!("CARGO_PKG_VERSION"))
        );
        assert!(line["host"]["cores"].as_u64().unwrap() > 0);
        if line["configuration"] == "sat" {
            assert!(
                line["decisions"].is_u64() && line["clauses"].as_u64() > Some(0),
                "{line}"
            );
        } else {
            assert!(line["expanded"].as_u64() > Some(0) && line["decisions"].is_null());
        }
    }
    let again = place.run(&[]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.err.contains("4 of 4 runs are in"), "{}", again.err);
    assert_eq!(place.lines(), lines);
}

#[test]
fn a_killed_benchmark_loses_nothing_and_repeats_nothing() {
    let place = Place::new(SLOW);
    let mut child = place.start();
    place.wait_for(2); // the third takes three seconds
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(place.results()).unwrap();
    assert_eq!(before.lines().count(), 2);
    // A kill may also come in the middle of a line.
    fs::write(place.results(), format!("{before}{{\"schema\":\"noyes-b")).unwrap();
    let run = place.run(&[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("2 of 4 runs are in"), "{}", run.err);
    let after = fs::read_to_string(place.results()).unwrap();
    assert!(after.starts_with(&before));
    let names = names(&place.lines());
    assert_eq!(names.len(), 4);
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 4);
    // At the limit a run has its bounds.
    let last = &place.lines()[3];
    assert_eq!(
        (&last["status"], &last["error"]),
        (&"limit".into(), &"time limit".into())
    );
    assert!(last["lower"].as_u64() > Some(0) && last["cost"].is_null());
}

/// The processes that solve for this benchmark, found by their time limit.
#[cfg(target_os = "linux")]
fn solving(limit: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|p| fs::read_to_string(p.path().join("cmdline")).ok());
    lines
        .filter(|line| line.contains("\0solve\0") && line.contains(limit))
        .count()
}

#[cfg(target_os = "linux")]
#[test]
fn no_run_outlives_its_benchmark() {
    for signal in ["KILL", "INT"] {
        let limit = format!("99.{}{}s", std::process::id(), signal.len());
        let place = Place::new(&SLOW.replace("3s", &limit));
        let mut child = place.start();
        place.wait_for(2);
        let begin = Instant::now();
        while solving(&limit) == 0 {
            assert!(begin.elapsed() < Duration::from_secs(60), "nothing runs");
            sleep(Duration::from_millis(5));
        }
        let id = child.id().to_string();
        let kill = std::process::Command::new("kill")
            .args([&format!("-{signal}"), &id])
            .status();
        assert!(kill.unwrap().success());
        let code = child.wait().unwrap().code();
        assert_eq!(code, if signal == "INT" { Some(130) } else { None });
        let begin = Instant::now();
        while solving(&limit) > 0 {
            assert!(begin.elapsed() < Duration::from_secs(60), "it still runs");
            sleep(Duration::from_millis(5));
        }
        assert_eq!(place.lines().len(), 2);
    }
}

#[test]
fn two_benchmarks_do_not_write_to_one_file() {
    let place = Place::new(SLOW);
    let mut child = place.start();
    place.wait_for(2);
    let second = place.run(&[]);
    assert_eq!(second.code, 2, "{}", second.err);
    assert!(
        second
            .err
            .contains("another noyes bench run is adding to it"),
        "{}",
        second.err
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn shards_together_are_the_whole() {
    let suite = SMALL.replace("[[instances]]", "repetitions = 3\n[[instances]]");
    let place = Place::new(&suite);
    assert_eq!(place.run(&[]).code, 0);
    let whole: BTreeSet<String> = names(&place.lines()).into_iter().collect();
    assert_eq!(whole.len(), 12);
    let parts = place.path("parts").display().to_string();
    let mut sizes = vec![];
    for part in ["1/5", "2/5", "3/5", "4/5", "5/5"] {
        let run = place.run(&["--shard", part, "-o", &parts]);
        assert_eq!(run.code, 0, "{}", run.err);
        let file = format!("own.full.{}.jsonl", part.replace('/', "-of-"));
        sizes.push(lines(&place.path("parts").join(file)).len());
    }
    assert_eq!(sizes, [3, 3, 2, 2, 2]);
    let merged = place.path("merged").display().to_string();
    for _ in 0..2 {
        // Merging again changes nothing.
        let run = noyes(&["bench", "merge", &parts, "-o", &merged]);
        assert_eq!(run.code, 0, "{}", run.err);
        let lines = lines(&place.path("merged/own.full.jsonl"));
        assert_eq!(lines.len(), 12);
        assert_eq!(names(&lines).into_iter().collect::<BTreeSet<_>>(), whole);
    }
    assert!(place.path("merged/own.toml").is_file());

    // The whole was another set of runs: which of them counts?
    let out = place.path("out").display().to_string();
    let run = noyes(&["bench", "merge", &parts, &out, "-o", &merged]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("different runs of"), "{}", run.err);
    assert_eq!(lines(&place.path("merged/own.full.jsonl")).len(), 12);
    let other = place.path("other.jsonl");
    let text = fs::read_to_string(place.results()).unwrap();
    fs::write(&other, text.replace("\"version\":\"0", "\"version\":\"9")).unwrap();
    let run = noyes(&[
        "bench",
        "merge",
        &out,
        other.to_str().unwrap(),
        "-o",
        &merged,
    ]);
    assert!(
        run.code == 2 && run.err.contains("different programs"),
        "{}",
        run.err
    );
    let run = noyes(&["bench", "merge", "no-such-folder", "-o", &merged]);
    assert!(
        run.code == 2 && run.err.contains("no-such-folder"),
        "{}",
        run.err
    );
}

#[test]
fn a_dry_run_says_what_can_be_typed() {
    let place = Place::new(SMALL);
    let dry = place.run(&["--dry-run"]);
    assert_eq!(dry.code, 0, "{}", dry.err);
    assert!(dry.err.contains("4 runs") && !place.path("out").exists());
    assert_eq!(place.run(&[]).code, 0);
    let commands: Vec<String> = (place.lines().iter())
        .map(|line| line["command"].as_str().unwrap().to_string())
        .collect();
    assert_eq!(dry.out.lines().collect::<Vec<_>>(), commands);
    for (typed, line) in commands.iter().zip(place.lines()) {
        let typed = typed.replacen("noyes", env!("CARGO_BIN_EXE_noyes"), 1);
        let done = std::process::Command::new("sh")
            .args(["-c", &typed])
            .output()
            .unwrap();
        let answer = json(&String::from_utf8(done.stdout).unwrap());
        assert_eq!(answer["cost"], line["cost"]);
    }
}

#[test]
fn a_filter_chooses_by_name() {
    let place = Place::new(SMALL);
    for (filter, count) in [("board-2", 2), ("sat", 2), ("board", 4), ("arch", 2)] {
        let dry = place.run(&["--dry-run", "--filter", filter]);
        assert_eq!((dry.code, dry.out.lines().count()), (0, count), "{filter}");
    }
    let none = place.run(&["--filter", "elephant"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("has this in its name"), "{}", none.err);
    // What is filtered now can be added later.
    assert_eq!(place.run(&["--filter", "sat"]).code, 0);
    assert_eq!(place.lines().len(), 2);
    assert_eq!(place.run(&[]).code, 0);
    assert_eq!(
        names(&place.lines()).iter().collect::<BTreeSet<_>>().len(),
        4
    );
}

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
            "noyes-bench/1",
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
            "--engine astar",
            "--engine astar --at-most {k}",
            "{k} is no parameter of it, and no tag of board-1",
        ),
        ("--engine astar", "--goal 'x", "without its end"),
        (
            "name = \"sat\"",
            "name = \"search\"",
            "two configurations are called \"search\"",
        ),
        (
            "name = \"sat\"",
            "name = \"sat\"\ninstances = [\"bored\"]",
            "no instances \"bored\"",
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
            "only: 3 is not one of 1 to 2",
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
            "repetitions: expected 1 or more",
        ),
        (
            "[[instances]]",
            "process = \"outside\"\n[[instances]]",
            "unknown variant `outside`",
        ),
        (
            "[[configurations]]",
            "[[said]]\nconfiguration = \"sad\"\nmeasure = \"cost\"\nstatistic = \"mean\"\nvalue = 1\n[[configurations]]",
            "said: \"sad\" is no configuration",
        ),
        (
            "[[configurations]]",
            "[[views]]\nkind = \"scatter\"\ntitle = \"\"\nmeasure = \"cost\"\nacross = \"sat\"\nup = \"sad\"\n[[configurations]]",
            "views: \"sad\" is no configuration",
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
        (&["--shard", "3/2"][..], "expected a part and their number"),
        (&["--shard", "9/9"], "this part is empty"),
        (&["--shard", "x"], "expected a part and their number"),
    ] {
        let run = place.run(more);
        assert!(run.code == 2 && run.err.contains(said), "{}", run.err);
    }
    let run = noyes(&["bench", "run", "tabel-7-1"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("perhaps table-7-1?") && run.err.contains("korf, "),
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
        run.code == 2 && run.err.contains("cannot make"),
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
    for (name, said) in [
        ("no such flag", "'--elephant'"),
        ("no such program", "/no/such/program"),
        ("no JSON", "something else than JSON"),
    ] {
        let (status, error) = told(name);
        assert_eq!(status, "failed", "{error}");
        assert!(error.contains(said), "{error}");
    }
    assert_eq!(told("no plan of one move"), ("done".into(), String::new()));
    assert_eq!(find("no plan of one move")["lower"], 2);
    assert_eq!(told("a plan"), ("optimal".into(), String::new()));
}

#[test]
fn limits_are_enforced_on_commands_that_know_none() {
    for (limit, said) in [
        ("time-limit = \"50ms\"", "time limit (ended by force)"),
        ("memory-limit = \"14MiB\"", "memory limit (ended by force)"),
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
            (&line["status"], &line["error"]),
            (&"limit".into(), &said.into())
        );
        assert_eq!(line["instance"], "");
    }
}

#[test]
fn wrong_answers_are_shouted() {
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

#[test]
fn runs_inside_the_process_are_for_solve_alone() {
    let inside = SMALL.replace("[[instances]]", "process = \"inside\"\n[[instances]]");
    let place = Place::new(&inside);
    let run = place.run(&[]);
    assert_eq!(run.code, 0, "{}", run.err);
    for line in place.lines() {
        assert_eq!(
            (&line["process"], &line["status"]),
            (&"inside".into(), &"optimal".into())
        );
        assert!(line["wall_s"].as_f64().unwrap() > 0.0);
    }
    let place = Place::new(&inside.replace("solve --engine astar", "encode -k 2 --stats"));
    let run = place.run(&[]);
    assert!(
        run.code == 2 && run.err.contains("is for solve alone"),
        "{}",
        run.err
    );
}

#[test]
fn instances_come_from_files_generators_and_fewer_boxes() {
    let suite = r#"
title = "sources"
[[instances]]
name = "made"
generate = "3x3 -n 3 --seed 1 --distance 9"
quick = 1
[[instances]]
name = "korf"
file = "korf15.csv"
only = [12, 1]
[[instances]]
name = "map"
file = "sokoban/map1.txt"
boxes = [1, 6]
[[instances]]
name = "not there"
file = "elsewhere.xsb"
[[instances]]
name = "there"
file = "mine.xsb"
[[configurations]]
name = "k"
command = "encode -k {k} --stats"
parameters = { k = [1, 2, 3] }
quick-parameters = { k = [3] }
"#;
    let place = Place::new(suite);
    fs::create_dir(place.path("data")).unwrap();
    fs::write(place.path("data/mine.xsb"), "#####\n#@$.#\n#####\n").unwrap();
    let data = place.path("data").display().to_string();
    let dry = place.run(&["--dry-run", "--data", &data]);
    assert_eq!(dry.code, 0, "{}", dry.err);
    assert!(
        dry.err.contains("left out, not in") && dry.err.contains("elsewhere.xsb"),
        "{}",
        dry.err
    );
    assert_eq!(dry.out.lines().count(), (3 + 2 + 2 + 1) * 3);
    let run = place.run(&["--quick", "--data", &data]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = lines(&place.path("out/own.quick.jsonl"));
    let names: Vec<&str> = lines
        .iter()
        .map(|l| l["instance"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["made-1", "korf-12", "korf-1", "map-1", "map-6", "there"]
    );
    let tags = |at: usize| lines[at]["tags"].to_string();
    assert_eq!(tags(0), r#"{"distance":9,"k":3,"optimal":9}"#);
    assert_eq!(lines[0]["seed"], 1);
    assert!(tags(1).contains(r#""optimal":45"#), "{}", tags(1));
    assert!(tags(3).contains(r#""boxes":1"#));
    assert!(
        lines
            .iter()
            .all(|l| l["status"] == "done" && l["clauses"].as_u64() > Some(0))
    );
}

#[test]
fn what_prepares_runs_first_and_must_succeed() {
    let place =
        Place::new(&SMALL.replace("[[instances]]", "prepare = [\"pdb list\"]\n[[instances]]"));
    let run = place.run(&[]);
    assert!(
        run.code == 0 && run.err.contains("preparing, not counted: noyes pdb list"),
        "{}",
        run.err
    );
    assert_eq!(place.lines().len(), 4);
    let place = Place::new(&SMALL.replace(
        "[[instances]]",
        "prepare = [\"pdb elephant\"]\n[[instances]]",
    ));
    let run = place.run(&[]);
    assert!(
        run.code != 0 && run.err.contains("prepare: noyes pdb elephant"),
        "{}",
        run.err
    );
    assert!(place.lines().is_empty());
}

#[test]
fn every_suite_of_the_project_can_be_run() {
    let listed = noyes(&["bench", "list", "--json"]);
    assert_eq!(listed.code, 0);
    let suites: Vec<String> = (listed.out.lines())
        .map(|line| json(line)["suite"].as_str().unwrap().to_string())
        .collect();
    for expected in [
        "table-7-1",
        "section-7-3",
        "tables-5-1-5-2",
        "counts-6",
        "pairs",
        "table-1",
        "figures-6-9",
        "histogram-8",
        "ota",
        "ota-histograms",
        "korf",
        "race",
    ] {
        assert!(suites.iter().any(|s| s == expected), "{expected}");
    }
    for suite in &suites {
        for form in [&["--quick"][..], &[]] {
            let run = noyes(&[&["bench", "run", suite, "--dry-run"], form].concat());
            assert_eq!(run.code, 0, "{suite}: {}", run.err);
            assert!(run.out.lines().count() > 0, "{suite}");
        }
    }
}

#[test]
fn the_sizes_of_the_documents_come_out_again() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().display().to_string();
    for suite in ["counts-6", "tables-5-1-5-2"] {
        let run = noyes(&["bench", "run", suite, "--quick", "-o", &output]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let find = |file: &str, instance: &str, configuration: &str| -> Value {
        let lines = lines(&folder.path().join(file));
        let mut found = lines
            .into_iter()
            .filter(|l| l["instance"] == instance && l["configuration"] == configuration);
        found.next().unwrap()
    };
    for (instance, sizes) in [
        ("8-puzzle, 32 steps", [461, 917, 188]),
        ("15-puzzle, 64 steps", [1364, 2723, 508]),
    ] {
        let line = find("counts-6.quick.jsonl", instance, "all constraints");
        let names = [
            "csp_variables",
            "essential_constraints",
            "additional_constraints",
        ];
        assert_eq!(names.map(|n| line["values"][n].as_u64().unwrap()), sizes);
    }
    let csp = find("tables-5-1-5-2.quick.jsonl", "figure 5.2", "the CSP");
    assert_eq!(csp["values"]["csp_variables"], 58);
    assert_eq!(csp["values"]["essential_constraints"], 91);
    let solution = find("tables-5-1-5-2.quick.jsonl", "figure 5.2", "the solution");
    assert_eq!(
        (&solution["status"], &solution["cost"]),
        (&"optimal".into(), &1.into())
    );
}
