//! SAT solvers that are other programs: a failure is not mistaken for an answer, a lie is caught, and what they start is ended.

use std::time::{Duration, Instant};

use crate::sat::{assert_optimal, by_bfs, encodings, is_satisfiable, request};
use noyes_puzzle::tiles::Board;
use noyes_solver::sat::backend::{BackendError, BackendName};
use noyes_solver::sat::cnf::{Cnf, Lit, Sink};
use noyes_solver::sat::encoding::{Question, unroll};
use noyes_solver::sat::{KeepName, of_board};
use noyes_solver::{Control, SatOptions, SolveError, Status, Stop, solve};

/// A program that does what a script says.
fn script(folder: &std::path::Path, name: &str, text: &str) -> BackendName {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    format!("cmd:sh {}", path.display()).parse().unwrap()
}

#[test]
fn programs_that_fail_or_lie_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (board, goal) = (
        "1 2 3/4 0 6/7 5 8".parse().unwrap(),
        Board::blank_last(3, 3),
    );
    let ask = |backend| {
        let sat = SatOptions {
            backend,
            ..SatOptions::default()
        };
        solve(&request(&board, &goal, sat), &Control::new())
    };
    let fails = |name: &str, text: &str| {
        let error = ask(script(folder.path(), name, text)).unwrap_err();
        let SolveError::Backend(inner) = &error else {
            panic!("{error}");
        };
        (error.is_unverified(), inner.clone())
    };
    let missing = ask("cmd:/no/such/solver".parse().unwrap()).unwrap_err();
    assert!(matches!(
        missing,
        SolveError::Backend(BackendError::Start { .. })
    ));
    let (lied, error) = fails("garbage", "echo hello; exit 0");
    assert!(
        !lied && error.to_string().contains("exit code 0") && error.to_string().contains("hello")
    );
    let (lied, error) = fails("killed", "kill -9 $$");
    assert!(!lied && error.to_string().contains("a signal"), "{error}");
    let (lied, error) = fails("silent", "exit 10");
    assert!(
        !lied && matches!(error, BackendError::Garbage { .. }),
        "{error}"
    );
    let (lied, error) = fails("words", "echo v one two 0; exit 10");
    assert!(
        !lied && matches!(error, BackendError::Garbage { .. }),
        "{error}"
    );
    let (lied, error) = fails("both", "echo s SATISFIABLE; exit 20");
    assert!(
        !lied && matches!(error, BackendError::Garbage { .. }),
        "{error}"
    );
    let (lied, error) = fails("wrong", "echo s SATISFIABLE; echo v 1 2 3 0; exit 10");
    assert!(
        lied && matches!(error, BackendError::WrongModel { .. }),
        "{error}"
    );
    let (lied, error) = fails("no", "exit 20");
    assert!(
        lied && matches!(error, BackendError::WrongNo { .. }),
        "{error}"
    );
}

#[test]
fn a_program_that_sleeps_is_ended_with_all_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let text = format!("(sleep 2; touch {}) &\nwait", mark.display());
    let sat = SatOptions {
        backend: script(folder.path(), "sleeps", &text),
        ..SatOptions::default()
    };
    let (board, goal) = (
        "1 2 3/4 0 6/7 5 8".parse().unwrap(),
        Board::blank_last(3, 3),
    );
    let control = Control::new().time_limit(Duration::from_millis(200));
    let begun = Instant::now();
    let answer = solve(&request(&board, &goal, sat), &control).unwrap();
    assert_eq!(answer.status, Status::Limit(Stop::Time));
    assert!(begun.elapsed() < Duration::from_secs(2));
    std::thread::sleep(Duration::from_millis(2500));
    assert!(!mark.exists());
}

#[test]
fn a_program_that_keeps_to_the_rules_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let goal = Board::blank_last(3, 3);
    let board: Board = "1 2 3/5 4 6/8 7 0".parse().unwrap(); // 4 by Manhattan distance, 14 in truth
    let (optimum, _) = by_bfs(&board, &goal);
    for name in encodings() {
        // A solver that knows the answer: yes to the formula of the optimum, no to the shorter ones.
        let question = Question {
            k: optimum,
            least: optimum,
        };
        let mut cnf = Cnf::default();
        let mut made = of_board(name, &board, &goal, question);
        unroll(&mut *made, optimum, &mut cnf);
        cnf.clause(&[made.solved_by(optimum)]);
        let model = is_satisfiable(&cnf, &[]).unwrap();
        let lits = (1..).zip(&model).map(|(v, &value)| Lit::of(v).when(value));
        let lits: Vec<String> = lits.map(|l| l.to_string()).collect();
        let answer = folder.path().join("answer");
        // A kept formula has a clause more for each length that was refused.
        let header = format!("p cnf {} ", cnf.variables());
        let known = format!(
            "grep -q '^{header}' $1 || exit 20; cat {} ",
            answer.display()
        );
        for (text, arguments, output) in [
            (
                format!("s SATISFIABLE\nv {}\nv 0\n", lits.join(" ")),
                "",
                "",
            ),
            (format!("SAT\n{} 0\n", lits.join(" ")), " %i %o", "> $2"),
        ] {
            std::fs::write(&answer, text).unwrap();
            let program = script(
                folder.path(),
                "knows",
                &format!("{known} {output}; exit 10"),
            );
            let BackendName::Command(line) = program else {
                unreachable!("it is a program");
            };
            for &keep in KeepName::ALL {
                let sat = SatOptions {
                    encoding: name,
                    backend: BackendName::Command(format!("{line}{arguments}")),
                    keep,
                    ..SatOptions::default()
                };
                assert_optimal(&board, &goal, &sat);
            }
        }
    }
}
