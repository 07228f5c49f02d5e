//! A*: always the state whose plan would be cheapest by what is known, g + h.
//!
//! Every state reached is kept with the cheapest way to it. Until an optimal plan
//! is found, some state on it is open with its true g, so the least g + h over all
//! open states is a lower bound at every moment, and a plan that costs no more is
//! optimal. This asks only that h is never too high: where it is inconsistent, a
//! state that was expanded can be reached more cheaply later, and is then opened
//! again. Among equal g + h the deepest goes first, since the last round is the
//! largest and a plan ends it. States that cannot beat the best plan yet are not
//! kept.
//!
//! With a weight on h it becomes weighted A*: greedier, sooner at a plan, which then
//! costs at most that weight times the optimum (Pohl 1970). It ends with the first plan
//! that is cheap enough to be wanted.
//!
//! It costs memory: on 4×4, 24 bytes for a state with parent and g, 6 to 12 for
//! its place in the hash table and 4 while it is open. The memo of the heuristic
//! is not kept but computed again when a state is expanded, which is cheaper than the
//! 4 to 16 bytes in each state, most of which are never expanded. The limit is
//! asked before anything grows; once it refuses, the search ends with its bounds.
//!
//! Hart, Nilsson, Raphael: A formal basis for the heuristic determination of
//! minimum cost paths. IEEE Transactions on Systems Science and Cybernetics 4,
//! 1968. Ties: Asai, Fukunaga: Tie-breaking strategies for cost-optimal best
//! first search. Journal of Artificial Intelligence Research 58, 2017.

use noyes_puzzle::Space;

use super::heuristic::Heuristic;
use crate::answer::Outcome;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Pool};
use crate::core::store::{Id, Reached, Store};
use crate::counts::Counts;

/// Finds an optimal plan by A*, or shows that no plan exists once every state is seen.
pub fn a_star<S: Space, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    control: &Control,
) -> Outcome<S::Move> {
    weighted_a_star(space, heuristic, ONE, u32::MAX, control)
}

/// The same, and reports every state that it generates and expands.
pub(crate) fn a_star_traced<S: Space, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    trace: &mut impl Trace<S>,
    control: &Control,
) -> Outcome<S::Move> {
    traced(space, heuristic, ONE, u32::MAX, trace, control)
}

/// What becomes of a state that A* generates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is new and waits to be expanded.
    Open,
    /// It is known, but this way is cheaper: it waits again.
    Reopened,
    /// It is known by a way that costs no more.
    Known,
    /// It is the state that its parent came from.
    Back,
    /// No plan through it is cheaper than the best one so far.
    Useless,
    /// It is a goal.
    Goal,
}

/// What A* reports while it runs.
pub(crate) trait Trace<S: Space> {
    /// This state is expanded. Its children follow.
    fn expanded(&mut self, state: &S::State);
    /// A move from this state is looked at. Without a move, the state is the start.
    fn generated(&mut self, from: &S::State, mv: Option<S::Move>, g: u32, h: u32, fate: Fate);
}

/// Nobody listens.
impl<S: Space> Trace<S> for () {
    #[inline]
    fn expanded(&mut self, _: &S::State) {}

    #[inline]
    fn generated(&mut self, _: &S::State, _: Option<S::Move>, _: u32, _: u32, _: Fate) {}
}

/// Weights are given in quarters.
pub(crate) const ONE: u32 = 4;

/// Finds a plan that costs less than `cutoff`, and at most `weight` quarters of the optimum. With the weight [`ONE`]
/// it is optimal. If no plan is that cheap, the outcome is `Unsolvable`.
pub(crate) fn weighted_a_star<S: Space, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    weight: u32,
    cutoff: u32,
    control: &Control,
) -> Outcome<S::Move> {
    traced(space, heuristic, weight, cutoff, &mut (), control)
}

fn traced<S: Space, H: Heuristic<S>, T: Trace<S>>(
    space: &S,
    heuristic: &H,
    weight: u32,
    cutoff: u32,
    trace: &mut T,
    control: &Control,
) -> Outcome<S::Move> {
    let mut search = AStar {
        space,
        heuristic,
        trace,
        control,
        weight,
        cutoff,
        memory: Memory::new(control),
        seen: Store::new(space.state_bytes()),
        pool: Pool::new(),
        open: Buckets::new(),
        lower: 0,
        best: None,
        pace: Pace::new(4 * space.state_bytes()), // with its children
        counts: Counts::default(),
    };
    let end = search.run();
    search.counts.peak_bytes = search.memory.peak();
    // A state on the way may have become cheaper since, so the cost is that of the plan itself.
    let best = search
        .best
        .map(|(id, _)| search.seen.plan_to(space, id, |reached| reached.parent));
    Outcome::ended(end, search.lower, best, search.counts)
}

struct AStar<'a, S: Space, H: Heuristic<S>, T: Trace<S>> {
    space: &'a S,
    heuristic: &'a H,
    trace: &'a mut T,
    control: &'a Control,
    memory: Memory<'a>,
    seen: Store<S::State, Reached>,
    pool: Pool,
    /// How much h counts against g, in quarters.
    weight: u32,
    /// Plans of this cost or more are not wanted.
    cutoff: u32,
    /// By g + h (h weighted, in quarters), then the largest g first.
    open: Buckets,
    lower: u32,
    /// The best goal reached, and what it costs.
    best: Option<(Id, u32)>,
    pace: Pace,
    counts: Counts,
}

