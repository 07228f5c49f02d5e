//! A set of runs as a section: what it is, how it was made, and its views.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jiff::Timestamp;

use super::document::{Block, Plot, Section};
use super::plot::{self, Drawn};
use super::set::Set;
use super::summary::summary;
use super::table::{self, Shown};
use crate::bench::jobs::{Campaign, Job};
use crate::bench::record::{self, Host, Run};
use crate::bench::suite::{Asked, Form, Process, Statistic, View};
use crate::bench::suites;
use crate::chart::number::{Unit, digits, write};
use crate::terminal::print::counted;

/// One of the sets of the same suite and form.
pub fn section(same: &[Set], number: usize) -> Section {
    let set = &same[number];
    let suite = set.suite.as_ref();
    let id = format!("{}-{}-{}", slug(&set.name), set.form, number + 1);
    let title = suite.map_or(&set.name, |suite| &suite.title);
    let mut title = format!("{title} ({} form)", set.form);
    if same.iter().any(|other| other.version != set.version) {
        let _ = write!(title, ", version {}", set.version);
    }
    if same.iter().any(|other| other.host != set.host) {
        let _ = write!(title, ", on {}", host(&set.host));
    }
    let mut section = Section {
        id,
        title,
        source: suite.and_then(|suite| suite.source.clone()),
        about: suite.and_then(|suite| suite.about.clone()),
        facts: facts(set),
        commands: commands(set),
        notes: vec![],
        blocks: vec![],
    };
    if suite.is_none() {
        section.notes.push(format!(
            "This program has no suite {}, and there is no {0}.toml beside the results: this section has only general \
             tables.",
            set.name
        ));
    }
    section.notes.extend(missing(same, set));
    if !set.repeated.is_empty() {
        section.notes.push(format!(
            "{} more than once in the results; the first one counts.",
            counted(set.repeated.len(), "run is", "runs are")
        ));
    }
    let mut shown = Shown::new();
    for view in views(set) {
        add(&mut section, set, &view, &mut shown);
    }
    section.blocks.extend(summary(set).map(Block::Table));
    section
        .blocks
        .extend(table::further(set, &shown).map(Block::Table));
    section
}

/// How many runs of the suite are missing; several machines may have shared the work.
fn missing(same: &[Set], set: &Set) -> Option<String> {
    let suite = set.suite.as_ref()?;
    let campaign = Campaign::of(&set.name, suite, set.form, None, None).ok()?; // it may have changed since
    let shared = same.iter().filter(|other| other.version == set.version);
    let there: BTreeSet<String> = shared.flat_map(|s| s.runs.iter().map(Run::key)).collect();
    let wanted: BTreeSet<String> = campaign.jobs.iter().map(Job::key).collect();
    let other = there.difference(&wanted).count();
    // Maps from --data are not at hand here.
    if other > 0 && campaign.missing.is_empty() {
        let (other, all) = (digits(other as f64), digits(there.len() as f64));
        return Some(format!(
            "{other} of these {all} runs are not part of this program's version of the suite."
        ));
    }
    let missing = wanted.difference(&there).count();
    (missing > 0).then(|| {
        let (missing, all) = (digits(missing as f64), digits(wanted.len() as f64));
        format!("Not finished: {missing} of the {all} runs of this suite are missing. The command above continues with them.")
    })
}

/// The views that the suite asks for, or general ones.
fn views(set: &Set) -> Vec<View> {
    let own = set.suite.as_ref().map(|suite| suite.views.clone());
    own.filter(|views| !views.is_empty()).unwrap_or_else(|| {
        let column = |statistic| Asked {
            measure: "wall_s".into(),
            statistic,
        };
        vec![View::Table {
            title: "Times".into(),
            columns: [Statistic::Solved, Statistic::Median, Statistic::Par2]
                .map(column)
                .into(),
            by: None,
        }]
    })
}

fn add(section: &mut Section, set: &Set, view: &View, shown: &mut Shown) {
    let (title, drawn) = match view {
        View::Table { title, columns, by } => {
            let table = table::by_configuration(set, title, columns, by.as_deref(), shown);
            section.blocks.push(Block::Table(table));
            return;
        }
        View::Cross {
            title,
            rows,
            measure,
            statistic,
            only,
            configurations,
        } => {
            let set = &set.only(only);
            let set = &set.by(configurations);
            let table = table::cross(set, title, rows, measure, *statistic, shown);
            section.blocks.push(Block::Table(table));
            return;
        }
        View::Cactus { title, measure } => (title, plot::cactus(set, title, measure)),
        View::Scatter {
            title,
            measure,
            across,
            up,
        } => (title, plot::scatter(set, title, measure, across, up)),
        View::Growth {
            title,
            across,
            measure,
            log,
            only,
        } => {
            let set = &set.only(only);
            (title, plot::growth(set, title, across, measure, *log))
        }
        View::Histogram {
            title,
            measure,
            log,
        } => (title, plot::histogram(set, title, measure, *log)),
        View::Entries {
            title,
            tiles,
            normalise,
        } => (title, plot::entries(set, title, tiles, *normalise)),
    };
    add_plot(section, title, drawn);
}

