//! Sokoban: engines for levels of one player and for crews.
//!
//! All of them keep to the rules of `noyes_puzzle::sokoban::step`; whatever they
//! find is replayed by `noyes_check` before anyone sees it.

mod bfs;

use noyes_puzzle::sokoban::{Level, Walks};

use crate::answer::{Answer, Outcome, Plan};
use crate::control::Control;
use crate::request::{Engine, names};

pub use bfs::bfs;

names! {
    /// What a plan of one player has fewest of. Crews always count steps.
    Objective {
        /// Pushes; of plans with as many, moves.
        #[default]
        Pushes = "pushes",
        /// Moves, pushes among them; of plans with as many, pushes.
        Moves = "moves",
    }
}

/// What all players do in a step.
pub type Step = Box<[Option<noyes_puzzle::tiles::Direction>]>;

/// Solves a level by an engine that is for levels. With `any`, the first plan found will do.
pub(crate) fn solve(
    level: &Level,
    objective: Objective,
    wait: bool,
    any: bool,
    engine: Engine,
    control: &Control,
) -> Answer {
    match engine {
        Engine::Auto | Engine::Bfs => {
            let outcome = bfs(level, objective, wait, any, control);
            answer(level, Engine::Bfs, outcome)
        }
        _ => unreachable!("the request was checked"),
    }
}

/// Whether an engine is for levels.
pub(crate) fn has_engine(engine: Engine) -> bool {
    matches!(engine, Engine::Auto | Engine::Bfs)
}

/// Why a level has no plan, where that is seen without a search.
pub(crate) fn why_unsolvable(level: &Level) -> Option<String> {
    let (boxes, goals) = (level.boxes().len(), level.goals().count());
    let s = |n: usize, more: &'static str| if n == 1 { "" } else { more };
    (boxes < goals).then(|| {
        format!(
            "{boxes} box{} for {goals} goal{}, and every goal needs a box",
            s(boxes, "es"),
            s(goals, "s")
        )
    })
}

/// The answer of an engine that gives what all players do in each step.
fn answer(level: &Level, engine: Engine, mut outcome: Outcome<Step>) -> Answer {
    let plan = outcome.plan.take();
    let walks = plan.map(|steps| Walks::of_steps(level.players().len(), &steps));
    Answer {
        plan: walks.map(Plan::Walks),
        engine,
        ..Answer::new(&outcome)
    }
}
