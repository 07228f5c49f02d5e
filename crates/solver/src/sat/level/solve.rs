//! Plans of levels by SAT: fewest pushes, fewest moves, or fewest steps of a crew; as a whole or in stages.

use noyes_puzzle::sokoban::Level;

use super::decompose::decompose;
use super::name::LevelEncoding;
use super::stage::solve_stage;
use crate::control::Control;
use crate::sat::ask::Solved;
use crate::sat::options::SatOptions;
use crate::sokoban::JointStep;

/// Solves a level by SAT. Bounds are in pushes, in moves, or in steps of a crew, where `wait` says whether a player may
/// stand still; the plan is what all players do in each step, the walks included.
///
/// A level without a plan has no end but a limit, unless its boxes cannot even be assigned to goals or it has few states.
///
/// ```
/// use noyes_puzzle::sokoban::parse_level;
/// use noyes_solver::sat::{LevelEncoding, SatOptions, solve_level};
/// use noyes_solver::{Control, Objective};
/// let level = parse_level("######\n#@ $.#\n######")?;
/// let options = SatOptions::of(LevelEncoding::default_for(Objective::Moves));
/// let outcome = solve_level(&level, true, &options, &Control::new()).outcome?;
/// assert_eq!(outcome.bounds.upper, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the encoding counts pushes and there are several players: see [`fit_level`](crate::sat::fit_level).
pub fn solve_level(
    level: &Level,
    wait: bool,
    options: &SatOptions<LevelEncoding>,
    control: &Control,
) -> Solved<JointStep> {
    if options.decompose {
        return decompose(level, wait, options, control);
    }
    solve_stage(level, None, wait, options, control)
}
