//! Rooms: goals are filled group by group, and all boxes of other groups are walls meanwhile.
//!
//! A person does not look at a large level as a whole. Each room is a small puzzle, and when it is
//! solved, the next one begins. So each goal gets a box by the cheapest assignment, and
//! near goals form a group. The boxes of a group are brought to its goals by a short search
//! in which few boxes may move; see `few`. Except at the end, the player has to come back
//! to where it was, so that it is not shut in. Some boxes near the group may
//! move as well and come back to their cells. If no group can be filled, two near ones are taken together.
//!
//! Which group comes first, how near its goals are, and which other boxes may move, are chosen
//! by lot. If nothing is left to try, a round ends, and the next one begins at the start with
//! other luck. Nothing is proven by a round without a plan.

use noyes_puzzle::sokoban::Level;

use super::few::{End, Few, cost_of, few};
use super::lot::Lots;
use super::setup::Setup;
use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::assignment::Assignment;
use crate::sokoban::bound::distance::MOST_MATCHED;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::large::meeting::Push;

/// How many steps apart the goals of a group may be, and by how many pushes luck may change the cost of a pair. Each round takes
/// the next ones.
const STEPS: [u32; 6] = [2, 1, 3, 1, 4, 2];
const NOISE: [usize; 5] = [0, 0, 1, 2, 4];
/// The states that a group may take at first. They double every [`DOUBLE`] rounds, [`MOST_DOUBLINGS`] times at most.
const STATES: u64 = 5000;
const DOUBLE: u32 = 6;
const MOST_DOUBLINGS: u32 = 6;
/// After this many states without a plan, what is left may still be solvable.
const CHECK: u64 = 100;
/// What an assignment of this number of boxes costs, in states.
fn cost_of_assignment(boxes: usize) -> u64 {
    (boxes as u64).pow(3) / 2_000
}
/// How often all groups are tried in vain before a round ends.
const IN_VAIN: usize = 5;

/// The distance of a box to a goal that it cannot reach.
const NEVER: i64 = 1 << 40;

/// Solves levels room by room.
pub(super) struct Rooms<'a> {
    level: &'a Level,
    setup: &'a Setup,
    round: u32,
    lots: Lots,
    /// What all rounds have cost; see `few`.
    pub(super) cost: u64,
    /// The steps from each goal to each cell, once a round has begun.
    steps: Vec<Vec<u32>>,
}

/// What a round has come to.
struct State {
    boxes: Vec<u16>,
    player: u16,
    pushes: Vec<Push>,
}

impl State {
    /// Makes some pushes.
    fn push(&mut self, field: &Field, pushes: &[Push]) {
        for &(cell, d) in pushes {
            if let Some(b) = self.boxes.iter_mut().find(|b| **b == cell) {
                *b = field.step(cell, d);
            }
            self.player = cell;
        }
        self.pushes.extend_from_slice(pushes);
    }
}

/// The boxes that may move to fill a group, by number, and the cells that they should fill.
struct Group {
    boxes: Vec<usize>,
    cells: Vec<u16>,
}

impl Group {
    fn add(&mut self, number: usize, cell: u16) {
        if !self.boxes.contains(&number) && !self.cells.contains(&cell) {
            self.boxes.push(number);
            self.cells.push(cell);
        }
    }
}

