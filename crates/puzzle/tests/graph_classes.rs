//! Graph puzzles against brute force: classes of states, connectedness, reasons.

use noyes_puzzle::graph::{Arrangement, BlockKind, Graph, classes, connected, number};
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
                let answer = connected(graph, from, to, &plain).map_err(|why| why.to_string());
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
    let label = |tile: u16| labels[usize::from(tile)].clone();
    let reason = connected(graph, &a, &b, &label).unwrap_err();
    reason.to_string()
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
