//! A node of the tree: a board, and what every part knows about it.
//!
//! The first stage is asked for all children of a node together. The others are asked when a node is taken up: until then
//! they are as its parent had them, and the node remembers its last move.

use noyes_puzzle::tiles::Board;

use super::catalogue::{Catalogue, MOST_CELLS, MOST_STAGES, NONE};
use super::part::{Sight, Wait};
use super::walks::{WalkStep, Walks};

/// A node. Its small numbers are packed into two words, so that a child is a copy with a few words changed.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Node<const PARTS: usize> {
    /// Tiles by cell; what the blank's cell has does not matter.
    tiles: [u8; MOST_CELLS],
    sights: [Sight; PARTS],
    /// A byte for the sum of each stage. Above them a byte with a bit for each stage, whether the last move raised its
    /// sum, and a byte for the direction of the last move.
    sums: u64,
    place: Place,
}

/// Where a node is in the tree: the state of the automaton (32 bits), the moves so far, the moves left, the blank's
/// cell, and the cell that it left by the last move (8 each).
#[derive(Clone, Copy)]
struct Place(u64);

const RAISED: usize = 8 * MOST_STAGES;
const DIRECTION: usize = RAISED + 8;

impl Place {
    fn new(walk: u32, left: u8, blank: usize) -> Place {
        Place(u64::from(walk) | u64::from(left) << 40 | (blank as u64) << 48 | (blank as u64) << 56)
    }

    #[inline(always)]
    fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    #[inline(always)]
    fn left(self) -> u64 {
        self.0 >> 40 & 0xff
    }

    #[inline(always)]
    fn blank(self) -> usize {
        (self.0 >> 48) as usize % MOST_CELLS
    }

    #[inline(always)]
    fn from(self) -> usize {
        (self.0 >> 56) as usize % MOST_CELLS
    }

    /// After a step of the blank to a cell.
    #[inline(always)]
    fn after(self, walk: u32, cell: u8) -> Place {
        let moves = (self.0 & 0xffff << 32)
            .wrapping_add(1 << 32)
            .wrapping_sub(1 << 40);
        let blank = self.0 >> 48 & 0xff;
        Place(u64::from(walk) | moves & 0xffff << 32 | u64::from(cell) << 48 | blank << 56)
    }
}

impl<const PARTS: usize> Node<PARTS> {
    /// A start, with the moves of a limit left.
    pub fn root(catalogue: &Catalogue, walks: &Walks, start: &Board) -> Node<PARTS> {
        let looked = catalogue.look(start);
        let mut tiles = [0; MOST_CELLS];
        for (to, &tile) in tiles.iter_mut().zip(start.tiles()) {
            *to = tile as u8;
        }
        let mut sights = [Sight::default(); PARTS];
        sights[..looked.len()].copy_from_slice(&looked);
        let sum = |stage: usize| u64::from(catalogue.sum(stage, &looked)) << (8 * stage);
        Node {
            tiles,
            sights,
            sums: (0..catalogue.stages.len()).map(sum).sum(),
            place: Place::new(walks.first(start.blank()), 0, start.blank()),
        }
    }

    /// The same with this number of moves left.
    #[must_use]
    pub fn within(self, left: u8) -> Node<PARTS> {
        let place = Place(self.place.0 & !(0xff << 40) | u64::from(left) << 40);
        Node { place, ..self }
    }

    /// The moves so far.
    #[inline(always)]
    pub fn depth(&self) -> u8 {
        self.place.depth()
    }

    /// The direction of the last move.
    #[inline(always)]
    pub fn direction(&self) -> u8 {
        (self.sums >> DIRECTION) as u8
    }

    /// Tiles by cell; what the blank's cell has does not matter.
    pub fn tiles(&self) -> &[u8; MOST_CELLS] {
        &self.tiles
    }

    /// What each part knows.
    pub fn sights(&self) -> &[Sight; PARTS] {
        &self.sights
    }

    /// The moves left.
    pub fn left(&self) -> u8 {
        self.place.left() as u8
    }

    /// The blank's cell.
    pub fn blank(&self) -> usize {
        self.place.blank()
    }

