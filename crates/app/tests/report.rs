//! `noyes bench report` on results written here: statistics computed by hand, figures of a paper beside ours,
//! names full of signs, results that contradict one another, and folders that are no results.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Run, assert_refused, noyes};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

const ODD: &str = r#"c_<b>&"{1}% \x $~^#|*"#;

const SUITE: &str = r#"
title = "Tiny & <b>small</b>"
source = "Somebody's \"document\" of 50%, table 1"
time-limit = "10s"

[[instances]]
name = "t"
puzzles = ["1 2 3/4 0 6/7 5 8", "1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/0 7 8", "1 2 0/4 5 3/7 8 6"]

[[configurations]]
name = "a"
command = "solve"

[[configurations]]
name = "b"
command = "solve --engine bfs"

[[said]]
configuration = "a"
measure = "wall_s"
statistic = "mean"
value = 12.0
note = "machine 3"

[[said]]
configuration = "b"
measure = "wall_s"
statistic = "median"
value = 30.0

[[said]]
configuration = "Program X"
theirs = true
measure = "wall_s"
statistic = "mean"
value = 7200.0
words = "close to 2 hours"

[[said]]
configuration = "a"
measure = "expanded"
statistic = "most"
value = 1234567.0

[[views]]
kind = "table"
title = "Times"
columns = [
  { measure = "wall_s", statistic = "solved" },
  { measure = "wall_s", statistic = "mean" },
  { measure = "wall_s", statistic = "median" },
  { measure = "wall_s", statistic = "par2" },
  { measure = "wall_s", statistic = "most" },
]

[[views]]
kind = "cross"
title = "Each board"
rows = "instance"
measure = "wall_s"
statistic = "median"

[[views]]
kind = "cactus"
title = "Cactus"
measure = "wall_s"

[[views]]
kind = "scatter"
title = "Scatter"
measure = "wall_s"
across = "a"
up = "b"

[[views]]
kind = "growth"
title = "Growth"
across = "cost"
measure = "wall_s"
log = true

[[views]]
kind = "histogram"
title = "Histogram"
measure = "wall_s"
"#;

/// A run as its line; without a time it reached the limit of ten seconds.
fn line(configuration: &str, number: usize, seconds: Option<f64>) -> Value {
    let cost = seconds.map(|_| number + 1);
    let mut line = json!({
        "schema": "noyes-bench/2", "suite": "tiny", "form": "full", "instance": format!("t-{number}"),
        "configuration": configuration, "tags": {}, "repetition": 1, "command": format!("noyes solve {number}"),
        "status": "optimal", "cost": cost, "lower": cost.unwrap_or(1),
        "upper": cost, "wall_s": seconds.unwrap_or(10.0), "cpu_s": 0.5, "peak_bytes": 1_000_000, "expanded": 100,
        "generated": null, "variables": null, "clauses": null, "conflicts": null, "decisions": null, "seed": null,
        "time_limit_s": 10.0, "memory_limit_bytes": 1u64 << 32, "process": "fresh", "values": {"objective": "moves"},
        "started": 1_735_689_600, "version": env!("CARGO_PKG_VERSION"),
        "host": {"processor": "P", "cores": 2, "memory_bytes": 8_000_000_000u64, "system": "linux"},
    });
    if seconds.is_none() {
        line["status"] = json!("limit");
        line["stop"] = json!("time");
        line["killed"] = json!(false);
    }
    line
}

/// The same line as earlier versions wrote it.
fn old(mut line: Value) -> Value {
    line["schema"] = json!("noyes-bench/1");
    line["error"] = match line["status"].as_str().unwrap() {
        "limit" => json!("time limit"),
        _ => Value::Null,
    };
    let fields = line.as_object_mut().unwrap();
    fields.remove("stop");
    fields.remove("killed");
    line
}

/// Four boards by two configurations: a solves three of them, b two.
fn runs() -> Vec<Value> {
    let times = [
        ("a", [Some(1.0), Some(2.0), Some(3.0), None]),
        ("b", [Some(5.0), Some(1.0), None, None]),
    ];
    let of = |(name, times): (&'static str, [Option<f64>; 4])| {
        let numbered = times.into_iter().enumerate();
        numbered.map(move |(i, time)| line(name, i + 1, time))
    };
    times.into_iter().flat_map(of).collect()
}

fn lines(runs: &[Value]) -> String {
    runs.iter().map(|run| run.to_string() + "\n").collect()
}

