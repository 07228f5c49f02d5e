//! Whether moves lead from one state of a graph puzzle to another, and if not, why.
//!
//! With both blanks on one vertex, the tiles differ by a permutation. It can be made
//! exactly when it keeps every tile in its block and is, within each block, in that block's
//! group; [`wilson`](super::wilson) says which group. Rotations and even permutations are
//! recognised as such; for theta0 the 120 elements are made from two closed walks. Each of
//! these tests that fails has its sentence, and names tiles and vertices.

use super::blocks::{BlockKind, NONE, Rooted};
use super::simple::{Graph, listed, short};
use std::collections::HashSet;

/// Why no moves lead from one state to another, in words that name tiles and vertices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Disconnected(String);

/// Decides whether moves lead from state `a` to state `b`; if not, says why.
///
/// States are tile numbers by vertex, 0 for the blank. `label` names the tiles.
///
/// # Errors
///
/// The reason, in words that name tiles and vertices.
///
/// # Panics
///
/// When `a` or `b` is not a permutation of `0..graph.len()`.
///
/// ```
/// use noyes_puzzle::graph::{Graph, connected};
///
/// let board = Graph::grid(2, 2);
/// let label = |tile: u16| tile.to_string();
/// assert!(connected(&board, &[1, 2, 3, 0], &[0, 1, 3, 2], &label).is_ok());
/// let reason = connected(&board, &[1, 2, 3, 0], &[2, 1, 3, 0], &label).unwrap_err();
/// assert!(reason.to_string().contains("cyclic order"));
/// # Ok::<(), noyes_puzzle::graph::GraphError>(())
/// ```
pub fn connected(
    graph: &Graph,
    a: &[u16],
    b: &[u16],
    label: &dyn Fn(u16) -> String,
) -> Result<(), Disconnected> {
    assert_permutation(graph, a);
    assert_permutation(graph, b);

    // 1. Bring the blank of `a` to where `b` has it.
    let blank =
        |tiles: &[u16]| (tiles.iter().position(|&t| t == 0)).expect("0 is in a permutation") as u16;
    let root = blank(b);
    let mut a = a.to_vec();
    for step in graph.path(blank(&a), root).windows(2) {
        a.swap(usize::from(step[0]), usize::from(step[1]));
    }

    // 2. Every tile must stay at home.
    let rooted = Rooted::new(graph, root);
    let mut target = vec![0; graph.len()]; // by tile
    for (vertex, &tile) in b.iter().enumerate() {
        target[usize::from(tile)] = vertex as u16;
    }
    let question = Question {
        rooted: &rooted,
        to: a.iter().map(|&tile| target[usize::from(tile)]).collect(),
        a: &a,
        b,
        label,
    };
    if let Some(vertex) =
        (0..graph.len()).find(|&v| rooted.home[v] != rooted.home[usize::from(question.to[v])])
    {
        return Err(Disconnected(question.leaves_block(vertex as u16)));
    }

    // 3. Within each block, the permutation must be in the block's group.
    let mut is_seen = vec![false; graph.len()];
    for (block, part) in rooted.parts.iter().enumerate() {
        match part.kind {
            BlockKind::Bridge | BlockKind::General => {}
            BlockKind::Cycle => question.check_cycle(block)?,
            BlockKind::Theta0 => question.check_theta0(block)?,
            BlockKind::Bipartite => question.check_bipartite(block, &mut is_seen)?,
        }
    }
    Ok(())
}

fn assert_permutation(graph: &Graph, tiles: &[u16]) {
    let mut is_seen = vec![false; graph.len()];
    let is_new = |&tile: &u16| {
        is_seen
            .get_mut(usize::from(tile))
            .is_some_and(|seen| !std::mem::replace(seen, true))
    };
    let is_permutation = tiles.len() == graph.len() && tiles.iter().all(is_new);
    assert!(
        is_permutation,
        "a state is a permutation of 0..{}",
        graph.len()
    );
}

