//! What SAT solvers print, and DIMACS files that claim to be ours.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noyes_solver::sat::backend::{as_v_lines, read_model};
use noyes_solver::sat::dimacs::{Instance, LevelInstance};

fuzz_target!(|text: &str| {
    let _ = read_model(text, 50);
    let _ = read_model(&as_v_lines(text), 50);
    // The formula of a large puzzle is large, which is no fault.
    let steps = text.lines().find_map(|line| line.strip_prefix("c steps ")?.trim().parse().ok());
    if text.len() > 400 || steps.is_some_and(|steps: u32| steps > 3) {
        return;
    }
    if LevelInstance::is_in(text) {
        let _ = LevelInstance::read(text);
    } else {
        let _ = Instance::read(text);
    }
});
