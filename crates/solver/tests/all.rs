//! The library, from outside. One binary, because linking one is faster than linking many.

mod agree;
#[cfg(feature = "cadical")]
mod certificates;
mod crew;
mod databases;
mod engines;
#[cfg(feature = "cadical")]
mod forgeries;
mod generate;
mod heuristics;
mod human;
mod known_optima;
mod limits;
mod pddl;
mod plain_sokoban;
#[cfg(unix)]
mod programs;
mod progress;
#[cfg(feature = "cadical")]
mod rooms;
mod sat;
mod skipped;
mod sokoban;
mod sokoban_sat;
mod sokoban_search;
mod stages;
mod strips;
mod ways;
