//! Beam search: layer by layer, and of each layer only the most promising states.
//!
//! A guide gives every state a value; the smaller, the more promising. A layer is
//! made of all children of the one before. The best of them are kept, as many as
//! the beam is wide, and all others are forgotten. So time and memory are the
//! length of the plan times the width, however large the space is, but a plan need not
//! be found, and need not be optimal.
//!
//! Children are valued before they are made, so only those that are kept cost a copy.
//! A table of the keys of earlier states keeps the beam from turning in circles. It
//! has a fixed size and forgets: a state that comes twice does no harm. Of the
//! states of earlier layers only their moves are kept, as a tree, and only as far as
//! states of the present layer descend from them.
//!
//! Lowerre: The HARPY speech recognition system. Carnegie Mellon University, 1976.

use noyes_puzzle::Space;

use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;

/// What a beam asks of an evaluation: a value that is carried from parent to child, and a key for duplicates.
pub(crate) trait Guide<S: Space> {
    /// What is handed from parent to child.
    type Memo: Copy;
    /// Values that differ in these low bits only count as equal.
    const FINE_BITS: u32;
    /// The memo of a state, from nothing.
    fn start(&self, state: &S::State) -> Self::Memo;
    /// The memo after a move, from the one before it; nothing if the beam should not go there.
    fn after(&self, memo: Self::Memo, state: &S::State, mv: S::Move) -> Option<Self::Memo>;
    /// How far the state seems to be from the goal. It is 0 on every goal.
    fn value(&self, memo: Self::Memo) -> i64;
    /// A hash of the state.
    fn key(&self, memo: Self::Memo) -> u64;
    /// The bytes of its tables.
    fn bytes(&self) -> usize;
}

/// How a layer ended.
pub(crate) enum Layer<M> {
    /// A goal, with the moves from the start.
    Goal(Vec<M>),
    /// The beam goes on; the smallest value in it.
    Best(i64),
    /// Every child was seen before.
    Empty,
}

/// A layer of states, and how each was reached.
pub(crate) struct Beam<'a, S: Space, M> {
    space: &'a S,
    width: usize,
    layer: Vec<Member<S, M>>,
    /// The layer being made.
    next: Vec<Member<S, M>>,
    children: Vec<Child<S::Move, M>>,
    order: Vec<u32>,
    /// Keys of states, each in the place that its first bits say.
    seen: Vec<u64>,
    walks: Walks<S::Move>,
    memory: Memory<'a>,
    control: &'a Control,
    counts: Counts,
    pace: Pace,
}

struct Member<S: Space, M> {
    state: S::State,
    memo: M,
    walk: u32,
}

#[derive(Clone, Copy)]
struct Child<V, M> {
    memo: M,
    mv: V,
    parent: u32,
    bucket: u32,
}

/// Places in the table of keys for each state of a layer.
const SEEN_PER_STATE: usize = 16;
/// Steps of value that a layer distinguishes, from the best one on.
const BUCKETS: usize = 2048;

impl<'a, S: Space, M: Copy> Beam<'a, S, M> {
    /// A beam that starts in one state; an error if it does not fit the memory limit.
    pub(crate) fn new<G: Guide<S, Memo = M>>(
        space: &'a S,
        guide: &G,
        width: usize,
        control: &'a Control,
    ) -> Result<Self, Stop> {
        let seen = (width * SEEN_PER_STATE).next_power_of_two();
        let member = size_of::<Member<S, M>>() + space.state_bytes() - size_of::<S::State>();
        let child = size_of::<Child<S::Move, M>>() + size_of::<u32>();
        let mut memory = Memory::new(control);
        memory.claim(guide.bytes())?;
        memory.claim(2 * width * member + 4 * width * child + seen * size_of::<u64>())?;
        let mut walks = Walks::default();
        let state = space.start();
        let root = Member {
            memo: guide.start(&state),
            walk: walks.root(&mut memory)?,
            state,
        };
        Ok(Beam {
            space,
            width,
            layer: vec![root],
            next: vec![],
            children: vec![],
            order: vec![],
            seen: vec![0; seen],
            walks,
            memory,
            control,
            counts: Counts::default(),
            pace: Pace::new(space.state_bytes()),
        })
    }

    /// What was counted so far.
    pub(crate) fn counts(&self) -> Counts {
        Counts {
            peak_bytes: self.memory.peak(),
            ..self.counts
        }
    }

    /// The memos of the present layer.
    pub(crate) fn memos(&self) -> impl Iterator<Item = M> {
        self.layer.iter().map(|member| member.memo)
    }

    /// The guide has changed: values all states again, and allows those seen before.
    pub(crate) fn revalue<G: Guide<S, Memo = M>>(&mut self, guide: &G) {
        for member in &mut self.layer {
            member.memo = guide.start(&member.state);
        }
        self.seen.fill(0);
    }

