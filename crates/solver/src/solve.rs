//! Solve: from a checked request to an answer that has been replayed.

use std::panic::resume_unwind;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use noyes_check::{Fault, board_plan, graph_plan, sokoban_plan};
use noyes_puzzle::graph::connected;
use noyes_puzzle::tiles::{Board, Direction, solvable};
use noyes_puzzle::{Cells, Duplicates, Nibbles, Reverse, Slide, SlideSpace, Space};

use crate::answer::{Answer, Outcome, Plan, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts};
use crate::names::Engine;
use crate::request::{Guide, Named, Puzzle, Request};
use crate::sat::backend::{BackendError, BackendName};
use crate::sat::{self, Facts, SatOptions, Solved, Unfit, fitting, run_level};
use crate::search::{
    Heuristic, a_star, anytime, bfs, bidirectional, dijkstra, ida_star, iddfs, sma_star,
};
use crate::sokoban::{self, Step};
use crate::tiles::auto::auto;
use crate::tiles::heuristic::{GraphDistance, LinearConflict, Manhattan, Max, Misplaced, Walking};
use crate::tiles::pdb::{Databases, Tables};
use crate::tiles::{Fifteen, full_table, human};

/// A plan that the checker did not accept: a bug, told instead of shown as an answer.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the plan found does not pass the check, please report this: {0}")]
pub struct Unverified(#[from] Fault);

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SolveError {
    /// The plan found is none.
    #[error(transparent)]
    Unverified(#[from] Unverified),
    /// A program that should be a SAT solver fails.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The encoding does not count what is wanted.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

impl SolveError {
    /// Whether something was found that is not what it should be.
    pub fn is_unverified(&self) -> bool {
        use BackendError::{WrongModel, WrongNo};
        matches!(
            self,
            SolveError::Unverified(_) | SolveError::Backend(WrongModel { .. } | WrongNo { .. })
        )
    }
}

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
/// Only if the plan found does not pass the independent check, or a program that should be a solver is none.
pub fn solve(request: &Request, control: &Control) -> Result<Answer, SolveError> {
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    control.begin();
    let mut answer = match why_unsolvable(&request.puzzle) {
        Some(reason) => Answer {
            reason: Some(reason),
            ..Answer::new(&Outcome::<Direction>::unsolvable(0, Counts::default()))
        },
        None => match (&request.puzzle, request.engine) {
            (Puzzle::Sokoban { .. }, Engine::Sat) => apart(request, control, level_by_sat)?,
            (
                &Puzzle::Sokoban {
                    ref level,
                    objective,
                    wait,
                },
                engine,
            ) => sokoban::solve(level, objective, wait, request.any, engine, control),
            (_, Engine::Auto) => auto(request, control),
            (_, Engine::Sat) => apart(request, control, by_sat)?,
            _ => run(request, control),
        },
    };
    check(&request.puzzle, &answer)?;
    control.tell(answer.bounds, &answer.counts);
    answer.wall = wall.elapsed();
    answer.cpu += cpu.elapsed();
    Ok(answer)
}

/// A lower bound on the cost of any plan of a board or graph, at once: Manhattan distance. Of a level, nothing is known
/// at once.
pub fn lower_bound(request: &Request) -> u32 {
    if let Puzzle::Sokoban { .. } = request.puzzle {
        return 0;
    }
    let space = space::<Box<[u16]>>(&request.puzzle);
    let control = Control::new();
    let heuristic = distances(&request.puzzle, &space, &control);
    Heuristic::<SlideSpace<_>>::start(&heuristic, &space.start())
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
        Puzzle::Sokoban { level, .. } => sokoban::in_words(level),
    }
}

/// Runs the engine of a request, which is not `Auto`.
pub(crate) fn run(request: &Request, control: &Control) -> Answer {
    let answer = match (&request.puzzle, request.engine, request.heuristic.members()) {
        (Puzzle::Board { start, goal }, Engine::Human, _) => by_hand(request, start, goal, control),
        (Puzzle::Board { start, goal }, Engine::Table, _) => {
            Answer::directions(full_table(start, goal, &request.tables, control))
        }
        (Puzzle::Board { start, goal }, Engine::IdaStar, [Guide::Databases(partition)])
            if Fifteen::fits(partition, goal) =>
        {
            let fifteen = request.tables.fifteen(partition, goal, true, control);
            let search = |fifteen: Arc<Fifteen>| fifteen.solve(start, 0, control);
            Answer::directions(
                fifteen.map_or_else(|e| Outcome::stopped(e.0, 0, Counts::default()), search),
            )
        }
        _ => Answer::slides(run_on_slides(request, control), &request.puzzle),
    };
    Answer {
        engine: request.engine,
        heuristic: request
            .engine
            .uses_heuristic()
            .then(|| request.heuristic.clone()),
        ..answer
    }
}

/// Picks the store that the number of cells asks for.
fn run_on_slides(request: &Request, control: &Control) -> Outcome<Slide> {
    let cells = match &request.puzzle {
        Puzzle::Board { start, .. } => start.tiles().len(),
        Puzzle::Graph { graph, .. } => graph.len(),
        Puzzle::Sokoban { .. } => unreachable!("levels have engines of their own"),
    };
    let outcome = match cells {
        0..=16 => run_with::<Nibbles>(request, control),
        17..=32 => run_with::<[u8; 32]>(request, control),
        _ => run_with::<Box<[u16]>>(request, control),
    };
    outcome.unwrap_or_else(|stop| Outcome::stopped(stop, 0, Counts::default()))
}

/// Runs an engine on slides; an error if a limit comes before its tables are there.
fn run_with<C: Cells>(request: &Request, control: &Control) -> Result<Outcome<Slide>, Stop> {
    let puzzle = &request.puzzle;
    let mut space = space::<C>(puzzle);
    if request.duplicates > 0 && matches!(request.engine, Engine::IdaStar | Engine::Iddfs) {
        let duplicates = match puzzle {
            Puzzle::Board { start, .. } => {
                request
                    .tables
                    .duplicates(start.width(), start.height(), request.duplicates)
            }
            Puzzle::Graph { graph, .. } => Arc::new(Duplicates::new(graph, request.duplicates)),
            Puzzle::Sokoban { .. } => unreachable!("levels have engines of their own"),
        };
        space = space.without_duplicates(&duplicates);
    }
    // The pairs with a hot loop of their own.
    if request.engine == Engine::IdaStar
        && let [Guide::Named(named)] = *request.heuristic.members()
    {
        match named {
            Named::Manhattan
                if space.cells() <= Manhattan::MOST_CELLS
                    && control.allow_bytes(Manhattan::table_bytes(&space)).is_ok() =>
            {
                let heuristic = Manhattan::new(&space, distances(puzzle, &space, control));
                return Ok(ida_star(&space, &heuristic, control));
            }
            Named::LinearConflict => {
                let heuristic = LinearConflict::new(&space, width(puzzle));
                return Ok(ida_star(&space, &heuristic, control));
            }
            Named::Walking => {
                let heuristic = Walking::new(&space, width(puzzle));
                return Ok(ida_star(&space, &heuristic, control));
            }
            Named::Misplaced | Named::Manhattan => {}
        }
    }
    if let (Engine::IdaStar, Puzzle::Board { goal, .. }, [Guide::Databases(partition)]) =
        (request.engine, puzzle, request.heuristic.members())
    {
        let databases = Databases::new(partition, goal, &request.tables, control);
        let heuristic = databases.map_err(|e| e.0)?.carried();
        return Ok(ida_star(&space, &heuristic, control));
    }
    let guide = |space: &SlideSpace<C>, goal| heuristic(request, space, goal, control);
    Ok(match request.engine {
        Engine::Bfs => bfs(&space, control),
        Engine::Dijkstra => dijkstra(&space, control),
        Engine::Iddfs => iddfs(&space, control),
        Engine::AStar => a_star(&space, &guide(&space, End::Goal)?, control),
        Engine::IdaStar => ida_star(&space, &guide(&space, End::Goal)?, control),
        Engine::Anytime => {
            let first = first_plan(puzzle, &space, control);
            match guide(&space, End::Goal) {
                Ok(heuristic) => anytime(&space, &heuristic, first, control),
                // No tables in time or memory: the plan is there all the same, and a weaker bound.
                Err(_) => anytime(&space, &distances(puzzle, &space, control), first, control),
            }
        }
        Engine::Sma => sma_star(&space, &guide(&space, End::Goal)?, control),
        Engine::Bidirectional => {
            let back = space.reversed();
            let (forward, backward) = (guide(&space, End::Goal)?, guide(&back, End::Start)?);
            bidirectional(&space, &forward, &back, &backward, control)
        }
        Engine::Auto | Engine::Human | Engine::Table | Engine::Sat => unreachable!("picked before"),
    })
}

/// The end of a puzzle that a search goes to.
#[derive(Clone, Copy)]
enum End {
    Goal,
    Start,
}

fn space<C: Cells>(puzzle: &Puzzle) -> SlideSpace<C> {
    match puzzle {
        Puzzle::Board { start, goal } => SlideSpace::on_board(start, goal),
        Puzzle::Graph {
            graph, start, goal, ..
        } => SlideSpace::on_graph(graph, start, goal),
        Puzzle::Sokoban { .. } => unreachable!("levels have engines of their own"),
    }
}

/// The maximum of the heuristics of a request, towards one end.
fn heuristic<'a, C: Cells + 'a>(
    request: &'a Request,
    space: &SlideSpace<C>,
    end: End,
    control: &'a Control,
) -> Result<Max<'a, SlideSpace<C>>, Stop> {
    let puzzle = &request.puzzle;
    let mut max = Max::none();
    for guide in request.heuristic.members() {
        let fits = match guide {
            Guide::Named(Named::Misplaced) => max.add(Misplaced::new(space)),
            Guide::Named(Named::Manhattan) => max.add(distances(puzzle, space, control)),
            Guide::Named(Named::LinearConflict) => {
                max.add(LinearConflict::new(space, width(puzzle)))
            }
            Guide::Named(Named::Walking) => max.add(Walking::new(space, width(puzzle))),
            Guide::Databases(partition) => {
                let Puzzle::Board { start, goal } = puzzle else {
                    unreachable!("the request was checked");
                };
                let databases = match end {
                    End::Goal => Databases::new(partition, goal, &request.tables, control),
                    // Tables of one start are of no use to another.
                    End::Start => Databases::new(
                        &partition.towards(start),
                        start,
                        &Tables::in_memory(),
                        control,
                    ),
                };
                max.add(databases.map_err(|e| e.0)?)
            }
        };
        assert!(fits, "the request was checked");
    }
    Ok(max)
}

fn distances<'a, C: Cells>(
    puzzle: &'a Puzzle,
    space: &SlideSpace<C>,
    control: &'a Control,
) -> GraphDistance<'a> {
    match puzzle {
        Puzzle::Board { start, .. } => GraphDistance::on_board(space, start.width()),
        Puzzle::Graph { graph, .. } => GraphDistance::on_graph(space, graph).within(control),
        Puzzle::Sokoban { .. } => unreachable!("levels have engines of their own"),
    }
}

