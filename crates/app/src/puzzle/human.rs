//! The steps of the human method in words, for `noyes solve --explain`.
//!
//! The method (`noyes_solver::tiles::human`) has six steps; small boards skip some and large ones repeat some. Here the
//! steps of a plan are numbered 1, 2, 3 as they come. Boards that fit on a page are drawn after each step and in set-up
//! position.

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
    for (i, step) in answer.steps.iter().enumerate() {
        let moves = match step.moves.len() {
            0 => "nothing to do".into(),
            n => counted(n, "move", "moves"),
        };
        let title = title(step, &answer.steps[..i]);
        let _ = writeln!(text, "\nStep {}: {title} ({moves})", i + 1);
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

/// What a step does; it may repeat steps before it.
fn title(step: &HumanStep, before: &[HumanStep]) -> String {
    let tiles = list(&step.tiles);
    let repeated = |of_method: &[u8]| {
        let number = |n: &u8| before.iter().position(|earlier| earlier.number == *n);
        let numbers: Vec<usize> = of_method.iter().filter_map(number).collect();
        let steps = if numbers.len() == 1 { "step" } else { "steps" };
        let numbers: Vec<String> = numbers.iter().map(|at| (at + 1).to_string()).collect();
        format!("repeat {steps} {}", numbers.join(" and "))
    };
    match (step.number, step.tiles.len()) {
        (1, 0) => "every tile is in its final position".into(),
        (1, 1) => format!("move tile {tiles} into its final position"),
        (1, _) => format!("move tiles {tiles} into their final positions"),
        (2, _) => {
            format!("move tiles {tiles} into set-up position, then into their final positions")
        }
        (3, _) => format!(
            "{} for tiles {tiles} to solve the next row",
            repeated(&[1, 2])
        ),
        (4, _) => format!(
            "in the last two rows, move tiles {tiles} into set-up position, then into their final positions"
        ),
        (5, _) => format!("{} for tiles {tiles}", repeated(&[4])),
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

    fn step(number: u8) -> HumanStep {
        HumanStep {
            number,
            tiles: vec![1, 2],
            moves: vec![],
            setup: None,
        }
    }

    #[test]
    fn a_repeated_step_is_named_by_its_printed_number() {
        // Two columns: the method starts with its second step.
        let tall = [step(2), step(3), step(3)];
        assert!(title(&tall[2], &tall[..2]).starts_with("repeat step 1 for tiles"));
        // Three rows: no row is repeated, so the column after it is the third step.
        let wide = [step(1), step(2), step(4), step(5)];
        assert_eq!(
            title(&wide[3], &wide[..3]),
            "repeat step 3 for tiles 1 and 2"
        );
        let large = [step(1), step(2), step(3)];
        assert!(title(&large[2], &large[..2]).starts_with("repeat steps 1 and 2 for"));
    }
}
