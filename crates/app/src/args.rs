//! The command line: every flag, in one place.

use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use noyes_puzzle::sokoban::Format;
use noyes_puzzle::tiles::{Goal, MAX_CELLS, Notation};
use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::dimacs::MOST_STEPS;
use noyes_solver::sat::encoding::EncodingName;
use noyes_solver::sat::{KeepName, Schedule};
use noyes_solver::{Engine, Heuristic, Objective, SatOptions};

use crate::bench::args::{self as bench, Bench};
use crate::exit::BadInput;

const EXIT_CODES: &str = "Exit codes:
  0    answered
  1    failure
  2    bad usage or bad input
  3    a limit was reached (bounds are printed)
  4    proven unsolvable
  5    a plan failed its verification
  130  interrupted (bounds are printed)
Of several puzzles the gravest counts: 5, 1, 2, 130, 3, 4, 0.";

const PUZZLE: &str = "A board such as \"1 2 3/4 0 6/7 5 8\" (blanks or commas part tiles, slashes rows; 0 or _ is the blank; \
without slashes it is square), a level of Sokoban such as '5#|#@$.#|5#' (XSB, run lengths, or a map of W B P T X), a file \
with one board a line and # comments or with levels, or - for standard input";

/// Optimal solutions of sliding-tile puzzles and Sokoban, with proof that nothing shorter exists.
#[derive(Parser)]
#[command(name = "noyes", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Find an optimal plan
    #[command(after_help = format!("Examples:\n  noyes solve \"8 6 7/2 5 4/3 0 1\"\n  noyes solve levels.xsb --level 3 --objective moves\n\n{EXIT_CODES}"))]
    Solve(Solve),
    /// Make random boards that can be solved, or levels of Sokoban whose optimum is known
    #[command(
        after_help = "Examples:\n  noyes generate 4x4 -n 10 --seed 1\n  noyes generate 3x3 --distance 31\n  noyes generate sokoban -n 5 --size 8x8 --boxes 3 --min-pushes 20\n  noyes generate sokoban --size 8x7 --boxes 3 --players 2 --min-steps 10"
    )]
    Generate(Generate),
    /// Replay a plan and say whether it reaches the goal
    #[command(
        after_help = "Examples:\n  noyes check \"1 2 3/4 0 6/7 5 8\" DR\n  noyes check '6#|#@-$.#|6#' rR\n  noyes check levels.xsb --level 3 sas_plan\n\nA plan that does not reach the goal ends with exit code 5, an illegal move with 2."
    )]
    Check(Check),
    /// Play a plan step by step in the terminal
    #[command(
        after_help = "Keys on a terminal: space pause and go on, ← → or h l step, home end first and last, + - speed, q quit.\n\nExamples:\n  noyes show \"8 6 7/2 5 4/3 0 1\"\n  noyes show level.xsb rRuuL"
    )]
    Show(Show),
    /// Read levels of Sokoban and write them in another format or in normal form, or tell about them
    #[command(
        after_help = "Examples:\n  noyes levels maps.txt --format xsb -o maps.xsb\n  noyes levels maps.xsb --normalise\n  noyes levels maps.xsb --info"
    )]
    Levels(Levels),
    /// Say which boxes of a level can never get to a goal any more, and why
    #[command(
        after_help = "Examples:\n  noyes explain level.xsb\n  noyes explain levels.xsb --level 3 --after rrDDl"
    )]
    Explain(Explain),
    /// Puzzles on graphs: classes of states, connectedness, plans
    #[command(after_help = graph_help())]
    Graph(Graph),
    /// Pattern databases: build, list, verify, histograms
    #[command(subcommand, after_help = PDB_HELP)]
    Pdb(Pdb),
    /// Write a puzzle for other solvers: the question whether a plan of so many moves exists as a DIMACS file, or as PDDL
    #[command(
        after_help = "Examples:\n  noyes encode \"8 6 7/2 5 4/3 0 1\" -k 31 --encoding rotated -o hard.cnf\n  noyes encode \"8 6 7/2 5 4/3 0 1\" -k 32 --encoding edixhoven --stats\n  noyes encode --pairs path.txt --goal blank-first --encoding rotated -o pairs\n  noyes encode levels.xsb --level 3 --format pddl --objective pushes -o task"
    )]
    Encode(Encode),
    /// Turn what a SAT solver or a planner made of such a file into a plan, and replay it
    #[command(
        after_help = "Examples:\n  noyes encode \"1 2 3/4 0 6/7 5 8\" -k 2 -o easy.cnf\n  kissat easy.cnf > answer.txt\n  noyes decode easy.cnf answer.txt\n\n  noyes encode \"1 2 3/4 0 6/7 5 8\" --format pddl -o task\n  fast-downward task/domain.pddl task/problem.pddl --search \"astar(lmcut())\"\n  noyes decode task/problem.pddl sas_plan"
    )]
    Decode(Decode),
    /// The web page and the REST service
    #[command(after_help = SERVE_HELP)]
    Serve(Serve),
    /// Benchmarks: run suites, make reports
    #[command(subcommand, after_help = bench::HELP)]
    Bench(Bench),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man {
        /// The page of one command instead, such as solve
        command: Option<String>,
    },
}

