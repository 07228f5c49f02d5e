//! Any program that reads DIMACS and follows the rules of the SAT competitions.
//!
//! The formula, with the assumptions as unit clauses, goes to a file in a temporary folder. The program gets the name of
//! the file as its last argument, and answers by its exit code, 10 or 20, and by `v` lines. MiniSat and other older
//! solvers write the model to a second file instead: the argument `%o` stands for its name, and `%i` for that of the
//! formula. The program's output goes to files, too, so that no pipe fills up. At a limit we kill it and everything it
//! started: they are one process group. We trust nothing it says: its model is checked against every clause.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{self, Child, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::thread;

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

use super::model::{as_v_lines, printable, read_model};
use super::solver::{Backend, BackendError};
use super::watch::{Shared, Taken, Verdict, Watch};
use crate::sat::cnf::{Cnf, Lit, Sink};

/// Running programs, for an exit without unwinding.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(vec![]);

/// Ends all programs that were started as solvers.
pub fn end_programs() {
    if let Ok(running) = RUNNING.try_lock() {
        running.iter().copied().for_each(kill_group);
    }
}

/// A running program, ended when dropped.
struct Running(Child);

impl Running {
    fn new(child: Child) -> Running {
        if let Ok(mut running) = RUNNING.lock() {
            running.push(child.id());
        }
        Running(child)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            kill_group(self.0.id());
            let _ = self.0.kill(); // where there are no groups
            let _ = self.0.wait();
        }
        if let Ok(mut running) = RUNNING.lock() {
            running.retain(|&id| id != self.0.id());
        }
    }
}

/// Ends a program and all that it started.
fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Some(group) = Pid::from_raw(id as i32) {
        let _ = kill_process_group(group, Signal::KILL); // it may have ended
    }
    #[cfg(not(unix))]
    let _ = id; // no groups: the program itself is killed
}

/// A program as a solver.
pub struct Command {
    line: String,
    cnf: Cnf,
    model: Vec<bool>,
    taken: Rc<Taken>,
}

impl Command {
    /// The program of this command line.
    pub fn new(line: &str, shared: &Arc<Shared>) -> Command {
        Command {
            line: line.into(),
            cnf: Cnf::default(),
            model: vec![],
            taken: Taken::new(shared),
        }
    }

    fn program(&self) -> String {
        self.line
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .into()
    }

    fn file_error(&self, why: &std::io::Error) -> BackendError {
        BackendError::File {
            program: self.program(),
            why: why.to_string(),
        }
    }

    fn start(&self, folder: &Path) -> Result<Child, BackendError> {
        let (input, output) = (folder.join("formula.cnf"), folder.join("model"));
        let create = |name| File::create(folder.join(name)).map_err(|e| self.file_error(&e));
        let mut words = self.line.split_whitespace();
        let mut command = process::Command::new(words.next().unwrap_or_default());
        let mut is_named = false;
        for word in words {
            match word {
                "%o" => command.arg(&output),
                "%i" => {
                    is_named = true;
                    command.arg(&input)
                }
                word => command.arg(word),
            };
        }
        if !is_named {
            command.arg(&input);
        }
        command
            .stdin(Stdio::null())
            .stdout(create("stdout")?)
            .stderr(create("stderr")?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map_err(|error| BackendError::Start {
            program: self.program(),
            why: error.to_string(),
        })
    }

    /// What the exit code and the output say.
    fn read(
        &mut self,
        status: process::ExitStatus,
        folder: &Path,
        assumptions: &[Lit],
    ) -> Result<Verdict, BackendError> {
        let program = self.program();
        let said = beginning(&folder.join("stdout"));
        let garbage = |why: String| BackendError::Garbage {
            program: program.clone(),
            why,
        };
        let says = |what: &str| said.lines().any(|l| l.trim() == what);
        match status.code() {
            Some(20) if says("s SATISFIABLE") => {
                Err(garbage("exit code 20, but \"s SATISFIABLE\"".into()))
            }
            Some(10) if says("s UNSATISFIABLE") => {
                Err(garbage("exit code 10, but \"s UNSATISFIABLE\"".into()))
            }
            Some(20) => Ok(Verdict::Unsatisfiable),
            Some(10) => {
                let text = |name| fs::read(folder.join(name)).unwrap_or_default();
                let printed = String::from_utf8_lossy(&text("stdout")).into_owned();
                let written = String::from_utf8_lossy(&text("model")).into_owned();
                let model = read_model(&printed, self.cnf.variables())
                    .and_then(|model| match model {
                        Some(model) => Ok(Some(model)),
                        None => read_model(&as_v_lines(&written), self.cnf.variables()),
                    })
                    .map_err(|error| garbage(error.to_string()))?;
                let model = model.ok_or_else(|| {
                    garbage("exit code 10, but no model: no line starts with v (programs that write it to a file take its name as %o)".into())
                })?;
                // Variables left out may have any value.
                let model: Vec<bool> = model.into_iter().map(|v| v.unwrap_or(false)).collect();
                let holds = |lit: Lit| lit.holds_in(&model);
                let wrong = |why| BackendError::WrongModel {
                    program: program.clone(),
                    why,
                };
                if let Some(clause) = self.cnf.violated(holds) {
                    return Err(wrong(format!(
                        "clause {clause} of the formula does not hold"
                    )));
                }
                if let Some(lit) = assumptions.iter().find(|&&lit| !holds(lit)) {
                    return Err(wrong(format!("the clause {lit} does not hold")));
                }
                self.model = model;
                Ok(Verdict::Satisfiable)
            }
            code => {
                let complaint = [said, beginning(&folder.join("stderr"))]
                    .iter()
                    .flat_map(|text| text.lines())
                    .map(str::trim)
                    .find(|line| !line.is_empty())
                    .map(printable);
                Err(BackendError::Exit {
                    program: program.clone(),
                    ended: code.map_or("a signal".into(), |code| format!("exit code {code}")),
                    said: complaint.map_or(String::new(), |line| format!("; it said: {line}")),
                })
            }
        }
    }
}

impl Sink for Command {
    fn variable(&mut self) -> Lit {
        self.cnf.variable()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.taken.clause(lits.len());
        self.cnf.clause(lits);
    }
}

impl Backend for Command {
    fn solve(&mut self, assumptions: &[Lit], watch: &Watch) -> Result<Verdict, BackendError> {
        if let Some(end) = watch.end() {
            return Ok(end);
        }
        let folder = tempfile::Builder::new()
            .prefix("noyes-")
            .tempdir()
            .map_err(|e| self.file_error(&e))?;
        let write = || {
            let mut file =
                std::io::BufWriter::new(File::create(folder.path().join("formula.cnf"))?);
            self.cnf.write(assumptions, &mut file)?;
            std::io::Write::flush(&mut file)
        };
        write().map_err(|e| self.file_error(&e))?;
        let mut program = Running::new(self.start(folder.path())?);
        loop {
            let status = program.0.try_wait().map_err(|e| self.file_error(&e))?;
            if let Some(status) = status {
                return self.read(status, folder.path(), assumptions);
            }
            if let Some(end) = watch.end() {
                return Ok(end);
            }
            thread::sleep(Watch::PERIOD);
        }
    }

    fn holds(&mut self, lit: Lit) -> bool {
        lit.holds_in(&self.model)
    }

    fn counts(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// The beginning of a file, as a text.
fn beginning(path: &Path) -> String {
    let mut bytes = vec![];
    let _ = File::open(path).map(|file| file.take(1 << 16).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}
