//! A level: walls, goals, boxes and players on a grid, checked once.
//!
//! A level is solved when every goal holds a box. So more boxes than goals are
//! fine; a level with fewer is legal but has no plan. Every cell connected to a
//! player, box or goal is floor and must be enclosed by walls. The rest of the
//! grid, inside or outside, is decoration that nobody ever enters.

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
        "the level is open: from the {what} at row {from_row}, column {from_column}, a player can get out at row {row}, column {column}"
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

    /// Its title.
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

/// Makes everything floor that can be reached from a cell. The error is the cell of a hole in the walls.
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
    fn holes_and_missing_players_are_refused() {
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

    /// Six by five cells with two rooms, one of them for a box and a goal alone.
    fn two_rooms() -> Level {
        level(&["######", "#@$#.#", "#. #*#", "##@###", " ### #"]).unwrap()
    }

    #[test]
    fn a_level_knows_its_size_and_everything_in_it() {
        let level = two_rooms();
        assert_eq!((level.width(), level.height(), level.cells()), (6, 5, 30));
        let floor: Vec<u16> = (0..30).filter(|&cell| level.is_floor(cell)).collect();
        assert_eq!(floor, [7, 8, 10, 13, 14, 16, 20]);
        for cell in 0..30 {
            let ground = match cell {
                24 | 28 => Ground::Outside,
                _ if floor.contains(&cell) => Ground::Floor,
                _ => Ground::Wall,
            };
            assert_eq!(level.ground(cell), ground, "{cell}");
            assert_eq!(level.is_goal(cell), [10, 13, 16].contains(&cell), "{cell}");
        }
        assert_eq!(level.goals().collect::<Vec<_>>(), [10, 13, 16]);
        assert_eq!(level.boxes(), [8, 16]);
        assert_eq!(level.players(), [7, 20]);
        assert_eq!(level.title(), None);
        let titled = level.clone().titled(Some("Two rooms".into()));
        assert_eq!(titled.title(), Some("Two rooms"));
        assert_eq!(titled.titled(None), level);
    }

    #[test]
    fn the_next_cell_is_the_one_beside_if_it_is_floor() {
        let level = two_rooms();
        let next = |cell: u16| Direction::ALL.map(|d| level.neighbour(cell, d));
        // Up, left, right, down.
        assert_eq!(next(7), [None, None, Some(8), Some(13)]);
        assert_eq!(next(8), [None, Some(7), None, Some(14)]);
        assert_eq!(next(10), [None, None, None, Some(16)]);
        assert_eq!(next(14), [Some(8), Some(13), None, Some(20)]);
        assert_eq!(next(20), [Some(14), None, None, None]);
        // From walls and from the border as well, where no cell of the next row is beside.
        assert_eq!(next(0), [None; 4]);
        assert_eq!(next(6), [None, None, Some(7), None]);
        assert_eq!(next(9), [None, Some(8), Some(10), None]);
        assert_eq!(next(11), [None, Some(10), None, None]);
        assert_eq!(next(29), [None; 4]);
    }

    #[test]
    fn rows_and_columns_count_from_one() {
        let level = two_rooms();
        for (cell, place) in [
            (0, (1, 1)),
            (5, (1, 6)),
            (6, (2, 1)),
            (20, (4, 3)),
            (29, (5, 6)),
        ] {
            assert_eq!(level.place(cell), place);
        }
    }

    #[test]
    fn a_hole_is_found_on_each_side_of_the_grid() {
        let open = |what, from: (usize, usize), hole: (usize, usize)| {
            Err(LevelError::Open {
                what,
                from_row: from.0,
                from_column: from.1,
                row: hole.0,
                column: hole.1,
            })
        };
        let player = |hole| open("player", (3, 3), hole);
        assert_eq!(
            level(&["## ##", "## ##", "##@##", "#$.##", "#####"]),
            player((1, 3))
        );
        assert_eq!(
            level(&["#####", "#####", "  @##", "#$.##", "#####"]),
            player((3, 1))
        );
        assert_eq!(
            level(&["#####", "#####", "##@  ", "#$.##", "#####"]),
            player((3, 5))
        );
        assert_eq!(
            level(&["#####", "#####", "##@##", "#$ ##", "## ##", "##.##"]),
            player((6, 3))
        );
        // A box, then a goal, in a room of its own.
        assert_eq!(
            level(&["######", "#@.#$ ", "######"]),
            open("box", (2, 5), (2, 6))
        );
        assert_eq!(
            level(&["######", "#@$#. ", "######"]),
            open("goal", (2, 5), (2, 6))
        );
        // In the corners of the grid.
        assert_eq!(
            level(&["@###", "#$.#", "####"]),
            open("player", (1, 1), (1, 1))
        );
        assert_eq!(
            level(&["####", "#$.#", "###@"]),
            open("player", (3, 4), (3, 4))
        );
    }

    #[test]
    fn everything_stands_on_a_free_cell_of_its_own() {
        let level = two_rooms();
        let crowded = |row: usize, column: usize| Err(LevelError::Crowded { row, column });
        assert_eq!(level.with(&[8, 16], &[7, 20]), Ok(level.clone()));
        assert_eq!(level.with(&[8, 8], &[7]), crowded(2, 3));
        assert_eq!(level.with(&[16], &[16]), crowded(3, 5));
        assert_eq!(level.with(&[], &[7, 7]), crowded(2, 2));
        assert_eq!(level.with(&[9], &[7]), crowded(2, 4)); // on a wall
        assert_eq!(level.with(&[8], &[21]), crowded(4, 4));
        assert_eq!(level.with(&[8], &[]), Err(LevelError::NoPlayer));
        assert!(matches!(
            level.with(&[24], &[7]),
            Err(LevelError::Open {
                what: "box",
                from_row: 5,
                from_column: 1,
                ..
            })
        ));
    }

    #[test]
    fn a_state_as_a_level_keeps_ground_goals_and_title() {
        let level = two_rooms().titled(Some("Two rooms".into()));
        let moved = level.with(&[16, 13], &[20, 8]).unwrap();
        assert_eq!(moved.title(), Some("Two rooms"));
        assert_eq!(moved.boxes(), [13, 16]); // in order
        assert_eq!(moved.players(), [20, 8]); // each at its number
        assert_eq!(moved.with(level.boxes(), level.players()), Ok(level));
    }

    #[test]
    fn a_goal_in_a_wall_counts_for_nothing() {
        let walls = [
            true, true, true, true, true, false, false, true, true, true, true, true,
        ];
        let mut goals = [false; 12];
        goals[0] = true;
        goals[6] = true;
        let level = Level::new(4, &walls, &goals, &[], &[5]).unwrap();
        assert_eq!(level.goals().collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn a_level_has_at_most_as_many_cells_as_can_be_numbered() {
        let make = |height: usize| {
            let cells = 256 * height;
            let (mut walls, mut goals) = (vec![true; cells], vec![false; cells]);
            walls[257] = false;
            walls[258] = false;
            goals[258] = true;
            Level::new(256, &walls, &goals, &[], &[257])
        };
        assert_eq!(make(256).unwrap().cells(), MAX_CELLS);
        assert_eq!(
            make(257),
            Err(LevelError::TooLarge {
                width: 256,
                height: 257
            })
        );
    }
}
