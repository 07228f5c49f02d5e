//! The search tree of A* on a board: the states it generates, each with g, h and what becomes of it.
//!
//! The tree is recorded while the engine runs, so its numbers are those of `solve`. A state is a node for
//! each way by which it was generated; only the cheapest way is followed. A tree soon has
//! millions of nodes, so the first ones are kept and the others counted.
//!
//! Stalzer: 15 Puzzle. Bachelor thesis, 2019, shows such a tree, with misplaced tiles as the heuristic.

use noyes_check::board_plan;
use noyes_puzzle::tiles::{Board, Direction};
use noyes_puzzle::{Cells, Nibbles, Position, Slide, SlideSpace, Space};
use rustc_hash::FxHashMap;

use super::heuristic::HeuristicName;
use super::slides::Sliding;
use crate::answer::{Answer, Outcome, Plan};
use crate::clock::{Instant, ThreadClock};
use crate::control::{Control, Stop};
use crate::counts::Counts;
use crate::names::Engine;
use crate::puzzle::BoardPuzzle;
use crate::request::{BoardMethod, End, Request, SlideEngine, SlideSearch, Task};
use crate::search::{Fate, Trace, Zero, a_star_traced};
use crate::solve::{Unverified, checked};
use crate::tiles::cache::TilesCache;

/// What A* generates on its way to a plan.
#[derive(Clone, Debug, Default)]
pub struct SearchTree {
    /// The nodes in the order in which they are generated, the start first.
    pub nodes: Vec<TreeNode>,
    /// How many more were generated.
    pub left_out: u64,
}

/// A generated state.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The node it was generated from; none for the start.
    pub parent: Option<usize>,
    /// Where the blank went; none for the start.
    pub by: Option<Direction>,
    /// The state.
    pub board: Board,
    /// The moves so far.
    pub g: u32,
    /// The heuristic's lower bound on the moves left.
    pub h: u32,
    /// What becomes of it.
    pub fate: Fate,
    /// Which of the expansions it is, from 1; none if it is not expanded.
    pub expanded: Option<u64>,
    /// Whether the plan found leads through it.
    pub on_plan: bool,
}

impl TreeNode {
    /// g + h: what a plan through it costs at least.
    pub fn f(&self) -> u32 {
        self.g + self.h
    }
}

/// Why there is no tree.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// Another engine, or another puzzle.
    #[error("only boards have a search tree, by the engines astar and dijkstra")]
    Other,
    /// The plan found is wrong.
    #[error(transparent)]
    Unverified(#[from] Unverified),
}

/// Solves a board by A* or Dijkstra's algorithm and records the search tree, up to this number of nodes.
///
/// # Errors
/// If the request is for another engine or puzzle, or if the plan found does not pass the independent check.
pub fn search_tree(
    request: &Request,
    most: usize,
    control: &Control,
) -> Result<(Answer, SearchTree), TreeError> {
    let Task::Board(board, BoardMethod::Slides(search)) = &request.task else {
        return Err(TreeError::Other);
    };
    if !matches!(search.engine, SlideEngine::AStar | SlideEngine::Dijkstra) {
        return Err(TreeError::Other);
    }
    let (wall, cpu) = (Instant::now(), ThreadClock::now());
    control.begin();
    if let Some(reason) = board.why_unsolvable() {
        let answer = Answer::unsolvable(reason).map(Plan::Directions);
        return Ok((answer, SearchTree::default()));
    }
    let recorded = match board.cells() {
        0..=16 => record::<Nibbles>(board, search, most, &request.cache, control),
        17..=32 => record::<[u8; 32]>(board, search, most, &request.cache, control),
        _ => record::<Box<[u16]>>(board, search, most, &request.cache, control),
    };
    let (outcome, mut tree) = recorded.unwrap_or_else(|stop| {
        let outcome = Outcome::stopped(stop, 0, Counts::default());
        (outcome, SearchTree::default())
    });
    let engine = Engine::from(search.engine);
    let heuristic = engine.uses_heuristic().then(|| search.heuristic.clone());
    let direction = |s: Slide| Direction::between(s.from.into(), s.to.into(), board.start.width());
    let answer = Answer::new(engine, outcome)
        .map(|plan| plan.into_iter().map(direction).collect::<Vec<_>>());
    checked(&answer, |plan| board_plan(&board.start, &board.goal, plan))?;
    tree.mark(answer.plan.as_deref().unwrap_or_default());
    control.tell(answer.bounds, &answer.counts);
    let answer = Answer {
        heuristic,
        wall: wall.elapsed(),
        cpu: cpu.elapsed(),
        ..answer.map(Plan::Directions)
    };
    Ok((answer, tree))
}

