//! Push distances: how many pushes a box would need to each goal if it were alone.
//!
//! What a box can do depends on where the player is. So a *place* of a box is its
//! cell together with the side of it that the player is on; sides that are
//! connected without passing through the box count as one. A push leaves the
//! player behind the box. A backward search from each goal over these places gives
//! the distances. They are never too high, because other boxes can only get in the
//! way, and they account for corridors in which a box cannot turn. The player never
//! passes through a box, so a box's place changes only when that box is pushed.
//!
//! A place from which no goal can be reached is dead. A cell whose places are all
//! dead is a dead square.

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::floor::back;

/// The distance of a goal that cannot be reached.
pub(crate) const NEVER: u16 = u16::MAX;

/// With more boxes or goals than this there is no matching, and no separate distance to each goal.
pub(crate) const MOST_MATCHED: usize = 256;

/// The number of a place: a cell and a side.
pub(crate) type Place = u32;

/// The direction of a search in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Forward: boxes are pushed.
    Push,
    /// Backward: boxes are pulled, which undoes a push.
    Pull,
}

impl Way {
    /// The other one.
    pub(crate) fn opposite(self) -> Way {
        match self {
            Way::Push => Way::Pull,
            Way::Pull => Way::Push,
        }
    }
}

/// The distances from all places to all goals, or to all places from all boxes of the start.
pub(crate) struct Distances {
    /// The number of goals in a row of the table.
    goals: usize,
    /// The number of goals in the level.
    targets: usize,
    /// The place of each side of each cell.
    places: Vec<[Place; 4]>,
    /// The distances, by place and then by goal.
    table: Vec<u16>,
    /// The cell of each place.
    cells: Vec<u16>,
    /// The distance of the nearest goal, by place.
    nearest: Vec<u16>,
    /// With too many boxes to match: whether each cell is black, as on a chessboard, and whether an odd number of goals is.
    black: Vec<bool>,
    has_odd_goals: bool,
    /// Whether a box on a cell can reach some goal with the player on some side.
    live: Vec<bool>,
}

impl Distances {
    /// The number of pushes from each place to each goal.
    pub(crate) fn to_goals(field: &Field, memory: &mut Memory) -> Result<Distances, Stop> {
        let count = field.goals.len();
        let mut distances = Distances::empty(field, count, memory)?;
        if distances.goals < count {
            let goals = field.goals.iter();
            let sources: Vec<Place> = goals
                .flat_map(|&goal| distances.places[usize::from(goal)])
                .collect();
            distances.spread(field, 0, &sources, Way::Pull, memory)?;
        } else {
            for (g, &goal) in field.goals.iter().enumerate() {
                let sources = distances.places[usize::from(goal)];
                distances.spread(field, g, &sources, Way::Pull, memory)?;
            }
        }
        distances.finish(field, &field.goals);
        Ok(distances)
    }

    /// The same on a field in which frozen boxes are walls. A goal under a frozen box can serve that box only.
    pub(crate) fn with_frozen(
        field: &Field,
        frozen: &[u16],
        memory: &mut Memory,
    ) -> Result<Distances, Stop> {
        let mut distances = Distances::empty(field, field.goals.len(), memory)?;
        for (g, &goal) in field.goals.iter().enumerate() {
            let sources = distances.places[usize::from(goal)];
            if frozen.contains(&goal) {
                for place in sources {
                    distances.table[place as usize * distances.goals + g] = 0;
                }
            } else {
                distances.spread(field, g, &sources, Way::Pull, memory)?;
            }
        }
        distances.finish(field, &field.goals);
        Ok(distances)
    }

    /// The number of pushes from each box's place at the start to each place.
    pub(crate) fn from_start(field: &Field, memory: &mut Memory) -> Result<Distances, Stop> {
        let count = field.boxes.len();
        let mut distances = Distances::empty(field, count, memory)?;
        let starts: Vec<Place> = (field.boxes.iter())
            .map(|&cell| distances.place(cell, field.side_of(cell, field.player)))
            .collect();
        if distances.goals < count {
            distances.spread(field, 0, &starts, Way::Push, memory)?;
        } else {
            for (b, &start) in starts.iter().enumerate() {
                distances.spread(field, b, &[start], Way::Push, memory)?;
            }
        }
        distances.finish(field, &field.boxes);
        Ok(distances)
    }

    /// An empty table for this many goals. If there are too many to match, one column holds the nearest goal.
    fn empty(field: &Field, targets: usize, memory: &mut Memory) -> Result<Distances, Stop> {
        let many = targets > MOST_MATCHED || field.boxes.len() > MOST_MATCHED;
        let width = if many { 1 } else { targets };
        let mut places = vec![[0; 4]; field.len()];
        let mut cells: Vec<u16> = vec![];
        for cell in 0..field.wall() {
            let own = &mut places[usize::from(cell)];
            for d in (0..4).filter(|&d| field.side(cell, d) == d) {
                own[d] = cells.len() as Place;
                cells.push(cell);
            }
            *own = [0, 1, 2, 3].map(|d| own[field.side(cell, d)]);
        }
        let bytes = cells.len().saturating_mul(2 * width + 16);
        memory.claim(bytes)?;
        Ok(Distances {
            goals: width,
            targets,
            places,
            table: vec![NEVER; cells.len() * width],
            cells,
            nearest: vec![],
            black: vec![],
            has_odd_goals: false,
            live: vec![],
        })
    }

