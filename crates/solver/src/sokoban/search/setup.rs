//! What all searches of a level share and is made once: field, distances, symmetries and the packing of states.

use std::cell::OnceCell;

use noyes_puzzle::sokoban::Level;

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::packing::Packing;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::prune::pairs::Pairs;
use crate::sokoban::prune::symmetry::{distinct_turns, symmetries};

/// A level prepared for search.
pub(crate) struct Setup {
    pub(crate) field: Field,
    pub(crate) distances: Distances,
    pub(crate) packing: Packing,
    pub(crate) symmetries: Vec<Vec<u16>>,
    /// The symmetries that make a difference to the start.
    pub(crate) turns: Vec<Vec<u16>>,
    /// How many more boxes than goals there are.
    pub(crate) surplus: usize,
    /// Where the player has to be at the end, if that matters.
    pub(crate) last_player: Option<u16>,
    /// After how many states to look for lost pairs of boxes.
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
            last_player: None,
            patience,
            pairs: OnceCell::new(),
        })
    }

    /// Whether the player may be in this part of the floor at the end.
    pub(crate) fn may_end(&self, walk: &Walk) -> bool {
        self.last_player.is_none_or(|last| walk.reaches(last))
    }

    /// The lost pairs of boxes, if they are known. Finds them once a search has examined enough states.
    pub(crate) fn pairs(&self, looks: usize, memory: &mut Memory) -> Result<Option<&Pairs>, Stop> {
        if looks >= self.patience && self.pairs.get().is_none() {
            let pairs = Pairs::new(&self.field, &self.distances, &self.symmetries, memory)?;
            let _ = self.pairs.set(pairs); // it was empty, so this cannot fail
        }
        Ok(self.pairs.get().and_then(Option::as_ref))
    }
}
