//! The matching bound: each goal needs a box of its own, and the cheapest way to
//! share them out costs no more pushes than any plan.
//!
//! The pushes of different boxes are different pushes, so the sum of push distances
//! over the assignment that a plan ends with is at most its pushes, and the
//! cheapest assignment is at most that. Boxes beyond the number of goals may stay
//! where they are: each gets a goal of its own that costs nothing. The bound is 0
//! only if every goal holds a box, and one push changes it by at least -1.
//!
//! A state's assignment is made by shortest augmenting paths. The prices of the
//! goals stay from state to state: any prices will do to begin with, and those of
//! a similar state leave few boxes to match again. A push changes one row, so a
//! child needs one augmenting path from the box that moved to the goal that it
//! gave up, and only the length of that path, which leaves the matching as it is.
//! If its own goal came nearer by one, not even that.
//!
//! With hundreds of boxes even that takes too long. Then each box counts the pushes
//! to its nearest goal, or, if boxes outnumber goals, each empty goal counts one.
//!
//! Kuhn: The Hungarian method for the assignment problem. Naval Research Logistics
//! Quarterly 2, 1955. Jonker, Volgenant: A shortest augmenting path algorithm for
//! dense and sparse linear assignment problems. Computing 38, 1987.

use super::distance::{Distances, MOST_MATCHED, NEVER, Place};

/// Distances and prices.
type Cost = i64;

/// What an assignment that cannot be is counted at; more than any sum of true distances.
const BIG: Cost = 1 << 40;
/// A longer sum than this holds an impossible pair.
const MOST: Cost = BIG / 2;

/// The cheapest assignment of boxes to goals in one state.
pub(crate) struct Matching {
    boxes: usize,
    /// What each goal gives back; kept from state to state.
    price: Vec<Cost>,
    /// What each box pays.
    pay: Vec<Cost>,
    goal_of: Vec<usize>,
    box_of: Vec<usize>,
    total: Cost,
    // The shortest paths from a box.
    far: Vec<Cost>,
    from: Vec<usize>,
    done: Vec<bool>,
    rows: Vec<Cost>,
    /// If boxes are too many, the distance to the nearest goal of each.
    nearest: Vec<u16>,
}

const FREE: usize = usize::MAX;

impl Matching {
    /// For a state of this many boxes.
    pub(crate) fn new(boxes: usize) -> Matching {
        let all = boxes;
        let boxes = if all > MOST_MATCHED { 0 } else { all };
        Matching {
            boxes,
            price: vec![0; boxes],
            pay: vec![0; boxes],
            goal_of: vec![FREE; boxes],
            box_of: vec![FREE; boxes],
            total: 0,
            far: vec![0; boxes],
            from: vec![FREE; boxes],
            done: vec![false; boxes],
            rows: vec![0; boxes * boxes],
            nearest: vec![0; all - boxes],
        }
    }

    /// Matches the boxes of a state by their places; the pushes it needs at least, if there is an assignment.
    pub(crate) fn start(&mut self, distances: &Distances, places: &[Place]) -> Option<u32> {
        let k = self.boxes;
        if k == 0 {
            return self.start_many(distances, places);
        }
        for (b, &place) in places.iter().enumerate() {
            write_row(&mut self.rows[b * k..][..k], distances.row(place));
        }
        self.goal_of.fill(FREE);
        self.box_of.fill(FREE);
        for b in 0..k {
            let row = &self.rows[b * k..][..k];
            let (mut least, mut at) = (Cost::MAX, FREE);
            for (g, (&cost, &price)) in row.iter().zip(&self.price).enumerate() {
                let left = cost - price;
                if left < least || left == least && at != FREE && self.box_of[at] != FREE {
                    (least, at) = (left, g);
                }
            }
            self.pay[b] = least;
            if self.box_of[at] == FREE {
                self.box_of[at] = b;
                self.goal_of[b] = at;
            }
        }
        for b in 0..k {
            if self.goal_of[b] == FREE {
                self.augment(b);
            }
        }
        self.total = (0..k).map(|b| self.rows[b * k + self.goal_of[b]]).sum();
        (self.total < MOST).then_some(self.total as u32)
    }

