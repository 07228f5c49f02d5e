//! Heuristics on many boards: one bound for each, from scratch.
//!
//! A search carries a bound from state to state. Here every board is new, so what counts is a short loop over its tiles.
//! Manhattan distance and misplaced tiles are sums over the tiles of what each contributes on its cell: one table serves
//! all boards.

use std::fmt::Display;
use std::sync::Arc;

use noyes_puzzle::tiles::{Board, BoardError, Goal};
use noyes_puzzle::{Position, SlideSpace};

use crate::ask::Ask;
use crate::control::{Control, Stop};
use crate::puzzle::BoardPuzzle;
use crate::refusal::AskError;
use crate::request::End;
use crate::search::Heuristic;
use crate::tiles::cache::TilesCache;
use crate::tiles::heuristic::{HeuristicMember, HeuristicName, SimpleHeuristic};
use crate::tiles::slides::Sliding;

/// The tiles of a board in any number of cells.
type Cells = Box<[u16]>;

/// Boards between two looks at the limits.
const POLL: usize = 1 << 14;

/// Why there are no bounds.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EvaluateError {
    /// The heuristic does not fit the board.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// One of the boards makes no sense.
    #[error("board {index}: {why}")]
    Board {
        /// Its place among the boards, from 0.
        index: usize,
        /// What is wrong with it.
        why: BoardError,
    },
    /// A limit was reached first.
    #[error("{0}")]
    Stopped(Stop),
}

/// The bound of a heuristic on each board. Boards have the size of the goal, tiles row by row, one board after the other.
///
/// ```
/// use noyes_puzzle::tiles::Board;
/// use noyes_solver::{Control, TilesCache, evaluate};
/// let boards = [1, 2, 0, 3, 0, 2, 1, 3]; // two of 2×2
/// let goal = Board::blank_last(2, 2);
/// let bounds = evaluate(&"manhattan".parse()?, &goal, &boards, &TilesCache::shared(), &Control::new())?;
/// assert_eq!(bounds, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the heuristic does not fit the goal, a board makes no sense, or a limit is reached.
///
/// # Panics
/// If the tiles are not a whole number of boards.
pub fn evaluate<T: Copy + Display + TryInto<u16>>(
    heuristic: &HeuristicName,
    goal: &Board,
    boards: &[T],
    cache: &Arc<TilesCache>,
    control: &Control,
) -> Result<Vec<u32>, EvaluateError> {
    let ask = Ask::board(goal.clone(), Goal::Board(goal.clone())).heuristic(heuristic.clone());
    ask.request()?;
    let puzzle = BoardPuzzle {
        start: goal.clone(),
        goal: goal.clone(),
    };
    if let [HeuristicMember::Simple(simple)] = heuristic.members()
        && let Some(terms) = terms(*simple, &puzzle)
    {
        let cells = goal.tiles().len();
        let sum = |tiles: &[u16]| {
            let term = |(cell, &tile): (usize, &u16)| terms[usize::from(tile) * cells + cell];
            tiles.iter().enumerate().map(term).sum()
        };
        return of_each(goal, boards, control, sum);
    }
    let space: SlideSpace<Cells> = puzzle.space();
    let guide = puzzle.guide(heuristic, &space, End::Goal, cache, control);
    let guide = guide.map_err(EvaluateError::Stopped)?;
    of_each(goal, boards, control, |tiles| {
        guide.bound(guide.start(&Position::new(tiles)))
    })
}

/// What each tile contributes on each cell, if the heuristic is such a sum and the table is small.
fn terms(heuristic: SimpleHeuristic, puzzle: &BoardPuzzle) -> Option<Vec<u32>> {
    const MOST_CELLS: usize = 256;
    let cells = puzzle.cells();
    if cells > MOST_CELLS {
        return None;
    }
    let home = puzzle.goal.places();
    let control = Control::new();
    let space: SlideSpace<Cells> = puzzle.space();
    let distances = puzzle.distances(&space, &control);
    let term = |tile: usize, cell: usize| match heuristic {
        SimpleHeuristic::Manhattan => Some(distances.distance(tile as u16, cell as u16)),
        SimpleHeuristic::Misplaced => Some(u32::from(tile != 0 && usize::from(home[tile]) != cell)),
        SimpleHeuristic::LinearConflict | SimpleHeuristic::Walking => None,
    };
    let places = (0..cells).flat_map(|tile| (0..cells).map(move |cell| (tile, cell)));
    places.map(|(tile, cell)| term(tile, cell)).collect()
}

