//! SMA*: A* in as much memory as there is, forgetting the worst when it is full.
//!
//! **What is kept.** A tree of paths from the start. A node is a path whose
//! children have been looked at, and holds a value for each of them: at first
//! g + h, later the least value below the child, backed up. No plan through a
//! child is cheaper than its value. When memory is full, a node without children
//! in memory is forgotten: its value stays with its parent, so it is known when it
//! is worth making again. One state on two paths is two nodes, so none depends on
//! another that may be forgotten. States are not kept: the search steps along the
//! tree and walks one state in place.
//!
//! **Order.** The limit is the least value at the root, and only children within
//! it are expanded: so the order is best-first, the limit is a lower bound, and a
//! goal within it is optimal. Of several, the first in the order of the moves is
//! taken, depth-first. What is forgotten is the node of the largest value outside
//! the current path, and of equals the one left last: the next round comes to it
//! last.
//!
//! **Progress.** While the limit stays, everything before the current path in
//! depth-first order is known to be above it, and this knowledge lies in the
//! nodes of the path, which are never forgotten, or is summed up in their values.
//! So the path only moves on in that order, no child is expanded twice at one
//! limit, and the limit grows after no more expansions than a round of IDA*
//! needs. No choice of what to forget can break this; a bad one costs time.
//!
//! **Memory.** Everything is claimed before it is made, 32 bytes a node and 8 a
//! child. Once nothing outside the current path is left to forget, the path alone
//! fills the memory, and the search ends with its lower bound. If moves cost the
//! same, no path followed is longer than an optimal plan: it is found whenever
//! the plan fits.
//!
//! Its weakness: states reached by several paths are searched several times, as
//! in IDA*, and the rounds of IDA* that it saves are the small ones.
//!
//! Russell: Efficient memory-bounded search methods. ECAI 1992, gives SMA*;
//! Lovinger, Zhang: Enhanced simplified memory-bounded A star (SMA*+). GCAI 2017,
//! keep a value for each forgotten child, as here. The order among equals, on
//! which the argument for progress rests, is ours.

use std::thread;

use noyes_puzzle::Space;

use super::heuristic::Heuristic;
use crate::answer::Outcome;
use crate::control::{Control, POLL_MASK, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;

/// Finds an optimal plan by SMA*, in the memory that `control` allows. On a space with cycles and no plan it ends
/// only by a limit.
pub fn sma_star<S: Space, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    control: &Control,
) -> Outcome<S::Move> {
    let start = space.start();
    let memo = heuristic.start(&start);
    let mut search = SmaStar {
        space,
        heuristic,
        control,
        tree: Tree::new(control),
        limit: heuristic.bound(memo),
        state: start,
        at: Place {
            node: NONE,
            last: None,
            memo,
            g: 0,
        },
        path: vec![],
        counts: Counts {
            generated: 1,
            ..Counts::default()
        },
    };
    let end = search.run();
    search.counts.peak_bytes = search.tree.memory.peak();
    let (limit, counts) = (search.limit, search.counts);
    give_back(std::mem::take(&mut search.tree.blocks));
    match end {
        Ok(Some(cost)) => {
            let moves = search.path.iter().filter_map(|place| place.last);
            let plan = moves.chain(search.at.last).collect();
            Outcome::optimal(plan, cost, counts)
        }
        Ok(None) => Outcome::unsolvable(limit, counts),
        Err(stop) => Outcome::stopped(stop, limit, counts),
    }
}

/// Frees the nodes. Millions of them, each with its own memory for its children, take a while, so another thread does
/// it: the caller need not wait.
fn give_back(blocks: Vec<Vec<Node>>) {
    const MANY: usize = 10_000; // blocks
    if blocks.len() > MANY {
        // Without a thread it is done here, as the closure is dropped.
        let _ = thread::Builder::new().spawn(move || drop(blocks));
    }
}

struct SmaStar<'a, S: Space, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    control: &'a Control,
    tree: Tree<'a>,
    limit: u32,
    /// The state at the end of the current path.
    state: S::State,
    at: Place<S, H>,
    /// The places before it.
    path: Vec<Place<S, H>>,
    counts: Counts,
}

/// A node on the current path, and what the walk there has shown.
struct Place<S: Space, H: Heuristic<S>> {
    node: u32,
    /// The move that led here; none at the start.
    last: Option<S::Move>,
    memo: H::Memo,
    g: u32,
}

