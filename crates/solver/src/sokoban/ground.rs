//! The floor of a level with its cells numbered from 0, and distances on it that only walls lengthen.
//!
//! Whatever the others do, a player goes one cell a step and a box at most one,
//! so distances that forget boxes and players are never too long. A box needs
//! floor on both sides of it to be pushed; that a player could not get to its
//! other side in time is not counted, since another player may already be there.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

/// No cell.
pub(crate) const NONE: u16 = u16::MAX;
/// No way.
pub(crate) const FAR: u16 = u16::MAX;

/// The most cells with distances between any two: more would take more than 32 MB.
const MOST_CELLS: usize = 4096;

/// The floor of a level.
pub(crate) struct Ground {
    /// The cells of the level that are floor.
    pub(crate) cells: Vec<u16>,
    /// The cell next to each, for all directions; the opposite of `d` is `3 - d`.
    pub(crate) next: Vec<[u16; 4]>,
    pub(crate) is_goal: Vec<bool>,
    /// Steps between any two cells, if there are not too many of them.
    walk: Vec<u16>,
    /// Steps from any cell (second) until one stands ready to push a box (first) in some direction.
    near: Vec<u16>,
}

impl Ground {
    pub(crate) fn new(level: &Level) -> Ground {
        let cells: Vec<u16> = (0..level.cells() as u32)
            .map(|cell| cell as u16)
            .filter(|&cell| level.is_floor(cell))
            .collect();
        let number = |cell: u16| cells.binary_search(&cell).expect("floor") as u16;
        let around =
            |cell: u16| Direction::ALL.map(|d| level.neighbour(cell, d).map_or(NONE, number));
        let mut ground = Ground {
            next: cells.iter().map(|&cell| around(cell)).collect(),
            is_goal: cells.iter().map(|&cell| level.is_goal(cell)).collect(),
            walk: vec![],
            near: vec![],
            cells,
        };
        if ground.len() <= MOST_CELLS {
            let from_each = (0..ground.len() as u16).flat_map(|from| ground.walks(from));
            ground.walk = from_each.collect();
            let near = (0..ground.len() as u16).flat_map(|at| ground.nearest(at));
            ground.near = near.collect();
        }
        ground
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The number of a cell of the level.
    pub(crate) fn number(&self, cell: u16) -> u16 {
        self.cells.binary_search(&cell).expect("floor") as u16
    }

    pub(crate) fn numbers(&self, cells: impl IntoIterator<Item = u16>) -> Vec<u16> {
        cells.into_iter().map(|cell| self.number(cell)).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        2 * (self.walk.len() + self.near.len()) + 12 * self.len()
    }

    /// No fewer steps lead from one cell to another.
    #[inline]
    pub(crate) fn walk(&self, from: u16, to: u16) -> u16 {
        let at = usize::from(from) * self.len() + usize::from(to);
        self.walk.get(at).copied().unwrap_or(0)
    }

    /// No fewer steps lead from a cell to where a box can be pushed from.
    #[inline]
    pub(crate) fn near(&self, at: u16, from: u16) -> u16 {
        let at = usize::from(at) * self.len() + usize::from(from);
        self.near.get(at).copied().unwrap_or(0)
    }

    /// The pushes that bring a box from each cell to this one.
    pub(crate) fn pushes_to(&self, goal: u16) -> Vec<u16> {
        self.flood(goal, |cell, d| {
            let from = self.step(cell, 3 - d);
            (self.step(from, 3 - d) != NONE).then_some(from)
        })
    }

    /// The pushes that bring a box from this cell to each.
    pub(crate) fn pushes_from(&self, start: u16) -> Vec<u16> {
        self.flood(start, |cell, d| {
            (self.step(cell, 3 - d) != NONE).then_some(self.step(cell, d))
        })
    }

    fn walks(&self, from: u16) -> Vec<u16> {
        self.flood(from, |cell, d| Some(self.step(cell, d)))
    }

    /// For a box at a cell: the steps of a player from each cell until one can push it.
    fn nearest(&self, at: u16) -> Vec<u16> {
        let behind = (0..4).filter(|&d| self.step(at, d) != NONE && self.step(at, 3 - d) != NONE);
        let behind: Vec<u16> = behind.map(|d| self.step(at, d)).collect();
        let steps = |from| behind.iter().map(|&b| self.walk(from, b)).min();
        (0..self.len() as u16)
            .map(|from| steps(from).unwrap_or(FAR))
            .collect()
    }

    #[inline]
    pub(crate) fn step(&self, cell: u16, direction: usize) -> u16 {
        self.next
            .get(usize::from(cell))
            .map_or(NONE, |next| next[direction])
    }

    fn flood(&self, from: u16, way: impl Fn(u16, usize) -> Option<u16>) -> Vec<u16> {
        let mut steps = vec![FAR; self.len()];
        steps[usize::from(from)] = 0;
        let mut line = vec![from];
        let mut at = 0;
        while let Some(&cell) = line.get(at) {
            at += 1;
            for d in 0..4 {
                let Some(to) = way(cell, d).filter(|&to| to != NONE) else {
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
