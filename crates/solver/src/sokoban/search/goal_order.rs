//! Goal order: which goals to fill first, so that no box blocks the way of a later one.
//!
//! In a room of goals the far ones have to be filled first. The matching bound does
//! not know this: a box on the goal at the door is worth as much as one at the back.
//! A search that follows the bound alone fills the door and then tries everything
//! outside.
//!
//! The order is found backward. Start with a box on every goal. The boxes that the
//! player could pull to the starting cell of some box, while all others stay put, may
//! come last. Remove the one that takes the fewest pulls, and repeat with the rest. A
//! box that has been removed blocks nobody, so whatever could be pulled before still
//! can be, and no choice spoils a later one. Boxes that never get out are filled
//! first, in any order: there the order is a guess.
//!
//! A state is rated by how many goals are filled without a gap, from the first in the
//! order, and by how far the nearest box is from the next goal, with filled goals as
//! walls. This is not a bound, and the right plan may move a box off its goal again.
//! `guide` uses the rating.
//!
//! For n goals on m cells this takes n² searches of up to 4m places with a walk each.
//! If that exceeds a budget of steps, there is no order. A rating looks at each box
//! once.
//!
//! Goal macros are in Junghanns, Schaeffer: Sokoban: Enhancing general single-agent
//! search methods using domain knowledge. Artificial Intelligence 129, 2001. Rooms of
//! goals that are filled in a precomputed order are in Botea, Müller, Schaeffer: Using
//! abstraction for planning in Sokoban. Computers and Games 2002.

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;

/// The most cells that may be walked over to find an order, which takes some tenths of a second.
const BUDGET: usize = 1 << 26;
/// The most pairs of a goal and a cell; each has a distance in a table.
const LARGE: usize = 1 << 22;
/// The distance of a goal that cannot be reached.
const FAR: u16 = u16::MAX;

/// Goals in the order in which they should be filled.
pub(crate) struct GoalOrder {
    goals: Vec<u16>,
    /// For each goal in order, the pushes to it from each cell while all earlier goals are filled.
    far: Vec<Vec<u16>>,
    /// Whether a cell has a box; set only while a state is being rated.
    has_box: Vec<bool>,
}

impl GoalOrder {
    /// An order for the goals of a field; none if finding it takes too long.
    pub(crate) fn new(field: &Field, memory: &mut Memory) -> Result<Option<GoalOrder>, Stop> {
        if field.goals.len() * field.len() > LARGE {
            return Ok(None);
        }
        memory.claim((2 * field.goals.len() + 1) * field.len())?;
        let Some(goals) = order(field, memory)? else {
            return Ok(None);
        };
        let mut filled = vec![false; field.len() + 1];
        filled[field.len()] = true;
        let mut far = vec![];
        for &goal in &goals {
            far.push(pushes_to(field, goal, &filled));
            filled[usize::from(goal)] = true;
        }
        let has_box = vec![false; field.len()];
        Ok(Some(GoalOrder {
            goals,
            far,
            has_box,
        }))
    }

    /// How far the boxes are from being packed in this order: lower is better.
    pub(crate) fn rate(&mut self, boxes: &[u16]) -> Rating {
        for &cell in boxes {
            self.has_box[usize::from(cell)] = true;
        }
        let (goals, has_box) = (&self.goals, &self.has_box);
        let filled = |goal: &&u16| has_box[usize::from(**goal)];
        let packed = goals.iter().take_while(filled).count();
        let early = goals.iter().skip(packed).filter(filled).count();
        let next = match self.far.get(packed) {
            Some(far) => {
                // Boxes on filled goals count as walls, so their distance is `FAR`.
                let pushes = boxes.iter().map(|&cell| far[usize::from(cell)]);
                pushes.min().unwrap_or(FAR)
            }
            None => 0,
        };
        for &cell in boxes {
            self.has_box[usize::from(cell)] = false;
        }
        Rating {
            left: (goals.len() - packed) as u32,
            next: u32::from(next),
            early: early as u32,
        }
    }
}

/// A state as rated by a goal order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rating {
    /// The number of goals from the first unfilled one on.
    pub(crate) left: u32,
    /// The pushes from the nearest box to the first unfilled goal.
    pub(crate) next: u32,
    /// The number of later goals that are filled already.
    pub(crate) early: u32,
}

