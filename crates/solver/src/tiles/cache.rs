//! What searches of sliding tiles share within a process: pattern databases, engines that use them, automata, budgets.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex};

use noyes_puzzle::Duplicates;
use noyes_puzzle::tiles::Board;

#[cfg(feature = "gpu")]
use super::error::TilesError;
use super::gpu::DeviceError;
#[cfg(feature = "gpu")]
use super::gpu::{Card, Device, self_test};
use super::heuristic::HeuristicName;
use super::ida_pdb::Fifteen;
use super::latest::{Latest, latest_or_made};
use super::learned::learned;
use super::pdb::{Partition, TableError, Tables, is_locked, lock_within};
use super::policy::STAGES;
#[cfg(feature = "gpu")]
use super::policy::{check_memory, fits_card};
use super::subtrees::{Deepening, Walks};
use crate::control::{Control, Stop};
#[cfg(feature = "gpu")]
use crate::names::DeviceName;

/// The length of redundant move sequences that are skipped unless the request says otherwise.
const DEPTH: usize = 12;
/// The same on boards of more than 25 cells, whose positions take more memory.
const DEPTH_OF_LARGE: usize = 10;

/// Heuristic, goal, and depth of duplicates.
type DeepeningKey = (String, Board, usize);

/// Tables, and what is made from them: each once, and the engines of goals as long as they are among the latest.
#[derive(Default)]
pub struct TilesCache {
    tables: Tables,
    fifteens: Mutex<Latest<(String, Board), Arc<Fifteen>>>,
    deepenings: Mutex<Latest<DeepeningKey, Arc<Deepening>>>,
    /// By columns, rows and depth.
    duplicates: Mutex<HashMap<(usize, usize, usize), Arc<Duplicates>>>,
    walks: Mutex<HashMap<(usize, usize, usize), Arc<Walks>>>,
    /// The card in use, with the tables of one heuristic.
    #[cfg(feature = "gpu")]
    card: Mutex<Option<(DeepeningKey, Card)>>,
    /// States generated at each stage of `auto`.
    spent: [AtomicU64; STAGES.len()],
}

impl fmt::Debug for TilesCache {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("TilesCache")
            .field("tables", &self.tables)
            .finish_non_exhaustive()
    }
}

impl TilesCache {
    /// A cache that uses these tables.
    pub fn new(tables: Tables) -> TilesCache {
        TilesCache {
            tables,
            ..TilesCache::default()
        }
    }

    /// The cache in memory of all requests that do not bring their own.
    pub fn shared() -> Arc<TilesCache> {
        static SHARED: LazyLock<Arc<TilesCache>> = LazyLock::new(Arc::default);
        SHARED.clone()
    }

    /// Whether somebody holds one of its locks. After a fork nobody does who could give it back, so a child must not
    /// use such a cache.
    pub fn is_in_use(&self) -> bool {
        self.tables.is_in_use()
            || is_locked(&self.fifteens)
            || is_locked(&self.deepenings)
            || is_locked(&self.duplicates)
            || is_locked(&self.walks)
    }

    /// The pattern databases.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The engine of the fifteen puzzle for a partition that fits it, kept for the latest goals.
    ///
    /// # Errors
    /// If a limit is reached before its tables are ready.
    pub(crate) fn fifteen(
        &self,
        partition: &Partition,
        goal: &Board,
        save: bool,
        control: &Control,
    ) -> Result<Arc<Fifteen>, TableError> {
        let key = (partition.to_string(), goal.clone());
        let fifteen = latest_or_made(&self.fifteens, key, || {
            Fifteen::new(partition, goal, &self.tables, save, control)
        })?;
        let bytes = fifteen.table_bytes();
        control.allow_table_bytes(bytes).map_err(TableError)?;
        Ok(fifteen)
    }

    /// IDA* by subtrees for a heuristic that fits it, kept for the latest goals and depths of duplicates.
    ///
    /// # Errors
    /// If a limit is reached before its tables are ready.
    pub fn deepening(
        &self,
        heuristic: &HeuristicName,
        goal: &Board,
        duplicates: Option<usize>,
        control: &Control,
    ) -> Result<Arc<Deepening>, TableError> {
        let is_large = goal.tiles().len() > 25;
        let usual = if is_large { DEPTH_OF_LARGE } else { DEPTH };
        let depth = duplicates.unwrap_or(usual).max(2);
        let key = (heuristic.to_string(), goal.clone(), depth);
        let deepening = latest_or_made(&self.deepenings, key, || {
            let walks = self.walks(goal.width(), goal.height(), depth, control);
            let walks = (depth, walks.map_err(TableError)?);
            Deepening::new(heuristic, goal, &self.tables, walks, control)
        })?;
        control
            .allow_table_bytes(deepening.bytes())
            .map_err(TableError)?;
        Ok(deepening)
    }

