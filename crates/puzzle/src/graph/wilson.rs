//! Wilson's theorem: which states of a graph puzzle can be turned into each other.
//!
//! Fix the blank on a vertex v. Every walk of the blank from v back to v permutes the
//! tiles, walking along an edge there and back does nothing, and two states with the
//! blank on v are connected exactly when some closed walk leads from one to the other.
//! So the question is which permutation group Γ the closed walks make, and a state
//! with its blank elsewhere is first brought to v along any path.
//!
//! **Blocks.** Take the graph apart at its cut vertices, those whose removal leaves it in
//! pieces. What remains are the blocks: single edges (bridges), and parts in which every
//! two vertices lie on a common cycle. They hang together like a tree, and each block B
//! has one vertex `c_B` through which a walk from v enters it (v itself, when v is in B).
//! Every other vertex w is the non-entry of exactly one block, call it w's home: the sets
//! B∖{`c_B`} partition V∖{v}. A closed walk is a product of closed walks of the form: go to `c_B`,
//! walk within B back to `c_B`, return the way you came. The way there moves tiles on its own
//! vertices only, none of them in B∖{`c_B`}, and the return puts them back. Hence Γ is the direct
//! product over the blocks of the groups `Γ_B`, each acting on its own B∖{`c_B`}.
//!
//! **One block** of k vertices, so with k−1 tiles to move:
//!
//! | block | `Γ_B` | order |
//! |---|---|---|
//! | bridge (k = 2) | trivial | 1 |
//! | cycle | the rotations | k−1 |
//! | theta0, two vertices joined by paths with 1, 2 and 2 inner vertices | PGL(2,5) on 6 points | 120 |
//! | any other, bipartite | the even permutations | (k−1)!/2 |
//! | any other | all permutations | (k−1)! |
//!
//! The last three lines are the theorem. The number of classes is (n−1)! divided by the
//! product of the orders. A tree of n vertices has (n−1)! classes: nothing can be changed.
//!
//! Cost: [`classes`] finds the blocks in one depth-first walk, without recursion, and
//! cancels before it multiplies, so that time goes into the size of the answer alone;
//! [`connected`](super::connected()) is linear in the size of the graph.
//!
//! R. M. Wilson: Graph puzzles, homotopy, and the alternating group.
//! Journal of Combinatorial Theory, Series B 16, 1974.

use super::blocks::{BlockKind, Rooted};
use super::simple::{Graph, listed};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The classes of states that moves connect: how many, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// How many classes there are.
    pub count: BigUint,
    /// The blocks of the graph.
    pub blocks: Vec<Block>,
    /// The vertices that lie in more than one block, in order.
    pub cut_vertices: Vec<u16>,
}

/// A block: a bridge, or a largest part that no single vertex can cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its vertices, in order.
    pub vertices: Vec<u16>,
    /// What decides the permutations it allows.
    pub kind: BlockKind,
}

/// Counts the classes of states that moves connect.
///
/// ```
/// use noyes_puzzle::graph::{Graph, classes};
///
/// assert_eq!(classes(&Graph::grid(4, 4)).count, 2_u32.into());
/// assert_eq!(classes(&Graph::named("theta0")?).count, 6_u32.into());
/// assert_eq!(classes(&Graph::named("cycle:6")?).count, 24_u32.into());
/// # Ok::<(), noyes_puzzle::graph::GraphError>(())
/// ```
pub fn classes(graph: &Graph) -> Classes {
    let rooted = Rooted::new(graph, 0);
    let mut is_cut = vec![false; graph.len()];
    is_cut[0] = rooted.parts.iter().filter(|part| part.entry == 0).count() > 1;
    for part in rooted.parts.iter().filter(|part| part.entry != 0) {
        is_cut[usize::from(part.entry)] = true;
    }
    let cut_vertices = (0..=(graph.len() - 1) as u16)
        .filter(|&v| is_cut[usize::from(v)])
        .collect();
    let blocks: Vec<Block> = (rooted.parts.iter())
        .map(|part| {
            let mut vertices = part.rest.clone();
            vertices.push(part.entry);
            vertices.sort_unstable();
            let kind = part.kind;
            Block { vertices, kind }
        })
        .collect();
    Classes {
        count: count(graph.len() - 1, &blocks),
        blocks,
        cut_vertices,
    }
}

/// tiles! divided by the orders of the blocks' groups.
fn count(tiles: usize, blocks: &[Block]) -> BigUint {
    // 1. The quotient as a product of powers of 2..=tiles. The tiles of the blocks sum to
    //    `tiles`, so this is linear.
    let mut power = vec![1_i32; tiles + 1];
    for block in blocks {
        let moving = block.vertices.len() - 1;
        let factors = match block.kind {
            BlockKind::Bridge | BlockKind::Cycle => moving..=moving, // 1 for a bridge
            BlockKind::Theta0 => 2..=5,                              // 5! = 120
            BlockKind::Bipartite | BlockKind::General => 2..=moving,
        };
        for factor in factors {
            power[factor] -= 1;
        }
        if block.kind == BlockKind::Bipartite {
            power[2] += 1;
        }
    }

    // 2. The same by primes: from above, each composite hands its power to two factors.
    let mut divisor = vec![0; tiles + 1]; // the smallest prime factor
    for prime in 2..=tiles {
        if divisor[prime] == 0 {
            for multiple in (prime..=tiles).step_by(prime) {
                if divisor[multiple] == 0 {
                    divisor[multiple] = prime;
                }
            }
        }
    }
    for i in (2..=tiles).rev().filter(|&i| divisor[i] != i) {
        let p = power[i];
        power[divisor[i]] += p;
        power[i / divisor[i]] += p;
        power[i] = 0;
    }

    // 3. Multiply neighbours pairwise, so that long numbers meet long numbers.
    let mut factors: Vec<BigUint> = (2..=tiles)
        .filter(|&i| power[i] != 0)
        .map(|i| {
            let exponent = u32::try_from(power[i]).expect("an order divides the factorial");
            BigUint::from(i).pow(exponent)
        })
        .collect();
    while factors.len() > 1 {
        factors = factors
            .chunks(2)
            .map(|pair| pair.iter().product())
            .collect();
    }
    factors.pop().unwrap_or_else(|| BigUint::from(1_u32))
}

