//! Graph puzzles against brute force, and graph files against bad input.

use noyes_puzzle::graph::{
    Arrangement, BlockKind, Graph, GraphError, GraphFile, MAX_VERTICES, classes, connected,
    named::NAMED, number,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn named(spec: &str) -> Graph {
    Graph::named(spec).unwrap_or_else(|error| panic!("{error}"))
}

fn plain(tile: u16) -> String {
    tile.to_string()
}

fn class_count(spec: &str) -> String {
    classes(&named(spec)).count.to_string()
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

/// The generator `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn permutation(&mut self, n: usize) -> Vec<u16> {
        let mut items: Vec<u16> = (0..n as u16).collect();
        for i in (1..n).rev() {
            items.swap(i, self.below(i + 1));
        }
        items
    }
}

// Every connected graph up to seven vertices, against full enumeration.

/// A graph of n vertices as a bit for each pair.
fn pair_bit(a: usize, b: usize) -> u32 {
    let (a, b) = (a.min(b), a.max(b));
    1 << (b * (b - 1) / 2 + a)
}

fn edges_of(n: usize, bits: u32) -> Vec<(u16, u16)> {
    (0..n)
        .flat_map(|b| (0..b).map(move |a| (a, b)))
        .filter(|&(a, b)| bits & pair_bit(a, b) != 0)
        .map(|(a, b)| (a as u16, b as u16))
        .collect()
}

/// The least bits over all orders of the vertices that sort them by degree and by the
/// degrees of their neighbours.
fn canonical(n: usize, bits: u32) -> u32 {
    let is_edge = |a: usize, b: usize| a != b && bits & pair_bit(a, b) != 0;
    let degree = |v: usize| (0..n).filter(|&w| is_edge(v, w)).count();
    let colour = |v: usize| {
        let mut around: Vec<_> = (0..n).filter(|&w| is_edge(v, w)).map(degree).collect();
        around.sort_unstable();
        (degree(v), around)
    };
    let colours: Vec<_> = (0..n).map(colour).collect();
    let mut sorted = colours.clone();
    sorted.sort();
    let mut best = u32::MAX;
    let mut order = Vec::new();
    place(n, &colours, &sorted, &is_edge, &mut order, 0, &mut best);
    best
}

fn place(
    n: usize,
    colours: &[(usize, Vec<usize>)],
    sorted: &[(usize, Vec<usize>)],
    is_edge: &dyn Fn(usize, usize) -> bool,
    order: &mut Vec<usize>,
    bits: u32,
    best: &mut u32,
) {
    let at = order.len();
    if at == n {
        *best = bits.min(*best);
        return;
    }
    for v in 0..n {
        if order.contains(&v) || colours[v] != sorted[at] {
            continue;
        }
        let added: u32 = (0..at)
            .filter(|&i| is_edge(order[i], v))
            .map(|i| pair_bit(i, at))
            .sum();
        order.push(v);
        place(n, colours, sorted, is_edge, order, bits | added, best);
        order.pop();
    }
}

/// All connected graphs of up to `most` vertices, one of each shape: every one of them
/// is a smaller one and a vertex more.
fn connected_graphs(most: usize) -> Vec<Vec<Graph>> {
    let mut shapes = BTreeSet::from([0]);
    let mut all = Vec::new();
    for n in 1..=most {
        if n > 1 {
            shapes = (shapes.iter())
                .flat_map(|&bits| (1..1_u32 << (n - 1)).map(move |new| (bits, new)))
                .map(|(bits, new)| {
                    let edges = (0..n - 1).filter(|i| new >> i & 1 == 1);
                    canonical(n, bits | edges.map(|i| pair_bit(i, n - 1)).sum::<u32>())
                })
                .collect();
        }
        let names: Vec<String> = (0..n).map(|v| format!("v{v}")).collect();
        all.push(
            (shapes.iter())
                .map(|&bits| Graph::new(names.clone(), &edges_of(n, bits)).unwrap())
                .collect(),
        );
    }
    all
}

