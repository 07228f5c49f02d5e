//! Sokoban: levels, their rules for one player and for several, and plans.
//!
//! A [`Level`] is read from a text by [`read_levels`] and written by [`Format`].
//! [`step`] is the one definition of the rules, [`State`] what it changes. A
//! plan is [`Walks`], measured by [`Metrics`].
//!
//! ```
//! use noyes_puzzle::sokoban::{Metrics, Walks, parse_level};
//! let level = parse_level("######\n#@ $.#\n######")?;
//! let walks = Walks::parse("rR", 1)?;
//! assert_eq!(Metrics::of(&level, &walks).unwrap().pushes, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collection;
mod grid;
mod letters;
mod level;
mod metrics;
mod normal;
mod plan;
mod rle;
mod rules;
mod xsb;

pub use collection::{
    Entry, Format, FormatError, is_level_line, may_be_level_line, parse_level, read_levels,
};
pub use grid::{TextError, TextFault};
pub use letters::write_letters;
pub use level::{Ground, Level, LevelError, MAX_CELLS};
pub use metrics::Metrics;
pub use normal::{View, crop, normalise};
pub use plan::{MAX_STEPS, WalkError, Walks};
pub use rle::write_rle;
pub use rules::{Blocked, State, step};
pub use xsb::write_xsb;
