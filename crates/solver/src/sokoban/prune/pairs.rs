//! Deadlocks of two boxes: pairs that are part of no plan.
//!
//! Remove all boxes but two. Every plan for all boxes is then also a plan for these
//! two, and the player walks at least as freely. So suppose that two boxes alone,
//! on given cells with the player on a given cell, cannot get to two goals. Then
//! every state that contains this pair is dead, whatever its other boxes. The same
//! holds for a pair that cannot have come from any two boxes of the start; on a
//! symmetric level, the start may be any of its images. Two searches over the
//! states of two boxes find both: pulls from all pairs of goals, and pushes from all
//! pairs of boxes of the start. Pairs that both searches reach can be part of a
//! plan. All others are *lost*, and end a path both forward and backward.
//!
//! This requires that every box has to reach a goal: with boxes to spare, no pair
//! is lost. While neither box of a pair moves, the player stays in the same part of
//! the floor that two boxes leave. So after a push, only pairs with the pushed box
//! have to be tested.
//!
//! For each cell of a box and of the player there is a row of bits, one for each
//! cell of another box, so one lookup tests all other boxes. Filling the table takes
//! about two walks for each pair of cells. A search fills it only after it has made
//! several times as many walks itself, so that small levels do without.
//!
//! Deadlock patterns of any number of boxes, found by search, are in Junghanns,
//! Schaeffer: Sokoban: Enhancing general single-agent search methods using domain
//! knowledge. Artificial Intelligence 129, 2001.

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// A search fills the table after this many times the walks that filling it takes. With 1, Boxoban's small levels take
/// about 6 % longer than without a table; with 8, no longer.
const PATIENCE: usize = 8;
/// The largest table.
const MOST_BYTES: usize = 4 << 20;
/// Walks between two polls of the limits.
const PACE: u32 = 1 << 8;
/// Marks a cell where a box is dead.
const NONE: u16 = u16::MAX;

/// Which pairs of boxes are lost.
pub(crate) struct Pairs {
    /// The number of each cell among the live ones; `NONE` for the others.
    numbers: Vec<u16>,
    /// The number of floor cells.
    cells: usize,
    /// The number of words in a row.
    words: usize,
    /// Whether a pair is lost, by box, player and other box.
    lost: Vec<u64>,
}

impl Pairs {
    /// After how many walks of a search the table is worthwhile; none if no pair can be lost or the table would be too
    /// large.
    pub(crate) fn patience(field: &Field, distances: &Distances) -> Option<usize> {
        let live = (0..field.wall()).filter(|&c| distances.is_live(c)).count();
        let bytes = 8 * live * field.len() * live.div_ceil(64);
        let some = field.boxes.len() == field.goals.len() && field.boxes.len() >= 2;
        (some && bytes <= MOST_BYTES).then_some(PATIENCE * live * live)
    }

    /// Finds the lost pairs of a level for which `patience` gave a number; none if there is not enough memory.
    pub(crate) fn new(
        field: &Field,
        distances: &Distances,
        symmetries: &[Vec<u16>],
        memory: &mut Memory,
    ) -> Result<Option<Pairs>, Stop> {
        let mut numbers = vec![NONE; field.len() + 1];
        let mut live = 0;
        for cell in (0..field.wall()).filter(|&c| distances.is_live(c)) {
            numbers[usize::from(cell)] = live;
            live += 1;
        }
        let live = usize::from(live);
        let mut pairs = Pairs {
            numbers,
            cells: field.len(),
            words: live.div_ceil(64),
            lost: vec![],
        };
        let size = live * field.len() * pairs.words;
        let bytes = 2 * 8 * size + 16 * live * live; // two tables, and the open states
        if memory.claim(bytes).is_err() {
            return Ok(None);
        }
        // 1. Pairs that can be reached from the start or from an image of it.
        let mut from_start = PairSearch::new(field, &pairs, Way::Push, size);
        from_start.spread(&field.boxes, field.player, memory)?;
        for map in symmetries {
            let image = |&cell: &u16| map[usize::from(cell)];
            let boxes: Vec<u16> = field.boxes.iter().map(image).collect();
            from_start.spread(&boxes, image(&field.player), memory)?;
        }
        let reached = from_start.seen;
        // 2. Pairs that can get to goals, wherever the player ends.
        let mut to_goals = PairSearch::new(field, &pairs, Way::Pull, size);
        for player in 0..field.wall() {
            to_goals.spread(&field.goals, player, memory)?;
        }
        // 3. All other pairs are lost.
        let mut lost = to_goals.seen;
        for (lost, reached) in lost.iter_mut().zip(&reached) {
            *lost = !(*lost & reached);
        }
        memory.release(bytes);
        pairs.lost = lost;
        Ok(Some(pairs))
    }

