//! Schedules: which bound to ask next, given what is known.
//!
//! The lengths of plans differ by multiples of a stride, two for the moves of a board, so bounds go by it. `up` asks the lower bound itself: every
//! answer but the last is no, and the first plan is optimal. `doubling` asks powers of two until there is a plan and
//! then one stride less than the best plan, until that is refused (Edixhoven 2016, chapter 6, whose solver makes `steps` smaller
//! as it finds plans). `binary` takes longer strides, ten up to thirty and then four, until there is a plan, and halves
//! the rest (Puzzle Solving with Modern SAT Engine, section IV). All end when the bounds meet.

use crate::counts::Bounds;
use crate::names::names;

names! {
    /// Which bound to ask next.
    Schedule {
        /// By strides from the lower bound.
        #[default]
        Up = "up",
        /// By powers of two until there is a plan, then down from it.
        Doubling = "doubling",
        /// By tens and fours until there is a plan, then halving.
        Binary = "binary",
    }
}

impl Schedule {
    /// The next question, strides from the lower bound; none if the bounds have met.
    pub fn next(self, bounds: Bounds, stride: u32) -> Option<u32> {
        let Bounds { lower, upper } = bounds;
        if upper.is_some_and(|upper| upper <= lower) {
            return None;
        }
        // At or above a number, and at or below one.
        let above = |k: u32| lower + (k - lower).next_multiple_of(stride);
        let below = |k: u32| k - (k - lower) % stride;
        Some(match (self, upper) {
            (Schedule::Up, _) => lower,
            (Schedule::Doubling, None) => below(lower.max(2).next_power_of_two()),
            (Schedule::Doubling, Some(upper)) => upper - stride,
            // What is known is below: the next stride ends past it.
            (Schedule::Binary, None) if lower < 30 => above(lower.next_multiple_of(10).max(10)),
            (Schedule::Binary, None) => above(lower.next_multiple_of(4)),
            (Schedule::Binary, Some(upper)) => below(lower + (upper - stride - lower) / 2),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The questions asked until the bounds meet, if the optimum is this and plans are as long as allowed.
    fn questions(schedule: Schedule, stride: u32, lower: u32, optimum: u32) -> Vec<u32> {
        let mut bounds = Bounds { lower, upper: None };
        let mut asked = vec![];
        while let Some(k) = schedule.next(bounds, stride) {
            assert!(k >= bounds.lower && bounds.upper.is_none_or(|upper| k < upper));
            assert_eq!(k % stride, lower % stride);
            asked.push(k);
            if k >= optimum {
                bounds.upper = Some(k);
            } else {
                bounds.lower = k + stride;
            }
        }
        assert_eq!((bounds.lower, bounds.upper), (optimum, Some(optimum)));
        asked
    }

    #[test]
    fn every_schedule_ends_at_the_optimum() {
        for &schedule in Schedule::ALL {
            for lower in 0..40 {
                for more in 0..30 {
                    questions(schedule, 1, lower, lower + more);
                    questions(schedule, 2, lower, lower + 2 * more);
                }
            }
        }
    }

    #[test]
    fn schedules_ask_as_they_say() {
        assert_eq!(questions(Schedule::Up, 2, 21, 27), [21, 23, 25, 27]);
        assert_eq!(
            questions(Schedule::Doubling, 2, 9, 25),
            [15, 31, 29, 27, 25, 23]
        );
        assert_eq!(questions(Schedule::Binary, 2, 12, 26), [20, 30, 24, 26]);
    }
}
