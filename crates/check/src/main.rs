//! `noyes-check`: checks certificates.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use noyes_check::{
    Case, Certificate, Refusal, Store, TilesCase, Verdict, board_plan, has_plan, verify,
};

const HELP: &str = "\
Checks certificates: that a plan solves a puzzle and that no cheaper plan exists

Usage: noyes-check [OPTIONS] CERTIFICATE...

  CERTIFICATE       A file; - is standard input
  --exhaustive      Ignore the proof and search everything by a plain IDA* (slow; boards only)
  --tables FOLDER   Where computed pattern databases are kept [default: the user's cache folder]
  --fresh           Compute all pattern databases again; read and write no files
  --threads N       Threads that compute pattern databases [default: all cores]
  -q, --quiet       Print only what was refused
  -h, --help        Print this help
  -V, --version     Print the version

Exit codes: 0 all are verified, 5 at least one is refused, 2 a file cannot be opened or the command is wrong, 1 the verdict
cannot be printed.

Examples:
  noyes certify \"8 6 7/2 5 4/3 0 1\" -o certificates
  noyes-check certificates/*
";

struct Options {
    files: Vec<PathBuf>,
    exhaustive: bool,
    quiet: bool,
    store: Store,
}

fn main() -> ExitCode {
    let options = match options(env::args_os().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => return ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("noyes-check: {what} (--help shows the options)");
            return ExitCode::from(2);
        }
    };
    let Options {
        files,
        exhaustive,
        quiet,
        mut store,
    } = options;
    let mut worst = 0;
    for file in &files {
        let name = file.display();
        let verdict = match open(file) {
            Err(what) => Err(Failure::Unfit(what)),
            Ok(from) if exhaustive => search(from),
            Ok(from) => verify(from, &mut store).map_err(Failure::Refused),
        };
        match verdict {
            Ok(_) if quiet => {}
            Ok(verdict) => {
                if say(&format!("{name}: VERIFIED: {}", verdict.in_words())).is_err() {
                    return ExitCode::from(1); // nobody reads on
                }
            }
            Err(Failure::Unfit(what)) => {
                eprintln!("{name}: {what}");
                worst = worst.max(2);
            }
            Err(Failure::Refused(refusal)) => {
                let _ = say(&format!("{name}: REFUSED: {refusal}\n"));
                worst = 5;
            }
        }
    }
    ExitCode::from(worst)
}

/// Why a certificate is not verified.
enum Failure {
    /// It cannot be read, or the command does not fit it.
    Unfit(String),
    /// It is wrong.
    Refused(Refusal),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

fn open(file: &Path) -> Result<Box<dyn BufRead>, String> {
    if file.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    let opened = File::open(file).map_err(|error| error.to_string())?;
    if opened.metadata().is_ok_and(|about| about.is_dir()) {
        return Err("not a file".into());
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, opened)))
}

fn say(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}

fn options(mut words: impl Iterator<Item = OsString>) -> Result<Option<Options>, String> {
    let mut files = vec![];
    let (mut exhaustive, mut quiet, mut fresh) = (false, false, false);
    let mut folder = None;
    let mut threads = thread::available_parallelism().map_or(1, usize::from);
    while let Some(word) = words.next() {
        // --name=value is --name value.
        let (name, attached) = match word.to_str().and_then(|text| text.split_once('=')) {
            Some((name, value)) if name.starts_with("--") => {
                (OsString::from(name), Some(value.into()))
            }
            _ => (word.clone(), None),
        };
        let mut attached: Option<OsString> = attached;
        let mut value = |flag: &str| {
            let value = attached.take().or_else(|| words.next());
            let value = value.filter(|value| !value.is_empty());
            value.ok_or(format!("{flag} needs a value"))
        };
        match name.to_str() {
            Some("--") => files.extend(words.by_ref().map(PathBuf::from)),
            Some("--exhaustive") => exhaustive = true,
            Some("--fresh") => fresh = true,
            Some("-q" | "--quiet") => quiet = true,
            Some("--tables") => folder = Some(PathBuf::from(value("--tables")?)),
            Some("--threads") => {
                let given = value("--threads")?;
                let number = given.to_str().and_then(|text| text.parse().ok());
                threads = number
                    .filter(|number| (1..=1024).contains(number))
                    .ok_or(format!(
                        "--threads {}: expected a number from 1 to 1024",
                        given.display()
                    ))?;
            }
            Some("-h" | "--help") => {
                let _ = say(HELP);
                return Ok(None);
            }
            Some("-V" | "--version") => {
                let _ = say(concat!("noyes-check ", env!("CARGO_PKG_VERSION"), "\n"));
                return Ok(None);
            }
            Some(flag) if flag.starts_with('-') && flag.len() > 1 => {
                return Err(format!("unknown option {flag}"));
            }
            _ => files.push(PathBuf::from(&word)),
        }
        if attached.is_some() {
            return Err(format!("{} takes no value", name.display()));
        }
    }
    if files.is_empty() {
        return Err("no certificate given".into());
    }
    let folder = if fresh { None } else { folder.or_else(cache) };
    Ok(Some(Options {
        files,
        exhaustive,
        quiet,
        store: Store::new(folder.as_deref(), threads),
    }))
}

/// The user's folder for what can be computed again.
fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let value = PathBuf::from(env::var_os(name)?);
        value.is_absolute().then_some(value)
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("noyes").join("check"))
}

fn counted(moves: usize) -> String {
    format!("{moves} move{}", if moves == 1 { "" } else { "s" })
}

/// Checks the plan, and that nothing shorter exists, by a search instead of the proof.
fn search(mut from: impl BufRead) -> Result<Verdict, Failure> {
    let Case::Tiles(TilesCase {
        start, goal, plan, ..
    }) = Certificate::read(&mut from)?.case
    else {
        return Err(Failure::Unfit("--exhaustive is for boards".into()));
    };
    let nothing = || Failure::Unfit("a search cannot show that no plan exists".into());
    let plan = plan.ok_or_else(nothing)?;
    let cost = board_plan(&start, &goal, &plan).map_err(Refusal::from)?;
    let mut looked_at = 0;
    for bound in 0..cost as usize {
        let (found, looked) = has_plan(&start, &goal, bound);
        looked_at += looked;
        if found {
            let what = format!(
                "there is a plan of {}, but this one has {cost}",
                counted(bound)
            );
            return Err(Refusal::Claim(what).into());
        }
    }
    let moves = counted(cost as usize);
    Ok(Verdict {
        puzzle: format!("tiles {start}, goal {goal}"),
        proved: format!("a plan of {moves} exists, and no plan of fewer than {moves} exists"),
        because: vec![
            format!("the plan of {moves} was replayed"),
            format!("a search of all shorter plans looked at {looked_at} positions"),
        ],
        cost: Some(cost),
        ..Verdict::default()
    })
}
