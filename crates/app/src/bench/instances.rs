//! The instances of a suite: written in it, generated, or read from a file.
//!
//! A file comes from the folder of `--data`, or else from the project's own data, which is part of the program. A table
//! (`.csv`) has a column `state`, and a column `id` if its rows have numbers; every other column is a tag. Any other file
//! holds boards or levels. Whatever its source, an instance becomes one argument of a command.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::Parser;
use noyes_puzzle::sokoban::{Level, parse_level, write_rle, write_xsb};
use rust_embed::RustEmbed;
use serde_json::Value as Json;

use super::suite::{Instances, Suite, Value};
use super::words;
use crate::args::{self, Cli, Reading};
use crate::puzzle::Given;
use crate::terminal::fault::BadInput;
use crate::terminal::input;

/// The project's own data.
#[derive(RustEmbed)]
#[folder = "data"]
struct Data;

/// One puzzle, as an argument of a command.
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: String,
    /// The name of its group.
    pub group: String,
    pub puzzle: String,
    pub tags: BTreeMap<String, Value>,
    pub seed: Option<u64>,
    /// The time limit of its runs, if it is not that of the suite.
    pub time_limit: Option<String>,
}

/// A puzzle before it has its name: its number, and what is known about it.
struct Found {
    puzzle: String,
    number: String,
    tags: BTreeMap<String, Value>,
    seed: Option<u64>,
}

impl Found {
    fn new(puzzle: String, number: usize) -> Found {
        Found {
            puzzle,
            number: number.to_string(),
            tags: BTreeMap::new(),
            seed: None,
        }
    }
}

/// The number of instances of a group, without making any. Those of a file are counted when it has been read: a file is
/// never longer than what fits into memory.
pub fn size(group: &Instances, quick: bool) -> u64 {
    let each = group.quick.filter(|_| quick).map_or(u64::MAX, |n| n as u64);
    let times = |count: u64, list: usize| count.saturating_mul(list.max(1) as u64);
    let made = match &group.generate {
        Some(arguments) if group.distances.is_empty() => generated(arguments),
        Some(arguments) => times(generated(arguments).min(each), group.distances.len()),
        None => group.puzzles.len().max(1) as u64,
    };
    let chosen = match group.only.len() {
        0 => made,
        only => only as u64,
    };
    let all = times(chosen, group.boxes.len());
    if group.distances.is_empty() {
        all.min(each)
    } else {
        all
    }
}

/// The number of puzzles that `noyes generate` makes of these arguments; 1 if it will refuse them.
fn generated(arguments: &str) -> u64 {
    let words = words::split(arguments).unwrap_or_default();
    let words = ["noyes", "generate"]
        .into_iter()
        .chain(words.iter().map(String::as_str));
    match Cli::try_parse_from(words) {
        Ok(Cli {
            command: args::Command::Generate(args),
            ..
        }) => args.count,
        _ => 1,
    }
}

/// The instances of a group; none if its file is missing.
pub fn read(group: &Instances, quick: bool, data: Option<&Path>) -> Result<Option<Vec<Instance>>> {
    let bad = |what: String| BadInput::new(format!("instances {:?}: {what}", group.name));
    let mut each = group.quick.filter(|_| quick);
    let all = if let Some(arguments) = &group.generate {
        let made = if group.distances.is_empty() {
            let most = match group.only.iter().max() {
                Some(&last) => last,
                None if group.boxes.is_empty() => each.unwrap_or(usize::MAX),
                None => usize::MAX,
            };
            generate(arguments, most)
        } else {
            at_distances(arguments, &group.distances, each.take())
        };
        made.with_context(|| format!("instances {:?}", group.name))?
    } else if let Some(name) = &group.file {
        match file(name, data)? {
            None => return Ok(None),
            Some(bytes) if Path::new(name).extension().is_some_and(|e| e == "csv") => {
                table(name, &bytes)?
            }
            Some(bytes) => puzzles(name, &bytes)?,
        }
    } else {
        let written = group.puzzles.iter().enumerate();
        written
            .map(|(i, text)| Ok(Found::new(one(text)?, i + 1)))
            .collect::<Result<_>>()?
    };
    let mut chosen = if group.only.is_empty() {
        all
    } else {
        let count = all.len();
        let mut all: Vec<Option<Found>> = all.into_iter().map(Some).collect();
        let pick = |&n: &usize| {
            n.checked_sub(1)
                .and_then(|at| all.get_mut(at)?.take())
                .ok_or_else(|| {
                    bad(format!(
                        "only: expected each number from 1 to {count} at most once, found {n}"
                    ))
                })
        };
        group.only.iter().map(pick).collect::<Result<_, _>>()?
    };
    if !group.boxes.is_empty() {
        let mut fewer = vec![];
        for found in &chosen {
            for &boxes in &group.boxes {
                let number = match chosen.len() {
                    1 => boxes.to_string(),
                    _ => format!("{}-boxes-{boxes}", found.number),
                };
                let found = with_boxes(found, boxes).map_err(&bad)?;
                fewer.push(Found { number, ..found });
            }
        }
        chosen = fewer;
    }
    if chosen.is_empty() {
        return Err(bad("it has no puzzles".into()).into());
    }
    let is_one = chosen.len() == 1;
    chosen.truncate(each.unwrap_or(usize::MAX));
    let named = chosen.into_iter().map(|found| {
        let mut tags = group.tags.clone();
        tags.extend(found.tags);
        Instance {
            name: if is_one {
                group.name.clone()
            } else {
                format!("{}-{}", group.name, found.number)
            },
            group: group.name.clone(),
            puzzle: found.puzzle,
            tags,
            seed: found.seed,
            time_limit: group.time_limit.clone().filter(|_| !quick),
        }
    });
    Ok(Some(named.collect()))
}

