//! Configurations compared on the tasks that all of them ran: the number solved, PAR-2, and the virtual best.
//!
//! The virtual best takes the best configuration for each task: what a perfect choice would give. A repeated task is
//! solved if more than half of its runs are answered; its value is the mean of its runs.

use std::collections::BTreeMap;

use super::document::{Column, Row, Table};
use super::set::{Set, natural};
use super::statistics::{Figure, Sample, mean};
use crate::bench::ending::Ending;
use crate::bench::record::Run;
use crate::bench::suite::Statistic;
use crate::chart::number::{Unit, write};

/// How one configuration did on one task.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The median of its runs, if that is known.
    pub value: Option<f64>,
    pub par2: f64,
}

/// The outcomes of all configurations, by task.
pub struct Outcomes {
    pub labels: Vec<String>,
    /// Without parameters.
    names: Vec<String>,
    /// For each task and configuration, where it ran.
    pub tasks: Vec<(String, Vec<Option<Outcome>>)>,
}

impl Outcomes {
    pub fn of(set: &Set, measure: &str) -> Outcomes {
        let mut configurations = set.configurations(None);
        configurations.retain(|c| c.runs.iter().any(|run| !run.instance.is_empty())); // no task, nothing to compare
        let mut tasks: BTreeMap<String, Vec<Vec<&Run>>> = BTreeMap::new();
        for (i, configured) in configurations.iter().enumerate() {
            for run in &configured.runs {
                let runs = tasks
                    .entry(set.task(run))
                    .or_insert_with(|| vec![vec![]; configurations.len()]);
                runs[i].push(run);
            }
        }
        let outcome = |runs: Vec<&Run>| {
            let sample = Sample::of(runs, measure);
            let value = match sample.figure(Statistic::Median) {
                Figure::Nothing => return None,
                Figure::Known(value) => Some(value),
                Figure::AtLeast(_) => None,
            };
            let par2 = sample.figure(Statistic::Par2).number()?;
            Some(Outcome { value, par2 })
        };
        let mut tasks: Vec<_> = tasks
            .into_iter()
            .map(|(task, runs)| (task, runs.into_iter().map(outcome).collect()))
            .collect();
        tasks.sort_by(|a: &(String, Vec<_>), b| natural(&a.0, &b.0));
        let (labels, names) = configurations
            .into_iter()
            .map(|c| (c.label, c.name))
            .unzip();
        Outcomes {
            labels,
            names,
            tasks,
        }
    }

    /// The configuration of that name with its parameters, or else the first of that name without them.
    pub fn find(&self, name: &str) -> Option<usize> {
        let at = |all: &[String]| all.iter().position(|other| other == name);
        at(&self.labels).or_else(|| at(&self.names))
    }

    /// The tasks that all configurations ran.
    pub fn common(&self) -> Vec<Vec<Outcome>> {
        let all = self.tasks.iter();
        all.filter_map(|(_, outcomes)| outcomes.iter().copied().collect())
            .collect()
    }

    /// The values of the virtual best on those tasks.
    pub fn best(&self) -> Vec<Option<f64>> {
        let least = |outcomes: Vec<Outcome>| {
            let values = outcomes.iter().filter_map(|o| o.value);
            values.min_by(f64::total_cmp)
        };
        self.common().into_iter().map(least).collect()
    }
}

impl Outcomes {
    /// Removes configurations that ran fewer than half of the tasks, so that they do not limit the comparison to those.
    /// Returns their names.
    fn take_partial(&mut self) -> Vec<String> {
        let ran = |i: usize| self.tasks.iter().filter(|t| t.1[i].is_some()).count();
        let stays: Vec<bool> = (0..self.labels.len())
            .map(|i| 2 * ran(i) >= self.tasks.len())
            .collect();
        let taken = (self.labels.iter().zip(&stays)).filter(|(_, stays)| !**stays);
        let taken = taken.map(|(label, _)| label.clone()).collect();
        retain(&mut self.labels, &stays);
        retain(&mut self.names, &stays);
        for (_, outcomes) in &mut self.tasks {
            retain(outcomes, &stays);
        }
        taken
    }
}

fn retain<T>(list: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    list.retain(|_| *stays.next().expect("one for each"));
}

/// The comparison, if there is something to compare.
pub fn summary(set: &Set) -> Option<Table> {
    let is_compared = |run: &Run| {
        let suite = set.suite.iter().flat_map(|suite| &suite.configurations);
        !suite
            .filter(|c| c.name == run.configuration)
            .any(|c| c.apart)
    };
    let mut set = set.clone();
    set.runs.retain(is_compared);
    let set = &set;
    let mut outcomes = Outcomes::of(set, "wall_s");
    let partial = outcomes.take_partial();
    let common = outcomes.common();
    let compares = outcomes.labels.len() > 1 && common.len() > 1;
    if !compares || set.runs.iter().all(|run| run.ending == Ending::Done) {
        return None;
    }
    let tasks = common.len();
    let seconds = |value: f64| write(value, Unit::Seconds);
    let mut rows = vec![];
    for (i, label) in outcomes.labels.iter().enumerate() {
        let solved = common.iter().filter(|o| o[i].value.is_some()).count();
        let first = |o: &&Vec<Outcome>| {
            let best = o.iter().filter_map(|o| o.value).min_by(f64::total_cmp);
            o[i].value.is_some() && o[i].value == best
        };
        let par2: Vec<f64> = common.iter().map(|o| o[i].par2).collect();
        rows.push(Row {
            cells: vec![
                label.clone(),
                format!("{solved} of {tasks}"),
                seconds(mean(&par2)),
                common.iter().filter(first).count().to_string(),
            ],
            apart: false,
        });
    }
    let solved = outcomes.best().iter().flatten().count();
    let least = |o: &Vec<Outcome>| o.iter().map(|o| o.par2).fold(f64::INFINITY, f64::min);
    let par2: Vec<f64> = common.iter().map(least).collect();
    rows.push(Row {
        cells: vec![
            "virtual best".into(),
            format!("{solved} of {tasks}"),
            seconds(mean(&par2)),
            String::new(),
        ],
        apart: true,
    });
    let mut columns = vec![Column::label("configuration")];
    for name in ["solved", "time, PAR-2", "fastest on"] {
        columns.push(Column::ours(name));
    }
    let mut notes = vec![
        "PAR-2: the mean time, where a run without an answer counts as twice its time limit. Virtual best: the best \
         configuration on each task."
            .into(),
    ];
    if !partial.is_empty() {
        notes.push(format!(
            "Left out, because they ran fewer than half of the tasks: {}.",
            partial.join(", ")
        ));
    }
    if tasks < outcomes.tasks.len() {
        notes.push(format!(
            "Only the {tasks} of {} tasks that every configuration ran.",
            outcomes.tasks.len()
        ));
    }
    Some(Table {
        title: "All configurations on the same tasks".into(),
        columns,
        rows,
        notes,
    })
}
