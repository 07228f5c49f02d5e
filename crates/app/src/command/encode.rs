//! `noyes encode`: questions as DIMACS files. (As PDDL: `pddl.rs`.)

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use noyes_check::board_after;
use noyes_puzzle::sokoban::{Level, write_rle};
use noyes_puzzle::tiles::{Board, Goal, parse_plan};
use noyes_solver::sat::cnf::Cnf;
use noyes_solver::sat::dimacs::{Instance, LevelInstance};
use noyes_solver::sat::encoding::Size;
use noyes_solver::sat::{BoardEncoding, EncodingName, fit_board, fit_level};
use noyes_solver::{Objective, Request, lower_bound, why_unsolvable};
use serde::Serialize;

use crate::args::{Encode, EncodeFormat};
use crate::command::pddl;
use crate::puzzle::level;
use crate::record::{SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input::{self, Given};
use crate::terminal::print::complain;
use crate::terminal::print::{counted, print};
use crate::terminal::target::Target;

/// The distances of Clausecker and Kaiser's family of instances.
const PAIRS: std::ops::RangeInclusive<usize> = 30..=60;

/// The size of a formula as JSON.
#[derive(Serialize)]
struct Record {
    schema: &'static str,
    puzzle: String,
    size: String,
    goal: String,
    encoding: String,
    steps: u32,
    variables: usize,
    clauses: usize,
    csp_variables: Option<u64>,
    essential_constraints: Option<u64>,
    additional_constraints: Option<u64>,
    manhattan_variables: Option<u64>,
    manhattan_constraints: Option<u64>,
}

pub fn run(args: &Encode) -> Result<Exit> {
    if args.format == EncodeFormat::Pddl {
        return pddl::encode(args);
    }
    for (given, flag) in [
        (args.objective.is_some(), "--objective"),
        (args.part.is_some(), "--part"),
    ] {
        if given {
            return Err(BadInput::new(format!("{flag} is about PDDL: add --format pddl")).into());
        }
    }
    if let Some(path) = &args.pairs {
        let folder = args.output.as_deref().expect("clap asks for it");
        return pairs(args, path, folder);
    }
    let puzzle = args.puzzle.as_deref().expect("clap asks for it");
    let steps = args.steps.ok_or_else(|| {
        BadInput::new("a DIMACS file asks for a plan of so many moves: expected --steps K")
    })?;
    let board = match input::one_puzzle(puzzle, &args.reading)? {
        Given::Board(board) => board,
        Given::Level(level) => return encode_level(args, &level, steps),
    };
    if args.rules.no_wait {
        return Err(BadInput::new("--no-wait is about levels of Sokoban, not about boards").into());
    }
    let goal = goal(args, &board)?;
    note_what_is_known(&board, &goal, steps);
    let encoding = encoding(args, &board)?;
    let instance = Instance::new(&board, &goal, encoding, steps).map_err(BadInput::new)?;
    if args.stats {
        let mut target = Target::open(args.output.as_deref())?;
        target.write(&stats(&instance, args.json))?;
        target.finish()?;
    } else {
        write(&|out| instance.write(out), args.output.as_deref())?;
    }
    Ok(Exit::Answered)
}

/// The encoding of a board.
fn encoding(args: &Encode, board: &Board) -> Result<BoardEncoding> {
    Ok(fit_board(args.encoding, board).map_err(BadInput::new)?)
}

/// The size of a level's formula as JSON.
#[derive(Serialize)]
struct LevelRecord {
    schema: &'static str,
    puzzle: &'static str,
    level: String,
    size: String,
    players: usize,
    encoding: String,
    steps: u32,
    variables: usize,
    clauses: usize,
    csp_variables: Option<u64>,
    essential_constraints: Option<u64>,
    additional_constraints: Option<u64>,
}

fn encode_level(args: &Encode, level: &Level, steps: u32) -> Result<Exit> {
    // An encoding says what it counts; without one it is pushes.
    let objective = match args.encoding {
        Some(EncodingName::Level(encoding)) => encoding.objective(),
        _ => Objective::default(),
    };
    let encoding = fit_level(args.encoding, level, objective).map_err(BadInput::new)?;
    let instance = LevelInstance::new(level, encoding, steps, !args.rules.no_wait);
    let instance = instance.map_err(BadInput::new)?;
    match instance.lower() {
        None => complain("noyes: this level is unsolvable, so the formula is unsatisfiable"),
        Some(lower) if steps < lower => complain(format_args!(
            "noyes: at least {} needed, so the formula is unsatisfiable",
            counted(lower as usize, "step is", "steps are")
        )),
        Some(_) => {}
    }
    let path = args.output.as_deref();
    if !args.stats {
        write(&|out| instance.write(out), path)?;
        return Ok(Exit::Answered);
    }
    let (cnf, csp) = (instance.cnf(), instance.size());
    let size = level::size(level);
    let text = if args.json {
        json_line(&LevelRecord {
            schema: SCHEMA,
            puzzle: "sokoban",
            level: write_rle(level),
            size,
            players: level.players().len(),
            encoding: instance.encoding.to_string(),
            steps,
            variables: cnf.variables(),
            clauses: cnf.clauses().len(),
            csp_variables: csp.map(|s| s.variables),
            essential_constraints: csp.map(|s| s.essential),
            additional_constraints: csp.map(|s| s.additional),
        })
    } else {
        sizes(&instance.encoding.to_string(), &size, steps, cnf)
            + &csp.map_or(String::new(), csp_words)
    };
    let mut target = Target::open(path)?;
    target.write(&text)?;
    target.finish()?;
    Ok(Exit::Answered)
}

pub fn goal(args: &Encode, board: &Board) -> Result<Board> {
    let goal = args.reading.goal()?.of_size(board.width(), board.height());
    Ok(goal.map_err(BadInput::new)?)
}

/// Says so where the answer is known without a solver. The file is written all the same.
fn note_what_is_known(board: &Board, goal: &Board, steps: u32) {
    let request = Request::board(board.clone(), &Goal::Board(goal.clone()));
    let Ok(request) = request else { return };
    if why_unsolvable(request.puzzle()).is_some() {
        complain("noyes: this puzzle is unsolvable, so the formula is unsatisfiable");
        return;
    }
    let lower = lower_bound(&request);
    if steps < lower {
        complain(format_args!(
            "noyes: at least {} needed, so the formula is unsatisfiable",
            counted(lower as usize, "move is", "moves are")
        ));
    }
}

/// A target as what writers write to; keeps what goes wrong in our own words.
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

fn stats(instance: &Instance, json: bool) -> String {
    let (cnf, size) = (instance.cnf(), instance.size());
    if json {
        return json_line(&Record {
            schema: SCHEMA,
            puzzle: instance.start.to_string(),
            size: instance.start.size(),
            goal: instance.goal.to_string(),
            encoding: instance.encoding.to_string(),
            steps: instance.steps,
            variables: cnf.variables(),
            clauses: cnf.clauses().len(),
            csp_variables: size.map(|s| s.variables),
            essential_constraints: size.map(|s| s.essential),
            additional_constraints: size.map(|s| s.additional),
            manhattan_variables: size.map(|s| s.manhattan_variables),
            manhattan_constraints: size.map(|s| s.manhattan),
        });
    }
    let head = sizes(
        &instance.encoding.to_string(),
        &instance.start.size(),
        instance.steps,
        cnf,
    );
    head + &size.map_or(String::new(), csp_words)
}

/// The size of a formula in words.
fn sizes(encoding: &str, size: &str, steps: u32, cnf: &Cnf) -> String {
    format!(
        "{encoding} on {size} at {}\nCNF: {} variables, {} clauses\n",
        counted(steps as usize, "step", "steps"),
        cnf.variables(),
        cnf.clauses().len()
    )
}

/// The size as the document counts it.
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

/// The documents' family: boards on the way of a plan, by their distance from its end.
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
    let (goal, encoding) = (goal(args, &board)?, encoding(args, &board)?);
    let reached = board_after(&board, &plan).map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    if reached != goal {
        return Err(BadInput::new(format!(
            "{name}: the moves lead to {reached}, not to the goal {goal} (expected --goal blank-first, or another?)"
        ))
        .into());
    }
    if plan.len() < *PAIRS.start() {
        return Err(BadInput::new(format!(
            "{name}: {}, expected {} at least",
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
    // What is known of the ends: a plan of k moves is there; that no shorter one is, the file's author says.
    Ok(Exit::Answered)
}
