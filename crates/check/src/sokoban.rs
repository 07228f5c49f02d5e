//! Sokoban replayed: the rules a second time, in rows and columns.
//!
//! Each step moves all players who move and every box that one of them walks into.
//! Then it checks that all are on the floor, that no two share a cell, and that no
//! two players have passed through each other (docs/sokoban-rules.md).

use std::collections::{HashMap, HashSet};
use std::fmt;

use noyes_puzzle::sokoban::{Ground, Level, Walks};
use noyes_puzzle::tiles::Direction;

/// Row and column, from 1.
type Place = (usize, usize);

/// What a replay counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Replayed {
    /// The length of the plan.
    pub steps: u32,
    /// Moves of all players, without waits.
    pub moves: u32,
    /// Moves that pushed a box.
    pub pushes: u32,
}

/// What is wrong with a plan of a level. Steps, players, rows and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkFault {
    /// Not a walk for each player.
    #[error("{walks} walks for {players} players")]
    Players {
        /// The walks.
        walks: usize,
        /// The players of the level.
        players: usize,
    },
    /// A step that is not legal.
    #[error("step {step}: player {player} at row {}, column {} {what}", place.0, place.1)]
    Illegal {
        /// Which step.
        step: usize,
        /// Who.
        player: usize,
        /// Where the player is before it: row and column.
        place: (usize, usize),
        /// What is in the way.
        what: Obstacle,
    },
    /// Every step is legal, but some goals hold no box in the end.
    #[error(
        "after {steps} step{}, {missing} of {goals} goals hold{} no box, one at row {}, column {}",
        if *steps == 1 { "" } else { "s" }, if *missing == 1 { "s" } else { "" }, place.0, place.1
    )]
    Unsolved {
        /// The steps made.
        steps: usize,
        /// Goals without a box.
        missing: usize,
        /// All goals.
        goals: usize,
        /// The first of those without: row and column.
        place: (usize, usize),
    },
}

/// What is in the way of a step. Places are row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Waiting is forbidden.
    Waits,
    /// No floor where the player goes.
    Wall(Direction),
    /// No floor where the box goes.
    BoxWall(Direction),
    /// Another box where the box goes.
    BoxBox(Direction, (usize, usize)),
    /// A player where the box goes, after the step.
    BoxPlayer(Direction, (usize, usize), usize),
    /// Another player where the player is, after the step.
    Player((usize, usize), usize),
    /// Another player comes the other way.
    HeadOn(Direction, usize),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let way = |direction: &Direction| match direction {
            Direction::Up => "up",
            Direction::Left => "left",
            Direction::Right => "right",
            Direction::Down => "down",
        };
        let place = |(row, column): &Place| format!("row {row}, column {column}");
        match self {
            Obstacle::Waits => f.write_str("waits, which is forbidden here"),
            Obstacle::Wall(d) => write!(f, "goes {} into a wall", way(d)),
            Obstacle::BoxWall(d) => write!(f, "pushes a box {} into a wall", way(d)),
            Obstacle::BoxBox(d, at) => {
                write!(
                    f,
                    "pushes a box {} to {}, where a box is",
                    way(d),
                    place(at)
                )
            }
            Obstacle::BoxPlayer(d, at, who) => write!(
                f,
                "pushes a box {} to {}, where player {who} is then",
                way(d),
                place(at)
            ),
            Obstacle::Player(at, who) => {
                write!(f, "comes to {}, where player {who} is then", place(at))
            }
            Obstacle::HeadOn(d, who) => {
                write!(f, "goes {} and changes places with player {who}", way(d))
            }
        }
    }
}

/// Counts of a plan that solves a level; with `wait`, players may wait.
///
/// ```
/// use noyes_check::sokoban_plan;
/// use noyes_puzzle::sokoban::{Walks, parse_level};
/// let level = parse_level("######\n#@ $.#\n######")?;
/// let replayed = sokoban_plan(&level, &Walks::parse("rR", 1)?, true)?;
/// assert_eq!((replayed.moves, replayed.pushes), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first step that is not legal, or that a goal holds no box in the end.
pub fn sokoban_plan(level: &Level, walks: &Walks, wait: bool) -> Result<Replayed, WalkFault> {
    let (after, replayed) = sokoban_after(level, walks, wait)?;
    let goals: Vec<u16> = after.goals().collect();
    let missing: Vec<u16> = (goals.iter().copied())
        .filter(|goal| !after.boxes().contains(goal))
        .collect();
    match missing.first() {
        None => Ok(replayed),
        Some(&first) => Err(WalkFault::Unsolved {
            steps: walks.len(),
            missing: missing.len(),
            goals: goals.len(),
            place: level.place(first),
        }),
    }
}

