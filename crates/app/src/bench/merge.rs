//! (to come)
use anyhow::Result;

use super::args::Merge;
use crate::exit::Exit;

pub fn run(_args: &Merge) -> Result<Exit> {
    todo!()
}
