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
//! nearer by one, not even that is needed. For a box with many children, the way
//! from every goal to the one that the box gave up is found once for all of them.
//!
//! A push changes the parity of a box's distance to every goal. So all assignments of a
//! state are odd or all are even, unless there are dummy goals, and the search for a path
//! ends when nothing but a path shorter by one is left to find. The bound has the parity of
//! every plan then. The searches for fewest pushes raise their bounds in steps of two because
//! of that.
//!
//! The loops over goals have no branches and no leftovers: rows are filled up to a whole
//! number of vectors with goals that no box can reach.
//!
//! With hundreds of boxes even this takes too long. Then the bound is the sum of each
//! box's pushes to its nearest goal, and one more if that sum has not the parity of the
//! plans, which the colours of a chessboard tell. If there are more boxes than goals, it is
//! the number of empty goals.
//!
//! Kuhn: The Hungarian method for the assignment problem. Naval Research Logistics
//! Quarterly 2, 1955. Jonker, Volgenant: A shortest augmenting path algorithm for
//! dense and sparse linear assignment problems. Computing 38, 1987.

use super::distance::{Distances, MOST_MATCHED, NEVER, Place};

/// A distance or a price. The sizes below keep everything far from overflow: an assignment costs 2²⁶ at most, also one of
/// impossible pairs, and the prices of a state are above -2²⁸, because a matching lowers
/// no price by more than 2²⁶ below the lowest one before it.
type Cost = i32;

/// The highest cost of an assignment.
const HIGHEST: Cost = 1 << 26;
/// With a price lower than this, prices begin at 0 again.
const LOWEST: Cost = -(1 << 26);
/// The cost of what fills up a row, and more than the length of any path.
const FAR: Cost = 1 << 30;
/// The number of goals in a row is a multiple of this.
const LANES: usize = 8;
/// After this many searches for a child of the same box, the ways back from all goals are found.
const PATIENCE: u32 = 2;

/// The cheapest assignment of boxes to goals in one state.
pub(crate) struct Matching {
    boxes: usize,
    /// The cost of an impossible pair; a sum of half of it contains one. Distances count as `most` at most; see `clipped`.
    none: Cost,
    most: Cost,
    /// The length of a row: all goals, and those that fill it up.
    width: usize,
    /// The price of each goal; kept from state to state.
    price: Vec<Cost>,
    /// The price of each box.
    pay: Vec<Cost>,
    goal_of: Vec<usize>,
    box_of: Vec<usize>,
    total: Cost,
    // The shortest alternating paths from a box; `bar` is `FAR` for goals that are left out, otherwise 0. The goals that are
    // `done` are in the order of their distance.
    far: Vec<Cost>,
    done: Vec<usize>,
    path: Vec<usize>,
    bar: Vec<Cost>,
    /// The cost of each goal by box, and of each box by goal once `has_columns` says so.
    rows: Vec<Cost>,
    columns: Vec<Cost>,
    has_columns: bool,
    /// The box that was moved last, and how often a path was searched for it.
    moved: usize,
    searches: u32,
    /// The length of the shortest alternating path from each goal to the goal that the moved box holds, once `is_back`
    /// says so.
    is_back: bool,
    back: Vec<Cost>,
    /// The same by box that holds the goal.
    far_back: Vec<Cost>,
    /// If there are too many boxes to match, each one's distance to its nearest goal, and whether its cell is black.
    nearest: Vec<(u16, bool)>,
}

const FREE: usize = usize::MAX;

impl Matching {
    /// A matching for states with this many boxes.
    pub(crate) fn new(boxes: usize) -> Matching {
        let all = boxes;
        let boxes = if all > MOST_MATCHED { 0 } else { all };
        let width = boxes.next_multiple_of(LANES);
        let none = HIGHEST / boxes.max(1) as Cost;
        Matching {
            boxes,
            none,
            most: none / (2 * boxes.max(1) as Cost) - 1,
            width,
            price: vec![0; width],
            pay: vec![0; width],
            goal_of: vec![FREE; boxes],
            box_of: vec![FREE; boxes],
            total: 0,
            far: vec![FAR; width],
            done: vec![],
            path: vec![],
            bar: vec![0; width],
            rows: vec![FAR; boxes * width],
            columns: vec![FAR; boxes * width],
            has_columns: false,
            moved: FREE,
            searches: 0,
            is_back: false,
            back: vec![0; width],
            far_back: vec![FAR; width],
            nearest: vec![(0, false); all - boxes],
        }
    }

