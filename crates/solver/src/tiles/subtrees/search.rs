//! IDA* by subtrees: limit after limit, each shared by all threads.
//!
//! A tree is cut into some thousands of subtrees. A thread takes one after the other; when nothing is left, those that
//! still search give away the lowest nodes of their stacks. Every subtree counts its states, so a limit that is searched
//! to its end has the same counts with any number of threads, and in a run that was cut off and resumed. The first plan
//! ends the search: a plan within a limit that no shorter plan meets is optimal.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use noyes_puzzle::tiles::{Board, Direction};

use super::beam::{Found, beam};
use super::beams::{Beams, beam_on, plan_of};
use super::catalogue::Catalogue;
use super::checkpoint::{Checkpoint, CheckpointError, Keep};
use super::frontier::{Frontier, MOST_MOVES};
use super::lanes::Tree;
use super::limit::{Limit, Saving};
use super::node::Node;
use super::walks::Walks;
use crate::answer::Outcome;
use crate::clock::Instant;
use crate::control::{Control, Stop};
use crate::counts::Counts;
#[cfg(any(feature = "gpu", test))]
use crate::tiles::gpu::Flat;
use crate::tiles::gpu::{Beamed, Device, DeviceError};
#[cfg(feature = "gpu")]
use crate::tiles::gpu::{Card, Pace};
use crate::tiles::heuristic::HeuristicName;
use crate::tiles::pdb::{TableError, Tables};

/// A subtree should have about this number of states, so that a checkpoint is at most seconds old.
const SUBTREE_STATES: u64 = 50_000;
/// The same on a card, which searches a thousand times as many in that time.
const DEVICE_SUBTREE_STATES: u64 = 50_000_000;
/// A limit has about this number of times the states of the one before.
const GROWTH: u64 = 8;
const MOST_SUBTREES: u64 = 100_000;
/// How long a search takes before it keeps checkpoints that nobody asked for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tables and automaton, ready for any start of one goal.
pub struct Deepening {
    pub(super) catalogue: Catalogue,
    pub(super) walks: Arc<Walks>,
    /// Without going straight back, for the beam: positions that it has seen are skipped anyway.
    straight: Walks,
    /// Goal, heuristic and duplicates.
    what: Vec<(String, String)>,
}

/// How to search.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// A lower bound that is already known.
    pub lower: u32,
    /// The length of a plan that is already known: only shorter ones are looked for.
    pub upper: u32,
    /// How many threads share the subtrees.
    pub threads: usize,
    /// What searches the subtrees instead of threads.
    pub device: Option<&'a dyn Device>,
    /// Where to keep how far the search is.
    pub checkpoints: Option<&'a Keep>,
    /// Its limits.
    pub control: &'a Control,
}

