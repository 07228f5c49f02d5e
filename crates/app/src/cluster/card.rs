//! Parts for a graphics card, which is busy only if it searches many of them together.
//!
//! Each slot of the worker hands its part to one thread, and waits. The thread takes all parts that wait and are of one limit
//! of one tree, has them searched together, and gives each slot what its own part came to. Meanwhile new ones gather.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};

use noyes_solver::tiles::{Part, PartEnd, TilesError};
use noyes_solver::{Control, Stop};

use crate::terminal::print::complain;

/// What searches parts of one limit together.
pub type Search<T> = fn(&T, &[Part], &Control) -> Result<Result<Vec<PartEnd>, Stop>, TilesError>;

/// Where parts of trees are handed in.
pub struct Card<T> {
    inbox: Sender<Waiting<T>>,
    is_broken: Arc<AtomicBool>,
}

/// A part whose slot waits.
struct Waiting<T> {
    tree: Arc<T>,
    part: Part,
    control: Control,
    reply: Sender<Option<PartEnd>>,
}

impl<T: Send + Sync + 'static> Card<T> {
    /// Starts the thread.
    pub fn new(search: Search<T>) -> std::io::Result<Card<T>> {
        let (inbox, parts) = channel();
        let is_broken = Arc::new(AtomicBool::new(false));
        let broken = is_broken.clone();
        std::thread::Builder::new().spawn(move || serve(&parts, search, &broken))?;
        Ok(Card { inbox, is_broken })
    }

    /// Whether it has failed: the processors do everything then.
    pub fn is_broken(&self) -> bool {
        self.is_broken.load(SeqCst)
    }

    /// Says that it has failed.
    pub fn give_up(&self, why: &TilesError) {
        give_up(&self.is_broken, why);
    }

    /// Searches a part together with others; none if it has to be searched elsewhere.
    pub fn search(&self, tree: &Arc<T>, part: Part, control: &Control) -> Option<PartEnd> {
        let (reply, end) = channel();
        let waiting = Waiting {
            tree: tree.clone(),
            part,
            control: control.clone(),
            reply,
        };
        self.inbox.send(waiting).ok()?;
        end.recv().ok()?
    }
}

fn give_up(is_broken: &AtomicBool, why: &TilesError) {
    if !is_broken.swap(true, SeqCst) {
        complain(format_args!(
            "noyes: {why}; the processors go on without the card"
        ));
    }
}

/// Searches what comes, until nobody is there to hand in more.
fn serve<T>(inbox: &Receiver<Waiting<T>>, search: Search<T>, is_broken: &AtomicBool) {
    let mut waiting: Vec<Waiting<T>> = vec![];
    loop {
        if waiting.is_empty() {
            match inbox.recv() {
                Ok(first) => waiting.push(first),
                Err(_) => return,
            }
        }
        waiting.extend(inbox.try_iter());
        // 1. All of one limit.
        let (tree, first) = (waiting[0].tree.clone(), waiting[0].part);
        let (now, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|one| {
            Arc::ptr_eq(&one.tree, &tree)
                && (one.part.limit, one.part.depth) == (first.limit, first.depth)
        });
        waiting = later;
        let parts: Vec<Part> = now.iter().map(|one| one.part).collect();
        // 2. Together.
        let ends = match search(&tree, &parts, &now[0].control) {
            Ok(Ok(ends)) => ends.into_iter().map(Some).collect(),
            Ok(Err(stop)) => {
                let stopped = PartEnd {
                    counts: (0, 0),
                    plan: None,
                    stop: Some(stop),
                    rest: vec![],
                };
                vec![Some(stopped); now.len()]
            }
            Err(error) => {
                if matches!(error, TilesError::Device(_)) {
                    give_up(is_broken, &error);
                }
                vec![None; now.len()]
            }
        };
        // 3. To each its own.
        for (one, end) in now.into_iter().zip(ends) {
            let is_stopped = end.as_ref().is_some_and(|end| end.stop.is_some());
            if is_stopped && one.control.poll_stop().is_ok() {
                waiting.push(one); // another one was stopped, not this one
            } else {
                let _ = one.reply.send(end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use noyes_answer::Given;
    use noyes_answer::sent::Question;
    use noyes_solver::TilesCache;
    use noyes_solver::tiles::{DeviceError, Parts, parts_of};

    use super::*;

    /// How many parts were searched together.
    static SIZES: Mutex<Vec<usize>> = Mutex::new(vec![]);

    fn tree(board: &str) -> Arc<Parts> {
        let question = Question {
            engine: Some("idastar".into()),
            heuristic: Some("pdb:3-3-3-3-3".into()),
            ..Question::default()
        };
        let cache = Arc::new(TilesCache::default());
        let puzzle = Given::read(board).unwrap();
        let request = question.request(&puzzle, &cache).unwrap();
        Arc::new(parts_of(&request, &Control::new()).unwrap().unwrap())
    }

    fn parts(tree: &Parts, limit: u32) -> Vec<Part> {
        let cut = tree.cut(limit, 100);
        let part = |first| Part {
            limit,
            depth: cut.depth,
            subtrees: cut.subtrees,
            check: cut.check,
            first,
            step: 20,
        };
        (0..20).map(part).collect()
    }

    /// A card that is slow to begin, so that parts gather.
    fn by_processor(
        tree: &Parts,
        parts: &[Part],
        control: &Control,
    ) -> Result<Result<Vec<PartEnd>, Stop>, TilesError> {
        SIZES.lock().unwrap().push(parts.len());
        std::thread::sleep(Duration::from_millis(100));
        if control.poll_stop().is_err() {
            return Ok(Err(Stop::Interrupted));
        }
        let end = |part: &Part| Ok(tree.search(part, 1, control)?);
        parts.iter().map(end).collect::<Result<_, _>>().map(Ok)
    }

    fn without_card(
        _: &Parts,
        _: &[Part],
        _: &Control,
    ) -> Result<Result<Vec<PartEnd>, Stop>, TilesError> {
        Err(DeviceError("lost".into()).into())
    }

    #[test]
    fn parts_gather_and_each_gets_its_own_counts() {
        let card = Card::new(by_processor).unwrap();
        let trees = [
            tree("5 1 2 4/9 6 3 8/13 10 7 11/0 14 15 12"),
            tree("1 2 3 4/5 6 7 8/10 13 11 12/9 14 15 0"),
        ];
        std::thread::scope(|scope| {
            for (tree, limit) in [(&trees[0], 20), (&trees[1], 30), (&trees[1], 32)] {
                for (i, part) in parts(tree, limit).into_iter().enumerate() {
                    let card = &card;
                    scope.spawn(move || {
                        let stop = Arc::new(AtomicBool::new(i % 5 == 3));
                        let control = Control::new().stop_flag(stop);
                        let end = card.search(tree, part, &control).unwrap();
                        let alone = tree.search(&part, 1, &Control::new()).unwrap();
                        // Those that are stopped do not stop the others.
                        assert!(end == alone || (i % 5 == 3 && end.stop.is_some()));
                    });
                }
            }
        });
        let largest = SIZES.lock().unwrap().iter().copied().max();
        assert!(largest > Some(5), "{largest:?}");
    }

    #[test]
    fn a_card_that_fails_is_not_asked_again() {
        let card = Card::new(without_card).unwrap();
        let tree = tree("5 1 2 4/9 6 3 8/13 10 7 11/0 14 15 12");
        assert!(!card.is_broken());
        let end = card.search(&tree, parts(&tree, 20)[0], &Control::new());
        assert_eq!(end, None);
        assert!(card.is_broken());
    }
}
