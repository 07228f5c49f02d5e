//! The kernel in Rust, one thread of it: the same steps on the same buffers (`search.cu`).
//!
//! A thread takes a piece from the top of a stack of pieces and searches it depth first. It changes one board as it goes
//! down. A node that has another child is kept on the thread's own stack, whole, with what every part knows; to go back to
//! it takes one read, however many moves are between. (Taking moves back one by one is slower on a card: all threads of a
//! warp wait for the one that goes back furthest.) A turn expands one node: the first stage is looked up for all its
//! children together, so that their look-ups wait for memory at the same time; each later stage for those children that
//! the stages before did not cut. So all threads of a warp do the same thing at the same time, whatever their boards.
//!
//! Subtrees differ in size by orders of magnitude. A thread that has expanded `most` nodes of a piece gives the rest of it
//! back, one piece for each node on its way that has children left. When the stack is empty, every thread does so after
//! `least` nodes. The round ends, and the next one begins with those pieces. Nothing is lost or counted twice: a subtree
//! has a number of open pieces and is done when it falls to zero.

use std::sync::Mutex;

use super::device::{Beamed, Device, DeviceError, Job, Round, SubtreeStates};
use super::flat::{Flat, FlatPart, NO_PART, NOT_KNOWN};
use super::piece::{PATH, PATH_WORDS, PLACE, SIGHTS, SUMS, moves, stride};
use crate::tiles::subtrees::MANY;

const END: u32 = u32::MAX;
const MOST_STAGES: usize = 6;

/// The mirror of a card.
pub struct Mirror {
    pub(super) flat: Flat,
    /// After this number of states a piece is given back.
    most: u32,
    least: u32,
    /// Pieces in a round.
    take: usize,
    has_beams: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pieces: Vec<u64>,
    subtrees: SubtreeStates,
    expanded: u64,
    generated: u64,
    found: Option<Vec<u8>>,
}

impl Mirror {
    pub fn new(flat: Flat, most: u32, least: u32, take: usize) -> Mirror {
        let state = Mutex::default();
        Mirror {
            flat,
            most,
            least,
            take,
            has_beams: false,
            state,
        }
    }

    /// With a beam before each limit. It has a fifth of the states of the last limit in a layer, so it finds some plans and
    /// misses others.
    pub fn with_beams(self) -> Mirror {
        Mirror {
            has_beams: true,
            ..self
        }
    }
}

impl Device for Mirror {
    fn beam_width(&self, expanded: u64) -> usize {
        usize::from(self.has_beams) * expanded as usize / 5
    }

    fn beam(
        &self,
        root: &[u64],
        width: usize,
        ends: &dyn Fn() -> bool,
    ) -> Result<Beamed, DeviceError> {
        Ok(self.search_layers(root, width, ends))
    }

    fn begin(&self, job: &Job) -> Result<(), DeviceError> {
        let stride = stride(self.flat.parts.len());
        let mut open = vec![0; job.subtrees];
        for piece in job.pieces.chunks(stride) {
            open[piece[PLACE + 1] as u32 as usize] += 1;
        }
        *self.state.lock().expect("no thread panics") = State {
            pieces: job.pieces.clone(),
            subtrees: SubtreeStates {
                open,
                counts: vec![[0; 2]; job.subtrees],
            },
            ..State::default()
        };
        Ok(())
    }

    fn round(&self, ends: &dyn Fn() -> bool) -> Result<Round, DeviceError> {
        let mut state = self.state.lock().expect("no thread panics");
        let stride = stride(self.flat.parts.len());
        let count = state.pieces.len() / stride;
        let taken = state
            .pieces
            .split_off((count - self.take.min(count)) * stride);
        let mut thread = Thread::new(self);
        let mut given_back = vec![];
        let mut left = &taken[..];
        while state.found.is_none() && !left.is_empty() && !ends() {
            let (rest, piece) = left.split_at(left.len() - stride);
            left = rest;
            thread.search(piece, left.is_empty(), &mut given_back, &mut state);
        }
        state.pieces.extend(left);
        state.pieces.extend(given_back);
        Ok(Round {
            left: state.pieces.len() / stride,
            expanded: state.expanded,
            generated: state.generated,
            found: state.found.clone(),
        })
    }