    /// Has tables built on the graphics card from now on, where that is faster.
    ///
    /// # Errors
    /// If there is no card, or the program was built without support for one.
    pub fn use_card(&self) -> Result<(), DeviceError> {
        #[cfg(not(feature = "gpu"))]
        return Err(DeviceError::no_support());
        #[cfg(feature = "gpu")]
        {
            Card::room()?;
            self.tables.build_on_card();
            Ok(())
        }
    }

    /// Searches with a card that has the tables and counts as the CPU does. Others that want the card wait meanwhile. It
    /// has room for one heuristic, so it is filled anew for another one.
    ///
    /// # Errors
    /// If there is no card, or it does not suffice, or fails; within, if a limit is reached before the tables are ready.
    #[cfg(feature = "gpu")]
    pub(crate) fn with_card<T>(
        &self,
        heuristic: &HeuristicName,
        goal: &Board,
        duplicates: Option<usize>,
        control: &Control,
        search: impl FnOnce(&Deepening, &Card) -> T,
    ) -> Result<Result<T, TableError>, TilesError> {
        let mut kept = match lock_within(&self.card, control) {
            Ok(kept) => kept,
            Err(stop) => return Ok(Err(TableError(stop))),
        };
        let depth = duplicates.unwrap_or(DEPTH).max(2);
        let key = (heuristic.to_string(), goal.clone(), depth);
        let known = kept.take_if(|(known, _)| *known == key);
        // Dropped, so that its memory is free.
        *kept = None;
        if known.is_none() {
            fits_card(heuristic, goal, Card::room()?)?;
            let built_by = DeviceName::Gpu;
            check_memory(heuristic, goal, self.tables(), built_by, control)?;
            self.tables.build_on_card();
        }
        let deepening = match self.deepening(heuristic, goal, duplicates, control) {
            Ok(deepening) => deepening,
            Err(error) => return Ok(Err(error)),
        };
        let card = if let Some((_, card)) = known {
            card
        } else {
            let card = Card::new(&deepening.flat(goal))?;
            self_test(&deepening, goal, &card)?;
            card
        };
        let done = search(&deepening, &card);
        if let Some(error) = card.failure() {
            return Err(error.into());
        }
        *kept = Some((key, card));
        Ok(Ok(done))
    }

    /// The automaton of redundant move sequences on a board, made once.
    ///
    /// # Errors
    /// If a limit is reached before it is learned.
    pub(crate) fn duplicates(
        &self,
        width: usize,
        height: usize,
        depth: usize,
        control: &Control,
    ) -> Result<Arc<Duplicates>, Stop> {
        // Others that want one wait for it, within their own limits.
        let mut known = lock_within(&self.duplicates, control)?;
        if let Some(automaton) = known.get(&(width, height, depth)) {
            return Ok(automaton.clone());
        }
        let folder = self.tables.folder();
        let automaton = Arc::new(learned(folder, width, height, depth, control)?);
        known.insert((width, height, depth), automaton.clone());
        Ok(automaton)
    }

    /// The same for searches by subtrees.
    fn walks(
        &self,
        width: usize,
        height: usize,
        depth: usize,
        control: &Control,
    ) -> Result<Arc<Walks>, Stop> {
        let automaton = self.duplicates(width, height, depth, control)?;
        let mut known = lock_within(&self.walks, control)?;
        let walks = || Arc::new(Walks::new(&automaton, width, height));
        Ok(known
            .entry((width, height, depth))
            .or_insert_with(walks)
            .clone())
    }

    /// States generated at a stage of `auto` so far.
    pub(crate) fn spent(&self, stage: usize) -> u64 {
        self.spent[stage].load(Relaxed)
    }

    /// Adds states generated at a stage of `auto`.
    pub(crate) fn spend(&self, stage: usize, states: u64) {
        self.spent[stage].fetch_add(states, Relaxed);
    }
}
