//! Charts: what is drawn, apart from how.
//!
//! A chart is two axes and some series (`content`); `svg` draws it. It is written by hand because a page must read well
//! in light and in dark: plotting libraries write fixed colours, here they are style sheet variables.

mod axis;
mod blocks;
mod content;
mod frame;
mod histogram;
mod legend;
mod marks;
pub mod number;
mod svg;
mod text;

pub use axis::{Axis, round_step};
pub use blocks::blocks;
pub use content::{Chart, Guide, Point, Series, Shape};
pub use histogram::histogram;
pub use number::Unit;
pub use svg::{STYLE, standalone, svg};
pub use text::{escape, lines};
