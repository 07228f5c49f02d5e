//! What searches of sliding tiles share within a process: pattern databases, loops made of them, automata, budgets.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex};

use noyes_puzzle::Duplicates;
use noyes_puzzle::graph::Graph;
use noyes_puzzle::tiles::Board;

use super::ida_pdb::Fifteen;
use super::pdb::{Partition, TableError, Tables};
use super::policy::STAGES;
use crate::control::Control;

/// Tables and what is made of them, each once.
#[derive(Default)]
pub struct TilesCache {
    tables: Tables,
    fifteens: Mutex<HashMap<(String, Board), Arc<Fifteen>>>,
    /// By columns, rows and depth.
    duplicates: Mutex<HashMap<(usize, usize, usize), Arc<Duplicates>>>,
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
    /// With tables from here.
    pub fn new(tables: Tables) -> TilesCache {
        TilesCache {
            tables,
            ..TilesCache::default()
        }
    }

    /// One in memory, for all requests that name no other.
    pub fn shared() -> Arc<TilesCache> {
        static SHARED: LazyLock<Arc<TilesCache>> = LazyLock::new(Arc::default);
        SHARED.clone()
    }

    /// The pattern databases.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The engine of the fifteen puzzle with a partition that fits it, made once for each goal.
    ///
    /// # Errors
    /// If a limit comes before its tables are there.
    pub(crate) fn fifteen(
        &self,
        partition: &Partition,
        goal: &Board,
        save: bool,
        control: &Control,
    ) -> Result<Arc<Fifteen>, TableError> {
        let key = (partition.to_string(), goal.clone());
        let known = self
            .fifteens
            .lock()
            .expect("no builder panics")
            .get(&key)
            .cloned();
        if let Some(fifteen) = known {
            control
                .allow_bytes(fifteen.table_bytes())
                .map_err(TableError)?;
            return Ok(fifteen);
        }
        let fifteen = Arc::new(Fifteen::new(partition, goal, &self.tables, save, control)?);
        self.fifteens
            .lock()
            .expect("no builder panics")
            .insert(key, fifteen.clone());
        Ok(fifteen)
    }

    /// The automaton of duplicate walks on a board, learnt once.
    pub(crate) fn duplicates(&self, width: usize, height: usize, depth: usize) -> Arc<Duplicates> {
        let mut known = self.duplicates.lock().expect("no builder panics");
        let learn = || Arc::new(Duplicates::new(&Graph::grid(width, height), depth));
        known
            .entry((width, height, depth))
            .or_insert_with(learn)
            .clone()
    }

    /// States generated at a stage of `auto` so far.
    pub(crate) fn spent(&self, stage: usize) -> u64 {
        self.spent[stage].load(Relaxed)
    }

    /// This many states more at a stage of `auto`.
    pub(crate) fn spend(&self, stage: usize, states: u64) {
        self.spent[stage].fetch_add(states, Relaxed);
    }
}