    /// The pushes that the state needs at least if one box were at another place, if there is an assignment.
    pub(crate) fn with(
        &mut self,
        distances: &Distances,
        moved: usize,
        place: Place,
    ) -> Option<u32> {
        let k = self.boxes;
        if k == 0 {
            let before = std::mem::replace(&mut self.nearest[moved], distances.nearest(place));
            let total = self.sum_many(distances);
            self.nearest[moved] = before;
            return total;
        }
        let row = distances.row(place);
        let own = self.goal_of[moved];
        let before = self.rows[moved * k + own];
        let rest = self.total - before;
        let direct = cost(row, own);
        if direct < before && self.total < MOST {
            return Some((rest + direct) as u32);
        }
        for g in 0..k {
            self.far[g] = cost(row, g) - self.price[g];
        }
        let end = self.shortest(moved, moved);
        let total = rest + self.far[end] + self.price[end];
        (total < MOST).then_some(total as u32)
    }

    /// The bound of many boxes.
    fn start_many(&mut self, distances: &Distances, places: &[Place]) -> Option<u32> {
        for (nearest, &place) in self.nearest.iter_mut().zip(places) {
            *nearest = distances.nearest(place);
        }
        self.sum_many(distances)
    }

    fn sum_many(&self, distances: &Distances) -> Option<u32> {
        let goals = distances.targets();
        if self.nearest.len() > goals {
            let filled = self.nearest.iter().filter(|&&far| far == 0);
            return Some(goals.saturating_sub(filled.count()) as u32);
        }
        let each = self.nearest.iter();
        each.map(|&far| (far != NEVER).then_some(u32::from(far)))
            .sum()
    }

    /// Matches one more box.
    fn augment(&mut self, b: usize) {
        let k = self.boxes;
        for g in 0..k {
            self.far[g] = self.rows[b * k + g] - self.price[g];
        }
        let end = self.shortest(b, FREE);
        // Prices along the way change so that all pairs of the new matching are tight.
        let reach = self.far[end];
        for g in 0..k {
            if self.done[g] {
                let slack = reach - self.far[g];
                self.price[g] -= slack;
                self.pay[self.box_of[g]] += slack;
            }
        }
        self.pay[b] = reach;
        let mut g = end;
        loop {
            let by = self.from[g];
            self.box_of[g] = by;
            std::mem::swap(&mut self.goal_of[by], &mut g);
            if by == b {
                break;
            }
        }
    }

    /// The nearest goal that this box holds (none, if it is free) by alternating paths from box `b`, whose own distances
    /// are in `far`.
    fn shortest(&mut self, b: usize, held_by: usize) -> usize {
        let k = self.boxes;
        self.from.fill(b);
        self.done.fill(false);
        loop {
            let (mut least, mut at) = (Cost::MAX, 0);
            for g in 0..k {
                if !self.done[g] && self.far[g] < least {
                    (least, at) = (self.far[g], g);
                }
            }
            let holder = self.box_of[at];
            if holder == held_by {
                return at;
            }
            self.done[at] = true;
            let base = least - self.pay[holder];
            let row = &self.rows[holder * k..][..k];
            for (g, &cost) in row.iter().enumerate() {
                let far = base + cost - self.price[g];
                if far < self.far[g] && !self.done[g] {
                    self.far[g] = far;
                    self.from[g] = holder;
                }
            }
        }
    }
}

/// The costs of a box: true goals first, then those that cost nothing.
fn write_row(to: &mut [Cost], row: &[u16]) {
    for (g, to) in to.iter_mut().enumerate() {
        *to = cost(row, g);
    }
}

#[inline]
fn cost(row: &[u16], goal: usize) -> Cost {
    match row.get(goal) {
        None => 0,
        Some(&NEVER) => BIG,
        Some(&far) => far.into(),
    }
}
