//! Errors that name their cause: bad input, and places that cannot be written.

use std::fmt;
use std::io::{self, ErrorKind};

/// Something the user can put right. Its text says where it is and what was expected.
#[derive(Debug)]
pub struct BadInput(String);

impl BadInput {
    pub fn new(text: impl fmt::Display) -> BadInput {
        BadInput(text.to_string())
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// The error of a place that cannot be written, by the name that the user gave it. A name that can never be written is
/// bad input; a full disk is a failure.
pub fn unwritable(name: &str, error: io::Error) -> anyhow::Error {
    let kind = error.kind();
    if kind == ErrorKind::BrokenPipe {
        return error.into(); // the reader has had enough
    }
    let reason = error.to_string();
    let reason = reason.split(" at path ").next().unwrap_or_default(); // the crate `tempfile` adds its own name
    let text = format!("cannot write {name}: {reason}");
    if is_bad_place(kind) {
        BadInput::new(text).into()
    } else {
        anyhow::Error::msg(text)
    }
}

/// Whether the place itself is wrong, so that trying again does not help.
fn is_bad_place(kind: ErrorKind) -> bool {
    use ErrorKind::{
        AlreadyExists, ExecutableFileBusy, InvalidFilename, InvalidInput, IsADirectory,
        NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem, Unsupported,
    };
    matches!(
        kind,
        AlreadyExists
            | ExecutableFileBusy
            | InvalidFilename
            | InvalidInput
            | IsADirectory
            | NotADirectory
            | NotFound
            | PermissionDenied
            | ReadOnlyFilesystem
            | Unsupported
    )
}

/// The error of a plan.
pub fn in_plan(what: impl fmt::Display) -> BadInput {
    BadInput::new(format!("plan: {what}"))
}
