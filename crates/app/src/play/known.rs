//! What is known about a position: bounds of its optimum, a plan, dead boxes.
//!
//! A step of cost c changes the optimum by at most that: from `lower` before it, at
//! least `lower` − c remains. A step along a known plan leaves the rest of that plan.
//! So a player who follows a hint needs no second search.

use noyes_puzzle::tiles::Direction;
use noyes_solver::{Answer, Objective, Plan, Status};

use super::position::Step;

/// What is known about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// No plan costs less.
    pub lower: u32,
    /// Some plan costs this.
    pub upper: Option<u32>,
    /// The best plan at hand and its cost.
    pub plan: Option<(Vec<Direction>, u32)>,
    /// Why there is no plan.
    pub unsolvable: Option<String>,
    /// The cells of dead boxes, once they were looked for.
    pub dead: Option<Vec<u16>>,
}

impl Known {
    /// What an answer says.
    pub fn of_answer(answer: &Answer) -> Known {
        let plan = match &answer.plan {
            Some(Plan::Directions(plan)) => Some(plan.clone()),
            Some(Plan::Walks(walks)) => {
                let walk = walks.walks().first().cloned().unwrap_or_default();
                Some(walk.into_iter().flatten().collect())
            }
            _ => None,
        };
        let unsolvable = (answer.status == Status::Unsolvable).then(|| {
            let reason = answer.reason.as_ref();
            reason.map_or_else(|| "there is no plan".into(), ToString::to_string)
        });
        Known {
            lower: answer.bounds.lower,
            upper: answer.bounds.upper,
            plan: plan.zip(answer.bounds.upper),
            unsolvable,
            dead: None,
        }
    }

    /// Adds what else is known of the same position. The plan stays unless the other one is cheaper.
    pub fn join(&mut self, other: Known) {
        self.lower = self.lower.max(other.lower);
        self.upper = [self.upper, other.upper].into_iter().flatten().min();
        let cost = |plan: &Option<(Vec<Direction>, u32)>| plan.as_ref().map_or(u32::MAX, |p| p.1);
        if cost(&other.plan) < cost(&self.plan) {
            self.plan = other.plan;
        }
        self.unsolvable = self.unsolvable.take().or(other.unsolvable);
        self.dead = self.dead.take().or(other.dead);
    }

    /// What follows for the position after a step.
    pub fn after(&self, step: Step, objective: Objective) -> Known {
        let cost = step.cost(objective);
        let rest = match &self.plan {
            Some((plan, all)) if plan.first() == Some(&step.way) => {
                Some((plan[1..].to_vec(), all - cost))
            }
            _ => None,
        };
        Known {
            lower: self.lower.saturating_sub(cost),
            upper: rest.as_ref().map(|rest| rest.1),
            plan: rest,
            // A level that cannot be solved cannot be solved after any step either.
            unsolvable: self.unsolvable.clone(),
            dead: None,
        }
    }

    /// The optimum, if it is proven.
    pub fn optimum(&self) -> Option<u32> {
        self.upper.filter(|&upper| upper == self.lower)
    }

    /// The next move of the plan.
    pub fn next(&self) -> Option<Direction> {
        self.plan.as_ref()?.0.first().copied()
    }

    /// Whether the plan is proven optimal.
    pub fn is_proven(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.1 == self.lower)
    }

    /// Whether no search can find out more.
    pub fn is_settled(&self) -> bool {
        self.unsolvable.is_some() || self.is_proven()
    }
}
