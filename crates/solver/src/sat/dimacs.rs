//! DIMACS: formulas as files, with what is needed to read a plan back out of a solver's answer.
//!
//! Comments say the puzzle, the goal, the encoding and the number of steps, then what each variable stands for:
//!
//! ```text
//! c noyes encode
//! c puzzle 1 2 3/4 0 6/7 5 8
//! c goal 1 2 3/4 5 6/7 8 0
//! c encoding rotated
//! c steps 2
//! c var 1 t(0,0,1) bit 0
//! p cnf 262 1520
//! ```
//!
//! The first five are all that `decode` needs: an encoding numbers its variables the same way every time.

use std::io::{self, Write};

use noyes_puzzle::tiles::{Board, Direction};

use super::cnf::{Cnf, Lit, Sink};
use super::encoding::{Encoding, EncodingName, Question, Size, unroll};

/// Writes a formula, and clauses of one literal besides.
pub(crate) fn write(cnf: &Cnf, units: &[Lit], out: &mut dyn Write) -> io::Result<()> {
    let clauses = cnf.clauses().len() + units.len();
    writeln!(out, "p cnf {} {clauses}", cnf.variables())?;
    for clause in cnf.clauses().chain(units.iter().map(std::slice::from_ref)) {
        for lit in clause {
            write!(out, "{lit} ")?;
        }
        writeln!(out, "0")?;
    }
    Ok(())
}

/// A question as a formula: can this board be solved in at most so many moves?
pub struct Instance {
    /// The board.
    pub start: Board,
    /// What to reach.
    pub goal: Board,
    /// How it is written down.
    pub encoding: EncodingName,
    /// The moves.
    pub steps: u32,
    cnf: Cnf,
    names: Vec<(Lit, String)>,
    size: Option<Size>,
    decode: Box<dyn Encoding<Move = Direction>>,
}

impl Instance {
    /// Builds the formula.
    ///
    /// # Errors
    /// If the encoding cannot do boards of this size, or start and goal differ in it.
    pub fn new(
        start: &Board,
        goal: &Board,
        encoding: EncodingName,
        steps: u32,
    ) -> Result<Instance, DimacsError> {
        let (width, height) = (start.width(), start.height());
        if (width, height) != (goal.width(), goal.height()) {
            return Err(DimacsError::Sizes {
                start: start.size(),
                goal: goal.size(),
            });
        }
        if !encoding.fits(width, height) {
            return Err(DimacsError::Board {
                encoding,
                size: start.size(),
            });
        }
        let mut cnf = Cnf::default();
        let question = Question { k: steps, least: 0 };
        let mut made = encoding.of(start, goal, question);
        // The start comes with the first step, so a question about no moves has a step that nobody looks at.
        unroll(&mut *made, steps.max(1), &mut cnf);
        cnf.clause(&[made.solved_by(steps)]);
        Ok(Instance {
            start: start.clone(),
            goal: goal.clone(),
            encoding,
            steps,
            cnf,
            names: made.names(),
            size: made.size(),
            decode: made,
        })
    }

    /// The clauses.
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// The size in the words of the document, if that counts otherwise.
    pub fn size(&self) -> Option<Size> {
        self.size
    }

    /// The plan of a model.
    pub fn decode(&self, model: &[bool]) -> Vec<Direction> {
        let holds = |lit: Lit| model[lit.unsigned_abs() as usize - 1] == (lit > 0);
        self.decode.decode(self.steps, &holds)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "c noyes encode")?;
        writeln!(out, "c puzzle {}", written(&self.start))?;
        writeln!(out, "c goal {}", written(&self.goal))?;
        writeln!(out, "c encoding {}", self.encoding)?;
        writeln!(out, "c steps {}", self.steps)?;
        for (lit, name) in &self.names {
            writeln!(out, "c var {lit} {name}")?;
        }
        write(&self.cnf, &[], out)
    }

    /// Reads the comments of a file and builds its formula again.
    ///
    /// # Errors
    /// If they are not there, or the file has another formula.
    pub fn read(text: &str) -> Result<Instance, DimacsError> {
        let field = |name: &'static str| {
            let lines = text.lines().take_while(|l| !l.starts_with("p "));
            let mut values =
                lines.filter_map(|l| l.strip_prefix("c ")?.strip_prefix(name)?.strip_prefix(' '));
            values
                .next()
                .map(str::trim)
                .ok_or(DimacsError::Missing { name })
        };
        let wrong = |name, why: String| DimacsError::Wrong { name, why };
        let board = |name| -> Result<Board, DimacsError> {
            field(name)?
                .parse()
                .map_err(|e| wrong(name, format!("{e}")))
        };
        let encoding = field("encoding")?
            .parse()
            .map_err(|e| wrong("encoding", e))?;
        let steps = field("steps")?.parse().ok().filter(|k| *k <= MOST_STEPS);
        let steps = steps.ok_or_else(|| {
            wrong(
                "steps",
                format!("expected a number of moves, {MOST_STEPS} at most"),
            )
        })?;
        let instance = Instance::new(&board("puzzle")?, &board("goal")?, encoding, steps)?;
        let expected = format!(
            "p cnf {} {}",
            instance.cnf.variables(),
            instance.cnf.clauses().len()
        );
        match text.lines().find(|l| l.starts_with("p ")) {
            Some(line) if line.split_whitespace().eq(expected.split_whitespace()) => Ok(instance),
            found => Err(DimacsError::Other {
                found: found.map_or("nothing".into(), |l| format!("{l:?}")),
                expected,
            }),
        }
    }
}

/// A board as it reads back: one row ends in a slash.
fn written(board: &Board) -> String {
    let slash = if board.height() == 1 && !board.to_string().ends_with('/') {
        "/"
    } else {
        ""
    };
    format!("{board}{slash}")
}

/// The most steps of a file.
pub const MOST_STEPS: u32 = 10_000;

/// A file that is not one of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DimacsError {
    /// A comment is missing.
    #[error("no line \"c {name} …\" before the line \"p cnf\" (expected a file of noyes encode)")]
    Missing {
        /// What it should say.
        name: &'static str,
    },
    /// A comment cannot be read.
    #[error("the line \"c {name} …\": {why}")]
    Wrong {
        /// What it should say.
        name: &'static str,
        /// What is wrong.
        why: String,
    },
    /// Start and goal have different sizes.
    #[error("the puzzle is {start}, but its goal is {goal}")]
    Sizes {
        /// Of the start.
        start: String,
        /// Of the goal.
        goal: String,
    },
    /// Not for this board.
    #[error(
        "the encoding {encoding} is for boards of 2 to {} cells, not {size}",
        super::encoding::MOST_CELLS
    )]
    Board {
        /// The encoding.
        encoding: EncodingName,
        /// The size of the board.
        size: String,
    },
    /// The formula is another.
    #[error(
        "the formula is not the one that its comments tell of: found {found}, expected {expected:?}"
    )]
    Other {
        /// The line found.
        found: String,
        /// The line expected.
        expected: String,
    },
}
