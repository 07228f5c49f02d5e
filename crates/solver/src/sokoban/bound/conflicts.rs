//! Conflicts: pairs of boxes that cost more pushes together than apart.
//!
//! Remove all boxes but two. The fewest pushes that bring these two to two goals are
//! often more than the sum of their push distances, because one has to make way for the
//! other or for the player. The *extra* of a pair, on given cells with the player on a
//! given cell, is the least difference over all pairs of goals. In any plan, the
//! pushes of two boxes are a plan for these two alone. So if no box is in two pairs, the
//! extras of all pairs can be added to the matching bound: whatever goals the plan uses,
//! each pair costs its distances to them and its extra. Backward the same holds with the
//! boxes of the start in place of goals.
//!
//! While neither box of a pair moves, the player stays in the same part of the floor that
//! the two leave. So after a push, only the extras of pairs with the pushed box change.
//!
//! For each pair of goals, a search from it over the states of two boxes finds the states
//! by their extra: a pull adds nothing if both distances say that it leads away from the
//! goals, and two otherwise. Extras above a limit count as the limit.
//!
//! Linear conflicts in Sokoban are in Junghanns, Schaeffer: Sokoban: Enhancing general
//! single-agent search methods using domain knowledge. Artificial Intelligence 129, 2001;
//! tables for two boxes in Pereira, Ritt, Buriol: Optimal Sokoban solving using pattern
//! databases with specific domain knowledge. Artificial Intelligence 227, 2015.

use super::distance::{Distances, NEVER, Way};
use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// Extras above this count as this.
pub(super) const MOST_EXTRA: u8 = 8;
/// The most steps of the searches: about a second.
const MOST_STEPS: usize = 40_000_000;
/// The largest tables.
const MOST_BYTES: usize = 1 << 28;
/// Marks a cell where no box can be part of a plan.
const NONE: u16 = u16::MAX;

/// The extras of all pairs of boxes.
pub(crate) struct Conflicts {
    /// The number of each cell among the live ones; `NONE` for the others.
    numbers: Vec<u16>,
    /// The number of floor cells.
    cells: usize,
    /// The number of live cells.
    live: usize,
    /// By box, player and other box.
    extra: Vec<u8>,
    /// The number of targets.
    targets: usize,
    /// The state of two boxes, by their numbers, the lower one first, and the player; `u32::MAX` if it has no row.
    row_of: Vec<u32>,
    /// For each state in conflict, the extras by the target of the lower box and that of the other.
    rows: Vec<u8>,
}

impl Conflicts {
    /// The extras of a level with as many boxes as goals, on the way to the goals (`Push`) or back to the start; none if
    /// finding them takes too long or too much memory.
    pub(crate) fn new(
        field: &Field,
        [to_goals, from_start]: [&Distances; 2],
        way: Way,
        memory: &mut Memory,
    ) -> Result<Option<Conflicts>, Stop> {
        let is_live = |&c: &u16| to_goals.is_live(c) && from_start.is_live(c);
        let live: Vec<u16> = (0..field.wall()).filter(is_live).collect();
        let distances = match way {
            Way::Push => to_goals,
            Way::Pull => from_start,
        };
        let targets = distances.targets();
        let pairs = live.len() * live.len() / 2;
        let bytes = live.len() * live.len() * field.len() + pairs * (4 * field.len() + 200);
        let bytes = bytes + 2 * pairs * targets * targets;
        let steps = pairs * targets * targets;
        if targets < 2 || steps > MOST_STEPS || bytes > MOST_BYTES || memory.claim(bytes).is_err() {
            return Ok(None);
        }
        let mut numbers = vec![NONE; field.len() + 1];
        for (i, &cell) in live.iter().enumerate() {
            numbers[usize::from(cell)] = i as u16;
        }
        let graph = PairGraph::new(field, &live, &numbers, memory)?;
        let mut rows = graph.extras(field, distances, way, memory)?;
        let least = least_of(&rows, targets * targets);
        let mut conflicts = Conflicts {
            numbers,
            cells: field.len(),
            live: live.len(),
            extra: vec![0; live.len() * live.len() * field.len()],
            targets,
            row_of: vec![],
            rows: vec![],
        };
        for (i, &a) in live.iter().enumerate() {
            for (j, &b) in live.iter().enumerate().filter(|&(j, _)| j != i) {
                for player in (0..field.wall()).filter(|&p| p != a && p != b) {
                    let node = graph.node(i.min(j), i.max(j), player);
                    let row = conflicts.row(i, player);
                    conflicts.extra[row + j] = least[node as usize];
                }
            }
        }
        // States without extras need no row.
        let row_of = keep_conflicts(&mut rows, targets);
        let state = |&node: &u32| row_of.get(node as usize).copied().unwrap_or(u32::MAX);
        conflicts.row_of = graph.nodes.iter().map(state).collect();
        conflicts.rows = rows;
        let kept = conflicts.extra.len() + 4 * conflicts.row_of.len() + conflicts.rows.len();
        memory.release(bytes.saturating_sub(kept));
        Ok(Some(conflicts))
    }

