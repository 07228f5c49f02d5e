//! Benchmarks through the real program: runs, kills, shards, and what is refused.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::bench_place::{Place, SLOW, SMALL, lines, names};
use crate::common::{json, noyes};
use flate2::Compression;
use flate2::write::GzEncoder;
use noyes_puzzle::tiles::Goal;
use noyes_solver::tiles::pdb::Partition;
use serde_json::Value;
use tempfile::TempDir;

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
        assert_eq!(line["schema"], "noyes-bench/2");
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
    assert!(
        again.err.contains("4 of 4 runs are already in"),
        "{}",
        again.err
    );
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
    assert!(
        run.err.contains("2 of 4 runs are already in"),
        "{}",
        run.err
    );
    let after = fs::read_to_string(place.results()).unwrap();
    assert!(after.starts_with(&before));
    let names = names(&place.lines());
    assert_eq!(names.len(), 4);
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 4);
    // At the limit a run has its bounds.
    let last = &place.lines()[3];
    assert_eq!(
        (&last["status"], &last["stop"], &last["killed"]),
        (&"limit".into(), &"time".into(), &false.into())
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
        let lines = lines(&place.path("parts").join(file));
        let of = |name: &str| lines.iter().filter(|l| l["configuration"] == name).count();
        assert_eq!(of("search"), of("sat"), "each part can be compared");
        sizes.push(lines.len());
    }
    assert_eq!(sizes, [4, 2, 2, 2, 2]);
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
    assert!(
        none.err
            .contains("has this in the name of its instance or configuration"),
        "{}",
        none.err
    );
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
        run.code == 2 && run.err.contains("is only for solve"),
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
        dry.err.contains("skipped, not found in") && dry.err.contains("elsewhere.xsb"),
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
fn the_tables_that_suites_prepare_fit_their_boards() {
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bench/suites");
    let mut prepared = 0;
    for file in fs::read_dir(suites).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for command in text.split('"').filter_map(|t| t.strip_prefix("pdb build ")) {
            let words: Vec<&str> = command.split(' ').collect();
            let option = |name: &str| {
                let at = words.iter().position(|word| *word == name)?;
                Some(words[at + 1])
            };
            let (width, height) = option("--size").unwrap_or("4x4").split_once('x').unwrap();
            let size = (width.parse().unwrap(), height.parse().unwrap());
            let goal = Goal::parse(option("--goal").unwrap_or("blank-last"), Some(size)).unwrap();
            let goal = goal.of_size(size.0, size.1).unwrap();
            let partition: Partition = words[0].parse().unwrap();
            assert!(partition.keys(&goal).is_ok(), "noyes pdb build {command}");
            prepared += 1;
        }
    }
    assert!(prepared > 5, "{prepared} commands");
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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bench/suites");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let mut expected: Vec<String> = files
        .map(|file| file.path().file_stem().unwrap().display().to_string())
        .collect();
    expected.sort();
    assert!(expected.iter().any(|suite| suite == "korf"));
    assert_eq!(suites, expected);
    for suite in &suites {
        for form in [&["--quick"][..], &[]] {
            let run = noyes(&[&["bench", "run", suite, "--dry-run"], form].concat());
            assert_eq!(run.code, 0, "{suite}: {}", run.err);
            assert!(run.out.lines().count() > 0, "{suite}");
        }
    }
}

/// The NTU report begins at step 1, and its formula for that has 420 variables.
#[test]
fn the_first_question_of_the_sokoban_suites_reaches_a_solver() {
    let mut asked = 0;
    for suite in ["table-1", "figures-6-9"] {
        for form in [&["--quick"][..], &[]] {
            let dry = noyes(&[&["bench", "run", suite, "--dry-run"], form].concat());
            let on_map1 = json(&noyes(&["levels", MAP1, "--json"]).out)["puzzle"].clone();
            for line in dry.out.lines() {
                let words = shell_words::split(line).unwrap();
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let begins = words.windows(2).any(|pair| pair == ["--from", "1"]);
                if !begins || !words.iter().any(|word| on_map1 == *word) {
                    continue;
                }
                assert!(words.contains(&"--no-wait"), "{line}");
                // The first of its questions, if it has several.
                let mut first: Vec<&str> = words[1..].to_vec();
                match first.iter().position(|word| *word == "--at-most") {
                    Some(at) => first[at + 1] = "1",
                    None => first.extend(["--at-most", "1"]),
                }
                let record = json(&noyes(&first).out);
                assert_eq!(record["stop"], "bound", "{line}");
                assert_eq!(record["lower"], 12, "{line}");
                let variables = record["variables"].as_u64().unwrap();
                assert!(variables > 0, "{line}");
                if words.windows(2).any(|pair| pair == ["--encoding", "moves"]) {
                    // Each step has one more, which says whether it is solved.
                    assert_eq!(variables, 420 + 2, "{line}");
                }
                asked += 1;
            }
        }
    }
    assert!(asked >= 20, "{asked}");
}

const MAP1: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sokoban/map1.txt");

#[test]
fn instances_may_have_a_time_limit_of_their_own() {
    let suite = SMALL.replacen("[[instances]]", "[[instances]]\ntime-limit = \"77s\"", 1);
    let place = Place::new(&suite);
    let limits = |form: &[&str]| -> usize {
        let dry = place.run(&[&["--dry-run"], form].concat());
        assert_eq!(dry.code, 0, "{}", dry.err);
        dry.out.matches("--time-limit 77s").count()
    };
    assert!(limits(&[]) > 0 && limits(&["--quick"]) == 0);
    let bad = Place::new(&suite.replace("77s", "soon"));
    let run = bad.run(&[]);
    assert!(
        run.code == 2 && run.err.contains("time-limit: expected a time"),
        "{}",
        run.err
    );
}

#[test]
fn the_sizes_in_the_papers_are_reproduced() {
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

#[test]
fn runs_can_be_shortened_and_results_compressed() {
    let place = Place::new(SMALL);
    let run = place.run(&["--time-limit", "50s"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = place.lines();
    assert!(lines.iter().all(|line| line["time_limit_s"] == 50.0));
    // A longer time changes nothing: the suite allows a minute.
    let other = place.run(&["--time-limit", "1h", "--dry-run"]);
    assert!(other.out.contains("--time-limit 60s"), "{}", other.out);
    let longer = place.run(&[]);
    assert_eq!(longer.code, 2);
    let said = "has results within 50 s and 4096 MiB, but these runs have 60 s";
    assert!(longer.err.contains(said), "{}", longer.err);

    let file = place.results();
    let folder = file.parent().unwrap();
    let plain = noyes(&["bench", "report", folder.to_str().unwrap()]);
    assert_eq!(plain.code, 0, "{}", plain.err);
    let before = fs::read_to_string(folder.join("report.md")).unwrap();
    let packed = fs::File::create(folder.join("own.full.jsonl.gz")).unwrap();
    let mut packed = GzEncoder::new(packed, Compression::default());
    packed.write_all(&fs::read(&file).unwrap()).unwrap();
    packed.finish().unwrap();
    fs::remove_file(&file).unwrap();
    let run = noyes(&["bench", "report", folder.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        fs::read_to_string(folder.join("report.md")).unwrap(),
        before
    );
    fs::write(folder.join("own.full.jsonl.gz"), "not gzip").unwrap();
    let run = noyes(&["bench", "report", folder.to_str().unwrap()]);
    assert!(
        run.code == 2 && run.err.contains("own.full.jsonl.gz"),
        "{}",
        run.err
    );
}