impl Classes {
    /// Why there are that many classes, in a sentence or two that a reader can check.
    ///
    /// ```
    /// use noyes_puzzle::graph::{Graph, classes};
    ///
    /// let graph = Graph::named("cycle:5")?;
    /// assert_eq!(
    ///     classes(&graph).reason(&graph),
    ///     "The graph is a cycle of 5 vertices: its 4 tiles only rotate, and their cyclic order \
    ///      never changes. That makes 4! / 4 = 6 classes."
    /// );
    /// # Ok::<(), noyes_puzzle::graph::GraphError>(())
    /// ```
    pub fn reason(&self, graph: &Graph) -> String {
        let tiles = graph.len() - 1;
        let total = self.total();
        match self.blocks[..] {
            [] => "The graph is a single vertex: there is one state.".into(),
            [Block { kind, .. }] => match kind {
                BlockKind::Bridge => {
                    "The graph is a single edge: its one tile steps to and fro, so all states are connected.".into()
                }
                BlockKind::Cycle => format!(
                    "The graph is a cycle of {} vertices: its {tiles} tiles only rotate, and their cyclic order \
                     never changes. That makes {tiles}! / {tiles} {total}.",
                    tiles + 1
                ),
                BlockKind::Theta0 => format!(
                    "The graph is Wilson's exception theta0: of the 6! = 720 orders of its tiles, moves lead from \
                     each to only 120. That makes 6! / 120 {total}."
                ),
                BlockKind::Bipartite => format!(
                    "The graph has no cut vertex, is not a cycle, and is bipartite: by Wilson's theorem exactly the \
                     even permutations of its {tiles} tiles can be made, half of all. That makes 2 classes."
                ),
                BlockKind::General => format!(
                    "The graph has no cut vertex, is not a cycle, and is not bipartite: by Wilson's theorem every \
                     permutation of its {tiles} tiles can be made, so all states are connected."
                ),
            },
            _ if self.blocks.iter().all(|b| b.kind == BlockKind::Bridge) => format!(
                "The graph is a tree: whatever the blank does is undone on its way back, so no order of the {tiles} \
                 tiles can be changed. That makes {tiles}! {total}."
            ),
            _ => self.reason_by_blocks(graph, tiles),
        }
    }

    fn reason_by_blocks(&self, graph: &Graph, tiles: usize) -> String {
        const SHOWN: usize = 8;
        let mut groups: BTreeMap<(BlockKind, usize), usize> = BTreeMap::new();
        for block in &self.blocks {
            *groups
                .entry((block.kind, block.vertices.len()))
                .or_default() += 1;
        }
        let mut parts = Vec::new();
        let mut orders = Vec::new();
        for (&(kind, vertices), &times) in &groups {
            let (s, each) = if times > 1 { ("s", " each") } else { ("", "") };
            let moving = vertices - 1;
            let (what, order) = match kind {
                BlockKind::Bridge => (format!("bridge{s}"), "1".into()),
                BlockKind::Cycle => (
                    format!("cycle{s} of {vertices} vertices"),
                    moving.to_string(),
                ),
                BlockKind::Theta0 => (format!("theta0 block{s}"), "120".into()),
                BlockKind::Bipartite => (
                    format!("bipartite block{s} of {vertices} vertices"),
                    format!("({moving}!/2)"),
                ),
                BlockKind::General => (
                    format!("non-bipartite block{s} of {vertices} vertices"),
                    format!("{moving}!"),
                ),
            };
            let makes = match order.trim_matches(['(', ')']) {
                "1" => "1 permutation".to_owned(),
                many => format!("{many} permutations"),
            };
            parts.push(format!("{times} {what} ({makes}{each})"));
            if kind != BlockKind::Bridge {
                orders.push(if times > 1 {
                    format!("{order}^{times}")
                } else {
                    order
                });
            }
        }
        if parts.len() > SHOWN {
            let more = parts.len() - SHOWN;
            parts.truncate(SHOWN);
            parts.push(format!("{more} more kinds"));
        }
        if orders.len() > SHOWN {
            orders.truncate(SHOWN);
            orders.push("…".into());
        }
        let cuts = listed(graph, &self.cut_vertices);
        let noun = if self.cut_vertices.len() == 1 {
            "vertex"
        } else {
            "vertices"
        };
        let divisor = if orders.len() == 1 {
            orders.concat()
        } else {
            format!("({})", orders.join(" · "))
        };
        format!(
            "At the cut {noun} {cuts} the graph falls into {} blocks, and whenever the blank is back where it began, \
             every tile is back in its block: {}. That makes {tiles}! / {divisor} {}.",
            self.blocks.len(),
            parts.join(", "),
            self.total()
        )
    }

    /// "= 24 classes", or the length of a number too long to read.
    fn total(&self) -> String {
        if self.count == BigUint::from(1_u32) {
            "= 1 class".into()
        } else if self.count.bits() <= 128 {
            format!("= {} classes", self.count)
        } else {
            let digits = self.count.bits() as f64 * std::f64::consts::LOG10_2;
            format!("classes, a number of about {digits:.0} digits")
        }
    }
}