/// The width of a board, for what a request allows on boards only.
fn width(puzzle: &Puzzle) -> usize {
    match puzzle {
        Puzzle::Board { start, .. } => start.width(),
        Puzzle::Graph { .. } | Puzzle::Sokoban { .. } => unreachable!("the request was checked"),
    }
}

/// A plan to begin with: on a board, as people find it.
fn first_plan<C: Cells>(
    puzzle: &Puzzle,
    space: &SlideSpace<C>,
    control: &Control,
) -> Option<Vec<Slide>> {
    let Puzzle::Board { start, goal } = puzzle else {
        return None;
    };
    let plan = human(start, goal, 0, &control.aside()).0.plan?;
    let mut blank = start.blank();
    let slide = |direction: Direction| {
        let from = blank as u16;
        blank = start
            .neighbour(blank, direction)
            .expect("a plan stays on the board");
        space.slide(from, blank as u16)
    };
    Some(plan.into_iter().map(slide).collect())
}

/// A plan by the human method, and the bound of Manhattan distance on the optimum.
fn by_hand(request: &Request, start: &Board, goal: &Board, control: &Control) -> Answer {
    let space = space::<Box<[u16]>>(&request.puzzle);
    let heuristic = distances(&request.puzzle, &space, control);
    let lower = Heuristic::<SlideSpace<_>>::start(&heuristic, &space.start());
    let (outcome, steps) = human(start, goal, lower, control);
    Answer {
        steps,
        ..Answer::directions(outcome)
    }
}

