//! The frontier: a tree cut into subtrees at a depth.

use super::lanes::Tree;
use super::node::Node;
use super::walks::WalkStep;

/// The most moves from the start to a subtree: two bits each.
pub const MOST_MOVES: u8 = 32;
/// The most subtrees that a cut is asked for.
pub const MOST_WANTED: usize = 1_000_000;
/// More nodes than such a cut has: fewer than that at each depth above, and up to three times as many at the last.
const MOST_NODES: u64 = (MOST_MOVES as u64 + 3) * MOST_WANTED as u64;

/// A part of a tree: the first moves from the start, packed. With the start, the limit and the heuristic, it is all that a
/// thread or another machine has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subtree {
    moves: u64,
}

/// A tree cut at a depth.
#[derive(Default)]
pub struct Frontier {
    pub subtrees: Vec<Subtree>,
    pub depth: u8,
    /// The nodes above.
    pub expanded: u64,
    pub generated: u64,
    /// The moves to a goal above the frontier.
    pub found: Option<Vec<u8>>,
}

impl Frontier {
    /// All subtrees of a root at this depth that are not cut.
    pub fn new<const PARTS: usize>(tree: Tree, root: &Node<PARTS>, depth: u8) -> Frontier {
        let mut frontier = Frontier {
            depth,
            ..Frontier::default()
        };
        frontier.descend(tree, root, &mut vec![]);
        frontier
    }

    /// Whether the tree has too many nodes for a cut at this depth; the rest was then left out.
    pub fn is_too_large(&self) -> bool {
        self.expanded + self.subtrees.len() as u64 > MOST_NODES
    }

    /// A checksum of the subtrees, the same on every machine.
    pub fn check(&self) -> u64 {
        let mix = |sum: u64, subtree: &Subtree| {
            (sum ^ subtree.moves)
                .wrapping_mul(0x0100_0000_01b3)
                .rotate_left(17)
        };
        self.subtrees.iter().fold(0xcbf2_9ce4_8422_2325, mix)
    }

    fn descend<const PARTS: usize>(&mut self, tree: Tree, node: &Node<PARTS>, path: &mut Vec<u8>) {
        if node.depth() == self.depth {
            let pack = |moves: u64, &direction: &u8| moves << 2 | u64::from(direction);
            self.subtrees.push(Subtree {
                moves: path.iter().fold(0, pack),
            });
            return;
        }
        self.expanded += 1;
        for walk in tree.walks.from(node.walk()).into_iter().rev() {
            if walk == WalkStep::END || self.found.is_some() || self.is_too_large() {
                continue;
            }
            self.generated += 1;
            let Some(child) = settled_child(tree, node, walk) else {
                continue;
            };
            path.push(walk.direction() as u8);
            if child.sum(0) == 0 {
                self.found = Some(path.clone());
            } else {
                self.descend(tree, &child, path);
            }
            path.pop();
        }
    }
}

impl Subtree {
    /// The moves, from the start.
    pub fn path(self, depth: u8) -> Vec<u8> {
        let shift = |i: u8| 2 * (depth - 1 - i);
        (0..depth)
            .map(|i| (self.moves >> shift(i) & 3) as u8)
            .collect()
    }

    /// Its root, from the root of the tree.
    pub fn root<const PARTS: usize>(
        self,
        tree: Tree,
        root: &Node<PARTS>,
        depth: u8,
    ) -> Node<PARTS> {
        let node = reach(tree, root, &self.path(depth));
        node.expect("a subtree that is not cut")
    }
}

/// The node that moves lead to; none if it is cut, or one on the way is, or a move is skipped.
pub fn reach<const PARTS: usize>(
    tree: Tree,
    root: &Node<PARTS>,
    moves: &[u8],
) -> Option<Node<PARTS>> {
    moves.iter().try_fold(*root, |node, &direction| {
        let is_next =
            |walk: &WalkStep| *walk != WalkStep::END && walk.direction() == usize::from(direction);
        let walk = tree.walks.from(node.walk()).into_iter().find(is_next)?;
        settled_child(tree, &node, walk)
    })
}

/// A child with all its sums, unless one of them is too large.
fn settled_child<const PARTS: usize>(
    tree: Tree,
    node: &Node<PARTS>,
    walk: WalkStep,
) -> Option<Node<PARTS>> {
    let catalogue = tree.catalogue;
    let mut wait = node.ask_child(catalogue, walk.direction());
    catalogue.find(&mut wait);
    let mut child = *node;
    if !node.write_child(catalogue, walk, &wait, &mut child) {
        return None;
    }
    for stage in 1..catalogue.stages.len() {
        let mut wait = child.ask_stage(catalogue, stage);
        if let Some(wait) = &mut wait {
            catalogue.find(wait);
        }
        if !child.settle_stage(catalogue, stage, wait.as_ref()) {
            return None;
        }
    }
    Some(child)
}
