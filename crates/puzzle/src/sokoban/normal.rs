//! Normal form: the same for all levels that differ only by rotation, reflection and decoration.
//!
//! First decoration is removed: walls that touch no floor, and margins. Of the
//! eight views of the rest, the widest is taken, and among those the one whose XSB
//! comes first. Players of a crew are numbered as they are read.

use super::{Ground, Level, write_xsb};
use crate::tiles::Direction;

/// One of the eight ways to look at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Whether rows become columns; this is done first.
    pub transpose: bool,
    /// Whether left and right are swapped then.
    pub mirror: bool,
    /// Whether up and down are swapped then.
    pub flip: bool,
}

impl View {
    /// All eight, the plain one first.
    pub fn all() -> impl Iterator<Item = View> {
        (0..8).map(|bits| View {
            transpose: bits & 4 > 0,
            mirror: bits & 1 > 0,
            flip: bits & 2 > 0,
        })
    }

    /// What a direction becomes.
    pub fn direction(self, direction: Direction) -> Direction {
        use Direction::{Down, Left, Right, Up};
        let turned = match direction {
            Up if self.transpose => Left,
            Left if self.transpose => Up,
            Down if self.transpose => Right,
            Right if self.transpose => Down,
            same => same,
        };
        let swapped = match turned {
            Left | Right => self.mirror,
            Up | Down => self.flip,
        };
        if swapped { turned.opposite() } else { turned }
    }

    /// Where a cell of a level moves to.
    pub fn cell(self, level: &Level, cell: u16) -> u16 {
        let (mut row, mut column) = (
            usize::from(cell) / level.width(),
            usize::from(cell) % level.width(),
        );
        let (mut height, mut width) = (level.height(), level.width());
        if self.transpose {
            (row, column, height, width) = (column, row, width, height);
        }
        if self.mirror {
            column = width - 1 - column;
        }
        if self.flip {
            row = height - 1 - row;
        }
        (row * width + column) as u16
    }

    /// A level seen this way; players keep their numbers.
    pub fn of(self, level: &Level) -> Level {
        let width = if self.transpose {
            level.height()
        } else {
            level.width()
        };
        let mut walls = vec![false; level.cells()];
        let mut goals = vec![false; level.cells()];
        for cell in (0..level.cells()).map(|cell| cell as u16) {
            let to = usize::from(self.cell(level, cell));
            walls[to] = level.ground(cell) == Ground::Wall;
            goals[to] = level.is_goal(cell);
        }
        let moved =
            |cells: &[u16]| -> Vec<u16> { cells.iter().map(|&c| self.cell(level, c)).collect() };
        let (boxes, players) = (moved(level.boxes()), moved(level.players()));
        let seen = Level::new(width, &walls, &goals, &boxes, &players);
        seen.expect("a level from any side is one")
            .titled(level.title().map(Into::into))
    }
}

/// A level without decoration: no wall that touches no floor, no margin.
#[must_use]
pub fn crop(level: &Level) -> Level {
    let (width, height) = (level.width(), level.height());
    let is_floor = |row: usize, column: usize| level.is_floor((row * width + column) as u16);
    let touches = |row: usize, column: usize| {
        let mut around = (row.saturating_sub(1)..=(row + 1).min(height - 1)).flat_map(|r| {
            (column.saturating_sub(1)..=(column + 1).min(width - 1)).map(move |c| (r, c))
        });
        around.any(|(r, c)| is_floor(r, c))
    };
    let cells: Vec<(usize, usize)> = (0..level.cells())
        .map(|cell| (cell / width, cell % width))
        .collect();
    // Floor is enclosed, so what stays is the floor and all that touches it.
    let stays: Vec<(usize, usize)> = cells.into_iter().filter(|&(r, c)| touches(r, c)).collect();
    let (top, bottom) = (stays[0].0, stays[stays.len() - 1].0);
    let (left, right) = stays
        .iter()
        .fold((width, 0), |(l, r), &(_, c)| (l.min(c), r.max(c)));
    let wide = right + 1 - left;
    let new = |row: usize, column: usize| (row - top) * wide + column - left;
    let mut walls = vec![false; wide * (bottom + 1 - top)];
    let mut goals = walls.clone();
    for (r, c) in stays {
        let cell = (r * width + c) as u16;
        walls[new(r, c)] = level.ground(cell) == Ground::Wall;
        goals[new(r, c)] = level.is_goal(cell);
    }
    let moved = |cells: &[u16]| -> Vec<u16> {
        let place = |&cell: &u16| (usize::from(cell) / width, usize::from(cell) % width);
        cells
            .iter()
            .map(place)
            .map(|(r, c)| new(r, c) as u16)
            .collect()
    };
    let (boxes, players) = (moved(level.boxes()), moved(level.players()));
    let cropped = Level::new(wide, &walls, &goals, &boxes, &players);
    cropped
        .expect("walls around the floor stay")
        .titled(level.title().map(Into::into))
}

/// The normal form of a level; its title stays.
///
/// ```
/// use noyes_puzzle::sokoban::{normalise, parse_level, write_rle};
/// let level = parse_level("#####\n##.##\n##$##\n##@##\n#####")?;
/// assert_eq!(write_rle(&normalise(&level)), "5#|#.$@#|5#");
/// # Ok::<(), noyes_puzzle::sokoban::TextError>(())
/// ```
#[must_use]
pub fn normalise(level: &Level) -> Level {
    let cropped = crop(level);
    let views = View::all().map(|view| {
        let seen = view.of(&cropped);
        let mut players = seen.players().to_vec();
        players.sort_unstable();
        seen.with(seen.boxes(), &players).expect("the same places")
    });
    let key = |level: &Level| (level.height(), write_xsb(level));
    views.min_by_key(key).expect("eight of them")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::{State, parse_level, step};

    fn level() -> Level {
        parse_level("######|#    #|# @$ ###|#  $@ .#|#   .  #|########").unwrap()
    }

    #[test]
    fn all_views_have_one_normal_form() {
        let normal = normalise(&level());
        for view in View::all() {
            assert_eq!(normalise(&view.of(&level())), normal, "{view:?}");
        }
    }

    #[test]
    fn a_step_seen_from_any_side_is_that_step() {
        let level = level();
        for view in View::all() {
            let seen = view.of(&level);
            for first in Direction::ALL {
                for second in Direction::ALL {
                    let (mut plain, mut turned) = (State::start(&level), State::start(&seen));
                    let moves = [Some(first), Some(second)];
                    let done = step(&level, &mut plain, &moves, true);
                    let moves = moves.map(|d| d.map(|d| view.direction(d)));
                    let again = step(&seen, &mut turned, &moves, true);
                    assert_eq!(again.ok(), done.ok());
                    let mut boxes: Vec<u16> =
                        plain.boxes.iter().map(|&b| view.cell(&level, b)).collect();
                    boxes.sort_unstable();
                    assert_eq!(turned.boxes, boxes);
                }
            }
        }
    }

    #[test]
    fn decoration_goes() {
        let level = parse_level(" ## #####\n    #@$.#\n##  #####\n-\n####").unwrap();
        assert_eq!(write_xsb(&crop(&level)), "#####\n#@$.#\n#####\n");
        let level = parse_level("#########\n#########\n###@$.###\n#########").unwrap();
        assert_eq!(write_xsb(&normalise(&level)), "#####\n#.$@#\n#####\n");
    }
}
