//! `noyes bench report`: tables and plots of results, as Markdown, CSV, LaTeX and one HTML page.
//!
//! Runs are grouped into sets that can be compared. Each set becomes a section of a document, which is written in each
//! format. The same results give the same bytes.

mod alarm;
mod cell;
mod csv;
mod document;
mod html;
mod latex;
mod latex_plot;
mod latex_text;
mod markdown;
mod plot;
mod section;
mod set;
mod statistics;
mod summary;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;

use super::{host, results, suites};
use crate::args::{Report, ReportFormat as Format};
use crate::chart;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::print::complain;
use crate::terminal::{fault, print, target};
use document::{Block, Document};
use set::Set;

pub fn run(args: &Report) -> Result<Exit> {
    let runs = results::read(&args.folder)?;
    if runs.is_empty() {
        return Err(BadInput::new(format!(
            "{}: there are no runs in its files (expected results of noyes bench run)",
            args.folder.display()
        ))
        .into());
    }
    let mut known = vec![];
    let mut names: Vec<&String> = runs.iter().map(|run| &run.suite).collect();
    names.sort();
    names.dedup();
    for name in names {
        known.push((name.clone(), suites::find_beside(&args.folder, name)?));
    }
    let suite = |name: &str| {
        let found = known.iter().find(|(known, _)| known == name);
        found.and_then(|(_, suite)| suite.clone())
    };
    let sets = set::sets(runs, suite);
    let (alarms, has_wrong_answers) = alarm::alarms(&sets);
    let document = document(&sets, alarms, &host::version()?);
    let folder = args.output.as_ref().unwrap_or(&args.folder);
    let written = write(folder, &args.format, &document, &sets)?;
    for path in written {
        print::print(&format!("{}\n", path.display()))?;
    }
    for alarm in &document.alarms {
        complain(format_args!("noyes: {alarm}"));
    }
    Ok(if has_wrong_answers {
        Exit::Failure
    } else {
        Exit::Answered
    })
}

fn document(sets: &[Set], alarms: Vec<String>, own: &str) -> Document {
    let mut sections = vec![];
    let mut notes = vec![];
    for same in sets.chunk_by(|a, b| a.name == b.name && a.form == b.form) {
        if same.len() > 1 {
            notes.push(format!(
                "The results of {} ({} form) are from {} versions or machines. Each has its own section, because their \
                 times cannot be compared.",
                same[0].name,
                same[0].form,
                same.len()
            ));
        }
        sections.extend((0..same.len()).map(|i| section::section(same, i)));
    }
    let others = sets.iter().filter(|set| set.version != own).count();
    if others > 0 {
        notes.push(format!(
            "{others} of {} sections have results of another build than {own}, which wrote this report.",
            sets.len()
        ));
    }
    Document {
        alarms,
        notes,
        sections,
    }
}

/// Writes the wanted formats, or all; returns their paths.
fn write(
    folder: &Path,
    wanted: &[Format],
    document: &Document,
    sets: &[Set],
) -> Result<Vec<PathBuf>> {
    make(folder)?;
    let mut written = vec![];
    for &format in Format::value_variants() {
        if !wanted.is_empty() && !wanted.contains(&format) {
            continue;
        }
        let (name, text) = match format {
            Format::Markdown => ("report.md", markdown::write(document)),
            Format::Csv => ("runs.csv", csv::write(sets)),
            Format::Latex => ("report.tex", latex::write(document)),
            Format::Html => ("report.html", html::write(document)),
        };
        if format == Format::Markdown {
            pictures(folder, document)?;
        }
        let path = folder.join(name);
        target::write(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

/// The plots as files, for Markdown.
fn pictures(folder: &Path, document: &Document) -> Result<()> {
    let blocks = || document.sections.iter().flat_map(|section| &section.blocks);
    let folder = folder.join(markdown::PICTURES);
    for block in blocks() {
        if let Block::Plot(plot) = block {
            make(&folder)?;
            let svg = chart::standalone(&plot.chart);
            target::write(&folder.join(format!("{}.svg", plot.id)), &svg)?;
        }
    }
    Ok(())
}

fn make(folder: &Path) -> Result<()> {
    let made = fs::create_dir_all(folder);
    made.map_err(|error| fault::unwritable(&folder.display().to_string(), error))
}
