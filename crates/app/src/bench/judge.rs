//! Whether all answers can be right.
//!
//! Every run bounds the optimum from below, above, or both. So for each puzzle and objective the greatest lower bound must
//! not exceed the least upper bound, and neither may exclude an optimum from the literature: the tag `optimal` (moves of a
//! board), or `optimal_pushes` and the like. And one run, if it is in the results twice, must have the same answer twice.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use serde_json::Value as Json;

use super::ending::{Ending, Failure};
use super::record::Run;
use super::suite::Value;
use super::words;

/// Everything that is wrong, in words; empty if nothing is.
pub fn contradictions(runs: &[Run]) -> Vec<String> {
    let mut wrong = changed_answers(runs);
    wrong.extend(excluded_bounds(runs));
    wrong
}

/// Runs that are there twice, by one program on one machine, with different answers.
pub fn changed_answers(runs: &[Run]) -> Vec<String> {
    let mut first: HashMap<String, &Run> = HashMap::new();
    let mut wrong = vec![];
    for run in runs.iter().filter(|run| run.ending.is_answered()) {
        let of = (&run.suite, run.form, &run.version, &run.host);
        let before = *first.entry(format!("{of:?} {}", run.key())).or_insert(run);
        if (&before.ending, before.cost) != (&run.ending, run.cost) {
            let (configuration, instance) = (&run.configuration, &run.instance);
            let repetition = run.repetition;
            wrong.push(format!(
                "{configuration} on {instance} (repetition {repetition}) has two different answers: {}, and {}\n  {}",
                answer(before),
                answer(run),
                run.command
            ));
        }
    }
    wrong
}

fn answer(run: &Run) -> String {
    let status = run.ending.in_words();
    run.cost
        .map_or(status.into(), |cost| format!("{status} with cost {cost}"))
}

fn excluded_bounds(runs: &[Run]) -> Vec<String> {
    let mut puzzles: BTreeMap<[String; 4], Vec<&Run>> = BTreeMap::new();
    for run in runs.iter().filter(|run| !run.instance.is_empty()) {
        if let Some(objective) = run.values.get("objective").and_then(Json::as_str) {
            let (goal, rules) = rules(run);
            puzzles
                .entry([run.instance.clone(), objective.into(), goal, rules])
                .or_default()
                .push(run);
        }
    }
    let mut wrong = vec![];
    for ([instance, objective, ..], runs) in &puzzles {
        wrong.extend(contradiction(instance, objective, runs));
    }
    for run in runs {
        if let Ending::Failed {
            failure: Failure::Unverified,
            error,
        } = &run.ending
        {
            let command = &run.command;
            wrong.push(format!(
                "a plan failed its verification: {error}\n  {command}"
            ));
        }
    }
    wrong
}

/// The parts of a command that change the puzzle itself: its goal, and whether players may wait.
fn rules(run: &Run) -> (String, String) {
    let words = words::split(&run.command).unwrap_or_default();
    let goal = words
        .iter()
        .position(|w| w == "--goal")
        .and_then(|at| words.get(at + 1));
    let inline = words.iter().find_map(|w| w.strip_prefix("--goal="));
    let no_wait = words.iter().any(|w| w == "--no-wait");
    (
        (goal.map(String::as_str).or(inline))
            .unwrap_or("blank-last")
            .into(),
        no_wait.to_string(),
    )
}

fn contradiction(instance: &str, objective: &str, runs: &[&Run]) -> Option<String> {
    let least = runs.iter().filter(|r| r.upper.is_some());
    let least = least.min_by_key(|r| r.upper);
    let greatest = runs.iter().filter(|r| r.lower.is_some());
    let greatest = greatest.max_by_key(|r| r.lower);
    let unsolvable = runs.iter().find(|r| r.ending == Ending::Unsolvable);
    let known = known(runs, objective);
    let upper = least.and_then(|r| r.upper);
    let lower = greatest.and_then(|r| r.lower);
    let apart = |lower: Option<u32>, upper: Option<u32>| matches!((lower, upper), (Some(lower), Some(upper)) if lower > upper);
    let is_wrong = apart(lower, upper)
        || apart(lower, known)
        || apart(known, upper)
        || (unsolvable.is_some() && (upper.is_some() || known.is_some()));
    if !is_wrong {
        return None;
    }
    let mut text = format!("{instance}, {objective}: these contradict each other");
    if let Some(known) = known {
        let _ = write!(text, "\n  known optimum: {known}");
    }
    for (what, run) in [
        ("at least", greatest),
        ("at most", least),
        ("unsolvable", unsolvable),
    ] {
        if let Some(run) = run {
            let bound = match what {
                "at least" => lower,
                "at most" => upper,
                _ => None,
            };
            let bound = bound.map_or(String::new(), |n| format!(" {n}"));
            let _ = write!(
                text,
                "\n  {what}{bound} by {}: {}",
                run.configuration, run.command
            );
        }
    }
    Some(text)
}

