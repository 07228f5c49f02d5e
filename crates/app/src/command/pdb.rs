//! `noyes pdb`: builds, lists and verifies pattern databases, and counts their values.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result as Done;
use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::TableError;
use noyes_solver::tiles::pdb::{Histogram, Key, Partition};

use crate::args::{Patterns, Pdb};
use crate::chart;
use crate::record::{CountedTable, ListedTable, SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{complain, print};
use crate::terminal::tables::{table_folder, tables};
use crate::terminal::target;

pub fn run(command: &Pdb) -> Done<Exit> {
    let _running = Running::new();
    match command {
        Pdb::Build {
            patterns,
            folder,
            force,
            threads,
            #[cfg(feature = "cluster")]
            nats,
        } => {
            #[cfg(feature = "cluster")]
            if nats.nats.is_some() {
                crate::cluster::tables::check(nats)?; // before hours of building
            }
            let put = |path: &Path| -> Done<()> {
                #[cfg(feature = "cluster")]
                if nats.nats.is_some() {
                    let is_new = crate::cluster::tables::put(nats, path)?;
                    let done = if is_new { "sent" } else { "already there" };
                    print(&format!("{}: {done}, for workers\n", path.display()))?;
                }
                let _ = path;
                Ok(())
            };
            build(patterns, folder.as_ref(), *force, *threads, &put)
        }
        Pdb::List { folder, json } => list(folder.as_ref(), false, *json),
        Pdb::Verify { folder, json } => list(folder.as_ref(), true, *json),
        Pdb::Histogram {
            patterns,
            normalise,
            svg,
            json,
        } => histogram(patterns, *normalise, svg.as_ref(), *json),
    }
}

/// The keys of the patterns on the board.
fn keys(patterns: &Patterns) -> Done<(Partition, Board, Vec<Key>)> {
    let (width, height) = patterns.size;
    let goal = Goal::parse(&patterns.goal, Some(patterns.size))
        .and_then(|goal| goal.of_size(width, height))
        .map_err(|error| BadInput::new(format!("--goal: {error}")))?;
    let partition: Partition = patterns.partition.parse().map_err(BadInput::new)?;
    let keys = partition.keys(&goal).map_err(BadInput::new)?;
    Ok((partition, goal, keys))
}

/// The tiles of a pattern, with the numbers that they have in the goal.
fn tiles(key: &Key, goal: &Board) -> String {
    let mut tiles: Vec<u16> = key
        .cells
        .iter()
        .map(|&c| goal.tiles()[usize::from(c)])
        .collect();
    tiles.sort_unstable();
    tiles
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

/// Reports that a limit or Ctrl-C ended a build.
fn stopped(error: TableError) -> Exit {
    complain(format_args!("noyes: {error}"));
    if limits::interrupted() {
        Exit::Interrupted
    } else {
        Exit::Limit
    }
}

fn build(
    patterns: &Patterns,
    folder: Option<&PathBuf>,
    force: bool,
    threads: Option<usize>,
    put: &dyn Fn(&Path) -> Done<()>,
) -> Done<Exit> {
    let (partition, goal, keys) = keys(patterns)?;
    if partition.plain {
        return Err(BadInput::new(
            "plain tables are built in memory when needed and not kept in files",
        )
        .into());
    }
    let threads =
        threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let tables = tables(folder, threads);
    let control = limits::control(None, limits::default_memory());
    for key in &keys {
        let start = Instant::now();
        let existing = tables.find(key).filter(|_| !force);
        let (done, table) = match existing {
            Some(table) => ("already there", table),
            None => match tables.rebuild(key, &control) {
                Ok((table, Ok(()))) => ("built", table),
                Ok((_, Err(why))) => {
                    let path = tables.path(key).unwrap_or_default();
                    return Err(BadInput::new(format!(
                        "cannot keep the table in {}: {why}",
                        path.display()
                    ))
                    .into());
                }
                Err(error) => return Ok(stopped(error)),
            },
        };
        let path = tables
            .path(key)
            .map_or("nowhere".into(), |p| p.display().to_string());
        let (bytes, seconds) = (
            table.bits().len() as f64 / 1e6,
            start.elapsed().as_secs_f64(),
        );
        print(&format!(
            "tiles {}: {done}, {bytes:.1} MB, {seconds:.2} s, {path}\n",
            tiles(key, &goal)
        ))?;
        if let Some(path) = tables.path(key) {
            put(&path)?;
        }
    }
    Ok(Exit::Answered)
}

fn list(folder: Option<&PathBuf>, thorough: bool, json: bool) -> Done<Exit> {
    let tables = tables(folder, 1);
    let shown = folder.cloned().or_else(table_folder).unwrap_or_default();
    let files = tables
        .list(thorough)
        .map_err(|e| BadInput::new(format!("{}: {e}", shown.display())))?;
    let mut exit = Exit::Answered;
    for (path, key) in &files {
        let bytes = path.metadata().map_or(0, |m| m.len());
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if key.is_err() {
            exit = Exit::Unverified;
        }
        let line = if json {
            json_line(&ListedTable {
                schema: SCHEMA,
                file: path.display().to_string(),
                bytes,
                table: key.as_ref().ok().map(Key::name),
                verified: thorough && key.is_ok(),
                error: key.as_ref().err().map(ToString::to_string),
            })
        } else {
            let state = match key {
                Ok(_) if thorough => "sound".to_string(),
                Ok(key) => format!("{} tiles on {}x{}", key.cells.len(), key.width, key.height),
                Err(why) => format!("not usable: {why}"),
            };
            format!("{:>9.1} MB  {name}  {state}\n", bytes as f64 / 1e6)
        };
        print(&line)?;
    }
    if files.is_empty() && !json {
        print(&format!("no tables in {}\n", shown.display()))?;
    }
    Ok(exit)
}

fn histogram(
    patterns: &Patterns,
    normalise: bool,
    svg: Option<&PathBuf>,
    json: bool,
) -> Done<Exit> {
    let (partition, goal, keys) = keys(patterns)?;
    let control = limits::control(None, limits::default_memory());
    let mut series = vec![];
    for key in &keys {
        let histogram = match Histogram::of(key, partition.plain, &control) {
            Ok(histogram) => histogram,
            Err(error) => return Ok(stopped(error)),
        };
        let tiles = tiles(key, &goal);
        let scale = if normalise {
            histogram.entries() as f64
        } else {
            1.0
        };
        let bars: Vec<f64> = histogram.counts.iter().map(|&n| n as f64 / scale).collect();
        let (entries, mean) = (histogram.entries(), histogram.mean());
        print(&if json {
            json_line(&CountedTable {
                schema: SCHEMA,
                tiles: tiles.clone(),
                plain: partition.plain,
                entries,
                mean,
                counts: histogram.counts.clone(),
            })
        } else {
            format!(
                "tiles {tiles}: {entries} entries, mean {mean:.2}\n{}\n",
                chart::blocks(&bars, 50)
            )
        })?;
        series.push((tiles, bars));
    }
    if let Some(path) = svg {
        let kind = if partition.plain {
            "blank ignored"
        } else {
            "blank's region known"
        };
        let up = if normalise {
            "share of entries"
        } else {
            "entries"
        };
        let title = format!("Pattern databases {}, {kind}", patterns.partition);
        let chart = chart::histogram(&title, "value", up, &series);
        target::write(path, &chart::standalone(&chart))?;
    }
    Ok(Exit::Answered)
}
