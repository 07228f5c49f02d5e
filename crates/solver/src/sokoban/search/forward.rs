//! A* over pushes: always expands the state with the lowest g + h.
//!
//! A state is the position after a push. If only pushes count, the player may be
//! anywhere it can walk to, and all such positions are one state. If moves count,
//! the player is where the push left it, and the walk to the next push is part of
//! that push's cost. Costs are pairs that are compared in order: pushes alone,
//! moves and then pushes, or pushes and then moves. The matching bound holds for
//! both parts, because every push is also a move. A push lowers it by at most one,
//! so neither part of g + h ever falls along a path. The first goal that is taken
//! from the queue is therefore optimal in the first part and, among such plans, in
//! the second.
//!
//! Until then the lowest g + h of all open states is a lower bound. Among equal
//! states the deepest goes first.
//!
//! Hart, Nilsson, Raphael: A formal basis for the heuristic determination of
//! minimum cost paths. IEEE Transactions on Systems Science and Cybernetics 4,
//! 1968. Junghanns, Schaeffer: Sokoban: Enhancing general single-agent search
//! methods using domain knowledge. Artificial Intelligence 129, 2001.

use noyes_puzzle::tiles::Direction;

use super::bound::PushBound;
use super::canonical::{Spare, canonical};
use super::found::Pair;
use super::plan::follow;
use super::setup::Setup;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Key, Pool};
use crate::core::store::{Id, Reached, chain};
use crate::core::words::{WordStore, hash_of};
use crate::counts::Counts;
use crate::sokoban::bound::distance::Way;
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;
use crate::sokoban::prune::corral::Corrals;

/// The cost that a search minimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Pushes only.
    Pushes,
    /// Pushes, then moves.
    PushesMoves,
    /// Moves, then pushes.
    MovesPushes,
}

/// A search forward from the start.
pub(crate) struct Forward<'a, 'm> {
    setup: &'a Setup,
    cost: Cost,
    control: &'a Control,
    memory: &'a mut Memory<'m>,
    pub(crate) counts: Counts,
    bound: PushBound<'a>,
    corrals: Corrals,
    pushes: Vec<(u16, usize)>,
    position: Position,
    walk: Walk,
    after: Walk,
    seen: WordStore<Reached<Pair>>,
    pool: Pool,
    open: Buckets,
    pace: Pace,
    spare: Spare,
    key: Vec<u64>,
    /// The lower bound: no plan costs less, in the first part.
    pub(crate) lower: u32,
    /// The best goal reached, and its cost.
    best: Option<(Id, Pair)>,
    /// Plans that cost this much or more are of no use.
    cutoff: Pair,
}

impl<'a, 'm> Forward<'a, 'm> {
    /// A search that has not begun, for a plan that costs less than `cutoff`.
    pub(crate) fn new(
        setup: &'a Setup,
        cost: Cost,
        cutoff: Pair,
        counts: Counts,
        memory: &'a mut Memory<'m>,
        control: &'a Control,
    ) -> Self {
        let field = &setup.field;
        let words = setup.packing.words;
        Forward {
            setup,
            cost,
            control,
            memory,
            counts,
            bound: PushBound::new(setup, &setup.distances, Way::Push),
            corrals: Corrals::new(field),
            pushes: vec![],
            position: Position::start(field),
            walk: Walk::new(&field.floor),
            after: Walk::new(&field.floor),
            seen: WordStore::new(words),
            pool: Pool::new(),
            open: Buckets::new(),
            pace: setup.field.pace(),
            spare: Spare::default(),
            key: vec![0; words],
            lower: 0,
            best: None,
            cutoff,
        }
    }

    /// Searches until the best plan is proven optimal or no states are left.
    pub(crate) fn run(&mut self) -> Result<(), Stop> {
        self.root()?;
        while let Some((key, id)) = self.pool.pop(&mut self.open, self.memory) {
            // 1. No open state can lead to a better plan.
            let node = *self.seen.value(id);
            if self.best.is_some_and(|(_, cost)| key.0 > cost.0) {
                break;
            }
            if key.0 > self.lower {
                self.lower = key.0;
                self.control.raise_lower(key.0);
            }
            // 2. Entries made before a cheaper path was found are stale.
            let h = key.0.wrapping_sub(node.g.0);
            if key != self.key_of(node.g, h) {
                continue;
            }
            if h == 0 {
                break; // a goal, and no other is cheaper
            }
            // 3. All its pushes.
            if self.pace.is_due() {
                self.control.poll(&self.counts)?;
            }
            self.counts.expanded += 1;
            self.expand(id, node.g)?;
        }
        Ok(())
    }

    fn root(&mut self) -> Result<(), Stop> {
        let field = &self.setup.field;
        self.counts.generated += 1;
        self.position.set(&field.boxes, field.player);
        let Some(h) = self.bound.start(&self.position, self.memory)? else {
            return Ok(());
        };
        self.write_key();
        let hash = hash_of(&self.key);
        let root = Reached {
            parent: 0,
            g: (0, 0),
        };
        let id = self.seen.insert(&self.key, hash, root, self.memory)?;
        self.open(id, (0, 0), h)
    }

