//! The pushes of a feature-space search: how a state was reached, push by push.
//!
//! A search stores macro moves only: where a box was and where it went. The pushes in between
//! are found again when a plan is wanted.

use super::{FeatureSearch, Reached};
use crate::sokoban::bound::distance::Way;
use crate::sokoban::field::position::Position;
use crate::sokoban::large::cells::Move;
use crate::sokoban::large::macros::{Macro, sides_reached};
use crate::sokoban::large::meeting::Push;

impl FeatureSearch<'_> {
    /// The pushes that lead to a state, or backward from it to the goals.
    pub(crate) fn plan(&mut self, id: u32) -> Vec<Push> {
        let field = &self.setup.field;
        let count = field.boxes.len();
        let mut chain = vec![id];
        while let Some(&last) = chain.last()
            && self.states[last as usize].parent != u32::MAX
        {
            chain.push(self.states[last as usize].parent);
        }
        chain.reverse();
        let mut pushes = vec![];
        for pair in chain.windows(2) {
            let (before, after) = (
                &self.states[pair[0] as usize],
                &self.states[pair[1] as usize],
            );
            let boxes = &self.boxes[pair[0] as usize * count..][..count];
            self.position.set(boxes, before.player);
            let Position { occupied, .. } = &mut self.position;
            self.walk.from(&field.floor, before.player, occupied);
            let sides = sides_reached(&field.floor, &self.walk, after.from);
            self.regions.mark(&field.floor, occupied);
            self.macros.find(
                field,
                occupied,
                self.regions.marked(),
                after.from,
                sides,
                self.style.way,
                |_, _| true,
            );
            // With the player on another side of the same part of the floor, the plan goes on all the same.
            let is_end = |p: &Macro| (p.to, p.side) == (after.to, after.side) && p.pushes > 0;
            let at = self.macros.found.iter().position(is_end);
            let at = at.expect("the move was made");
            for (from, to) in self.macros.path(at) {
                let (from, to) = if self.style.way == Way::Push {
                    (from, to)
                } else {
                    (to, from)
                };
                let d = (0..4).find(|&d| field.step(from, d) == to);
                pushes.push((from, d.expect("they are neighbours")));
            }
        }
        if self.style.way == Way::Pull {
            pushes.reverse();
        }
        pushes
    }

    /// The pushes between this search's end and a known state, given its hash.
    pub(crate) fn pushes_to(&mut self, hash: u64) -> Option<Vec<Push>> {
        let floor = &self.setup.field.floor;
        let count = self.setup.field.boxes.len();
        for id in 0..self.states.len() {
            let Reached { parent, player, .. } = self.states[id];
            if parent != u32::MAX {
                break; // the states to begin from come first
            }
            self.position
                .set(&self.boxes[id * count..][..count], player);
            let Position {
                boxes, occupied, ..
            } = &self.position;
            let region = self.regions.own(floor, occupied, player);
            if self.hashes.of(boxes, region) == hash {
                return Some(vec![]);
            }
        }
        let made = self.states.iter().map(Reached::made);
        let made: Vec<Move> = made.chain(self.cells.moves()).collect();
        for made in made.into_iter().filter(|made| made.parent != u32::MAX) {
            let Move {
                parent, from, to, ..
            } = made;
            let player = floor.step(to, usize::from(made.side));
            let boxes = &self.boxes[parent as usize * count..][..count];
            self.position.set(boxes, player);
            let number = self.position.occupied[usize::from(from)] - 1;
            self.position.shift(usize::from(number), to);
            let Position {
                boxes, occupied, ..
            } = &self.position;
            let region = self.regions.own(floor, occupied, player);
            if self.hashes.of(boxes, region) == hash {
                let id = self.make(made);
                return Some(self.plan(id));
            }
        }
        None
    }
}
