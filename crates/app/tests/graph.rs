//! `noyes graph`, and the input that it refuses.

use crate::common::{assert_refused, json, noyes, run_with};

#[test]
fn graphs_are_described_compared_and_solved() {
    let theta = noyes(&["graph", "theta0"]);
    assert_eq!(theta.code, 0);
    assert!(theta.out.contains("\n6 classes of states"), "{}", theta.out);
    let apart = noyes(&["graph", "theta0", "--from", "2 1 3 4 5 6 0"]);
    assert_eq!(apart.code, 4);
    assert!(apart.out.contains("not connected"), "{}", apart.out);
    let near = noyes(&[
        "graph",
        "grid:3x3",
        "--from",
        "1 2 3 4 0 6 7 5 8",
        "--solve",
        "--json",
    ]);
    assert_eq!(
        (
            near.code,
            &json(&near.out)["cost"],
            &json(&near.out)["plan"]
        ),
        (0, &2.into(), &"r3c2 r3c3".into())
    );
    let file = b"# a triangle\na b\nb c\r\nc a\nstart: x _ y\ngoal: a=y b=x c=_\n";
    let triangle = run_with(&["graph", "-", "--solve"], file);
    assert!(
        triangle.code == 0 && triangle.out.contains("plan (blank notation): a c"),
        "{}{}",
        triangle.out,
        triangle.err
    );
    let record = json(&noyes(&["graph", "petersen", "--json"]).out);
    assert_eq!(
        (&record["classes"], &record["bipartite"], &record["edges"]),
        (&"1".into(), &false.into(), &15.into())
    );
    let far = "15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0";
    assert_eq!(
        noyes(&[
            "graph",
            "grid:4x4",
            "--from",
            far,
            "--solve",
            "--time-limit",
            "50ms"
        ])
        .code,
        3
    );
}

#[test]
fn bad_graphs_are_refused_and_the_line_is_named() {
    for (file, said) in [
        (&b"a b\na a\n"[..], "line 2"),
        (b"a b\nb c\nb a\n", "line 3"),
        (b"a b\nc d\n", "two parts"),
        (b"", "no vertex"),
        (b"a b c d\n", "line 1"),
        (b"\xff\xfe", "not UTF-8 text: byte 1 is 0xff"),
    ] {
        assert_refused(&["graph", "-"], file, said);
    }
    assert_refused(&["graph", "dodecahedron"], b"", "petersen");
    assert_refused(&["graph", "cycle:2"], b"", "3");
    assert_refused(&["graph", "cycle:4", "--from", "1 2 2 0"], b"", "--from");
    assert_refused(
        &["graph", "cycle:4", "--solve"],
        b"",
        "--from: a start is needed",
    );
}

#[test]
fn walks_are_counted_with_and_without_redundant_sequences() {
    let run = noyes(&["graph", "grid:4x4", "--duplicates", "10", "--depth", "50"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for said in [
        "(1030 of them, skipped by an automaton of 3507 states)",
        "10 moves: 46264 and 39776, 14.0 % skipped",
        "50 moves: 635289011414908088 and 90643834167353696, 85.7 % skipped",
        "by 2.1304 and 2.0371; these factors alone would skip 89.3 %",
    ] {
        assert!(run.out.contains(said), "{said}: {}", run.out);
    }
    let run = noyes(&[
        "graph",
        "grid:3x3",
        "--duplicates",
        "12",
        "--depth",
        "31",
        "--json",
    ]);
    let walks = &json(&run.out)["walks"];
    assert_eq!(
        (&walks["depth"], &walks["duplicates"]),
        (&31.into(), &12.into())
    );
    let number = |name: &str| walks[name].as_str().unwrap().parse::<f64>().unwrap();
    let skipped = walks["skipped"].as_f64().unwrap();
    assert!((1.0 - number("kept") / number("all") - skipped).abs() < 1e-9);
    assert!(walks["growth_kept"].as_f64() < walks["growth_all"].as_f64());
    let deep = ["graph", "grid:4x4", "--duplicates", "99", "--depth", "5"];
    assert_refused(&deep, b"", "--duplicates");
    assert_refused(&["graph", "grid:4x4", "--depth", "5"], b"", "--duplicates");
    let long = ["graph", "complete:9", "--duplicates", "2", "--depth", "999"];
    assert_refused(
        &long,
        b"",
        "--depth: the numbers of walks of 999 moves are too large",
    );
}
