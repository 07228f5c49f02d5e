//! Hints: the next move of a plan, proven optimal where time allows.
//!
//! A small board is looked up in the table of all its positions, on the spot. On 4×4 the largest tables are used
//! once they are there; they are built in the background when the first such board is seen. Anything else gets the
//! best plan of a short search, and whether it is proven optimal is said.
//!
//! Whoever follows a hint asks next for the position it leads to. The rest of the plan is remembered for it: what is
//! proven needs no second search, and what is not never gets longer.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Direction, Notation, solvable, write_plan};
use noyes_solver::tiles::Positions;
use noyes_solver::tiles::pdb::{Partition, Tables};
use noyes_solver::{Answer, Control, Engine, Plan, Puzzle, Request, SolveError, Status, solve};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Server;
use super::problem::Problem;
use super::wish::{self, Asked};

/// So that the answer is there within two seconds.
const USUAL: Duration = Duration::from_millis(1500);
/// The tables of 4×4: the first are built in no time, the last solve a board in a millisecond or two.
const WARM: [&str; 2] = ["6-6-3+reflect", "7-8+reflect"];
/// So many positions are remembered.
const MOST_REMEMBERED: usize = 4096;
/// Longer plans are not remembered.
const LONGEST_REMEMBERED: usize = 4096;

/// What to give a hint for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintBody {
    /// A board, or a level of Sokoban.
    #[schema(example = "1 2 3/4 0 6/7 5 8")]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
    /// What a plan should have fewest of: moves of a board; pushes (the default) or moves of a level.
    pub objective: Option<String>,
    /// Levels of several players: nobody may wait.
    #[serde(default)]
    pub no_wait: bool,
    /// Search for so long at most; 1.5 by default.
    #[schema(minimum = 0, maximum = 10)]
    pub time_limit_s: Option<f64>,
}

/// A hint.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Hint {
    /// The next move: where the blank goes, L U R or D; the player's step, a capital for a push, and of several players
    /// a letter each. Null if there is nothing to do, or nothing known.
    #[serde(rename = "move")]
    pub next: Option<String>,
    /// The tile that moves.
    pub tile: Option<u16>,
    /// The moves of the plan behind it.
    pub remaining: Option<u32>,
    /// Whether no plan is shorter.
    pub proven: bool,
    /// No plan has fewer of the objective.
    pub lower: Option<u32>,
    /// What the plan has of it.
    pub upper: Option<u32>,
    /// What the two count: moves, pushes or steps.
    pub objective: &'static str,
    /// The whole plan.
    pub plan: Option<String>,
    /// Whether the goal is reached.
    pub solved: bool,
    /// Why the puzzle cannot be solved, if so.
    pub reason: Option<String>,
}

/// A plan, and whether it is known to be optimal.
#[derive(Clone)]
struct Known {
    plan: Vec<Direction>,
    lower: u32,
}

/// What hints know beyond the tables.
#[derive(Default)]
pub struct Hints {
    remembered: Mutex<Remembered>,
    warming: AtomicBool,
    warm: Arc<AtomicBool>,
}

#[derive(Default)]
struct Remembered {
    plans: HashMap<(Board, Board), Known>,
    /// By age.
    order: VecDeque<(Board, Board)>,
}

impl Hints {
    fn recall(&self, at: &(Board, Board)) -> Option<Known> {
        self.lock().plans.get(at).cloned()
    }