    /// Opens a state. If it is a goal and cheaper than the best one, it becomes the best.
    fn open(&mut self, id: Id, g: Pair, h: u32) -> Result<(), Stop> {
        if h == 0 && self.best.is_none_or(|(_, cost)| g < cost) {
            self.best = Some((id, g));
            self.control.reduce_upper(g.0);
        }
        let key = self.key_of(g, h);
        self.pool.push(&mut self.open, key, id, self.memory)
    }

    /// Orders states by the first part of g + h, then by the second, then deepest first.
    fn key_of(&self, g: Pair, h: u32) -> Key {
        let second = match self.cost {
            Cost::Pushes => 0,
            _ => (g.1 + h).min((1 << 20) - 1),
        };
        (g.0 + h, (second << 12) + 4095 - g.0.min(4095))
    }

    fn is_exact(&self) -> bool {
        self.cost != Cost::Pushes
    }

    fn write_key(&mut self) {
        let anywhere = if self.is_exact() {
            None
        } else {
            self.after.from(
                &self.setup.field.floor,
                self.position.player,
                &self.position.occupied,
            );
            Some(&self.after)
        };
        canonical(
            self.setup,
            &self.position,
            anywhere,
            &mut self.spare,
            &mut self.key,
        );
    }

    fn expand(&mut self, id: Id, g: Pair) -> Result<(), Stop> {
        let Setup { field, packing, .. } = self.setup;
        self.position.unpack(packing, self.seen.state(id));
        if self.bound.start(&self.position, self.memory)?.is_none() {
            return Ok(()); // more boxes are frozen than was known when it was reached
        }
        let player = self.position.player;
        self.walk
            .from(&field.floor, player, &self.position.occupied);
        self.find_pushes();
        for i in 0..self.pushes.len() {
            let (cell, d) = self.pushes[i];
            let number = usize::from(self.position.occupied[usize::from(cell)]) - 1;
            let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
            self.counts.generated += 1;
            // 1. The bound.
            let Some(h) = self.bound.with(number, to, cell, back(d)) else {
                continue;
            };
            let moves = self.walk.steps(from) + 1;
            let child = match self.cost {
                Cost::Pushes => (g.0 + 1, 0),
                Cost::PushesMoves => (g.0 + 1, g.1 + moves),
                Cost::MovesPushes => (g.0 + moves, g.1 + 1),
            };
            if !self.is_useful(child, h) {
                continue;
            }
            // 2. The state, if it is new or cheaper than before.
            self.position.shift(number, to);
            self.position.player = cell;
            let reached = self.reach(id, child, h, to);
            self.position.shift(number, cell);
            reached?;
        }
        Ok(())
    }

    /// Finds the pushes that have to be tried, each as a box's cell and a direction.
    fn find_pushes(&mut self) {
        let Setup {
            field,
            distances,
            surplus,
            ..
        } = self.setup;
        let Position {
            boxes, occupied, ..
        } = &self.position;
        self.pushes.clear();
        if self.cost == Cost::Pushes {
            let corral =
                (self.corrals).find(field, distances, occupied, boxes, &self.walk, *surplus);
            if let Some(pushes) = corral {
                self.pushes.extend_from_slice(pushes);
                return;
            }
        }
        for &cell in boxes {
            for d in 0..4 {
                let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
                if occupied[usize::from(to)] == 0 && self.walk.reaches(from) {
                    self.pushes.push((cell, d));
                }
            }
        }
    }

    /// Whether a plan through a state could be cheaper than the best one.
    fn is_useful(&self, g: Pair, h: u32) -> bool {
        let f = match self.cost {
            Cost::Pushes => (g.0 + h, 0),
            _ => (g.0 + h, g.1 + h),
        };
        f < self.best.map_or(self.cutoff, |(_, cost)| cost)
    }

    /// Notes a path to the state in `position`, whose last push went to cell `to`.
    fn reach(&mut self, parent: Id, g: Pair, h: u32, to: u16) -> Result<(), Stop> {
        self.write_key();
        let hash = hash_of(&self.key);
        let reached = Reached { parent, g };
        if let Some(id) = self.seen.find(&self.key, hash) {
            let known = self.seen.value_mut(id);
            if known.g <= g {
                return Ok(());
            }
            *known = reached;
            return self.open(id, g, h);
        }
        let settled = self.bound.settle(&self.position, to, h, self.memory)?;
        let Some(h) = settled.filter(|&h| self.is_useful(g, h)) else {
            return Ok(());
        };
        let id = self.seen.insert(&self.key, hash, reached, self.memory)?;
        self.open(id, g, h)
    }

    /// The best plan found, and its cost.
    pub(crate) fn plan(&self) -> Option<(Vec<Direction>, Pair)> {
        let (goal, _) = self.best?;
        let chain = chain(goal, |id| self.seen.value(id).parent);
        let pushes = chain.len() as u32 - 1;
        let states = chain.iter().skip(1).map(|&id| self.seen.state(id));
        let plan = follow(self.setup, states);
        let moves = plan.len() as u32;
        let cost = match self.cost {
            Cost::Pushes => (pushes, 0),
            Cost::PushesMoves => (pushes, moves),
            Cost::MovesPushes => (moves, pushes),
        };
        Some((plan, cost))
    }
}
