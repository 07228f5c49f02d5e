//! Boards that have no plan, by parity.
//!
//! Colour the cells like a chessboard. A move swaps the blank with a tile and takes the blank to the other colour. So
//! after an even number of swaps the blank is on the colour that it started from, after an odd number on the other one.
//! How many swaps make the goal from the start is not fixed, but whether it is even or odd is: that is the parity of a
//! permutation. If the two do not agree, no plan exists.
//!
//! On a board of one row or column, tiles never pass each other: their order cannot change.

use noyes_puzzle::tiles::Board;

/// Why no plan leads from `start` to `goal`, in words; nothing if parity does not say so.
pub fn unsolvable(start: &Board, goal: &Board) -> Option<String> {
    let tiles = |board: &Board| -> Vec<u16> {
        let tiles = board.tiles().iter().copied();
        tiles.filter(|&tile| tile != 0).collect()
    };
    if start.width() == 1 || start.height() == 1 {
        let differ = tiles(start) != tiles(goal);
        return differ.then(|| {
            "in a single row or column tiles cannot pass each other, and their order is not that of the goal".into()
        });
    }
    // Sort the start into the goal by swaps, and count them.
    let mut board = start.tiles().to_vec();
    let mut swaps = 0;
    for cell in 0..board.len() {
        if board[cell] != goal.tiles()[cell] {
            let other = board.iter().position(|tile| *tile == goal.tiles()[cell])?;
            board.swap(cell, other);
            swaps += 1;
        }
    }
    let colour = |cell: usize| (cell / start.width() + cell % start.width()) % 2;
    let same = colour(start.blank()) == colour(goal.blank());
    if (swaps % 2 == 0) == same {
        return None;
    }
    Some(format!(
        "{swaps} swap{} the start into the goal, so every plan has an {} number of moves; but the blank's goal has {} \
         colour of a chessboard, so every plan has an {} number of moves",
        if swaps == 1 { " turns" } else { "s turn" },
        if swaps % 2 == 0 { "even" } else { "odd" },
        if same { "the same" } else { "the other" },
        if same { "even" } else { "odd" },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn half_of_all_boards_have_no_plan() {
        for goal in [
            Board::blank_last(3, 2),
            Board::blank_first(2, 3),
            Board::blank_last(4, 1),
        ] {
            let mut reached = HashSet::from([goal.tiles().to_vec()]);
            let mut todo = vec![goal.clone()];
            while let Some(board) = todo.pop() {
                for direction in noyes_puzzle::tiles::Direction::ALL {
                    let mut next = board.clone();
                    if next.step(direction) && reached.insert(next.tiles().to_vec()) {
                        todo.push(next);
                    }
                }
            }
            for board in permutations(goal.tiles().len() as u16) {
                let solvable = reached.contains(&board);
                let start = Board::new(goal.width(), board).unwrap();
                assert_eq!(unsolvable(&start, &goal).is_none(), solvable, "{start}");
            }
        }
    }

    fn permutations(count: u16) -> Vec<Vec<u16>> {
        if count == 0 {
            return vec![vec![]];
        }
        let shorter = permutations(count - 1);
        let with = |list: &Vec<u16>, at: usize| {
            let mut list = list.clone();
            list.insert(at, count - 1);
            list
        };
        (shorter.iter())
            .flat_map(|list| (0..=list.len()).map(move |at| with(list, at)))
            .collect()
    }
}