impl<'a> Rooms<'a> {
    pub(super) fn new(level: &'a Level, setup: &'a Setup) -> Rooms<'a> {
        Rooms {
            level,
            setup,
            round: 0,
            lots: Lots::new(),
            cost: 0,
            steps: vec![],
        }
    }

    /// The pushes of a plan, if this round finds one.
    pub(super) fn run(
        &mut self,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Vec<Push>>, Stop> {
        let field = &self.setup.field;
        if field.boxes.len() > MOST_MATCHED {
            return Ok(None);
        }
        if self.steps.is_empty() {
            let goals = field.goals.iter();
            memory.claim(goals.len() * field.len() * size_of::<u32>())?;
            self.steps = goals.map(|&goal| steps_from(field, goal)).collect();
        }
        let mut state = State {
            boxes: field.boxes.clone(),
            player: field.player,
            pushes: vec![],
        };
        let mut in_vain = 0;
        while in_vain < IN_VAIN {
            memory.poll_stop()?;
            self.cost += cost_of_assignment(state.boxes.len());
            let Some(goal_of) = self.assign(&state, memory)? else {
                break;
            };
            let names = self.names();
            let is_open = |g: &usize| !state.boxes.contains(&field.goals[*g]);
            let mut open: Vec<usize> = (0..names.len()).filter(is_open).map(|g| names[g]).collect();
            open.sort_unstable();
            open.dedup();
            if open.is_empty() {
                return Ok(Some(state.pushes));
            }
            for i in (1..open.len()).rev() {
                open.swap(i, self.lots.below(i + 1));
            }
            in_vain += 1;
            for name in open {
                let group = self.group(&state, &goal_of, &names, name, in_vain > 1);
                match self.fill(&state, &group, counts, memory, control)? {
                    Filled::Not => {}
                    Filled::Plan(pushes) => return Ok(Some(pushes)),
                    Filled::Next(next) => {
                        state = next;
                        in_vain = 0;
                        break;
                    }
                }
            }
        }
        self.round += 1;
        Ok(None)
    }

    /// The goal of each box, by number. None if there are too few boxes for some goals.
    fn assign(&mut self, state: &State, memory: &Memory) -> Result<Option<Vec<usize>>, Stop> {
        let Setup {
            field, distances, ..
        } = self.setup;
        let count = state.boxes.len();
        let noise = NOISE[self.round as usize % NOISE.len()];
        let lots: Vec<i64> = (0..count * count)
            .map(|_| (self.lots.below(1000) + 1000 * self.lots.below(noise + 1)) as i64)
            .collect();
        let cost = |b: usize, g: usize| {
            let cell = state.boxes[b];
            let place = distances.place(cell, field.side_of(cell, state.player));
            match distances.row(place)[g] {
                0 => 0,
                u16::MAX => NEVER,
                far => 2000 * i64::from(far) + lots[b * count + g],
            }
        };
        let mut assignment = Assignment::default();
        let is_full = assignment.find(count, count, cost, || memory.poll_stop())?;
        let mut goal_of = vec![0; count];
        for (b, g) in assignment.pairs() {
            if cost(b, g) >= NEVER {
                return Ok(None);
            }
            goal_of[b] = g;
        }
        Ok(is_full.then_some(goal_of))
    }

    /// The groups of goals: for each goal the first one of its group.
    fn names(&self) -> Vec<usize> {
        let most = STEPS[self.round as usize % STEPS.len()];
        let goals = &self.setup.field.goals;
        let mut names: Vec<usize> = (0..goals.len()).collect();
        for i in 0..goals.len() {
            for j in 0..i {
                let (one, two) = (names[i].min(names[j]), names[i].max(names[j]));
                if one != two && self.steps[i][usize::from(goals[j])] <= most {
                    for name in names.iter_mut().filter(|name| **name == two) {
                        *name = one;
                    }
                }
            }
        }
        names
    }

    /// What may move to fill a group, perhaps together with a near one.
    fn group(
        &mut self,
        state: &State,
        goal_of: &[usize],
        names: &[usize],
        name: usize,
        and_another: bool,
    ) -> Group {
        let goals = &self.setup.field.goals;
        let mut own: Vec<usize> = (0..goals.len()).filter(|&g| names[g] == name).collect();
        if and_another {
            let mut least = None;
            for g in (0..goals.len()).filter(|&g| names[g] != name) {
                let far = own.iter().map(|&o| self.steps[o][usize::from(goals[g])]);
                let far = far.min().unwrap_or(0) as usize * 8 + self.lots.below(80);
                if least.is_none_or(|(best, _)| far < best) {
                    least = Some((far, g));
                }
            }
            if let Some((_, other)) = least {
                own.extend((0..goals.len()).filter(|&g| names[g] == names[other]));
            }
        }
        // 1. The group's boxes, and those that stand on its goals.
        let count = state.boxes.len();
        let mut group = Group {
            boxes: vec![],
            cells: vec![],
        };
        for b in (0..count).filter(|&b| own.contains(&goal_of[b])) {
            group.add(b, goals[goal_of[b]]);
        }
        for _ in 0..count {
            let in_the_way =
                |&b: &usize| !group.boxes.contains(&b) && group.cells.contains(&state.boxes[b]);
            let Some(b) = (0..count).find(in_the_way) else {
                break;
            };
            group.add(b, goals[goal_of[b]]);
        }
        // 2. Boxes near them, which come back.
        let more = if and_another {
            self.lots.below(4)
        } else {
            self.lots.below(2) * self.lots.below(3)
        };
        let size = group.boxes.len();
        for _ in 0..more {
            let at = self.lots.below(size);
            let cell = match self.lots.below(2) {
                0 => state.boxes[group.boxes[at]],
                _ => group.cells[at],
            };
            let steps = steps_from(&self.setup.field, cell);
            let mut least = None;
            for b in (0..count).filter(|b| !group.boxes.contains(b)) {
                let far = 4 * steps[usize::from(state.boxes[b])] as usize + self.lots.below(8);
                if least.is_none_or(|(best, _)| far < best) {
                    least = Some((far, b));
                }
            }
            if let Some((_, b)) = least {
                group.add(b, state.boxes[b]);
            }
        }
        group
    }

    /// Brings the boxes of a group to its cells.
    fn fill(
        &mut self,
        state: &State,
        group: &Group,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Filled, Stop> {
        let (level, setup) = (self.level, self.setup);
        let field = &setup.field;
        let budget = STATES << (self.round / DOUBLE).min(MOST_DOUBLINGS);
        if group.boxes.len() == state.boxes.len() {
            return Ok(Filled::Not); // other searches do that
        }
        let moved: Vec<u16> = group.boxes.iter().map(|&b| state.boxes[b]).collect();
        let is_done = |b: &u16| moved.contains(b) || field.floor.is_goal[usize::from(*b)];
        let is_goal = |c: &u16| field.floor.is_goal[usize::from(*c)];
        let is_last = state.boxes.iter().all(is_done) && group.cells.iter().all(is_goal);
        let comes_home = !is_last && self.lots.below(4) != 0;
        let part = Few {
            boxes: &state.boxes,
            player: state.player,
            moved: &moved,
            goals: &group.cells,
            last_player: if is_last {
                setup.last_player
            } else {
                comes_home.then_some(state.player)
            },
        };
        let before = counts.generated;
        let found = few(level, setup, &part, budget, counts, memory, control)?;
        self.cost += cost_of(counts.generated - before, moved.len(), setup);
        let End::Pushes(pushes) = found else {
            return Ok(Filled::Not);
        };
        if pushes.is_empty() {
            return Ok(Filled::Not);
        }
        let mut next = State {
            boxes: state.boxes.clone(),
            player: state.player,
            pushes: state.pushes.clone(),
        };
        next.push(field, &pushes);
        // Whether the others can still be filled.
        let rest = Few {
            boxes: &next.boxes,
            player: next.player,
            moved: &next.boxes,
            goals: &field.goals,
            last_player: setup.last_player,
        };
        let before = counts.generated;
        let found = few(level, setup, &rest, CHECK, counts, memory, control)?;
        self.cost += cost_of(counts.generated - before, next.boxes.len(), setup);
        match found {
            End::None => Ok(Filled::Not),
            End::Open => Ok(Filled::Next(next)),
            End::Pushes(pushes) => {
                next.push(field, &pushes);
                Ok(Filled::Plan(next.pushes))
            }
        }
    }
}

/// What has become of a group.
enum Filled {
    Not,
    Next(State),
    /// All groups are filled.
    Plan(Vec<Push>),
}

/// The steps from a cell to all others if there are no boxes.
fn steps_from(field: &Field, cell: u16) -> Vec<u32> {
    let mut occupied = vec![0; field.len() + 1];
    occupied[field.len()] = u16::MAX;
    let mut walk = Walk::new(&field.floor);
    walk.from(&field.floor, cell, &occupied);
    (0..field.wall()).map(|cell| walk.steps(cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::search::plan::walked;
    use crate::sokoban::test_levels::read;

    /// The pushes of the first round that finds a plan.
    fn solved(level: &Level) -> Option<(Setup, Vec<Push>)> {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let setup = Setup::new(level, &mut memory).expect("no limits");
        let mut counts = Counts::default();
        let mut rooms = Rooms::new(level, &setup);
        let round = rooms.run(&mut counts, &mut memory, &control);
        let mut found = round.expect("no limits");
        let bytes = memory.bytes();
        for _ in 0..20 {
            let round = rooms.run(&mut counts, &mut memory, &control);
            found = found.or(round.expect("no limits"));
            assert_eq!(memory.bytes(), bytes, "a round keeps nothing");
        }
        drop(rooms);
        found.map(|pushes| (setup, pushes))
    }

    #[test]
    fn rooms_are_filled_one_after_the_other() {
        let level = read(&[
            "#############",
            "#           #",
            "#.  $ @ $  .#",
            "#.  $   $  .#",
            "#           #",
            "#############",
        ]);
        let (setup, pushes) = solved(&level).expect("there is a plan");
        assert!(walked(&setup, &pushes).is_some(), "each push is possible");
        let mut boxes = setup.field.boxes.clone();
        for (cell, d) in pushes {
            let moved = boxes.iter_mut().find(|b| **b == cell).expect("a box");
            *moved = setup.field.step(cell, d);
        }
        boxes.sort_unstable();
        assert_eq!(boxes, setup.field.goals);
    }

    #[test]
    fn a_door_is_filled_after_the_room_behind_it() {
        // A box in the door shuts the player out of the right room.
        let level = read(&[
            "############",
            "#.$    #   #",
            "#  @ $ . $.#",
            "#      #   #",
            "############",
        ]);
        let (setup, pushes) = solved(&level).expect("there is a plan");
        assert!(walked(&setup, &pushes).is_some());
    }

    #[test]
    fn a_single_room_is_left_to_other_searches() {
        let level = read(&["#######", "#@$ . #", "# $ . #", "#######"]);
        assert!(solved(&level).is_none());
    }
}
