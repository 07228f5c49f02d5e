//! A catalogue: the tables of one or more partitions, each table read once, and the order in which they are asked.
//!
//! The bound of a board is the largest sum of a partition, for the board and, with `+reflect`, for its mirror image. Each
//! of these sums is a *stage*. A node is cut at the first stage whose sum is too large, so the later ones are asked for
//! few nodes. Partitions that have a pattern in common share its part, and so do a board and its mirror image if a pattern
//! is its own mirror image.

use std::sync::Arc;

use noyes_puzzle::tiles::{Board, Direction};

use super::part::{Part, Sight, Step, Wait};
use super::places::Places;
use crate::control::Control;
use crate::tiles::heuristic::{HeuristicMember, HeuristicName};
use crate::tiles::pdb::{Blocks, Counting, Lookups, Symmetry, TableError, Tables};

/// The most cells of a board.
pub const MOST_CELLS: usize = 32;
/// The most sums of a bound.
pub const MOST_STAGES: usize = 6;
/// The most parts.
const MOST_PARTS: usize = 16;
/// No part.
pub const NONE: u8 = u8::MAX;

/// The tables of a heuristic for one goal.
pub struct Catalogue {
    pub parts: Vec<Part>,
    pub stages: Vec<Stage>,
    /// The partitions, to look up a board from scratch, and for each part its partition and its look-up there.
    lookups: Vec<Lookups>,
    at: Vec<(usize, usize)>,
}

/// One sum of values.
pub struct Stage {
    /// By tile: its part, if any.
    pub part_of: [u8; MOST_CELLS],
    /// By tile: an earlier stage in which its part is looked up already, if any.
    pub known_in: [u8; MOST_CELLS],
    /// From cells of the board to cells of its tables.
    pub to: Symmetry,
    /// By the blank's cell and direction.
    pub steps: [[Step; 4]; MOST_CELLS],
    /// The parts that are added.
    pub parts: Vec<u8>,
}

impl Catalogue {
    /// Whether the subtrees can be searched with this heuristic: pattern databases only, and the first partition has every tile.
    pub fn fits(heuristic: &HeuristicName, goal: &Board) -> bool {
        let cells = goal.tiles().len();
        let mut stages = 0;
        let mut parts = 0;
        for (i, member) in heuristic.members().iter().enumerate() {
            let HeuristicMember::Databases(partition) = member else {
                return false;
            };
            let Ok(keys) = partition.keys(goal) else {
                return false;
            };
            let tiles: usize = keys.iter().map(|key| key.cells.len()).sum();
            let counts_every = keys.iter().any(|key| key.counting == Counting::Every);
            if partition.plain || counts_every || (i == 0 && tiles != cells - 1) {
                return false;
            }
            let views = if partition.reflect { 2 } else { 1 };
            stages += views;
            parts += views * keys.len();
        }
        cells <= MOST_CELLS && stages <= MOST_STAGES && parts <= MOST_PARTS
    }

    /// Finds or builds the tables.
    ///
    /// # Errors
    /// If a limit is reached before all tables are ready.
    pub fn new(
        heuristic: &HeuristicName,
        goal: &Board,
        tables: &Tables,
        control: &Control,
    ) -> Result<Catalogue, TableError> {
        let mut catalogue = Catalogue {
            parts: vec![],
            stages: vec![],
            lookups: vec![],
            at: vec![],
        };
        for member in heuristic.members() {
            let HeuristicMember::Databases(partition) = member else {
                unreachable!("the heuristic fits");
            };
            let lookups = Lookups::new(partition, goal, tables, control)?;
            catalogue.add(lookups, goal);
        }
        Ok(catalogue)
    }

    fn add(&mut self, lookups: Lookups, goal: &Board) {
        let mut places: Vec<(Arc<Blocks>, Arc<Places>)> = vec![];
        for (view, all) in lookups.all().chunks(lookups.parts()).enumerate() {
            let mut stage = Stage {
                part_of: [NONE; MOST_CELLS],
                known_in: [NONE; MOST_CELLS],
                to: all[0].symmetry().clone(),
                steps: [[Step::default(); 4]; MOST_CELLS],
                parts: vec![],
            };
            for (i, lookup) in all.iter().enumerate() {
                let table = lookup.table().expect("the heuristic fits");
                let known = self
                    .parts
                    .iter()
                    .position(|part| part.is_same(table, lookup.tiles()));
                let part = known.unwrap_or_else(|| {
                    let blocks = &table.ground().blocks;
                    let found = places.iter().find(|(of, _)| Arc::ptr_eq(of, blocks));
                    let of_blocks = found.map(|(_, places)| places.clone());
                    let of_blocks = of_blocks.unwrap_or_else(|| {
                        let new = Arc::new(Places::new(blocks));
                        places.push((blocks.clone(), new.clone()));
                        new
                    });
                    self.parts.push(Part::new(lookup, table, &of_blocks));
                    let at = view * lookups.parts() + i;
                    self.at.push((self.lookups.len(), at));
                    self.parts.len() - 1
                });
                stage.parts.push(part as u8);
                for &tile in lookup.tiles() {
                    let tile = usize::from(tile);
                    stage.part_of[tile] = part as u8;
                    let earlier = self.stages.iter();
                    let known_in = earlier
                        .map(|s| s.part_of[tile])
                        .position(|p| p == part as u8);
                    stage.known_in[tile] = known_in.map_or(NONE, |s| s as u8);
                }
            }
            for from in 0..goal.tiles().len() {
                for (i, direction) in Direction::ALL.into_iter().enumerate() {
                    if let Some(to) = goal.neighbour(from, direction) {
                        stage.steps[from][i] = Step::new(&stage.to, from, to);
                    }
                }
            }
            self.stages.push(stage);
        }
        self.lookups.push(lookups);
    }

    /// What every part knows about a board.
    pub fn look(&self, board: &Board) -> Vec<Sight> {
        let tile = |cell: usize| usize::from(board.tiles()[cell]);
        let sight = |&(lookups, at): &(usize, usize)| {
            let lookup = &self.lookups[lookups].all()[at];
            Part::look(lookup, tile, board.blank())
        };
        self.at.iter().map(sight).collect()
    }

    /// The stage that every node is asked.
    #[inline(always)]
    pub fn first(&self) -> &Stage {
        &self.stages[0]
    }

    /// Goes on with a look-up.
    #[inline(always)]
    pub fn find(&self, wait: &mut Wait) {
        self.parts[usize::from(wait.part)].find(wait);
    }

    /// The sum of a stage.
    pub fn sum(&self, stage: usize, sights: &[Sight]) -> u8 {
        let values = self.stages[stage].parts.iter();
        values.map(|&part| sights[usize::from(part)].value()).sum()
    }

    /// The bytes of all tables and of what is made from them.
    pub fn bytes(&self) -> usize {
        self.lookups.iter().map(Lookups::table_bytes).sum::<usize>()
            + self.parts.iter().map(Part::bytes).sum::<usize>()
    }
}
