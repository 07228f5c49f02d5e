//! Building a table: breadth-first search backward from the goal, up to 56 states in one instruction.
//!
//! Level by level, each block gathers the words that its neighbours reached in the
//! previous level, each turned by the move between the two. A move changes the colour of
//! the block, so a level reads blocks of one colour and writes those of the
//! other: the set of reached states is updated in place, and no frontier is stored.
//! The blocks of a level are independent and are distributed among threads.
//!
//! The table stores one bit of each state: the second-lowest of its distance. The
//! lowest is the colour, so a table knows distances modulo four. Since a counted move
//! changes a distance by exactly one, a search can carry the full value along.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::blocks::Blocks;
use super::huge_pages;
use super::words::{Code, Field, Turn, Words};
use crate::control::{Control, Stop};

/// Called for every state that is reached: with the level, the block, and the words by group.
pub type Seen<'a> = &'a (dyn Fn(u32, usize, &[u64]) + Sync);

/// Where a build begins: the goal, with its blocks and words.
pub struct Origin<'a> {
    pub blocks: &'a Blocks,
    pub words: &'a Words,
    /// The block and the word of the goal.
    pub goal: (usize, Code),
}

/// The bytes that a build takes at its peak.
pub fn peak_bytes(blocks: &Blocks, words: &Words) -> usize {
    2 * blocks.count() * words.groups() * size_of::<u64>()
}

/// Builds the bits of a table, a row of blocks for each word. `progress` gets the states reached so far.
pub fn build(
    origin: &Origin,
    threads: usize,
    control: &Control,
    seen: Option<Seen>,
    progress: &dyn Fn(u64),
) -> Result<Vec<u8>, Stop> {
    let Origin {
        blocks,
        words,
        goal,
    } = origin;
    let groups = words.groups();
    let turns: Vec<Moved> = (0..Turn::COUNT)
        .map(|turn| Moved::new(words, turn))
        .collect();
    let threads = threads.max(1);
    let mut reached = vec![0u64; blocks.count() * groups];
    let mut second = vec![0u64; blocks.count() * groups];
    huge_pages::advise(&mut reached);
    huge_pages::advise(&mut second);
    // The level in which each block last gained a state, and whether it has all states.
    let mut state: Vec<BlockState> = vec![
        BlockState {
            level: u32::MAX,
            full: false
        };
        blocks.count()
    ];
    let (block, code) = *goal;
    reached[block * groups + code.group()] |= 1 << code.lane();
    state[block].level = 0;
    if let Some(seen) = seen {
        seen(0, block, &reached[block * groups..][..groups]);
    }
    let first_is_odd = block >= blocks.even();
    let mut total = 1;
    for level in 1.. {
        control.poll_stop()?;
        // 1. Split everything by colour.
        let even = blocks.even();
        let (reached_even, reached_odd) = reached.split_at_mut(even * groups);
        let (second_even, second_odd) = second.split_at_mut(even * groups);
        let (state_even, state_odd) = state.split_at_mut(even);
        let writes_odd = first_is_odd != (level % 2 == 1);
        let (target, second, state, source, source_state, first_target, first_source) =
            if writes_odd {
                (
                    reached_odd,
                    second_odd,
                    state_odd,
                    &*reached_even,
                    &*state_even,
                    even,
                    0,
                )
            } else {
                (
                    reached_even,
                    second_even,
                    state_even,
                    &*reached_odd,
                    &*state_odd,
                    0,
                    even,
                )
            };
        // 2. Distribute the blocks and gather.
        let layer = Layer {
            blocks,
            turns: &turns,
            lanes: words.all_lanes(),
            groups,
            level,
            source,
            source_state,
            first_source,
        };
        let found = layer.share_out(threads, first_target, target, second, state, seen);
        if found == 0 {
            break;
        }
        total += found;
        progress(total);
    }
    drop(reached);
    Ok(rows(blocks, words, &second))
}

/// Transposes sets of words by block into rows of blocks by word, 64 by 64 bits at a time. Half of all moves keep the
/// word, so a search that makes them stays in one short row.
fn rows(blocks: &Blocks, words: &Words, sets: &[u64]) -> Vec<u8> {
    let row_bytes = blocks.count().div_ceil(8);
    let mut rows = vec![0; words.groups() * words.lanes() * row_bytes];
    huge_pages::advise(&mut rows);
    let order = blocks.order();
    // Eight groups are one cache line of the sets.
    for first in (0..words.groups()).step_by(8) {
        for (column, run) in order.chunks(64).enumerate() {
            for group in first..words.groups().min(first + 8) {
                let mut square = [0u64; 64];
                for (line, &block) in square.iter_mut().zip(run) {
                    *line = sets[block as usize * words.groups() + group];
                }
                transpose(&mut square);
                for (lane, line) in square.iter().enumerate().take(words.lanes()) {
                    let row = &mut rows[(group * words.lanes() + lane) * row_bytes..][..row_bytes];
                    let end = row_bytes.min(8 * column + 8);
                    row[8 * column..end].copy_from_slice(&line.to_le_bytes()[..end - 8 * column]);
                }
            }
        }
    }
    rows
}

