//! A claim: an answer that comes from another machine, and has not been replayed here.
//!
//! What can be checked at once is checked: the plan is replayed by the independent checker, its cost has to agree with the
//! bounds, and parity has to agree about boards without a plan. A lower bound, or that a level has no plan, would take
//! the whole search again; there the machine that searched is believed.

use std::time::Duration;

use noyes_check::{Fault, board_plan, sokoban_plan};

use crate::answer::{Answer, Outcome, Plan, Reason, Status, Ties};
use crate::control::Stop;
use crate::counts::{Bounds, Counts};
use crate::names::{Engine, Unit};
use crate::request::{Request, Task};
use crate::sat::EncodingName;
use crate::tiles::heuristic::HeuristicName;

/// What another machine says.
#[derive(Clone, Debug)]
pub struct Claim {
    /// How its search ended.
    pub status: Status,
    /// What it knows of the optimum.
    pub bounds: Bounds,
    /// The best plan it found.
    pub plan: Option<Plan>,
    /// Whether ties are broken.
    pub ties: Option<Ties>,
    /// Why there is no plan.
    pub reason: Option<String>,
    /// The engine that ran.
    pub engine: Engine,
    /// The heuristic it used.
    pub heuristic: Option<HeuristicName>,
    /// How it wrote the puzzle as clauses.
    pub encoding: Option<EncodingName>,
    /// Its counts.
    pub counts: Counts,
    /// Time that passed.
    pub wall: Duration,
    /// Processor time.
    pub cpu: Duration,
}

/// A claim that is not an answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The plan does not reach the goal.
    #[error("the plan does not pass the check: {0}")]
    Plan(#[from] Fault),
    /// The plan is for another kind of puzzle.
    #[error("the plan is for another kind of puzzle")]
    Kind,
    /// The parts contradict each other.
    #[error("{0}")]
    Contradiction(&'static str),
}

impl Claim {
    /// The answer, if everything that can be checked is right.
    ///
    /// # Errors
    /// If something is wrong.
    pub fn verified(self, request: &Request) -> Result<Answer, ClaimError> {
        let cost = match (&self.plan, &request.task) {
            (None, _) => None,
            (Some(Plan::Directions(plan)), Task::Board(board, _)) => {
                Some(board_plan(&board.start, &board.goal, plan)?)
            }
            (Some(Plan::Walks(walks)), Task::Level(puzzle, _)) => {
                let replayed =
                    sokoban_plan(&puzzle.level, walks, puzzle.wait).map_err(Fault::from)?;
                Some(match puzzle.unit() {
                    Unit::Pushes => replayed.pushes,
                    Unit::Moves => replayed.moves,
                    Unit::Steps => replayed.steps,
                })
            }
            _ => return Err(ClaimError::Kind),
        };
        self.check(cost, request)?;
        let reason = self.reason(request);
        Ok(Answer {
            status: self.status,
            bounds: self.bounds,
            unit: request.puzzle().unit(),
            plan: self.plan,
            ties: self.ties,
            reason,
            steps: vec![],
            engine: self.engine,
            heuristic: self.heuristic,
            encoding: self.encoding,
            counts: self.counts,
            wall: self.wall,
            cpu: self.cpu,
        })
    }

    /// Whether the status, the bounds and the cost of the plan go together.
    fn check(&self, cost: Option<u32>, request: &Request) -> Result<(), ClaimError> {
        let Bounds { lower, upper } = self.bounds;
        let is_known = matches!(request.task, Task::Board(..));
        let wrong = match self.status {
            _ if upper != cost => Some("the plan has another cost than it says"),
            _ if upper.is_some_and(|upper| upper < lower) => Some("the bounds contradict"),
            Status::Optimal if cost != Some(lower) => Some("an optimum without its plan"),
            Status::Solved if cost.is_none() => Some("solved without a plan"),
            Status::Unsolvable if cost.is_some() => Some("unsolvable, with a plan"),
            // Parity says of every board whether it has a plan.
            Status::Unsolvable if is_known && request.puzzle().why_unsolvable().is_none() => {
                Some("unsolvable, but the board has a plan")
            }
            _ => None,
        };
        wrong.map_or(Ok(()), |why| Err(ClaimError::Contradiction(why)))
    }

    fn reason(&self, request: &Request) -> Option<Reason> {
        if self.status != Status::Unsolvable {
            return None;
        }
        let known = match request.task {
            Task::Board(..) => request.puzzle().why_unsolvable(),
            _ => None,
        };
        known.or_else(|| self.reason.clone().map(Reason::Elsewhere))
    }
}

impl Answer {
    /// The answer of a search elsewhere that was stopped with this lower bound, and said no more.
    pub fn interrupted(request: &Request, lower: u32) -> Answer {
        let outcome = Outcome::<()>::stopped(Stop::Interrupted, lower, Counts::default());
        let answer = Answer {
            unit: request.puzzle().unit(),
            ..Answer::new(Engine::Auto, outcome)
        };
        answer.map(|_| unreachable!("there is no plan"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::{Ask, solve};
    use noyes_puzzle::tiles::{Direction, Goal};

    fn request(board: &str) -> Request {
        let ask = Ask::board(board.parse().unwrap(), Goal::BlankLast);
        ask.request().unwrap()
    }

    /// What a machine says that has solved a board.
    fn claim(board: &str) -> Claim {
        let answer = solve(&request(board), &Control::new()).unwrap();
        Claim {
            status: answer.status,
            bounds: answer.bounds,
            plan: answer.plan,
            ties: answer.ties,
            reason: answer.reason.map(|reason| reason.to_string()),
            engine: answer.engine,
            heuristic: answer.heuristic,
            encoding: answer.encoding,
            counts: answer.counts,
            wall: answer.wall,
            cpu: answer.cpu,
        }
    }

    const EASY: &str = "1 2 3/4 0 6/7 5 8";
    const ODD: &str = "2 1 3/4 5 6/7 8 0";

    #[test]
    fn what_is_right_is_an_answer() {
        let answer = claim(EASY).verified(&request(EASY)).unwrap();
        assert_eq!(answer.bounds.upper, Some(2));
        let answer = claim(ODD).verified(&request(ODD)).unwrap();
        let own = solve(&request(ODD), &Control::new()).unwrap();
        assert_eq!(answer.reason, own.reason);
    }

    #[test]
    fn wrong_claims_are_refused() {
        let refused = |change: &dyn Fn(&mut Claim)| {
            let mut claim = claim(EASY);
            change(&mut claim);
            claim.verified(&request(EASY)).unwrap_err().to_string()
        };
        let plan = Some(Plan::Directions(vec![Direction::Down, Direction::Down]));
        assert!(refused(&|c| c.plan.clone_from(&plan)).contains("does not pass"));
        assert!(refused(&|c| c.plan = None).contains("another cost"));
        assert!(refused(&|c| c.bounds.upper = Some(4)).contains("another cost"));
        assert!(refused(&|c| c.bounds.lower = 0).contains("optimum"));
        assert!(refused(&|c| c.plan = Some(Plan::Vertices(vec![1]))).contains("kind"));
        let none = |c: &mut Claim| {
            c.status = Status::Unsolvable;
            (c.plan, c.bounds.upper) = (None, None);
        };
        assert!(refused(&none).contains("has a plan"));
    }
}
