//! A wish for a level, the level made of it, and why there may be none.

use noyes_puzzle::sokoban::Level;

use crate::control::Stop;

/// What a level should be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Cells in a row at most, walls included.
    pub width: usize,
    /// Rows at most, walls included.
    pub height: usize,
    /// Boxes, and as many goals.
    pub boxes: usize,
    /// Players.
    pub players: usize,
    /// The least that an optimal plan has: pushes for one player, steps for a crew.
    pub least: u32,
}

/// A level and what an optimal plan of it has: pushes for one player, steps for a crew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The level.
    pub level: Level,
    /// The fewest pushes, or steps of a crew, that solve it.
    pub optimum: u32,
}

/// Why there is no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// Sizes that are not made.
    #[error("{width}x{height} is no size for a level (expected 5x5 to {MOST_SIDE}x{MOST_SIDE})")]
    Size {
        /// Cells in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// Nobody to push, nothing to push, or no room for them.
    #[error(
        "{boxes} box{} and {players} player{} do not fit into a level of {width}x{height}",
        if *.boxes == 1 { "" } else { "es" },
        if *.players == 1 { "" } else { "s" }
    )]
    Crowd {
        /// Boxes.
        boxes: usize,
        /// Players.
        players: usize,
        /// Cells in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// None of the levels drawn is so hard.
    #[error("no level worth playing that is so hard among {ROOMS} rooms{}", so_far(*.best))]
    NotFound {
        /// The most that an optimal plan of one had.
        best: Option<u32>,
    },
    /// A limit came first.
    #[error("{stop} before there was a level{}", so_far(*.best))]
    Stopped {
        /// The limit.
        stop: Stop,
        /// The most that an optimal plan of one had.
        best: Option<u32>,
    },
}

fn so_far(best: Option<u32>) -> String {
    best.map_or(String::new(), |best| {
        format!(" (the longest plan had {best})")
    })
}

/// The longest side of a level.
pub(super) const MOST_SIDE: usize = 40;
/// The rooms that are drawn for one level.
pub(super) const ROOMS: usize = 300;
