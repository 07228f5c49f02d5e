//! The field: the part of a level that one player can ever change.
//!
//! Walls never move, so only the player's own enclosure matters. Everything beyond
//! it is sealed off: boxes there never move, and empty goals there stay empty.

use noyes_puzzle::sokoban::Level;

use super::sides::Sides;
use crate::control::Pace;
use crate::sokoban::floor::Floor;

/// The enclosure of one player.
pub(crate) struct Field {
    pub(crate) floor: Floor,
    /// The goals, in ascending order.
    pub(crate) goals: Vec<u16>,
    /// Where the boxes are at the start, in ascending order.
    pub(crate) boxes: Vec<u16>,
    /// Where the player starts.
    pub(crate) player: u16,
    /// Goals in other enclosures, as cells of the level, that hold no box and never will.
    pub(crate) sealed_goals: Vec<u16>,
    sides: Sides,
}

impl Field {
    /// The enclosure of the level's first player.
    pub(crate) fn new(level: &Level) -> Field {
        let player = level.players()[0];
        let floor = Floor::around(level, player);
        let is_sealed = |&goal: &u16| {
            floor.number(goal).is_none() && level.boxes().binary_search(&goal).is_err()
        };
        Field {
            goals: floor.numbers(level.goals()),
            boxes: floor.numbers(level.boxes().iter().copied()),
            player: floor.number(player).expect("it stands on floor"),
            sealed_goals: level.goals().filter(is_sealed).collect(),
            sides: Sides::new(&floor),
            floor,
        }
    }

    /// The same field with some cells turned into walls; the numbers stay the same.
    pub(crate) fn with_frozen(&self, frozen: &[u16]) -> Field {
        let floor = self.floor.with_walls(frozen);
        Field {
            goals: self.goals.clone(),
            boxes: self.boxes.clone(),
            player: self.player,
            sealed_goals: self.sealed_goals.clone(),
            sides: Sides::new(&floor),
            floor,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.floor.len()
    }

    /// The number that stands for every wall.
    #[inline]
    pub(crate) fn wall(&self) -> u16 {
        self.floor.wall()
    }

    /// The neighbour of a cell, which may be the wall.
    #[inline]
    pub(crate) fn step(&self, cell: u16, direction: usize) -> u16 {
        self.floor.step(cell, direction)
    }

    /// The number of a side of a cell. Sides that are connected without passing through the cell share one number.
    #[inline]
    pub(crate) fn side(&self, cell: u16, direction: usize) -> usize {
        self.sides.side(cell, direction)
    }

    /// Which side of a cell the player is on, given the player's own cell.
    #[inline]
    pub(crate) fn side_of(&self, cell: u16, player: u16) -> usize {
        self.sides.of(&self.floor, cell, player)
    }

    /// How often a search of this field polls its limits: about once a millisecond, whatever its size.
    pub(crate) fn pace(&self) -> Pace {
        let walks = 1 + self.boxes.len() / 16; // a state has about as many pushes as boxes
        Pace::new((32 * self.len() * walks).max(1 << 10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::read;

    #[test]
    fn sealed_floor_is_left_out() {
        let level = read(&["#######", "#@$.#*#", "#######"]);
        let field = Field::new(&level);
        assert_eq!(
            (field.len(), &*field.boxes, &*field.goals),
            (3, &[1][..], &[2][..])
        );
        assert!(field.sealed_goals.is_empty());
        let level = read(&["#######", "#@$.#.#", "#######"]);
        assert_eq!(Field::new(&level).sealed_goals, [12]);
    }
}
