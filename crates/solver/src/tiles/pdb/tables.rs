//! The tables of a process: found in memory or in a folder, or built.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use super::build_lock;
use super::file::{self, FileError};
use super::plain::PlainTable;
use super::table::{Ground, Key, Table};
use crate::control::{Control, Stop};

/// A build that ran out of time is begun again with this many times as much.
const MUCH_MORE: u32 = 2;

/// An event that a program may want to show.
#[derive(Debug)]
pub enum Note<'a> {
    /// A table is being built.
    Building {
        /// The name of the table.
        name: &'a str,
        /// States reached so far.
        reached: u64,
        /// An upper bound on all states.
        of: u64,
    },
    /// A file cannot be used; the table is built again.
    Refused {
        /// The file.
        path: &'a Path,
        /// What is wrong with it.
        why: &'a FileError,
    },
    /// A table was built.
    Built {
        /// The name of the table.
        name: &'a str,
        /// The file, if the table was saved.
        saved: Option<&'a Path>,
    },
    /// A table could not be saved; it is used from memory.
    NotSaved {
        /// The file.
        path: &'a Path,
        /// Why not.
        why: &'a std::io::Error,
    },
}

/// A limit was reached before a table was ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table is not built ({0})")]
pub struct TableError(pub Stop);

/// Tables, shared by all solves of a process.
pub struct Tables {
    folder: Option<PathBuf>,
    threads: usize,
    note: Box<dyn Fn(Note) + Send + Sync>,
    ready: Mutex<HashMap<Key, Arc<Table>>>,
    /// Held while a table is built. Tables in memory stay available meanwhile.
    building: Mutex<()>,
    plain: Mutex<HashMap<Key, Arc<PlainTable>>>,
    /// Tables that could not be built in time, and how long they had.
    given_up: Mutex<HashMap<Key, Duration>>,
    /// Whether large tables are built on a graphics card.
    on_card: AtomicBool,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Tables")
            .field("folder", &self.folder)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Default for Tables {
    fn default() -> Self {
        Tables::in_memory()
    }
}

impl Tables {
    /// Tables that are built when needed and never saved.
    pub fn in_memory() -> Tables {
        Tables {
            folder: None,
            threads: 1,
            note: Box::new(|_| {}),
            ready: Mutex::default(),
            building: Mutex::default(),
            plain: Mutex::default(),
            given_up: Mutex::default(),
            on_card: AtomicBool::new(false),
        }
    }

    /// Tables that are loaded from a folder, and saved there once built.
    #[cfg(feature = "files")]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Tables {
        Tables {
            folder: Some(folder.into()),
            ..Tables::in_memory()
        }
    }

