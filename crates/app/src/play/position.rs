//! Where everything is in a game: a board and its goal, or a level and its state.

use std::sync::Arc;

use noyes_puzzle::sokoban::{Level, State, step};
use noyes_puzzle::tiles::{Board, Direction, Goal};
use noyes_solver::{Ask, Objective};

/// A puzzle as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    Tiles { board: Board, goal: Arc<Board> },
    Level { level: Arc<Level>, state: State },
}

/// A move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the blank or the player went.
    pub way: Direction,
    /// Whether a box went with the player.
    pub pushes: bool,
}

impl Step {
    /// What the step costs.
    pub fn cost(self, objective: Objective) -> u32 {
        match objective {
            Objective::Moves => 1,
            Objective::Pushes => self.pushes.into(),
        }
    }
}

impl Position {
    pub fn of_level(level: Level) -> Position {
        let state = State::start(&level);
        Position::Level {
            level: Arc::new(level),
            state,
        }
    }

    /// Moves the blank or the player; nothing happens where it cannot go.
    pub fn step(&mut self, way: Direction) -> Option<Step> {
        let pushes = match self {
            Position::Tiles { board, .. } => board.step(way).then_some(false)?,
            Position::Level { level, state } => step(level, state, &[Some(way)], true).ok()? > 0,
        };
        Some(Step { way, pushes })
    }

    /// Takes back the last step.
    pub fn undo(&mut self, last: Step) {
        match self {
            Position::Tiles { board, .. } => {
                board.step(last.way.opposite());
            }
            Position::Level { level, state } => {
                let player = state.players[0];
                let next = |way| level.neighbour(player, way).expect("the step was legal");
                if last.pushes {
                    let pushed = next(last.way);
                    let at = state.boxes.binary_search(&pushed);
                    state.boxes[at.expect("the step pushed a box here")] = player;
                    state.boxes.sort_unstable();
                }
                state.players[0] = next(last.way.opposite());
            }
        }
    }

    pub fn is_solved(&self) -> bool {
        match self {
            Position::Tiles { board, goal } => *board == **goal,
            Position::Level { level, state } => state.is_solved(level),
        }
    }

    /// The level with everything where it is now; nothing for a board.
    pub fn level_now(&self) -> Option<Level> {
        match self {
            Position::Tiles { .. } => None,
            Position::Level { level, state } => {
                let now = level.with(&state.boxes, &state.players);
                Some(now.expect("steps are legal"))
            }
        }
    }

    /// The question for a plan from here.
    pub fn ask(&self, objective: Objective) -> Ask {
        match self {
            Position::Tiles { board, goal } => {
                Ask::board(board.clone(), Goal::Board(Board::clone(goal)))
            }
            Position::Level { .. } => {
                let level = self.level_now().expect("it is a level");
                Ask::level(level).objective(objective)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::parse_level;

    #[test]
    fn undo_takes_back_every_step_that_can_be_made() {
        let board: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
        let tiles = Position::Tiles {
            board,
            goal: Arc::new(Board::blank_last(3, 3)),
        };
        let level = "#######|#     #|# $@$ #|#  $  #|#. ..##|#####";
        let mut open = vec![tiles, Position::of_level(parse_level(level).unwrap())];
        let (mut steps, mut pushes) = (0, 0);
        for _ in 0..5 {
            let mut next = vec![];
            for before in open {
                for way in Direction::ALL {
                    let mut after = before.clone();
                    let Some(made) = after.step(way) else {
                        assert_eq!(after, before);
                        continue;
                    };
                    steps += 1;
                    pushes += usize::from(made.pushes);
                    let mut back = after.clone();
                    back.undo(made);
                    assert_eq!(back, before, "{made:?}");
                    next.push(after);
                }
            }
            open = next;
        }
        assert!(steps > 100 && pushes > 20, "{steps} {pushes}");
    }
}
