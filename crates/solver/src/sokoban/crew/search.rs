//! Crews: the fewest steps in which several players, all moving at once, solve a level.
//!
//! A state consists of the cells of the boxes and the cells of the players. Players
//! are interchangeable, so both are sorted lists. Who went where is worked out at the
//! end, along the plan. With n players a step has up to 5ⁿ joint moves (`joint`), and
//! walking back and forth costs steps that the bound (`bound`) does not see. So we
//! search from both ends and meet in the middle, which halves the depth of both
//! searches. The backward search starts from all ways in which the players can stand
//! around the solved boxes, as soon as that is less work than continuing forward.
//!
//! For a length `t`, the forward search expands all states with g + h ≤ t and
//! g < c, the backward search those with g + h ≤ t and g < t − c. If there is a plan
//! of `t` steps, no state on it has g + h > t, so both searches reach its state after
//! `c` steps, and meet. If they do not meet, there is no such plan; `t` grows by one,
//! and so does the depth of the side with less work to do. Both searches keep what
//! they have found so far. A state with children whose bounds are too large waits
//! for a larger `t`, and these children are not stored until then (partial expansion).
//!
//! With more boxes than goals, or too many ways for the players to stand, there is no
//! backward search. Then this is A* with partial expansion.
//!
//! Felner, Goldenberg, Sharon, Stern, Beja, Sturtevant, Schaeffer, Holte: Partial-
//! expansion A* with selective node generation. AAAI 2012. Holte, Felner, Sharon,
//! Sturtevant, Chen: MM: a bidirectional search algorithm that is guaranteed to meet
//! in the middle. Artificial Intelligence 252, 2017.

use noyes_puzzle::sokoban::Level;

use super::bound::{CrewBound, NO_WAY, Toward};
use super::distance::StepDistances;
use super::joint::{Choice, Joint, Last, NO_BOX};
use super::known::Known;
use super::retrace::retrace;
use super::side::{CrewState, Side, StepReached};
use crate::answer::Outcome;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::store::{Id, chain};
use crate::counts::Counts;
use crate::names::Engine;
use crate::sokoban::floor::Floor;
use crate::sokoban::joint_step::JointStep;
use crate::sokoban::ran::Ran;

/// Finds a plan of the fewest steps. All players move at once; with `wait` they may also wait.
pub fn fewest_steps(level: &Level, wait: bool, control: &Control) -> Ran<JointStep> {
    search(level, wait, true, control)
}

/// The same by A*, from the start only.
pub(crate) fn a_star(level: &Level, wait: bool, control: &Control) -> Outcome<JointStep> {
    search(level, wait, false, control).outcome
}

/// Searches from the start and, with `both_ends`, from the solved states as well if that is possible.
fn search(level: &Level, wait: bool, both_ends: bool, control: &Control) -> Ran<JointStep> {
    // States of a few cells are stored without a separate allocation.
    let cells = level.boxes().len() + level.players().len();
    match cells {
        ..=4 => run(level, [0; 4], 0, wait, both_ends, control),
        5..=8 => run(level, [0; 8], 0, wait, both_ends, control),
        9..=12 => run(level, [0; 12], 0, wait, both_ends, control),
        13..=16 => run(level, [0; 16], 0, wait, both_ends, control),
        _ => {
            let blank = vec![0; cells].into_boxed_slice();
            let heap_bytes = (2 * cells).next_multiple_of(16) + 16;
            run(level, blank, heap_bytes, wait, both_ends, control)
        }
    }
}

/// The most states that the backward search may start from.
const MOST_ENDS: u64 = 2_000_000;

