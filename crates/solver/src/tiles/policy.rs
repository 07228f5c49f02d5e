//! Which pattern databases noyes uses by default: the only place where that is decided.
//!
//! On 4×4 the search has three stages of growing tables. SAT uses the tables of the first stage. The service builds the
//! first and the last in advance for its hints, and keeps the tables of these and a few other partitions for all
//! requests. On other sizes the tiles are split evenly into patterns that are quick to build.

use noyes_puzzle::tiles::Board;

use super::heuristic::{HeuristicMember, HeuristicName};
use super::pdb::{Key, Partition};

/// The tables of 4×4, and how many states the search may generate with them before it builds the next ones.
pub(crate) const STAGES: [(&str, u64); 3] = [
    ("6-6-3+reflect", 30_000_000),
    ("7-7-1+reflect", 90_000_000),
    ("7-8+reflect", u64::MAX),
];

/// States that the search may generate with smaller tables before it reads larger ones from a folder: about the time
/// that it takes to read 7-8.
pub(crate) const OPENING: u64 = 2_000_000;

/// Partitions of 4×4 that people name, with and without their reflection.
const COMMON: [&str; 4] = ["5-5-5", "6-6-3", "7-7-1", "7-8"];

/// The partition of a stage of 4×4 towards this goal.
pub(crate) fn stage(stage: usize, goal: &Board) -> Partition {
    named(STAGES[stage].0).towards(goal)
}

/// The partitions of 4×4 that are worth building in advance, in this order: the first is built in no time, the last
/// solves a board in a millisecond or two.
pub fn worth_building() -> [Partition; 2] {
    [named(STAGES[0].0), named(STAGES[STAGES.len() - 1].0)]
}

/// The default tables of the SAT engine, quick to build. `None` for boards that have no tables.
#[cfg_attr(
    not(feature = "cadical"),
    allow(dead_code, reason = "only lean uses it")
)]
pub(crate) fn of_sat(goal: &Board) -> Option<Partition> {
    let (width, height) = (goal.width(), goal.height());
    let cells = width * height;
    if cells > Key::MOST_CELLS || width.min(height) < 2 {
        return None;
    }
    if (width, height) == (4, 4) {
        return Some(stage(0, goal));
    }
    let most = if cells > 16 { 5 } else { 6 };
    let parts = (cells - 1).div_ceil(most);
    let size = |i: usize| ((cells - 1 + i) / parts).to_string();
    let sizes: Vec<String> = (0..parts).map(size).collect();
    Some(named(&format!("{}+reflect", sizes.join("-"))).towards(goal))
}

/// Whether the tables of a heuristic are worth keeping for other requests: those of common partitions of 4×4 towards
/// the usual goals.
pub fn is_common(heuristic: &HeuristicName, goal: &Board) -> bool {
    let usual = [Board::blank_last(4, 4), Board::blank_first(4, 4)].contains(goal);
    heuristic.members().iter().all(|member| match member {
        HeuristicMember::Simple(_) => true,
        HeuristicMember::Databases(partition) => {
            let name = partition.to_string();
            usual && COMMON.contains(&name.strip_suffix("+reflect").unwrap_or(&name))
        }
    })
}

fn named(text: &str) -> Partition {
    text.parse().expect("a partition")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_is_common_and_fits_the_usual_goals() {
        for goal in [Board::blank_last(4, 4), Board::blank_first(4, 4)] {
            for (i, (name, _)) in STAGES.iter().enumerate() {
                assert!(is_common(&named(name).into(), &goal));
                assert!(stage(i, &goal).keys(&goal).is_ok());
            }
        }
        assert!(!is_common(&named("8-7").into(), &Board::blank_last(4, 4)));
        assert!(!is_common(&named("7-8").into(), &Board::blank_last(4, 3)));
    }

    #[test]
    fn the_tables_of_sat_hold_every_tile() {
        for (width, height) in [(2, 2), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (5, 5)] {
            let goal = Board::blank_last(width, height);
            let keys = of_sat(&goal).unwrap().keys(&goal).unwrap();
            let tiles: usize = keys.iter().map(|key| key.cells.len()).sum();
            assert_eq!(tiles, width * height - 1);
        }
        assert!(of_sat(&Board::blank_last(9, 1)).is_none());
        assert!(of_sat(&Board::blank_last(6, 6)).is_none());
    }
}
