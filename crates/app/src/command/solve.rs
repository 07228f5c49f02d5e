//! `noyes solve`: one puzzle or many, answered in order, each as soon as it and those before it are done.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::{Answer, Engine, Objective, Request, SolveError, solve};

use crate::args::Solve;
use crate::puzzle::human as explain;
use crate::puzzle::level;
use crate::puzzle::tiles::{self, letters};
use crate::record::{Notated, Record};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input::{self, Given, Item, shorten};
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
    if let Some(flag) = args.sat.given()
        && args.search.engine != Engine::Sat
    {
        return Err(BadInput::new(format!(
            "{flag} is about the engine sat, not {}: add --engine sat",
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
            let refused = refused(args, &shorten(argument), &error.to_string());
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
        Ok(Given::Board(board)) => answer_board(args, goal, &board),
        Ok(Given::Level(level)) => answer_level(args, *level, &text),
        Err(error) => refused(args, &text, &error.to_string()),
    };
    Told {
        _running: running,
        ..told
    }
}

fn answer_board(args: &Solve, goal: &Goal, board: &Board) -> Told {
    let puzzle = board.to_string();
    if let Some(what) = only_for_levels(args) {
        return refused(args, &shorten(&puzzle), &what);
    }
    let request = Request::board(board.clone(), goal)
        .and_then(|request| request.sat(args.sat.options(questions(args))))
        .and_then(|request| request.engine(args.search.engine))
        .and_then(|request| crate::command::pdb::guided(request, &args.search));
    let answer = match request.map(|request| run_within(args, &request)) {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => return failed(args, &shorten(&puzzle), &error),
        Err(error) => return refused(args, &shorten(&puzzle), &error.to_string()),
    };
    let notation = Notated::Letters(args.reading.notation());
    let plan = letters(&answer, args.reading.notation());
    let out = if args.json {
        Record {
            size: Some(board.size()),
            steps: args
                .explain
                .then(|| explain::records(&answer, args.reading.notation())),
            ..Record::answer(&puzzle, &answer, plan, &notation)
        }
        .line()
    } else {
        let head = if is_one_of_many(args) {
            format!("board: {puzzle}\n")
        } else {
            String::new()
        };
        let steps = if args.explain {
            explain::words(board, &answer, args.reading.notation())
        } else {
            String::new()
        };
        head + &tiles::words(&answer, plan.as_deref(), &notation) + &steps
    };
    answered(args, &answer, out)
}

/// Answers a level; `text` is its number and title.
fn answer_level(args: &Solve, level: Level, text: &str) -> Told {
    let request = Request::sokoban(level)
        .objective(args.objective.unwrap_or_default())
        .wait(!args.rules.no_wait)
        .any(args.sat.any)
        .sat(args.sat.options(questions(args)))
        .and_then(|request| request.engine(args.search.engine))
        .and_then(|request| crate::command::pdb::guided(request, &args.search));
    let request = match request {
        Ok(request) => request,
        Err(error) => return refused(args, text, &error.to_string()),
    };
    let answer = match run_within(args, &request) {
        Ok(answer) => answer,
        Err(error) => return failed(args, text, &error),
    };
    let out = if args.json {
        level::record(&request, &answer).line()
    } else {
        let head = if is_one_of_many(args) {
            format!("{text}\n")
        } else {
            String::new()
        };
        head + &level::words(&request, &answer)
    };
    answered(args, &answer, out)
}

/// What was asked for that boards do not have, in words.
fn only_for_levels(args: &Solve) -> Option<String> {
    if args.objective == Some(Objective::Pushes) {
        return Some("a plan of a board has moves, no pushes: --objective moves".into());
    }
    if args.rules.no_wait {
        return Some("--no-wait is about levels of Sokoban, not about boards".into());
    }
    (args.sat.any && args.search.engine != Engine::Sat).then(|| {
        format!(
            "--any is about the engine sat, not {}, where the puzzle is a board: add --engine sat",
            args.search.engine
        )
    })
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
    args.puzzles.len() > 1 || !(input::is_board(puzzle) || input::is_level(puzzle))
}

fn answered(args: &Solve, answer: &Answer, out: String) -> Told {
    let err = if args.verbose {
        tiles::statistics(answer)
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

fn failed(args: &Solve, puzzle: &str, error: &SolveError) -> Told {
    Told {
        exit: Exit::of_error(error),
        ..refused(args, puzzle, &error.to_string())
    }
}

/// How many lengths the engine sat asks for at once: all threads are its own where there is one puzzle.
fn questions(args: &Solve) -> usize {
    match args.puzzles.as_slice() {
        [puzzle] if input::is_board(puzzle) || input::is_level(puzzle) => args.threads.into(),
        _ => 1,
    }
}

/// What is said of a puzzle that is none, by the beginning of its text.
fn refused(args: &Solve, puzzle: &str, error: &str) -> Told {
    let out = if args.json {
        Record::error(puzzle, error.into()).line()
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

/// Prints the answers in the order of the puzzles; gives the gravest exit. How many there should be is asked once
/// no more can come.
fn print_in_order(
    answers: &Receiver<(usize, Told)>,
    expected: impl FnOnce() -> Option<usize>,
) -> Result<Exit> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut gravest = None;
    loop {
        match answers.recv_timeout(Duration::from_millis(100)) {
            Ok((index, told)) => waiting.insert(index, told),
            Err(RecvTimeoutError::Disconnected) => {
                if !limits::interrupted() && expected() != Some(next) {
                    complain("noyes: internal error, please report it: an answer was lost");
                    gravest = gravest.max(Some(Exit::Failure));
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
            gravest = gravest.max(Some(told.exit));
            next += 1;
        }
    }
    if limits::interrupted() {
        gravest = gravest.max(Some(Exit::Interrupted));
    }
    gravest.ok_or_else(|| BadInput::new("no puzzle given").into())
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
