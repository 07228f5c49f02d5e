//! The front door: a puzzle and wishes, made into a request or refused.
//!
//! Nothing is checked while wishes are collected. [`Ask::request`] looks at all of them at once and either gives a
//! [`Request`] or says which field is wrong and why. The command line, the service and bindings all start here. Each
//! has its own names for fields ([`Field::flag`], [`Field::json`]); the reasons are the same.
//!
//! ```
//! use noyes_puzzle::tiles::Goal;
//! use noyes_solver::{Ask, Engine, Field};
//! let ask = Ask::board("1 2 3/4 0 6/7 5 8".parse()?, Goal::BlankLast);
//! assert!(ask.clone().engine(Engine::Bfs).request().is_ok());
//! assert_eq!(ask.no_wait(true).request().unwrap_err().field, Field::NoWait);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use noyes_puzzle::graph::{Arrangement, Graph, number};
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Goal};

use crate::names::{DeviceName, Engine, Objective};
use crate::puzzle::{BoardPuzzle, GraphPuzzle, LevelPuzzle};
use crate::refusal::{AskError, Field, Why};
use crate::request::{
    BoardMethod, Descent, End, GraphHeuristic, GraphMember, GraphMethod, LevelEngine, LevelMethod,
    Request, SlideEngine, SlideSearch, Task, TilesEngine,
};
use crate::sat::backend::BackendName;
use crate::sat::dimacs::MOST_STEPS;
use crate::sat::{
    EncodingName, KeepName, SatOptions, Schedule, Share, Unfit, fit_board, fit_level,
};
use crate::tiles::Positions;
use crate::tiles::cache::TilesCache;
use crate::tiles::gpu::MOST_CELLS;
use crate::tiles::heuristic::{
    HeuristicMember, HeuristicName, MOST_WORDS, SimpleHeuristic, SmallMemo, Walking, WalkingMemo,
};
use crate::tiles::pdb::Looked;
use crate::tiles::{Deepening, Keep};

/// The most move sequences that can be learned in a second or two.
const MOST_WALKS: f64 = 6e5;
/// The same on up to 25 cells, where a position takes 16 bytes: up to half a minute, and a gigabyte.
const MOST_SMALL_WALKS: f64 = 1e7;

/// A puzzle and wishes, unchecked.
#[derive(Clone, Debug)]
pub struct Ask {
    puzzle: Asked,
    engine: Option<Engine>,
    heuristic: Option<HeuristicName>,
    duplicates: Option<usize>,
    objective: Option<Objective>,
    no_wait: bool,
    any: bool,
    encoding: Option<EncodingName>,
    backend: Option<BackendName>,
    bounds: Option<Schedule>,
    keep: Option<KeepName>,
    at_most: Option<u32>,
    from: Option<u32>,
    decompose: bool,
    threads: usize,
    checkpoints: Option<Keep>,
    device: DeviceName,
    to: End,
    share: Option<Share>,
    cache: Option<Arc<TilesCache>>,
}

#[derive(Clone, Debug)]
enum Asked {
    Board(Board, Goal),
    Graph(Arc<Graph>, Arrangement, Arrangement),
    Level(Arc<Level>),
}

impl Ask {
    /// A board and its goal.
    pub fn board(start: Board, goal: Goal) -> Ask {
        Ask::new(Asked::Board(start, goal))
    }

    /// A graph and two arrangements of labels on it.
    pub fn graph(graph: impl Into<Arc<Graph>>, start: Arrangement, goal: Arrangement) -> Ask {
        Ask::new(Asked::Graph(graph.into(), start, goal))
    }

