//! What the user can put right: bad input, and places that cannot be written.

use std::fmt;
use std::io;

/// Something the user can put right; its text says where it is and what was expected.
#[derive(Debug)]
pub struct BadInput {
    text: String,
    /// Whether the reason is a disk, quota or file that is full.
    no_room: bool,
}

impl BadInput {
    pub fn new(text: impl fmt::Display) -> BadInput {
        BadInput {
            text: text.to_string(),
            no_room: false,
        }
    }

    /// Whether something could not be written because there is no room left for it.
    pub fn is_no_room(&self) -> bool {
        self.no_room
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for BadInput {}

/// A place that cannot be written: the name that the user gave, and the reason without our own names in it.
pub fn unwritable(name: &str, error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return error.into(); // the reader has had enough
    }
    let reason = error.to_string();
    let reason = reason.split(" at path ").next().unwrap_or_default(); // the crate `tempfile` adds its own name
    let full = [
        io::ErrorKind::StorageFull,
        io::ErrorKind::QuotaExceeded,
        io::ErrorKind::FileTooLarge,
    ];
    BadInput {
        text: format!("cannot write {name}: {reason}"),
        no_room: full.contains(&error.kind()),
    }
    .into()
}
