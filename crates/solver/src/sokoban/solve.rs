//! From a level and an engine to an answer.

use noyes_puzzle::sokoban::{Level, Walks};
use noyes_puzzle::tiles::Direction;

use super::crew::search::fewest_steps;
use super::explain::unsolvable::why_unsolvable;
use super::joint_step::JointStep;
use super::search::any::{any_plan, first_plan};
use super::search::bfs::bfs;
use super::search::optimal::{fewest_moves, fewest_pushes};
use crate::answer::{Answer, Outcome, Plan, Status};
use crate::control::Control;
use crate::names::{Engine, Objective};

/// Solves a level by an engine that is for it. With `any`, the first plan will do, or what a time limit makes of it.
pub(crate) fn solve(
    level: &Level,
    objective: Objective,
    wait: bool,
    any: bool,
    engine: Engine,
    control: &Control,
) -> Answer {
    let is_crew = level.players().len() > 1;
    let answer = match (engine, objective) {
        (Engine::Bfs, _) => of_steps(level, engine, bfs(level, objective, wait, any, control)),
        _ if is_crew => {
            let outcome = fewest_steps(level, wait, control);
            of_steps(level, Engine::Bidirectional, outcome)
        }
        (Engine::Auto, _) if any && !control.has_deadline() => {
            of_one(Engine::Anytime, first_plan(level, objective, control))
        }
        (Engine::Auto, _) if any => of_one(Engine::Anytime, any_plan(level, objective, control)),
        (Engine::Anytime, _) => of_one(engine, any_plan(level, objective, control)),
        (_, Objective::Pushes) => of_one(Engine::Bidirectional, fewest_pushes(level, control)),
        (_, Objective::Moves) => of_one(Engine::Bidirectional, fewest_moves(level, control)),
    };
    let bounds_meet = answer.bounds.upper == Some(answer.bounds.lower);
    match answer.status {
        // The cost is proven, but a limit or the first plan came before ties were.
        Status::Limit(_) | Status::Solved if bounds_meet => ties_open(Answer {
            status: Status::Optimal,
            ..answer
        }),
        Status::Optimal if any && !is_crew => ties_open(answer),
        // Whoever takes any plan has got what was asked for.
        Status::Limit(_) if any && answer.plan.is_some() => Answer {
            status: Status::Solved,
            ..answer
        },
        Status::Unsolvable if answer.reason.is_none() => Answer {
            reason: Some("no way leads from the start to a solved state".into()),
            ..answer
        },
        _ => answer,
    }
}

/// The same, where its cost alone is proven.
pub(crate) fn ties_open(answer: Answer) -> Answer {
    Answer {
        reason: Some("of plans with this cost it may not be the best".into()),
        ..answer
    }
}

/// Whether an engine is for a level of so many players.
pub(crate) fn has_engine(engine: Engine, players: usize) -> bool {
    match engine {
        Engine::Auto | Engine::Bfs | Engine::Bidirectional | Engine::Sat => true,
        Engine::Anytime => players == 1,
        _ => false,
    }
}

/// Why a level has no plan, in words, where that is seen without a search.
pub(crate) fn in_words(level: &Level) -> Option<String> {
    let (boxes, goals) = (level.boxes().len(), level.goals().count());
    let s = |n: usize, more: &'static str| if n == 1 { "" } else { more };
    if boxes < goals {
        return Some(format!(
            "{boxes} box{} for {goals} goal{}, and every goal needs a box",
            s(boxes, "es"),
            s(goals, "s")
        ));
    }
    let is_crew = level.players().len() > 1;
    if is_crew {
        return None; // the reasons below are about one player
    }
    why_unsolvable(level).map(|reason| reason.words)
}

/// The answer of an engine for one player.
fn of_one(engine: Engine, mut outcome: Outcome<Direction>) -> Answer {
    let plan = outcome.plan.take();
    Answer {
        plan: plan.map(|plan| Plan::Walks(Walks::of_one(&plan))),
        engine,
        ..Answer::new(&outcome)
    }
}

/// The answer of an engine that gives what all players do in each step.
pub(crate) fn of_steps(level: &Level, engine: Engine, mut outcome: Outcome<JointStep>) -> Answer {
    let plan = outcome.plan.take();
    let walks = plan.map(|steps| Walks::of_steps(level.players().len(), &steps));
    Answer {
        plan: walks.map(Plan::Walks),
        engine,
        ..Answer::new(&outcome)
    }
}
