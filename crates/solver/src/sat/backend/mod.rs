//! Backends: the solvers that answer whether clauses can all hold.
//!
//! One small interface over solvers in this process, CaDiCaL and batsat, and any program that reads DIMACS. All answer
//! under assumptions and keep their clauses. While they work, all check a watch at least twenty times a second: limits
//! and the stop flag end a question early, and so does another thread that has made the question pointless.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
#[cfg(feature = "files")]
mod command;
mod model;
mod name;
#[cfg(any(feature = "glucose", feature = "minisat"))]
mod rustsat;
mod solver;
mod watch;

#[cfg(feature = "cadical")]
pub(crate) use cadical::{Learns, Looks};
#[cfg(feature = "files")]
pub use command::end_programs;
pub use model::{ModelError, as_v_lines, read_model};
pub use name::{BackendName, UnknownBackend};
pub use solver::BackendError;
pub(crate) use solver::{Backend, Order};
#[cfg(feature = "cadical")]
pub(crate) use watch::Taken;
pub(crate) use watch::{Shared, Verdict, Watch, memory_in_use};

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::watch::memory_in_use;
    use super::*;
    use crate::control::{Control, Stop};
    use crate::sat::cnf::{Lit, Sink, at_most_one};

    /// A solve in a process that was empty before: other tests free memory meanwhile, which must not hide growth.
    fn shared() -> Arc<Shared> {
        let mut shared = Shared::new(2, 0);
        shared.least = 0.into();
        Arc::new(shared)
    }

    fn watch(control: &Control, shared: &Arc<Shared>, k: u32) -> Watch {
        Watch::new(control, shared.clone(), k)
    }

    /// More pigeons than holes: hard for every solver here.
    fn pigeons(holes: usize, sink: &mut dyn Sink) {
        let at: Vec<Vec<Lit>> = (0..=holes)
            .map(|_| (0..holes).map(|_| sink.variable()).collect())
            .collect();
        for pigeon in &at {
            sink.clause(pigeon);
        }
        for hole in 0..holes {
            let lits: Vec<Lit> = at.iter().map(|p| p[hole]).collect();
            at_most_one(&lits, sink);
        }
    }

    #[test]
    fn assumptions_are_forgotten_after_their_question() {
        for name in BackendName::BUILT_IN {
            for variant in 0..4 {
                let shared = shared();
                let mut solver = name.fresh(variant, Order::Free, &shared);
                let (a, b) = (solver.variable(), solver.variable());
                solver.clause(&[a, b]);
                let watch = watch(&Control::new(), &shared, 5);
                assert_eq!(solver.solve(&[-a, -b], &watch), Ok(Verdict::Unsatisfiable));
                assert_eq!(solver.solve(&[-a], &watch), Ok(Verdict::Satisfiable));
                assert!(solver.holds(b) && solver.holds(-a) && !solver.holds(-b));
                solver.clause(&[-b]);
                assert_eq!(solver.solve(&[], &watch), Ok(Verdict::Satisfiable));
                assert!(solver.holds(a));
                assert_eq!(solver.solve(&[-a], &watch), Ok(Verdict::Unsatisfiable));
            }
        }
    }

    #[test]
    fn memory_that_others_take_is_not_charged_to_a_solver() {
        for name in BackendName::BUILT_IN {
            let shared = shared();
            let mut solver = name.fresh(0, Order::Free, &shared);
            pigeons(7, &mut solver);
            let control = Control::new().memory_limit(50 << 20);
            let others = vec![1_u8; 100 << 20]; // the process grows after the solve began
            let watch = watch(&control, &shared, 5);
            assert_eq!(
                solver.solve(&[], &watch),
                Ok(Verdict::Unsatisfiable),
                "{name}"
            );
            assert!(memory_in_use().is_none_or(|bytes| bytes > others.len()));
        }
    }

    #[test]
    fn the_solvers_of_a_solve_are_charged_together() {
        let shared = shared();
        let control = Control::new().memory_limit(8 << 20);
        let solvers: Vec<_> = (0..20)
            .map(|_| {
                let mut solver = BackendName::Batsat.fresh(0, Order::Free, &shared);
                pigeons(30, &mut solver);
                solver
            })
            .collect();
        // As if the process had grown by more than all of them can have taken.
        let others = vec![1_u8; 100 << 20];
        let stop = watch(&control, &shared, 5).end();
        assert_eq!(stop, Some(Verdict::Stopped(Stop::Memory)));
        drop(solvers);
        assert_eq!(watch(&control, &shared, 5).end(), None);
        drop(others);
    }

    #[test]
    fn memory_that_a_solver_takes_ends_it() {
        for name in BackendName::BUILT_IN {
            let shared = shared();
            let mut solver = name.fresh(0, Order::Free, &shared);
            pigeons(80, &mut solver);
            let control = Control::new().memory_limit(10 << 20);
            let verdict = solver.solve(&[], &watch(&control, &shared, 5));
            assert_eq!(verdict, Ok(Verdict::Stopped(Stop::Memory)), "{name}");
        }
    }

    #[test]
    fn limits_act_inside_a_question() {
        for name in BackendName::BUILT_IN {
            let shared = shared();
            let mut solver = name.fresh(0, Order::Free, &shared);
            pigeons(12, &mut solver);
            let control = Control::new().time_limit(Duration::from_millis(50));
            let begun = Instant::now();
            let verdict = solver.solve(&[], &watch(&control, &shared, 5));
            assert_eq!(verdict, Ok(Verdict::Stopped(Stop::Time)), "{name}");
            assert!(begun.elapsed() < Duration::from_secs(5), "{name}");
            if name.is_cadical() || *name == BackendName::Batsat {
                assert!(solver.counts().0 > 0, "{name}");
            }
            let verdict = solver.solve(&[], &watch(&Control::new(), &shared, 1));
            assert_eq!(verdict, Ok(Verdict::Overtaken), "{name}");
        }
    }
}
