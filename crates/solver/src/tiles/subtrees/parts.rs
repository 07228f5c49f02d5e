//! Parts of a limit: the unit of work that another machine can take.
//!
//! The tree of a limit is cut at a depth, and its subtrees are numbered. A [`Part`] names every n-th of them, so that parts
//! are of about the same size. With the start, the goal and the heuristic it is all that a machine has to know: it cuts the
//! tree again, checks that it gets the same subtrees, and searches those of its part. The counts of all parts and of the
//! nodes above the cut add up to those of one thread that searches the whole limit.
//!
//! Parts differ in size, and nobody knows by how much. So a search may end after a number of states and return what is
//! left: the moves to each node whose subtree is not searched, which other machines can take. Counts still add up, and a part that is
//! searched again, with the same number of states, leaves the same rest.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noyes_puzzle::tiles::{Board, Direction};

use super::frontier::{Frontier, MOST_MOVES, MOST_WANTED, Subtree, reach};
use super::lanes::Tree;
use super::limit::{End, Limit};
use super::node::Node;
use super::search::{Deepening, Run, Searched, cut};
use crate::control::{Control, Stop};
use crate::tiles::gpu::Device;

/// What the first limits came to, which one machine searches alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// An optimal plan, if it was found already.
    pub plan: Option<Vec<Direction>>,
    /// The first limit that was not searched to its end, or the length of the plan.
    pub limit: u32,
    /// States expanded and generated: in all limits before that one, or together with the limit of the plan.
    pub before: (u64, u64),
    /// States expanded in the last limit before that one.
    pub last: u64,
    /// Why it ended, unless by a plan or by the states that it may generate.
    pub stop: Option<Stop>,
}

/// The tree of a limit, cut into subtrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The moves from the start to a subtree.
    pub depth: u8,
    /// How many subtrees there are.
    pub subtrees: usize,
    /// A checksum over all of them.
    pub check: u64,
    /// States expanded and generated above them.
    pub above: (u64, u64),
    /// A plan that is found above them.
    pub plan: Option<Vec<Direction>>,
}

/// Some subtrees of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The limit.
    pub limit: u32,
    /// Where its tree is cut.
    pub depth: u8,
    /// How many subtrees the cut gives.
    pub subtrees: usize,
    /// Their checksum.
    pub check: u64,
    /// The first of those to search.
    pub first: usize,
    /// From one to the next.
    pub step: usize,
}

/// What the search of a part came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartEnd {
    /// States expanded and generated.
    pub counts: (u64, u64),
    /// A plan within the limit. If no limit below has one, it is optimal.
    pub plan: Option<Vec<Direction>>,
    /// Why the search stopped before its end, if it did.
    pub stop: Option<Stop>,
    /// What is left: the moves from the start to each node whose subtree is not searched, those of one branch together.
    /// Nothing if there is a plan or a stop.
    pub rest: Vec<Vec<Direction>>,
}

/// A part of another tree: made by another version of the program, or damaged on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the part belongs to another tree")]
pub struct ForeignPart;

/// IDA* with pattern databases on one board, in parts.
pub struct Parts {
    deepening: Arc<Deepening>,
    start: Board,
    /// The limit that was cut last, and how: the next part is of the same one.
    last: Mutex<Option<Arc<KeptCut>>>,
}

/// A limit that was cut, with the checksum of its subtrees, which takes milliseconds.
struct KeptCut {
    limit: u32,
    frontier: Frontier,
    check: u64,
}

/// A limit is one byte in a node.
const MOST_LIMIT: u32 = 255;

impl Parts {
    /// The parts of a start.
    pub fn new(deepening: Arc<Deepening>, start: Board) -> Parts {
        Parts {
            deepening,
            start,
            last: Mutex::default(),
        }
    }

    /// Searches limit after limit until this number of states is generated.
    pub fn open(&self, generated: u64, control: &Control) -> Opening {
        let mut opening = Opening {
            plan: None,
            limit: 0,
            before: (0, 1),
            last: 0,
            stop: None,
        };
        let within = control.within(generated);
        let run = Run::new(&within);
        let outcome = self
            .deepening
            .searched(&self.start, run, &mut |done: Searched| {
                opening.before.0 += done.expanded;
                opening.before.1 += done.generated;
                opening.last = done.expanded;
            });
        let outcome = outcome.expect("without checkpoints");
        opening.limit = outcome.bounds.lower;
        opening.stop = outcome.status.stop().filter(|stop| *stop != Stop::Budget);
        if outcome.plan.is_some() {
            opening.before = (outcome.counts.expanded, outcome.counts.generated);
        }
        opening.plan = outcome.plan;
        opening
    }

