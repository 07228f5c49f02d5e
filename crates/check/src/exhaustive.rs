//! A second way: search everything, for those who would rather read a search than a proof.
//!
//! Iterative deepening with Manhattan distance (IDA*), as plainly as it can be written. It tries every sequence of at most
//! `bound` moves that does not undo a move at once, and leaves a branch when the distance left is more than the moves
//! left. The distance is a lower bound because a move takes one tile one step.
//!
//! R. E. Korf: Depth-first iterative-deepening: an optimal admissible tree search. Artificial Intelligence 27, 1985.

use noyes_puzzle::tiles::{Board, Direction};

/// Whether there is a plan of at most `bound` moves, and how many positions were looked at.
pub fn has_plan(start: &Board, goal: &Board, bound: usize) -> (bool, u64) {
    let mut board = start.clone();
    let mut looked_at = 0;
    let found = search(&mut board, goal, bound, None, &mut looked_at);
    (found, looked_at)
}

fn search(
    board: &mut Board,
    goal: &Board,
    left: usize,
    last: Option<Direction>,
    looked_at: &mut u64,
) -> bool {
    *looked_at += 1;
    if board == goal {
        return true;
    }
    if crate::formula::manhattan(board, goal) > left || left == 0 {
        return false;
    }
    for direction in Direction::ALL {
        if last == Some(direction.opposite()) || !board.step(direction) {
            continue;
        }
        let found = search(board, goal, left - 1, Some(direction), looked_at);
        board.step(direction.opposite());
        if found {
            return true;
        }
    }
    false
}
