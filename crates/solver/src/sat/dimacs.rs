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
//! The first five are all that `decode` needs: an encoding numbers its variables the same way every time. Of a level
//! they are the level in one line with run lengths, the encoding, the steps, which it counts in its own way, and whether
//! players may wait:
//!
//! ```text
//! c noyes encode
//! c level 5#|#@$.#|5#
//! c encoding tamura
//! c steps 1
//! c wait yes
//! ```

use std::io::{self, Write};
use std::str::FromStr;

use noyes_puzzle::sokoban::{Level, Walks, parse_level, write_rle};
use noyes_puzzle::tiles::{Board, Direction};

use super::cnf::{Cnf, Lit, Sink};
use super::encoding::{Encoding, Question, Size};
use super::fit::{Unfit, fit_board, fit_level};
use super::level::boxes::Push;
use super::level::make::{by_moves, by_pushes};
use super::level::moves::Moves;
use super::level::name::{ByMoves, LevelEncoding};
use super::level::nameless::Nameless;
use super::level::places::BoxPlaces;
use super::level::walk::walk;
use super::tiles::make::of_board;
use super::tiles::name::BoardEncoding;
use crate::control::{Control, Stop};
use crate::names::UnknownName;
use crate::sokoban::JointStep;

/// A question as a formula: can this board be solved in at most k moves?
pub struct Instance {
    /// The board.
    pub start: Board,
    /// What to reach.
    pub goal: Board,
    /// How it is written down.
    pub encoding: BoardEncoding,
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
        encoding: BoardEncoding,
        steps: u32,
    ) -> Result<Instance, DimacsError> {
        Instance::within(start, goal, encoding, steps, &Control::new())
    }

    /// The same within limits.
    ///
    /// # Errors
    /// As for `new`, and if a limit is reached.
    pub fn within(
        start: &Board,
        goal: &Board,
        encoding: BoardEncoding,
        steps: u32,
        control: &Control,
    ) -> Result<Instance, DimacsError> {
        let (width, height) = (start.width(), start.height());
        if (width, height) != (goal.width(), goal.height()) {
            return Err(DimacsError::Sizes {
                start: start.size(),
                goal: goal.size(),
            });
        }
        fit_board(Some(encoding.into()), start)?;
        let question = Question { k: steps, least: 0 };
        let mut made = of_board(encoding, start, goal, question);
        let cnf = asked(&mut *made, steps, control)?;
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

    /// The size in the words of the encoding's paper, if that counts otherwise.
    pub fn size(&self) -> Option<Size> {
        self.size
    }

    /// The plan of a model.
    pub fn decode(&self, model: &[bool]) -> Vec<Direction> {
        self.decode.decode(self.steps, &holding(model))
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
        write_named(&self.names, &self.cnf, out)
    }

    /// Reads the comments of a file and builds its formula again.
    ///
    /// # Errors
    /// If they are not there, or the file has another formula.
    pub fn read(text: &str) -> Result<Instance, DimacsError> {
        let board = |name| -> Result<Board, DimacsError> {
            let wrong = |e: noyes_puzzle::tiles::BoardError| wrong(name, e.to_string());
            field(text, name)?.parse().map_err(wrong)
        };
        let (encoding, steps) = question(text)?;
        let instance = Instance::new(&board("puzzle")?, &board("goal")?, encoding, steps)?;
        is_formula_of(text, &instance.cnf)?;
        Ok(instance)
    }
}

/// A question about a level: can it be solved in at most k pushes, moves or steps?
pub struct LevelInstance {
    /// The level, its players in the order of their cells.
    pub level: Level,
    /// How it is written down.
    pub encoding: LevelEncoding,
    /// What the encoding counts.
    pub steps: u32,
    /// Whether players may wait.
    pub wait: bool,
    cnf: Cnf,
    names: Vec<(Lit, String)>,
    size: Option<Size>,
    made: Written,
}

/// An encoding of either kind; nothing where boxes cannot even be assigned to goals.
enum Written {
    Nothing,
    Pushes(Box<dyn Encoding<Move = Push>>),
    Moves(Box<dyn Encoding<Move = JointStep>>),
}

