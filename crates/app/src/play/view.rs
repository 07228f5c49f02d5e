//! The screen of a game: what is played, the picture, what is known, the keys.

use noyes_puzzle::tiles::{Direction, Notation};
use noyes_solver::Objective;

use super::deck::Deck;
use super::game::{Game, Help};
use super::known::Known;
use super::picture::Picture;
use super::position::Position;
use crate::terminal::film::cut;
use crate::terminal::print::counted;

/// A narrower window has no room for a sentence.
const FEWEST_COLUMNS: usize = 20;

/// How a game is shown.
pub struct View {
    pub columns: usize,
    pub rows: usize,
    pub colour: bool,
    /// What an arrow moves on a board.
    pub notation: Notation,
    /// Whether something is being searched for.
    pub is_searching: bool,
    /// What went wrong with the search, if anything.
    pub failure: Option<String>,
}

/// The lines of the screen.
pub fn screen(game: &Game, deck: &Deck, view: &View) -> Vec<String> {
    let known = game.known(game.now());
    let mut top = vec![deck.card().title.clone(), counts(game), String::new()];
    let mut bottom = vec![String::new()];
    for text in status(game, &known, view) {
        let words: Vec<&str> = text.split(' ').collect();
        bottom.extend(wrapped(&words, " ", view.columns).into_iter().take(4));
    }
    bottom.push(String::new());
    bottom.extend(wrapped(
        &keys(game, deck, view.notation),
        "   ",
        view.columns,
    ));
    let used = top.len() + bottom.len();
    if view.columns < FEWEST_COLUMNS || view.rows < used + 2 {
        let needed = format!("{FEWEST_COLUMNS}x{}", used + 2);
        let here = format!("{}x{}", view.columns, view.rows);
        let message = [
            "window too small".into(),
            format!("{here} (needs {needed})"),
            "q quit".into(),
        ];
        let lines = message.iter().map(|line| cut(line, view.columns));
        return lines.take(view.rows.max(1)).collect();
    }
    let dead = known.dead.unwrap_or_default();
    let picture = Picture::of(game.now(), &dead, game.hint());
    let room = view.rows - used;
    for line in top.iter_mut().chain(&mut bottom) {
        *line = cut(line, view.columns);
    }
    top.extend(picture.lines(view.columns, room, view.colour));
    top.extend(bottom);
    top
}

fn counts(game: &Game) -> String {
    let moves = counted(game.moves(), "move", "moves");
    match game.now() {
        Position::Tiles { .. } => moves,
        Position::Level { .. } => {
            format!("{moves}, {}", counted(game.pushes(), "push", "pushes"))
        }
    }
}

/// What there is to say, a line each.
fn status(game: &Game, known: &Known, view: &View) -> Vec<String> {
    let mut lines = vec![];
    if game.is_solved() {
        lines.push(solved(game, view));
    } else if let Some(why) = &known.unsolvable {
        let back = if game.moves() > 0 {
            " (u takes moves back)"
        } else {
            ""
        };
        lines.push(format!("cannot be solved from here{back}: {why}"));
    } else if known.dead.as_ref().is_some_and(|dead| !dead.is_empty()) {
        lines.push("a box is dead (X), but there are others for the goals".into());
    }
    if !game.is_solved() && known.unsolvable.is_none() {
        if game.shows_optimum() {
            let bounds = bounds(known, game.objective(), view.is_searching);
            lines.push(format!("optimum from here: {bounds}"));
        }
        lines.extend(help(game, known, view));
    }
    lines.extend(view.failure.clone());
    lines
}

/// How the game compares with the best plan.
fn solved(game: &Game, view: &View) -> String {
    let start = game.known(game.start());
    let cost = game.cost();
    let made = match game.now() {
        Position::Tiles { .. } => format!("Solved in {}", counts(game)),
        Position::Level { .. } => format!("Solved with {}", counts(game)),
    };
    match start.optimum() {
        _ if game.moves() == 0 => "This is solved already.".into(),
        Some(best) if best == cost => {
            let unit = match game.now() {
                Position::Tiles { .. } => String::new(),
                Position::Level { .. } => format!(" in {}", unit(game.objective(), 2)),
            };
            format!("{made}: that is optimal{unit}.")
        }
        Some(best) => format!(
            "{made}; the optimum is {best} {}.",
            unit(game.objective(), best)
        ),
        None => {
            // What was just played is a plan, too.
            let known = Known {
                upper: Some(start.upper.map_or(cost, |upper| upper.min(cost))),
                ..start
            };
            let bounds = bounds(&known, game.objective(), view.is_searching);
            format!("{made}; the optimum is {bounds}.")
        }
    }
}

