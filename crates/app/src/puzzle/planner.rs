//! The cost that a planner claims for its plan, compared with the plan.

use noyes_puzzle::pddl::claimed_cost;

use crate::terminal::print::{counted, warn};

/// Warns if the cost that a planner claims equals no count of its plan.
pub fn note_claim(text: &str, counts: &[(usize, (&str, &str))]) {
    let Some(claimed) = claimed_cost(text) else {
        return;
    };
    if !counts.iter().any(|&(count, _)| count as u64 == claimed) {
        let counts: Vec<String> = counts
            .iter()
            .map(|&(n, (one, more))| counted(n, one, more))
            .collect();
        warn(format_args!(
            "note: the plan claims a cost of {claimed}, but it has {}",
            counts.join(" and ")
        ));
    }
}
