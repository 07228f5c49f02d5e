//! Backends: the solvers that answer whether clauses can all hold.
//!
//! One small interface over solvers in this process (CaDiCaL, batsat, a plain DPLL) and any program that reads DIMACS. All answer
//! under assumptions and keep their clauses. While they work, all check a watch at least twenty times a second: limits
//! and the stop flag end a question early, and so does another thread that has made the question pointless.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
#[cfg(feature = "files")]
mod command;
mod dpll;
#[cfg(feature = "cadical")]
mod exchange;
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
    use crate::sat::cnf::{Cnf, Lit, Sink, at_most_one};
    use noyes_puzzle::tiles::Generator;

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

    /// A literal of one of these variables.
    fn some_lit(variables: &[Lit], generator: &mut Generator) -> Lit {
        variables[generator.below(variables.len())].when(generator.below(2) == 0)
    }

    #[test]
    fn every_solver_agrees_with_truth_tables() {
        for seed in 0..60 {
            for name in BackendName::BUILT_IN {
                let (shared, mut cnf) = (shared(), Cnf::default());
                let mut solver = name.fresh(seed as usize % 4, Order::Free, &shared);
                let watch = watch(&Control::new(), &shared, 5);
                let generator = &mut Generator::new(21, seed);
                let mut variables = vec![];
                // The formula grows from question to question.
                for _ in 0..6 {
                    for _ in 0..2 {
                        cnf.variable();
                        variables.push(solver.variable());
                    }
                    for _ in 0..4 + generator.below(6) {
                        let lits: Vec<Lit> = (0..=generator.below(4))
                            .map(|_| some_lit(&variables, generator))
                            .collect();
                        if lits.len() > 1 || generator.below(8) == 0 {
                            cnf.clause(&lits);
                            solver.clause(&lits);
                        }
                    }
                    let assumed = [some_lit(&variables, generator)];
                    let is_model = |bits: u32| {
                        let holds = |l: Lit| (bits >> (l.var() - 1) & 1 == 1) == l.is_positive();
                        cnf.violated(holds).is_none() && holds(assumed[0])
                    };
                    let expected = (0..1 << variables.len()).any(is_model);
                    match solver.solve(&assumed, &watch) {
                        Ok(Verdict::Satisfiable) => {
                            let bit = |&v: &Lit| u32::from(solver.holds(v)) << (v.var() - 1);
                            assert!(is_model(variables.iter().map(bit).sum()), "{name} {seed}");
                        }
                        verdict => {
                            assert_eq!(verdict, Ok(Verdict::Unsatisfiable), "{name} {seed}");
                            assert!(!expected, "{name} {seed}");
                        }
                    }
                }
            }
        }
    }

    /// Some clauses of three literals.
    #[cfg(feature = "cadical")]
    fn some_clauses(number: usize, variables: &[Lit], generator: &mut Generator) -> Vec<Vec<Lit>> {
        let clause = |_| (0..3).map(|_| some_lit(variables, generator)).collect();
        (0..number).map(clause).collect()
    }

    #[cfg(feature = "cadical")]
    #[test]
    fn what_a_solver_learns_under_assumptions_holds_for_the_others() {
        let mut taken = 0;
        for seed in 0..20 {
            // Hard enough for conflicts; DPLL is the judge, which learns nothing.
            let shared = Arc::new(Shared::new(2, 0).with_exchange());
            let watch = watch(&Control::new(), &shared, 5);
            let fresh = |name: BackendName, variant| name.fresh(variant, Order::Free, &shared);
            let mut sharing: Vec<_> = (0..3).map(|i| fresh(BackendName::Cadical, i)).collect();
            let mut judge = fresh(BackendName::Dpll, 0);
            let generator = &mut Generator::new(22, seed);
            let mut variables = vec![];
            for _ in 0..3 {
                for _ in 0..15 {
                    variables.push(judge.variable());
                    for solver in &mut sharing {
                        solver.variable();
                    }
                }
                for clause in some_clauses(60, &variables, generator) {
                    judge.clause(&clause);
                    for solver in &mut sharing {
                        solver.clause(&clause);
                    }
                }
                for _ in 0..4 {
                    let assumed = [(); 3].map(|()| some_lit(&variables, generator));
                    let verdict = judge.solve(&assumed, &watch);
                    for solver in &mut sharing {
                        assert_eq!(solver.solve(&assumed, &watch), verdict, "{seed}");
                    }
                }
            }
            taken += sharing.iter().map(|s| s.taken_clauses()).sum::<u64>();
        }
        assert!(taken > 100, "{taken}");
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
            if name.is_cadical() || matches!(name, BackendName::Batsat | BackendName::Dpll) {
                assert!(solver.counts().0 > 0, "{name}");
            }
            let verdict = solver.solve(&[], &watch(&Control::new(), &shared, 1));
            assert_eq!(verdict, Ok(Verdict::Overtaken), "{name}");
        }
    }
}
