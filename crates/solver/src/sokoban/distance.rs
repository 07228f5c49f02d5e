//! Push distances: how many pushes a box needs to each goal, were it alone.
//!
//! What a box can do depends on where the player is, so a place of a box is its
//! cell together with the side of it on which the player stands, sides that are
//! connected without the box being one. A push leaves the player behind the box.
//! Searching backwards from each goal over these places gives distances that are
//! never too high, since other boxes only stand in the way, and that know of
//! corridors in which a box cannot turn. While a box is not pushed the player
//! never passes through it, so its place changes only when it is pushed itself.
//!
//! A place from which no goal can be reached is dead, and a cell all of whose
//! places are dead is a dead square.

use super::field::{Field, back};
use crate::control::Stop;
use crate::search::memory::Memory;

/// Farther than any push goes.
pub(crate) const NEVER: u16 = u16::MAX;

/// The number of a place: a cell and a side.
pub(crate) type Place = u32;

/// The distances of all places to all goals.
pub(crate) struct Distances {
    goals: usize,
    /// The place of each side of each cell.
    places: Vec<[Place; 4]>,
    /// By place, then by goal.
    table: Vec<u16>,
    /// The nearest goal's distance, by place.
    nearest: Vec<u16>,
    /// Whether a box on a cell can reach some goal, from whichever side.
    live: Vec<bool>,
}

impl Distances {
    /// The distances on a field.
    pub(crate) fn new(field: &Field, memory: &mut Memory) -> Result<Distances, Stop> {
        Distances::to(field, &field.goals, memory)
    }

    /// The distances to some cells.
    pub(crate) fn to(field: &Field, goals: &[u16], memory: &mut Memory) -> Result<Distances, Stop> {
        let mut places = vec![[0; 4]; field.len()];
        let mut cell_of: Vec<(u16, u8)> = vec![];
        for cell in 0..field.wall() {
            for d in 0..4 {
                let side = field.side(cell, d);
                if side == d {
                    cell_of.push((cell, d as u8));
                }
                places[usize::from(cell)][d] = if side == d {
                    cell_of.len() as Place - 1
                } else {
                    places[usize::from(cell)][side]
                };
            }
        }
        let (count, width) = (cell_of.len(), goals.len());
        memory.claim(count.saturating_mul(2 * width + 16))?;
        let mut table = vec![NEVER; count * width];
        let mut queue: Vec<Place> = Vec::with_capacity(count);
        for (g, &goal) in goals.iter().enumerate() {
            if g.is_multiple_of(16) {
                memory.poll_stop()?;
            }
            queue.clear();
            for d in 0..4 {
                let place = places[usize::from(goal)][d];
                if table[place as usize * width + g] == NEVER {
                    table[place as usize * width + g] = 0;
                    queue.push(place);
                }
            }
            let mut i = 0;
            while let Some(&place) = queue.get(i) {
                i += 1;
                let far = table[place as usize * width + g]
                    .saturating_add(1)
                    .min(NEVER - 1);
                let cell = cell_of[place as usize].0;
                for d in 0..4 {
                    // The box came from `before`, pushed by a player behind it.
                    let before = field.step(cell, back(d));
                    if before == field.wall()
                        || field.step(before, back(d)) == field.wall()
                        || places[usize::from(cell)][back(d)] != place
                    {
                        continue;
                    }
                    let source = places[usize::from(before)][back(d)];
                    let entry = &mut table[source as usize * width + g];
                    if *entry == NEVER {
                        *entry = far;
                        queue.push(source);
                    }
                }
            }
        }
        let nearest: Vec<u16> = (0..count)
            .map(|p| {
                table[p * width..][..width]
                    .iter()
                    .copied()
                    .min()
                    .unwrap_or(NEVER)
            })
            .collect();
        let alive = |sides: &[Place; 4]| sides.iter().any(|&p| nearest[p as usize] != NEVER);
        let mut live: Vec<bool> = places.iter().map(alive).collect();
        live.push(false);
        Ok(Distances {
            goals: width,
            places,
            table,
            nearest,
            live,
        })
    }

    /// The place of a box on a cell with the player on this side of it.
    #[inline]
    pub(crate) fn place(&self, cell: u16, side: usize) -> Place {
        self.places[usize::from(cell)][side]
    }

    /// The pushes from a place to each goal.
    #[inline]
    pub(crate) fn row(&self, place: Place) -> &[u16] {
        &self.table[place as usize * self.goals..][..self.goals]
    }

    /// Whether no goal can be reached from a place.
    #[inline]
    pub(crate) fn is_dead(&self, place: Place) -> bool {
        self.nearest[place as usize] == NEVER
    }

    /// Whether a box here can reach some goal, from some side. The wall is not live.
    #[inline]
    pub(crate) fn is_live(&self, cell: u16) -> bool {
        self.live[usize::from(cell)]
    }

    /// How many goals there are.
    pub(crate) fn goals(&self) -> usize {
        self.goals
    }
}