/// All states of n vertices, and what becomes of each when the blank swaps with a vertex.
struct States {
    tiles: Vec<Vec<u16>>,
    blank: Vec<u16>,
    swapped: Vec<Vec<usize>>,
}

impl States {
    fn new(n: usize) -> States {
        let mut tiles = vec![Vec::new()];
        for _ in 0..n {
            tiles = (tiles.iter())
                .flat_map(|state| {
                    (0..n as u16)
                        .filter(|tile| !state.contains(tile))
                        .map(|tile| [state.as_slice(), &[tile]].concat())
                })
                .collect();
        }
        let blank: Vec<u16> = (tiles.iter())
            .map(|state| state.iter().position(|&t| t == 0).unwrap() as u16)
            .collect();
        let swapped = (tiles.iter().zip(&blank))
            .map(|(state, &blank)| {
                (0..n)
                    .map(|v| {
                        let mut next = state.clone();
                        next.swap(blank.into(), v);
                        tiles.binary_search(&next).unwrap() // they are in order
                    })
                    .collect()
            })
            .collect();
        States {
            tiles,
            blank,
            swapped,
        }
    }

    /// The class of each state, as its least member.
    fn classes(&self, graph: &Graph) -> Vec<usize> {
        let mut class = vec![usize::MAX; self.tiles.len()];
        for first in 0..class.len() {
            if class[first] != usize::MAX {
                continue;
            }
            class[first] = first;
            let mut todo = vec![first];
            while let Some(state) = todo.pop() {
                for &w in graph.neighbours(self.blank[state]) {
                    let next = self.swapped[state][usize::from(w)];
                    if class[next] == usize::MAX {
                        class[next] = first;
                        todo.push(next);
                    }
                }
            }
        }
        class
    }
}

/// Whether "X and belongs on Y: … cut vertex Z, …" is true of the graph: Z is X or Y, or
/// no way from X to Y avoids it; and Z is a cut vertex.
fn cuts_off(graph: &Graph, told: &str) -> bool {
    let vertex = |after: &str, before: &str| {
        let from = told.find(after).unwrap() + after.len();
        let to = from + told[from..].find(before).unwrap();
        graph.vertex(&told[from..to]).unwrap()
    };
    let x = vertex("", " and belongs");
    let y = vertex("belongs on ", ":");
    let z = vertex("cut vertex ", ",");
    let reach = |from: u16| {
        let mut seen = vec![from];
        let mut at = 0;
        while at < seen.len() {
            for &w in graph.neighbours(seen[at]) {
                if w != z && !seen.contains(&w) {
                    seen.push(w);
                }
            }
            at += 1;
        }
        seen
    };
    let is_cut = reach(graph.neighbours(z)[0]).len() + 1 < graph.len();
    is_cut && (x == z || y == z || !reach(x).contains(&y))
}

#[test]
fn classes_and_connectivity_agree_with_enumeration_on_every_graph_up_to_seven_vertices() {
    let mut random = Random(1974);
    let mut kinds_refused = BTreeSet::new();
    let graphs = connected_graphs(7);
    let counts: Vec<usize> = graphs.iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 1, 2, 6, 21, 112, 853]); // OEIS A001349
    for (n, graphs) in (1..).zip(&graphs) {
        let states = States::new(n);
        for graph in graphs {
            let class = states.classes(graph);
            let firsts: Vec<usize> = (0..class.len()).filter(|&s| class[s] == s).collect();
            let found = classes(graph);
            assert_eq!(found.count, firsts.len().into(), "{graph}");

            let mut compare = |a: usize, b: usize| {
                let (from, to) = (&states.tiles[a], &states.tiles[b]);
                let answer = connected(graph, from, to, &plain);
                let expected = class[a] == class[b];
                assert_eq!(
                    answer.is_ok(),
                    expected,
                    "{graph}{from:?} {to:?} {answer:?}"
                );
                if let Err(reason) = answer {
                    for word in ["cut vertex", "cyclic order", "bipartite", "theta0"] {
                        kinds_refused.extend(reason.contains(word).then_some(word));
                    }
                    if let Some((_, told)) = reason.split_once(" is on ") {
                        assert!(cuts_off(graph, told), "{graph}{reason}");
                    }
                }
            };
            if n <= 5 {
                for a in 0..class.len() {
                    for b in 0..class.len() {
                        compare(a, b);
                    }
                }
            }
            for _ in 0..300 {
                let [a, b] = [(); 2].map(|()| random.below(class.len()));
                compare(a, b);
                compare(class[a], a);
                // One swap of two tiles away from a state that is connected to a.
                let near = states.swapped[b].iter().position(|&s| class[s] == class[a]);
                compare(a, near.map_or(b, |v| states.swapped[b][v]));
                compare(a, firsts[random.below(firsts.len())]);
            }
        }
    }
    assert_eq!(kinds_refused.len(), 4);
}

