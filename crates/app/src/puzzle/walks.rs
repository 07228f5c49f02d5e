//! Walks of the blank, counted: what skipping redundant move sequences saves a depth-first search without a heuristic.
//!
//! The automaton that skips them has few states, so the number of walks of any length follows from the number of those
//! one move shorter, state by state. No walk is made.

use std::fmt::Write;

use noyes_puzzle::Duplicates;
use noyes_puzzle::graph::Graph;

use crate::record::CountedWalks;
use crate::terminal::print::counted;

/// Numbers of walks by length, from all vertices together.
pub struct Walks {
    duplicates: usize,
    automaton: Duplicates,
    /// Without going straight back.
    all: Vec<u128>,
    /// Also without redundant sequences.
    kept: Vec<u128>,
    growth_all: f64,
    growth_kept: f64,
}

impl Walks {
    /// Counts walks of up to `depth` moves; none if a number is too large.
    pub fn new(graph: &Graph, duplicates: usize, depth: usize) -> Option<Walks> {
        let plain = Duplicates::new(graph, 2); // forbids going straight back only
        let automaton = Duplicates::new(graph, duplicates.max(2));
        Some(Walks {
            duplicates,
            all: plain.walks(depth)?,
            kept: automaton.walks(depth)?,
            growth_all: plain.growth(),
            growth_kept: automaton.growth(),
            automaton,
        })
    }

    fn depth(&self) -> usize {
        self.all.len() - 1
    }

    /// The share of the walks of a length that is skipped.
    fn skipped(&self, length: usize) -> f64 {
        match self.all[length] {
            0 => 0.0,
            all => 1.0 - self.kept[length] as f64 / all as f64,
        }
    }

    /// The share that would be skipped at the last length if the numbers grew by their factors from the first move on.
    fn skipped_by_growth(&self) -> f64 {
        if self.growth_all == 0.0 {
            return 0.0;
        }
        1.0 - (self.growth_kept / self.growth_all).powf(self.depth() as f64)
    }

    pub fn record(&self) -> CountedWalks {
        let depth = self.depth();
        CountedWalks {
            depth,
            duplicates: self.duplicates,
            all: self.all[depth].to_string(),
            kept: self.kept[depth].to_string(),
            skipped: self.skipped(depth),
            growth_all: self.growth_all,
            growth_kept: self.growth_kept,
            skipped_by_growth: self.skipped_by_growth(),
        }
    }

    /// A line for every tenth length, and the last one.
    pub fn words(&self) -> String {
        let depth = self.depth();
        let mut text = format!(
            "walks of the blank from any vertex that do not go straight back, and those of them without redundant \
             sequences of up to {} ({} of them, skipped by an automaton of {}):\n",
            counted(self.duplicates, "move", "moves"),
            self.automaton.forbidden(),
            counted(self.automaton.states(), "state", "states"),
        );
        for length in (10..depth).step_by(10).chain([depth]) {
            let _ = writeln!(
                text,
                "{}: {} and {}, {:.1} % skipped",
                counted(length, "move", "moves"),
                self.all[length],
                self.kept[length],
                100.0 * self.skipped(length)
            );
        }
        let _ = writeln!(
            text,
            "each further move multiplies them by {:.4} and {:.4}; these factors alone would skip {:.1} %",
            self.growth_all,
            self.growth_kept,
            100.0 * self.skipped_by_growth()
        );
        text
    }
}
