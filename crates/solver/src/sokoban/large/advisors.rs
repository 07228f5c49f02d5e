//! Advisors: each picks one move of a state that it likes best, and that move weighs nothing.
//!
//! An advisor is heard only if the state after its move is better, in its eyes, than the
//! state before. So most states have a few moves without weight, and the search follows
//! these first.
//!
//! Shoham, Schaeffer: The FESS algorithm: a feature based approach to single-agent
//! search. IEEE Conference on Games 2020.

use super::cells::{Features, Move};

/// The advisors, as bits. They look for progress with the filling plan, fewer late boxes, fewer parts of the floor, a lower
/// bound, more room for the player, and a cheaper way to the next goal of the plan.
pub(super) const PLAN: u32 = 1;
pub(super) const LATE: u32 = 2;
pub(super) const JOIN: u32 = 4;
pub(super) const BOUND: u32 = 8;
pub(super) const ROOM: u32 = 16;
pub(super) const NEXT: u32 = 32;

/// A child of the state being expanded.
pub(super) struct Child {
    pub(super) made: Move,
    pub(super) tie: u32,
    /// One for each view; those of the first view are what is left of the filling plan, late boxes, and parts of the floor.
    pub(super) features: [Features; 4],
    pub(super) h: u32,
    pub(super) size: u32,
    pub(super) next: u32,
}

/// How an advisor ranks a child; the lowest is best.
type Rank = fn(&Child) -> (u32, u32);

const RANKS: [(u32, Rank); 6] = [
    (PLAN, |child| (child.features[0].0, child.h)),
    (LATE, |child| (child.features[0].1, child.h)),
    (JOIN, |child| (child.features[0].2, child.h)),
    (BOUND, |child| (child.h, child.features[0].2)),
    (ROOM, |child| (u32::MAX - child.size, child.h)),
    (NEXT, |child| (child.next, child.h)),
];

/// Lets each of the advisors that are heard pick one of the children that are better than their parent.
pub(super) fn advise(heard: u32, children: &mut [Child], before: &Child) {
    for (advisor, rank) in RANKS {
        if heard & advisor == 0 {
            continue;
        }
        let picked = children.iter_mut().min_by_key(|child| rank(child));
        if let Some(child) = picked
            && rank(child).0 < rank(before).0
        {
            child.made.weight = before.made.weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(weight: u32, late: u32, h: u32, size: u32) -> Child {
        Child {
            made: Move {
                parent: 0,
                from: 0,
                to: 0,
                side: 0,
                weight,
            },
            tie: 0,
            features: [(9, late, 3); 4],
            h,
            size,
            next: 0,
        }
    }

    #[test]
    fn a_move_weighs_nothing_if_an_advisor_prefers_it_to_no_move() {
        let before = child(5, 1, 20, 30);
        let mut children = [
            child(6, 1, 18, 30), // the lowest bound
            child(6, 2, 19, 40), // the most room
            child(6, 1, 22, 10),
        ];
        advise(LATE | BOUND, &mut children, &before);
        let weights = children.each_ref().map(|child| child.made.weight);
        assert_eq!(weights, [5, 6, 6], "no child has fewer late boxes");
        advise(ROOM, &mut children, &before);
        assert_eq!(children[1].made.weight, 5);
    }
}
