//! The lower bound of a search: the cheapest matching from one end, with frozen
//! boxes as walls.
//!
//! Forward, boxes are matched with goals. A push may freeze boxes: if they are off
//! goals the state is dead, and on goals they are walls from then on. Backward,
//! boxes are matched with those of the start. A state stands for its images under
//! the level's symmetries, so there the bound is the least over all images. In both
//! directions a state is dead if two of its boxes are a lost pair. A long search adds
//! the conflicts of pairs of boxes to the matching without frozen boxes.

use super::setup::Setup;
use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::conflicts::{Conflicts, Extras};
use crate::sokoban::bound::distance::{Distances, Place, Way};
use crate::sokoban::bound::matching::Matching;
use crate::sokoban::field::position::Position;
use crate::sokoban::prune::freeze::Freeze;
use crate::sokoban::prune::frozen::Variants;
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
    pairs: Option<&'a Pairs>,
    /// The number of states examined while `pairs` was not there yet.
    looks: usize,
    /// The boxes of the state, as a list and as bits.
    boxes: Vec<u16>,
    bits: Vec<u64>,
    extras: Option<Extras<'a>>,
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
            pairs: None,
            looks: 0,
            boxes: vec![],
            bits: vec![],
            extras: None,
            plain: Matching::new(boxes),
            needs_plain: false,
            plain_bound: 0,
        }
    }

    /// From now on finds `plain_bound`, too, and adds conflicts to the bound if there are any.
    pub(crate) fn refine(&mut self, conflicts: Option<&'a Conflicts>) {
        self.needs_plain = true;
        self.extras = conflicts.map(Extras::new);
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
            self.find_places(position, 0);
            self.variant = before;
            let plain = self.plain.start(self.distances, &self.places);
            self.plain_bound = plain.unwrap_or(0);
        }
        let extras = self.extras.as_mut();
        let extra = extras.map_or(0, |extras| extras.start(&position.boxes, position.player));
        Ok(least.map(|least| least.max(self.plain_bound + extra)))
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
