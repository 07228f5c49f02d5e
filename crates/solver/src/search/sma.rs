//! SMA*: A* until memory is full; then it forgets the worst states and backs up their values.
//!
//! **While memory lasts** it is A*: each state once, with the cheapest way to it, in
//! the same order with the same ties.
//!
//! **When memory is full** it forgets the worst open state, the one that A* would come
//! to last, and remembers the least g + h of all that it forgot. Every plan leads through
//! an open state or a forgotten one, so the lesser of the two best values is a lower
//! bound. While it is that of an open state, A* would do the same.
//!
//! **When a forgotten state is next**, the search goes on in rounds, as IDA* does: depth-first
//! along every path within the limit, which is the lower bound. What memory holds now are facts
//! about states: *from X, the cost left is at least h*. Three kinds are known.
//!
//! 1. What the heuristic says.
//! 2. A plan through X costs at least the limit. So if one way to X costs g, at least limit - g
//!    is left, also if a cheaper way to X exists. This holds for the states that A* has stored, and
//!    for those on the current path: coming back to one of them by a way that costs more is beyond
//!    the limit.
//! 3. When the search leaves X, every child is beyond the limit. The least cost of a move and
//!    what is left behind it, over all moves of X, is left from X: its value is backed up. A move
//!    straight back is not followed but counted, by the second kind.
//!
//! Children whose g + h is beyond the limit by any of these are cut off. The least value
//! at the start is the next limit.
//!
//! **Why this is right.** No path is cut off because its state was *seen*. Where that is
//! done, plans get lost: path A is cut because its state is in memory by path B; B is
//! forgotten; and when B is made again, an ancestor of it is cut because of a path that ends in A.
//! Facts about states depend on no path and on no other fact that may be forgotten later. So
//! each stays true for every path to its state, forgetting any of them costs only time, and the first
//! goal within the limit is optimal. What is forgotten is the state of the largest g + h,
//! of equals the deepest, which saved the least work.
//!
//! **Progress.** A round expands no more than a round of IDA* with this limit, since it cuts off
//! at least as much, whatever is forgotten. Moves cost at least 1, so the limit grows each time.
//!
//! **Memory.** Everything is claimed before it is made, and the path comes first: if it
//! grows, a block of states is given up for it. Once only the path is left and it does not fit,
//! the search ends with its bounds.
//!
//! Its weakness: near the optimum A* finds a goal soon, among the deepest states. A round
//! starts over and takes children in the order of the moves.
//!
//! Russell: Efficient memory-bounded search methods. ECAI 1992, gives SMA*. Reinefeld, Marsland:
//! Enhanced iterative-deepening search. IEEE Transactions on Pattern Analysis and Machine
//! Intelligence 16, 1994, keep such facts in a table.

use noyes_puzzle::Space;

use super::heuristic::Heuristic;
use crate::answer::Outcome;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::nodes::{Id, NONE, Node, Nodes};
use crate::core::queue::Key;
use crate::core::store::{chain, plan_through};
use crate::counts::Counts;

/// Finds an optimal plan by SMA*, in the memory that `control` allows. On a space with cycles and no plan it ends
/// only by a limit, unless all states fit into memory.
pub fn sma_star<S: Space, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    control: &Control,
) -> Outcome<S::Move> {
    let mut search = SmaStar {
        space,
        heuristic,
        control,
        memory: Memory::new(control),
        nodes: Nodes::new(space.state_bytes()),
        limit: 0,
        forgotten: u32::MAX,
        goal: None,
        best: None,
        path: vec![],
        pace: Pace::new(4 * space.state_bytes()), // with its children
        counts: Counts::default(),
    };
    let mut end = search.best_first();
    if let Some((goal, _)) = search.goal {
        let nodes = chain(goal, |node| search.nodes.get(node).parent);
        let states = nodes.into_iter().map(|node| &search.nodes.get(node).state);
        search.best = Some(plan_through(space, states));
    }
    if end == Err(Stop::Memory) {
        end = search.in_rounds();
    }
    search.counts.peak_bytes = search.memory.peak();
    Outcome::ended(end, search.limit, search.best, search.counts)
}

