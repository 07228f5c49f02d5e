//! Sokoban levels: the collection that comes with the program, and why a level is unsolvable.

use std::sync::LazyLock;
use std::time::Duration;

use noyes_puzzle::sokoban::{Level, read_levels};
use noyes_solver::{Control, Field};

use crate::ask::Refusal;
use crate::record::{ExplainBody, Explained, SCHEMA, ShippedLevel, Subject};
use crate::{Fault, Given, level, wish};

/// The collection of this project.
const COLLECTION: &str = include_str!("../data/sokoban/hundred.xsb");
/// The longest time of an explanation.
const MOST_TIME: Duration = Duration::from_secs(1);

/// The levels that come with the program.
pub fn shipped() -> &'static [ShippedLevel] {
    static LEVELS: LazyLock<Vec<ShippedLevel>> = LazyLock::new(|| {
        let entries = read_levels(COLLECTION).expect("our own collection");
        let of = |level: Level| {
            let title = level.title().unwrap_or_default().to_string();
            ShippedLevel {
                schema: SCHEMA,
                subject: Subject::level(&level),
                min_moves: optimum(&title, "moves"),
                min_pushes: optimum(&title, "pushes"),
                min_steps: optimum(&title, "steps"),
            }
        };
        let levels = entries.into_iter().map(|entry| entry.level);
        levels
            .map(|level| of(level.expect("our own level")))
            .collect()
    });
    &LEVELS
}

/// The optimum of a level, from its comment.
fn optimum(title: &str, unit: &str) -> Option<u32> {
    let mut lines = COLLECTION.lines();
    lines.find(|line| line.strip_prefix("Title: ") == Some(title))?;
    let comment = lines.next()?.strip_prefix("Comment: optimal: ")?;
    let (optima, _command) = comment.split_once(';')?;
    let numbers = optima
        .split(", ")
        .filter_map(|each| each.strip_suffix(unit)?.trim_end().parse().ok());
    numbers.last()
}

/// Finds the dead boxes of a level.
pub fn explain(body: &ExplainBody, control: &Control) -> Result<Explained, Fault> {
    let Given::Level(level) = wish::puzzle(&body.puzzle)? else {
        let reason = "a board, expected a level of Sokoban";
        return Err(Refusal::new(Field::Puzzle, reason).into());
    };
    Ok(level::explained(
        &level,
        &control.clone().time_limit(MOST_TIME),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_level_has_a_title_and_its_optimum() {
        assert_eq!(shipped().len(), 100);
        for level in shipped() {
            let title = level.subject.title.as_deref();
            assert!(title.is_some_and(|title| !title.is_empty()));
            let known = if level.subject.players == Some(1) {
                level.min_pushes.is_some() && level.min_moves >= level.min_pushes
            } else {
                level.min_steps.is_some()
            };
            assert!(known, "{title:?}");
        }
        let first = &shipped()[0];
        assert_eq!((first.min_pushes, first.min_moves), (Some(2), Some(2)));
    }
}