/// The level after a plan, solved or not, and what it counted.
///
/// # Errors
/// The first step that is not legal.
pub fn sokoban_after(
    level: &Level,
    walks: &Walks,
    wait: bool,
) -> Result<(Level, Replayed), WalkFault> {
    if walks.players() != level.players().len() {
        return Err(WalkFault::Players {
            walks: walks.players(),
            players: level.players().len(),
        });
    }
    let mut players: Vec<Place> = level.players().iter().map(|&p| level.place(p)).collect();
    let mut boxes: Vec<Place> = level.boxes().iter().map(|&b| level.place(b)).collect();
    let mut replayed = Replayed::default();
    for step in 1..=walks.len() {
        let moves: Vec<Option<Direction>> = walks.walks().iter().map(|w| w[step - 1]).collect();
        one_step(level, &mut players, &mut boxes, &moves, wait, &mut replayed).map_err(
            |(who, place, what)| WalkFault::Illegal {
                step,
                player: who + 1,
                place,
                what,
            },
        )?;
    }
    let cells = |places: &[Place]| -> Vec<u16> {
        let cell = |&(row, column): &Place| ((row - 1) * level.width() + column - 1) as u16;
        places.iter().map(cell).collect()
    };
    let after = level.with(&cells(&boxes), &cells(&players));
    Ok((after.expect("each in a place of its own"), replayed))
}

/// Moves all players at once and checks the result; an error names a player, where it was, and what is in the way.
fn one_step(
    level: &Level,
    players: &mut [Place],
    boxes: &mut [Place],
    moves: &[Option<Direction>],
    wait: bool,
    replayed: &mut Replayed,
) -> Result<(), (usize, Place, Obstacle)> {
    let before = players.to_vec();
    // Everyone moves, and what they walk into moves with them.
    let mut pushed: HashMap<Place, (usize, Direction)> = HashMap::new(); // by where it was
    for (who, &direction) in moves.iter().enumerate() {
        let here = before[who];
        match direction {
            None if wait => {}
            None => return Err((who, here, Obstacle::Waits)),
            Some(direction) => {
                let there = beside(here, direction);
                if !is_floor(level, there) {
                    return Err((who, here, Obstacle::Wall(direction)));
                }
                players[who] = there;
                pushed.insert(there, (who, direction));
                replayed.moves += 1;
            }
        }
    }
    // No two players share a cell or have passed through each other.
    let mut at: HashMap<Place, usize> = HashMap::new();
    for (who, &place) in players.iter().enumerate() {
        if let Some(other) = at.insert(place, who) {
            return Err((who, before[who], Obstacle::Player(place, other + 1)));
        }
    }
    for (who, &direction) in moves.iter().enumerate() {
        let other = before.iter().position(|&was| was == players[who]);
        if let (Some(direction), Some(other)) = (direction, other)
            && players[other] == before[who]
        {
            return Err((who, before[who], Obstacle::HeadOn(direction, other + 1)));
        }
    }
    // The same for boxes. Those that stay come first: they block others, not the other way round.
    let stays = boxes.iter().filter(|b| !pushed.contains_key(b));
    let mut taken: HashSet<Place> = stays.copied().collect();
    for place in boxes.iter_mut() {
        let Some(&(who, direction)) = pushed.get(place) else {
            continue;
        };
        let there = beside(*place, direction);
        let what = if !is_floor(level, there) {
            Obstacle::BoxWall(direction)
        } else if !taken.insert(there) {
            Obstacle::BoxBox(direction, there)
        } else if let Some(&under) = at.get(&there) {
            Obstacle::BoxPlayer(direction, there, under + 1)
        } else {
            *place = there;
            replayed.pushes += 1;
            continue;
        };
        return Err((who, before[who], what));
    }
    replayed.steps += 1;
    Ok(())
}

fn beside((row, column): Place, direction: Direction) -> Place {
    match direction {
        Direction::Up => (row - 1, column),
        Direction::Left => (row, column - 1),
        Direction::Right => (row, column + 1),
        Direction::Down => (row + 1, column),
    }
}

