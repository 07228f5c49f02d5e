//! Pruning: dead states, pushes that can wait, and states that are symmetric to others.

pub(super) mod corral;
pub(super) mod freeze;
pub(super) mod frozen;
pub(super) mod learned;
pub(super) mod pairs;
pub(super) mod symmetry;
mod zone_walk;
