//! The lower bound of a search: the cheapest matching from one end, with frozen
//! boxes as walls.
//!
//! Forward, boxes are matched with goals. A push may freeze boxes: if they are off
//! goals the state is dead, and on goals they are walls from then on. Backward,
//! boxes are matched with those of the start. A state stands for its images under
//! the level's symmetries, so there the bound is the least over all images. In both
//! directions a state is dead if two of its boxes are a lost pair. A long search adds
//! the conflicts of pairs of boxes to the matching without frozen boxes. When it expands
//! a state, it also finds the penalties of pairs and groups, which take longer.

use super::setup::Setup;
use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::conflicts::{Conflicts, Extras};
use crate::sokoban::bound::distance::{Distances, Place, Way};
use crate::sokoban::bound::groups::Groups;
use crate::sokoban::bound::matching::Matching;
use crate::sokoban::bound::penalties::Penalties;
use crate::sokoban::field::position::Position;
use crate::sokoban::prune::freeze::Freeze;
use crate::sokoban::prune::frozen::{Variant, Variants};
use crate::sokoban::prune::pairs::Pairs;

/// The lower bound of one state, and of the states one push or pull further.
pub(crate) struct PushBound<'a> {
    setup: &'a Setup,
    distances: &'a Distances,
    way: Way,
    /// One for each image of the start that makes a difference.
    matching: Vec<Matching>,
    fresh: Matching,
    freeze: Freeze,
    variants: Variants,
    /// The frozen boxes of the state, and the number of the level's variant in which they are walls.
    frozen: Vec<u16>,
    variant: Option<u32>,
    places: Vec<Place>,
    /// The places of the last state with frozen boxes as walls, if it has any and `needs_plain` is set.
    walled: Vec<Place>,
    pairs: Option<&'a Pairs>,
    /// The number of states examined while `pairs` was not there yet.
    looks: usize,
    /// The boxes of the state, as a list and as bits.
    boxes: Vec<u16>,
    bits: Vec<u64>,
    extras: Option<Extras<'a>>,
    penalties: Option<Penalties<'a>>,
    /// The matching of the state that `start` has looked at last.
    matched: u32,
    /// The matching without frozen boxes, if there are any and it is needed.
    plain: Matching,
    needs_plain: bool,
    /// The bound of the matching without frozen boxes, of the state that `start` or `with` has looked at last.
    pub(crate) plain_bound: u32,
}