impl LevelInstance {
    /// Builds the formula.
    ///
    /// # Errors
    /// If the encoding is not for such levels.
    pub fn new(
        level: &Level,
        encoding: LevelEncoding,
        steps: u32,
        wait: bool,
    ) -> Result<LevelInstance, DimacsError> {
        LevelInstance::within(level, encoding, steps, wait, &Control::new())
    }

    /// The same within limits.
    ///
    /// # Errors
    /// As for `new`, and if a limit is reached.
    pub fn within(
        level: &Level,
        encoding: LevelEncoding,
        steps: u32,
        wait: bool,
        control: &Control,
    ) -> Result<LevelInstance, DimacsError> {
        // What is read back from the file must be the same: there players are found row by row.
        let mut players = level.players().to_vec();
        players.sort_unstable();
        let level = level.with(level.boxes(), &players);
        let level = level.expect("the same level").titled(None);
        fit_level(Some(encoding.into()), &level, encoding.objective())?;
        let is_hopeless = BoxPlaces::new(&level).fewest.is_none();
        let (cnf, names, size, made) = match encoding {
            _ if is_hopeless => (contradiction(), vec![], None, Written::Nothing),
            LevelEncoding::Pushes(encoding) => {
                let mut made = by_pushes(&level, encoding);
                let cnf = asked(&mut *made, steps, control)?;
                (cnf, made.names(), made.size(), Written::Pushes(made))
            }
            LevelEncoding::Moves(encoding) => {
                let mut made = match encoding {
                    ByMoves::Own => by_moves(&level, wait, encoding),
                    ByMoves::Paper => {
                        let lower = Nameless::new(&level, wait).lower();
                        Box::new(Moves::new(&level, wait).knowing(lower.min(steps)))
                    }
                };
                let cnf = asked(&mut *made, steps, control)?;
                (cnf, made.names(), made.size(), Written::Moves(made))
            }
        };
        Ok(LevelInstance {
            level,
            encoding,
            steps,
            wait,
            cnf,
            names,
            size,
            made,
        })
    }

    /// The clauses.
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// The size in the words of the encoding's paper, if that counts otherwise.
    pub fn size(&self) -> Option<Size> {
        self.size
    }

    /// No plan has fewer of what the encoding counts; none if it is seen at once that there is no plan.
    pub fn lower(&self) -> Option<u32> {
        match self.made {
            Written::Nothing => None,
            Written::Pushes(_) => BoxPlaces::new(&self.level).fewest,
            Written::Moves(_) => Some(Nameless::new(&self.level, self.wait).lower()),
        }
    }

    /// The plan of a model.
    pub fn decode(&self, model: &[bool]) -> Walks {
        let holds = holding(model);
        let steps = match &self.made {
            Written::Nothing => vec![],
            Written::Pushes(made) => walk(&self.level, &made.decode(self.steps, &holds)),
            Written::Moves(made) => made.decode(self.steps, &holds),
        };
        Walks::of_steps(self.level.players().len(), &steps)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "c noyes encode")?;
        writeln!(out, "c level {}", write_rle(&self.level))?;
        writeln!(out, "c encoding {}", self.encoding)?;
        writeln!(out, "c steps {}", self.steps)?;
        writeln!(out, "c wait {}", if self.wait { "yes" } else { "no" })?;
        write_named(&self.names, &self.cnf, out)
    }

    /// Whether a file is of a level.
    pub fn is_in(text: &str) -> bool {
        field(text, "level").is_ok()
    }

    /// Reads the comments of a file and builds its formula again.
    ///
    /// # Errors
    /// If they are not there, or the file has another formula.
    pub fn read(text: &str) -> Result<LevelInstance, DimacsError> {
        let level =
            parse_level(field(text, "level")?).map_err(|e| wrong("level", e.to_string()))?;
        let (encoding, steps) = question(text)?;
        let wait = match field(text, "wait")? {
            "yes" => true,
            "no" => false,
            _ => return Err(wrong("wait", "expected yes or no".into())),
        };
        let instance = LevelInstance::new(&level, encoding, steps, wait)?;
        is_formula_of(text, &instance.cnf)?;
        Ok(instance)
    }
}