    fn subtrees(&self) -> Result<SubtreeStates, DeviceError> {
        let state = self.state.lock().expect("no thread panics");
        Ok(state.subtrees.clone())
    }

    fn fail(&self, _: DeviceError) {}

    fn failure(&self) -> Option<DeviceError> {
        None
    }
}

/// A node, with its children that are not done.
#[derive(Clone, Default)]
pub(super) struct Node {
    pub(super) tiles: [u8; 32],
    sights: Vec<u64>,
    pub(super) sums: [u32; MOST_STAGES],
    walk: u32,
    bits: u32,
    pub(super) blank: usize,
    pub(super) left: u32,
    path: [u64; PATH_WORDS],
    depth: usize,
    is_fresh: bool,
}

/// A thread: its node, and those above it that have another child.
pub(super) struct Thread<'a> {
    pub(super) mirror: &'a Mirror,
    pub(super) node: Node,
    kept: Vec<Node>,
    expanded: u32,
    generated: u32,
}

/// A step, as `flat.rs` packs it.
#[derive(Clone, Copy)]
pub(super) struct Step(u32);

impl Step {
    fn low(self) -> u32 {
        self.0 & 31
    }

    fn high(self) -> u32 {
        self.0 >> 5 & 31
    }

    fn back(self) -> u32 {
        self.0 >> 10 & 1
    }

    /// Off the board.
    pub(super) fn is_none(self) -> bool {
        self.low() == self.high()
    }

    pub(super) fn cell(self) -> usize {
        (self.0 >> 16 & 31) as usize
    }

    fn both(self) -> u32 {
        1 << self.low() | 1 << self.high()
    }
}

fn low_bits(count: u32) -> u32 {
    (1 << count) - 1
}