impl Suite {
    /// Whether it needs files that are not part of the program.
    pub fn needs_data(&self) -> bool {
        let files = self
            .instances
            .iter()
            .filter_map(|group| group.file.as_ref());
        files.into_iter().any(|name| Data::get(name).is_none())
    }
}

/// A puzzle, checked and written as an argument.
fn one(text: &str) -> Result<String> {
    Ok(typed(&input::one_puzzle(text, &Reading::default())?))
}

fn typed(puzzle: &Given) -> String {
    match puzzle {
        Given::Board(board) => board.to_string(),
        Given::Level(level) => write_rle(level),
    }
}

/// A file from the given folder, or else from the program.
fn file(name: &str, data: Option<&Path>) -> Result<Option<Cow<'static, [u8]>>> {
    if let Some(folder) = data {
        let path = folder.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => return Ok(Some(bytes.into())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(BadInput::new(format!("{}: {error}", path.display())).into());
            }
        }
    }
    Ok(Data::get(name).map(|file| file.data))
}

/// The boards or levels of a file.
fn puzzles(name: &str, bytes: &[u8]) -> Result<Vec<Found>> {
    let mut items = vec![];
    input::puzzles_of(name, bytes, &Reading::default(), &mut |item| {
        items.push(item);
        true
    })?;
    let numbered = items.into_iter().enumerate();
    numbered
        .map(|(i, item)| Ok(Found::new(typed(&item.puzzle()?), i + 1)))
        .collect()
}

/// The rows of a table; lines that begin with `#` are comments.
fn table(name: &str, bytes: &[u8]) -> Result<Vec<Found>> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .flexible(true) // a row of another length is refused below, with its line
        .from_reader(bytes);
    // The reader's own line number is that of the comments before a record, so we count up to the record's end.
    let bad = |end: u64, what: &dyn std::fmt::Display| {
        let read = bytes[..end as usize].trim_ascii_end();
        let line = read.split(|&byte| byte == b'\n').count();
        BadInput::new(format!("{name}, line {line}: {what}"))
    };
    let columns = reader.headers().map_err(|e| bad(0, &e))?.clone();
    if columns.is_empty() {
        return Err(BadInput::new(format!("{name}: there is no table in it")).into());
    }
    if !columns.iter().any(|column| column == "state") {
        return Err(BadInput::new(format!("{name}: there is no column named state")).into());
    }
    let mut rows = vec![];
    let mut cells = csv::StringRecord::new();
    loop {
        let is_row = reader.read_record(&mut cells);
        let end = reader.position().byte();
        if !is_row.map_err(|e| bad(end, &e))? {
            return Ok(rows);
        }
        if cells.len() != columns.len() {
            let (got, expected) = (cells.len(), columns.len());
            return Err(bad(end, &format!("{got} columns, expected {expected}")).into());
        }
        let mut found = Found::new(String::new(), rows.len() + 1);
        for (column, cell) in columns.iter().zip(&cells) {
            match column {
                "id" => found.number = cell.into(),
                "state" => found.puzzle = one(cell).map_err(|e| bad(end, &e))?,
                _ if cell.is_empty() => {}
                _ => {
                    found.tags.insert(column.into(), value(cell));
                }
            }
        }
        rows.push(found);
    }
}

fn value(text: &str) -> Value {
    let whole = text.parse().map(Value::Whole);
    whole
        .or_else(|_| text.parse().map(Value::Real))
        .unwrap_or_else(|_: std::num::ParseFloatError| Value::Text(text.into()))
}

