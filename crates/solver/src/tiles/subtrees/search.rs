//! IDA* by subtrees: limit after limit, each shared by all threads.
//!
//! A tree is cut into some hundreds of subtrees for each thread. A thread takes one after the other; when nothing is left,
//! those that still search give away the lowest nodes of their stacks. Every subtree counts its states, so a limit that is
//! searched to its end has the same counts with any number of threads. The first plan ends the search: a plan within a
//! limit that no shorter plan meets is optimal.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use noyes_puzzle::tiles::{Board, Direction};

use super::catalogue::Catalogue;
use super::frontier::{Frontier, MOST_MOVES};
use super::lanes::{Lane, Piece, Tree, Turn};
use super::node::Node;
use super::walks::Walks;
use crate::answer::Outcome;
use crate::control::{Control, Stop};
use crate::counts::Counts;
use crate::tiles::heuristic::HeuristicName;
use crate::tiles::pdb::{TableError, Tables};

/// Subtrees that a thread searches in turns.
const LANES: usize = 16;
/// Turns between two looks at the clock and at the others: about a tenth of a millisecond.
const TURNS: usize = 2048;
/// A subtree should have about this number of states, so that a checkpoint is at most seconds old.
const SUBTREE_STATES: u64 = 50_000;
/// A limit has about this number of times the states of the one before.
const GROWTH: u64 = 8;
const MOST_SUBTREES: u64 = 100_000;
/// How long a thread without work sleeps before it asks again.
const WAIT: Duration = Duration::from_micros(50);

/// Tables and automaton, ready for any start of one goal.
pub struct Deepening {
    catalogue: Catalogue,
    walks: Arc<Walks>,
}

impl Deepening {
    /// Whether this engine can use a heuristic.
    pub fn fits(heuristic: &HeuristicName, goal: &Board) -> bool {
        Catalogue::fits(heuristic, goal)
    }

    /// Finds or builds the tables.
    ///
    /// # Errors
    /// If a limit is reached before the tables are ready.
    pub fn new(
        heuristic: &HeuristicName,
        goal: &Board,
        tables: &Tables,
        walks: Arc<Walks>,
        control: &Control,
    ) -> Result<Deepening, TableError> {
        let catalogue = Catalogue::new(heuristic, goal, tables, control)?;
        Ok(Deepening { catalogue, walks })
    }

    /// The bytes of all tables and of the automaton.
    pub fn bytes(&self) -> usize {
        self.catalogue.bytes() + self.walks.bytes()
    }

    /// Finds an optimal plan from a solvable board. `lower` is a lower bound that is already known.
    pub fn solve(
        &self,
        start: &Board,
        lower: u32,
        threads: usize,
        control: &Control,
    ) -> Outcome<Direction> {
        match self.catalogue.parts.len() {
            0..=4 => self.solve_with::<4>(start, lower, threads, control),
            5..=8 => self.solve_with::<8>(start, lower, threads, control),
            _ => self.solve_with::<16>(start, lower, threads, control),
        }
    }

    fn solve_with<const PARTS: usize>(
        &self,
        start: &Board,
        lower: u32,
        threads: usize,
        control: &Control,
    ) -> Outcome<Direction> {
        let tree = Tree {
            catalogue: &self.catalogue,
            walks: &self.walks,
        };
        let root = Node::<PARTS>::root(&self.catalogue, &self.walks, start);
        let bound = u32::from(root.bound());
        let mut counts = Counts {
            generated: 1,
            peak_bytes: self.bytes(),
            ..Counts::default()
        };
        if bound == 0 {
            return Outcome::optimal(vec![], 0, counts);
        }
        // All plans have the parity of the first sum, which counts every move.
        let parity = u32::from(root.sum(0)) % 2;
        let mut limit = bound.max(lower);
        limit += (limit + parity) % 2;
        let mut last = 0;
        loop {
            control.raise_lower(limit);
            let root = root.within(limit as u8);
            let wanted = (last * GROWTH / SUBTREE_STATES).min(MOST_SUBTREES) as usize;
            let frontier = cut(tree, &root, wanted);
            let level = Level {
                tree,
                root: &root,
                frontier: &frontier,
                control: &control.after(counts),
                next: AtomicUsize::new(0),
                given: Mutex::default(),
                hungry: AtomicUsize::new(0),
                open: AtomicUsize::new(frontier.subtrees.len()),
                expanded: AtomicU64::new(frontier.expanded),
                generated: AtomicU64::new(frontier.generated),
                ends: AtomicBool::new(false),
                found: Mutex::new(frontier.found.clone()),
                stop: Mutex::new(None),
            };
            if frontier.found.is_none() {
                level.run(threads);
            }
            last = level.expanded.load(Relaxed);
            counts.expanded += last;
            counts.generated += level.generated.load(Relaxed);
            if let Some(path) = level.found.into_inner().expect("no thread panics") {
                let plan = path.iter().map(|&d| Direction::ALL[usize::from(d)]);
                return Outcome::optimal(plan.collect(), limit, counts);
            }
            if let Some(stop) = level.stop.into_inner().expect("no thread panics") {
                return Outcome::stopped(stop, limit, counts);
            }
            limit += 2;
        }
    }
}

/// Cuts a tree where it has at least this number of subtrees, or at the deepest cut.
fn cut<const PARTS: usize>(tree: Tree, root: &Node<PARTS>, wanted: usize) -> Frontier {
    let mut depth = 0;
    loop {
        let frontier = Frontier::new(tree, root, depth);
        let enough = frontier.subtrees.len() >= wanted || frontier.subtrees.is_empty();
        if enough || depth == MOST_MOVES || frontier.found.is_some() {
            return frontier;
        }
        depth += 1;
    }
}

