//! The field: what one player can ever change of a level.
//!
//! Walls never move, so only the player's own enclosure matters: what lies beyond
//! is sealed, its boxes stay and its goals are as they are.

use noyes_puzzle::sokoban::Level;

use super::sides::Sides;
use crate::control::Pace;
use crate::sokoban::floor::Floor;

/// The enclosure of one player.
pub(crate) struct Field {
    /// Its cells.
    pub(crate) floor: Floor,
    /// Where boxes belong, in order.
    pub(crate) goals: Vec<u16>,
    /// Where boxes are at the start, in order.
    pub(crate) boxes: Vec<u16>,
    /// Where the player starts.
    pub(crate) player: u16,
    /// Level cells of goals in other enclosures that hold no box and never will.
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

    /// The same field with walls on some cells, whose numbers stay.
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

    /// How many cells there are.
    pub(crate) fn len(&self) -> usize {
        self.floor.len()
    }

    /// The number that stands for every wall.
    #[inline]
    pub(crate) fn wall(&self) -> u16 {
        self.floor.wall()
    }

    /// The neighbour of a cell.
    #[inline]
    pub(crate) fn step(&self, cell: u16, direction: usize) -> u16 {
        self.floor.step(cell, direction)
    }

    /// The name of a side of a cell: sides that are connected without the cell share it.
    #[inline]
    pub(crate) fn side(&self, cell: u16, direction: usize) -> usize {
        self.sides.side(cell, direction)
    }

    /// On which side of a cell a player elsewhere is.
    #[inline]
    pub(crate) fn side_of(&self, cell: u16, player: u16) -> usize {
        self.sides.of(&self.floor, cell, player)
    }

    /// How often a search of this field polls: about every millisecond, whatever its size.
    pub(crate) fn pace(&self) -> Pace {
        Pace::new((32 * self.len()).max(1 << 10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::read;

    #[test]
    fn what_is_sealed_stays_out() {
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
