//! Stages: first open the level, then go from one open state to another, then fill the goals.
//!
//! Many levels are hard at both ends. At the start, boxes are in each other's way, and a
//! search from the goals back has to put every one of them there. At the goals, boxes have
//! to come in the right order, and a search from the start forward does not see it. But
//! each end is easy for the search that begins there. So a stage takes a state of a search
//! from the start and a state of a search from the goals, both *open*: many moves can be
//! made in them. The level between the two has no hard end, and a short search
//! (`between`) often solves it.
//!
//! Of several open states the two that are nearest to each other by the bound are taken.
//! Some stages do without one of the two, and begin at the start or end with the goals.

use noyes_puzzle::sokoban::Level;

use super::bound::PushBound;
use super::lot::Lots;
use super::part::part_of;
use super::setup::Setup;
use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::Way;
use crate::sokoban::field::position::Position;
use crate::sokoban::large::feature_search::FeatureSearch;

/// How many open states of each end are compared.
const FIRSTS: usize = 8;
const LASTS: usize = 3;
/// One of this many stages begins at the start, and one ends with the goals.
const KINDS: u64 = 6;
/// After this many stages, they are given twice the time.
const GROW: u64 = 40;
const MOST_DOUBLINGS: u64 = 4;

/// A state of a feature-space search, by the search's style and its own number.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) style: usize,
    pub(super) id: u32,
}

/// A level between two states.
pub(super) struct Stage {
    /// The two states; none for the start, or for the goals.
    pub(super) ends: [Option<Open>; 2],
    pub(super) part: Level,
    /// The player of the second state.
    pub(super) last_player: Option<u16>,
    /// How much time it should have.
    pub(super) patience: u64,
}

/// Picks stages.
pub(super) struct Stages<'a> {
    level: &'a Level,
    setup: &'a Setup,
    count: u64,
    lots: Lots,
}

/// A search for each style that has begun.
type Searches<'a> = [Option<FeatureSearch<'a>>];

impl<'a> Stages<'a> {
    /// No stages yet; stages of another luck are others.
    pub(super) fn new(level: &'a Level, setup: &'a Setup, luck: u32) -> Stages<'a> {
        Stages {
            level,
            setup,
            count: 0,
            lots: Lots::of(luck),
        }
    }

    /// The next stage; none if there are no open states.
    pub(super) fn pick(
        &mut self,
        searches: &mut Searches<'a>,
        memory: &mut Memory,
    ) -> Result<Option<Stage>, Stop> {
        let field = &self.setup.field;
        // 1. States to begin and to end with.
        let kind = self.lots.number() % KINDS;
        let mut open = |way, count| -> Vec<Option<Open>> {
            let states = (0..count).filter_map(|_| self.open_state(searches, way));
            states.map(Some).collect()
        };
        let firsts = match kind {
            0 => vec![None],
            _ => open(Way::Push, FIRSTS),
        };
        let lasts = match kind {
            1 => vec![None],
            _ => open(Way::Pull, LASTS),
        };
        // 2. The two that are nearest to each other.
        let first_of = |end| state(searches, end).unwrap_or((&field.boxes, field.player));
        let last_of = |end| state(searches, end).map_or(&field.goals[..], |(boxes, _)| boxes);
        let bytes = memory.bytes();
        let mut least = None;
        for &last in &lasts {
            let part = part_of(self.level, field, &field.boxes, last_of(last), field.player);
            let setup = Setup::new(&part, memory)?;
            let mut bound = PushBound::new(&setup, &setup.distances, Way::Push);
            let mut position = Position::start(&setup.field);
            for &first in &firsts {
                let (boxes, player) = first_of(first);
                position.set(boxes, player);
                if let Some(h) = bound.start(&position, memory)?
                    && least.is_none_or(|(least, _)| h < least)
                {
                    least = Some((h, [first, last]));
                }
            }
            memory.release(memory.bytes() - bytes);
        }
        let Some((_, ends)) = least else {
            return Ok(None);
        };
        // 3. The level between them.
        let (boxes, player) = first_of(ends[0]);
        let part = part_of(self.level, field, boxes, last_of(ends[1]), player);
        for Open { style, id } in ends.into_iter().flatten() {
            if let Some(search) = &mut searches[style] {
                search.note_try(id);
            }
        }
        let last_player = state(searches, ends[1]).map(|(_, player)| player);
        let patience = 1 << (self.count / GROW).min(MOST_DOUBLINGS);
        self.count += 1;
        Ok(Some(Stage {
            ends,
            part,
            last_player,
            patience,
        }))
    }

    /// An open state of some search.
    fn open_state(&mut self, searches: &Searches<'a>, way: Way) -> Option<Open> {
        let begun = || {
            let begun = searches.iter().enumerate();
            begun.filter_map(|(style, search)| Some((style, search.as_ref()?)))
        };
        let count = begun().filter(|(_, search)| search.way() == way).count();
        let chosen = (self.lots.number() % count.max(1) as u64) as usize;
        let (style, search) = begun()
            .filter(|(_, search)| search.way() == way)
            .nth(chosen)?;
        let id = search.open_state(|| self.lots.number())?;
        Some(Open { style, id })
    }
}

/// The boxes and the player of an open state.
fn state<'s>(searches: &'s Searches<'_>, open: Option<Open>) -> Option<(&'s [u16], u16)> {
    let Open { style, id } = open?;
    Some(searches[style].as_ref()?.state(id))
}
