//! Errors of the bound, which each half of a search from both ends learns for the other.
//!
//! A matching with the boxes of the start bounds the pushes from the start to a state.
//! If a state took more pushes than that, the difference is its *error*. Suppose that
//! the forward half knows every state that a plan of at most F pushes can have after m
//! pushes. A plan through a state v of the backward half goes through one of these, u.
//! The matching of v exceeds that of u by at most the pushes between them. So the plan
//! costs at least the pushes after v, the matching of v, and the error of u. If no
//! u has so small an error that this is at most F, v can wait until F has grown. The same
//! holds with the halves exchanged, and u itself must be able to afford the error of v.
//!
//! This requires that a push changes the matching by at most one. So frozen boxes and
//! conflicts of pairs do not count here.
//!
//! Kaindl, Kainz: Bidirectional heuristic search reconsidered. Journal of Artificial
//! Intelligence Research 7, 1997. Sadhukhan: A new approach to bidirectional heuristic
//! search using error functions. CSI Conference, 2012.

use crate::sokoban::bound::distance::{Distances, Place};
use crate::sokoban::bound::matching::Matching;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::position::Position;

/// What is estimated of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Estimate {
    /// The cost so far and the bound on the rest.
    pub(crate) total: u32,
    /// The cost so far and the plain matching bound.
    pub(crate) plain: u32,
    /// By how much the cost so far exceeds the matching with this half's root.
    pub(crate) error: u32,
}

/// The states of one half that may be part of a plan, as far as the other half knows.
pub(crate) struct Window {
    most: u32,
    /// The estimates of the other half's states at its depth, as `plain` and `error`; without those that are no better
    /// than others.
    cut: Vec<(u32, u32)>,
}

impl Window {
    /// The window for plans of at most `most` pushes, given what the other half estimates of its states at its depth.
    pub(crate) fn new(most: u32, others: impl Iterator<Item = Estimate>) -> Window {
        let mut cut: Vec<(u32, u32)> = vec![];
        for other in others.filter(|other| other.total <= most) {
            let (plain, error) = (other.plain, other.error);
            if !cut.iter().any(|c| c.0 <= plain && c.1 <= error) {
                cut.retain(|c| c.0 < plain || c.1 < error);
                cut.push((plain, error));
            }
        }
        Window { most, cut }
    }

    /// The same if nothing is known of the other half.
    pub(crate) fn wide(most: u32) -> Window {
        let cut = vec![(0, 0)];
        Window { most, cut }
    }

    /// Whether a state may be part of a plan.
    #[inline]
    pub(crate) fn has(&self, state: Estimate) -> bool {
        let fits = |&(plain, error): &(u32, u32)| {
            state.plain + error <= self.most && plain + state.error <= self.most
        };
        state.total <= self.most && self.cut.iter().any(fits)
    }
}

/// The matching of one state with the root of its own half, and of the states one push or pull further.
pub(crate) struct RootMatching<'a> {
    distances: &'a Distances,
    matching: Matching,
    places: Vec<Place>,
}

impl<'a> RootMatching<'a> {
    /// Matchings by the distances from the root: those that the other half's bound uses.
    pub(crate) fn new(boxes: usize, distances: &'a Distances) -> RootMatching<'a> {
        RootMatching {
            distances,
            matching: Matching::new(boxes),
            places: vec![],
        }
    }

    /// Matches the boxes of a state.
    pub(crate) fn start(&mut self, field: &Field, position: &Position) {
        let place = |&cell: &u16| {
            let side = field.side_of(cell, position.player);
            self.distances.place(cell, side)
        };
        self.places.clear();
        self.places.extend(position.boxes.iter().map(place));
        self.matching.start(self.distances, &self.places);
    }

    /// The bound on the pushes from the root if one box is moved to a cell and the player is on this side of it.
    #[inline]
    pub(crate) fn with(&mut self, number: usize, to: u16, side: usize) -> u32 {
        let place = self.distances.place(to, side);
        let bound = self.matching.with(self.distances, number, place);
        bound.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_needs_a_partner_that_can_afford_its_error() {
        let state = |total, plain, error| Estimate {
            total,
            plain,
            error,
        };
        let others = [
            state(12, 10, 4),
            state(10, 10, 6),
            state(12, 12, 0),
            state(14, 8, 0),
        ];
        let window = Window::new(12, others.into_iter());
        assert!(window.has(state(12, 12, 0)));
        assert!(window.has(state(8, 8, 2)));
        assert!(
            !window.has(state(10, 10, 2)),
            "2 more than the third has left"
        );
        assert!(!window.has(state(14, 8, 0)));
        assert!(Window::wide(12).has(state(10, 10, 2)));
        assert!(!Window::new(12, [].into_iter()).has(state(0, 0, 0)));
    }
}