/// The formula of an encoding that is asked about this many steps.
fn asked<M>(
    encoding: &mut dyn Encoding<Move = M>,
    steps: u32,
    control: &Control,
) -> Result<Cnf, DimacsError> {
    let mut list = Limited {
        cnf: Cnf::default(),
        control,
        stopped: None,
    };
    // The start comes with the first step, so a question about no moves has a step that nobody looks at.
    while encoding.steps() < steps.max(1) && list.wants_more(0) {
        encoding.step(&mut list);
    }
    if let Some(stop) = list.stopped {
        return Err(DimacsError::Stopped(stop));
    }
    list.cnf.clause(&[encoding.solved_by(steps)]);
    Ok(list.cnf)
}

/// A list of clauses that stops growing once a limit is reached.
struct Limited<'a> {
    cnf: Cnf,
    control: &'a Control,
    stopped: Option<Stop>,
}

/// Clauses between two checks of the limits.
const PACE: usize = 4096;

impl Sink for Limited<'_> {
    fn variable(&mut self) -> Lit {
        if self.stopped.is_some() {
            return Lit::of(1);
        }
        self.cnf.variable()
    }

    fn clause(&mut self, lits: &[Lit]) {
        if self.stopped.is_some() {
            return;
        }
        self.cnf.clause(lits);
        if self.cnf.clauses().len().is_multiple_of(PACE) {
            self.wants_more(0);
        }
    }

    fn wants_more(&mut self, bytes: usize) -> bool {
        if self.stopped.is_none() {
            // A list that grows is copied to one of twice the size.
            let bytes = bytes.saturating_add(3 * self.cnf.bytes());
            let allowed = self.control.poll_stop();
            self.stopped = allowed.and_then(|()| self.control.allow_bytes(bytes)).err();
        }
        self.stopped.is_none()
    }
}

/// A formula that says no.
fn contradiction() -> Cnf {
    let mut cnf = Cnf::default();
    let no = cnf.variable();
    cnf.clause(&[no]);
    cnf.clause(&[-no]);
    cnf
}

fn holding(model: &[bool]) -> impl Fn(Lit) -> bool {
    |lit: Lit| lit.holds_in(model)
}

fn write_named(names: &[(Lit, String)], cnf: &Cnf, out: &mut dyn Write) -> io::Result<()> {
    for (lit, name) in names {
        writeln!(out, "c var {lit} {name}")?;
    }
    cnf.write(&[], out)
}

/// What a comment before the formula says.
fn field<'a>(text: &'a str, name: &'static str) -> Result<&'a str, DimacsError> {
    let lines = text.lines().take_while(|l| !l.starts_with("p "));
    let mut values =
        lines.filter_map(|l| l.strip_prefix("c ")?.strip_prefix(name)?.strip_prefix(' '));
    let value = values.next().map(str::trim);
    value.ok_or(DimacsError::Missing { name })
}

fn wrong(name: &'static str, why: String) -> DimacsError {
    DimacsError::Wrong { name, why }
}

/// The encoding and the number of steps in the comments of a file.
fn question<E: FromStr<Err = UnknownName>>(text: &str) -> Result<(E, u32), DimacsError> {
    let encoding: Result<E, UnknownName> = field(text, "encoding")?.parse();
    let steps = field(text, "steps")?.parse().ok();
    let steps = steps.filter(|k| *k <= MOST_STEPS).ok_or_else(|| {
        wrong(
            "steps",
            format!("expected a number of moves, {MOST_STEPS} at most"),
        )
    })?;
    Ok((
        encoding.map_err(|e| wrong("encoding", e.to_string()))?,
        steps,
    ))
}

/// Whether a file has the formula that its comments describe.
fn is_formula_of(text: &str, cnf: &Cnf) -> Result<(), DimacsError> {
    let expected = format!("p cnf {} {}", cnf.variables(), cnf.clauses().len());
    match text.lines().find(|l| l.starts_with("p ")) {
        Some(line) if line.split_whitespace().eq(expected.split_whitespace()) => Ok(()),
        found => Err(DimacsError::Other {
            found: found.map_or("nothing".into(), |l| format!("{l:?}")),
            expected,
        }),
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
    /// The encoding is not for this puzzle.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// A limit is reached.
    #[error("the formula is not built ({0})")]
    Stopped(Stop),
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
