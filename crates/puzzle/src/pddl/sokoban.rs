//! Levels as tasks: the player moves, or pushes a box, in one of four directions.
//!
//! Cells have boxes, boxes have no names: which box is which does not matter,
//! and a planner need not tell apart states that differ in nothing else. The
//! goal is that every goal cell has a box, so there may be boxes to spare.
//! Without spare boxes every other cell is clear in the end; saying so gives
//! planners better estimates.
//! `clear` is a cell without a box; it may be the player's.
//!
//! Crews are left out: all players move at once, and only the result of a step is
//! judged. So an action would have to be a step of all players, and there are 5ⁿ
//! kinds of those for n players.

use std::fmt::Write;

use super::plan::{TaskPlanError, follow};
use super::{Task, cell_name, comment, lines};
use crate::sokoban::{Level, State, TextError, parse_level, step, write_rle};
use crate::tiles::Direction;

/// What the cost of a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Pushes cost 1, other moves nothing: the domain has action costs.
    Pushes,
    /// Moves, pushes among them: the length of the plan, so the domain needs no costs.
    Moves,
}

/// Why a level is no task for a planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a plan in PDDL is one action after the other, and {players} players move at once (expected a level for one player)"
)]
pub struct NotForPlanners {
    /// How many there are.
    pub players: usize,
}

