//! The full table: every position of a small board, and the way home read off it.
//!
//! A pattern of all tiles is the whole puzzle, so its pattern database
//! (`pdb/table.rs`) knows the distance of every board modulo four. That is enough
//! to walk home: some move always leads one step nearer. For up to 8 tiles the
//! table has a few kilobytes and is built at once.

use std::sync::Arc;

use noyes_puzzle::tiles::{Board, Direction};

use crate::answer::Outcome;
use crate::control::Control;
use crate::counts::Counts;
use crate::tiles::pdb::{Counting, Key, MOST_TILES, Symmetry, Table, TableError, Tables};

/// The table of all positions for one goal.
pub struct Positions {
    table: Arc<Table>,
    goal: Board,
    frame: Symmetry,
    back: Symmetry,
}

impl Positions {
    /// Whether boards of this size are small enough.
    pub fn fits(width: usize, height: usize) -> bool {
        width.min(height) >= 2 && width * height <= MOST_TILES + 1
    }

    /// The table of a goal, built in memory if it is not available.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn new(goal: &Board, tables: &Tables, control: &Control) -> Result<Positions, TableError> {
        let (width, height, blank) = (goal.width(), goal.height(), goal.blank());
        assert!(Positions::fits(width, height), "too many positions");
        let cells = (0..width * height)
            .filter(|&c| c != blank)
            .map(|c| c as u8)
            .collect();
        let key = Key {
            width,
            height,
            blank,
            cells,
            counting: Counting::Pattern,
        };
        let table = tables.get_unsaved(&key, control)?;
        let frame = Symmetry::frame(width, height, blank);
        let back = frame.inverse(width, height);
        Ok(Positions {
            table,
            goal: goal.clone(),
            frame,
            back,
        })
    }

    /// An optimal plan from a solvable board.
    pub fn plan(&self, start: &Board) -> Vec<Direction> {
        let home = self.goal.places();
        let letters = &self.table.ground().key.cells;
        let mut cell_of = [0; MOST_TILES];
        for (cell, &tile) in start
            .tiles()
            .iter()
            .enumerate()
            .filter(|(_, tile)| **tile != 0)
        {
            let letter =
                letters.binary_search(&(self.frame.cell(home[usize::from(tile)].into()) as u8));
            cell_of[letter.expect("every tile is in the pattern")] = self.frame.cell(cell);
        }
        let placed = self.table.ground().place(|letter| cell_of[letter]);
        let mut blank = self.frame.cell(start.blank());
        let way = self
            .table
            .way_home(placed, blank)
            .expect("a board that can be solved");
        let step = |next: usize| {
            let (from, to) = (self.back.cell(blank), self.back.cell(next));
            blank = next;
            let way = Direction::ALL
                .into_iter()
                .find(|&d| self.goal.neighbour(from, d) == Some(to));
            way.expect("neighbours stay neighbours")
        };
        way.into_iter().map(step).collect()
    }
}

/// Finds an optimal plan in the full table.
pub fn full_table(
    start: &Board,
    goal: &Board,
    tables: &Tables,
    control: &Control,
) -> Outcome<Direction> {
    match Positions::new(goal, tables, control) {
        Err(error) => Outcome::stopped(error.0, 0, Counts::default()),
        Ok(positions) => {
            let plan = positions.plan(start);
            let cost = plan.len() as u32;
            let counts = Counts {
                expanded: plan.len() as u64,
                generated: plan.len() as u64 + 1,
                peak_bytes: positions.table.bits().len(),
                ..Counts::default()
            };
            Outcome::optimal(plan, cost, counts)
        }
    }
}
