//! What is wrong with a level as it stands.

use serde::Serialize;
use utoipa::ToSchema;

use super::shared::Subject;

/// What is wrong with a level.
#[derive(Serialize, ToSchema)]
pub struct Explained {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// Whether it is certain that there is no plan.
    pub unsolvable: bool,
    /// Why there is no plan, where that is seen without looking at single boxes.
    pub reason: Option<String>,
    /// Boxes that can never get to a goal; of several players nothing is said.
    pub dead: Vec<DeadBoxes>,
}

/// Boxes that are dead together.
#[derive(Serialize, ToSchema)]
pub struct DeadBoxes {
    /// Row and column of each, counted from 1.
    pub boxes: Vec<[usize; 2]>,
    /// square, freeze or corral.
    pub deadlock: &'static str,
    /// Whether there is no plan because of them; not so where other boxes are enough for the goals.
    pub fatal: bool,
    /// The same in words.
    pub words: String,
}
