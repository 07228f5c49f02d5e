//! Symmetry: rotations and reflections of the grid that preserve walls and goals.
//!
//! Such a map turns plans into plans with the same number of moves and pushes. So
//! of all states that are images of one another, a search needs only one: the one
//! whose packed words are lowest. Up to eight states become one. Only the player's
//! enclosure has to be symmetric. The boxes and the player need not be, because
//! states are compared and not levels.
//!
//! The general idea for graph search is in Emerson, Sistla: Symmetry and model
//! checking. Formal Methods in System Design 9, 1996.

use noyes_puzzle::sokoban::Level;

use crate::sokoban::bound::distance::{Distances, Place};
use crate::sokoban::field::enclosure::Field;

/// The symmetries as maps from cells to cells, without the identity.
pub(crate) fn symmetries(level: &Level, field: &Field) -> Vec<Vec<u16>> {
    let place = |cell: u16| {
        (
            usize::from(cell) / level.width(),
            usize::from(cell) % level.width(),
        )
    };
    let places: Vec<(usize, usize)> = field.floor.cells.iter().map(|&c| place(c)).collect();
    let low = |of: fn(&(usize, usize)) -> usize| places.iter().map(of).min().unwrap_or(0);
    let high = |of: fn(&(usize, usize)) -> usize| places.iter().map(of).max().unwrap_or(0);
    let (top, left) = (low(|p| p.0), low(|p| p.1));
    let (rows, columns) = (high(|p| p.0) - top + 1, high(|p| p.1) - left + 1);
    let mut number = vec![u16::MAX; rows * columns];
    for (i, &(row, column)) in places.iter().enumerate() {
        number[(row - top) * columns + column - left] = i as u16;
    }
    let mut found = vec![];
    for kind in 1..8 {
        let (flip_row, flip_column, transpose) = (kind & 1 != 0, kind & 2 != 0, kind & 4 != 0);
        if transpose && rows != columns {
            continue;
        }
        let image = |&(row, column): &(usize, usize)| {
            let (mut r, mut c) = (row - top, column - left);
            if flip_row {
                r = rows - 1 - r;
            }
            if flip_column {
                c = columns - 1 - c;
            }
            if transpose {
                (r, c) = (c, r);
            }
            number[r * columns + c]
        };
        let map: Vec<u16> = places.iter().map(image).collect();
        let keeps = |(from, &to): (usize, &u16)| {
            to != u16::MAX && field.floor.is_goal[from] == field.floor.is_goal[usize::from(to)]
        };
        if map.iter().enumerate().all(keeps) {
            found.push(map);
        }
    }
    found
}

/// The symmetries that have to be applied to a state to compare it with the start in every way that makes a difference.
///
/// A state stands for all its images, so its lower bound on the distance from the start is the least over all images.
/// If the start is an image of itself, some of the images give the same bound.
pub(crate) fn distinct_turns(
    field: &Field,
    distances: &Distances,
    symmetries: &[Vec<u16>],
) -> Vec<Vec<u16>> {
    let places = |map: &dyn Fn(u16) -> u16| {
        let place = |&cell: &u16| {
            let side = field.side_of(map(cell), map(field.player));
            distances.place(map(cell), side)
        };
        let mut places: Vec<Place> = field.boxes.iter().map(place).collect();
        places.sort_unstable();
        places
    };
    let mut seen = vec![places(&|cell| cell)];
    let mut turns = vec![];
    for map in symmetries {
        let mut inverse = vec![0; map.len()];
        for (from, &to) in map.iter().enumerate() {
            inverse[usize::from(to)] = from as u16;
        }
        let start = places(&|cell| inverse[usize::from(cell)]);
        if !seen.contains(&start) {
            seen.push(start);
            turns.push(map.clone());
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::read;

    #[test]
    fn a_square_has_eight_symmetries_and_with_a_goal_in_a_corner_two() {
        let plain = read(&["#####", "#@  #", "# . #", "# $ #", "#####"]);
        assert_eq!(symmetries(&plain, &Field::new(&plain)).len(), 7);
        let corner = read(&["#####", "#@  #", "# $ #", "#  .#", "#####"]);
        assert_eq!(symmetries(&corner, &Field::new(&corner)).len(), 1);
    }
}
