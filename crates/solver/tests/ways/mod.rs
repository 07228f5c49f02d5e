//! All ways of solving by SAT but for the encoding.

use noyes_solver::SatOptions;
use noyes_solver::sat::{KeepName, Schedule};

pub fn ways() -> Vec<SatOptions> {
    let backends = ["cadical", "batsat", "glucose", "minisat"]; // those that are built in
    let mut ways = vec![];
    for &bounds in Schedule::ALL {
        for &keep in KeepName::ALL {
            for backend in backends.iter().filter_map(|name| name.parse().ok()) {
                ways.push(SatOptions {
                    bounds,
                    keep,
                    backend,
                    ..SatOptions::default()
                });
            }
        }
    }
    ways
}