/// Two states with their blanks on the root: can one become the other?
struct Question<'q> {
    rooted: &'q Rooted<'q>,
    a: &'q [u16],
    b: &'q [u16],
    to: Vec<u16>, // the tile on each vertex in `a` belongs on this vertex in `b`
    label: &'q dyn Fn(u16) -> String,
}

impl Question<'_> {
    fn label(&self, tile: u16) -> String {
        short(&(self.label)(tile))
    }

    fn tile_on(&self, vertex: u16) -> String {
        self.label(self.a[usize::from(vertex)])
    }

    fn name(&self, vertex: u16) -> String {
        short(self.rooted.graph.name(vertex))
    }

    /// "the graph", or which block of it.
    fn block_name(&self, block: usize) -> String {
        let mut vertices: Vec<u16> = self.rooted.vertices(block).collect();
        vertices.sort_unstable();
        match self.rooted.parts.len() {
            1 => "the graph".into(),
            _ => format!("the block of {}", listed(self.rooted.graph, &vertices)),
        }
    }

    fn leaves_block(&self, from: u16) -> String {
        let Rooted {
            root, home, parts, ..
        } = self.rooted;
        let to = self.to[usize::from(from)];
        let own = home[usize::from(from)];
        // Up from the target's block: either we meet our own, and the way out is the
        // entry below it, or the way out is our own entry.
        let mut exit = parts[own as usize].entry;
        let mut below = home[usize::from(to)];
        while below != NONE {
            let entry = parts[below as usize].entry;
            below = home[usize::from(entry)];
            if below == own {
                exit = entry;
                break;
            }
        }
        format!(
            "with the blank on {}, tile {} is on {} and belongs on {}: it would have to leave its block through the \
             cut vertex {}, and no tile can, since the blank would have to be on both sides of it",
            self.name(*root),
            self.tile_on(from),
            self.name(from),
            self.name(to),
            self.name(exit),
        )
    }

    fn check_cycle(&self, block: usize) -> Result<(), Disconnected> {
        let part = &self.rooted.parts[block];
        let mut round = vec![part.entry, part.rest[0]]; // where the block was entered
        while round.len() <= part.rest.len() {
            let [.., before, here] = round[..] else {
                unreachable!("two to begin with")
            };
            let next = self.rooted.neighbours_at_home(here).find(|&w| w != before);
            round.push(next.expect("a vertex of a cycle has two neighbours in it"));
        }
        let along = |tiles: &[u16]| -> Vec<u16> {
            round[1..].iter().map(|&v| tiles[usize::from(v)]).collect()
        };
        let (mut found, wanted) = (along(self.a), along(self.b));
        let shift = (found.iter().position(|&t| t == wanted[0])).expect("the tiles are the same");
        found.rotate_left(shift);
        let Some(differ) = (0..found.len()).find(|&i| found[i] != wanted[i]) else {
            return Ok(());
        };
        Err(Disconnected(format!(
            "the cyclic order of the tiles on a cycle never changes, and it differs: round {} in the direction {}, tile \
             {} is followed by {} but should be followed by {}",
            self.block_name(block),
            listed(self.rooted.graph, &round),
            self.label(wanted[differ - 1]),
            self.label(found[differ]),
            self.label(wanted[differ]),
        )))
    }

    fn check_bipartite(&self, block: usize, is_seen: &mut [bool]) -> Result<(), Disconnected> {
        let rest = &self.rooted.parts[block].rest;
        // A cycle of even length is odd; an odd permutation has an odd number of those.
        let mut even_cycles = 0;
        let mut moved = 0;
        let mut swap = None;
        for &start in rest {
            let (mut vertex, mut length) = (start, 0);
            while !std::mem::replace(&mut is_seen[usize::from(vertex)], true) {
                vertex = self.to[usize::from(vertex)];
                length += 1;
            }
            if length > 1 {
                moved += length;
            }
            if length > 0 && length % 2 == 0 {
                even_cycles += 1;
                swap = Some((start, self.to[usize::from(start)]));
            }
        }
        if even_cycles % 2 == 0 {
            return Ok(());
        }
        let (x, y) = swap.expect("an odd number is not 0");
        let (x, y) = (x.min(y), x.max(y));
        let (first, second) = (self.tile_on(x), self.tile_on(y));
        let example = if moved == 2 {
            format!("exactly tiles {first} and {second} would have to be swapped")
        } else {
            format!("two tiles, such as {first} and {second}, would have to be swapped as well")
        };
        Err(Disconnected(format!(
            "{} is bipartite, so with the blank on {} its {} tiles can be permuted evenly only, and this needs an odd \
             permutation: {example}",
            self.block_name(block),
            self.name(self.rooted.root),
            rest.len(),
        )))
    }

    fn check_theta0(&self, block: usize) -> Result<(), Disconnected> {
        let part = &self.rooted.parts[block];
        let place = |v: u16| {
            part.rest
                .iter()
                .position(|&w| w == v)
                .expect("tiles are at home")
        };
        let mut wanted = [0; 6];
        for (i, &v) in part.rest.iter().enumerate() {
            wanted[i] = place(self.to[usize::from(v)]);
        }
        if group(&self.theta0_generators(block)).contains(&wanted) {
            return Ok(());
        }
        let mut vertices = part.rest.clone();
        vertices.sort_unstable();
        let order = |tiles: &[u16]| -> String {
            let labels: Vec<String> = (vertices.iter())
                .map(|&v| self.label(tiles[usize::from(v)]))
                .collect();
            labels.join(" ")
        };
        Err(Disconnected(format!(
            "{} is theta0, where only 120 of the 720 permutations of six tiles can be made: with the blank on {}, no \
             moves turn {} on {} into {}",
            self.block_name(block),
            self.name(self.rooted.root),
            order(self.a),
            listed(self.rooted.graph, &vertices),
            order(self.b),
        )))
    }

    /// What the blank does from the entry round each cycle that one edge closes with a
    /// spanning tree; these walks generate all closed walks.
    fn theta0_generators(&self, block: usize) -> Vec<[usize; 6]> {
        let vertices: Vec<u16> = self.rooted.vertices(block).collect(); // the entry is the last
        let touches = |i: usize, j: usize| self.rooted.graph.has_edge(vertices[i], vertices[j]);
        // 1. A tree: the way from the entry to each vertex.
        let mut ways = vec![vec![6]];
        let mut at = 0;
        while at < ways.len() {
            let end = ways[at][ways[at].len() - 1];
            for next in (0..7).filter(|&next| touches(end, next)) {
                if ways.iter().all(|way| way.last() != Some(&next)) {
                    ways.push([ways[at].as_slice(), &[next]].concat());
                }
            }
            at += 1;
        }
        // 2. There along the tree, over one more edge, back along the tree.
        let mut generators = Vec::new();
        for (i, there) in ways.iter().enumerate().skip(1) {
            for back in &ways[..i] {
                let (parent, end) = (there[there.len() - 2], there[there.len() - 1]);
                let other = back[back.len() - 1];
                if other == parent || !touches(end, other) {
                    continue;
                }
                let walk: Vec<usize> = there.iter().chain(back.iter().rev()).copied().collect();
                let mut tiles = [0, 1, 2, 3, 4, 5, 6];
                for step in walk.windows(2) {
                    tiles.swap(step[0], step[1]);
                }
                let mut moves_to = [0; 6];
                for (now, &tile) in tiles[..6].iter().enumerate() {
                    moves_to[tile] = now;
                }
                generators.push(moves_to);
            }
        }
        generators
    }
}

/// All products of these permutations.
fn group(generators: &[[usize; 6]]) -> HashSet<[usize; 6]> {
    let identity = [0, 1, 2, 3, 4, 5];
    let mut found = HashSet::from([identity]);
    let mut todo = vec![identity];
    while let Some(element) = todo.pop() {
        for generator in generators {
            let product = element.map(|i| generator[i]);
            if found.insert(product) {
                todo.push(product);
            }
        }
    }
    found
}