    /// Fills one column by breadth-first search from some places.
    fn spread(
        &mut self,
        field: &Field,
        column: usize,
        sources: &[Place],
        way: Way,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        if column.is_multiple_of(16) {
            memory.poll_stop()?;
        }
        let width = self.goals;
        let mut queue: Vec<Place> = vec![];
        for &place in sources {
            let entry = &mut self.table[place as usize * width + column];
            if *entry == NEVER {
                *entry = 0;
                queue.push(place);
            }
        }
        let mut i = 0;
        while let Some(&place) = queue.get(i) {
            i += 1;
            let far = self.table[place as usize * width + column];
            let far = (far + 1).min(NEVER - 1);
            let cell = self.cells[place as usize];
            for d in 0..4 {
                // The player is behind the box both before and after the push.
                if self.place(cell, back(d)) != place {
                    continue;
                }
                let behind = field.step(cell, back(d));
                let reached = match way {
                    Way::Push => field.step(cell, d),
                    Way::Pull => behind,
                };
                let room = match way {
                    Way::Push => behind,
                    Way::Pull => field.step(behind, back(d)),
                };
                if reached == field.wall() || room == field.wall() {
                    continue;
                }
                let next = self.place(reached, back(d));
                let entry = &mut self.table[next as usize * width + column];
                if *entry == NEVER {
                    *entry = far;
                    queue.push(next);
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, field: &Field, goals: &[u16]) {
        let width = self.goals;
        if field.boxes.len() > MOST_MATCHED {
            self.black = black_cells(field);
            let is_black = |&&goal: &&u16| self.black[usize::from(goal)];
            self.has_odd_goals = goals.iter().filter(is_black).count() % 2 == 1;
        }
        self.nearest = (0..self.cells.len())
            .map(|p| {
                let row = &self.table[p * width..][..width];
                row.iter().copied().min().unwrap_or(NEVER)
            })
            .collect();
        let alive = |sides: &[Place; 4]| sides.iter().any(|&p| self.nearest[p as usize] != NEVER);
        self.live = self.places.iter().map(alive).collect();
        self.live.push(false);
    }

    /// The place of a box on this cell with the player on this side of it.
    #[inline]
    pub(crate) fn place(&self, cell: u16, side: usize) -> Place {
        self.places[usize::from(cell)][side]
    }

    /// The number of pushes from a place to each goal.
    #[inline]
    pub(crate) fn row(&self, place: Place) -> &[u16] {
        &self.table[place as usize * self.goals..][..self.goals]
    }

    /// The number of pushes from a place to the nearest goal.
    #[inline]
    pub(crate) fn nearest(&self, place: Place) -> u16 {
        self.nearest[place as usize]
    }

    /// Whether the cell of a place is black.
    pub(crate) fn is_black(&self, place: Place) -> bool {
        self.black[usize::from(self.cells[place as usize])]
    }

    /// Whether an odd number of goals is black.
    pub(crate) fn has_odd_goals(&self) -> bool {
        self.has_odd_goals
    }

    /// More than any number of pushes from a place to a goal: no way leads through a place twice.
    pub(crate) fn limit(&self) -> usize {
        self.cells.len()
    }

    /// The number of goals in the level.
    pub(crate) fn targets(&self) -> usize {
        self.targets
    }

    /// Whether no goal can be reached from a place.
    #[inline]
    pub(crate) fn is_dead(&self, place: Place) -> bool {
        self.nearest[place as usize] == NEVER
    }

    /// Whether a box on this cell can reach some goal with the player on some side. The wall is not live.
    #[inline]
    pub(crate) fn is_live(&self, cell: u16) -> bool {
        self.live[usize::from(cell)]
    }
}
/// The colours of a chessboard: neighbours differ.
fn black_cells(field: &Field) -> Vec<bool> {
    let mut colours = vec![None; field.len() + 1];
    colours[usize::from(field.wall())] = Some(false);
    let mut open = vec![];
    for first in 0..field.wall() {
        open.push((first, false));
        while let Some((cell, is_black)) = open.pop() {
            let colour = &mut colours[usize::from(cell)];
            if colour.is_none() {
                *colour = Some(is_black);
                open.extend(field.floor.next[usize::from(cell)].map(|next| (next, !is_black)));
            }
        }
    }
    colours
        .into_iter()
        .map(|colour| colour == Some(true))
        .collect()
}
