//! One limit of IDA*: its subtrees, the threads that search them, and what they share.

mod on_device;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst,
};
use std::time::Duration;

use super::checkpoint::Checkpoint;
use super::frontier::Frontier;
use super::lanes::{Lane, Piece, Tree, Turn};
use super::node::Node;
use crate::clock::{Instant, ThreadClock};
use crate::control::{Control, Stop};
use crate::counts::Counts;

/// Subtrees that a thread searches in turns.
const LANES: usize = 16;
/// Turns between two looks at the clock and at the others: about a tenth of a millisecond.
const TURNS: usize = 2048;
/// How long a thread without work sleeps before it asks again.
const WAIT: Duration = Duration::from_micros(50);
/// How long to wait between two checkpoints.
const PERIOD: Duration = Duration::from_secs(2);

/// Where and what to save.
pub struct Saving<'a> {
    pub path: &'a Path,
    /// The checkpoint, but for the subtrees that are done.
    pub from: Checkpoint,
    /// When the search began, and how long it takes before anything is saved.
    pub begun: Instant,
    pub after: Duration,
}

/// How the search of a limit ended.
pub struct End {
    pub expanded: u64,
    pub generated: u64,
    /// The moves to the goal.
    pub found: Option<Vec<u8>>,
    pub stop: Option<Stop>,
    /// The moves to each node whose subtree is left to others.
    pub rest: Vec<Vec<u8>>,
}

/// One limit: what all threads share.
pub struct Limit<'a, const PARTS: usize> {
    tree: Tree<'a>,
    root: &'a Node<PARTS>,
    frontier: &'a Frontier,
    control: &'a Control,
    /// The number of subtrees that were taken.
    next: AtomicUsize,
    /// By subtree.
    states: Vec<State>,
    done: AtomicUsize,
    /// Pieces that busy threads gave away, and how many threads wait for some.
    given: Mutex<Vec<Piece<PARTS>>>,
    hungry: AtomicUsize,
    /// Pieces that are not done, of all subtrees.
    open: AtomicUsize,
    expanded: AtomicU64,
    generated: AtomicU64,
    /// Raised when a plan is found or a limit is reached.
    ends: AtomicBool,
    found: Mutex<Option<Vec<u8>>>,
    stop: Mutex<Option<Stop>>,
    /// After this number of states, one thread leaves the rest to others.
    most: Option<u64>,
    rest: Mutex<Vec<Vec<u8>>>,
    /// With the time from the beginning to the next checkpoint, and what resumed subtrees had counted.
    saving: Option<Mutex<(Saving<'a>, Duration)>>,
    resumed: (u64, u64),
}

/// A subtree: the pieces of it that are not done, and its counts.
#[derive(Default)]
struct State {
    open: AtomicU32,
    expanded: AtomicU64,
    generated: AtomicU64,
}