fn is_floor(level: &Level, (row, column): Place) -> bool {
    (1..=level.height()).contains(&row)
        && (1..=level.width()).contains(&column)
        && level.ground(((row - 1) * level.width() + column - 1) as u16) == Ground::Floor
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::{State, parse_level, step};
    use proptest::prelude::*;

    fn replay(level: &str, plan: &str, wait: bool) -> Result<Replayed, String> {
        let level = parse_level(level).unwrap();
        let walks = Walks::parse(plan, level.players().len()).unwrap();
        sokoban_plan(&level, &walks, wait).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_good_plan_is_counted() {
        let counted = replay("######|#@ $.#|######", "rR", true).unwrap();
        assert_eq!((counted.steps, counted.moves, counted.pushes), (2, 2, 1));
        let counted = replay("########|#@$ .*@#|########", "RR/..", true).unwrap();
        assert_eq!((counted.steps, counted.moves, counted.pushes), (2, 2, 2));
    }

    #[test]
    fn faults_name_player_step_place_and_obstacle() {
        let level = "#######|#@$$..#|#     #|#######";
        for (plan, said) in [
            (
                "r",
                "step 1: player 1 at row 2, column 2 pushes a box right to row 2, column 4, where a box is",
            ),
            (
                "u",
                "step 1: player 1 at row 2, column 2 goes up into a wall",
            ),
            (
                "drU",
                "step 3: player 1 at row 3, column 3 pushes a box up into a wall",
            ),
            (
                "d",
                "after 1 step, 2 of 2 goals hold no box, one at row 2, column 5",
            ),
        ] {
            assert_eq!(replay(level, plan, true).unwrap_err(), said);
        }
        let level = "#######|#@$@ .#|#     #|#######";
        for (plan, said) in [
            (
                "R/.",
                "step 1: player 1 at row 2, column 2 pushes a box right to row 2, column 4, where player 2 is then",
            ),
            (
                "R/L",
                "step 1: player 2 at row 2, column 4 comes to row 2, column 3, where player 1 is then",
            ),
            (
                "dr/dl",
                "step 2: player 2 at row 3, column 4 comes to row 3, column 3, where player 1 is then",
            ),
            (
                "drr/d.l",
                "step 3: player 1 at row 3, column 3 goes right and changes places with player 2",
            ),
        ] {
            assert_eq!(replay(level, plan, true).unwrap_err(), said);
        }
        let waits = replay("######|#@ $.#|######", "r.R", false).unwrap_err();
        assert_eq!(
            waits,
            "step 2: player 1 at row 2, column 3 waits, which is forbidden here"
        );
        assert!(replay("######|#@ $.#|######", "r.R", true).is_ok());
    }

    proptest! {
        #[test]
        fn the_two_writings_of_the_rules_agree(
            cells in proptest::collection::vec(0u8..8, 20),
            steps in proptest::collection::vec((0usize..5, 0usize..5, 0usize..5), 1..12),
            wait in any::<bool>(),
        ) {
            // Five by four cells in walls; a goal in the corner so that it is a level.
            let letter = |c: &u8| b"    $$@#"[usize::from(*c)] as char;
            let mut rows = vec!["#######".to_string()];
            for row in cells.chunks(5) {
                rows.push(format!("#{}#", row.iter().map(letter).collect::<String>()));
            }
            rows.push("####.##".to_string());
            rows.push("#######".to_string());
            let Ok(level) = parse_level(&rows.join("\n")) else { return Ok(()) };
            let crew = level.players().len();
            if crew > 3 {
                return Ok(());
            }
            let action = |n: usize| Direction::ALL.get(n).copied();
            let mut state = State::start(&level);
            let mut done: Vec<Vec<Option<Direction>>> = vec![];
            for (a, b, c) in steps {
                let moves = [action(a), action(b), action(c)][..crew].to_vec();
                done.push(moves.clone());
                let walks = Walks::of_steps(crew, &done);
                let replayed = sokoban_after(&level, &walks, wait);
                let stepped = step(&level, &mut state, &moves, wait);
                prop_assert_eq!(replayed.is_ok(), stepped.is_ok(), "{:?} {:?}", replayed, stepped);
                match replayed {
                    Ok((after, _)) => {
                        prop_assert_eq!(after.boxes(), &state.boxes[..]);
                        prop_assert_eq!(after.players(), &state.players[..]);
                    }
                    Err(_) => { done.pop(); }
                }
            }
        }
    }
}