    /// Makes the next layer.
    pub(crate) fn step<G: Guide<S, Memo = M>>(
        &mut self,
        guide: &G,
    ) -> Result<Layer<S::Move>, Stop> {
        // 1. All children, without the states.
        self.children.clear();
        let mut least = i64::MAX;
        for (parent, member) in self.layer.iter().enumerate() {
            if self.pace.is_due() {
                self.control.poll(&self.counts)?;
            }
            self.counts.expanded += 1;
            let (space, children, counts) = (self.space, &mut self.children, &mut self.counts);
            let mut add = |mv| {
                counts.generated += 1;
                if let Some(memo) = guide.after(member.memo, &member.state, mv) {
                    least = least.min(guide.value(memo));
                    children.push(Child {
                        memo,
                        mv,
                        parent: parent as u32,
                        bucket: 0,
                    });
                }
            };
            match self.walks.last(member.walk) {
                Some(last) => space.moves_after(&member.state, last).for_each(&mut add),
                None => space.moves(&member.state).for_each(&mut add),
            }
        }
        // 2. The best of them, each once.
        self.sort(guide, least);
        let shift = u64::BITS - self.seen.len().trailing_zeros();
        let mut spare = std::mem::take(&mut self.next).into_iter();
        let mut next = Vec::with_capacity(self.width.min(self.children.len()));
        for &child in &self.order {
            let child = &self.children[child as usize];
            let key = guide.key(child.memo);
            let place = (key >> shift) as usize;
            if self.seen[place] == key {
                continue;
            }
            self.seen[place] = key;
            if self.pace.is_due() {
                self.control.poll(&self.counts)?;
            }
            let parent = &self.layer[child.parent as usize];
            let mut state = match spare.next() {
                Some(mut old) => {
                    old.state.clone_from(&parent.state);
                    old.state
                }
                None => parent.state.clone(),
            };
            self.space.apply(&mut state, child.mv);
            let walk = self.walks.after(parent.walk, child.mv, &mut self.memory)?;
            if guide.value(child.memo) == 0 && self.space.is_goal(&state) {
                return Ok(Layer::Goal(self.walks.moves(walk)));
            }
            next.push(Member {
                state,
                memo: child.memo,
                walk,
            });
            if next.len() == self.width {
                break;
            }
        }
        // 3. Parents without children are forgotten.
        self.next = std::mem::replace(&mut self.layer, next);
        for parent in &self.next {
            self.walks.release(parent.walk);
        }
        Ok(if self.layer.is_empty() {
            Layer::Empty
        } else {
            Layer::Best(least)
        })
    }

    /// Puts the children in order of their values, those of equal value in the order of their parents.
    fn sort<G: Guide<S, Memo = M>>(&mut self, guide: &G, least: i64) {
        let mut starts = [0u32; BUCKETS + 1];
        for child in &mut self.children {
            let above = (guide.value(child.memo) - least) as u64 >> G::FINE_BITS;
            child.bucket = above.min(BUCKETS as u64 - 1) as u32;
            starts[child.bucket as usize + 1] += 1;
        }
        for bucket in 0..BUCKETS {
            starts[bucket + 1] += starts[bucket];
        }
        self.order.clear();
        self.order.resize(self.children.len(), 0);
        for (i, child) in self.children.iter().enumerate() {
            let start = &mut starts[child.bucket as usize];
            self.order[*start as usize] = i as u32;
            *start += 1;
        }
    }
}

/// The moves that led to the states of a layer: a tree, of which branches that ended are cut.
struct Walks<V> {
    list: Vec<Walk<V>>,
    free: Vec<u32>,
}

struct Walk<V> {
    parent: u32,
    /// Walks that go on from here, and one more while the state is in the layer.
    uses: u32,
    last: Option<V>,
}

impl<V> Default for Walks<V> {
    fn default() -> Self {
        Walks {
            list: vec![],
            free: vec![],
        }
    }
}

impl<V: Copy> Walks<V> {
    /// The walk without moves.
    fn root(&mut self, memory: &mut Memory) -> Result<u32, Stop> {
        self.add(
            Walk {
                parent: u32::MAX,
                uses: 1,
                last: None,
            },
            memory,
        )
    }

    fn after(&mut self, parent: u32, mv: V, memory: &mut Memory) -> Result<u32, Stop> {
        self.list[parent as usize].uses += 1;
        self.add(
            Walk {
                parent,
                uses: 1,
                last: Some(mv),
            },
            memory,
        )
    }

    fn add(&mut self, walk: Walk<V>, memory: &mut Memory) -> Result<u32, Stop> {
        if let Some(free) = self.free.pop() {
            self.list[free as usize] = walk;
            return Ok(free);
        }
        if self.list.len() == self.list.capacity() {
            let more = self.list.len().max(1 << 10);
            memory.claim(more * (size_of::<Walk<V>>() + size_of::<u32>()))?;
            self.list.reserve_exact(more);
        }
        self.list.push(walk);
        Ok(self.list.len() as u32 - 1)
    }

    fn last(&self, walk: u32) -> Option<V> {
        self.list[walk as usize].last
    }

    /// The state left the layer.
    fn release(&mut self, mut walk: u32) {
        while walk != u32::MAX {
            let Walk { parent, uses, .. } = &mut self.list[walk as usize];
            *uses -= 1;
            if *uses > 0 {
                break;
            }
            self.free.push(walk);
            walk = *parent;
        }
    }

    fn moves(&self, mut walk: u32) -> Vec<V> {
        let mut moves = vec![];
        while let Some(last) = self.list[walk as usize].last {
            moves.push(last);
            walk = self.list[walk as usize].parent;
        }
        moves.reverse();
        moves
    }
}
