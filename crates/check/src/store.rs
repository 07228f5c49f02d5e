//! Tables that have been computed, kept in memory and, if large, in files.
//!
//! A file is believed only if its content has the hash that this program wrote down, beside it, when it computed the table
//! itself. Otherwise the table is computed and compared with the file, value by value. So those who can write to the folder
//! have to be trusted, and the verdict says that tables were read; `noyes-check --fresh` reads no files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::refusal::Refusal;
use crate::tables::{Pattern, Table};

/// Tables that are smaller are not worth a file.
const WORTH_A_FILE: usize = 1 << 19;
/// The file with the hashes.
const HASHES: &str = "verified.txt";

/// The tables of one run.
#[derive(Clone, Default)]
pub struct Store {
    folder: Option<PathBuf>,
    threads: usize,
    tables: Vec<Arc<Table>>,
    /// Tables that were computed in this run.
    pub computed: usize,
    /// Tables that were read from files, where an earlier run has left them.
    pub read: usize,
}

impl Store {
    /// Keeps large tables in a folder, if there is one.
    pub fn new(folder: Option<&Path>, threads: usize) -> Store {
        Store {
            folder: folder.map(Path::to_path_buf),
            threads,
            ..Store::default()
        }
    }

    /// The table of a pattern.
    ///
    /// # Errors
    /// A pattern that is too large, or a file with wrong values.
    pub fn table(&mut self, pattern: &Pattern) -> Result<Arc<Table>, Refusal> {
        if let Some(known) = self.tables.iter().find(|t| t.pattern() == pattern) {
            return Ok(known.clone());
        }
        let table = match self.read(pattern) {
            Some((table, true)) => {
                self.read += 1;
                table
            }
            given => {
                let table = Table::compute(pattern, self.threads).ok_or_else(|| {
                    Refusal::Tables("expected patterns of 1 to 7 different tiles, on a board of at most 16 cells".into())
                })?;
                self.computed += 1;
                if let Some((given, false)) = given {
                    compare(&given, &table)?;
                }
                self.write(&table);
                table
            }
        };
        let table = Arc::new(table);
        self.tables.push(table.clone());
        Ok(table)
    }

    fn file(&self, pattern: &Pattern) -> Option<PathBuf> {
        let goals: Vec<String> = pattern.goals.iter().map(usize::to_string).collect();
        let (width, height, blank) = (pattern.width, pattern.height, pattern.blank);
        let name = format!(
            "{width}x{height}-blank-{blank}-cells-{}.table",
            goals.join("-")
        );
        Some(self.folder.as_ref()?.join(name))
    }

    /// A table from its file, and whether its hash is known.
    fn read(&self, pattern: &Pattern) -> Option<(Table, bool)> {
        let path = self.file(pattern)?;
        let values = fs::read(&path).ok()?;
        if values.len() < WORTH_A_FILE {
            return None;
        }
        let line = line(&path, &values);
        let hashes = fs::read_to_string(self.folder.as_ref()?.join(HASHES)).unwrap_or_default();
        let known = hashes.lines().any(|known| known == line);
        Some((Table::believed(pattern, values)?, known))
    }

    /// Writes a table and its hash. A file that cannot be written only costs time later.
    fn write(&self, table: &Table) {
        let Some(path) = self
            .file(table.pattern())
            .filter(|_| table.values().len() >= WORTH_A_FILE)
        else {
            return;
        };
        let folder = path.parent().expect("a folder");
        let half = path.with_extension(format!("{}.part", std::process::id()));
        let written = fs::create_dir_all(folder)
            .and_then(|()| fs::write(&half, table.values()))
            .and_then(|()| fs::rename(&half, &path));
        if written.is_err() {
            let _ = fs::remove_file(&half);
            return;
        }
        let hashes = folder.join(HASHES);
        let mut known = fs::read_to_string(&hashes).unwrap_or_default();
        let line = line(&path, table.values());
        if !known.lines().any(|old| old == line) {
            known += &line;
            known.push('\n');
            let half = hashes.with_extension(format!("{}.part", std::process::id()));
            let _ = fs::write(&half, known).and_then(|()| fs::rename(&half, &hashes));
        }
    }
}

fn compare(given: &Table, computed: &Table) -> Result<(), Refusal> {
    let both = given.values().iter().zip(computed.values());
    match both
        .enumerate()
        .find(|(_, (given, computed))| given != computed)
    {
        None => Ok(()),
        Some((at, (given, computed))) => Err(Refusal::Tables(format!(
            "the file has {given} as value {at}, but it is {computed}; remove the file"
        ))),
    }
}

fn line(path: &Path, values: &[u8]) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{:032x} {name}", hash(values))
}

/// FNV-1a with 128 bits, over words of eight bytes: enough to notice any accident.
fn hash(bytes: &[u8]) -> u128 {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let mut add = |word: u64| {
        hash ^= u128::from(word);
        hash = hash.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    };
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        add(u64::from_le_bytes(word));
    }
    add(bytes.len() as u64);
    hash
}
