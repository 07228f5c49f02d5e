//! Backends: the solvers that answer whether clauses can all hold.
//!
//! One small interface over solvers in this process, CaDiCaL and batsat, and any program that reads DIMACS. All are
//! asked under assumptions and keep their clauses, and all look up from their work some twenty times a second at
//! least, through a watch: the limits and the stop flag act inside a question, and so does another thread that
//! has made the question pointless.

mod batsat;
mod cadical;
mod command;
mod model;
mod name;
#[cfg(any(feature = "glucose", feature = "minisat"))]
mod rustsat;
mod solver;
mod watch;

pub(crate) use cadical::{Learns, Looks};
pub use command::end_programs;
pub use model::{ModelError, as_v_lines, read_model};
pub use name::{BackendName, UnknownBackend};
pub use solver::BackendError;
pub(crate) use solver::{Backend, Order};
pub(crate) use watch::{Shared, Taken, Verdict, Watch, memory_in_use};

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::control::{Control, Stop};
    use crate::sat::cnf::{Lit, Sink, at_most_one};

    fn watch(control: &Control, k: u32) -> Watch {
        let shared = Shared {
            lower: 2.into(),
            upper: 9.into(),
        };
        Watch::new(control, Arc::new(shared), k, 0)
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
                let mut solver = name.fresh(variant, Order::Free);
                let (a, b) = (solver.variable(), solver.variable());
                solver.clause(&[a, b]);
                let watch = watch(&Control::new(), 5);
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
    fn memory_that_others_take_is_not_the_solvers() {
        for name in [BackendName::Cadical, BackendName::Batsat] {
            let mut solver = name.fresh(0, Order::Free);
            pigeons(7, &mut solver);
            let control = Control::new().memory_limit(50 << 20);
            // As if the whole process had grown since the solve began.
            let others = vec![1_u8; 100 << 20];
            let shared = Shared {
                lower: 2.into(),
                upper: 9.into(),
            };
            let watch = Watch::new(&control, Arc::new(shared), 5, 0);
            assert_eq!(
                solver.solve(&[], &watch),
                Ok(Verdict::Unsatisfiable),
                "{name}"
            );
            assert!(memory_in_use() > others.len());
        }
    }

    #[test]
    fn memory_that_a_solver_takes_ends_it() {
        for name in [BackendName::Cadical, BackendName::Batsat] {
            let mut solver = name.fresh(0, Order::Free);
            pigeons(80, &mut solver);
            let control = Control::new().memory_limit(10 << 20);
            let verdict = solver.solve(&[], &watch(&control, 5));
            assert_eq!(verdict, Ok(Verdict::Stopped(Stop::Memory)), "{name}");
        }
    }

    #[test]
    fn limits_act_inside_a_question() {
        for name in BackendName::BUILT_IN {
            let mut solver = name.fresh(0, Order::Free);
            pigeons(12, &mut solver);
            let control = Control::new().time_limit(Duration::from_millis(50));
            let begun = Instant::now();
            let verdict = solver.solve(&[], &watch(&control, 5));
            assert_eq!(verdict, Ok(Verdict::Stopped(Stop::Time)), "{name}");
            assert!(begun.elapsed() < Duration::from_secs(5), "{name}");
            if matches!(name, BackendName::Cadical | BackendName::Batsat) {
                assert!(solver.counts().0 > 0, "{name}");
            }
            let verdict = solver.solve(&[], &watch(&Control::new(), 1));
            assert_eq!(verdict, Ok(Verdict::Overtaken), "{name}");
        }
    }
}
