//! A certificate: a puzzle, a plan, and a proof that no cheaper plan exists, in one file.
//!
//! It begins with lines of text, each a word and what belongs to it:
//!
//! ```text
//! noyes certificate 1                     noyes certificate 1
//! puzzle tiles                            puzzle sokoban
//! start 8 6 7/2 5 4/3 0 1                 counts pushes
//! goal 1 2 3/4 5 6/7 8 0                  level ######/#@ $.#/######
//! plan UULDDRUULDLURRDDLUULDRRULDDRULD    plan rR
//! tables 1 2 3 4/5 6 7 8                  proof
//! refutes 29
//! proof
//! ```
//!
//! - `plan` is the way of the blank, or the moves of the players. It is missing if the puzzle has no plan.
//! - `counts` says what a plan costs: pushes, steps, or steps in which nobody may wait.
//! - `stuck`, for a level without a plan, names boxes (row and column) that cannot all be brought to goals.
//! - `tables` are the patterns that facts may use. Without them the proof uses none.
//! - `refutes` is the greatest cost that the proof is about. It is missing if there is nothing to refute.
//!
//! The bytes after `proof` are the steps of the proof (see `steps`), compressed with gzip.

use std::fmt::{self, Display};
use std::io::{self, BufRead, Write};
use std::str::FromStr;

use noyes_puzzle::sokoban::{Level, Walks, parse_level, write_xsb};
use noyes_puzzle::tiles::{Board, Direction, Notation, parse_plan, write_plan};

use crate::refusal::Refusal;

/// The first line.
const FIRST: &str = "noyes certificate 1";
/// The longest line that is read.
const LONGEST: u64 = 1 << 22;

/// What a certificate says before its proof.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The puzzle and its plan.
    pub case: Case,
    /// The greatest cost of the plans that the proof refutes, if there is a proof.
    pub refutes: Option<usize>,
}

/// A puzzle and its plan.
#[derive(Clone, Debug)]
pub enum Case {
    /// Sliding tiles.
    Tiles(TilesCase),
    /// Sokoban.
    Level(LevelCase),
}

/// A board, its plan, and the patterns that its proof uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilesCase {
    /// Where the tiles are.
    pub start: Board,
    /// Where they should be.
    pub goal: Board,
    /// The plan; nothing if there is no plan.
    pub plan: Option<Vec<Direction>>,
    /// The tiles of each pattern that facts may use.
    pub tables: Vec<Vec<u16>>,
}

/// A level and its plan.
#[derive(Clone, Debug)]
pub struct LevelCase {
    /// The level.
    pub level: Level,
    /// What a plan costs.
    pub counts: Counts,
    /// The plan; nothing if there is no plan.
    pub plan: Option<Walks>,
    /// If there is no plan: the boxes that cannot all be brought to goals, each with row and column from 1.
    pub stuck: Vec<(usize, usize)>,
}

/// What a plan of a level costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Its pushes.
    Pushes,
    /// Its steps, in which players may wait.
    Steps,
    /// Its steps, in which nobody may wait.
    StepsWithoutWaiting,
}

impl Counts {
    const ALL: [Counts; 3] = [Counts::Pushes, Counts::Steps, Counts::StepsWithoutWaiting];

    /// Whether players may wait.
    pub fn may_wait(self) -> bool {
        self != Counts::StepsWithoutWaiting
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Counts::Pushes => "pushes",
            Counts::Steps => "steps",
            Counts::StepsWithoutWaiting => "steps without waiting",
        })
    }
}

impl FromStr for Counts {
    type Err = String;

    fn from_str(text: &str) -> Result<Counts, String> {
        let found = Counts::ALL
            .into_iter()
            .find(|counts| counts.to_string() == text);
        found.ok_or_else(|| "expected pushes, steps or steps without waiting".into())
    }
}

impl Certificate {
    /// Writes all lines; the bytes of the proof come after them.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        writeln!(to, "{FIRST}")?;
        match &self.case {
            Case::Tiles(case) => {
                writeln!(to, "puzzle tiles")?;
                writeln!(to, "start {}\ngoal {}", case.start, case.goal)?;
                if let Some(plan) = &case.plan {
                    writeln!(to, "plan {}", write_plan(plan, Notation::Blank))?;
                }
                if !case.tables.is_empty() {
                    let groups: Vec<String> =
                        case.tables.iter().map(|group| spaced(group)).collect();
                    writeln!(to, "tables {}", groups.join("/"))?;
                }
            }
            Case::Level(case) => {
                writeln!(to, "puzzle sokoban\ncounts {}", case.counts)?;
                let rows = write_xsb(&case.level.clone().titled(None));
                writeln!(to, "level {}", rows.trim_end().replace('\n', "/"))?;
                if let Some(plan) = &case.plan {
                    let plan = plan.write(&case.level);
                    writeln!(to, "plan {}", plan.replace('\n', "/"))?;
                } else if !case.stuck.is_empty() {
                    let cell = |(row, column): &(usize, usize)| format!("{row},{column}");
                    let cells: Vec<String> = case.stuck.iter().map(cell).collect();
                    writeln!(to, "stuck {}", spaced(&cells))?;
                }
            }
        }
        if let Some(bound) = self.refutes {
            writeln!(to, "refutes {bound}")?;
        }
        writeln!(to, "proof")
    }

    /// Reads all lines; the reader is then at the proof.
    ///
    /// # Errors
    /// A line that is not as it should be.
    pub fn read(from: &mut impl BufRead) -> Result<Certificate, Refusal> {
        let mut lines = Lines::new(from)?;
        if lines.line != FIRST {
            return Err(lines.wrong(format!("expected {FIRST:?}")));
        }
        lines.advance()?;
        let puzzle: String = lines.must("puzzle")?;
        let case = match puzzle.as_str() {
            "tiles" => Case::Tiles(tiles(&mut lines)?),
            "sokoban" => Case::Level(level(&mut lines)?),
            _ => return Err(lines.wrong_before(format!("no such puzzle: {puzzle:?}"))),
        };
        let refutes = lines.may("refutes", |text| {
            let number = text.parse::<u32>().ok();
            let number = number.ok_or("expected a whole number below four billion");
            number.map(|number| number as usize)
        })?;
        if lines.line != "proof" {
            return Err(lines.wrong(format!("expected proof, found {:?}", lines.line)));
        }
        Ok(Certificate { case, refutes })
    }
}

