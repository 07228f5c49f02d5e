//! What a search for one player returns: its best plan with its cost, and how it ended.

use noyes_puzzle::tiles::Direction;

use crate::control::Stop;

/// A cost of two parts, compared in order.
pub(crate) type Pair = (u32, u32);

/// A plan and its cost under an objective.
pub(crate) type Costed = (Vec<Direction>, Pair);

/// The result of a search. If the search was not stopped, there is no better plan, unless it looked for any plan.
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

    /// The same, with a plan that was known before if the search found no better one.
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
