//! Levels that have no plan, by a search of all that can be done.
//!
//! With fewer boxes than goals there is no plan. With as many, every box has to end on a goal. Then it is enough to look at
//! some of the boxes: take the others away, which only makes room, and try everything. If these boxes never all stand
//! on goals, there is no plan. With more boxes than goals all of them are looked at.
//!
//! In a crew several boxes can be pushed at once. The search then lets players be anywhere, and pushes the boxes one
//! after the other; each pushed box goes to a cell that was free before, so that allows at least as much.

use std::collections::HashSet;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use crate::verdict::count;

/// The most positions that are kept, the most places of boxes in them, and the most cells that are looked at: some seconds, and
/// less than 2 GB.
const MOST_POSITIONS: usize = 5_000_000;
const MOST_PLACES: usize = 200_000_000;
const MOST_CELLS: usize = 2_000_000_000;

/// Why a level has no plan, in words. The boxes are given by row and column, from 1.
///
/// # Errors
/// Why these boxes do not show it.
pub fn stuck(level: &Level, boxes: &[(usize, usize)]) -> Result<String, String> {
    let mut looked_at = 0;
    stuck_while(level, boxes, &mut |positions| {
        looked_at += level.cells();
        positions < MOST_POSITIONS
            && positions * boxes.len() < MOST_PLACES
            && looked_at < MOST_CELLS
    })
}

/// The same while a function of the number of positions looked at says so.
///
/// # Errors
/// Why these boxes do not show it, or that there were too many positions.
pub fn stuck_while(
    level: &Level,
    boxes: &[(usize, usize)],
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<String, String> {
    let (all, goals) = (level.boxes().len(), level.goals().count());
    if all < goals {
        return Ok(format!("there are {goals} goals but only {all} boxes"));
    }
    let mut start = vec![];
    for &(row, column) in boxes {
        let is_there = |cell: &&u16| level.place(**cell) == (row, column);
        let cell = level.boxes().iter().find(is_there);
        start.push(*cell.ok_or(format!("there is no box at row {row}, column {column}"))?);
    }
    start.sort_unstable();
    start.dedup();
    if start.is_empty() || (all > goals && start.len() < all) {
        return Err("these boxes do not show that there is no plan".into());
    }
    let looked_at = search(level, start.clone(), go_on)?;
    let places: Vec<String> = (start.iter())
        .map(|&cell| level.place(cell))
        .map(|(row, column)| format!("row {row}, column {column}"))
        .collect();
    let (places, positions) = (places.join("; "), count(looked_at as u64, "position"));
    Ok(if start.len() == 1 {
        format!(
            "the box at {places} can never be on a goal: it can get into {positions}, and all were looked at"
        )
    } else {
        format!(
            "the boxes at {places} can never all be on goals: they can get into {positions}, and all were looked at"
        )
    })
}

/// Looks at all positions of some boxes; returns how many there are, or why there may be a plan.
fn search(
    level: &Level,
    start: Vec<u16>,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<usize, String> {
    let needed = start.len().min(level.goals().count());
    let crew = level.players().len() > 1;
    let mut player = level.players().first().copied();
    if crew {
        player = None; // anywhere
    }
    let first = Position {
        boxes: start,
        player,
    }
    .canonical(level);
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = vec![first];
    while let Some(position) = todo.pop() {
        let on_goals = position.boxes.iter().filter(|&&cell| level.is_goal(cell));
        if on_goals.count() >= needed {
            return Err(if crew {
                "if the players could be anywhere, there would be a plan, and the search is no finer for a crew"
            } else {
                "these boxes can be brought to goals"
            }
            .into());
        }
        let region = position.region(level);
        for (i, &cell) in position.boxes.iter().enumerate() {
            for direction in Direction::ALL {
                let behind = level.neighbour(cell, direction.opposite());
                let beyond = level.neighbour(cell, direction);
                let (Some(behind), Some(beyond)) = (behind, beyond) else {
                    continue;
                };
                let free = level.is_floor(beyond) && !position.boxes.contains(&beyond);
                if !free || !region[usize::from(behind)] {
                    continue;
                }
                let mut boxes = position.boxes.clone();
                boxes[i] = beyond;
                boxes.sort_unstable();
                let player = player.map(|_| cell);
                let next = Position { boxes, player }.canonical(level);
                if !go_on(seen.len()) {
                    return Err("there are too many positions to look at".into());
                }
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    Ok(seen.len())
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Position {
    boxes: Vec<u16>,
    /// Nothing if players can be anywhere.
    player: Option<u16>,
}

impl Position {
    /// The same with the player on the first cell it can walk to: positions between which the player can walk are one.
    fn canonical(mut self, level: &Level) -> Position {
        if self.player.is_some() {
            let reached = self.region(level).iter().position(|&reached| reached);
            self.player = reached.map(|cell| cell as u16);
        }
        self
    }

    /// By cell: whether a player can get there without a push.
    fn region(&self, level: &Level) -> Vec<bool> {
        let Some(player) = self.player else {
            let cells = 0..level.cells();
            return cells.map(|cell| level.is_floor(cell as u16)).collect();
        };
        let mut region = vec![false; level.cells()];
        let mut is_box = region.clone();
        for &cell in &self.boxes {
            is_box[usize::from(cell)] = true;
        }
        let mut todo = vec![player];
        while let Some(cell) = todo.pop() {
            if region[usize::from(cell)] || !level.is_floor(cell) || is_box[usize::from(cell)] {
                continue;
            }
            region[usize::from(cell)] = true;
            todo.extend(
                Direction::ALL
                    .iter()
                    .filter_map(|&d| level.neighbour(cell, d)),
            );
        }
        region
    }
}
