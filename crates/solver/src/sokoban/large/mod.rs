//! Large levels: some plan where the searches over single pushes see too many states.

pub(super) mod feature_search;
mod filling;
mod macros;
mod regions;
