//! `noyes solve`: one puzzle or many. Answers are printed in the order of the puzzles, as soon as they are known.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, Once};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use noyes_answer::shorten;
use noyes_puzzle::tiles::{Goal, is_board_text};
use noyes_solver::tiles::offered_card;
use noyes_solver::{Answer, Control, Engine, Request, SolveError, solve};

use crate::args::Solve;
use crate::command::reply::{Asked, Reply, finished, is_one_of_many, refused, threads_of_one};
use crate::record::Subject;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input::{self, Item};
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{complain, counted, print, warn};
use crate::terminal::progress::{Batch, watched};

/// Refuses flags that do not go together, whatever the puzzles are.
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
            "--explain: only the engine human explains its steps, and the engine is {}: add --engine human",
            args.search.engine
        ))
        .into());
    }
    if args.checkpoint.is_some() && is_one_of_many(args) {
        return Err(BadInput::new(
            "--checkpoint: a checkpoint is of one search, expected a single board on the command line",
        )
        .into());
    }
    input::only_one_dash(args.puzzles.iter().map(String::as_str))
}

/// Answers one puzzle without printing.
pub fn answer_one(args: &Solve) -> Result<Reply> {
    check(args)?;
    let goal = args.reading.goal()?;
    let mut items = vec![];
    input::puzzles(&args.puzzles[0], &args.reading, &mut |item| {
        items.push(item);
        items.len() < 2
    })?;
    match items.pop() {
        Some(item) if items.is_empty() && args.puzzles.len() == 1 => {
            Ok(answer(args, &goal, item, 0, threads_of_one(args)))
        }
        _ => Err(BadInput::new("several puzzles, expected one").into()),
    }
}

pub fn run(args: &Solve) -> Result<Exit> {
    check(args)?;
    let goal = args.reading.goal()?;
    let (args, goal) = (Arc::new(args.clone()), Arc::new(goal));
    limits::stop_flag();
    let threads = threads_of_one(&args);
    let (replies, answers) = mpsc::channel();
    let (items, queue) = mpsc::sync_channel(2 * usize::from(args.threads));
    #[cfg(feature = "cluster")]
    if args.nats.nats.is_some() {
        return run_elsewhere(args, goal);
    }
    let queue = Arc::new(Mutex::new(queue));
    let reader = {
        let (args, replies) = (args.clone(), replies.clone());
        thread::Builder::new().spawn(move || read(&args, &items, &replies))
    }
    .context("cannot start a thread")?;
    for workers in 0..args.threads {
        let (args, goal) = (args.clone(), goal.clone());
        let (queue, replies) = (queue.clone(), replies.clone());
        let spawned =
            thread::Builder::new().spawn(move || work(&args, &goal, &queue, &replies, threads));
        match spawned {
            Ok(_) => {}
            Err(error) if workers == 0 => return Err(error).context("cannot start a thread"),
            Err(error) => {
                let threads = counted(workers.into(), "thread", "threads");
                warn(format_args!("noyes: continuing with {threads}: {error}"));
                break;
            }
        }
    }
    drop((replies, queue));
    let batch = is_one_of_many(&args).then(|| sized_batch(&args));
    print_in_order(&answers, batch.as_ref(), |printed| {
        reader.join().ok() == Some(printed)
    })
}

/// Lets workers answer.
#[cfg(feature = "cluster")]
fn run_elsewhere(args: Arc<Solve>, goal: Arc<Goal>) -> Result<Exit> {
    use crate::cluster::solve::{answer_all, check};
    check(&args)?;
    let (replies, answers) = mpsc::channel();
    let (send, asked) = tokio::sync::mpsc::channel(256);
    let reader = {
        let (args, goal, replies) = (args.clone(), goal.clone(), replies.clone());
        thread::Builder::new().spawn(move || {
            let (items, queue) = mpsc::sync_channel(1);
            thread::scope(|scope| {
                let counted = scope.spawn(|| {
                    let items = items;
                    read(&args, &items, &replies)
                });
                for (index, item) in queue {
                    let is_over = match Asked::new(&args, &goal, item, index, 1) {
                        Ok(asked) => send.blocking_send(asked).is_err(),
                        Err(reply) => replies.send((index, reply)).is_err(),
                    };
                    if is_over {
                        break;
                    }
                }
                drop(send);
                counted.join().unwrap_or(0)
            })
        })
    }
    .context("cannot start a thread")?;
    let batch = is_one_of_many(&args).then(|| sized_batch(&args));
    let client = thread::Builder::new()
        .spawn(move || {
            let _running = Running::new(); // Ctrl-C waits until the workers have been stopped
            let is_single = !is_one_of_many(&args);
            answer_all(args, goal, asked, replies, is_single)
        })
        .context("cannot start a thread")?;
    let mut failure = None;
    let printed = print_in_order(&answers, batch.as_ref(), |printed| {
        match client.join() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => failure = Some(error),
            Err(_) => failure = Some(anyhow::anyhow!("internal error, please report it")),
        }
        // A failure is reported as such.
        failure.is_some() || reader.join().ok() == Some(printed)
    });
    match failure {
        Some(error) => Err(error),
        None => printed,
    }
}

/// A batch whose puzzles are counted in a thread of its own.
fn sized_batch(args: &Arc<Solve>) -> Batch {
    let batch = Batch::new();
    let (args, set_size) = (args.clone(), batch.sizer());
    // Without the thread, the size stays unknown.
    let _ = thread::Builder::new().spawn(move || set_size(size(&args)));
    batch
}