    /// The state of the automaton.
    #[inline(always)]
    pub fn walk(&self) -> u32 {
        self.place.0 as u32
    }

    /// The sum of a stage.
    #[inline(always)]
    pub fn sum(&self, stage: usize) -> u8 {
        (self.sums >> (8 * stage)) as u8
    }

    /// A number for the board. Two boards have the same only by accident.
    pub fn key(&self) -> u64 {
        let mut tiles = self.tiles;
        tiles[self.place.blank()] = 0;
        let words = tiles
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
        words.fold(0, |key: u64, word| {
            let mixed = (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 29
        })
    }

    /// The largest sum.
    pub fn bound(&self) -> u8 {
        let sums = (0..MOST_STAGES).map(|stage| self.sum(stage));
        sums.max().unwrap_or(0)
    }

    /// Begins to look up the first stage of a child.
    #[inline(always)]
    pub fn ask_child(&self, catalogue: &Catalogue, direction: usize) -> Wait {
        let stage = catalogue.first();
        let step = &stage.steps[self.place.blank()][direction];
        let tile = self.tiles[usize::from(step.cell) % MOST_CELLS];
        let part = stage.part_of[usize::from(tile) % MOST_CELLS];
        let sight = self.sights[usize::from(part) % PARTS];
        catalogue.parts[usize::from(part)].ask(part, sight, step, tile)
    }

    /// Writes the child to `child`; false if its first sum exceeds what is left, and then the child does not matter.
    #[inline(always)]
    pub fn write_child(
        &self,
        catalogue: &Catalogue,
        walk: WalkStep,
        wait: &Wait,
        child: &mut Node<PARTS>,
    ) -> bool {
        let part = usize::from(wait.part);
        let (sight, up) = catalogue.parts[part].answer(wait);
        // The first sum is the lowest byte, and never becomes negative.
        let sums = (self.sums & ((1 << RAISED) - 1))
            .wrapping_add(2 * up)
            .wrapping_sub(1);
        *child = *self;
        child.tiles[self.place.blank()] = wait.tile;
        child.sights[part % PARTS] = sight;
        child.sums = sums | up << RAISED | (walk.direction() as u64) << DIRECTION;
        child.place = self.place.after(walk.state(), wait.cell);
        sums & 0xff < self.place.left()
    }

    /// Begins to look up a later stage after the last move; `None` if there is nothing to look up.
    #[inline(always)]
    pub fn ask_stage(&self, catalogue: &Catalogue, stage: usize) -> Option<Wait> {
        let stage = &catalogue.stages[stage];
        let tile = self.last_tile();
        let part = stage.part_of[tile];
        if part == NONE || stage.known_in[tile] != NONE {
            return None;
        }
        let step = &stage.steps[self.place.from()][usize::from(self.direction()) % 4];
        let sight = self.sights[usize::from(part) % PARTS];
        Some(catalogue.parts[usize::from(part)].ask(part, sight, step, tile as u8))
    }

    /// The end of that; false if the sum exceeds what is left.
    #[inline(always)]
    pub fn settle_stage(&mut self, catalogue: &Catalogue, at: usize, wait: Option<&Wait>) -> bool {
        let stage = &catalogue.stages[at];
        let tile = self.last_tile();
        let part = stage.part_of[tile];
        if part == NONE {
            return true;
        }
        let up = match wait {
            None => self.sums >> (RAISED + usize::from(stage.known_in[tile])) & 1,
            Some(wait) => {
                let part = usize::from(part) % PARTS;
                let (sight, up) = catalogue.parts[part].answer(wait);
                self.sights[part] = sight;
                up
            }
        };
        // The byte of a sum never becomes negative, so nothing is borrowed from the next.
        let change = (2 * up).wrapping_sub(1) << (8 * at);
        self.sums = self.sums.wrapping_add(change) | up << (RAISED + at);
        u64::from(self.sum(at)) <= self.place.left()
    }

    /// The tile that moved last.
    #[inline(always)]
    fn last_tile(&self) -> usize {
        usize::from(self.tiles[self.place.from()]) % MOST_CELLS
    }
}
