//! Plans as walks: what each player does in each step, read and written as LURD.
//!
//! A letter is a move, a capital letter a push, a dot a wait: `rrdLL`. A crew has
//! a line for each player, all for the same steps; in a single line, slashes
//! separate the players. Counts are read (`3r2U`), spaces and commas are ignored.
//! Case is ignored on reading, because the level determines which moves push; on
//! writing, pushes are capital.

use super::{Level, State, step};
use crate::tiles::Direction;

/// The most steps of a plan that is read, all players together.
pub const MAX_STEPS: usize = 1 << 24;

/// What each player does: a walk for each, all of the same length; `None` is a wait.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Walks(Vec<Vec<Option<Direction>>>);

/// What is wrong with the text of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// A character that is not a move.
    #[error(
        "player {player}, step {at}: {found:?} is no move (expected l, u, r, d, or . for a wait)"
    )]
    Letter {
        /// Whose, from 1.
        player: usize,
        /// Its step, from 1.
        at: usize,
        /// What was found instead.
        found: char,
    },
    /// A count at the end, or one that is too large.
    #[error(
        "player {player}, step {at}: a count needs a move after it, and a walk has at most {most} steps here"
    )]
    Count {
        /// Whose, from 1.
        player: usize,
        /// Its step, from 1.
        at: usize,
        /// The most steps of a walk.
        most: usize,
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

    /// The walks of a crew of this size, from what all players do in each step.
    pub fn of_steps(players: usize, steps: &[impl AsRef<[Option<Direction>]>]) -> Walks {
        let walk = |player: usize| steps.iter().map(|step| step.as_ref()[player]).collect();
        Walks((0..players).map(walk).collect())
    }

    /// Reads LURD for this many players: a line each, or a part between slashes. One player may use several lines.
    ///
    /// # Errors
    /// If a letter is no move, or there is not a line for each player.
    pub fn parse(text: &str, players: usize) -> Result<Walks, WalkError> {
        Walks::parse_within(text, players, MAX_STEPS)
    }

    /// The same for plans of at most this many steps, those of all players together: a few bytes can stand for millions.
    ///
    /// # Errors
    /// If there are more, or as for `parse`.
    pub fn parse_within(text: &str, players: usize, most: usize) -> Result<Walks, WalkError> {
        let action = |letter: char| Direction::from_letter(letter);
        let walks = letters(text, players, most)?.into_iter();
        Ok(Walks::new(
            walks
                .map(|walk| walk.into_iter().map(action).collect())
                .collect(),
        ))
    }

    /// The first letter whose case disagrees with the level about a push: player and step, from 1. A text that is all
    /// small or all capital says nothing about pushes.
    ///
    /// # Errors
    /// As for `parse`.
    pub fn wrong_capital(text: &str, level: &Level) -> Result<Option<(usize, usize)>, WalkError> {
        let players = level.players().len();
        let read = letters(text, players, MAX_STEPS)?;
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
fn letters(text: &str, players: usize, most: usize) -> Result<Vec<Vec<char>>, WalkError> {
    // Walks are made equally long.
    let most = most / players.max(1);
    if players == 1 && !text.contains('/') {
        return Ok(vec![letters_of(text, 1, most)?]);
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
    walks
        .map(|(i, line)| letters_of(line, i + 1, most))
        .collect()
}

fn letters_of(text: &str, player: usize, most: usize) -> Result<Vec<char>, WalkError> {
    let mut walk = vec![];
    let mut count: Option<usize> = None;
    for found in text.chars() {
        let at = walk.len() + 1;
        if found.is_whitespace() || found == ',' {
            continue;
        }
        if let Some(digit) = found.to_digit(10) {
            count = Some(count.unwrap_or(0) * 10 + digit as usize).filter(|&n| n <= most);
            count.ok_or(WalkError::Count { player, at, most })?;
            continue;
        }
        if found != '.' && Direction::from_letter(found).is_none() {
            return Err(WalkError::Letter { player, at, found });
        }
        let run = count.take().unwrap_or(1);
        if walk.len() + run > most {
            return Err(WalkError::Count { player, at, most });
        }
        walk.extend(std::iter::repeat_n(found, run));
    }
    match count {
        Some(_) => Err(WalkError::Count {
            player,
            at: walk.len() + 1,
            most,
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

    #[test]
    fn walks_of_different_lengths_wait_at_their_end() {
        let (l, r) = (Some(Direction::Left), Some(Direction::Right));
        let walks = Walks::new(vec![vec![l, r, l], vec![], vec![r]]);
        let expected = [vec![l, r, l], vec![None; 3], vec![r, None, None]];
        assert_eq!(walks.walks(), expected);
        assert_eq!((walks.len(), walks.players()), (3, 3));
        assert_eq!(walks.step(0), [l, None, r]);
        assert_eq!(walks.step(2), [l, None, None]);
        assert_eq!(
            Walks::of_steps(3, &[walks.step(0), walks.step(1), walks.step(2)]),
            walks
        );
        let one = Walks::of_one(&[Direction::Left, Direction::Right]);
        assert_eq!(one.walks(), [vec![l, r]]);
    }

    #[test]
    fn a_plan_is_empty_without_a_step() {
        assert!(Walks::default().is_empty());
        assert!(Walks::parse("", 2).unwrap().is_empty());
        assert!(!Walks::parse(".", 1).unwrap().is_empty());
        let nobody: [Vec<Option<Direction>>; 0] = [];
        assert_eq!(Walks::of_steps(2, &nobody).players(), 2);
    }

    #[test]
    fn counts_repeat_the_move_behind_them() {
        let one = |text: &str| Walks::parse(text, 1);
        assert_eq!(one("12r"), one("rrrrrrrrrrrr"));
        assert_eq!(one("3r2U."), one("rrrUU."));
        assert_eq!(one("1 0 l"), one("llllllllll")); // digits belong together across blanks
        assert_eq!(one("2 ,r"), one("rr"));
        assert_eq!(one("0rl"), one("l"));
    }

    #[test]
    fn a_plan_has_at_most_max_steps_and_not_one_more() {
        let length = |text: &str| Walks::parse(text, 1).map(|walks| walks.len());
        let most = MAX_STEPS;
        let count = |at: usize| {
            Err(WalkError::Count {
                player: 1,
                at,
                most,
            })
        };
        assert_eq!(length("16777216r"), Ok(MAX_STEPS));
        assert_eq!(length("16777217r"), count(1));
        assert_eq!(length("16777215rr"), Ok(MAX_STEPS));
        assert_eq!(length("16777216rr"), count(MAX_STEPS + 1));
        assert_eq!(length("r16777216r"), count(2));
    }

    #[test]
    fn the_steps_of_all_players_together_are_limited() {
        let within = |text: &str, players| Walks::parse_within(text, players, 100);
        assert!(within("50r/50.", 2).is_ok() && within("r/50.", 2).is_ok());
        assert!(within("51r/.", 2).is_err() && within("./51r", 2).is_err());
        assert!(within("100r", 1).is_ok() && within("101r", 1).is_err());
        let crew = ["16777216."; 400].join("/");
        assert!(Walks::parse(&crew, 400).is_err());
    }

    #[test]
    fn what_is_no_plan_is_named_with_player_and_step() {
        let error = |text: &str, players: usize| Walks::parse(text, players).unwrap_err();
        let letter =
            |player: usize, at: usize, found: char| WalkError::Letter { player, at, found };
        assert_eq!(error("x", 1), letter(1, 1, 'x'));
        assert_eq!(error("2r, x", 1), letter(1, 3, 'x'));
        assert_eq!(error("r/lx", 2), letter(2, 2, 'x'));
        assert_eq!(error("r\n\nl\nx", 3), letter(3, 1, 'x'));
        let most = MAX_STEPS;
        let (player, at) = (1, 3);
        assert_eq!(error("rr3", 1), WalkError::Count { player, at, most });
        let (player, at, most) = (2, 1, most / 2);
        assert_eq!(error("r/2", 2), WalkError::Count { player, at, most });
        let players = |walks: usize, players: usize| WalkError::Players { walks, players };
        assert_eq!(error("r/l", 1), players(2, 1));
        assert_eq!(error("r", 2), players(1, 2));
        assert_eq!(error("r\nl\nu", 2), players(3, 2));
    }

    #[test]
    fn one_player_may_use_several_lines_and_a_crew_one_for_each() {
        assert_eq!(Walks::parse("rr\n\nl", 1), Walks::parse("rrl", 1));
        assert_eq!(Walks::parse(" rr \n\n l \n", 2), Walks::parse("rr/l", 2));
        assert_eq!(Walks::parse("\n", 2).unwrap().len(), 0);
        // With slashes a part may be empty: that player waits.
        assert_eq!(Walks::parse("rr/", 2), Walks::parse("rr/..", 2));
        assert_eq!(Walks::parse("/rr", 2), Walks::parse("../rr", 2));
    }

    #[test]
    fn the_first_wrong_capital_of_a_crew_is_the_earliest_step() {
        let level = parse_level("#########|#@$ . $@#|#   .   #|#########").unwrap();
        let wrong = |text: &str| Walks::wrong_capital(text, &level).unwrap();
        assert_eq!(wrong("R./.L"), None); // no small letter, so nothing is said
        assert_eq!(wrong("Rl/.L"), None);
        assert_eq!(wrong("RL/.L"), None); // no small letter again
        assert_eq!(wrong("Rr/.L"), Some((1, 2)));
        assert_eq!(wrong("rR/L."), Some((1, 1)));
        assert_eq!(wrong("Rl/dL"), Some((2, 2)));
        assert_eq!(wrong("Rr/l."), Some((2, 1))); // the second player's is earlier
        assert_eq!(
            Walks::wrong_capital("R", &level),
            Err(WalkError::Players {
                walks: 1,
                players: 2
            })
        );
    }

    #[test]
    fn letters_are_small_from_an_illegal_step_on_and_without_a_walk_for_each() {
        let level = parse_level("#######|#@$ .@#|#######").unwrap();
        let write = |text: &str, players: usize| Walks::parse(text, players).unwrap().write(&level);
        assert_eq!(write("RR/.l", 2), "Rr\n.l"); // onto the other player
        assert_eq!(write("RRL/...", 2), "RRl\n...");
        assert_eq!(write("ULR/...", 2), "ulr\n...");
        assert_eq!(write("RR", 1), "rr"); // one walk for two players
        assert_eq!(write("", 2), "\n");
        // A player who waits where a box was pushed away pushes nothing.
        assert_eq!(write("R./..", 2), "R.\n..");
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
