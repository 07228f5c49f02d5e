//! Which pattern databases noyes uses by default: the only place where that is decided.
//!
//! On 4×4 the search has three stages of growing tables. SAT uses the tables of the first stage. The service builds the
//! first and the last in advance for its hints, and keeps the tables of these and a few other partitions for all
//! requests. On other sizes the tiles are split evenly into patterns that are quick to build.

use std::time::Duration;

use noyes_puzzle::tiles::Board;

use super::error::TilesError;
#[cfg(any(feature = "gpu", test))]
use super::gpu::DeviceError;
use super::heuristic::{HeuristicMember, HeuristicName, SimpleHeuristic, Walking};
use super::pdb::{Ground, Key, Partition, Symmetry, Tables};
use super::subtrees::Deepening;
use crate::control::Control;
use crate::names::DeviceName;

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

/// SAT does without tables on larger boards, which it hardly ever solves.
const MOST_CELLS_OF_SAT: usize = 25;

/// The default tables of the SAT engine, quick to build. `None` for boards that have no tables.
#[cfg_attr(
    not(feature = "cadical"),
    allow(dead_code, reason = "only lean uses it")
)]
pub(crate) fn of_sat(goal: &Board) -> Option<Partition> {
    let (width, height) = (goal.width(), goal.height());
    let cells = width * height;
    if cells > MOST_CELLS_OF_SAT || width.min(height) < 2 {
        return None;
    }
    if (width, height) == (4, 4) {
        return Some(stage(0, goal));
    }
    split_evenly(goal, if cells > 16 { 5 } else { 6 })
}

/// Patterns of about the same size, with this number of tiles at most; `None` if there would be too many.
fn split_evenly(goal: &Board, most: usize) -> Option<Partition> {
    let cells = goal.width() * goal.height();
    let parts = (cells - 1).div_ceil(most);
    let size = |i: usize| ((cells - 1 + i) / parts).to_string();
    let sizes: Vec<String> = (0..parts).map(size).collect();
    let partition = named(&format!("{}+reflect", sizes.join("-"))).towards(goal);
    partition.keys(goal).is_ok().then_some(partition)
}

/// The best heuristic without tables that take long to build.
pub(crate) fn without_tables(goal: &Board) -> SimpleHeuristic {
    if Walking::fits(goal.width(), goal.height()) {
        SimpleHeuristic::Walking
    } else {
        SimpleHeuristic::LinearConflict
    }
}

/// Tables of 5×5 that are worth their memory, the best first: 33 GB (50 while they are built), 1.5 GB (2.7), 0.1 GB, 4 MB
/// (docs/measured.md, "Shapes").
const OF_5X5: [&str; 4] = [
    "8-8-8+reflect",
    "7-7-7-3+reflect",
    "6-6-6-6+reflect",
    "5-5-5-5-4+reflect",
];
/// The most tiles of patterns that `auto` builds tables for.
const QUICK_TILES: usize = 6;

/// The heuristics of boards that have no policy of their own, the best first.
fn candidates(goal: &Board) -> Vec<HeuristicName> {
    let (width, height) = (goal.width(), goal.height());
    if (width, height) == (5, 5) {
        return OF_5X5
            .iter()
            .map(|name| named(name).towards(goal).into())
            .collect();
    }
    let even = |most: usize| Some(split_evenly(goal, most)?.into());
    [8, 7, 6, 5].into_iter().filter_map(even).collect()
}

/// The best heuristic whose tables fit into this memory.
pub(crate) fn of_memory(goal: &Board, limit: usize, tables: &Tables) -> Option<HeuristicName> {
    let mut candidates = candidates(goal).into_iter();
    candidates.find(|heuristic| table_bytes(heuristic, goal, tables) <= limit)
}

/// The heuristic with which several machines search a board, unless the request names one: every machine has the memory for
/// its tables, and builds them in seconds.
pub(crate) fn of_parts(goal: &Board, tables: &Tables) -> Option<HeuristicName> {
    of_memory(goal, 1 << 30, tables)
}