struct SmaStar<'a, S: Space, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    control: &'a Control,
    memory: Memory<'a>,
    nodes: Nodes<S::State>,
    /// No plan is cheaper.
    limit: u32,
    /// The least g + h of the open states that A* has forgotten.
    forgotten: u32,
    /// The best goal that A* has reached, and what it costs.
    goal: Option<(Id, u32)>,
    /// The best plan, and what it costs.
    best: Option<(Vec<S::Move>, u32)>,
    path: Vec<Place<'a, S, H>>,
    pace: Pace,
    counts: Counts,
}

// 1. A*. Open states are listed by g + h, then the largest g first; expanded ones are not listed.

fn order<T>(node: &Node<T>) -> Key {
    (node.g + node.h, u32::MAX - node.g)
}

impl<S: Space, H: Heuristic<S>> SmaStar<'_, S, H> {
    /// Searches until a plan is proven optimal or there is nothing left; an error if a forgotten state is next.
    fn best_first(&mut self) -> Result<(), Stop> {
        let start = self.space.start();
        self.counts.generated = 1;
        let h = self.heuristic.bound(self.heuristic.start(&start));
        self.raise_limit(h);
        self.reach(&start, None, 0, h)?;
        loop {
            let best = self.nodes.pop(&mut self.memory);
            let f = best.map_or(u32::MAX, |((f, _), _)| f);
            if f.min(self.forgotten) >= self.worst_useful() {
                return Ok(());
            }
            self.raise_limit(f.min(self.forgotten));
            let node = match best {
                Some((_, node)) if f <= self.forgotten => node,
                _ => return Err(Stop::Memory),
            };
            if self.pace.is_due() {
                self.memory.allow_beside(self.heuristic.bytes())?;
                self.control.poll(&self.counts)?;
            }
            self.counts.expanded += 1;
            self.nodes.pin(node); // its children know it as their parent, also if it is opened again
            self.expand(node)?;
        }
    }

    fn expand(&mut self, node: Id) -> Result<(), Stop> {
        let (space, heuristic) = (self.space, self.heuristic);
        let Node { g, parent, .. } = *self.nodes.get(node);
        let mut state = self.nodes.get(node).state.clone();
        // Going straight back is never cheaper: one comparison saves a search in the table.
        let parent = self.nodes.get(parent).state.clone();
        let memo = heuristic.start(&state);
        for mv in space.moves(&state) {
            self.counts.generated += 1;
            let h = heuristic.bound(heuristic.after(memo, &state, mv));
            let child_g = g + space.cost(mv);
            if child_g + h < self.worst_useful() {
                space.apply(&mut state, mv);
                if state != parent {
                    self.reach(&state, Some(node), child_g, h)?;
                }
                space.undo(&mut state, mv);
            }
        }
        Ok(())
    }

    /// Records a way to a state; opens the state if it is new or was more expensive before.
    fn reach(&mut self, state: &S::State, parent: Option<Id>, g: u32, h: u32) -> Result<(), Stop> {
        let node = match self.nodes.find(state) {
            Some(node) if self.nodes.get(node).g <= g => return Ok(()),
            Some(node) => {
                let key = order(self.nodes.get(node));
                self.nodes.unlist(node, key, &mut self.memory);
                node
            }
            None => loop {
                match self.nodes.insert(state, &mut self.memory) {
                    Ok(node) => break node,
                    // It would be the worst itself.
                    Err(_) if self.nodes.worst().is_some_and(|(f, _)| f < g + h) => {
                        self.forgotten = self.forgotten.min(g + h);
                        return Ok(());
                    }
                    Err(stop) => self.forget().ok_or(stop)?,
                }
            },
        };
        let reached = self.nodes.get_mut(node);
        (reached.parent, reached.g, reached.h) = (parent.unwrap_or(node), g, h);
        // A goal has bound 0, so only such states need the full comparison.
        if h == 0 && self.space.is_goal(state) {
            self.goal = Some((node, g));
            self.control.reduce_upper(g);
            return Ok(());
        }
        let key = order(reached);
        while let Err(stop) = self.nodes.list(node, key, &mut self.memory) {
            self.forget().ok_or(stop)?;
        }
        Ok(())
    }

    /// Forgets the worst open state; none if no state is open, or if the worst was expanded before.
    fn forget(&mut self) -> Option<()> {
        let (f, _) = self.nodes.forget(&mut self.memory)?;
        self.forgotten = self.forgotten.min(f);
        Some(())
    }

    /// A plan that costs this or more is useless.
    fn worst_useful(&self) -> u32 {
        self.goal.map_or(u32::MAX, |(_, cost)| cost)
    }

    fn raise_limit(&mut self, limit: u32) {
        if limit > self.limit {
            self.limit = limit;
            self.control.raise_lower(limit);
        }
    }
}

