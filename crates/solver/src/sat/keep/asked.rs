//! What answers questions: one solver for all, or a fresh one for each.

use std::any::Any;

use crate::control::{Control, Stop};
use crate::counts::SatCounts;
use crate::sat::backend::{BackendError, BackendName, Watch};
use crate::sat::encoding::{Encoding, Question};

/// The answer to a question.
pub(crate) enum Asked<M> {
    Plan(Vec<M>),
    No,
    Stopped(Stop),
    Overtaken,
}

/// What answers questions.
pub(crate) trait Keep<M> {
    /// Whether there is such a plan.
    fn ask(
        &mut self,
        question: Question,
        control: &Control,
        watch: &Watch,
    ) -> Result<Asked<M>, BackendError>;

    fn counts(&self) -> SatCounts;

    /// About what its formula takes.
    fn bytes(&self) -> usize;

    /// The part that is slow to free.
    fn leave(self: Box<Self>) -> Rest;
}

/// Makes a new encoding of the puzzle, for this question first or for this one only. Every thread has its own, and so
/// does every question with a fresh solver.
pub(crate) type Make<'a, M> = dyn Fn(Question) -> Box<dyn Encoding<Move = M>> + Sync + 'a;

/// Something else that answers questions, if it goes with the backend.
pub(crate) type Other<'a, M> = dyn Fn(&BackendName) -> Option<Box<dyn Keep<M>>> + Sync + 'a;

/// A solver that has answered. One with millions of clauses takes a while to free.
#[derive(Default)]
#[expect(dead_code, reason = "it is only dropped")]
pub struct Rest(Option<Box<dyn Any>>);

impl Rest {
    /// Keeps a solver until this is dropped.
    pub(crate) fn of(solver: impl Any) -> Rest {
        Rest(Some(Box::new(solver)))
    }
}
