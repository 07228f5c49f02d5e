//! Facts: clauses of the form "after this move, too many moves must still go up", checked by table lookups.
//!
//! A fact is a clause of negated literals of the reference formula: blank(t,x), blank(t+1,y), some tile(t,i,c), and
//! possibly one ups(t,j). It says that these cannot all be true in a plan. To check it, make the move: a known tile on y
//! goes to x, and if that is a way up, it makes one more. Then add up, over all patterns whose tiles are all known, how
//! many moves of these tiles must still go up. If the sum is more than the slack, no plan has these literals, and the fact
//! is true.

use std::sync::Arc;

use crate::clauses::Lit;
use crate::formula::{Meaning, Tiles};
use crate::tables::Table;

/// Tables for a formula: patterns that share no tile.
pub struct Facts<'a> {
    formula: &'a Tiles,
    groups: Vec<Group<'a>>,
}

struct Group<'a> {
    /// The tiles of the pattern, in the order of their goals.
    tiles: Vec<usize>,
    table: &'a Table,
}

/// What a fact says.
struct Said {
    time: usize,
    from: usize,
    to: usize,
    /// By tile: its cell.
    places: Vec<Option<usize>>,
    ups: usize,
}

impl<'a> Facts<'a> {
    /// Facts from these tables; nothing if they do not fit the formula or each other.
    pub fn new(formula: &'a Tiles, tables: &'a [Arc<Table>]) -> Option<Facts<'a>> {
        let mut used = vec![false; formula.cells];
        let mut groups = vec![];
        for table in tables {
            let pattern = table.pattern();
            let fits = pattern.width == formula.width()
                && pattern.width * pattern.height == formula.cells
                && pattern.blank == formula.goal[0];
            if !fits {
                return None;
            }
            let mut tiles = vec![];
            for &goal in &pattern.goals {
                let tile = formula.goal.iter().position(|&at| at == goal)?;
                if std::mem::replace(&mut used[tile], true) {
                    return None;
                }
                tiles.push(tile);
            }
            groups.push(Group { tiles, table });
        }
        Some(Facts { formula, groups })
    }

    /// Whether a clause is a fact, or why not.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, clause: &[Lit]) -> Result<(), String> {
        let said = self.read(clause)?;
        let mut places = said.places.clone();
        let mut ups = said.ups;
        if let Some(tile) = places.iter().position(|&place| place == Some(said.to)) {
            places[tile] = Some(said.from);
            ups += usize::from(self.formula.is_up(tile, said.to, said.from));
        }
        let value = |group: &Group| -> usize {
            let cells: Option<Vec<usize>> = group.tiles.iter().map(|&tile| places[tile]).collect();
            cells.map_or(0, |cells| group.table.ups(&cells, said.to))
        };
        let left: usize = self.groups.iter().map(value).sum();
        if ups + left > self.formula.slack {
            return Ok(());
        }
        Err(format!(
            "at time {}, {ups} moves have gone up and the tables ask for {left} more, but {} are allowed",
            said.time + 1,
            self.formula.slack
        ))
    }

    fn read(&self, clause: &[Lit]) -> Result<Said, String> {
        let mut blanks = vec![];
        let mut tiles = vec![];
        let mut ups = None;
        for &lit in clause {
            let meaning = self.formula.meaning(lit.unsigned_abs() as usize);
            match meaning.filter(|_| lit < 0) {
                Some(Meaning::Blank { time, cell }) => blanks.push((time, cell)),
                Some(Meaning::Tile { time, tile, cell }) => tiles.push((time, tile, cell)),
                Some(Meaning::Ups { time, count }) if ups.is_none() => ups = Some((time, count)),
                _ => return Err(format!("literal {lit} does not belong to a fact")),
            }
        }
        blanks.sort_unstable();
        let [(time, from), (next, to)] = blanks[..] else {
            return Err("a fact says twice where the blank is".into());
        };
        if next != time + 1 || !self.formula.neighbours[from].contains(&to) {
            return Err("the blank does not move to a neighbour".into());
        }
        let mut places = vec![None; self.formula.cells];
        for (when, tile, cell) in tiles {
            if when != time
                || cell == from
                || places.contains(&Some(cell))
                || places[tile].is_some()
            {
                return Err(format!("tile {tile} cannot be where the fact says"));
            }
            places[tile] = Some(cell);
        }
        let ups = match ups {
            None => 0,
            Some((when, count)) if when == time => count,
            Some(_) => return Err("the moves up are counted at another time".into()),
        };
        Ok(Said {
            time,
            from,
            to,
            places,
            ups,
        })
    }
}