const MOVES: &str = "\
; Sokoban: the player moves to a cell without a box, or pushes the box there one cell further. Every action costs 1.
(define (domain sokoban-moves)
  (:requirements :strips :typing)";

const PUSHES: &str = "\
; Sokoban: the player moves to a cell without a box, or pushes the box there one cell further. Only pushes cost.
(define (domain sokoban-pushes)
  (:requirements :strips :typing :action-costs)";

const ACTIONS: &str = "
  (:types cell direction - object)
  (:predicates
    (next ?from - cell ?to - cell ?way - direction)
    (player ?c - cell)
    (box ?c - cell)
    (clear ?c - cell))FUNCTIONS
  (:action move
    :parameters (?from - cell ?to - cell ?way - direction)
    :precondition (and (next ?from ?to ?way) (player ?from) (clear ?to))
    :effect (and (not (player ?from)) (player ?to)))
  (:action push
    :parameters (?from - cell ?box - cell ?to - cell ?way - direction)
    :precondition (and
      (next ?from ?box ?way) (next ?box ?to ?way)
      (player ?from) (box ?box) (clear ?to))
    :effect (and
      (not (player ?from)) (player ?box)
      (not (box ?box)) (box ?to)
      (clear ?box) (not (clear ?to))COST)))
";

/// A level as a task.
///
/// ```
/// use noyes_puzzle::pddl::{Counted, level_plan, level_task};
/// use noyes_puzzle::sokoban::parse_level;
/// let level = parse_level("6#|#@-$.#|6#")?;
/// let task = level_task(&level, Counted::Pushes)?;
/// assert!(task.problem.contains("(:goal (and (box r2c5) "));
/// let plan = level_plan(&level, "(move r2c2 r2c3 right)\n(push r2c3 r2c4 r2c5 right)\n; cost = 1 (general cost)")?;
/// assert_eq!(plan.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it is a level for a crew.
pub fn level_task(level: &Level, counted: Counted) -> Result<Task, NotForPlanners> {
    let &[player] = level.players() else {
        let players = level.players().len();
        return Err(NotForPlanners { players });
    };
    let name = |cell: u16| cell_name(cell.into(), level.width());
    let floor: Vec<u16> = (0..level.cells())
        .map(|cell| cell as u16)
        .filter(|&cell| level.is_floor(cell))
        .collect();
    let next = floor.iter().map(|&from| {
        let ways = Direction::ALL.into_iter();
        let facts = ways.filter_map(|way| {
            let to = level.neighbour(from, way)?;
            Some(format!("(next {} {} {})", name(from), name(to), word(way)))
        });
        facts.collect::<Vec<_>>().join(" ")
    });
    let has_box = |cell: u16| level.boxes().binary_search(&cell).is_ok();
    let here = floor.iter().map(|&cell| {
        let what = if has_box(cell) { "box" } else { "clear" };
        format!("({what} {})", name(cell))
    });
    let names: Vec<String> = floor.iter().map(|&cell| name(cell)).collect();
    let boxes = level.goals().map(|cell| format!("(box {})", name(cell)));
    // Without boxes to spare no other cell has one in the end. Saying so lets planners see that a box is lost.
    let has_spare = level.boxes().len() > level.goals().count();
    let others = (floor.iter()).filter(|&&cell| !has_spare && !level.is_goal(cell));
    let goals: Vec<String> = boxes
        .chain(others.map(|&cell| format!("(clear {})", name(cell))))
        .collect();
    let (head, costs) = match counted {
        Counted::Moves => (MOVES, ["", "", "", ""]),
        Counted::Pushes => (
            PUSHES,
            [
                "\n  (:functions (total-cost) - number)",
                "\n      (increase (total-cost) 1)",
                "    (= (total-cost) 0)\n",
                "\n  (:metric minimize (total-cost))",
            ],
        ),
    };
    let [functions, cost, none_yet, metric] = costs;
    let mut problem = format!(
        "; noyes encode --format pddl\n; level {}\n",
        write_rle(level)
    );
    let _ = write!(
        problem,
        "(define (problem level-{}x{})\n  (:domain {})\n  (:objects\n    up left right down - direction\n    {} - cell)\n  (:init\n{none_yet}{}    (player {})\n{}  )\n  (:goal (and {})){metric})\n",
        level.width(),
        level.height(),
        match counted {
            Counted::Moves => "sokoban-moves",
            Counted::Pushes => "sokoban-pushes",
        },
        names.join(" "),
        lines(next.filter(|facts| !facts.is_empty())),
        name(player),
        lines(here),
        goals.join(" "),
    );
    let actions = ACTIONS.replace("FUNCTIONS", functions);
    Ok(Task {
        domain: head.to_string() + &actions.replace("COST", cost),
        problem,
    })
}

/// The level that a problem was written from; none if it was written from no level.
///
/// # Errors
/// If what its comment says is no level.
pub fn level_of(problem: &str) -> Result<Option<Level>, TextError> {
    comment(problem, "level").map(parse_level).transpose()
}

/// The moves of a planner's plan for one player, all of them legal; whether they solve the level is not asked.
///
/// # Errors
/// The first line that is no action, or one that cannot be done.
///
/// # Panics
/// If it is a level for a crew.
pub fn level_plan(level: &Level, text: &str) -> Result<Vec<Direction>, TaskPlanError> {
    assert_eq!(level.players().len(), 1, "a level for one player");
    let name = |cell: u16| cell_name(cell.into(), level.width());
    let possible = |state: &State| {
        let from = state.players[0];
        let ways = Direction::ALL.into_iter();
        let words = |way: Direction| {
            let mut after = state.clone();
            let pushes = step(level, &mut after, &[Some(way)], false).ok()?;
            let to = after.players[0];
            let action = if pushes == 0 { "move" } else { "push" };
            let beyond = level.neighbour(to, way).filter(|_| pushes > 0);
            let beyond = beyond.map_or(String::new(), |cell| format!(" {}", name(cell)));
            Some(format!(
                "{action} {} {}{beyond} {}",
                name(from),
                name(to),
                word(way)
            ))
        };
        ways.filter_map(|way| Some((way, words(way)?))).collect()
    };
    follow(text, &mut State::start(level), possible, |state, way| {
        step(level, state, &[Some(way)], false).expect("a legal step");
    })
}

/// What a direction is called.
fn word(way: Direction) -> &'static str {
    match way {
        Direction::Up => "up",
        Direction::Left => "left",
        Direction::Right => "right",
        Direction::Down => "down",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_read_back_from_its_problem() {
        for text in ["6#|#@-$.#|6#", "--4#|3#--#|#+*$-#|6#", "5#|#@-.#|5#"] {
            let level = parse_level(text).unwrap();
            for counted in [Counted::Moves, Counted::Pushes] {
                let problem = level_task(&level, counted).unwrap().problem;
                assert_eq!(level_of(&problem), Ok(Some(level.clone())), "{problem}");
            }
        }
        assert_eq!(level_of("; goal 1 0/\n"), Ok(None));
        assert!(level_of("; level 5#\n").is_err());
    }

    #[test]
    fn a_push_is_not_written_as_a_move() {
        let level = parse_level("######|#@$ .#|#    #|######").unwrap();
        let plan = level_plan(&level, "(push r2c2 r2c3 r2c4 right)\n(MOVE R2C3 R3C3 DOWN)");
        assert_eq!(plan, Ok(vec![Direction::Right, Direction::Down]));
        for wrong in [
            "(move r2c2 r2c3 right)",
            "(push r2c2 r2c3 r2c4 left)",
            "(wait)",
        ] {
            let error = level_plan(&level, wrong).unwrap_err().to_string();
            let expected = "(expected (push r2c2 r2c3 r2c4 right) or (move r2c2 r3c2 down))";
            assert!(error.ends_with(expected), "{error}");
        }
    }

    #[test]
    fn crews_are_refused() {
        let crew = parse_level("7#|#@$-.@#|7#").unwrap();
        let error = level_task(&crew, Counted::Moves).unwrap_err().to_string();
        assert!(error.contains("2 players move at once"), "{error}");
    }
}
