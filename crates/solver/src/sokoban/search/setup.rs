//! What all searches of a level share, made once: field, distances, symmetries and how states are packed.

use std::cell::OnceCell;

use noyes_puzzle::sokoban::Level;

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::{Field, Walk};
use crate::sokoban::field::packing::Packing;
use crate::sokoban::prune::pairs::Pairs;
use crate::sokoban::prune::symmetry::{distinct_turns, symmetries};

/// A level, ready to be searched.
pub(crate) struct Setup {
    pub(crate) field: Field,
    pub(crate) distances: Distances,
    pub(crate) packing: Packing,
    pub(crate) symmetries: Vec<Vec<u16>>,
    /// Those of them that make a difference to the start.
    pub(crate) turns: Vec<Vec<u16>>,
    /// Boxes that no goal needs.
    pub(crate) surplus: usize,
    /// After how many states to look at pairs of boxes, and what was found.
    pub(crate) patience: usize,
    pairs: OnceCell<Option<Pairs>>,
}

impl Setup {
    /// Prepares a level with at least as many boxes as goals.
    pub(crate) fn new(level: &Level, memory: &mut Memory) -> Result<Setup, Stop> {
        let field = Field::new(level);
        let distances = Distances::to_goals(&field, memory)?;
        let surplus = field.boxes.len() - field.goals.len();
        let may_hold: Vec<bool> = (0..field.wall())
            .map(|c| surplus > 0 || distances.is_live(c) || field.boxes.contains(&c))
            .collect();
        let symmetries = symmetries(level, &field);
        let patience = Pairs::patience(&field, &distances).unwrap_or(usize::MAX);
        Ok(Setup {
            packing: Packing::new(field.boxes.len(), &may_hold),
            turns: distinct_turns(&field, &distances, &symmetries),
            symmetries,
            field,
            distances,
            surplus,
            patience,
            pairs: OnceCell::new(),
        })
    }

    /// Which pairs of boxes are lost, once it is known or so many states have been looked at that it is time to know.
    pub(crate) fn pairs(&self, looks: usize, memory: &mut Memory) -> Result<Option<&Pairs>, Stop> {
        if looks >= self.patience && self.pairs.get().is_none() {
            let pairs = Pairs::new(&self.field, &self.distances, &self.symmetries, memory)?;
            let _ = self.pairs.set(pairs); // nobody else was here
        }
        Ok(self.pairs.get().and_then(Option::as_ref))
    }
}

/// A state laid out: which box is where.
pub(crate) struct Position {
    pub(crate) boxes: Vec<u16>,
    pub(crate) player: u16,
    /// By cell, the number of its box plus one; something for the wall, zero where nothing stands.
    pub(crate) occupied: Vec<u16>,
}

impl Position {
    /// The start of a level.
    pub(crate) fn start(field: &Field) -> Position {
        let mut position = Position {
            boxes: vec![],
            player: 0,
            occupied: vec![0; field.len() + 1],
        };
        position.occupied[field.len()] = u16::MAX;
        position.set(&field.boxes, field.player);
        position
    }

    /// Takes all boxes away and puts these down.
    pub(crate) fn set(&mut self, boxes: &[u16], player: u16) {
        self.lift();
        self.boxes.extend_from_slice(boxes);
        self.player = player;
        self.put();
    }

    /// Lays out a packed state.
    pub(crate) fn unpack(&mut self, packing: &Packing, words: &[u64]) {
        self.lift();
        self.player = packing.unpack(words, &mut self.boxes);
        self.put();
    }

    fn lift(&mut self) {
        for cell in self.boxes.drain(..) {
            self.occupied[usize::from(cell)] = 0;
        }
    }

    fn put(&mut self) {
        for (i, &cell) in self.boxes.iter().enumerate() {
            self.occupied[usize::from(cell)] = i as u16 + 1;
        }
    }

    /// Puts one box elsewhere.
    #[inline]
    pub(crate) fn shift(&mut self, number: usize, to: u16) {
        let from = std::mem::replace(&mut self.boxes[number], to);
        self.occupied[usize::from(from)] = 0;
        self.occupied[usize::from(to)] = number as u16 + 1;
    }
}

/// Writes a state's words, those of the least of its images under the symmetries.
///
/// With a walk, the player is anywhere it reaches: the least cell stands for all of them.
pub(crate) fn canonical(
    setup: &Setup,
    position: &Position,
    anywhere: Option<&Walk>,
    spare: &mut Spare,
    to: &mut [u64],
) {
    let Setup {
        packing,
        symmetries,
        ..
    } = setup;
    packing.pack(&position.boxes, 0, to);
    let player = |map: Option<&Vec<u16>>| {
        let image = |cell: u16| map.map_or(cell, |map| map[usize::from(cell)]);
        match anywhere {
            None => image(position.player),
            Some(walk) => {
                let images = walk.reached().iter().map(|&c| image(c));
                images.min().expect("the player is somewhere")
            }
        }
    };
    let mut best = player(None);
    for map in symmetries {
        spare.boxes.clear();
        let images = position.boxes.iter().map(|&c| map[usize::from(c)]);
        spare.boxes.extend(images);
        spare.words.resize(to.len(), 0);
        packing.pack(&spare.boxes, 0, &mut spare.words);
        match (*spare.words).cmp(&*to) {
            std::cmp::Ordering::Greater => {}
            std::cmp::Ordering::Equal => best = best.min(player(Some(map))),
            std::cmp::Ordering::Less => {
                to.copy_from_slice(&spare.words);
                best = player(Some(map));
            }
        }
    }
    to[0] |= u64::from(best);
}

/// Room for images of states.
#[derive(Default)]
pub(crate) struct Spare {
    boxes: Vec<u16>,
    words: Vec<u64>,
}
