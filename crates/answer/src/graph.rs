//! Puzzles on graphs: plans read, answers recorded, plans replayed.

use std::sync::Arc;

use noyes_check::{Fault, graph_after, graph_plan};
use noyes_puzzle::graph::{Arrangement, Graph, GraphError, number};
use noyes_solver::{Answer, GraphPuzzle, Plan, Puzzle, Tiles, Unit};

use crate::record::{Answered, Notated, Replayed, Subject};
use crate::shorten::shorten;

/// The vertices of a plan: names, separated by spaces or commas.
pub fn read_plan(text: &str, graph: &Graph) -> Result<Vec<u16>, String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let vertex = |(i, word): (usize, &str)| {
        let at = i + 1;
        let found = graph.vertex(word);
        found.ok_or_else(|| format!("move {at}: there is no vertex `{}`", shorten(word)))
    };
    let words = words.filter(|word| !word.is_empty());
    words.enumerate().map(vertex).collect()
}

/// The puzzle with this start and goal.
pub fn puzzle(
    graph: Arc<Graph>,
    start: &Arrangement,
    goal: &Arrangement,
) -> Result<GraphPuzzle, GraphError> {
    let (start, goal, labels) = number(start, goal)?;
    Ok(GraphPuzzle {
        graph,
        start,
        goal,
        labels: labels.into(),
    })
}

/// Why the goal cannot be reached, if it cannot.
pub fn why_unsolvable(puzzle: &GraphPuzzle) -> Option<String> {
    let puzzle = Puzzle::Tiles(Tiles::Graph(puzzle.clone()));
    puzzle.why_unsolvable().map(|reason| reason.to_string())
}

/// The subject of a record: a puzzle on the graph of this name.
pub fn subject(name: &str, puzzle: &GraphPuzzle) -> Subject {
    Subject::graph(name, &puzzle.graph, Some(&labels(puzzle, &puzzle.start)))
}

/// The record of an answer.
pub fn record(name: &str, puzzle: &GraphPuzzle, answer: &Answer) -> Answered {
    let plan = plan(puzzle, answer);
    Answered {
        goal: Some(labels(puzzle, &puzzle.goal)),
        ..Answered::new(subject(name, puzzle), answer, plan, Notated::Vertices)
    }
}

/// The plan of an answer as text.
pub fn plan(puzzle: &GraphPuzzle, answer: &Answer) -> Option<String> {
    match &answer.plan {
        Some(Plan::Vertices(plan)) => Some(names(&puzzle.graph, plan)),
        _ => None,
    }
}

/// The names of the vertices of a plan.
pub fn names(graph: &Graph, plan: &[u16]) -> String {
    let names: Vec<&str> = plan.iter().map(|&v| graph.name(v)).collect();
    names.join(" ")
}

fn labels(puzzle: &GraphPuzzle, tiles: &[u16]) -> String {
    let label = |&tile: &u16| puzzle.labels[usize::from(tile)].as_str();
    let labels: Vec<&str> = tiles.iter().map(label).collect();
    labels.join(" ")
}

/// Replays a plan on a graph of this name.
pub fn replay(name: &str, puzzle: &GraphPuzzle, plan: &[u16]) -> Replayed {
    let GraphPuzzle {
        graph, start, goal, ..
    } = puzzle;
    let reached = graph_after(graph, start, plan).ok();
    let reached = reached.map(|tiles| labels(puzzle, &tiles));
    let fault = graph_plan(graph, start, goal, plan).err();
    let fault = fault.map(|fault| match fault {
        Fault::NotGoal { moves, .. } => Fault::NotGoal {
            moves,
            reached: reached.clone().unwrap_or_default(),
            goal: labels(puzzle, goal),
        },
        fault => fault,
    });
    Replayed {
        goal: Some(labels(puzzle, goal)),
        legal: reached.is_some(),
        solved: fault.is_none(),
        cost: reached.as_ref().map(|_| plan.len() as u32),
        reached: reached.map(|labels| format!("{name} {labels}")),
        error: fault.map(|fault| fault.to_string()),
        ..Replayed::new(
            subject(name, puzzle),
            names(graph, plan),
            Notated::Vertices.to_string(),
            Unit::Moves,
        )
    }
}
