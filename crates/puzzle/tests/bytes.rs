//! No bytes make a parser panic: boards, goals, plans, graphs and their states.

use noyes_puzzle::graph::{Arrangement, Graph};
use noyes_puzzle::tiles::{Board, Goal, Notation, parse_plan, write_plan};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Any bytes, and bytes that often make something valid.
fn bytes(near: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![vec(any::<u8>(), 0..300), vec(select(near), 0..100)]
}

proptest! {
    #[test]
    fn boards_and_goals(bytes in bytes(b"0123456789 _,/;|.xX[](){}\t\r\n\xff-"), width in 1usize..5, height in 1usize..5) {
        let text = String::from_utf8_lossy(&bytes);
        for size in [None, Some((width, height))] {
            if let Ok(board) = Board::parse(&text, size) {
                prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
            }
            if let Ok(goal) = Goal::parse(&text, size) {
                prop_assert_eq!(goal.to_string().parse::<Goal>(), Ok(goal));
            }
        }
    }

    #[test]
    fn plans(bytes in bytes(b"LURDlurd ,x\n\xff")) {
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(plan) = parse_plan(&text, Notation::Tile) {
            let written = write_plan(&plan, Notation::Tile);
            prop_assert_eq!(parse_plan(&written, Notation::Tile), Ok(plan));
        }
    }

    #[test]
    fn graphs_and_states(bytes in bytes(b"abc 01_=:#\r\n\xffstartgol")) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = Graph::named(&text);
        if let Ok(file) = Graph::parse(&text) {
            prop_assert_eq!(Graph::parse(&file.to_string()), Ok(file));
        }
        let graph = Graph::named("cycle:3").unwrap();
        if let Ok(state) = Arrangement::parse(&graph, &text) {
            prop_assert_eq!(Arrangement::parse(&graph, &state.to_string()), Ok(state));
        }
    }
}
