//! Levels by SAT: their encodings, which count pushes or moves.

pub(super) mod boxes;
mod decompose;
pub(super) mod make;
pub(super) mod moves;
pub(super) mod name;
pub(super) mod nameless;
mod order;
pub(super) mod places;
mod pushes;
pub(super) mod solve;
mod stage;
pub(super) mod tamura;
pub(super) mod walk;
