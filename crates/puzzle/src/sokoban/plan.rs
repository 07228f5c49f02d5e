//! Plans as walks: what each player does in each step, read and written as LURD.
//!
//! A letter is a move, a capital one a push, a point a wait: `rrdLL`. A crew has
//! a line for each player, all for the same steps; in one line they are parted
//! by slashes. Counts are read (`3r2U`), blanks and commas are passed over. The
//! size of a letter says nothing when it is read: what a move pushes follows
//! from the level, and that is how it is written.

use super::{Level, State, step};
use crate::tiles::Direction;

/// The most steps that a plan is read with.
pub const MAX_STEPS: usize = 1 << 24;

/// What each player does: a walk for each, all of the same length; `None` is a wait.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Walks(Vec<Vec<Option<Direction>>>);

/// What is wrong with the text of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// A letter that is none.
    #[error(
        "player {player}, step {at}: {found:?} is no move (expected l, u, r, d, or . for a wait)"
    )]
    Letter {
        /// Whose, from 1.
        player: usize,
        /// Its step, from 1.
        at: usize,
        /// What stands there.
        found: char,
    },
    /// A count at the end, or one that is too large.
    #[error(
        "player {player}, step {at}: a count needs a move after it, and at most {MAX_STEPS} steps"
    )]
    Count {
        /// Whose, from 1.
        player: usize,
        /// Its step, from 1.
        at: usize,
    },
    /// Not a walk for each player.
    #[error("{walks} walks for {players} players (expected a line for each player)")]
    Players {
        /// The lines.
        walks: usize,
        /// The players.
        players: usize,
    },
}

impl Walks {
    /// A walk for each player; shorter ones wait at the end.
    pub fn new(mut walks: Vec<Vec<Option<Direction>>>) -> Walks {
        let steps = walks.iter().map(Vec::len).max().unwrap_or(0);
        for walk in &mut walks {
            walk.resize(steps, None);
        }
        Walks(walks)
    }

    /// The walk of one player, without waits.
    pub fn of_one(walk: &[Direction]) -> Walks {
        Walks(vec![walk.iter().copied().map(Some).collect()])
    }

    /// The walks of a crew of so many, from what all do in each step.
    pub fn of_steps(players: usize, steps: &[impl AsRef<[Option<Direction>]>]) -> Walks {
        let walk = |player: usize| steps.iter().map(|step| step.as_ref()[player]).collect();
        Walks((0..players).map(walk).collect())
    }

    /// Reads LURD for so many players: one line, or part between slashes, for each. One player may use several lines.
    ///
    /// # Errors
    /// If a letter is no move, or there is not a line for each player.
    pub fn parse(text: &str, players: usize) -> Result<Walks, WalkError> {
        let action = |letter: char| Direction::from_letter(letter);
        let walks = letters(text, players)?.into_iter();
        Ok(Walks::new(
            walks
                .map(|walk| walk.into_iter().map(action).collect())
                .collect(),
        ))
    }