    /// Matches the boxes of a state, given their places. Returns a lower bound on its pushes; none if there is no
    /// assignment.
    pub(crate) fn start(&mut self, distances: &Distances, places: &[Place]) -> Option<u32> {
        let k = self.boxes;
        if k == 0 {
            return self.start_many(distances, places);
        }
        if self.price.iter().any(|&price| price < LOWEST) {
            self.price.fill(0);
        }
        self.has_columns = false;
        self.moved = FREE;
        self.goal_of.fill(FREE);
        self.box_of.fill(FREE);
        // 1. Each box gets its cheapest goal if that is free. Goals that are not free are barred.
        self.bar.fill(0);
        for (b, &place) in places.iter().enumerate() {
            let row = &mut self.rows[b * self.width..][..self.width];
            write_row(&mut row[..k], distances.row(place), self.none, self.most);
            let least = reduce(&mut self.far, row, &self.price);
            self.pay[b] = least;
            if let Some(at) = find(&self.far, &self.bar, least) {
                self.bar[at] = FAR;
                self.box_of[at] = b;
                self.goal_of[b] = at;
            }
        }
        // 2. The other boxes.
        for b in 0..k {
            if self.goal_of[b] == FREE {
                self.augment(b);
            }
        }
        let goals = self.goal_of.iter().enumerate();
        self.total = goals
            .map(|(b, goal)| self.rows[b * self.width + goal])
            .sum();
        (self.total < self.none / 2).then_some(self.total as u32)
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
            let now = (distances.nearest(place), distances.is_black(place));
            let before = std::mem::replace(&mut self.nearest[moved], now);
            let total = self.sum_many(distances);
            self.nearest[moved] = before;
            return total;
        }
        let row = distances.row(place);
        let own = self.goal_of[moved];
        let before = self.rows[moved * self.width + own];
        let rest = self.total - before;
        let direct = self.cost(row, own);
        if direct < before && self.total < self.none / 2 {
            return Some((rest + direct) as u32);
        }
        if self.moved != moved {
            (self.moved, self.searches, self.is_back) = (moved, 0, false);
        }
        let (far, filler) = self.far.split_at_mut(k);
        write_row(far, row, self.none, self.most);
        filler.fill(FAR);
        let mut least = Cost::MAX;
        for (far, price) in self.far.iter_mut().zip(&self.price) {
            *far -= price;
            least = least.min(*far);
        }
        // Paths that are shorter by one do not exist if there are no dummy goals, and no distance is too high to be stored.
        let is_exact = distances.limit() < usize::from(NEVER);
        let gap = Cost::from(row.len() >= k && is_exact);
        let reach = if self.far[own] <= least + gap {
            self.far[own]
        } else if self.searches < PATIENCE {
            self.searches += 1;
            self.search(own, least, gap)
        } else {
            if !self.is_back {
                self.find_back(moved);
            }
            let all = self
                .far
                .iter()
                .zip(&self.back)
                .map(|(far, back)| far + back);
            all.fold(Cost::MAX, Cost::min)
        };
        let total = rest + reach + self.price[own];
        (total < self.none / 2).then_some(total as u32)
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
            let costs = self.rows[b * self.width..][..k].iter().zip(&self.price);
            let rests = costs.map(|(cost, price)| cost - price - self.pay[b]);
            to.extend(rests.map(|rest| rest.min(most.into()) as u8));
        }
    }

    /// The cost of a pair.
    fn cost(&self, row: &[u16], goal: usize) -> Cost {
        match row.get(goal) {
            None => 0,
            Some(&NEVER) => self.none,
            Some(&far) => clipped(far, self.most),
        }
    }

    /// Finds the shortest alternating paths from all goals to the one of a box, which itself stays out of them.
    fn find_back(&mut self, moved: usize) {
        let (k, width) = (self.boxes, self.width);
        self.is_back = true;
        if !self.has_columns {
            self.has_columns = true;
            for (b, row) in self.rows.chunks_exact(width).enumerate() {
                for (g, &cost) in row[..k].iter().enumerate() {
                    self.columns[g * width + b] = cost;
                }
            }
        }
        // A box stands for the goal that it holds.
        self.bar.fill(0);
        self.far_back.fill(FAR);
        self.far_back[moved] = 0;
        let (mut at, mut least) = (moved, 0);
        for _ in 0..k {
            self.bar[at] = FAR;
            let goal = self.goal_of[at];
            let base = least - self.price[goal];
            let column = &self.columns[goal * width..][..width];
            let far = &mut self.far_back;
            (at, least) = shorten(far, base, column, &self.pay, &self.bar);
        }
        for (b, &goal) in self.goal_of.iter().enumerate() {
            self.back[goal] = self.far_back[b];
        }
    }

    /// The bound for too many boxes to match.
    fn start_many(&mut self, distances: &Distances, places: &[Place]) -> Option<u32> {
        for (nearest, &place) in self.nearest.iter_mut().zip(places) {
            *nearest = (distances.nearest(place), distances.is_black(place));
        }
        self.sum_many(distances)
    }

    fn sum_many(&self, distances: &Distances) -> Option<u32> {
        let goals = distances.targets();
        if self.nearest.len() > goals {
            let filled = self.nearest.iter().filter(|(far, _)| *far == 0);
            return Some(goals.saturating_sub(filled.count()) as u32);
        }
        let (mut sum, mut is_odd) = (0, distances.has_odd_goals());
        for &(far, is_black) in &self.nearest {
            if far == NEVER {
                return None;
            }
            sum += u32::from(far);
            is_odd ^= is_black;
        }
        Some(sum + (sum + u32::from(is_odd)) % 2)
    }

    /// Matches one more box.
    fn augment(&mut self, b: usize) {
        self.bar.fill(0);
        self.done.clear();
        let row = &self.rows[b * self.width..][..self.width];
        let mut reach = reduce(&mut self.far, row, &self.price);
        // 1. Follow alternating paths to the nearest goal that is free.
        let mut end = find(&self.far, &self.bar, reach).unwrap_or(0);
        while self.box_of[end] != FREE {
            (end, reach) = self.pass(end, reach);
        }
        // 2. The path, from its end: each goal's distance comes from the box or from the first goal that explains it.
        self.path.clear();
        let mut g = end;
        loop {
            let explains = |by: usize, far: Cost| {
                self.rows[by * self.width + g] - self.price[g] + far == self.far[g]
            };
            let mut done = self.done.iter();
            let before = if explains(b, 0) {
                None
            } else {
                done.find(|&&at| {
                    let holder = self.box_of[at];
                    explains(holder, self.far[at] - self.pay[holder])
                })
            };
            self.path.push(g);
            let Some(&before) = before else { break };
            g = before;
        }
        // 3. Adjust the prices so that all pairs of the new matching are tight.
        for &g in &self.done {
            let slack = reach - self.far[g];
            self.price[g] -= slack;
            self.pay[self.box_of[g]] += slack;
        }
        self.pay[b] = reach;
        let mut by = b;
        for &g in self.path.iter().rev() {
            self.goal_of[by] = g;
            std::mem::swap(&mut self.box_of[g], &mut by);
        }
    }

    /// Passes through a goal and the box that holds it to all goals. Those passed before stay as they are, because they are
    /// not farther. Returns the nearest of the others, and its distance.
    fn pass(&mut self, at: usize, least: Cost) -> (usize, Cost) {
        self.bar[at] = FAR;
        self.done.push(at);
        let holder = self.box_of[at];
        let base = least - self.pay[holder];
        let row = &self.rows[holder * self.width..][..self.width];
        shorten(&mut self.far, base, row, &self.price, &self.bar)
    }

    /// Follows alternating paths from a box, whose own distances are in `far`, until no path to this goal can be
    /// shorter by more than `gap`. Returns that goal's distance, given the least of all.
    fn search(&mut self, goal: usize, mut least: Cost, gap: Cost) -> Cost {
        self.bar.fill(0);
        self.done.clear();
        let mut at = find(&self.far, &self.bar, least).unwrap_or(goal);
        while self.far[goal] > least + gap {
            (at, least) = self.pass(at, least);
        }
        self.far[goal]
    }
}

