//! The engines for one player, and plain search for one player or a crew.

pub(super) mod any;
mod beam;
mod between;
pub(super) mod bfs;
mod bidirectional;
pub(super) mod bound;
mod canonical;
mod errors;
mod few;
mod first;
mod forward;
mod found;
mod goal_order;
mod greedy;
mod guide;
pub(super) mod half;
mod improve;
mod lot;
mod meet;
pub(super) mod optimal;
mod part;
pub(super) mod plan;
mod rooms;
pub(super) mod setup;
mod stages;
mod ties;
mod waiting;
