//! IDA* with pattern databases on 4×4: the usual way to solve the fifteen puzzle, in its own loop.
//!
//! It does what `pdb/lookup.rs` does, for one size of board: the cells of the mirror, the
//! windows that a direction turns and the shifts of a map are constants, the block of a
//! map comes from one word, and a placement and its distance take five bytes. Through
//! the shared look-ups the same states take 1.9 times as long (Korf's hundred boards: 0.33
//! instead of 0.18 s with 7-8+reflect, 2.06 instead of 1.05 s with 6-6-3+reflect).
//!
//! A node knows, for the board and for its mirror image, where the tiles of each
//! pattern are (map and word) and their distance. A move changes one pattern in
//! each view: a sideways move changes only the map, one up or down also turns a
//! window of the word, and one bit of the table says whether the distance went up
//! or down. The mirrored view is read only if the plain one does not prune.
//! The automaton of `noyes_puzzle::Duplicates` prunes redundant move sequences and
//! keeps the blank on the board. With databases of all tiles a move changes the bound by
//! exactly one, so limits go up by two.
//!
//! Everything happens in the frame of the tables (`pdb/symmetry.rs`), where a tile
//! is named by its goal cell; directions are converted back at the end.

use std::sync::{Arc, OnceLock};

use noyes_puzzle::Duplicates;
use noyes_puzzle::graph::Graph;
use noyes_puzzle::tiles::{Board, Direction};

use crate::answer::Outcome;
use crate::control::{Control, POLL_MASK, Stop};
use crate::counts::Counts;
use crate::tiles::pdb::{Key, Partition, Symmetry, Table, TableError, Tables};

const CELLS: usize = 16;
/// The length of the redundant move sequences in the automaton: 12 would prune 4 % more states and take five times as
/// long to make.
const DEPTH: usize = 10;
/// A step that the automaton prunes.
const DEAD: u16 = u16::MAX;

/// Databases, automaton and frame, ready for any start of one goal.
pub struct Fifteen {
    parts: Parts,
    mirrored: bool,
    frame: Symmetry,
    goal: Board,
    /// By view and tile (its goal cell in the frame): its part.
    part_of: [[u8; CELLS]; 2],
    walks: &'static Walks,
}

/// The tables: at most four, since the distances of both views fill eight bytes.
enum Parts {
    One(Box<[Part; 1]>),
    Two(Box<[Part; 2]>),
    Three(Box<[Part; 3]>),
    Four(Box<[Part; 4]>),
}

impl Parts {
    fn all(&self) -> &[Part] {
        match self {
            Parts::One(parts) => &parts[..],
            Parts::Two(parts) => &parts[..],
            Parts::Three(parts) => &parts[..],
            Parts::Four(parts) => &parts[..],
        }
    }
}

impl Fifteen {
    /// Whether this engine can use a partition: 4×4, at most four patterns that hold every tile once, not plain.
    pub fn fits(partition: &Partition, goal: &Board) -> bool {
        let keys = || partition.keys(goal).ok();
        let all_tiles =
            |keys: &Vec<Key>| keys.iter().map(|k| k.cells.len()).sum::<usize>() == CELLS - 1;
        (goal.width(), goal.height()) == (4, 4)
            && !partition.plain
            && keys().is_some_and(|keys| keys.len() <= 4 && all_tiles(&keys))
    }

    /// Prepares everything; with `save`, tables that have to be built are saved.
    ///
    /// # Errors
    /// If a limit is reached before the tables are ready.
    ///
    /// # Panics
    /// If the partition does not fit.
    pub fn new(
        partition: &Partition,
        goal: &Board,
        tables: &Tables,
        save: bool,
        control: &Control,
    ) -> Result<Fifteen, TableError> {
        assert!(Fifteen::fits(partition, goal), "another engine's partition");
        let keys = partition.keys(goal).expect("it fits");
        let part = |key: &Key| {
            let table = if save {
                tables.get(key, control)
            } else {
                tables.get_unsaved(key, control)
            };
            table.map(|table| Part::new(&table))
        };
        let parts = match keys.as_slice() {
            [a] => Parts::One(Box::new([part(a)?])),
            [a, b] => Parts::Two(Box::new([part(a)?, part(b)?])),
            [a, b, c] => Parts::Three(Box::new([part(a)?, part(b)?, part(c)?])),
            [a, b, c, d] => Parts::Four(Box::new([part(a)?, part(b)?, part(c)?, part(d)?])),
            _ => panic!("more patterns than fit"),
        };
        let mut part_of = [[0; CELLS]; 2];
        for (i, key) in keys.iter().enumerate() {
            for &cell in &key.canonical().0.cells {
                part_of[0][usize::from(cell)] = i as u8;
                part_of[1][mirror(cell.into())] = i as u8;
            }
        }
        Ok(Fifteen {
            parts,
            mirrored: partition.reflect,
            frame: Symmetry::frame(4, 4, goal.blank()),
            goal: goal.clone(),
            part_of,
            walks: Walks::known(),
        })
    }

