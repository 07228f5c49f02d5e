//! Why a level is unsolvable.

use serde::Serialize;
use utoipa::ToSchema;

use super::shared::Subject;

/// The dead boxes of a level.
#[derive(Serialize, ToSchema)]
pub struct Explained {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// Whether it is certain that there is no plan.
    pub unsolvable: bool,
    /// Why there is no plan, if that is clear without looking at single boxes.
    pub reason: Option<String>,
    /// Boxes that can never reach a goal; empty for several players.
    pub dead: Vec<DeadBoxes>,
}

/// Boxes that are dead together.
#[derive(Serialize, ToSchema)]
pub struct DeadBoxes {
    /// The 1-based row and column of each.
    pub boxes: Vec<[usize; 2]>,
    /// square, freeze or corral.
    pub deadlock: &'static str,
    /// Whether they make the level unsolvable; they do not if other boxes are enough for the goals.
    pub fatal: bool,
    /// The same in words.
    pub words: String,
}
