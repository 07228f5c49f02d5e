//! Encodings: a board and its moves written as clauses, step by step.
//!
//! Time is unrolled: the formula of k steps speaks of k + 1 boards. Whether the goal is reached is asked through one
//! literal for each k, [`Encoding::solved_by`], which is assumed or asserted and forces nothing unless it is. With it
//! the formula has a model if and only if there is a plan of at most k moves, however many more steps are unrolled.
//! So a solver may be kept while the formula grows, and k may be asked in any order.

mod boxes;
mod edixhoven;
mod fixed;
mod lean_moves;
mod moves;
mod pushes;
mod rotated;
mod tamura;
mod transitions;

use std::fmt;
use std::str::FromStr;

use noyes_puzzle::tiles::{Board, Direction};

pub use boxes::Push;
pub use edixhoven::{Edixhoven, Extras, Size};
pub use fixed::Fixed;
pub use lean_moves::LeanMoves;
pub use moves::Moves;
pub use pushes::Pushes;
pub use rotated::Rotated;
pub use tamura::{Blocks, Tamura};
pub use transitions::Transitions;

use super::cnf::{Lit, Sink};
use crate::sokoban::Objective;

/// A question: is there a plan of at most k moves?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The most moves.
    pub k: u32,
    /// No plan has fewer moves than this, as far as is known.
    pub least: u32,
}

/// A puzzle as clauses, unrolled over time.
pub trait Encoding {
    /// What plans are made of.
    type Move;

    /// Adds one more step. The first call also adds the start, before any step.
    fn step(&mut self, sink: &mut dyn Sink);

    /// The steps there are.
    fn steps(&self) -> u32;

    /// The literal under which the models are the plans of at most `k` moves; `k` is at most the steps there are.
    fn solved_by(&self, k: u32) -> Lit;

    /// The plan of a model in which `solved_by(k)` holds.
    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Self::Move>;

    /// Literals that say the moves of a plan and the boards between them, for a formula of at least its steps. Every
    /// plan that is worth making must be a model: the tests assume these.
    fn literals(&self, plan: &[Self::Move]) -> Vec<Lit>;

    /// What its variables stand for; those not named only help others.
    fn names(&self) -> Vec<(Lit, String)>;

    /// The size in the words of the document it comes from, if that counts something else than clauses.
    fn size(&self) -> Option<Size> {
        None
    }
}

/// Adds steps until there are this many.
pub fn unroll<M>(encoding: &mut dyn Encoding<Move = M>, steps: u32, sink: &mut dyn Sink) {
    while encoding.steps() < steps {
        encoding.step(sink);
    }
}

/// The most cells of a board to encode: the formulas grow with the cube of it, in each step.
pub const MOST_CELLS: usize = 100;

/// Which encoding, with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncodingName {
    /// Edixhoven's constraint problem, 2016.
    Edixhoven(Extras),
    /// Clausecker and Kaiser's rotated grid, 2021.
    Rotated,
    /// Stalzer's transition formulas, 2019.
    Transitions,
    /// Our own. CaDiCaL is told what pattern databases say as it goes, unless the formula is to be `fixed`: written down
    /// beforehand, as it always is for other solvers and for files.
    Lean {
        /// Whether it is written down beforehand for CaDiCaL, too.
        fixed: bool,
    },
    /// Tamura's constraint problem for levels, by pushes.
    Tamura(Blocks),
    /// The moves of levels: as the document writes them, or our own way.
    Moves {
        /// No names, and what is known of good plans.
        lean: bool,
    },
    /// Our own for levels, push by push.
    Pushes,
}

impl EncodingName {
    /// Names of all, each with what it can be asked for besides.
    pub const KNOWN: &str = "edixhoven[+no-undo][+manhattan][+blocks], rotated, transitions, lean[+static]; for levels tamura[+dead][+bad], moves[+lean], pushes";

    /// The encoding of a board and its goal, which have the same size, for this question first or,
    /// if it [is for one bound](EncodingName::is_for_one_bound), for this one only.
    ///
    /// # Panics
    /// If it is not for boards.
    pub fn of(
        self,
        start: &Board,
        goal: &Board,
        question: Question,
    ) -> Box<dyn Encoding<Move = Direction>> {
        match self {
            EncodingName::Edixhoven(extras) => Box::new(Edixhoven::new(start, goal, extras)),
            EncodingName::Rotated => Box::new(Rotated::new(start, goal)),
            EncodingName::Transitions => Box::new(Transitions::new(start, goal)),
            EncodingName::Lean { .. } => Box::new(Fixed::new(start, goal, question)),
            EncodingName::Tamura(_) | EncodingName::Moves { .. } | EncodingName::Pushes => {
                unreachable!("{self} is for levels")
            }
        }
    }