/// What is known of an optimum.
fn bounds(known: &Known, objective: Objective, is_searching: bool) -> String {
    let unit = |n| format!("{n} {}", unit(objective, n));
    if let Some(best) = known.optimum() {
        return unit(best);
    }
    let searching = if is_searching { " (searching…)" } else { "" };
    match known.upper {
        Some(upper) => format!("between {} and {}{searching}", known.lower, unit(upper)),
        None => format!("at least {}{searching}", unit(known.lower)),
    }
}

fn unit(objective: Objective, count: u32) -> &'static str {
    match (objective, count) {
        (Objective::Moves, 1) => "move",
        (Objective::Moves, _) => "moves",
        (Objective::Pushes, 1) => "push",
        (Objective::Pushes, _) => "pushes",
    }
}

/// The hint, or how the solution goes on.
fn help(game: &Game, known: &Known, view: &View) -> Option<String> {
    let doubt = if known.is_proven() {
        ""
    } else {
        ", not proven optimal"
    };
    let nothing = if view.is_searching {
        "searching for a plan…"
    } else {
        "no plan was found"
    };
    match (game.help(), known.next()) {
        (Help::None, _) => None,
        (Help::Hint, Some(way)) => Some(format!(
            "hint: {} (? again does it{doubt})",
            advice(game.now(), way)
        )),
        (Help::Solution, Some(_)) => {
            let left = known.plan.as_ref().map_or(0, |plan| plan.0.len());
            let left = counted(left, "move", "moves");
            Some(format!(
                "playing the solution: {left} to go (any key stops{doubt})"
            ))
        }
        (_, None) => Some(nothing.into()),
    }
}

/// A move in words.
fn advice(position: &Position, way: Direction) -> String {
    let word = |way: Direction| match way {
        Direction::Up => "up",
        Direction::Left => "left",
        Direction::Right => "right",
        Direction::Down => "down",
    };
    match position {
        Position::Tiles { board, .. } => {
            let tile = board
                .neighbour(board.blank(), way)
                .map_or(0, |cell| board.tiles()[cell]);
            format!("slide {tile} {}", word(way.opposite()))
        }
        Position::Level { .. } => {
            let pushes = position.clone().step(way).is_some_and(|step| step.pushes);
            format!("{} {}", if pushes { "push" } else { "go" }, word(way))
        }
    }
}

/// What the keys do.
fn keys(game: &Game, deck: &Deck, notation: Notation) -> Vec<&'static str> {
    let arrows = match (game.now(), notation) {
        (Position::Level { .. }, _) => "arrows move",
        (_, Notation::Tile) => "arrows slide a tile into the gap",
        (_, Notation::Blank) => "arrows move the gap",
    };
    let mut keys = vec![
        arrows,
        "u undo",
        "U redo",
        "R restart",
        "? hint",
        "! solution",
        "o optimum",
    ];
    if deck.is_random() {
        keys.push("n new board");
    } else if deck.has_others() {
        keys.push("n p next, previous");
    }
    keys.push("q quit");
    keys
}