// 2. Rounds. The states on the path are not listed; all others are, by g + h, then the smallest g first.

fn worth<T>(node: &Node<T>) -> Key {
    (node.g.saturating_add(node.h), node.g) // no goal is behind a dead end: h is the largest number
}

/// A state on the current path, and what is needed to go on with its children.
struct Place<'a, S: Space + 'a, H: Heuristic<S>> {
    /// The move that led here; none at the start.
    last: Option<S::Move>,
    /// Those not looked at yet.
    moves: S::Moves<'a>,
    memo: H::Memo,
    g: u32,
    /// No plan through the children looked at is cheaper.
    value: u32,
    /// Its node, if there was room for one.
    node: Id,
}

impl<'a, S: Space, H: Heuristic<S>> SmaStar<'a, S, H> {
    /// Searches until the limit reaches the cost of a plan, or there is nothing left.
    fn in_rounds(&mut self) -> Result<(), Stop> {
        let limit = self.limit;
        let learn = |node: &mut Node<S::State>| {
            node.h = node.h.max(limit.saturating_sub(node.g));
            worth(node)
        };
        self.nodes.list_all(learn, &mut self.memory);
        while self.limit < self.worst_useful() {
            let next = match self.round()? {
                Round::Found => return Ok(()),
                Round::Beyond { next } if next < u32::MAX => next,
                Round::Beyond { .. } => break,
            };
            self.raise_limit(next.min(self.worst_useful()));
        }
        Ok(())
    }

    /// Follows every path within the limit.
    fn round(&mut self) -> Result<Round, Stop> {
        let (space, heuristic) = (self.space, self.heuristic);
        let mut state = space.start();
        let memo = heuristic.start(&state);
        if heuristic.bound(memo) == 0 && space.is_goal(&state) {
            self.best = Some((vec![], 0));
            return Ok(Round::Found);
        }
        let mut at = self.enter(&state, None, memo, 0);
        loop {
            // 1. The next child; none left: what is known now is backed up.
            let Some(mv) = at.moves.next() else {
                self.leave(&at);
                let Some(parent) = self.path.pop() else {
                    return Ok(Round::Beyond { next: at.value });
                };
                let left = std::mem::replace(&mut at, parent);
                space.undo(&mut state, left.last.expect("only the start has none"));
                at.value = at.value.min(left.value);
                continue;
            };
            self.counts.generated += 1;
            // 2. Cut it off if it is beyond the limit by the heuristic.
            let memo = heuristic.after(at.memo, &state, mv);
            let g = at.g + space.cost(mv);
            let value = g + heuristic.bound(memo);
            if value > self.limit {
                at.value = at.value.min(value);
                continue;
            }
            space.apply(&mut state, mv);
            if heuristic.bound(memo) == 0 && space.is_goal(&state) {
                let moves = self.path.iter().filter_map(|place| place.last);
                let plan = moves.chain(at.last).chain([mv]).collect();
                self.best = Some((plan, g));
                return Ok(Round::Found);
            }
            // 3. Or by what memory knows about it.
            self.make_room(&mut at)?; // first: it may forget the child
            let known = self.known(&state, g);
            if known > self.limit {
                at.value = at.value.min(known);
                space.undo(&mut state, mv);
                continue;
            }
            // 4. Go there.
            let child = self.enter(&state, Some(mv), memo, g);
            self.path.push(std::mem::replace(&mut at, child));
        }
    }

