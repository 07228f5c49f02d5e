//! The suites of the project, each a TOML file of `suites/`.

use anyhow::Result;

use super::suite::Suite;
use crate::exit::Exit;

/// The suite of that name, if there is one.
pub fn find(_name: &str) -> Option<Suite> {
    todo!()
}

pub fn list(_json: bool) -> Result<Exit> {
    todo!()
}