    /// The extras of two boxes with the player on a third cell, by the target of the one on the lower cell and then by that
    /// of the other; none if there is no conflict whatever the targets.
    pub(super) fn by_targets(&self, low: u16, high: u16, player: u16) -> Option<&[u8]> {
        let [low, high] = [low, high].map(|cell| self.numbers[usize::from(cell)]);
        if low == NONE || high == NONE {
            return None;
        }
        let (low, high) = (usize::from(low), usize::from(high));
        let pair = high * (high - 1) / 2 + low;
        let row = self.row_of[pair * self.cells + usize::from(player)];
        let size = self.targets * self.targets;
        (row != u32::MAX).then(|| &self.rows[row as usize * size..][..size])
    }

    fn row(&self, number: usize, player: u16) -> usize {
        (number * self.cells + usize::from(player)) * self.live
    }

    /// The extras of a box on a cell with others, each with the index of the other; the player is on another cell.
    fn of(&self, cell: u16, player: u16, others: &[u16]) -> impl Iterator<Item = (u8, usize)> {
        let number = |cell: u16| self.numbers[usize::from(cell)];
        let row = match number(cell) {
            NONE => &[][..],
            own => &self.extra[self.row(own.into(), player)..][..self.live],
        };
        let others = others.iter().enumerate();
        others.filter_map(move |(i, &other)| {
            let extra = *row.get(usize::from(number(other)))?;
            (extra > 0).then_some((extra, i))
        })
    }
}

/// The least extra of each row.
fn least_of(rows: &[u8], size: usize) -> Vec<u8> {
    let least = |row: &[u8]| row.iter().copied().min().unwrap_or(0);
    rows.chunks(size).map(least).collect()
}

/// Removes the rows without extras. Returns the new number of each row; `u32::MAX` for those that are gone.
fn keep_conflicts(rows: &mut Vec<u8>, targets: usize) -> Vec<u32> {
    let (mut numbers, mut kept, size) = (vec![], 0, targets * targets);
    for i in 0..rows.len() / size {
        let row = i * size..(i + 1) * size;
        let mut entries = rows[row.clone()].iter().enumerate();
        let has_some = entries.any(|(j, &e)| e != 0 && j % (targets + 1) != 0);
        numbers.push(if has_some { kept as u32 } else { u32::MAX });
        if has_some {
            rows.copy_within(row, kept * size);
            kept += 1;
        }
    }
    rows.truncate(kept * size);
    rows.shrink_to_fit();
    numbers
}

/// The extras of one state, and of the states one push or pull further.
pub(crate) struct Extras<'a> {
    conflicts: &'a Conflicts,
    boxes: Vec<u16>,
    /// The pairs of the state in conflict, the largest extra first.
    all: Vec<Extra>,
    /// The same for the box that was moved.
    moved: Vec<Extra>,
    is_paired: Vec<bool>,
}

/// An extra and the two boxes that cause it, the later one first.
type Extra = (u8, usize, usize);

