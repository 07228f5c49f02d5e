//! Runs that may be compared: those of one suite and form, by one version of the program on one machine.
//!
//! A configuration can have parameters. A parameter that every configuration has, or that a view uses as an axis or for
//! its rows, is part of the task (such as a bound); any other distinguishes configurations and is part of their names.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::bench::record::{Host, Run};
use crate::bench::suite::{Configuration, Form, Suite, Value, View};

/// Runs that may be compared.
#[derive(Clone)]
pub struct Set {
    pub name: String,
    pub form: Form,
    pub version: String,
    pub host: Host,
    pub suite: Option<Suite>,
    pub runs: Vec<Run>,
    /// Runs that are in the results again; the first one counts.
    pub repeated: Vec<Run>,
}

/// The runs of a configuration, and its names.
pub struct Configured<'a> {
    pub label: String,
    /// Without parameters.
    pub name: String,
    pub runs: Vec<&'a Run>,
}

/// Groups runs into sets, ordered by suite, form, version and machine.
pub fn sets(runs: Vec<Run>, find: impl Fn(&str) -> Option<Suite>) -> Vec<Set> {
    let mut sets: Vec<Set> = vec![];
    let mut seen = BTreeSet::new();
    for run in runs {
        let same = |set: &Set| {
            (&set.name, &set.form, &set.version, &set.host)
                == (&run.suite, &run.form, &run.version, &run.host)
        };
        let at = sets.iter().position(same).unwrap_or_else(|| {
            sets.push(Set {
                name: run.suite.clone(),
                form: run.form,
                version: run.version.clone(),
                host: run.host.clone(),
                suite: find(&run.suite),
                runs: vec![],
                repeated: vec![],
            });
            sets.len() - 1
        });
        let set = &mut sets[at];
        let of = (&set.name, &set.form, &set.version, &set.host);
        let key = format!("{of:?} {}", run.key());
        if seen.insert(key) {
            set.runs.push(run);
        } else {
            set.repeated.push(run);
        }
    }
    let key = |set: &Set| {
        let Host {
            processor,
            system,
            cores,
            memory_bytes,
        } = &set.host;
        let host = (processor.clone(), system.clone(), *cores, *memory_bytes);
        (set.name.clone(), set.form, set.version.clone(), host)
    };
    sets.sort_by_key(key);
    for set in &mut sets {
        // The order in which shards ran does not matter.
        set.runs.sort_by(|a, b| {
            natural(&a.instance, &b.instance).then(a.repetition.cmp(&b.repetition))
        });
    }
    sets
}

impl Set {
    /// Its runs that have these tags.
    pub fn only(&self, tags: &BTreeMap<String, Value>) -> Cow<'_, Set> {
        if tags.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut set = self.clone();
        set.runs.retain(|run| {
            tags.iter()
                .all(|(name, value)| tag(run, name).as_ref() == Some(value))
        });
        Cow::Owned(set)
    }

    /// Its runs by these configurations; by all if the list is empty.
    pub fn by(&self, configurations: &[String]) -> Cow<'_, Set> {
        if configurations.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut set = self.clone();
        set.runs
            .retain(|run| configurations.contains(&run.configuration));
        Cow::Owned(set)
    }

    /// The configurations in the order of the suite; `apart` is a parameter that is left out of their names.
    pub fn configurations(&self, apart: Option<&str>) -> Vec<Configured<'_>> {
        let mut all: Vec<Configured> = vec![];
        for run in &self.runs {
            let label = self.label(run, apart);
            match all.iter_mut().find(|c| c.label == label) {
                Some(configured) => configured.runs.push(run),
                None => all.push(Configured {
                    label,
                    name: run.configuration.clone(),
                    runs: vec![run],
                }),
            }
        }
        let place = |name: &str| {
            let suite = self.suite.as_ref();
            let at = suite.and_then(|s| s.configurations.iter().position(|c| c.name == name));
            at.unwrap_or(usize::MAX)
        };
        all.sort_by(|a, b| {
            let places = place(&a.name).cmp(&place(&b.name));
            places.then_with(|| natural(&a.label, &b.label))
        });
        all
    }

    fn label(&self, run: &Run, apart: Option<&str>) -> String {
        let mut label = run.configuration.clone();
        for name in self.parameters(&run.configuration) {
            if Some(name.as_str()) != apart
                && !self.is_shared(name)
                && let Some(value) = run.tags.get(name)
            {
                let _ = write!(label, " {name}={value}");
            }
        }
        label
    }

    /// What a run worked on: the instance and the parameters that all configurations share.
    pub fn task(&self, run: &Run) -> String {
        let mut task = run.instance.clone();
        for name in self.parameters(&run.configuration) {
            if self.is_shared(name)
                && let Some(value) = run.tags.get(name)
            {
                let _ = write!(task, " {name}={value}");
            }
        }
        task
    }

    fn parameters(&self, configuration: &str) -> Vec<&String> {
        let suite = self.suite.iter();
        let named = suite
            .flat_map(|s| &s.configurations)
            .filter(|c| c.name == configuration);
        named.flat_map(|c| c.parameters.keys()).collect()
    }

    fn is_shared(&self, parameter: &str) -> bool {
        let Some(suite) = &self.suite else {
            return false;
        };
        let by = |view: &View| match view {
            View::Growth { across, .. } => across == parameter,
            View::Cross { rows, .. } => rows == parameter,
            View::Table { by, .. } => by.as_deref() == Some(parameter),
            _ => false,
        };
        let has = |c: &Configuration| c.parameters.contains_key(parameter);
        suite.configurations.iter().all(has) || suite.views.iter().any(by)
    }
}

