//! Rooms: walls that look like a Sokoban level.
//!
//! The inside is tiled with patterns of 3×3 cells, each rotated and mirrored at
//! random and clipped at the border. Each empty hall of 3×4 cells gets a wall, because
//! nothing is hard in a hall. Then only the largest connected part is kept, and dead
//! ends are walled up. A room that is too cramped or too bare after this is drawn
//! again.
//!
//! Taylor, Parberry: Procedural generation of Sokoban levels. International North
//! American Conference on Intelligent Games and Simulation, 2011.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Generator;

/// The walls of a room, row by row.
pub(super) struct Room {
    pub(super) width: usize,
    pub(super) walls: Vec<bool>,
}

/// Patterns of walls. The more open ones appear twice.
const PATTERNS: [&str; 16] = [
    "   /   /   ",
    "   /   /   ",
    "#  /   /   ",
    "#  /   /   ",
    "## /   /   ",
    "###/   /   ",
    "   / # /   ",
    "   / # /   ",
    "# #/   /   ",
    "# #/   /# #",
    "#  /#  /   ",
    "## /#  /   ",
    " # / # /   ",
    "   /## /   ",
    "###/#  /#  ",
    "## /## /   ",
];

impl Room {
    /// Draws rooms of this size, outer walls included, until one is good, but at most a hundred.
    pub(super) fn draw(width: usize, height: usize, generator: &mut Generator) -> Option<Room> {
        (0..100).find_map(|_| {
            let mut room = Room::lay(width, height, generator);
            room.break_halls(generator);
            room.keep_largest();
            room.fill_dead_ends(|_| false);
            room.is_good().then_some(room)
        })
    }

    /// The level in this room. Without players, it gets one on the first free cell.
    pub(super) fn level(&self, goals: &[usize], boxes: &[usize], players: &[usize]) -> Level {
        let anywhere = (0..self.walls.len()).find(|&c| !self.walls[c] && !boxes.contains(&c));
        let anyone = [anywhere.expect("room for a player")];
        let players = if players.is_empty() { &anyone } else { players };
        let cells = |list: &[usize]| list.iter().map(|&c| c as u16).collect::<Vec<_>>();
        let is_goal = |c: usize| goals.contains(&c);
        let goals: Vec<bool> = (0..self.walls.len()).map(is_goal).collect();
        Level::new(
            self.width,
            &self.walls,
            &goals,
            &cells(boxes),
            &cells(players),
        )
        .expect("a closed room with all things in different places")
    }

    fn lay(width: usize, height: usize, generator: &mut Generator) -> Room {
        let mut walls = vec![true; width * height];
        for top in (1..height - 1).step_by(3) {
            for left in (1..width - 1).step_by(3) {
                let pattern = PATTERNS[generator.below(PATTERNS.len())].as_bytes();
                let (turns, mirrored) = (generator.below(4), generator.below(2) == 1);
                for (y, x) in (0..3).flat_map(|y| (0..3).map(move |x| (y, x))) {
                    let (row, column) = (top + y, left + x);
                    if row < height - 1 && column < width - 1 {
                        let (mut a, mut b) = if mirrored { (y, 2 - x) } else { (y, x) };
                        for _ in 0..turns {
                            (a, b) = (2 - b, a);
                        }
                        walls[row * width + column] = pattern[4 * a + b] == b'#';
                    }
                }
            }
        }
        Room { width, walls }
    }

    /// Walls up cells with fewer than two ways out, over and over, except those to `keep`.
    pub(super) fn fill_dead_ends(&mut self, keep: impl Fn(usize) -> bool) {
        while let Some(cell) = (0..self.walls.len())
            .find(|&cell| !self.walls[cell] && self.ways(cell) < 2 && !keep(cell))
        {
            self.walls[cell] = true;
        }
    }

    fn ways(&self, cell: usize) -> usize {
        let beside = [cell - self.width, cell - 1, cell + 1, cell + self.width];
        beside.into_iter().filter(|&c| !self.walls[c]).count()
    }

    fn is_good(&self) -> bool {
        let height = self.walls.len() / self.width;
        let inside = (self.width - 2) * (height - 2);
        let floor = self.walls.iter().filter(|wall| !**wall).count();
        5 * floor >= 2 * inside && 5 * floor <= 4 * inside
    }

    /// Puts a wall at a random place into each hall.
    fn break_halls(&mut self, generator: &mut Generator) {
        for (wide, high) in [(3, 4), (4, 3)] {
            while let Some((x, y)) = self.hall(wide, high) {
                let (dx, dy) = (generator.below(wide), generator.below(high));
                self.walls[(y + dy) * self.width + x + dx] = true;
            }
        }
    }

    /// The top left corner of an empty rectangle of this size.
    fn hall(&self, wide: usize, high: usize) -> Option<(usize, usize)> {
        let height = self.walls.len() / self.width;
        let rows = 0..(height + 1).saturating_sub(high);
        let columns = 0..(self.width + 1).saturating_sub(wide);
        let is_bare = |&(x, y): &(usize, usize)| {
            let mut rows = (y..y + high).map(|row| row * self.width + x);
            rows.all(|at| !self.walls[at..at + wide].contains(&true))
        };
        rows.flat_map(|y| columns.clone().map(move |x| (x, y)))
            .find(is_bare)
    }

    /// Walls up all floor but the largest connected part.
    fn keep_largest(&mut self) {
        let mut seen = self.walls.clone();
        let mut largest = vec![];
        while let Some(first) = seen.iter().position(|seen| !seen) {
            let (mut part, mut open) = (vec![], vec![first]);
            while let Some(cell) = open.pop() {
                if !std::mem::replace(&mut seen[cell], true) {
                    part.push(cell);
                    open.extend([cell - self.width, cell - 1, cell + 1, cell + self.width]);
                }
            }
            if part.len() > largest.len() {
                largest = part;
            }
        }
        self.walls.fill(true);
        for cell in largest {
            self.walls[cell] = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_closed_and_have_no_dead_ends() {
        for i in 0..50 {
            let generator = &mut Generator::new(1, i);
            let (width, height) = (6 + generator.below(8), 6 + generator.below(6));
            let room = Room::draw(width, height, generator).expect("a good room");
            for cell in (0..width * height).filter(|&cell| !room.walls[cell]) {
                let (x, y) = (cell % width, cell / width);
                assert!(x > 0 && y > 0 && x < width - 1 && y < height - 1);
                assert!(room.ways(cell) >= 2);
            }
            assert_eq!(room.hall(3, 4).or(room.hall(4, 3)), None);
        }
    }
}
