//! `--quiet`: only answers and errors are printed.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out progress, warnings and notes from now on.
pub fn set(quiet: bool) {
    QUIET.store(quiet, Relaxed);
}

/// Whether progress, warnings and notes are left out.
pub fn is_quiet() -> bool {
    QUIET.load(Relaxed)
}
