//! Few boxes: a short search in which most boxes stay where they are.
//!
//! A search over all boxes of a large level repeats what it does with some boxes for all that
//! the others could do. If most boxes are walls, a level is small, and the greedy search
//! over single pushes often solves it within a few thousand states or shows that there is no
//! plan. `rooms` chooses which boxes may move. A box that only has to make
//! way may move too: then its own cell is a goal.

use noyes_puzzle::sokoban::Level;

use super::greedy::Greedy;
use super::part::pushes_in_whole;
use super::setup::Setup;
use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::large::meeting::Push;

/// The weight of the bound in the greedy search, in quarters.
const WEIGHT: u32 = 20;

/// What it costs to begin a short search, in states.
const BEGIN: u64 = 2_000;

/// Which boxes of a state may move, and where they should go. All cells are those of the whole level.
pub(super) struct Few<'s> {
    pub(super) boxes: &'s [u16],
    pub(super) player: u16,
    /// The boxes that may move, and as many cells to fill.
    pub(super) moved: &'s [u16],
    pub(super) goals: &'s [u16],
    /// Where the player has to be at the end, if that matters.
    pub(super) last_player: Option<u16>,
}

/// What a short search costs, in states of a search in which all boxes may move. States take up to twice as long with more
/// boxes, and a short search takes some time before its first state, unless it is refused before that.
pub(super) fn cost_of(generated: u64, moved: usize, whole: &Setup) -> u64 {
    if generated == 0 {
        return 0;
    }
    let all = whole.field.boxes.len().max(1) as u64;
    let more = (moved as u64).min(all);
    BEGIN + generated * (all + more) / all / 2
}

/// How a short search ends.
pub(super) enum End {
    Pushes(Vec<Push>),
    /// There is no plan.
    None,
    /// The budget is used up.
    Open,
}

impl Few<'_> {
    /// The cells that the player could reach if the boxes that may move were not there. None if a box, a goal or the last cell
    /// of the player is out of reach.
    fn has_access(&self, field: &Field) -> bool {
        let mut occupied = vec![0; field.len() + 1];
        for &b in self.boxes.iter().filter(|b| !self.moved.contains(b)) {
            occupied[usize::from(b)] = 1;
        }
        occupied[field.len()] = 1;
        let is_free = |c: &u16| occupied[usize::from(*c)] == 0;
        if !self.goals.iter().all(is_free) || !is_free(&self.player) {
            return false;
        }
        let mut walk = Walk::new(&field.floor);
        walk.from(&field.floor, self.player, &occupied);
        let cells = self.moved.iter().chain(self.goals);
        cells.chain(&self.last_player).all(|&c| walk.reaches(c))
    }

    /// The level in which the other boxes are walls.
    fn level(&self, whole: &Level, field: &Field) -> Option<Level> {
        let cell = |number: u16| field.floor.cells[usize::from(number)];
        let mut walls = vec![true; whole.cells()];
        for &cell in &field.floor.cells {
            walls[usize::from(cell)] = false;
        }
        for &b in self.boxes.iter().filter(|b| !self.moved.contains(b)) {
            walls[usize::from(cell(b))] = true;
        }
        let mut is_goal = vec![false; whole.cells()];
        for &goal in self.goals {
            is_goal[usize::from(cell(goal))] = true;
        }
        let boxes: Vec<u16> = self.moved.iter().map(|&b| cell(b)).collect();
        Level::new(
            whole.width(),
            &walls,
            &is_goal,
            &boxes,
            &[cell(self.player)],
        )
        .ok()
    }
}

/// Looks for the pushes, expanding at most `budget` states.
pub(super) fn few(
    level: &Level,
    whole: &Setup,
    few: &Few,
    budget: u64,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<End, Stop> {
    let field = &whole.field;
    if few.moved.len() != few.goals.len() || !few.has_access(field) {
        return Ok(End::None);
    }
    let Some(part) = few.level(level, field) else {
        return Ok(End::None);
    };
    let bytes = memory.bytes();
    let found = search(&part, whole, few, budget, counts, memory, control);
    memory.release(memory.bytes() - bytes);
    match found {
        // Without memory for it, there may still be a plan.
        Err(Stop::Budget | Stop::Memory) => Ok(End::Open),
        found => found,
    }
}

/// Searches the level in which the other boxes are walls.
fn search(
    part: &Level,
    whole: &Setup,
    few: &Few,
    budget: u64,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<End, Stop> {
    let field = &whole.field;
    let mut setup = Setup::new(part, memory)?;
    let number = |cell: u16| {
        let level_cell = field.floor.cells[usize::from(cell)];
        setup.field.floor.number(level_cell)
    };
    setup.last_player = few.last_player.and_then(number);
    let from_start = Distances::from_start(&setup.field, memory)?;
    let mut greedy = Greedy::new(&setup, &from_start, WEIGHT, true);
    Ok(match greedy.run(budget, counts, memory, control)? {
        Some(plan) => End::Pushes(pushes_in_whole(&setup, &plan, field)),
        None => End::None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::read;

    #[test]
    fn other_boxes_stay_and_the_player_comes_back() {
        let level = read(&[
            "##########",
            "#@ $  #  #",
            "#  $   . #",
            "#    ## .#",
            "##########",
        ]);
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let setup = Setup::new(&level, &mut memory).expect("no limits");
        let field = &setup.field;
        let [first, second] = field.boxes[..] else {
            panic!("two boxes");
        };
        let mut run = |moved: &[u16], goals: &[u16], last_player| {
            let part = Few {
                boxes: &field.boxes,
                player: field.player,
                moved,
                goals,
                last_player,
            };
            let mut counts = Counts::default();
            few(
                &level,
                &setup,
                &part,
                1000,
                &mut counts,
                &mut memory,
                &control,
            )
            .expect("no limits")
        };
        // The lower box goes to the goal in its row, and the player may be anywhere or where it began.
        for last in [None, Some(field.player)] {
            let End::Pushes(pushes) = run(&[second], &field.goals[..1], last) else {
                panic!("there is a plan");
            };
            assert!(pushes.iter().all(|&(cell, _)| cell != first));
        }
        // A box that stays is in the way of a goal on its own cell.
        assert!(matches!(run(&[second], &[first], None), End::None));
        assert!(matches!(run(&[second], &field.goals, None), End::None));
        // The player cannot come back from behind a box in the door.
        let door = field.step(field.step(field.step(second, 2), 2), 2);
        let behind = field.step(field.step(door, 2), 2);
        assert!(matches!(run(&[second], &[door], None), End::Pushes(_)));
        assert!(matches!(run(&[second], &[door], Some(behind)), End::None));
    }
}
