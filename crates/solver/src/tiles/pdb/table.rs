//! A pattern database: the distance of every placement of some tiles from their places.
//!
//! The table of a pattern is laid out by word and block (`words.rs`, `blocks.rs`)
//! and holds one bit for each pair. It takes the blank into account: an additive
//! table knows in which region of the other cells the blank is (zero-aware, as
//! Clausecker and Reinefeld call it), so the value is the exact number of moves that
//! the pattern's tiles must make, not the minimum over all places of the blank.
//!
//! Korf, Felner: Disjoint pattern database heuristics. Artificial Intelligence 134, 2002.
//! Clausecker, Reinefeld: Zero-aware pattern databases with 1-bit compression for sliding tile puzzles. `SoCS` 2019.

use std::sync::Arc;

use super::blocks::{Blocks, Counting, Edge, bits};
use super::build::{self, Origin, Seen};
use super::symmetry::Symmetry;
use super::words::{Code, MOST_TILES, Words};
use crate::control::{Control, Stop};

/// Identifies a table: the size of the board, the cell of the goal's blank and the goal cells of the pattern's tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The goal's blank.
    pub(crate) blank: usize,
    /// The goal cells of the tiles, ascending.
    pub cells: Vec<u8>,
    /// Which moves count.
    pub(crate) counting: Counting,
}

impl Key {
    /// The most cells of a board with tables.
    pub(crate) const MOST_CELLS: usize = 30;
    /// The most cells of any board with tables, however narrow.
    const MOST_CELLS_OF_ANY: usize = 25;

    /// Whether boards of this size have tables. The values of all patterns together have to fit into a byte, which they
    /// might not on long boards with more than 25 cells: Manhattan distance alone reaches 254 on 15×2, and 162 on 6×5.
    pub(crate) fn has_tables(width: usize, height: usize) -> bool {
        let cells = width * height;
        let least_side = if cells > Key::MOST_CELLS_OF_ANY { 4 } else { 2 };
        cells <= Key::MOST_CELLS && width.min(height) >= least_side
    }

    /// The key in the frame of the tables, and the symmetry that leads there. The symmetry depends only on the size and
    /// the blank, so all patterns of a goal share it.
    pub(crate) fn canonical(&self) -> (Key, Symmetry) {
        let frame = Symmetry::frame(self.width, self.height, self.blank);
        let mut cells: Vec<u8> = self
            .cells
            .iter()
            .map(|&c| frame.cell(c.into()) as u8)
            .collect();
        cells.sort_unstable();
        let (width, height, blank) = (frame.width, frame.height, frame.cell(self.blank));
        (
            Key {
                width,
                height,
                blank,
                cells,
                counting: self.counting,
            },
            frame,
        )
    }

    /// The name in file names: size, blank, cells.
    pub fn name(&self) -> String {
        let cells: Vec<String> = self.cells.iter().map(ToString::to_string).collect();
        let kind = match self.counting {
            Counting::Pattern => "",
            Counting::Every => "-every",
        };
        format!(
            "{}x{}-blank{}-{}{kind}",
            self.width,
            self.height,
            self.blank,
            cells.join(".")
        )
    }
}

/// The ground of a table: everything but its bits. It is cheap to make again.
pub struct Ground {
    pub key: Key,
    pub blocks: Arc<Blocks>,
    pub words: Words,
}

/// Where the tiles of a pattern are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    pub map: u32,
    pub code: Code,
}

impl Ground {
    /// The ground of a key with 1 to 8 tiles.
    pub fn new(key: Key) -> Ground {
        assert!(
            (1..=MOST_TILES).contains(&key.cells.len()),
            "1 to {MOST_TILES} tiles"
        );
        let blocks = Blocks::shared(key.width, key.height, key.cells.len(), key.counting);
        let words = Words::new(key.cells.len());
        Ground { key, blocks, words }
    }

    /// The bytes of the table's bits.
    pub fn table_bytes(&self) -> usize {
        self.words.codes().len() * self.row_bytes()
    }

    /// A lower bound on the bytes of the table of a key, found without its ground: a bit for each placement of the
    /// tiles. (A placement with several regions of the blank has more.)
    pub fn least_table_bytes(key: &Key) -> usize {
        let (cells, tiles) = (key.width * key.height, key.cells.len());
        let maps = (1..=tiles).fold(1, |maps, i| maps * (cells + 1 - i) / i);
        let words: usize = (1..=tiles).product();
        words * maps.div_ceil(8)
    }

    /// About the bytes of the table of a key, found without its ground: rather too many than too few. With six to eight
    /// tiles on 5×5 a map has 1.4, 1.7 and 2.0 regions of the blank on average.
    pub fn about_table_bytes(key: &Key) -> usize {
        let percent = match key.cells.len() {
            8 => 202,
            7 => 170,
            tiles => (100 + 15 * tiles.saturating_sub(3)).max(110),
        };
        Ground::least_table_bytes(key) / 100 * percent
    }

    /// About the bytes that building it takes, the table included.
    pub fn about_build_bytes(key: &Key) -> usize {
        // Two sets of words in 64 bits each for a bit of each word, and a tenth more for the moves between blocks.
        let lanes = match key.cells.len() {
            8 => 56,
            7 => 42,
            6 | 5 => 20,
            tiles => tiles.max(1),
        };
        Ground::about_table_bytes(key) / lanes * 140
    }

    /// The bytes of the row of one word.
    pub fn row_bytes(&self) -> usize {
        self.blocks.count().div_ceil(8)
    }

