//! (to come)
use anyhow::Result;

use super::args::Run;
use crate::exit::Exit;

pub fn run(_args: &Run) -> Result<Exit> {
    todo!()
}