    /// Cuts the tree of a limit into at least this number of subtrees, or a million, if it has as many.
    pub fn cut(&self, limit: u32, wanted: usize) -> Cut {
        let wanted = wanted.min(MOST_WANTED);
        let frontier = match self.deepening.catalogue.parts.len() {
            0..=4 => cut(self.tree(), &self.root::<4>(limit), wanted),
            5..=8 => cut(self.tree(), &self.root::<8>(limit), wanted),
            _ => cut(self.tree(), &self.root::<16>(limit), wanted),
        };
        let kept = self.keep(limit, frontier);
        let KeptCut {
            frontier, check, ..
        } = &*kept;
        Cut {
            depth: frontier.depth,
            subtrees: frontier.subtrees.len(),
            check: *check,
            above: (frontier.expanded, frontier.generated),
            plan: frontier.found.as_deref().map(directions),
        }
    }

    /// Searches the subtrees of a part.
    ///
    /// # Errors
    /// If the part is not one of this tree.
    pub fn search(
        &self,
        part: &Part,
        threads: usize,
        control: &Control,
    ) -> Result<PartEnd, ForeignPart> {
        match self.deepening.catalogue.parts.len() {
            0..=4 => self.search_with::<4>(part, |limit| limit.search(threads), control),
            5..=8 => self.search_with::<8>(part, |limit| limit.search(threads), control),
            _ => self.search_with::<16>(part, |limit| limit.search(threads), control),
        }
    }

    /// Searches the subtrees of a part by one thread, which leaves the rest to others after about this number of states.
    ///
    /// # Errors
    /// If the part is not one of this tree.
    pub fn search_some(
        &self,
        part: &Part,
        most: u64,
        control: &Control,
    ) -> Result<PartEnd, ForeignPart> {
        match self.deepening.catalogue.parts.len() {
            0..=4 => self.search_with::<4>(part, |limit| limit.search_some(most), control),
            5..=8 => self.search_with::<8>(part, |limit| limit.search_some(most), control),
            _ => self.search_with::<16>(part, |limit| limit.search_some(most), control),
        }
    }

    /// Searches what is left of a part of this limit, likewise.
    ///
    /// # Errors
    /// If it is not one of this tree.
    pub fn search_rest(
        &self,
        limit: u32,
        rest: &[Vec<Direction>],
        most: u64,
        control: &Control,
    ) -> Result<PartEnd, ForeignPart> {
        match self.deepening.catalogue.parts.len() {
            0..=4 => self.search_rest_with::<4>(limit, rest, most, control),
            5..=8 => self.search_rest_with::<8>(limit, rest, most, control),
            _ => self.search_rest_with::<16>(limit, rest, most, control),
        }
    }

    fn search_with<const PARTS: usize>(
        &self,
        part: &Part,
        search: impl Fn(Limit<PARTS>) -> End,
        control: &Control,
    ) -> Result<PartEnd, ForeignPart> {
        let (tree, root) = (self.tree(), self.root::<PARTS>(part.limit));
        let frontier = Frontier {
            subtrees: self.subtrees(part, &root)?,
            depth: part.depth,
            ..Frontier::default()
        };
        let limit = Limit::new(tree, &root, &frontier, control, None, None);
        Ok(search(limit).into())
    }

    fn search_rest_with<const PARTS: usize>(
        &self,
        limit: u32,
        rest: &[Vec<Direction>],
        most: u64,
        control: &Control,
    ) -> Result<PartEnd, ForeignPart> {
        if limit > MOST_LIMIT {
            return Err(ForeignPart);
        }
        let (tree, root) = (self.tree(), self.root::<PARTS>(limit));
        let mut nodes = vec![];
        for moves in rest {
            let path: Vec<u8> = moves.iter().map(|&direction| direction as u8).collect();
            // The last node has been generated, and may still be cut; those before have been expanded.
            let (last, before) = path.split_last().ok_or(ForeignPart)?;
            let parent = reach(tree, &root, before).ok_or(ForeignPart)?;
            if let Some(node) = reach(tree, &parent, &[*last]) {
                nodes.push((node, path));
            }
        }
        let frontier = Frontier::default();
        let limit = Limit::new(tree, &root, &frontier, control, None, None);
        Ok(limit.and_from(nodes).search_some(most).into())
    }