    fn remember(&self, at: (Board, Board), known: Known) {
        if known.plan.len() > LONGEST_REMEMBERED {
            return;
        }
        let mut remembered = self.lock();
        if remembered.plans.insert(at.clone(), known).is_none() {
            remembered.order.push_back(at);
        }
        while remembered.order.len() > MOST_REMEMBERED {
            let oldest = remembered.order.pop_front().expect("there are many");
            remembered.plans.remove(&oldest);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Remembered> {
        self.remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the tables of 4×4 are there.
    pub fn is_warm(&self) -> bool {
        self.warm.load(SeqCst)
    }

    /// Builds the tables of 4×4 in the background, once.
    pub fn warm(&self, tables: &Arc<Tables>, stop: &Arc<AtomicBool>) {
        if self.warming.swap(true, SeqCst) {
            return;
        }
        let (tables, stop, warm) = (tables.clone(), stop.clone(), self.warm.clone());
        let build = move || {
            let goal = Board::blank_last(4, 4);
            let control = Control::new().stop_flag(stop);
            for partition in WARM {
                let partition: Partition = partition.parse().expect("a partition");
                for key in partition.keys(&goal).expect("a partition of 4×4") {
                    if tables.get_unsaved(&key, &control).is_err() {
                        return; // the server stops
                    }
                }
            }
            warm.store(true, SeqCst);
        };
        let _ = std::thread::Builder::new()
            .name("tables".into())
            .spawn(build);
    }
}

/// Gives a hint.
pub async fn hint(server: &Arc<Server>, body: &HintBody) -> Result<Hint, Problem> {
    let time = server.limits.hint_time(body.time_limit_s, USUAL)?;
    let board = match Asked::read(&body.puzzle)? {
        Asked::Board(board) => board,
        Asked::Level(level) => return of_level(server, body, level, time).await,
    };
    wish::no_level_choices(body.no_wait, body.objective.as_deref())?;
    let goal = wish::goal(body.goal.as_deref(), board.width(), board.height())?;
    if let Err(why) = solvable(&board, &goal) {
        return Ok(Hint {
            reason: Some(why.to_string()),
            objective: "moves",
            ..Hint::default()
        });
    }
    let at = wish::renamed(&board, &goal);
    if at.0 == at.1 {
        return Ok(Hint {
            remaining: Some(0),
            proven: true,
            lower: Some(0),
            upper: Some(0),
            plan: Some(String::new()),
            solved: true,
            objective: "moves",
            ..Hint::default()
        });
    }
    let request = wish::plain(&board, &goal, &server.tables);
    // 1. At once.
    if Positions::fits(board.width(), board.height()) {
        let request = request.engine(Engine::Table).expect("it fits");
        let answer = solve(&request, &Control::new()).map_err(failed)?;
        return Ok(told(&board, known(&answer)));
    }
    let remembered = server.hints.recall(&at);
    if let Some(known) = &remembered
        && known.plan.len() as u32 == known.lower
    {
        server.hints.follow(&at, known);
        return Ok(told(&board, Ok(known.clone())));
    }
    // 2. By a search.
    if (board.width(), board.height()) == (4, 4) {
        server.hints.warm(&server.tables.large, &server.stopping);
    }
    let bytes = server.limits.search_bytes;
    let answer = server
        .quick
        .run(move |stop| search(&request, time, bytes, stop))
        .await?
        .map_err(failed)?;
    let mut best = known(&answer);
    if let Some(mut remembered) = remembered {
        let lower = best.as_ref().map_or_else(|lower| *lower, |k| k.lower);
        remembered.lower = remembered.lower.max(lower);
        match &best {
            Ok(found) if found.plan.len() <= remembered.plan.len() => {}
            _ => best = Ok(remembered),
        }
    }
    if let Ok(known) = &best {
        server.hints.follow(&at, known);
    }
    Ok(told(&board, best))
}

impl Hints {
    /// Remembers the rest of a plan for the position that its first move leads to.
    fn follow(&self, at: &(Board, Board), known: &Known) {
        let Some((&first, rest)) = known.plan.split_first() else {
            return;
        };
        let mut next = at.0.clone();
        next.step(first);
        // A bound of one position is a bound of its neighbour, less one.
        let rest = Known {
            plan: rest.to_vec(),
            lower: known.lower.saturating_sub(1),
        };
        self.remember((next, at.1.clone()), rest);
    }
}

/// A plan by whatever suits the puzzle; if that takes too long, at least one that is better than people find.
fn search(
    request: &Request,
    time: Duration,
    bytes: usize,
    stop: Arc<AtomicBool>,
) -> Result<Answer, SolveError> {
    let control = Control::new().stop_flag(stop).memory_limit(bytes);
    let is_fifteen = matches!(request.puzzle(), Puzzle::Board { goal, .. } if (goal.width(), goal.height()) == (4, 4));
    if !is_fifteen {
        return solve(request, &control.time_limit(time));
    }
    // Optimal, or nothing where the tables are not there yet.
    let answer = solve(request, &control.clone().time_limit(time * 2 / 3))?;
    if answer.plan.is_some() {
        return Ok(answer);
    }
    let anytime = request.clone().engine(Engine::Anytime);
    let anytime = anytime.expect("for every board");
    let mut second = solve(&anytime, &control.time_limit(time / 3))?;
    second.bounds.lower = second.bounds.lower.max(answer.bounds.lower);
    Ok(second)
}

/// A hint for a level: of the best plan that a short search finds.
async fn of_level(
    server: &Arc<Server>,
    body: &HintBody,
    level: Level,
    time: Duration,
) -> Result<Hint, Problem> {
    let request = wish::level_request(
        &level,
        body.objective.as_deref(),
        body.no_wait,
        body.goal.as_deref(),
    )?;
    let objective = request.puzzle().cost_unit();
    // A plan at once, and better ones while there is time.
    let request = match level.players() {
        [_] => request.engine(Engine::Anytime).expect("for one player"),
        _ => request,
    };
    let bytes = server.limits.search_bytes;
    let answer = server
        .quick
        .run(move |stop| {
            let control = Control::new().stop_flag(stop).memory_limit(bytes);
            solve(&request, &control.time_limit(time))
        })
        .await?
        .map_err(failed)?;
    let hint = Hint {
        proven: answer.status == Status::Optimal,
        lower: (answer.status != Status::Unsolvable).then_some(answer.bounds.lower),
        upper: answer.bounds.upper,
        reason: match answer.status {
            Status::Unsolvable => Some(
                answer
                    .reason
                    .unwrap_or("no way leads from the start to a solved state".into()),
            ),
            _ => None,
        },
        objective,
        ..Hint::default()
    };
    let Some(Plan::Walks(walks)) = &answer.plan else {
        return Ok(hint);
    };
    let plan = walks.write(&level);
    let first: String = plan.split('\n').filter_map(|w| w.chars().next()).collect();
    Ok(Hint {
        solved: walks.is_empty(),
        next: (!walks.is_empty()).then_some(first),
        remaining: Some(walks.len() as u32),
        plan: Some(plan),
        ..hint
    })
}

fn failed(error: SolveError) -> Problem {
    Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error)
}

/// The plan of an answer, or at least a bound.
fn known(answer: &Answer) -> Result<Known, u32> {
    match &answer.plan {
        Some(Plan::Directions(plan)) => Ok(Known {
            plan: plan.clone(),
            lower: answer.bounds.lower,
        }),
        _ => Err(answer.bounds.lower),
    }
}

fn told(board: &Board, known: Result<Known, u32>) -> Hint {
    let known = match known {
        Ok(known) => known,
        Err(lower) => {
            return Hint {
                lower: Some(lower),
                objective: "moves",
                ..Hint::default()
            };
        }
    };
    let first = known.plan[0];
    let upper = known.plan.len() as u32;
    Hint {
        next: Some(first.letter().to_string()),
        tile: board
            .neighbour(board.blank(), first)
            .map(|cell| board.tiles()[cell]),
        remaining: Some(upper),
        proven: known.lower == upper,
        lower: Some(known.lower),
        upper: Some(upper),
        objective: "moves",
        plan: Some(write_plan(&known.plan, Notation::Blank)),
        solved: false,
        reason: None,
    }
}
