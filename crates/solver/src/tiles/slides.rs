//! Sliding tiles by the generic engines: what boards and graphs have in common.
//!
//! The number of cells picks the store of the tiles (a packed word up to 16 cells, bytes up to 32, 16-bit numbers
//! beyond); then come the heuristic and the engine. From there every type is concrete.

use std::sync::Arc;

use noyes_puzzle::{Cells, Duplicates, Nibbles, Reverse, Slide, SlideSpace, Space};

use super::cache::TilesCache;
use super::heuristic::{GraphDistance, HeuristicName, Manhattan, Max};
use crate::answer::{Answer, Outcome};
use crate::control::{Control, Stop};
use crate::counts::Counts;
use crate::names::Engine;
use crate::request::{End, SlideEngine, SlideSearch};
use crate::search::{
    Heuristic, a_star, anytime, bfs, bidirectional, dijkstra, ida_star, iddfs, sma_star,
};

/// Tiles that slide, on a board or on a graph.
pub(crate) trait Sliding {
    /// The heuristics for such puzzles.
    type Heuristic;

    fn name(heuristic: &Self::Heuristic) -> HeuristicName;

    fn cells(&self) -> usize;

    fn space<C: Cells>(&self) -> SlideSpace<C>;

    /// The automaton of redundant move sequences of up to this length; an error if a limit is reached before it is learned.
    fn duplicates(
        &self,
        depth: usize,
        cache: &TilesCache,
        control: &Control,
    ) -> Result<Arc<Duplicates>, Stop>;

    /// Manhattan distance.
    fn distances<'a, C: Cells>(
        &'a self,
        space: &SlideSpace<C>,
        control: &'a Control,
    ) -> GraphDistance<'a>;

    /// The heuristic, towards one end; an error if a limit is reached before its tables are ready.
    fn guide<'a, C: Cells + 'a>(
        &'a self,
        heuristic: &Self::Heuristic,
        space: &SlideSpace<C>,
        end: End,
        cache: &TilesCache,
        control: &'a Control,
    ) -> Result<Max<'a, SlideSpace<C>>, Stop>;

    /// IDA*, if it has its own hot loop for the heuristic; an error as in [`guide`](Self::guide).
    fn hot_ida_star<C: Cells>(
        &self,
        heuristic: &Self::Heuristic,
        space: &SlideSpace<C>,
        cache: &TilesCache,
        control: &Control,
    ) -> Result<Option<Outcome<Slide>>, Stop>;

    /// A plan to begin with, if there is a quick method, and what was counted on the way.
    fn first_plan<C: Cells>(
        &self,
        space: &SlideSpace<C>,
        control: &Control,
    ) -> (Option<Vec<Slide>>, Counts);
}

/// Manhattan distance of the start: a quick lower bound.
pub(crate) fn manhattan<P: Sliding>(puzzle: &P, control: &Control) -> u32 {
    let space = puzzle.space::<Box<[u16]>>();
    let distances = puzzle.distances(&space, control);
    Heuristic::<SlideSpace<_>>::start(&distances, &space.start())
}

/// The end of a search whose heuristic was not ready in time: until then, Manhattan distance is a bound.
pub(crate) fn without_guide<P: Sliding, M>(
    puzzle: &P,
    stop: Stop,
    control: &Control,
) -> Outcome<M> {
    Outcome::stopped(stop, manhattan(puzzle, control), Counts::default())
}

/// The bound of the heuristic on the start.
pub(crate) fn bound<P: Sliding>(
    puzzle: &P,
    heuristic: &P::Heuristic,
    cache: &TilesCache,
    control: &Control,
) -> Result<u32, Stop> {
    let space = puzzle.space::<Box<[u16]>>();
    let guide = puzzle.guide(heuristic, &space, End::Goal, cache, control)?;
    Ok(guide.bound(guide.start(&space.start())))
}

/// IDA* with Manhattan distance in its hot loop, where its table fits.
pub(crate) fn ida_star_manhattan<P: Sliding, C: Cells>(
    puzzle: &P,
    space: &SlideSpace<C>,
    control: &Control,
) -> Option<Outcome<Slide>> {
    let fits = space.cells() <= Manhattan::MOST_CELLS
        && control.allow_bytes(Manhattan::table_bytes(space)).is_ok();
    fits.then(|| {
        let heuristic = Manhattan::new(space, puzzle.distances(space, control));
        ida_star(space, &heuristic, control)
    })
}

/// Runs an engine on a solvable puzzle.
pub(crate) fn run<P: Sliding>(
    puzzle: &P,
    search: &SlideSearch<P::Heuristic>,
    cache: &TilesCache,
    control: &Control,
) -> Answer<Vec<Slide>> {
    let outcome = match puzzle.cells() {
        0..=16 => run_in::<P, Nibbles>(puzzle, search, cache, control),
        17..=32 => run_in::<P, [u8; 32]>(puzzle, search, cache, control),
        _ => run_in::<P, Box<[u16]>>(puzzle, search, cache, control),
    };
    let outcome = outcome.unwrap_or_else(|stop| without_guide(puzzle, stop, control));
    let engine = Engine::from(search.engine);
    let heuristic = P::name(&search.heuristic);
    Answer {
        heuristic: engine.uses_heuristic().then_some(heuristic),
        ..Answer::new(engine, outcome)
    }
}

/// The same with the tiles in a given store; an error if a limit is reached before the tables are ready.
fn run_in<P: Sliding, C: Cells>(
    puzzle: &P,
    search: &SlideSearch<P::Heuristic>,
    cache: &TilesCache,
    control: &Control,
) -> Result<Outcome<Slide>, Stop> {
    let mut space = puzzle.space::<C>();
    let is_deepening = matches!(search.engine, SlideEngine::IdaStar | SlideEngine::Iddfs);
    if let Some(depth) = search.descent.duplicates.filter(|&depth| depth > 0)
        && is_deepening
    {
        space = space.without_duplicates(&*puzzle.duplicates(depth, cache, control)?);
    }
    let guide =
        |space: &SlideSpace<C>, end| puzzle.guide(&search.heuristic, space, end, cache, control);
    Ok(match search.engine {
        SlideEngine::Bfs => bfs(&space, control),
        SlideEngine::Dijkstra => dijkstra(&space, control),
        SlideEngine::Iddfs => iddfs(&space, control),
        SlideEngine::AStar => a_star(&space, &guide(&space, End::Goal)?, control),
        SlideEngine::IdaStar => {
            match puzzle.hot_ida_star(&search.heuristic, &space, cache, control)? {
                Some(outcome) => outcome,
                None => ida_star(&space, &guide(&space, End::Goal)?, control),
            }
        }
        SlideEngine::Anytime => {
            let (first, done) = puzzle.first_plan(&space, control);
            let rest = control.after(done);
            let outcome = match guide(&space, End::Goal) {
                Ok(heuristic) => anytime(&space, &heuristic, first, &rest),
                // No tables within the limits: continue with the plan and a weaker heuristic.
                Err(_) => anytime(&space, &puzzle.distances(&space, control), first, &rest),
            };
            Outcome {
                counts: outcome.counts.after(done),
                ..outcome
            }
        }
        SlideEngine::Sma => sma_star(&space, &guide(&space, End::Goal)?, control),
        SlideEngine::Bidirectional => {
            let back = space.reversed();
            let (forward, backward) = (guide(&space, End::Goal)?, guide(&back, End::Start)?);
            bidirectional(&space, &forward, &back, &backward, control)
        }
    })
}
