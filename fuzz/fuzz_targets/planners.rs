//! PDDL problems that claim to be ours, and planners' plans for them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noyes_puzzle::pddl::{board_plan, boards_of, claimed_cost, is_plan, level_of, level_plan};
use noyes_puzzle::sokoban::parse_level;
use noyes_puzzle::tiles::Board;

fuzz_target!(|text: &str| {
    let _ = (is_plan(text), claimed_cost(text));
    let _ = boards_of(text);
    let _ = level_of(text);
    let board: Board = "1 2 3/4 0 6/7 5 8".parse().expect("a board");
    let _ = board_plan(&board, text);
    let level = parse_level("7#|#@-$-.#|#5-#|7#").expect("a level");
    let _ = level_plan(&level, text);
});
