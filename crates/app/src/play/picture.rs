//! A position as cells of text, as many of them as the window has room for.

use std::fmt::Write;

use crossterm::style::{Attribute, Color, SetAttribute, SetForegroundColor};
use noyes_puzzle::sokoban::write_xsb;
use noyes_puzzle::tiles::Direction;

use super::position::Position;
use crate::terminal::film::{cut, window};

/// How a cell stands out. Letters say the same, so nothing is lost without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Plain,
    /// A tile in its place, or a box on a goal.
    Done,
    Goal,
    Box,
    Dead,
    Wall,
    /// The player, or the tile of the hint.
    Marked,
}

/// A position as cells of text.
pub struct Picture {
    width: usize,
    height: usize,
    /// Characters of a cell.
    letters: usize,
    cells: Vec<(String, Look)>,
    /// The cell that must be seen.
    focus: usize,
    has_frame: bool,
}

impl Picture {
    /// A position with its dead boxes, and where a hint leads.
    pub fn of(position: &Position, dead: &[u16], hint: Option<Direction>) -> Picture {
        match position {
            Position::Tiles { board, goal } => {
                let hinted = hint.and_then(|way| board.neighbour(board.blank(), way));
                let letters = (board.tiles().len() - 1).to_string().len();
                let cell = |(cell, &tile): (usize, &u16)| {
                    let look = match tile {
                        _ if hinted == Some(cell) => Look::Marked,
                        0 => Look::Plain,
                        tile if tile == goal.tiles()[cell] => Look::Done,
                        _ => Look::Plain,
                    };
                    let text = if tile == 0 {
                        String::new()
                    } else {
                        tile.to_string()
                    };
                    (format!("{text:>letters$}"), look)
                };
                Picture {
                    width: board.width(),
                    height: board.height(),
                    letters,
                    cells: board.tiles().iter().enumerate().map(cell).collect(),
                    focus: board.blank(),
                    has_frame: true,
                }
            }
            Position::Level { level, state } => {
                let now = position.level_now().expect("it is a level");
                let (width, height) = (level.width(), level.height());
                let mut cells = vec![];
                for row in write_xsb(&now).lines() {
                    // An empty row is written as a dash.
                    let row = if row == "-" { "" } else { row };
                    cells.extend(format!("{row:width$}").chars().map(seen));
                }
                for &cell in dead {
                    let (letter, look) = &mut cells[usize::from(cell)];
                    *letter = if letter == "*" { "Y" } else { "X" }.into();
                    *look = Look::Dead;
                }
                Picture {
                    width,
                    height,
                    letters: 1,
                    cells,
                    focus: state.players[0].into(),
                    has_frame: false,
                }
            }
        }
    }

    /// Lines of at most this many columns and rows.
    pub fn lines(&self, columns: usize, rows: usize, colour: bool) -> Vec<String> {
        let framed = self.width * (self.letters + 3) < columns && 2 * self.height < rows;
        if self.has_frame && framed {
            return self.framed(colour);
        }
        let gap = usize::from(self.has_frame);
        let wide = ((columns + gap) / (self.letters + gap)).max(1);
        let across = window(self.width, wide, self.focus % self.width);
        let is_cropped = self.height > rows || across.len() < self.width;
        // A picture of which only a part is seen has a line that says so.
        let high = if is_cropped {
            rows.saturating_sub(1)
        } else {
            rows
        };
        let down = window(self.height, high.max(1), self.focus / self.width);
        let mut lines = vec![];
        for row in down.clone() {
            let cells = across.clone().map(|column| {
                let cell = row * self.width + column;
                let gap = if self.has_frame && cell == self.focus {
                    "_"
                } else {
                    ""
                };
                self.cell(cell, gap, colour)
            });
            let cells: Vec<String> = cells.collect();
            lines.push(cells.join(if self.has_frame { " " } else { "" }));
        }
        if is_cropped {
            let note = format!(
                "(rows {}-{} of {}, columns {}-{} of {})",
                down.start + 1,
                down.end,
                self.height,
                across.start + 1,
                across.end,
                self.width
            );
            lines.push(cut(&note, columns));
        }
        lines
    }

