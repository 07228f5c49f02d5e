//! The values of one pattern as a plain array, for programs that look things up themselves.
//!
//! Entry `c1·n^(k-1) + … + ck` is the value with the first tile on cell `c1`, and so on, of `n` cells: the fewest moves of
//! the pattern's tiles that bring them home, over all places of the blank. With the blank as a last index, the value for the
//! blank on that cell. Where two of them would share a cell, or home cannot be reached, the entry is [`NO_VALUE`].
//!
//! Such an array has `n^k` bytes, where a [`Table`](super::Table) has a bit for each placement. Both are filled by the same search.

use std::sync::Mutex;

use noyes_puzzle::tiles::Board;

use super::blocks::bits;
use super::partition::{Partition, PartitionError};
use super::table::Ground;
use super::tables::TableError;
use crate::control::{Control, Stop};

/// The entry of what is no placement.
pub const NO_VALUE: u8 = u8::MAX;

/// Why there is no array.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DenseError {
    /// The tiles are no pattern of the goal.
    #[error(transparent)]
    Pattern(#[from] PartitionError),
    /// A limit was reached first.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The values of these tiles by their cells, in the order of the tiles; with the cell of the blank last, if it counts.
///
/// ```
/// use noyes_puzzle::tiles::Board;
/// use noyes_solver::{Control, tiles::pdb::{NO_VALUE, dense}};
/// let values = dense(&Board::blank_last(2, 2), &[1, 3], false, &Control::new())?;
/// assert_eq!((values.len(), values[2], values[0]), (16, 0, NO_VALUE)); // 1 on cell 0 and 3 on cell 2
/// # Ok::<(), noyes_solver::tiles::pdb::DenseError>(())
/// ```
///
/// # Errors
/// If the tiles are no pattern of the goal, or a limit is reached.
pub fn dense(
    goal: &Board,
    tiles: &[u16],
    with_blank: bool,
    control: &Control,
) -> Result<Vec<u8>, DenseError> {
    let keys = Partition::of_tiles(tiles)?.keys(goal)?;
    let [key] = <[_; 1]>::try_from(keys).expect("a single pattern");
    let cells = goal.tiles().len();
    let axes = tiles.len() + usize::from(with_blank);
    let bytes = cells.checked_pow(axes as u32);
    let bytes = bytes.ok_or(TableError(Stop::Memory))?;
    control.allow_table_bytes(bytes).map_err(TableError)?;

    // 1. How much each letter of a word counts on each cell.
    let stride = |tile: u16| {
        let axis = tiles.iter().position(|&t| t == tile);
        cells.pow((axes - 1 - axis.expect("a tile of the pattern")) as u32)
    };
    let tile_of = |&cell: &u8| goal.tiles()[usize::from(cell)];
    let strides: Vec<usize> = key.cells.iter().map(|cell| stride(tile_of(cell))).collect();

    // 2. The word of each code.
    let ground = Ground::new(key);
    let letters = tiles.len();
    let mut word_of = vec![vec![]; ground.words.groups() * 64];
    for word in words(letters) {
        let code = ground.words.code(&word);
        word_of[code.group() * 64 + code.lane()] = word;
    }

    // 3. Every state that the search reaches, level by level: the first value of an entry is its smallest.
    let values = Mutex::new(vec![NO_VALUE; bytes]);
    let note = |level: u32, block: usize, groups: &[u64]| {
        let map = ground.blocks.map(block);
        let is_in_region = |&cell: &usize| ground.blocks.block(map, cell) == block;
        let region: Vec<usize> = if with_blank {
            let free = (0..cells).filter(|&cell| map >> cell & 1 == 0);
            free.filter(is_in_region).collect()
        } else {
            vec![0] // one entry, whatever the region is
        };
        let mut values = values.lock().expect("no builder panics");
        for (group, &lanes) in groups.iter().enumerate() {
            for lane in lanes_of(lanes) {
                let word = &word_of[group * 64 + lane];
                let place = |(cell, &letter): (usize, &u8)| cell * strides[usize::from(letter)];
                let entry: usize = bits(map).zip(word).map(place).sum();
                for &blank in &region {
                    let value = &mut values[entry + blank];
                    *value = (*value).min(level as u8);
                }
            }
        }
    };
    let built = ground.build(1, control, Some(&note), &|_| {});
    built.map_err(TableError)?;
    Ok(values.into_inner().expect("no builder panics"))
}

/// All words of this number of different letters.
fn words(letters: usize) -> Vec<Vec<u8>> {
    let mut words = vec![vec![]];
    for letter in 0..letters as u8 {
        let longer = |word: &Vec<u8>| {
            let word = word.clone();
            (0..=word.len()).map(move |at| {
                let mut longer = word.clone();
                longer.insert(at, letter);
                longer
            })
        };
        words = words.iter().flat_map(longer).collect();
    }
    words
}

/// The set lanes of a group.
fn lanes_of(mut lanes: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes.wrapping_sub(1);
        (lane < 64).then_some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiles::pdb::{Databases, Tables};
    use noyes_puzzle::tiles::{Generator, random_board};
    use noyes_puzzle::{Position, SlideSpace};

    use crate::search::Heuristic;

    #[test]
    fn every_entry_is_what_the_tables_say() {
        let control = Control::new();
        for (goal, tiles) in [
            (Board::blank_last(3, 3), vec![7, 2, 5]),
            (Board::blank_first(4, 3), vec![3, 11]),
            ("4 1 2/3 0 5".parse().unwrap(), vec![1, 2, 3, 5]),
        ] {
            let cells = goal.tiles().len();
            let names: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            for (with_blank, form) in [(true, ""), (false, "+plain")] {
                let partition = format!("{}{form}", names.join(",")).parse().unwrap();
                let tables = Databases::new(&partition, &goal, &Tables::in_memory(), &control);
                let tables = tables.unwrap();
                let values = dense(&goal, &tiles, with_blank, &control).unwrap();
                for i in 0..200 {
                    let board = random_board(&goal, &mut Generator::new(3, i));
                    let places = board.places();
                    let mut entry = 0;
                    for &tile in &tiles {
                        entry = entry * cells + usize::from(places[usize::from(tile)]);
                    }
                    if with_blank {
                        entry = entry * cells + board.blank();
                    }
                    let position: Position<Box<[u16]>> = Position::new(board.tiles());
                    let memo = Heuristic::<SlideSpace<_>>::start(&tables, &position);
                    let bound = Heuristic::<SlideSpace<Box<[u16]>>>::bound(&tables, memo);
                    assert_eq!(u32::from(values[entry]), bound, "{board} {form}");
                }
                // Only at home nothing has to move, wherever the blank is in its region.
                let home = (tiles.iter()).fold(0, |entry, &tile| {
                    entry * cells + usize::from(goal.places()[usize::from(tile)])
                });
                let row = if with_blank { cells } else { 1 };
                let mut zeros = (0..values.len()).filter(|&entry| values[entry] == 0);
                assert!(zeros.all(|entry| entry / row == home));
            }
        }
    }

    #[test]
    fn what_is_no_pattern_and_what_is_too_large_is_refused() {
        let goal = Board::blank_last(4, 4);
        let refused = |tiles: &[u16], control: &Control| {
            let error = dense(&goal, tiles, false, control).unwrap_err();
            error.to_string()
        };
        let control = Control::new();
        assert_eq!(refused(&[1, 1], &control), "tile 1 is in two patterns");
        assert!(refused(&[16], &control).starts_with("tile 16 is in a pattern"));
        assert_eq!(refused(&[], &control), "a pattern has 1 to 8 tiles, not 0");
        let small = Control::new().memory_limit(1000);
        assert_eq!(
            refused(&[1, 2, 3], &small),
            "the table is not built (memory limit)"
        );
    }
}
