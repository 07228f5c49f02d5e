//! The groups of flags in the help.

pub(super) const PUZZLE: &str = "Puzzle";
pub(super) const SEARCH: &str = "Search";
pub(super) const LIMITS: &str = "Limits";
pub(super) const SAT: &str = "SAT (--engine sat)";
pub(super) const FORMULA: &str = "Formula";
pub(super) const PDDL: &str = "PDDL (--format pddl)";
pub(super) const LEVELS: &str = "Levels (generate sokoban)";
pub(super) const BOARDS: &str = "Boards";
pub(super) const OUTPUT: &str = "Output";
pub(super) const SERVICE: &str = "Service";
pub(super) const PROOF: &str = "Proof";
#[cfg(feature = "cluster")]
pub(super) const CLUSTER: &str = "Many machines";