/// A folder with these results and the suite.
fn folder(runs: &[Value]) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("tiny.toml"), SUITE).unwrap();
    fs::write(folder.path().join("tiny.full.jsonl"), lines(runs)).unwrap();
    folder
}

fn call(folder: &Path, more: &[&str]) -> Run {
    noyes(&[&["bench", "report", folder.to_str().unwrap()], more].concat())
}

/// The report of these runs in one of its forms.
fn report(runs: &[Value], name: &str) -> String {
    let folder = folder(runs);
    read(folder.path(), name)
}

fn read(folder: &Path, name: &str) -> String {
    let run = call(folder, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The cells of a row of a Markdown table under a heading.
fn row(markdown: &str, heading: &str, label: &str) -> Vec<String> {
    let after = markdown
        .split(&format!("### {heading}\n"))
        .nth(1)
        .unwrap_or_else(|| panic!("no {heading} in {markdown}"));
    let table = after.split("\n#").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim_matches('|').split(" | ");
        inner.map(|cell| cell.trim().to_string()).collect()
    };
    rows.map(cells)
        .find(|cells| cells[0] == label)
        .unwrap_or_else(|| panic!("no row {label} in {table}"))
}

#[test]
fn statistics_are_those_computed_by_hand() {
    let markdown = report(&runs(), "report.md");
    // Columns: answered; mean, paper, ratio; median, paper, ratio; PAR-2; most.
    assert_eq!(
        row(&markdown, "Times", "a"),
        [
            "a",
            "3 of 4",
            "≥ 4 s (3 of 4)",
            "12 s \\[a\\]",
            "≤ 3×",
            "2.50 s \\[1 s – ≥ 10 s\\] (3 of 4)",
            "–",
            "–",
            "6.50 s",
            "≥ 10 s (3 of 4)"
        ]
    );
    assert_eq!(
        row(&markdown, "Times", "b"),
        [
            "b",
            "2 of 4",
            "≥ 6.50 s (2 of 4)",
            "–",
            "–",
            "≥ 7.50 s (2 of 4)",
            "30 s",
            "≤ 4×",
            "11.5 s",
            "≥ 10 s (2 of 4)"
        ]
    );
    let comparison = "All configurations on the same tasks";
    assert_eq!(
        row(&markdown, comparison, "a"),
        ["a", "3 of 4", "6.50 s", "2"]
    );
    assert_eq!(
        row(&markdown, comparison, "b"),
        ["b", "2 of 4", "11.5 s", "1"]
    );
    // The better of each: 1, 1, 3 and twice the limit.
    assert_eq!(
        row(&markdown, comparison, "virtual best")[..3],
        ["virtual best", "3 of 4", "6.25 s"]
    );
    assert_eq!(
        row(&markdown, "Each board", "t-3")[..3],
        ["t-3", "3 s", "≥ 10 s (0 of 1)"]
    );
    assert!(!markdown.contains("Not finished"), "{markdown}");
}

#[test]
fn repeated_runs_name_their_spread() {
    let mut all = runs();
    for (repetition, seconds) in [(2, 4.0), (3, 2.0)] {
        let mut again = line("b", 1, Some(seconds));
        again["repetition"] = json!(repetition);
        all.push(again);
    }
    let markdown = report(&all, "report.md");
    let cells = row(&markdown, "Each board", "t-1");
    assert_eq!(cells[2], "4 s \\[2 – 5 s\\]");
    assert!(markdown.contains("of up to 3 runs"), "{markdown}");
    let table = SUITE.replace(
        "statistic = \"median\"\n\n[[views]]",
        "statistic = \"mean\"\n\n[[views]]",
    );
    let folder = folder(&all);
    fs::write(folder.path().join("tiny.toml"), table).unwrap();
    let markdown = read(folder.path(), "report.md");
    assert_eq!(row(&markdown, "Each board", "t-1")[4], "3.67 ± 1.53 s"); // of 5, 4 and 2
}

#[test]
fn figures_of_the_paper_have_their_source() {
    let markdown = report(&runs(), "report.md");
    let only = row(&markdown, "Times", "Program X (paper)");
    assert_eq!(only[1..5], ["–", "–", "close to 2 hours", "–"]);
    assert!(markdown.contains("Paper: Somebody's \"document\" of 50%, table 1."));
    assert!(markdown.contains("\\[a\\] machine 3"));
    // What no view has a place for is not lost.
    let further = row(&markdown, "Other figures of the paper", "a");
    assert_eq!(further, ["a", "all", "states expanded, most", "1,234,567"]);
    let html = report(&runs(), "report.html");
    assert!(html.contains("<td class=\"paper\">12 s [a]</td><td class=\"ratio\">≤ 3×</td>"));
}

#[test]
fn a_run_is_a_row_of_the_table_for_other_programs() {
    let mut all = runs();
    all[0]["tags"] = json!({"distance": 2});
    all[0]["values"] =
        json!({"objective": "moves", "counts": [1, 2], "note": "with, comma and \"quote\""});
    let csv = report(&all, "runs.csv");
    let mut rows = csv.lines();
    let heads: Vec<&str> = rows.next().unwrap().split(',').collect();
    assert_eq!(
        heads[..6],
        [
            "suite",
            "form",
            "instance",
            "configuration",
            "repetition",
            "status"
        ]
    );
    assert!(heads.contains(&"tag_distance") && heads.contains(&"value_objective"));
    assert!(!heads.contains(&"value_counts"), "a list is no cell");
    assert_eq!(rows.clone().count(), 8);
    assert!(csv.contains("\"with, comma and \"\"quote\"\"\""));
    let cell = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    let first: Vec<&str> = rows.next().unwrap().split(',').collect();
    assert_eq!(
        (
            first[cell("wall_s")],
            first[cell("cost")],
            first[cell("clauses")]
        ),
        ("1", "2", "")
    );
}

#[test]
fn names_are_written_not_obeyed() {
    let mut all = runs();
    let mut odd = line(ODD, 1, Some(1.0));
    odd["command"] = json!("noyes solve '<script>alert(1)</script>'");
    all.push(odd);
    let folder = folder(&all);
    let html = read(folder.path(), "report.html");
    assert!(html.contains("c_&lt;b&gt;&amp;&quot;{1}% \\x"));
    assert!(!html.contains("<b>") && !html.contains("<script"), "{html}");
    assert_well_formed(&html);
    for plot in fs::read_dir(folder.path().join("plots")).unwrap() {
        assert_well_formed(&fs::read_to_string(plot.unwrap().path()).unwrap());
    }
    let latex = read(folder.path(), "report.tex");
    assert!(latex.contains(r"c\_\textless{}b\textgreater{}\&\textquotedbl{}\{1\}\% \textbackslash{}x \$\textasciitilde{}\textasciicircum{}\#\textbar{}*"));
    let markdown = read(folder.path(), "report.md");
    let label = r#"c\_&lt;b&gt;&amp;"{1}% \\x \$\~^\#\|\*"#;
    assert_eq!(row(&markdown, "Times", label)[1], "1 of 1");
}

/// Every tag is closed, in order, and every attribute is quoted.
fn assert_well_formed(text: &str) {
    let mut open: Vec<String> = vec![];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        assert!(
            !before.contains('>') || open.last().is_some_and(|tag| tag == "style"),
            "{before}"
        );
        let (tag, after) = after.split_once('>').unwrap();
        rest = after;
        let name = tag
            .trim_start_matches('/')
            .split([' ', '\n', '/'])
            .next()
            .unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed out of order");
        } else if !tag.starts_with('!') && !tag.ends_with('/') && name != "meta" {
            open.push(name.into());
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn the_page_has_everything_in_it() {
    let html = report(&runs(), "report.html");
    assert_eq!(html.matches("<svg").count(), 4);
    assert_eq!(html.matches("role=\"img\"").count(), 4);
    assert_eq!(html.matches("<desc").count(), 4);
    assert!(html.contains("a: 3 of 4") && html.contains("virtual best: 3 of 4"));
    assert!(html.contains("prefers-color-scheme:dark"));
    let outside = ["src=", "@import", "url(http", "<link", "<script"];
    assert!(outside.iter().all(|way| !html.contains(way)));
    let addresses = html.matches("http").count();
    assert_eq!(
        addresses,
        html.matches("xmlns=\"http://www.w3.org/2000/svg\"").count()
    );
    let mut ids: Vec<&str> = html
        .split(" id=\"")
        .skip(1)
        .map(|s| s.split('"').next().unwrap())
        .collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "every id is there once");
}

#[test]
fn latex_compiles_where_there_is_one() {
    let mut all = runs();
    all.push(line(ODD, 1, Some(1.0)));
    all[0]["status"] = json!("failed");
    all[0]["failure"] = json!("error");
    all[0]["error"] = json!("→ 中 é");
    let folder = folder(&all);
    let latex = read(folder.path(), "report.tex");
    let count = |sign: &str| latex.matches(sign).count();
    assert_eq!(count("\\begin{"), count("\\end{"));
    assert_eq!(count("\\toprule"), count("\\bottomrule"));
    assert_eq!(count("\\begin{axis}"), 4);
    let packages = Command::new("kpsewhich")
        .args(["pgfplots.sty", "booktabs.sty"])
        .output();
    if !packages.is_ok_and(|found| found.status.success()) {
        return; // nothing to compile it with
    }
    let done = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "report.tex"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let names = ["report.md", "runs.csv", "report.tex", "report.html"];
    let all = |folder: &Path| names.map(|name| read(folder, name));
    let folder = folder(&runs());
    let first = all(folder.path());
    assert_eq!(first, all(folder.path()));
    // Shards in any order are the same results.
    let shards = tempdir().unwrap();
    fs::write(shards.path().join("tiny.toml"), SUITE).unwrap();
    let (mut odd, mut even) = (vec![], vec![]);
    for (i, run) in runs().into_iter().enumerate() {
        if i % 2 == 0 { &mut even } else { &mut odd }.push(run);
    }
    fs::write(shards.path().join("tiny.full.1-of-2.jsonl"), lines(&odd)).unwrap();
    fs::write(shards.path().join("tiny.full.2-of-2.jsonl"), lines(&even)).unwrap();
    let [markdown, _, latex, html] = all(shards.path());
    assert_eq!(
        (&markdown, &latex, &html),
        (&first[0], &first[2], &first[3])
    );
}

#[test]
fn lines_of_earlier_versions_are_the_same_results() {
    let names = ["report.md", "runs.csv", "report.tex", "report.html"];
    let (new, earlier) = (runs(), runs().into_iter().map(old).collect::<Vec<_>>());
    for name in names {
        assert_eq!(report(&new, name), report(&earlier, name), "{name}");
    }
    // Merged, they are written as lines of today, and both forms of a run are one run.
    let (new, earlier) = (folder(&new), folder(&earlier));
    let merged = tempdir().unwrap();
    let path = |folder: &TempDir| folder.path().to_str().unwrap().to_string();
    let run = noyes(&[
        "bench",
        "merge",
        &path(&earlier),
        &path(&new),
        "-o",
        &path(&merged),
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let text = fs::read_to_string(merged.path().join("tiny.full.jsonl")).unwrap();
    let all: Vec<Value> = text.lines().map(crate::common::json).collect();
    assert_eq!(all, runs());
}

#[test]
fn how_a_run_ended_is_in_the_table_for_other_programs() {
    let mut all = runs();
    all[0] = {
        let mut line = line("a", 1, None);
        line["status"] = json!("failed");
        line["failure"] = json!("bad-input");
        line["error"] = json!("no such flag");
        line
    };
    let csv = report(&all, "runs.csv");
    let cells = |at: usize| -> Vec<String> {
        let row = csv.lines().nth(at).unwrap();
        row.split(',').map(Into::into).collect()
    };
    let heads = cells(0);
    let of = |row: &[String]| {
        ["status", "stop", "killed", "failure", "error"].map(|name| {
            let at = heads.iter().position(|head| head == name).unwrap();
            row[at].clone()
        })
    };
    assert_eq!(
        of(&cells(1)),
        ["failed", "", "", "bad-input", "no such flag"]
    );
    assert_eq!(of(&cells(3)), ["optimal", "", "", "", ""]);
    assert_eq!(of(&cells(8)), ["limit", "time", "false", "", ""]);
}

#[test]
fn contradictory_answers_are_reported_first() {
    let mut all = runs();
    all[5]["cost"] = json!(7);
    all[5]["lower"] = json!(7);
    all[5]["upper"] = json!(7);
    all[7]["status"] = json!("failed");
    all[7]["failure"] = json!("crashed");
    all[7]["error"] = json!("killed by signal 9");
    let folder = folder(&all);
    let run = call(folder.path(), &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.err.contains("these contradict each other"),
        "{}",
        run.err
    );
    let html = fs::read_to_string(folder.path().join("report.html")).unwrap();
    let alarm = html
        .find("<section class=\"bad\" role=\"alert\">")
        .expect("a red box");
    assert!(alarm < html.find("<h2 id=").unwrap());
    let alarm = &html[alarm..html.find("</section>").unwrap()];
    assert!(
        alarm.contains("t-2") && alarm.contains("these contradict each other"),
        "{alarm}"
    );
    assert!(
        alarm.contains("1 of 8 runs failed") && alarm.contains("killed by signal 9"),
        "{alarm}"
    );
    let markdown = fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(markdown.contains("> **Something is wrong"));
    assert!(!report(&runs(), "report.html").contains("class=\"bad\""));
}

#[test]
fn two_answers_of_one_run_are_an_error() {
    let mut all = runs();
    let mut again = all[1].clone();
    again["wall_s"] = json!(2.5);
    all.push(again.clone());
    let twice = report(&all, "report.md");
    assert!(
        twice.contains("1 run is more than once in the results"),
        "{twice}"
    );
    again["cost"] = json!(9);
    all.push(again);
    let folder = folder(&all);
    let run = call(folder.path(), &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    let said = "a on t-2 (repetition 1) has two different answers: optimal with cost 3, and optimal with cost 9";
    assert!(run.err.contains(said), "{}", run.err);
    let html = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(html.contains(said));
}

#[test]
fn a_cell_is_no_formula() {
    let mut all = runs();
    all[0]["instance"] = json!("=HYPERLINK(\"x\")");
    all[0]["tags"] = json!({"shift": -3, "name": "@SUM(1)"});
    all[1]["configuration"] = json!("+a");
    all[2]["values"] =
        json!({"objective": "moves", "note": "-1+1", "offset": -2.5, "number": "-4"});
    let csv = report(&all, "runs.csv");
    for cell in [
        "\"'=HYPERLINK(\"\"x\"\")\"",
        ",'@SUM(1),",
        ",'+a,",
        ",'-1+1,",
        ",-3,",
        ",-2.5,",
        ",-4,",
    ] {
        assert!(
            csv.contains(cell) || csv.contains(cell.trim_end_matches(',')),
            "{cell}: {csv}"
        );
    }
    assert!(
        !csv.contains(",=") && !csv.contains(",@") && !csv.contains(",+"),
        "{csv}"
    );
}

#[test]
fn missing_runs_are_reported() {
    let markdown = report(&runs()[..5], "report.md");
    assert!(
        markdown.contains("Not finished: 3 of the 8 runs"),
        "{markdown}"
    );
    assert_eq!(row(&markdown, "Each board", "t-2")[2], "not run");
    assert!(
        markdown.contains("Only the 1 tasks that every configuration ran")
            || !markdown.contains("virtual best")
    );
    let mut none = runs();
    none.truncate(4);
    let markdown = report(&none, "report.md");
    assert!(
        markdown.contains("The plot \"Scatter\" cannot be drawn: there are no runs of b."),
        "{markdown}"
    );
}

#[test]
fn versions_and_machines_are_kept_apart() {
    let mut all = runs();
    for run in runs() {
        let mut other = run;
        other["version"] = json!("0.0.7");
        all.push(other);
    }
    let markdown = report(&all, "report.md");
    assert_eq!(markdown.matches("\n## ").count(), 2);
    assert!(markdown.contains("(full form), version 0.0.7"));
    assert!(markdown.contains("from 2 versions or machines"));
    assert!(markdown.contains("2 of 2 sections have results of another build"));
    assert_eq!(row(&markdown, "Times", "a")[1], "3 of 4");
    let mut all = runs();
    all[3]["host"]["processor"] = json!("Q");
    let markdown = report(&all, "report.md");
    assert_eq!(markdown.matches("\n## ").count(), 2);
    assert!(
        !markdown.contains("Not finished"),
        "both machines together ran all of it"
    );
}

#[test]
fn an_unknown_suite_is_reported_with_general_tables() {
    let folder = folder(&runs());
    fs::remove_file(folder.path().join("tiny.toml")).unwrap();
    let markdown = read(folder.path(), "report.md");
    assert!(markdown.contains("has no suite tiny"), "{markdown}");
    assert_eq!(row(&markdown, "Times", "a")[1], "3 of 4");
}

#[test]
fn only_what_is_wanted_is_written_where_it_is_wanted() {
    let folder = folder(&runs());
    let output = folder.path().join("new/place");
    let run = call(
        folder.path(),
        &["--format", "csv,html", "-o", output.to_str().unwrap()],
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.lines().count(), 2);
    let mut files: Vec<_> = fs::read_dir(&output)
        .unwrap()
        .map(|f| f.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["report.html", "runs.csv"]);
    assert!(!folder.path().join("report.md").exists());
}

#[test]
fn a_line_cut_short_at_the_end_is_not_a_run() {
    let folder = folder(&runs());
    let path = folder.path().join("tiny.full.jsonl");
    let text = fs::read_to_string(&path).unwrap() + &runs()[0].to_string()[..50];
    fs::write(&path, text).unwrap();
    assert_eq!(
        row(&read(folder.path(), "report.md"), "Times", "a")[1],
        "3 of 4"
    );
}

#[test]
fn folders_that_are_no_results_are_refused_with_a_way_out() {
    let refused = |folder: &Path, said: &str| {
        assert_refused(&["bench", "report", folder.to_str().unwrap()], b"", said);
    };
    let empty = tempdir().unwrap();
    refused(&empty.path().join("nowhere"), "noyes bench run");
    refused(empty.path(), "noyes bench run");
    fs::write(empty.path().join("x.jsonl"), "").unwrap();
    refused(empty.path(), "no runs in its files");
    let damaged = folder(&runs());
    let path = damaged.path().join("tiny.full.jsonl");
    fs::write(
        &path,
        lines(&runs()).replacen("\"wall_s\":2.0", "\"wall_s\":\"two\"", 1),
    )
    .unwrap();
    refused(damaged.path(), "tiny.full.jsonl, line 2: ");
    fs::write(
        &path,
        lines(&runs()).replacen("noyes-bench/2", "noyes-bench/9", 1),
    )
    .unwrap();
    refused(damaged.path(), "noyes-bench/9");
    let broken = folder(&runs());
    fs::write(
        broken.path().join("tiny.toml"),
        "title = \"x\"\nviews = 3\n",
    )
    .unwrap();
    refused(broken.path(), "tiny.toml, line 2");
    let good = folder(&runs());
    let output = good.path().join("file");
    fs::write(&output, "").unwrap();
    let to = output.to_str().unwrap();
    assert_refused(
        &["bench", "report", good.path().to_str().unwrap(), "-o", to],
        b"",
        "cannot write",
    );
}

#[test]
fn strange_numbers_do_no_harm() {
    let mut all = runs();
    all[0]["wall_s"] = json!(0.0);
    all[1]["wall_s"] = json!(1e300);
    all[2]["wall_s"] = json!(-1.0);
    all[4]["started"] = json!(u64::MAX / 2);
    all[5]["time_limit_s"] = json!(0.0);
    all[6]["host"]["memory_bytes"] = json!(u64::MAX);
    let folder = folder(&all);
    let run = call(folder.path(), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let html = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
}

#[test]
fn entries_of_pattern_databases_are_drawn() {
    let folder = tempdir().unwrap();
    let suite = "title = \"Entries\"\n[[configurations]]\nname = \"pdb\"\ncommand = \"pdb histogram 4-4 --size 3x3\"\nalone = true\n\
        [[views]]\nkind = \"entries\"\ntitle = \"Both\"\nnormalise = true\n[[views]]\nkind = \"entries\"\ntitle = \"One\"\ntiles = [\"1,2\"]\n\
        [[views]]\nkind = \"entries\"\ntitle = \"None\"\ntiles = [\"9\"]\n";
    let mut run = line("pdb", 1, Some(0.1));
    run["instance"] = json!("");
    run["status"] = json!("done");
    run["values"] = json!({"tiles": "3,4", "counts": [1, 2, 1], "before": [{"tiles": "1,2", "counts": [2, 6, 8]}]});
    fs::write(folder.path().join("tiny.toml"), suite).unwrap();
    fs::write(folder.path().join("tiny.full.jsonl"), lines(&[run])).unwrap();
    let markdown = read(folder.path(), "report.md");
    assert!(
        markdown.contains("Tiles 1,2: 16 entries, mean 1.38, highest 2."),
        "{markdown}"
    );
    assert!(
        markdown
            .contains("The plot \"None\" cannot be drawn: no run counted the entries of tiles 9.")
    );
    assert!(!markdown.contains("Not finished"), "{markdown}");
    let plots = fs::read_dir(folder.path().join("plots")).unwrap().count();
    assert_eq!(plots, 2);
}
