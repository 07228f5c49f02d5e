//! The suites of the project, each a TOML file of `suites/`.

use std::path::Path;

use anyhow::Result;
use rust_embed::RustEmbed;
use serde::Serialize;

use super::results::suite_file;
use super::suite::Suite;
use crate::record::{SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::print::print;

/// Everything in the folder `suites`.
#[derive(RustEmbed)]
#[folder = "src/bench/suites"]
struct Files;

/// The suite of that name, if there is one.
pub fn find(name: &str) -> Option<Suite> {
    let text = text(name)?;
    Some(Suite::parse(name, &text).expect("every suite of the project is read by a test"))
}

/// The suite of that name: the file beside its results, or else the project's own.
pub fn find_beside(folder: &Path, name: &str) -> Result<Option<Suite>> {
    let path = folder.join(suite_file(name));
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(Suite::parse(&path.display().to_string(), &text)?)),
        Err(_) => Ok(find(name)),
    }
}

/// The message about a name that no suite has.
pub fn unknown(name: &str) -> BadInput {
    let names = names();
    let distance = |known: &String| strsim::levenshtein(known, name);
    let nearest = names.iter().min_by_key(|known| distance(known));
    let perhaps = nearest
        .filter(|known| distance(known) <= 3.max(name.len() / 3))
        .map_or(String::new(), |known| format!(" (did you mean {known}?)"));
    BadInput::new(format!(
        "{name:?} is not a suite{perhaps}: expected {}, or a TOML file",
        names.join(", ")
    ))
}

/// The message about a suite without runs for a GPU.
pub fn without_gpu(name: &str) -> BadInput {
    let names: Vec<String> = (names().iter())
        .filter_map(|name| Some(name.strip_suffix("-gpu")?.to_string()))
        .collect();
    BadInput::new(format!(
        "--device gpu: {name} has no runs for a GPU (expected {})",
        names.join(", ")
    ))
}

/// The text of its file.
fn text(name: &str) -> Option<String> {
    let file = Files::get(&format!("{name}.toml"))?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// The names of the suites, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = Files::iter()
        .filter_map(|file| Some(file.strip_suffix(".toml")?.to_string()))
        .collect();
    names.sort();
    names
}

#[derive(Serialize)]
struct Listed {
    schema: &'static str,
    suite: String,
    title: String,
    source: Option<String>,
}

pub fn list(json: bool) -> Result<Exit> {
    let names = names();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    for name in names {
        let Some(suite) = find(&name) else { continue };
        print(&if json {
            json_line(&Listed {
                schema: SCHEMA,
                suite: name,
                title: suite.title,
                source: suite.source,
            })
        } else {
            format!("{name:width$}  {}\n", suite.title)
        })?;
    }
    Ok(Exit::Answered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_can_be_read() {
        for name in names() {
            let text = text(&name).unwrap();
            let suite = Suite::parse(&name, &text).unwrap_or_else(|e| panic!("{e}"));
            suite.check(&name).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    #[test]
    fn a_name_that_is_nearly_right_is_suggested() {
        assert!(
            unknown("tabel-7-1")
                .to_string()
                .contains("did you mean table-7-1?")
        );
        assert!(
            !unknown("something else")
                .to_string()
                .contains("did you mean")
        );
    }
}