    /// The size of the table.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.lost.len()
    }

    /// Writes the cells of boxes as bits.
    pub(crate) fn write(&self, boxes: &[u16], bits: &mut Vec<u64>) {
        bits.clear();
        bits.resize(self.words, 0);
        for &cell in boxes {
            let number = self.numbers[usize::from(cell)];
            if number != NONE {
                bits[usize::from(number / 64)] |= 1 << (number % 64);
            }
        }
    }

    /// Whether a box that moves from one cell to another, which leaves the player on this cell, forms a lost pair with
    /// one of the other boxes in `bits`.
    #[inline]
    pub(crate) fn has_lost(&self, bits: &[u64], from: u16, to: u16, player: u16) -> bool {
        let number = usize::from(self.numbers[usize::from(to)]);
        let own = usize::from(self.numbers[usize::from(from)]);
        if number == usize::from(NONE) {
            return false;
        }
        let row = &self.lost[self.row(number, player)..][..self.words];
        row.iter().zip(bits).enumerate().any(|(i, (lost, bits))| {
            let own = if own / 64 == i { 1 << (own % 64) } else { 0 };
            lost & bits & !own != 0
        })
    }

    /// The start of the row for a box, given by its number, and the player.
    #[inline]
    fn row(&self, number: usize, player: u16) -> usize {
        (number * self.cells + usize::from(player)) * self.words
    }

    /// The word and the bit for a box, the player and another box.
    fn bit(&self, a: u16, player: u16, b: u16) -> (usize, u64) {
        let number = |cell: u16| usize::from(self.numbers[usize::from(cell)]);
        let row = self.row(number(a), player);
        (row + number(b) / 64, 1 << (number(b) % 64))
    }
}

/// A search over the states of two boxes. It marks them in a table with the layout of the one for lost pairs.
struct PairSearch<'a> {
    field: &'a Field,
    pairs: &'a Pairs,
    way: Way,
    seen: Vec<u64>,
    /// Open states: two boxes and the player.
    open: Vec<(u16, u16, u16)>,
    occupied: Vec<u16>,
    walk: Walk,
    walks: u32,
}

