//! `noyes certify`: a plan, and a proof that nothing cheaper exists, verified and kept.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use noyes_check::Case;
use noyes_puzzle::sokoban::{Level, Walks};
use noyes_puzzle::tiles::{Board, Goal, write_plan};
use noyes_solver::prove::CertifyError;
use noyes_solver::{Answer, Control, Objective, Plan, Status, solve};

use crate::args::{Certify, Check, Proving, Reading};
use crate::ask;
use crate::certificates::{self, Made};
use crate::puzzle::{Given, level, tiles};
use crate::record::{Certified, Subject, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::{BadInput, in_plan};
use crate::terminal::input;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{complain, print};
use crate::terminal::progress::watched;
use crate::terminal::tables;

pub fn run(args: &Certify) -> Result<Exit> {
    input::only_one_dash(args.puzzles.iter().map(String::as_str).chain(args.plan.as_deref()))?;
    let goal = args.reading.goal()?;
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder)
            .map_err(|e| BadInput::new(format!("cannot make {}: {e}", folder.display())))?;
    }
    limits::stop_flag();
    let _running = Running::new();
    let mut worst = Exit::Answered;
    let mut number = 0;
    for argument in &args.puzzles {
        let mut failure = None;
        input::puzzles(argument, &args.reading, &mut |item| {
            number += 1;
            let name = item.text.clone();
            let done = item.puzzle().and_then(|given| one(args, &goal, &given, number, &name));
            match done {
                Ok(exit) => worst = worst.max(exit),
                Err(error) => failure = Some(error),
            }
            failure.is_none() && !limits::interrupted()
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
    }
    Ok(if limits::interrupted() { worst.max(Exit::Interrupted) } else { worst })
}

/// Certifies one puzzle.
fn one(args: &Certify, goal: &Goal, given: &Given, number: usize, name: &str) -> Result<Exit> {
    let memory = limits::memory_limit(&args.limits, 1);
    let control = limits::control(args.limits.time_limit, memory);
    let wish = Wish {
        given,
        goal,
        reading: &args.reading,
        objective: args.goodness.objective,
        no_wait: args.rules.no_wait,
        proving: &args.proving,
    };
    let plan = args.plan.as_deref().map(input::plan).transpose()?;
    let keep = args.output.as_deref().map(|folder| Keep {
        path: folder.join(format!("{number}.cert")),
        export: args.export,
    });
    let (record, exit) = wish.certified(plan.as_deref(), keep.as_ref(), &control)?;
    tell(&record, args.json, name)?;
    Ok(exit)
}

/// `noyes check --optimal`: the same for a given plan, without a file.
pub fn check(args: &Check, goal: &Goal, given: &Given) -> Result<Exit> {
    limits::stop_flag();
    let _running = Running::new();
    let memory = limits::memory_limit(&args.limits, 1);
    let control = limits::control(args.limits.time_limit, memory);
    let wish = Wish {
        given,
        goal,
        reading: &args.reading,
        objective: args.goodness.objective,
        no_wait: args.rules.no_wait,
        proving: &Proving::default(),
    };
    let plan = input::plan(&args.plan)?;
    let (record, exit) = wish.certified(Some(&plan), None, &control)?;
    tell(&record, args.json, "the plan")?;
    Ok(exit)
}

/// Prints a record, as JSON or in words.
fn tell(record: &Certified, json: bool, name: &str) -> Result<()> {
    if json {
        print(&json_line(record))?;
    }
    if let Some(why) = &record.error {
        complain(format_args!("noyes: {name}: no certificate: {why}"));
    } else if !json {
        print(&words(record))?;
    }
    Ok(())
}

/// A certificate in words.
pub fn words(record: &Certified) -> String {
    let mut text = format!("VERIFIED: {}\n", record.proved.as_deref().unwrap_or_default());
    for reason in &record.because {
        let _ = writeln!(text, "  - {reason}");
    }
    let _ = writeln!(
        text,
        "  {} bytes, proved in {:.3} s, checked in {:.3} s",
        record.certificate_bytes.unwrap_or_default(),
        record.prove_s.unwrap_or_default(),
        record.check_s.unwrap_or_default()
    );
    if let Some(path) = &record.certificate {
        let _ = writeln!(text, "  check it again: noyes-check {path}");
    }
    text
}

/// Where a certificate is kept.
pub struct Keep {
    pub path: PathBuf,
    /// Also in the formats of other checkers.
    pub export: bool,
}

fn keep(made: Made, keep: &Keep) -> Result<()> {
    let path = &keep.path;
    let has_proof = made.verdict.steps > 0;
    made.keep(path)
        .map_err(|e| BadInput::new(format!("cannot write {}: {e}", path.display())))?;
    if keep.export && has_proof {
        let (cnf, lrat) = (path.with_extension("cnf"), path.with_extension("lrat"));
        certificates::export(path, &cnf, &lrat)
            .map_err(|e| anyhow::anyhow!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// What is to be certified, and how.
pub struct Wish<'a> {
    pub given: &'a Given,
    pub goal: &'a Goal,
    pub reading: &'a Reading,
    pub objective: Option<Objective>,
    pub no_wait: bool,
    pub proving: &'a Proving,
}

/// Why there is no certificate.
enum Failure {
    Input(BadInput),
    None(Exit, String),
}

impl From<BadInput> for Failure {
    fn from(error: BadInput) -> Failure {
        Failure::Input(error)
    }
}

impl Wish<'_> {
    /// The record before there is a certificate.
    fn record(&self) -> Result<Certified, BadInput> {
        Ok(match self.given {
            Given::Board(board) => {
                let goal = self.goal_of(board)?;
                let mut record = Certified::new(Subject::board(board), "moves");
                record.goal = Some(goal.to_string());
                record
            }
            Given::Level(level) => {
                let unit = match self.objective.unwrap_or_default() {
                    _ if level.players().len() > 1 => "steps",
                    Objective::Moves => "moves",
                    Objective::Pushes => "pushes",
                };
                Certified::new(Subject::level(level), unit)
            }
        })
    }

    fn goal_of(&self, board: &Board) -> Result<Board, BadInput> {
        self.goal.of_size(board.width(), board.height()).map_err(BadInput::new)
    }

    /// The record of a certificate, with a plan as text or, without one, with the plan of a solver.
    pub fn certified(
        &self,
        plan: Option<&str>,
        to: Option<&Keep>,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        let case = match plan {
            Some(text) => self.with_plan(text),
            None => self.solved(control),
        };
        self.recorded(case, to, control)
    }

    /// The same for an answer that a solver has given.
    pub fn certified_answer(
        &self,
        answer: &Answer,
        to: &Keep,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        self.recorded(self.answered(answer), Some(to), control)
    }

    fn recorded(
        &self,
        case: Result<Case, Failure>,
        to: Option<&Keep>,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        let mut record = self.record()?;
        let folder = to.and_then(|to| to.path.parent());
        let made = case.and_then(|case| {
            record.plan = self.plan_text(&case);
            self.made(case, folder, control)
        });
        match made {
            Ok(made) => {
                let mut record = record.with(&made.verdict);
                record.certificate_bytes = Some(made.bytes);
                record.prove_s = Some(made.proving.as_secs_f64());
                record.check_s = Some(made.checking.as_secs_f64());
                if let Some(to) = to {
                    keep(made, to)?;
                    record.certificate = Some(to.path.display().to_string());
                }
                Ok((record, Exit::Answered))
            }
            Err(Failure::Input(error)) => Err(error.into()),
            Err(Failure::None(exit, why)) => {
                record.error = Some(why);
                Ok((record, exit))
            }
        }
    }

    fn plan_text(&self, case: &Case) -> Option<String> {
        match case {
            Case::Tiles(case) => {
                let notation = self.reading.notation();
                case.plan.as_ref().map(|plan| write_plan(plan, notation))
            }
            Case::Level(case) => case.plan.as_ref().map(|plan| plan.write(&case.level)),
        }
    }

    fn made(&self, case: Case, folder: Option<&Path>, control: &Control) -> Result<Made, Failure> {
        let prover = self.proving.prover;
        let made = watched("proving", control, || {
            certificates::make(case, prover, folder, control)
        });
        made.map_err(|error| {
            let exit = match &error {
                CertifyError::Stopped(stop) => (*stop).into(),
                CertifyError::Write(_) => Exit::Failure,
                CertifyError::TooLarge(_) | CertifyError::NoSat => Exit::Limit,
                _ => Exit::Unverified,
            };
            Failure::None(exit, error.to_string())
        })
    }

    fn with_plan(&self, text: &str) -> Result<Case, Failure> {
        let case = match self.given {
            Given::Board(board) => {
                let plan = tiles::read_plan(text, board, self.reading.notation()).map_err(in_plan)?;
                certificates::of_board(board, &self.goal_of(board)?, Some(plan), &self.proving.axioms)
            }
            Given::Level(level) => {
                let plan = level::read_plan(text, level).map_err(in_plan)?;
                self.level_case(level, Some(plan))
            }
        };
        case.map_err(|what| BadInput::new(what).into())
    }

    fn level_case(&self, level: &Level, plan: Option<Walks>) -> Result<Case, String> {
        certificates::of_level(level, plan, self.objective.unwrap_or_default(), self.no_wait)
    }

    /// Solves the puzzle first.
    fn solved(&self, control: &Control) -> Result<Case, Failure> {
        let ask = ask::of(self.given, self.goal)
            .objective(self.objective)
            .no_wait(self.no_wait)
            .cache(tables::shared(None));
        let request = ask::request(ask).map_err(BadInput::from)?;
        let answer = watched("searching", control, || solve(&request, control));
        let answer = answer.map_err(|e| Failure::None(Exit::of_error(&e), e.to_string()))?;
        match answer.status {
            Status::Optimal | Status::Unsolvable => {}
            Status::Limit(stop) => {
                let why = format!("the puzzle was not solved: {}", limits::in_words(stop));
                return Err(Failure::None(stop.into(), why));
            }
            Status::Solved => {
                let why = "the plan that was found is not proven optimal".to_string();
                return Err(Failure::None(Exit::Limit, why));
            }
        }
        self.answered(&answer)
    }

    /// The case of an optimal plan, or of an unsolvable puzzle.
    fn answered(&self, answer: &Answer) -> Result<Case, Failure> {
        let plan = answer.plan.as_ref();
        let case = match self.given {
            Given::Board(board) => {
                let plan = plan.and_then(Plan::directions).map(<[_]>::to_vec);
                certificates::of_board(board, &self.goal_of(board)?, plan, &self.proving.axioms)
            }
            Given::Level(level) => self.level_case(level, plan.and_then(Plan::walks).cloned()),
        };
        case.map_err(|why| Failure::None(Exit::Limit, why))
    }
}