#[test]
fn theta0_is_right_from_ten_states_to_every_other() {
    let graph = named("theta0");
    let states = States::new(7);
    let class = states.classes(&graph);
    assert_eq!(class.iter().collect::<BTreeSet<_>>().len(), 6);
    for a in (0..class.len()).step_by(509) {
        for b in 0..class.len() {
            let answer = connected(&graph, &states.tiles[a], &states.tiles[b], &plain);
            assert_eq!(answer.is_ok(), class[a] == class[b]);
        }
    }
}

#[test]
fn classes_do_not_depend_on_the_order_of_the_vertices() {
    // A new order makes another vertex the root of the blocks.
    let mut random = Random(3);
    let shapes = [
        "r a\na b\nb r\nr c\nc d\nd e\ne r\nc f\nf g\nf h\nh c", // three blocks and a bridge
        "1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n1 7\n7 4\n7 8\n8 9\n8 0\n9 0", // theta0, bridge, triangle
        "1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n1 7\n7 4\n6 8\n8 9\n9 6\n2 a\na b\nb c\nc 2\na c",
    ];
    for text in shapes {
        let graph = Graph::parse(text).unwrap().graph;
        let expected = classes(&graph);
        for _ in 0..60 {
            let to = random.permutation(graph.len());
            let mut names = vec![String::new(); graph.len()];
            for (v, &w) in to.iter().enumerate() {
                names[usize::from(w)] = graph.name(v as u16).to_owned();
            }
            let mut edges: Vec<(u16, u16)> = (graph.edges().iter())
                .map(|&(a, b)| (to[usize::from(a)], to[usize::from(b)]))
                .collect();
            let last = random.below(edges.len());
            edges.rotate_left(last);
            let moved = Graph::new(names, &edges).unwrap();
            let found = classes(&moved);
            assert_eq!(found.count, expected.count);
            let names = |graph: &Graph,
                         blocks: &[noyes_puzzle::graph::Block]|
             -> BTreeSet<(BlockKind, BTreeSet<String>)> {
                (blocks.iter())
                    .map(|b| {
                        (
                            b.kind,
                            b.vertices
                                .iter()
                                .map(|&v| graph.name(v).to_owned())
                                .collect(),
                        )
                    })
                    .collect()
            };
            assert_eq!(
                names(&moved, &found.blocks),
                names(&graph, &expected.blocks)
            );
            assert_eq!(found.cut_vertices.len(), expected.cut_vertices.len());
        }
    }
}