    /// Finds an optimal plan from a solvable board. `lower` is a lower bound that is already known.
    pub fn solve(&self, start: &Board, lower: u32, control: &Control) -> Outcome<Direction> {
        match &self.parts {
            Parts::One(parts) => self.solve_with(parts, start, lower, control),
            Parts::Two(parts) => self.solve_with(parts, start, lower, control),
            Parts::Three(parts) => self.solve_with(parts, start, lower, control),
            Parts::Four(parts) => self.solve_with(parts, start, lower, control),
        }
    }

    fn solve_with<const PARTS: usize>(
        &self,
        parts: &[Part; PARTS],
        start: &Board,
        lower: u32,
        control: &Control,
    ) -> Outcome<Direction> {
        if self.mirrored {
            Descent::<PARTS, 2>::run(self, parts, start, lower, control)
        } else {
            Descent::<PARTS, 1>::run(self, parts, start, lower, control)
        }
    }

    /// The bytes of all tables.
    pub fn table_bytes(&self) -> usize {
        let bytes = self.parts.all().iter().map(|p| p.table.bits().len());
        bytes.sum()
    }

    /// The direction on the board of a direction in the frame.
    fn on_board(&self, from: usize, direction: usize) -> Direction {
        let back = self.frame.inverse(4, 4);
        let to = step(from, direction).expect("a step on the board");
        let (from, to) = (back.cell(from), back.cell(to));
        Direction::ALL
            .into_iter()
            .find(|&d| self.goal.neighbour(from, d) == Some(to))
            .expect("neighbours stay neighbours")
    }
}

/// The cell on the other side of the diagonal.
const fn mirror(cell: usize) -> usize {
    cell % 4 * 4 + cell / 4
}

/// The cell in a direction: 0 up, 1 left, 2 right, 3 down.
fn step(cell: usize, direction: usize) -> Option<usize> {
    match direction {
        0 if cell >= 4 => Some(cell - 4),
        1 if !cell.is_multiple_of(4) => Some(cell - 1),
        2 if cell % 4 < 3 => Some(cell + 1),
        3 if cell < 12 => Some(cell + 4),
        _ => None,
    }
}

/// The automaton of redundant move sequences, by direction.
struct Walks {
    /// By state and direction.
    steps: Vec<[u16; 4]>,
    /// By the blank's cell.
    first: [u16; CELLS],
}

impl Walks {
    /// Made once, since it is the same for every goal.
    fn known() -> &'static Walks {
        static KNOWN: OnceLock<Walks> = OnceLock::new();
        KNOWN.get_or_init(Walks::new)
    }

    fn new() -> Walks {
        let automaton = Duplicates::new(&Graph::grid(4, 4), DEPTH);
        assert!(
            automaton.states() < usize::from(DEAD),
            "states are numbers of 16 bits"
        );
        let first = std::array::from_fn(|cell| automaton.start(cell as u16) as u16);
        let mut steps = vec![[DEAD; 4]; automaton.states()];
        let mut seen = vec![false; automaton.states()];
        let mut open: Vec<(usize, u32)> =
            (0..CELLS).map(|cell| (cell, first[cell].into())).collect();
        while let Some((cell, state)) = open.pop() {
            if std::mem::replace(&mut seen[state as usize], true) {
                continue;
            }
            // The neighbours on a grid are in the order of directions, without those beyond the border.
            let ways = (0..4).filter_map(|d| step(cell, d).map(|to| (d, to)));
            for (number, (direction, to)) in ways.enumerate() {
                if let Some(next) = automaton.next(state, number) {
                    steps[state as usize][direction] = next as u16;
                    open.push((to, next));
                }
            }
        }
        Walks { steps, first }
    }
}