impl<'a> Thread<'a> {
    pub(super) fn new(mirror: &'a Mirror) -> Thread<'a> {
        Thread {
            mirror,
            node: Node::default(),
            kept: vec![],
            expanded: 0,
            generated: 0,
        }
    }

    /// Searches a piece to its end, or until the rest is given back.
    fn search(&mut self, piece: &[u64], is_last: bool, out: &mut Vec<u64>, state: &mut State) {
        self.load(piece);
        let subtree = piece[PLACE + 1] as u32 as usize;
        let Mirror { most, least, .. } = *self.mirror;
        let mut given = 0;
        let mut rounds = 0;
        loop {
            // 1. Back to a node with a child that is not done.
            if !self.node.is_fresh && !self.node.has_pending() {
                let Some(kept) = self.kept.pop() else {
                    break;
                };
                self.node = kept;
            }
            // 2. Now and then: is there anything else to do?
            rounds += 1;
            let is_due = self.expanded >= most || (self.expanded >= least && is_last);
            if rounds % 32 == 0 && is_due {
                given = self.give_back(subtree, out);
                break;
            }
            // 3. Down to the child.
            if !self.node.is_fresh {
                self.descend();
            }
            // 4. Its children.
            if let Some(direction) = self.expand() {
                let Node {
                    mut path, depth, ..
                } = self.node;
                path[depth / 32] |= u64::from(direction) << (2 * (depth % 32));
                state.found = Some(moves(&path, depth + 1));
                break;
            }
        }
        let counts = &mut state.subtrees.counts[subtree];
        counts[0] += u64::from(self.expanded);
        counts[1] += u64::from(self.generated);
        state.expanded += u64::from(self.expanded);
        state.generated += u64::from(self.generated);
        if state.found.is_none() {
            let open = &mut state.subtrees.open[subtree];
            *open = *open + given - 1;
        }
    }

    pub(super) fn load(&mut self, piece: &[u64]) {
        let place = piece[PLACE + 1];
        let parts = self.mirror.flat.parts.len();
        self.node = Node {
            tiles: std::array::from_fn(|cell| (piece[cell / 8] >> (8 * (cell % 8))) as u8),
            sights: piece[SIGHTS..][..parts].to_vec(),
            sums: std::array::from_fn(|stage| (piece[SUMS] >> (8 * stage)) as u32 & 0xff),
            walk: piece[PLACE] as u32,
            bits: (piece[PLACE] >> 32) as u32,
            blank: (place >> 32) as usize & 0xff,
            left: (place >> 40) as u32 & 0xff,
            path: piece[PATH..][..PATH_WORDS].try_into().expect("eight words"),
            depth: (place >> 48) as usize & 0xff,
            is_fresh: place >> 56 != 0,
        };
        self.kept.clear();
        self.expanded = 0;
        self.generated = 0;
    }

    /// Goes to the last pending child. The node is kept if it has another one.
    fn descend(&mut self) {
        let flat = &self.mirror.flat;
        let child = (self.node.bits & 15).ilog2();
        let next = flat.walks[self.node.walk as usize][child as usize];
        let direction = next >> 30;
        self.node.bits &= !(1 << child);
        if self.node.has_pending() {
            self.kept.push(self.node.clone());
        }
        let cell = self.step(0, self.node.blank, direction as usize).cell();
        let tile = self.node.tiles[cell];
        for stage in 0..flat.stages {
            let Some((part, known)) = self.part_of(stage, tile) else {
                continue;
            };
            let up = self.node.bits >> (8 + 4 * stage as u32 + child) & 1;
            let sum = &mut self.node.sums[stage];
            *sum = sum.wrapping_add(2 * up).wrapping_sub(1);
            if known.is_none() {
                let step = self.step(stage, self.node.blank, direction as usize);
                self.node.sights[part] = self.sight_after(part, step, up);
            }
        }
        let node = &mut self.node;
        node.tiles[node.blank] = tile;
        node.blank = cell;
        node.walk = next & low_bits(30);
        node.path[node.depth / 32] |= u64::from(direction) << (2 * (node.depth % 32));
        node.depth += 1;
        node.left -= 1;
    }

    /// Looks up the children; the direction to the goal, if one of them is.
    fn expand(&mut self) -> Option<u32> {
        let flat = &self.mirror.flat;
        self.node.is_fresh = false;
        self.expanded += 1;
        let next = flat.walks[self.node.walk as usize];
        let is_child = |child: &usize| next[*child] != END;
        let mut pending = (0..4)
            .filter(is_child)
            .fold(0, |set, child| set | 1 << child);
        self.generated += u32::count_ones(pending);
        self.node.bits = 0;
        for stage in 0..flat.stages {
            let asked = pending;
            for child in (0..4).filter(|child| asked >> child & 1 == 1) {
                let direction = next[child] >> 30;
                let step = self.step(stage, self.node.blank, direction as usize);
                let tile = self.node.tiles[step.cell()];
                let Some((part, known)) = self.part_of(stage, tile) else {
                    continue;
                };
                let up = match known {
                    Some(known) => self.node.bits >> (8 + 4 * known + child) & 1,
                    None => self.goes_up(part, step),
                };
                let sum = self.node.sums[stage].wrapping_add(2 * up).wrapping_sub(1);
                if sum >= self.node.left {
                    pending &= !(1 << child);
                } else if stage == 0 && sum == 0 {
                    return Some(direction);
                }
                self.node.bits |= up << (8 + 4 * stage + child);
            }
        }
        self.node.bits |= pending;
        None
    }

    /// 1 if a step raises the distance of a part, else 0.
    pub(super) fn goes_up(&self, part: usize, step: Step) -> u32 {
        let flat = &self.mirror.flat;
        let sight = self.node.sights[part];
        let part = &flat.parts[part];
        let code = self.code_after(part, sight, step);
        let map = sight as u32 ^ step.both();
        let row = u64::from((code >> 6) * part.lanes + (code & 63)) * part.row_bits;
        let upper = flat.upper[(part.upper + (map >> part.half)) as usize];
        let lower = flat.lower[(part.lower + (map & low_bits(part.half))) as usize];
        let entry = flat.entries[(part.entries + upper + u32::from(lower)) as usize];
        // The blank is where the tile was.
        let cell = if step.back() == 1 {
            step.high()
        } else {
            step.low()
        };
        let place = if entry & MANY == 0 {
            let free_before = (!map & low_bits(cell)).count_ones();
            let first = entry & ((1 << part.base_bits) - 1);
            first + (entry >> (part.base_bits + 2 * free_before) & 3)
        } else {
            flat.many[(part.many + 32 * entry as u32 + cell) as usize].into()
        };
        let bit = row + place;
        let byte = flat.tables[part.bits as usize].bits()[(bit / 8) as usize];
        let value = (sight >> 48) as u32;
        (value ^ value >> 1 ^ u32::from(byte) >> (bit % 8) ^ 1) & 1
    }

    /// What a part knows after a step that raises its distance (1) or lowers it (0).
    pub(super) fn sight_after(&self, part: usize, step: Step, up: u32) -> u64 {
        let sight = self.node.sights[part];
        let code = self.code_after(&self.mirror.flat.parts[part], sight, step);
        let value = (sight >> 48) + 2 * u64::from(up) - 1;
        let map = sight as u32 ^ step.both();
        value << 48 | u64::from(code) << 32 | u64::from(map)
    }

    /// The code of the word after a step.
    fn code_after(&self, part: &FlatPart, sight: u64, step: Step) -> u32 {
        let flat = &self.mirror.flat;
        let (map, code) = (sight as u32, (sight >> 32) as u32 & 0xffff);
        let between = low_bits(step.high()) ^ low_bits(step.low() + 1);
        let passed = (map & between).count_ones();
        // A tile that passes no other keeps the word.
        if passed == 0 {
            return code;
        }
        let before = (map & low_bits(step.low())).count_ones();
        let turn = 16 * (passed - 1) + 8 * step.back() + before;
        let turned = flat.turned[(part.turned + (code >> 6) * part.turns + turn) as usize];
        let turned = u32::from(turned);
        let lanes = (code & 63) << 6 | turned & 63;
        turned & !63 | u32::from(flat.products[(part.product + lanes) as usize])
    }

    /// Writes what is left of the piece, the deepest node last; returns the number of pieces.
    fn give_back(&mut self, subtree: usize, out: &mut Vec<u64>) -> u32 {
        self.kept.push(std::mem::take(&mut self.node));
        for node in &self.kept {
            let words = node.tiles.chunks_exact(8);
            out.extend(words.map(|w| u64::from_le_bytes(w.try_into().expect("eight bytes"))));
            out.extend(node.path);
            out.push(u64::from(node.bits) << 32 | u64::from(node.walk));
            out.push(
                subtree as u64
                    | (node.blank as u64) << 32
                    | u64::from(node.left) << 40
                    | (node.depth as u64) << 48
                    | u64::from(node.is_fresh) << 56,
            );
            let sums = node.sums.iter().enumerate();
            out.push(sums.fold(0, |packed, (i, &sum)| packed | u64::from(sum) << (8 * i)));
            out.extend(&node.sights);
            let words = SIGHTS + node.sights.len();
            out.extend(std::iter::repeat_n(0, stride(node.sights.len()) - words));
        }
        self.kept.len() as u32
    }

    pub(super) fn step(&self, stage: usize, blank: usize, direction: usize) -> Step {
        Step(self.mirror.flat.steps[(stage * 32 + blank) * 4 + direction])
    }

    /// The part of a tile, and an earlier stage that looks it up.
    pub(super) fn part_of(&self, stage: usize, tile: u8) -> Option<(usize, Option<usize>)> {
        let of = self.mirror.flat.part_of[stage * 32 + usize::from(tile)];
        let known = of >> 4;
        (of != NO_PART).then_some((
            usize::from(of & 15),
            (known != NOT_KNOWN).then_some(usize::from(known)),
        ))
    }
}

impl Node {
    /// Whether a child is not done.
    fn has_pending(&self) -> bool {
        self.bits & 15 > 0
    }
}