impl Command {
    /// Whether JSON is wanted, so that errors too come as JSON.
    pub fn json(&self) -> bool {
        match self {
            Command::Solve(args) => args.json,
            Command::Generate(args) => args.json,
            Command::Check(args) => args.json,
            Command::Levels(args) => args.json,
            Command::Explain(args) => args.json,
            Command::Encode(args) => args.json,
            Command::Decode(args) => args.json,
            Command::Graph(args) => args.json,
            Command::Pdb(
                Pdb::List { json, .. } | Pdb::Verify { json, .. } | Pdb::Histogram { json, .. },
            )
            | Command::Bench(Bench::List { json }) => *json,
            _ => false,
        }
    }
}

#[derive(Args, Clone)]
pub struct Solve {
    /// Puzzles to solve, answered in this order
    #[arg(value_name = "PUZZLE", required = true, help = PUZZLE)]
    pub puzzles: Vec<String>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub search: Search,
    #[command(flatten)]
    pub sat: Sat,
    #[command(flatten)]
    pub rules: Rules,
    /// What a plan should have fewest of: moves for tiles; pushes (the default) or moves for a level; crews count steps
    #[arg(long, value_parser = names(Objective::ALL.iter().map(|o| o.name())).map(|n| n.parse::<Objective>().expect("a possible value")))]
    pub objective: Option<Objective>,
    /// Solve so many puzzles at once; one puzzle by the engine sat: ask for so many lengths at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Tell the plan of the engine human step by step
    #[arg(long)]
    pub explain: bool,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
    /// Tell counts and times, on standard error
    #[arg(short, long)]
    pub verbose: bool,
}

/// The rules of Sokoban, as far as there is a choice.
#[derive(Args, Clone, Copy)]
pub struct Rules {
    /// Levels for a crew: every player moves in every step
    #[arg(long = "no-wait")]
    pub no_wait: bool,
}

/// How puzzles and plans are written.
#[derive(Args, Clone, Default)]
pub struct Reading {
    /// blank-last (1 2 3 … 0; the default), blank-first (0 1 2 …: Korf's) or any board
    #[arg(long)]
    pub goal: Option<String>,
    /// The size of boards written without slashes, such as 3x2 (columns x rows)
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(usize, usize)>,
    /// What L U R D name: the movement of the blank (the default) or of the tile
    #[arg(long, value_parser = PossibleValuesParser::new(["blank", "tile"]).map(|n| n.parse::<Notation>().expect("a possible value")))]
    notation: Option<Notation>,
    /// Of a file of levels only the Nth, or the Nth to the Mth
    #[arg(long, value_name = "N[-M]", value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// Whether nothing but levels is expected.
    #[arg(skip)]
    pub only_levels: bool,
}

impl Reading {
    /// For what reads levels and nothing else.
    pub fn of_levels(level: Option<(usize, usize)>) -> Reading {
        Reading {
            level,
            only_levels: true,
            ..Reading::default()
        }
    }