/// The optimum according to the literature.
fn known(runs: &[&Run], objective: &str) -> Option<u32> {
    let named = format!("optimal_{objective}");
    let tag = |run: &&Run| {
        let plain = run.tags.get("optimal").filter(|_| objective == "moves");
        match run.tags.get(&named).or(plain)? {
            Value::Whole(n) => u32::try_from(*n).ok(),
            _ => None,
        }
    };
    runs.iter().find_map(tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A run with these bounds.
    fn run(objective: &str, command: &str, lower: Option<u32>, upper: Option<u32>) -> Run {
        serde_json::from_value(json!({
            "schema": "noyes-bench/2", "suite": "s", "form": "full", "instance": "i", "configuration": "c",
            "tags": {}, "repetition": 1, "command": command, "status": "limit", "stop": "time", "killed": false, "cost": upper, "lower": lower,
            "upper": upper, "wall_s": 1.0, "cpu_s": 1.0, "peak_bytes": 1, "expanded": null, "generated": null,
            "variables": null, "clauses": null, "conflicts": null, "decisions": null, "seed": null,
            "time_limit_s": 60.0, "memory_limit_bytes": 1, "process": "fresh", "values": {"objective": objective},
            "started": 0, "version": "0",
            "host": {"processor": "", "cores": 1, "memory_bytes": 1, "system": ""},
        }))
        .unwrap()
    }

    fn moves(lower: u32, upper: Option<u32>) -> Run {
        run("moves", "noyes solve", Some(lower), upper)
    }

    fn wrong(runs: &[Run]) -> usize {
        contradictions(runs).len()
    }

    #[test]
    fn bounds_must_not_exclude_one_another() {
        assert_eq!(
            wrong(&[moves(5, None), moves(3, Some(7)), moves(6, Some(6))]),
            0
        );
        assert_eq!(wrong(&[moves(6, Some(6)), moves(5, Some(5))]), 1);
        assert_eq!(wrong(&[moves(3, Some(5)), moves(6, None)]), 1);
    }

    #[test]
    fn one_run_has_one_answer() {
        let answered = |ending: Ending, cost: Option<u32>| Run {
            ending,
            ..run("moves", "noyes solve", cost, cost)
        };
        let optimal = answered(Ending::Optimal, Some(6));
        let again = Run {
            wall_s: 2.0,
            ..optimal.clone()
        };
        assert_eq!(wrong(&[optimal.clone(), again]), 0); // measured twice
        let other = Run {
            lower: None,
            upper: None,
            ..answered(Ending::Optimal, Some(7))
        };
        assert_eq!(wrong(&[optimal.clone(), other.clone()]), 1);
        let elsewhere = Run {
            version: "1".into(),
            ..other
        };
        assert_eq!(wrong(&[optimal.clone(), elsewhere]), 0);
        assert_eq!(wrong(&[optimal, moves(3, None)]), 0); // stopped at a limit
    }

    #[test]
    fn only_the_same_puzzle_and_objective_are_compared() {
        let pushes = run("pushes", "noyes solve", Some(2), Some(2));
        let other_goal = run("moves", "noyes solve --goal blank-first", Some(9), Some(9));
        let no_wait = run("moves", "noyes solve --no-wait", Some(8), Some(8));
        assert_eq!(wrong(&[moves(6, Some(6)), pushes, other_goal, no_wait]), 0);
    }

    #[test]
    fn known_optima_and_unsolvable_puzzles_are_held_against_them() {
        let known = |objective: &str, tag: &str, value| {
            let mut run = run(objective, "noyes solve", Some(6), Some(6));
            run.tags.insert(tag.into(), Value::Whole(value));
            run
        };
        assert_eq!(wrong(&[known("moves", "optimal", 6)]), 0);
        assert_eq!(wrong(&[known("moves", "optimal", 5)]), 1);
        assert_eq!(wrong(&[known("pushes", "optimal", 5)]), 0);
        assert_eq!(wrong(&[known("pushes", "optimal_pushes", 7)]), 1);
        let mut unsolvable = run("moves", "noyes solve", None, None);
        unsolvable.ending = Ending::Unsolvable;
        assert_eq!(wrong(std::slice::from_ref(&unsolvable)), 0);
        assert_eq!(wrong(&[unsolvable, moves(3, Some(7))]), 1);
    }

    #[test]
    fn a_plan_that_failed_its_verification_is_wrong() {
        let mut run = run("moves", "noyes solve", None, None);
        let error = "the plan does not reach the goal; exit code 5";
        run.ending = Ending::failed(Failure::Error, error);
        assert_eq!(wrong(std::slice::from_ref(&run)), 0);
        run.ending = Ending::failed(Failure::Unverified, error);
        assert_eq!(wrong(&[run]), 1);
    }
}
