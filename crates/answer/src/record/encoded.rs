//! The size of a formula.

use serde::Serialize;

use super::shared::Subject;

/// The size of the formula that `encode` writes.
#[derive(Serialize)]
pub struct Encoded {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// The board to reach; null for a level, which has its goals in it.
    pub goal: Option<String>,
    /// The encoding of the puzzle as clauses.
    pub encoding: String,
    /// The flag `-k`: the formula asks for a plan of at most this length.
    pub at_most: u32,
    /// Its variables.
    pub variables: usize,
    /// Its clauses.
    pub clauses: usize,
    /// The clauses that unit propagation leaves before the question itself is asked.
    pub clauses_simplified: usize,
    /// Whether unit propagation alone shows that there is no such plan.
    pub refuted: bool,
    /// Variables as the encoding's paper counts them, if it does.
    pub csp_variables: Option<u64>,
    /// Essential constraints as the paper counts them.
    pub essential_constraints: Option<u64>,
    /// Additional constraints as the paper counts them.
    pub additional_constraints: Option<u64>,
    /// Variables for the Manhattan distance, if the encoding has it.
    pub manhattan_variables: Option<u64>,
    /// Constraints for the Manhattan distance.
    pub manhattan_constraints: Option<u64>,
}