impl<'a> Extras<'a> {
    pub(crate) fn new(conflicts: &'a Conflicts) -> Extras<'a> {
        Extras {
            conflicts,
            boxes: vec![],
            all: vec![],
            moved: vec![],
            is_paired: vec![],
        }
    }

    /// What the conflicts of a state add to its bound. After this, `with` does the same for its children.
    pub(crate) fn start(&mut self, boxes: &[u16], player: u16) -> u32 {
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
        self.all.clear();
        for (i, &cell) in boxes.iter().enumerate() {
            let extras = self.conflicts.of(cell, player, &boxes[..i]);
            self.all.extend(extras.map(|(extra, j)| (extra, i, j)));
        }
        self.all.sort_unstable_by(|a, b| b.cmp(a));
        self.moved.clear();
        self.paired(usize::MAX)
    }

    /// What the conflicts add if one box is moved to a cell and the player is on another.
    pub(crate) fn with(&mut self, number: usize, to: u16, player: u16) -> u32 {
        self.moved.clear();
        let extras = self.conflicts.of(to, player, &self.boxes);
        let others = extras.filter(|&(_, other)| other != number);
        let sorted = |(extra, other): (u8, usize)| (extra, number.max(other), number.min(other));
        self.moved.extend(others.map(sorted));
        self.moved.sort_unstable_by(|a, b| b.cmp(a));
        self.paired(number)
    }

    /// The sum of extras of pairs of which no two share a box, the largest first. Pairs in `all` with the box `number`
    /// no longer count.
    fn paired(&mut self, number: usize) -> u32 {
        if self.all.is_empty() && self.moved.is_empty() {
            return 0;
        }
        self.is_paired.clear();
        self.is_paired.resize(self.boxes.len(), false);
        let (mut all, mut moved) = (&self.all[..], &self.moved[..]);
        let mut total = 0;
        loop {
            let is_old = match (all, moved) {
                ([], []) => return total,
                ([old, ..], [new, ..]) => old >= new,
                (_, rest) => rest.is_empty(),
            };
            let from = if is_old { &mut all } else { &mut moved };
            let (extra, a, b) = from[0];
            *from = &from[1..];
            let is_gone = is_old && (a == number || b == number);
            if !is_gone && !self.is_paired[a] && !self.is_paired[b] {
                self.is_paired[a] = true;
                self.is_paired[b] = true;
                total += u32::from(extra);
            }
        }
    }
}

/// The states of two boxes, with the pushes between them.
struct PairGraph {
    live: usize,
    cells: usize,
    /// The state of two boxes, by their numbers, the lower one first, and the player.
    nodes: Vec<u32>,
    /// Where the nodes of a state's boxes begin.
    first: Vec<usize>,
    /// The boxes of each state, in ascending order, and one cell of the player.
    states: Vec<(u16, u16, u16)>,
    /// Pushes, as the state before and the state after, and whether they exchange which box is the lower one.
    pushes: Vec<(u32, u32, bool)>,
}

impl PairGraph {
    fn new(
        field: &Field,
        live: &[u16],
        numbers: &[u16],
        memory: &mut Memory,
    ) -> Result<PairGraph, Stop> {
        let cells = field.len();
        let mut graph = PairGraph {
            live: live.len(),
            cells,
            nodes: vec![u32::MAX; live.len() * live.len() / 2 * cells],
            first: vec![],
            states: vec![],
            pushes: vec![],
        };
        // 1. The states.
        let mut occupied = vec![0; cells + 1];
        occupied[cells] = u16::MAX;
        let mut walk = Walk::new(&field.floor);
        for (i, &a) in live.iter().enumerate() {
            memory.poll_stop()?;
            occupied[usize::from(a)] = 1;
            for (j, &b) in live.iter().enumerate().skip(i + 1) {
                occupied[usize::from(b)] = 1;
                for player in 0..field.wall() {
                    if occupied[usize::from(player)] != 0 || graph.node(i, j, player) != u32::MAX {
                        continue;
                    }
                    walk.from(&field.floor, player, &occupied);
                    let number = graph.states.len() as u32;
                    for &cell in walk.reached() {
                        let at = graph.at(i, j, cell);
                        graph.nodes[at] = number;
                    }
                    graph.states.push((a, b, player));
                    graph.first.push(graph.at(i, j, 0));
                }
                occupied[usize::from(b)] = 0;
            }
            occupied[usize::from(a)] = 0;
        }
        // 2. The pushes.
        for node in 0..graph.states.len() as u32 {
            let (a, b, _) = graph.states[node as usize];
            let (i, j) = (numbers[usize::from(a)], numbers[usize::from(b)]);
            for (moved, other, is_lower) in [(a, b, true), (b, a, false)] {
                for d in 0..4 {
                    let (behind, ahead) = (field.step(moved, back(d)), field.step(moved, d));
                    let to = numbers[usize::from(ahead)];
                    if behind == field.wall() || behind == other || ahead == other || to == NONE {
                        continue;
                    }
                    if graph.node(usize::from(i), usize::from(j), behind) != node {
                        continue;
                    }
                    let rest = numbers[usize::from(other)];
                    let (low, high) = (to.min(rest), to.max(rest));
                    let next = graph.node(usize::from(low), usize::from(high), moved);
                    graph.pushes.push((node, next, is_lower != (to < rest)));
                }
            }
        }
        Ok(graph)
    }

