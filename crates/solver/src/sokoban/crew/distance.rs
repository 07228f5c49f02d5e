//! Distances on the floor with only walls in the way, in steps and in pushes.
//!
//! Whatever the others do, a player and a box move at most one cell a step. So
//! distances that ignore boxes and players are never too long. To be pushed, a box
//! needs floor in front of it and behind it. The time that a player needs to get to
//! its other side does not count, because another player may already be there.

use noyes_puzzle::sokoban::Level;

use crate::sokoban::floor::{Floor, back};

/// The distance of a cell that cannot be reached.
pub(super) const FAR: u16 = u16::MAX;

/// The most cells for which all pairs of distances are kept. More would take over 32 MB.
const MOST_CELLS: usize = 4096;

/// The floor of a level, and steps on it.
pub(super) struct StepDistances {
    pub(super) floor: Floor,
    /// The steps between any two cells; empty if there are too many cells.
    walk: Vec<u16>,
    /// The steps from a cell (second index) to one from which a box (first index) can be pushed in some direction.
    near: Vec<u16>,
}

impl StepDistances {
    pub(super) fn new(level: &Level) -> StepDistances {
        let mut distances = StepDistances {
            floor: Floor::new(level),
            walk: vec![],
            near: vec![],
        };
        let cells = distances.floor.len() as u16;
        if usize::from(cells) <= MOST_CELLS {
            distances.walk = (0..cells).flat_map(|from| distances.walks(from)).collect();
            distances.near = (0..cells).flat_map(|at| distances.nearest(at)).collect();
        }
        distances
    }

    pub(super) fn bytes(&self) -> usize {
        2 * (self.walk.len() + self.near.len()) + 12 * self.floor.len()
    }

    /// A lower bound on the steps from one cell to another.
    #[inline]
    pub(super) fn walk(&self, from: u16, to: u16) -> u16 {
        let at = usize::from(from) * self.floor.len() + usize::from(to);
        self.walk.get(at).copied().unwrap_or(0)
    }

    /// A lower bound on the steps from a cell to one from which the box at `at` can be pushed.
    #[inline]
    pub(super) fn near(&self, at: u16, from: u16) -> u16 {
        let at = usize::from(at) * self.floor.len() + usize::from(from);
        self.near.get(at).copied().unwrap_or(0)
    }

    /// The number of pushes that bring a box from each cell to this one.
    pub(super) fn pushes_to(&self, goal: u16) -> Vec<u16> {
        self.flood(goal, |cell, d| {
            let from = self.floor.step(cell, back(d));
            (self.floor.step(from, back(d)) != self.floor.wall()).then_some(from)
        })
    }

    /// The number of pushes that bring a box from this cell to each other one.
    pub(super) fn pushes_from(&self, start: u16) -> Vec<u16> {
        self.flood(start, |cell, d| {
            let behind = self.floor.step(cell, back(d));
            (behind != self.floor.wall()).then_some(self.floor.step(cell, d))
        })
    }

    fn walks(&self, from: u16) -> Vec<u16> {
        self.flood(from, |cell, d| Some(self.floor.step(cell, d)))
    }

    /// For a box on a cell, the steps from each cell to one from which a player can push it.
    fn nearest(&self, at: u16) -> Vec<u16> {
        let (floor, wall) = (&self.floor, self.floor.wall());
        let is_free = |d: usize| floor.step(at, d) != wall && floor.step(at, back(d)) != wall;
        let ways = (0..4).filter(|&d| is_free(d));
        let behind: Vec<u16> = ways.map(|d| floor.step(at, d)).collect();
        let steps = |from| behind.iter().map(|&b| self.walk(from, b)).min();
        (0..self.floor.len() as u16)
            .map(|from| steps(from).unwrap_or(FAR))
            .collect()
    }

    fn flood(&self, from: u16, way: impl Fn(u16, usize) -> Option<u16>) -> Vec<u16> {
        let mut steps = vec![FAR; self.floor.len()];
        steps[usize::from(from)] = 0;
        let mut line = vec![from];
        let mut at = 0;
        while let Some(&cell) = line.get(at) {
            at += 1;
            for d in 0..4 {
                let Some(to) = way(cell, d).filter(|&to| to != self.floor.wall()) else {
                    continue;
                };
                if steps[usize::from(to)] == FAR {
                    steps[usize::from(to)] = steps[usize::from(cell)] + 1;
                    line.push(to);
                }
            }
        }
        steps
    }
}
