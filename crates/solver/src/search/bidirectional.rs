//! Bidirectional search: from the start and from the goal at once, by NBS.
//!
//! Each side keeps its open states by f = g + h and g. An optimal plan not found
//! yet has a state u open forwards and, strictly later on it, a state v open
//! backwards, both with their true g; so it costs at least
//!
//! ```text
//! lb(u, v) = max(f(u), f(v), g(u) + g(v) + least cost of a move)
//! ```
//!
//! and the least lb over all pairs of open states is a lower bound at every
//! moment. NBS expands both states of a least pair, as one of them must be
//! expanded by any algorithm that proves its plan optimal in this way: so it
//! never expands more than twice as many as the best of them. A state that both
//! sides have reached gives a plan; one that costs no more than the lower bound is
//! optimal. As in A*, inconsistent heuristics are allowed and states are opened
//! again. Without heuristics this is uniform-cost search from both ends, about the
//! square root of the states that Dijkstra's algorithm sees.
//!
//! A least pair is found without looking at pairs: states wait by f until f is
//! within the lower bound, then they are ready and lie by g. Whole buckets pass
//! from waiting to ready. Both sides share one store, so that each sees at once
//! where the other has been; a 4×4 state takes 32 bytes in it and 6 to 12 in its
//! table, all of it asked for before it is taken.
//!
//! Chen, Holte, Zilles, Sturtevant: Front-to-end bidirectional heuristic search
//! with near-optimal node expansions. IJCAI 2017.

use noyes_puzzle::{Reverse, Space};

use super::heuristic::Heuristic;
use crate::answer::Outcome;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Pool};
use crate::core::store::{Id, Reached, Store};
use crate::counts::Counts;

/// Finds an optimal plan from both ends. `back` is the reversed space and `backward` a heuristic for it.
pub fn bidirectional<S: Reverse, F: Heuristic<S>, B: Heuristic<S::Back>>(
    space: &S,
    forward: &F,
    back: &S::Back,
    backward: &B,
    control: &Control,
) -> Outcome<S::Move> {
    let mut start = Side::new(space, forward, 0);
    let mut goal = Side::new(back, backward, 1);
    let mut meeting = Meeting {
        control,
        memory: Memory::new(control),
        seen: Store::new(space.state_bytes()),
        pool: Pool::new(),
        least_cost: space.least_cost(),
        lower: 0,
        best: None,
        pace: Pace::new(4 * space.state_bytes()), // with its children
        counts: Counts::default(),
    };
    let end = meeting.run(&mut start, &mut goal);
    meeting.counts.peak_bytes = meeting.memory.peak();
    let best = meeting.best.map(|(id, _)| {
        let seen = &meeting.seen;
        let (mut plan, cost) = seen.plan_to(space, id, |reached| reached[0].parent);
        let (rest, rest_cost) = seen.plan_to(back, id, |reached| reached[1].parent);
        plan.extend(rest.into_iter().rev().map(|mv| space.turned(mv)));
        (plan, cost + rest_cost)
    });
    Outcome::ended(end, meeting.lower, best, meeting.counts)
}

/// One end of the search.
struct Side<'a, S, H> {
    space: &'a S,
    heuristic: &'a H,
    /// Which of the two it is.
    index: usize,
    /// Open states by f, then g.
    waiting: Buckets,
    /// Open states with f within the lower bound, by g, then f.
    ready: Buckets,
}

impl<'a, S: Space, H: Heuristic<S>> Side<'a, S, H> {
    fn new(space: &'a S, heuristic: &'a H, index: usize) -> Self {
        Side {
            space,
            heuristic,
            index,
            waiting: Buckets::new(),
            ready: Buckets::new(),
        }
    }

    /// The least f that waits.
    fn least_f(&self) -> u32 {
        self.waiting.keys().next().map_or(u32::MAX, |&(f, _)| f)
    }

    /// The least g that is ready.
    fn least_g(&self) -> Option<u32> {
        self.ready.keys().next().map(|&(g, _)| g)
    }

    /// Makes the first waiting bucket ready.
    fn make_ready(&mut self) {
        if let Some(((f, g), bucket)) = self.waiting.pop_first() {
            let before = self.ready.insert((g, f), bucket);
            assert!(before.is_none(), "a bucket is waiting or ready, not both");
        }
    }

    /// Whether a state with this f and g is put among the ready ones.
    fn is_ready(&self, f: u32, g: u32, lower: u32) -> bool {
        f < lower || f == lower && self.ready.contains_key(&(g, f))
    }
}

/// What both ends share.
struct Meeting<'a, T> {
    control: &'a Control,
    memory: Memory<'a>,
    /// Each state with how it was reached from either end; never is `u32::MAX`.
    seen: Store<T, [Reached; 2]>,
    pool: Pool,
    least_cost: u32,
    lower: u32,
    /// The best state that both ends have reached, and the cost of the plan through it.
    best: Option<(Id, u32)>,
    pace: Pace,
    counts: Counts,
}

