//! Frozen boxes as walls: the level as it is once some boxes can never move.
//!
//! A box that is frozen on a goal stays there in every plan. So the other boxes
//! have to go around it, and goals behind it may be out of reach for good. For
//! example, a corridor of goals that was filled from the wrong end is dead, though
//! every box in it is on a goal. Push distances with frozen boxes as walls show
//! both. They never lower the bound, and the bound stays admissible.
//!
//! Few different sets of boxes freeze during a search. So the distances are
//! computed once for each set, and kept.

use rustc_hash::FxHashMap;

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::{Distances, MOST_MATCHED};
use crate::sokoban::field::enclosure::Field;

/// The most sets that are kept. For further sets the bound ignores what is frozen.
const MOST_SETS: usize = 1 << 12;
/// The largest table of distances that is kept for a set.
const MOST_BYTES: usize = 1 << 16;

/// A level in which some boxes have become walls.
pub(crate) struct Variant {
    pub(crate) field: Field,
    pub(crate) distances: Distances,
}

/// Variants of a level by the set of boxes that are frozen.
#[derive(Default)]
pub(crate) struct Variants {
    numbers: FxHashMap<Vec<u16>, Option<u32>>,
    all: Vec<Variant>,
}

impl Variants {
    /// The number of the variant in which these cells, in ascending order, hold frozen boxes; none if it is not kept.
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
        // With too many boxes to match, the tables have one column for all goals.
        let is_small = bytes <= MOST_BYTES && field.boxes.len() <= MOST_MATCHED;
        let number = if self.all.len() < MOST_SETS && is_small {
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

    /// The variant with this number.
    pub(crate) fn get(&self, number: u32) -> &Variant {
        &self.all[number as usize]
    }
}