    /// Builds with this number of threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Tables {
        Tables { threads, ..self }
    }

    /// From now on builds tables of seven and more tiles on a graphics card, where that is possible.
    pub fn build_on_card(&self) {
        self.on_card.store(true, Relaxed);
    }

    /// Reports events to a function.
    #[must_use]
    pub fn noting(self, note: impl Fn(Note) + Send + Sync + 'static) -> Tables {
        Tables {
            note: Box::new(note),
            ..self
        }
    }

    /// The folder, if there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The file of a table, if there is a folder.
    pub fn path(&self, key: &Key) -> Option<PathBuf> {
        self.folder
            .as_ref()
            .map(|folder| folder.join(format!("{}.pdb", key.canonical().0.name())))
    }

    /// The table of a key (in its canonical form), built if necessary.
    ///
    /// # Errors
    /// If a limit is reached before it is built.
    pub fn get(&self, key: &Key, control: &Control) -> Result<Arc<Table>, TableError> {
        self.get_and(key, true, control)
    }

    /// The same, but a table that has to be built is not saved.
    ///
    /// # Errors
    /// If a limit is reached before it is built.
    pub fn get_unsaved(&self, key: &Key, control: &Control) -> Result<Arc<Table>, TableError> {
        self.get_and(key, false, control)
    }

    /// Whether the table of a key is in memory.
    pub(crate) fn is_loaded(&self, key: &Key) -> bool {
        self.lock().contains_key(&key.canonical().0)
    }

    /// Whether the folder has a file of this table, as far as its header says. The bits are not checked.
    pub(crate) fn is_in_folder(&self, key: &Key) -> bool {
        let (key, _) = key.canonical();
        let path = self.path(&key);
        path.is_some_and(|path| file::peek(&path).is_ok_and(|found| found == key))
    }

    /// The table of a key if it exists already, in memory or in the folder.
    pub fn find(&self, key: &Key) -> Option<Arc<Table>> {
        self.find_within(key, &Control::new())
    }

    /// The same; none also if a limit is reached before it is loaded.
    pub(crate) fn find_within(&self, key: &Key, control: &Control) -> Option<Arc<Table>> {
        let (key, _) = key.canonical();
        self.found(&key, control).ok().flatten()
    }

    /// Builds a table and saves it, even if it exists already; the second part says whether it was saved.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn rebuild(
        &self,
        key: &Key,
        control: &Control,
    ) -> Result<(Arc<Table>, std::io::Result<()>), TableError> {
        let (key, _) = key.canonical();
        let (table, saved) = self.built(&key, true, control)?;
        self.lock().insert(key, table.clone());
        Ok((table, saved))
    }

    /// The plain table of a key, always in memory.
    ///
    /// # Errors
    /// If a limit is reached before it is built.
    pub(crate) fn plain(
        &self,
        key: &Key,
        control: &Control,
    ) -> Result<Arc<PlainTable>, TableError> {
        let (key, _) = key.canonical();
        let mut plain = lock_within(&self.plain, control).map_err(TableError)?;
        if let Some(table) = plain.get(&key) {
            return Ok(table.clone());
        }
        let table = Arc::new(PlainTable::build(&key, control).map_err(TableError)?);
        plain.insert(key, table.clone());
        Ok(table)
    }

    /// Whether somebody holds one of its locks, perhaps for as long as it takes to build a table.
    pub(crate) fn is_in_use(&self) -> bool {
        is_locked(&self.ready)
            || is_locked(&self.building)
            || is_locked(&self.plain)
            || is_locked(&self.given_up)
    }

    fn given_up(&self) -> MutexGuard<'_, HashMap<Key, Duration>> {
        self.given_up.lock().expect("no builder panics")
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Arc<Table>>> {
        self.ready.lock().expect("no builder panics")
    }

    fn get_and(&self, key: &Key, save: bool, control: &Control) -> Result<Arc<Table>, TableError> {
        let (key, _) = key.canonical();
        if let Some(table) = self.lock().get(&key) {
            return Ok(table.clone());
        }
        // A build that ran out of time is not begun again with about as much: the boards of a batch would all spend their
        // time on it.
        let time = control.time_left();
        if let Some(time) = time
            && (self.given_up().get(&key)).is_some_and(|&had| time < MUCH_MORE * had)
            && !self.is_in_folder(&key)
        {
            return Err(TableError(Stop::Time));
        }
        // A second thread that wants the same table waits for it, within its own limits.
        let _building = lock_within(&self.building, control).map_err(TableError)?;
        match self.found(&key, control) {
            Ok(Some(table)) => return Ok(table),
            Ok(None) => {}
            Err((_, FileError::Stopped(stop))) => return Err(TableError(stop)),
            Err((path, why)) => (self.note)(Note::Refused {
                path: &path,
                why: &why,
            }),
        }
        // Another process that builds the same table for the same folder has it ready sooner than we would.
        let _file = match self.path(&key).filter(|_| save) {
            Some(path) => {
                let lock = build_lock::take(&path, control).map_err(TableError)?;
                if lock.has_waited
                    && let Ok(Some(table)) = self.found(&key, control)
                {
                    return Ok(table);
                }
                Some(lock)
            }
            None => None,
        };
        let built = self.built(&key, save, control);
        if let (Err(TableError(Stop::Time)), Some(time)) = (&built, time) {
            self.given_up().insert(key.clone(), time);
        }
        let (table, saved) = built?;
        if let (Err(why), Some(path)) = (&saved, self.path(&key)) {
            (self.note)(Note::NotSaved { path: &path, why });
        }
        self.lock().insert(key, table.clone());
        Ok(table)
    }

    /// A table in memory or in the folder; an error if its file cannot be used.
    fn found(
        &self,
        key: &Key,
        control: &Control,
    ) -> Result<Option<Arc<Table>>, (PathBuf, FileError)> {
        if let Some(table) = self.lock().get(key) {
            return Ok(Some(table.clone()));
        }
        let Some(path) = self.path(key) else {
            return Ok(None);
        };
        match file::load(&path, key, control) {
            Ok(table) => {
                let table = Arc::new(table);
                self.lock().insert(key.clone(), table.clone());
                Ok(Some(table))
            }
            Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err((path, why)),
        }
    }

    fn built(
        &self,
        key: &Key,
        save: bool,
        control: &Control,
    ) -> Result<(Arc<Table>, std::io::Result<()>), TableError> {
        let ground = Ground::new(key.clone());
        let name = key.name();
        let of = (ground.blocks.count() * ground.words.codes().len()) as u64;
        let progress = |reached| {
            (self.note)(Note::Building {
                name: &name,
                reached,
                of,
            });
        };
        let on_card = self.built_on_card(&ground, control, &progress);
        let bits = match on_card {
            Some(bits) => bits,
            None => ground.build(self.threads, control, None, &progress),
        };
        let bits = bits.map_err(TableError)?;
        let path = self.path(key).filter(|_| save);
        let saved = path
            .as_ref()
            .map_or(Ok(()), |path| file::save(path, key, &bits));
        (self.note)(Note::Built {
            name: &name,
            saved: path.as_deref().filter(|_| saved.is_ok()),
        });
        Ok((Arc::new(Table::new(ground, bits)), saved))
    }

    /// The bits of a table from a card; `None` if they have to be built here.
    #[cfg(feature = "gpu")]
    fn built_on_card(
        &self,
        ground: &Ground,
        control: &Control,
        progress: &dyn Fn(u64),
    ) -> Option<Result<Vec<u8>, Stop>> {
        if !self.on_card.load(Relaxed) || ground.key.cells.len() < 7 {
            return None;
        }
        if let Err(stop) = control.allow_table_bytes(ground.table_bytes()) {
            return Some(Err(stop));
        }
        match crate::tiles::gpu::build(ground, control, progress) {
            Ok(Some(bits)) => Some(Ok(bits)),
            Ok(None) => control.poll_stop().err().map(Err),
            Err(_) => None,
        }
    }

    #[cfg(not(feature = "gpu"))]
    #[allow(clippy::unused_self, reason = "the same call with any features")]
    fn built_on_card(
        &self,
        _: &Ground,
        _: &Control,
        _: &dyn Fn(u64),
    ) -> Option<Result<Vec<u8>, Stop>> {
        None
    }

    /// The files of the folder, each with its key or with what is wrong with it. Checks every byte if `thorough`.
    ///
    /// # Errors
    /// If the folder cannot be read; a folder that does not exist is empty.
    pub fn list(&self, thorough: bool) -> std::io::Result<Vec<(PathBuf, Result<Key, FileError>)>> {
        let Some(folder) = &self.folder else {
            return Ok(vec![]);
        };
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
            entries => entries?,
        };
        let mut paths: Vec<PathBuf> = entries
            .map(|e| e.map(|e| e.path()))
            .collect::<Result<_, _>>()?;
        paths.retain(|path| path.extension().is_some_and(|e| e == "pdb"));
        paths.sort();
        let check = |path: PathBuf| {
            let key = file::peek(&path).and_then(|key| {
                if thorough {
                    file::load(&path, &key, &Control::new()).map(|_| key)
                } else {
                    Ok(key)
                }
            });
            (path, key)
        };
        Ok(paths.into_iter().map(check).collect())
    }
}

