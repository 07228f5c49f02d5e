//! The plain table: a pattern's value that ignores the blank.
//!
//! The smallest number of moves of pattern tiles over all places of the blank, one
//! byte for each placement: the additive pattern database as the literature has it
//! (Felner, Korf, Hanan 2004). Kept for comparison: knowing the blank's region never
//! gives a lower value. It is admissible but not consistent.

use std::sync::Mutex;

use super::table::{Ground, Key, Placed};
use crate::control::{Control, Stop};

/// Values by map and word.
pub struct PlainTable {
    ground: Ground,
    values: Vec<u8>,
    /// The rank of a word by its group and lane.
    word: Vec<u16>,
}

impl PlainTable {
    pub(super) fn build(key: &Key, control: &Control) -> Result<PlainTable, Stop> {
        let ground = Ground::new(key.clone());
        let words = ground.words.codes().len();
        let mut word = vec![0; ground.words.groups() * 64];
        for (rank, code) in ground.words.codes().iter().enumerate() {
            word[code.group() * 64 + code.lane()] = rank as u16;
        }
        control.allow_table_bytes(ground.blocks.maps() * words)?;
        let values = Mutex::new(vec![u8::MAX; ground.blocks.maps() * words]);
        let note = |level: u32, block: usize, groups: &[u64]| {
            let row = ground.blocks.rank(ground.blocks.map(block)) * words;
            let mut values = values.lock().expect("no builder panics");
            for (group, &lanes) in groups.iter().enumerate() {
                let mut lanes = lanes;
                while lanes != 0 {
                    let value = &mut values
                        [row + usize::from(word[group * 64 + lanes.trailing_zeros() as usize])];
                    *value = (*value).min(level as u8); // levels come in order: the first is the smallest
                    lanes &= lanes - 1;
                }
            }
        };
        ground.build(1, control, Some(&note), &|_| {})?;
        let values = values.into_inner().expect("no builder panics");
        Ok(PlainTable {
            ground,
            values,
            word,
        })
    }

    pub(super) fn ground(&self) -> &Ground {
        &self.ground
    }

    pub(super) fn value(&self, placed: Placed) -> u8 {
        let word = self.word[placed.code.group() * 64 + placed.code.lane()];
        self.values[self.ground.blocks.rank(placed.map) * self.ground.words.codes().len()
            + usize::from(word)]
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.len()
    }

    /// The number of placements with each value.
    pub(super) fn histogram(&self) -> Vec<u64> {
        let mut counts = vec![];
        for &value in self.values.iter().filter(|&&v| v != u8::MAX) {
            if counts.len() <= usize::from(value) {
                counts.resize(usize::from(value) + 1, 0);
            }
            counts[usize::from(value)] += 1;
        }
        counts
    }
}
