//! Lanes: several subtrees searched at once by one thread, in turns.
//!
//! The tables of 5×5 are far larger than the caches, so a look-up waits for memory about as long as a hundred
//! instructions take. A lane asks for what its node needs next and gives way to the other lanes; when its turn comes
//! again, the answer is there. A lane is a depth-first search with a stack of nodes that were not cut yet.

use super::catalogue::Catalogue;
use super::node::Node;
use super::part::Wait;
use super::prefetch::prefetch;
use super::walks::{WalkStep, Walks};

/// What all lanes read.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    pub catalogue: &'a Catalogue,
    pub walks: &'a Walks,
}

/// What a lane waits for.
#[derive(Clone, Copy)]
enum Waits {
    /// Nothing: it has no work.
    Idle,
    /// Its turn.
    Turn,
    /// A later stage of its node.
    Stage(u8),
    /// The first stage of its node's children.
    Children,
}

/// What came out of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    Goes,
    /// The node is the goal.
    Found,
}

/// The most nodes on a stack: a plan has at most 255 moves, and a node leaves at most three siblings behind.
const MOST_NODES: usize = 3 * 256;

/// A depth-first search that can be left and taken up again at any look-up.
pub struct Lane<const PARTS: usize> {
    waits: Waits,
    /// The current node is on top.
    stack: Box<[Node<PARTS>]>,
    /// The number of nodes on the stack.
    nodes: usize,
    /// The node whose children are being written.
    parent: Node<PARTS>,
    /// By step of the automaton.
    asked: [Wait; 4],
    /// How many of them have no bit yet.
    questions: u8,
    /// The moves from the start to the current node.
    path: [u8; 256],
    expanded: u64,
    generated: u64,
    /// The number of the subtree, unless it has been counted to its end.
    subtree: Option<usize>,
}

/// What a lane has done since it was asked last.
pub struct Counted {
    pub subtree: usize,
    pub expanded: u64,
    pub generated: u64,
    /// Whether its piece of the subtree is done.
    pub is_done: bool,
}

impl<const PARTS: usize> Lane<PARTS> {
    /// A lane without work; the node does not matter.
    pub fn new(node: Node<PARTS>) -> Lane<PARTS> {
        Lane {
            waits: Waits::Idle,
            stack: vec![node; MOST_NODES].into(),
            nodes: 0,
            parent: node,
            asked: [Wait::default(); 4],
            questions: 0,
            path: [0; 256],
            expanded: 0,
            generated: 0,
            subtree: None,
        }
    }

    pub fn is_idle(&self) -> bool {
        matches!(self.waits, Waits::Idle)
    }

    /// Takes up a piece of work.
    pub fn begin(&mut self, tree: Tree, piece: &Piece<PARTS>) {
        self.subtree = Some(piece.subtree);
        self.path[..piece.path.len()].copy_from_slice(&piece.path);
        self.stack[0] = piece.node;
        self.nodes = 1;
        if piece.is_settled {
            self.expand(tree);
            self.find(tree);
        } else {
            self.waits = Waits::Turn;
        }
    }

    /// The moves from the start to the goal that was found.
    pub fn path(&self) -> &[u8] {
        &self.path[..usize::from(self.stack[self.nodes - 1].depth())]
    }

    /// The moves from the start to the largest piece of work that it can part with, if it has more than one.
    pub fn depth(&self) -> Option<u8> {
        (self.nodes > 1).then(|| self.stack[0].depth())
    }

    /// Gives away the largest piece of its work.
    pub fn part_with(&mut self) -> Piece<PARTS> {
        // The lowest node of the stack is nearest to the start. Its path is that of the lane, but for the last move.
        let node = self.stack[0];
        self.stack.copy_within(1..self.nodes, 0);
        self.nodes -= 1;
        let mut path = self.path[..usize::from(node.depth())].to_vec();
        if let Some(last) = path.last_mut() {
            *last = node.direction();
        }
        Piece {
            node,
            path,
            subtree: self.subtree.expect("it has work"),
            is_settled: false,
        }
    }

    /// Leaves all its work to others: adds the moves from the start to each node whose subtree is left. What has been
    /// expanded stays counted here, so nothing is counted twice.
    pub fn leave(&mut self, tree: Tree, rest: &mut Vec<Vec<u8>>) -> Turn {
        if matches!(self.waits, Waits::Children) {
            // The node has been counted, its children have not.
            self.find(tree);
            if self.put_children(tree) {
                return Turn::Found;
            }
        }
        while self.nodes > 0 {
            rest.push(self.part_with().path);
        }
        self.waits = Waits::Idle;
        Turn::Goes
    }

