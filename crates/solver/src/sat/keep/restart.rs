//! Restart: a fresh solver and a fresh formula for every bound.
//!
//! Nothing learned is kept, but the formula is only as long as the bound, and the solver knows the question from the
//! start, as a clause, and can simplify with it (Puzzle Solving with Modern SAT Engine, section III, "modified
//! version").

use super::asked::{Asked, Keep, Make, Rest};
use super::incremental::Incremental;
use crate::control::Control;
use crate::counts::SatCounts;
use crate::sat::backend::{BackendError, BackendName, Order, Watch};
use crate::sat::encoding::Question;

/// What is needed to start again.
pub(crate) struct Restart<'a, M> {
    make: &'a Make<'a, M>,
    backend: BackendName,
    variant: usize,
    order: Order,
    counts: SatCounts,
    bytes: usize,
    /// The solver of the last question. Freeing it takes a while, so nobody should have to wait for it.
    last: Option<Incremental<M>>,
}

impl<'a, M> Restart<'a, M> {
    pub fn new(
        make: &'a Make<'a, M>,
        backend: &BackendName,
        variant: usize,
        order: Order,
    ) -> Restart<'a, M> {
        Restart {
            make,
            backend: backend.clone(),
            variant,
            order,
            counts: SatCounts::default(),
            bytes: 0,
            last: None,
        }
    }
}

impl<M: 'static> Keep<M> for Restart<'_, M> {
    fn ask(
        &mut self,
        question: Question,
        control: &Control,
        watch: &Watch,
    ) -> Result<Asked<M>, BackendError> {
        if let Err(stop) = control.poll_stop() {
            return Ok(Asked::Stopped(stop));
        }
        self.last = None;
        let encoding = (self.make)(question);
        let solver = (self.backend).fresh(self.variant, self.order, watch.shared());
        let mut once = Incremental::new(encoding, solver);
        let asked = once.ask_once(question.k, watch);
        self.bytes = self.bytes.max(once.bytes());
        self.counts = self.counts.and(once.counts());
        self.last = Some(once);
        asked
    }

    fn counts(&self) -> SatCounts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn leave(self: Box<Self>) -> Rest {
        self.last.map_or_else(Rest::default, Rest::of)
    }
}
