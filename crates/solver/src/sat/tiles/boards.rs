//! The boards of a plan.

use noyes_puzzle::tiles::{Board, Direction};

/// The boards on the way of a plan, the start first.
pub(super) fn boards(start: &Board, plan: &[Direction]) -> Vec<Board> {
    let mut board = start.clone();
    let mut boards = vec![board.clone()];
    for &direction in plan {
        assert!(board.step(direction), "a plan stays on the board");
        boards.push(board.clone());
    }
    boards
}