/// The number of answers to expect, unless a pipe has to be read to know it.
fn size(args: &Solve) -> Option<u64> {
    let mut size = 0;
    for argument in &args.puzzles {
        let is_inline = is_board_text(argument) || input::is_level(argument);
        if !is_inline && Path::new(argument).exists() && !Path::new(argument).is_file() {
            return None;
        }
        if argument == "-" {
            return None;
        }
        let done = input::puzzles(argument, &args.reading, &mut |_| {
            size += 1;
            !limits::interrupted()
        });
        size += u64::from(done.is_err()); // a source that cannot be read is an answer too
    }
    (!limits::interrupted()).then_some(size)
}

/// Hands the puzzles out one by one; a source that cannot be read is an answer too. Returns their number.
fn read(
    args: &Solve,
    items: &SyncSender<(usize, Item)>,
    replies: &mpsc::Sender<(usize, Reply)>,
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
            if replies.send((index - 1, refused)).is_err() {
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
    replies: &mpsc::Sender<(usize, Reply)>,
    threads: usize,
) {
    loop {
        let next = queue.lock().expect("no worker panics").recv();
        let Ok((index, item)) = next else { return };
        if replies
            .send((index, answer(args, goal, item, index, threads)))
            .is_err()
        {
            return;
        }
    }
}

/// Answers a puzzle with a search that may use this number of threads.
fn answer(args: &Solve, goal: &Goal, item: Item, index: usize, threads: usize) -> Reply {
    let running = Running::new();
    let reply = match Asked::new(args, goal, item, index, threads) {
        Ok(asked) => {
            let at_once = usize::from(args.threads) / threads;
            let answer = run_within(args, &asked.request, at_once);
            finished(args, goal, &asked, answer)
        }
        Err(reply) => reply,
    };
    Reply { running, ..reply }
}

/// Solves a request, one of several at once.
fn run_within(args: &Solve, request: &Request, at_once: usize) -> Result<Answer, SolveError> {
    let control = limits::shared_control(&args.search.limits, at_once);
    offer_card(request, &control);
    let answer = watched("searching", &control, || solve(request, &control));
    if let Some(limit) = control.resumed() {
        warn(format_args!(
            "noyes: resumed from a checkpoint, at the limit of {limit} moves"
        ));
    }
    answer
}

/// Says once that a card could search a hard board.
fn offer_card(request: &Request, control: &Control) {
    static OFFER: Once = Once::new();
    if !OFFER.is_completed()
        && let Some(heuristic) = offered_card(request, control)
    {
        OFFER.call_once(|| {
            warn(format_args!(
                "noyes: a GPU is here, which may search such boards sooner: --device gpu --heuristic {heuristic}"
            ));
        });
    }
}

/// Prints the answers in the order of the puzzles and returns the most severe exit. `is_all` says whether this
/// number is all of them, once no more can come.
fn print_in_order(
    answers: &Receiver<(usize, Reply)>,
    batch: Option<&Batch>,
    is_all: impl FnOnce(usize) -> bool,
) -> Result<Exit> {
    let running = Running::new(); // Ctrl-C leaves time to say how far it got
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut worst = None;
    loop {
        match answers.recv_timeout(Duration::from_millis(100)) {
            Ok((index, reply)) => {
                if reply.exit != Exit::Interrupted {
                    batch.inspect(|batch| batch.answered());
                }
                waiting.insert(index, reply)
            }
            Err(RecvTimeoutError::Disconnected) => {
                if !limits::interrupted() && !is_all(next) {
                    complain("noyes: internal error, please report it: an answer was lost");
                    worst = worst.max(Some(Exit::Failure));
                }
                break;
            }
            // Running searches still answer; a reader that waits for input does not.
            Err(RecvTimeoutError::Timeout)
                if limits::interrupted() && !limits::others_running(&running) =>
            {
                break;
            }
            Err(RecvTimeoutError::Timeout) => continue,
        };
        while let Some(reply) = waiting.remove(&next) {
            print(&reply.out)?;
            if !reply.err.is_empty() {
                complain(&reply.err);
            }
            worst = worst.max(Some(reply.exit));
            next += 1;
        }
    }
    if limits::interrupted() {
        worst = worst.max(Some(Exit::Interrupted));
        match batch.map(Batch::counts) {
            // The answer says it all.
            None | Some((_, Some(1))) => {}
            Some(counts) => warn(how_far(counts)),
        }
    }
    worst.ok_or_else(|| BadInput::new("no puzzle given").into())
}

/// What Ctrl-C left of a batch.
fn how_far((answered, total): (u64, Option<u64>)) -> String {
    let puzzles = match total {
        Some(total) => format!(
            "{answered} of {}",
            counted(total as usize, "puzzle", "puzzles")
        ),
        None => counted(answered as usize, "puzzle", "puzzles"),
    };
    format!("interrupted: {puzzles} answered")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(exit: Exit) -> Reply {
        Reply {
            out: String::new(),
            err: String::new(),
            exit,
            running: Running::new(),
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
                sender.send((index, reply(Exit::Limit))).unwrap();
            }
            drop(sender);
            assert_eq!(
                print_in_order(&receiver, None, |printed| expected == Some(printed)).unwrap(),
                exit
            );
        }
    }

    #[test]
    fn an_interrupted_batch_says_how_far_it_got() {
        assert_eq!(
            how_far((41, Some(100))),
            "interrupted: 41 of 100 puzzles answered"
        );
        assert_eq!(how_far((1, None)), "interrupted: 1 puzzle answered");
    }
}
