//! Planners' plans: what a planner says of its plan's cost, held against the plan.

use noyes_puzzle::pddl::claimed_cost;

use crate::terminal::print::{complain, counted};

/// Says so if a plan does not have the cost that its planner claims; any of these may be what was counted.
pub fn note_claim(text: &str, counts: &[(usize, (&str, &str))]) {
    let Some(claimed) = claimed_cost(text) else {
        return;
    };
    if !counts.iter().any(|&(count, _)| count as u64 == claimed) {
        let counts: Vec<String> = counts
            .iter()
            .map(|&(n, (one, more))| counted(n, one, more))
            .collect();
        complain(format_args!(
            "note: the plan says that its cost is {claimed}, but it has {}",
            counts.join(" and ")
        ));
    }
}
