//! When `auto` offers a graphics card: on hard 5×5 boards, if this machine has one.
//!
//! Auto does not take a card by itself, because the tables for it take minutes and tens of gigabytes.

use super::heuristic::HeuristicName;
use super::policy::of_memory;
use super::slides::manhattan;
use crate::control::Control;
use crate::puzzle::BoardPuzzle;
use crate::request::{BoardMethod, Request, Task};

/// Most boards of at least this Manhattan distance keep a CPU busy for minutes or days. A random board has 77 on average.
const HARD: u32 = 60;

/// The heuristic with which a card would search the board of a request that `auto` searches on the CPU; `None` if the
/// board is not hard, or there is no card.
pub fn offered_card(request: &Request, control: &Control) -> Option<HeuristicName> {
    let board = hard_board(request, control)?;
    let most = card_room()?.min(control.most_table_bytes());
    of_memory(&board.goal, most, request.cache.tables())
}

fn hard_board<'a>(request: &'a Request, control: &Control) -> Option<&'a BoardPuzzle> {
    match &request.task {
        Task::Board(
            board,
            BoardMethod::Auto {
                heuristic: None, ..
            },
        ) => (board.start.size() == "5x5" && manhattan(board, control) >= HARD).then_some(board),
        _ => None,
    }
}

#[cfg(feature = "gpu")]
fn card_room() -> Option<usize> {
    super::gpu::Card::room().ok()
}

#[cfg(not(feature = "gpu"))]
fn card_room() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use noyes_puzzle::tiles::{Board, Goal};

    use super::*;
    use crate::{Ask, Engine};

    const FIRST_OF_KORF: &str = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";

    fn ask(board: &str) -> Ask {
        let board: Board = board.parse().unwrap();
        Ask::board(board, Goal::BlankFirst)
    }

    #[test]
    fn only_hard_boards_without_a_wish_are_offered_a_card() {
        let control = Control::new();
        let hard = |ask: Ask| hard_board(&ask.request().unwrap(), &control).is_some();
        assert!(hard(ask(FIRST_OF_KORF)));
        assert!(!hard(ask(FIRST_OF_KORF).engine(Engine::IdaStar)));
        assert!(!hard(ask(
            "1 0 2 3 4/5 6 7 8 9/10 11 12 13 14/15 16 17 18 19/20 21 22 23 24"
        )));
        assert!(!hard(ask("15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0")));
    }
}
