//! `noyes solve`: one puzzle or many, answered in order, each as soon as it and those before it are done.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use noyes_puzzle::tiles::Goal;
use noyes_solver::{Answer, Engine, Request, SolveError, solve};

use crate::args::Solve;
use crate::ask;
use crate::puzzle::{Given, is_board, level, statistics, tiles};
use crate::record::{Answered, Subject, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input::{self, Item, shorten};
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{complain, print};
use crate::terminal::progress::watched;

/// What is printed for one puzzle, and what it means for the exit code.
struct Told {
    out: String,
    /// Empty for nothing.
    err: String,
    exit: Exit,
    /// Keeps Ctrl-C waiting until the text is out.
    _running: Running,
}

/// Refuses what does not go together, whatever the puzzles are.
fn check(args: &Solve) -> Result<()> {
    if args.puzzles.len() > 1
        && args
            .puzzles
            .iter()
            .all(|p| p.parse::<u16>().is_ok() || p == "_")
    {
        return Err(BadInput::new(format!(
            "a board is one argument, in quotes: noyes solve \"{}\"",
            args.puzzles.join(" ")
        ))
        .into());
    }
    if args.explain && args.search.engine != Engine::Human {
        return Err(BadInput::new(format!(
            "--explain tells the steps of the human method, and the engine {} has none: add --engine human",
            args.search.engine
        ))
        .into());
    }
    input::only_one_dash(args.puzzles.iter().map(String::as_str))
}

/// Answers one puzzle and prints nothing; gives what would have been printed.
pub fn answer_one(args: &Solve) -> Result<(String, Exit)> {
    check(args)?;
    let goal = args.reading.goal()?;
    let mut items = vec![];
    input::puzzles(&args.puzzles[0], &args.reading, &mut |item| {
        items.push(item);
        items.len() < 2
    })?;
    match items.pop() {
        Some(item) if items.is_empty() && args.puzzles.len() == 1 => {
            let told = answer(args, &goal, item);
            Ok((told.out, told.exit))
        }
        _ => Err(BadInput::new("several puzzles, expected one").into()),
    }
}

pub fn run(args: &Solve) -> Result<Exit> {
    check(args)?;
    let goal = args.reading.goal()?;
    let (args, goal) = (Arc::new(args.clone()), Arc::new(goal));
    limits::stop_flag();
    let (told, answers) = mpsc::channel();
    let (items, queue) = mpsc::sync_channel(2 * usize::from(args.threads));
    let queue = Arc::new(Mutex::new(queue));
    let reader = {
        let (args, told) = (args.clone(), told.clone());
        thread::Builder::new().spawn(move || read(&args, &items, &told))
    }
    .context("no thread can be started")?;
    for workers in 0..args.threads {
        let (args, goal) = (args.clone(), goal.clone());
        let (queue, told) = (queue.clone(), told.clone());
        let spawned = thread::Builder::new().spawn(move || work(&args, &goal, &queue, &told));
        match spawned {
            Ok(_) => {}
            Err(error) if workers == 0 => return Err(error).context("no thread can be started"),
            Err(error) => {
                complain(format_args!(
                    "noyes: going on with {workers} threads: {error}"
                ));
                break;
            }
        }
    }
    drop((told, queue));
    print_in_order(&answers, || reader.join().ok())
}

/// Hands the puzzles out one by one; a source that cannot be read is an answer too. Gives their number.
fn read(
    args: &Solve,
    items: &SyncSender<(usize, Item)>,
    told: &mpsc::Sender<(usize, Told)>,
) -> usize {
    let mut index = 0;
    for argument in &args.puzzles {
        let done = input::puzzles(argument, &args.reading, &mut |item| {
            index += 1;
            items.send((index - 1, item)).is_ok() && !limits::interrupted()
        });
        if let Err(error) = done {
            index += 1;
            let refused = refused(
                args,
                Subject::unread(&shorten(argument)),
                &error.to_string(),
            );
            if told.send((index - 1, refused)).is_err() {
                break;
            }
        }
    }
    index
}

fn work(
    args: &Solve,
    goal: &Goal,
    queue: &Mutex<Receiver<(usize, Item)>>,
    told: &mpsc::Sender<(usize, Told)>,
) {
    loop {
        let next = queue.lock().expect("no worker panics").recv();
        let Ok((index, item)) = next else { return };
        if told.send((index, answer(args, goal, item))).is_err() {
            return;
        }
    }
}

fn answer(args: &Solve, goal: &Goal, item: Item) -> Told {
    let running = Running::new();
    let text = item.text.clone();
    let told = match item.puzzle() {
        Ok(given) => answer_given(args, goal, &given, &text),
        Err(error) => refused(args, Subject::unread(&text), &error.to_string()),
    };
    Told {
        _running: running,
        ..told
    }
}

/// Answers a puzzle; `text` is its beginning, or the number and title of a level.
fn answer_given(args: &Solve, goal: &Goal, given: &Given, text: &str) -> Told {
    let subject = || match given {
        Given::Board(board) => Subject::board(board),
        Given::Level(level) => Subject::level(level),
    };
    let request = match ask::solve(ask::of(given, goal), args, lengths(args)) {
        Ok(request) => request,
        Err(refusal) => return refused(args, subject(), &refusal.by_flag()),
    };
    let answer = match run_within(args, &request) {
        Ok(answer) => answer,
        Err(error) => return failed(args, subject(), &error),
    };
    let out = if args.json {
        json_line(&record(args, goal, given, &answer))
    } else {
        words(args, given, &answer, text)
    };
    answered(args, &answer, out)
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

fn run_within(args: &Solve, request: &Request) -> Result<Answer, SolveError> {
    let control = limits::control(
        args.search.time_limit,
        limits::memory_limit(&args.search, args.threads.into()),
    );
    watched("searching", &control, || solve(request, &control))
}

/// Whether an answer has to say which puzzle it is about.
fn is_one_of_many(args: &Solve) -> bool {
    let puzzle = &args.puzzles[0];
    args.puzzles.len() > 1 || !(is_board(puzzle) || input::is_level(puzzle))
}

fn answered(args: &Solve, answer: &Answer, out: String) -> Told {
    let err = if args.verbose {
        statistics(answer)
    } else {
        String::new()
    };
    Told {
        out,
        err,
        exit: Exit::of(answer.status),
        _running: Running::new(),
    }
}

fn failed(args: &Solve, subject: Subject, error: &SolveError) -> Told {
    Told {
        exit: Exit::of_error(error),
        ..refused(args, subject, &error.to_string())
    }
}

/// How many lengths the engine sat asks for at once: all threads are its own where there is one puzzle.
fn lengths(args: &Solve) -> usize {
    match args.puzzles.as_slice() {
        [puzzle] if is_board(puzzle) || input::is_level(puzzle) => args.threads.into(),
        _ => 1,
    }
}

/// What is said where there is no answer.
fn refused(args: &Solve, subject: Subject, error: &str) -> Told {
    let out = if args.json {
        json_line(&Answered::failed(subject, error.into()))
    } else {
        String::new()
    };
    Told {
        out,
        err: format!("noyes: {error}"),
        exit: Exit::BadInput,
        _running: Running::new(),
    }
}

/// Prints the answers in the order of the puzzles; gives the most severe exit. How many there should be is asked
/// once no more can come.
fn print_in_order(
    answers: &Receiver<(usize, Told)>,
    expected: impl FnOnce() -> Option<usize>,
) -> Result<Exit> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut worst = None;
    loop {
        match answers.recv_timeout(Duration::from_millis(100)) {
            Ok((index, told)) => waiting.insert(index, told),
            Err(RecvTimeoutError::Disconnected) => {
                if !limits::interrupted() && expected() != Some(next) {
                    complain("noyes: internal error, please report it: an answer was lost");
                    worst = worst.max(Some(Exit::Failure));
                }
                break;
            }
            // Searches under way still answer; a source that is waited for does not.
            Err(RecvTimeoutError::Timeout) if limits::interrupted() && !limits::running() => break,
            Err(RecvTimeoutError::Timeout) => continue,
        };
        while let Some(told) = waiting.remove(&next) {
            print(&told.out)?;
            if !told.err.is_empty() {
                complain(&told.err);
            }
            worst = worst.max(Some(told.exit));
            next += 1;
        }
    }
    if limits::interrupted() {
        worst = worst.max(Some(Exit::Interrupted));
    }
    worst.ok_or_else(|| BadInput::new("no puzzle given").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(exit: Exit) -> Told {
        Told {
            out: String::new(),
            err: String::new(),
            exit,
            _running: Running::new(),
        }
    }

    #[test]
    fn an_answer_that_is_lost_is_a_failure() {
        for (sent, expected, exit) in [
            (&[0, 1][..], Some(2), Exit::Limit),
            (&[0, 2], Some(3), Exit::Failure), // in the middle
            (&[0], Some(2), Exit::Failure),    // at the end
            (&[0], None, Exit::Failure),       // the reader itself
        ] {
            let (sender, receiver) = mpsc::channel();
            for &index in sent {
                sender.send((index, told(Exit::Limit))).unwrap();
            }
            drop(sender);
            assert_eq!(print_in_order(&receiver, || expected).unwrap(), exit);
        }
    }
}
