//! Boards and levels as SVG; with a plan, as a small film that repeats.
//!
//! Everything that moves is a group with a track: its place after each step in which it changes. The film needs no
//! script, so notebooks show it wherever they show pictures.

use std::fmt::Write as _;

use noyes_puzzle::sokoban::{Ground, Level, State, Walks, step};
use noyes_puzzle::tiles::{Board, Direction};

/// The largest picture, in cells.
const MOST_CELLS: usize = 4096;
/// The longest film, in steps; a longer plan has a picture of its start.
const MOST_STEPS: usize = 1000;
/// The largest and the smallest cell, and the width that pictures should have if possible, in pixels.
const CELL: (usize, usize, usize) = (40, 10, 400);
/// Seconds from one step to the next, for the step itself, and before the film begins again.
const STEP_S: f64 = 0.3;
const MOVE_S: f64 = 0.2;
const PAUSE_S: f64 = 1.5;

/// A row and a column.
type Place = (usize, usize);

/// A board, and the moves from there on. Nothing if it is too large.
pub fn of_board(board: &Board, moves: &[Direction]) -> Option<String> {
    let (width, height) = (board.width(), board.height());
    let mut film = Film::new(width, height, moves.len())?;
    let place = |cell: usize| (cell / width, cell % width);
    let cells = board.tiles().iter().enumerate();
    let mut tracks: Vec<Vec<(usize, Place)>> = vec![vec![]; board.tiles().len()];
    for (cell, &tile) in cells {
        tracks[usize::from(tile)].push((0, place(cell)));
    }
    let mut now = board.clone();
    for (at, &direction) in moves.iter().enumerate().take(film.steps) {
        let from = now.blank();
        now.step(direction);
        let tile = now.tiles()[from];
        tracks[usize::from(tile)].push((at + 1, place(from)));
    }
    film.draw(&format!(
        r##"<rect width="{}" height="{}" rx="6" fill="#6b5b4b"/>"##,
        width * film.cell,
        height * film.cell
    ));
    let side = film.cell - 4;
    for (tile, track) in tracks.iter().enumerate().skip(1) {
        let content = format!(
            r##"<rect x="2" y="2" width="{side}" height="{side}" rx="4" fill="#f0dcb4"/><text x="{half}" y="{half}" dy=".35em" text-anchor="middle" font-family="sans-serif" font-size="{font}" fill="#3b2f20">{tile}</text>"##,
            half = film.cell / 2,
            font = film.cell * 2 / 5,
        );
        film.actor(track, &content);
    }
    Some(film.end())
}

/// A level, and the steps of a plan from there on. Nothing if it is too large.
pub fn of_level(level: &Level, plan: Option<&Walks>) -> Option<String> {
    let mut film = Film::new(level.width(), level.height(), plan.map_or(0, Walks::len))?;
    let place = |cell: u16| {
        let (row, column) = level.place(cell);
        (row - 1, column - 1)
    };
    let mut state = State::start(level);
    let mut boxes: Vec<(u16, Vec<(usize, Place)>)> = (state.boxes.iter())
        .map(|&cell| (cell, vec![(0, place(cell))]))
        .collect();
    let mut players: Vec<Vec<(usize, Place)>> = (state.players.iter())
        .map(|&cell| vec![(0, place(cell))])
        .collect();
    for at in 0..film.steps {
        let moves = plan.expect("only a plan has steps").step(at);
        let before = state.players.clone();
        // A plan that was replayed is legal.
        step(level, &mut state, &moves, true).ok()?;
        for (player, track) in players.iter_mut().enumerate() {
            if state.players[player] != before[player] {
                track.push((at + 1, place(state.players[player])));
            }
        }
        // A player who is now where a box was has pushed it.
        for (cell, track) in &mut boxes {
            let pusher = (0..players.len()).find(|&player| state.players[player] == *cell);
            if let Some(next) = pusher.and_then(|player| level.neighbour(*cell, moves[player]?)) {
                *cell = next;
                track.push((at + 1, place(next)));
            }
        }
    }
    let side = film.cell;
    for cell in 0..level.cells() as u16 {
        let fill = match level.ground(cell) {
            Ground::Wall => "#59606b",
            Ground::Floor => "#efe9dc",
            Ground::Outside => continue,
        };
        let (row, column) = place(cell);
        let (x, y) = (column * side, row * side);
        // A little larger than a cell: no seams.
        film.draw(&format!(
            r#"<rect x="{x}" y="{y}" width="{side}.5" height="{side}.5" fill="{fill}"/>"#
        ));
        if level.is_goal(cell) {
            film.draw(&format!(
                r##"<rect x="{}.5" y="{}.5" width="{w}" height="{w}" fill="none" stroke="#c0392b" stroke-width="3"/>"##,
                x + 1,
                y + 1,
                w = side - 3
            ));
        }
    }
    let inset = side / 6 + 1;
    for (_, track) in &boxes {
        let content = format!(
            r##"<rect x="{inset}" y="{inset}" width="{w}" height="{w}" rx="2" fill="#b7813c" stroke="#6d4a1c" stroke-width="1.5"/>"##,
            w = side - 2 * inset
        );
        film.actor(track, &content);
    }
    for track in &players {
        let content = format!(
            r##"<circle cx="{half}" cy="{half}" r="{radius}" fill="#2d6f9e" stroke="#17415f" stroke-width="1.5"/>"##,
            half = side / 2,
            radius = side * 3 / 10
        );
        film.actor(track, &content);
    }
    Some(film.end())
}

/// A picture in the making.
struct Film {
    svg: String,
    cell: usize,
    /// The steps that are shown.
    steps: usize,
}

impl Film {
    fn new(width: usize, height: usize, steps: usize) -> Option<Film> {
        if width * height > MOST_CELLS {
            return None;
        }
        let (largest, smallest, wanted) = CELL;
        let cell = (wanted / width.max(height)).clamp(smallest, largest);
        let (w, h) = (width * cell, height * cell);
        Some(Film {
            svg: format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}">"#
            ),
            cell,
            steps: if steps > MOST_STEPS { 0 } else { steps },
        })
    }

    fn draw(&mut self, element: &str) {
        self.svg += element;
    }

    /// Something that moves along a track. The first entry is where it begins.
    fn actor(&mut self, track: &[(usize, Place)], content: &str) {
        let xy = |(row, column): Place| (column * self.cell, row * self.cell);
        let (_, start) = track[0];
        let (x, y) = xy(start);
        let mut group = format!(r#"<g transform="translate({x},{y})">{content}"#);
        if track.len() > 1 {
            let total = self.steps as f64 * STEP_S + PAUSE_S;
            let (mut times, mut values) = (String::from("0"), format!("{x},{y}"));
            let mut here = (x, y);
            for &(at, place) in &track[1..] {
                let begin = (at - 1) as f64 * STEP_S + PAUSE_S / 3.0;
                let next = xy(place);
                for (time, (x, y)) in [(begin, here), (begin + MOVE_S, next)] {
                    let _ = write!(times, ";{:.5}", time / total);
                    let _ = write!(values, ";{x},{y}");
                }
                here = next;
            }
            let _ = write!(
                group,
                r#"<animateTransform attributeName="transform" type="translate" dur="{total:.1}s" repeatCount="indefinite" keyTimes="{times};1" values="{values};{},{}"/>"#,
                here.0, here.1
            );
        }
        self.svg += &group;
        self.svg += "</g>";
    }

    fn end(mut self) -> String {
        self.svg += "</svg>";
        self.svg
    }
}