/// A bound for each board, once its tiles have been found to be those of a board.
fn of_each<T: Copy + Display + TryInto<u16>>(
    goal: &Board,
    boards: &[T],
    control: &Control,
    bound: impl Fn(&[u16]) -> u32,
) -> Result<Vec<u32>, EvaluateError> {
    let cells = goal.tiles().len();
    assert!(boards.len().is_multiple_of(cells), "whole boards");
    let mut bounds = Vec::with_capacity(boards.len() / cells);
    let mut tiles = vec![0; cells];
    let mut seen = vec![usize::MAX; cells];
    for (index, board) in boards.chunks_exact(cells).enumerate() {
        if index % POLL == 0 {
            control.poll_stop().map_err(EvaluateError::Stopped)?;
        }
        for (tile, &given) in tiles.iter_mut().zip(board) {
            let read = given.try_into().unwrap_or(u16::MAX);
            // The last board in which a tile was seen: no tile may be there twice.
            match seen.get_mut(usize::from(read)) {
                Some(last) if *last != index => *last = index,
                _ => {
                    let why = why_no_board(goal.width(), board);
                    return Err(EvaluateError::Board { index, why });
                }
            }
            *tile = read;
        }
        bounds.push(bound(&tiles));
    }
    Ok(bounds)
}

/// What is wrong with the tiles of a board.
fn why_no_board<T: Copy + Display + TryInto<u16>>(width: usize, board: &[T]) -> BoardError {
    let read: Result<Vec<u16>, usize> = (board.iter().enumerate())
        .map(|(cell, &tile)| tile.try_into().map_err(|_| cell))
        .collect();
    match read {
        Ok(tiles) => Board::new(width, tiles).expect_err("a tile is wrong"),
        Err(cell) => BoardError::OutOfRange {
            tile: board[cell].to_string(),
            row: cell / width + 1,
            column: cell % width + 1,
            width,
            height: board.len() / width,
            last: board.len() - 1,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::lower_bound;
    use noyes_puzzle::tiles::{Generator, random_board};

    fn of(name: &str, goal: &Board, boards: &[i64]) -> Result<Vec<u32>, EvaluateError> {
        let name = name.parse().unwrap();
        evaluate(&name, goal, boards, &TilesCache::shared(), &Control::new())
    }

    #[test]
    fn a_table_of_terms_gives_what_a_search_begins_with() {
        for goal in [
            Board::blank_last(4, 3),
            Board::blank_first(3, 4),
            "1 2/0 3".parse().unwrap(),
        ] {
            let boards: Vec<Board> = (0..50)
                .map(|i| random_board(&goal, &mut Generator::new(1, i)))
                .collect();
            let tiles: Vec<i64> = (boards.iter())
                .flat_map(|b| b.tiles().iter().map(|&t| t.into()))
                .collect();
            let expected: Vec<u32> = (boards.iter())
                .map(|b| {
                    let ask = Ask::board(b.clone(), Goal::Board(goal.clone()));
                    lower_bound(&ask.request().unwrap())
                })
                .collect();
            assert_eq!(of("manhattan", &goal, &tiles).unwrap(), expected);
            // A maximum takes the other way.
            let both = of("manhattan/misplaced", &goal, &tiles).unwrap();
            assert_eq!(both, expected);
            let misplaced = of("misplaced", &goal, &tiles).unwrap();
            for (board, misplaced) in boards.iter().zip(misplaced) {
                let wrong =
                    (board.tiles().iter().zip(goal.tiles())).filter(|(t, g)| t != g && **t != 0);
                assert_eq!(wrong.count() as u32, misplaced);
            }
        }
    }

    #[test]
    fn boards_without_a_plan_have_bounds() {
        let rows = [[1, 2, 3, 0], [0, 3, 2, 1], [2, 1, 3, 0], [1, 0, 2, 3]].concat();
        for size in [(4, 1), (1, 4), (2, 2)] {
            let goal = Board::blank_last(size.0, size.1);
            for name in ["misplaced", "manhattan", "linear-conflict", "walking"] {
                let bounds = of(name, &goal, &rows).unwrap();
                assert_eq!((bounds.len(), bounds[0]), (4, 0), "{name}");
            }
        }
    }

    #[test]
    fn what_is_no_board_is_named() {
        let goal = Board::blank_last(2, 2);
        for (second, words) in [
            ([1, 2, 3, 3], "board 1: duplicate tile 3"),
            (
                [1, 2, 3, -1],
                "board 1: row 2, column 2: -1 is out of range",
            ),
            (
                [1, 70000, 3, 0],
                "board 1: row 1, column 2: 70000 is out of range",
            ),
            (
                [1, 65535, 3, 0],
                "board 1: row 1, column 2: 65535 is out of range",
            ),
        ] {
            let boards = [[1, 2, 3, 0], second].concat();
            let error = of("manhattan", &goal, &boards).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
        assert!(of("pdb:7-8", &goal, &[]).is_err());
        assert_eq!(of("walking", &goal, &[]).unwrap(), [0u32; 0]);
    }
}
