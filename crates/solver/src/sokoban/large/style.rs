//! Styles: what sets one feature-space search apart from another.
//!
//! Each style fails on levels that others solve, so all of them take turns; see
//! `search::first`. What each gave is in docs/measured.md.

use super::advisors::{BOUND, JOIN, LATE, NEXT, PLAN, ROOM};
use super::technique::Technique;
use crate::sokoban::bound::distance::Way;

/// The ways to see progress: by the filling plan, the number of goals filled, the bound, and the number of moves in the
/// state before.
pub(super) const BY_PLAN: u32 = 1;
pub(super) const BY_GOALS: u32 = 2;
pub(super) const BY_BOUND: u32 = 4;
pub(super) const BY_MOVES: u32 = 8;

/// The style of a feature-space search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Forward from the start, or backward from the goals.
    pub(crate) way: Way,
    /// How it sees progress, as bits.
    pub(super) views: u32,
    /// Which advisors are heard, as bits.
    pub(super) advisors: u32,
    /// What breaks ties of weight within a cell.
    pub(super) tie: Tie,
    /// How many states a turn generates.
    pub(crate) turn: u64,
}

impl Style {
    /// Whether searches of this style are used.
    pub(crate) fn is_on(&self) -> bool {
        let own = match self.way {
            Way::Push => Technique::Forward,
            Way::Pull => Technique::Backward,
        };
        own.is_on() && (self.views != BY_MOVES || Technique::OpenSearches.is_on())
    }
}

/// What breaks ties of weight; lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tie {
    /// The bound, with late boxes and parts of the floor.
    Bound,
    /// The pushes to the next goal of the filling plan, then the bound.
    Next,
}

/// The advisors that need no way to the next goal, and those that need no filling plan at all.
const WITHOUT_NEXT: u32 = PLAN | LATE | WITHOUT_PLAN;
const WITHOUT_PLAN: u32 = JOIN | BOUND | ROOM;

/// The searches that take turns. The last two look for open states; see `search::stages`.
pub(crate) const STYLES: [Style; 7] = [
    style(Way::Pull, BY_PLAN | BY_BOUND, WITHOUT_NEXT, 60_000),
    style(Way::Push, BY_PLAN, WITHOUT_NEXT | NEXT, 25_000),
    style(Way::Pull, BY_GOALS | BY_BOUND, WITHOUT_NEXT, 40_000),
    style(Way::Push, BY_PLAN | BY_GOALS, WITHOUT_NEXT, 15_000),
    Style {
        tie: Tie::Next,
        ..style(Way::Push, BY_PLAN, PLAN | LATE | JOIN | ROOM | NEXT, 8_000)
    },
    style(Way::Push, BY_MOVES, WITHOUT_PLAN, 20_000),
    style(Way::Pull, BY_MOVES, WITHOUT_PLAN, 20_000),
];

/// The search between two states, which has no filling plan; see `search::between`.
pub(crate) const fn between(way: Way) -> Style {
    style(way, BY_BOUND, WITHOUT_PLAN, 2_000)
}

const fn style(way: Way, views: u32, advisors: u32, turn: u64) -> Style {
    Style {
        way,
        views,
        advisors,
        tie: Tie::Bound,
        turn,
    }
}