/// A run's value of a tag, of `instance`, or of a measure.
pub fn tag(run: &Run, name: &str) -> Option<Value> {
    if name == "instance" {
        let instance = Some(run.instance.clone()).filter(|i| !i.is_empty()); // some commands take none
        return instance.map(Value::Text);
    }
    let tag = run.tags.get(name).cloned();
    tag.or_else(|| {
        let value = run.measure(name)?;
        Some(if value.fract() == 0.0 {
            Value::Whole(value as i64)
        } else {
            Value::Real(value)
        })
    })
}

/// A value as a number, if it is one.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Whole(n) => Some(*n as f64),
        Value::Real(x) => Some(*x).filter(|x| x.is_finite()),
        Value::Text(text) => text.parse().ok().filter(|x: &f64| x.is_finite()),
    }
}

/// Runs grouped by their value of a tag; runs without one are left out.
pub fn parts<'a>(runs: &[&'a Run], by: &str) -> Vec<(Value, Vec<&'a Run>)> {
    let mut all: BTreeMap<String, (Value, Vec<&Run>)> = BTreeMap::new();
    for run in runs {
        if let Some(value) = tag(run, by) {
            let part = all.entry(value.to_string());
            part.or_insert_with(|| (value, vec![])).1.push(run);
        }
    }
    let mut all: Vec<_> = all.into_values().collect();
    all.sort_by(|a, b| order(&a.0, &b.0));
    all
}

/// Distinct values of a tag, in order.
pub fn distinct(values: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let mut all: Vec<Value> = values.into_iter().collect();
    all.sort_by(order);
    all.dedup_by_key(|v| v.to_string());
    all
}

/// Numbers by size, then texts as people sort them.
fn order(a: &Value, b: &Value) -> Ordering {
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => natural(&a.to_string(), &b.to_string()),
    }
}

/// Numbers within a text count as numbers: `map5` comes before `map10`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (left, right) = (pieces(a), pieces(b));
    left.cmp(&right).then_with(|| a.cmp(b))
}

/// A text as letters and numbers; digits come before letters, shorter numbers before longer ones.
fn pieces(text: &str) -> Vec<(usize, String)> {
    let mut pieces: Vec<(usize, String)> = vec![];
    for c in text.chars() {
        match pieces.last_mut() {
            Some((length, piece)) if c.is_ascii_digit() && *length < usize::MAX => {
                if piece == "0" {
                    *piece = c.into();
                } else {
                    piece.push(c);
                    *length += 1;
                }
            }
            _ if c.is_ascii_digit() => pieces.push((1, c.into())),
            _ => pieces.push((usize::MAX, c.into())),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_sorted_as_people_do() {
        let mut names = ["map10", "map1MA", "map5", "map1", "b", "map05x", "map13"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["b", "map1", "map1MA", "map5", "map05x", "map10", "map13"]
        );
    }

    #[test]
    fn values_of_a_tag_are_sorted_and_come_once() {
        let text = |t: &str| Value::Text(t.into());
        let values = [
            Value::Whole(10),
            text("x"),
            Value::Real(2.5),
            Value::Whole(10),
        ];
        let told: Vec<String> = distinct(values).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["2.5", "10", "x"]);
    }
}
