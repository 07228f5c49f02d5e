//! The records of `pdb` about tables.

use serde::Serialize;

/// A file with a table.
#[derive(Serialize)]
pub struct ListedTable {
    /// The version of these fields.
    pub schema: &'static str,
    /// The file.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// The name of the table in it; null if it is not usable.
    pub table: Option<String>,
    /// Whether every byte of it was checked and is correct.
    pub verified: bool,
    /// Why it is not usable.
    pub error: Option<String>,
}

/// The entries of a table, counted.
#[derive(Serialize)]
pub struct CountedTable {
    /// The version of these fields.
    pub schema: &'static str,
    /// The tiles of the pattern, separated by commas.
    pub tiles: String,
    /// Whether it ignores the blank's position.
    pub plain: bool,
    /// Its entries.
    pub entries: u64,
    /// Their mean.
    pub mean: f64,
    /// The number of entries of each value, from 0.
    pub counts: Vec<u64>,
}
