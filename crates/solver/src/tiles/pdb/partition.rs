//! Partitions: which tiles go into which pattern.
//!
//! Written by the tiles, `1,2,4,5,8+3,6,7,10,11+9,12,13,14,15`, or by the sizes of the
//! patterns, `7-8`. A partition by sizes is laid out around the goal's blank, so it
//! is equally good for all goals. `+reflect` also looks up the mirrored board,
//! `+plain` ignores the blank's position, and `fringe` is a single pattern: the row
//! and the column farthest from the blank, with every move counted.

use std::fmt;
use std::str::FromStr;

use noyes_puzzle::tiles::Board;

use super::blocks::Counting;
use super::shapes::laid_out;
use super::symmetry::Symmetry;
use super::table::Key;
use super::words::MOST_TILES;

/// The most look-ups whose values are carried along, both views together.
pub const MOST_LOOKUPS: usize = 16;

/// Patterns, and how they are looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    patterns: Patterns,
    /// Look up the mirrored board, too.
    pub(crate) reflect: bool,
    /// Ignore the blank: the smallest value over its places, as in the literature.
    pub plain: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Patterns {
    Sizes(Vec<usize>),
    Tiles(Vec<Vec<u16>>),
    Fringe,
}

/// A partition that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// Neither sizes, nor tiles, nor `fringe`.
    #[error(
        "{0:?} is no partition (expected sizes such as 7-8, tiles such as 1,2,3+4,5,6+7,8, or fringe; then +reflect or +plain)"
    )]
    Form(String),
    /// More tiles than a table can have.
    #[error("a pattern has 1 to {MOST_TILES} tiles, not {0}")]
    Tiles(usize),
    /// A tile in two patterns: their values may not be added.
    #[error("tile {0} is in two patterns")]
    Twice(u16),
    /// A tile that the board does not have.
    #[error("tile {tile} is in a pattern, but a {size} board has the tiles 1 to {last}")]
    NoTile {
        /// The tile.
        tile: u16,
        /// The size of the board.
        size: String,
        /// Its last tile.
        last: usize,
    },
    /// Sizes that do not add up.
    #[error("patterns of {sizes} have {sum} tiles together, a {size} board has {last}")]
    Sum {
        /// As written.
        sizes: String,
        /// Their sum.
        sum: usize,
        /// The size of the board.
        size: String,
        /// Its tiles.
        last: usize,
    },
    /// A board too large for tables.
    #[error(
        "pattern databases are for boards of up to 25 cells and at least 2 rows and columns, and for 4x7 and 5x6, not {size}"
    )]
    Board {
        /// Its size.
        size: String,
    },
    /// More patterns than can be carried along.
    #[error(
        "{lookups} look-ups for each board, at most {MOST_LOOKUPS} are possible: fewer and larger patterns, or no +reflect"
    )]
    Lookups {
        /// Patterns, twice with +reflect.
        lookups: usize,
    },
    /// No mirror keeps the blank.
    #[error(
        "no mirror keeps a {0} board and the blank of its goal: +reflect has nothing to look up"
    )]
    NoMirror(String),
}

impl Partition {
    /// A single pattern of these tiles.
    pub(super) fn of_tiles(tiles: &[u16]) -> Result<Partition, PartitionError> {
        Partition::new(Patterns::Tiles(vec![tiles.to_vec()]), false, false)
    }

    fn new(patterns: Patterns, reflect: bool, plain: bool) -> Result<Partition, PartitionError> {
        let sizes: Vec<usize> = match &patterns {
            Patterns::Sizes(sizes) => sizes.clone(),
            Patterns::Tiles(patterns) => patterns.iter().map(Vec::len).collect(),
            Patterns::Fringe => vec![],
        };
        if let Some(&size) = sizes.iter().find(|size| !(1..=MOST_TILES).contains(*size)) {
            return Err(PartitionError::Tiles(size));
        }
        if let Patterns::Tiles(patterns) = &patterns {
            let mut seen = std::collections::HashSet::new();
            if let Some(&tile) = patterns.iter().flatten().find(|&&tile| !seen.insert(tile)) {
                return Err(PartitionError::Twice(tile));
            }
        }
        Ok(Partition {
            patterns,
            reflect,
            plain,
        })
    }

