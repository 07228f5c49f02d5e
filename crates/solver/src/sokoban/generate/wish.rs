//! A wish for a level, the generated level, and the reasons why there may be no such level.

use noyes_puzzle::sokoban::Level;

use crate::control::Stop;

/// What a level should be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The largest width, walls included.
    pub width: usize,
    /// The largest height, walls included.
    pub height: usize,
    /// The number of boxes, and of goals.
    pub boxes: usize,
    /// The number of players.
    pub players: usize,
    /// The least cost of an optimal plan: pushes for one player, steps for a crew.
    pub least: u32,
}

/// A generated level and its optimum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The level.
    pub level: Level,
    /// The cost of an optimal plan: pushes for one player, steps for a crew.
    pub optimum: u32,
}

/// Why there is no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// The level would be too small or too large.
    #[error("{width}x{height} is not a valid level size (expected 5x5 to {MOST_SIDE}x{MOST_SIDE})")]
    Size {
        /// The width that was asked for.
        width: usize,
        /// The height that was asked for.
        height: usize,
    },
    /// No boxes, no players, or not enough room for them.
    #[error(
        "{boxes} box{} and {players} player{} do not fit into a level of {width}x{height}",
        if *.boxes == 1 { "" } else { "es" },
        if *.players == 1 { "" } else { "s" }
    )]
    Crowd {
        /// The number of boxes that was asked for.
        boxes: usize,
        /// The number of players that was asked for.
        players: usize,
        /// The width of the level.
        width: usize,
        /// The height of the level.
        height: usize,
    },
    /// No level that was tried is good and hard enough.
    #[error("no good level this hard was found among {ROOMS} rooms{}", so_far(*.best))]
    NotFound {
        /// The highest optimum seen.
        best: Option<u32>,
    },
    /// A limit was reached first.
    #[error("stopped before a level was found: {stop}{}", so_far(*.best))]
    Stopped {
        /// The limit.
        stop: Stop,
        /// The highest optimum seen.
        best: Option<u32>,
    },
}

fn so_far(best: Option<u32>) -> String {
    best.map_or(String::new(), |best| {
        format!(" (the longest optimal plan had {best})")
    })
}

/// The longest side of a level.
pub(super) const MOST_SIDE: usize = 40;
/// The most rooms that are tried for one level.
pub(super) const ROOMS: usize = 300;