    /// What it has done since the last call; `None` if it has had no work.
    pub fn count(&mut self) -> Option<Counted> {
        let counted = Counted {
            subtree: self.subtree?,
            expanded: std::mem::take(&mut self.expanded),
            generated: std::mem::take(&mut self.generated),
            is_done: self.is_idle(),
        };
        self.subtree = self.subtree.filter(|_| !counted.is_done);
        Some(counted)
    }

    /// One turn.
    #[inline(always)]
    pub fn turn(&mut self, tree: Tree) -> Turn {
        match self.waits {
            Waits::Idle => return Turn::Goes,
            Waits::Turn => {}
            Waits::Stage(stage) => {
                let stage = usize::from(stage);
                let wait = Some(&self.asked[0]);
                let node = &mut self.stack[self.nodes - 1];
                if node.settle_stage(tree.catalogue, stage, wait) && self.settle(tree, stage + 1) {
                    return Turn::Goes;
                }
                self.nodes -= 1;
            }
            Waits::Children => {
                if self.put_children(tree) {
                    return Turn::Found;
                }
            }
        }
        while self.nodes > 0 {
            let node = &self.stack[self.nodes - 1];
            self.path[usize::from(node.depth().wrapping_sub(1))] = node.direction();
            if self.settle(tree, 1) {
                return Turn::Goes;
            }
            self.nodes -= 1;
        }
        self.waits = Waits::Idle;
        Turn::Goes
    }

    /// Puts the children that are not cut in the place of their parent; true if the topmost is the goal.
    #[inline(always)]
    fn put_children(&mut self, tree: Tree) -> bool {
        let mut nodes = self.nodes - 1;
        self.parent = self.stack[nodes];
        let walks = tree.walks.from(self.parent.walk());
        // Written and then kept or not: whether a child is cut is hard to predict.
        for (&walk, asked) in walks.iter().zip(&self.asked) {
            if walk == WalkStep::END {
                break;
            }
            let child = &mut self.stack[nodes];
            let stays = self.parent.write_child(tree.catalogue, walk, asked, child);
            nodes += usize::from(stays);
            if child.sum(0) == 0 && stays {
                self.path[usize::from(self.parent.depth())] = child.direction();
                self.nodes = nodes;
                return true;
            }
        }
        self.nodes = nodes;
        false
    }

    /// Asks the stages from this one on; true if the node waits for one of them or for its children.
    #[inline(always)]
    fn settle(&mut self, tree: Tree, from: usize) -> bool {
        let node = &mut self.stack[self.nodes - 1];
        for stage in from..tree.catalogue.stages.len() {
            match node.ask_stage(tree.catalogue, stage) {
                Some(wait) => {
                    self.asked[0] = wait;
                    self.questions = 1;
                    self.waits = Waits::Stage(stage as u8);
                    return true;
                }
                None if node.settle_stage(tree.catalogue, stage, None) => {}
                None => return false,
            }
        }
        self.expand(tree);
        true
    }

    /// Asks for all children.
    #[inline(always)]
    fn expand(&mut self, tree: Tree) {
        let node = &self.stack[self.nodes - 1];
        self.expanded += 1;
        self.questions = 0;
        for (asked, walk) in self.asked.iter_mut().zip(tree.walks.from(node.walk())) {
            if walk == WalkStep::END {
                break;
            }
            self.questions += 1;
            *asked = node.ask_child(tree.catalogue, walk.direction());
            prefetch(tree.walks.all(), walk.state() as usize);
        }
        self.generated += u64::from(self.questions);
        self.waits = Waits::Children;
    }

    /// The second half of a turn: which bits to read is known once the entries of the maps have come.
    #[inline(always)]
    pub fn find(&mut self, tree: Tree) {
        for wait in &mut self.asked[..usize::from(self.questions)] {
            tree.catalogue.find(wait);
        }
        self.questions = 0;
    }
}

/// Work for a lane: a node, how to get there, and the subtree that it belongs to.
pub struct Piece<const PARTS: usize> {
    pub node: Node<PARTS>,
    pub path: Vec<u8>,
    pub subtree: usize,
    /// Whether all stages of the node have been asked.
    pub is_settled: bool,
}