    /// What it counts, if it is for levels.
    pub fn objective(self) -> Option<Objective> {
        match self {
            EncodingName::Tamura(_) | EncodingName::Pushes => Some(Objective::Pushes),
            EncodingName::Moves { .. } => Some(Objective::Moves),
            _ => None,
        }
    }

    /// Whether each bound needs a formula of its own.
    pub fn is_for_one_bound(self) -> bool {
        matches!(self, EncodingName::Lean { .. })
    }

    /// Whether it has all optimal plans among its models.
    pub fn is_optimal(self) -> bool {
        !matches!(self, EncodingName::Edixhoven(Extras { blocks: true, .. }))
    }

    /// What it is for, in words.
    pub fn is_for(self) -> String {
        match self.objective() {
            Some(_) => "levels of Sokoban".into(),
            None => format!("boards of 2 to {MOST_CELLS} cells"),
        }
    }

    /// Whether it is for boards, and of this size.
    pub fn fits(self, width: usize, height: usize) -> bool {
        self.objective().is_none() && (2..=MOST_CELLS).contains(&(width * height))
    }
}

impl Default for EncodingName {
    fn default() -> Self {
        EncodingName::Lean { fixed: false }
    }
}

impl fmt::Display for EncodingName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            EncodingName::Edixhoven(extras) => write!(f, "edixhoven{extras}"),
            EncodingName::Rotated => f.write_str("rotated"),
            EncodingName::Transitions => f.write_str("transitions"),
            EncodingName::Lean { fixed } => {
                f.write_str(if *fixed { "lean+static" } else { "lean" })
            }
            EncodingName::Tamura(blocks) => write!(f, "tamura{blocks}"),
            EncodingName::Moves { lean: false } => f.write_str("moves"),
            EncodingName::Moves { lean: true } => f.write_str("moves+lean"),
            EncodingName::Pushes => f.write_str("pushes"),
        }
    }
}

impl FromStr for EncodingName {
    type Err = String;

    fn from_str(text: &str) -> Result<EncodingName, String> {
        let unknown = || {
            let known = EncodingName::KNOWN;
            format!("{text:?} is no encoding (expected {known})")
        };
        let (name, options) = text
            .split_once('+')
            .map_or((text, None), |(a, b)| (a, Some(b)));
        match (name, options) {
            ("edixhoven", None) => Ok(EncodingName::Edixhoven(Extras::default())),
            ("edixhoven", Some(options)) => {
                let mut extras = Extras::default();
                for option in options.split('+') {
                    match option {
                        "no-undo" => extras.no_undo = true,
                        "manhattan" => extras.manhattan = true,
                        "blocks" => extras.blocks = true,
                        _ => return Err(unknown()),
                    }
                }
                Ok(EncodingName::Edixhoven(extras))
            }
            ("rotated", None) => Ok(EncodingName::Rotated),
            ("transitions", None) => Ok(EncodingName::Transitions),
            ("lean", None) => Ok(EncodingName::Lean { fixed: false }),
            ("lean", Some("static")) => Ok(EncodingName::Lean { fixed: true }),
            ("tamura", options) => {
                let mut blocks = Blocks::default();
                for option in options.into_iter().flat_map(|o| o.split('+')) {
                    match option {
                        "dead" => blocks.dead = true,
                        "bad" => blocks.bad = true,
                        _ => return Err(unknown()),
                    }
                }
                Ok(EncodingName::Tamura(blocks))
            }
            ("moves", None) => Ok(EncodingName::Moves { lean: false }),
            ("moves", Some("lean")) => Ok(EncodingName::Moves { lean: true }),
            ("pushes", None) => Ok(EncodingName::Pushes),
            _ => Err(unknown()),
        }
    }
}

/// The boards on the way of a plan, the start first.
fn boards(start: &Board, plan: &[Direction]) -> Vec<Board> {
    let mut board = start.clone();
    let mut boards = vec![board.clone()];
    for &direction in plan {
        assert!(board.step(direction), "a plan stays on the board");
        boards.push(board.clone());
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_as_they_print() {
        for text in [
            "edixhoven",
            "edixhoven+no-undo",
            "edixhoven+no-undo+manhattan+blocks",
            "rotated",
            "transitions",
            "lean",
            "lean+static",
            "tamura",
            "tamura+dead+bad",
            "moves",
            "moves+lean",
            "pushes",
        ] {
            assert_eq!(text.parse::<EncodingName>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "rotated+no-undo",
            "edixhoven+",
            "lien",
            "lean+statics",
            "tamura+",
            "moves+dead",
        ] {
            assert!(
                text.parse::<EncodingName>()
                    .unwrap_err()
                    .contains("expected edixhoven")
            );
        }
    }
}
