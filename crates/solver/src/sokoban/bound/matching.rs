//! The matching bound: each goal needs its own box, and the cheapest assignment of
//! boxes to goals costs no more pushes than any plan.
//!
//! Each push moves one box. So the sum of push distances over the assignment that a
//! plan ends with is at most the plan's number of pushes, and the cheapest assignment
//! costs no more than that one. Boxes beyond the number of goals may stay where they
//! are: each gets a dummy goal that costs nothing. The bound is 0 only if every goal
//! holds a box, and one push lowers it by at most 1.
//!
//! Shortest augmenting paths find the assignment of a state. The goals' prices are
//! kept from state to state: any prices will do to begin with, and those of a similar
//! state leave few boxes to match again. A push changes one row. So a child needs one
//! augmenting path, from the box that moved to the goal that it gave up, and only the
//! length of that path; the matching stays as it is. If the box's own goal came
//! nearer by one, not even that is needed. From the second child of a box on, the way
//! from every goal to the one that the box gave up is found once for all its children.
//!
//! With hundreds of boxes even this takes too long. Then the bound is the sum of each
//! box's pushes to its nearest goal, or the number of empty goals if there are more
//! boxes than goals.
//!
//! Kuhn: The Hungarian method for the assignment problem. Naval Research Logistics
//! Quarterly 2, 1955. Jonker, Volgenant: A shortest augmenting path algorithm for
//! dense and sparse linear assignment problems. Computing 38, 1987.

use super::distance::{Distances, MOST_MATCHED, NEVER, Place};

/// A distance or a price.
type Cost = i64;

/// The cost of an impossible pair; more than any sum of true distances.
const BIG: Cost = 1 << 40;
/// A sum of this or more contains an impossible pair.
const MOST: Cost = BIG / 2;

/// The cheapest assignment of boxes to goals in one state.
pub(crate) struct Matching {
    boxes: usize,
    /// The price of each goal; kept from state to state.
    price: Vec<Cost>,
    /// The price of each box.
    pay: Vec<Cost>,
    goal_of: Vec<usize>,
    box_of: Vec<usize>,
    total: Cost,
    // The shortest alternating paths from a box.
    far: Vec<Cost>,
    from: Vec<usize>,
    done: Vec<bool>,
    rows: Vec<Cost>,
    /// The box that was moved last, and the length of the shortest alternating path from each goal to the goal that it
    /// holds, once `is_back` says so.
    moved: usize,
    is_back: bool,
    back: Vec<Cost>,
    /// If there are too many boxes to match, each one's distance to its nearest goal.
    nearest: Vec<u16>,
}

const FREE: usize = usize::MAX;

impl Matching {
    /// A matching for states with this many boxes.
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
            moved: FREE,
            is_back: false,
            back: vec![0; boxes],
            nearest: vec![0; all - boxes],
        }
    }

    /// Matches the boxes of a state, given their places. Returns a lower bound on its pushes; none if there is no
    /// assignment.
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
        self.moved = FREE;
        (self.total < MOST).then_some(self.total as u32)
    }

    /// A lower bound on the pushes of the same state with one box at another place; none if there is no assignment.
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
        if self.moved == moved {
            if !self.is_back {
                self.find_back(own);
            }
            let far = |g: usize| cost(row, g) - self.price[g] + self.back[g];
            let least = (0..k).map(far).min().unwrap_or(BIG);
            let total = rest + least + self.price[own];
            return (total < MOST).then_some(total as u32);
        }
        (self.moved, self.is_back) = (moved, false);
        for g in 0..k {
            self.far[g] = cost(row, g) - self.price[g];
        }
        let end = self.shortest(moved, moved);
        let total = rest + self.far[end] + self.price[end];
        (total < MOST).then_some(total as u32)
    }

    /// After `start`: the goal of a box.
    pub(crate) fn goal(&self, number: usize) -> usize {
        self.goal_of[number]
    }

    /// After `start`: by how much the cost of each pair of a box and a goal exceeds the prices of both, by box and then
    /// by goal, at most `most`. Empty if there are too many boxes to match.
    pub(crate) fn write_rests(&self, most: u8, to: &mut Vec<u8>) {
        let k = self.boxes;
        to.clear();
        for b in 0..k {
            let costs = self.rows[b * k..][..k].iter().zip(&self.price);
            let rests = costs.map(|(cost, price)| cost - price - self.pay[b]);
            to.extend(rests.map(|rest| rest.min(most.into()) as u8));
        }
    }

    /// Finds the shortest alternating paths from all goals to one of them, whose own box stays out of them.
    fn find_back(&mut self, own: usize) {
        let k = self.boxes;
        self.is_back = true;
        self.done.fill(false);
        self.back.fill(Cost::MAX);
        self.back[own] = 0;
        let (mut at, mut least) = (own, 0);
        loop {
            self.done[at] = true;
            let base = least - self.price[at];
            let (mut next, mut next_least) = (FREE, Cost::MAX);
            for g in 0..k {
                if self.done[g] {
                    continue;
                }
                let holder = self.box_of[g];
                let far = base + self.rows[holder * k + at] - self.pay[holder];
                if far < self.back[g] {
                    self.back[g] = far;
                }
                if self.back[g] < next_least {
                    (next, next_least) = (g, self.back[g]);
                }
            }
            if next == FREE {
                return;
            }
            (at, least) = (next, next_least);
        }
    }

    /// The bound for too many boxes to match.
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
        // Adjust the prices along the path so that all pairs of the new matching are tight.
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

    /// Follows alternating paths from box `b`, whose own distances are in `far`, to the nearest goal held by the box
    /// `held_by` (`FREE` for a goal that no box holds).
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

/// Writes the costs of a box: real goals first, then the dummy goals, which cost nothing.
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