impl<S: Space, H: Heuristic<S>, T: Trace<S>> AStar<'_, S, H, T> {
    /// Searches until the best plan is proven best or there is nothing left.
    fn run(&mut self) -> Result<(), Stop> {
        let start = self.space.start();
        self.counts.generated = 1;
        let h = self.heuristic.bound(self.heuristic.start(&start));
        let fate = self.reach(&start, 0, 0, h)?;
        self.trace.generated(&start, None, 0, h, fate);
        self.raise_lower(h);
        while let Some(((key, ties), id)) = self.pool.pop(&mut self.open, &mut self.memory) {
            // 1. No open state can beat the plan: it is optimal, or as near to it as the weight promises. (A goal's
            //    own key is its cost; before that comes up, the promise does not hold.)
            let f = key / ONE;
            if self.best.is_some_and(|(_, cost)| key >= ONE * cost)
                || self.weight == ONE && f >= self.cutoff
            {
                break;
            }
            // 2. An entry from before a cheaper way was found is outdated.
            let g = u32::MAX - ties;
            if self.seen.value(id).g != g {
                continue;
            }
            if self.weight == ONE {
                self.raise_lower(f);
            }
            // 3. All its children.
            if self.pace.is_due() {
                self.memory.allow_beside(self.heuristic.bytes())?;
                self.control.poll(&self.counts)?;
            }
            self.counts.expanded += 1;
            self.expand(id, g)?;
        }
        Ok(())
    }

    fn expand(&mut self, id: Id, g: u32) -> Result<(), Stop> {
        let (space, heuristic) = (self.space, self.heuristic);
        let mut state = self.seen.state(id).clone();
        // Going straight back is never cheaper: one comparison saves a search in the table.
        let parent = self.seen.state(self.seen.value(id).parent).clone();
        let memo = heuristic.start(&state);
        self.trace.expanded(&state);
        for mv in space.moves(&state) {
            self.counts.generated += 1;
            let h = heuristic.bound(heuristic.after(memo, &state, mv));
            let child_g = g + space.cost(mv);
            let mut fate = Fate::Useless;
            if child_g + h < self.worst_useful() {
                space.apply(&mut state, mv);
                fate = if state == parent {
                    Fate::Back
                } else {
                    self.reach(&state, id, child_g, h)?
                };
                space.undo(&mut state, mv);
            }
            self.trace.generated(&state, Some(mv), child_g, h, fate);
        }
        Ok(())
    }

    /// Records a way to a state; opens the state if it is new or was more expensive before.
    fn reach(&mut self, state: &S::State, parent: Id, g: u32, h: u32) -> Result<Fate, Stop> {
        let reached = Reached { parent, g };
        let (id, new) = self.seen.find_or_insert(state, reached, &mut self.memory)?;
        if !new {
            let known = self.seen.value_mut(id);
            if known.g <= g {
                return Ok(Fate::Known);
            }
            *known = reached;
        }
        // A goal has bound 0, so only such states need the full comparison.
        if h == 0 && self.space.is_goal(state) {
            self.best = Some((id, g));
            self.control.reduce_upper(g);
            return Ok(Fate::Goal);
        }
        let key = (ONE * g + self.weight * h, u32::MAX - g);
        self.pool.push(&mut self.open, key, id, &mut self.memory)?;
        Ok(if new { Fate::Open } else { Fate::Reopened })
    }

    /// A plan that costs this or more is useless.
    fn worst_useful(&self) -> u32 {
        self.best.map_or(self.cutoff, |(_, cost)| cost)
    }

    fn raise_lower(&mut self, f: u32) {
        if f > self.lower {
            self.lower = f;
            self.control.raise_lower(f);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Zero;
    use crate::search::bfs;
    use crate::tiles::heuristic::Misplaced;
    use noyes_puzzle::tiles::{Board, Generator, random_board};
    use noyes_puzzle::{Nibbles, SlideSpace};

    #[test]
    fn a_weighted_plan_keeps_the_promise_of_its_weight() {
        let goal = Board::blank_last(3, 3);
        let control = Control::new();
        for i in 0..40 {
            let board = random_board(&goal, &mut Generator::new(6, i));
            let space = SlideSpace::<Nibbles>::on_board(&board, &goal);
            let optimum = bfs(&space, &control).bounds.upper.unwrap();
            for weight in [ONE, ONE + 1, ONE + 2, 2 * ONE, 5 * ONE] {
                let misplaced = Misplaced::new(&space);
                for outcome in [
                    weighted_a_star(&space, &misplaced, weight, u32::MAX, &control),
                    weighted_a_star(&space, &Zero, weight, u32::MAX, &control),
                ] {
                    let cost = outcome.bounds.upper.unwrap();
                    assert!(
                        ONE * cost <= weight * optimum,
                        "{cost} for {optimum}, weight {weight}"
                    );
                }
                let none = weighted_a_star(&space, &misplaced, weight, optimum, &control);
                assert_eq!(none.plan, None, "nothing is cheaper than the optimum");
                assert_ne!(none.status, crate::Status::Optimal);
            }
        }
    }
}
