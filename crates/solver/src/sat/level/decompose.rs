//! Decomposition: one more goal at a time.
//!
//! Formulas grow with the length of a plan, and the time to decide them grows much faster. So a level is cut into stages:
//! the shortest plan after which one more goal has a box, then the same from where that ended, until all goals have
//! one. `order.rs` says which goal comes next. Boxes that are on goals may move on. Each stage is a small question; the
//! plans together are a plan of the level, but seldom a shortest one.
//!
//! A stage may end where there is no way on. Boxes never go where no goal can be reached from, but they can still block
//! each other. So a stage has a budget: if it has no plan within it, the last stage is taken back and asked for one goal
//! more instead. After as many failures as there are goals, the whole level is asked as one question without a budget.
//! So there is a plan whenever there is one without stages, and a level without a plan ends as it does then.
//!
//! Puzzle Solving with Modern SAT Engine, section V, proposes it: "decomposing a complex instance into multiple
//! sub-problems may help reduce computation overhead".

use std::time::Duration;

use noyes_puzzle::sokoban::{Level, State, step};

use super::name::LevelEncoding;
use super::nameless::Nameless;
use super::order::order;
use super::places::BoxPlaces;
use super::stage::{Stage, solve_stage};
use crate::answer::{Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts, SatCounts};
use crate::sat::ask::Solved;
use crate::sat::keep::Rest;
use crate::sat::options::SatOptions;
use crate::sokoban::JointStep;

/// How often a solver may look at its limits in a question of a stage: MiniSat does at every conflict, CaDiCaL every few.
const BUDGET: u64 = 20_000;

/// The moves that a stage may take, by cells of floor.
const LONGEST: u32 = 2;

/// Where a stage ended.
struct Reached {
    level: Level,
    /// The steps that lead there.
    plan: Vec<JointStep>,
    /// Their cost.
    cost: u32,
    /// How many goals, in their order, have a box after the next stage.
    next: usize,
}

/// A plan of a level in stages, or the answer to the whole question.
pub(super) fn decompose(
    level: &Level,
    wait: bool,
    options: &SatOptions<LevelEncoding>,
    control: &Control,
) -> Solved<JointStep> {
    let lower = match lower(level, wait, options.encoding, control) {
        Ok(lower) => lower,
        Err(stop) => return Solved::at_once(Outcome::stopped(stop, 0, Counts::of_sat())),
    };
    control.raise_lower(lower);
    let order = order(level);
    let goals = order.len();
    let next = |level: &Level| {
        let has_box = |goal: &&u16| level.boxes().contains(goal);
        order.iter().take_while(has_box).count() + 1
    };
    let floor = (0..level.cells())
        .map(|cell| cell as u16)
        .filter(|&cell| level.is_floor(cell));
    let longest = LONGEST * floor.count() as u32;
    let mut way = vec![Reached {
        level: level.clone(),
        plan: vec![],
        cost: 0,
        next: next(level),
    }];
    let mut spent = Spent::default();
    let mut failures = 0;
    loop {
        if failures >= goals {
            way.truncate(1);
            way[0].next = goals;
        }
        let here = way.last().expect("the start stays");
        if way.len() == 1 && here.next >= goals {
            let mut solved = solve_stage(level, None, wait, options, control);
            spent.add(&solved, &control.aside());
            solved.cpu = spent.cpu;
            solved.outcome = solved.outcome.map(|outcome| Outcome {
                counts: spent.counts(),
                ..outcome
            });
            return solved;
        }
        // 1. One stage.
        let within = control.aside().within(BUDGET);
        let wanted = Stage {
            goals: &order[..here.next],
            most: longest,
        };
        let stage = solve_stage(&here.level, Some(wanted), wait, options, &within);
        spent.add(&stage, control);
        let outcome = match stage.outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                return Solved {
                    outcome: Err(error),
                    cpu: spent.cpu,
                    rest: stage.rest,
                };
            }
        };
        let reached = outcome.plan.and_then(|plan| {
            let level = after(&here.level, &plan, wait)?;
            Some(Reached {
                next: next(&level),
                plan: [&here.plan[..], &plan].concat(),
                cost: here.cost + outcome.bounds.upper.unwrap_or(0),
                level,
            })
        });
        // 2. On from there, or back.
        match (reached, outcome.status) {
            (Some(reached), _) if reached.next > goals => {
                return spent.solved(reached, lower, stage.rest);
            }
            (Some(reached), _) => way.push(reached),
            (None, Status::Limit(stop)) if stop != Stop::Budget => {
                let stopped = Outcome::stopped(stop, lower, spent.counts());
                return Solved {
                    outcome: Ok(stopped),
                    cpu: spent.cpu,
                    rest: stage.rest,
                };
            }
            (None, _) => {
                failures += 1;
                let more = here.next;
                if way.len() > 1 {
                    way.pop();
                    way.last_mut().expect("the start stays").next = more;
                } else {
                    way[0].next += 1;
                }
            }
        }
    }
}

/// What the stages took.
#[derive(Default)]
struct Spent {
    sat: SatCounts,
    bytes: usize,
    cpu: Duration,
}

impl Spent {
    fn add(&mut self, stage: &Solved<JointStep>, control: &Control) {
        self.cpu += stage.cpu;
        if let Ok(outcome) = &stage.outcome {
            let sat = outcome.counts.sat.unwrap_or_default();
            self.sat = self.sat.and(sat);
            self.bytes = self.bytes.max(outcome.counts.peak_bytes);
            control.add_conflicts(sat.conflicts);
        }
    }

    fn counts(&self) -> Counts {
        Counts {
            peak_bytes: self.bytes,
            sat: Some(self.sat),
            ..Counts::default()
        }
    }

    fn solved(self, reached: Reached, lower: u32, rest: Rest) -> Solved<JointStep> {
        let counts = self.counts();
        let Reached { plan, cost, .. } = reached;
        Solved {
            outcome: Ok(Outcome {
                status: if lower >= cost {
                    Status::Optimal
                } else {
                    Status::Solved
                },
                bounds: Bounds {
                    lower: lower.min(cost),
                    upper: Some(cost),
                },
                plan: Some(plan),
                counts,
            }),
            cpu: self.cpu,
            rest,
        }
    }
}

/// No plan of the whole level costs less; 0 where it is seen at once that there is no plan.
fn lower(
    level: &Level,
    wait: bool,
    encoding: LevelEncoding,
    control: &Control,
) -> Result<u32, Stop> {
    let places = BoxPlaces::within(level, control)?;
    Ok(match (encoding, places.fewest) {
        (_, None) => 0,
        (LevelEncoding::Pushes(_), Some(fewest)) => fewest,
        (LevelEncoding::Moves(_), Some(_)) => {
            Nameless::within(level, places, wait, control)?.lower()
        }
    })
}

/// The level after some steps; nothing if a step is not legal, which only a solver that lies can cause.
fn after(level: &Level, plan: &[JointStep], wait: bool) -> Option<Level> {
    let mut state = State::start(level);
    for goes in plan {
        step(level, &mut state, goes, wait).ok()?;
    }
    level.with(&state.boxes, &state.players).ok()
}