    /// The goal; written without slashes it has the size that boards have.
    pub fn goal(&self) -> Result<Goal, BadInput> {
        let goal = self.goal.as_deref().unwrap_or("blank-last");
        Goal::parse(goal, self.size).map_err(BadInput::new)
    }

    /// What the letters of plans name.
    pub fn notation(&self) -> Notation {
        self.notation.unwrap_or_default()
    }

    /// The first of these flags that was given and is about boards alone.
    pub fn given_for_boards(&self) -> Option<&'static str> {
        let given = [
            (self.goal.is_some(), "--goal"),
            (self.size.is_some(), "--size"),
            (self.notation.is_some(), "--notation"),
        ];
        given.iter().find(|g| g.0).map(|g| g.1)
    }
}

/// How to search, and for how long.
#[derive(Args, Clone)]
pub struct Search {
    /// The way of searching
    #[arg(long, default_value = "auto", value_parser = names(Engine::ALL.iter().map(|e| e.name())).map(|n| n.parse::<Engine>().expect("a possible value")))]
    pub engine: Engine,
    /// The lower bound that guides it: misplaced, manhattan, linear-conflict, walking or pdb:PATTERNS (see noyes pdb);
    /// several parted by / give their maximum. Default: manhattan, and whatever suits the puzzle under auto
    #[arg(long)]
    pub heuristic: Option<Heuristic>,
    /// IDA* and iddfs: skip walks of up to so many moves that another walk makes needless (straight back always is;
    /// the fifteen puzzle with databases uses 10)
    #[arg(long, value_name = "DEPTH")]
    pub duplicates: Option<usize>,
    /// The folder of pattern databases (default: the cache folder of the platform)
    #[arg(long = "pdb-dir", value_name = "DIR")]
    pub pdb_dir: Option<PathBuf>,
    /// Stop each search after this time: 500ms, 60s, 5m, 1h (a bare number is seconds)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Stop each search before its states take more: 500MB, 4GiB (default: three quarters of the free memory)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<usize>,
}

/// How the engine sat goes about it.
#[derive(Args, Clone)]
#[command(next_help_heading = "Options of --engine sat")]
pub struct Sat {
    /// How the puzzle is written as clauses: edixhoven (with +no-undo, +manhattan or, giving up optimality, +blocks),
    /// rotated, transitions, or lean (the default: cadical asks pattern databases as it goes; for other solvers, and with
    /// +static, a formula that says what two tiles can do). For levels: pushes or tamura (with +dead, +bad) for pushes,
    /// moves (with +lean, the default) for moves and crews
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<EncodingName>,
    /// What solves them: cadical (the default), batsat, or cmd:PROGRAM for any solver that reads DIMACS (%i and %o among
    /// its arguments name the formula and a file for the model)
    #[arg(long, value_name = "BACKEND")]
    pub backend: Option<BackendName>,
    /// Which length is asked for next: up, doubling or binary; default up
    #[arg(long, value_name = "SCHEDULE", value_parser = names(Schedule::ALL.iter().map(|s| s.name())).map(|n| n.parse::<Schedule>().expect("a possible value")))]
    pub bounds: Option<Schedule>,
    /// What is kept from one length to the next; default incremental (lean keeps nothing)
    #[arg(long, value_parser = names(KeepName::ALL.iter().map(|k| k.name())).map(|n| n.parse::<KeepName>().expect("a possible value")))]
    pub keep: Option<KeepName>,
    /// The first plan found will do; for levels of Sokoban by any engine
    #[arg(long)]
    pub any: bool,
    /// Ask only whether there is a plan of at most so many moves
    #[arg(long, value_name = "K", conflicts_with_all = ["bounds", "any"])]
    pub at_most: Option<u32>,
}