fn tiles(lines: &mut Lines<impl BufRead>) -> Result<TilesCase, Refusal> {
    let start: Board = lines.must("start")?;
    let goal: Board = lines.must("goal")?;
    if (goal.width(), goal.height()) != (start.width(), start.height()) {
        return Err(lines.wrong_before("the goal is not of the size of the start".into()));
    }
    let plan = lines.may("plan", |text| parse_plan(text, Notation::Blank))?;
    let tables = lines.may("tables", |text| {
        let group = |text: &str| -> Option<Vec<u16>> {
            text.split(' ').map(|tile| tile.parse().ok()).collect()
        };
        let groups: Option<Vec<_>> = text.split('/').map(group).collect();
        groups.ok_or("expected patterns of tiles, such as 1 2 3/4 5 6")
    })?;
    Ok(TilesCase {
        start,
        goal,
        plan,
        tables: tables.unwrap_or_default(),
    })
}

fn level(lines: &mut Lines<impl BufRead>) -> Result<LevelCase, Refusal> {
    let counts = lines.must("counts")?;
    let rows: String = lines.must("level")?;
    let level = parse_level(&rows.replace('/', "\n"));
    let level = level.map_err(|error| lines.wrong_before(error.to_string()))?;
    let players = level.players().len();
    let plan = lines.may("plan", |text| Walks::parse(text, players))?;
    let stuck = lines.may("stuck", |text| {
        let cell = |text: &str| {
            let (row, column) = text.split_once(',')?;
            Some((row.parse().ok()?, column.parse().ok()?))
        };
        let cells: Option<Vec<(usize, usize)>> = text.split(' ').map(cell).collect();
        cells.ok_or("expected rows and columns, such as 2,3 4,5")
    })?;
    Ok(LevelCase {
        level,
        counts,
        plan,
        stuck: stuck.unwrap_or_default(),
    })
}

fn spaced(items: &[impl Display]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(" ")
}

/// The lines of a certificate, one at a time.
struct Lines<'a, R> {
    from: &'a mut R,
    line: String,
    number: usize,
}

impl<'a, R: BufRead> Lines<'a, R> {
    fn new(from: &'a mut R) -> Result<Lines<'a, R>, Refusal> {
        let mut lines = Lines {
            from,
            line: String::new(),
            number: 0,
        };
        lines.advance()?;
        Ok(lines)
    }

    fn advance(&mut self) -> Result<(), Refusal> {
        self.number += 1;
        let mut bytes = vec![];
        let mut limited = io::Read::take(&mut *self.from, LONGEST);
        let read = limited.read_until(b'\n', &mut bytes);
        read.map_err(|error| self.wrong(error.to_string()))?;
        if bytes.len() as u64 == LONGEST {
            return Err(self.wrong(format!("this line has more than {LONGEST} bytes")));
        }
        if bytes.pop() != Some(b'\n') {
            return Err(self.wrong("the file ends before its proof".into()));
        }
        self.line = String::from_utf8(bytes).map_err(|_| self.wrong("this is not text".into()))?;
        Ok(())
    }

    fn wrong(&self, what: String) -> Refusal {
        let number = self.number;
        Refusal::Line { number, what }
    }

    /// The same for the line that was read last.
    fn wrong_before(&self, what: String) -> Refusal {
        let number = self.number - 1;
        Refusal::Line { number, what }
    }

    /// What stands after a word, if the line begins with it; then goes on to the next line.
    fn may<T, E: Display>(
        &mut self,
        word: &str,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Refusal> {
        let Some(text) = self.line.strip_prefix(word) else {
            return Ok(None);
        };
        let text = if text.is_empty() {
            Some("")
        } else {
            text.strip_prefix(' ')
        };
        let Some(text) = text else {
            return Ok(None);
        };
        let value = read(text).map_err(|error| self.wrong(format!("{word}: {error}")))?;
        self.advance()?;
        Ok(Some(value))
    }

    fn must<T: FromStr<Err: Display>>(&mut self, word: &str) -> Result<T, Refusal> {
        let found = self.may(word, str::parse)?;
        found.ok_or_else(|| self.wrong(format!("expected {word}, found {:?}", self.line)))
    }
}