#[test]
fn a_random_walk_stays_connected_and_a_swap_within_a_bipartite_block_does_not() {
    let mut random = Random(15);
    for spec in [
        "grid:4x4",
        "grid:7x3",
        "torus:4x6",
        "hypercube:5",
        "bipartite:5x4",
        "theta:3,1,5",
    ] {
        let graph = named(spec);
        let start = random.permutation(graph.len());
        let mut tiles = start.clone();
        let mut blank = tiles.iter().position(|&t| t == 0).unwrap();
        for _ in 0..2000 {
            let around = graph.neighbours(blank as u16);
            let next = usize::from(around[random.below(around.len())]);
            tiles.swap(blank, next);
            blank = next;
        }
        assert_eq!(connected(&graph, &start, &tiles, &plain), Ok(()), "{spec}");
        let (x, y) = ((blank + 1) % graph.len(), (blank + 2) % graph.len());
        tiles.swap(x, y);
        assert!(connected(&graph, &start, &tiles, &plain).is_err(), "{spec}");
    }
}

// Known counts.

#[test]
fn cycles_have_the_factorial_of_two_less() {
    for n in 3..20 {
        assert_eq!(
            class_count(&format!("cycle:{n}")),
            factorial(n - 2).to_string()
        );
    }
}

#[test]
fn boards_have_two_classes_and_rows_keep_their_order() {
    for (width, height) in [(3, 2), (3, 3), (4, 4), (5, 7), (100, 100), (256, 256)] {
        assert_eq!(classes(&Graph::grid(width, height)).count, 2_u32.into());
    }
    for n in 1..12 {
        assert_eq!(
            classes(&Graph::grid(n as usize, 1)).count,
            factorial(n - 1).into()
        );
        assert_eq!(
            classes(&Graph::grid(1, n as usize)).count,
            factorial(n - 1).into()
        );
    }
    assert_eq!(class_count("grid:2x2"), "2"); // a cycle of four
}

#[test]
fn known_graphs_have_their_known_counts() {
    for (spec, count) in [
        ("theta0", 6),
        ("theta:2,1,2", 6),
        ("theta:1,1,3", 2),
        ("theta:0,2,3", 1),
        ("petersen", 1),
        ("petersen:10,3", 2), // the Desargues graph is bipartite
        ("torus:3x3", 1),
        ("torus:4x4", 2),
        ("torus:4x5", 1),
        ("torus:6x4", 2),
        ("cube", 2),
        ("hypercube:1", 1),
        ("hypercube:2", 2),
        ("complete:1", 1),
        ("complete:2", 1),
        ("complete:3", 1),
        ("complete:4", 1),
        ("complete:60", 1),
        ("bipartite:2x3", 2),
        ("bipartite:1x4", 24),
        ("star:4", 24),
        ("wheel:3", 1),
        ("wheel:7", 1),
        ("path:1", 1),
        ("path:6", 120),
    ] {
        assert_eq!(class_count(spec), count.to_string(), "{spec}");
    }
}

#[test]
fn large_graphs_take_no_time_and_no_stack() {
    let star = classes(&named("star:1000")).count;
    assert_eq!(star.to_string().len(), 2568); // 1000! has 2568 digits
    for spec in [
        "path:60000",
        "star:65535",
        "cycle:65536",
        "grid:256x256",
        "complete:2000",
        "hypercube:16",
    ] {
        let graph = named(spec);
        let found = classes(&graph);
        assert!(found.reason(&graph).len() < 600, "{spec}");
        let tiles: Vec<u16> = (0..=(graph.len() - 1) as u16).collect();
        let mut other = tiles.clone();
        other.swap(0, 1); // the blank moves one step, on all of these
        assert_eq!(connected(&graph, &tiles, &other, &plain), Ok(()), "{spec}");
    }
}

#[test]
fn the_two_sides_of_a_bow_tie_do_not_mix() {
    // Two triangles that share c: 4! / (2 * 2).
    let graph = Graph::parse("a b\nb c\nc a\nc d\nd e\ne c").unwrap().graph;
    let found = classes(&graph);
    assert_eq!(found.count, 6_u32.into());
    assert_eq!(found.cut_vertices, [2]);
    assert!(found.blocks.iter().all(|b| b.kind == BlockKind::Cycle));
    assert_eq!(
        found.reason(&graph),
        "At the cut vertex c the graph falls into 2 blocks, and whenever the blank is back where it began, every \
         tile is back in its block: 2 cycles of 3 vertices (2 permutations each). That makes 4! / 2^2 = 6 classes."
    );
}

