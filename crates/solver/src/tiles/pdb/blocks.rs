//! Blocks: the cells of a pattern's tiles and the region of the blank, for any order of the tiles.
//!
//! A map is the set of cells that hold pattern tiles. An additive table counts
//! only moves of pattern tiles, so the blank moves freely among the other cells:
//! a block is a map and one connected region of the other cells. A table that counts every
//! move has a block for each map and cell of the blank. Either way a block and a
//! word together are a state, and the moves from block to block, each with the
//! turn it gives the word, are the same for all words.
//!
//! Each counted move takes one piece to a cell of the other colour of a
//! chessboard, so blocks have a colour and every move changes it. Blocks of one
//! colour come before all of the other.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, Weak};

use super::words::Turn;

/// Which moves a table counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counting {
    /// Moves of pattern tiles: the values of disjoint patterns may be added.
    Pattern,
    /// All moves: the values are larger, but only their maximum is a lower bound.
    Every,
}

/// A move from one block to another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub to: u32,
    pub turn: Turn,
}

/// The blocks of a number of tiles on a board.
pub struct Blocks {
    pub width: usize,
    pub height: usize,
    pub counting: Counting,
    ranks: MapRanks,
    /// By rank of the map and cell of the blank.
    block_of: Vec<u32>,
    /// By block.
    map_of: Vec<u32>,
    /// By block: its place in a row of the table.
    place_of: Vec<u32>,
    /// The number of blocks of the first colour.
    even: usize,
    /// Edges of all blocks, one after the other, and where those of each start.
    edges: Vec<Edge>,
    starts: Vec<u32>,
}

/// Blocks by what they depend on.
type Known = HashMap<(usize, usize, usize, Counting), Weak<Blocks>>;

impl Blocks {
    /// The blocks that all tables of this number of tiles share.
    pub fn shared(width: usize, height: usize, tiles: usize, counting: Counting) -> Arc<Blocks> {
        static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
        let key = (width, height, tiles, counting);
        let known = || KNOWN.lock().expect("nobody panics here");
        if let Some(blocks) = known().get(&key).and_then(Weak::upgrade) {
            return blocks;
        }
        // The lock is not held meanwhile: a process that is forked now would inherit it, and wait forever.
        let blocks = Arc::new(Blocks::new(width, height, tiles, counting));
        known().insert(key, Arc::downgrade(&blocks));
        blocks
    }

    fn new(width: usize, height: usize, tiles: usize, counting: Counting) -> Blocks {
        let cells = width * height;
        assert!(
            cells <= 32 && tiles < cells,
            "at most 32 cells, one of them blank"
        );
        let ranks = MapRanks::new(cells, tiles);
        let board = Grid::new(width, height);
        let mut blocks = Blocks {
            width,
            height,
            counting,
            block_of: vec![0; ranks.count * cells],
            ranks,
            map_of: vec![],
            place_of: vec![],
            even: 0,
            edges: vec![],
            starts: vec![0],
        };
        // 1. Number the blocks, those of one colour first.
        let mut list = vec![];
        for colour in [0, 1] {
            for map in maps(cells, tiles) {
                blocks.number(map, colour, &board, &mut list);
            }
            if colour == 0 {
                blocks.even = list.len();
            }
        }
        // 2. Connect them by the moves of the blank out of each.
        for &(map, region) in &list {
            for blank in bits(region) {
                for cell in bits(board.touching(1 << blank)) {
                    if map >> cell & 1 == 1 {
                        let (after, turn) = Blocks::moved(map, cell, blank);
                        blocks.edges.push(Edge {
                            to: blocks.block(after, cell) as u32,
                            turn,
                        });
                    } else if counting == Counting::Every {
                        blocks.edges.push(Edge {
                            to: blocks.block(map, cell) as u32,
                            turn: Turn::new(0, 0, false),
                        });
                    }
                }
            }
            blocks.starts.push(blocks.edges.len() as u32);
            blocks.map_of.push(map);
        }
        // 3. Place them in rows, by map: a move reaches a place nearby.
        blocks.place_of = vec![0; list.len()];
        for (place, block) in blocks.order().into_iter().enumerate() {
            blocks.place_of[block as usize] = place as u32;
        }
        blocks
    }

    /// Numbers the blocks of one map that have this colour.
    fn number(&mut self, map: u32, colour: u32, board: &Grid, list: &mut Vec<(u32, u32)>) {
        let cells = self.width * self.height;
        let rank = self.ranks.rank(map);
        let mut free = !map & board.all();
        while free != 0 {
            let lowest = free & free.wrapping_neg();
            let region = match self.counting {
                Counting::Pattern => board.flood(lowest, !map),
                Counting::Every => lowest,
            };
            free &= !region;
            let pieces = match self.counting {
                Counting::Pattern => map,
                Counting::Every => lowest,
            };
            if (pieces & board.dark).count_ones() % 2 != colour {
                continue;
            }
            for cell in bits(region) {
                self.block_of[rank * cells + cell] = list.len() as u32;
            }
            list.push((map, region));
        }
    }

    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn even(&self) -> usize {
        self.even
    }

