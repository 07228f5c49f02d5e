//! `noyes graph`: puzzles on graphs.

use std::fmt::Write;
use std::sync::Arc;

use anyhow::Result;
use noyes_puzzle::graph::{Arrangement, Graph, GraphFile, classes};
use noyes_solver::{Ask, GraphPuzzle, Request, solve};

use super::check::tell;
use crate::args;
use crate::ask;
use crate::puzzle::graph;
use crate::puzzle::walks::Walks;
use crate::record::{DescribedGraph, SCHEMA, Subject, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::{BadInput, in_plan};
use crate::terminal::input;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{counted, print};
use crate::terminal::progress::watched;

pub fn run(args: &args::Graph) -> Result<Exit> {
    input::only_one_dash([
        args.which.as_str(),
        args.check.as_deref().unwrap_or_default(),
    ])?;
    let (graph, start, goal) = read(args)?;
    let Some(start) = start else {
        if args.solve || args.check.is_some() || args.to.is_some() {
            return Err(BadInput::new(
                "--from: a start is needed (expected --from STATE, or a line start: STATE in the file)",
            )
            .into());
        }
        let walks = walks(args, &graph)?;
        print(&describe(args, &graph, None, walks))?;
        return Ok(Exit::Answered);
    };
    let goal = goal.unwrap_or_else(|| Arrangement::standard(&graph));
    let puzzle = graph::puzzle(graph, &start, &goal).map_err(BadInput::new)?;
    if args.solve {
        let ask = Ask::graph(puzzle.graph.clone(), start, goal);
        let request = ask::search(ask, &args.search).map_err(BadInput::from)?;
        return solve_it(args, &puzzle, &request);
    }
    if let Some(plan) = &args.check {
        let plan = graph::read_plan(&input::text(plan)?, &puzzle.graph).map_err(in_plan)?;
        return tell(&graph::replay(&args.which, &puzzle, &plan), args.json);
    }
    let why_not = graph::why_unsolvable(&puzzle);
    let walks = walks(args, &puzzle.graph)?;
    let pair = Some((&start, &goal, why_not.as_deref()));
    print(&describe(args, &puzzle.graph, pair, walks))?;
    Ok(if why_not.is_some() {
        Exit::Unsolvable
    } else {
        Exit::Answered
    })
}

/// The graph, and start and goal if they are given. The command line overrides the file.
fn read(args: &args::Graph) -> Result<(Arc<Graph>, Option<Arrangement>, Option<Arrangement>)> {
    let is_file = args.which == "-" || std::path::Path::new(&args.which).exists();
    let file = if is_file {
        let text = input::read_all(&args.which)?;
        Graph::parse(&text).map_err(|e| BadInput::new(format!("{}: {e}", args.which)))?
    } else {
        let graph = Graph::named(&args.which).map_err(BadInput::new)?;
        GraphFile {
            graph,
            start: None,
            goal: None,
        }
    };
    let state = |name: &str, given: &Option<String>, filed: Option<Arrangement>| match given {
        None => Ok(filed),
        Some(text) => Arrangement::parse(&file.graph, text)
            .map(Some)
            .map_err(|e| BadInput::new(format!("--{name}: {e}"))),
    };
    let start = state("from", &args.from, file.start)?;
    let goal = state("to", &args.to, file.goal)?;
    Ok((Arc::new(file.graph), start, goal))
}

type Pair<'a> = (&'a Arrangement, &'a Arrangement, Option<&'a str>);

/// The walks of the blank with and without redundant sequences, if they are asked for.
fn walks(args: &args::Graph, graph: &Arc<Graph>) -> Result<Option<Walks>> {
    let (Some(depth), Some(duplicates)) = (args.depth, args.search.duplicates) else {
        return Ok(None);
    };
    // The solver says whether the sequences can be learned soon.
    let standard = Arrangement::standard(graph);
    let ask = Ask::graph(graph.clone(), standard.clone(), standard);
    ask::search(ask, &args.search).map_err(BadInput::from)?;
    Walks::new(graph, duplicates, depth.into())
        .map(Some)
        .ok_or_else(|| {
            BadInput::new(format!(
                "--depth: the numbers of walks of {depth} moves are too large"
            ))
            .into()
        })
}

fn describe(args: &args::Graph, graph: &Graph, pair: Option<Pair>, walks: Option<Walks>) -> String {
    let classes = classes(graph);
    let reason = classes.reason(graph);
    if args.json {
        let start = pair.map(|(from, ..)| from.to_string());
        return json_line(&DescribedGraph {
            schema: SCHEMA,
            subject: Subject::graph(&args.which, graph, start.as_deref()),
            vertices: graph.len(),
            edges: graph.edge_count(),
            bipartite: graph.is_bipartite(),
            classes: classes.count.to_string(),
            classes_reason: reason,
            goal: pair.map(|(_, to, _)| to.to_string()),
            solvable: pair.map(|(.., why_not)| why_not.is_none()),
            reason: pair.and_then(|(.., why_not)| why_not.map(Into::into)),
            walks: walks.map(|walks| walks.record()),
        });
    }
    let kind = if graph.is_bipartite() {
        "bipartite"
    } else {
        "not bipartite"
    };
    let count = classes.count.to_string();
    let number = match count.len() {
        ..=40 => count.clone(),
        digits => format!(
            "{}.{}e{} ({digits} digits)",
            &count[..1],
            &count[1..4],
            digits - 1
        ),
    };
    let plural = if count == "1" { "class" } else { "classes" };
    let mut text = format!(
        "{}: {}, {}, {kind}\n{number} {plural} of states: {reason}\n",
        args.which,
        counted(graph.len(), "vertex", "vertices"),
        counted(graph.edge_count(), "edge", "edges")
    );
    if let Some((from, to, why_not)) = pair {
        let _ = match why_not {
            None => writeln!(text, "connected: {to} can be reached from {from}"),
            Some(why) => writeln!(
                text,
                "not connected: {to} cannot be reached from {from}: {why}"
            ),
        };
    }
    if let Some(walks) = walks {
        text += &walks.words();
    }
    text
}

fn solve_it(args: &args::Graph, puzzle: &GraphPuzzle, request: &Request) -> Result<Exit> {
    let _running = Running::new();
    let control = limits::control(
        args.search.limits.time_limit,
        limits::memory_limit(&args.search.limits, 1),
    );
    let answer = watched("searching", &control, || solve(request, &control))?;
    print(&if args.json {
        json_line(&graph::record(&args.which, puzzle, &answer))
    } else {
        graph::words(puzzle, &answer)
    })?;
    Ok(Exit::of(answer.status))
}
