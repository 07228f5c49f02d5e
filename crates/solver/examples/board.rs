//! Solves a board and prints the plan.

use noyes_puzzle::tiles::{Goal, Notation, write_plan};
use noyes_solver::{Ask, Control, Plan, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let request = Ask::board("8 6 7/2 5 4/3 0 1".parse()?, Goal::BlankLast).request()?;
    let answer = solve(&request, &Control::new())?;
    if let Some(Plan::Directions(plan)) = &answer.plan {
        println!(
            "{} moves: {}",
            plan.len(),
            write_plan(plan, Notation::Blank)
        );
    }
    Ok(())
}
