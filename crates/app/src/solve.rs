//! `noyes solve`: one board or many, answered in order, each as soon as it and those before it are done.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use noyes_solver::{Engine, Request, solve};

use crate::args::Solve;
use crate::exit::{BadInput, Exit};
use crate::explain;
use crate::input::{self, Item, shorten};
use crate::limits::{self, Running};
use crate::output::{self, Notated, Record, letters};

/// What is printed for one puzzle, and what it means for the exit code.
struct Told {
    out: String,
    err: String,
    exit: Exit,
    /// Keeps Ctrl-C waiting until the text is out.
    _running: Running,
}

pub fn run(args: &Solve) -> Result<Exit> {
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
    let args = Arc::new(args.clone());
    limits::stop_flag();
    let (told, answers) = mpsc::channel();
    let (items, queue) = mpsc::sync_channel(2 * usize::from(args.threads));
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..args.threads {
        let (args, queue, told) = (args.clone(), queue.clone(), told.clone());
        thread::spawn(move || work(&args, &queue, &told));
    }
    let reader = args.clone();
    thread::spawn(move || read(&reader, &items, &told));
    print_in_order(&answers)
}

/// Hands the puzzles out one by one; a source that cannot be read is an answer too.
fn read(args: &Solve, items: &SyncSender<(usize, Item)>, told: &mpsc::Sender<(usize, Told)>) {
    let mut index = 0;
    for argument in &args.puzzles {
        let done = input::boards(argument, &args.reading, &mut |item| {
            index += 1;
            items.send((index - 1, item)).is_ok() && !limits::interrupted()
        });
        if let Err(error) = done {
            index += 1;
            if told
                .send((index - 1, refused(args, argument, &error.to_string())))
                .is_err()
            {
                return;
            }
        }
    }
}

fn work(args: &Solve, queue: &Mutex<Receiver<(usize, Item)>>, told: &mpsc::Sender<(usize, Told)>) {
    loop {
        let next = queue.lock().expect("no worker panics").recv();
        let Ok((index, item)) = next else { return };
        if told.send((index, answer(args, item))).is_err() {
            return;
        }
    }
}

fn answer(args: &Solve, item: Item) -> Told {
    let running = Running::new();
    let place = item.place.clone();
    let board = match item.board() {
        Ok(board) => board,
        Err(error) => return refused(args, &place, &error.to_string()),
    };
    let puzzle = board.to_string();
    let request = Request::board(board.clone(), &args.reading.goal)
        .and_then(|request| request.engine(args.search.engine))
        .and_then(|request| crate::pdb::guided(request, &args.search));
    let request = match request {
        Ok(request) => request,
        Err(error) => return refused(args, &puzzle, &error.to_string()),
    };
    let control = limits::control(
        args.search.time_limit,
        limits::memory_limit(&args.search, args.threads.into()),
    );
    let answer = match limits::watched("searching", &control, || solve(&request, &control)) {
        Ok(answer) => answer,
        Err(error) => {
            let told = refused(args, &puzzle, &error.to_string());
            return Told {
                exit: Exit::Unverified,
                ..told
            };
        }
    };
    let notation = Notated::Letters(args.reading.notation);
    let plan = letters(&answer, args.reading.notation);
    let out = if args.json {
        Record {
            size: Some(board.size()),
            steps: args
                .explain
                .then(|| explain::records(&answer, args.reading.notation)),
            ..Record::answer(&puzzle, &answer, plan, &notation)
        }
        .line()
    } else {
        let several = args.puzzles.len() > 1 || !input::is_board(&args.puzzles[0]);
        let head = if several {
            format!("board: {puzzle}\n")
        } else {
            String::new()
        };
        let steps = if args.explain {
            explain::words(&board, &answer, args.reading.notation)
        } else {
            String::new()
        };
        head + &output::words(&answer, plan.as_deref(), &notation) + &steps
    };
    let err = if args.verbose {
        output::statistics(&answer) + "\n"
    } else {
        String::new()
    };
    Told {
        out,
        err,
        exit: Exit::of(answer.status),
        _running: running,
    }
}

fn refused(args: &Solve, puzzle: &str, error: &str) -> Told {
    let out = if args.json {
        Record::error(&shorten(puzzle), error.into()).line()
    } else {
        String::new()
    };
    Told {
        out,
        err: format!("noyes: {error}\n"),
        exit: Exit::BadInput,
        _running: Running::new(),
    }
}

/// Prints the answers in the order of the puzzles; gives the gravest exit.
fn print_in_order(answers: &Receiver<(usize, Told)>) -> Result<Exit> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut gravest = None;
    loop {
        match answers.recv_timeout(Duration::from_millis(100)) {
            Ok((index, told)) => waiting.insert(index, told),
            Err(RecvTimeoutError::Disconnected) => break,
            // Searches under way still answer; a source that is waited for does not.
            Err(RecvTimeoutError::Timeout) if limits::interrupted() && !limits::running() => break,
            Err(RecvTimeoutError::Timeout) => continue,
        };
        while let Some(told) = waiting.remove(&next) {
            output::print(&told.out)?;
            eprint!("{}", told.err);
            gravest = gravest.max(Some(told.exit));
            next += 1;
        }
    }
    match gravest {
        _ if limits::interrupted() => Ok(Exit::Interrupted),
        Some(exit) => Ok(exit),
        None => Err(BadInput::new("no puzzle given").into()),
    }
}
