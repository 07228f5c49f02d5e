//! Facts about rooms, for proofs that count pushes (see *room* in `noyes_check::formula::Pushes`).
//!
//! There are far too many to give all of them to a SAT solver. It gets one when its solution has a push from a cell to
//! which the player cannot walk: the room is then what can be reached from that cell. What is true of a room at one time is
//! true at every time, and is mostly needed at other times too.

use std::collections::HashSet;

use noyes_check::Lit;
use noyes_check::formula::{Moment, Pushes};

/// Facts that a solution of a formula contradicts; without any, it is a plan. It gets a function that says whether a
/// variable is true.
pub(super) type MissingFacts<'a> = dyn FnMut(&mut dyn FnMut(Lit) -> bool) -> Vec<Vec<Lit>> + 'a;

/// Rooms that have been told to the solver, each with a cell in it.
#[derive(Default)]
pub(super) struct Rooms {
    told: HashSet<(usize, Vec<usize>)>,
}

impl Rooms {
    /// The facts that a solution contradicts; without any, it is a plan. `holds` says whether a variable is true.
    pub fn missing(
        &mut self,
        formula: &Pushes,
        holds: &mut dyn FnMut(Lit) -> bool,
    ) -> Vec<Vec<Lit>> {
        let mut facts = vec![];
        for time in 0..formula.bound {
            let Some(moment) = formula.moment(time, holds) else {
                break; // the plan is done
            };
            let room = room(formula, &moment);
            let entry = (moment.pushes_from, room);
            if !entry.1.contains(&moment.player) && !self.told.contains(&entry) {
                facts.extend((0..formula.bound).map(|t| formula.room(t, entry.0, &entry.1)));
                self.told.insert(entry);
            }
        }
        facts
    }
}

/// The cells to which one can walk from where the push is made.
fn room(formula: &Pushes, moment: &Moment) -> Vec<usize> {
    let mut seen = moment.boxes.clone();
    seen[moment.pushes_from] = true;
    let mut room = vec![moment.pushes_from];
    let mut next = 0;
    while let Some(&cell) = room.get(next) {
        next += 1;
        for &beside in formula.neighbours(cell) {
            if !std::mem::replace(&mut seen[beside], true) {
                room.push(beside);
            }
        }
    }
    room.sort_unstable();
    room
}
