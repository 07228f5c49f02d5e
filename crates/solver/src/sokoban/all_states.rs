//! All states of a small level by plain breadth-first search, which tests compare with.

use std::collections::HashMap;

use super::field::enclosure::Field;
use super::field::position::Position;
use super::field::walk::Walk;
use super::floor::back;

/// Levels with more states are left out.
const MOST: usize = 4000;

/// A state that can be reached from the start.
pub(super) struct State {
    /// In ascending order.
    pub(super) boxes: Vec<u16>,
    /// The lowest cell that the player can walk to.
    pub(super) player: u16,
    /// The pushes from the start.
    pub(super) pushes: u32,
    /// The pushes to the end, if there is a plan.
    pub(super) left: Option<u32>,
}

/// All states of a level; none if there are too many.
pub(super) fn states(field: &Field) -> Option<Vec<State>> {
    let mut walk = Walk::new(&field.floor);
    let mut position = Position::start(field);
    let mut reach = |boxes: &[u16], player: u16| {
        position.set(boxes, player);
        walk.from(&field.floor, player, &position.occupied);
        let reached = walk.reached().to_vec();
        (reached.iter().copied().min().expect("the player"), reached)
    };
    let start = (field.boxes.clone(), reach(&field.boxes, field.player).0);
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let (mut all, mut parents) = (vec![(start, 0)], vec![vec![]]);
    let mut at = 0;
    while at < all.len() {
        let ((boxes, player), pushes) = all[at].clone();
        let (_, reached) = reach(&boxes, player);
        for (i, &cell) in boxes.iter().enumerate() {
            for d in 0..4 {
                let to = field.step(cell, d);
                let is_free = to != field.wall() && !boxes.contains(&to);
                if !is_free || !reached.contains(&field.step(cell, back(d))) {
                    continue;
                }
                let mut next = boxes.clone();
                next[i] = to;
                next.sort_unstable();
                let state = (next.clone(), reach(&next, cell).0);
                let number = *numbers.entry(state.clone()).or_insert(all.len());
                if number == all.len() {
                    all.push((state, pushes + 1));
                    parents.push(vec![]);
                }
                parents[number].push(at);
            }
        }
        at += 1;
        if all.len() > MOST {
            return None;
        }
    }
    let mut left = vec![None; all.len()];
    let solved = |&i: &usize| all[i].0.0 == field.goals;
    let mut layer: Vec<usize> = (0..all.len()).filter(solved).collect();
    for pushes in 0.. {
        layer.retain(|&i| left[i].is_none());
        if layer.is_empty() {
            break;
        }
        for &i in &layer {
            left[i] = Some(pushes);
        }
        layer = layer.iter().flat_map(|&i| parents[i].clone()).collect();
    }
    let states = all.into_iter().zip(left);
    let states = states.map(|(((boxes, player), pushes), left)| State {
        boxes,
        player,
        pushes,
        left,
    });
    Some(states.collect())
}
