//! How the program ends: exit codes, and the one place that prints errors.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io;
use std::process::ExitCode;

use noyes_puzzle::pddl::TaskPlanError;
use noyes_solver::sat::backend::end_programs;
use noyes_solver::tiles::TilesError;
use noyes_solver::{SolveError, Status, Stop};

use super::fault::{BadInput, unwritable};
use super::print::{complain, complain_at_once, print};
use super::{colour, progress, screen, target};
use crate::record::{Refused, json_line};

/// What the exit code means. A later variant is more severe.
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
            Status::Limit(stop) => stop.into(),
        }
    }

    pub fn of_error(error: &SolveError) -> Exit {
        if error.is_unverified() {
            Exit::Unverified
        } else {
            match error {
                SolveError::Tiles(TilesError::Device(_)) => Exit::Failure,
                SolveError::Tiles(_) => Exit::BadInput,
                _ => Exit::Failure,
            }
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

impl From<Stop> for Exit {
    fn from(stop: Stop) -> Exit {
        match stop {
            Stop::Interrupted => Exit::Interrupted,
            Stop::Time | Stop::Memory | Stop::Budget | Stop::Bound => Exit::Limit,
        }
    }
}

/// Prints the error, if there is one, and gives the exit code.
pub fn code(done: anyhow::Result<Exit>, json: bool) -> ExitCode {
    progress::close();
    let exit = done.unwrap_or_else(|error| {
        if error
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
        {
            return Exit::Answered; // the reader has had enough
        }
        if json {
            let _ = print(&json_line(&Refused::new(format!("{error:#}"))));
        }
        complain(format_args!("noyes: {error:#}"));
        if error.is::<BadInput>() {
            Exit::BadInput
        } else if error.is::<TaskPlanError>() {
            Exit::Unverified
        } else if let Some(error) = error.downcast_ref() {
            Exit::of_error(error)
        } else {
            Exit::Failure
        }
    });
    ExitCode::from(exit.code())
}

/// Prints what is wrong with the flags, also as JSON under `--json`, or the help that was asked for.
pub fn bad_usage(error: &clap::Error) -> ExitCode {
    colour::choose_by_words(std::env::args());
    if error.use_stderr() && std::env::args().any(|flag| flag == "--json") {
        let text = error.to_string();
        let first = text.split("\n\n").next().unwrap_or_default();
        let reason = first.strip_prefix("error: ").unwrap_or(first);
        let _ = print(&json_line(&Refused::new(reason.to_string())));
    }
    let printed = error.print();
    if error.use_stderr() {
        return ExitCode::from(Exit::BadInput.code());
    }
    let printed = printed.map_err(|error| unwritable("standard output", error));
    code(printed.map(|()| Exit::Answered), false)
}

/// Ends the program from any thread and leaves nothing behind.
pub fn at_once(exit: Exit) -> ! {
    progress::close_at_once();
    screen::restore();
    target::abandon();
    end_programs();
    std::process::exit(exit.code().into())
}

/// A panic is a bug: the user gets one line about it, and a backtrace if `RUST_BACKTRACE` asks for it. It ends the
/// whole program, so that no thread goes missing unnoticed.
pub fn tell_panics_plainly() {
    std::panic::set_hook(Box::new(|panic| {
        screen::restore();
        complain_at_once(format_args!(
            "noyes: internal error, please report it: {panic}"
        ));
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            complain_at_once(backtrace);
        }
        at_once(Exit::Failure);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_severe_is_the_one_that_the_help_says() {
        let mut exits = [0, 4, 3, 130, 2, 1, 5].map(|code| {
            [
                Exit::Failure,
                Exit::Limit,
                Exit::Answered,
                Exit::Unverified,
                Exit::BadInput,
                Exit::Unsolvable,
                Exit::Interrupted,
            ]
            .into_iter()
            .find(|exit| exit.code() == code)
            .unwrap()
        });
        let by_help = exits;
        exits.sort_unstable();
        assert_eq!(exits, by_help);
    }
}
