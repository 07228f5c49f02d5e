//! Walks in a zone of the floor whose boxes are all inside it.
//!
//! The floor outside falls into a few rooms. There are no boxes there, so the player
//! who reaches a room reaches all cells of the zone next to it. A walk then looks at the
//! cells of the zone and at rooms, which takes a fraction of the time that a walk over
//! the whole floor takes.

use crate::sokoban::floor::Floor;

/// Walks among boxes in a zone.
pub(crate) struct ZoneWalk {
    /// For each cell the number of its room; `ZONE` in the zone.
    room: Vec<u16>,
    /// The cells of the zone next to each room.
    doors: Vec<Vec<u16>>,
    /// The last walk that reached each cell of the zone, and each room.
    cells: Vec<u32>,
    rooms: Vec<u32>,
    now: u32,
    queue: Vec<u16>,
}

const ZONE: u16 = u16::MAX;

impl ZoneWalk {
    pub(crate) fn new(floor: &Floor) -> ZoneWalk {
        ZoneWalk {
            room: vec![ZONE; floor.len() + 1],
            doors: vec![],
            cells: vec![0; floor.len() + 1],
            rooms: vec![],
            now: 0,
            queue: vec![],
        }
    }

    /// Finds the rooms outside a zone.
    pub(crate) fn set_zone(&mut self, floor: &Floor, zone: &[bool]) {
        const NEW: u16 = u16::MAX - 1;
        for (room, &is_zone) in self.room.iter_mut().zip(zone) {
            *room = if is_zone { ZONE } else { NEW };
        }
        self.room[usize::from(floor.wall())] = ZONE;
        let mut count = 0;
        for cell in 0..floor.wall() {
            if self.room[usize::from(cell)] != NEW {
                continue;
            }
            if self.doors.len() == count {
                self.doors.push(vec![]);
                self.rooms.push(0);
            }
            let doors = &mut self.doors[count];
            doors.clear();
            self.room[usize::from(cell)] = count as u16;
            self.queue.push(cell);
            while let Some(cell) = self.queue.pop() {
                for other in floor.next[usize::from(cell)] {
                    let room = &mut self.room[usize::from(other)];
                    if *room == NEW {
                        *room = count as u16;
                        self.queue.push(other);
                    } else if *room == ZONE && other != floor.wall() && !doors.contains(&other) {
                        doors.push(other);
                    }
                }
            }
            count += 1;
        }
    }

    /// Walks over all free cells. Returns a number that is the same for all cells that reach each other.
    pub(crate) fn from(&mut self, floor: &Floor, start: u16, occupied: &[u16]) -> u32 {
        self.now += 1;
        let mut least = u32::MAX;
        self.reach(start, occupied, &mut least);
        while let Some(cell) = self.queue.pop() {
            for other in floor.next[usize::from(cell)] {
                self.reach(other, occupied, &mut least);
            }
        }
        least
    }

    fn reach(&mut self, cell: u16, occupied: &[u16], least: &mut u32) {
        if occupied[usize::from(cell)] != 0 {
            return;
        }
        let room = self.room[usize::from(cell)];
        if room == ZONE {
            self.open(cell, occupied, least);
        } else if self.rooms[usize::from(room)] != self.now {
            self.rooms[usize::from(room)] = self.now;
            *least = (*least).min((1 << 16) + u32::from(room));
            for i in 0..self.doors[usize::from(room)].len() {
                self.open(self.doors[usize::from(room)][i], occupied, least);
            }
        }
    }

    fn open(&mut self, cell: u16, occupied: &[u16], least: &mut u32) {
        let c = usize::from(cell);
        if occupied[c] == 0 && self.cells[c] != self.now {
            self.cells[c] = self.now;
            *least = (*least).min(u32::from(cell));
            self.queue.push(cell);
        }
    }

    /// Whether the last walk reached a cell that is not wall.
    pub(crate) fn reaches(&self, cell: u16) -> bool {
        match self.room[usize::from(cell)] {
            ZONE => self.cells[usize::from(cell)] == self.now,
            room => self.rooms[usize::from(room)] == self.now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::field::enclosure::Field;
    use crate::sokoban::field::walk::Walk;
    use crate::sokoban::test_levels::random_level;

    #[test]
    fn a_walk_in_a_zone_reaches_what_a_walk_reaches() {
        let mut compared = 0;
        for seed in 0..300 {
            let field = Field::new(&random_level(seed));
            let mut occupied = vec![0; field.len() + 1];
            occupied[field.len()] = 1;
            let is_zone = |cell: u64| !(cell + seed).is_multiple_of(3);
            let mut zone: Vec<bool> = (0..field.len() as u64).map(is_zone).collect();
            zone.push(false);
            for &cell in field.boxes.iter().filter(|c| zone[usize::from(**c)]) {
                occupied[usize::from(cell)] = 1;
            }
            let (mut quick, mut slow) = (ZoneWalk::new(&field.floor), Walk::new(&field.floor));
            quick.set_zone(&field.floor, &zone);
            for start in (0..field.wall()).filter(|c| occupied[usize::from(*c)] == 0) {
                let number = quick.from(&field.floor, start, &occupied);
                slow.from(&field.floor, start, &occupied);
                let reached: Vec<bool> = (0..field.wall()).map(|c| quick.reaches(c)).collect();
                for cell in 0..field.wall() {
                    assert_eq!(
                        reached[usize::from(cell)],
                        slow.reaches(cell),
                        "seed {seed}"
                    );
                    if occupied[usize::from(cell)] == 0 {
                        let other = quick.from(&field.floor, cell, &occupied);
                        assert_eq!(other == number, slow.reaches(cell), "seed {seed}");
                    }
                }
                compared += 1;
            }
        }
        assert!(compared > 1000, "{compared} walks");
    }
}