/// Is told the answer of a SAT engine.
type Tell<'a> = dyn FnMut(Result<Answer, SolveError>) + 'a;

/// Runs a SAT engine on a thread of its own. To clear a solver away that has millions of clauses takes a while: the
/// thread does it on its own time, and the answer is there before.
fn apart(
    request: &Request,
    control: &Control,
    engine: fn(&Request, &Control, &mut Tell),
) -> Result<Answer, SolveError> {
    let (sender, receiver) = mpsc::channel();
    let (own, limits) = (request.clone(), control.clone());
    let work = move || {
        let cpu = ThreadTime::now();
        engine(&own, &limits, &mut |answer| {
            let with_time = |answer: Answer| Answer {
                cpu: answer.cpu + cpu.elapsed(),
                ..answer
            };
            let _ = sender.send(answer.map(with_time)); // someone waits
        });
    };
    let Ok(thread) = thread::Builder::new().name("sat".into()).spawn(work) else {
        let mut told = None; // no threads at all: then here
        engine(request, control, &mut |answer| told = Some(answer));
        return told.expect("an engine tells its answer");
    };
    match receiver.recv() {
        Ok(answer) => answer,
        Err(_) => match thread.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("an engine tells its answer"),
        },
    }
}

/// By a SAT solver, beginning at the bound of the heuristic.
fn by_sat(request: &Request, control: &Control, tell: &mut Tell) {
    let Puzzle::Board { start, goal } = &request.puzzle else {
        unreachable!("the request was checked");
    };
    let (lower, facts) = match known(request, start, goal, control) {
        Ok(known) => known,
        Err(stop) => {
            let lower = sat::manhattan(start, goal);
            let stopped = Outcome::stopped(stop, lower, Counts::default());
            return tell(Ok(sat_answer(request, stopped, Duration::ZERO)));
        }
    };
    // Another program is held against what people can do, and nobody is asked for more moves than they need.
    let is_program = matches!(request.sat.backend, BackendName::Command(_));
    let by_people = (is_program || request.sat.at_most.is_some())
        .then(|| human(start, goal, 0, &control.aside()).0.bounds.upper)
        .flatten();
    let options = SatOptions {
        at_most: request.sat.at_most.map(|k| k.min(by_people.unwrap_or(k))),
        ..request.sat.clone()
    };
    let surely = by_people.filter(|_| is_program);
    sat::solve(
        start,
        goal,
        lower,
        surely,
        &options,
        facts.as_ref(),
        control,
        &mut |solved| {
            let answer = solved.map(|solved| sat_answer(request, solved.outcome, solved.cpu));
            tell(answer.map_err(SolveError::from));
        },
    );
}