/// Writes the costs of a box less the prices of the goals. Returns the least.
fn reduce(to: &mut [Cost], row: &[Cost], price: &[Cost]) -> Cost {
    let mut least = Cost::MAX;
    for (to, (cost, price)) in to.iter_mut().zip(row.iter().zip(price)) {
        *to = cost - price;
        least = least.min(*to);
    }
    least
}

/// Shortens distances to those through one goal where these are shorter. Returns the first of those nearest that are not
/// barred, and its distance.
fn shorten(
    far: &mut [Cost],
    base: Cost,
    costs: &[Cost],
    prices: &[Cost],
    bar: &[Cost],
) -> (usize, Cost) {
    let mut least = Cost::MAX;
    let pairs = costs.iter().zip(prices).map(|(cost, price)| cost - price);
    for ((far, pair), bar) in far.iter_mut().zip(pairs).zip(bar) {
        *far = (*far).min(base + pair);
        least = least.min(*far + bar);
    }
    (find(far, bar, least).unwrap_or(0), least)
}

/// The first at this distance that is not barred.
fn find(far: &[Cost], bar: &[Cost], at: Cost) -> Option<usize> {
    let mut open = far.iter().zip(bar).map(|(far, bar)| far + bar);
    open.position(|far| far == at)
}

/// A distance that counts as `most` at most, or as one less: parity stays as it is.
#[inline]
fn clipped(far: u16, most: Cost) -> Cost {
    let far = Cost::from(far);
    far.min(most - ((far ^ most) & 1))
}