impl<'a> PairSearch<'a> {
    fn new(field: &'a Field, pairs: &'a Pairs, way: Way, words: usize) -> PairSearch<'a> {
        let mut occupied = vec![0; field.len() + 1];
        occupied[field.len()] = u16::MAX;
        PairSearch {
            field,
            pairs,
            way,
            seen: vec![0; words],
            open: vec![],
            occupied,
            walk: Walk::new(&field.floor),
            walks: 0,
        }
    }

    /// Reaches all states that follow from any two of these boxes.
    fn spread(&mut self, boxes: &[u16], player: u16, memory: &Memory) -> Result<(), Stop> {
        for (i, &a) in boxes.iter().enumerate() {
            for &b in &boxes[..i] {
                if player != a && player != b {
                    self.open(a, b, player);
                }
            }
        }
        while let Some((a, b, player)) = self.open.pop() {
            if !self.is_new(a, b, player) {
                continue;
            }
            self.walks += 1;
            if self.walks.is_multiple_of(PACE) {
                memory.poll_stop()?;
            }
            self.occupied[usize::from(a)] = 1;
            self.occupied[usize::from(b)] = 1;
            self.expand(a, b, player);
            self.occupied[usize::from(a)] = 0;
            self.occupied[usize::from(b)] = 0;
        }
        Ok(())
    }

    /// Marks a state with the player on every cell it can walk to, and opens the states one push or pull further.
    fn expand(&mut self, a: u16, b: u16, player: u16) {
        let field = self.field;
        self.walk.from(&field.floor, player, &self.occupied);
        for &player in self.walk.reached() {
            for (a, b) in [(a, b), (b, a)] {
                let (word, bit) = self.pairs.bit(a, player, b);
                self.seen[word] |= bit;
            }
        }
        for (moved, other) in [(a, b), (b, a)] {
            for d in 0..4 {
                let behind = field.step(moved, back(d));
                let ahead = field.step(moved, d);
                let far = field.step(behind, back(d));
                let (to, player, room) = match self.way {
                    Way::Push => (ahead, moved, ahead),
                    Way::Pull => (behind, far, far),
                };
                if self.walk.reaches(behind) && self.occupied[usize::from(room)] == 0 {
                    self.open(to, other, player);
                }
            }
        }
    }

    /// Opens a state if it is new and both boxes are on live cells.
    fn open(&mut self, a: u16, b: u16, player: u16) {
        let is_live = |cell: u16| self.pairs.numbers[usize::from(cell)] != NONE;
        if is_live(a) && is_live(b) && self.is_new(a, b, player) {
            self.open.push((a, b, player));
        }
    }

    fn is_new(&self, a: u16, b: u16, player: u16) -> bool {
        let (word, bit) = self.pairs.bit(a, player, b);
        self.seen[word] & bit == 0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use noyes_puzzle::sokoban::Level;
    use noyes_puzzle::tiles::Direction;

    use super::*;
    use crate::control::Control;
    use crate::sokoban::prune::symmetry::symmetries;
    use crate::sokoban::test_levels::{pulled_level, random_level, read};

    /// Two boxes in ascending order, and the player.
    type TwoBoxes = ([u16; 2], u16);

    /// All states that the player can reach, by the plain rules.
    fn after(level: &Level, start: TwoBoxes) -> HashSet<TwoBoxes> {
        let mut seen = HashSet::from([start]);
        let mut open = vec![start];
        while let Some((boxes, player)) = open.pop() {
            for d in Direction::ALL {
                let Some(to) = level.neighbour(player, d) else {
                    continue;
                };
                let mut next = boxes;
                if let Some(pushed) = next.iter_mut().find(|b| **b == to) {
                    match level.neighbour(to, d) {
                        Some(beyond) if !boxes.contains(&beyond) => *pushed = beyond,
                        _ => continue,
                    }
                }
                next.sort_unstable();
                if seen.insert((next, to)) {
                    open.push((next, to));
                }
            }
        }
        seen
    }

    /// Compares every pair and player with brute force. Returns how many are lost, and how many are not.
    fn compare(level: &Level) -> (u32, u32) {
        let field = Field::new(level);
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
        if Pairs::patience(&field, &distances).is_none() {
            return (0, 0);
        }
        let maps = symmetries(level, &field);
        let pairs = Pairs::new(&field, &distances, &maps, &mut memory).expect("no limits");
        let pairs = pairs.expect("memory");
        let cell = |c: u16| field.floor.cells[usize::from(c)];
        let sorted = |a: u16, b: u16| [cell(a).min(cell(b)), cell(a).max(cell(b))];
        // 1. What can be reached from the start and its images with only two of the boxes.
        let mut reached = HashSet::new();
        let images = (maps.iter())
            .map(|map| Box::new(|c: u16| map[usize::from(c)]) as Box<dyn Fn(u16) -> u16>);
        for image in images.chain([Box::new(|c: u16| c) as Box<dyn Fn(u16) -> u16>]) {
            for &a in &field.boxes {
                for &b in field.boxes.iter().filter(|&&b| b > a) {
                    let start = (sorted(image(a), image(b)), cell(image(field.player)));
                    if !reached.contains(&start) {
                        reached.extend(after(level, start));
                    }
                }
            }
        }
        // 2. Whether that leads to goals.
        let is_solved = |(boxes, _): &TwoBoxes| boxes.iter().all(|&b| level.is_goal(b));
        let (mut lost, mut kept) = (0, 0);
        let mut bits = vec![];
        for a in 0..field.wall() {
            for b in (0..field.wall()).filter(|&b| b != a) {
                for player in (0..field.wall()).filter(|&p| p != a && p != b) {
                    let state = (sorted(a, b), cell(player));
                    let of_use =
                        reached.contains(&state) && after(level, state).iter().any(is_solved);
                    pairs.write(&[b], &mut bits);
                    let is_lost = pairs.has_lost(&bits, a, a, player);
                    if distances.is_live(a) && distances.is_live(b) {
                        assert_eq!(is_lost, !of_use, "{level:?} {a} {b} {player}");
                        lost += u32::from(is_lost);
                        kept += u32::from(!is_lost);
                    } else {
                        assert!(!is_lost && !of_use, "{level:?} {a} {b} {player}");
                    }
                }
            }
        }
        (lost, kept)
    }

    #[test]
    fn pairs_are_lost_exactly_where_brute_force_finds_no_plan_through_them() {
        let (mut lost, mut kept) = (0, 0);
        for level in (0..400).map(random_level) {
            let (more_lost, more_kept) = compare(&level);
            lost += more_lost;
            kept += more_kept;
        }
        assert!(lost > 1000 && kept > 1000, "{lost} lost, {kept} kept");
    }

    #[test]
    fn a_symmetric_level_may_start_from_its_images() {
        let level = read(&[
            "#######", "#@    #", "# $   #", "# .$. #", "#     #", "#######",
        ]);
        assert_eq!(symmetries(&level, &Field::new(&level)).len(), 1);
        assert!(compare(&level).1 > 0);
    }

    #[test]
    fn boxes_to_spare_make_no_pair_lost() {
        let level = read(&["######", "#@$ .#", "# $  #", "######"]);
        let field = Field::new(&level);
        let control = Control::new();
        let distances = Distances::to_goals(&field, &mut Memory::new(&control)).expect("no limits");
        assert_eq!(Pairs::patience(&field, &distances), None);
    }

    #[test]
    fn no_state_of_a_known_plan_has_a_lost_pair() {
        use crate::sokoban::fewest_moves;
        let control = Control::new();
        let mut looked = 0;
        for level in (0..200).map(pulled_level) {
            let Some(plan) = fewest_moves(&level, &control).outcome.plan else {
                continue;
            };
            let field = Field::new(&level);
            let mut memory = Memory::new(&control);
            let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
            if Pairs::patience(&field, &distances).is_none() {
                continue;
            }
            let maps = symmetries(&level, &field);
            let pairs = Pairs::new(&field, &distances, &maps, &mut memory).expect("no limits");
            let pairs = pairs.expect("memory");
            let (mut boxes, mut player) = (field.boxes.clone(), field.player);
            let mut bits = vec![];
            for direction in plan {
                let d = direction as usize;
                player = field.step(player, d);
                if let Some(pushed) = boxes.iter_mut().find(|b| **b == player) {
                    *pushed = field.step(player, d);
                }
                pairs.write(&boxes, &mut bits);
                for &cell in &boxes {
                    assert!(!pairs.has_lost(&bits, cell, cell, player), "{level:?}");
                    looked += 1;
                }
            }
        }
        assert!(looked > 5_000, "{looked}");
    }
}
