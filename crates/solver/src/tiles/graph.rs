//! Tiles on graphs: the generic engines, with the heuristics that work on a graph.

use std::sync::Arc;

use noyes_puzzle::graph::{Graph, classes};
use noyes_puzzle::{Cells, Duplicates, Slide, SlideSpace};

use super::cache::TilesCache;
use super::heuristic::{GraphDistance, HeuristicName, Max, Misplaced};
use super::learned::learn;
use super::slides::{self, Sliding, ida_star_manhattan};
use crate::answer::{Answer, Outcome};
use crate::control::{Control, Stop};
use crate::counts::Counts;
use crate::puzzle::GraphPuzzle;
use crate::request::{End, GraphHeuristic, GraphMember, GraphMethod, SlideEngine, SlideSearch};

/// Solves a solvable puzzle on a graph.
pub(crate) fn solve(
    puzzle: &GraphPuzzle,
    method: &GraphMethod,
    cache: &TilesCache,
    control: &Control,
) -> Answer<Vec<u16>> {
    let search = match method {
        GraphMethod::Slides(search) => search.clone(),
        GraphMethod::Auto { heuristic, descent } => {
            let is_small = heuristic.is_none() && has_few_states(&puzzle.graph, control);
            SlideSearch {
                engine: if is_small {
                    SlideEngine::Bfs
                } else {
                    SlideEngine::IdaStar
                },
                heuristic: heuristic.clone().unwrap_or_default(),
                descent: descent.clone(),
            }
        }
    };
    slides::run(puzzle, &search, cache, control).map(|plan| plan.iter().map(|s| s.to).collect())
}

/// Whether a class of states is small enough for breadth-first search, in time and memory.
fn has_few_states(graph: &Graph, control: &Control) -> bool {
    const FEW: usize = 3_000_000;
    const MOST_BYTES: usize = 1 << 30;
    // An upper bound on the bytes of a state in any store, and of the hash table while it grows.
    let state_bytes = 2 * graph.len() + 96;
    let few = FEW.min(control.most_bytes().min(MOST_BYTES) / state_bytes);
    let all = || (1..=graph.len() as u64).fold(1u32.into(), |n: num_bigint::BigUint, k| n * k);
    graph.len() <= 1000 && all() <= classes(graph).count * few
}

impl Sliding for GraphPuzzle {
    type Heuristic = GraphHeuristic;

    fn name(heuristic: &GraphHeuristic) -> HeuristicName {
        heuristic.into()
    }

    fn cells(&self) -> usize {
        self.graph.len()
    }

    fn space<C: Cells>(&self) -> SlideSpace<C> {
        SlideSpace::on_graph(&self.graph, &self.start, &self.goal)
    }

    fn duplicates(
        &self,
        depth: usize,
        _: &TilesCache,
        control: &Control,
    ) -> Result<Arc<Duplicates>, Stop> {
        learn(&self.graph, depth, control).map(Arc::new)
    }

    fn distances<'a, C: Cells>(
        &'a self,
        space: &SlideSpace<C>,
        control: &'a Control,
    ) -> GraphDistance<'a> {
        GraphDistance::on_graph(space, &self.graph).within(control)
    }

    fn guide<'a, C: Cells + 'a>(
        &'a self,
        heuristic: &GraphHeuristic,
        space: &SlideSpace<C>,
        _: End,
        _: &TilesCache,
        control: &'a Control,
    ) -> Result<Max<'a, SlideSpace<C>>, Stop> {
        let mut max = Max::none();
        for member in &heuristic.0 {
            let fits = match member {
                GraphMember::Misplaced => max.add(Misplaced::new(space)),
                GraphMember::Manhattan => max.add(self.distances(space, control)),
            };
            assert!(fits, "two memos of one word fit");
        }
        Ok(max)
    }

    fn hot_ida_star<C: Cells>(
        &self,
        heuristic: &GraphHeuristic,
        space: &SlideSpace<C>,
        _: &TilesCache,
        control: &Control,
    ) -> Result<Option<Outcome<Slide>>, Stop> {
        Ok(match heuristic.0[..] {
            [GraphMember::Manhattan] => ida_star_manhattan(self, space, control),
            _ => None,
        })
    }

    fn first_plan<C: Cells>(&self, _: &SlideSpace<C>, _: &Control) -> (Option<Vec<Slide>>, Counts) {
        (None, Counts::default())
    }
}