/// Words in lines of at most this many columns, if each fits.
fn wrapped(words: &[&str], gap: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + gap.len() + word.chars().count() <= columns => {
                *line += gap;
                *line += word;
            }
            _ => lines.push((*word).into()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::deck::Card;
    use Direction::{Down, Left, Right};
    use noyes_puzzle::sokoban::parse_level;
    use noyes_puzzle::tiles::Board;
    use std::sync::Arc;

    fn tiles(text: &str) -> Game {
        let board: Board = text.parse().unwrap();
        let goal = Arc::new(Board::blank_last(board.width(), board.height()));
        Game::new(Position::Tiles { board, goal }, Objective::Moves)
    }

    fn view(columns: usize, rows: usize) -> View {
        View {
            columns,
            rows,
            colour: false,
            notation: Notation::Tile,
            is_searching: true,
            failure: None,
        }
    }

    fn shown(game: &Game, view: &View) -> String {
        let card = Card {
            title: "a puzzle".into(),
            start: game.start().clone(),
        };
        screen(game, &Deck::of(vec![card], 0), view).join("\n")
    }

    fn teach(game: &mut Game, lower: u32, plan: &[Direction], cost: u32) {
        let known = Known {
            lower,
            upper: Some(cost),
            plan: Some((plan.to_vec(), cost)),
            ..Known::default()
        };
        let now = game.now().clone();
        game.learn(&now, known);
    }

    #[test]
    fn a_game_is_shown_with_its_counts_and_keys() {
        let game = tiles("1 2 3/4 0 6/7 5 8");
        let text = shown(&game, &view(80, 24));
        assert!(
            text.starts_with("a puzzle\n0 moves\n\n┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n"),
            "{text}"
        );
        assert!(
            text.contains("arrows slide a tile into the gap   u undo"),
            "{text}"
        );
        assert!(!text.contains("n p"), "{text}");
        let blank = View {
            notation: Notation::Blank,
            ..view(80, 24)
        };
        assert!(shown(&game, &blank).contains("arrows move the gap"));
    }

    #[test]
    fn a_hint_names_the_tile_and_the_push() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        game.ask_hint();
        assert!(shown(&game, &view(80, 24)).contains("searching for a plan…"));
        teach(&mut game, 1, &[Down, Right], 2);
        let text = shown(&game, &view(80, 24));
        assert!(
            text.contains("hint: slide 5 up (? again does it, not proven optimal)"),
            "{text}"
        );
        let level = parse_level("6#|#@-$.#|6#").unwrap();
        let mut game = Game::new(Position::of_level(level), Objective::Pushes);
        teach(&mut game, 1, &[Right, Right], 1);
        game.ask_hint();
        assert!(shown(&game, &view(80, 24)).contains("hint: go right (? again does it)"));
        game.ask_hint();
        game.ask_hint();
        assert!(shown(&game, &view(80, 24)).contains("hint: push right (?"));
    }

    #[test]
    fn the_end_is_compared_with_the_optimum() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        let start = game.now().clone();
        for way in [Left, Right, Down, Right] {
            assert!(game.go(way));
        }
        let text = shown(&game, &view(80, 24));
        assert!(
            text.contains("Solved in 4 moves; the optimum is between 0 and 4 moves (searching…)."),
            "{text}"
        );
        let known = Known {
            lower: 2,
            upper: Some(2),
            ..Known::default()
        };
        game.learn(&start, known);
        assert!(shown(&game, &view(80, 24)).contains("Solved in 4 moves; the optimum is 2 moves."));
        game.restart();
        game.go(Down);
        game.go(Right);
        assert!(shown(&game, &view(80, 24)).contains("Solved in 2 moves: that is optimal."));
        assert!(shown(&tiles("1 2/3 0"), &view(80, 24)).contains("This is solved already."));
    }

    #[test]
    fn the_optimum_is_shown_on_request_with_its_bounds() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        assert!(!shown(&game, &view(80, 24)).contains("optimum from here"));
        game.toggle_optimum();
        assert!(
            shown(&game, &view(80, 24))
                .contains("optimum from here: at least 0 moves (searching…)")
        );
        teach(&mut game, 2, &[Down, Right], 2);
        assert!(shown(&game, &view(80, 24)).contains("optimum from here: 2 moves\n"));
    }

    #[test]
    fn every_window_is_filled_and_never_overfilled() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        game.toggle_optimum();
        game.ask_hint();
        for columns in 1..100 {
            for rows in 1..40 {
                let text = shown(&game, &view(columns, rows));
                let lines: Vec<&str> = text.lines().collect();
                assert!(
                    !lines.is_empty() && lines.len() <= rows,
                    "{columns}x{rows}: {text}"
                );
                assert!(lines.iter().all(|l| l.chars().count() <= columns), "{text}");
                if lines[0].starts_with(&"window too small"[..columns.min(16)]) {
                    assert!(
                        columns < FEWEST_COLUMNS || rows < 20,
                        "{columns}x{rows}: {text}"
                    );
                } else {
                    assert!(text.contains("4 "), "{text}");
                }
            }
        }
    }
}
