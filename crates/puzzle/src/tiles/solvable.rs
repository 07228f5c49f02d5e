//! Solvability of a board: decided by parity, explained in words.
//!
//! Every move swaps the blank with a tile and takes the blank one step, so on a
//! chessboard colouring the number of swaps is even exactly when the blank ends
//! on its own colour. Putting every piece in its place takes some number of
//! swaps whose parity depends only on the board. If the two parities differ, no
//! plan exists. If they agree, and the board has at least two rows and columns,
//! a plan always exists. In a single row or column tiles cannot pass each other: the
//! order of the tiles is all that matters.
//!
//! Johnson, Story: Notes on the "15" puzzle. American Journal of Mathematics 2, 1879.

use std::fmt;

use super::Board;

/// Why a board cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolvable {
    /// The permutation has the wrong parity.
    Parity {
        /// Steps of the blank to its goal cell, straight.
        blank_steps: usize,
        /// Swaps that put every piece in its place.
        swaps: usize,
        /// Two tiles whose swap makes the board solvable.
        pair: (u16, u16),
    },
    /// The tiles of a single row or column are in another order.
    Order {
        /// Where the first difference is, from 1, the blank not counted.
        place: usize,
        /// The tile there.
        found: u16,
        /// The tile that the goal has there.
        expected: u16,
    },
}

/// Whether `goal` can be reached from `start`; if not, why.
///
/// ```
/// use noyes_puzzle::tiles::{Board, solvable};
/// let puzzle_14_15: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0".parse()?;
/// let why = solvable(&puzzle_14_15, &Board::blank_last(4, 4)).unwrap_err();
/// assert!(why.to_string().starts_with("needs an even permutation, this one is odd: 15 and 14 are swapped"));
/// # Ok::<(), noyes_puzzle::tiles::BoardError>(())
/// ```
///
/// # Errors
/// The reason, if no plan exists.
///
/// # Panics
/// If the two boards differ in size.
pub fn solvable(start: &Board, goal: &Board) -> Result<(), Unsolvable> {
    assert_eq!(
        (start.width(), start.height()),
        (goal.width(), goal.height()),
        "one size"
    );
    if start.width() == 1 || start.height() == 1 {
        return same_order(start, goal);
    }
    let home = goal.places();
    let (swaps, misplaced) = swaps_to(start, &home);
    let (from, to) = (start.blank(), usize::from(home[0]));
    let width = start.width();
    let blank_steps = (from / width).abs_diff(to / width) + (from % width).abs_diff(to % width);
    if swaps % 2 == blank_steps % 2 {
        return Ok(());
    }
    let pair = misplaced.unwrap_or_else(|| {
        let mut tiles = start.tiles().iter().copied().filter(|&t| t != 0);
        (
            tiles.next().expect("2×2 at least"),
            tiles.next().expect("2×2 at least"),
        )
    });
    Err(Unsolvable::Parity {
        blank_steps,
        swaps,
        pair,
    })
}

/// Counts the swaps that bring every piece home, and names the first two tiles of which one lies in the other's place.
fn swaps_to(start: &Board, home: &[u16]) -> (usize, Option<(u16, u16)>) {
    let tiles = start.tiles();
    let mut seen = vec![false; tiles.len()];
    let mut swaps = 0;
    let mut pair = None;
    for cell in 0..tiles.len() {
        let mut at = cell;
        while !seen[at] {
            seen[at] = true;
            let next = usize::from(home[tiles[at] as usize]);
            if next != cell {
                swaps += 1;
            }
            if pair.is_none() && next != at && tiles[at] != 0 && tiles[next] != 0 {
                pair = Some((tiles[at], tiles[next]));
            }
            at = next;
        }
    }
    (swaps, pair)
}

fn same_order(start: &Board, goal: &Board) -> Result<(), Unsolvable> {
    let order = |board: &Board| {
        board
            .tiles()
            .iter()
            .copied()
            .filter(|&t| t != 0)
            .collect::<Vec<_>>()
    };
    let (found, expected) = (order(start), order(goal));
    match (0..found.len()).find(|&i| found[i] != expected[i]) {
        None => Ok(()),
        Some(i) => Err(Unsolvable::Order {
            place: i + 1,
            found: found[i],
            expected: expected[i],
        }),
    }
}

