//! A cache of the pushes that positions of boxes need.
//!
//! Most joint moves only walk: a child has the same boxes as its parent, and a few
//! moves later the players stand elsewhere around the same boxes. So the cheapest
//! matching of a position is kept in a table of fixed size, in which a newer position
//! replaces an older one.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// The number of entries in the table; a power of two.
const PLACES: usize = 1 << 12;

/// Lower bounds on the pushes of positions; none for positions that cannot be solved.
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

    /// The bound of a position, from the table or from `find`.
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