/// Mirrors a square of bits along its diagonal: halves change places, then quarters, and so on.
fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, u64::MAX >> 32);
    while width > 0 {
        let mut i = 0;
        while i < 64 {
            let swapped = (square[i] >> width ^ square[i + width]) & mask;
            square[i] ^= swapped << width;
            square[i + width] ^= swapped;
            i = (i + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[derive(Clone, Copy)]
struct BlockState {
    level: u32,
    full: bool,
}

/// One level of the search: what it reads.
struct Layer<'a> {
    blocks: &'a Blocks,
    turns: &'a [Moved],
    lanes: u64,
    groups: usize,
    level: u32,
    source: &'a [u64],
    source_state: &'a [BlockState],
    first_source: usize,
}

impl Layer<'_> {
    /// One level for all blocks of a colour from the first one given, by some threads; returns the number of new states.
    fn share_out(
        &self,
        threads: usize,
        first: usize,
        target: &mut [u64],
        second: &mut [u64],
        state: &mut [BlockState],
        seen: Option<Seen>,
    ) -> u64 {
        let chunk = state.len().div_ceil(threads * 8).max(1);
        let parts = target
            .chunks_mut(chunk * self.groups)
            .zip(second.chunks_mut(chunk * self.groups))
            .zip(state.chunks_mut(chunk));
        let jobs = Mutex::new(parts.enumerate());
        let found = AtomicU64::new(0);
        let work = || {
            loop {
                let job = jobs.lock().expect("no worker panics").next();
                let Some((i, ((target, second), state))) = job else {
                    return;
                };
                let new = self.gather(first + i * chunk, target, second, state, seen);
                found.fetch_add(new, Relaxed);
            }
        };
        if threads == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 1..threads {
                    // With fewer threads than wanted it only takes longer.
                    let _ = std::thread::Builder::new().spawn_scoped(scope, work);
                }
                work();
            });
        }
        found.into_inner()
    }

    /// One level for a run of blocks from the first one given; returns the number of new states.
    fn gather(
        &self,
        first: usize,
        target: &mut [u64],
        second: &mut [u64],
        state: &mut [BlockState],
        seen: Option<Seen>,
    ) -> u64 {
        let groups = self.groups;
        let mut gathered = vec![0u64; groups];
        let mut count = 0;
        for (i, state) in state.iter_mut().enumerate() {
            if state.full {
                continue;
            }
            let mut touched = false;
            for edge in self.blocks.edges(first + i) {
                let from = edge.to as usize - self.first_source;
                if self.source_state[from].level != self.level - 1 {
                    continue;
                }
                if !touched {
                    touched = true;
                    gathered.fill(0);
                }
                // The edge leads from here to there; the word there, turned back, is the word here. A turn and
                // its opposite are both in the table, and `Moved` of this edge is made for reading backward.
                self.turns[edge.turn.index()]
                    .or_into(&self.source[from * groups..][..groups], &mut gathered);
            }
            if !touched {
                continue;
            }
            let reached = &mut target[i * groups..][..groups];
            let mut new = 0;
            let mut all = self.lanes;
            for (gathered, reached) in gathered.iter_mut().zip(reached) {
                *gathered &= !*reached;
                *reached |= *gathered;
                new += u64::from(gathered.count_ones());
                all &= *reached;
            }
            if new == 0 {
                continue;
            }
            count += new;
            *state = BlockState {
                level: self.level,
                full: all == self.lanes,
            };
            if self.level & 2 != 0 {
                for (second, new) in second[i * groups..][..groups].iter_mut().zip(&gathered) {
                    *second |= new;
                }
            }
            if let Some(seen) = seen {
                seen(self.level, first + i, &gathered);
            }
        }
        count
    }
}

/// What a move between two blocks does to bit sets of words: the set here, from the set there.
///
/// A word here is member g of a group; the move turns it into g·g′ of another group, with one g′ for the
/// whole group. So lane g here is lane g·g′ there: a permutation of lanes for each pair of groups.
enum Moved {
    /// The word does not change.
    Same,
    /// Lists of groups here and there, by the permutation between them.
    Lanes(Vec<(Lanes, Vec<(u16, u16)>)>),
}

