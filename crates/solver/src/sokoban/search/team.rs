//! A team of threads that look for the first plan of one level.
//!
//! How long a search for any plan takes depends on luck, so each thread has searches of its own with other luck, and the
//! first plan ends all of them. They share nothing but the level: so no thread waits for another, and the first one
//! does exactly what it does alone. Together they keep to one memory limit, of which each has an equal part.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use noyes_puzzle::tiles::Direction;

use crate::clock::ThreadClock;
use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;

type Found = Result<Option<Vec<Direction>>, Stop>;

/// What the helping threads have reached.
#[derive(Default)]
struct Helped {
    plan: Option<Vec<Direction>>,
    counts: Counts,
    /// The most bytes of each, added up.
    bytes: usize,
}

/// Runs the caller's `own` search on this thread, and on each other one `help` with the thread's number.
pub(super) fn together(
    threads: usize,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
    own: impl FnOnce(&mut Counts, &mut Memory, &Control) -> Found,
    help: impl Fn(u32, &mut Counts, &mut Memory, &Control) -> Found + Sync,
) -> Found {
    let over = Arc::new(AtomicBool::new(false));
    let until = control.until(over.clone());
    let part = memory.left() / threads;
    let limited = |bytes| until.clone().memory_limit(bytes);
    let helped = Mutex::new(Helped::default());
    let found = std::thread::scope(|scope| {
        for luck in 1..threads as u32 {
            let (over, helped, help) = (&over, &helped, &help);
            let aside = limited(part).aside();
            // With fewer threads than wanted it only takes longer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                let cpu = ThreadClock::now();
                let (mut counts, mut memory) = (Counts::default(), Memory::new(&aside));
                let found = help(luck, &mut counts, &mut memory, &aside);
                let mut helped = helped.lock().expect("no thread panics");
                if let Ok(Some(plan)) = found {
                    helped.plan.get_or_insert(plan);
                    over.store(true, Relaxed);
                }
                helped.counts.expanded += counts.expanded;
                helped.counts.generated += counts.generated;
                helped.bytes += memory.peak();
                control.add_help(cpu.elapsed());
            });
        }
        let limited = limited(memory.bytes().saturating_add(part));
        let mut own_memory = memory.under(&limited);
        let found = own(counts, &mut own_memory, &limited);
        memory.go_on_from(&own_memory);
        over.store(true, Relaxed);
        found
    });
    let helped = helped.into_inner().expect("no thread panics");
    counts.expanded += helped.counts.expanded;
    counts.generated += helped.counts.generated;
    let _ = memory.allow_beside(helped.bytes); // each had its part
    match (found, helped.plan) {
        (Err(_), Some(plan)) => Ok(Some(plan)),
        (found, _) => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANS: [[Direction; 1]; 2] = [[Direction::Up], [Direction::Down]];

    /// A search that polls until it is stopped.
    fn endless(counts: &mut Counts, memory: &mut Memory, control: &Control) -> Found {
        counts.expanded += 1;
        counts.generated += 10;
        memory.claim(100)?;
        loop {
            control.poll(counts)?;
            memory.poll_stop()?;
        }
    }

    /// What three threads find, and what they count.
    fn three(
        control: &Control,
        own: impl FnOnce(&mut Counts, &mut Memory, &Control) -> Found,
        help: impl Fn(u32, &mut Counts, &mut Memory, &Control) -> Found + Sync,
    ) -> (Found, Counts) {
        let mut memory = Memory::new(control);
        memory.claim(1_000).expect("no limit so low");
        let mut counts = Counts::default();
        let found = together(3, &mut counts, &mut memory, control, own, help);
        counts.peak_bytes = memory.peak();
        (found, counts)
    }

    #[test]
    fn the_first_plan_ends_all_searches() {
        let control = Control::new();
        let (by_own, _) = three(
            &control,
            |_, _, _| Ok(Some(PLANS[0].to_vec())),
            |_, counts, memory, control| endless(counts, memory, control),
        );
        assert_eq!(by_own, Ok(Some(PLANS[0].to_vec())));
        let (by_help, counts) = three(
            &control,
            endless,
            |luck, counts, memory, control| match luck {
                1 => endless(counts, memory, control),
                _ => Ok(Some(PLANS[1].to_vec())),
            },
        );
        assert_eq!(by_help, Ok(Some(PLANS[1].to_vec())));
        assert_eq!((counts.expanded, counts.generated), (2, 20));
        assert_eq!(counts.peak_bytes, 1_200);
        assert!(control.poll_stop().is_ok(), "only this part is over");
    }

    #[test]
    fn a_proof_of_the_own_search_ends_all() {
        let help = |_, counts: &mut Counts, memory: &mut Memory, control: &Control| {
            endless(counts, memory, control)
        };
        assert_eq!(three(&Control::new(), |_, _, _| Ok(None), help).0, Ok(None));
    }

    #[test]
    fn helping_threads_prove_nothing() {
        let (found, _) = three(
            &Control::new(),
            |_, _, _| Err(Stop::Budget),
            |_, _, _, _| Ok(None),
        );
        assert_eq!(found, Err(Stop::Budget));
    }

    #[test]
    fn all_threads_keep_to_the_limits() {
        let time = Control::new().time_limit(std::time::Duration::from_millis(20));
        let help = |_, counts: &mut Counts, memory: &mut Memory, control: &Control| {
            endless(counts, memory, control)
        };
        assert_eq!(three(&time, endless, help).0, Err(Stop::Time));
        let interrupted = Control::new().stop_flag(Arc::new(true.into()));
        assert_eq!(three(&interrupted, endless, help).0, Err(Stop::Interrupted));
        // Each has a third of what is left.
        let memory = Control::new().memory_limit(1_000 + 300_000);
        let greedy = |_: &mut Counts, memory: &mut Memory, _: &Control| -> Found {
            loop {
                memory.claim(1_000)?;
            }
        };
        let (found, counts) = three(&memory, greedy, |_, counts, memory, control| {
            greedy(counts, memory, control)
        });
        assert_eq!(found, Err(Stop::Memory));
        assert!(counts.peak_bytes <= 301_000, "{}", counts.peak_bytes);
    }
}
