//! Beam search on a device: a plan of the length of a limit, before the limit is searched.
//!
//! Most states of IDA* are in its last limit, and all that it needs there is one plan. So before each limit a beam looks
//! for a plan within it: layer by layer, the nodes with the smallest scores go on, up to the width of the beam. If it finds
//! a plan, the plan is optimal, because all smaller limits have been searched to their ends. If not, nothing is known, and
//! the limit is searched.
//!
//! The score is the sum of all stages: of two nodes with the same bound, the one whose other bounds are lower, too, is more
//! likely to be near the goal. Positions seen before are left out, as far as a table of hashes without chains remembers
//! them. `beam.cu` has the two steps of a layer, `card_beam.rs` calls them, and `mirror_beam.rs` is the same in Rust.

/// One more than the largest score.
pub const SCORES: usize = 2048;

/// Children with a smaller score than the first number go on, and as many with that score as the second says.
pub fn cut(scores: &[u32], width: usize) -> (u32, u32) {
    let mut room = width as u64;
    for (score, &count) in scores.iter().enumerate() {
        if room < u64::from(count) {
            return (score as u32, room as u32);
        }
        room -= u64::from(count);
    }
    (scores.len() as u32, 0)
}
