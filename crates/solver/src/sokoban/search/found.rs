//! What a search for one player hands on: costs, and how far it came.

use noyes_puzzle::tiles::Direction;

use crate::control::Stop;

/// Costs, the first part counting first.
pub(crate) type Pair = (u32, u32);

/// A plan and its cost by an objective.
pub(crate) type Costed = (Vec<Direction>, Pair);

/// How far a search came. If it was not stopped, there is no better plan; but for one that only wanted any.
pub(crate) struct Found {
    pub(crate) end: Result<(), Stop>,
    pub(crate) lower: u32,
    pub(crate) best: Option<Costed>,
    pub(crate) any: bool,
}

impl Found {
    pub(crate) fn proven(end: Result<(), Stop>, lower: u32, best: Option<Costed>) -> Found {
        let any = false;
        Found {
            end,
            lower,
            best,
            any,
        }
    }

    /// The same where a plan was known, unless a better one was found.
    pub(crate) fn or(self, known: Option<Costed>) -> Found {
        let best = self.best.or(known);
        let upper = best.as_ref().map_or(u32::MAX, |(_, cost)| cost.0);
        Found {
            lower: self.lower.min(upper),
            best,
            ..self
        }
    }
}