/// A table with what its look-ups need, close together in memory.
struct Part {
    table: Arc<Table>,
    row_bytes: usize,
    lanes: usize,
    /// By map: the place of its first block, and for each cell three bits that say which of the map's blocks it is in.
    blocks: Vec<u64>,
    /// The number of a map is the sum of one for its upper and one for its lower half.
    upper: [u16; 256],
    lower: [u16; 256],
    /// By group and turn.
    turned: Vec<u16>,
    /// By lane and lane.
    product: Vec<u8>,
}

/// Where the tiles of a part are, packed: the map, and above it the code of the word.
type Packed = u32;

impl Part {
    fn new(table: &Arc<Table>) -> Part {
        let ground = table.ground();
        let (blocks, words) = (&ground.blocks, &ground.words);
        let mut part = Part {
            row_bytes: ground.row_bytes(),
            lanes: words.lanes(),
            blocks: vec![0; blocks.maps()],
            upper: [0; 256],
            lower: [0; 256],
            turned: (0..words.groups() * 64)
                .map(|i| words.turned(i % 64)[i / 64].bits())
                .collect(),
            product: (0..64 * 64)
                .map(|i| words.product(i / 64, i % 64))
                .collect(),
            table: table.clone(),
        };
        let tiles = ground.key.cells.len() as u32;
        let (mut of_size, mut maps) = ([0; 9], 0);
        for half in 0..256usize {
            part.lower[half] = of_size[half.count_ones() as usize];
            of_size[half.count_ones() as usize] += 1;
        }
        for half in 0..256usize {
            part.upper[half] = maps;
            maps += tiles
                .checked_sub(half.count_ones())
                .and_then(|rest| of_size.get(rest as usize))
                .unwrap_or(&0);
        }
        let mut map = (1u32 << tiles) - 1;
        while map < 1 << CELLS {
            let free = || (0..CELLS).filter(|c| map >> c & 1 == 0);
            let place = |cell| blocks.place(blocks.block(map, cell)) as u64;
            let first = free().map(place).min().expect("the blank has a cell");
            let number = part.number(map as usize);
            part.blocks[number] = free().fold(first, |entry, cell| {
                entry | (place(cell) - first) << (16 + 3 * cell)
            });
            // The next map with the same number of tiles.
            let lowest = map & map.wrapping_neg();
            let up = map + lowest;
            map = up | ((map ^ up) / lowest) >> 2;
        }
        part
    }

    #[inline]
    fn number(&self, map: usize) -> usize {
        usize::from(self.upper[map >> 8]) + usize::from(self.lower[map & 255])
    }

    /// The bit of a placement, with the blank on a cell.
    #[inline]
    fn bit(&self, map: usize, code: usize, blank: usize) -> u64 {
        let entry = self.blocks[self.number(map)];
        let place = (entry & 0xffff) as usize + (entry >> (16 + 3 * blank) & 7) as usize;
        let row = (code >> 6) * self.lanes + (code & 63);
        u64::from(self.table.bits()[row * self.row_bytes + place / 8] >> (place % 8)) & 1
    }

    /// The placement and its bit after the blank went from a cell in a direction, over a tile of this part.
    #[inline]
    fn after<const DIRECTION: usize>(&self, placed: Packed, blank: usize) -> (Packed, u64) {
        let map = placed as usize & 0xffff;
        let mut code = (placed >> 16) as usize;
        // The tile's cell, and the lower of the two cells.
        let (cell, low) = match DIRECTION {
            0 => (blank - 4, blank - 4),
            1 => (blank - 1, blank - 1),
            2 => (blank + 1, blank),
            _ => (blank + 4, blank),
        };
        let map = if DIRECTION == 0 || DIRECTION == 3 {
            let before = (map & ((1 << low) - 1)).count_ones() as usize;
            let passed = (map >> (low + 1) & 7).count_ones() as usize;
            let back = if DIRECTION == 0 { 0 } else { 8 };
            let turned = usize::from(self.turned[code & !63 | (16 * passed + back + before)]);
            code = turned & !63 | usize::from(self.product[(code & 63) << 6 | turned & 63]);
            map ^ 0b10001 << low
        } else {
            map ^ 0b11 << low
        };
        ((map | code << 16) as Packed, self.bit(map, code, cell))
    }
}

#[derive(Clone, Copy)]
struct Node<const PARTS: usize> {
    /// Tiles by cell, four bits each, named by their goal cells.
    board: u64,
    /// The distance of each part, a byte each, the mirrored view above the plain one.
    distances: u64,
    placed: [[Packed; PARTS]; 2],
    sums: [u8; 2],
    step: u16,
    blank: u8,
}

