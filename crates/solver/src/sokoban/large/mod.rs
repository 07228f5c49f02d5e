//! Large levels: some plan where the searches over single pushes see too many states.

mod advisors;
mod cells;
mod cuts;
pub(super) mod feature_search;
pub(super) mod filling;
mod macros;
pub(super) mod meeting;
mod obstacles;
mod probe;
mod regions;
mod removals;
pub(super) mod style;
pub(super) mod technique;
