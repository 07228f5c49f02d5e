//! The number of entries of a table with each value.

use std::sync::Mutex;

use super::plain::PlainTable;
use super::table::{Ground, Key};
use super::tables::TableError;
use crate::control::Control;

/// The values of one pattern, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Entry `v`: the number of entries with the value `v`.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// Counts all placements of the pattern's tiles: if `plain`, each once; otherwise once for each region of the blank.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn of(key: &Key, plain: bool, control: &Control) -> Result<Histogram, TableError> {
        if plain {
            let table = PlainTable::build(key, control).map_err(TableError)?;
            return Ok(Histogram {
                counts: table.histogram(),
            });
        }
        let counts = Mutex::new(vec![]);
        let note = |level: u32, _: usize, groups: &[u64]| {
            let mut counts = counts.lock().expect("no builder panics");
            let longer = counts.len().max(level as usize + 1);
            counts.resize(longer, 0);
            counts[level as usize] += groups
                .iter()
                .map(|g| u64::from(g.count_ones()))
                .sum::<u64>();
        };
        Ground::new(key.clone())
            .build(1, control, Some(&note), &|_| {})
            .map_err(TableError)?;
        Ok(Histogram {
            counts: counts.into_inner().expect("no builder panics"),
        })
    }

    /// The number of all entries.
    pub fn entries(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean value.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self
            .counts
            .iter()
            .enumerate()
            .map(|(value, &n)| value as f64 * n as f64)
            .sum();
        sum / self.entries() as f64
    }
}