impl<'a> PushBound<'a> {
    /// The bound of a forward search, given distances to the goals, or of a backward one, given those from the start.
    pub(crate) fn new(setup: &'a Setup, distances: &'a Distances, way: Way) -> PushBound<'a> {
        let boxes = setup.field.boxes.len();
        let images = match way {
            Way::Push => 1,
            Way::Pull => 1 + setup.turns.len(),
        };
        PushBound {
            setup,
            distances,
            way,
            matching: (0..images).map(|_| Matching::new(boxes)).collect(),
            fresh: Matching::new(boxes),
            freeze: Freeze::new(&setup.field),
            variants: Variants::default(),
            frozen: vec![],
            variant: None,
            places: vec![],
            walled: vec![],
            pairs: None,
            looks: 0,
            boxes: vec![],
            bits: vec![],
            extras: None,
            penalties: None,
            matched: 0,
            plain: Matching::new(boxes),
            needs_plain: false,
            plain_bound: 0,
        }
    }

    /// From now on finds `plain_bound`, too, and adds conflicts to the bound if there are any.
    pub(crate) fn refine(&mut self, conflicts: Option<&'a Conflicts>) {
        self.needs_plain = true;
        self.extras = conflicts.map(Extras::new);
        // Backward, the start may be any of its images, of which groups know nothing.
        let is_fixed = self.way == Way::Push || self.setup.turns.is_empty();
        self.penalties = is_fixed.then(|| {
            let groups = Groups::new(&self.setup.field, self.distances, self.way);
            Penalties::new(conflicts, groups)
        });
    }

    /// The bound of a state; none if it is dead. After this, `with` gives the bounds of its children.
    pub(crate) fn start(
        &mut self,
        position: &Position,
        memory: &mut Memory,
    ) -> Result<Option<u32>, Stop> {
        let mut least = None;
        self.find_pairs(position, memory)?;
        if self.way == Way::Push {
            self.find_frozen(position);
            self.variant = self.number(memory)?;
        }
        for image in 0..self.matching.len() {
            self.find_places(position, image);
            let bound = match self.variant {
                None => self.matching[image].start(self.distances, &self.places),
                Some(number) => {
                    let distances = &self.variants.get(number).distances;
                    self.matching[image].start(distances, &self.places)
                }
            };
            least = [least, bound].into_iter().flatten().min();
        }
        self.plain_bound = least.unwrap_or(0);
        if self.needs_plain && self.variant.is_some() {
            let before = self.variant.take();
            std::mem::swap(&mut self.places, &mut self.walled);
            self.find_places(position, 0);
            self.variant = before;
            let plain = self.plain.start(self.distances, &self.places);
            self.plain_bound = plain.unwrap_or(0);
        }
        let extras = self.extras.as_mut();
        let extra = extras.map_or(0, |extras| extras.start(&position.boxes, position.player));
        self.matched = least.unwrap_or(0);
        let penalty = match least {
            Some(_) => self.penalty(position, memory),
            None => 0,
        };
        Ok(least.map(|least| (least + penalty).max(self.plain_bound + extra)))
    }

    /// What penalties add to the matching of the state that `start` has just matched.
    fn penalty(&mut self, position: &Position, memory: &mut Memory) -> u32 {
        let Some(penalties) = &mut self.penalties else {
            return 0;
        };
        let matching = &self.matching[0];
        let Some(number) = self.variant else {
            return penalties.of(matching, position, |_, _| 0, memory);
        };
        let variant = self.variants.get(number);
        let (walled, plain) = (&self.walled, &self.places);
        let detour = |i: usize, goal| detour(variant, walled[i], self.distances, plain[i], goal);
        penalties.of(matching, position, detour, memory)
    }

    /// Notes that the state that `start` has just looked at exceeds the limit of the search by this much.
    pub(crate) fn note_excess(&mut self, excess: u32) {
        if let Some(penalties) = &mut self.penalties {
            penalties.note_excess(excess);
        }
    }

    /// Whether the state that `start` has just looked at needs more pushes than this in a long search.
    pub(crate) fn exceeds(&mut self, most: u32) -> bool {
        let Some(penalties) = &mut self.penalties else {
            return false;
        };
        let matching = &self.matching[0];
        let more = most.saturating_sub(self.matched);
        let Some(number) = self.variant else {
            return penalties.exceed(matching, more, &|_, _| 0);
        };
        let variant = self.variants.get(number);
        let (walled, plain) = (&self.walled, &self.places);
        let detour = |i: usize, goal| detour(variant, walled[i], self.distances, plain[i], goal);
        penalties.exceed(matching, more, &detour)
    }

    /// The bound of the same state with one box moved to `to` and the player on cell `player`, on this side of the box;
    /// none if that state is dead.
    #[inline]
    pub(crate) fn with(&mut self, number: usize, to: u16, player: u16, side: usize) -> Option<u32> {
        if let Some(pairs) = self.pairs
            && pairs.has_lost(&self.bits, self.boxes[number], to, player)
        {
            return None;
        }
        let (field, distances) = match self.variant {
            None => (&self.setup.field, self.distances),
            Some(number) => {
                let variant = self.variants.get(number);
                (&variant.field, &variant.distances)
            }
        };
        let mut least = None;
        for (image, matching) in self.matching.iter_mut().enumerate() {
            let place = if image == 0 {
                distances.place(to, side)
            } else {
                let map = &self.setup.turns[image - 1];
                let (to, player) = (map[usize::from(to)], map[usize::from(player)]);
                distances.place(to, field.side_of(to, player))
            };
            if self.setup.surplus == 0 && distances.is_dead(place) {
                continue;
            }
            let bound = matching.with(distances, number, place);
            least = [least, bound].into_iter().flatten().min();
        }
        let least = least?;
        self.plain_bound = least;
        if self.needs_plain && self.variant.is_some() {
            let place = self.distances.place(to, side);
            self.plain_bound = self.plain.with(self.distances, number, place)?;
        }
        let extras = self.extras.as_mut();
        let extra = extras.map_or(0, |extras| extras.with(number, to, player));
        Some(least.max(self.plain_bound + extra))
    }

    /// The final bound of the child in `position`, whose last push went to `to` and for which `with` gave `h`; none if
    /// it is dead.
    pub(crate) fn settle(
        &mut self,
        position: &Position,
        to: u16,
        h: u32,
        memory: &mut Memory,
    ) -> Result<Option<u32>, Stop> {
        let Setup {
            field,
            distances,
            surplus,
            ..
        } = self.setup;
        if self.way == Way::Pull {
            return Ok(Some(h));
        }
        let cluster = (self.freeze).cluster(field, distances, &position.occupied, to);
        if cluster.is_empty() {
            return Ok(Some(h));
        }
        let lost = cluster
            .iter()
            .filter(|&&c| !field.floor.is_goal[usize::from(c)]);
        if lost.count() > *surplus {
            return Ok(None);
        }
        let known = self.frozen.len();
        for &cell in cluster {
            if !self.frozen[..known].contains(&cell) {
                self.frozen.push(cell);
            }
        }
        let number = self.number(memory)?;
        self.frozen.truncate(known);
        let Some(number) = number else {
            return Ok(Some(h));
        };
        let before = self.variant.replace(number);
        self.find_places(position, 0);
        self.variant = before;
        let distances = &self.variants.get(number).distances;
        let bound = self.fresh.start(distances, &self.places);
        Ok(bound.map(|bound| bound.max(h)))
    }

    /// Uses pairs of boxes once the search has run for a while.
    fn find_pairs(&mut self, position: &Position, memory: &mut Memory) -> Result<(), Stop> {
        if self.pairs.is_none() {
            self.looks += 1;
            let pairs = self.setup.pairs(self.looks, memory)?;
            self.pairs = pairs.filter(|pairs| memory.claim(pairs.bytes()).is_ok());
        }
        if let Some(pairs) = self.pairs {
            self.boxes.clone_from(&position.boxes);
            pairs.write(&position.boxes, &mut self.bits);
        }
        Ok(())
    }

    /// Finds the boxes that are frozen on goals, with those that are frozen together with them.
    fn find_frozen(&mut self, position: &Position) {
        let Setup {
            field, distances, ..
        } = self.setup;
        self.frozen.clear();
        for &cell in &position.boxes {
            if field.floor.is_goal[usize::from(cell)] && !self.frozen.contains(&cell) {
                let cluster = (self.freeze).cluster(field, distances, &position.occupied, cell);
                for &cell in cluster {
                    if !self.frozen.contains(&cell) {
                        self.frozen.push(cell);
                    }
                }
            }
        }
    }

    /// The number of the level's variant in which the boxes in `frozen` are walls.
    fn number(&mut self, memory: &mut Memory) -> Result<Option<u32>, Stop> {
        if self.frozen.is_empty() {
            return Ok(None);
        }
        let mut sorted = self.frozen.clone();
        sorted.sort_unstable();
        self.variants.number(&self.setup.field, &sorted, memory)
    }

    fn find_places(&mut self, position: &Position, image: usize) {
        let (field, distances) = match self.variant {
            None => (&self.setup.field, self.distances),
            Some(number) => {
                let variant = self.variants.get(number);
                (&variant.field, &variant.distances)
            }
        };
        let of = |cell: u16| match image {
            0 => cell,
            _ => self.setup.turns[image - 1][usize::from(cell)],
        };
        let player = of(position.player);
        let place = |&cell: &u16| {
            let cell = of(cell);
            distances.place(cell, field.side_of(cell, player))
        };
        self.places.clear();
        self.places.extend(position.boxes.iter().map(place));
    }
}