impl<'a> Run<'a> {
    /// Nothing is known, one thread, no checkpoints.
    pub fn new(control: &'a Control) -> Run<'a> {
        Run {
            lower: 0,
            upper: u32::MAX,
            threads: 1,
            device: None,
            checkpoints: None,
            control,
        }
    }
}

/// States of a limit that was searched to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The limit.
    pub limit: u32,
    /// States whose moves were looked at.
    pub expanded: u64,
    /// States reached by a move.
    pub generated: u64,
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
        walks: (usize, Arc<Walks>),
        control: &Control,
    ) -> Result<Deepening, TableError> {
        let catalogue = Catalogue::new(heuristic, goal, tables, control)?;
        let (depth, walks) = walks;
        let what = [
            ("goal", goal.to_string()),
            ("heuristic", heuristic.to_string()),
            ("duplicates", depth.to_string()),
        ];
        Ok(Deepening {
            catalogue,
            straight: Walks::straight(goal.width(), goal.height()),
            walks,
            what: what.map(|(name, value)| (name.into(), value)).into(),
        })
    }

    /// Everything as flat arrays, for a card.
    #[cfg(any(feature = "gpu", test))]
    pub(crate) fn flat(&self, goal: &Board) -> Flat {
        Flat::new(&self.catalogue, &self.walks, goal)
    }

    /// Takes the tables to a graphics card, with another pace or another kernel than usual, and without a test.
    ///
    /// # Errors
    /// If there is no card, or its memory does not suffice.
    #[cfg(feature = "gpu")]
    pub fn untested_card(
        &self,
        goal: &Board,
        pace: Pace,
        kernel: Option<&str>,
    ) -> Result<Card, DeviceError> {
        Card::with(&self.flat(goal), pace, kernel)
    }

    /// The bytes of all tables and of the automaton.
    pub fn bytes(&self) -> usize {
        self.catalogue.bytes() + self.walks.bytes()
    }

    /// The bound of a board.
    pub fn bound(&self, board: &Board) -> u32 {
        let sights = self.catalogue.look(board);
        let sums = (0..self.catalogue.stages.len()).map(|stage| self.catalogue.sum(stage, &sights));
        sums.max().map_or(0, u32::from)
    }

    /// Looks for a plan of fewer than `upper` moves by beam search with this number of nodes in a layer.
    pub(crate) fn beam(&self, start: &Board, width: usize, upper: u32, control: &Control) -> Found {
        let tree = Tree {
            catalogue: &self.catalogue,
            walks: &self.straight,
        };
        match self.catalogue.parts.len() {
            #[cfg(not(target_family = "wasm"))]
            0..=4 => beam::<4>(tree, start, width, upper, control),
            #[cfg(not(target_family = "wasm"))]
            5..=8 => beam::<8>(tree, start, width, upper, control),
            _ => beam::<16>(tree, start, width, upper, control),
        }
    }

    /// Looks for a plan of at most `limit` moves by beam search on a device, with this number of nodes in a layer.
    ///
    /// # Errors
    /// If the device fails.
    pub fn beam_on(
        &self,
        start: &Board,
        limit: u32,
        width: usize,
        device: &dyn Device,
        control: &Control,
    ) -> Result<Beamed, DeviceError> {
        let root = Node::<16>::root(&self.catalogue, &self.walks, start).within(limit as u8);
        beam_on(device, &root, width, self.catalogue.parts.len(), control)
    }

    /// Finds an optimal plan from a solvable board. If no plan is shorter than the one known, the outcome has
    /// [`Stop::Bound`].
    ///
    /// # Errors
    /// If a checkpoint cannot be used.
    pub fn solve(&self, start: &Board, run: Run) -> Result<Outcome<Direction>, CheckpointError> {
        self.searched(start, run, &mut |_| {})
    }

    /// The same; shows each limit that was searched to its end.
    ///
    /// # Errors
    /// If a checkpoint cannot be used.
    pub fn searched(
        &self,
        start: &Board,
        run: Run,
        see: &mut dyn FnMut(Searched),
    ) -> Result<Outcome<Direction>, CheckpointError> {
        // A browser has to fetch every version.
        match self.catalogue.parts.len() {
            #[cfg(not(target_family = "wasm"))]
            0..=4 => self.search_with::<4>(start, run, see),
            #[cfg(not(target_family = "wasm"))]
            5..=8 => self.search_with::<8>(start, run, see),
            _ => self.search_with::<16>(start, run, see),
        }
    }

    fn search_with<const PARTS: usize>(
        &self,
        start: &Board,
        run: Run,
        see: &mut dyn FnMut(Searched),
    ) -> Result<Outcome<Direction>, CheckpointError> {
        let Run { control, .. } = run;
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
            return Ok(Outcome::optimal(vec![], 0, counts));
        }
        // 1. Where to begin. All plans have the parity of the first sum, which counts every move.
        let parity = u32::from(root.sum(0)) % 2;
        let mut limit = bound.max(run.lower);
        limit += (limit + parity) % 2;
        let mut last = 0;
        let file = run.checkpoints.map(|keep| self.file(keep, start));
        let mut resumed = file.as_ref().map_or(Ok(None), |file| file.begin(limit))?;
        if let Some(checkpoint) = &resumed {
            limit = checkpoint.limit;
            last = checkpoint.last;
            (counts.expanded, counts.generated) = checkpoint.before;
            control.resume(limit);
        }
        // 2. Limit after limit.
        let begun = Instant::now();
        let parts = tree.catalogue.parts.len();
        let beams = |device| Beams::new(device, parts, run.upper, control);
        let mut beams = run.device.map(beams);
        loop {
            control.raise_lower(limit);
            if limit >= run.upper {
                return Ok(Outcome::stopped(Stop::Bound, limit, counts));
            }
            let root = root.within(limit as u8);
            // A run that goes on from a checkpoint sends out beams again, so those of this run do not count there.
            let before = (counts.expanded, counts.generated);
            if let Some(beams) = &mut beams
                && let Some(plan) = beams.within(&root, last, &mut counts)
            {
                return Ok(done(plan, limit, file, counts));
            }
            let known = resumed.take();
            let frontier = if let Some(checkpoint) = &known {
                Frontier::new(tree, &root, checkpoint.depth)
            } else {
                cut(tree, &root, subtrees_after(last, run.device.is_some()))
            };
            let saving = file.as_ref().map(|file| Saving {
                path: &file.path,
                from: Checkpoint {
                    what: file.what.clone(),
                    limit,
                    before,
                    last,
                    depth: frontier.depth,
                    done: vec![],
                    counts: (0, 0),
                },
                begun,
                after: file.after,
            });
            // What an earlier run has counted is not held against a budget.
            let earlier = known.as_ref().map_or((0, 0), |known| known.counts);
            let now = control.after(Counts {
                expanded: counts.expanded + earlier.0,
                generated: counts.generated + earlier.1,
                ..counts
            });
            let level = Limit::new(tree, &root, &frontier, &now, saving, known.as_ref());
            let end = match run.device {
                None => level.search(run.threads),
                Some(device) => level.search_on(device),
            };
            counts.expanded += end.expanded;
            counts.generated += end.generated;
            last = end.expanded;
            // One thread may find the plan while another reaches a limit.
            if let Some(path) = end.found {
                return Ok(done(plan_of(&path), limit, file, counts));
            }
            if let Some(stop) = end.stop {
                let best = beams.and_then(Beams::best);
                return Ok(Outcome::ended(Err(stop), limit, best, counts));
            }
            see(Searched {
                limit,
                expanded: end.expanded,
                generated: end.generated,
            });
            limit += 2;
        }
    }

    fn file(&self, keep: &Keep, start: &Board) -> File {
        let mut what = vec![("start".to_owned(), start.to_string())];
        what.extend(self.what.iter().cloned());
        File {
            path: keep.path(&what),
            what,
            after: match keep {
                Keep::File(_) => Duration::ZERO,
                Keep::Folder(_) => PATIENCE,
            },
        }
    }
}

