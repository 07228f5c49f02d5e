//! Puzzles on graphs.

use clap::Args;

use super::solving::Search;

#[derive(Args)]
pub struct Graph {
    /// A built-in graph, a file of edges, or - for standard input
    #[arg(value_name = "GRAPH")]
    pub which: String,
    /// A state: labels in vertex order (0 or _ is the blank), or vertex=label pairs
    #[arg(long, visible_alias = "start", value_name = "STATE")]
    pub from: Option<String>,
    /// Another state; 1 2 3 … with the blank last if not given
    #[arg(long, visible_alias = "goal", value_name = "STATE")]
    pub to: Option<String>,
    /// Find an optimal plan between the two
    #[arg(long)]
    pub solve: bool,
    /// Replay a plan between the two: the vertices the blank goes to, or - for standard input
    #[arg(
        long,
        value_name = "PLAN",
        conflicts_with = "solve",
        allow_hyphen_values = true
    )]
    pub check: Option<String>,
    #[command(flatten)]
    pub search: Search,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

pub(super) fn graph_help() -> String {
    let known: Vec<String> = noyes_puzzle::graph::named::NAMED
        .iter()
        .map(|(name, what)| format!("  {name:<16} {what}"))
        .collect();
    format!(
        "Built-in graphs:\n{}\n\nA file holds an edge a line (two vertex names), and may hold lines start: STATE and goal: STATE; # comments.\n\n\
         Examples:\n  noyes graph theta0\n  noyes graph cycle:6 --from \"5 4 3 2 1 0\" --solve\n  noyes graph cycle:4 --from \"0 1 2 3\" --to \"1 2 3 0\" --check \"v2 v3 v4\"",
        known.join("\n")
    )
}
