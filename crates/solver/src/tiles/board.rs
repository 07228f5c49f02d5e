//! Boards: the generic engines, the loop of the fifteen puzzle, the full table and the human method.

use std::sync::Arc;

use noyes_puzzle::tiles::Direction;
use noyes_puzzle::{Cells, Duplicates, Slide, SlideSpace};

use super::cache::TilesCache;
use super::error::TilesError;
use super::full_table::full_table;
use super::heuristic::{
    GraphDistance, HeuristicMember, HeuristicName, LinearConflict, Max, Misplaced, SimpleHeuristic,
    Walking,
};
use super::human::human;
use super::ida_pdb::Fifteen;
use super::large;
use super::pdb::{Databases, TableError, Tables};
use super::policy;
use super::slides::{self, Sliding, ida_star_manhattan};
use super::subtrees::{Deepening, Keep, Run};
use crate::answer::{Answer, Outcome};
use crate::control::{Control, Stop};
use crate::counts::Counts;
use crate::names::{DeviceName, Engine};
use crate::puzzle::BoardPuzzle;
use crate::request::{Descent, End, SlideEngine, SlideSearch};
use crate::search::ida_star;

/// Runs an engine on a solvable board. IDA* with databases has a loop of its own, on 4×4 another one.
pub(crate) fn search(
    board: &BoardPuzzle,
    search: &SlideSearch<HeuristicName>,
    cache: &TilesCache,
    control: &Control,
) -> Result<Answer<Vec<Direction>>, TilesError> {
    let BoardPuzzle { start, goal } = board;
    if search.descent.to == End::Start {
        return from_the_goal(board, search, cache, control);
    }
    if search.engine == SlideEngine::IdaStar
        && let [HeuristicMember::Databases(partition)] = search.heuristic.members()
        && Fifteen::fits(partition, goal)
        && search.descent.suits_fifteen()
    {
        let fifteen = cache.fifteen(partition, goal, true, control);
        let outcome = match fifteen {
            Ok(fifteen) => fifteen.solve(start, 0, control),
            Err(error) => slides::without_guide(board, error.0, control),
        };
        return Ok(Answer {
            heuristic: Some(search.heuristic.clone()),
            ..Answer::new(Engine::IdaStar, outcome)
        });
    }
    if search.engine == SlideEngine::IdaStar && Deepening::fits(&search.heuristic, goal) {
        return by_subtrees(board, &search.heuristic, &search.descent, cache, control);
    }
    let direction = |s: Slide| Direction::between(s.from.into(), s.to.into(), start.width());
    let answer = slides::run(board, search, cache, control);
    Ok(answer.map(|plan| plan.into_iter().map(direction).collect()))
}

/// The search for the way from the goal to the start, and its plan turned round. A board that is hard from one end is often
/// much easier from the other (docs/guide.md, "From which end").
fn from_the_goal(
    board: &BoardPuzzle,
    search: &SlideSearch<HeuristicName>,
    cache: &TilesCache,
    control: &Control,
) -> Result<Answer<Vec<Direction>>, TilesError> {
    let turned = BoardPuzzle {
        start: board.goal.clone(),
        goal: board.start.clone(),
    };
    let search = SlideSearch {
        descent: Descent {
            to: End::Goal,
            ..search.descent.clone()
        },
        ..search.clone()
    };
    let answer = self::search(&turned, &search, cache, control)?;
    Ok(answer.map(|plan| plan.into_iter().rev().map(Direction::opposite).collect()))
}

