//! The engines for one player, and plain search for one player or a crew.

pub(super) mod any;
pub(super) mod bfs;
mod bidirectional;
mod bound;
mod canonical;
mod forward;
mod found;
mod goal_order;
mod guide;
mod half;
mod meet;
pub(super) mod optimal;
mod plan;
mod setup;
mod ties;
mod waiting;
