//! Solve: from a checked request to an answer that has been replayed.

use std::time::Instant;

use cpu_time::ThreadTime;
use noyes_check::{Fault, board_plan, graph_plan};
use noyes_puzzle::graph::{classes, connected};
use noyes_puzzle::tiles::{Direction, solvable};
use noyes_puzzle::{Cells, Nibbles, Slide, SlideSpace, Space};

use crate::answer::{Answer, Bounds, Counts, Outcome, Plan, Status};
use crate::control::Control;
use crate::heuristic::{
    GraphDistance, Heuristic, LinearConflict, Manhattan, Max, Misplaced, Walking,
};
use crate::request::{Engine, Named, Puzzle, Request};
use crate::search::{bfs, human, ida_star};

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
    let engine = engine_for(request);
    let mut answer = match why_unsolvable(&request.puzzle) {
        Some(reason) => Answer {
            reason: Some(reason),
            ..answer(Outcome::unsolvable(0, Counts::default()), &request.puzzle)
        },
        None if engine == Engine::Human => by_hand(request, control),
        None => answer(run(request, engine, control), &request.puzzle),
    };
    check(&request.puzzle, &answer)?;
    answer.engine = engine;
    answer.heuristic = engine.uses_heuristic().then(|| request.heuristic.clone());
    (answer.wall, answer.cpu) = (wall.elapsed(), cpu.elapsed());
    Ok(answer)
}

/// The engine that `auto` stands for: breadth-first search where a graph has few states to see, else IDA*.
fn engine_for(request: &Request) -> Engine {
    const FEW: u64 = 3_000_000;
    match (&request.puzzle, request.engine) {
        (Puzzle::Graph { graph, .. }, Engine::Auto) if graph.len() <= 1000 => {
            let states =
                (1..=graph.len() as u64).fold(1u32.into(), |n: num_bigint::BigUint, k| n * k);
            if states <= classes(graph).count * FEW {
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
    let space = space::<C>(&request.puzzle);
    // The pairs with a hot loop of their own.
    if engine == Engine::IdaStar {
        match *request.heuristic.members() {
            [Named::Manhattan] if space.cells() <= Manhattan::MOST_CELLS => {
                let heuristic = Manhattan::new(&space, distances(&request.puzzle, &space));
                return ida_star(&space, &heuristic, control);
            }
            [Named::LinearConflict] => {
                let heuristic = LinearConflict::new(&space, width(&request.puzzle));
                return ida_star(&space, &heuristic, control);
            }
            [Named::Walking] => {
                let heuristic = Walking::new(&space, width(&request.puzzle));
                return ida_star(&space, &heuristic, control);
            }
            _ => {}
        }
    }
    let heuristic = heuristic(request, &space);
    match engine {
        Engine::Bfs => bfs(&space, control),
        Engine::IdaStar => ida_star(&space, &heuristic, control),
        Engine::Auto | Engine::Human => unreachable!("picked before"),
    }
}

fn space<C: Cells>(puzzle: &Puzzle) -> SlideSpace<C> {
    match puzzle {
        Puzzle::Board { start, goal } => SlideSpace::on_board(start, goal),
        Puzzle::Graph {
            graph, start, goal, ..
        } => SlideSpace::on_graph(graph, start, goal),
    }
}

/// The maximum of the heuristics named.
fn heuristic<'a, C: Cells + 'a>(
    request: &'a Request,
    space: &SlideSpace<C>,
) -> Max<'a, SlideSpace<C>> {
    let mut max = Max::none();
    for named in request.heuristic.members() {
        let fits = match named {
            Named::Misplaced => max.add(Misplaced::new(space)),
            Named::Manhattan => max.add(distances(&request.puzzle, space)),
            Named::LinearConflict => max.add(LinearConflict::new(space, width(&request.puzzle))),
            Named::Walking => max.add(Walking::new(space, width(&request.puzzle))),
        };
        assert!(fits, "the request was checked");
    }
    max
}

fn distances<'a, C: Cells>(puzzle: &'a Puzzle, space: &SlideSpace<C>) -> GraphDistance<'a> {
    match puzzle {
        Puzzle::Board { start, .. } => GraphDistance::on_board(space, start.width()),
        Puzzle::Graph { graph, .. } => GraphDistance::on_graph(space, graph),
    }
}

/// The width of a board, for what a request allows on boards only.
fn width(puzzle: &Puzzle) -> usize {
    match puzzle {
        Puzzle::Board { start, .. } => start.width(),
        Puzzle::Graph { .. } => unreachable!("the request was checked"),
    }
}

/// A plan by the human method, and the bound of the heuristic on the optimum.
fn by_hand(request: &Request, control: &Control) -> Answer {
    let Puzzle::Board { start, goal } = &request.puzzle else {
        unreachable!("the request was checked");
    };
    let space = space::<Box<[u16]>>(&request.puzzle);
    let heuristic = heuristic(request, &space);
    let lower = heuristic.bound(heuristic.start(&space.start()));
    let (outcome, steps) = human(start, goal, lower, control);
    Answer {
        status: outcome.status,
        bounds: outcome.bounds,
        plan: outcome.plan.map(Plan::Directions),
        steps,
        counts: outcome.counts,
        ..answer(Outcome::unsolvable(0, Counts::default()), &request.puzzle)
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
        steps: vec![],
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