/// One limit: what all threads share.
struct Level<'a, const PARTS: usize> {
    tree: Tree<'a>,
    root: &'a Node<PARTS>,
    frontier: &'a Frontier,
    control: &'a Control,
    /// The first subtree that nobody has taken.
    next: AtomicUsize,
    /// Pieces that busy threads gave away, and how many threads wait for some.
    given: Mutex<Vec<Piece<PARTS>>>,
    hungry: AtomicUsize,
    /// Subtrees and pieces that are not done.
    open: AtomicUsize,
    expanded: AtomicU64,
    generated: AtomicU64,
    /// Raised when a plan is found or a limit is reached.
    ends: AtomicBool,
    found: Mutex<Option<Vec<u8>>>,
    stop: Mutex<Option<Stop>>,
}

impl<const PARTS: usize> Level<'_, PARTS> {
    /// Searches all subtrees with this number of threads.
    fn run(&self, threads: usize) {
        if threads <= 1 {
            return self.work();
        }
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // With fewer threads than wanted it only takes longer.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || self.work());
            }
            self.work();
        });
    }

    fn work(&self) {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("popcnt")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("avx2")
        {
            #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
            fn fast<const PARTS: usize>(level: &Level<PARTS>) {
                level.work_on_any();
            }
            #[allow(unsafe_code, reason = "the processor has just been asked")]
            // SAFETY: the features were detected.
            return unsafe { fast(self) };
        }
        self.work_on_any();
    }

    #[inline(always)]
    fn work_on_any(&self) {
        let mut lanes: Vec<Lane<PARTS>> = (0..LANES).map(|_| Lane::new(*self.root)).collect();
        loop {
            // 1. Work for all lanes, and for threads that wait.
            for i in 0..LANES {
                if lanes[i].is_idle()
                    && let Some(piece) = self.piece(&mut lanes)
                {
                    lanes[i].begin(self.tree, &piece);
                }
            }
            if self.hungry.load(Relaxed) > 0 {
                self.give(&mut lanes);
            }
            if self.ends.load(Relaxed) || (lanes.iter().all(Lane::is_idle) && !self.has_more()) {
                break;
            }
            // 2. Turns.
            for _ in 0..TURNS / LANES {
                for i in 0..LANES {
                    match lanes[i].turn(self.tree) {
                        Turn::Busy | Turn::Idle => {}
                        Turn::Done => {
                            self.open.fetch_sub(1, SeqCst);
                        }
                        Turn::Found => {
                            let mut found = self.found.lock().expect("no thread panics");
                            *found = Some(lanes[i].path().to_vec());
                            self.ends.store(true, SeqCst);
                        }
                    }
                    // The lane before this one has had time to get its entries.
                    lanes[(i + LANES - 1) % LANES].find(self.tree);
                }
                if self.ends.load(Relaxed) {
                    break;
                }
            }
            // 3. Counts and limits.
            self.count(&mut lanes);
        }
        self.count(&mut lanes);
    }

    /// A piece of work: the next subtree, what another thread gave away, or the largest piece of a lane.
    fn piece(&self, lanes: &mut [Lane<PARTS>]) -> Option<Piece<PARTS>> {
        let Frontier {
            subtrees, depth, ..
        } = self.frontier;
        if self.next.load(Relaxed) < subtrees.len() {
            let subtree = self.next.fetch_add(1, SeqCst);
            if let Some(moves) = subtrees.get(subtree) {
                return Some(Piece {
                    node: moves.root(self.tree, self.root, *depth),
                    path: moves.path(*depth),
                    subtree,
                    is_settled: true,
                });
            }
        }
        let given = self.given.lock().expect("no thread panics").pop();
        given.or_else(|| self.part(lanes))
    }

    /// The largest piece that a lane can part with.
    fn part(&self, lanes: &mut [Lane<PARTS>]) -> Option<Piece<PARTS>> {
        let deep = lanes.iter_mut().filter(|lane| lane.depth().is_some());
        let lane = deep.min_by_key(|lane| lane.depth())?;
        self.open.fetch_add(1, SeqCst);
        Some(lane.part_with())
    }

    /// Gives a piece to a thread that waits.
    fn give(&self, lanes: &mut [Lane<PARTS>]) {
        let mut given = self.given.lock().expect("no thread panics");
        if given.is_empty() {
            given.extend(self.part(lanes));
        }
    }

    /// Waits until there is work; false if nothing is open any more, or the search ends.
    fn has_more(&self) -> bool {
        self.hungry.fetch_add(1, SeqCst);
        let has_more = loop {
            if self.ends.load(SeqCst) || self.open.load(SeqCst) == 0 {
                break false;
            }
            if !self.given.lock().expect("no thread panics").is_empty() {
                break true;
            }
            std::thread::sleep(WAIT);
        };
        self.hungry.fetch_sub(1, SeqCst);
        has_more
    }

    /// Adds up the counts of the lanes, and ends the search at a limit.
    fn count(&self, lanes: &mut [Lane<PARTS>]) {
        let (mut expanded, mut generated) = (0, 0);
        for lane in lanes {
            expanded += std::mem::take(&mut lane.expanded);
            generated += std::mem::take(&mut lane.generated);
        }
        let counts = Counts {
            expanded: self.expanded.fetch_add(expanded, Relaxed) + expanded,
            generated: self.generated.fetch_add(generated, Relaxed) + generated,
            ..Counts::default()
        };
        if let Err(stop) = self.control.poll(&counts) {
            *self.stop.lock().expect("no thread panics") = Some(stop);
            self.ends.store(true, SeqCst);
        }
    }
}
