//! Levels by SAT: their encodings, which count pushes or moves.

pub(super) mod boxes;
mod decompose;
pub(super) mod make;
mod moves;
pub(super) mod name;
pub(super) mod nameless;
pub(super) mod places;
mod pushes;
pub(super) mod solve;
mod tamura;
pub(super) mod walk;
