//! Answers: the results of solves and hints, and the status of jobs.

use noyes_puzzle::tiles::{Board, Notation, write_plan};
use noyes_solver::{Answer, Control, Engine, Status, Stop, Ties};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::names;
use super::shared::{Measures, SCHEMA, Subject};

/// The answer to a solve.
#[derive(Serialize, ToSchema)]
pub struct Answered {
    /// The version of these fields.
    pub schema: &'static str,
    /// The job of the service that gave this answer; null on the command line.
    pub id: Option<String>,
    #[serde(flatten)]
    pub subject: Subject,
    /// The board or the labels to reach; null for a level, which has its goals in it, and after an
    /// error.
    pub goal: Option<String>,
    /// How it ended: optimal, solved (a plan, not proven optimal), unsolvable, limit. Null after an error.
    #[schema(schema_with = names::statuses)]
    pub status: Option<&'static str>,
    /// Why a search stopped before its answer: time, memory, interrupted, budget, bound (there is no plan of at most the
    /// asked length). Null unless the status is limit.
    #[schema(schema_with = names::stops)]
    pub stop: Option<&'static str>,
    /// Why there is no plan. Null unless the status is unsolvable.
    pub reason: Option<String>,
    /// What went wrong: bad input, or a failure of the program. Null whenever there is a status.
    pub error: Option<String>,
    /// What cost, lower and upper count: moves, pushes or steps. Null after an error.
    #[schema(schema_with = names::optional_units)]
    pub objective: Option<&'static str>,
    /// The cost of the plan.
    pub cost: Option<u32>,
    /// No plan costs less. Null where there is no plan at all.
    pub lower: Option<u32>,
    /// The best plan costs no more.
    pub upper: Option<u32>,
    /// Optimal plans of one player in a level: whether it is proven that, among plans of this cost, none has fewer moves
    /// (where pushes are the cost) or pushes (where moves are).
    pub ties_proven: Option<bool>,
    /// The plan, in the notation that follows.
    pub plan: Option<String>,
    /// What the words of a plan name: blank (where the blank goes, by letters or, on a graph, vertices), tile (where the
    /// tile goes), lurd (the moves of players, capitals push, a line for each player).
    #[schema(schema_with = names::optional_notations)]
    pub notation: Option<String>,
    #[serde(flatten)]
    pub measures: Measures,
    /// The plan in steps of the human method, if they were asked for.
    pub steps: Option<Vec<HumanStep>>,
    /// The file with the certificate, if one was asked for.
    pub certificate: Option<String>,
    /// The engine that ran; null if none had to.
    #[schema(schema_with = names::engines)]
    pub engine: Option<&'static str>,
    /// The heuristic that it used.
    pub heuristic: Option<String>,
    /// How it wrote the puzzle as clauses.
    pub encoding: Option<String>,
    /// States whose successors were generated.
    pub expanded: u64,
    /// States that were reached.
    pub generated: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: Option<u64>,
    /// Decisions of the SAT solver.
    pub decisions: Option<u64>,
    /// Variables of the largest formula.
    pub variables: Option<u64>,
    /// Clauses of the largest formula.
    pub clauses: Option<u64>,
    /// Clauses added while the solver worked.
    pub lazy_clauses: Option<u64>,
    /// Lookups in pattern databases while it worked.
    pub lookups: Option<u64>,
    /// Clauses that the SAT solvers of several threads took from each other.
    pub shared_clauses: Option<u64>,
    /// Seconds that passed.
    pub wall_s: f64,
    /// Seconds of processor time.
    pub cpu_s: f64,
    /// The most bytes that states, or the SAT solver, took.
    pub peak_bytes: usize,
}

impl Answered {
    /// Something went wrong before there was an answer.
    pub fn failed(subject: Subject, error: String) -> Answered {
        Answered {
            schema: SCHEMA,
            id: None,
            subject,
            goal: None,
            status: None,
            stop: None,
            reason: None,
            error: Some(error),
            objective: None,
            cost: None,
            lower: None,
            upper: None,
            ties_proven: None,
            plan: None,
            notation: None,
            measures: Measures::default(),
            steps: None,
            certificate: None,
            engine: None,
            heuristic: None,
            encoding: None,
            expanded: 0,
            generated: 0,
            conflicts: None,
            decisions: None,
            variables: None,
            clauses: None,
            lazy_clauses: None,
            lookups: None,
            shared_clauses: None,
            wall_s: 0.0,
            cpu_s: 0.0,
            peak_bytes: 0,
        }
    }

    /// An answer; the plan as its puzzle writes it.
    pub fn new(
        subject: Subject,
        answer: &Answer,
        plan: Option<String>,
        notation: Notated,
    ) -> Answered {
        let solvable = answer.status != Status::Unsolvable;
        let sat = answer.counts.sat;
        Answered {
            status: Some(answer.status.name()),
            stop: answer.status.stop().map(Stop::name),
            reason: answer.reason.as_ref().map(ToString::to_string),
            error: None,
            objective: Some(answer.unit.name()),
            cost: answer.bounds.upper,
            lower: solvable.then_some(answer.bounds.lower),
            upper: answer.bounds.upper,
            ties_proven: answer.ties.map(|ties| ties == Ties::Proven),
            plan,
            notation: Some(notation.to_string()),
            engine: (answer.engine != Engine::Auto).then(|| answer.engine.name()),
            heuristic: answer.heuristic.as_ref().map(ToString::to_string),
            encoding: answer.encoding.as_ref().map(ToString::to_string),
            expanded: answer.counts.expanded,
            generated: answer.counts.generated,
            conflicts: sat.map(|sat| sat.conflicts),
            decisions: sat.map(|sat| sat.decisions),
            variables: sat.map(|sat| sat.variables),
            clauses: sat.map(|sat| sat.clauses),
            lazy_clauses: sat.map(|sat| sat.lazy_clauses),
            lookups: sat.map(|sat| sat.lookups),
            shared_clauses: sat.map(|sat| sat.shared_clauses),
            wall_s: answer.wall.as_secs_f64(),
            cpu_s: answer.cpu.as_secs_f64(),
            peak_bytes: answer.counts.peak_bytes,
            ..Answered::failed(subject, String::new())
        }
    }

