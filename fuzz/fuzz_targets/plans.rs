//! Plans: LURD for one player and for a crew, and plans of boards. The checker replays whatever is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noyes_check::{board_after, sokoban_after, sokoban_plan};
use noyes_puzzle::sokoban::{Walks, parse_level};
use noyes_puzzle::tiles::{Board, Notation, parse_plan, write_plan};

const MOST_STEPS: usize = 10_000;

fuzz_target!(|text: &str| {
    for level in ["7#|#@-$-.#|#5-#|7#", "10#|#@$-..-$@#|#8-#|10#"] {
        let level = parse_level(level).expect("a level");
        let players = level.players().len();
        let Ok(walks) = Walks::parse_within(text, players, MOST_STEPS) else {
            continue;
        };
        assert!(walks.len() * players <= MOST_STEPS);
        let _ = sokoban_plan(&level, &walks, true);
        if sokoban_after(&level, &walks, true).is_ok() {
            assert_eq!(Walks::parse(&walks.write(&level), players), Ok(walks));
        }
    }
    if let Ok(plan) = parse_plan(text, Notation::Blank) {
        assert_eq!(parse_plan(&write_plan(&plan, Notation::Blank), Notation::Blank), Ok(plan.clone()));
        let board: Board = "1 2 3/4 0 6/7 5 8".parse().expect("a board");
        let _ = board_after(&board, &plan);
    }
});