/// IDA* with pattern databases by subtrees.
fn by_subtrees(
    board: &BoardPuzzle,
    heuristic: &HeuristicName,
    descent: &Descent,
    cache: &TilesCache,
    control: &Control,
) -> Result<Answer<Vec<Direction>>, TilesError> {
    let BoardPuzzle { start, goal } = board;
    if descent.device == DeviceName::Gpu {
        return on_card(board, heuristic, descent, cache, control);
    }
    policy::check_memory(heuristic, goal, cache.tables(), DeviceName::Cpu, control)?;
    let deepening = cache.deepening(heuristic, goal, descent.duplicates, control);
    let outcome = match deepening {
        Ok(deepening) => {
            let run = Run {
                threads: descent.threads,
                checkpoints: descent.checkpoints.as_ref(),
                ..Run::new(control)
            };
            deepening.solve(start, run)?
        }
        // Tables that took another board's time in vain are not tried again: go on without.
        Err(TableError(Stop::Time)) if control.poll_stop().is_ok() => {
            let one = SlideSearch {
                engine: SlideEngine::IdaStar,
                heuristic: policy::without_tables(goal).into(),
                descent: descent.clone(),
            };
            return search(board, &one, cache, control);
        }
        Err(error) => slides::without_guide(board, error.0, control),
    };
    Ok(Answer {
        heuristic: Some(heuristic.clone()),
        ..Answer::new(Engine::IdaStar, outcome)
    })
}

/// The same on a graphics card.
#[cfg(feature = "gpu")]
fn on_card(
    board: &BoardPuzzle,
    heuristic: &HeuristicName,
    descent: &Descent,
    cache: &TilesCache,
    control: &Control,
) -> Result<Answer<Vec<Direction>>, TilesError> {
    let BoardPuzzle { start, goal } = board;
    let searched = cache.with_card(
        heuristic,
        goal,
        descent.duplicates,
        control,
        |deepening, card| {
            let run = Run {
                device: Some(card),
                checkpoints: descent.checkpoints.as_ref(),
                ..Run::new(control)
            };
            deepening.solve(start, run)
        },
    );
    let outcome = match searched? {
        Ok(outcome) => outcome?,
        Err(error) => {
            let lower = slides::manhattan(board, control);
            Outcome::stopped(error.0, lower, Counts::default())
        }
    };
    Ok(Answer {
        heuristic: Some(heuristic.clone()),
        ..Answer::new(Engine::IdaStar, outcome)
    })
}

#[cfg(not(feature = "gpu"))]
fn on_card(
    _: &BoardPuzzle,
    _: &HeuristicName,
    _: &Descent,
    _: &TilesCache,
    _: &Control,
) -> Result<Answer<Vec<Direction>>, TilesError> {
    unreachable!("the front door refuses it")
}

impl Descent {
    /// Whether the loop of the fifteen puzzle can do it: with one thread, its own duplicates, and no checkpoints in a file
    /// that was asked for.
    fn suits_fifteen(&self) -> bool {
        let Descent {
            duplicates,
            threads,
            checkpoints,
            device,
            to: _,
        } = self;
        let is_plain = duplicates.is_none() && *threads == 1 && *device == DeviceName::Cpu;
        is_plain && !matches!(checkpoints, Some(Keep::File(_)))
    }
}

/// Reads a plan from the table of all positions.
pub(crate) fn by_table(
    board: &BoardPuzzle,
    cache: &TilesCache,
    control: &Control,
) -> Answer<Vec<Direction>> {
    let outcome = full_table(&board.start, &board.goal, cache.tables(), control);
    Answer::new(Engine::Table, outcome)
}

/// A plan by the human method, and the bound of Manhattan distance on the optimum.
pub(crate) fn by_hand(board: &BoardPuzzle, control: &Control) -> Answer<Vec<Direction>> {
    let lower = slides::manhattan(board, control);
    let (outcome, steps) = human(&board.start, &board.goal, lower, control);
    Answer {
        steps,
        ..Answer::new(Engine::Human, outcome)
    }
}

impl Sliding for BoardPuzzle {
    type Heuristic = HeuristicName;

    fn name(heuristic: &HeuristicName) -> HeuristicName {
        heuristic.clone()
    }

    fn cells(&self) -> usize {
        self.start.tiles().len()
    }

