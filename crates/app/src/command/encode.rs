//! `noyes encode`: puzzles as DIMACS files. (As PDDL: `encode_pddl.rs`; as a CSP: `encode_csp.rs`.)

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use noyes_check::board_after;
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, parse_plan};
use noyes_solver::sat::cnf::Cnf;
use noyes_solver::sat::dimacs::{Instance, LevelInstance};
use noyes_solver::sat::encoding::Size;
use noyes_solver::sat::propagate::propagate;
use noyes_solver::sat::{BoardEncoding, EncodingName, LevelEncoding, fit_board, fit_level};
use noyes_solver::{Field, Objective, Request, lower_bound};

use super::{encode_csp, encode_pddl};
use crate::args::{Encode, EncodeFormat};
use crate::ask::{self, Refusal};
use crate::puzzle::Given;
use crate::record::{Encoded, SCHEMA, Subject, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::print::{counted, print, warn};
use crate::terminal::target::Target;
use crate::terminal::{input, limits};

/// The distances of Clausecker and Kaiser's family of instances.
const PAIRS: std::ops::RangeInclusive<usize> = 30..=60;

pub fn run(args: &Encode) -> Result<Exit> {
    limits::stop_flag(); // Ctrl-C removes an unfinished file
    if args.format == EncodeFormat::Pddl {
        return encode_pddl::run(args);
    }
    for (given, flag) in [
        (args.objective.is_some(), "--objective"),
        (args.part.is_some(), "--part"),
    ] {
        if given {
            return Err(BadInput::new(format!("{flag}: only for PDDL: add --format pddl")).into());
        }
    }
    if let Some(path) = &args.pairs {
        let folder = args.output.as_deref().expect("clap asks for it");
        return pairs(args, path, folder);
    }
    let puzzle = args.puzzle.as_deref().expect("clap asks for it");
    let steps = args.steps.ok_or_else(|| {
        BadInput::new(
            "--steps: a DIMACS file needs the most moves a plan may have (expected --steps K)",
        )
    })?;
    let given = input::one_puzzle(puzzle, &args.reading)?;
    let goal = args.reading.goal()?;
    let ask = ask::of(&given, &goal).no_wait(args.rules.no_wait);
    let request = ask::request(ask).map_err(BadInput::from)?;
    match given {
        Given::Board(board) => {
            let goal = goal.of_size(board.width(), board.height());
            let goal = goal.map_err(BadInput::new)?;
            encode_board(args, &board, &goal, steps, &request)
        }
        Given::Level(level) => encode_level(args, &level, steps),
    }
}

fn encode_board(
    args: &Encode,
    board: &Board,
    goal: &Board,
    steps: u32,
    request: &Request,
) -> Result<Exit> {
    note_what_is_known(request, steps);
    let encoding = board_encoding(args, board)?;
    if args.csp {
        return encode_csp::of_board(args, board, goal, encoding, steps);
    }
    let instance = Instance::new(board, goal, encoding, steps).map_err(BadInput::new)?;
    if !args.stats {
        write(&|out| instance.write(out), args.output.as_deref())?;
        return Ok(Exit::Answered);
    }
    let encoded = Encoded {
        goal: Some(goal.to_string()),
        ..encoded(
            Subject::board(board),
            &encoding.to_string(),
            steps,
            instance.cnf(),
            instance.size(),
        )
    };
    write_stats(args, &encoded, instance.size())
}

fn board_encoding(args: &Encode, board: &Board) -> Result<BoardEncoding> {
    let encoding = fit_board(args.encoding, board);
    Ok(encoding.map_err(|e| BadInput::from(Refusal::new(Field::Encoding, e)))?)
}

/// The encoding of a level; the objective follows from it.
fn level_encoding(args: &Encode, level: &Level) -> Result<LevelEncoding> {
    let objective = match args.encoding {
        Some(EncodingName::Level(encoding)) => encoding.objective(),
        _ => Objective::default(),
    };
    let encoding = fit_level(args.encoding, level, objective);
    Ok(encoding.map_err(|e| BadInput::from(Refusal::new(Field::Encoding, e)))?)
}

fn encode_level(args: &Encode, level: &Level, steps: u32) -> Result<Exit> {
    let encoding = level_encoding(args, level)?;
    if args.csp {
        return encode_csp::of_level(args, level, encoding, steps);
    }
    let instance = LevelInstance::new(level, encoding, steps, !args.rules.no_wait);
    let instance = instance.map_err(BadInput::new)?;
    match instance.lower() {
        None => warn("noyes: this level is unsolvable, so the formula is unsatisfiable"),
        Some(lower) if steps < lower => warn(format_args!(
            "noyes: at least {} needed, so the formula is unsatisfiable",
            counted(lower as usize, "step is", "steps are")
        )),
        Some(_) => {}
    }
    if !args.stats {
        write(&|out| instance.write(out), args.output.as_deref())?;
        return Ok(Exit::Answered);
    }
    let encoded = encoded(
        Subject::level(level),
        &encoding.to_string(),
        steps,
        instance.cnf(),
        instance.size(),
    );
    write_stats(args, &encoded, instance.size())
}

/// The record of a formula.
fn encoded(
    subject: Subject,
    encoding: &str,
    at_most: u32,
    cnf: &Cnf,
    size: Option<Size>,
) -> Encoded {
    let propagated = propagate(cnf);
    Encoded {
        schema: SCHEMA,
        subject,
        goal: None,
        encoding: encoding.into(),
        at_most,
        variables: cnf.variables(),
        clauses: cnf.clauses().len(),
        clauses_simplified: propagated.clauses,
        refuted: propagated.refuted,
        csp_variables: size.map(|s| s.variables),
        essential_constraints: size.map(|s| s.essential),
        additional_constraints: size.map(|s| s.additional),
        manhattan_variables: size.map(|s| s.manhattan_variables),
        manhattan_constraints: size.map(|s| s.manhattan),
    }
}

/// Writes the size of a formula instead of the formula.
fn write_stats(args: &Encode, encoded: &Encoded, size: Option<Size>) -> Result<Exit> {
    let text = if args.json {
        json_line(encoded)
    } else {
        sizes(encoded) + &size.map_or(String::new(), csp_words)
    };
    let mut target = Target::open(args.output.as_deref())?;
    target.write(&text)?;
    target.finish()?;
    Ok(Exit::Answered)
}

/// Warns if the answer is known without a solver. The file is written all the same.
fn note_what_is_known(request: &Request, steps: u32) {
    if request.puzzle().why_unsolvable().is_some() {
        warn("noyes: this puzzle is unsolvable, so the formula is unsatisfiable");
        return;
    }
    let lower = lower_bound(request);
    if steps < lower {
        warn(format_args!(
            "noyes: at least {} needed, so the formula is unsatisfiable",
            counted(lower as usize, "move is", "moves are")
        ));
    }
}

/// A target as a writer; keeps the target's own error.
struct Pieces {
    target: Target,
    failed: Option<anyhow::Error>,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        match self.target.write(text) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                self.failed = Some(error);
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(what: &dyn Fn(&mut dyn Write) -> io::Result<()>, path: Option<&Path>) -> Result<()> {
    let pieces = Pieces {
        target: Target::open(path)?,
        failed: None,
    };
    let mut out = io::BufWriter::with_capacity(1 << 16, pieces);
    let done = what(&mut out).and_then(|()| out.flush());
    let (pieces, _) = out.into_parts();
    match (pieces.failed, done) {
        (Some(error), _) => Err(error),
        (None, done) => {
            done?;
            pieces.target.finish()
        }
    }
}

/// The size of a formula in words.
fn sizes(encoded: &Encoded) -> String {
    format!(
        "{} on {} at {}\nCNF: {} variables, {} clauses\nunit propagation: {} clauses left{}\n",
        encoded.encoding,
        encoded.subject.size.as_deref().unwrap_or_default(),
        counted(encoded.at_most as usize, "step", "steps"),
        encoded.variables,
        encoded.clauses,
        encoded.clauses_simplified,
        if encoded.refuted {
            ", and there is no such plan"
        } else {
            ""
        }
    )
}

/// The size as the encoding's paper counts it.
fn csp_words(size: Size) -> String {
    let mut text = format!(
        "CSP: {} variables, {} essential constraints, {} additional constraints\n",
        size.variables, size.essential, size.additional
    );
    if size.manhattan > 0 {
        let _ = writeln!(
            text,
            "Manhattan distance: {} more variables, {} more constraints",
            size.manhattan_variables, size.manhattan
        );
    }
    text
}

/// Clausecker and Kaiser's family: the boards on a plan, by their distance from its end.
fn pairs(args: &Encode, path: &Path, folder: &Path) -> Result<Exit> {
    let name = path.display().to_string();
    let text = input::read_all(&name)?;
    let mut lines = text
        .lines()
        .map(|l| l.split('#').next().unwrap_or_default().trim());
    let mut line = |what: &str| {
        let found = lines.by_ref().find(|l| !l.is_empty());
        found.ok_or_else(|| BadInput::new(format!("{name}: expected {what}")))
    };
    let board = line("a board, and a line of moves after it")?;
    let board = Board::parse(board, args.reading.size)
        .map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    let plan = parse_plan(
        line("a line of moves after the board")?,
        args.reading.notation(),
    )
    .map_err(|e| BadInput::new(format!("{name}: plan: {e}")))?;
    let goal = args.reading.goal()?.of_size(board.width(), board.height());
    let goal = goal.map_err(BadInput::new)?;
    let encoding = board_encoding(args, &board)?;
    let reached = board_after(&board, &plan).map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    if reached != goal {
        return Err(BadInput::new(format!(
            "{name}: the moves lead to {reached}, not to the goal {goal} (is --goal missing?)"
        ))
        .into());
    }
    if plan.len() < *PAIRS.start() {
        return Err(BadInput::new(format!(
            "{name}: {} (expected at least {})",
            counted(plan.len(), "move", "moves"),
            PAIRS.start()
        ))
        .into());
    }
    std::fs::create_dir_all(folder)
        .map_err(|e| BadInput::new(format!("cannot make {}: {e}", folder.display())))?;
    let mut files = 0;
    for k in PAIRS.filter(|&k| k <= plan.len()) {
        let on_the_way = board_after(&board, &plan[..plan.len() - k]).map_err(BadInput::new)?;
        for (steps, answer) in [(k, "sat"), (k - 2, "unsat")] {
            let instance = Instance::new(&on_the_way, &goal, encoding, steps as u32)
                .map_err(|e| BadInput::new(format!("{name}: {e}")))?;
            let file = folder.join(format!("{k}-{answer}.cnf"));
            write(&|out| instance.write(out), Some(&file))?;
            files += 1;
        }
    }
    print(&format!("{files} files in {}\n", folder.display()))?;
    Ok(Exit::Answered)
}
