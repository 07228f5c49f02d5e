//! From pushes to moves: the walks between them.

use std::collections::VecDeque;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::boxes::Push;
use crate::sokoban::JointStep;

/// The moves of a plan of pushes, with the shortest walks. Ends early where a push cannot be made, which the replay will see.
pub(crate) fn walk(level: &Level, plan: &[Push]) -> Vec<JointStep> {
    let mut boxes = vec![false; level.cells()];
    level
        .boxes()
        .iter()
        .for_each(|&b| boxes[usize::from(b)] = true);
    let mut player = level.players()[0];
    let mut steps = vec![];
    for push in plan {
        let behind = level.neighbour(push.cell, push.direction.opposite());
        let way = behind.and_then(|behind| way(level, &boxes, player, behind));
        let to = level.neighbour(push.cell, push.direction);
        let (Some(way), Some(to)) = (way, to) else {
            break;
        };
        let moves = way.into_iter().chain([push.direction]);
        steps.extend(moves.map(|d| JointStep::from([Some(d)])));
        boxes[usize::from(push.cell)] = false;
        boxes[usize::from(to)] = true;
        player = push.cell;
    }
    steps
}

/// A shortest walk between boxes.
fn way(level: &Level, boxes: &[bool], from: u16, to: u16) -> Option<Vec<Direction>> {
    let mut came: Vec<Option<Direction>> = vec![None; level.cells()];
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        if cell == to {
            let (mut way, mut at) = (vec![], to);
            while at != from {
                let direction = came[usize::from(at)].expect("on the way");
                way.push(direction);
                at = level
                    .neighbour(at, direction.opposite())
                    .expect("it came from there");
            }
            way.reverse();
            return Some(way);
        }
        for direction in Direction::ALL {
            if let Some(next) = level.neighbour(cell, direction)
                && next != from
                && !boxes[usize::from(next)]
                && came[usize::from(next)].is_none()
            {
                came[usize::from(next)] = Some(direction);
                queue.push_back(next);
            }
        }
    }
    None
}
