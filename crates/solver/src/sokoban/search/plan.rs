//! Plans from states: the pushes that lead from each state to the next, and the walks between them.
//!
//! A search keeps the boxes of its states, perhaps as an image under a symmetry, and
//! no pushes. From the start on, each next push leads to the boxes of the next state
//! or an image of them. On a symmetric level there may be several such pushes. Then
//! all of them are followed, each state by its shortest path, and the shortest plan
//! at the end is taken.

use noyes_puzzle::tiles::Direction;

use super::canonical::{Spare, canonical};
use super::setup::Setup;
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// A state on the path, and the push that led there.
struct Waypoint {
    boxes: Vec<u16>,
    player: u16,
    moves: u32,
    parent: usize,
    push: (u16, usize),
}

/// The shortest plan that leads, push by push, to the boxes of these packed states. Where the states have the player
/// does not matter.
pub(crate) fn follow<'a>(setup: &Setup, states: impl Iterator<Item = &'a [u64]>) -> Vec<Direction> {
    let pushes = follow_from(setup, &setup.field.boxes, setup.field.player, states);
    walked(setup, &pushes).expect("each push is possible")
}

/// The pushes that lead from a state to the boxes of these packed states, with the fewest moves.
pub(crate) fn follow_from<'a>(
    setup: &Setup,
    boxes: &[u16],
    player: u16,
    states: impl Iterator<Item = &'a [u64]>,
) -> Vec<(u16, usize)> {
    let field = &setup.field;
    let mut position = Position::start(field);
    let mut walk = Walk::new(&field.floor);
    let (mut spare, mut key) = (Spare::default(), vec![0; setup.packing.words]);
    let mut layers: Vec<Vec<Waypoint>> = vec![vec![Waypoint {
        boxes: boxes.to_vec(),
        player,
        moves: 0,
        parent: 0,
        push: (0, 0),
    }]];
    // 1. All states that have these boxes.
    for state in states {
        let mut next: Vec<Waypoint> = vec![];
        for (parent, step) in layers.last().expect("the start").iter().enumerate() {
            position.set(&step.boxes, step.player);
            walk.from(&field.floor, step.player, &position.occupied);
            for (number, &cell) in step.boxes.iter().enumerate() {
                for d in 0..4 {
                    let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
                    if position.occupied[usize::from(to)] != 0
                        || !walk.reaches(from)
                        || !setup.packing.may_hold(to)
                    {
                        continue;
                    }
                    position.shift(number, to);
                    canonical(setup, &position, None, &mut spare, &mut key);
                    let mut boxes = position.boxes.clone();
                    position.shift(number, cell);
                    if key[0] >> 16 != state[0] >> 16 || key[1..] != state[1..] {
                        continue;
                    }
                    boxes.sort_unstable();
                    let step = Waypoint {
                        boxes,
                        player: cell,
                        moves: step.moves + walk.steps(from) + 1,
                        parent,
                        push: (cell, d),
                    };
                    let same = |s: &&mut Waypoint| s.player == cell && s.boxes == step.boxes;
                    match next.iter_mut().find(same) {
                        Some(known) if known.moves > step.moves => *known = step,
                        Some(_) => {}
                        None => next.push(step),
                    }
                }
            }
        }
        layers.push(next);
    }
    // 2. The pushes that lead to the best of the last states.
    let last = layers.last().expect("the start").iter().enumerate();
    let best = last.min_by_key(|(_, step)| step.moves);
    let mut at = best.expect("each state leads to the next").0;
    let mut pushes = vec![];
    for layer in layers.iter().skip(1).rev() {
        pushes.push(layer[at].push);
        at = layer[at].parent;
    }
    pushes.reverse();
    pushes
}

/// The plan that makes these pushes from the start on, each given as a box's cell and a direction, with shortest walks
/// between them; none if one of them is impossible.
pub(crate) fn walked(setup: &Setup, pushes: &[(u16, usize)]) -> Option<Vec<Direction>> {
    let field = &setup.field;
    let mut position = Position::start(field);
    let mut walk = Walk::new(&field.floor);
    let mut plan = vec![];
    for &(cell, d) in pushes {
        walk.from(&field.floor, position.player, &position.occupied);
        let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
        let number = usize::from(position.occupied[usize::from(cell)]).checked_sub(1)?;
        if !walk.reaches(from) || position.occupied[usize::from(to)] != 0 {
            return None;
        }
        plan.extend(walk.path(&field.floor, from));
        plan.push(Direction::ALL[d]);
        position.shift(number, to);
        position.player = cell;
    }
    Some(plan)
}

/// The pushes of a plan, each as a box's cell and a direction.
pub(crate) fn pushes_of(setup: &Setup, plan: &[Direction]) -> Vec<(u16, usize)> {
    let field = &setup.field;
    let mut position = Position::start(field);
    let mut pushes = vec![];
    for &direction in plan {
        let d = direction as usize;
        let to = field.step(position.player, d);
        if let Some(number) = usize::from(position.occupied[usize::from(to)]).checked_sub(1) {
            position.shift(number, field.step(to, d));
            pushes.push((to, d));
        }
        position.player = to;
    }
    pushes
}