/// Refuses tables that are larger than the limit before any of them is built. A card builds them in its own memory.
pub(crate) fn check_memory(
    heuristic: &HeuristicName,
    goal: &Board,
    tables: &Tables,
    builder: DeviceName,
    control: &Control,
) -> Result<(), TilesError> {
    let limit = control.most_table_bytes();
    let needed = |heuristic: &HeuristicName| match builder {
        DeviceName::Cpu => table_bytes(heuristic, goal, tables),
        DeviceName::Gpu => kept_bytes(heuristic, goal),
    };
    let bytes = needed(heuristic);
    if bytes <= limit {
        return Ok(());
    }
    let mut candidates = candidates(goal).into_iter();
    Err(TilesError::Memory {
        heuristic: heuristic.clone(),
        bytes,
        limit,
        fits: candidates.find(|smaller| needed(smaller) <= limit),
    })
}

/// Refuses tables that are larger than the room on a card before any of them is built.
#[cfg(any(feature = "gpu", test))]
pub(crate) fn fits_card(
    heuristic: &HeuristicName,
    goal: &Board,
    room: usize,
) -> Result<(), DeviceError> {
    let bytes = kept_bytes(heuristic, goal);
    if bytes <= room {
        return Ok(());
    }
    let gb = |bytes: usize| format!("{:.1} GB", bytes as f64 / 1e9);
    let mut candidates = candidates(goal).into_iter();
    let fits = candidates.find(|heuristic| kept_bytes(heuristic, goal) <= room);
    let fits = match fits {
        Some(fits) => format!("smaller ones, such as {fits}"),
        None => "more free memory on the card".into(),
    };
    Err(DeviceError(format!(
        "the card has room for tables of {}, and those of {heuristic} take {} (expected {fits})",
        gb(room),
        gb(bytes)
    )))
}

/// Tables that are worth having.
pub(crate) struct Choice {
    pub heuristic: HeuristicName,
    /// Whether some have to be built first.
    pub has_to_build: bool,
}

/// What `auto` uses on boards with tables other than 4×4: the best tables that can be read within a third of the time,
/// or built if they are small and the goal has its blank in a corner.
pub(crate) fn at_hand(goal: &Board, tables: &Tables, control: &Control) -> Option<Choice> {
    // Tables stay in memory, so not every goal that somebody thinks of gets its own.
    let frame = Symmetry::frame(goal.width(), goal.height(), goal.blank());
    let is_usual = frame.cell(goal.blank()) == 0;
    let most_time = control.time_left().map(|time| time / 3);
    let choice = |heuristic: HeuristicName| {
        let (mut time, mut has_to_build) = (0.0, false);
        for key in keys(&heuristic, goal) {
            let bytes = Ground::about_table_bytes(&key) as f64;
            if tables.is_loaded(&key) {
                continue;
            }
            // A disk reads half a gigabyte a second, and a core builds 15 MB.
            if tables.is_in_folder(&key) {
                time += bytes / 5e8;
            } else if is_usual && key.cells.len() <= QUICK_TILES {
                time += bytes / 15e6;
                has_to_build = true;
            } else {
                return None;
            }
        }
        let fits = Deepening::fits(&heuristic, goal)
            && table_bytes(&heuristic, goal, tables) <= control.most_table_bytes()
            && most_time.is_none_or(|most| Duration::from_secs_f64(time) <= most);
        fits.then_some(Choice {
            heuristic,
            has_to_build,
        })
    };
    candidates(goal).into_iter().find_map(choice)
}

/// The bytes that the tables of a heuristic take: together, and while one of them is built that does not exist yet.
pub(crate) fn table_bytes(heuristic: &HeuristicName, goal: &Board, tables: &Tables) -> usize {
    let keys = distinct_keys(heuristic, goal);
    let exists = |key: &Key| tables.is_loaded(key) || tables.is_in_folder(key);
    let building = keys
        .iter()
        .filter(|key| !exists(key))
        .map(|key| Ground::about_build_bytes(key).saturating_sub(Ground::about_table_bytes(key)));
    let kept: usize = keys.iter().map(Ground::about_table_bytes).sum();
    kept + building.max().unwrap_or(0)
}

/// The bytes that the tables of a heuristic take once they are built.
fn kept_bytes(heuristic: &HeuristicName, goal: &Board) -> usize {
    let keys = distinct_keys(heuristic, goal);
    keys.iter().map(Ground::about_table_bytes).sum()
}

