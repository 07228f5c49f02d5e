//! The description of a graph.

use serde::Serialize;

use super::shared::Subject;

/// A graph, and whether one arrangement of labels can be reached from another.
#[derive(Serialize)]
pub struct DescribedGraph {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// Its vertices.
    pub vertices: usize,
    /// Its edges.
    pub edges: usize,
    /// Whether it is bipartite.
    pub bipartite: bool,
    /// The number of classes of states, as text: it may have thousands of digits.
    pub classes: String,
    /// Why there are this many.
    pub classes_reason: String,
    /// The labels to reach, if there are labels to start from.
    pub goal: Option<String>,
    /// Whether the goal can be reached.
    pub solvable: Option<bool>,
    /// Why there is no plan, if that is so.
    pub reason: Option<String>,
    /// What skipping redundant move sequences saves, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walks: Option<CountedWalks>,
}

/// The blank's walks of one length, from all vertices together.
#[derive(Serialize)]
pub struct CountedWalks {
    /// Their length.
    pub depth: usize,
    /// Redundant sequences of up to this length are skipped.
    pub duplicates: usize,
    /// The number of walks that do not go straight back, as text.
    pub all: String,
    /// The number of those without a redundant sequence, as text.
    pub kept: String,
    /// The share that is skipped, from 0 to 1.
    pub skipped: f64,
    /// By what factor the first number grows with each move, for long walks.
    pub growth_all: f64,
    /// The same for the second number.
    pub growth_kept: f64,
    /// The share that these factors alone would skip.
    pub skipped_by_growth: f64,
}