/// Writes the costs of a box: real goals first, then the dummy goals, which cost nothing.
fn write_row(to: &mut [Cost], row: &[u16], none: Cost, most: Cost) {
    let (goals, dummies) = to.split_at_mut(row.len().min(to.len()));
    for (to, &far) in goals.iter_mut().zip(row) {
        *to = if far == NEVER {
            none
        } else {
            clipped(far, most)
        };
    }
    dummies.fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::core::memory::Memory;
    use crate::sokoban::bound::assignment::Assignment;
    use crate::sokoban::field::enclosure::Field;
    use crate::sokoban::test_levels::{crowded_level, pulled_level};

    /// The least cost of an assignment of places to goals and dummy goals.
    fn least(distances: &Distances, places: &[Place]) -> Option<u32> {
        let cost = |b: usize, g: usize| {
            let row = distances.row(places[b]);
            row.get(g)
                .map_or(0, |&far| if far == NEVER { 1 << 40 } else { far.into() })
        };
        let mut assignment = Assignment::default();
        let (count, mut sum) = (places.len(), 0);
        let found = assignment.find(count, count, cost, || Ok::<(), ()>(()));
        assert_eq!(found, Ok(true));
        for (row, column) in assignment.pairs() {
            sum += cost(row, column);
        }
        (sum < 1 << 40).then_some(sum as u32)
    }

    #[test]
    fn bounds_are_cheapest_assignments() {
        let control = Control::new();
        let (mut none, mut compared, mut less) = (0, 0, 0);
        let levels = (0..150).map(pulled_level);
        for (seed, level) in (1..).zip(levels.chain((0..50).map(crowded_level))) {
            let field = Field::new(&level);
            let mut memory = Memory::new(&control);
            let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
            let count = field.boxes.len().max(field.goals.len());
            let mut random: u64 = seed;
            let mut next = || {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let (cell, side) = ((random >> 33) as usize % field.len(), (random >> 60) % 4);
                distances.place(cell as u16, side as usize)
            };
            let mut matching = Matching::new(count);
            // With hundreds of boxes, high distances count as less. That may lower a bound, never raise it.
            let mut clipped = Matching::new(count);
            clipped.most = 4;
            let has_dummies = field.boxes.len() > field.goals.len();
            let is_lower = |clipped: Option<u32>, bound: Option<u32>| match (clipped, bound) {
                (Some(clipped), Some(bound)) => {
                    let is_even = (bound - clipped.min(bound)).is_multiple_of(2);
                    clipped <= bound && (is_even || has_dummies)
                }
                (clipped, bound) => clipped.is_none() == bound.is_none(),
            };
            for _ in 0..5 {
                let mut places: Vec<Place> = (0..count).map(|_| next()).collect();
                let bound = matching.start(&distances, &places);
                assert_eq!(bound, least(&distances, &places), "seed {seed}");
                let lower = clipped.start(&distances, &places);
                assert!(is_lower(lower, bound), "seed {seed}");
                less += u32::from(lower < bound);
                none += u32::from(bound.is_none());
                for number in 0..count {
                    let before = places[number];
                    for _ in 0..20 {
                        let after = next();
                        // As after one push.
                        let mut pairs = (distances.row(before).iter()).zip(distances.row(after));
                        if pairs.any(|(one, two)| one.abs_diff(*two) != 1 && one != two)
                            || distances.is_dead(after)
                        {
                            continue;
                        }
                        places[number] = after;
                        let bound = matching.with(&distances, number, after);
                        assert_eq!(bound, least(&distances, &places), "seed {seed}");
                        let lower = clipped.with(&distances, number, after);
                        assert!(is_lower(lower, bound), "seed {seed}");
                        compared += 1;
                    }
                    places[number] = before;
                }
            }
        }
        assert!(
            none > 100 && compared > 2000 && less > 20,
            "{none} {compared} {less}"
        );
    }
}