    /// What a plan costs at least that comes to a state at cost g, by what memory knows about the state.
    fn known(&self, state: &S::State, g: u32) -> u32 {
        match self.nodes.find(state) {
            None => 0,
            Some(node) if self.nodes.is_listed(node) => g.saturating_add(self.nodes.get(node).h),
            Some(on_path) => self.limit + (g - self.nodes.get(on_path).g),
        }
    }

    /// Comes to a state, whose node is kept if there is room.
    fn enter(
        &mut self,
        state: &S::State,
        last: Option<S::Move>,
        memo: H::Memo,
        g: u32,
    ) -> Place<'a, S, H> {
        self.counts.expanded += 1;
        let space = self.space;
        let all = || space.moves(state);
        let moves = last.map_or_else(all, |last| space.moves_after(state, last));
        // The moves left out lead straight back.
        let value = match last {
            Some(last) if all().count() > space.moves_after(state, last).count() => {
                let cheapest = all().map(|mv| space.cost(mv)).min();
                self.limit + space.cost(last) + cheapest.expect("one is left out")
            }
            _ => u32::MAX,
        };
        let node = self.nodes.find(state);
        if let Some(node) = node {
            let key = worth(self.nodes.get(node));
            self.nodes.unlist(node, key, &mut self.memory);
        }
        let node = node.or_else(|| self.keep(state)).unwrap_or(NONE);
        if node != NONE {
            self.nodes.get_mut(node).g = g;
        }
        Place {
            last,
            moves,
            memo,
            g,
            value,
            node,
        }
    }

    /// A node for a state, for which others are forgotten if necessary; none if all are on the path.
    fn keep(&mut self, state: &S::State) -> Option<Id> {
        loop {
            match self.nodes.insert(state, &mut self.memory) {
                Ok(node) => return Some(node),
                Err(_) => self.nodes.forget(&mut self.memory)?,
            };
        }
    }

    /// Leaves a state, whose value is now known.
    fn leave(&mut self, at: &Place<S, H>) {
        if at.node == NONE {
            return;
        }
        let left = match at.value {
            u32::MAX => u32::MAX,
            value => value - at.g,
        };
        let node = self.nodes.get_mut(at.node);
        node.h = node.h.max(left);
        let key = worth(node);
        if self.nodes.list(at.node, key, &mut self.memory).is_err() {
            self.nodes.remove(at.node);
        }
    }

    /// Room for one more state on the path; also asks whether the work may go on.
    fn make_room(&mut self, at: &mut Place<'a, S, H>) -> Result<(), Stop> {
        if self.pace.is_due() {
            while let Err(stop) = self.memory.allow_beside(self.heuristic.bytes()) {
                self.shrink(at).ok_or(stop)?;
            }
            self.control.poll(&self.counts)?;
        }
        let old = self.path.capacity();
        if self.path.len() == old {
            let more = (old / 4).max(8);
            let size = size_of::<Place<S, H>>();
            while let Err(stop) = self.memory.claim((old + more) * size) {
                self.shrink(at).ok_or(stop)?;
            }
            self.path.reserve_exact(more);
            self.memory.release(old * size);
        }
        Ok(())
    }

    /// Gives up a block of nodes, also of those on the path; none if there is no block.
    fn shrink(&mut self, at: &mut Place<'a, S, H>) -> Option<()> {
        self.nodes.shrink(worth, &mut self.memory)?;
        let end = self.nodes.end();
        for place in self.path.iter_mut().chain([at]) {
            if place.node >= end {
                place.node = NONE;
            }
        }
        Some(())
    }
}

/// How a round ended.
enum Round {
    Found,
    /// The least value beyond the limit; the largest number if nothing is beyond it.
    Beyond {
        next: u32,
    },
}
