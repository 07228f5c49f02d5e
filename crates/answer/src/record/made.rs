//! Puzzles that were made, found in files, or shipped.

use serde::Serialize;
use utoipa::ToSchema;

use super::names;
use super::shared::Subject;

/// A puzzle made at random.
#[derive(Serialize, ToSchema)]
pub struct GeneratedPuzzle {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// The board to reach; null for a level, which has its goals in it.
    pub goal: Option<String>,
    /// The boxes of a level.
    pub boxes: Option<usize>,
    /// The seed that makes it again.
    pub seed: u64,
    /// Which puzzle of that seed it is, counted from 0.
    pub index: u64,
    /// The number of random moves from the goal that made it, if it was made so.
    pub walk: Option<usize>,
    /// What cost counts: moves, pushes or steps.
    #[schema(schema_with = names::units)]
    pub objective: &'static str,
    /// The cost of an optimal plan, if it is known.
    pub cost: Option<u32>,
}

/// A level of a file.
#[derive(Serialize)]
pub struct ListedLevel {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// 1-based index in its source.
    pub number: usize,
    /// Its boxes.
    pub boxes: usize,
    /// Its goals.
    pub goals: usize,
    /// Its cells of floor.
    pub floor: usize,
}

/// A level that comes with the program.
#[derive(Clone, Serialize, ToSchema)]
pub struct ShippedLevel {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// The fewest moves of any plan of one player.
    pub min_moves: Option<u32>,
    /// The fewest pushes of any plan of one player.
    pub min_pushes: Option<u32>,
    /// The fewest steps of any plan of several players.
    pub min_steps: Option<u32>,
}
