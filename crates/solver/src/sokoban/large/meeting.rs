//! Meetings: how searches from both ends recognise each other's states.
//!
//! Each search keeps hashes of the states that it knows. If a search from the start and
//! one from the goals know a state with the same hash, the pushes to it and the pushes
//! from it on are a plan. Feature-space searches leave boxes where they start or
//! bring them to goals, one after the other. So they meet half-way far more often than
//! one of them gets all the way.
//!
//! On a symmetric level a state and its images have the same hash. Then the second part
//! of the plan may have to be turned, and all ways to turn it are tried.

use noyes_puzzle::tiles::Direction;

use crate::sokoban::search::plan::walked;
use crate::sokoban::search::setup::Setup;

/// A push: the cell of the box, and the direction.
pub(crate) type Push = (u16, usize);

/// Hashes of states.
pub(crate) struct Hashes<'a> {
    /// For each cell, one key for a box on it and one for the player's part of the floor if this is its lowest cell.
    keys: Vec<[u64; 2]>,
    symmetries: &'a [Vec<u16>],
}

impl<'a> Hashes<'a> {
    pub(crate) fn new(setup: &'a Setup) -> Hashes<'a> {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        Hashes {
            keys: (0..setup.field.len())
                .map(|_| [random(), random()])
                .collect(),
            symmetries: &setup.symmetries,
        }
    }

    /// Whether states have images.
    pub(crate) fn has_images(&self) -> bool {
        !self.symmetries.is_empty()
    }

    /// The key of a box on a cell.
    #[inline]
    pub(crate) fn of_box(&self, cell: u16) -> u64 {
        self.keys[usize::from(cell)][0]
    }

    /// The key of the player, given the lowest cell that can be walked to. Together with the keys of the boxes this is the
    /// hash of a state without images.
    #[inline]
    pub(crate) fn of_player(&self, least: u16) -> u64 {
        self.keys[usize::from(least)][1]
    }

    /// The hash of a state, given its boxes and the cells that the player can walk to.
    pub(crate) fn of(&self, boxes: &[u16], region: &[u16]) -> u64 {
        let image = |map: &dyn Fn(u16) -> u16| {
            let keys = boxes.iter().map(|&cell| self.of_box(map(cell)));
            let least = region.iter().map(|&cell| map(cell)).min();
            keys.fold(self.of_player(least.unwrap_or(0)), |hash, key| hash ^ key)
        };
        let turned = |map: &Vec<u16>| image(&|cell| map[usize::from(cell)]);
        let turned = self.symmetries.iter().map(turned);
        turned.fold(image(&|cell| cell), u64::min)
    }
}

/// The plan that consists of pushes from the start and pushes to the goals, where the second part may have to be turned. None
/// if the two do not fit together, because different states had the same hash.
pub(crate) fn joined(setup: &Setup, first: &[Push], last: &[Push]) -> Option<Vec<Direction>> {
    let field = &setup.field;
    let plan = |last: Vec<Push>| {
        let pushes = [first, &last].concat();
        let mut boxes = field.boxes.clone();
        for &(cell, d) in &pushes {
            let moved = boxes.iter_mut().find(|b| **b == cell)?;
            *moved = field.step(cell, d);
        }
        let is_solved = boxes.iter().all(|&b| field.floor.is_goal[usize::from(b)]);
        is_solved.then(|| walked(setup, &pushes)).flatten()
    };
    let turned = |map: &Vec<u16>| {
        let push = |&(cell, d): &Push| {
            let (from, to) = (map[usize::from(cell)], field.step(cell, d));
            let to = map[usize::from(to)];
            let d = (0..4).find(|&d| field.step(from, d) == to);
            (from, d.expect("neighbours stay neighbours"))
        };
        plan(last.iter().map(push).collect())
    };
    plan(last.to_vec()).or_else(|| setup.symmetries.iter().find_map(turned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::core::memory::Memory;
    use crate::sokoban::test_levels::read;

    fn setup(rows: &[&str]) -> Setup {
        let control = Control::new();
        Setup::new(&read(rows), &mut Memory::new(&control)).expect("no limits")
    }

    #[test]
    fn images_have_the_same_hash_and_other_states_do_not() {
        let setup = setup(&["#######", "#.   .#", "# $ $ #", "#  @  #", "#######"]);
        let hashes = Hashes::new(&setup);
        let map = setup.symmetries.first().expect("left and right");
        let all: Vec<u16> = (0..setup.field.wall()).collect();
        let mut different = std::collections::HashSet::new();
        for &one in &all {
            for &two in all.iter().filter(|&&two| two > one) {
                let region: Vec<u16> = (all.iter().copied())
                    .filter(|&c| c != one && c != two)
                    .collect();
                let image = |c: &u16| map[usize::from(*c)];
                let turned: Vec<u16> = region.iter().map(image).collect();
                let hash = hashes.of(&[one, two], &region);
                assert_eq!(hash, hashes.of(&[image(&two), image(&one)], &turned));
                different.insert(hash);
            }
        }
        // Of 105 pairs of 15 cells, 15 are their own images.
        let own = all.iter().filter(|&&c| map[usize::from(c)] != c).count() / 2;
        let middle = all.len() - 2 * own;
        let fixed = own + middle * (middle - 1) / 2;
        assert_eq!(different.len(), (105 - fixed) / 2 + fixed);
    }

    #[test]
    fn the_second_part_of_a_plan_is_turned_if_necessary() {
        let setup = setup(&["#######", "#.   .#", "# $ $ #", "#  @  #", "#######"]);
        let field = &setup.field;
        let pushes = |level: &[(usize, usize)]| -> Vec<Push> {
            level.iter().map(|&(b, d)| (field.boxes[b], d)).collect()
        };
        // Each box goes up and out. The directions are up, left, right, down.
        let left = pushes(&[(0, 0)]);
        let above = field.step(field.boxes[0], 0);
        let right_above = field.step(field.boxes[1], 0);
        let first = [left, pushes(&[(1, 0)]), vec![(above, 1)]].concat();
        assert!(joined(&setup, &first, &[(right_above, 2)]).is_some());
        // The last push of the other side is the image of the one that is needed.
        assert!(joined(&setup, &first, &[(above, 1)]).is_some());
        assert!(joined(&setup, &first, &[(above, 2)]).is_none());
        assert!(joined(&setup, &[], &[]).is_none());
    }
}
