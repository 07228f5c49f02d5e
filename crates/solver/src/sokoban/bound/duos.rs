//! Duos: a cell of the player together with a cell of a box, and how steps change them.
//!
//! Only those count in which the box can come from the start and can get to a goal, if it
//! were alone. No plan has any other.

use super::distance::Distances;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::floor::back;
use crate::sokoban::search::setup::Setup;

/// The duos of a level, numbered.
pub(super) struct Duos<'a> {
    pub(super) field: &'a Field,
    symmetries: &'a [Vec<u16>],
    /// For each cell of the player and each cell of a box, the number that the duo shares with its images.
    numbers: Vec<Option<u32>>,
    pub(super) count: usize,
}

/// A step of the player onto a free cell or a box.
pub(super) struct Step {
    pub(super) from: u16,
    pub(super) to: u16,
    /// Where the other boxes can be.
    pub(super) others: Vec<u16>,
    /// The cell to which a box on `to` is pushed, if that is possible.
    pub(super) pushed: Option<u16>,
}

impl<'a> Duos<'a> {
    /// Numbers the duos in which the box can come from the start and can get to a goal.
    pub(super) fn new(setup: &'a Setup, from_start: &Distances) -> Duos<'a> {
        let Setup {
            field,
            distances,
            symmetries,
            ..
        } = setup;
        let cells = field.len();
        let lives = |player: u16, cell: u16| {
            let place = distances.place(cell, field.side_of(cell, player));
            player != cell && !distances.is_dead(place) && !from_start.is_dead(place)
        };
        let mut duos = Duos {
            field,
            symmetries,
            numbers: vec![None; cells * cells],
            count: 0,
        };
        for player in 0..field.wall() {
            for cell in 0..field.wall() {
                if lives(player, cell) && duos.number(player, cell).is_none() {
                    let number = Some(duos.count as u32);
                    duos.count += 1;
                    for (player, cell) in duos.images(player, cell) {
                        duos.numbers[usize::from(player) * cells + usize::from(cell)] = number;
                    }
                }
            }
        }
        duos
    }

    /// The numbers of all duos, by cell of the player and then by cell of the box.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Option<u32>> {
        self.numbers.iter().copied()
    }

    pub(super) fn number(&self, player: u16, cell: u16) -> Option<u32> {
        self.numbers[usize::from(player) * self.field.len() + usize::from(cell)]
    }

    /// Two cells and their images.
    fn images(&self, one: u16, two: u16) -> Vec<(u16, u16)> {
        let image = |map: &Vec<u16>| (map[usize::from(one)], map[usize::from(two)]);
        let images = self.symmetries.iter().map(image);
        images.chain([(one, two)]).collect()
    }

    /// All steps that a plan can have; of images only one.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step> {
        let cells = || 0..self.field.wall();
        let ways = cells().flat_map(|from| (0..4).map(move |d| (from, d)));
        ways.filter_map(move |(from, d)| {
            let to = self.field.step(from, d);
            let is_first = || self.images(from, to).into_iter().min() == Some((from, to));
            if to == self.field.wall() || !is_first() {
                return None;
            }
            let is_duo = |c: &u16| *c != to && self.number(from, *c).is_some();
            let pushed = self.field.step(to, d);
            let can_push = pushed != self.field.wall()
                && self.number(from, to).is_some()
                && self.number(to, pushed).is_some();
            Some(Step {
                from,
                to,
                others: cells().filter(is_duo).collect(),
                pushed: can_push.then_some(pushed),
            })
        })
    }

    /// The cells on which the player can be after the last push.
    pub(super) fn ends(&self) -> Vec<u16> {
        let Field { floor, goals, .. } = self.field;
        let mut ends: Vec<u16> = vec![];
        for (goal, d) in goals
            .iter()
            .flat_map(|&goal| (0..4).map(move |d| (goal, d)))
        {
            let player = floor.step(goal, back(d));
            let is_new = !floor.is_goal[usize::from(player)] && !ends.contains(&player);
            if is_new && floor.step(player, back(d)) != floor.wall() {
                ends.push(player);
            }
        }
        ends.retain(|&p| goals.iter().all(|&goal| self.number(p, goal).is_some()));
        ends
    }
}

/// How many duos change with the steps of a level, at most: the size of its program.
pub(crate) fn changes(setup: &Setup) -> usize {
    let Setup {
        field, distances, ..
    } = setup;
    let live = (0..field.wall()).filter(|&c| distances.is_live(c)).count();
    let steps = field.floor.next.iter().flatten();
    steps.filter(|&&to| to != field.wall()).count() * live
}