/// A level by a SAT solver.
fn level_by_sat(request: &Request, control: &Control, tell: &mut Tell) {
    let &Puzzle::Sokoban {
        ref level,
        objective,
        wait,
    } = &request.puzzle
    else {
        unreachable!("the request was checked");
    };
    let encoding = match fitting(level, objective, request.sat.encoding) {
        Ok(encoding) => encoding,
        Err(unfit) => return tell(Err(unfit.into())),
    };
    let options = SatOptions {
        any: request.any || request.sat.any,
        ..request.sat.clone()
    };
    let answer = |solved: Solved<Step>| {
        let answer = Answer {
            encoding: Some(encoding),
            cpu: solved.cpu,
            ..sokoban::of_steps(level, Engine::Sat, solved.outcome)
        };
        match answer.status {
            Status::Optimal if level.players().len() == 1 => sokoban::ties_open(answer),
            _ => answer,
        }
    };
    run_level(level, wait, encoding, &options, control, &mut |solved| {
        tell(solved.map(answer).map_err(SolveError::from));
    });
}

/// A lower bound to begin with, and what lean asks as it goes.
fn known(
    request: &Request,
    start: &Board,
    goal: &Board,
    control: &Control,
) -> Result<(u32, Option<Arc<Facts>>), Stop> {
    if !request.sat.is_lazy() {
        let space = space::<Box<[u16]>>(&request.puzzle);
        let guide = heuristic(request, &space, End::Goal, control)?;
        return Ok((guide.bound(guide.start(&space.start())), None));
    }
    // The databases that were asked for, or a quick default.
    let named = request
        .heuristic
        .members()
        .iter()
        .find_map(|guide| match guide {
            Guide::Databases(partition) => Some(partition.clone()),
            Guide::Named(_) => None,
        });
    let facts = match named.or_else(|| sat::default_partition(goal)) {
        Some(partition) => {
            Facts::new(&partition, goal, &request.tables, control).map_err(|e| e.0)?
        }
        None => None,
    };
    let lower = sat::lower_bound(start, goal, facts.as_ref());
    Ok((lower, facts.map(Arc::new)))
}