    /// Searches several parts of one limit together on a device, which needs so much work to be busy. A plan ends all of
    /// them, and so does a limit of `control`.
    ///
    /// # Errors
    /// If a part is not one of this tree, or of another limit than the first one.
    pub fn search_on(
        &self,
        device: &dyn Device,
        parts: &[Part],
        control: &Control,
    ) -> Result<Vec<PartEnd>, ForeignPart> {
        match self.deepening.catalogue.parts.len() {
            0..=4 => self.search_on_with::<4>(device, parts, control),
            5..=8 => self.search_on_with::<8>(device, parts, control),
            _ => self.search_on_with::<16>(device, parts, control),
        }
    }

    fn search_on_with<const PARTS: usize>(
        &self,
        device: &dyn Device,
        parts: &[Part],
        control: &Control,
    ) -> Result<Vec<PartEnd>, ForeignPart> {
        let Some(first) = parts.first() else {
            return Ok(vec![]);
        };
        let (tree, root) = (self.tree(), self.root::<PARTS>(first.limit));
        let mut frontier = Frontier {
            depth: first.depth,
            ..Frontier::default()
        };
        let mut sizes = vec![];
        for part in parts {
            if (part.limit, part.depth) != (first.limit, first.depth) {
                return Err(ForeignPart);
            }
            let own = self.subtrees(part, &root)?;
            sizes.push(own.len());
            frontier.subtrees.extend(own);
        }
        let limit = Limit::new(tree, &root, &frontier, control, None, None);
        let (end, counts) = limit.counted_on(device);
        let mut counts = counts.into_iter();
        let part_end = |size: usize| PartEnd {
            counts: counts
                .by_ref()
                .take(size)
                .fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1)),
            plan: end.found.as_deref().map(directions),
            stop: end.stop,
            rest: vec![],
        };
        Ok(sizes.into_iter().map(part_end).collect())
    }

    /// The subtrees of a part.
    fn subtrees<const PARTS: usize>(
        &self,
        part: &Part,
        root: &Node<PARTS>,
    ) -> Result<Vec<Subtree>, ForeignPart> {
        let is_sound = part.step > 0
            && part.first < part.subtrees
            && part.depth <= MOST_MOVES
            && part.limit <= MOST_LIMIT;
        if !is_sound {
            return Err(ForeignPart);
        }
        let whole = if let Some(kept) = self.kept(part.limit, part.depth) {
            kept
        } else {
            let frontier = Frontier::new(self.tree(), root, part.depth);
            if frontier.is_too_large() {
                return Err(ForeignPart);
            }
            self.keep(part.limit, frontier)
        };
        let all = &whole.frontier.subtrees;
        if all.len() != part.subtrees || whole.check != part.check {
            return Err(ForeignPart);
        }
        let own = all.iter().skip(part.first).step_by(part.step);
        Ok(own.copied().collect())
    }

    fn tree(&self) -> Tree<'_> {
        Tree {
            catalogue: &self.deepening.catalogue,
            walks: &self.deepening.walks,
        }
    }

    fn root<const PARTS: usize>(&self, limit: u32) -> Node<PARTS> {
        let Deepening {
            catalogue, walks, ..
        } = &*self.deepening;
        Node::root(catalogue, walks, &self.start).within(limit as u8)
    }

    /// The cut of a limit, if it is the one that was used last.
    fn kept(&self, limit: u32, depth: u8) -> Option<Arc<KeptCut>> {
        let last = self.last();
        let is_it = |kept: &&Arc<KeptCut>| kept.limit == limit && kept.frontier.depth == depth;
        last.as_ref().filter(is_it).cloned()
    }

    fn keep(&self, limit: u32, frontier: Frontier) -> Arc<KeptCut> {
        let kept = Arc::new(KeptCut {
            limit,
            check: frontier.check(),
            frontier,
        });
        *self.last() = Some(kept.clone());
        kept
    }

    fn last(&self) -> MutexGuard<'_, Option<Arc<KeptCut>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<End> for PartEnd {
    fn from(end: End) -> PartEnd {
        let is_over = end.found.is_some() || end.stop.is_some();
        let rest = if is_over { vec![] } else { end.rest };
        PartEnd {
            counts: (end.expanded, end.generated),
            plan: end.found.as_deref().map(directions),
            stop: end.stop,
            rest: rest.iter().map(|moves| directions(moves)).collect(),
        }
    }
}

fn directions(moves: &[u8]) -> Vec<Direction> {
    let direction = |&index: &u8| Direction::ALL[usize::from(index)];
    moves.iter().map(direction).collect()
}