impl Sat {
    /// The first of these flags that was given and is about SAT alone.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.encoding.is_some(), "--encoding"),
            (self.backend.is_some(), "--backend"),
            (self.bounds.is_some(), "--bounds"),
            (self.keep.is_some(), "--keep"),
            (self.at_most.is_some(), "--at-most"),
        ];
        given.iter().find(|g| g.0).map(|g| g.1)
    }

    /// The choices, with so many threads.
    pub fn options(&self, threads: usize) -> SatOptions {
        SatOptions {
            encoding: self.encoding.unwrap_or_default(),
            backend: self.backend.clone().unwrap_or_default(),
            bounds: self.bounds.unwrap_or_default(),
            keep: self.keep.unwrap_or_default(),
            any: self.any,
            threads,
            at_most: self.at_most,
        }
    }
}

#[derive(Args)]
pub struct Encode {
    #[arg(help = PUZZLE, required_unless_present = "pairs")]
    pub puzzle: Option<String>,
    /// What to write: a DIMACS file for SAT solvers, or domain.pddl and problem.pddl for planners
    #[arg(long, value_enum, default_value = "dimacs")]
    pub format: EncodeFormat,
    /// The moves that a plan may have; of a level what the encoding counts
    #[arg(short = 'k', long = "steps", value_name = "K", required_unless_present_any = ["pairs", "format"], value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_STEPS)))]
    pub steps: Option<u32>,
    /// How the puzzle is written as clauses (see noyes solve); default lean, pushes for a level
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<EncodingName>,
    #[command(flatten)]
    pub rules: Rules,
    /// Two files for each board on the way of this file's plan that is 30 to 60 moves from its end: with as many moves,
    /// and with two fewer. The file holds a board and a line of moves; -o names the folder
    #[arg(long, value_name = "PATHFILE", conflicts_with_all = ["puzzle", "steps", "stats"], requires = "output")]
    pub pairs: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
    /// PDDL of a level: what a plan should have fewest of; pushes (the default) cost 1 and other moves nothing, or all moves 1
    #[arg(long, value_parser = names(Objective::ALL.iter().map(|o| o.name())).map(|n| n.parse::<Objective>().expect("a possible value")))]
    pub objective: Option<Objective>,
    /// PDDL: only this one of the two files; then -o names a file, not a folder
    #[arg(long, value_enum)]
    pub part: Option<Part>,
    /// Write to this file instead of standard output, whole or not at all; the folder of --pairs and of PDDL
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the size of the formula, also as the encoding's document counts it, instead of the formula
    #[arg(long)]
    pub stats: bool,
    /// The size as a JSON object
    #[arg(long, requires = "stats")]
    pub json: bool,
}

/// What `encode` writes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EncodeFormat {
    Dimacs,
    Pddl,
}

/// One of the two files of a task in PDDL.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    Domain,
    Problem,
}

#[derive(Args)]
pub struct Decode {
    /// The file that noyes encode wrote: a .cnf, or a problem.pddl
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What a SAT solver printed about it, or a planner's plan; - for standard input
    #[arg(value_name = "SOLVER-OUTPUT")]
    pub output: String,
    /// What L U R D name: the movement of the blank or of the tile
    #[arg(long, default_value = "blank", value_parser = PossibleValuesParser::new(["blank", "tile"]).map(|n| n.parse::<Notation>().expect("a possible value")))]
    pub notation: Notation,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Generate {
    /// Boards of columns x rows, such as 4x4, or sokoban
    #[arg(value_name = "SIZE", value_parser = made, required_unless_present = "size")]
    pub what: Option<Made>,
    /// The same as SIZE; the largest size of a level of sokoban, walls included (default 8x8)
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(usize, usize)>,
    /// How many
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1)]
    pub count: u64,
    /// The same seed gives the same boards; drawn, and told on standard error, if not given
    #[arg(long)]
    pub seed: Option<u64>,
    /// Only boards whose optimum is exactly this
    #[arg(long, value_name = "D", conflicts_with = "walk")]
    pub distance: Option<u32>,
    /// Boards after this many random moves from the goal
    #[arg(long, value_name = "N")]
    pub walk: Option<usize>,
    /// blank-last (1 2 3 … 0), blank-first (0 1 2 …: Korf's) or any board
    #[arg(long, default_value = "blank-last")]
    pub goal: String,
    /// Stop after this time: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Write to this file instead of standard output, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub level: LevelWish,
}

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Boards((usize, usize)),
    Levels,
}

