//! What all searches of a level share, made once: field, distances, symmetries and how states are packed.

use std::cell::OnceCell;

use noyes_puzzle::sokoban::Level;

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;
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

    /// Which pairs of boxes are lost, once it is known or enough states have been looked at that it is time to know.
    pub(crate) fn pairs(&self, looks: usize, memory: &mut Memory) -> Result<Option<&Pairs>, Stop> {
        if looks >= self.patience && self.pairs.get().is_none() {
            let pairs = Pairs::new(&self.field, &self.distances, &self.symmetries, memory)?;
            let _ = self.pairs.set(pairs); // nobody else was here
        }
        Ok(self.pairs.get().and_then(Option::as_ref))
    }
}
