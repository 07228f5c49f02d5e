//! What positions of boxes need, kept for a while.
//!
//! Most joint moves are walks: the boxes of a child stand where its parent's do,
//! and a few moves later somebody stands elsewhere around the same boxes. So the
//! cheapest matching of a position is kept in a table of fixed size, in which a
//! newer position takes the place of an older one.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// Places in the table; a power of two.
const PLACES: usize = 1 << 12;

/// The pushes that positions of boxes need; nothing for those that are never solved.
pub(super) struct Known<T> {
    places: Vec<Option<(T, Option<u32>)>>,
}

impl<T: Clone + Eq + Hash> Known<T> {
    pub(super) const BYTES: usize = PLACES * size_of::<Option<(T, Option<u32>)>>();

    pub(super) fn new() -> Known<T> {
        Known {
            places: vec![None; PLACES],
        }
    }

    /// What a position needs: known, or found out now.
    pub(super) fn get(&mut self, boxes: T, find: impl FnOnce() -> Option<u32>) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(&boxes);
        let place = &mut self.places[(hash >> 40) as usize % PLACES];
        if let Some((of, pushes)) = place
            && *of == boxes
        {
            return *pushes;
        }
        let pushes = find();
        *place = Some((boxes, pushes));
        pushes
    }
}