/// What a level of Sokoban should be like.
#[derive(Args)]
#[command(next_help_heading = "Options of generate sokoban")]
pub struct LevelWish {
    /// Boxes, and as many goals; default 3
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub boxes: Option<u16>,
    /// Players, who all move at once if there are several; default 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub players: Option<u16>,
    /// One player: no plan has fewer pushes
    #[arg(long, value_name = "N", conflicts_with = "min_steps")]
    pub min_pushes: Option<u32>,
    /// Several players: no plan has fewer steps
    #[arg(long, value_name = "N")]
    pub min_steps: Option<u32>,
}

impl LevelWish {
    /// The first of these flags that was given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.boxes.is_some(), "--boxes"),
            (self.players.is_some(), "--players"),
            (self.min_pushes.is_some(), "--min-pushes"),
            (self.min_steps.is_some(), "--min-steps"),
        ];
        given.iter().find(|g| g.0).map(|g| g.1)
    }
}

#[derive(Args)]
pub struct Check {
    #[arg(help = PUZZLE)]
    pub puzzle: String,
    /// The plan: letters L U R D, a file of them or with a planner's plan, or - for standard input; of a crew a
    /// line for each player, or parts between slashes, with . for a wait
    #[arg(allow_hyphen_values = true)]
    pub plan: String,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Show {
    #[arg(help = PUZZLE)]
    pub puzzle: String,
    /// The plan: letters L U R D, a file of them or with a planner's plan, or - for standard input; an optimal one is
    /// found if not given
    #[arg(allow_hyphen_values = true)]
    pub plan: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    /// Time between two moves: 500ms, 2s; an hour at most
    #[arg(long, value_name = "TIME", default_value = "400ms", value_parser = delay)]
    pub delay: Duration,
    /// Stop looking for a plan after this time: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
}

#[derive(Args)]
pub struct Explain {
    /// A level such as '5#|#@$.#|5#', a file, or - for standard input
    #[arg(value_name = "LEVEL")]
    pub puzzle: String,
    /// Of a file with several levels the Nth
    #[arg(long, value_name = "N", value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// The level as it stands after these moves
    #[arg(long, value_name = "LURD")]
    pub after: Option<String>,
    /// Look no longer than this
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub time_limit: Duration,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Levels {
    /// Files of levels, levels such as '5#|#@$.#|5#', or - for standard input
    #[arg(value_name = "LEVELS", required = true)]
    pub sources: Vec<String>,
    /// The format to write
    #[arg(long, default_value = "xsb", value_parser = names(Format::ALL.iter().map(|f| f.name())).map(|n| n.parse::<Format>().expect("a possible value")))]
    pub format: Format,
    /// Without decoration, and turned or mirrored so that alike levels become the same
    #[arg(long, visible_alias = "normalize")]
    pub normalise: bool,
    /// Tell size, boxes, goals and players of each level instead
    #[arg(long)]
    pub info: bool,
    /// Of each file only the Nth level, or the Nth to the Mth
    #[arg(long, value_name = "N[-M]", value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// Write to this file instead of standard output, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// One JSON object a line: what --info tells, and the level
    #[arg(long)]
    pub json: bool,
}

const SERVE_HELP: &str = "Examples:
  noyes serve --open
  noyes serve --port 0 --store jobs.sqlite --time-limit 1m
  curl -s localhost:7345/api/v1/hint -H 'content-type: application/json' -d '{\"puzzle\": \"1 2 3/4 0 6/7 5 8\"}'

The address is printed at once; its page /docs tells every route. SIGTERM and Ctrl-C end running searches with the
bounds they have, and then the program, with exit code 0.";

#[derive(Args)]
pub struct Serve {
    /// Listen here; anything but this machine's own address opens the service to the network
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 7345)]
    pub port: u16,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// Keep finished jobs in this file, over restarts (default: in memory)
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// So many searches at once (default: one for each processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// So many searches may wait; more are turned away
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub queue: u32,
    /// The longest time of one search: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = some_duration)]
    pub time_limit: Duration,
    /// The memory of all searches together: 500MB, 4GiB (default: three quarters of the free memory)
    #[arg(long, value_name = "BYTES", value_parser = some_bytes)]
    pub memory_limit: Option<usize>,
    /// The longest body of a request
    #[arg(long, value_name = "BYTES", default_value = "1MiB", value_parser = some_bytes)]
    pub max_body: usize,
    /// Let pages of this origin use the service, such as <https://example.org>, or * for all
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub cors: Option<HeaderValue>,
    /// Build the large tables of 4x4 at the start, not when the first such board comes
    #[arg(long)]
    pub warm: bool,
    /// The folder of pattern databases (default: the cache folder of the platform)
    #[arg(long = "pdb-dir", value_name = "DIR")]
    pub pdb_dir: Option<PathBuf>,
    /// Read the page from this folder instead, for those who work on it
    #[arg(long, value_name = "DIR")]
    pub page: Option<PathBuf>,
}