fn add_plot(section: &mut Section, title: &str, drawn: Drawn) {
    match drawn {
        Ok((chart, notes)) => {
            let id = format!("{}-plot{}", section.id, section.blocks.len() + 1);
            section
                .blocks
                .push(Block::Plot(Box::new(Plot { id, chart, notes })));
        }
        Err(why) => section
            .notes
            .push(format!("The plot \"{title}\" cannot be drawn: {why}.")),
    }
}

fn facts(set: &Set) -> Vec<(String, String)> {
    let repetitions = set.runs.iter().map(|run| run.repetition).max().unwrap_or(1);
    let times = if repetitions > 1 {
        format!(", each up to {repetitions} times")
    } else {
        String::new()
    };
    let fact = |name: &str, value: String| (name.to_string(), value);
    vec![
        fact("suite", format!("{}, {} form", set.name, set.form)),
        fact(
            "runs",
            format!(
                "{}{times}: {}",
                digits(set.runs.len() as f64),
                record::endings(&set.runs)
            ),
        ),
        fact("limits", limits(set)),
        fact("machine", host(&set.host)),
        fact("version", format!("noyes {}", set.version)),
        fact("when", when(set)),
    ]
}

/// The limits of the runs; if they differ, from the least to the most.
fn limits(set: &Set) -> String {
    let range = |of: &dyn Fn(&Run) -> f64, unit| {
        let least = set.runs.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = set.runs.iter().map(of).fold(0.0, f64::max);
        if least < most {
            format!("{} to {}", write(least, unit), write(most, unit))
        } else {
            write(most, unit)
        }
    };
    let gibibyte = f64::from(1 << 30);
    let memory = set.runs.iter().map(|run| run.memory_limit_bytes as f64);
    let memory = memory.fold(0.0, f64::max) / gibibyte;
    let processes: BTreeSet<Process> = set.runs.iter().map(|run| run.process).collect();
    let told = processes.iter().map(|process| match process {
        Process::Fresh => "each run in its own process",
        Process::Inside => "all runs in one process",
    });
    format!(
        "{} and {} GiB a run; {}",
        range(&|run| run.time_limit_s, Unit::Seconds),
        digits(memory),
        told.collect::<Vec<_>>().join(", or ")
    )
}

fn host(host: &Host) -> String {
    let cores = if host.cores == 1 { "core" } else { "cores" };
    let memory = write(host.memory_bytes as f64, Unit::Bytes);
    format!(
        "{}, {} {cores}, {memory} of memory, {}",
        host.processor, host.cores, host.system
    )
}

/// The days of the first and the last run.
fn when(set: &Set) -> String {
    let started = || set.runs.iter().map(|run| run.started);
    let first = day(started().min().unwrap_or(0));
    let last = day(started().max().unwrap_or(0));
    if first == last {
        first
    } else {
        format!("{first} to {last}")
    }
}

/// A time in seconds since 1970 as a day (UTC).
fn day(seconds: u64) -> String {
    let time = i64::try_from(seconds).map(Timestamp::from_second);
    match time {
        Ok(Ok(time)) => time.strftime("%Y-%m-%d").to_string(),
        _ => "an unknown day".into(),
    }
}

/// The command of the suite, then one of each configuration.
fn commands(set: &Set) -> Vec<String> {
    let quick = match set.form {
        Form::Full => "",
        Form::Quick => " --quick",
    };
    let own = if suites::find(&set.name).is_none() {
        ".toml"
    } else {
        ""
    };
    let data = match &set.suite {
        Some(suite) if suite.needs_data() => " --data DIR",
        _ => "",
    };
    let mut commands = vec![format!(
        "noyes bench run {}{own}{quick}{data} && noyes bench report",
        set.name
    )];
    for configured in set.configurations(None) {
        commands.push(configured.runs[0].command.clone());
    }
    commands
}

/// Letters, digits and hyphens only.
fn slug(text: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(day(1_735_689_599), "2024-12-31");
        assert_eq!(day(1_735_689_600), "2025-01-01");
        assert!(day(u64::MAX).contains("unknown"));
    }
}
