//! Engines for one player, and the plain one for all.

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