    /// The block of a map and a cell of the blank.
    #[inline]
    pub fn block(&self, map: u32, blank: usize) -> usize {
        self.block_of[self.ranks.rank(map) * self.width * self.height + blank] as usize
    }

    /// The blocks by their maps, both colours mixed.
    pub fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.map_of.len() as u32).collect();
        order.sort_by_key(|&block| (self.map_of[block as usize], block));
        order
    }

    /// The place of a block in a row of the table.
    #[inline]
    pub fn place(&self, block: usize) -> usize {
        self.place_of[block] as usize
    }

    /// The map of a block.
    pub fn map(&self, block: usize) -> u32 {
        self.map_of[block]
    }

    pub fn edges(&self, block: usize) -> &[Edge] {
        &self.edges[self.starts[block] as usize..self.starts[block + 1] as usize]
    }

    /// The map after the tile on `from` went to `to`, and the turn of the word.
    #[inline]
    pub fn moved(map: u32, from: usize, to: usize) -> (u32, Turn) {
        let (low, high) = (from.min(to), from.max(to));
        let before = (map & ((1 << low) - 1)).count_ones() as usize;
        let between = (map & ((1 << high) - (2 << low))).count_ones() as usize;
        (
            map ^ (1 << from | 1 << to),
            Turn::new(before, between, from > to),
        )
    }

    pub fn rank(&self, map: u32) -> usize {
        self.ranks.rank(map)
    }

    /// The number of a map is the sum of one for the upper and one for the lower half of its cells.
    pub fn halves(&self) -> (&[u32], &[u32]) {
        (&self.ranks.high, &self.ranks.low)
    }

    pub fn maps(&self) -> usize {
        self.ranks.count
    }
}

/// The set bits, from the lowest.
pub fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// Numbers maps of a fixed size: by the high half of the cells, then by the low half among those of its size.
struct MapRanks {
    half: u32,
    count: usize,
    high: Vec<u32>,
    low: Vec<u32>,
}

impl MapRanks {
    fn new(cells: usize, tiles: usize) -> MapRanks {
        let half = cells.div_ceil(2) as u32;
        let mut of_size = [0; 33]; // low halves of each size so far
        let mut low = vec![];
        for set in 0..1u32 << half {
            let seen = &mut of_size[set.count_ones() as usize];
            low.push(*seen);
            *seen += 1;
        }
        let mut count = 0;
        let mut high = vec![];
        for set in 0..1u32 << (cells as u32 - half) {
            high.push(count);
            if let Some(rest) = tiles.checked_sub(set.count_ones() as usize) {
                count += of_size[rest];
            }
        }
        MapRanks {
            half,
            count: count as usize,
            high,
            low,
        }
    }

    #[inline]
    fn rank(&self, map: u32) -> usize {
        (self.high[(map >> self.half) as usize] + self.low[(map & ((1 << self.half) - 1)) as usize])
            as usize
    }
}

/// Every map of a number of tiles, from the smallest.
fn maps(cells: usize, tiles: usize) -> impl Iterator<Item = u32> {
    let first = (1u64 << tiles) - 1;
    std::iter::successors(Some(first), |&map| {
        // The next number with the same number of bits: the lowest run moves up by one, its rest goes to the bottom.
        let lowest = map & map.wrapping_neg();
        let up = map + lowest;
        Some(up | ((map ^ up) / lowest) >> 2)
    })
    .take_while(move |&map| map < 1 << cells)
    .map(|map| map as u32)
}

/// Neighbourhoods on a board of at most 32 cells.
struct Grid {
    width: usize,
    cells: usize,
    not_first: u32,
    not_last: u32,
    dark: u32,
}

impl Grid {
    fn new(width: usize, height: usize) -> Grid {
        let cells = width * height;
        let set = |is: &dyn Fn(usize) -> bool| {
            (0..cells).filter(|&c| is(c)).fold(0, |set, c| set | 1 << c)
        };
        Grid {
            width,
            cells,
            not_first: set(&|c| c % width != 0),
            not_last: set(&|c| c % width != width - 1),
            dark: set(&|c| (c / width + c % width) % 2 == 1),
        }
    }

    fn all(&self) -> u32 {
        u32::MAX >> (32 - self.cells)
    }

    /// The cells next to some of these.
    fn touching(&self, set: u32) -> u32 {
        let sideways = (set & self.not_last) << 1 | (set & self.not_first) >> 1;
        let vertical =
            (u64::from(set) << self.width) as u32 | (u64::from(set) >> self.width) as u32;
        (sideways | vertical) & self.all()
    }

    /// The free cells that can be reached from these.
    fn flood(&self, mut set: u32, free: u32) -> u32 {
        loop {
            let wider = set | self.touching(set) & free;
            if wider == set {
                return set;
            }
            set = wider;
        }
    }
}