/// The first puzzles, at most `most`, that `noyes generate` makes of these arguments.
fn generate(arguments: &str, most: usize) -> Result<Vec<Found>> {
    let exe = std::env::current_exe().context("the program cannot find itself")?;
    let words = words::split(arguments).map_err(BadInput::new)?;
    if !words
        .iter()
        .any(|w| w == "--seed" || w.starts_with("--seed="))
    {
        return Err(BadInput::new(format!(
            "generate {arguments:?}: --seed is missing, so every run would have other puzzles"
        ))
        .into());
    }
    let mut child = Command::new(exe)
        .arg("generate")
        .args(words)
        .arg("--json")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("no process can be started")?;
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    // One more than is wanted says that there are several.
    let lines: Vec<String> = lines
        .take(most.saturating_add(1))
        .collect::<Result<_, _>>()?;
    if lines.len() > most {
        let _ = child.kill(); // it may have billions to go
    }
    let done = child
        .wait_with_output()
        .context("no process can be waited for")?;
    if !done.status.success() && lines.len() <= most {
        let said = String::from_utf8_lossy(&done.stderr);
        let said = said.trim().trim_start_matches("noyes: ");
        return Err(BadInput::new(format!("generate {arguments:?}: {said}")).into());
    }
    let mut found = vec![];
    for (i, line) in lines.iter().enumerate() {
        let json: Json = serde_json::from_str(line)?;
        let mut made = Found::new(one(json["puzzle"].as_str().unwrap_or_default())?, i + 1);
        made.seed = json["seed"].as_u64();
        // The cost of a level counts pushes or steps, and a suite may ask for moves.
        let distance = json["cost"].as_i64().filter(|_| json["kind"] == "board");
        if let Some(distance) = distance {
            made.tags.insert("distance".into(), Value::Whole(distance));
            made.tags.insert("optimal".into(), Value::Whole(distance));
        }
        found.push(made);
    }
    Ok(found)
}

/// Puzzles at each distance, at most `most` of each.
fn at_distances(arguments: &str, distances: &[u32], most: Option<usize>) -> Result<Vec<Found>> {
    let mut all = vec![];
    for distance in distances {
        let most = most.unwrap_or(usize::MAX);
        let found = generate(&format!("{arguments} --distance {distance}"), most)?;
        let is_one = found.len() == 1;
        for found in found.into_iter().take(most) {
            let number = if is_one {
                distance.to_string()
            } else {
                format!("{distance}-{}", found.number)
            };
            all.push(Found { number, ..found });
        }
    }
    Ok(all)
}

/// A level with only its first boxes and goals.
fn with_boxes(found: &Found, boxes: usize) -> Result<Found, String> {
    let level = parse_level(&found.puzzle).map_err(|_| "boxes: only levels have boxes")?;
    let most = level.boxes().len();
    if !(1..=most).contains(&boxes) {
        return Err(format!("boxes: expected 1 to {most}, found {boxes}"));
    }
    let fewer = fewer_boxes(&level, boxes)?;
    let mut tags = found.tags.clone();
    tags.insert("boxes".into(), Value::Whole(boxes as i64));
    Ok(Found {
        puzzle: write_rle(&fewer),
        number: found.number.clone(),
        tags,
        seed: found.seed,
    })
}

fn fewer_boxes(level: &Level, most: usize) -> Result<Level, String> {
    let (mut boxes, mut goals) = (0, 0);
    let text: String = write_xsb(level)
        .chars()
        .map(|c| {
            let has_box = "$*".contains(c);
            let has_goal = ".*+".contains(c);
            boxes += usize::from(has_box);
            goals += usize::from(has_goal);
            let (has_box, has_goal) = (has_box && boxes <= most, has_goal && goals <= most);
            match (c, has_box, has_goal) {
                ('@' | '+', _, true) => '+',
                ('@' | '+', _, false) => '@',
                ('$' | '*' | '.', true, true) => '*',
                ('$' | '*' | '.', true, false) => '$',
                ('$' | '*' | '.', false, true) => '.',
                ('$' | '*' | '.', false, false) => '-',
                _ => c,
            }
        })
        .collect();
    parse_level(&text).map_err(|e| format!("boxes: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_loses_its_last_boxes_and_goals() {
        let level = parse_level("#######\n#@$*.$#\n#.    #\n#######\n").unwrap();
        let fewer = fewer_boxes(&level, 1).unwrap();
        assert_eq!((fewer.boxes().len(), fewer.goals().count()), (1, 1));
        assert!(write_xsb(&fewer).starts_with("#######\n#@$."));
    }

    #[test]
    fn the_columns_of_a_table_are_tags() {
        let rows = table("t.csv", b"# x\nid,state,optimal\n7,1 2/0 3,1\n").unwrap();
        assert_eq!(rows[0].number, "7");
        assert_eq!(rows[0].puzzle, "1 2/0 3");
        assert_eq!(rows[0].tags["optimal"], Value::Whole(1));
        let refused = |text: &[u8]| table("t.csv", text).err().unwrap().to_string();
        assert!(refused(b"id,board\n").contains("no column named state"));
        assert!(refused(b"id,state\n1\n").contains("line 2: 1 columns, expected 2"));
        assert!(refused(b"state\n1 1\n").contains("line 2: "));
        assert!(refused(b"state\n1 2/0 3\n\n# x\n# y\n1 1/0 3\n1 2/0 3\n").contains("line 6: "));
        assert!(refused(b"state\n1 2/0 3\n1 1/0 3").contains("line 3: "));
        assert!(refused(b"\n# x\n").contains("there is no table in it"));
    }
}