/// The goals in the order in which they should be filled; none if finding it exceeds the budget.
fn order(field: &Field, memory: &Memory) -> Result<Option<Vec<u16>>, Stop> {
    let mut occupied = vec![0; field.len() + 1];
    occupied[field.len()] = 1;
    for &goal in &field.goals {
        occupied[usize::from(goal)] = 1;
    }
    let mut walk = Walk::new(&field.floor);
    let Some(mut player) = roomiest(field, &mut walk, &occupied) else {
        return Ok(None);
    };
    let (mut left, mut taken) = (field.goals.clone(), vec![]);
    let mut work = 0;
    while !left.is_empty() {
        let mut best: Option<(u32, usize, u16)> = None;
        for (i, &goal) in left.iter().enumerate() {
            memory.poll_stop()?;
            let out = pull_out(field, goal, player, &mut occupied, &mut walk, &mut work);
            if work > BUDGET {
                return Ok(None);
            }
            if let Some((pulls, at)) = out
                && best.is_none_or(|(least, ..)| pulls < least)
            {
                best = Some((pulls, i, at));
            }
        }
        let Some((_, i, at)) = best else { break };
        let goal = left.remove(i);
        occupied[usize::from(goal)] = 0;
        taken.push(goal);
        player = at;
    }
    left.extend(taken.into_iter().rev());
    Ok(Some(left))
}

/// A cell in the largest part of the floor with boxes on all goals.
fn roomiest(field: &Field, walk: &mut Walk, occupied: &[u16]) -> Option<u16> {
    let mut seen = vec![false; field.len()];
    let mut best = None;
    for cell in 0..field.wall() {
        if occupied[usize::from(cell)] == 0 && !seen[usize::from(cell)] {
            walk.from(&field.floor, cell, occupied);
            for &reached in walk.reached() {
                seen[usize::from(reached)] = true;
            }
            best = best.max(Some((walk.reached().len(), cell)));
        }
    }
    best.map(|(_, cell)| cell)
}

/// The fewest pulls that take the box on a goal to the starting cell of some box, and where the player is then.
fn pull_out(
    field: &Field,
    goal: u16,
    player: u16,
    occupied: &mut [u16],
    walk: &mut Walk,
    work: &mut usize,
) -> Option<(u32, u16)> {
    let mut seen = vec![[false; 4]; field.len()];
    *work += field.len();
    // The box, the player and the number of pulls. A player next to the box stands for all cells in walking distance.
    let mut queue = vec![(goal, player, 0)];
    occupied[usize::from(goal)] = 0;
    let mut found = None;
    let mut at = 0;
    while at < queue.len() {
        let (cell, player, pulls) = queue[at];
        at += 1;
        if field.boxes.binary_search(&cell).is_ok() {
            found = Some((pulls, player));
            break;
        }
        occupied[usize::from(cell)] = 1;
        walk.from(&field.floor, player, occupied);
        occupied[usize::from(cell)] = 0;
        *work += walk.reached().len();
        for d in 0..4 {
            let to = field.step(cell, d);
            let beyond = field.step(to, d);
            if to == field.wall() || !walk.reaches(to) || occupied[usize::from(beyond)] != 0 {
                continue;
            }
            let seen = &mut seen[usize::from(to)];
            if !std::mem::replace(&mut seen[d], true) {
                queue.push((to, beyond, pulls + 1));
            }
        }
    }
    occupied[usize::from(goal)] = 1;
    found
}

/// The pushes from each cell to a goal, ignoring where the player is.
fn pushes_to(field: &Field, goal: u16, filled: &[bool]) -> Vec<u16> {
    let mut far = vec![FAR; field.len()];
    far[usize::from(goal)] = 0;
    let mut queue = vec![goal];
    let mut at = 0;
    while at < queue.len() {
        let cell = queue[at];
        at += 1;
        for d in 0..4 {
            let from = field.step(cell, d);
            let behind = field.step(from, d);
            if !filled[usize::from(from)]
                && !filled[usize::from(behind)]
                && far[usize::from(from)] == FAR
            {
                far[usize::from(from)] = far[usize::from(cell)] + 1;
                queue.push(from);
            }
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::sokoban::test_levels::read;

    #[test]
    fn a_room_of_goals_is_filled_from_the_back() {
        let level = read(&[
            "###########",
            "#   $ #...#",
            "# $$ @ ...#",
            "# $$$ #...#",
            "#  $$$#####",
            "#     #    ",
            "#######    ",
        ]);
        let field = Field::new(&level);
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let order = GoalOrder::new(&field, &mut memory).unwrap();
        let mut order = order.expect("it is small");
        // The last goal is in the column of the door.
        let column =
            |&cell: &u16| usize::from(field.floor.cells[usize::from(cell)]) % level.width();
        let columns: Vec<usize> = order.goals.iter().map(column).collect();
        assert_eq!(columns.len(), 9);
        assert_eq!(columns[8], 7);
        let door = order.goals[8];
        // A box there comes too early; a box on the first goal is progress.
        let start = order.rate(&field.boxes);
        let with = |goal: u16| {
            let mut boxes = field.boxes.clone();
            boxes[0] = goal;
            boxes
        };
        let early = order.rate(&with(door));
        let first = order.rate(&with(order.goals[0]));
        assert_eq!((start.left, start.early), (9, 0));
        assert_eq!((early.left, early.early), (9, 1));
        assert_eq!((first.left, first.early), (8, 0));
        assert_eq!(order.rate(&field.goals).left, 0);
    }
}