const PATTERNS: &str = "Sizes such as 7-8 or 5-5-5, tiles such as 1,2,3+4,5,6+7,8, or fringe; +plain forgets the blank";

const PDB_HELP: &str = "Examples:
  noyes pdb build 7-8
  noyes pdb histogram 5-5-5+plain --goal blank-first --svg histogram.svg
  noyes pdb verify

Tables are kept in the cache folder of the platform (on Linux ~/.cache/noyes/pdb) or in --pdb-dir. A table serves
every goal and board that is a mirror image of its own.";

#[derive(Subcommand)]
pub enum Pdb {
    /// Build tables and keep them
    Build {
        #[command(flatten)]
        patterns: Patterns,
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Build also what is there already
        #[arg(long)]
        force: bool,
        /// Build by so many threads (default: one for each processor)
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024).map(usize::from))]
        threads: Option<usize>,
    },
    /// List the tables that are there
    List {
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Check every byte of the tables that are there
    Verify {
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Count the entries of each value
    Histogram {
        #[command(flatten)]
        patterns: Patterns,
        /// Scale each pattern to the area 1, to compare them
        #[arg(long)]
        normalise: bool,
        /// Draw them over one another into this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
pub struct Patterns {
    #[arg(value_name = "PATTERNS", help = PATTERNS)]
    pub partition: String,
    /// Columns x rows
    #[arg(long, value_name = "WxH", default_value = "4x4", value_parser = size)]
    pub size: (usize, usize),
    /// blank-last (1 2 3 … 0), blank-first (0 1 2 …: Korf's) or any board
    #[arg(long, default_value = "blank-last")]
    pub goal: String,
}

#[derive(Args)]
pub struct Graph {
    /// A built-in graph, a file of edges, or - for standard input
    #[arg(value_name = "GRAPH")]
    pub which: String,
    /// A state: labels in vertex order (0 or _ is the blank), or vertex=label pairs
    #[arg(long, visible_alias = "start", value_name = "STATE")]
    pub from: Option<String>,
    /// Another state; 1 2 3 … with the blank last if not given
    #[arg(long, visible_alias = "goal", value_name = "STATE")]
    pub to: Option<String>,
    /// Find an optimal plan between the two
    #[arg(long)]
    pub solve: bool,
    /// Replay a plan between the two: the vertices the blank goes to, or - for standard input
    #[arg(
        long,
        value_name = "PLAN",
        conflicts_with = "solve",
        allow_hyphen_values = true
    )]
    pub check: Option<String>,
    #[command(flatten)]
    pub search: Search,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

fn graph_help() -> String {
    let known: Vec<String> = noyes_puzzle::graph::named::NAMED
        .iter()
        .map(|(name, what)| format!("  {name:<16} {what}"))
        .collect();
    format!(
        "Built-in graphs:\n{}\n\nA file holds an edge a line (two vertex names), and may hold lines start: STATE and goal: STATE; # comments.\n\n\
         Examples:\n  noyes graph theta0\n  noyes graph cycle:6 --from \"5 4 3 2 1 0\" --solve\n  noyes graph cycle:4 --from \"0 1 2 3\" --to \"1 2 3 0\" --check \"v2 v3 v4\"",
        known.join("\n")
    )
}

fn names<'a>(names: impl Iterator<Item = &'static str> + 'a) -> PossibleValuesParser {
    PossibleValuesParser::new(names.collect::<Vec<_>>())
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let parts = text
        .split_once(['x', 'X', '×'])
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match parts {
        Some((w @ 1..=MAX_CELLS, h @ 1..=MAX_CELLS)) if w * h <= MAX_CELLS => Ok((w, h)),
        Some(_) => Err(format!("a board has 1 to {MAX_CELLS} cells")),
        None => Err("expected columns x rows, such as 4x4".into()),
    }
}

fn range(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok((first, last)),
        _ => Err("expected a number from 1, or two such as 3-7".into()),
    }
}