/// How many more pushes it is to a goal from a place with frozen boxes as walls than from the same place without.
fn detour(
    variant: &Variant,
    walled: Place,
    distances: &Distances,
    plain: Place,
    goal: usize,
) -> u8 {
    // A box that frozen boxes part from the player has no side, so its distance may seem to be less.
    let more = variant.distances.row(walled)[goal].saturating_sub(distances.row(plain)[goal]);
    more.min(u8::MAX.into()) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::sokoban::all_states::{State, states};
    use crate::sokoban::search::optimal::counts_suffice;
    use crate::sokoban::test_levels::{crowded_level, pulled_level, random_level};
    use noyes_puzzle::sokoban::Level;

    /// Compares the bounds of all states of a level with the pushes that they need. Returns how many bounds
    /// only a refined search has, forward and backward.
    fn check(level: &Level) -> [u32; 2] {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let mut higher = [0; 2];
        if !counts_suffice(level) {
            return higher;
        }
        let setup = Setup::new(level, &mut memory).expect("no limits");
        if setup.surplus > 0 {
            return higher;
        }
        let from_start = Distances::from_start(&setup.field, &mut memory).expect("no limits");
        let both = [&setup.distances, &from_start];
        let Some(all) = states(&setup.field) else {
            return higher;
        };
        let mut position = Position::start(&setup.field);
        for (side, way) in [Way::Push, Way::Pull].into_iter().enumerate() {
            if way == Way::Pull && !setup.turns.is_empty() {
                continue;
            }
            let conflicts = Conflicts::new(&setup.field, both, way, &mut memory);
            let conflicts = conflicts.expect("no limits");
            let mut plain = PushBound::new(&setup, both[side], way);
            let mut refined = PushBound::new(&setup, both[side], way);
            refined.refine(conflicts.as_ref());
            for State {
                boxes,
                player,
                pushes,
                left,
            } in &all
            {
                let exact = match way {
                    Way::Push => *left,
                    Way::Pull => left.and(Some(*pushes)),
                };
                position.set(boxes, *player);
                let bound = refined.start(&position, &mut memory).expect("no limits");
                let Some(exact) = exact else {
                    continue;
                };
                let bound = bound.expect("it has a plan");
                assert!(!refined.exceeds(exact), "{level:?} {boxes:?}");
                higher[side] += u32::from(exact > bound && refined.exceeds(exact - 2));
                assert!(
                    bound <= exact,
                    "{way:?} {bound} {exact} {level:?} {boxes:?}"
                );
                assert_eq!(bound % 2, exact % 2, "{level:?} {boxes:?}");
                let before = plain.start(&position, &mut memory).expect("no limits");
                higher[side] += u32::from(Some(bound) > before);
            }
        }
        higher
    }

    #[test]
    fn a_refined_bound_is_never_too_high_and_often_higher() {
        let mut higher = [0; 2];
        let levels = (0..2000).map(random_level);
        let levels = levels.chain((0..600).map(pulled_level));
        for level in levels.chain((0..1500).map(crowded_level)) {
            let more = check(&level);
            higher = [higher[0] + more[0], higher[1] + more[1]];
        }
        assert!(higher[0] > 1000 && higher[1] > 1000, "{higher:?}");
    }
}
