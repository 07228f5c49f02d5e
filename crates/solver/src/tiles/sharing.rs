//! Which requests can be searched in parts by several machines, and with which tables.

use std::path::PathBuf;

use super::error::TilesError;
use super::full_table::Positions;
#[cfg(not(feature = "gpu"))]
use super::gpu::DeviceError;
use super::heuristic::HeuristicName;
use super::pdb::TableError;
use super::policy;
use super::subtrees::{Deepening, Part, PartEnd, Parts};
use crate::control::{Control, Stop};
use crate::names::DeviceName;
use crate::puzzle::BoardPuzzle;
use crate::request::{BoardMethod, Request, SlideEngine, Task};

/// The heuristic with which a request can be searched in parts, if it can: by IDA* with pattern databases.
pub fn heuristic_of_parts(request: &Request) -> Option<HeuristicName> {
    let Task::Board(board, method) = &request.task else {
        return None;
    };
    let goal = &board.goal;
    let heuristic = match method {
        BoardMethod::Slides(one) if one.engine == SlideEngine::IdaStar => one.heuristic.clone(),
        BoardMethod::Auto {
            heuristic: Some(heuristic),
            ..
        } => heuristic.clone(),
        // Smaller boards are solved as soon as they are sent.
        BoardMethod::Auto { .. }
            if !board.is_fifteen() && !Positions::fits(goal.width(), goal.height()) =>
        {
            policy::of_parts(goal, request.cache.tables())?
        }
        _ => return None,
    };
    let is_possible = board.why_unsolvable().is_none() && Deepening::fits(&heuristic, goal);
    is_possible.then_some(heuristic)
}

/// Finds or builds the tables of a request that can be searched in parts; a limit may be reached before they are ready.
///
/// # Errors
/// If the tables do not fit into memory, or the request cannot be searched in parts.
pub fn parts_of(request: &Request, control: &Control) -> Result<Result<Parts, Stop>, TilesError> {
    let (board, heuristic, duplicates) = board_of_parts(request)?;
    let cache = &request.cache;
    let builder = DeviceName::Cpu;
    policy::check_memory(&heuristic, &board.goal, cache.tables(), builder, control)?;
    let deepening = cache.deepening(&heuristic, &board.goal, duplicates, control);
    Ok(match deepening {
        Ok(deepening) => Ok(Parts::new(deepening, board.start.clone())),
        Err(TableError(stop)) => Err(stop),
    })
}

/// Searches several parts of one limit together on the graphics card; a limit may be reached before it is ready.
///
/// # Errors
/// If there is no card, or it does not suffice, or fails; or if a part is not one of this tree.
#[cfg(feature = "gpu")]
pub fn search_on_card(
    request: &Request,
    tree: &Parts,
    parts: &[Part],
    control: &Control,
) -> Result<Result<Vec<PartEnd>, Stop>, TilesError> {
    let (board, heuristic, duplicates) = board_of_parts(request)?;
    let searched =
        request
            .cache
            .with_card(&heuristic, &board.goal, duplicates, control, |_, card| {
                tree.search_on(card, parts, control)
            });
    Ok(match searched? {
        Ok(ends) => Ok(ends?),
        Err(TableError(stop)) => Err(stop),
    })
}

/// The same in a program that cannot use cards.
///
/// # Errors
/// Always.
#[cfg(not(feature = "gpu"))]
pub fn search_on_card(
    _: &Request,
    _: &Parts,
    _: &[Part],
    _: &Control,
) -> Result<Result<Vec<PartEnd>, Stop>, TilesError> {
    Err(DeviceError::no_support().into())
}

/// The board of a request that can be searched in parts, its heuristic, and its depth of duplicates.
fn board_of_parts(
    request: &Request,
) -> Result<(&BoardPuzzle, HeuristicName, Option<usize>), TilesError> {
    let (Task::Board(board, method), Some(heuristic)) =
        (&request.task, heuristic_of_parts(request))
    else {
        return Err(TilesError::Whole);
    };
    let duplicates = match method {
        BoardMethod::Slides(one) => one.descent.duplicates,
        BoardMethod::Auto { descent, .. } => descent.duplicates,
        _ => None,
    };
    Ok((board, heuristic, duplicates))
}

/// The files of the tables that a request names and the folder does not have yet.
pub fn missing_tables(request: &Request) -> Vec<PathBuf> {
    let Task::Board(board, method) = &request.task else {
        return vec![];
    };
    let named = match method {
        BoardMethod::Slides(one) => Some(&one.heuristic),
        BoardMethod::Auto { heuristic, .. } => heuristic.as_ref(),
        BoardMethod::Sat(_, heuristic) => Some(heuristic),
        BoardMethod::Human | BoardMethod::Table => None,
    };
    let tables = request.cache.tables();
    let keys = named.map_or_else(Vec::new, |name| policy::keys(name, &board.goal));
    let files = keys.iter().filter(|key| !tables.is_loaded(key));
    let mut files: Vec<PathBuf> = files.filter_map(|key| tables.path(key)).collect();
    files.retain(|file| !file.exists());
    files.sort_unstable();
    files.dedup();
    files
}