    /// A level: fewest pushes by default, and players may wait.
    ///
    /// ```
    /// use noyes_puzzle::sokoban::parse_level;
    /// use noyes_solver::{Ask, Control, Objective, solve};
    /// let level = parse_level("######\n#@ $.#\n######")?;
    /// let request = Ask::level(level).objective(Objective::Moves).request()?;
    /// assert_eq!(solve(&request, &Control::new())?.bounds.upper, Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn level(level: impl Into<Arc<Level>>) -> Ask {
        Ask::new(Asked::Level(level.into()))
    }

    fn new(puzzle: Asked) -> Ask {
        Ask {
            puzzle,
            engine: None,
            heuristic: None,
            duplicates: None,
            objective: None,
            no_wait: false,
            any: false,
            encoding: None,
            backend: None,
            bounds: None,
            keep: None,
            at_most: None,
            from: None,
            decompose: false,
            threads: 1,
            checkpoints: None,
            device: DeviceName::Cpu,
            to: End::Goal,
            share: None,
            cache: None,
        }
    }

    /// By this engine; otherwise by whatever suits the puzzle.
    #[must_use]
    pub fn engine(self, engine: impl Into<Option<Engine>>) -> Ask {
        let engine = engine.into();
        Ask { engine, ..self }
    }

    /// With this heuristic, where the engine uses one; `auto` is then IDA* with it.
    #[must_use]
    pub fn heuristic(self, heuristic: impl Into<Option<HeuristicName>>) -> Ask {
        let heuristic = heuristic.into();
        Ask { heuristic, ..self }
    }

    /// Skips redundant move sequences of up to this length, where the engine is IDA* or iterative deepening. Straight
    /// back is always skipped.
    #[must_use]
    pub fn duplicates(self, depth: impl Into<Option<usize>>) -> Ask {
        let duplicates = depth.into();
        Ask { duplicates, ..self }
    }

    /// With fewest of these, where the puzzle is a level for one player.
    #[must_use]
    pub fn objective(self, objective: impl Into<Option<Objective>>) -> Ask {
        let objective = objective.into();
        Ask { objective, ..self }
    }

    /// Whether every player of a crew has to move in every step.
    #[must_use]
    pub fn no_wait(self, no_wait: bool) -> Ask {
        Ask { no_wait, ..self }
    }

    /// Stops at the first plan: for a level with any engine, for a board with `sat`.
    #[must_use]
    pub fn any(self, any: bool) -> Ask {
        Ask { any, ..self }
    }

    /// By the engine `sat` with all of these choices.
    #[must_use]
    pub fn sat<E: Into<EncodingName>>(self, options: SatOptions<E>) -> Ask {
        Ask {
            engine: Some(Engine::Sat),
            encoding: Some(options.encoding.into()),
            backend: Some(options.backend),
            // A single question has no next one.
            bounds: (options.at_most.is_none() || options.from.is_some()).then_some(options.bounds),
            keep: Some(options.keep),
            any: options.any,
            at_most: options.at_most,
            from: options.from,
            decompose: options.decompose,
            threads: options.threads,
            share: Some(options.share),
            ..self
        }
    }

    /// Written as clauses in this way, by the engine `sat`.
    #[must_use]
    pub fn encoding(self, encoding: impl Into<Option<EncodingName>>) -> Ask {
        let encoding = encoding.into();
        Ask { encoding, ..self }
    }

    /// With this solver, by the engine `sat`.
    #[must_use]
    pub fn backend(self, backend: impl Into<Option<BackendName>>) -> Ask {
        let backend = backend.into();
        Ask { backend, ..self }
    }

    /// Which length the engine `sat` asks for next.
    #[must_use]
    pub fn bounds(self, bounds: impl Into<Option<Schedule>>) -> Ask {
        let bounds = bounds.into();
        Ask { bounds, ..self }
    }

    /// What the engine `sat` keeps from one length to the next.
    #[must_use]
    pub fn keep(self, keep: impl Into<Option<KeepName>>) -> Ask {
        let keep = keep.into();
        Ask { keep, ..self }
    }

    /// The engine `sat` asks only whether there is a plan of at most this length; together with [`from`](Ask::from_length)
    /// it asks for lengths from there to here.
    #[must_use]
    pub fn at_most(self, at_most: impl Into<Option<u32>>) -> Ask {
        let at_most = at_most.into();
        Ask { at_most, ..self }
    }

    /// The engine `sat` asks for this length first, even if a lower bound says that no plan is as short as that.
    #[must_use]
    pub fn from_length(self, from: impl Into<Option<u32>>) -> Ask {
        let from = from.into();
        Ask { from, ..self }
    }

    /// Whether the engine `sat` solves a level in stages, one more goal at a time. The plan is seldom optimal.
    #[must_use]
    pub fn decompose(self, decompose: bool) -> Ask {
        Ask { decompose, ..self }
    }

    /// How many threads one search may use: solvers of the engine `sat`, those of IDA* with pattern databases on boards
    /// other than 4×4, or those that look for the first plan of a level.
    #[must_use]
    pub fn threads(self, threads: usize) -> Ask {
        Ask { threads, ..self }
    }

    /// Where IDA* with pattern databases on boards other than 4×4 keeps how far it is, so that a run that was cut off goes on.
    #[must_use]
    pub fn checkpoints(self, keep: impl Into<Option<Keep>>) -> Ask {
        let checkpoints = keep.into();
        Ask {
            checkpoints,
            ..self
        }
    }

    /// On this device: IDA* with pattern databases can search on a graphics card, on boards of up to 25 cells.
    #[must_use]
    pub fn device(self, device: DeviceName) -> Ask {
        Ask { device, ..self }
    }

    /// Whether IDA* with pattern databases searches from the goal to the board, with tables for the board as the goal. The
    /// optimum is the same, and so is every lower bound; the number of states may be far smaller, or far larger.
    #[must_use]
    pub fn backward(self, backward: bool) -> Ask {
        let to = if backward { End::Start } else { End::Goal };
        Ask { to, ..self }
    }

    /// What the solvers of the engine `sat` share if there are several; by default each asks for another length.
    #[must_use]
    pub fn share(self, share: impl Into<Option<Share>>) -> Ask {
        let share = share.into();
        Ask { share, ..self }
    }

    /// With pattern databases from here; without, they are built in memory when they are needed.
    #[must_use]
    pub fn cache(self, cache: Arc<TilesCache>) -> Ask {
        let cache = Some(cache);
        Ask { cache, ..self }
    }

    /// The request, if all wishes make sense together.
    ///
    /// # Errors
    /// Names the first wish that does not.
    pub fn request(self) -> Result<Request, AskError> {
        self.check_sat()?;
        if self.to == End::Start {
            self.check_backward()?;
        }
        self.check_device()?;
        let task = match &self.puzzle {
            Asked::Board(start, goal) => self.board_task(start, goal)?,
            Asked::Graph(graph, start, goal) => self.graph_task(graph, start, goal)?,
            Asked::Level(level) => self.level_task(level)?,
        };
        let cache = self.cache.unwrap_or_else(TilesCache::shared);
        Ok(Request { task, cache })
    }

    fn chosen_engine(&self) -> Engine {
        self.engine.unwrap_or_default()
    }

    /// Checks the wishes about SAT.
    fn check_sat(&self) -> Result<(), AskError> {
        let engine = self.chosen_engine();
        let is_level = matches!(self.puzzle, Asked::Level(_));
        let given = [
            (self.encoding.is_some(), Field::Encoding),
            (self.backend.is_some(), Field::Backend),
            (self.bounds.is_some(), Field::Bounds),
            (self.keep.is_some(), Field::Keep),
            (self.at_most.is_some(), Field::AtMost),
            (self.share.is_some(), Field::Share),
            (self.from.is_some(), Field::From),
            (self.decompose, Field::Decompose),
            (self.any && !is_level, Field::Any),
        ];
        for (is_given, field) in given {
            if is_given && engine != Engine::Sat {
                return Err(Why::OnlySat { engine }.about(field));
            }
        }
        let backend = self.backend.clone().unwrap_or_default();
        if self.share == Some(Share::Clauses) && !backend.is_cadical() {
            let backend = backend.to_string();
            return Err(Why::NoSharing { backend }.about(Field::Share));
        }
        for (is_given, with) in [(self.bounds.is_some(), "bounds"), (self.any, "any")] {
            if is_given && self.at_most.is_some() && self.from.is_none() {
                return Err(Why::SingleQuestion { with }.about(Field::AtMost));
            }
        }
        for (is_given, with) in [
            (self.from.is_some(), "a first length"),
            (self.at_most.is_some(), "a greatest length"),
        ] {
            if is_given && self.decompose {
                return Err(Why::Stages { with }.about(Field::Decompose));
            }
        }
        let most = self.at_most.unwrap_or(MOST_STEPS).min(MOST_STEPS);
        if self.from.is_some_and(|from| from > most) {
            return Err(Why::NoLength { most }.about(Field::From));
        }
        Ok(())
    }

    /// Checks that the search can start at the goal.
    fn check_backward(&self) -> Result<(), AskError> {
        if let (Asked::Board(start, _), Engine::Auto | Engine::IdaStar) =
            (&self.puzzle, self.chosen_engine())
            && let Some((heuristic, end)) = self.checked_heuristic(start, start)?
            && Deepening::fits(&heuristic, end)
        {
            let by_sizes = |member: &HeuristicMember| match member {
                HeuristicMember::Databases(partition) => partition.is_by_sizes(),
                HeuristicMember::Simple(_) => false,
            };
            return if heuristic.members().iter().all(by_sizes) {
                Ok(())
            } else {
                Err(Why::BackwardPatterns.about(Field::Heuristic))
            };
        }
        Err(Why::NoBackward.about(Field::Backward))
    }

    /// The heuristic that was asked for, and the board that it leads to.
    fn checked_heuristic<'a>(
        &self,
        start: &'a Board,
        goal: &'a Board,
    ) -> Result<Option<(HeuristicName, &'a Board)>, AskError> {
        let Some(heuristic) = &self.heuristic else {
            return Ok(None);
        };
        let (heuristic, end) = match self.to {
            End::Goal => (heuristic.clone(), goal),
            End::Start => (heuristic.towards(start), start),
        };
        check_on_board(&heuristic, end).map_err(|why| why.about(Field::Heuristic))?;
        Ok(Some((heuristic, end)))
    }

    /// Checks that the search can run on the device.
    fn check_device(&self) -> Result<(), AskError> {
        if self.device == DeviceName::Cpu {
            return Ok(());
        }
        let (Asked::Board(start, goal), Some(_), Engine::Auto | Engine::IdaStar) =
            (&self.puzzle, &self.heuristic, self.chosen_engine())
        else {
            return Err(Why::NoDevice.about(Field::Device));
        };
        if start.tiles().len() > MOST_CELLS {
            let size = start.size();
            return Err(Why::DeviceBoard { size }.about(Field::Device));
        }
        let goal = goal.of_size(start.width(), start.height());
        let goal = goal.map_err(|e| Why::from(e).about(Field::Goal))?;
        if let Some((heuristic, end)) = self.checked_heuristic(start, &goal)?
            && !Deepening::fits(&heuristic, end)
        {
            return Err(Why::DevicePatterns.about(Field::Device));
        }
        if !cfg!(feature = "gpu") {
            return Err(Why::NoGpu.about(Field::Device));
        }
        Ok(())
    }

    /// The wish that makes a formula necessary.
    fn sat_field(&self) -> Field {
        match self.encoding {
            Some(_) => Field::Encoding,
            None => Field::Engine,
        }
    }

    fn sat_options<E>(&self, encoding: E) -> SatOptions<E> {
        SatOptions {
            encoding,
            backend: self.backend.clone().unwrap_or_default(),
            bounds: self.bounds.unwrap_or_default(),
            keep: self.keep.unwrap_or_default(),
            any: self.any,
            threads: self.threads,
            at_most: self.at_most,
            share: self.share.unwrap_or_default(),
            from: self.from,
            decompose: self.decompose,
        }
    }

    /// What boards and graphs do not have.
    fn check_tiles(&self) -> Result<(), AskError> {
        if self.objective == Some(Objective::Pushes) {
            return Err(Why::NoPushes.about(Field::Objective));
        }
        for (is_given, field) in [
            (self.no_wait, Field::NoWait),
            (self.decompose, Field::Decompose),
        ] {
            if is_given {
                return Err(Why::OnlyLevels.about(field));
            }
        }
        let engine = self.chosen_engine();
        if self.heuristic.is_some() && !engine.uses_heuristic() {
            return Err(Why::NoHeuristic { engine }.about(Field::Heuristic));
        }
        if self.duplicates.is_some() && !engine.skips_duplicates() {
            return Err(Why::NoDuplicates { engine }.about(Field::Duplicates));
        }
        Ok(())
    }

    fn board_task(&self, start: &Board, goal: &Goal) -> Result<Task, AskError> {
        self.check_tiles()?;
        let (width, height) = (start.width(), start.height());
        let goal = goal.of_size(width, height);
        let goal = goal.map_err(|e| Why::from(e).about(Field::Goal))?;
        let edges = (width - 1) * height + width * (height - 1);
        let descent = self.checked_descent(width * height, edges)?;
        let guided = self.checked_heuristic(start, &goal)?;
        if self.wants_checkpoint() && !self.can_be_resumed(guided.as_ref(), width * height) {
            return Err(Why::NoCheckpoint.about(Field::Checkpoint));
        }
        let heuristic = guided.map(|(heuristic, _)| heuristic);
        let start = start.clone();
        let board = BoardPuzzle { start, goal };
        // What cannot be solved needs no engine.
        let has_plan = || board.why_unsolvable().is_none();
        let size = || board.start.size();
        let engine = match self.chosen_engine().into() {
            // On a card, a heuristic was asked for.
            TilesEngine::Auto if self.device == DeviceName::Gpu => SlideEngine::IdaStar,
            TilesEngine::Auto => {
                let auto = BoardMethod::Auto { heuristic, descent };
                return Ok(Task::Board(board, auto));
            }
            TilesEngine::Human => return Ok(Task::Board(board, BoardMethod::Human)),
            TilesEngine::Table => {
                if !Positions::fits(width, height) && has_plan() {
                    return Err(Why::FullTable { size: size() }.about(Field::Engine));
                }
                return Ok(Task::Board(board, BoardMethod::Table));
            }
            TilesEngine::Sat => {
                // A single cell is solved as it is.
                let is_asked = board.start.tiles().len() > 1 && has_plan();
                let encoding = match fit_board(self.encoding, &board.start) {
                    Ok(encoding) => encoding,
                    Err(Unfit::Cells { encoding, .. }) if !is_asked => encoding,
                    Err(unfit) => return Err(Why::from(unfit).about(self.sat_field())),
                };
                if self.from.is_some() && encoding.is_for_one_bound() {
                    return Err(Why::NoFormula { encoding }.about(Field::From));
                }
                let options = self.sat_options(encoding);
                if options.share == Share::Clauses && options.is_lazy() {
                    return Err(Why::LazySharing.about(Field::Share));
                }
                let method = BoardMethod::Sat(options, heuristic.unwrap_or_default());
                return Ok(Task::Board(board, method));
            }
            TilesEngine::Slides(engine) => engine,
        };
        let search = SlideSearch {
            engine,
            heuristic: heuristic.unwrap_or_default(),
            descent,
        };
        Ok(Task::Board(board, BoardMethod::Slides(search)))
    }

    /// Whether somebody named a file for checkpoints.
    fn wants_checkpoint(&self) -> bool {
        matches!(self.checkpoints, Some(Keep::File(_)))
    }

    /// Whether the search of a board keeps checkpoints.
    fn can_be_resumed(&self, guided: Option<&(HeuristicName, &Board)>, cells: usize) -> bool {
        match (self.chosen_engine(), guided) {
            (Engine::Auto, None) => cells <= 25,
            (Engine::Auto | Engine::IdaStar, Some((heuristic, end))) => {
                Deepening::fits(heuristic, end)
            }
            _ => false,
        }
    }

    fn graph_task(
        &self,
        graph: &Arc<Graph>,
        start: &Arrangement,
        goal: &Arrangement,
    ) -> Result<Task, AskError> {
        self.check_tiles()?;
        let (start, goal, labels) =
            number(start, goal).map_err(|e| Why::from(e).about(Field::Puzzle))?;
        let descent = self.checked_descent(graph.len(), graph.edge_count())?;
        let heuristic = self.heuristic.as_ref().map(on_graph).transpose();
        let heuristic = heuristic.map_err(|why| why.about(Field::Heuristic))?;
        let labels = labels.into();
        let graph = graph.clone();
        let puzzle = GraphPuzzle {
            graph,
            start,
            goal,
            labels,
        };
        let engine = match self.chosen_engine().into() {
            TilesEngine::Auto => {
                let auto = GraphMethod::Auto { heuristic, descent };
                return Ok(Task::Graph(puzzle, auto));
            }
            TilesEngine::Human | TilesEngine::Table | TilesEngine::Sat => {
                let engine = self.chosen_engine();
                return Err(Why::EngineForBoards { engine }.about(Field::Engine));
            }
            TilesEngine::Slides(engine) => engine,
        };
        let search = SlideSearch {
            engine,
            heuristic: heuristic.unwrap_or_default(),
            descent,
        };
        Ok(Task::Graph(puzzle, GraphMethod::Slides(search)))
    }

    fn level_task(&self, level: &Arc<Level>) -> Result<Task, AskError> {
        if self.heuristic.is_some() {
            return Err(Why::OnlyTiles.about(Field::Heuristic));
        }
        if self.duplicates.is_some() {
            return Err(Why::OnlyTiles.about(Field::Duplicates));
        }
        if self.wants_checkpoint() {
            return Err(Why::NoCheckpoint.about(Field::Checkpoint));
        }
        let puzzle = LevelPuzzle {
            level: level.clone(),
            objective: self.objective.unwrap_or_default(),
            wait: !self.no_wait,
        };
        let countable = match self.objective {
            Some(Objective::Pushes) if puzzle.is_crew() => {
                Err(Why::CrewPushes.about(Field::Objective))
            }
            _ => Ok(()),
        };
        let engine = match self.chosen_engine() {
            Engine::Auto => LevelEngine::Auto,
            Engine::Bfs => LevelEngine::Bfs,
            Engine::AStar => LevelEngine::AStar,
            Engine::Bidirectional => LevelEngine::Optimal,
            Engine::Anytime if !puzzle.is_crew() => LevelEngine::Anytime,
            Engine::Sat => {
                let encoding = fit_level(self.encoding, level, puzzle.objective)
                    .map_err(|unfit| Why::from(unfit).about(self.sat_field()))?;
                countable?;
                let method = LevelMethod::Sat(self.sat_options(encoding));
                return Ok(Task::Level(puzzle, method));
            }
            engine => return Err(Why::EngineForTiles { engine }.about(Field::Engine)),
        };
        countable?;
        let (any, threads) = (self.any, self.threads);
        let method = LevelMethod::Search {
            engine,
            any,
            threads,
        };
        Ok(Task::Level(puzzle, method))
    }

    /// How depth-first engines search, if the duplicates can be learned in a second or two.
    fn checked_descent(&self, cells: usize, edges: usize) -> Result<Descent, AskError> {
        let depth = self.duplicates.unwrap_or(0);
        // About this many are looked at: from each cell, on by all but the way back.
        let ways = (2.0 * edges as f64 / cells as f64 - 1.0).max(1.0);
        let most = if cells <= 25 {
            MOST_SMALL_WALKS
        } else {
            MOST_WALKS
        };
        if depth > 0 && cells as f64 * ways.powf(depth as f64) > most {
            return Err(Why::Duplicates.about(Field::Duplicates));
        }
        Ok(Descent {
            duplicates: self.duplicates,
            threads: self.threads,
            checkpoints: self.checkpoints.clone(),
            device: self.device,
            to: self.to,
        })
    }
}