    fn at(&self, low: usize, high: usize, player: u16) -> usize {
        let pair = high * (high - 1) / 2 + low;
        debug_assert!(low < high && high < self.live);
        pair * self.cells + usize::from(player)
    }

    fn node(&self, low: usize, high: usize, player: u16) -> u32 {
        self.nodes[self.at(low, high, player)]
    }

    /// The extras of each state by the target of the lower box and that of the other.
    fn extras(
        &self,
        field: &Field,
        distances: &Distances,
        way: Way,
        memory: &mut Memory,
    ) -> Result<Vec<u8>, Stop> {
        let count = self.states.len();
        // 1. The edges from each state, towards states that are further from the targets.
        let ends = |&(before, after, turned): &(u32, u32, bool)| match way {
            Way::Push => (after, before, turned),
            Way::Pull => (before, after, turned),
        };
        let mut first = vec![0; count + 1];
        for (from, ..) in self.pushes.iter().map(ends) {
            first[from as usize + 1] += 1;
        }
        for i in 0..count {
            first[i + 1] += first[i];
        }
        let mut edges = vec![0; self.pushes.len()];
        let mut next = first.clone();
        for (from, to, turned) in self.pushes.iter().map(ends) {
            edges[next[from as usize]] = 2 * to + u32::from(turned);
            next[from as usize] += 1;
        }
        // 2. The places of both boxes in each state.
        let places: Vec<_> = (self.states.iter())
            .map(|&(a, b, player)| {
                [a, b].map(|cell| distances.place(cell, field.side_of(cell, player)))
            })
            .collect();
        // 3. A search from each pair of targets. A state also says which box is on the lower cell.
        let targets = distances.targets();
        let mut rows = vec![MOST_EXTRA; count * targets * targets];
        let mut extra = vec![u8::MAX; 2 * count];
        let mut open: Vec<Vec<u32>> = vec![vec![]; usize::from(MOST_EXTRA)];
        let mut seen: Vec<u32> = vec![];
        let (starts, player) = match way {
            Way::Push => (&field.goals, None),
            Way::Pull => (&field.boxes, Some(field.player)),
        };
        for second in 0..starts.len() {
            memory.poll_stop()?;
            for one in 0..second {
                let far = |state: u32| {
                    let [low, high] = places[state as usize / 2];
                    let (a, b) = if state & 1 == 0 {
                        (one, second)
                    } else {
                        (second, one)
                    };
                    let (a, b) = (distances.row(low)[a], distances.row(high)[b]);
                    (a != NEVER && b != NEVER).then(|| u32::from(a) + u32::from(b))
                };
                self.open([starts[one], starts[second]], player, &mut open[0]);
                for value in 0..MOST_EXTRA {
                    while let Some(state) = open[usize::from(value)].pop() {
                        if extra[state as usize] <= value {
                            continue;
                        }
                        if extra[state as usize] == u8::MAX {
                            seen.push(state);
                        }
                        extra[state as usize] = value;
                        let node = state as usize / 2;
                        let Some(here) = far(state) else { continue };
                        for &edge in &edges[first[node]..first[node + 1]] {
                            let to = edge ^ (state & 1);
                            let Some(there) = far(to) else { continue };
                            let more = u32::from(value) + here + 1 - there;
                            if more < MOST_EXTRA.into() && u32::from(extra[to as usize]) > more {
                                open[more as usize].push(to);
                            }
                        }
                    }
                }
                for state in seen.drain(..) {
                    let (node, turned) = (state as usize / 2, state & 1 == 1);
                    let (low, high) = if turned { (second, one) } else { (one, second) };
                    rows[(node * targets + low) * targets + high] = extra[state as usize];
                    extra[state as usize] = u8::MAX;
                }
            }
        }
        Ok(rows)
    }

