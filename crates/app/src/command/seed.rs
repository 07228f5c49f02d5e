//! The seed of random puzzles.

use crate::args::Generate;
use crate::puzzle::made::fresh_seed;
use crate::terminal::print::warn;

/// The user's seed, or a random one, which is printed on standard error.
pub fn seed(args: &Generate) -> u64 {
    args.seed.unwrap_or_else(|| {
        let seed = fresh_seed();
        warn(format_args!("seed: {seed}"));
        seed
    })
}
