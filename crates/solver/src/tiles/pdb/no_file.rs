//! In place of `file.rs` in a build without files: tables live in memory only.

use std::io;
use std::path::Path;

use super::table::{Key, Table};
use crate::control::{Control, Stop};

/// Why a file is not the table that was looked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A limit was reached while it was read.
    #[error("{0}")]
    Stopped(Stop),
}

fn unsupported() -> io::Error {
    io::ErrorKind::Unsupported.into()
}

pub fn load(_: &Path, _: &Key, _: &Control) -> Result<Table, FileError> {
    Err(unsupported().into())
}

pub fn peek(_: &Path) -> Result<Key, FileError> {
    Err(unsupported().into())
}

pub fn save(_: &Path, _: &Key, _: &[u8]) -> io::Result<()> {
    Err(unsupported())
}
