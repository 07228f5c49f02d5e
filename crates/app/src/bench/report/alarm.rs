//! What is wrong with results: answers that cannot all be right, and runs that failed.

use super::set::Set;
use crate::bench::judge;
use crate::bench::record::Run;

/// Everything that is wrong with the runs of these sets, in plain words, and whether answers are among it.
pub fn alarms(sets: &[Set]) -> (Vec<String>, bool) {
    let (mut alarms, mut has_wrong_answers) = (vec![], false);
    // Versions, machines and forms must agree with one another, too.
    for same in sets.chunk_by(|a, b| a.name == b.name) {
        let runs: Vec<Run> = same.iter().flat_map(|set| set.runs.clone()).collect();
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
