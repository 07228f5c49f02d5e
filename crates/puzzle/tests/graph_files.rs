//! Graphs and graph files: their shapes, their names, and bad input.

use noyes_puzzle::graph::{
    Arrangement, Graph, GraphError, GraphFile, MAX_VERTICES, named::NAMED, number,
};
use proptest::prelude::*;

fn named(spec: &str) -> Graph {
    Graph::named(spec).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_grid_looks_up_left_right_and_down() {
    for (width, height) in [(4, 4), (1, 5), (5, 1), (2, 3), (3, 2)] {
        let graph = Graph::grid(width, height);
        assert_eq!(graph, named(&format!("grid:{width}x{height}")));
        for cell in 0..width * height {
            let (row, column) = (cell / width, cell % width);
            let mut expected = Vec::new();
            expected.extend((row > 0).then(|| cell - width));
            expected.extend((column > 0).then(|| cell - 1));
            expected.extend((column + 1 < width).then_some(cell + 1));
            expected.extend((row + 1 < height).then_some(cell + width));
            let found: Vec<usize> = (graph.neighbours(cell as u16).iter())
                .map(|&w| usize::from(w))
                .collect();
            assert_eq!(found, expected);
            assert_eq!(
                graph.name(cell as u16),
                format!("r{}c{}", row + 1, column + 1)
            );
        }
    }
}

#[test]
fn built_in_graphs_have_their_sizes() {
    for (spec, vertices, edges, is_bipartite) in [
        ("grid:5x3", 15, 22, true),
        ("torus:3x4", 12, 24, false),
        ("path:9", 9, 8, true),
        ("cycle:9", 9, 9, false),
        ("star:6", 7, 6, true),
        ("wheel:6", 7, 12, false),
        ("complete:6", 6, 15, false),
        ("bipartite:3x4", 7, 12, true),
        ("hypercube:4", 16, 32, true),
        ("cube", 8, 12, true),
        ("theta:0,1,4", 7, 8, false),
        ("theta0", 7, 8, false),
        ("petersen", 10, 15, false),
        ("petersen:4,1", 8, 12, true),
        (" Grid:5X3 ", 15, 22, true),
    ] {
        let graph = named(spec);
        assert_eq!(
            (graph.len(), graph.edge_count()),
            (vertices, edges),
            "{spec}"
        );
        assert_eq!(graph.is_bipartite(), is_bipartite, "{spec}");
        assert!(!graph.is_empty());
    }
    // The Petersen graph: girth 5, so adjacent vertices share no neighbour, others one.
    let petersen = named("petersen");
    for a in 0..10 {
        assert_eq!(petersen.neighbours(a).len(), 3);
        for b in (0..10).filter(|&b| b != a) {
            let common = (petersen.neighbours(a).iter()).filter(|&&w| petersen.has_edge(w, b));
            assert_eq!(common.count(), usize::from(!petersen.has_edge(a, b)));
        }
    }
}

#[test]
fn paths_are_shortest_and_distances_fit_edges() {
    for spec in [
        "grid:6x4",
        "torus:5x4",
        "petersen",
        "theta:2,5,9",
        "path:30",
        "wheel:9",
    ] {
        let graph = named(spec);
        for from in 0..graph.len() as u16 {
            let distance = graph.distances_from(from);
            for &(a, b) in graph.edges() {
                assert!(distance[usize::from(a)].abs_diff(distance[usize::from(b)]) <= 1);
            }
            for to in 0..graph.len() as u16 {
                let path = graph.path(from, to);
                assert_eq!((path[0], path[path.len() - 1]), (from, to));
                assert_eq!(path.len() as u32, distance[usize::from(to)] + 1);
                assert!(path.windows(2).all(|step| graph.has_edge(step[0], step[1])));
                assert_eq!(graph.vertex(graph.name(to)), Some(to));
            }
        }
        assert_eq!(graph.vertex("nobody"), None);
    }
}

fn refused<T>(result: Result<T, GraphError>) -> String {
    match result {
        Ok(_) => panic!("this should have been refused"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn graphs_that_are_not_simple_and_connected_are_refused() {
    let names = |n: usize| -> Vec<String> { (0..n).map(|i| format!("v{i}")).collect() };
    let new = |n: usize, edges: &[(u16, u16)]| refused(Graph::new(names(n), edges));
    assert!(new(0, &[]).contains("no vertex"));
    assert!(new(MAX_VERTICES + 1, &[]).contains("more than 65536 vertices"));
    assert_eq!(
        new(2, &[(1, 1)]),
        "`v1 v1` is a loop; an edge must join two different vertices"
    );
    assert!(new(3, &[(0, 1), (1, 2), (1, 0)]).starts_with("the edge `v1 v0` was given before"));
    assert!(new(3, &[(0, 1), (1, 2), (2, 1), (1, 0)]).starts_with("the edge `v2 v1`"));
    assert!(new(3, &[(0, 1), (1, 0), (2, 2)]).starts_with("the edge `v1 v0`"));
    assert!(new(4, &[(0, 1), (2, 3)]).contains("two parts: no way leads from `v0` to `v2`"));
    assert!(new(2, &[(0, 2)]).contains("vertex number 2, but they are numbered 0 to 1"));
    let double = vec!["a".to_owned(), "b".into(), "a".into()];
    assert!(refused(Graph::new(double, &[(0, 1)])).contains("two vertices are called `a`"));
    assert!(refused(Graph::new(vec!["a b".into()], &[])).contains("`a b` is not a word"));
}

#[test]
fn unknown_and_impossible_names_say_what_would_work() {
    let unknown = refused(Graph::named("klein:3x3"));
    assert!(
        unknown
            .starts_with("no built-in graph is called `klein:3x3`; known are grid:WxH, torus:WxH")
    );
    for (form, _) in NAMED {
        assert!(unknown.contains(form));
    }
    let wrong = "grid|grid:|grid:3|grid:3x|grid:3x3x3|grid:0x3|grid:-1x3|grid:+1x3|grid:3,3|\
                 torus:2x3|cycle:2|path:0|star:0|wheel:2|complete:0|bipartite:0x2|\
                 hypercube:0|theta:0,0,3|theta:1,2|theta0:3|cube:3|petersen:5|petersen:4,2|\
                 petersen:5,0|petersen:2,1|path:3.5|path:3 4";
    for spec in wrong.split('|') {
        let message = refused(Graph::named(spec));
        let family = spec.split(':').next().unwrap();
        let expected = format!("`{spec}` is not a size that works; expected {family}");
        assert!(message.starts_with(&expected), "{message}");
    }
    let large = "grid:257x256|grid:4294967296x4294967296|torus:65536x65536|path:65537|\
                 star:65536|wheel:65536|complete:3000|complete:18446744073709551615|\
                 bipartite:30000x30000|hypercube:17|hypercube:64|hypercube:4294967297|\
                 theta:65535,1,1|petersen:40000,3|cycle:99999999999999999999|\
                 theta:99999999999999999999,99999999999999999999,99999999999999999999";
    for spec in large.split('|') {
        let message = refused(Graph::named(spec));
        assert!(
            message.contains("is too large: at most 65536 vertices"),
            "{message}"
        );
        assert!(message.len() < 200);
    }
    for spec in [
        "grid:65536x1",
        "path:65536",
        "hypercube:16",
        "star:65535",
        "complete:2896",
    ] {
        assert!(Graph::named(spec).is_ok(), "{spec}");
    }
}

// Files and states.

#[test]
fn a_file_with_everything_is_read() {
    let text = "\u{feff}# Wilson\r\nc\r\n\r\n  a\tb # an edge\r\nb c\r\ngoal : a=x, b=_ / c=y\r\nc d\r\nstart: y x 0 z\r\n";
    let text = text.replace("c=y", "c=y d=z");
    let GraphFile { graph, start, goal } = Graph::parse(&text).unwrap();
    assert_eq!(graph.names(), ["c", "a", "b", "d"]);
    assert_eq!(graph.edges(), [(1, 2), (2, 0), (0, 3)]);
    let (start, goal) = (start.unwrap(), goal.unwrap());
    assert_eq!(
        (start.to_string(), goal.to_string()),
        ("y x _ z".into(), "y x _ z".into())
    );
    assert_eq!(
        (start.blank(), start.label(0), start.label(2)),
        (2, Some("y"), None)
    );
}

#[test]
fn bad_lines_are_named() {
    for (text, expected) in [
        ("", "the graph has no vertex"),
        ("# nothing\n\n", "the graph has no vertex"),
        ("a b\nb c\n\nc c\n", "line 4: `c c` is a loop"),
        ("a b\nb c\nb a\n", "line 3: the edge `b a` was given before"),
        (
            "a b\nc d\n",
            "the graph has two parts: no way leads from `a` to `c`",
        ),
        (
            "a b\nc",
            "the graph has two parts: no way leads from `a` to `c`",
        ),
        (
            "a b\na b c\n",
            "line 2: found `a b c`; expected a vertex, an edge (two vertices), `start: …` or `goal: …`",
        ),
        ("a b\nend: 1 0\n", "line 2: found `end: 1 0`; expected"),
        ("a,b\n", "line 1: `a,b` is not a word"),
        ("a b\n\u{0}\u{1} b\n", "line 2: `\\0\\u{1}` is not a word"),
        (
            "a b\nstart: 1 0\nstart: 0 1\n",
            "line 3: a second `start:` line; the first is line 2",
        ),
        (
            "a b\nstart: 1 2\n",
            "line 2: no vertex is blank; expected exactly one 0 or _",
        ),
        ("a b\nstart: 0 _\n", "line 2: `a` and `b` are both blank"),
        (
            "start: 1 0\na b\nb c\n",
            "line 1: 2 labels for 3 vertices; expected one for each",
        ),
        ("a b\nb c\nstart:\n", "line 3: 0 labels for 3 vertices"),
        (
            "a b\nb c\ngoal: 1 1 0\n",
            "line 3: label `1` lies on both `a` and `b`",
        ),
        (
            "a b\nb c\ngoal: a=1 c=2\n",
            "line 3: vertex `b` has no label",
        ),
        (
            "a b\nb c\ngoal: a=1 a=2\n",
            "line 3: vertex `a` gets two labels",
        ),
        (
            "a b\nb c\ngoal: a=1 x=2\n",
            "line 3: there is no vertex `x`",
        ),
        (
            "a b\nb c\ngoal: a=1 b\n",
            "line 3: `b` is not an assignment",
        ),
        ("a b\nb c\ngoal: a=1 b= c=_\n", "line 3: `` is not a word"),
        (
            "a b\nb c\ngoal: a=1 b=x=y c=_\n",
            "line 3: `x=y` is not a word",
        ),
    ] {
        let message = refused(Graph::parse(text));
        assert!(message.starts_with(expected), "{text:?}: {message}");
    }
}

#[test]
fn ten_megabytes_are_no_trouble() {
    let size = 10_000_000;
    let spaced = "1 ".repeat(size / 2);
    let many_vertices = (0..70_000)
        .map(|i| i.to_string())
        .collect::<Vec<_>>()
        .join("\n");
    let assigned = "a=".repeat(size / 2);
    let edges: String = (0..2000)
        .flat_map(|a| (0..a).map(move |b| format!("{a} {b}\n")))
        .take(1_000_000)
        .collect();
    for text in [
        "x".repeat(size),
        format!("{} b", "é".repeat(size / 2)),
        spaced.clone(),
        format!("a b\nstart: {spaced}"),
        format!("a b\nstart: {assigned}"),
        format!("a b\ngoal: {}", "a=1,".repeat(size / 4)),
        format!("a b\ngoal: {}", "=".repeat(size)),
        format!("{}:", "start ".repeat(size / 6)),
        "\n".repeat(size),
        ":".repeat(size),
        many_vertices,
        format!("{edges}0 1"),
    ] {
        if let Err(error) = Graph::parse(&text) {
            assert!(error.to_string().len() < 400, "{error}");
        }
    }
}

#[test]
fn labels_become_numbers() {
    let graph = named("path:4");
    let state = |text: &str| Arrangement::parse(&graph, text).unwrap();
    let standard = Arrangement::standard(&graph);
    assert_eq!(standard, state("1,2,3,_"));
    let (a, b, labels) = number(&state("3 1 0 2"), &state("2 0 1 3")).unwrap();
    assert_eq!((a, b), (vec![3, 1, 0, 2], vec![2, 0, 1, 3]));
    assert_eq!(labels, ["_", "1", "2", "3"]);
    let (a, b, labels) = number(&state("_ x 10 y"), &state("y 10 _ x")).unwrap();
    assert_eq!((a, b), (vec![0, 3, 2, 1], vec![1, 2, 0, 3]));
    assert_eq!(labels, ["_", "y", "10", "x"]);
    // 01 is a word, not the number 1.
    let (_, b, labels) = number(&state("01 2 3 0"), &state("2 01 3 0")).unwrap();
    assert_eq!((b, labels[1].as_str()), (vec![1, 2, 3, 0], "2"));
    assert_eq!(
        refused(number(&state("1 2 4 0"), &standard)),
        "label `4` is in the start but missing from the goal"
    );
    let short = Arrangement::standard(&named("path:3"));
    assert_eq!(
        refused(number(&short, &standard)),
        "label `3` is in the goal but missing from the start"
    );
    assert_eq!(
        refused(Arrangement::new(&graph, vec![None; 3])),
        "3 labels for 4 vertices; expected one for each, with 0 or _ for the blank"
    );
}

#[test]
fn built_in_graphs_survive_a_round_trip() {
    for spec in [
        "grid:4x3",
        "torus:4x3",
        "star:9",
        "petersen",
        "theta0",
        "hypercube:5",
        "path:1",
        "complete:7",
    ] {
        let graph = named(spec);
        let start = Some(Arrangement::standard(&graph));
        let file = GraphFile {
            graph,
            start,
            goal: None,
        };
        assert_eq!(Graph::parse(&file.to_string()).unwrap(), file);
    }
}

/// Text that often gets past the first check.
fn almost_a_file() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => "[a-e]",
        1 => Just("0".to_owned()),
        1 => Just("_".to_owned()),
        1 => "[=:,/#\r\t\u{0}é]",
    ];
    let line = prop_oneof![
        3 => prop::collection::vec(word.clone(), 0..4).prop_map(|words| words.join(" ")),
        1 => prop::collection::vec(word.clone(), 0..7).prop_map(|words| format!("start: {}", words.join(" "))),
        1 => prop::collection::vec((word.clone(), word), 0..7).prop_map(|pairs| {
            let pairs: Vec<String> = pairs.iter().map(|(a, b)| format!("{a}={b}")).collect();
            format!("goal: {}", pairs.join(","))
        }),
    ];
    prop::collection::vec(line, 0..9).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![any::<String>(), almost_a_file()]) {
        match Graph::parse(&text) {
            Ok(file) => prop_assert_eq!(Graph::parse(&file.to_string()).unwrap(), file),
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Graph::parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_name_is_known_or_refused(
        spec in prop_oneof![
            any::<String>(),
            "(grid|torus|path|cycle|star|wheel|complete|bipartite|hypercube|cube|theta|theta0|petersen)(:[0-9]{0,3}([x,:][0-9]{0,3}){0,3})?",
            "(grid|torus|hypercube|theta|petersen|bipartite):[0-9]{15,25}([x,][0-9]{1,25}){0,2}",
        ]
    ) {
        if let Err(error) = Graph::named(&spec) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn any_state_is_read_back_or_refused(text in prop_oneof![any::<String>(), "([a-d0_]=?[a-d0_]?[ ,/]){4}"]) {
        let graph = Graph::parse("a b\nb c\nc d\nd a").unwrap().graph;
        if let Ok(state) = Arrangement::parse(&graph, &text) {
            prop_assert_eq!(&Arrangement::parse(&graph, &state.to_string()).unwrap(), &state);
            prop_assert_eq!(state.label(state.blank()), None);
        }
    }
}
