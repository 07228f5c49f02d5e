//! Levels of Sokoban on the command line.

use crate::common::{EASY, assert_refused, json, noyes, run_with};

const SMALL: &str = "#####\n#@$.#\n#####\n";
const WALK: &str = "######\n#@ $.#\n######\n";

fn data(name: &str) -> String {
    format!("{}/../../data/sokoban/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn levels_come_as_arguments_files_and_standard_input() {
    let expected = "1 push, optimal\nobjective: fewest pushes, then fewest moves\n1 move, 1 push, 1 box line, 1 box change, \
                    1 pushing session, 1 player line\nplan (LURD, capitals push): R\n";
    for level in [SMALL, "5#|#@$.#|5#", "WWWWW|WPBTW|WWWWW"] {
        let run = noyes(&["solve", level]);
        assert_eq!(
            (run.code, run.out.as_str()),
            (0, expected),
            "{level}: {}",
            run.err
        );
    }
    let run = noyes(&["solve", &data("trivial.xsb")]);
    assert_eq!(run.out, format!("level 1: Figure 5.2\n{expected}"));
    let windows = format!("\u{feff}; one\r\n{}", SMALL.replace('\n', "\r\n"));
    for input in [SMALL, &windows, "; one\n\n5#|#@$.#|5#"] {
        let run = run_with(&["solve", "-"], input.as_bytes());
        assert!(
            run.code == 0 && run.out.contains("1 push, optimal"),
            "{}",
            run.err
        );
    }
}

#[test]
fn the_map_of_the_report_takes_31_moves_or_10_pushes() {
    let map = data("map1.txt");
    let run = noyes(&["solve", &map, "--objective", "moves", "--json"]);
    let answer = json(&run.out);
    assert_eq!(
        (&answer["cost"], &answer["objective"]),
        (&31.into(), &"moves".into())
    );
    let run = noyes(&["solve", &map, "--json"]);
    let answer = json(&run.out);
    assert_eq!(
        (&answer["cost"], &answer["pushes"], &answer["lower"]),
        (&10.into(), &10.into(), &10.into())
    );
    let check = noyes(&["check", &map, answer["plan"].as_str().unwrap()]);
    assert!(
        check.code == 0 && check.out.starts_with("valid: "),
        "{}",
        check.err
    );
}

#[test]
fn json_tells_everything_about_a_plan() {
    let run = noyes(&["solve", &format!("; two steps\n{WALK}"), "--json"]);
    let answer = json(&run.out);
    for (field, value) in [
        ("kind", "level"),
        ("puzzle", "6#|#@-$.#|6#"),
        ("size", "6x3"),
        ("title", "two steps"),
        ("status", "optimal"),
        ("objective", "pushes"),
        ("plan", "rR"),
        ("notation", "lurd"),
        ("engine", "bidirectional"),
    ] {
        assert_eq!(answer[field], value, "{field}");
    }
    for (field, value) in [
        ("cost", 1),
        ("length", 2),
        ("moves", 2),
        ("pushes", 1),
        ("box_lines", 1),
        ("box_changes", 1),
        ("pushing_sessions", 1),
        ("player_lines", 1),
        ("players", 1),
    ] {
        assert_eq!(answer[field], value, "{field}");
    }
    assert_eq!(answer["ties_proven"], true);
}

#[test]
fn a_crew_counts_steps_and_has_a_line_for_each_player() {
    let level = "10#|#@$-..-$@#|#8-#|10#";
    let run = noyes(&["solve", level]);
    assert_eq!(run.code, 0);
    assert!(run.out.starts_with("2 steps, optimal\n"), "{}", run.out);
    assert!(
        run.out.ends_with("a line for each player:\nRR\nLL\n"),
        "{}",
        run.out
    );
    let run = noyes(&["solve", level, "--json", "--no-wait"]);
    assert_eq!(json(&run.out)["plan"], "RR\nLL");
    assert_eq!(noyes(&["check", level, "RR\nLL", "--no-wait"]).code, 0);
    assert_eq!(noyes(&["check", level, "RR./.LL"]).code, 0);
    assert_refused(
        &["check", level, "RR./.LL", "--no-wait"],
        b"",
        "plan: step 1: player 2 at row 2, column 9 waits, which is forbidden here",
    );
    assert_refused(
        &["check", level, "RRLL"],
        b"",
        "plan: 1 walks for 2 players",
    );
}

#[test]
fn some_of_many_levels() {
    let many = format!("; a\n{SMALL}\n; b\n{WALK}\n; c\n###\n# #\n###\n\n; d\n{SMALL}");
    let run = run_with(&["solve", "-", "--objective", "moves"], many.as_bytes());
    assert_eq!(run.code, 2);
    assert!(
        run.err
            .contains("standard input: line 12, column 1: no player"),
        "{}",
        run.err
    );
    for (title, cost) in [
        ("level 1: a", "1 move,"),
        ("level 2: b", "2 moves,"),
        ("level 4: d", "1 move,"),
    ] {
        assert!(run.out.contains(&format!("{title}\n{cost}")), "{}", run.out);
    }
    let run = run_with(&["solve", "-", "--level", "2"], many.as_bytes());
    assert!(
        run.code == 0 && run.out.starts_with("level 2: b\n"),
        "{}",
        run.out
    );
    let run = run_with(
        &["solve", "-", "--level", "1-2", "--json", "--threads", "2"],
        many.as_bytes(),
    );
    assert_eq!((run.code, run.out.lines().count()), (0, 2));
    assert_refused(
        &["solve", "-", "--level", "5"],
        many.as_bytes(),
        "--level: there is no level 5 (expected 1 to 4)",
    );
    assert_refused(
        &["solve", SMALL, "--level", "0"],
        b"",
        "expected a number from 1",
    );
    assert_refused(
        &["check", "-", "R"],
        many.as_bytes(),
        "several levels, expected one: choose one with --level N",
    );
    assert_eq!(
        run_with(&["check", "-", "R", "--level", "4"], many.as_bytes()).code,
        0
    );
}

#[test]
fn bad_levels_are_refused_with_line_and_column() {
    for (level, said) in [
        (
            "#####\n# $.#\n#####",
            "line 1, column 1: no player in this level",
        ),
        (
            "#####\n#@$ #\n#####",
            "line 1, column 1: no goal in this level",
        ),
        (
            "#####\n#@*.# $\n#####",
            "line 2, column 7: this box is outside the walls",
        ),
        (
            "#####\n#@$. \n#####",
            "line 2, column 2: the walls have a hole",
        ),
        (
            "#####\n#@$x#\n#####",
            "line 2, column 4: 'x' is no symbol of XSB",
        ),
        (
            "WWWWW\nWPBQW\nWWWWW",
            "line 2, column 4: 'Q' is no symbol of a letter map",
        ),
        ("5#|#@$?#|5#", "line 1, column 7: '?' is no symbol"),
        (
            "#####\n#@$.#\n#####\n#####\n#@$.#\n#####",
            "line 4, column 1: a second level begins here",
        ),
        (
            "999999#|#@$.#|5#",
            "line 1, column 5: a count is from 1 to 65536",
        ),
        ("400#|400|400#", "too large a level"),
    ] {
        assert_refused(&["solve", level], b"", said);
        assert_refused(&["solve", "-"], level.as_bytes(), said);
        assert_refused(&["check", level, ""], b"", said);
        assert_refused(&["levels", level], b"", said);
    }
    let empty = std::env::temp_dir().join(format!("noyes-empty-{}.xsb", std::process::id()));
    std::fs::write(&empty, "").unwrap();
    let name = empty.to_str().unwrap();
    assert_refused(&["solve", name], b"", "line 1, column 1: no level in it");
    std::fs::write(&empty, "not a level\n").unwrap();
    assert_refused(&["levels", name], b"", "line 1, column 1: no level in it");
    std::fs::remove_file(&empty).unwrap();
    assert_refused(&["solve", "-"], b"", "standard input: no puzzle found");
}

#[test]
fn a_level_of_200_by_200_is_solved() {
    let mut rows = vec!["#".repeat(200)];
    rows.extend(vec![format!("#{}#", "#".repeat(198)); 98]);
    rows.push(format!("#@$ .{}#", "#".repeat(194)));
    rows.extend(vec![format!("#{}#", " ".repeat(198)); 99]);
    rows.push("#".repeat(200));
    let run = run_with(&["solve", "-"], rows.join("\n").as_bytes());
    assert!(
        run.code == 0 && run.out.contains("2 pushes, optimal"),
        "{}{}",
        run.out,
        run.err
    );
}

#[test]
fn more_boxes_than_goals_is_solved_and_fewer_is_unsolvable() {
    let run = noyes(&["solve", "#######\n#@$.$ #\n#  $  #\n#######"]);
    assert!(
        run.code == 0 && run.out.starts_with("1 push, optimal"),
        "{}",
        run.out
    );
    let run = noyes(&["solve", "######\n#@$..#\n######"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (
            4,
            "unsolvable: 1 box for 2 goals, and every goal needs a box\n"
        )
    );
    let run = noyes(&["solve", "#####\n#@ .#\n#$  #\n#####", "--json"]);
    assert_eq!(
        (run.code, &json(&run.out)["status"]),
        (4, &"unsolvable".into())
    );
}

#[test]
fn limits_end_a_search_with_bounds() {
    // Five boxes in a room: more states than a second has room for.
    let level = format!(
        "##########\n{}#@$ $ $  #\n#.$ . $. #\n#.      .#\n##########",
        "#        #\n".repeat(4)
    );
    for limit in [["--time-limit", "1ms"], ["--memory-limit", "200kB"]] {
        let run = noyes(&["solve", &level, limit[0], limit[1], "--json"]);
        let answer = json(&run.out);
        assert_eq!(answer["stop"], limit[0][2..].replace("-limit", ""));
        assert_eq!(
            (run.code, &answer["status"]),
            (3, &"limit".into()),
            "{}",
            run.out
        );
        assert!(answer["lower"].is_u64() && answer["cost"].is_null());
    }
}

#[test]
fn what_is_about_boards_or_about_levels_alone_is_refused_elsewhere() {
    assert_refused(
        &["solve", EASY, "--no-wait"],
        b"",
        "--no-wait: it is about levels",
    );
    assert_refused(
        &["solve", EASY, "--objective", "pushes"],
        b"",
        "--objective: a plan of sliding tiles has moves, not pushes",
    );
    assert_refused(
        &["solve", EASY, "--any"],
        b"",
        "--any: only the engine sat uses it, and the engine is auto",
    );
    assert_refused(
        &["solve", SMALL, "--heuristic", "manhattan"],
        b"",
        "--heuristic: it is about sliding tiles",
    );
    assert_refused(
        &["solve", SMALL, "--engine", "human"],
        b"",
        "--engine: human does not solve levels",
    );
    assert_refused(
        &["solve", EASY, "--level", "1"],
        b"",
        "holds no level of Sokoban",
    );
    assert_refused(
        &["check", EASY, "DR", "--level", "1"],
        b"",
        "holds no level of Sokoban",
    );
    assert_refused(
        &["encode", SMALL, "-k", "1", "--encoding", "rotated"],
        b"",
        "expected tamura[+dead][+bad], pushes",
    );
    assert_refused(&["levels", EASY], b"", "expected levels");
    let run = noyes(&["solve", &data("map1.txt"), "--any"]);
    assert!(
        run.code == 0 && run.out.contains("plan (LURD"),
        "{}",
        run.out
    );
}

#[test]
fn several_threads_solve_one_level() {
    let path = data("goal-rooms.xsb");
    let record = |threads| {
        let args = ["solve", &path, "--level", "5", "--any", "--json"];
        let run = noyes(&[&args[..], &["--threads", threads]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        json(&run.out)
    };
    let (one, three) = (record("1"), record("3"));
    for record in [&one, &three] {
        assert_eq!(record["status"], "solved");
        let plan = record["plan"].as_str().expect("a plan");
        assert_eq!(noyes(&["check", &path, "--level", "5", plan]).code, 0);
        let number = |field: &str| record[field].as_u64().expect("a number");
        assert!(number("lower") <= number("upper"));
    }
    assert_eq!(one["lower"], three["lower"]);
}

#[test]
fn plans_are_checked() {
    let run = noyes(&["check", WALK, "rR"]);
    assert_eq!(run.code, 0);
    assert!(
        run.out
            .starts_with("valid: 2 steps, and every goal holds a box\n2 moves, 1 push,"),
        "{}",
        run.out
    );
    assert_eq!(noyes(&["check", WALK, "2R"]).code, 0);
    let run = noyes(&["check", WALK, "Rr"]);
    assert_eq!(run.code, 0);
    assert!(
        run.err
            .contains("step 1 of player 1 is written the other way"),
        "{}",
        run.err
    );
    let run = noyes(&["check", WALK, "r"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (
            5,
            "not valid: after 1 step, 1 of 1 goals holds no box, one at row 2, column 5\n"
        )
    );
    assert_refused(
        &["check", WALK, "ru"],
        b"",
        "plan: step 2: player 1 at row 2, column 3 goes up into a wall",
    );
    assert_refused(
        &["check", WALK, "rx"],
        b"",
        "plan: player 1, step 2: 'x' is no move",
    );
    let run = noyes(&["check", WALK, "r", "--json"]);
    let record = json(&run.out);
    assert_eq!(
        (&record["legal"], &record["solved"], &record["reached"]),
        (&true.into(), &false.into(), &"6#|#-@$.#|6#".into())
    );
    assert_eq!(
        (&record["objective"], &record["cost"]),
        (&"pushes".into(), &0.into())
    );
    assert_eq!(
        (&record["moves"], &record["plan"]),
        (&1.into(), &"r".into())
    );
}

#[test]
fn show_prints_every_frame_where_there_is_no_terminal() {
    let run = noyes(&["show", WALK, "rr"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.out,
        "start, 2 steps to go\n######\n#@ $.#\n######\n\nstep 1 of 2: r\n######\n# @$.#\n######\n\n\
         step 2 of 2: R: solved\n######\n#  @*#\n######\n\n"
    );
    assert_eq!(noyes(&["show", WALK]).out.matches("step ").count(), 2);
    assert_eq!(noyes(&["show", WALK, "r"]).code, 5);
    assert_eq!(noyes(&["show", "######\n#@$..#\n######"]).code, 4);
    assert_refused(
        &["show", WALK, "u"],
        b"",
        "plan: step 1: player 1 at row 2, column 2 goes up",
    );
}

#[test]
fn levels_are_converted_normalised_and_told_about() {
    let run = noyes(&["levels", &data("map1.txt"), "--format", "rle"]);
    assert_eq!(
        run.out,
        "8#|3#3-2#|#.@$2-2#|3#-$.2#|#.2#$-2#|#-#-.-2#|#$2-2$.#|#3-.2-#|8#\n"
    );
    let back = run_with(&["levels", "-", "--format", "letters"], run.out.as_bytes());
    assert_eq!(back.out, std::fs::read_to_string(data("map1.txt")).unwrap());
    let turned = noyes(&["levels", "#####\n##.##\n##$##\n##@##\n#####", "--normalise"]);
    assert_eq!(turned.out, "#####\n#.$@#\n#####\n");
    let run = noyes(&["levels", &data("trivial.xsb"), WALK]);
    assert_eq!(run.out, format!("; Figure 5.2\n{SMALL}\n; 2\n{WALK}"));
    let run = noyes(&["levels", &data("trivial.xsb"), WALK, "--info"]);
    assert_eq!(
        run.out,
        "1: 5x3, 1 box, 1 goal, 1 player, 3 cells of floor, \"Figure 5.2\"\n2: 6x3, 1 box, 1 goal, 1 player, 4 cells of floor\n"
    );
    let record = json(&noyes(&["levels", WALK, "--json"]).out);
    assert_eq!(
        (&record["puzzle"], &record["floor"]),
        (&"6#|#@-$.#|6#".into(), &4.into())
    );
}