/// The end of a search with a plan within a limit that no shorter plan meets.
fn done(
    plan: Vec<Direction>,
    limit: u32,
    file: Option<File>,
    counts: Counts,
) -> Outcome<Direction> {
    if let Some(file) = file {
        let _ = std::fs::remove_file(file.path);
    }
    Outcome::optimal(plan, limit, counts)
}

/// Where the checkpoints of a search are kept.
struct File {
    path: PathBuf,
    what: Vec<(String, String)>,
    /// How long the search takes before the first one.
    after: Duration,
}

impl File {
    /// Reads the checkpoint of an earlier run. If it is missing and the file was asked for, writes a first one at this limit,
    /// so that a file that cannot be written is noticed now.
    fn begin(&self, limit: u32) -> Result<Option<Checkpoint>, CheckpointError> {
        let is_asked_for = self.after == Duration::ZERO;
        let read = match Checkpoint::read(&self.path, &self.what) {
            // A file that nobody asked for is written anew.
            Err(_) if !is_asked_for => None,
            read => read?,
        };
        if read.is_none() && is_asked_for {
            let first = Checkpoint {
                what: self.what.clone(),
                limit,
                done: vec![false],
                ..Checkpoint::default()
            };
            first.write(&self.path).map_err(|why| CheckpointError {
                path: self.path.display().to_string(),
                why: format!("cannot be written: {why}"),
            })?;
        }
        Ok(read)
    }
}

/// The number of subtrees a limit is cut into, by the number of states of the limit before it.
fn subtrees_after(last: u64, is_on_device: bool) -> usize {
    let states = if is_on_device {
        DEVICE_SUBTREE_STATES
    } else {
        SUBTREE_STATES
    };
    (last * GROWTH / states).min(MOST_SUBTREES) as usize
}

/// Cuts a tree where it has at least this number of subtrees, or at the deepest cut.
pub(super) fn cut<const PARTS: usize>(tree: Tree, root: &Node<PARTS>, wanted: usize) -> Frontier {
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