    /// The keys of its tables on the board of a goal.
    ///
    /// # Errors
    /// If it does not fit the board.
    pub fn keys(&self, goal: &Board) -> Result<Vec<Key>, PartitionError> {
        let (width, height) = (goal.width(), goal.height());
        let last = width * height - 1;
        if !Key::has_tables(width, height) {
            return Err(PartitionError::Board { size: goal.size() });
        }
        if self.reflect && Partition::mirror(goal).is_none() {
            return Err(PartitionError::NoMirror(goal.size()));
        }
        let home = goal.places();
        let (patterns, counting) = match &self.patterns {
            Patterns::Tiles(patterns) => {
                let no_tile = |&&tile: &&u16| tile == 0 || usize::from(tile) > last;
                if let Some(&tile) = patterns.iter().flatten().find(no_tile) {
                    return Err(PartitionError::NoTile {
                        tile,
                        size: goal.size(),
                        last,
                    });
                }
                let at_home = |pattern: &Vec<u16>| {
                    pattern
                        .iter()
                        .map(|&t| home[usize::from(t)] as u8)
                        .collect::<Vec<u8>>()
                };
                (patterns.iter().map(at_home).collect(), Counting::Pattern)
            }
            Patterns::Sizes(sizes) => {
                let sum = sizes.iter().sum();
                if sum != last {
                    return Err(PartitionError::Sum {
                        sizes: self.to_string(),
                        sum,
                        size: goal.size(),
                        last,
                    });
                }
                (
                    laid_out(sizes, width, height, goal.blank()),
                    Counting::Pattern,
                )
            }
            Patterns::Fringe => (vec![fringe(goal)], Counting::Every),
        };
        let key = |mut cells: Vec<u8>| {
            cells.sort_unstable();
            if (1..=MOST_TILES).contains(&cells.len()) {
                Ok(Key {
                    width,
                    height,
                    blank: goal.blank(),
                    cells,
                    counting,
                })
            } else {
                Err(PartitionError::Tiles(cells.len()))
            }
        };
        let keys: Vec<Key> = patterns.into_iter().map(key).collect::<Result<_, _>>()?;
        let lookups = keys.len() * if self.reflect { 2 } else { 1 };
        if lookups > MOST_LOOKUPS {
            return Err(PartitionError::Lookups { lookups });
        }
        Ok(keys)
    }

    /// Whether it is laid out around the blank of any goal.
    pub(crate) fn is_by_sizes(&self) -> bool {
        matches!(self.patterns, Patterns::Sizes(_))
    }

    /// The same towards another goal, without the mirror if that goal has no mirror.
    pub(crate) fn towards(&self, goal: &Board) -> Partition {
        Partition {
            reflect: self.reflect && Partition::mirror(goal).is_some(),
            ..self.clone()
        }
    }

    /// The mirror that `+reflect` looks up.
    pub(crate) fn mirror(goal: &Board) -> Option<Symmetry> {
        Symmetry::keeping(goal.width(), goal.height(), goal.blank())
    }
}

/// The cells of the row and the column that are farthest from the goal's blank.
fn fringe(goal: &Board) -> Vec<u8> {
    let (width, height) = (goal.width(), goal.height());
    let (row, column) = (goal.blank() / width, goal.blank() % width);
    let far_row = if 2 * row < height { height - 1 } else { 0 };
    let far_column = if 2 * column < width { width - 1 } else { 0 };
    let on = |&c: &usize| (c / width == far_row || c % width == far_column) && c != goal.blank();
    (0..width * height).filter(on).map(|c| c as u8).collect()
}

impl FromStr for Partition {
    type Err = PartitionError;

