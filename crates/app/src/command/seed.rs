//! The seed of a command that draws at random.

use crate::args::Generate;
use crate::puzzle::made::fresh_seed;
use crate::terminal::print::complain;

/// The seed that was given, or else a fresh one, which is printed on standard error.
pub fn seed(args: &Generate) -> u64 {
    args.seed.unwrap_or_else(|| {
        let seed = fresh_seed();
        complain(format_args!("seed: {seed}"));
        seed
    })
}