impl SearchTree {
    /// Marks the nodes of a plan, as far as they were kept.
    fn mark(&mut self, plan: &[Direction]) {
        let Some(start) = self.nodes.first_mut() else {
            return;
        };
        start.on_plan = true;
        let mut at = 0;
        for &direction in plan {
            let leads_on = |node: &TreeNode| {
                let is_followed = matches!(node.fate, Fate::Open | Fate::Reopened | Fate::Goal);
                (node.parent, node.by) == (Some(at), Some(direction)) && is_followed
            };
            match self.nodes.iter().position(leads_on) {
                Some(next) => at = next,
                None => return,
            }
            self.nodes[at].on_plan = true;
        }
    }
}

/// Runs the engine with the tiles in a given store; an error if a limit is reached before the heuristic is ready.
fn record<C: Cells>(
    board: &BoardPuzzle,
    search: &SlideSearch<HeuristicName>,
    most: usize,
    cache: &TilesCache,
    control: &Control,
) -> Result<(Outcome<Slide>, SearchTree), Stop> {
    let space = board.space::<C>();
    let mut recorder = Recorder {
        space: &space,
        width: board.start.width(),
        most,
        tree: SearchTree::default(),
        waiting: FxHashMap::default(),
        at: None,
        expanded: 0,
    };
    let outcome = if search.engine == SlideEngine::Dijkstra {
        a_star_traced(&space, &Zero, &mut recorder, control)
    } else {
        let guide = board.guide(&search.heuristic, &space, End::Goal, cache, control)?;
        a_star_traced(&space, &guide, &mut recorder, control)
    };
    Ok((outcome, recorder.tree))
}

/// Builds the tree from what A* reports.
struct Recorder<'a, C: Cells> {
    space: &'a SlideSpace<C>,
    width: usize,
    most: usize,
    tree: SearchTree,
    /// For each state kept, the node by which it was reached most cheaply.
    waiting: FxHashMap<Position<C>, usize>,
    /// The node that is being expanded, if it was kept.
    at: Option<usize>,
    expanded: u64,
}

impl<C: Cells> Trace<SlideSpace<C>> for Recorder<'_, C> {
    fn expanded(&mut self, state: &Position<C>) {
        self.expanded += 1;
        self.at = self.waiting.get(state).copied();
        if let Some(at) = self.at {
            self.tree.nodes[at].expanded = Some(self.expanded);
        }
    }

    fn generated(&mut self, from: &Position<C>, mv: Option<Slide>, g: u32, h: u32, fate: Fate) {
        let is_start = mv.is_none();
        if self.tree.nodes.len() >= self.most || self.at.is_none() && !is_start {
            self.tree.left_out += 1;
            return;
        }
        let mut state = from.clone();
        if let Some(mv) = mv {
            self.space.apply(&mut state, mv);
        }
        if matches!(fate, Fate::Open | Fate::Reopened) {
            self.waiting.insert(state.clone(), self.tree.nodes.len());
        }
        let tiles = (0..self.space.cells() as u16).map(|cell| state.tile(cell));
        let board = Board::new(self.width, tiles.collect()).expect("slides keep a board valid");
        let by = mv.map(|s| Direction::between(s.from.into(), s.to.into(), self.width));
        self.tree.nodes.push(TreeNode {
            parent: self.at,
            by,
            board,
            g,
            h,
            fate,
            expanded: None,
            on_plan: false,
        });
    }
}