    /// Where a text says otherwise than the level what is a push: player and step, from 1. A text that is all small or all
    /// capital says nothing.
    ///
    /// # Errors
    /// As for `parse`.
    pub fn wrong_capital(text: &str, level: &Level) -> Result<Option<(usize, usize)>, WalkError> {
        let players = level.players().len();
        let read = letters(text, players)?;
        let has = |is: fn(&char) -> bool| read.iter().flatten().any(is);
        if !has(char::is_ascii_uppercase) || !has(char::is_ascii_lowercase) {
            return Ok(None);
        }
        let written = Walks::parse(text, players)?.write(level);
        let wrong = (read.iter().zip(written.lines()).enumerate())
            .filter_map(|(i, (walk, line))| {
                let at = walk.iter().zip(line.chars()).position(|(&a, b)| a != b)?;
                Some((i + 1, at + 1))
            })
            .min_by_key(|&(_, step)| step);
        Ok(wrong)
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.0.first().map_or(0, Vec::len)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many players walk.
    pub fn players(&self) -> usize {
        self.0.len()
    }

    /// The walk of each player.
    pub fn walks(&self) -> &[Vec<Option<Direction>>] {
        &self.0
    }

    /// What each player does in a step, counted from 0.
    pub fn step(&self, at: usize) -> Vec<Option<Direction>> {
        self.0.iter().map(|walk| walk[at]).collect()
    }

    /// LURD: a line for each player without a line end at the last, capitals where a box is pushed. From a step on that
    /// is not legal, all letters are small.
    pub fn write(&self, level: &Level) -> String {
        let mut lines = vec![String::with_capacity(self.len()); self.players()];
        let mut state = (self.players() == level.players().len()).then(|| State::start(level));
        for at in 0..self.len() {
            let moves = self.step(at);
            let before = state.clone();
            if let Some(now) = &mut state
                && step(level, now, &moves, true).is_err()
            {
                state = None;
            }
            for (player, line) in lines.iter_mut().enumerate() {
                let letter = moves[player].map_or('.', |d| d.letter().to_ascii_lowercase());
                let pushes = match (&before, &state) {
                    (Some(before), Some(after)) => {
                        let (here, there) = (before.players[player], after.players[player]);
                        here != there && before.boxes.binary_search(&there).is_ok()
                    }
                    _ => false,
                };
                line.push(if pushes {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
            }
        }
        lines.join("\n")
    }
}

/// The letters of each player, counts spelt out, each of them a move or a wait.
fn letters(text: &str, players: usize) -> Result<Vec<Vec<char>>, WalkError> {
    if players == 1 && !text.contains('/') {
        return Ok(vec![letters_of(text, 1)?]);
    }
    let lines: Vec<&str> = if text.contains('/') {
        text.trim().split('/').collect()
    } else {
        let lines = text.lines().map(str::trim);
        lines.filter(|line| !line.is_empty()).collect()
    };
    // Without any step there need not be lines.
    if lines.is_empty() {
        return Ok(vec![vec![]; players]);
    }
    if lines.len() != players {
        return Err(WalkError::Players {
            walks: lines.len(),
            players,
        });
    }
    let walks = lines.iter().enumerate();
    walks.map(|(i, line)| letters_of(line, i + 1)).collect()
}

fn letters_of(text: &str, player: usize) -> Result<Vec<char>, WalkError> {
    let mut walk = vec![];
    let mut count: Option<usize> = None;
    for found in text.chars() {
        let at = walk.len() + 1;
        if found.is_whitespace() || found == ',' {
            continue;
        }
        if let Some(digit) = found.to_digit(10) {
            count = Some(count.unwrap_or(0) * 10 + digit as usize).filter(|&n| n <= MAX_STEPS);
            count.ok_or(WalkError::Count { player, at })?;
            continue;
        }
        if found != '.' && Direction::from_letter(found).is_none() {
            return Err(WalkError::Letter { player, at, found });
        }
        let run = count.take().unwrap_or(1);
        if walk.len() + run > MAX_STEPS {
            return Err(WalkError::Count { player, at });
        }
        walk.extend(std::iter::repeat_n(found, run));
    }
    match count {
        Some(_) => Err(WalkError::Count {
            player,
            at: walk.len() + 1,
        }),
        None => Ok(walk),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::parse_level;
    use proptest::prelude::*;

    #[test]
    fn pushes_are_capitals_whatever_was_read() {
        let level = parse_level("#######|#@ $ .#|#     #|#######").unwrap();
        for text in ["rrr", "RRR", "r R\nr", "3r", "2r1R", "r,r,r"] {
            assert_eq!(
                Walks::parse(text, 1).unwrap().write(&level),
                "rRR",
                "{text}"
            );
        }
        assert_eq!(Walks::parse("r.drrr", 1).unwrap().write(&level), "r.drrr");
        assert_eq!(Walks::parse("rrrRRR", 1).unwrap().write(&level), "rRRrrr"); // into the wall
    }

    #[test]
    fn a_capital_that_pushes_nothing_is_found() {
        let level = parse_level("#######|#@ $ .#|#     #|#######").unwrap();
        let wrong = |text: &str| Walks::wrong_capital(text, &level).unwrap();
        assert_eq!(
            (wrong("rRR"), wrong("rrr"), wrong("RRR"), wrong("")),
            (None, None, None, None)
        );
        assert_eq!(
            (wrong("RrR"), wrong("rrR"), wrong("r2R")),
            (Some((1, 1)), Some((1, 2)), None)
        );
    }

    #[test]
    fn a_crew_has_a_line_for_each_player() {
        let level = parse_level("########|#@$ .$@#|########").unwrap();
        let walks = Walks::parse("R\n.L", 2).unwrap();
        assert_eq!((walks.len(), walks.players()), (2, 2));
        assert_eq!(walks.write(&level), "R.\n.L");
        assert_eq!(Walks::parse("R/.L", 2).unwrap(), walks);
        assert_eq!(
            Walks::parse("R.L", 2),
            Err(WalkError::Players {
                walks: 1,
                players: 2
            })
        );
        assert_eq!(Walks::parse("", 2).unwrap().len(), 0);
        assert_eq!(Walks::parse("/", 2).unwrap().len(), 0);
    }

    #[test]
    fn what_is_no_plan_is_told_with_its_place() {
        let error = Walks::parse("rrx", 1).unwrap_err().to_string();
        assert!(
            error.starts_with("player 1, step 3: 'x' is no move"),
            "{error}"
        );
        for text in ["r3", "99999999999999999999r", "16777216r16777216r"] {
            assert!(matches!(
                Walks::parse(text, 1),
                Err(WalkError::Count { .. })
            ));
        }
    }

    proptest! {
        #[test]
        fn walks_read_back(text in "[lurd.]{0,40}", other in "\\PC*", players in 1usize..4) {
            let level = parse_level("#####|#@$.#|#####").unwrap();
            let walks = Walks::parse(&text, 1).unwrap();
            prop_assert_eq!(walks.write(&level).to_lowercase(), text);
            let _ = Walks::parse(&other, players);
        }
    }
}