impl Moved {
    fn new(words: &Words, turn: usize) -> Moved {
        let turned = words.turned(turn);
        let stays = |(group, code): (usize, &Code)| code.group() == group && code.lane() == 0;
        if turned.iter().enumerate().all(stays) {
            return Moved::Same;
        }
        let mut by_lane: Vec<Vec<(u16, u16)>> = vec![vec![]; 64];
        for (here, there) in turned.iter().enumerate() {
            by_lane[there.lane()].push((here as u16, there.group() as u16));
        }
        let lists = by_lane
            .into_iter()
            .enumerate()
            .filter(|(_, list)| !list.is_empty());
        Moved::Lanes(
            lists
                .map(|(lane, list)| (Lanes::new(words.field(), lane), list))
                .collect(),
        )
    }

    fn or_into(&self, there: &[u64], here: &mut [u64]) {
        match self {
            Moved::Same => {
                for (here, there) in here.iter_mut().zip(there) {
                    *here |= there;
                }
            }
            Moved::Lanes(lists) => {
                for (lanes, list) in lists {
                    if lanes.only_turns() {
                        for &(to, from) in list {
                            here[usize::from(to)] |= lanes.turn(there[usize::from(from)]);
                        }
                    } else {
                        for &(to, from) in list {
                            here[usize::from(to)] |= lanes.permute(there[usize::from(from)]);
                        }
                    }
                }
            }
        }
    }
}

/// By lane g′, the permutation of lanes g ← g·g′ as numbers: the rotation, its width, all lanes, nothing; and for each of three
/// additions the lanes that stay, that come from above, that wrap around, and by how much.
#[cfg(feature = "gpu")]
pub fn lanes(words: &Words) -> Vec<[u64; 16]> {
    let numbers = |lane: usize| {
        let mut numbers = [0; 16];
        if lane < words.lanes() {
            let lanes = Lanes::new(words.field(), lane);
            numbers[..3].copy_from_slice(&[lanes.by.into(), lanes.width.into(), lanes.all]);
            for (i, add) in lanes.steps.iter().enumerate() {
                let step = [add.stay, add.above, add.round, add.round_by.into()];
                numbers[4 + 4 * i..][..4].copy_from_slice(&step);
            }
        }
        numbers
    };
    (0..64).map(numbers).collect()
}

/// The permutation of lanes g ← g·g′, in four steps of shifts and masks.
///
/// g·g′ is x → a(a′x + b′) + b: the factor's logarithm grows by that of a′, so the bytes turn, and b
/// grows by a·b′, which differs from byte to byte and is added bit by bit.
struct Lanes {
    /// The bits to rotate by, and the width of the rotation.
    by: u32,
    width: u32,
    all: u64,
    /// For adding 1, 2 and 4: lanes that stay, that come from above, and that wrap around from below.
    steps: [Add; 3],
    none_added: bool,
}

#[derive(Clone, Copy, Default)]
struct Add {
    stay: u64,
    above: u64,
    round: u64,
    round_by: u32,
}

impl Lanes {
    fn new(field: &Field, lane: usize) -> Lanes {
        let (factor, sum) = (lane / field.size(), lane % field.size());
        let mut lanes = Lanes {
            by: (field.size() * factor) as u32,
            width: (field.size() * field.factors()) as u32,
            all: 0,
            steps: [Add::default(); 3],
            none_added: sum == 0,
        };
        for a in 0..field.factors() {
            let added = field.scale(a, sum);
            for b in 0..field.size() {
                lanes.all |= 1 << field.lane(a, b);
                for (bit, step) in lanes.steps.iter_mut().enumerate() {
                    if added >> bit & 1 == 0 {
                        step.stay |= 1 << field.lane(a, b);
                        continue;
                    }
                    // Lane b takes what lane b + 2^bit has.
                    let from = field.add(b, 1 << bit);
                    if from > b {
                        step.above |= 1 << field.lane(a, from);
                    } else {
                        step.round |= 1 << field.lane(a, from);
                    }
                    step.round_by = if field.adds_by_bits() {
                        1 << bit
                    } else {
                        (field.size() as u32).wrapping_sub(1 << bit) % 64
                    };
                }
            }
        }
        lanes
    }

    fn only_turns(&self) -> bool {
        self.none_added
    }

    #[inline]
    fn turn(&self, set: u64) -> u64 {
        (set >> self.by | set.unbounded_shl(self.width - self.by)) & self.all
    }

    #[inline]
    fn permute(&self, set: u64) -> u64 {
        let mut set = self.turn(set);
        for (bit, step) in self.steps.iter().enumerate() {
            set = set & step.stay
                | (set & step.above) >> (1 << bit)
                | (set & step.round) << step.round_by;
        }
        set
    }
}
