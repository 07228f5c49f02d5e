//! What is wrong with results: contradictory answers, and runs that failed.

use super::set::Set;
use crate::bench::judge;
use crate::bench::record::Run;

/// Everything that is wrong with these sets, in words, and whether any answer is.
pub fn alarms(sets: &[Set]) -> (Vec<String>, bool) {
    let (mut alarms, mut has_wrong_answers) = (vec![], false);
    // Answers must also agree between versions, machines and forms.
    for same in sets.chunk_by(|a, b| a.name == b.name) {
        let all = |set: &Set| [set.runs.clone(), set.repeated.clone()].concat();
        let runs: Vec<Run> = same.iter().flat_map(all).collect();
        let wrong = judge::contradictions(&runs);
        has_wrong_answers |= !wrong.is_empty();
        alarms.extend(
            wrong
                .into_iter()
                .map(|what| format!("{}: {what}", same[0].name)),
        );
        alarms.extend(same.iter().filter_map(failures));
    }
    (alarms, has_wrong_answers)
}

fn failures(set: &Set) -> Option<String> {
    let failed: Vec<&Run> = set
        .runs
        .iter()
        .filter(|run| run.ending.error().is_some())
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
        first.ending.error().unwrap_or_default()
    ))
}