    fn framed(&self, colour: bool) -> Vec<String> {
        let bar = "─".repeat(self.letters + 2);
        let rule = |left: &str, middle: &str, right: &str| {
            format!(
                "{left}{}{right}",
                vec![bar.as_str(); self.width].join(middle)
            )
        };
        let mut lines = vec![rule("┌", "┬", "┐")];
        for row in 0..self.height {
            if row > 0 {
                lines.push(rule("├", "┼", "┤"));
            }
            let mut line = String::new();
            for column in 0..self.width {
                let cell = self.cell(row * self.width + column, "", colour);
                let _ = write!(line, "│ {cell} ");
            }
            lines.push(line + "│");
        }
        lines.push(rule("└", "┴", "┘"));
        lines
    }

    fn cell(&self, cell: usize, instead: &str, colour: bool) -> String {
        let (text, look) = &self.cells[cell];
        let letters = self.letters;
        let text = if instead.is_empty() {
            text.clone()
        } else {
            format!("{instead:>letters$}")
        };
        let shade = match look {
            Look::Plain => return text,
            Look::Marked => {
                let (on, off) = (
                    SetAttribute(Attribute::Reverse),
                    SetAttribute(Attribute::Reset),
                );
                return format!("{on}{text}{off}");
            }
            Look::Done => Color::Green,
            Look::Goal => Color::Yellow,
            Look::Box => Color::Cyan,
            Look::Dead => Color::Red,
            Look::Wall => Color::DarkGrey,
        };
        if colour {
            format!(
                "{}{text}{}",
                SetForegroundColor(shade),
                SetForegroundColor(Color::Reset)
            )
        } else {
            text
        }
    }
}

fn seen(letter: char) -> (String, Look) {
    let look = match letter {
        '#' => Look::Wall,
        '@' | '+' => Look::Marked,
        '$' => Look::Box,
        '*' => Look::Done,
        '.' => Look::Goal,
        _ => Look::Plain,
    };
    (letter.to_string(), look)
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::parse_level;
    use noyes_puzzle::tiles::Board;
    use std::sync::Arc;

    fn tiles(text: &str) -> Position {
        let board: Board = text.parse().unwrap();
        let goal = Arc::new(Board::blank_last(board.width(), board.height()));
        Position::Tiles { board, goal }
    }

    fn plain(lines: &[String]) -> Vec<String> {
        let bare = |l: &String| l.replace("\u{1b}[7m", "").replace("\u{1b}[0m", "");
        lines.iter().map(bare).collect()
    }

    #[test]
    fn a_board_has_a_frame_where_there_is_room_for_it() {
        let picture = Picture::of(&tiles("1 2/3 0"), &[], None);
        let framed = [
            "┌───┬───┐",
            "│ 1 │ 2 │",
            "├───┼───┤",
            "│ 3 │   │",
            "└───┴───┘",
        ];
        assert_eq!(picture.lines(80, 20, false), framed);
        assert_eq!(picture.lines(80, 5, false), framed);
        assert_eq!(picture.lines(80, 4, false), ["1 2", "3 _"]);
        assert_eq!(picture.lines(8, 20, false), ["1 2", "3 _"]);
        let hinted = Picture::of(&tiles("1 2/3 0"), &[], Some(Direction::Up));
        assert_eq!(hinted.lines(80, 4, false)[0], "1 \u{1b}[7m2\u{1b}[0m");
    }

    #[test]
    fn dead_boxes_and_empty_rows_of_a_level_are_seen() {
        let level = parse_level("-|6#|#$-@.#|#-.*-#|6#").unwrap();
        let picture = Picture::of(&Position::of_level(level), &[13, 21], None);
        let rows = ["      ", "######", "#X @.#", "# .Y #", "######"];
        assert_eq!(plain(&picture.lines(80, 20, false)), rows);
    }

    #[test]
    fn what_does_not_fit_is_cropped_around_the_player_and_the_gap() {
        let wide = format!("60#|#@$.{}#|60#", "-".repeat(55));
        let level = Position::of_level(parse_level(&wide).unwrap());
        let large = Position::Tiles {
            board: Board::blank_last(30, 30),
            goal: Arc::new(Board::blank_last(30, 30)),
        };
        for (position, sign) in [(&level, '@'), (&large, '_')] {
            for (columns, rows) in [(50, 20), (20, 10), (16, 3), (16, 2)] {
                let lines = plain(&Picture::of(position, &[], None).lines(columns, rows, false));
                assert!(lines.len() <= rows, "{lines:?}");
                let (note, picture) = lines.split_last().unwrap();
                assert!(note.starts_with("(rows "), "{note}");
                assert!(
                    lines.iter().all(|l| l.chars().count() <= columns),
                    "{lines:?}"
                );
                assert!(picture.iter().any(|l| l.contains(sign)), "{lines:?}");
            }
        }
    }
}