/// The tables of a heuristic; symmetric patterns share one.
fn distinct_keys(heuristic: &HeuristicName, goal: &Board) -> Vec<Key> {
    let mut keys = keys(heuristic, goal);
    for key in &mut keys {
        *key = key.canonical().0;
    }
    keys.sort_unstable_by(|a, b| a.cells.cmp(&b.cells));
    keys.dedup();
    keys
}

pub(crate) fn keys(heuristic: &HeuristicName, goal: &Board) -> Vec<Key> {
    let keys = |member: &HeuristicMember| match member {
        HeuristicMember::Simple(_) => vec![],
        HeuristicMember::Databases(partition) => partition.keys(goal).unwrap_or_default(),
    };
    heuristic.members().iter().flat_map(keys).collect()
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
    fn the_24_puzzle_has_tables_for_any_memory() {
        let goal = Board::blank_first(5, 5);
        for (megabytes, expected) in [
            (60_000, "pdb:8-8-8+reflect"),
            (40_000, "pdb:7-7-7-3+reflect"), // 8-8-8 fits once it is built
            (20_000, "pdb:7-7-7-3+reflect"),
            (8_000, "pdb:7-7-7-3+reflect"),
            (3_000, "pdb:7-7-7-3+reflect"),
            (1_000, "pdb:6-6-6-6+reflect"),
            (50, "pdb:5-5-5-5-4+reflect"),
        ] {
            let best = of_memory(&goal, megabytes * 1_000_000, &Tables::in_memory()).unwrap();
            assert_eq!(best.to_string(), expected, "{megabytes} MB");
        }
        assert_eq!(of_memory(&goal, 1_000_000, &Tables::in_memory()), None);
        let once = named("8-8-8+reflect").into();
        let kept: usize = keys(&once, &goal)
            .iter()
            .map(Ground::about_table_bytes)
            .sum();
        assert!(
            kept < 40_000_000_000,
            "tables count once, with +reflect too"
        );
    }

    #[test]
    fn a_card_that_is_too_small_is_refused_with_what_fits() {
        let goal = Board::blank_first(5, 5);
        let large: HeuristicName = named("8-8-8+reflect").into();
        let refused = |gb: usize| {
            let error = fits_card(&large, &goal, gb * 1_000_000_000).unwrap_err();
            error.to_string()
        };
        assert_eq!(fits_card(&large, &goal, 40_000_000_000), Ok(()));
        assert_eq!(
            refused(20),
            "GPU: the card has room for tables of 20.0 GB, and those of pdb:8-8-8+reflect take 33.0 GB (expected smaller \
             ones, such as pdb:7-7-7-3+reflect)"
        );
        assert!(refused(1).ends_with("such as pdb:6-6-6-6+reflect)"));
        assert!(refused(0).ends_with("take 33.0 GB (expected more free memory on the card)"));
    }

    #[test]
    fn a_card_builds_tables_in_its_own_memory() {
        let goal = Board::blank_first(5, 5);
        let large: HeuristicName = named("8-8-8+reflect").into();
        let tables = Tables::in_memory();
        let control = Control::new().table_limit(40_000_000_000);
        let needs = |builder| match check_memory(&large, &goal, &tables, builder, &control) {
            Err(TilesError::Memory { bytes, .. }) => bytes,
            _ => 0,
        };
        assert!(needs(DeviceName::Cpu) > 40_000_000_000);
        assert_eq!(needs(DeviceName::Gpu), 0);
    }

    #[test]
    fn boards_from_3x5_to_5x6_have_tables() {
        for (width, height) in [(3, 5), (6, 3), (5, 4), (4, 6), (5, 5), (4, 7), (5, 6)] {
            let goal = Board::blank_last(width, height);
            let heuristic = of_memory(&goal, 1 << 29, &Tables::in_memory()).unwrap();
            let tiles: usize = keys(&heuristic, &goal).iter().map(|k| k.cells.len()).sum();
            assert!(
                tiles > 0 && tiles.is_multiple_of(width * height - 1),
                "{heuristic}"
            );
            assert!(Deepening::fits(&heuristic, &goal));
        }
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
