//! (to come)
use anyhow::Result;

use super::args::Report;
use crate::exit::Exit;

pub fn run(_args: &Report) -> Result<Exit> {
    todo!()
}
