//! Choices of goals: whether the boxes can choose goals so that pairs are in conflict
//! little enough.
//!
//! Penalties of pairs look at one pair at a time. So a pair may avoid a conflict
//! by a goal that another box needs to avoid its own. Here all boxes choose together.
//! A plan of at most some pushes more than the matching bound ends with an assignment of
//! boxes to goals. Its rests (see `penalties`), and the extras of pairs of which no two share
//! a box, are at most that many pushes. If no assignment is so cheap, there is no such plan.
//!
//! Boxes choose one after the other, those with conflicts first, and the goal of the
//! matching first. A box in conflict with an earlier one forms a pair with the worst of those that are
//! in no pair. Most states have an assignment that is soon found. If it takes too many
//! choices, there may be one. Choices that rule out nothing are rationed.

use super::conflicts::MOST_EXTRA;

/// The most choices for one state.
const MOST_CHOICES: u32 = 3_000;
/// The choices in states that are not ruled out: at first, and for each state.
const FIRST_CREDIT: u32 = 1_000_000;
const CREDIT: u32 = 60;

/// What is known of the pairs of boxes of a state.
pub(super) struct Pairs<'s> {
    /// The goals of each box with their rests, the smallest rest first, but the goal of the matching before all others.
    pub(super) near: &'s [Vec<(u8, u16)>],
    /// The extras of pairs by goals, by the box on the lower cell and then by the other.
    pub(super) extras: &'s [Option<&'s [u8]>],
    /// How many more pushes a box needs to a goal because of frozen boxes.
    pub(super) detour: &'s dyn Fn(usize, usize) -> u8,
}

/// An earlier box with which a box may be in conflict.
#[derive(Clone, Copy)]
struct Rival {
    number: usize,
    /// The number of their extras, and the factors of both goals in it.
    extras: usize,
    own: usize,
    others: usize,
}

/// A search over assignments of boxes to goals.
#[derive(Default)]
pub(super) struct Choices {
    /// The boxes in the order in which they choose; those that may be in conflict come first.
    order: Vec<usize>,
    /// The earlier boxes with which each box may be in conflict, in this order: for each box where its list ends.
    rivals: Vec<Rival>,
    ends: Vec<usize>,
    goal_of: Vec<usize>,
    is_taken: Vec<bool>,
    is_paired: Vec<bool>,
    left: u32,
    credit: Option<u32>,
}

impl Choices {
    /// Whether there is credit for the choices of one more state.
    pub(super) fn may_begin(&mut self) -> bool {
        let credit = self.credit.unwrap_or(FIRST_CREDIT) + CREDIT;
        self.credit = Some(credit);
        credit >= MOST_CHOICES
    }

    /// Whether every assignment costs more than this.
    pub(super) fn exceed(&mut self, pairs: &Pairs, most: u8) -> bool {
        let count = pairs.near.len();
        if most >= MOST_EXTRA {
            return false;
        }
        self.list_rivals(pairs, count);
        if self.rivals.is_empty() {
            return false;
        }
        self.goal_of.resize(count, 0);
        for list in [&mut self.is_taken, &mut self.is_paired] {
            list.clear();
            list.resize(count, false);
        }
        self.left = MOST_CHOICES;
        let exceeds = !self.choose(pairs, 0, most);
        if !exceeds {
            let made = MOST_CHOICES - self.left;
            self.credit = self.credit.map(|credit| credit.saturating_sub(made));
        }
        exceeds
    }

    /// Puts the boxes in order, and lists the rivals of each.
    fn list_rivals(&mut self, pairs: &Pairs, count: usize) {
        let rival = |i: usize, j: usize| {
            let (lower, higher) = (i * count + j, j * count + i);
            let (extras, own, others) = if pairs.extras[lower].is_some() {
                (lower, count, 1)
            } else if pairs.extras[higher].is_some() {
                (higher, 1, count)
            } else {
                return None;
            };
            Some(Rival {
                number: j,
                extras,
                own,
                others,
            })
        };
        let has_rivals = |i: &usize| (0..count).any(|j| rival(*i, j).is_some());
        self.rivals.clear();
        self.ends.clear();
        self.order.clear();
        for i in (0..count).filter(has_rivals) {
            let earlier = self.order.iter();
            self.rivals.extend(earlier.filter_map(|&j| rival(i, j)));
            self.ends.push(self.rivals.len());
            self.order.push(i);
        }
        self.order.extend((0..count).filter(|i| !has_rivals(i)));
    }

    /// Whether the boxes that have not chosen yet can do so for this many pushes. True if it takes too many choices.
    fn choose(&mut self, pairs: &Pairs, depth: usize, most: u8) -> bool {
        let Some(&number) = self.order.get(depth) else {
            return true;
        };
        for &(rest, goal) in &pairs.near[number] {
            let goal = usize::from(goal);
            if rest > most || self.is_taken[goal] {
                continue;
            }
            if self.left == 0 {
                return true;
            }
            self.left -= 1;
            let (extra, other) = self.worst(pairs, depth, goal);
            if rest + extra > most {
                continue;
            }
            self.goal_of[number] = goal;
            self.is_taken[goal] = true;
            self.is_paired[number] = extra > 0;
            self.is_paired[other] |= extra > 0;
            let found = self.choose(pairs, depth + 1, most - rest - extra);
            self.is_taken[goal] = false;
            if extra > 0 {
                self.is_paired[number] = false;
                self.is_paired[other] = false;
            }
            if found {
                return true;
            }
        }
        false
    }

    /// The largest extra of the box that chooses now with an earlier one that is in no pair, and which one that is.
    #[inline]
    fn worst(&self, pairs: &Pairs, depth: usize, goal: usize) -> (u8, usize) {
        let number = self.order[depth];
        let mut worst = (0, number);
        let Some(&end) = self.ends.get(depth) else {
            return worst;
        };
        let begin = if depth == 0 { 0 } else { self.ends[depth - 1] };
        for rival in &self.rivals[begin..end] {
            let (other, others) = (rival.number, self.goal_of[rival.number]);
            let Some(extras) = pairs.extras[rival.extras] else {
                continue;
            };
            let mut extra = extras[goal * rival.own + others * rival.others];
            if extra > worst.0 && !self.is_paired[other] {
                let both =
                    (pairs.detour)(number, goal).saturating_add((pairs.detour)(other, others));
                extra = extra.saturating_sub(both);
                worst = worst.max((extra, other));
            }
        }
        if worst.0 == 0 { (0, number) } else { worst }
    }
}
