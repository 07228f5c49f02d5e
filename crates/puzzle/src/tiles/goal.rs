//! Goals: what a board should look like in the end.

use std::fmt;
use std::str::FromStr;

use super::read::has_rows;
use super::{Board, BoardError};

/// The board to reach.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Goal {
    /// 1 2 3 … and the blank last.
    #[default]
    BlankLast,
    /// The blank first, then 1 2 3 …: the goal of Korf's instances.
    BlankFirst,
    /// Any board.
    Board(Board),
}

/// What is wrong with a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoalError {
    /// Neither a name nor a board.
    #[error("expected blank-last, blank-first or a board; as a board: {0}")]
    Board(BoardError),
    /// A board of another size.
    #[error("the goal is {goal}, the board {board}: both need the same size")]
    Size {
        /// Size of the goal.
        goal: String,
        /// Size of the board.
        board: String,
    },
}

impl Goal {
    /// Reads a goal; the size is for boards that do not say where rows end.
    ///
    /// # Errors
    /// If it is neither a name nor a board.
    pub fn parse(text: &str, size: Option<(usize, usize)>) -> Result<Goal, GoalError> {
        match text {
            "blank-last" => Ok(Goal::BlankLast),
            "blank-first" => Ok(Goal::BlankFirst),
            board => Board::parse(board, size.filter(|_| !has_rows(board))).map(Goal::Board),
        }
        .map_err(GoalError::Board)
    }

    /// The goal as a board of this size.
    ///
    /// # Errors
    /// If the goal is a board of another size.
    pub fn of_size(&self, width: usize, height: usize) -> Result<Board, GoalError> {
        match self {
            Goal::BlankLast => Ok(Board::blank_last(width, height)),
            Goal::BlankFirst => Ok(Board::blank_first(width, height)),
            Goal::Board(goal) if (goal.width(), goal.height()) == (width, height) => {
                Ok(goal.clone())
            }
            Goal::Board(goal) => Err(GoalError::Size {
                goal: goal.size(),
                board: format!("{width}x{height}"),
            }),
        }
    }
}

impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Goal, GoalError> {
        Goal::parse(text, None)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Goal::BlankLast => f.write_str("blank-last"),
            Goal::BlankFirst => f.write_str("blank-first"),
            Goal::Board(board) => board.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_read_back_and_fit_their_size() {
        for text in ["blank-last", "blank-first", "1 2/0 3"] {
            assert_eq!(text.parse::<Goal>().unwrap().to_string(), text);
        }
        assert_eq!(
            Goal::BlankFirst.of_size(2, 2).unwrap().to_string(),
            "0 1/2 3"
        );
        let wide = Goal::parse("1 2 3 4 5 0", Some((3, 2))).unwrap();
        assert_eq!(wide.to_string(), "1 2 3/4 5 0");
        assert!("1 2 3 4 5 0".parse::<Goal>().is_err());
        let error = "1 2/0 3"
            .parse::<Goal>()
            .unwrap()
            .of_size(3, 2)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the goal is 2x2, the board 3x2: both need the same size"
        );
        assert!(
            "blank-middle"
                .parse::<Goal>()
                .unwrap_err()
                .to_string()
                .starts_with("expected blank-last, blank-first or a board")
        );
    }

    #[test]
    fn a_goal_is_a_name_or_a_board_and_the_size_matters_only_without_slashes() {
        assert_eq!("blank-last".parse(), Ok(Goal::BlankLast));
        assert_eq!("blank-first".parse(), Ok(Goal::BlankFirst));
        let wide: Board = "1 2 3/4 5 0".parse().unwrap();
        for text in ["1 2 3/4 5 0", "1 2 3/4 5 0/"] {
            let goal = Ok(Goal::Board(wide.clone()));
            assert_eq!(Goal::parse(text, None), goal);
            assert_eq!(Goal::parse(text, Some((2, 2))), goal); // refused later, by `of_size`
        }
        assert_eq!(
            Goal::parse("1 2 3 4 5 0", Some((3, 2))),
            Ok(Goal::Board(wide.clone()))
        );
        assert_eq!(
            Goal::parse("1 2 3 0", Some((3, 2))),
            Err(GoalError::Board(BoardError::Count {
                found: 4,
                width: 3,
                height: 2,
                expected: 6
            }))
        );
        assert_eq!(Goal::Board(wide.clone()).of_size(3, 2), Ok(wide.clone()));
        let other = Goal::Board(wide).of_size(2, 3);
        assert_eq!(
            other,
            Err(GoalError::Size {
                goal: "3x2".into(),
                board: "2x3".into()
            })
        );
        assert_eq!(
            Goal::BlankLast.of_size(3, 2).unwrap().to_string(),
            "1 2 3/4 5 0"
        );
    }
}
