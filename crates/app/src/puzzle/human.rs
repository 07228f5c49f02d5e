//! The steps of the human method in words, for `noyes solve --explain`.
//!
//! The steps have the names of the method (`noyes_solver::tiles::human`). Boards are drawn after each step, and in
//! set-up position, as long as they fit on a page.

use std::fmt::Write;

use noyes_check::board_after;
use noyes_puzzle::tiles::{Board, Notation, write_plan};
use noyes_solver::{Answer, HumanStep};

use super::drawn::drawn_whole;
use crate::terminal::print::counted;

/// The longest side of a board that is drawn.
const LONGEST_DRAWN: usize = 12;

/// The steps in words.
pub fn words(start: &Board, answer: &Answer, notation: Notation) -> String {
    let mut text = String::new();
    let mut board = start.clone();
    for step in &answer.steps {
        let moves = match step.moves.len() {
            0 => "nothing to do".into(),
            n => counted(n, "move", "moves"),
        };
        let _ = writeln!(text, "\nStep {}: {} ({moves})", step.number, title(step));
        if !step.moves.is_empty() {
            let _ = writeln!(text, "  {}", write_plan(&step.moves, notation));
        }
        if start.width().max(start.height()) > LONGEST_DRAWN || step.moves.is_empty() {
            continue;
        }
        let after = |moves| board_after(&board, moves).expect("a plan that was checked");
        if let Some(at) = step.setup {
            draw(&mut text, "set-up position:", &after(&step.moves[..at]));
        }
        board = after(&step.moves);
        draw(&mut text, "then:", &board);
    }
    text
}

fn draw(text: &mut String, head: &str, board: &Board) {
    let _ = writeln!(text, "  {head}");
    for row in drawn_whole(board).lines() {
        let _ = writeln!(text, "    {row}");
    }
}

/// What a step does, in the words of the method.
fn title(step: &HumanStep) -> String {
    let tiles = list(&step.tiles);
    match (step.number, step.tiles.len()) {
        (1, 0) => "every tile is in its final position".into(),
        (1, 1) => format!("move tile {tiles} into its final position"),
        (1, _) => format!("move tiles {tiles} into their final positions"),
        (2, _) => {
            format!("move tiles {tiles} into set-up position, then into their final positions")
        }
        (3, _) => format!("repeat steps 1 and 2 for tiles {tiles} to solve the next row"),
        (4, _) => format!(
            "of the last two rows, bring tiles {tiles} into set-up position, then into their final positions"
        ),
        (5, _) => format!("repeat step 4 for tiles {tiles}"),
        _ => format!("rotate tiles {tiles} until they are in their final positions"),
    }
}

/// Tiles in words: `1 to 4`, or `9 and 13`.
fn list(tiles: &[u16]) -> String {
    match tiles {
        [first, .., last] if tiles.len() > 2 && tiles.windows(2).all(|p| p[1] == p[0] + 1) => {
            format!("{first} to {last}")
        }
        [before @ .., last] if !before.is_empty() => {
            let before: Vec<String> = before.iter().map(ToString::to_string).collect();
            format!("{} and {last}", before.join(", "))
        }
        _ => tiles.iter().map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_listed_in_words() {
        assert_eq!(list(&[3]), "3");
        assert_eq!(list(&[3, 4]), "3 and 4");
        assert_eq!(list(&[3, 4, 5]), "3 to 5");
        assert_eq!(list(&[11, 12, 15]), "11, 12 and 15");
        assert_eq!(list(&[]), "");
    }
}
