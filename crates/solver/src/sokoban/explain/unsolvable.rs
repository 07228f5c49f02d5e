//! Why a level has no plan, for the cases that can be seen without a full search.
//!
//! Counting: there are fewer boxes than goals within the player's reach, or an empty
//! goal in an enclosure without a player. Distances: a box that is needed can reach no
//! goal, or a set of goals is within reach of fewer boxes than it has goals, so there
//! is no assignment. By Hall's theorem there is always such a set if there is no
//! assignment, and a failed attempt to match shows it. Freezing, as in `explain`. It
//! takes a search to find out about other levels without a plan.
//!
//! Hall: On representatives of subsets. Journal of the London Mathematical Society
//! 10, 1935.

use noyes_puzzle::sokoban::Level;

use super::dead::{explain, list};
use crate::control::Control;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::{Distances, MOST_MATCHED, NEVER};
use crate::sokoban::field::enclosure::Field;

/// Why a level has no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hopeless {
    /// The reason as a sentence.
    pub words: String,
    /// The cells of the level that show it: boxes or goals. Empty if the reason is only about numbers.
    pub cells: Vec<u16>,
}

/// Why the level's first player cannot solve it, if that can be seen without a full search, and before the control stops it.
pub fn why_unsolvable(level: &Level, control: &Control) -> Option<Hopeless> {
    let field = Field::new(level);
    // 1. Numbers.
    if let Some(&goal) = field.sealed_goals.first() {
        let (row, column) = level.place(goal);
        return Some(Hopeless {
            words: format!(
                "the player can never get to the empty goal at row {row}, column {column}"
            ),
            cells: field.sealed_goals,
        });
    }
    let (boxes, goals) = (field.boxes.len(), field.goals.len());
    if boxes < goals {
        let boxes = match boxes {
            0 => "no box is".into(),
            1 => "only 1 box is".into(),
            _ => format!("only {boxes} boxes are"),
        };
        let goals = format!("{goals} goal{}", if goals == 1 { "" } else { "s" });
        return Some(Hopeless {
            words: format!("{boxes} within reach for {goals}"),
            cells: vec![],
        });
    }
    // 2. Dead boxes.
    let dead = explain(level, control);
    let fatal: Vec<_> = dead.into_iter().filter(|d| d.fatal).collect();
    match &fatal[..] {
        [] => {}
        [one] => {
            return Some(Hopeless {
                words: one.words.clone(),
                cells: one.cells.clone(),
            });
        }
        [first, ..] if boxes == goals => {
            return Some(Hopeless {
                words: first.words.clone(),
                cells: first.cells.clone(),
            });
        }
        many => {
            let mut cells: Vec<u16> = many.iter().flat_map(|d| d.cells.clone()).collect();
            cells.sort_unstable();
            cells.dedup();
            let words = format!(
                "{} are dead, and too few others are left",
                list(level, &cells)
            );
            return Some(Hopeless { words, cells });
        }
    }
    // 3. Goals that too few boxes can reach.
    if boxes > MOST_MATCHED {
        return None;
    }
    let mut memory = Memory::new(control);
    let distances = Distances::to_goals(&field, &mut memory).ok()?;
    let reaches = |b: usize, g: usize| {
        let cell = field.boxes[b];
        let place = distances.place(cell, field.side_of(cell, field.player));
        distances.row(place)[g] != NEVER
    };
    let mut goal_of: Vec<Option<usize>> = vec![None; boxes];
    for goal in 0..goals {
        let mut seen = vec![false; boxes];
        if !give(goal, boxes, &reaches, &mut goal_of, &mut seen) {
            let reached = (0..boxes).filter(|&b| seen[b]);
            let mut wanted: Vec<usize> = reached.filter_map(|b| goal_of[b]).collect();
            let found = wanted.len();
            wanted.push(goal);
            wanted.sort_unstable();
            let cells: Vec<u16> = wanted
                .iter()
                .map(|&g| field.floor.cells[usize::from(field.goals[g])])
                .collect();
            let places: Vec<String> = cells
                .iter()
                .map(|&cell| {
                    let (row, column) = level.place(cell);
                    format!("row {row}, column {column}")
                })
                .collect();
            let words = match found {
                0 => format!("no box can reach the goal at {}", places.join("; ")),
                _ => format!(
                    "only {found} of the boxes can reach the {} goals at {}",
                    cells.len(),
                    places.join("; ")
                ),
            };
            return Some(Hopeless { words, cells });
        }
    }
    None
}

/// Assigns a box to a goal, taking it from another goal if necessary. Marks the boxes that it tries in `seen`.
fn give(
    goal: usize,
    boxes: usize,
    reaches: &impl Fn(usize, usize) -> bool,
    goal_of: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for b in 0..boxes {
        if seen[b] || !reaches(b, goal) {
            continue;
        }
        seen[b] = true;
        if goal_of[b].is_none_or(|other| give(other, boxes, reaches, goal_of, seen)) {
            goal_of[b] = Some(goal);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::fewest_pushes;
    use crate::sokoban::test_levels::{random_level, read};

    fn words(rows: &[&str]) -> Option<String> {
        why_unsolvable(&read(rows), &Control::new()).map(|reason| reason.words)
    }

    #[test]
    fn reasons_name_what_is_wrong() {
        assert_eq!(words(&["######", "#@ $.#", "######"]), None);
        let few = words(&["######", "#@$..#", "######"]);
        assert_eq!(
            few.as_deref(),
            Some("only 1 box is within reach for 2 goals")
        );
        let sealed = words(&["########", "#@$ .#.#", "########"]);
        let expected = "the player can never get to the empty goal at row 2, column 7";
        assert_eq!(sealed.as_deref(), Some(expected));
        let corner = words(&["#####", "#$ .#", "# @ #", "#####"]);
        let expected = "the box at row 2, column 2 can reach no goal";
        assert_eq!(corner.as_deref(), Some(expected));
        let hall = words(&["########", "#  $  .#", "#@ $   #", "#     .#", "########"]);
        assert_eq!(hall, None);
        let hall = words(&[
            "########", "# $ $ .#", "#@     #", "#      #", "#   .  #", "########",
        ]);
        let expected = "no box can reach the goal at row 5, column 5";
        assert_eq!(hall.as_deref(), Some(expected));
    }

    #[test]
    fn a_reason_that_takes_a_search_is_given_up_when_the_search_is_stopped() {
        let stopped = Control::new().stop_flag(std::sync::Arc::new(true.into()));
        let is_fence = |reason: &Hopeless| reason.cells.len() > 1;
        let levels = (0..3000).map(random_level);
        let given_up = levels.filter(|level| {
            let free = why_unsolvable(level, &Control::new());
            free.is_some_and(|r| is_fence(&r)) && why_unsolvable(level, &stopped).is_none()
        });
        assert!(given_up.count() > 10);
    }

    #[test]
    fn a_level_with_a_plan_has_no_reason_against_it() {
        for seed in 0..400 {
            let level = random_level(seed);
            let plan = fewest_pushes(&level, &Control::new()).outcome.plan;
            let reason = why_unsolvable(&level, &Control::new());
            assert!(
                plan.is_none() || reason.is_none(),
                "seed {seed}: {reason:?}"
            );
        }
    }
}
