//! The store of finished jobs: an SQLite database, in memory or in a file that survives a restart.
//!
//! It is bounded in number, bytes and age: the oldest jobs are dropped first.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::value::RawValue;

use crate::record::{Job, JobState, SCHEMA};
use crate::terminal::print::complain;

/// The number of jobs that are kept.
const MOST_JOBS: i64 = 10_000;
/// The bytes of their results: plans of large boards are long.
const MOST_BYTES: i64 = 64 << 20;
/// A job is kept for a day.
const MOST_SECONDS: i64 = 24 * 3600;

/// The state of a cancelled job in the database; all others are done.
const CANCELLED: &str = "cancelled";

/// A job that has ended, as it is kept.
#[derive(Clone)]
pub struct Ended {
    /// Done or cancelled.
    pub state: JobState,
    pub progress: Box<RawValue>,
    pub result: Box<RawValue>,
}

impl Ended {
    /// Its record.
    pub fn view(&self, id: &str) -> Job {
        Job {
            schema: SCHEMA,
            id: id.into(),
            state: self.state,
            progress: self.progress.clone(),
            result: Some(self.result.clone()),
        }
    }
}

/// Finished jobs.
pub struct Store(Mutex<Kept>);

struct Kept {
    connection: Connection,
    jobs: i64,
    bytes: i64,
}

impl Store {
    /// A store in this file, or in memory.
    pub fn open(path: Option<&Path>) -> rusqlite::Result<Store> {
        let connection = match path {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        // A crash may lose the last few jobs, but never the file.
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS job (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                state TEXT NOT NULL,
                progress TEXT NOT NULL,
                result TEXT NOT NULL,
                ended INTEGER NOT NULL
            ) STRICT",
        )?;
        let (jobs, bytes) = connection.query_row(
            "SELECT count(*), coalesce(sum(length(result)), 0) FROM job",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        Ok(Store(Mutex::new(Kept {
            connection,
            jobs,
            bytes,
        })))
    }

    /// Stores a job. If the disk is full, the record is lost, but the service goes on.
    pub fn put(&self, id: &str, ended: &Ended) {
        if let Err(error) = self.lock().put(id, ended) {
            complain(format_args!("noyes: cannot store a finished job: {error}"));
        }
    }

    /// A job, if it is still kept.
    pub fn get(&self, id: &str) -> Option<Ended> {
        let kept = self.lock();
        let found = kept
            .connection
            .prepare_cached("SELECT state, progress, result FROM job WHERE id = ?1 AND ended > ?2");
        let found = found.and_then(|mut query| {
            query
                .query_row(params![id, now() - MOST_SECONDS], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                })
                .optional()
        });
        let (state, progress, result): (String, String, String) = match found {
            Ok(found) => found?,
            Err(error) => {
                complain(format_args!("noyes: cannot read the store: {error}"));
                return None;
            }
        };
        Some(Ended {
            state: if state == CANCELLED {
                JobState::Cancelled
            } else {
                JobState::Done
            },
            progress: RawValue::from_string(progress).ok()?,
            result: RawValue::from_string(result).ok()?,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn put(&mut self, id: &str, ended: &Ended) -> rusqlite::Result<()> {
        let result = ended.result.get();
        self.connection
            .prepare_cached(
                "INSERT INTO job (id, state, progress, result, ended) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                id,
                match ended.state {
                    JobState::Cancelled => CANCELLED,
                    _ => "done",
                },
                ended.progress.get(),
                result,
                now()
            ])?;
        self.jobs += 1;
        self.bytes += result.len() as i64;
        self.forget()
    }

    /// Drops the oldest while there is too much.
    fn forget(&mut self) -> rusqlite::Result<()> {
        loop {
            let oldest: Option<(i64, i64, i64)> = self
                .connection
                .prepare_cached(
                    "SELECT number, length(result), ended FROM job ORDER BY number LIMIT 1",
                )?
                .query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()?;
            let Some((number, bytes, ended)) = oldest else {
                return Ok(());
            };
            if self.jobs <= MOST_JOBS && self.bytes <= MOST_BYTES && ended > now() - MOST_SECONDS {
                return Ok(());
            }
            self.connection
                .prepare_cached("DELETE FROM job WHERE number = ?1")?
                .execute([number])?;
            self.jobs -= 1;
            self.bytes -= bytes;
        }
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(text: &str) -> Ended {
        let raw = |text: String| RawValue::from_string(text).unwrap();
        Ended {
            state: JobState::Done,
            progress: raw("{}".into()),
            result: raw(format!("{text:?}")),
        }
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many_bytes() {
        let store = Store::open(None).unwrap();
        let long = "x".repeat((MOST_BYTES / 3) as usize);
        for id in ["a", "b", "c", "d"] {
            store.put(id, &ended(&long));
        }
        assert!(store.get("a").is_none() && store.get("b").is_none());
        assert!(store.get("c").is_some() && store.get("d").is_some());
    }

    #[test]
    fn a_file_survives() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.sqlite");
        Store::open(Some(&path)).unwrap().put("a", &ended("kept"));
        let again = Store::open(Some(&path)).unwrap();
        assert_eq!(again.get("a").unwrap().result.get(), "\"kept\"");
        assert!(again.get("b").is_none());
    }
}
