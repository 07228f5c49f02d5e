//! Random boards, uniform over the ones that can be solved.
//!
//! All pieces are shuffled, the blank too; if the parity is wrong, two tiles
//! change places. That pairs every unsolvable board with one solvable board, so
//! each solvable board keeps the same chance and nothing is thrown away. In a
//! single row or column the order stays and only the blank's place is drawn.
//!
//! Board `i` of a seed is drawn from its own stream of `ChaCha8`, with integers
//! taken from it by our own few lines, so a seed gives the same boards on every
//! platform and in every version, however many are asked for.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{Board, Direction, solvable};

/// A seeded source of random numbers that gives the same numbers on every machine and in every version.
pub struct Generator(ChaCha8Rng);

impl Generator {
    /// The numbers of one instance of a seed.
    pub fn new(seed: u64, instance: u64) -> Generator {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..13].copy_from_slice(b"noyes");
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(instance);
        Generator(rng)
    }

    /// A number below `end`, each with the same chance.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "no number is below 0");
        let end = end as u64;
        let odd = (u64::MAX % end + 1) % end; // the last numbers, which do not fill a whole round
        loop {
            let number = self.0.next_u64();
            if number <= u64::MAX - odd {
                return (number % end) as usize;
            }
        }
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// A board from which `goal` can be reached, each with the same chance.
///
/// ```
/// use noyes_puzzle::tiles::{Board, Generator, random_board, solvable};
/// let goal = Board::blank_last(4, 4);
/// let board = random_board(&goal, &mut Generator::new(7, 0));
/// assert_eq!(solvable(&board, &goal), Ok(()));
/// ```
pub fn random_board(goal: &Board, generator: &mut Generator) -> Board {
    let width = goal.width();
    let mut tiles = goal.tiles().to_vec();
    if width == 1 || goal.height() == 1 {
        tiles.retain(|&t| t != 0);
        tiles.insert(generator.below(tiles.len() + 1), 0);
    } else {
        generator.shuffle(&mut tiles);
        let board = Board::new(width, tiles.clone()).expect("a shuffled board");
        if solvable(&board, goal).is_err() {
            let a = tiles.iter().position(|&t| t == 1).expect("2×2 at least");
            let b = tiles.iter().position(|&t| t == 2).expect("2×2 at least");
            tiles.swap(a, b);
        }
    }
    Board::new(width, tiles).expect("a shuffled board")
}

/// The board after `steps` random moves from `goal`, never straight back unless there is no other way.
pub fn random_walk(goal: &Board, steps: usize, generator: &mut Generator) -> Board {
    let mut walk = Walk::new(goal);
    walk.go(steps, generator);
    walk.board()
}

/// A random walk in pieces, for callers who want to check limits in between.
///
/// ```
/// use noyes_puzzle::tiles::{Board, Generator, Walk, random_walk};
/// let goal = Board::blank_last(4, 4);
/// let mut walk = Walk::new(&goal);
/// let generator = &mut Generator::new(7, 0);
/// walk.go(20, generator);
/// walk.go(30, generator);
/// assert_eq!(walk.board(), random_walk(&goal, 50, &mut Generator::new(7, 0)));
/// ```
pub struct Walk<'a> {
    goal: &'a Board,
    tiles: Vec<u16>,
    blank: usize,
    last: Option<Direction>,
}

impl Walk<'_> {
    /// A walk that starts at the goal.
    pub fn new(goal: &Board) -> Walk<'_> {
        Walk {
            goal,
            tiles: goal.tiles().to_vec(),
            blank: goal.blank(),
            last: None,
        }
    }

    /// Makes this many more moves.
    pub fn go(&mut self, steps: usize, generator: &mut Generator) {
        for _ in 0..steps {
            let mut ways: Vec<Direction> = Direction::ALL
                .into_iter()
                .filter(|&d| self.goal.neighbour(self.blank, d).is_some())
                .collect();
            if ways.len() > 1 {
                ways.retain(|&d| Some(d.opposite()) != self.last);
            }
            if ways.is_empty() {
                return; // a single cell
            }
            let way = ways[generator.below(ways.len())];
            let next = (self.goal.neighbour(self.blank, way)).expect("a way that exists");
            self.tiles.swap(self.blank, next);
            self.blank = next;
            self.last = Some(way);
        }
    }

    /// The board it has come to.
    pub fn board(self) -> Board {
        Board::new(self.goal.width(), self.tiles).expect("moves keep a board a board")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_seed_gives_the_same_boards_for_ever() {
        let goal = Board::blank_last(4, 4);
        let boards: Vec<String> = (0..2)
            .map(|i| random_board(&goal, &mut Generator::new(1, i)).to_string())
            .collect();
        assert_eq!(
            boards,
            [
                "11 3 1 15/10 8 7 0/2 6 4 5/12 9 13 14",
                "6 13 9 15/1 10 12 5/4 14 7 8/11 3 2 0"
            ]
        );
    }

    /// Draws boards and compares their counts with equal chances by Pearson's test.
    fn assert_uniform(goal: &Board, states: usize, draws: usize) {
        let mut counts: HashMap<Board, usize> = HashMap::new();
        for i in 0..draws {
            let board = random_board(goal, &mut Generator::new(2026, i as u64));
            assert_eq!(solvable(&board, goal), Ok(()));
            *counts.entry(board).or_default() += 1;
        }
        let expected = draws as f64 / states as f64;
        let unseen = (states - counts.len()) as f64 * expected;
        let chi2 = counts
            .values()
            .map(|&n| (n as f64 - expected).powi(2) / expected)
            .sum::<f64>()
            + unseen;
        let freedom = (states - 1) as f64;
        let deviations = (chi2 - freedom) / (2.0 * freedom).sqrt();
        assert!(
            deviations.abs() < 5.0,
            "{deviations} standard deviations from uniform"
        );
    }

    #[test]
    fn boards_of_3x2_are_uniform() {
        assert_uniform(&Board::blank_last(3, 2), 360, 36_000);
    }

    #[test]
    fn boards_of_3x3_are_uniform() {
        assert_uniform(&Board::blank_last(3, 3), 181_440, 362_880);
    }

    #[test]
    fn a_single_row_keeps_its_order() {
        assert_uniform(&Board::blank_last(5, 1), 5, 5_000);
        assert_eq!(
            random_board(&Board::blank_last(1, 1), &mut Generator::new(0, 0)).to_string(),
            "0"
        );
    }

    #[test]
    fn walks_stay_solvable_and_do_not_turn_back() {
        for (width, height) in [(1, 1), (2, 1), (5, 1), (2, 2), (4, 3)] {
            let goal = Board::blank_last(width, height);
            for i in 0..20 {
                let board = random_walk(&goal, 31, &mut Generator::new(5, i));
                assert_eq!(solvable(&board, &goal), Ok(()));
            }
        }
        let two = random_walk(&Board::blank_last(4, 4), 2, &mut Generator::new(5, 0));
        assert_ne!(two, Board::blank_last(4, 4));
    }
}