impl<'a, const PARTS: usize> Limit<'a, PARTS> {
    pub fn new(
        tree: Tree<'a>,
        root: &'a Node<PARTS>,
        frontier: &'a Frontier,
        control: &'a Control,
        saving: Option<Saving<'a>>,
        resumed: Option<&Checkpoint>,
    ) -> Limit<'a, PARTS> {
        let subtrees = frontier.subtrees.len();
        let is_done = |i: usize| resumed.is_some_and(|known| known.done.get(i) == Some(&true));
        let states = (0..subtrees).map(|i| State {
            open: AtomicU32::new(u32::from(!is_done(i))),
            ..State::default()
        });
        let done = (0..subtrees).filter(|&i| is_done(i)).count();
        control.begin_limit(done, subtrees);
        let resumed = resumed.map_or((0, 0), |known| known.counts);
        Limit {
            tree,
            root,
            frontier,
            control,
            next: AtomicUsize::new(0),
            states: states.collect(),
            done: AtomicUsize::new(done),
            given: Mutex::default(),
            hungry: AtomicUsize::new(0),
            open: AtomicUsize::new(subtrees - done),
            expanded: AtomicU64::new(frontier.expanded),
            generated: AtomicU64::new(frontier.generated),
            ends: AtomicBool::new(false),
            found: Mutex::new(frontier.found.clone()),
            stop: Mutex::new(None),
            most: None,
            rest: Mutex::default(),
            saving: saving.map(|saving| {
                let first = saving.begun.elapsed().max(saving.after) + PERIOD;
                Mutex::new((saving, first))
            }),
            resumed,
        }
    }

    /// Searches these nodes as well, which are settled, as one more subtree.
    pub fn and_from(mut self, nodes: Vec<(Node<PARTS>, Vec<u8>)>) -> Limit<'a, PARTS> {
        let subtree = self.states.len();
        self.states.push(State {
            open: AtomicU32::new(nodes.len() as u32),
            ..State::default()
        });
        *self.open.get_mut() += nodes.len();
        let piece = |(node, path)| Piece {
            node,
            path,
            subtree,
            is_settled: true,
        };
        // The last one is taken first.
        let pieces = nodes.into_iter().rev().map(piece).collect();
        self.given = Mutex::new(pieces);
        self
    }

    /// Searches with one thread; after about this number of states it leaves the rest to others.
    pub fn search_some(mut self, most: u64) -> End {
        self.most = Some(most);
        self.search(1)
    }

    /// Searches all subtrees with this number of threads.
    pub fn search(self, threads: usize) -> End {
        if self.frontier.found.is_none() {
            std::thread::scope(|scope| {
                for _ in 1..threads {
                    // With fewer threads than wanted it only takes longer.
                    let _ = std::thread::Builder::new().spawn_scoped(scope, || {
                        let cpu = ThreadClock::now();
                        self.work();
                        self.control.add_help(cpu.elapsed());
                    });
                }
                self.work();
            });
        }
        let stop = *self.stop.lock().expect("no thread panics");
        if stop.is_some() {
            self.save_now();
        }
        End {
            expanded: self.expanded.into_inner() + self.resumed.0,
            generated: self.generated.into_inner() + self.resumed.1,
            found: self.found.into_inner().expect("no thread panics"),
            stop,
            rest: self.rest.into_inner().expect("no thread panics"),
        }
    }

    /// Works with the instructions that the processor has.
    fn work(&self) {
        #[cfg(target_arch = "x86_64")]
        if has_fast_bits() {
            #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
            fn fast<const PARTS: usize>(limit: &Limit<PARTS>) {
                limit.take_turns();
            }
            #[allow(unsafe_code, reason = "the processor has just been asked")]
            // SAFETY: the features were detected.
            return unsafe { fast(self) };
        }
        self.take_turns();
    }

    #[inline(always)]
    fn take_turns(&self) {
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
                    if lanes[i].turn(self.tree) == Turn::Found {
                        let mut found = self.found.lock().expect("no thread panics");
                        *found = Some(lanes[i].path().to_vec());
                        self.ends.store(true, SeqCst);
                    }
                    // The lane before this one has had time to get its entries.
                    lanes[(i + LANES - 1) % LANES].find(self.tree);
                }
                if self.ends.load(Relaxed) {
                    break;
                }
            }
            // 3. Counts, limits, checkpoint.
            self.count(&mut lanes);
            self.save();
            let is_enough = |most| self.expanded.load(Relaxed) >= most;
            if self.most.is_some_and(is_enough) && !self.ends.load(Relaxed) {
                self.leave(&mut lanes);
                break;
            }
        }
        self.count(&mut lanes);
    }

    /// Leaves everything to others: what is in the lanes, what waits for them, and subtrees that have not begun.
    fn leave(&self, lanes: &mut [Lane<PARTS>]) {
        let mut rest = vec![];
        for lane in lanes {
            if lane.leave(self.tree, &mut rest) == Turn::Found {
                *self.found.lock().expect("no thread panics") = Some(lane.path().to_vec());
                return;
            }
        }
        let waiting = std::mem::take(&mut *self.given.lock().expect("no thread panics"));
        rest.extend(waiting.into_iter().rev().map(|piece| piece.path));
        let Frontier {
            subtrees, depth, ..
        } = self.frontier;
        let begun = self.next.load(SeqCst).min(subtrees.len());
        rest.extend(subtrees[begun..].iter().map(|moves| moves.path(*depth)));
        *self.rest.lock().expect("no thread panics") = rest;
    }

    /// A piece of work: the next subtree, what another thread gave away, or the largest piece of a lane.
    fn piece(&self, lanes: &mut [Lane<PARTS>]) -> Option<Piece<PARTS>> {
        let Frontier {
            subtrees, depth, ..
        } = self.frontier;
        while self.next.load(Relaxed) < subtrees.len() {
            // In the order of moves, as Korf's counts are.
            let subtree = self.next.fetch_add(1, SeqCst);
            if subtree >= subtrees.len() {
                break;
            }
            if self.states[subtree].open.load(Relaxed) > 0 {
                let moves = subtrees[subtree];
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
        let piece = lane.part_with();
        self.states[piece.subtree].open.fetch_add(1, SeqCst);
        Some(piece)
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
            let Some(counted) = lane.count() else {
                continue;
            };
            let state = &self.states[counted.subtree];
            state.expanded.fetch_add(counted.expanded, SeqCst);
            state.generated.fetch_add(counted.generated, SeqCst);
            expanded += counted.expanded;
            generated += counted.generated;
            if counted.is_done {
                // A subtree is done with its last piece, and by then all pieces have been counted.
                if state.open.fetch_sub(1, SeqCst) == 1 {
                    self.done.fetch_add(1, SeqCst);
                }
                self.open.fetch_sub(1, SeqCst);
            }
        }
        let counts = Counts {
            expanded: self.expanded.fetch_add(expanded, Relaxed) + expanded,
            generated: self.generated.fetch_add(generated, Relaxed) + generated,
            ..Counts::default()
        };
        self.control.tell_done(self.done.load(Relaxed));
        if let Err(stop) = self.control.poll(&counts) {
            *self.stop.lock().expect("no thread panics") = Some(stop);
            self.ends.store(true, SeqCst);
        }
    }

    /// Writes a checkpoint if it is time for one.
    fn save(&self) {
        let Some(saving) = &self.saving else {
            return;
        };
        if let Ok(mut saving) = saving.try_lock()
            && saving.0.begun.elapsed() >= saving.1
        {
            self.write(&saving.0);
            saving.1 = saving.0.begun.elapsed() + PERIOD;
        }
    }

    /// Writes a checkpoint at the end of a run, unless the run was too short for any.
    fn save_now(&self) {
        if let Some(saving) = &self.saving {
            let saving = saving.lock().expect("no thread panics");
            if saving.0.begun.elapsed() >= saving.0.after {
                self.write(&saving.0);
            }
        }
    }

    fn write(&self, saving: &Saving) {
        let (mut expanded, mut generated) = self.resumed;
        let mut done = vec![false; self.states.len()];
        for (state, done) in self.states.iter().zip(&mut done) {
            *done = state.open.load(SeqCst) == 0;
            if *done {
                expanded += state.expanded.load(SeqCst);
                generated += state.generated.load(SeqCst);
            }
        }
        let checkpoint = Checkpoint {
            done,
            counts: (expanded, generated),
            ..saving.from.clone()
        };
        // A search goes on without checkpoints, if they cannot be written.
        let _ = checkpoint.write(saving.path);
    }
}

/// Whether the processor has the instructions for counting and shifting bits.
#[cfg(target_arch = "x86_64")]
fn has_fast_bits() -> bool {
    std::is_x86_feature_detected!("popcnt")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("avx2")
}