    /// The same with the goal of a board.
    #[must_use]
    pub fn with_goal(self, goal: Option<&Board>) -> Answered {
        Answered {
            goal: goal.map(ToString::to_string),
            ..self
        }
    }

    /// The same with the steps of the human method.
    #[must_use]
    pub fn with_steps(self, answer: &Answer, notation: Notation) -> Answered {
        let step = |step: &noyes_solver::HumanStep| HumanStep {
            number: step.number,
            tiles: step.tiles.clone(),
            plan: write_plan(&step.moves, notation),
        };
        Answered {
            steps: Some(answer.steps.iter().map(step).collect()),
            ..self
        }
    }

    /// The same as the answer of a job.
    #[must_use]
    pub fn of_job(self, id: &str) -> Answered {
        Answered {
            id: Some(id.into()),
            ..self
        }
    }
}

/// A step of the human method.
#[derive(Serialize, ToSchema)]
pub struct HumanStep {
    /// Its number in the method, 1 to 6.
    number: u8,
    /// The tiles that are in place afterwards.
    tiles: Vec<u16>,
    /// Its part of the plan.
    plan: String,
}

/// What the words of a plan name.
#[derive(Clone, Copy)]
pub enum Notated {
    Letters(Notation),
    Vertices,
    /// The moves of players, capitals for pushes.
    Lurd,
}

impl std::fmt::Display for Notated {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Notated::Letters(notation) => notation.fmt(f),
            Notated::Vertices => f.write_str("blank"),
            Notated::Lurd => f.write_str("lurd"),
        }
    }
}

/// A hint.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hint {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// The next move. On a board, where the blank goes: L, U, R or D. In a level, a letter for each player, a capital for a
    /// push. Null if the puzzle is solved or no plan is known.
    #[serde(rename = "move")]
    pub next: Option<String>,
    /// The tile that moves.
    pub tile: Option<u16>,
    /// The number of steps in the plan.
    pub remaining: Option<u32>,
    /// Whether no plan costs less.
    pub proven: bool,
    /// What lower and upper count: moves, pushes or steps.
    #[schema(schema_with = names::units)]
    pub objective: &'static str,
    /// No plan costs less. Null where there is no plan at all.
    pub lower: Option<u32>,
    /// The best plan costs no more.
    pub upper: Option<u32>,
    /// The whole plan, in the notation of the move.
    pub plan: Option<String>,
    /// Whether the goal is reached.
    pub solved: bool,
    /// Why there is no plan, if that is so.
    pub reason: Option<String>,
}

/// Whether there is a plan.
#[derive(Serialize, ToSchema)]
#[schema(as = Solvable)]
pub struct Solvability {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// Whether there is a plan; null if that takes a search.
    pub solvable: Option<bool>,
    /// Why there is no plan, if that is so.
    pub reason: Option<String>,
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Progress {
    /// No plan costs less.
    pub lower: u32,
    /// The best plan so far costs this.
    pub upper: Option<u32>,
    /// States whose successors were generated.
    pub expanded: u64,
    /// States that were reached.
    pub generated: u64,
    /// Conflicts of the SAT solver in the questions it has answered.
    pub conflicts: u64,
    /// Seconds since it began to run.
    pub elapsed_s: f64,
    /// The share of the present limit of IDA* that is done, from 0 to 1, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// About how many seconds the rest of that limit takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_s: Option<f64>,
}

impl Progress {
    /// How far the search with this control is after some time.
    pub fn of(control: &Control, elapsed_s: f64) -> Progress {
        let (expanded, generated) = control.nodes();
        let (bounds, share) = (control.bounds(), control.share());
        let left = share.and_then(|share| share.left);
        Progress {
            lower: bounds.lower,
            upper: bounds.upper,
            expanded,
            generated,
            conflicts: control.conflicts(),
            elapsed_s,
            share: share.map(|share| share.done),
            left_s: left.map(|left| left.as_secs_f64()),
        }
    }
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It waits for a thread.
    Queued,
    /// It searches.
    Running,
    /// It has ended.
    Done,
    /// It was stopped.
    Cancelled,
}

/// A job of the service.
#[derive(Serialize, ToSchema)]
pub struct Job {
    /// The version of these fields.
    pub schema: &'static str,
    /// The id in its address.
    pub id: String,
    /// Whether it waits, runs or has ended.
    pub state: JobState,
    /// How far it is.
    #[schema(value_type = Progress)]
    pub progress: Box<RawValue>,
    /// Its answer, once it has ended.
    #[schema(value_type = Option<Answered>)]
    pub result: Option<Box<RawValue>>,
}

/// A server-sent event.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the document")]
pub struct JobEvent {
    /// progress or done.
    event: String,
    /// Progress or the record, as JSON.
    data: String,
}
