//! Solve: from a checked request to an answer that has been replayed.

use std::time::Instant;

use cpu_time::ThreadTime;
use noyes_check::{Fault, board_plan, graph_plan};
use noyes_puzzle::graph::{classes, connected};
use noyes_puzzle::tiles::{Direction, solvable};
use noyes_puzzle::{Cells, Nibbles, Slide, SlideSpace};

use crate::answer::{Answer, Bounds, Counts, Outcome, Plan, Status};
use crate::control::Control;
use crate::heuristic::{GraphDistance, Manhattan, Max};
use crate::request::{Engine, Named, Puzzle, Request};
use crate::search::{bfs, ida_star};

/// A plan that the checker did not accept: a bug, told instead of shown as an answer.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the plan found does not pass the check, please report this: {0}")]
pub struct Unverified(#[from] Fault);

/// Solves a request within the limits of `control`.
///
/// ```
/// use noyes_puzzle::tiles::Goal;
/// use noyes_solver::{Control, Request, Status, solve};
/// let request = Request::board("8 6 7/2 5 4/3 0 1".parse()?, &Goal::BlankLast)?;
/// let answer = solve(&request, &Control::new())?;
/// assert_eq!((answer.status, answer.bounds.upper), (Status::Optimal, Some(31)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Only if the plan found does not pass the independent check.
pub fn solve(request: &Request, control: &Control) -> Result<Answer, Unverified> {
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    control.begin();
    let engine = engine_for(request, control);
    let mut answer = match why_unsolvable(&request.puzzle) {
        Some(reason) => Answer {
            reason: Some(reason),
            ..answer(Outcome::unsolvable(0, Counts::default()), &request.puzzle)
        },
        None => answer(run(request, engine, control), &request.puzzle),
    };
    check(&request.puzzle, &answer)?;
    control.tell(answer.bounds, &answer.counts);
    answer.engine = engine;
    answer.heuristic = engine.uses_heuristic().then(|| request.heuristic.clone());
    (answer.wall, answer.cpu) = (wall.elapsed(), cpu.elapsed());
    Ok(answer)
}

/// The engine that `auto` stands for: breadth-first search where a graph has few states to see and they fit, else IDA*.
fn engine_for(request: &Request, control: &Control) -> Engine {
    const FEW: usize = 3_000_000;
    const MOST_BYTES: usize = 1 << 30;
    match (&request.puzzle, request.engine) {
        (Puzzle::Graph { graph, .. }, Engine::Auto) if graph.len() <= 1000 => {
            // A state twice over, since its tiles are a box of their own, and what the hash table takes while it grows.
            let state_bytes = 4 * graph.len() + 64;
            let few = FEW.min(control.most_bytes().min(MOST_BYTES) / state_bytes);
            let states =
                (1..=graph.len() as u64).fold(1u32.into(), |n: num_bigint::BigUint, k| n * k);
            if states <= classes(graph).count * few {
                Engine::Bfs
            } else {
                Engine::IdaStar
            }
        }
        (_, Engine::Auto) => Engine::IdaStar,
        (_, engine) => engine,
    }
}

/// Why there is no plan, if there is none: decided at once, without a search.
pub fn why_unsolvable(puzzle: &Puzzle) -> Option<String> {
    match puzzle {
        Puzzle::Board { start, goal } => solvable(start, goal).err().map(|why| why.to_string()),
        Puzzle::Graph {
            graph,
            start,
            goal,
            labels,
        } => connected(graph, start, goal, &|tile| {
            labels[usize::from(tile)].clone()
        })
        .err(),
    }
}

/// Picks the store that the number of cells asks for.
fn run(request: &Request, engine: Engine, control: &Control) -> Outcome<Slide> {
    let cells = match &request.puzzle {
        Puzzle::Board { start, .. } => start.tiles().len(),
        Puzzle::Graph { graph, .. } => graph.len(),
    };
    match cells {
        0..=16 => run_with::<Nibbles>(request, engine, control),
        17..=32 => run_with::<[u8; 32]>(request, engine, control),
        _ => run_with::<Box<[u16]>>(request, engine, control),
    }
}

fn run_with<C: Cells>(request: &Request, engine: Engine, control: &Control) -> Outcome<Slide> {
    let space = match &request.puzzle {
        Puzzle::Board { start, goal } => SlideSpace::<C>::on_board(start, goal),
        Puzzle::Graph {
            graph, start, goal, ..
        } => SlideSpace::<C>::on_graph(graph, start, goal),
    };
    let distances = || match &request.puzzle {
        Puzzle::Board { start, .. } => GraphDistance::on_board(&space, start.width()),
        Puzzle::Graph { graph, .. } => GraphDistance::on_graph(&space, graph).within(control),
    };
    // The pair with a hot loop of its own.
    if engine == Engine::IdaStar
        && *request.heuristic.members() == [Named::Manhattan]
        && space.cells() <= Manhattan::MOST_CELLS
        && control.allow_bytes(Manhattan::table_bytes(&space)).is_ok()
    {
        return ida_star(&space, &Manhattan::new(&space, distances()), control);
    }
    let mut heuristic = Max::none();
    for named in request.heuristic.members() {
        let fits = match named {
            Named::Manhattan => heuristic.add(distances()),
        };
        assert!(fits, "the request was checked");
    }
    match engine {
        Engine::Bfs => bfs(&space, control),
        Engine::IdaStar => ida_star(&space, &heuristic, control),
        Engine::Auto => unreachable!("an engine was picked"),
    }
}

/// The outcome of an engine in the words of the puzzle.
fn answer(outcome: Outcome<Slide>, puzzle: &Puzzle) -> Answer {
    let plan = outcome.plan.map(|slides| match puzzle {
        Puzzle::Board { start, .. } => Plan::Directions(
            slides
                .iter()
                .map(|s| direction(*s, start.width()))
                .collect(),
        ),
        Puzzle::Graph { .. } => Plan::Vertices(slides.iter().map(|s| s.to).collect()),
    });
    Answer {
        status: outcome.status,
        bounds: outcome.bounds,
        plan,
        reason: None,
        engine: Engine::Auto,
        heuristic: None,
        counts: outcome.counts,
        wall: std::time::Duration::ZERO,
        cpu: std::time::Duration::ZERO,
    }
}

fn direction(slide: Slide, width: usize) -> Direction {
    let (from, to) = (usize::from(slide.from), usize::from(slide.to));
    if to == from + width {
        Direction::Down
    } else if from == to + width {
        Direction::Up
    } else if to == from + 1 {
        Direction::Right
    } else {
        Direction::Left
    }
}

/// Replays the plan by the independent checker and compares its cost.
fn check(puzzle: &Puzzle, answer: &Answer) -> Result<(), Unverified> {
    let cost = match (puzzle, &answer.plan) {
        (_, None) => return Ok(()),
        (Puzzle::Board { start, goal }, Some(Plan::Directions(plan))) => {
            board_plan(start, goal, plan)?
        }
        (
            Puzzle::Graph {
                graph, start, goal, ..
            },
            Some(Plan::Vertices(plan)),
        ) => graph_plan(graph, start, goal, plan)?,
        _ => unreachable!("a plan is in the words of its puzzle"),
    };
    let Bounds { lower, upper } = answer.bounds;
    assert_eq!(upper, Some(cost), "an engine reports the cost of its plan");
    assert!(
        lower <= cost && (answer.status != Status::Optimal || lower == cost),
        "bounds that meet at an optimum"
    );
    Ok(())
}
