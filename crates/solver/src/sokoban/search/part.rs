//! The level between two states of another level: its boxes are those of the first, its goals
//! are where the boxes of the second are.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::plan::pushes_of;
use super::setup::Setup;
use crate::sokoban::field::enclosure::Field;

/// The player's enclosure of a level, with other boxes, goals and player.
pub(super) fn part_of(
    level: &Level,
    field: &Field,
    boxes: &[u16],
    goals: &[u16],
    player: u16,
) -> Level {
    let cell = |number: u16| field.floor.cells[usize::from(number)];
    let mut walls = vec![true; level.cells()];
    for &cell in &field.floor.cells {
        walls[usize::from(cell)] = false;
    }
    let mut is_goal = vec![false; level.cells()];
    for &goal in goals {
        is_goal[usize::from(cell(goal))] = true;
    }
    let boxes: Vec<u16> = boxes.iter().map(|&b| cell(b)).collect();
    Level::new(level.width(), &walls, &is_goal, &boxes, &[cell(player)]).expect("a part of a level")
}

/// The pushes of a plan of a part, with the cells of the whole field.
pub(super) fn pushes_in_whole(
    part: &Setup,
    plan: &[Direction],
    field: &Field,
) -> Vec<(u16, usize)> {
    let number = |cell: u16| {
        let level_cell = part.field.floor.cells[usize::from(cell)];
        field.floor.number(level_cell)
    };
    let pushes = pushes_of(part, plan).into_iter();
    pushes
        .filter_map(|(cell, d)| Some((number(cell)?, d)))
        .collect()
}
