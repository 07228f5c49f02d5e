//! A level: walls, goals, boxes and players on a grid, checked once.
//!
//! A level is solved when every goal holds a box. So more boxes than goals are
//! fine, and with fewer it is legal but has no plan. Whatever players, boxes or
//! goals can be reached from is floor and must be enclosed by walls; the rest
//! of the grid, inside or out, is decoration that nobody ever enters.

use crate::tiles::Direction;

/// The most cells of a level.
pub const MAX_CELLS: usize = 1 << 16;

/// What a cell is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ground {
    /// Nobody enters it, and it closes the level.
    Wall,
    /// Players and boxes may be here.
    Floor,
    /// Neither: open ground that nothing can reach.
    Outside,
}

/// A level of Sokoban for one player or several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    width: usize,
    ground: Vec<Ground>,
    goals: Vec<bool>,
    boxes: Vec<u16>,
    players: Vec<u16>,
    title: Option<String>,
}

/// Why some cells are no level. Cells count from 0, row by row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelError {
    /// Nobody to push.
    #[error("no player in it (expected @ or + in XSB, P in a letter map)")]
    NoPlayer,
    /// Nothing to reach.
    #[error("no goal in it: there is nothing to do")]
    NoGoal,
    /// More cells than can be numbered.
    #[error("{width}x{height} is too large a level (at most {MAX_CELLS} cells)")]
    TooLarge {
        /// Cells in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// Something stands where a wall is, or where something else stands.
    #[error("two things in one place at row {row}, column {column}")]
    Crowded {
        /// Its row, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
    },
    /// Someone or something could leave the level.
    #[error(
        "the level is open: from the {what} at row {from_row}, column {from_column}, one gets out at row {row}, column {column}"
    )]
    Open {
        /// Player, box or goal.
        what: &'static str,
        /// Its row, from 1.
        from_row: usize,
        /// Its column, from 1.
        from_column: usize,
        /// The row of the hole, from 1.
        row: usize,
        /// The column of the hole, from 1.
        column: usize,
    },
}

impl Level {
    /// A level of rows of `width` cells. Players keep their order, boxes are sorted.
    ///
    /// # Errors
    /// If nobody plays, nothing is to be done, two things share a cell, or the walls have a hole.
    ///
    /// # Panics
    /// If walls and goals are not both whole rows of the same number, or a cell is beyond them.
    pub fn new(
        width: usize,
        walls: &[bool],
        goals: &[bool],
        boxes: &[u16],
        players: &[u16],
    ) -> Result<Level, LevelError> {
        assert!(walls.len() == goals.len() && walls.len().is_multiple_of(width.max(1)));
        let height = walls.len() / width.max(1);
        if walls.len() > MAX_CELLS {
            return Err(LevelError::TooLarge { width, height });
        }
        if players.is_empty() {
            return Err(LevelError::NoPlayer);
        }
        if !goals.contains(&true) {
            return Err(LevelError::NoGoal);
        }
        let place = |cell: usize| (cell / width + 1, cell % width + 1);
        let mut taken: Vec<bool> = walls.to_vec();
        for &cell in boxes.iter().chain(players) {
            if std::mem::replace(&mut taken[usize::from(cell)], true) {
                let (row, column) = place(cell.into());
                return Err(LevelError::Crowded { row, column });
            }
        }
        let made_of = |&wall: &bool| if wall { Ground::Wall } else { Ground::Outside };
        let mut ground: Vec<Ground> = walls.iter().map(made_of).collect();
        let all_goals = (0..goals.len()).filter(|&cell| goals[cell] && !walls[cell]);
        let things = (players.iter().map(|&p| ("player", p.into())))
            .chain(boxes.iter().map(|&b| ("box", b.into())))
            .chain(all_goals.map(|g| ("goal", g)));
        for (what, from) in things {
            flood(&mut ground, width, from).map_err(|hole| {
                let ((from_row, from_column), (row, column)) = (place(from), place(hole));
                LevelError::Open {
                    what,
                    from_row,
                    from_column,
                    row,
                    column,
                }
            })?;
        }
        let mut boxes = boxes.to_vec();
        boxes.sort_unstable();
        Ok(Level {
            width,
            ground,
            goals: goals.iter().zip(walls).map(|(&g, &w)| g && !w).collect(),
            boxes,
            players: players.to_vec(),
            title: None,
        })
    }

    /// With this title.
    #[must_use]
    pub fn titled(self, title: Option<String>) -> Level {
        Level { title, ..self }
    }

