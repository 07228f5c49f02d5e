//! Checks of a suite beyond its TOML, before anything runs.

use std::collections::HashSet;

use super::suite::{Suite, View};
use super::words;
use crate::args;
use crate::terminal::fault::BadInput;

/// More repetitions would add nothing.
const MOST_REPETITIONS: u32 = 1000;

impl Suite {
    /// Refuses unknown names, unreadable times, and the like; messages call the suite `name`.
    pub fn check(&self, name: &str) -> Result<(), BadInput> {
        self.fault()
            .map_or(Ok(()), |what| Err(BadInput::new(format!("{name}: {what}"))))
    }

    fn fault(&self) -> Option<String> {
        self.limits_fault()
            .or_else(|| self.instances_fault())
            .or_else(|| self.configurations_fault())
            .or_else(|| self.names_fault())
    }

    fn limits_fault(&self) -> Option<String> {
        let of_groups = self.instances.iter().map(|group| group.time_limit.as_ref());
        let of_suite = [Some(&self.time_limit), self.quick.time_limit.as_ref()];
        for limit in of_suite.into_iter().chain(of_groups) {
            if let Some(Err(what)) = limit.map(|limit| args::duration(limit)) {
                return Some(format!("time-limit: {what}"));
            }
        }
        if let Err(what) = args::bytes(&self.memory_limit) {
            return Some(format!("memory-limit: {what}"));
        }
        let times = [Some(self.repetitions), self.quick.repetitions];
        let is_odd = |n: &u32| !(1..=MOST_REPETITIONS).contains(n);
        (times.iter().flatten().any(is_odd))
            .then(|| format!("repetitions: expected 1 to {MOST_REPETITIONS}"))
    }

    fn instances_fault(&self) -> Option<String> {
        let mut names = HashSet::new();
        for group in &self.instances {
            let name = &group.name;
            if !names.insert(name) {
                return Some(format!("two groups of instances have the name {name:?}"));
            }
            let sources = [
                !group.puzzles.is_empty(),
                group.generate.is_some(),
                group.file.is_some(),
            ];
            if sources.iter().filter(|&&given| given).count() != 1 {
                return Some(format!(
                    "instances {name:?}: expected exactly one of puzzles, generate and file"
                ));
            }
        }
        None
    }

    fn configurations_fault(&self) -> Option<String> {
        let groups: HashSet<&String> = self.instances.iter().map(|group| &group.name).collect();
        let mut names = HashSet::new();
        if self.configurations.is_empty() {
            return Some("there are no configurations".into());
        }
        for configuration in &self.configurations {
            let name = &configuration.name;
            let fault = |what: String| Some(format!("configuration {name:?}: {what}"));
            if !names.insert(name) {
                return Some(format!("two configurations have the name {name:?}"));
            }
            if let Err(what) = words::split(&configuration.command) {
                return fault(what);
            }
            if let Some(unknown) = configuration.instances.iter().find(|i| !groups.contains(i)) {
                return fault(format!("there are no instances named {unknown:?}"));
            }
            if !configuration.alone && groups.is_empty() {
                return fault("it has no instances (with alone = true it needs none)".into());
            }
            let values = &configuration.parameters;
            let quick = &configuration.quick_parameters;
            if let Some(unknown) = quick.keys().find(|k| !values.contains_key(*k)) {
                return fault(format!("quick-parameters: {unknown:?} is not a parameter"));
            }
            let empty = values.iter().chain(quick).find(|(_, v)| v.is_empty());
            if let Some((parameter, _)) = empty {
                return fault(format!("the parameter {parameter:?} has no values"));
            }
        }
        None
    }

    /// Figures and views that name configurations.
    fn names_fault(&self) -> Option<String> {
        let known = |name: &String| self.configurations.iter().any(|c| c.name == *name);
        for said in &self.said {
            if !said.theirs && !known(&said.configuration) {
                return Some(format!(
                    "said: {:?} is not a configuration (theirs = true says that only the paper has it)",
                    said.configuration
                ));
            }
        }
        for view in &self.views {
            let named = match view {
                View::Scatter { across, up, .. } => vec![across, up],
                View::Cross { configurations, .. } => configurations.iter().collect(),
                _ => vec![],
            };
            if let Some(unknown) = named.into_iter().find(|name| !known(name)) {
                return Some(format!("views: {unknown:?} is not a configuration"));
            }
        }
        None
    }
}
