//! What a search hands back when more than one engine could have run: its outcome, and which one did.

use crate::answer::Outcome;
use crate::names::Engine;

/// The outcome of an engine that was picked by the level.
#[derive(Clone, Debug)]
pub struct Ran<M> {
    /// The engine that ran.
    pub engine: Engine,
    /// What came of it.
    pub outcome: Outcome<M>,
}