    /// The same ground with boxes and players elsewhere: a state of the level as a level of its own.
    ///
    /// # Errors
    /// If two of them share a cell, or one is not on the floor.
    pub fn with(&self, boxes: &[u16], players: &[u16]) -> Result<Level, LevelError> {
        let walls: Vec<bool> = self.ground.iter().map(|&g| g == Ground::Wall).collect();
        let level = Level::new(self.width, &walls, &self.goals, boxes, players)?;
        Ok(level.titled(self.title.clone()))
    }

    /// Cells in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.ground.len() / self.width
    }

    /// Cells, whatever they are made of.
    pub fn cells(&self) -> usize {
        self.ground.len()
    }

    /// What a cell is made of.
    pub fn ground(&self, cell: u16) -> Ground {
        self.ground[usize::from(cell)]
    }

    /// Whether players and boxes may be here.
    pub fn is_floor(&self, cell: u16) -> bool {
        self.ground(cell) == Ground::Floor
    }

    /// Whether a box belongs here.
    pub fn is_goal(&self, cell: u16) -> bool {
        self.goals[usize::from(cell)]
    }

    /// Where boxes belong, in order.
    pub fn goals(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.goals.len())
            .filter(|&cell| self.goals[cell])
            .map(|cell| cell as u16)
    }

    /// Where boxes are, in order.
    pub fn boxes(&self) -> &[u16] {
        &self.boxes
    }

    /// Where players are, each at its number.
    pub fn players(&self) -> &[u16] {
        &self.players
    }

    /// What it is called.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The next cell that way, if it is floor.
    pub fn neighbour(&self, cell: u16, direction: Direction) -> Option<u16> {
        let (cell, width) = (usize::from(cell), self.width);
        let next = match direction {
            Direction::Up => cell.checked_sub(width)?,
            Direction::Left => cell.checked_sub(1).filter(|_| cell % width > 0)?,
            Direction::Right => Some(cell + 1).filter(|next| next % width > 0)?,
            Direction::Down => cell + width,
        };
        (self.ground.get(next) == Some(&Ground::Floor)).then_some(next as u16)
    }

    /// Row and column of a cell, from 1.
    pub fn place(&self, cell: u16) -> (usize, usize) {
        let cell = usize::from(cell);
        (cell / self.width + 1, cell % self.width + 1)
    }
}

/// Makes everything floor that can be reached from a cell; the hole, if one gets out.
fn flood(ground: &mut [Ground], width: usize, from: usize) -> Result<(), usize> {
    let mut open = vec![from];
    while let Some(cell) = open.pop() {
        if ground[cell] != Ground::Outside {
            continue;
        }
        let column = cell % width;
        if cell < width || cell + width >= ground.len() || column == 0 || column == width - 1 {
            return Err(cell);
        }
        ground[cell] = Ground::Floor;
        open.extend([cell - width, cell - 1, cell + 1, cell + width]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(rows: &[&str]) -> Result<Level, LevelError> {
        let text: Vec<char> = rows.concat().chars().collect();
        let find = |symbols: &str| -> Vec<u16> {
            let cells = (0..text.len()).filter(|&i| symbols.contains(text[i]));
            cells.map(|i| i as u16).collect()
        };
        let walls: Vec<bool> = text.iter().map(|&c| c == '#').collect();
        let goals: Vec<bool> = text.iter().map(|&c| ".*+".contains(c)).collect();
        Level::new(rows[0].len(), &walls, &goals, &find("$*"), &find("@+"))
    }

    #[test]
    fn what_nobody_reaches_is_no_floor() {
        let level = level(&["  #### ", " ##  # ", " #@$.# ", " ##### "]).unwrap();
        assert_eq!(level.ground(0), Ground::Outside);
        assert_eq!(level.ground(7 + 4), Ground::Floor);
        assert_eq!(level.neighbour(16, Direction::Left), None);
        assert_eq!(level.neighbour(16, Direction::Right), Some(17));
        assert_eq!(level.place(16), (3, 3));
    }

    #[test]
    fn holes_and_missing_players_are_told() {
        assert_eq!(level(&["####", "#$.#", "####"]), Err(LevelError::NoPlayer));
        assert_eq!(level(&["####", "#$@#", "####"]), Err(LevelError::NoGoal));
        let open = level(&["######", "#@$.  ", "######"]).unwrap_err();
        assert!(
            open.to_string().contains("out at row 2, column 6"),
            "{open}"
        );
        let outside = level(&["#####  ", "#@$.# $", "#####  "]).unwrap_err();
        assert!(
            outside
                .to_string()
                .contains("from the box at row 2, column 7")
        );
    }
}