/// The depth-first searches from one start, and the path of the current one.
struct Descent<'a, const PARTS: usize, const VIEWS: usize> {
    fifteen: &'a Fifteen,
    parts: &'a [Part; PARTS],
    control: &'a Control,
    counts: Counts,
    path: Vec<u8>,
    stop: Option<Stop>,
}

impl<const PARTS: usize, const VIEWS: usize> Descent<'_, PARTS, VIEWS> {
    fn run(
        fifteen: &Fifteen,
        parts: &[Part; PARTS],
        start: &Board,
        lower: u32,
        control: &Control,
    ) -> Outcome<Direction> {
        let root = Self::root(fifteen, parts, start);
        let bound = u32::from(root.sums[..VIEWS].iter().copied().max().unwrap_or(0));
        let mut limit = bound + lower.saturating_sub(bound).next_multiple_of(2);
        let counts = Counts {
            generated: 1,
            peak_bytes: fifteen.table_bytes(),
            ..Counts::default()
        };
        let mut descent = Descent::<PARTS, VIEWS> {
            fifteen,
            parts,
            control,
            counts,
            path: vec![],
            stop: None,
        };
        if bound == 0 {
            return Outcome::optimal(vec![], 0, descent.counts);
        }
        loop {
            control.raise_lower(limit);
            let found = descent.dfs(&root, limit as u8);
            if let Some(stop) = descent.stop {
                return Outcome::stopped(stop, limit, descent.counts);
            }
            if found {
                let plan = descent.plan(root.blank.into());
                return Outcome::optimal(plan, limit, descent.counts);
            }
            limit += 2;
        }
    }

    fn root(fifteen: &Fifteen, parts: &[Part; PARTS], start: &Board) -> Node<PARTS> {
        let (frame, home) = (&fifteen.frame, fifteen.goal.places());
        let mut tile_on = [0; CELLS];
        for (cell, &tile) in start.tiles().iter().enumerate() {
            tile_on[frame.cell(cell)] = frame.cell(home[usize::from(tile)].into());
        }
        let blank = frame.cell(start.blank());
        // The blank is 0 here, not its goal cell: then a slide is one exclusive or.
        let nibble = |cell: usize| {
            if cell == blank {
                0
            } else {
                tile_on[cell] as u64
            }
        };
        let board = (0..CELLS)
            .rev()
            .fold(0, |board, cell| board << 4 | nibble(cell));
        let step = fifteen.walks.first[blank];
        let mut root = Node {
            board,
            distances: 0,
            placed: [[0; PARTS]; 2],
            sums: [0; 2],
            step,
            blank: blank as u8,
        };
        for view in 0..VIEWS {
            let seen = |cell: usize| if view == 1 { mirror(cell) } else { cell };
            let mut cell_of = [0; CELLS];
            for (cell, &tile) in tile_on.iter().enumerate() {
                cell_of[seen(tile)] = seen(cell);
            }
            for (i, part) in parts.iter().enumerate() {
                let ground = part.table.ground();
                let placed = ground.place(|letter| cell_of[usize::from(ground.key.cells[letter])]);
                let distance = part
                    .table
                    .distance(placed, seen(blank))
                    .expect("a board that can be solved");
                root.placed[view][i] = placed.map | u32::from(placed.code.bits()) << 16;
                root.distances |= u64::from(distance) << (32 * view + 8 * i);
                root.sums[view] += distance as u8;
            }
        }
        root
    }

    /// Whether the goal can be reached from here in at most `left` moves. If so, the path is pushed from its end.
    fn dfs(&mut self, node: &Node<PARTS>, left: u8) -> bool {
        self.counts.expanded += 1;
        if self.counts.expanded & POLL_MASK == 0
            && let Err(stop) = self.control.poll(&self.counts)
        {
            self.stop = Some(stop);
            return true;
        }
        let steps = self.fifteen.walks.steps[usize::from(node.step)];
        let left = left - 1;
        // The second direction is the one on the mirrored board: up and left are exchanged, and right and down.
        self.child::<0, 1>(node, left, steps[0])
            || self.child::<1, 0>(node, left, steps[1])
            || self.child::<2, 3>(node, left, steps[2])
            || self.child::<3, 2>(node, left, steps[3])
    }

    #[inline]
    fn child<const DIRECTION: usize, const MIRRORED: usize>(
        &mut self,
        node: &Node<PARTS>,
        left: u8,
        step: u16,
    ) -> bool {
        if step == DEAD {
            return false;
        }
        self.counts.generated += 1;
        let blank = usize::from(node.blank);
        let cell = match DIRECTION {
            0 => blank - 4,
            1 => blank - 1,
            2 => blank + 1,
            _ => blank + 4,
        };
        let tile = (node.board >> (4 * cell) & 15) as usize;
        let mut child = *node;
        let part = usize::from(self.fifteen.part_of[0][tile]);
        let (placed, bit) = self.parts[part].after::<DIRECTION>(node.placed[0][part], blank);
        let (change, sum) = changed(node.distances, 8 * part, bit, node.sums[0]);
        if sum > left {
            return false;
        }
        child.placed[0][part] = placed;
        child.distances = child.distances.wrapping_add(change);
        child.sums[0] = sum;
        if VIEWS == 2 {
            let part = usize::from(self.fifteen.part_of[1][tile]);
            let (placed, bit) =
                self.parts[part].after::<MIRRORED>(node.placed[1][part], mirror(blank));
            let (change, sum) = changed(node.distances, 32 + 8 * part, bit, node.sums[1]);
            if sum > left {
                return false;
            }
            child.placed[1][part] = placed;
            child.distances = child.distances.wrapping_add(change);
            child.sums[1] = sum;
        }
        child.board ^= (tile as u64) << (4 * cell) | (tile as u64) << (4 * blank);
        child.step = step;
        child.blank = cell as u8;
        if sum == 0 || self.dfs(&child, left) {
            self.path.push(DIRECTION as u8);
            return true;
        }
        false
    }

    fn plan(&self, mut blank: usize) -> Vec<Direction> {
        let step_from = |&direction: &u8| {
            let turned = self.fifteen.on_board(blank, direction.into());
            blank = step(blank, direction.into()).expect("a step on the board");
            turned
        };
        self.path.iter().rev().map(step_from).collect()
    }
}

