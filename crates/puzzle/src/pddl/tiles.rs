//! Boards as tasks: a tile beside the blank slides onto it. Every action costs 1, so the length of a plan is its cost.

use super::plan::{TaskPlanError, follow};
use super::{Task, cell_name, comment, lines};
use crate::tiles::{Board, BoardError, Direction};

/// The same for all boards.
const DOMAIN: &str = "\
; Sliding tiles: a tile beside the blank slides onto it. Every slide costs 1.
(define (domain sliding-tiles)
  (:requirements :strips :typing)
  (:types tile cell - object)
  (:predicates
    (beside ?a - cell ?b - cell)
    (at ?t - tile ?c - cell)
    (blank ?c - cell))
  (:action slide
    :parameters (?t - tile ?from - cell ?to - cell)
    :precondition (and (beside ?from ?to) (at ?t ?from) (blank ?to))
    :effect (and
      (not (at ?t ?from)) (at ?t ?to)
      (not (blank ?to)) (blank ?from))))
";

/// The way from one board to another as a task.
///
/// ```
/// use noyes_puzzle::pddl::{board_plan, board_task};
/// use noyes_puzzle::tiles::Board;
/// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// let task = board_task(&board, &Board::blank_last(3, 3));
/// assert!(task.problem.contains("(at t5 r3c2)") && task.domain.contains("(:action slide"));
/// let plan = board_plan(&board, "(slide t5 r3c2 r2c2)\n(slide t8 r3c3 r3c2)\n; cost = 2 (unit cost)")?;
/// assert_eq!(plan.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the boards differ in size.
pub fn board_task(start: &Board, goal: &Board) -> Task {
    assert_eq!(start.size(), goal.size(), "two boards of one size");
    let name = |cell: usize| cell_name(cell, start.width());
    let cells = 0..start.tiles().len();
    let tiles: Vec<String> = (1..start.tiles().len()).map(|t| format!("t{t}")).collect();
    let tiles = match tiles.len() {
        0 => String::new(), // a board of one cell
        _ => format!("    {} - tile\n", tiles.join(" ")),
    };
    let names: Vec<String> = cells.clone().map(name).collect();
    let beside = cells.clone().map(|cell| {
        let near = Direction::ALL.into_iter();
        let near = near.filter_map(|way| start.neighbour(cell, way));
        let facts: Vec<String> = near
            .map(|other| format!("(beside {} {})", name(cell), name(other)))
            .collect();
        facts.join(" ")
    });
    let place = |board: &Board, cell: usize| match board.tiles()[cell] {
        0 => format!("(blank {})", name(cell)),
        tile => format!("(at t{tile} {})", name(cell)),
    };
    // The blank is where no tile is. A board of one cell has no tile, and some planners want a goal.
    let at_goal = cells.clone();
    let at_goal = at_goal.filter(|&cell| goal.tiles()[cell] != 0 || names.len() == 1);
    let problem = format!(
        "; noyes encode --format pddl\n; puzzle {}\n; goal {}\n\
         (define (problem tiles-{})\n  (:domain sliding-tiles)\n  (:objects\n{tiles}    {} - cell)\n  (:init\n{}{}  )\n  (:goal (and\n{}  )))\n",
        start,
        goal,
        start.size(),
        names.join(" "),
        lines(beside.filter(|facts| !facts.is_empty())),
        lines(cells.map(|cell| place(start, cell))),
        lines(at_goal.map(|cell| place(goal, cell))),
    );
    Task {
        domain: DOMAIN.into(),
        problem,
    }
}

/// The start and the goal that a problem was written from; none if it was written from no board.
///
/// # Errors
/// If what its comments say is no board.
pub fn boards_of(problem: &str) -> Result<Option<(Board, Board)>, BoardError> {
    match (comment(problem, "puzzle"), comment(problem, "goal")) {
        (Some(start), Some(goal)) => Ok(Some((start.parse()?, goal.parse()?))),
        _ => Ok(None),
    }
}

/// The moves of a planner's plan, all of them legal; whether they lead to the goal is not asked.
///
/// # Errors
/// The first line that is no action, or one that cannot be done.
pub fn board_plan(start: &Board, text: &str) -> Result<Vec<Direction>, TaskPlanError> {
    let mut state = (start.clone(), start.blank());
    let possible = |(board, blank): &(Board, usize)| {
        let name = |cell: usize| cell_name(cell, board.width());
        let ways = Direction::ALL.into_iter();
        ways.filter_map(|way| {
            let from = board.neighbour(*blank, way)?;
            let tile = board.tiles()[from];
            Some((
                way,
                format!("slide t{tile} {} {}", name(from), name(*blank)),
            ))
        })
        .collect()
    };
    follow(text, &mut state, possible, |(board, blank), way| {
        board.step(way);
        *blank = board.blank();
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_read_back_from_its_problem() {
        for text in ["1 2 3/4 0 6/7 5 8", "2 1 0/", "1/0", "0/", "3 1/2 0/4 5"] {
            let start: Board = text.parse().unwrap();
            let goal = Board::blank_first(start.width(), start.height());
            let problem = board_task(&start, &goal).problem;
            assert_eq!(boards_of(&problem), Ok(Some((start, goal))), "{problem}");
        }
        assert_eq!(boards_of("(define (problem p))\n; puzzle 1 0/\n"), Ok(None));
        assert!(boards_of("; puzzle 1 1/\n; goal 0 1/\n").is_err());
    }

    #[test]
    fn a_slide_names_tile_and_both_cells() {
        let board: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
        let plan = board_plan(&board, "(slide t5 r3c2 r2c2)\n(slide t8 r3c3 r3c2)");
        assert_eq!(plan, Ok(vec![Direction::Down, Direction::Right]));
        for wrong in [
            "(slide t6 r3c2 r2c2)",
            "(slide t5 r2c2 r3c2)",
            "(slide t5 r3c2)",
        ] {
            let error = board_plan(&board, wrong).unwrap_err().to_string();
            assert!(error.contains("or (slide t5 r3c2 r2c2)"), "{error}");
        }
    }
}
