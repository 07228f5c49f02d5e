//! All combinations of SAT options apart from the encoding.

use noyes_solver::SatOptions;
use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::{KeepName, Schedule};

pub fn ways() -> Vec<SatOptions<()>> {
    let mut ways = vec![];
    for &bounds in Schedule::ALL {
        for &keep in KeepName::ALL {
            for backend in BackendName::BUILT_IN {
                ways.push(SatOptions {
                    bounds,
                    keep,
                    backend: backend.clone(),
                    ..SatOptions::default()
                });
            }
        }
    }
    ways
}

/// Those with solvers that learn. DPLL does not, and takes too long for most puzzles.
pub fn learning_ways() -> Vec<SatOptions<()>> {
    let mut ways = ways();
    ways.retain(|way| way.backend != BackendName::Dpll);
    ways
}