/// The same for states of the type of `blank`, each of which owns `heap_bytes` on the heap.
fn run<T: CrewState>(
    level: &Level,
    blank: T,
    heap_bytes: usize,
    wait: bool,
    both_ends: bool,
    control: &Control,
) -> Ran<JointStep> {
    let distances = StepDistances::new(level);
    let floor = &distances.floor;
    let boxes = floor.numbers(level.boxes().iter().copied());
    let mut players = floor.numbers(level.players().iter().copied());
    players.sort_unstable();
    let state_bytes = size_of::<T>() + heap_bytes;
    let mut search = CrewSearch {
        bound: CrewBound::new(&distances, level, &boxes, &players),
        joint: Joint::new(floor, players.len(), wait),
        ends: ends(level, floor).filter(|&ends| both_ends && ends <= MOST_ENDS),
        distances: &distances,
        control,
        memory: Memory::new(control),
        boxes: boxes.len(),
        used: boxes.len() + players.len(),
        blank,
        sides: [Side::new(state_bytes), Side::new(state_bytes)],
        is_backward: false,
        length: 0,
        met: None,
        known: [Known::new(), Known::new()],
        pace: Pace::new(64),
        counts: Counts::default(),
    };
    let end = search.run(&boxes, &players);
    search.counts.peak_bytes = search.memory.peak();
    let best = search.met.map(|(forward, backward, cost)| {
        let states = search.states(forward, backward);
        (retrace(level, floor, search.boxes, &states, wait), cost)
    });
    let engine = if search.is_backward {
        Engine::Bidirectional
    } else {
        Engine::AStar
    };
    let outcome = Outcome::ended(end, search.length, best, search.counts);
    Ran { engine, outcome }
}

/// The number of ways in which the players can stand around the solved boxes; none if boxes and goals differ in number.
fn ends(level: &Level, floor: &Floor) -> Option<u64> {
    let boxes = level.boxes().len();
    if level.goals().count() != boxes {
        return None;
    }
    let free = (floor.len() - boxes) as u64;
    let mut ways = 1u64;
    for i in 0..level.players().len() as u64 {
        ways = ways.saturating_mul(free.saturating_sub(i)) / (i + 1);
    }
    Some(ways)
}

struct CrewSearch<'a, T: CrewState> {
    distances: &'a StepDistances,
    bound: CrewBound,
    joint: Joint,
    control: &'a Control,
    memory: Memory<'a>,
    /// The number of boxes, which come first in a state, and of boxes and players together.
    boxes: usize,
    used: usize,
    blank: T,
    /// The number of states that the backward search would start from; none if it may not run.
    ends: Option<u64>,
    sides: [Side<T>; 2],
    is_backward: bool,
    /// The lower bound: no plan is shorter.
    length: u32,
    /// The cheapest meeting: its state on the forward side and on the backward side, if it is there, and its steps.
    met: Option<(Id, Option<Id>, u32)>,
    /// Cached bounds on the pushes of positions, for each side.
    known: [Known<T>; 2],
    pace: Pace,
    counts: Counts,
}

/// Indices of the sides.
const FORWARD: usize = 0;
const BACKWARD: usize = 1;

