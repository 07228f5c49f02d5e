//! How to solve by SAT: the free choices beside the encoding.

use super::backend::BackendName;
use super::schedule::Schedule;
use super::tiles::name::BoardEncoding;
use crate::names::names;

names! {
    /// What is kept from one question to the next.
    KeepName {
        /// One solver, asked under assumptions.
        #[default]
        Incremental = "incremental",
        /// Nothing.
        Restart = "restart",
    }
}

names! {
    /// What several threads share.
    Share {
        /// The lengths: each thread asks for another one.
        #[default]
        Lengths = "lengths",
        /// What their solvers learn: all ask for the same length.
        Clauses = "clauses",
        /// Nothing: all ask for the same length, and the first answer counts.
        Nothing = "nothing",
    }
}

/// How to solve by SAT, with an encoding of this kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SatOptions<E> {
    /// How the puzzle is written as clauses.
    pub encoding: E,
    /// What answers.
    pub backend: BackendName,
    /// Which bound is asked next.
    pub bounds: Schedule,
    /// What is kept between two questions.
    pub keep: KeepName,
    /// Whether the first plan will do.
    pub any: bool,
    /// How many solvers work at once.
    pub threads: usize,
    /// What they share.
    pub share: Share,
    /// Ask only whether there is a plan of at most this many moves; with `from`, ask for no greater length.
    pub at_most: Option<u32>,
    /// The first length to ask for, even one that a lower bound rules out.
    pub from: Option<u32>,
    /// Levels: one more goal at a time, each from where the last one ended.
    pub decompose: bool,
}

impl<E> SatOptions<E> {
    /// The usual choices with this encoding.
    pub fn of(encoding: E) -> SatOptions<E> {
        SatOptions {
            encoding,
            backend: BackendName::default(),
            bounds: Schedule::default(),
            keep: KeepName::default(),
            any: false,
            threads: 1,
            share: Share::default(),
            at_most: None,
            from: None,
            decompose: false,
        }
    }

    /// The same choices with another encoding.
    #[must_use]
    pub fn with<F>(self, encoding: F) -> SatOptions<F> {
        SatOptions {
            encoding,
            backend: self.backend,
            bounds: self.bounds,
            keep: self.keep,
            any: self.any,
            threads: self.threads,
            share: self.share,
            at_most: self.at_most,
            from: self.from,
            decompose: self.decompose,
        }
    }
}

impl<E: Default> Default for SatOptions<E> {
    fn default() -> Self {
        SatOptions::of(E::default())
    }
}

impl SatOptions<BoardEncoding> {
    /// Whether the solver looks things up in pattern databases while it searches.
    pub fn is_lazy(&self) -> bool {
        is_lazy(self.encoding, &self.backend)
    }
}

/// Whether this solver looks things up in pattern databases while it searches: only CaDiCaL takes clauses then.
pub(super) fn is_lazy(encoding: BoardEncoding, backend: &BackendName) -> bool {
    encoding == BoardEncoding::Lean { fixed: false } && backend.is_cadical()
}
