//! Charts and how they are drawn.
//!
//! A chart is two axes and some series (`content`); `svg` draws it. `tree` draws trees of boards. No plotting library is used, because a page must read
//! well in light and dark: libraries write fixed colours, here they are variables of the style sheet.

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
mod tree;

pub use axis::{Axis, round_step};
pub use blocks::blocks;
pub use content::{Chart, Guide, Point, Series, Shape};
pub use histogram::histogram;
pub use number::Unit;
pub use svg::{STYLE, standalone, svg};
pub use text::{escape, lines};
pub use tree::{Leaf, tree};