impl<T: CrewState> CrewSearch<'_, T> {
    /// Searches until both sides meet in a shortest plan, or one of them has no states left.
    fn run(&mut self, boxes: &[u16], players: &[u16]) -> Result<(), Stop> {
        self.memory
            .claim(self.distances.bytes() + self.bound.bytes() + 2 * Known::<T>::BYTES)?;
        let mut start = self.blank.clone();
        start.as_mut()[..self.boxes].copy_from_slice(boxes);
        start.as_mut()[self.boxes..self.used].copy_from_slice(players);
        self.counts.generated = 1;
        let Some(h) = self.steps(FORWARD, &start) else {
            return Ok(());
        };
        let root = StepReached {
            parent: 0,
            g: 0,
            waited: 0,
        };
        self.reach(FORWARD, &start, root, h)?;
        self.length = h;
        loop {
            // 1. Expand every state that can be on a plan of this length.
            self.control.raise_lower(self.length);
            self.sweep()?;
            // 2. Stop if the sides have met, or one of them has seen everything.
            let [forward, backward] = &self.sides;
            if self.is_proven() || forward.is_used_up() || self.is_backward && backward.is_used_up()
            {
                return Ok(());
            }
            self.length += 1;
        }
    }

    /// Whether the best plan found is proven shortest.
    fn is_proven(&self) -> bool {
        self.met.is_some_and(|(.., cost)| cost <= self.length)
    }

    /// Expands the states that can be on a plan of this length, layer by layer, always on the side with less work to
    /// do, until the layers of both sides meet. Children are one layer after their parents, so each layer is done only
    /// once.
    fn sweep(&mut self) -> Result<(), Stop> {
        let mut done = [0, 0];
        while done[FORWARD] + done[BACKWARD] < self.length {
            let forward = self.sides[FORWARD].waiting(done[FORWARD], self.length);
            let backward = if self.is_backward {
                Some(self.sides[BACKWARD].waiting(done[BACKWARD], self.length))
            } else {
                self.ends
            };
            let side = usize::from(backward.is_some_and(|backward| backward < forward));
            if side == BACKWARD && !self.is_backward {
                self.is_backward = true;
                self.start_backward()?;
            }
            self.expand_layer(side, done[side])?;
            if self.is_proven() {
                return Ok(());
            }
            done[side] += 1;
        }
        Ok(())
    }

    fn expand_layer(&mut self, side: usize, g: u32) -> Result<(), Stop> {
        while let Some(id) = self.sides[side].take(g, self.length, &mut self.memory) {
            if self.sides[side].seen.value(id).g != g {
                continue; // it was reached in fewer steps, and is expanded in that layer
            }
            self.counts.expanded += 1;
            self.expand(side, id, g)?;
            if self.is_proven() {
                break;
            }
        }
        Ok(())
    }

    fn expand(&mut self, side: usize, id: Id, g: u32) -> Result<(), Stop> {
        let floor = &self.distances.floor;
        let state = self.sides[side].seen.state(id).clone();
        let (boxes, players) = state.as_ref()[..self.used].split_at(self.boxes);
        let StepReached { parent, waited, .. } = *self.sides[side].seen.value(id);
        let parent = self.sides[side].seen.state(parent).clone();
        let last = Last {
            waited,
            boxes: &parent.as_ref()[..self.boxes],
        };
        let mut joint = std::mem::take(&mut self.joint);
        let (mut end, mut later) = (Ok(()), u32::MAX);
        let mut visit = |choices: &[Choice]| {
            end = self.visit(side, id, &state, g, choices, &mut later);
            end.is_ok()
        };
        match side {
            FORWARD => joint.forward(floor, boxes, players, last, &mut visit),
            _ => joint.backward(floor, boxes, players, last, &mut visit),
        };
        self.joint = joint;
        end?;
        if later < u32::MAX {
            self.sides[side].open(id, g, later, &mut self.memory)?;
        }
        Ok(())
    }

    /// Reaches one child if the current length allows it. If not, lowers `later` to the length that the child needs.
    fn visit(
        &mut self,
        side: usize,
        id: Id,
        state: &T,
        g: u32,
        choices: &[Choice],
        later: &mut u32,
    ) -> Result<(), Stop> {
        self.counts.generated += 1;
        if self.pace.is_due() {
            self.control.poll(&self.counts)?;
        }
        let (child, waited) = self.child(state, choices);
        let seen = &self.sides[side].seen;
        if let Some(there) = seen.find(&child)
            && seen.value(there).g <= g + 1
        {
            return Ok(()); // known at no higher cost, so its bound is not needed
        }
        let Some(h) = self.steps(side, &child) else {
            return Ok(());
        };
        let length = g + 1 + h;
        if length > self.length {
            *later = length.min(*later);
            return Ok(());
        }
        let reached = StepReached {
            parent: id,
            g: g + 1,
            waited,
        };
        self.reach(side, &child, reached, h)
    }

    /// The state after a joint move, and which of its players waited.
    fn child(&self, state: &T, choices: &[Choice]) -> (T, u32) {
        let mut child = state.clone();
        let (boxes, players) = child.as_mut()[..self.used].split_at_mut(self.boxes);
        let before = &state.as_ref()[self.boxes..self.used];
        for (player, choice) in players.iter_mut().zip(choices) {
            *player = choice.to;
        }
        players.sort_unstable();
        let mut waited = 0;
        for (choice, _) in choices
            .iter()
            .zip(before)
            .filter(|(c, from)| c.to == **from)
        {
            let place = players.binary_search(&choice.to).expect("a player");
            waited |= 1u32.checked_shl(place as u32).unwrap_or(0);
        }
        let mut moved = false;
        for choice in choices.iter().filter(|c| c.box_to != NO_BOX) {
            // No box is moved twice: boxes are on distinct cells and go to distinct cells.
            let at = state.as_ref()[..self.boxes].binary_search(&choice.box_from);
            boxes[at.expect("a box")] = choice.box_to;
            moved = true;
        }
        if moved {
            boxes.sort_unstable();
        }
        (child, waited)
    }

    /// Notes a path to a state. Opens the state if the path is the shortest so far, and looks for it on the other side.
    fn reach(&mut self, side: usize, state: &T, reached: StepReached, h: u32) -> Result<(), Stop> {
        let g = reached.g;
        let own = &mut self.sides[side];
        let (id, new) = own.seen.find_or_insert(state, reached, &mut self.memory)?;
        if !new {
            let known = own.seen.value_mut(id);
            if known.g <= g {
                return Ok(());
            }
            *known = reached;
        }
        own.open(id, g, g + h, &mut self.memory)?;
        let other = &self.sides[1 - side].seen;
        let (meeting, cost) = match (side, other.find(state)) {
            (FORWARD, None) if h == 0 => ((id, None), g), // solved
            (_, None) => return Ok(()),
            (FORWARD, Some(there)) => ((id, Some(there)), g + other.value(there).g),
            (_, Some(there)) => ((there, Some(id)), g + other.value(there).g),
        };
        if self.met.is_none_or(|(.., best)| cost < best) {
            self.met = Some((meeting.0, meeting.1, cost));
            self.control.reduce_upper(cost);
        }
        Ok(())
    }

    /// A lower bound on the steps from a state to where its side's search ends; none if that cannot be reached.
    fn steps(&mut self, side: usize, state: &T) -> Option<u32> {
        let toward = [Toward::Goals, Toward::Start][side];
        let (boxes, players) = state.as_ref()[..self.used].split_at(self.boxes);
        let mut alone = self.blank.clone();
        alone.as_mut()[..self.boxes].copy_from_slice(boxes);
        let pushes =
            self.known[side].get(alone, || self.bound.pushes(self.distances, toward, boxes));
        let steps = self
            .bound
            .steps(self.distances, toward, pushes?, boxes, players);
        Some(steps).filter(|&steps| steps < NO_WAY)
    }

    /// Starts the backward search from all ways in which the players can stand around the solved boxes.
    fn start_backward(&mut self) -> Result<(), Stop> {
        let floor = &self.distances.floor;
        let is_goal = |&cell: &u16| floor.is_goal[usize::from(cell)];
        let cells = 0..floor.wall();
        let (goals, free): (Vec<u16>, Vec<u16>) = cells.partition(is_goal);
        let mut state = self.blank.clone();
        state.as_mut()[..self.boxes].copy_from_slice(&goals);
        let players = self.used - self.boxes;
        if free.len() < players {
            return Ok(());
        }
        // Goes through all choices of as many free cells as there are players, in lexicographic order.
        let mut chosen: Vec<usize> = (0..players).collect();
        loop {
            self.counts.generated += 1;
            if self.pace.is_due() {
                self.control.poll(&self.counts)?;
            }
            for (place, &i) in state.as_mut()[self.boxes..].iter_mut().zip(&chosen) {
                *place = free[i];
            }
            if let Some(h) = self.steps(BACKWARD, &state) {
                let parent = self.sides[BACKWARD].seen.len() as Id;
                let root = StepReached {
                    parent,
                    g: 0,
                    waited: 0,
                };
                self.reach(BACKWARD, &state, root, h)?;
            }
            let last = |i: usize| free.len() - players + i;
            let Some(i) = (0..players).rev().find(|&i| chosen[i] < last(i)) else {
                return Ok(());
            };
            chosen[i] += 1;
            for j in i + 1..players {
                chosen[j] = chosen[j - 1] + 1;
            }
        }
    }

    /// The states of the plan through a meeting, from the start to the end.
    fn states(&self, forward: Id, backward: Option<Id>) -> Vec<Vec<u16>> {
        let states = |side: usize, id: Id| {
            let seen = &self.sides[side].seen;
            let ids = chain(id, |id| seen.value(id).parent).into_iter();
            ids.map(|id| seen.state(id).as_ref()[..self.used].to_vec())
        };
        let mut plan: Vec<Vec<u16>> = states(FORWARD, forward).collect();
        if let Some(backward) = backward {
            plan.extend(states(BACKWARD, backward).rev().skip(1));
        }
        plan
    }
}
