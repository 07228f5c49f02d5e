//! Restart: a fresh solver and a fresh formula for every bound.
//!
//! Nothing learned is carried over, but the formula is just as long as the bound, and the solver knows from the start
//! what it is asked and may simplify with it (Puzzle Solving with Modern SAT Engine, section III, "modified
//! version").

use noyes_puzzle::tiles::Board;

use super::backend::{BackendError, BackendName, Watch};
use super::encoding::{EncodingName, Question};
use super::incremental::Incremental;
use super::{Asked, Keep, SatCounts};
use crate::control::Control;

/// What is needed to begin anew.
pub(crate) struct Restart {
    start: Board,
    goal: Board,
    encoding: EncodingName,
    backend: BackendName,
    variant: usize,
    counts: SatCounts,
    bytes: usize,
}

impl Restart {
    pub fn new(
        start: &Board,
        goal: &Board,
        encoding: EncodingName,
        backend: &BackendName,
        variant: usize,
    ) -> Restart {
        Restart {
            start: start.clone(),
            goal: goal.clone(),
            encoding,
            backend: backend.clone(),
            variant,
            counts: SatCounts::default(),
            bytes: 0,
        }
    }
}

impl Keep for Restart {
    fn ask(
        &mut self,
        question: Question,
        control: &Control,
        watch: &Watch,
    ) -> Result<Asked, BackendError> {
        let (start, goal) = (&self.start, &self.goal);
        let (encoding, backend) = (self.encoding, &self.backend);
        let mut once = Incremental::new(start, goal, encoding, backend, self.variant, question);
        let asked = once.ask(question, control, watch);
        self.bytes = self.bytes.max(once.bytes());
        self.counts = self.counts.and(once.counts());
        asked
    }

    fn counts(&self) -> SatCounts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