/// Whether somebody holds the lock.
pub(crate) fn is_locked<T>(mutex: &Mutex<T>) -> bool {
    matches!(mutex.try_lock(), Err(TryLockError::WouldBlock))
}

/// The lock, unless a limit is reached first.
///
/// # Errors
/// If it is reached.
pub(crate) fn lock_within<'a, T>(
    mutex: &'a Mutex<T>,
    control: &Control,
) -> Result<MutexGuard<'a, T>, Stop> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Poisoned(_)) => panic!("no builder panics"),
        }
        control.poll_stop()?;
        thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests {
    use super::super::partition::Partition;
    use super::*;
    use noyes_puzzle::tiles::Board;
    use std::time::Instant;

    #[test]
    fn waiting_for_a_builder_keeps_to_ones_own_limits() {
        let tables = Tables::in_memory();
        let goal = Board::blank_last(4, 4);
        let key = &"3-3-3-3-3"
            .parse::<Partition>()
            .unwrap()
            .keys(&goal)
            .unwrap()[0];
        let building = tables.building.lock().unwrap();
        let begun = Instant::now();
        let limit = Control::new().time_limit(Duration::from_millis(20));
        assert_eq!(tables.get(key, &limit).err(), Some(TableError(Stop::Time)));
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert!(!tables.is_loaded(key) && tables.find(key).is_none());
        drop(building);
        assert!(tables.get(key, &Control::new()).is_ok());
        let _building = tables.building.lock().unwrap();
        assert!(tables.get(key, &limit).is_ok()); // it is in memory
    }

    #[test]
    fn a_build_that_ran_out_of_time_is_not_begun_again_with_about_as_much() {
        let tables = Tables::in_memory();
        let goal = Board::blank_last(5, 5);
        let key = &"7-7-7-3".parse::<Partition>().unwrap().keys(&goal).unwrap()[0];
        // A build that begins again leaves its own time behind.
        let had_after = |ms| {
            let limit = Control::new().time_limit(Duration::from_millis(ms));
            assert_eq!(tables.get(key, &limit).err(), Some(TableError(Stop::Time)));
            tables.given_up()[&key.canonical().0]
        };
        let first = had_after(500);
        // The clock is never read at the same moment twice.
        for ms in [490, 500, 600] {
            assert_eq!(had_after(ms), first, "{ms} ms");
        }
        assert!(had_after(1500) > first, "much more time is a new chance");
    }
}