// What the sentences say.

fn refusal(graph: &Graph, a: &str, b: &str) -> String {
    let [a, b] = [a, b].map(|text| Arrangement::parse(graph, text).unwrap());
    let (a, b, labels) = number(&a, &b).unwrap();
    connected(graph, &a, &b, &|tile| labels[usize::from(tile)].clone()).unwrap_err()
}

#[test]
fn the_14_15_puzzle_is_refused_with_its_reason() {
    let solved = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    let swapped = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0";
    assert_eq!(
        refusal(&Graph::grid(4, 4), swapped, solved),
        "the graph is bipartite, so with the blank on r4c4 its 15 tiles can be permuted evenly only, and this needs \
         an odd permutation: exactly tiles 15 and 14 would have to be swapped"
    );
}

#[test]
fn refusals_name_tiles_and_vertices() {
    assert_eq!(
        refusal(&named("cycle:5"), "1 2 3 4 0", "2 1 3 4 0"),
        "the cyclic order of the tiles on a cycle never changes, and it differs: round the graph in the direction \
         v5, v4, v3, v2, v1, tile 3 is followed by 2 but should be followed by 1"
    );
    assert_eq!(
        refusal(&named("path:4"), "ann _ bob cid", "bob _ ann cid"),
        "with the blank on v2, tile ann is on v1 and belongs on v3: it would have to leave its block through the cut \
         vertex v2, and no tile can, since the blank would have to be on both sides of it"
    );
    let theta0 = refusal(&named("theta0"), "1 2 3 4 5 6 0", "2 1 3 4 5 6 0");
    assert!(
        theta0.starts_with("the graph is theta0, where only 120 of the 720"),
        "{theta0}"
    );
    let hung = Graph::parse("a b\nb c\nc d\nd a\na x\nx c\nx y")
        .unwrap()
        .graph; // K(2,3) and a tail
    let inner = refusal(&hung, "1 2 3 4 5 0", "2 1 3 4 5 0");
    assert!(
        inner.starts_with("the block of a, b, c, d, x is bipartite"),
        "{inner}"
    );
    let outer = refusal(&hung, "1 2 3 4 5 0", "1 2 3 5 4 0");
    assert!(outer.contains("through the cut vertex x"), "{outer}");
}

#[test]
fn every_kind_of_graph_has_its_reason() {
    for (spec, part) in [
        ("path:1", "a single vertex"),
        ("path:2", "a single edge"),
        (
            "star:5",
            "a tree: whatever the blank does is undone on its way back, so no order of the 5 tiles",
        ),
        ("star:5", "That makes 5! = 120 classes."),
        ("theta0", "That makes 6! / 120 = 6 classes."),
        ("grid:4x4", "exactly the even permutations of its 15 tiles"),
        (
            "petersen",
            "every permutation of its 9 tiles can be made, so all states are connected.",
        ),
        (
            "path:100",
            "That makes 99! classes, a number of about 156 digits.",
        ),
    ] {
        let graph = named(spec);
        let reason = classes(&graph).reason(&graph);
        assert!(reason.contains(part), "{spec}: {reason}");
    }
    let mixed =
        "1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n1 7\n7 4\n7 8\n8 9\n9 a\na 8\na b\nb c\nc d\nd e\ne b\nb d";
    let graph = Graph::parse(mixed).unwrap().graph;
    let reason = classes(&graph).reason(&graph);
    assert!(
        reason.contains(
            "2 bridges (1 permutation each), 1 cycle of 3 vertices (2 permutations), 1 theta0 block (120 permutations)"
        ),
        "{reason}"
    );
}

#[test]
#[should_panic(expected = "a state is a permutation of 0..4")]
fn states_must_be_permutations() {
    let _ = connected(&named("cycle:4"), &[0, 1, 1, 2], &[0, 1, 2, 3], &plain);
}

// Graphs.

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
