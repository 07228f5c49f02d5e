//! Iterative-deepening A*: depth-first, again and again, with a growing limit on g + h.
//!
//! Each round follows every path whose g + h stays within the limit and notes
//! the smallest value that went beyond it, which is the next limit. The first
//! goal met is optimal when the heuristic never exceeds the true cost, and each
//! limit that failed is a lower bound. Only the current path is kept, so it
//! takes almost no memory; states reached by several paths are searched several times.
//!
//! The stack is our own, not the machine's: a plan may have a million moves. A
//! child is cut off before it is made, from its parent's memo.
//!
//! Korf: Depth-first iterative-deepening: an optimal admissible tree search.
//! Artificial Intelligence 27, 1985.

use noyes_puzzle::Space;

use super::heuristic::Heuristic;
use crate::answer::Outcome;
use crate::control::{Control, POLL_MASK, Stop};
use crate::counts::Counts;

/// Finds an optimal plan by IDA*. On a space with cycles and no plan it ends only by a limit.
pub fn ida_star<S: Space, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    control: &Control,
) -> Outcome<S::Move> {
    ida_star_between(space, heuristic, 0, u32::MAX, control)
}

/// The same where it is known that no plan is cheaper than `lower`, and only plans cheaper than `cutoff` are wanted.
/// If no plan is that cheap, the outcome is `Unsolvable`, with the bound `cutoff`.
pub(crate) fn ida_star_between<S: Space, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    lower: u32,
    cutoff: u32,
    control: &Control,
) -> Outcome<S::Move> {
    let start = space.start();
    let memo = heuristic.start(&start);
    let limit = heuristic.bound(memo).max(lower);
    let mut search = IdaStar {
        space,
        heuristic,
        control,
        limit,
        counts: Counts {
            generated: 1,
            ..Counts::default()
        },
        path: vec![],
    };
    let mut ready = search.check(0, 1); // the heuristic may have filled tables for the start
    loop {
        if search.limit >= cutoff {
            return Outcome::unsolvable(cutoff, search.counts);
        }
        control.raise_lower(search.limit);
        let round = ready.and_then(|()| search.round(start.clone(), memo));
        ready = Ok(());
        search.counts.peak_bytes = search.bytes().min(control.most_bytes());
        match round {
            Ok(Round::Found { cost }) => {
                let plan = search.path.iter().map(|step| step.mv).collect();
                return Outcome::optimal(plan, cost, search.counts);
            }
            Ok(Round::Beyond { next }) => search.limit = next,
            Ok(Round::Exhausted) => return Outcome::unsolvable(search.limit, search.counts),
            Err(stop) => return Outcome::stopped(stop, search.limit, search.counts),
        }
    }
}

struct IdaStar<'a, S: Space, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    control: &'a Control,
    limit: u32,
    counts: Counts,
    path: Vec<Frame<'a, S, H>>,
}

/// A move on the current path, and what is needed to go on with its siblings.
struct Frame<'a, S: Space + 'a, H: Heuristic<S>> {
    mv: S::Move,
    moves: S::Moves<'a>,
    memo: H::Memo,
    g: u32,
}

enum Round {
    Found { cost: u32 },
    Beyond { next: u32 },
    Exhausted,
}

impl<S: Space, H: Heuristic<S>> IdaStar<'_, S, H> {
    fn round(&mut self, mut state: S::State, mut memo: H::Memo) -> Result<Round, Stop> {
        let (space, heuristic, limit) = (self.space, self.heuristic, self.limit);
        let Counts {
            mut expanded,
            mut generated,
            ..
        } = self.counts; // in registers while the loop runs
        let mut next = u32::MAX;
        let mut g = 0;
        let mut moves = space.moves(&state);
        self.path.clear();
        if heuristic.bound(memo) == 0 && space.is_goal(&state) {
            return Ok(Round::Found { cost: 0 });
        }
        expanded += 1;
        let end = loop {
            // 1. The next child of the current state; none left: one step back.
            let Some(mv) = moves.next() else {
                let Some(step) = self.path.pop() else {
                    break Ok(if next == u32::MAX {
                        Round::Exhausted
                    } else {
                        Round::Beyond { next }
                    });
                };
                space.undo(&mut state, step.mv);
                (moves, memo, g) = (step.moves, step.memo, step.g);
                continue;
            };
            generated += 1;
            // 2. Cut it off if it cannot be within the limit.
            let child = heuristic.after(memo, &state, mv);
            let child_g = g + space.cost(mv);
            let f = child_g + heuristic.bound(child);
            if f > limit {
                next = next.min(f);
                continue;
            }
            // 3. Go there.
            space.apply(&mut state, mv);
            self.path.push(Frame { mv, moves, memo, g });
            if heuristic.bound(child) == 0 && space.is_goal(&state) {
                break Ok(Round::Found { cost: child_g });
            }
            (moves, memo, g) = (space.moves_after(&state, mv), child, child_g);
            expanded += 1;
            if expanded & POLL_MASK == 0
                && let Err(stop) = self.check(expanded, generated)
            {
                break Err(stop);
            }
        };
        (self.counts.expanded, self.counts.generated) = (expanded, generated);
        end
    }

    #[cold]
    fn check(&mut self, expanded: u64, generated: u64) -> Result<(), Stop> {
        (self.counts.expanded, self.counts.generated) = (expanded, generated);
        self.control.poll(&self.counts)?;
        self.control.allow_bytes(self.bytes())
    }

    fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<Frame<S, H>>() + self.heuristic.bytes()
    }
}
