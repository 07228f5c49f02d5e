//! Results that cannot all be right: two optima of one puzzle, a plan shorter than the optimum, runs that failed.

use std::collections::BTreeMap;

use super::set::{Set, number};
use crate::bench::record::Run;

/// Everything that is wrong with the runs of these sets, in plain words.
pub fn alarms(sets: &[Set]) -> Vec<String> {
    let mut alarms = vec![];
    // Versions and machines must agree with one another, too.
    let mut puzzles: BTreeMap<_, Vec<&Run>> = BTreeMap::new();
    for run in sets.iter().flat_map(|set| &set.runs) {
        let key = (&run.suite, &run.instance, rules(run));
        puzzles.entry(key).or_default().push(run);
    }
    for ((suite, instance, _), runs) in puzzles {
        let wrong = contradictions(&runs);
        alarms.extend(
            wrong
                .into_iter()
                .map(|what| format!("{suite}, {instance}: {what}")),
        );
    }
    for set in sets {
        alarms.extend(failures(set));
    }
    alarms
}

/// What decides the optimum besides the puzzle: what is counted, and where it must lead.
fn rules(run: &Run) -> String {
    let objective = run.values.get("objective").and_then(|o| o.as_str());
    let words: Vec<&str> = run.command.split_whitespace().collect();
    let option = |name: &str| {
        let after = |pair: &[&str]| (pair[0] == name).then(|| pair[1].to_string());
        words.windows(2).find_map(after).unwrap_or_default()
    };
    let objective = objective.map_or_else(|| option("--objective"), Into::into);
    format!("{objective} {}", option("--goal"))
}

fn contradictions(runs: &[&Run]) -> Vec<String> {
    let mut wrong = vec![];
    let of = |run: &Run| format!("{} (version {})", run.configuration, run.version);
    let optimal = || runs.iter().filter(|run| run.status == "optimal");
    let mut optima: BTreeMap<u32, Vec<&Run>> = BTreeMap::new();
    for run in optimal() {
        optima.entry(run.cost.unwrap_or(0)).or_default().push(run);
    }
    if optima.len() > 1 {
        let told = optima
            .iter()
            .map(|(cost, runs)| format!("{cost} by {}", of(runs[0])));
        wrong.push(format!(
            "runs say different costs are optimal: {}",
            told.collect::<Vec<_>>().join(", ")
        ));
    }
    if let Some((&best, by)) = optima.first_key_value() {
        let shorter = |run: &&&Run| run.status == "solved" && run.cost.is_some_and(|c| c < best);
        if let Some(run) = runs.iter().find(shorter) {
            wrong.push(format!(
                "{} has a plan of {}, {} says {best} is optimal",
                of(run),
                run.cost.unwrap_or(0),
                of(by[0])
            ));
        }
        let higher =
            |run: &&&Run| run.status != "failed" && run.lower.is_some_and(|low| low > best);
        let above = runs
            .iter()
            .find(|run| higher(run) && run.status != "optimal");
        if let Some(run) = above {
            wrong.push(format!(
                "{} says at least {} are needed, {} has a plan of {best}",
                of(run),
                run.lower.unwrap_or(0),
                of(by[0])
            ));
        }
    }
    for run in optimal() {
        let known = run.tags.get("distance").and_then(number);
        if let (Some(known), Some(cost)) = (known, run.cost)
            && known != f64::from(cost)
        {
            wrong.push(format!(
                "{} says {cost} is optimal, its distance is {known}",
                of(run)
            ));
            break;
        }
    }
    let has_plan = |run: &&&Run| matches!(run.status.as_str(), "optimal" | "solved");
    let none = runs.iter().find(|run| run.status == "unsolvable");
    if let (Some(none), Some(plan)) = (none, runs.iter().find(has_plan)) {
        wrong.push(format!(
            "{} says it is unsolvable, {} has a plan",
            of(none),
            of(plan)
        ));
    }
    wrong
}

fn failures(set: &Set) -> Option<String> {
    let failed: Vec<&Run> = set
        .runs
        .iter()
        .filter(|run| run.status == "failed")
        .collect();
    let first = failed.first()?;
    Some(format!(
        "{}, {} form: {} of {} runs failed, such as {} on {}: {}",
        set.name,
        set.form,
        failed.len(),
        set.runs.len(),
        first.configuration,
        first.instance,
        first.error.as_deref().unwrap_or("no reason is known")
    ))
}