fn made(text: &str) -> Result<Made, String> {
    if text == "sokoban" {
        return Ok(Made::Levels);
    }
    size(text).map(Made::Boards)
}

pub fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let value = digits.parse::<f64>().unwrap_or(f64::NAN) * seconds;
    Duration::try_from_secs_f64(value)
        .map_err(|_| "expected a time such as 500ms, 60s, 5m or 1h".into())
}

/// A time that is some time.
fn some_duration(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("expected more than no time at all".into()),
        time => Ok(time),
    }
}

/// An amount that is not nothing.
fn some_bytes(text: &str) -> Result<usize, String> {
    match bytes(text)? {
        0 => Err("expected more than nothing".into()),
        bytes => Ok(bytes),
    }
}

/// An origin as browsers send it: scheme, host and, unless it is the usual one, port.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let expected = "expected an origin such as https://example.org or http://localhost:8080, without a path, or *";
    let is_origin = |text: &str| {
        let (scheme, host) = text.split_once("://")?;
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (host, None),
        };
        let name_is = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
        let is = !scheme.is_empty()
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !name.is_empty()
            && name.chars().all(name_is)
            && port.is_none_or(|port| port.parse::<u16>().is_ok());
        is.then_some(())
    };
    if text != "*" && is_origin(text).is_none() {
        return Err(expected.into());
    }
    HeaderValue::from_str(text).map_err(|_| expected.into())
}

/// The longest time between two moves that anyone waits for.
fn delay(text: &str) -> Result<Duration, String> {
    duration(text).map(|time| time.min(Duration::from_secs(3600)))
}

pub fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => f64::NAN,
    };
    let value = digits.parse::<f64>().unwrap_or(f64::NAN) * unit;
    if (0.0..1e18).contains(&value) {
        Ok(value as usize)
    } else {
        Err("expected an amount such as 500MB or 4GiB".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_times_and_amounts_are_read() {
        assert_eq!(size("4x3"), Ok((4, 3)));
        assert!(
            size("0x3").is_err()
                && size("4").is_err()
                && size("1000x1000").is_err()
                && size("99999999999999999999x1").is_err()
        );
        assert_eq!((range("3"), range("3-7")), (Ok((3, 3)), Ok((3, 7))));
        assert!(range("0").is_err() && range("7-3").is_err() && range("x").is_err());
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(
            duration("-1").is_err()
                && duration("soon").is_err()
                && duration("").is_err()
                && duration("nan").is_err()
                && duration("1e300").is_err()
        );
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("100"), Ok(100));
        assert_eq!(
            (bytes("2TiB"), bytes("2TB")),
            (Ok(2 << 40), Ok(2_000_000_000_000))
        );
        assert_eq!(delay("1e19"), Ok(Duration::from_secs(3600)));
        assert!(bytes("-5").is_err() && bytes("much").is_err());
    }

    #[test]
    fn origins_are_what_browsers_send() {
        for text in [
            "*",
            "https://example.org",
            "http://localhost:8080",
            "http://[::1]:80",
            "http://[::1]",
        ] {
            assert!(origin(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "junk",
            "example.org",
            "https://",
            "https://example.org/",
            "https://example.org/path",
            "https://a b",
            "https://example.org:port",
            "https://example.org:99999",
            "https://a,https://b",
        ] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
