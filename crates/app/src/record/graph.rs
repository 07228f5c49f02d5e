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
}