/// Whether all members of a heuristic are for boards of this size, and fit together.
fn check_on_board(heuristic: &HeuristicName, goal: &Board) -> Result<(), Why> {
    let mut words = 0;
    for member in heuristic.members() {
        words += match member {
            HeuristicMember::Simple(SimpleHeuristic::Walking) => {
                if !Walking::fits(goal.width(), goal.height()) {
                    return Err(Why::WalkingTable { size: goal.size() });
                }
                WalkingMemo::WORDS
            }
            HeuristicMember::Simple(_) => u32::WORDS,
            HeuristicMember::Databases(partition) => {
                partition.keys(goal)?;
                Looked::WORDS
            }
        };
    }
    // IDA* by subtrees carries more along than other engines.
    if words > MOST_WORDS && !Deepening::fits(heuristic, goal) {
        let heuristic = heuristic.clone();
        return Err(Why::TooMany { heuristic });
    }
    Ok(())
}

/// The members of a heuristic that graphs have; an error if there are others.
fn on_graph(heuristic: &HeuristicName) -> Result<GraphHeuristic, Why> {
    let member = |member: &HeuristicMember| match member {
        HeuristicMember::Simple(SimpleHeuristic::Misplaced) => Ok(GraphMember::Misplaced),
        HeuristicMember::Simple(SimpleHeuristic::Manhattan) => Ok(GraphMember::Manhattan),
        other => Err(Why::HeuristicForBoards {
            heuristic: other.to_string(),
        }),
    };
    let members: Result<_, _> = heuristic.members().iter().map(member).collect();
    members.map(GraphHeuristic)
}
