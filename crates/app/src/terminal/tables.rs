//! The pattern databases of a folder, with progress on standard error while they are built.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use noyes_solver::TilesCache;
pub use noyes_solver::machine::{cache_folder, table_folder};
use noyes_solver::tiles::pdb::{Note, Tables};

use super::print::warn;
use super::progress;

/// The tables of a folder.
pub fn tables(folder: Option<&PathBuf>, threads: usize) -> Tables {
    let folder = folder.cloned().or_else(table_folder);
    let note = move |note: Note| match note {
        Note::Building { name, reached, of } => {
            let percent = 100 * reached / of.max(1);
            progress::note(Some(format!("building {name}: {percent}%")));
        }
        Note::Built { .. } => progress::note(None),
        Note::Refused { path, why } => {
            warn(format_args!(
                "noyes: {}: {why}; rebuilding it",
                path.display()
            ));
        }
        Note::NotSaved { path, why } => warn(format_args!(
            "noyes: the table is not saved: cannot write {}: {why}",
            path.display()
        )),
    };
    folder
        .map_or_else(Tables::in_memory, Tables::in_folder)
        .threads(threads)
        .noting(note)
}

/// The tables of a folder and what is made of them, shared by all searches of this process.
pub fn shared(folder: Option<&PathBuf>) -> Arc<TilesCache> {
    static SHARED: OnceLock<Arc<TilesCache>> = OnceLock::new();
    let fresh = || Arc::new(TilesCache::new(tables(folder, 1)));
    SHARED.get_or_init(fresh).clone()
}
