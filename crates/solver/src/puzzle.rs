//! A puzzle as the solver sees it: rules, start and goal, and whether it is known at once that it has no plan.

use std::sync::Arc;

use noyes_puzzle::graph::{Graph, connected};
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, solvable};

use crate::answer::Reason;
use crate::control::Control;
use crate::names::{Objective, Unit};
use crate::sokoban;

/// One puzzle.
#[derive(Clone, Debug)]
pub enum Puzzle {
    /// Sliding tiles.
    Tiles(Tiles),
    /// A level of Sokoban.
    Level(LevelPuzzle),
}

/// Sliding tiles, by where they slide.
#[derive(Clone, Debug)]
pub enum Tiles {
    /// On a w×h board.
    Board(BoardPuzzle),
    /// On a graph.
    Graph(GraphPuzzle),
}

/// A board and the one to reach, of the same size.
#[derive(Clone, Debug)]
pub struct BoardPuzzle {
    /// The start.
    pub start: Board,
    /// The goal.
    pub goal: Board,
}

/// Tiles on the vertices of a graph: numbers, 0 for the blank.
#[derive(Clone, Debug)]
pub struct GraphPuzzle {
    /// The graph.
    pub graph: Arc<Graph>,
    /// The start, by vertex.
    pub start: Vec<u16>,
    /// The goal, by vertex.
    pub goal: Vec<u16>,
    /// What each tile number is called.
    pub labels: Arc<[String]>,
}

/// A level of Sokoban, for one player or a crew.
#[derive(Clone, Debug)]
pub struct LevelPuzzle {
    /// The level.
    pub level: Arc<Level>,
    /// What a plan of one player has fewest of.
    pub objective: Objective,
    /// Whether players may wait.
    pub wait: bool,
}

impl Puzzle {
    /// What the cost of a plan counts.
    pub fn unit(&self) -> Unit {
        match self {
            Puzzle::Tiles(_) => Unit::Moves,
            Puzzle::Level(level) => level.unit(),
        }
    }

    /// Why there is no plan, if that is known without a search.
    pub fn why_unsolvable(&self) -> Option<Reason> {
        match self {
            Puzzle::Tiles(Tiles::Board(board)) => board.why_unsolvable(),
            Puzzle::Tiles(Tiles::Graph(graph)) => graph.why_unsolvable(),
            Puzzle::Level(level) => level.why_unsolvable(&Control::new()),
        }
    }
}

impl BoardPuzzle {
    /// Whether it is the fifteen puzzle.
    pub(crate) fn is_fifteen(&self) -> bool {
        (self.goal.width(), self.goal.height()) == (4, 4)
    }

    pub(crate) fn why_unsolvable(&self) -> Option<Reason> {
        solvable(&self.start, &self.goal).err().map(Reason::Board)
    }
}

impl GraphPuzzle {
    pub(crate) fn why_unsolvable(&self) -> Option<Reason> {
        let label = |tile: u16| self.labels[usize::from(tile)].clone();
        let connected = connected(&self.graph, &self.start, &self.goal, &label);
        connected.err().map(Reason::Graph)
    }
}

impl LevelPuzzle {
    /// Whether there are several players.
    pub fn is_crew(&self) -> bool {
        self.level.players().len() > 1
    }

    /// What the cost of a plan counts: steps of a crew, otherwise the objective.
    pub fn unit(&self) -> Unit {
        if self.is_crew() {
            Unit::Steps
        } else {
            self.objective.into()
        }
    }

    pub(crate) fn why_unsolvable(&self, control: &Control) -> Option<Reason> {
        let (boxes, goals) = (self.level.boxes().len(), self.level.goals().count());
        if boxes < goals {
            return Some(Reason::Boxes { boxes, goals });
        }
        if self.is_crew() {
            return None; // the other reasons are about one player
        }
        sokoban::why_unsolvable(&self.level, control).map(Reason::Level)
    }
}
