//! Replayed plans.

use noyes_solver::Unit;
use serde::Serialize;
use utoipa::ToSchema;

use super::names;
use super::shared::{Measures, SCHEMA, Subject};

/// The result of the replay of a plan.
#[derive(Serialize, ToSchema)]
pub struct Replayed {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// The board or the labels to reach; null for a level, which has its goals in it.
    pub goal: Option<String>,
    /// The plan, in the notation that follows.
    pub plan: String,
    /// What the words of a plan name: blank, tile or lurd.
    #[schema(schema_with = names::notations)]
    pub notation: String,
    /// Whether every move is legal.
    pub legal: bool,
    /// Whether every move is legal and the goal is reached at the end.
    pub solved: bool,
    /// What cost counts: moves, pushes or steps.
    #[schema(schema_with = names::units)]
    pub objective: &'static str,
    /// The cost of the plan; null if it is not legal.
    pub cost: Option<u32>,
    #[serde(flatten)]
    pub measures: Measures,
    /// The puzzle after the plan, as text that noyes reads; null if the plan is not legal.
    pub reached: Option<String>,
    /// What is wrong with the plan; null if it solves the puzzle.
    pub error: Option<String>,
}

impl Replayed {
    /// A plan before its replay.
    pub fn new(subject: Subject, plan: String, notation: String, unit: Unit) -> Replayed {
        Replayed {
            schema: SCHEMA,
            subject,
            goal: None,
            plan,
            notation,
            legal: false,
            solved: false,
            objective: unit.name(),
            cost: None,
            measures: Measures::default(),
            reached: None,
            error: None,
        }
    }
}
