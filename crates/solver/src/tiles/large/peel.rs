//! The order in which the cells of a large board get their tiles: from the border to the goal's blank.
//!
//! What is not fixed yet is a rectangle. Its longer side loses a row or column, the
//! one farther from the goal's blank, until 3×3 cells are left. A line is fixed tile by tile,
//! towards the side of the blank. Its last two tiles are one piece: the last one
//! could not get in alone.

use noyes_puzzle::tiles::Board;

/// The sides of the rectangle that is left at the end.
const CORE: usize = 3;

/// Pieces of the border, in the order in which they are fixed: one or two cells each.
pub(super) struct Peel {
    pub(super) pieces: Vec<Vec<u16>>,
    /// The number of each cell's piece; that of the rest is the number of pieces.
    pub(super) piece_of: Vec<u16>,
}

impl Peel {
    /// The order for a goal with at least two rows and columns.
    pub(super) fn new(goal: &Board) -> Peel {
        let width = goal.width();
        let (row, column) = (goal.blank() / width, goal.blank() % width);
        let (mut rows, mut columns) = ((0, goal.height()), (0, width));
        let mut pieces = vec![];
        while rows.1 - rows.0 > CORE || columns.1 - columns.0 > CORE {
            let mut line: Vec<u16>;
            let towards_first;
            if rows.1 - rows.0 >= columns.1 - columns.0 {
                let at = far_side(&mut rows, row);
                line = (columns.0..columns.1)
                    .map(|c| (at * width + c) as u16)
                    .collect();
                towards_first = column - columns.0 <= columns.1 - 1 - column;
            } else {
                let at = far_side(&mut columns, column);
                line = (rows.0..rows.1).map(|r| (r * width + at) as u16).collect();
                towards_first = row - rows.0 <= rows.1 - 1 - row;
            }
            if towards_first {
                line.reverse();
            }
            let last_two = line.split_off(line.len() - 2);
            pieces.extend(line.into_iter().map(|cell| vec![cell]));
            pieces.push(last_two);
        }
        let mut piece_of = vec![pieces.len() as u16; goal.tiles().len()];
        for (number, piece) in pieces.iter().enumerate() {
            for &cell in piece {
                piece_of[usize::from(cell)] = number as u16;
            }
        }
        Peel { pieces, piece_of }
    }
}

/// Takes the line farther from the blank from these lines.
fn far_side(lines: &mut (usize, usize), blank: usize) -> usize {
    if blank - lines.0 > lines.1 - 1 - blank {
        lines.0 += 1;
        lines.0 - 1
    } else {
        lines.1 -= 1;
        lines.1
    }
}
