//! Solve: from a checked request to an answer that has been replayed.

use std::sync::Arc;

use noyes_check::{Fault, board_plan, graph_plan, sokoban_plan};
use noyes_puzzle::sokoban::Walks;
use noyes_puzzle::tiles::Direction;

use crate::answer::{Answer, Plan, Status};
use crate::clock::{Instant, ThreadClock};
use crate::control::Control;
use crate::counts::Bounds;
use crate::names::Unit;
use crate::puzzle::{BoardPuzzle, LevelPuzzle};
use crate::request::{BoardMethod, LevelMethod, Request, Task};
use crate::sat::backend::BackendError;
use crate::sat::by_sat::{board_by_sat, level_by_sat};
use crate::sokoban;
use crate::tiles::TilesError;
use crate::tiles::auto::auto;
use crate::tiles::board::{by_hand, by_table, search};
use crate::tiles::cache::TilesCache;
use crate::tiles::{graph, slides};

/// A plan that the checker did not accept: a bug, reported instead of shown as an answer.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the plan found does not pass the check, please report this: {0}")]
pub struct Unverified(#[from] Fault);

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The plan found is wrong.
    #[error(transparent)]
    Unverified(#[from] Unverified),
    /// A search of sliding tiles cannot start.
    #[error(transparent)]
    Tiles(#[from] TilesError),
    /// A program that should be a SAT solver fails.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

impl SolveError {
    /// Whether something was found that did not pass a check.
    pub fn is_unverified(&self) -> bool {
        use BackendError::{WrongModel, WrongNo};
        matches!(
            self,
            SolveError::Unverified(_) | SolveError::Backend(WrongModel { .. } | WrongNo { .. })
        )
    }
}

/// Solves a request within the limits of `control`.
///
/// ```
/// use noyes_puzzle::tiles::Goal;
/// use noyes_solver::{Ask, Control, Status, solve};
/// let request = Ask::board("8 6 7/2 5 4/3 0 1".parse()?, Goal::BlankLast).request()?;
/// let answer = solve(&request, &Control::new())?;
/// assert_eq!((answer.status, answer.bounds.upper), (Status::Optimal, Some(31)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Only if the plan found does not pass the independent check, or a program does not work as a SAT solver.
pub fn solve(request: &Request, control: &Control) -> Result<Answer, SolveError> {
    let (wall, cpu) = (Instant::now(), ThreadClock::now());
    control.begin();
    let cache = &request.cache;
    let mut answer = match &request.task {
        Task::Board(board, method) => {
            let answer = match board.why_unsolvable() {
                Some(reason) => Answer::unsolvable(reason),
                None => solve_board(board, method, cache, control)?,
            };
            checked(&answer, |plan| board_plan(&board.start, &board.goal, plan))?;
            answer.map(Plan::Directions)
        }
        Task::Graph(puzzle, method) => {
            let answer = match puzzle.why_unsolvable() {
                Some(reason) => Answer::unsolvable(reason),
                None => graph::solve(puzzle, method, cache, control),
            };
            let (start, goal) = (&puzzle.start, &puzzle.goal);
            checked(&answer, |plan| graph_plan(&puzzle.graph, start, goal, plan))?;
            answer.map(Plan::Vertices)
        }
        Task::Level(puzzle, method) => {
            let answer = match puzzle.why_unsolvable(control) {
                Some(reason) => Answer::unsolvable(reason).map(|steps| Walks::of_one(&steps)),
                None => solve_level(puzzle, method, control)?,
            };
            checked(&answer, |walks| {
                let replayed = sokoban_plan(&puzzle.level, walks, puzzle.wait);
                replayed
                    .map_err(Fault::from)
                    .map(|replayed| match puzzle.unit() {
                        Unit::Pushes => replayed.pushes,
                        Unit::Moves => replayed.moves,
                        Unit::Steps => replayed.steps,
                    })
            })?;
            Answer {
                unit: puzzle.unit(),
                ..answer.map(Plan::Walks)
            }
        }
    };
    control.tell(answer.bounds, &answer.counts);
    answer.wall = wall.elapsed();
    answer.cpu += cpu.elapsed() + control.help();
    Ok(answer)
}

/// A quick lower bound on the cost of any plan of a board or graph: Manhattan distance. Levels have no quick bound.
pub fn lower_bound(request: &Request) -> u32 {
    let control = Control::new();
    match &request.task {
        Task::Board(board, _) => slides::manhattan(board, &control),
        Task::Graph(graph, _) => slides::manhattan(graph, &control),
        Task::Level(..) => 0,
    }
}

fn solve_board(
    board: &BoardPuzzle,
    method: &BoardMethod,
    cache: &Arc<TilesCache>,
    control: &Control,
) -> Result<Answer<Vec<Direction>>, SolveError> {
    Ok(match method {
        BoardMethod::Auto { heuristic, descent } => {
            auto(board, heuristic.as_ref(), descent, cache, control)?
        }
        BoardMethod::Slides(one) => search(board, one, cache, control)?,
        BoardMethod::Human => by_hand(board, control),
        BoardMethod::Table => by_table(board, cache, control),
        BoardMethod::Sat(options, heuristic) => {
            board_by_sat(board, options, heuristic, cache, control)?
        }
    })
}

fn solve_level(
    puzzle: &LevelPuzzle,
    method: &LevelMethod,
    control: &Control,
) -> Result<Answer<Walks>, BackendError> {
    match method {
        &LevelMethod::Search {
            engine,
            any,
            threads,
        } => Ok(sokoban::solve(puzzle, engine, any, threads, control)),
        LevelMethod::Sat(options) => level_by_sat(puzzle, options, control),
    }
}

/// Replays the plan by the independent checker and compares its cost.
pub(crate) fn checked<P>(
    answer: &Answer<P>,
    replay: impl FnOnce(&P) -> Result<u32, Fault>,
) -> Result<(), Unverified> {
    let Some(plan) = &answer.plan else {
        return Ok(());
    };
    let cost = replay(plan)?;
    let Bounds { lower, upper } = answer.bounds;
    assert_eq!(upper, Some(cost), "an engine reports the cost of its plan");
    assert!(
        lower <= cost && (answer.status != Status::Optimal || lower == cost),
        "bounds that meet at an optimum"
    );
    Ok(())
}
