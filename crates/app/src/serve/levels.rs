//! Levels of Sokoban: the collection, and what is wrong with one as it stands.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use noyes_puzzle::sokoban::{Level, read_levels, write_xsb};
use noyes_solver::Control;
use noyes_solver::sokoban::{DeadKind, explain};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Server;
use super::problem::Problem;
use super::replay::reason;
use super::wish;

/// The collection of this project.
const COLLECTION: &str = include_str!("../../../../data/sokoban/noyes.xsb");
/// The longest look at a level.
const MOST_TIME: Duration = Duration::from_secs(1);

/// A level of the collection.
#[derive(Clone, Serialize, ToSchema)]
pub struct Shipped {
    /// Its name.
    pub title: String,
    /// The level.
    pub xsb: String,
    /// The fewest moves of one player, whatever the pushes.
    pub moves: Option<u32>,
    /// The fewest pushes of one player, whatever the moves.
    pub pushes: Option<u32>,
    /// The steps of an optimal plan of several players.
    pub steps: Option<u32>,
    /// Players.
    pub players: usize,
}

/// The levels that come with the program.
pub fn shipped() -> &'static [Shipped] {
    static LEVELS: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
        let entries = read_levels(COLLECTION).expect("our own collection");
        let of = |level: Level| {
            let title = level.title().unwrap_or_default().to_string();
            Shipped {
                moves: optimum(&title, "moves"),
                pushes: optimum(&title, "pushes"),
                steps: optimum(&title, "steps"),
                xsb: write_xsb(&level),
                players: level.players().len(),
                title,
            }
        };
        let levels = entries.into_iter().map(|entry| entry.level);
        levels
            .map(|level| of(level.expect("our own level")))
            .collect()
    });
    &LEVELS
}

/// What the comment of a level says of its optimum.
fn optimum(title: &str, unit: &str) -> Option<u32> {
    let mut lines = COLLECTION.lines();
    lines.find(|line| line.strip_prefix("Title: ") == Some(title))?;
    let comment = lines.next()?.strip_prefix("Comment: optimal: ")?;
    let (told, _command) = comment.split_once(';')?;
    let numbers = told
        .split(", ")
        .filter_map(|each| each.strip_suffix(unit)?.trim_end().parse().ok());
    numbers.last()
}

/// A level to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainBody {
    /// A level as it stands.
    #[schema(example = "#######\n#@ $ .#\n#    $#\n#.    #\n#######")]
    pub puzzle: String,
}

/// Boxes that are dead together.
#[derive(Serialize, ToSchema)]
pub struct DeadBoxes {
    /// Row and column of each, from 0.
    pub boxes: Vec<[usize; 2]>,
    /// square, freeze or corral.
    pub kind: &'static str,
    /// Why.
    pub words: String,
    /// Whether the level cannot be solved any more.
    pub fatal: bool,
}

/// What is wrong with a level.
#[derive(Serialize, ToSchema)]
pub struct Explained {
    /// Boxes that can never get to a goal.
    pub dead: Vec<DeadBoxes>,
    /// Whether it is certain that there is no plan.
    pub unsolvable: bool,
    /// Why there is none.
    pub reason: Option<String>,
}

/// Says what is wrong with a level.
pub async fn look(server: &Arc<Server>, body: &ExplainBody) -> Result<Explained, Problem> {
    let level = wish::level(&body.puzzle)?;
    let request = wish::level_request(&level, None, false, None)?;
    server
        .quick
        .run(move |stop| {
            let control = Control::new().stop_flag(stop).time_limit(MOST_TIME);
            let reason = reason(&request);
            // What is dead to one player may not be to several.
            let dead = match level.players() {
                [_] => explain(&level, &control),
                _ => vec![],
            };
            let place = |cell: &u16| {
                let (row, column) = level.place(*cell);
                [row - 1, column - 1]
            };
            let dead: Vec<_> = dead
                .into_iter()
                .map(|dead| DeadBoxes {
                    boxes: dead.cells.iter().map(place).collect(),
                    kind: match dead.kind {
                        DeadKind::Square => "square",
                        DeadKind::Freeze => "freeze",
                        DeadKind::Corral => "corral",
                    },
                    words: dead.words,
                    fatal: dead.fatal,
                })
                .collect();
            Explained {
                unsolvable: reason.is_some() || dead.iter().any(|d| d.fatal),
                reason,
                dead,
            }
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_level_has_a_title_and_its_optimum() {
        assert!(shipped().len() > 30);
        for level in shipped() {
            assert!(!level.title.is_empty());
            let known = if level.players == 1 {
                level.pushes.is_some() && level.moves > level.pushes
            } else {
                level.steps.is_some()
            };
            assert!(known, "{}", level.title);
        }
        let first = &shipped()[0];
        assert_eq!((first.pushes, first.moves), (Some(9), Some(30)));
    }
}
