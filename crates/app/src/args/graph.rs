//! Puzzles on graphs.

use clap::Args;

use super::heading::{OUTPUT, PUZZLE, SEARCH};
use super::solving::Search;

#[derive(Args)]
pub struct Graph {
    /// A built-in graph, a file of edges, or - for standard input
    #[arg(value_name = "GRAPH")]
    pub which: String,
    /// The start: labels in vertex order (0 or _ is the blank), or vertex=label pairs
    #[arg(long, help_heading = PUZZLE, visible_alias = "start", value_name = "STATE")]
    pub from: Option<String>,
    /// The goal (default: 1 2 3 … with the blank last)
    #[arg(long, help_heading = PUZZLE, visible_alias = "goal", value_name = "STATE")]
    pub to: Option<String>,
    /// Find an optimal plan from start to goal
    #[arg(long, help_heading = SEARCH)]
    pub solve: bool,
    /// Replay a plan from start to goal: the vertices the blank goes to, or - for standard input
    #[arg(
        long,
        help_heading = PUZZLE,
        value_name = "PLAN",
        conflicts_with = "solve",
        allow_hyphen_values = true
    )]
    pub check: Option<String>,
    /// Count the blank's walks of up to N moves, and how many of them --duplicates skips
    #[arg(long, value_name = "N", help_heading = PUZZLE, requires = "duplicates", conflicts_with_all = ["solve", "check"], value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub depth: Option<u16>,
    #[command(flatten)]
    pub search: Search,
    /// Print a JSON object
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}

pub(super) fn graph_help() -> String {
    let known: Vec<String> = noyes_puzzle::graph::named::NAMED
        .iter()
        .map(|(name, what)| format!("  {name:<16} {what}"))
        .collect();
    format!(
        "Built-in graphs:\n{}\n\nA file holds one edge per line (two vertex names), optional lines start: STATE and goal: STATE, and # comments.\n\n\
         Examples:\n  noyes graph theta0\n  noyes graph cycle:6 --from \"2 3 4 5 1 0\" --solve\n  noyes graph cycle:4 --from \"0 1 2 3\" --to \"1 2 3 0\" --check \"v2 v3 v4\"\n  noyes graph grid:4x4 --duplicates 10 --depth 50",
        known.join("\n")
    )
}