impl fmt::Display for Unsolvable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Unsolvable::Parity {
                blank_steps,
                swaps,
                pair: (a, b),
            } => {
                let (need, is) = if blank_steps % 2 == 0 {
                    ("even", "odd")
                } else {
                    ("odd", "even")
                };
                let one = if swaps == 1 {
                    format!("{a} and {b} are swapped")
                } else {
                    format!("{swaps} swaps put everything in its place")
                };
                write!(
                    f,
                    "needs an {need} permutation, this one is {is}: {one}, but every move swaps the blank with a tile, \
                     and the blank is {blank_steps} step{} from its goal cell, so every plan makes an {need} number of swaps \
                     (exchange two tiles, such as {a} and {b}, and it is solvable)",
                    if blank_steps == 1 { "" } else { "s" }
                )
            }
            Unsolvable::Order {
                place,
                found,
                expected,
            } => write!(
                f,
                "tiles in a single row or column cannot pass each other: number {place} in order is {found}, the goal has {expected} there"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Every board of the size that can be reached from the goal, by plain flooding.
    fn reachable(goal: &Board) -> HashSet<Board> {
        let mut seen = HashSet::from([goal.clone()]);
        let mut open = vec![goal.clone()];
        while let Some(board) = open.pop() {
            for direction in super::super::Direction::ALL {
                let mut next = board.clone();
                if next.step(direction) && seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen
    }

    fn permutations(n: usize) -> Vec<Vec<u16>> {
        if n == 0 {
            return vec![vec![]];
        }
        let longer = |p: Vec<u16>| {
            (0..n).map(move |i| {
                let mut q = p.clone();
                q.insert(i, n as u16 - 1);
                q
            })
        };
        permutations(n - 1).into_iter().flat_map(longer).collect()
    }

    #[test]
    fn parity_agrees_with_flooding_on_every_small_size_and_goal() {
        for (width, height) in [
            (1, 1),
            (2, 1),
            (3, 1),
            (1, 4),
            (5, 1),
            (2, 2),
            (3, 2),
            (2, 3),
        ] {
            let all: Vec<Board> = permutations(width * height)
                .into_iter()
                .map(|t| Board::new(width, t).unwrap())
                .collect();
            let step = (all.len() / 5).max(1);
            for goal in all.iter().step_by(step) {
                let reached = reachable(goal);
                for board in &all {
                    assert_eq!(
                        solvable(board, goal).is_ok(),
                        reached.contains(board),
                        "{board} to {goal}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_suggested_exchange_makes_the_board_solvable() {
        for tiles in permutations(6) {
            let board = Board::new(3, tiles.clone()).unwrap();
            let goal = Board::blank_first(3, 2);
            if let Err(Unsolvable::Parity { pair: (a, b), .. }) = solvable(&board, &goal) {
                let swapped = tiles
                    .iter()
                    .map(|&t| {
                        if t == a {
                            b
                        } else if t == b {
                            a
                        } else {
                            t
                        }
                    })
                    .collect();
                assert_eq!(solvable(&Board::new(3, swapped).unwrap(), &goal), Ok(()));
            }
        }
    }

    #[test]
    fn reasons_are_said_in_words() {
        let say = |text: &str| {
            let board: Board = text.parse().unwrap();
            solvable(&board, &Board::blank_last(board.width(), board.height()))
                .unwrap_err()
                .to_string()
        };
        assert!(
            say("1 2 3/4 5 6/8 7 0")
                .starts_with("needs an even permutation, this one is odd: 8 and 7 are swapped")
        );
        assert!(say("0 1 2/3 4 5/7 6 8").contains("the blank is 4 steps"));
        assert_eq!(
            say("2 0 1/"),
            "tiles in a single row or column cannot pass each other: number 1 in order is 2, the goal has 1 there"
        );
    }

    #[test]
    fn the_parity_comes_with_the_steps_of_the_blank_the_swaps_and_a_pair() {
        let why = |text: &str, goal: &str| {
            let (start, goal): (Board, Board) = (text.parse().unwrap(), goal.parse().unwrap());
            solvable(&start, &goal).unwrap_err()
        };
        let parity = |blank_steps: usize, swaps: usize, pair: (u16, u16)| Unsolvable::Parity {
            blank_steps,
            swaps,
            pair,
        };
        let last = "1 2 3/4 5 6/7 8 0";
        assert_eq!(why("1 2 3/4 5 6/8 7 0", last), parity(0, 1, (8, 7)));
        // The blank two rows and one column away: three steps.
        assert_eq!(why("1 0 3/4 5 6/8 7 2", last), parity(3, 2, (8, 7)));
        // Only the blank and a tile are swapped, so the first two tiles are as good as any.
        assert_eq!(why("0 2 3/4 5 6/7 8 1", last), parity(4, 1, (2, 3)));
        // One row and two columns.
        assert_eq!(why("1 2 3/0 4 6/7 8 5", last), parity(3, 2, (5, 4)));
        // A cycle of three tiles and a swap of two others.
        assert_eq!(why("2 3 1/5 4 6/7 8 0", last), parity(0, 3, (2, 3)));
        // The goal may have its blank anywhere.
        assert_eq!(why("1 2/3 0", "0 1/2 3"), parity(2, 3, (1, 2)));
    }

    #[test]
    fn the_reason_counts_steps_and_swaps_and_says_what_is_odd() {
        let say = |text: &str| {
            let start: Board = text.parse().unwrap();
            let why = solvable(&start, &Board::blank_last(start.width(), start.height()));
            why.unwrap_err().to_string()
        };
        assert_eq!(
            say("2 1/3 0"),
            "needs an even permutation, this one is odd: 2 and 1 are swapped, but every move swaps the blank with a tile, \
             and the blank is 0 steps from its goal cell, so every plan makes an even number of swaps \
             (exchange two tiles, such as 2 and 1, and it is solvable)"
        );
        assert_eq!(
            say("2 1/0 3"),
            "needs an odd permutation, this one is even: 2 swaps put everything in its place, but every move swaps the \
             blank with a tile, and the blank is 1 step from its goal cell, so every plan makes an odd number of swaps \
             (exchange two tiles, such as 2 and 1, and it is solvable)"
        );
    }

    #[test]
    fn the_first_tile_out_of_order_in_a_row_or_column_is_named() {
        let why = |text: &str| {
            let start: Board = text.parse().unwrap();
            solvable(&start, &Board::blank_last(start.width(), start.height()))
        };
        let order = |place: usize, found: u16, expected: u16| {
            Err(Unsolvable::Order {
                place,
                found,
                expected,
            })
        };
        assert_eq!(why("1 0 3 2/"), order(2, 3, 2));
        assert_eq!(why("0/2/1/3"), order(1, 2, 1));
        // The number of tiles before it counts, not the cell.
        assert_eq!(why("1 2 0 4 3/"), order(3, 4, 3));
        assert_eq!(why("0 1 2 3/"), Ok(()));
        assert_eq!(why("1/0/2/3"), Ok(()));
    }

    #[test]
    #[should_panic(expected = "one size")]
    fn boards_of_different_sizes_are_not_compared() {
        let _ = solvable(&Board::blank_last(3, 2), &Board::blank_last(2, 3));
    }
}
