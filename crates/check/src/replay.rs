//! Replay: makes the moves of a plan one by one and checks each.

use noyes_puzzle::graph::Graph;
use noyes_puzzle::tiles::{Board, Direction};

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The blank would leave the board.
    #[error("move {at} takes the blank {way} from row {row}, column {column}, out of the board")]
    Border {
        /// The number of the move, from 1.
        at: usize,
        /// Where the blank should go, in words.
        way: &'static str,
        /// The blank's row, from 1.
        row: usize,
        /// The blank's column, from 1.
        column: usize,
    },
    /// A move between vertices that no edge joins.
    #[error("move {at} takes the blank from {from} to {to}, which do not touch")]
    NoEdge {
        /// The number of the move, from 1.
        at: usize,
        /// The vertex of the blank.
        from: String,
        /// The vertex it should go to.
        to: String,
    },
    /// Something wrong with a plan of a level.
    #[error(transparent)]
    Walk(#[from] crate::WalkFault),
    /// Every move is legal, but they lead elsewhere.
    #[error("after {moves} move{} the position is {reached}, not the goal {goal}", if *moves == 1 { "" } else { "s" })]
    NotGoal {
        /// The moves made.
        moves: usize,
        /// Where they lead.
        reached: String,
        /// Where they should lead.
        goal: String,
    },
}

impl Fault {
    /// Whether a move is against the rules, and not only that the goal is missed.
    pub fn is_illegal(&self) -> bool {
        !matches!(
            self,
            Fault::NotGoal { .. } | Fault::Walk(crate::WalkFault::Unsolved { .. })
        )
    }
}

/// The board after the whole plan.
///
/// # Errors
/// The first move that is illegal.
pub fn board_after(start: &Board, plan: &[Direction]) -> Result<Board, Fault> {
    let mut rows: Vec<Vec<u16>> = start
        .tiles()
        .chunks(start.width())
        .map(<[u16]>::to_vec)
        .collect();
    let (mut row, mut column) = (start.blank() / start.width(), start.blank() % start.width());
    for (i, direction) in plan.iter().enumerate() {
        let (way, down, right) = match direction {
            Direction::Up => ("up", -1, 0),
            Direction::Left => ("left", 0, -1),
            Direction::Right => ("right", 0, 1),
            Direction::Down => ("down", 1, 0),
        };
        let next = row
            .checked_add_signed(down)
            .zip(column.checked_add_signed(right));
        match next.filter(|&(r, c)| r < start.height() && c < start.width()) {
            None => {
                return Err(Fault::Border {
                    at: i + 1,
                    way,
                    row: row + 1,
                    column: column + 1,
                });
            }
            Some((r, c)) => {
                rows[row][column] = rows[r][c];
                rows[r][c] = 0;
                (row, column) = (r, c);
            }
        }
    }
    Ok(Board::new(start.width(), rows.concat()).expect("a move keeps every tile"))
}

/// The cost of a plan that leads from `start` to `goal`.
///
/// # Errors
/// The first move that is illegal, or that the goal is not reached.
pub fn board_plan(start: &Board, goal: &Board, plan: &[Direction]) -> Result<u32, Fault> {
    let reached = board_after(start, plan)?;
    if reached == *goal {
        return Ok(plan.len() as u32);
    }
    Err(Fault::NotGoal {
        moves: plan.len(),
        reached: reached.to_string(),
        goal: goal.to_string(),
    })
}

/// The tiles by vertex after the whole plan. A move names the vertex the blank goes to.
///
/// # Errors
/// The first move that is illegal.
///
/// # Panics
/// If `start` has no blank.
pub fn graph_after(graph: &Graph, start: &[u16], plan: &[u16]) -> Result<Vec<u16>, Fault> {
    let mut tiles = start.to_vec();
    let mut blank = tiles.iter().position(|&t| t == 0).expect("a blank");
    for (i, &to) in plan.iter().enumerate() {
        if !graph.neighbours(blank as u16).contains(&to) {
            // A plan may name a vertex that the graph does not have.
            let name = |v: u16| match graph.names().get(usize::from(v)) {
                Some(name) => name.clone(),
                None => v.to_string(),
            };
            return Err(Fault::NoEdge {
                at: i + 1,
                from: name(blank as u16),
                to: name(to),
            });
        }
        tiles[blank] = tiles[usize::from(to)];
        tiles[usize::from(to)] = 0;
        blank = usize::from(to);
    }
    Ok(tiles)
}

/// The cost of a plan on a graph that leads from `start` to `goal`.
///
/// # Errors
/// The first move that is illegal, or that the goal is not reached.
///
/// # Panics
/// If `start` has no blank.
pub fn graph_plan(graph: &Graph, start: &[u16], goal: &[u16], plan: &[u16]) -> Result<u32, Fault> {
    let reached = graph_after(graph, start, plan)?;
    if reached == goal {
        return Ok(plan.len() as u32);
    }
    let write = |tiles: &[u16]| {
        tiles
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    Err(Fault::NotGoal {
        moves: plan.len(),
        reached: write(&reached),
        goal: write(goal),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::tiles::{Notation, parse_plan};
    use proptest::prelude::*;

    fn plan(text: &str) -> Vec<Direction> {
        parse_plan(text, Notation::Blank).unwrap()
    }

    #[test]
    fn an_illegal_move_is_named_with_its_place() {
        let board: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let fault = board_plan(&board, &board, &plan("URD")).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "move 2 takes the blank right from row 2, column 3, out of the board"
        );
        assert!(board_plan(&board, &board, &plan("D")).is_err());
        assert!(board_plan(&board, &board, &plan("LLL")).is_err());
        assert!(board_plan(&board, &board, &plan("UUU")).is_err());
    }

    #[test]
    fn a_plan_that_is_too_short_does_not_pass() {
        let start: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
        let goal = Board::blank_last(3, 3);
        assert_eq!(board_plan(&start, &goal, &plan("DR")), Ok(2));
        let fault = board_plan(&start, &goal, &plan("D")).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "after 1 move the position is 1 2 3/4 5 6/7 0 8, not the goal 1 2 3/4 5 6/7 8 0"
        );
    }

    #[test]
    fn a_graph_plan_must_follow_edges() {
        let graph = Graph::named("cycle:4").unwrap();
        let start = [0, 1, 2, 3];
        assert_eq!(graph_plan(&graph, &start, &[1, 0, 2, 3], &[1]), Ok(1));
        assert!(matches!(
            graph_plan(&graph, &start, &[1, 0, 2, 3], &[2]),
            Err(Fault::NoEdge { at: 1, .. })
        ));
        assert!(matches!(
            graph_plan(&graph, &start, &start, &[1]),
            Err(Fault::NotGoal { .. })
        ));
    }

    proptest! {
        #[test]
        fn the_two_writings_of_the_rules_agree(letters in "[LURD]{0,30}", width in 1usize..5, height in 1usize..5) {
            let mut board = Board::blank_last(width, height);
            let replayed = board_after(&board, &plan(&letters));
            let legal = plan(&letters).into_iter().all(|d| board.step(d));
            prop_assert_eq!(legal, replayed.is_ok());
            if let Ok(reached) = replayed {
                prop_assert_eq!(reached, board);
            }
        }
    }
}
