//! `encode`: any small puzzle in any encoding gives a formula, or is refused.
//!
//! The first line names the encoding, the second the number of steps, the rest is the puzzle.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noyes_puzzle::sokoban::parse_level;
use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::Objective;
use noyes_solver::sat::dimacs::{Instance, LevelInstance};
use noyes_solver::sat::{EncodingName, fit_board, fit_level};

const MOST_CELLS: usize = 40;

fuzz_target!(|text: &str| {
    let mut lines = text.splitn(3, '\n');
    let (Some(name), Some(steps), Some(puzzle)) = (lines.next(), lines.next(), lines.next()) else {
        return;
    };
    let encoding: Option<EncodingName> = name.parse().ok();
    let Ok(steps @ 0..=4) = steps.parse::<u32>() else {
        return;
    };
    if let Ok(board) = puzzle.parse::<Board>() {
        let (width, height) = (board.width(), board.height());
        if width * height > MOST_CELLS {
            return;
        }
        if let (Ok(fit), Ok(goal)) = (fit_board(encoding, &board), Goal::BlankLast.of_size(width, height)) {
            let _ = Instance::new(&board, &goal, fit, steps);
        }
    } else if let Ok(level) = parse_level(puzzle) {
        if level.cells() > MOST_CELLS || level.boxes().len() + level.players().len() > 6 {
            return;
        }
        for objective in [Objective::Pushes, Objective::Moves] {
            if let Ok(fit) = fit_level(encoding, &level, objective) {
                for wait in [true, false] {
                    let _ = LevelInstance::new(&level, fit, steps, wait);
                }
            }
        }
    }
});