impl<S: Space, H: Heuristic<S>> SmaStar<'_, S, H> {
    /// The cost of the plan that the path has become; none if there is no plan.
    fn run(&mut self) -> Result<Option<u32>, Stop> {
        self.control.raise_lower(self.limit);
        if self.is_goal() {
            return Ok(Some(0));
        }
        self.at.node = self.expand(NONE, 0)?;
        loop {
            self.tree.make_room_on(&mut self.path)?; // first of all: it may forget a child
            let kids = self.tree.kids(self.at.node);
            // 1. The first child within the limit: go there.
            if let Some(place) = kids.iter().position(|kid| kid.value <= self.limit) {
                let Kid { value, node } = kids[place];
                let parent = self.at.node;
                self.descend(place);
                if node != NONE {
                    self.tree.enter(node, value);
                    self.at.node = node;
                } else if self.is_goal() {
                    return Ok(Some(self.at.g));
                } else {
                    self.at.node = self.expand(parent, place)?;
                }
                continue;
            }
            // 2. None: the least of their values is the value of this node, and its parent goes on.
            let value = kids.iter().map(|kid| kid.value).min().unwrap_or(NONE);
            if let Some(parent) = self.path.pop() {
                let (left, last) = (self.at.node, self.at.last);
                self.space
                    .undo(&mut self.state, last.expect("not the start"));
                self.tree.leave(left, value);
                self.at = parent;
            } else if value == NONE {
                return Ok(None);
            } else {
                // 3. At the root, it is the next limit.
                self.limit = value;
                self.control.raise_lower(value);
            }
        }
    }

    fn is_goal(&self) -> bool {
        self.heuristic.bound(self.at.memo) == 0 && self.space.is_goal(&self.state)
    }

    fn moves(&self) -> S::Moves<'_> {
        match self.at.last {
            Some(last) => self.space.moves_after(&self.state, last),
            None => self.space.moves(&self.state),
        }
    }

    /// Steps to a child, whose node is not known yet.
    fn descend(&mut self, place: usize) {
        let mv = self.moves().nth(place).expect("as many moves as children");
        let child = Place {
            node: NONE,
            last: Some(mv),
            memo: self.heuristic.after(self.at.memo, &self.state, mv),
            g: self.at.g + self.space.cost(mv),
        };
        self.space.apply(&mut self.state, mv);
        self.path.push(std::mem::replace(&mut self.at, child));
    }

    /// Makes a node of the current path, with a value for each child.
    fn expand(&mut self, parent: u32, place: usize) -> Result<u32, Stop> {
        if self.counts.expanded & POLL_MASK == 0 {
            self.tree.memory.allow_beside(self.heuristic.bytes())?;
            self.control.poll(&self.counts)?;
        }
        let children = self.moves().count();
        let node = self.tree.make_room(children)?;
        self.counts.expanded += 1;
        self.counts.generated += children as u64;
        let mut kids = Vec::with_capacity(children);
        kids.extend(self.moves().map(|mv| {
            let h = self
                .heuristic
                .bound(self.heuristic.after(self.at.memo, &self.state, mv));
            Kid {
                value: self.at.g + self.space.cost(mv) + h,
                node: NONE,
            }
        }));
        self.tree.insert(node, parent, place, kids.into());
        Ok(node)
    }
}

const NONE: u32 = u32::MAX;
/// In place of a link: the node is on the current path and cannot be forgotten.
const ON_PATH: u32 = u32::MAX - 1;
/// Nodes that are made at a time.
const BLOCK: usize = 32;
/// Values above the start's that are distinguished when looking for the worst; larger ones count as equal.
const RANKS: usize = 256;

/// A child as its parent knows it.
#[derive(Clone, Copy)]
struct Kid {
    /// No plan through it is cheaper.
    value: u32,
    /// Where it is in memory, if it is.
    node: u32,
}

struct Node {
    kids: Box<[Kid]>,
    parent: u32,
    /// Which child of its parent it is.
    place: u32,
    /// Neighbours in the list of those that may be forgotten, or of free ones.
    previous: u32,
    next: u32,
}

/// The nodes in memory.
///
/// A node outside the current path is in a list of those that may be forgotten exactly if no child of it is in
/// memory. Its value, and so its list, changes only while it is on the path.
struct Tree<'a> {
    memory: Memory<'a>,
    blocks: Vec<Vec<Node>>,
    free: u32,
    /// Lists of nodes that may be forgotten, by value.
    worst: Vec<u32>,
    /// No list above this one has any.
    highest: usize,
    /// The value of the start.
    least: u32,
}

impl<'a> Tree<'a> {
    fn new(control: &'a Control) -> Self {
        Tree {
            memory: Memory::new(control),
            blocks: vec![],
            free: NONE,
            worst: vec![],
            highest: 0,
            least: 0,
        }
    }

    fn kids(&self, node: u32) -> &[Kid] {
        &self.node(node).kids
    }

    fn node(&self, node: u32) -> &Node {
        &self.blocks[node as usize / BLOCK][node as usize % BLOCK]
    }

    fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.blocks[node as usize / BLOCK][node as usize % BLOCK]
    }

    /// A free node with room for this number of children; forgets other nodes for it if necessary.
    fn make_room(&mut self, children: usize) -> Result<u32, Stop> {
        if self.worst.is_empty() {
            self.memory.claim(RANKS * size_of::<u32>())?;
            self.worst = vec![NONE; RANKS];
        }
        while self.free == NONE && self.add_block().is_err() {
            self.forget()?;
        }
        while self.memory.claim(heap_bytes(children)).is_err() {
            self.forget()?;
        }
        let node = self.free;
        self.free = self.node(node).next;
        Ok(node)
    }

    fn add_block(&mut self) -> Result<(), Stop> {
        let first = self.blocks.len() * BLOCK;
        if first + BLOCK > ON_PATH as usize {
            return Err(Stop::Memory);
        }
        self.memory
            .claim(BLOCK * size_of::<Node>() + size_of::<Vec<Node>>())?;
        let fresh = |i: usize| Node {
            kids: Box::default(),
            parent: NONE,
            place: 0,
            previous: NONE,
            next: if i + 1 < BLOCK {
                (first + i + 1) as u32
            } else {
                NONE
            },
        };
        self.blocks.push((0..BLOCK).map(fresh).collect());
        self.free = first as u32;
        Ok(())
    }

    /// Room for one more place on the path.
    fn make_room_on<P>(&mut self, path: &mut Vec<P>) -> Result<(), Stop> {
        let old = path.capacity();
        if path.len() == old {
            let more = (old / 4).max(8);
            while self.memory.claim((old + more) * size_of::<P>()).is_err() {
                self.forget()?;
            }
            path.reserve_exact(more);
            self.memory.release(old * size_of::<P>());
        }
        Ok(())
    }

    /// Fills a node that room was made for; it is on the path.
    fn insert(&mut self, node: u32, parent: u32, place: usize, kids: Box<[Kid]>) {
        *self.node_mut(node) = Node {
            kids,
            parent,
            place: place as u32,
            previous: ON_PATH,
            next: NONE,
        };
        if parent == NONE {
            self.least = self
                .kids(node)
                .iter()
                .map(|kid| kid.value)
                .min()
                .unwrap_or(0);
        } else {
            self.node_mut(parent).kids[place].node = node;
        }
    }

    /// The path comes to this node of this value.
    fn enter(&mut self, node: u32, value: u32) {
        if self.may_be_forgotten(node) {
            self.unlink(node, value);
        }
        self.node_mut(node).previous = ON_PATH;
    }

    /// The path leaves this node, whose value is now known.
    fn leave(&mut self, node: u32, value: u32) {
        let &Node { parent, place, .. } = self.node(node);
        self.node_mut(parent).kids[place as usize].value = value;
        self.node_mut(node).previous = NONE;
        if self.may_be_forgotten(node) {
            self.link(node, value);
        }
    }

    /// Forgets the worst node outside the path; an error if every node is on the path.
    fn forget(&mut self) -> Result<(), Stop> {
        while self.worst.get(self.highest) == Some(&NONE) && self.highest > 0 {
            self.highest -= 1;
        }
        let node = *self.worst.get(self.highest).unwrap_or(&NONE);
        if node == NONE {
            return Err(Stop::Memory);
        }
        let &Node { parent, place, .. } = self.node(node);
        self.unlink(node, self.node(parent).kids[place as usize].value);
        let kids = std::mem::take(&mut self.node_mut(node).kids);
        self.memory.release(heap_bytes(kids.len()));
        self.node_mut(node).next = self.free;
        self.free = node;
        self.node_mut(parent).kids[place as usize].node = NONE;
        let Node {
            parent: above,
            place,
            previous,
            ..
        } = *self.node(parent);
        if previous != ON_PATH && self.may_be_forgotten(parent) {
            let value = self.node(above).kids[place as usize].value;
            self.link(parent, value);
        }
        Ok(())
    }

    /// Whether this node, if outside the path, may be forgotten: no child of it is in memory.
    fn may_be_forgotten(&self, node: u32) -> bool {
        self.kids(node).iter().all(|kid| kid.node == NONE)
    }

    fn rank(&self, value: u32) -> usize {
        (value.saturating_sub(self.least) as usize).min(RANKS - 1)
    }

    fn link(&mut self, node: u32, value: u32) {
        let rank = self.rank(value);
        let next = std::mem::replace(&mut self.worst[rank], node);
        self.node_mut(node).previous = NONE;
        self.node_mut(node).next = next;
        if next != NONE {
            self.node_mut(next).previous = node;
        }
        self.highest = self.highest.max(rank);
    }

    fn unlink(&mut self, node: u32, value: u32) {
        let &Node { previous, next, .. } = self.node(node);
        if previous == NONE {
            let rank = self.rank(value);
            self.worst[rank] = next;
        } else {
            self.node_mut(previous).next = next;
        }
        if next != NONE {
            self.node_mut(next).previous = previous;
        }
    }
}

/// The bytes that the values of this number of children take, with the allocator's overhead.
fn heap_bytes(children: usize) -> usize {
    match children {
        0 => 0,
        1..=3 => 32,
        _ => (children * size_of::<Kid>() + 8).next_multiple_of(16),
    }
}
