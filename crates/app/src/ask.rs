//! From wishes to a request: the flags of the command line become the solver's [`Ask`], which checks all wishes together.
//! `noyes_answer::ask` does the same for bodies.

pub use noyes_answer::ask::*;
use noyes_solver::tiles::Keep;
use noyes_solver::{Ask, Request};

use crate::args::{Search, Solve};
use crate::terminal::fault::BadInput;
use crate::terminal::tables;

impl From<Refusal> for BadInput {
    fn from(refusal: Refusal) -> BadInput {
        BadInput::new(refusal.by_flag())
    }
}

/// The wishes of `noyes solve`. A search may use this number of threads.
pub fn solve(ask: Ask, args: &Solve, threads: usize) -> Result<Request, Refusal> {
    let sat = &args.sat;
    let ask = ask
        .objective(args.goodness.objective)
        .no_wait(args.rules.no_wait)
        .any(args.any)
        .encoding(sat.encoding)
        .backend(sat.backend.clone())
        .bounds(sat.bounds)
        .keep(sat.keep)
        .at_most(sat.at_most)
        .from_length(sat.from)
        .decompose(sat.decompose)
        .threads(threads)
        .checkpoints(checkpoints(args))
        .device(args.device)
        .backward(args.backward)
        .share(sat.share);
    search(ask, &args.search)
}

/// Where a search keeps how far it is.
fn checkpoints(args: &Solve) -> Option<Keep> {
    let in_cache = || Some(Keep::Folder(tables::cache_folder()?.join("checkpoints")));
    args.checkpoint.clone().map(Keep::File).or_else(in_cache)
}

/// The wishes of all commands that search.
pub fn search(ask: Ask, search: &Search) -> Result<Request, Refusal> {
    let ask = ask
        .engine(search.engine)
        .heuristic(search.heuristic.clone())
        .duplicates(search.duplicates)
        .cache(tables::shared(search.pdb_dir.as_ref()));
    request(ask)
}