impl<T: Clone + Eq + std::hash::Hash> Meeting<'_, T> {
    /// Searches until the best plan is proven best or one side has nothing left.
    fn run<S, F, B, H>(&mut self, start: &mut Side<S, F>, goal: &mut Side<B, H>) -> Result<(), Stop>
    where
        S: Space<State = T>,
        F: Heuristic<S>,
        B: Space<State = T>,
        H: Heuristic<B>,
    {
        let lower = self.open(start)?.max(self.open(goal)?);
        self.raise_lower(lower);
        while self.find_pair(start, goal) {
            self.expand(start)?;
            self.expand(goal)?;
        }
        Ok(())
    }

    /// Opens the root of a side; gives its bound.
    fn open<S: Space<State = T>, H: Heuristic<S>>(
        &mut self,
        side: &mut Side<S, H>,
    ) -> Result<u32, Stop> {
        self.counts.generated += 1;
        let root = side.space.start();
        let h = side.heuristic.bound(side.heuristic.start(&root));
        self.reach(side, &root, None, 0, h)?;
        Ok(h)
    }

    /// Raises the lower bound until a pair of ready states is within it; false if that proves the best plan or
    /// there are no pairs left.
    fn find_pair<S: Space, F: Heuristic<S>, B: Space, H: Heuristic<B>>(
        &mut self,
        start: &mut Side<S, F>,
        goal: &mut Side<B, H>,
    ) -> bool {
        while self.lower < self.worst_useful() {
            // 1. Whatever lies below the bound is ready.
            while start.least_f() < self.lower {
                start.make_ready();
            }
            while goal.least_f() < self.lower {
                goal.make_ready();
            }
            self.drop_outdated(&mut start.ready, start.index);
            self.drop_outdated(&mut goal.ready, goal.index);
            // 2. Two ready states within the bound: a pair.
            let both = match (start.least_g(), goal.least_g()) {
                (Some(g), Some(h)) => g + h + self.least_cost,
                _ => u32::MAX,
            };
            if both <= self.lower {
                return true;
            }
            // 3. Else more states at the bound become ready; else the bound rises.
            let (f, h) = (start.least_f(), goal.least_f());
            if f == self.lower {
                start.make_ready();
            } else if h == self.lower {
                goal.make_ready();
            } else if f == u32::MAX && start.ready.is_empty()
                || h == u32::MAX && goal.ready.is_empty()
            {
                return false;
            } else {
                self.raise_lower(f.min(h).min(both).min(self.worst_useful()));
            }
        }
        false
    }

    /// Removes the first ready entries that are outdated: a cheaper way was found since.
    fn drop_outdated(&mut self, ready: &mut Buckets, side: usize) {
        while let Some(((g, _), id)) = self.pool.peek(ready)
            && self.seen.value(id)[side].g != g
        {
            self.pool.pop(ready, &mut self.memory);
        }
    }

    /// Expands the first ready state of a side.
    fn expand<S: Space<State = T>, H: Heuristic<S>>(
        &mut self,
        side: &mut Side<S, H>,
    ) -> Result<(), Stop> {
        if self.pace.is_due() {
            self.memory.allow_beside(side.heuristic.bytes())?;
            self.control.poll(&self.counts)?;
        }
        self.counts.expanded += 1;
        let ((g, _), id) = self
            .pool
            .pop(&mut side.ready, &mut self.memory)
            .expect("a state of the pair");
        let (space, heuristic) = (side.space, side.heuristic);
        let mut state = self.seen.state(id).clone();
        // Going straight back is never cheaper: one comparison saves a search in the table.
        let parent = self.seen.value(id)[side.index].parent;
        let parent = self.seen.state(parent).clone();
        let memo = heuristic.start(&state);
        for mv in space.moves(&state) {
            self.counts.generated += 1;
            let h = heuristic.bound(heuristic.after(memo, &state, mv));
            let child_g = g + space.cost(mv);
            if child_g + h < self.worst_useful() {
                space.apply(&mut state, mv);
                if state != parent {
                    self.reach(side, &state, Some(id), child_g, h)?;
                }
                space.undo(&mut state, mv);
            }
        }
        Ok(())
    }

    /// Records a way to a state; opens the state if it is new to this side or was more expensive before.
    fn reach<S: Space<State = T>, H: Heuristic<S>>(
        &mut self,
        side: &mut Side<S, H>,
        state: &T,
        parent: Option<Id>,
        g: u32,
        h: u32,
    ) -> Result<(), Stop> {
        let never = Reached {
            parent: Id::MAX,
            g: u32::MAX,
        };
        let (id, _) = self
            .seen
            .find_or_insert(state, [never; 2], &mut self.memory)?;
        let known = self.seen.value_mut(id);
        if known[side.index].g <= g {
            return Ok(());
        }
        known[side.index] = Reached {
            parent: parent.unwrap_or(id),
            g,
        };
        // 1. The other side has been here: a plan.
        let other = known[1 - side.index].g;
        if other != u32::MAX && g + other < self.worst_useful() {
            self.best = Some((id, g + other));
            self.control.reduce_upper(g + other);
        }
        // 2. Open, among the ready or the waiting.
        let f = g + h;
        if side.is_ready(f, g, self.lower) {
            self.pool
                .push(&mut side.ready, (g, f), id, &mut self.memory)
        } else {
            self.pool
                .push(&mut side.waiting, (f, g), id, &mut self.memory)
        }
    }

    /// A plan that costs this or more is useless.
    fn worst_useful(&self) -> u32 {
        self.best.map_or(u32::MAX, |(_, cost)| cost)
    }

    fn raise_lower(&mut self, lower: u32) {
        if lower > self.lower {
            self.lower = lower;
            self.control.raise_lower(lower);
        }
    }
}