    /// Opens the states in which two boxes are on two targets; those of the start with the player where it starts.
    fn open(&self, [low, high]: [u16; 2], player: Option<u16>, open: &mut Vec<u32>) {
        // States are in the order of their boxes.
        let find = |high: u16| (self.states).partition_point(|&(a, b, _)| (a, b) < (low, high));
        let all = find(high) as u32..find(high + 1) as u32;
        let is_there = |&node: &u32| {
            player.is_none_or(|player| {
                self.nodes[self.first[node as usize] + usize::from(player)] == node
            })
        };
        open.extend(all.filter(is_there).map(|node| 2 * node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::sokoban::fewest_pushes;
    use crate::sokoban::field::position::Position;
    use crate::sokoban::search::optimal::start_bound;
    use crate::sokoban::search::setup::Setup;
    use crate::sokoban::test_levels::pulled_level;
    use noyes_puzzle::sokoban::Level;

    /// The tables of a level, forward and backward; none if it has a single box.
    fn tables(field: &Field) -> Option<[Conflicts; 2]> {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let to_goals = Distances::to_goals(field, &mut memory).expect("no limits");
        let from_start = Distances::from_start(field, &mut memory).expect("no limits");
        let mut of = |way| Conflicts::new(field, [&to_goals, &from_start], way, &mut memory);
        let both = [of(Way::Push), of(Way::Pull)].map(|table| table.expect("no limits"));
        let [Some(forward), Some(backward)] = both else {
            return None;
        };
        Some([forward, backward])
    }

    /// The level with two of its boxes and two of its goals.
    fn two_boxes(level: &Level, boxes: [u16; 2], goals: [u16; 2]) -> Level {
        let cells = 0..level.cells() as u16;
        let walls: Vec<bool> = cells.clone().map(|c| !level.is_floor(c)).collect();
        let is_goal: Vec<bool> = cells.map(|c| goals.contains(&c)).collect();
        let player = level.players()[0];
        Level::new(level.width(), &walls, &is_goal, &boxes, &[player]).expect("a level")
    }

    #[test]
    fn with_extras_the_bound_of_two_boxes_is_never_too_high_and_sometimes_exact_only_with_them() {
        let control = Control::new();
        let (mut exact, mut only_with) = (0, 0);
        for whole in (0..300).map(pulled_level) {
            let goals: Vec<u16> = whole.goals().collect();
            let pairs = (0..4).flat_map(|i| (0..i).map(move |j| (j, i)));
            for ((a, b), (g, h)) in pairs.clone().zip(pairs.cycle().skip(1)) {
                let boxes = [whole.boxes()[a], whole.boxes()[b]];
                let level = two_boxes(&whole, boxes, [goals[g], goals[h]]);
                let field = Field::new(&level);
                let optimum = fewest_pushes(&level, &control).outcome.bounds.upper;
                let (Some(optimum), Some([to_goals, _])) = (optimum, tables(&field)) else {
                    continue;
                };
                let setup = Setup::new(&level, &mut Memory::new(&control)).expect("no limits");
                let plain = start_bound(&setup);
                let bound = plain + Extras::new(&to_goals).start(&field.boxes, field.player);
                assert!(bound <= optimum, "{level:?}");
                exact += u32::from(bound == optimum);
                only_with += u32::from(bound == optimum && plain < optimum);
            }
        }
        assert!(exact > 100 && only_with > 0, "{exact} {only_with}");
    }

    #[test]
    fn children_have_the_extras_that_they_have_as_states() {
        let (mut some, mut none) = (0, 0);
        for level in (0..300).map(pulled_level) {
            let field = Field::new(&level);
            let mut position = Position::start(&field);
            let mut walk = Walk::new(&field.floor);
            walk.from(&field.floor, position.player, &position.occupied);
            for conflicts in tables(&field).iter().flatten() {
                let mut extras = Extras::new(conflicts);
                extras.start(&field.boxes, field.player);
                for (number, &cell) in field.boxes.iter().enumerate() {
                    for d in 0..4 {
                        let (behind, to) = (field.step(cell, back(d)), field.step(cell, d));
                        if !walk.reaches(behind) || position.occupied[usize::from(to)] != 0 {
                            continue;
                        }
                        let child = extras.with(number, to, cell);
                        position.shift(number, to);
                        let state = Extras::new(conflicts).start(&position.boxes, cell);
                        position.shift(number, cell);
                        assert_eq!(child, state, "{level:?}");
                        some += u32::from(child > 0);
                        none += u32::from(child == 0);
                    }
                }
            }
        }
        assert!(some > 20 && none > 100, "{some} {none}");
    }
}
