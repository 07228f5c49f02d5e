//! Plans as planners print them: actions in parentheses, one a line, comments after semicolons.
//!
//! `(slide t5 r3c2 r2c2)`, and at the end `; cost = 1 (unit cost)`: the
//! `sas_plan` of Fast Downward. A number before the action (`3: (…)`) and a
//! duration after it (`[1]`), which other planners print, are ignored, and so is
//! case.

use crate::tiles::Direction;

/// What is wrong with a planner's plan, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct TaskPlanError {
    /// The line, from 1.
    pub line: usize,
    /// What it is.
    pub fault: PlanFault,
}

/// What can be wrong with a planner's plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanFault {
    /// Something else than an action.
    #[error("{found:?} is no action (expected words in parentheses, such as ({expected}))")]
    NoAction {
        /// What was found instead.
        found: String,
        /// One that could.
        expected: String,
    },
    /// An action that cannot be done in this state, or never.
    #[error("({found}) cannot be done here (expected {expected})")]
    Impossible {
        /// The action.
        found: String,
        /// Those that can.
        expected: String,
    },
}

/// Whether a text is a planner's plan, not one of letters: no letter of those is a parenthesis or a semicolon.
pub fn is_plan(text: &str) -> bool {
    text.contains(['(', ';'])
}

/// The cost that the planner says its plan has.
pub fn claimed_cost(text: &str) -> Option<u64> {
    let said = text.lines().rev().find_map(|line| {
        let comment = line.trim().strip_prefix(';')?.trim_start();
        comment.strip_prefix("cost")?.trim_start().strip_prefix('=')
    })?;
    said.split_whitespace().next()?.parse().ok()
}

/// Follows a plan: `possible` gives the actions of a state, `go` makes a move.
pub(super) fn follow<S>(
    text: &str,
    state: &mut S,
    possible: impl Fn(&S) -> Vec<(Direction, String)>,
    mut go: impl FnMut(&mut S, Direction),
) -> Result<Vec<Direction>, TaskPlanError> {
    let mut plan = vec![];
    for (i, line) in text.lines().enumerate() {
        let mut rest = line.split(';').next().unwrap_or_default().trim();
        while !rest.is_empty() {
            let wrong = |fault| TaskPlanError { line: i + 1, fault };
            let here = possible(state);
            let Some((found, after)) = action(rest) else {
                let first = here.first().map_or("slide t1 r1c1 r1c2", |a| a.1.as_str());
                return Err(wrong(PlanFault::NoAction {
                    found: rest.chars().take(60).collect(),
                    expected: first.into(),
                }));
            };
            let Some(&(direction, _)) = here.iter().find(|(_, name)| *name == found) else {
                let names: Vec<String> = here.iter().map(|(_, name)| format!("({name})")).collect();
                let expected = match names.len() {
                    0 => "no action at all".into(),
                    _ => names.join(" or "),
                };
                return Err(wrong(PlanFault::Impossible { found, expected }));
            };
            go(state, direction);
            plan.push(direction);
            rest = after;
        }
    }
    Ok(plan)
}

/// The words of the action at the beginning of a text, in small letters with one blank between, and what comes after.
fn action(text: &str) -> Option<(String, &str)> {
    let (before, text) = text.split_once('(')?;
    let is_number = |c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace();
    if !before.trim().trim_end_matches(':').chars().all(is_number) {
        return None;
    }
    let (inside, after) = text.split_once(')')?;
    let words: Vec<String> = inside
        .split_whitespace()
        .map(str::to_ascii_lowercase)
        .collect();
    let after = after.trim_start();
    let after = match after.strip_prefix('[') {
        Some(duration) => duration.split_once(']')?.1.trim_start(),
        None => after,
    };
    (!words.is_empty() && !inside.contains('(')).then(|| (words.join(" "), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter that can go up to 2 and down to 0.
    fn count(text: &str) -> Result<Vec<Direction>, TaskPlanError> {
        let possible = |at: &i32| {
            let mut all = vec![];
            if *at < 2 {
                all.push((Direction::Up, format!("up n{at}")));
            }
            if *at > 0 {
                all.push((Direction::Down, format!("down n{at}")));
            }
            all
        };
        follow(text, &mut 0, possible, |at, way| {
            *at += if way == Direction::Up { 1 } else { -1 };
        })
    }

    #[test]
    fn plans_of_several_planners_are_read() {
        use Direction::{Down, Up};
        for text in [
            "(up n0)\n(up n1)\n(down n2)\n; cost = 3 (unit cost)\n",
            "0: (UP N0) [1]\n1: (UP N1) [1]\n2: (DOWN N2) [1]",
            "0.000: ( up  n0 ) [0.001] ; first\n\n(up n1 ) (down n2)",
        ] {
            assert_eq!(count(text), Ok(vec![Up, Up, Down]), "{text}");
        }
        assert_eq!(count("; cost = 0 (unit cost)\n"), Ok(vec![]));
    }

    #[test]
    fn what_cannot_be_done_is_told_with_what_can() {
        let said = |text: &str| count(text).unwrap_err().to_string();
        assert_eq!(
            said("(up n0)\n\n(up n0)"),
            "line 3: (up n0) cannot be done here (expected (up n1) or (down n1))"
        );
        for text in [
            "up n0",
            "(up n0",
            "x (up n0)",
            "()",
            "(up n0) [1",
            "((up n0)",
        ] {
            let said = said(text);
            assert!(
                said.contains("is no action (expected words in parentheses, such as (up n0)"),
                "{said}"
            );
        }
    }

    #[test]
    fn the_cost_that_a_planner_claims_is_found() {
        assert_eq!(claimed_cost("(a)\n; cost = 12 (general cost)\n"), Some(12));
        assert_eq!(claimed_cost("(a)\n;cost=7\n"), Some(7));
        assert_eq!(claimed_cost("(a)\n; 2 actions, cost unknown\n"), None);
        assert!(is_plan("; cost = 0 (unit cost)") && is_plan("(a b)"));
        assert!(!is_plan("3rU.,/\n2L") && !is_plan(""));
    }
}
