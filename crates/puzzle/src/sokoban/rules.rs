//! The rules, for one player and for crews: what happens in one step.
//!
//! All players act at once; each goes one cell up, down, left or right, or
//! waits. A player who goes where a box stands pushes it one cell further. The
//! step is legal if, *after* it,
//!
//! 1. every player and every box is on the floor,
//! 2. no two of them share a cell,
//! 3. no two players have changed places.
//!
//! Nothing else is required, and nothing in between matters. So a player may
//! enter a cell that another one leaves in the same step, players may turn in a
//! circle, and a box may be pushed to where a player was. A box that is pushed
//! is followed by its pusher, so nobody else enters the cell that it leaves, no
//! second box comes there, and no two players push one box: all that is rule 2.
//! A box can neither be pulled nor pushed together with the box behind it: that
//! one would come to where its pusher goes, rule 2 again.
//!
//! Where waiting is forbidden, every player goes somewhere in every step, as in
//! the report that introduced crews (docs/sokoban-rules.md).

use super::Level;
use crate::tiles::Direction;

/// Where boxes and players are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The cells of the boxes, in order: which is which does not matter.
    pub boxes: Vec<u16>,
    /// The cell of each player.
    pub players: Vec<u16>,
}

/// Why a step is not legal. Players count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    /// A player waits where that is forbidden.
    #[error("player {} waits, which is forbidden", player + 1)]
    Waits {
        /// Who.
        player: usize,
    },
    /// A player goes where no floor is.
    #[error("player {} goes into a wall", player + 1)]
    Wall {
        /// Who.
        player: usize,
    },
    /// A box would go where no floor is.
    #[error("player {} pushes a box into a wall", player + 1)]
    BoxWall {
        /// Who pushes it.
        player: usize,
    },
    /// Two players would be in one cell.
    #[error("players {} and {} go to the same cell", first + 1, second + 1)]
    SamePlace {
        /// The one.
        first: usize,
        /// The other.
        second: usize,
        /// Where.
        cell: u16,
    },
    /// Two players would change places.
    #[error("players {} and {} meet head on", first + 1, second + 1)]
    Swap {
        /// The one.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A box would come to where another box is then.
    #[error("player {} pushes a box onto a box", player + 1)]
    BoxOnBox {
        /// Who pushes it.
        player: usize,
        /// Where the two would be.
        cell: u16,
    },
    /// A box would come to where a player is then.
    #[error("player {} pushes a box onto player {}", player + 1, under + 1)]
    BoxOnPlayer {
        /// Who pushes it.
        player: usize,
        /// The other.
        under: usize,
        /// Where.
        cell: u16,
    },
}

impl State {
    /// Where everything is at the start of a level.
    pub fn start(level: &Level) -> State {
        State {
            boxes: level.boxes().to_vec(),
            players: level.players().to_vec(),
        }
    }

    /// Whether every goal holds a box.
    pub fn is_solved(&self, level: &Level) -> bool {
        level
            .goals()
            .all(|goal| self.boxes.binary_search(&goal).is_ok())
    }
}