    /// The bytes that building takes at its peak.
    pub fn build_bytes(&self) -> usize {
        build::peak_bytes(&self.blocks, &self.words)
    }

    /// Builds the bits with this number of threads.
    ///
    /// # Errors
    /// If a limit of `control` is reached first.
    pub fn build(
        &self,
        threads: usize,
        control: &Control,
        seen: Option<Seen>,
        progress: &dyn Fn(u64),
    ) -> Result<Vec<u8>, Stop> {
        control.allow_table_bytes(self.build_bytes())?;
        let goal = self.goal();
        let origin = Origin {
            blocks: &self.blocks,
            words: &self.words,
            goal: (self.blocks.block(goal.map, self.key.blank), goal.code),
        };
        build::build(&origin, threads, control, seen, progress)
    }

    /// The permutations of lanes, for a card.
    #[cfg(feature = "gpu")]
    pub fn lanes(&self) -> Vec<[u64; 16]> {
        build::lanes(&self.words)
    }

    /// The block and the word of the goal.
    #[cfg(feature = "gpu")]
    pub fn goal_at(&self) -> (usize, Code) {
        let goal = self.goal();
        (self.blocks.block(goal.map, self.key.blank), goal.code)
    }

    /// Every tile at home.
    fn goal(&self) -> Placed {
        self.place(|letter| usize::from(self.key.cells[letter]))
    }

    /// The placement with letter `i` on cell `cell(i)`.
    pub fn place(&self, cell: impl Fn(usize) -> usize) -> Placed {
        let mut letter_on = [0u8; 32];
        let mut map = 0;
        for letter in 0..self.words.letters() {
            letter_on[cell(letter)] = letter as u8;
            map |= 1 << cell(letter);
        }
        let mut word = [0; MOST_TILES];
        for (letter, cell) in word.iter_mut().zip(bits(map)) {
            *letter = letter_on[cell];
        }
        Placed {
            map,
            code: self.words.code(&word[..self.words.letters()]),
        }
    }

    /// The placement after the tile on `from` went to `to`.
    #[inline]
    pub fn moved(&self, placed: Placed, from: usize, to: usize) -> Placed {
        let (map, turn) = Blocks::moved(placed.map, from, to);
        Placed {
            map,
            code: self.words.after(placed.code, turn),
        }
    }
}

/// A pattern database, ready for look-ups.
pub struct Table {
    ground: Ground,
    bits: Vec<u8>,
}

impl Table {
    pub(super) fn new(ground: Ground, bits: Vec<u8>) -> Table {
        assert_eq!(bits.len(), ground.table_bytes(), "all the bits");
        Table { ground, bits }
    }

    /// Everything but the bits.
    pub(crate) fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The bits, a row of blocks for each word.
    pub fn bits(&self) -> &[u8] {
        &self.bits
    }

    /// The second-lowest bit of the distance of a placement.
    #[inline]
    pub(crate) fn second_bit(&self, block: usize, code: Code) -> bool {
        let place = self.ground.blocks.place(block);
        let row = self.ground.words.row(code) * self.ground.row_bytes();
        self.bits[row + place / 8] >> (place % 8) & 1 == 1
    }

    /// The distance of a placement; `None` if it cannot get home.
    pub(crate) fn distance(&self, placed: Placed, blank: usize) -> Option<u32> {
        let mut distance = 0;
        self.walk_home(placed, blank, |_| distance += 1)
            .then_some(distance)
    }

    /// The cells that the blank goes to on the way home, if each move counts; `None` if there is no way.
    pub(crate) fn way_home(&self, placed: Placed, blank: usize) -> Option<Vec<usize>> {
        let mut way = vec![];
        let mut map = placed.map;
        let arrives = self.walk_home(placed, blank, |next| {
            // The blank is now on the one cell that the tile left.
            way.push((map & !next).trailing_zeros() as usize);
            map = next;
        });
        arrives.then_some(way)
    }

    /// Walks home along distances that fall modulo four and shows the map after each move; false if that leads nowhere.
    ///
    /// A distance fits a byte, so a longer walk can only be going in circles.
    fn walk_home(&self, placed: Placed, blank: usize, mut see: impl FnMut(u32)) -> bool {
        let blocks = &self.ground.blocks;
        let goal = self.ground.goal();
        let goal_block = blocks.block(goal.map, self.ground.key.blank);
        let modulo_four = |block: usize, code: Code| {
            let odd = (block < blocks.even()) != (goal_block < blocks.even());
            u32::from(odd) + 2 * u32::from(self.second_bit(block, code))
        };
        let (mut block, mut code) = (blocks.block(placed.map, blank), placed.code);
        let mut left = modulo_four(block, code);
        for _ in 0..=u8::MAX {
            if (block, code) == (goal_block, goal.code) {
                return true;
            }
            left = (left + 3) % 4;
            let step = |edge: &Edge| {
                let next = (edge.to as usize, self.ground.words.after(code, edge.turn));
                (modulo_four(next.0, next.1) == left).then_some(next)
            };
            match blocks.edges(block).iter().find_map(step) {
                None => return false,
                Some(next) => (block, code) = next,
            }
            see(blocks.map(block));
        }
        false
    }

    /// The distance after a move that counts, from the one before it.
    #[inline]
    pub(crate) fn stepped(before: u32, second_bit: bool) -> u32 {
        if (before + 1) >> 1 & 1 == u32::from(second_bit) {
            before + 1
        } else {
            before - 1
        }
    }
}