    fn from_str(text: &str) -> Result<Partition, PartitionError> {
        let form = || PartitionError::Form(text.into());
        let mut words: Vec<&str> = text.split('+').collect();
        let mut take = |word: &str| {
            let before = words.len();
            words.retain(|w| *w != word);
            words.len() < before
        };
        let (reflect, plain) = (take("reflect"), take("plain"));
        let patterns = match words.as_slice() {
            [] => return Err(form()),
            ["fringe"] if !plain => Patterns::Fringe,
            [sizes] if !sizes.contains(',') => {
                let sizes: Vec<usize> = sizes
                    .split('-')
                    .map(str::parse)
                    .collect::<Result<_, _>>()
                    .map_err(|_| form())?;
                Patterns::Sizes(sizes)
            }
            patterns => {
                let pattern = |p: &&str| {
                    p.split(',')
                        .map(str::parse)
                        .collect::<Result<Vec<u16>, _>>()
                        .map_err(|_| form())
                };
                Patterns::Tiles(patterns.iter().map(pattern).collect::<Result<_, _>>()?)
            }
        };
        Partition::new(patterns, reflect, plain)
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let joined = |numbers: &[u16]| {
            numbers
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(",")
        };
        match &self.patterns {
            Patterns::Sizes(sizes) => f.write_str(
                &sizes
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join("-"),
            )?,
            Patterns::Tiles(patterns) => f.write_str(
                &patterns
                    .iter()
                    .map(|p| joined(p))
                    .collect::<Vec<_>>()
                    .join("+"),
            )?,
            Patterns::Fringe => f.write_str("fringe")?,
        }
        f.write_str(if self.reflect { "+reflect" } else { "" })?;
        f.write_str(if self.plain { "+plain" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, goal: &Board) -> String {
        let partition = text.parse::<Partition>();
        partition
            .and_then(|p| p.keys(goal))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn partitions_read_back() {
        for text in [
            "7-8",
            "5-5-5+reflect",
            "1,2,4,5,8+3,6,7,10,11+9,12,13,14,15",
            "fringe+reflect",
            "6-6-3+plain",
            "1,2,3",
        ] {
            assert_eq!(text.parse::<Partition>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn sizes_follow_the_blank_of_the_goal() {
        let partition: Partition = "5-5-5".parse().unwrap();
        let first = partition.keys(&Board::blank_first(4, 4)).unwrap();
        let last = partition.keys(&Board::blank_last(4, 4)).unwrap();
        for (a, b) in first.iter().zip(&last) {
            assert_eq!(a.canonical().0, b.canonical().0, "one table for both goals");
        }
        let mut cells: Vec<u8> = last.iter().flat_map(|k| k.cells.clone()).collect();
        cells.sort_unstable();
        assert_eq!(cells, (0..15).collect::<Vec<u8>>());
        assert_eq!(
            "fringe"
                .parse::<Partition>()
                .unwrap()
                .keys(&Board::blank_first(4, 4))
                .unwrap()[0]
                .cells,
            [3, 7, 11, 12, 13, 14, 15]
        );
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let goal = Board::blank_last(4, 4);
        assert!(error("7-9", &goal).contains("1 to 8 tiles, not 9"));
        assert!(error("7-7", &goal).contains("have 14 tiles together, a 4x4 board has 15"));
        assert!(error("1,2+2,3", &goal).contains("tile 2 is in two patterns"));
        assert!(error("1,2,16", &goal).contains("a 4x4 board has the tiles 1 to 15"));
        assert!(error("0,1", &goal).contains("tile 0 is in a pattern"));
        assert!(error("seven", &goal).contains("\"seven\" is no partition"));
        assert!(error("", &goal).contains("is no partition"));
        assert!(error("reflect", &goal).contains("is no partition"));
        assert!(error("1-1-1-1-1-1-1-1-1-1-1-1-1-1-1+reflect", &goal).contains("30 look-ups"));
        assert!(error("fringe+plain", &goal).contains("is no partition"));
        assert!(error("5+reflect", &Board::blank_last(3, 2)).contains("no mirror"));
        for (width, height) in [(6, 6), (9, 3), (2, 13), (15, 2)] {
            assert!(error("1,2", &Board::blank_last(width, height)).contains("up to 25 cells"));
        }
        for (width, height) in [(7, 4), (5, 6), (12, 2)] {
            let goal = Board::blank_last(width, height);
            assert!("1,2".parse::<Partition>().unwrap().keys(&goal).is_ok());
        }
    }
}
