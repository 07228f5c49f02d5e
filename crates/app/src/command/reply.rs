//! A puzzle that `noyes solve` was asked about, and the reply to it: what is printed, wherever the answer comes from.

use std::path::Path;

use anyhow::Result;
use noyes_puzzle::tiles::{Goal, is_board_text};
use noyes_solver::{Answer, Request, SolveError, Status};

use crate::args::{Proving, Solve};
use crate::ask;
use crate::certificates::{Keep, Wish};
use crate::command::certify;
use crate::puzzle::{Given, level, statistics, tiles};
use crate::record::{Answered, Certified, Subject, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::input::{self, Item};
use crate::terminal::limits::{self, Running};
use crate::terminal::progress::watched;
use crate::terminal::{tables, target};

/// What to print for one puzzle, and what it means for the exit code.
pub struct Reply {
    pub out: String,
    /// An error, or statistics under `--verbose`; may be empty.
    pub err: String,
    pub exit: Exit,
    /// Keeps Ctrl-C waiting until the text is printed.
    #[expect(dead_code, reason = "it is held, not read")]
    pub running: Running,
}

/// A puzzle that was read, and the request about it.
pub struct Asked {
    /// Counts the puzzles from 0.
    pub index: usize,
    pub given: Given,
    pub request: Request,
    /// The beginning of a board, or the number and title of a level.
    text: String,
}

impl Asked {
    /// Reads a puzzle and checks what is asked about it. Its search may use this number of threads.
    pub fn new(
        args: &Solve,
        goal: &Goal,
        item: Item,
        index: usize,
        threads: usize,
    ) -> Result<Asked, Reply> {
        let text = item.text.clone();
        let given = item
            .puzzle()
            .map_err(|error| refused(args, Subject::unread(&text), &error.to_string()))?;
        match ask::solve(ask::of(&given, goal), args, threads) {
            Ok(request) => Ok(Asked {
                index,
                given,
                request,
                text,
            }),
            Err(refusal) => Err(refused(args, subject(&given), &refusal.by_flag())),
        }
    }

    /// The puzzle of a record.
    pub fn subject(&self) -> Subject {
        subject(&self.given)
    }
}

fn subject(given: &Given) -> Subject {
    match given {
        Given::Board(board) => Subject::board(board),
        Given::Level(level) => Subject::level(level),
    }
}

/// The reply to a puzzle with this answer.
pub fn finished(
    args: &Solve,
    goal: &Goal,
    asked: &Asked,
    answer: Result<Answer, SolveError>,
) -> Reply {
    let (given, text) = (&asked.given, &asked.text);
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return failed(args, asked.subject(), &error),
    };
    let certified = match certified(args, goal, given, &answer, asked.index + 1) {
        Ok(certified) => certified,
        Err(error) => return refused(args, asked.subject(), &error.to_string()),
    };
    let out = if args.json {
        let mut record = record(args, goal, given, &answer);
        record.certificate = certified
            .as_ref()
            .and_then(|(made, _)| made.certificate.clone());
        json_line(&record)
    } else {
        let mut out = words(args, given, &answer, text);
        if let Some((made, _)) = certified.as_ref().filter(|(made, _)| made.verified) {
            out += &certify::words(made);
        }
        out
    };
    let mut reply = answered(args, &answer, out);
    let why = match certified {
        Some((made, exit)) => {
            reply.exit = reply.exit.max(exit);
            made.error
        }
        None => (args.certify.is_some()).then(|| "nothing is proven about it yet".into()),
    };
    if let Some(why) = why {
        let lines = [reply.err, format!("noyes: {text}: no certificate: {why}")];
        reply.err = lines.join("\n").trim_start().into();
    }
    reply
}

