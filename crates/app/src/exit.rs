//! How the program ends: exit codes, and errors printed in one place.

use std::fmt;
use std::io;
use std::process::ExitCode;

use noyes_solver::{Status, Stop, Unverified};

/// What the exit code says; a later one is graver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    Answered,
    Unsolvable,
    Limit,
    Interrupted,
    BadInput,
    Failure,
    Unverified,
}

impl Exit {
    pub fn of(status: Status) -> Exit {
        match status {
            Status::Optimal | Status::Solved => Exit::Answered,
            Status::Unsolvable => Exit::Unsolvable,
            Status::Limit(Stop::Interrupted) => Exit::Interrupted,
            Status::Limit(_) => Exit::Limit,
        }
    }

    pub fn code(self) -> u8 {
        match self {
            Exit::Answered => 0,
            Exit::Failure => 1,
            Exit::BadInput => 2,
            Exit::Limit => 3,
            Exit::Unsolvable => 4,
            Exit::Unverified => 5,
            Exit::Interrupted => 130,
        }
    }
}

/// Something the user can put right; its text says where it is and what was expected.
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

/// Prints what went wrong, if anything did, and gives the exit code.
pub fn code(done: anyhow::Result<Exit>) -> ExitCode {
    let exit = done.unwrap_or_else(|error| {
        if error
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
        {
            return Exit::Answered; // whoever reads has had enough
        }
        eprintln!("noyes: {error:#}");
        if error.is::<BadInput>() {
            Exit::BadInput
        } else if error.is::<Unverified>() {
            Exit::Unverified
        } else {
            Exit::Failure
        }
    });
    ExitCode::from(exit.code())
}

/// A panic is a bug of ours: the user gets one line about it, not a backtrace.
pub fn tell_panics_plainly() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|panic| {
            eprintln!("noyes: internal error, please report it: {panic}");
            std::process::exit(Exit::Failure.code().into());
        }));
    }
}
