//! Any program that reads DIMACS and keeps to the rules of the SAT competitions.
//!
//! The formula, with the assumptions as clauses of one literal, goes to a file in a folder of its own; the program gets
//! the name of the file as its last argument, and answers by its exit code, 10 or 20, and by `v` lines. MiniSat and
//! others of its age write the model to a second file instead: where an argument is `%o`, that is its name, and `%i`
//! that of the formula. What it prints goes to files too, so that no pipe runs full; at a limit it is killed, with all
//! that it started. Nothing it says is believed: a model is held against every clause.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{self, Child, Stdio};
use std::sync::Mutex;
use std::thread;

use super::{Backend, BackendError, Verdict, Watch};
use crate::sat::cnf::{Cnf, Lit, Sink};
use crate::sat::dimacs;

/// Programs under way, for those who end this one without unwinding.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(vec![]);

/// Ends all programs that were started as solvers.
pub fn end_programs() {
    if let Ok(running) = RUNNING.try_lock() {
        running.iter().copied().for_each(kill_group);
    }
}

/// A program that runs; dropped, it is ended.
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

/// Ends a program and whatever it started.
fn kill_group(id: u32) {
    let _ = process::Command::new("kill")
        .args(["-KILL", "--", &format!("-{id}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}

/// A program as a solver.
pub struct Command {
    line: String,
    cnf: Cnf,
    model: Vec<bool>,
}

impl Command {
    /// The program of this command line.
    pub fn new(line: &str) -> Command {
        Command {
            line: line.into(),
            cnf: Cnf::default(),
            model: vec![],
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
                    .map_err(garbage)?;
                let model = model.ok_or_else(|| {
                    garbage("exit code 10, but no model: no line starts with v (programs that write it to a file take its name as %o)".into())
                })?;
                // What is left out may be anything.
                let model: Vec<bool> = model.into_iter().map(|v| v.unwrap_or(false)).collect();
                let holds = |lit: Lit| model[lit.unsigned_abs() as usize - 1] == (lit > 0);
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
            dimacs::write(&self.cnf, assumptions, &mut file)?;
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
        self.model[lit.unsigned_abs() as usize - 1] == (lit > 0)
    }

    fn counts(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// The values that `v` lines give to so many variables, none for those that are not named; none at all if there are no
/// such lines.
///
/// # Errors
/// If a `v` line holds anything but literals of these variables, or contradicts another.
pub fn read_model(text: &str, variables: usize) -> Result<Option<Vec<Option<bool>>>, String> {
    let mut model = vec![None; variables];
    let mut found = false;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if words.next() != Some("v") {
            continue;
        }
        found = true;
        for word in words {
            let lit: i64 = word
                .parse()
                .map_err(|_| format!("{:?} in a v line is no literal", printable(word)))?;
            let variable = lit.unsigned_abs() as usize;
            if variable > variables {
                return Err(format!("variable {variable} in a v line, of {variables}"));
            }
            if variable > 0 {
                let before = model[variable - 1].replace(lit > 0);
                if before.is_some_and(|before| before != (lit > 0)) {
                    return Err(format!("variable {variable} is both true and false"));
                }
            }
        }
    }
    Ok(found.then_some(model))
}

/// A model file after MiniSat as `v` lines.
fn as_v_lines(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
    lines.flat_map(|l| ["v ", l, "\n"]).collect()
}

/// The beginning of a file, as a text.
fn beginning(path: &Path) -> String {
    let mut bytes = vec![];
    let _ = File::open(path).map(|file| file.take(1 << 16).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn printable(text: &str) -> String {
    let printable = |c: char| if c.is_control() { '?' } else { c };
    text.chars().take(100).map(printable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_read_from_v_lines() {
        let model = |text| read_model(text, 3);
        assert_eq!(
            model("c v 1\ns SATISFIABLE\nv 1 -2\nv 3 0\n"),
            Ok(Some(vec![Some(true), Some(false), Some(true)]))
        );
        assert_eq!(model("v -1 0"), Ok(Some(vec![Some(false), None, None])));
        assert!(
            model("v 1 -1 0")
                .unwrap_err()
                .contains("both true and false")
        );
        assert_eq!(model("s SATISFIABLE\n"), Ok(None));
        assert!(model("v 1 4 0").unwrap_err().contains("variable 4"));
        assert!(model("v 1 x\u{1b} 0").unwrap_err().contains("\"x?\""));
        assert!(model("v 9999999999999999999999 0").is_err());
        assert_eq!(
            model(&as_v_lines("SAT\n1 2 -3 0\n")),
            Ok(Some(vec![Some(true), Some(true), Some(false)]))
        );
    }
}
