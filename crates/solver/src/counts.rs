//! What is known and what was counted, at any moment of a solve.

/// What is known of the cost of an optimal plan. Sound at every moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Bounds {
    /// No plan is cheaper than this.
    pub lower: u32,
    /// The cost of the best plan found, if any.
    pub upper: Option<u32>,
}

/// What a search counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// States whose moves were looked at.
    pub expanded: u64,
    /// States reached by a move, the root counted as one, before any cut-off.
    pub generated: u64,
    /// The most bytes of stored states at any time.
    pub peak_bytes: usize,
    /// What SAT solvers counted, if there was one.
    pub sat: Option<SatCounts>,
}

impl Counts {
    /// Together with what was done before.
    #[must_use]
    pub(crate) fn after(self, done: Counts) -> Counts {
        Counts {
            expanded: done.expanded + self.expanded,
            generated: done.generated + self.generated,
            peak_bytes: done.peak_bytes.max(self.peak_bytes),
            ..self
        }
    }

    /// Of a SAT solver that was not asked anything.
    pub(crate) fn of_sat() -> Counts {
        Counts {
            sat: Some(SatCounts::default()),
            ..Counts::default()
        }
    }
}

/// What SAT solvers counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatCounts {
    /// Conflicts, over all questions and threads.
    pub conflicts: u64,
    /// Decisions, likewise.
    pub decisions: u64,
    /// Variables of the largest formula.
    pub variables: u64,
    /// Clauses of the largest formula, without those added lazily.
    pub clauses: u64,
    /// Clauses added while the solver worked: what pattern databases said, where it was asked for.
    pub lazy_clauses: u64,
    /// Boards looked up in pattern databases.
    pub lookups: u64,
    /// Clauses that solvers took from each other.
    pub shared_clauses: u64,
}

impl SatCounts {
    /// Of two solvers: sums, and the larger formula.
    #[must_use]
    pub fn and(self, other: SatCounts) -> SatCounts {
        SatCounts {
            conflicts: self.conflicts + other.conflicts,
            decisions: self.decisions + other.decisions,
            variables: self.variables.max(other.variables),
            clauses: self.clauses.max(other.clauses),
            lazy_clauses: self.lazy_clauses + other.lazy_clauses,
            lookups: self.lookups + other.lookups,
            shared_clauses: self.shared_clauses + other.shared_clauses,
        }
    }
}
