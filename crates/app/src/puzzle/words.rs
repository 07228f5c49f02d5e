//! Answers in words, whatever the puzzle.

use noyes_solver::{Answer, Status, Stop};

use crate::terminal::colour::{self, Verdict};
use crate::terminal::limits;
use crate::terminal::print::counted;

/// How a solve ended, in one line without its end.
pub(super) fn status(answer: &Answer) -> String {
    in_words(answer, |_, text| text.into())
}

/// The same for standard output, with the verdict in colour if the user wants that.
pub fn verdict(answer: &Answer) -> String {
    if colour::is_on() {
        in_words(answer, Verdict::paint)
    } else {
        status(answer)
    }
}

fn in_words(answer: &Answer, paint: impl Fn(Verdict, &str) -> String) -> String {
    let unit = answer.unit;
    let cost = |n: u32| counted(n as usize, unit.one(), unit.name());
    let lower = answer.bounds.lower;
    match answer.status {
        Status::Optimal => format!("{}, {}", cost(lower), paint(Verdict::Good, "optimal")),
        Status::Solved => format!(
            "{}, {}: at least {} needed",
            cost(answer.bounds.upper.unwrap_or(lower)),
            paint(Verdict::Open, "not proven optimal"),
            counted(lower as usize, "is", "are")
        ),
        Status::Unsolvable => {
            let verdict = paint(Verdict::Bad, "unsolvable");
            match &answer.reason {
                Some(reason) => format!("{verdict}: {reason}"),
                None => verdict,
            }
        }
        Status::Limit(stop) => {
            let verdict = paint(Verdict::Open, limits::in_words(stop));
            match answer.bounds.upper {
                Some(upper) => format!("{verdict}: between {lower} and {}", cost(upper)),
                None if stop == Stop::Bound => format!("{verdict}: at least {}", cost(lower)),
                None => format!("{verdict}: at least {}, no plan yet", cost(lower)),
            }
        }
    }
}

/// Counts and times in words.
pub fn statistics(answer: &Answer) -> String {
    let heuristic = answer
        .heuristic
        .as_ref()
        .map_or(String::new(), |h| format!(" with {h}"));
    let counts = answer.counts;
    let (wall, cpu) = (answer.wall.as_secs_f64(), answer.cpu.as_secs_f64());
    if let (Some(sat), Some(encoding)) = (counts.sat, &answer.encoding) {
        let lazy = match (sat.lookups, sat.shared_clauses) {
            (0, 0) => String::new(),
            (0, n) => format!(" and {n} shared"),
            (n, _) => format!(" and {} added lazily, {n} lookups", sat.lazy_clauses),
        };
        return format!(
            "{} with {encoding}: {} conflicts, {} decisions, {} variables, {} clauses{lazy}, {wall:.3} s, {cpu:.3} s of processor time",
            answer.engine, sat.conflicts, sat.decisions, sat.variables, sat.clauses,
        );
    }
    format!(
        "{}{heuristic}: {} expanded, {} generated, {:.1} MB of states, {wall:.3} s, {cpu:.3} s of processor time",
        answer.engine,
        counts.expanded,
        counts.generated,
        counts.peak_bytes as f64 / 1e6,
    )
}
