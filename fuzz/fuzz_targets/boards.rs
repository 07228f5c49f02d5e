//! Boards and goals: what is read is written and read again the same, and solvability is decided.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noyes_puzzle::tiles::{Board, Goal, solvable};

fuzz_target!(|text: &str| {
    for size in [None, Some((3, 2)), Some((4, 4))] {
        if let Ok(board) = Board::parse(text, size) {
            assert_eq!(board.to_string().parse(), Ok(board.clone()));
            if let Ok(goal) = Goal::BlankLast.of_size(board.width(), board.height()) {
                let _ = solvable(&board, &goal);
            }
        }
        if let Ok(goal) = Goal::parse(text, size) {
            assert_eq!(goal.to_string().parse(), Ok(goal));
        }
    }
});
