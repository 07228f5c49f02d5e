//! What need not be looked at: dead states, pushes that can wait, and states that are images of others.

pub(super) mod corral;
pub(super) mod freeze;
pub(super) mod frozen;
pub(super) mod pairs;
pub(super) mod symmetry;