/// The certificate of an answer, if it was asked for and there is something to certify.
fn certified(
    args: &Solve,
    goal: &Goal,
    given: &Given,
    answer: &Answer,
    number: usize,
) -> Result<Option<(Certified, Exit)>> {
    let Some(folder) = &args.certify else {
        return Ok(None);
    };
    if !matches!(answer.status, Status::Optimal | Status::Unsolvable) {
        return Ok(None);
    }
    target::make_folder(folder)?;
    let proving = Proving::default();
    let wish = Wish::new(
        (given, goal),
        &args.reading,
        (args.goodness.objective, args.rules.no_wait),
        &proving,
        tables::shared(args.search.pdb_dir.as_ref()),
    );
    let keep = Keep {
        path: folder.join(format!("{number}.cert")),
        export: false,
    };
    let memory = limits::memory_limit(&args.search.limits, args.threads.into());
    let control = limits::control(args.search.limits.time_limit, memory);
    let certified = watched("certifying", &control, || {
        wish.certified_answer(answer, &keep, &control)
    });
    certified.map(Some)
}

fn record(args: &Solve, goal: &Goal, given: &Given, answer: &Answer) -> Answered {
    let notation = args.reading.notation();
    let record = match given {
        Given::Board(board) => {
            let goal = goal.of_size(board.width(), board.height()).ok();
            tiles::record(board, answer, notation).with_goal(goal.as_ref())
        }
        Given::Level(level) => level::record(level, answer),
    };
    if args.explain {
        record.with_steps(answer, notation)
    } else {
        record
    }
}

fn words(args: &Solve, given: &Given, answer: &Answer, text: &str) -> String {
    let (head, words) = match given {
        Given::Board(board) => {
            let notation = args.reading.notation();
            let words = tiles::words(board, answer, notation, args.explain);
            (format!("board: {board}\n"), words)
        }
        Given::Level(level) => (format!("{text}\n"), level::words(level, answer)),
    };
    if is_one_of_many(args) {
        head + &words
    } else {
        words
    }
}

/// Whether there may be several puzzles, so that an answer must name its own.
pub fn is_one_of_many(args: &Solve) -> bool {
    let puzzle = &args.puzzles[0];
    args.puzzles.len() > 1 || !(is_board_text(puzzle) || input::is_level(puzzle))
}

fn answered(args: &Solve, answer: &Answer, out: String) -> Reply {
    let err = if args.verbose {
        statistics(answer)
    } else {
        String::new()
    };
    Reply {
        out,
        err,
        exit: Exit::of(answer.status),
        running: Running::new(),
    }
}

fn failed(args: &Solve, subject: Subject, error: &SolveError) -> Reply {
    Reply {
        exit: Exit::of_error(error),
        ..refused(args, subject, &error.to_string())
    }
}

/// How many threads one search may use: all of them if there is one puzzle.
pub fn threads_of_one(args: &Solve) -> usize {
    if args.threads > 1 && is_single(args) {
        args.threads.into()
    } else {
        1
    }
}

/// Whether there is one puzzle only, as far as that is known without waiting for more.
fn is_single(args: &Solve) -> bool {
    if !is_one_of_many(args) {
        return true;
    }
    let [argument] = args.puzzles.as_slice() else {
        return false;
    };
    let mut count = 0;
    let mut see = |_| {
        count += 1;
        count < 2
    };
    Path::new(argument).is_file()
        && input::puzzles(argument, &args.reading, &mut see).is_ok()
        && count == 1
}

/// The reply to an answer of another machine that is wrong.
#[cfg(feature = "cluster")]
pub fn wrong(args: &Solve, asked: &Asked, why: &str) -> Reply {
    let error = format!("a worker's answer does not pass the check, please report this: {why}");
    Reply {
        exit: Exit::Unverified,
        ..refused(args, asked.subject(), &error)
    }
}

/// The reply if there is no answer.
pub fn refused(args: &Solve, subject: Subject, error: &str) -> Reply {
    let out = if args.json {
        json_line(&Answered::failed(subject, error.into()))
    } else {
        String::new()
    };
    Reply {
        out,
        err: format!("noyes: {error}"),
        exit: Exit::BadInput,
        running: Running::new(),
    }
}
