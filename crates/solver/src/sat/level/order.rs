//! The order in which goals are filled.
//!
//! Played backwards, boxes are pulled off the goals, and the first to go is the last that came. So we begin with a box on
//! every goal and take away one that could be pulled: the cell beside it and the one beyond are free for the box and the
//! player. Of several we take the one that leaves the largest connected floor, as a box that divides the floor keeps
//! the player from whatever is behind it. Where none can be pulled, the order does not matter: several boxes have to
//! come together.
//!
//! This is a guess: it ignores where the boxes come from. It is cheap, and better than the nearest goal first.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

/// The goals, the first to be filled first.
pub(super) fn order(level: &Level) -> Vec<u16> {
    let mut left: Vec<u16> = level.goals().collect();
    let mut order = vec![];
    while !left.is_empty() {
        let open = (0..left.len()).filter(|&i| can_be_pulled(level, &left, left[i]));
        let room = |i: &usize| {
            let others: Vec<u16> = (left.iter().copied()).filter(|&g| g != left[*i]).collect();
            largest_room(level, &others)
        };
        let last = open.max_by_key(room).unwrap_or(left.len() - 1);
        order.push(left.remove(last));
    }
    order.reverse();
    order
}

fn can_be_pulled(level: &Level, boxes: &[u16], from: u16) -> bool {
    Direction::ALL.into_iter().any(|direction| {
        let free = |cell: u16| {
            let next = level.neighbour(cell, direction);
            next.filter(|next| !boxes.contains(next))
        };
        free(from).and_then(free).is_some()
    })
}

/// The cells of the largest connected floor between boxes.
fn largest_room(level: &Level, boxes: &[u16]) -> usize {
    let mut seen = vec![false; level.cells()];
    for &b in boxes {
        seen[usize::from(b)] = true;
    }
    let mut largest = 0;
    for cell in (0..level.cells())
        .map(|cell| cell as u16)
        .filter(|&cell| level.is_floor(cell))
    {
        if seen[usize::from(cell)] {
            continue;
        }
        seen[usize::from(cell)] = true;
        let (mut room, mut i) = (vec![cell], 0);
        while i < room.len() {
            for direction in Direction::ALL {
                if let Some(next) = level.neighbour(room[i], direction)
                    && !seen[usize::from(next)]
                {
                    seen[usize::from(next)] = true;
                    room.push(next);
                }
            }
            i += 1;
        }
        largest = largest.max(room.len());
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::parse_level;

    #[test]
    fn a_dead_end_is_filled_from_its_end() {
        let level = parse_level("#########\n#@ $$$...#\n#   ######\n#####\n").unwrap();
        let filled = order(&level);
        let mut sorted = filled.clone();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(filled, sorted);
    }

    #[test]
    fn a_goal_that_closes_the_way_is_last() {
        let text = "#########\n#   #####\n#@$  .###\n#   #   #\n##### $.#\n#####   #\n#########\n";
        let level = parse_level(text).unwrap();
        let mouth = level.goals().next().unwrap();
        assert_eq!(order(&level).last(), Some(&mouth));
    }
}
