//! What a search returns when more than one engine could have run: its outcome, and which engine it was.

use crate::answer::Outcome;
use crate::names::Engine;

/// The outcome of a search that picked its engine by the level.
#[derive(Clone, Debug)]
pub struct Ran<M> {
    /// The engine that ran.
    pub engine: Engine,
    /// The engine's outcome.
    pub outcome: Outcome<M>,
}
