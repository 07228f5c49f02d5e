//! The floor of a level, its cells numbered from 0 without gaps.
//!
//! Walls never move, so only the floor matters. Floor cells are numbered in the
//! order of the level, and the next number after the last stands for every wall.
//! All four neighbours of the wall are the wall itself, so looking up a neighbour,
//! or a neighbour's neighbour, needs no test. Directions are numbered up, left,
//! right, down, so the opposite of `d` is `3 - d`.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

/// The opposite direction.
#[inline]
pub(crate) fn back(direction: usize) -> usize {
    3 - direction
}

/// The floor cells by number, with their neighbours and goals.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    /// The cell of the level that each number stands for, in ascending order.
    pub(crate) cells: Vec<u16>,
    /// The four neighbours of each cell; the last entry is the wall's.
    pub(crate) next: Vec<[u16; 4]>,
    /// Whether each cell is a goal; the last entry is the wall's, always false.
    pub(crate) is_goal: Vec<bool>,
}

impl Floor {
    /// The whole floor of a level.
    pub(crate) fn new(level: &Level) -> Floor {
        Floor::numbered(level, |cell| level.is_floor(cell))
    }

    /// The floor that a player could walk to from a cell if there were no boxes.
    pub(crate) fn around(level: &Level, start: u16) -> Floor {
        let mut inside = vec![false; level.cells()];
        let mut open = vec![start];
        while let Some(cell) = open.pop() {
            if !std::mem::replace(&mut inside[usize::from(cell)], true) {
                let next = |&d: &Direction| level.neighbour(cell, d);
                open.extend(Direction::ALL.iter().filter_map(next));
            }
        }
        Floor::numbered(level, |cell| inside[usize::from(cell)])
    }

    /// Numbers the cells that `belongs` accepts.
    fn numbered(level: &Level, belongs: impl Fn(u16) -> bool) -> Floor {
        let cells: Vec<u16> = (0..level.cells())
            .map(|cell| cell as u16)
            .filter(|&cell| belongs(cell))
            .collect();
        let wall = cells.len() as u16;
        let mut number = vec![wall; level.cells()];
        for (i, &cell) in cells.iter().enumerate() {
            number[usize::from(cell)] = i as u16;
        }
        let of = |cell: u16| number[usize::from(cell)];
        let around =
            |&cell: &u16| Direction::ALL.map(|d| level.neighbour(cell, d).map_or(wall, of));
        let mut next: Vec<[u16; 4]> = cells.iter().map(around).collect();
        next.push([wall; 4]);
        let mut is_goal: Vec<bool> = cells.iter().map(|&cell| level.is_goal(cell)).collect();
        is_goal.push(false);
        Floor {
            cells,
            next,
            is_goal,
        }
    }

    /// The same floor with some cells turned into walls; the numbers stay the same.
    pub(crate) fn with_walls(&self, cells: &[u16]) -> Floor {
        let mut next = self.next.clone();
        for &cell in cells {
            for d in 0..4 {
                let other = self.step(cell, d);
                next[usize::from(other)][back(d)] = self.wall();
            }
            next[usize::from(cell)] = [self.wall(); 4];
        }
        next[self.len()] = [self.wall(); 4];
        Floor {
            next,
            ..self.clone()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The number that stands for every wall.
    #[inline]
    pub(crate) fn wall(&self) -> u16 {
        self.cells.len() as u16
    }

    /// The neighbour of a cell, which may be the wall.
    #[inline]
    pub(crate) fn step(&self, cell: u16, direction: usize) -> u16 {
        self.next[usize::from(cell)][direction]
    }

    /// The number of a cell of the level, if it belongs to this floor.
    pub(crate) fn number(&self, cell: u16) -> Option<u16> {
        self.cells.binary_search(&cell).ok().map(|i| i as u16)
    }

    /// The numbers of those of the given level cells that belong to this floor.
    pub(crate) fn numbers(&self, cells: impl IntoIterator<Item = u16>) -> Vec<u16> {
        let numbers = cells.into_iter().map(|cell| self.number(cell));
        numbers.flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::read;

    #[test]
    fn one_number_stands_for_every_wall() {
        let level = read(&["######", "#@$.##", "##   #", "######"]);
        let floor = Floor::new(&level);
        assert_eq!(floor.len(), 6);
        let wall = floor.wall();
        assert_eq!(floor.next[usize::from(wall)], [wall; 4]);
        assert_eq!(floor.next[1], [wall, 0, 2, 3]);
        for cell in 0..wall {
            for d in (0..4).filter(|&d| floor.step(cell, d) != wall) {
                assert_eq!(floor.step(floor.step(cell, d), back(d)), cell);
            }
            assert_eq!(floor.number(floor.cells[usize::from(cell)]), Some(cell));
        }
        assert_eq!(floor.numbers([0, 7, 9]), [0, 2]);
        assert_eq!(
            floor.is_goal,
            [false, false, true, false, false, false, false]
        );
        let walled = floor.with_walls(&[3]);
        assert_eq!(walled.next[1], [wall, 0, 2, wall]);
        assert_eq!(walled.next[3], [wall; 4]);
    }

    #[test]
    fn sealed_floor_is_left_out() {
        let level = read(&["#######", "#@$.#*#", "#######"]);
        assert_eq!(Floor::new(&level).len(), 4);
        assert_eq!(Floor::around(&level, level.players()[0]).len(), 3);
    }
}
