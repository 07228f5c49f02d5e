//! Restart: a fresh solver and a fresh formula for every bound.
//!
//! Nothing learned is carried over, but the formula is just as long as the bound, and the solver knows from the start
//! what it is asked and may simplify with it (Puzzle Solving with Modern SAT Engine, section III, "modified
//! version").

use super::backend::{BackendError, BackendName, Watch};
use super::incremental::Incremental;
use super::{Asked, Keep, Make, SatCounts};
use crate::control::Control;

/// What is needed to begin anew.
pub(crate) struct Restart<'a, M> {
    make: &'a Make<'a, M>,
    backend: BackendName,
    variant: usize,
    counts: SatCounts,
    bytes: usize,
}

impl<'a, M> Restart<'a, M> {
    pub fn new(make: &'a Make<'a, M>, backend: &BackendName, variant: usize) -> Restart<'a, M> {
        Restart {
            make,
            backend: backend.clone(),
            variant,
            counts: SatCounts::default(),
            bytes: 0,
        }
    }
}

impl<M> Keep<M> for Restart<'_, M> {
    fn ask(&mut self, k: u32, control: &Control, watch: &Watch) -> Result<Asked<M>, BackendError> {
        let mut once = Incremental::new((self.make)(), &self.backend, self.variant);
        let asked = once.ask(k, control, watch);
        let counts = once.counts();
        self.bytes = self.bytes.max(once.bytes());
        self.counts = SatCounts {
            conflicts: self.counts.conflicts + counts.conflicts,
            decisions: self.counts.decisions + counts.decisions,
            variables: self.counts.variables.max(counts.variables),
            clauses: self.counts.clauses.max(counts.clauses),
        };
        asked
    }

    fn counts(&self) -> SatCounts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
