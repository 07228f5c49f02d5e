//! A limit on a card: all its subtrees go there, and the CPU looks after the time, the counts and the checkpoints.

use std::time::Duration;

use super::{End, Limit, Relaxed, SeqCst, State};
use crate::clock::Instant;
use crate::control::Stop;
use crate::counts::Counts;
use crate::tiles::gpu::{Device, DeviceError, Job, push};

/// How long to wait between two looks at the subtrees.
const PERIOD: Duration = Duration::from_secs(1);

impl<const PARTS: usize> Limit<'_, PARTS> {
    /// Searches all subtrees on a device. If it fails, the search is interrupted, and the device knows why.
    pub fn search_on(self, device: &dyn Device) -> End {
        self.counted_on(device).0
    }

    /// The same, with the states expanded and generated in each subtree.
    pub fn counted_on(self, device: &dyn Device) -> (End, Vec<(u64, u64)>) {
        if self.frontier.found.is_none()
            && let Err(error) = self.search_rounds(device)
        {
            device.fail(error);
            *self.stop.lock().expect("no thread panics") = Some(Stop::Interrupted);
        }
        let stop = *self.stop.lock().expect("no thread panics");
        if stop.is_some() {
            self.save_now();
        }
        let counts = |state: &State| (state.expanded.load(Relaxed), state.generated.load(Relaxed));
        let counts = self.states.iter().map(counts).collect();
        let end = End {
            expanded: self.expanded.into_inner() + self.resumed.0,
            generated: self.generated.into_inner() + self.resumed.1,
            found: self.found.into_inner().expect("no thread panics"),
            stop,
            rest: vec![],
        };
        (end, counts)
    }

    fn search_rounds(&self, device: &dyn Device) -> Result<(), DeviceError> {
        device.begin(&self.job())?;
        let mut looked = Instant::now();
        loop {
            let round = device.round(&|| self.control.poll_stop().is_err())?;
            let counts = Counts {
                expanded: self.frontier.expanded + round.expanded,
                generated: self.frontier.generated + round.generated,
                ..Counts::default()
            };
            self.expanded.store(counts.expanded, Relaxed);
            self.generated.store(counts.generated, Relaxed);
            if round.found.is_some() {
                *self.found.lock().expect("no thread panics") = round.found;
                return self.look(device);
            }
            let stop = self.control.poll(&counts).err();
            *self.stop.lock().expect("no thread panics") = stop;
            let ends = stop.is_some() || round.left == 0;
            if ends || looked.elapsed() > PERIOD {
                self.look(device)?;
                self.save();
                looked = Instant::now();
            }
            if ends {
                let done = self.done.load(SeqCst);
                // A limit that counts as searched proves that there is no plan within it.
                return if stop.is_some() || done == self.states.len() {
                    Ok(())
                } else {
                    let of = self.states.len();
                    Err(DeviceError(format!(
                        "work was lost: {done} of {of} subtrees are done, and none is left"
                    )))
                };
            }
        }
    }

    /// All subtrees that are not done, the first one on top.
    fn job(&self) -> Job {
        let mut pieces = vec![];
        for (i, subtree) in self.frontier.subtrees.iter().enumerate().rev() {
            if self.states[i].open.load(Relaxed) > 0 {
                let depth = self.frontier.depth;
                let node = subtree.root(self.tree, self.root, depth);
                let parts = self.tree.catalogue.parts.len();
                push(&mut pieces, &node, &subtree.path(depth), i, parts);
            }
        }
        Job {
            pieces,
            subtrees: self.states.len(),
        }
    }

    /// Learns which subtrees are done.
    fn look(&self, device: &dyn Device) -> Result<(), DeviceError> {
        let subtrees = device.subtrees()?;
        let all = subtrees.open.into_iter().zip(subtrees.counts);
        for (state, (open, [expanded, generated])) in self.states.iter().zip(all) {
            if state.open.load(Relaxed) > 0 || expanded > 0 {
                state.open.store(open, SeqCst);
                state.expanded.store(expanded, SeqCst);
                state.generated.store(generated, SeqCst);
            }
        }
        let done = self.states.iter().filter(|s| s.open.load(Relaxed) == 0);
        let done = done.count();
        self.done.store(done, SeqCst);
        self.control.tell_done(done);
        Ok(())
    }
}
