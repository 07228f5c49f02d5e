//! The suites of the project, each a TOML file of `suites/`.

use anyhow::Result;
use rust_embed::RustEmbed;
use serde::Serialize;

use super::suite::Suite;
use crate::exit::Exit;
use crate::output::{SCHEMA, json_line, print};

/// Everything in the folder `suites`.
#[derive(RustEmbed)]
#[folder = "src/bench/suites"]
struct Files;

/// The suite of that name, if there is one.
pub fn find(name: &str) -> Option<Suite> {
    let text = text(name)?;
    Some(Suite::parse(name, &text).expect("every suite of the project is read by a test"))
}

/// What its file says.
pub fn text(name: &str) -> Option<String> {
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
struct Told {
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
            json_line(&Told {
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
            Suite::parse(&name, &text).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
