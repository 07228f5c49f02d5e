//! The hardest boards of the fifteen puzzle: the 17 that need 80 moves, for any goal.
//!
//! They are known for the goal with the blank first (data/fifteen80.csv; there are no others, OEIS A089484). Turned and
//! renumbered they are the hardest boards of every goal that has its blank in a corner.

use noyes_puzzle::tiles::{Board, Direction};

use super::farthest::moves_to_corner;
use super::pdb::Symmetry;

/// The distance of the hardest boards from a goal with its blank in a corner.
pub(crate) const MOST_MOVES: u32 = 80;

/// Row by row; each tile is named by its goal cell.
#[rustfmt::skip]
pub(crate) const HARDEST: [[u8; 16]; 17] = [
    [15, 11, 8, 12, 14, 10, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0],
    [15, 11, 8, 12, 14, 10, 9, 13, 7, 2, 5, 1, 3, 6, 4, 0],
    [15, 11, 8, 12, 14, 10, 9, 13, 6, 7, 5, 1, 3, 2, 4, 0],
    [15, 11, 8, 12, 14, 10, 9, 13, 2, 6, 4, 5, 3, 7, 1, 0],
    [15, 11, 8, 12, 14, 10, 9, 13, 2, 6, 1, 4, 3, 7, 5, 0],
    [15, 11, 9, 12, 14, 10, 13, 8, 2, 6, 5, 1, 3, 7, 4, 0],
    [15, 11, 9, 12, 14, 10, 13, 8, 6, 7, 5, 1, 3, 2, 4, 0],
    [15, 11, 13, 12, 14, 10, 8, 9, 2, 6, 5, 1, 3, 7, 4, 0],
    [15, 11, 13, 12, 14, 10, 8, 9, 7, 2, 5, 1, 3, 6, 4, 0],
    [15, 11, 9, 12, 14, 10, 8, 13, 6, 2, 5, 1, 3, 7, 4, 0],
    [15, 11, 8, 12, 14, 10, 13, 9, 2, 7, 5, 1, 3, 6, 4, 0],
    [15, 14, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0],
    [15, 10, 8, 12, 11, 14, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0],
    [15, 10, 8, 12, 11, 14, 9, 13, 7, 2, 5, 1, 3, 6, 4, 0],
    [15, 14, 13, 12, 10, 11, 8, 9, 2, 6, 5, 1, 3, 7, 4, 0],
    [15, 11, 13, 12, 14, 10, 9, 5, 2, 6, 8, 1, 3, 7, 4, 0],
    [15, 11, 8, 12, 14, 10, 9, 13, 7, 6, 2, 1, 3, 5, 4, 0],
];

/// One of them for a goal. Where the goal has its blank `m` moves from a corner, it may be up to `m` moves nearer.
pub(crate) fn hardest(which: usize, goal: &Board) -> Board {
    let goal = with_blank_in_corner(goal);
    let frame = Symmetry::frame(4, 4, goal.blank());
    let back = frame.inverse(4, 4);
    let tile = |cell: usize| goal.tiles()[back.cell(HARDEST[which][frame.cell(cell)].into())];
    Board::new(4, (0..16).map(tile).collect()).expect("every tile once")
}

/// The board after its blank went the shortest way to a corner.
fn with_blank_in_corner(board: &Board) -> Board {
    let mut board = board.clone();
    while moves_to_corner(&board) > 0 {
        let nearer = |&direction: &Direction| {
            let mut next = board.clone();
            next.step(direction) && moves_to_corner(&next) < moves_to_corner(&board)
        };
        let direction = Direction::ALL.into_iter().find(nearer);
        board.step(direction.expect("some way is shorter"));
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::tiles::Fifteen;
    use crate::tiles::pdb::{Partition, Tables};
    use noyes_puzzle::tiles::solvable;

    #[test]
    fn they_are_the_boards_of_the_file() {
        let text = include_str!("../../../../data/fifteen80.csv");
        let rows = text.lines().filter(|line| line.ends_with(",80"));
        let states: Vec<&str> = rows.map(|line| line.split(',').nth(1).unwrap()).collect();
        let own = HARDEST.map(|tiles| tiles.map(|tile| tile.to_string()).join(" "));
        assert_eq!(states, own);
    }

    #[test]
    fn every_goal_has_them() {
        for goal in [
            "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15",
            "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0",
            "7 3 5 0/1 2 4 6/8 9 15 11/12 13 14 10",
            "9 1 2 3/4 0 6 7/8 5 10 11/12 13 15 14",
            "1 0 2 3/4 5 6 7/8 9 10 11/12 13 14 15",
        ] {
            let goal: Board = goal.parse().unwrap();
            let partition: Partition = "5-5-5".parse().unwrap();
            let control = Control::new();
            let tables = Tables::in_memory();
            let fifteen = Fifteen::new(&partition, &goal, &tables, false, &control).unwrap();
            for which in 0..HARDEST.len() {
                let board = hardest(which, &goal);
                assert_eq!(solvable(&board, &goal), Ok(()));
                // The first bound of the search: boards this far have large ones.
                let first = fifteen.solve(&board, 0, &control.within(0)).bounds.lower;
                assert!(first >= 50, "{board} to {goal}: {first}");
            }
        }
    }
}
