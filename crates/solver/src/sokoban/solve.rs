//! Solves a level with the requested engine, or one that suits the level, and interprets the outcome.

use noyes_puzzle::sokoban::{Level, Walks};
use noyes_puzzle::tiles::Direction;

use super::crew::search::{self as crew, fewest_steps};
use super::joint_step::JointStep;
use super::ran::Ran;
use super::search::any::{any_plan, first_plan, plan_and_proof};
use super::search::bfs::bfs;
use super::search::optimal::{a_star, fewest_moves, fewest_pushes};
use crate::answer::{Answer, Outcome, Reason, Status, Ties};
use crate::control::Control;
use crate::names::{Engine, Objective};
use crate::puzzle::LevelPuzzle;
use crate::request::LevelEngine;

/// Solves a level that is not known to be unsolvable. With `any`, the first plan will do, or the best one found
/// within the time limit. The first plan is looked for with this number of threads.
pub(crate) fn solve(
    puzzle: &LevelPuzzle,
    engine: LevelEngine,
    any: bool,
    threads: usize,
    control: &Control,
) -> Answer<Walks> {
    let &LevelPuzzle {
        ref level,
        objective,
        wait,
    } = puzzle;
    let answer = match engine {
        LevelEngine::Bfs => of_steps(
            level,
            Engine::Bfs,
            bfs(level, objective, wait, any, control),
        ),
        LevelEngine::AStar if puzzle.is_crew() => {
            of_steps(level, Engine::AStar, crew::a_star(level, wait, control))
        }
        LevelEngine::AStar => of_one(Engine::AStar, a_star(level, objective, control)),
        _ if puzzle.is_crew() => {
            let Ran { engine, outcome } = fewest_steps(level, wait, control);
            of_steps(level, engine, outcome)
        }
        LevelEngine::Auto if any && !control.has_deadline() => of_one(
            Engine::Anytime,
            first_plan(level, objective, threads, control),
        ),
        LevelEngine::Auto if any => of_one(
            Engine::Anytime,
            any_plan(level, objective, threads, control),
        ),
        LevelEngine::Anytime => of_one(
            Engine::Anytime,
            any_plan(level, objective, threads, control),
        ),
        LevelEngine::Auto => {
            let Ran { engine, outcome } = plan_and_proof(level, objective, threads, control);
            of_one(engine, outcome)
        }
        LevelEngine::Optimal => {
            let Ran { engine, outcome } = match objective {
                Objective::Pushes => fewest_pushes(level, control),
                Objective::Moves => fewest_moves(level, control),
            };
            of_one(engine, outcome)
        }
    };
    judged(puzzle, any, answer)
}

/// Completes an answer: whether its cost is proven optimal, whether ties are broken, and why a level is unsolvable.
fn judged(puzzle: &LevelPuzzle, any: bool, answer: Answer<Walks>) -> Answer<Walks> {
    let bounds_meet = answer.bounds.upper == Some(answer.bounds.lower);
    let (status, ties) = match answer.status {
        // The cost is proven, but the search ended before ties were broken.
        Status::Limit(_) | Status::Solved if bounds_meet => (Status::Optimal, Ties::Open),
        Status::Limit(_) if any && answer.plan.is_some() => (Status::Solved, Ties::Open),
        status if any => (status, Ties::Open),
        status => (status, Ties::Proven),
    };
    let has_ties = status == Status::Optimal && !puzzle.is_crew();
    Answer {
        status,
        ties: has_ties.then_some(ties),
        reason: (status == Status::Unsolvable).then_some(Reason::Exhausted),
        ..answer
    }
}

/// The answer of an engine for one player.
fn of_one(engine: Engine, outcome: Outcome<Direction>) -> Answer<Walks> {
    Answer::new(engine, outcome).map(|plan| Walks::of_one(&plan))
}

/// The answer of an engine whose plans say what all players do in each step.
pub(crate) fn of_steps(
    level: &Level,
    engine: Engine,
    outcome: Outcome<JointStep>,
) -> Answer<Walks> {
    Answer::new(engine, outcome).map(|steps| Walks::of_steps(level.players().len(), &steps))
}