/// One distance goes up or down by one, and `bit` is the second-lowest bit of the new one. Gives the change of the
/// packed distances, and the new sum.
#[inline]
fn changed(distances: u64, shift: usize, bit: u64, sum: u8) -> (u64, u8) {
    let old = distances >> shift;
    let down = (old ^ old >> 1 ^ bit) & 1; // 0 if one more has this bit
    let change = (1u64 << shift).wrapping_sub(down << (shift + 1));
    (change, sum.wrapping_add(1).wrapping_sub(2 * down as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ask, Engine, solve};
    use noyes_puzzle::tiles::{Generator, Goal, random_walk};

    #[test]
    fn agrees_with_manhattan_for_every_kind_of_goal_and_partition() {
        let goals = [
            "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15",
            "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0",
            "7 3 5 0/1 2 4 6/8 9 15 11/12 13 14 10",
            "9 1 2 3/4 0 6 7/8 5 10 11/12 13 15 14",
            "1 0 2 3/4 5 6 7/8 9 10 11/12 13 14 15",
        ];
        let partitions = [
            "5-5-5",
            "5-5-5+reflect",
            "4-4-4-3+reflect",
            "6-6-3",
            "1,2,3,4,5,6+7,8,9,10,11,12+13,14,15+reflect",
        ];
        let tables = Tables::in_memory();
        let control = Control::new();
        for goal in goals {
            let goal: Board = goal.parse().unwrap();
            for partition in partitions {
                let partition: Partition = partition.parse().unwrap();
                if !Fifteen::fits(&partition, &goal) {
                    assert!(
                        partition.reflect && goal.blank() == 1,
                        "only the mirror may be missing"
                    );
                    continue;
                }
                let fifteen = Fifteen::new(&partition, &goal, &tables, false, &control).unwrap();
                for i in 0..12 {
                    let board = random_walk(&goal, 4 * i as usize, &mut Generator::new(9, i));
                    let request = Ask::board(board.clone(), Goal::Board(goal.clone()))
                        .engine(Engine::IdaStar)
                        .request()
                        .unwrap();
                    let expected = solve(&request, &control).unwrap().bounds.upper;
                    let outcome = fifteen.solve(&board, 0, &control);
                    assert_eq!(
                        outcome.bounds.upper, expected,
                        "{board} to {goal} with {partition}"
                    );
                    assert_eq!(
                        noyes_check::board_plan(&board, &goal, &outcome.plan.unwrap()).ok(),
                        expected
                    );
                }
            }
        }
    }
}