/// Makes a step, one move (or a wait) for each player, and gives the number of pushes. A step that is not legal
/// changes nothing.
///
/// # Errors
/// The first thing that is in the way.
///
/// # Panics
/// If there is not one move for each player.
pub fn step(
    level: &Level,
    state: &mut State,
    moves: &[Option<Direction>],
    wait: bool,
) -> Result<usize, Blocked> {
    assert_eq!(moves.len(), state.players.len(), "a move for each player");
    // 1. Where each player goes.
    let mut players = state.players.clone();
    for (player, &direction) in moves.iter().enumerate() {
        match direction {
            None if wait => {}
            None => return Err(Blocked::Waits { player }),
            Some(direction) => {
                let next = level.neighbour(players[player], direction);
                players[player] = next.ok_or(Blocked::Wall { player })?;
            }
        }
    }
    for (second, &cell) in players.iter().enumerate() {
        for (first, &other) in players[..second].iter().enumerate() {
            if other == cell {
                return Err(Blocked::SamePlace {
                    first,
                    second,
                    cell,
                });
            }
            if other == state.players[second] && cell == state.players[first] {
                return Err(Blocked::Swap { first, second });
            }
        }
    }
    // 2. Where the boxes go that they push; nobody pushes the same one, as nobody is in the same cell.
    let mut boxes = state.boxes.clone();
    let mut pushes = 0;
    for (player, &direction) in moves.iter().enumerate() {
        if let Some(direction) = direction
            && let Ok(pushed) = state.boxes.binary_search(&players[player])
        {
            let next = level.neighbour(players[player], direction);
            boxes[pushed] = next.ok_or(Blocked::BoxWall { player })?;
            pushes += 1;
        }
    }
    // 3. Whether all of them have room.
    if pushes > 0 {
        let pusher = |cell: u16| {
            let pushes = |&player: &usize| {
                moves[player].and_then(|d| level.neighbour(players[player], d)) == Some(cell)
            };
            let who = (0..players.len())
                .filter(|&p| state.boxes.binary_search(&players[p]).is_ok())
                .find(pushes);
            who.expect("only a box that is pushed comes to where something is")
        };
        boxes.sort_unstable();
        if let Some(pair) = boxes.windows(2).find(|pair| pair[0] == pair[1]) {
            let cell = pair[0];
            return Err(Blocked::BoxOnBox {
                player: pusher(cell),
                cell,
            });
        }
        for (under, cell) in players.iter().enumerate() {
            if boxes.binary_search(cell).is_ok() {
                return Err(Blocked::BoxOnPlayer {
                    player: pusher(*cell),
                    under,
                    cell: *cell,
                });
            }
        }
    }
    *state = State { boxes, players };
    Ok(pushes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::{parse_level, write_xsb};

    /// The level after one step, `LURD` and `.` by player in reading order; or what is in the way.
    fn after(rows: &str, moves: &str) -> Result<String, Blocked> {
        let level = parse_level(rows).unwrap();
        let moves: Vec<_> = moves.chars().map(Direction::from_letter).collect();
        let mut state = State::start(&level);
        let before = state.clone();
        match step(&level, &mut state, &moves, true) {
            Ok(_) => {
                let level = level.with(&state.boxes, &state.players).unwrap();
                Ok(write_xsb(&level).replace('\n', "|"))
            }
            Err(blocked) => {
                assert_eq!(state, before);
                Err(blocked)
            }
        }
    }

    #[test]
    fn one_player_walks_and_pushes_one_box() {
        assert_eq!(
            after("######|#@$ .#|######", "R").unwrap(),
            "######|# @$.#|######|"
        );
        assert_eq!(
            after("######|#@$$.#|######", "R"),
            Err(Blocked::BoxOnBox { player: 0, cell: 9 })
        );
        assert_eq!(
            after("######|# .@$#|######", "R"),
            Err(Blocked::BoxWall { player: 0 })
        );
        assert_eq!(
            after("######|#@$ .#|######", "U"),
            Err(Blocked::Wall { player: 0 })
        );
    }

    #[test]
    fn players_follow_one_another_and_turn_in_a_circle_but_do_not_swap() {
        assert_eq!(
            after("######|#@@ .#|######", "RR").unwrap(),
            "######|# @@.#|######|"
        );
        assert_eq!(
            after("####|#@@#|#@@#|#.$#|#  #|####", "RDUL").unwrap(),
            "####|#@@#|#@@#|#.$#|#  #|####|"
        );
        assert_eq!(
            after("######|#@@ .#|######", "RL"),
            Err(Blocked::Swap {
                first: 0,
                second: 1
            })
        );
        assert!(matches!(
            after("######|#@ @.#|######", "RL"),
            Err(Blocked::SamePlace { cell: 8, .. })
        ));
        assert!(matches!(
            after("######|#@@ .#|######", "R."),
            Err(Blocked::SamePlace { cell: 8, .. })
        ));
    }

    #[test]
    fn a_box_may_come_to_where_a_player_was() {
        let row = "#######|#@$@ .#|#     #|#######";
        assert_eq!(
            after(row, "RD").unwrap(),
            "#######|# @$ .#|#  @  #|#######|"
        );
        assert_eq!(
            after(row, "RR").unwrap(),
            "#######|# @$@.#|#     #|#######|"
        );
        assert!(matches!(
            after(row, "R."),
            Err(Blocked::BoxOnPlayer {
                player: 0,
                under: 1,
                ..
            })
        ));
        // Against each other: both would be where the box is.
        assert!(matches!(after(row, "RL"), Err(Blocked::SamePlace { .. })));
    }

    #[test]
    fn boxes_follow_one_another_only_with_a_player_between() {
        // The first box would come to where the second one's pusher is.
        assert!(matches!(
            after("#######|# @   #|#@$$. #|#     #|#######", "RR"),
            Err(Blocked::BoxOnBox { .. })
        ));
        assert!(matches!(
            after("#######|#  @  #|#@$$. #|#     #|#######", "DR"),
            Err(Blocked::BoxOnPlayer {
                player: 1,
                under: 0,
                cell: 17
            })
        ));
        assert_eq!(
            after("########|#@$@$ .#|########", "RR").unwrap(),
            "########|# @$@$.#|########|"
        );
    }

    #[test]
    fn two_boxes_do_not_come_to_one_cell() {
        assert!(matches!(
            after("#######|#@$ $@#|#  .  #|#######", "RL"),
            Err(Blocked::BoxOnBox { cell: 10, .. })
        ));
        assert!(matches!(
            after("#######|#@$ . #|#  @  #|#######", "RU"),
            Err(Blocked::BoxOnPlayer { under: 1, .. })
        ));
    }

    #[test]
    fn waiting_can_be_forbidden() {
        let level = parse_level("######|#@$ .#|######").unwrap();
        let mut state = State::start(&level);
        assert_eq!(step(&level, &mut state, &[None], true), Ok(0));
        let waits = Err(Blocked::Waits { player: 0 });
        assert_eq!(step(&level, &mut state, &[None], false), waits);
    }

    #[test]
    fn solved_is_every_goal_not_every_box() {
        let level = parse_level("######|#@$ *#|######").unwrap();
        assert!(State::start(&level).is_solved(&level));
        let level = parse_level("######|#+$.*#|######").unwrap();
        assert!(!State::start(&level).is_solved(&level));
    }

    #[test]
    fn no_player_enters_the_cell_of_one_who_waits_whichever_number_it_has() {
        let same = |cell: u16| {
            Err(Blocked::SamePlace {
                first: 0,
                second: 1,
                cell,
            })
        };
        assert_eq!(after("######|#@@ .#|######", "R."), same(8));
        assert_eq!(after("######|#@@ .#|######", ".L"), same(7));
        assert_eq!(after("######|#@ @.#|######", "RL"), same(8));
    }

    #[test]
    fn waiting_is_forbidden_to_each_player_of_a_crew() {
        let level = parse_level("#######|#@ .$@#|#######").unwrap();
        let mut state = State::start(&level);
        for (moves, player) in [("R.", 1), (".L", 0), ("..", 0)] {
            let moves: Vec<_> = moves.chars().map(Direction::from_letter).collect();
            let waits = Err(Blocked::Waits { player });
            assert_eq!(step(&level, &mut state, &moves, false), waits);
        }
        let both = [Some(Direction::Right), Some(Direction::Left)];
        assert_eq!(step(&level, &mut state, &both, false), Ok(1));
    }

    #[test]
    fn a_step_gives_the_number_of_pushes_of_all_players() {
        let level = parse_level("#######|#@$ . #|#@$ . #|#@  . #|#######").unwrap();
        for (moves, pushes) in [("RRR", 2), ("R.R", 1), (".R.", 1), ("..R", 0)] {
            let moves: Vec<_> = moves.chars().map(Direction::from_letter).collect();
            let mut state = State::start(&level);
            assert_eq!(step(&level, &mut state, &moves, true), Ok(pushes));
        }
    }

    #[test]
    fn boxes_stay_in_order_when_one_is_pushed_past_another() {
        let level = parse_level("#####|#.  #|#  $#|#$  #|#@. #|#####").unwrap();
        let mut state = State::start(&level);
        assert_eq!(state.boxes, [13, 16]);
        assert_eq!(
            step(&level, &mut state, &[Some(Direction::Up)], true),
            Ok(1)
        );
        assert_eq!(state.boxes, [11, 13]);
        assert_eq!(state.players, [16]);
    }

    #[test]
    fn what_blocks_a_crew_is_named_with_player_and_cell() {
        // Two boxes into one cell: one of the pushers is named.
        assert_eq!(
            after("#######|#@$.$@#|#######", "RL"),
            Err(Blocked::BoxOnBox {
                player: 0,
                cell: 10
            })
        );
        // A box onto one that stays, pushed by the second player.
        assert_eq!(
            after("#######|#@ .  #|#@$$  #|#######", "RR"),
            Err(Blocked::BoxOnBox {
                player: 1,
                cell: 17
            })
        );
        let row = "#######|#@$@ .#|#######";
        assert_eq!(
            after(row, "R."),
            Err(Blocked::BoxOnPlayer {
                player: 0,
                under: 1,
                cell: 10
            })
        );
        // Onto the first player, by the second, who has another box beside it.
        assert_eq!(
            after("#######|#@$@$.#|#######", ".L"),
            Err(Blocked::BoxOnPlayer {
                player: 1,
                under: 0,
                cell: 8
            })
        );
        assert_eq!(
            after("#######|#@ .@$#|#######", "RR"),
            Err(Blocked::BoxWall { player: 1 })
        );
        assert_eq!(
            after("#######|#@ .$@#|#######", "RR"),
            Err(Blocked::Wall { player: 1 })
        );
        for (blocked, said) in [
            (
                Blocked::Waits { player: 1 },
                "player 2 waits, which is forbidden",
            ),
            (Blocked::Wall { player: 1 }, "player 2 goes into a wall"),
            (
                Blocked::BoxWall { player: 1 },
                "player 2 pushes a box into a wall",
            ),
            (
                Blocked::SamePlace {
                    first: 0,
                    second: 2,
                    cell: 9,
                },
                "players 1 and 3 go to the same cell",
            ),
            (
                Blocked::Swap {
                    first: 0,
                    second: 2,
                },
                "players 1 and 3 meet head on",
            ),
            (
                Blocked::BoxOnBox { player: 1, cell: 9 },
                "player 2 pushes a box onto a box",
            ),
            (
                Blocked::BoxOnPlayer {
                    player: 1,
                    under: 0,
                    cell: 9,
                },
                "player 2 pushes a box onto player 1",
            ),
        ] {
            assert_eq!(blocked.to_string(), said);
        }
    }
}
