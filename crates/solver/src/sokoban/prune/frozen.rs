//! Frozen boxes are walls: what the level is like once some boxes can never move.
//!
//! A box that is frozen on a goal stays there in every plan. So the other boxes
//! have to find their ways around it, and goals behind it may be out of reach for
//! good: a corridor of goals filled from the wrong end is dead, though each box
//! in it is where one belongs. Push distances with frozen boxes as walls show both.
//! The bound never falls by this, and is never too high.
//!
//! Few sets of boxes freeze in a search, so the distances are made once for each
//! set and kept.

use rustc_hash::FxHashMap;

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;

/// The most sets that are kept. Beyond them the bound does without.
const MOST_SETS: usize = 1 << 12;
/// The largest table of distances that is kept for a set.
const MOST_BYTES: usize = 1 << 16;

/// A level in which some boxes are walls.
pub(crate) struct Variant {
    pub(crate) field: Field,
    pub(crate) distances: Distances,
}

/// Levels by the boxes that are frozen.
#[derive(Default)]
pub(crate) struct Variants {
    numbers: FxHashMap<Vec<u16>, Option<u32>>,
    all: Vec<Variant>,
}

impl Variants {
    /// The number of the level in which these cells, in order, hold frozen boxes; none if it is not kept.
    pub(crate) fn number(
        &mut self,
        field: &Field,
        frozen: &[u16],
        memory: &mut Memory,
    ) -> Result<Option<u32>, Stop> {
        if let Some(&number) = self.numbers.get(frozen) {
            return Ok(number);
        }
        let bytes = field.len() * (2 * field.goals.len() + 100);
        let number = if self.all.len() < MOST_SETS && bytes <= MOST_BYTES {
            memory.claim(bytes)?;
            let field = field.with_frozen(frozen);
            let distances = Distances::with_frozen(&field, frozen, memory)?;
            self.all.push(Variant { field, distances });
            Some(self.all.len() as u32 - 1)
        } else {
            None
        };
        if self.numbers.len() < 4 * MOST_SETS {
            self.numbers.insert(frozen.to_vec(), number);
        }
        Ok(number)
    }

    /// The level of this number.
    pub(crate) fn get(&self, number: u32) -> &Variant {
        &self.all[number as usize]
    }
}
