//! The beam search of a card in Rust, one node after the other (`beam.cu`).
//!
//! A layer is a list of pieces. Each is expanded: a child goes on the list of children if no stage exceeds the moves that
//! are left and its position is not remembered. Then the children with the smallest scores are made into pieces. Nothing
//! but the order of the children decides among equal ones, so a card, whose threads have no order, may keep others.

use super::beam::{SCORES, cut};
use super::device::Beamed;
use super::mirror::{Mirror, Thread};
use super::piece::{PATH, PATH_WORDS, PLACE, SUMS, moves, stride};

/// Bits of the places in which positions are remembered.
const SEEN_BITS: u32 = 16;

struct Child {
    parent: usize,
    direction: u32,
    ups: u32,
    score: u32,
}

impl Mirror {
    pub fn search_layers(&self, root: &[u64], width: usize, ends: &dyn Fn() -> bool) -> Beamed {
        let stride = stride(self.flat.parts.len());
        let mut seen = vec![0u32; 1 << SEEN_BITS];
        let mut thread = Thread::new(self);
        let mut layer = root.to_vec();
        let mut beamed = Beamed::default();
        while !layer.is_empty() && beamed.found.is_none() && !ends() {
            // 1. The children.
            let mut children = vec![];
            let mut scores = [0; SCORES];
            for (parent, node) in layer.chunks(stride).enumerate() {
                beamed.expanded += 1;
                thread.load(node);
                let depth = (node[PLACE + 1] >> 48) as usize & 0xff;
                let came = (depth > 0)
                    .then(|| node[PATH + (depth - 1) / 32] >> (2 * ((depth - 1) % 32)) & 3);
                for direction in (0..4).filter(|&d| came != Some(3 - d)) {
                    let direction = direction as u32;
                    let Some((ups, score)) = thread.look(direction, &mut |is_goal| {
                        if is_goal && beamed.found.is_none() {
                            let mut path: [u64; PATH_WORDS] =
                                node[PATH..][..PATH_WORDS].try_into().expect("eight words");
                            path[depth / 32] |= u64::from(direction) << (2 * (depth % 32));
                            beamed.found = Some(moves(&path, depth + 1));
                        }
                    }) else {
                        continue;
                    };
                    let hash = hash(&thread.moved(direction));
                    let mark = hash as u32 | 1;
                    let place = &mut seen[(hash >> (64 - SEEN_BITS)) as usize];
                    if std::mem::replace(place, mark) != mark {
                        scores[score as usize] += 1;
                        children.push(Child {
                            parent,
                            direction,
                            ups,
                            score,
                        });
                    }
                }
            }
            beamed.generated += children.len() as u64;
            // 2. The best of them.
            let (limit, mut room) = cut(&scores, width);
            let mut next = vec![];
            for child in children {
                if child.score > limit || (child.score == limit && room == 0) {
                    continue;
                }
                room -= u32::from(child.score == limit);
                let node = &layer[child.parent * stride..][..stride];
                next.extend(thread.child(node, child.direction, child.ups));
            }
            layer = next;
        }
        beamed
    }
}

fn mixed(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ number >> 32
}

fn hash(words: &[u64; 4]) -> u64 {
    words.iter().rev().fold(0, |hash, word| mixed(word ^ hash))
}

impl Thread<'_> {
    /// Whether a move raises each stage, and the sum of all stages after it; `None` if it leads off the board or beyond the
    /// limit. Says whether it leads to the goal.
    fn look(&self, direction: u32, tell: &mut dyn FnMut(bool)) -> Option<(u32, u32)> {
        let step = self.step(0, self.node.blank, direction as usize);
        if step.is_none() {
            return None;
        }
        let tile = self.node.tiles[step.cell()];
        let (mut ups, mut score) = (0, 0);
        for stage in 0..self.mirror.flat.stages {
            let mut sum = self.node.sums[stage];
            if let Some((part, known)) = self.part_of(stage, tile) {
                let up = match known {
                    Some(known) => ups >> known & 1,
                    None => {
                        self.goes_up(part, self.step(stage, self.node.blank, direction as usize))
                    }
                };
                ups |= up << stage;
                sum = (sum + 2 * up).wrapping_sub(1);
            }
            score += sum;
            if sum >= self.node.left {
                return None;
            }
            tell(stage == 0 && sum == 0);
        }
        Some((ups, score))
    }

    /// The tiles after a move.
    fn moved(&self, direction: u32) -> [u64; 4] {
        let mut tiles = self.node.tiles;
        let cell = self.step(0, self.node.blank, direction as usize).cell();
        tiles.swap(self.node.blank, cell);
        std::array::from_fn(|i| {
            u64::from_le_bytes(tiles[8 * i..][..8].try_into().expect("eight bytes"))
        })
    }

    /// The piece after a move.
    fn child(&mut self, node: &[u64], direction: u32, ups: u32) -> Vec<u64> {
        self.load(node);
        let mut next = node.to_vec();
        next[..4].copy_from_slice(&self.moved(direction));
        let depth = (node[PLACE + 1] >> 48) as usize & 0xff;
        next[PATH + depth / 32] |= u64::from(direction) << (2 * (depth % 32));
        let step = self.step(0, self.node.blank, direction as usize);
        let tile = self.node.tiles[step.cell()];
        next[PLACE] = 0;
        next[PLACE + 1] = (step.cell() as u64) << 32
            | u64::from(self.node.left - 1) << 40
            | (depth as u64 + 1) << 48;
        for stage in 0..self.mirror.flat.stages {
            let Some((part, known)) = self.part_of(stage, tile) else {
                continue;
            };
            let up = ups >> stage & 1;
            let one = 1 << (8 * stage);
            next[SUMS] = if up == 1 {
                next[SUMS] + one
            } else {
                next[SUMS] - one
            };
            if known.is_none() {
                let step = self.step(stage, self.node.blank, direction as usize);
                next[super::piece::SIGHTS + part] = self.sight_after(part, step, up);
            }
        }
        next
    }
}
