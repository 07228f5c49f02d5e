//! `noyes certify`: a plan, and a proof that nothing cheaper exists, verified and kept.

use std::fmt::Write as _;

use anyhow::Result;
use noyes_puzzle::tiles::Goal;

use crate::args::{Certify, Check, Proving};
use crate::certificates::{Keep, Wish};
use crate::puzzle::Given;
use crate::record::{Certified, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::input;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{complain, print};
use crate::terminal::progress::watched;
use crate::terminal::tables;
use crate::terminal::target;

pub fn run(args: &Certify) -> Result<Exit> {
    input::only_one_dash(
        args.puzzles
            .iter()
            .map(String::as_str)
            .chain(args.plan.as_deref()),
    )?;
    let goal = args.reading.goal()?;
    if let Some(folder) = &args.output {
        target::make_folder(folder)?;
    }
    limits::stop_flag();
    let _running = Running::new();
    let mut worst = Exit::Answered;
    let mut number = 0;
    for argument in &args.puzzles {
        input::puzzles(argument, &args.reading, &mut |item| {
            number += 1;
            let name = item.text.clone();
            let done = item
                .puzzle()
                .and_then(|given| one(args, &goal, &given, number, &name));
            match done {
                Ok(exit) => worst = worst.max(exit),
                Err(error) => {
                    complain(format_args!("noyes: {error}"));
                    worst = worst.max(Exit::BadInput);
                }
            }
            !limits::interrupted()
        })?;
    }
    Ok(if limits::interrupted() {
        worst.max(Exit::Interrupted)
    } else {
        worst
    })
}

/// Certifies one puzzle.
fn one(args: &Certify, goal: &Goal, given: &Given, number: usize, name: &str) -> Result<Exit> {
    let memory = limits::memory_limit(&args.limits, 1);
    let control = limits::control(args.limits.time_limit, memory);
    let wish = Wish::new(
        (given, goal),
        &args.reading,
        (args.goodness.objective, args.rules.no_wait),
        &args.proving,
        tables::shared(None),
    );
    let plan = args.plan.as_deref().map(input::plan).transpose()?;
    let keep = args.output.as_deref().map(|folder| Keep {
        path: folder.join(format!("{number}.cert")),
        export: args.export,
    });
    let certified = watched("certifying", &control, || {
        wish.certified(plan.as_deref(), keep.as_ref(), &control)
    });
    let (record, exit) = certified?;
    tell(&record, args.json, name)?;
    Ok(exit)
}

/// `noyes check --optimal`: the same for a given plan, without a file.
pub fn check(args: &Check, goal: &Goal, given: &Given) -> Result<Exit> {
    limits::stop_flag();
    let _running = Running::new();
    let memory = limits::memory_limit(&args.limits, 1);
    let control = limits::control(args.limits.time_limit, memory);
    let proving = Proving::default();
    let wish = Wish::new(
        (given, goal),
        &args.reading,
        (args.goodness.objective, args.rules.no_wait),
        &proving,
        tables::shared(None),
    );
    let plan = input::plan(&args.plan)?;
    let certified = watched("certifying", &control, || {
        wish.certified(Some(&plan), None, &control)
    });
    let (record, exit) = certified?;
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
    let mut text = format!(
        "VERIFIED: {}\n",
        record.proved.as_deref().unwrap_or_default()
    );
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
