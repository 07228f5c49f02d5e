//! What a checked certificate proves.

use std::fmt::Write as _;

/// What was proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The puzzle.
    pub puzzle: String,
    /// In a sentence.
    pub proved: String,
    /// Why it holds, one reason a line.
    pub because: Vec<String>,
    /// The cost of the plan, if there is one.
    pub cost: Option<u32>,
    /// The steps of the proof.
    pub steps: u64,
    /// How many of them are facts.
    pub facts: u64,
}

impl Verdict {
    /// The verdict and its reasons, a line each.
    pub fn in_words(&self) -> String {
        let mut text = format!("{}\n  {}\n", self.proved, self.puzzle);
        for reason in &self.because {
            let _ = writeln!(text, "  - {reason}");
        }
        text
    }

    /// Says that this cost is the least.
    pub(crate) fn optimal(&mut self, cost: u32, unit: &str) {
        self.cost = Some(cost);
        let cost = count(u64::from(cost), unit);
        self.proved = format!("a plan of {cost} exists, and no plan of fewer than {cost} exists");
        self.because
            .push(format!("the plan of {cost} was replayed"));
    }
}

/// A number with its unit, given in the singular: 1 move, 2 moves, 3 pushes.
pub(crate) fn count(number: u64, unit: &str) -> String {
    match (number, unit) {
        (1, _) => format!("1 {unit}"),
        (_, "push") => format!("{number} pushes"),
        _ => format!("{number} {unit}s"),
    }
}

/// Numbers from one to another: 3, or 3 to 5.
pub(crate) fn range(from: usize, to: usize) -> String {
    if from == to {
        from.to_string()
    } else {
        format!("{from} to {to}")
    }
}