    fn space<C: Cells>(&self) -> SlideSpace<C> {
        SlideSpace::on_board(&self.start, &self.goal)
    }

    fn duplicates(
        &self,
        depth: usize,
        cache: &TilesCache,
        control: &Control,
    ) -> Result<Arc<Duplicates>, Stop> {
        cache.duplicates(self.start.width(), self.start.height(), depth, control)
    }

    fn distances<'a, C: Cells>(
        &'a self,
        space: &SlideSpace<C>,
        _: &'a Control,
    ) -> GraphDistance<'a> {
        GraphDistance::on_board(space, self.start.width())
    }

    fn guide<'a, C: Cells + 'a>(
        &'a self,
        heuristic: &HeuristicName,
        space: &SlideSpace<C>,
        end: End,
        cache: &TilesCache,
        control: &'a Control,
    ) -> Result<Max<'a, SlideSpace<C>>, Stop> {
        let width = self.start.width();
        let mut max = Max::none();
        for member in heuristic.members() {
            let fits = match member {
                HeuristicMember::Simple(SimpleHeuristic::Misplaced) => {
                    max.add(Misplaced::new(space))
                }
                HeuristicMember::Simple(SimpleHeuristic::Manhattan) => {
                    max.add(self.distances(space, control))
                }
                HeuristicMember::Simple(SimpleHeuristic::LinearConflict) => {
                    max.add(LinearConflict::new(space, width))
                }
                HeuristicMember::Simple(SimpleHeuristic::Walking) => {
                    max.add(Walking::new(space, width))
                }
                HeuristicMember::Databases(partition) => {
                    let databases = match end {
                        End::Goal => Databases::new(partition, &self.goal, cache.tables(), control),
                        // Tables for one start are useless for others, so they are not kept.
                        End::Start => Databases::new(
                            &partition.towards(&self.start),
                            &self.start,
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

    fn hot_ida_star<C: Cells>(
        &self,
        heuristic: &HeuristicName,
        space: &SlideSpace<C>,
        cache: &TilesCache,
        control: &Control,
    ) -> Result<Option<Outcome<Slide>>, Stop> {
        let width = self.start.width();
        let simple = match heuristic.members() {
            [HeuristicMember::Simple(simple)] => *simple,
            [HeuristicMember::Databases(partition)] => {
                let databases = Databases::new(partition, &self.goal, cache.tables(), control);
                let heuristic = databases.map_err(|e| e.0)?.carried();
                return Ok(Some(ida_star(space, &heuristic, control)));
            }
            _ => return Ok(None),
        };
        Ok(match simple {
            SimpleHeuristic::Misplaced => None,
            SimpleHeuristic::Manhattan => ida_star_manhattan(self, space, control),
            SimpleHeuristic::LinearConflict => {
                let heuristic = LinearConflict::new(space, width);
                Some(ida_star(space, &heuristic, control))
            }
            SimpleHeuristic::Walking => {
                let heuristic = Walking::new(space, width);
                Some(ida_star(space, &heuristic, control))
            }
        })
    }

    /// By the human method, and on large boards by beam search.
    fn first_plan<C: Cells>(
        &self,
        space: &SlideSpace<C>,
        control: &Control,
    ) -> (Option<Vec<Slide>>, Counts) {
        let by_hand = human(&self.start, &self.goal, 0, &control.aside()).0.plan;
        let (plan, counts) = match by_hand {
            Some(first) if large::fits(self) => {
                control.raise_lower(slides::manhattan(self, control));
                large::improve(self, first, control)
            }
            Some(first) => (first, Counts::default()),
            None => return (None, Counts::default()),
        };
        let mut blank = self.start.blank();
        let slide = |direction: Direction| {
            let from = blank as u16;
            blank = self
                .start
                .neighbour(blank, direction)
                .expect("a plan stays on the board");
            space.slide(from, blank as u16)
        };
        (Some(plan.into_iter().map(slide).collect()), counts)
    }
}
