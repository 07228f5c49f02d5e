//! `noyes graph`: puzzles on graphs.

use std::fmt::Write;
use std::sync::Arc;

use anyhow::Result;
use noyes_check::{Fault, graph_after, graph_plan};
use noyes_puzzle::graph::{Arrangement, Graph, GraphFile, classes};
use noyes_solver::{Plan, Puzzle, Request, solve, why_unsolvable};
use serde::Serialize;

use crate::args;
use crate::command::check;
use crate::puzzle::tiles;
use crate::record::{Notated, Record, SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input::{self, shorten};
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{counted, print};
use crate::terminal::progress::watched;

#[derive(Serialize)]
struct Described<'a> {
    schema: &'static str,
    graph: &'a str,
    vertices: usize,
    edges: usize,
    bipartite: bool,
    /// As text: it may have thousands of digits.
    classes: String,
    reason: String,
    from: Option<String>,
    to: Option<String>,
    connected: Option<bool>,
    error: Option<String>,
}

pub fn run(args: &args::Graph) -> Result<Exit> {
    input::only_one_dash([
        args.which.as_str(),
        args.check.as_deref().unwrap_or_default(),
    ])?;
    let (graph, start, goal) = read(args)?;
    let graph = Arc::new(graph);
    let Some(start) = start else {
        if args.solve || args.check.is_some() || args.to.is_some() {
            return Err(BadInput::new(
                "a state to start from is needed: --from STATE, or a line start: STATE in the file",
            )
            .into());
        }
        print(&describe(args, &graph, None))?;
        return Ok(Exit::Answered);
    };
    let goal = goal.unwrap_or_else(|| Arrangement::standard(&graph));
    let request = Request::graph(graph.clone(), &start, &goal).map_err(BadInput::new)?;
    if args.solve {
        return solve_it(args, &graph, &start, request);
    }
    if let Some(plan) = &args.check {
        return check_it(args, plan, request.puzzle());
    }
    let why_not = why_unsolvable(request.puzzle());
    print(&describe(
        args,
        &graph,
        Some((&start, &goal, why_not.as_deref())),
    ))?;
    Ok(if why_not.is_some() {
        Exit::Unsolvable
    } else {
        Exit::Answered
    })
}

/// The graph, and the two states if they are given; the command line goes before the file.
fn read(args: &args::Graph) -> Result<(Graph, Option<Arrangement>, Option<Arrangement>)> {
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
    Ok((file.graph, start, goal))
}

type Pair<'a> = (&'a Arrangement, &'a Arrangement, Option<&'a str>);

fn describe(args: &args::Graph, graph: &Graph, pair: Option<Pair>) -> String {
    let classes = classes(graph);
    let reason = classes.reason(graph);
    if args.json {
        return json_line(&Described {
            schema: SCHEMA,
            graph: &args.which,
            vertices: graph.len(),
            edges: graph.edge_count(),
            bipartite: graph.is_bipartite(),
            classes: classes.count.to_string(),
            reason,
            from: pair.map(|(from, ..)| from.to_string()),
            to: pair.map(|(_, to, _)| to.to_string()),
            connected: pair.map(|(.., why_not)| why_not.is_none()),
            error: pair.and_then(|(.., why_not)| why_not.map(Into::into)),
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
    text
}

/// Replays a plan: names of vertices, parted by blanks or commas.
fn check_it(args: &args::Graph, plan: &str, puzzle: &Puzzle) -> Result<Exit> {
    let Puzzle::Graph {
        graph,
        start,
        goal,
        labels,
    } = puzzle
    else {
        unreachable!("a graph was read")
    };
    let text = input::text(plan)?;
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let vertex = |(i, word): (usize, &str)| {
        graph.vertex(word).ok_or_else(|| {
            let at = i + 1;
            BadInput::new(format!(
                "plan: move {at}: there is no vertex `{}`",
                shorten(word)
            ))
        })
    };
    let plan: Vec<u16> = words
        .filter(|word| !word.is_empty())
        .enumerate()
        .map(vertex)
        .collect::<Result<_, _>>()?;
    let written = |tiles: &[u16]| {
        let labels: Vec<&str> = (tiles.iter())
            .map(|&t| labels[usize::from(t)].as_str())
            .collect();
        labels.join(" ")
    };
    let reached = graph_after(graph, start, &plan).ok().map(|t| written(&t));
    let done = graph_plan(graph, start, goal, &plan).map_err(|fault| match fault {
        Fault::NotGoal { moves, .. } => Fault::NotGoal {
            moves,
            reached: reached.clone().unwrap_or_default(),
            goal: written(goal),
        },
        fault => fault,
    });
    let names: Vec<&str> = plan.iter().map(|&v| graph.name(v)).collect();
    let record = check::Record {
        schema: SCHEMA,
        puzzle: format!("{} {}", args.which, written(start)),
        size: graph.len().to_string(),
        goal: written(goal),
        plan: names.join(" "),
        notation: Notated::Vertices.to_string(),
        valid: done.is_ok(),
        cost: done.as_ref().ok().copied(),
        reached,
        error: done.as_ref().err().map(ToString::to_string),
    };
    check::tell(&record, &done, args.json)
}

fn solve_it(
    args: &args::Graph,
    graph: &Graph,
    start: &Arrangement,
    request: Request,
) -> Result<Exit> {
    let request = request
        .engine(args.search.engine)
        .and_then(|request| crate::command::pdb::guided(request, &args.search))
        .map_err(BadInput::new)?;
    let _running = Running::new();
    let control = limits::control(
        args.search.time_limit,
        limits::memory_limit(&args.search, 1),
    );
    let answer = watched("searching", &control, || solve(&request, &control))?;
    let plan = match &answer.plan {
        Some(Plan::Vertices(plan)) => Some(
            plan.iter()
                .map(|&v| graph.name(v))
                .collect::<Vec<_>>()
                .join(" "),
        ),
        _ => None,
    };
    let puzzle = format!("{} {start}", args.which);
    print(&if args.json {
        Record {
            size: Some(graph.len().to_string()),
            ..Record::answer(&puzzle, &answer, plan, &Notated::Vertices)
        }
        .line()
    } else {
        tiles::words(&answer, plan.as_deref(), &Notated::Vertices)
    })?;
    Ok(Exit::of(answer.status))
}
