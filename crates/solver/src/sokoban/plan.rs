//! Plans from states: the pushes that lead from each state to the next, and the walks between them.
//!
//! Searches keep states, perhaps as images under a symmetry, and no pushes. From
//! the start on, some push leads to a state that is the next one or an image of
//! it; of several the one with the shortest walk is taken.

use noyes_puzzle::tiles::Direction;

use super::field::{Walk, back};
use super::setup::{Position, Setup, Spare, canonical};

/// The plan through these packed states, which come after the start. With `exact` they say where the player is.
pub(crate) fn follow<'a>(
    setup: &Setup,
    states: impl Iterator<Item = &'a [u64]>,
    exact: bool,
) -> Vec<Direction> {
    let field = &setup.field;
    let mut position = Position::start(field);
    let (mut walk, mut after) = (Walk::new(field), Walk::new(field));
    let (mut spare, mut key) = (Spare::default(), vec![0; setup.packing.words]);
    let mut plan = vec![];
    for state in states {
        walk.from(field, position.player, &position.occupied);
        let mut found: Option<(u32, usize, usize)> = None;
        for number in 0..position.boxes.len() {
            let cell = position.boxes[number];
            for d in 0..4 {
                let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
                if position.occupied[usize::from(to)] != 0
                    || !walk.reaches(from)
                    || setup.surplus == 0 && !setup.distances.is_live(to)
                {
                    continue; // no push, or to a cell where no state has a box
                }
                let player = std::mem::replace(&mut position.player, cell);
                position.shift(number, to);
                let anywhere = (!exact).then(|| {
                    after.from(field, cell, &position.occupied);
                    &after
                });
                canonical(setup, &position, anywhere, &mut spare, &mut key);
                position.shift(number, cell);
                position.player = player;
                let steps = walk.steps(from);
                if key == state && found.is_none_or(|f| steps < f.0) {
                    found = Some((steps, number, d));
                }
            }
        }
        let (_, number, d) = found.expect("a child of its parent");
        let cell = position.boxes[number];
        plan.extend(walk.path(field, field.step(cell, back(d))));
        plan.push(Direction::ALL[d]);
        position.shift(number, field.step(cell, d));
        position.player = cell;
    }
    plan
}