fn sat_answer(request: &Request, outcome: Outcome<Direction>, cpu: Duration) -> Answer {
    Answer {
        engine: Engine::Sat,
        heuristic: Some(request.heuristic.clone()),
        encoding: Some(request.sat.encoding),
        cpu,
        ..Answer::directions(outcome)
    }
}

impl Answer {
    /// The bare answer of an outcome, without its plan.
    pub(crate) fn new<M>(outcome: &Outcome<M>) -> Answer {
        Answer {
            status: outcome.status,
            bounds: outcome.bounds,
            plan: None,
            reason: None,
            steps: vec![],
            engine: Engine::Auto,
            heuristic: None,
            encoding: None,
            counts: outcome.counts,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
        }
    }

    pub(crate) fn directions(mut outcome: Outcome<Direction>) -> Answer {
        let plan = outcome.plan.take().map(Plan::Directions);
        Answer {
            plan,
            ..Answer::new(&outcome)
        }
    }

    fn slides(mut outcome: Outcome<Slide>, puzzle: &Puzzle) -> Answer {
        let plan = outcome.plan.take().map(|slides| match puzzle {
            Puzzle::Board { start, .. } => Plan::Directions(
                slides
                    .iter()
                    .map(|s| direction(*s, start.width()))
                    .collect(),
            ),
            Puzzle::Graph { .. } => Plan::Vertices(slides.iter().map(|s| s.to).collect()),
            Puzzle::Sokoban { .. } => unreachable!("no slides in a level"),
        });
        Answer {
            plan,
            ..Answer::new(&outcome)
        }
    }
}

fn direction(slide: Slide, width: usize) -> Direction {
    Direction::between(slide.from.into(), slide.to.into(), width)
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
        (Puzzle::Sokoban { level, wait, .. }, Some(Plan::Walks(walks))) => {
            let replayed = sokoban_plan(level, walks, *wait).map_err(Fault::from)?;
            match puzzle.cost_unit() {
                "pushes" => replayed.pushes,
                "moves" => replayed.moves,
                _ => replayed.steps,
            }
        }
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
