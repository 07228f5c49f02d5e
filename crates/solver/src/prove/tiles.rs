//! An IDA* that explains itself: it refutes every plan of at most `bound` moves, and writes down why.
//!
//! The search is one iteration of IDA*. When it leaves a node, it knows why no plan goes through it, and which tiles
//! matter for that:
//!
//! - a slide away from the tile's goal when no more may go up: the tile that moved
//! - a cut by pattern databases: the tiles of as few patterns as suffice
//! - an inner node: what matters to its children, before the move
//!
//! The rest of the tiles may be anywhere. So each node becomes a lemma about some tiles only, a clause over the variables
//! of the reference formula ([`Formula`]), with hints from which `noyes-check` can derive it. The lemmas also save work: a node
//! that an earlier lemma covers is not searched again.
//!
//! At a node at time t, with the blank on x, the lemma says: not blank(t,x), or not blank(t-1,previous), or not one of
//! the tiles that matter, or fewer moves up than now. Its derivation takes the moves one by one. A slide that is too much
//! is excluded by the formula, a cut by a fact, and a child by a lemma about this move; the last child needs no such
//! lemma, because it is the only move that is left.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;

use noyes_check::formula::Tiles as Formula;
use noyes_check::{Step, StepWriter, Table};
use noyes_puzzle::tiles::Direction;

use crate::control::{Control, Stop};

/// How many lemmas are kept for each time and move of the blank.
const KEPT: usize = 200;
/// The most cells: places of tiles are packed into one number, five bits each.
pub const MOST_CELLS: usize = 25;
const BITS: usize = 5;

/// How a refutation ended.
#[derive(Debug)]
pub enum Refuted {
    /// There is no plan of at most `bound` moves.
    Yes(Totals),
    /// There is one.
    Plan(Vec<Direction>),
}

/// What a refutation took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Nodes of the search that were not cut.
    pub nodes: u64,
    /// Lemmas written.
    pub lemmas: u64,
    /// Facts written.
    pub facts: u64,
    /// Nodes that an earlier lemma covered.
    pub reused: u64,
}

/// Why a refutation has no result.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// A limit, or the stop flag.
    #[error("{0}")]
    Stopped(Stop),
    /// The proof could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Refutes all plans of a formula, and writes the proof; `tables` must share no tile.
///
/// # Errors
/// A limit, or a proof that cannot be written.
///
/// # Panics
/// If the board has more than [`MOST_CELLS`] cells.
pub fn refute<W: Write>(
    formula: &Formula,
    tables: &[Arc<Table>],
    to: &mut StepWriter<W>,
    control: &Control,
) -> Result<Refuted, ProveError> {
    assert!(formula.cells <= MOST_CELLS, "a small board");
    let mut prover = Prover::new(formula, tables, to, control);
    let blank = formula.start[0];
    match prover.node(0, blank, None, 0) {
        Ok(_) => Ok(Refuted::Yes(prover.totals)),
        Err(End::Plan) => {
            prover.path.reverse();
            Ok(Refuted::Plan(prover.path))
        }
        Err(End::Error(error)) => Err(error),
    }
}

/// Why the search goes back to the root at once.
enum End {
    Plan,
    Error(ProveError),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> End {
        End::Error(error.into())
    }
}

/// A clause about one node, or about one move from it.
#[derive(Clone, Copy)]
struct Lemma {
    /// The tiles that matter, a bit for each.
    tiles: u32,
    /// It holds if at least this many moves have gone up.
    ups: usize,
    slot: usize,
}

/// A lemma, and where its tiles are.
struct Kept {
    lemma: Lemma,
    places: u128,
    mask: u128,
}

/// A move that has been refuted.
struct Edge {
    to: usize,
    tile: usize,
    up: bool,
    why: Why,
}

enum Why {
    /// It would be one move up too many.
    Slack,
    /// Tables; the lemma is about the time before the move.
    Fact(Lemma),
    /// The lemma of the node after the move.
    Node(Lemma),
}

struct Prover<'a, W> {
    formula: &'a Formula,
    groups: Vec<Group<'a>>,
    to: &'a mut StepWriter<W>,
    control: &'a Control,
    tile_on: Vec<usize>,
    place_of: Vec<usize>,
    /// `place_of` in one number.
    places: u128,
    /// Lemmas by time and by the blank's last move.
    kept: Vec<VecDeque<Kept>>,
    free: Vec<usize>,
    slots: usize,
    step: Step,
    totals: Totals,
    /// From the goal back to the root.
    path: Vec<Direction>,
}

struct Group<'a> {
    /// The pattern's tiles, in the order of the table.
    tiles: Vec<usize>,
    mask: u32,
    table: &'a Table,
}

impl<'a, W: Write> Prover<'a, W> {
    fn new(
        formula: &'a Formula,
        tables: &'a [Arc<Table>],
        to: &'a mut StepWriter<W>,
        control: &'a Control,
    ) -> Prover<'a, W> {
        let group = |table: &'a Arc<Table>| {
            let tile = |goal: &usize| formula.goal.iter().position(|at| at == goal);
            let goals = table.pattern().goals.iter();
            let tiles: Vec<usize> = goals.map(|goal| tile(goal).expect("a goal")).collect();
            Group {
                mask: tiles.iter().fold(0, |mask, tile| mask | 1 << tile),
                tiles,
                table,
            }
        };
        let cells = formula.cells;
        let mut tile_on = vec![0; cells];
        let mut places = 0;
        for (tile, &place) in formula.start.iter().enumerate() {
            tile_on[place] = tile;
            places |= (place as u128) << (BITS * tile);
        }
        let keys = (formula.bound + 1) * cells * cells;
        Prover {
            groups: tables.iter().map(group).collect(),
            tile_on,
            place_of: formula.start.clone(),
            places,
            kept: (0..keys).map(|_| VecDeque::new()).collect(),
            free: vec![],
            slots: 0,
            step: Step::default(),
            totals: Totals::default(),
            path: vec![],
            formula,
            to,
            control,
        }
    }

    /// Refutes all plans through a node.
    fn node(&mut self, t: usize, x: usize, from: Option<usize>, ups: usize) -> Result<Lemma, End> {
        self.totals.nodes += 1;
        if self.totals.nodes.is_multiple_of(1024) {
            let polled = self.control.poll_stop();
            polled.map_err(|stop| End::Error(ProveError::Stopped(stop)))?;
        }
        if self.place_of == self.formula.goal {
            return Err(End::Plan);
        }
        let neighbours = &self.formula.neighbours[x];
        let mut edges: Vec<Edge> = Vec::with_capacity(4);
        let mut open: Vec<usize> = Vec::with_capacity(4);
        for &to in neighbours.iter().filter(|&&to| Some(to) != from) {
            let tile = self.tile_on[to];
            let up = self.formula.is_up(tile, to, x);
            if up && ups == self.formula.slack {
                let why = Why::Slack;
                edges.push(Edge { to, tile, up, why });
            } else {
                open.push(to);
            }
        }
        let mut search: Vec<usize> = Vec::with_capacity(4);
        for to in open {
            let tile = self.tile_on[to];
            let up = self.formula.is_up(tile, to, x);
            self.slide(x, to);
            let cut = self.cut(to, tile, up, ups);
            let known = cut
                .is_none()
                .then(|| self.known(t + 1, x, to, ups + usize::from(up)));
            self.slide(to, x);
            if let Some((mattering, least)) = cut {
                let lemma = self.write_fact(t, x, to, mattering, least)?;
                let why = Why::Fact(lemma);
                edges.push(Edge { to, tile, up, why });
            } else if let Some(lemma) = known.flatten() {
                self.totals.reused += 1;
                let why = Why::Node(lemma);
                edges.push(Edge { to, tile, up, why });
            } else {
                search.push(to);
            }
        }
        for to in search {
            let tile = self.tile_on[to];
            let up = self.formula.is_up(tile, to, x);
            self.slide(x, to);
            let lemma = self.node(t + 1, to, Some(x), ups + usize::from(up));
            if let Err(End::Plan) = lemma {
                self.path
                    .push(Direction::between(x, to, self.formula.width()));
            }
            let lemma = lemma?;
            self.keep(t + 1, x, to, lemma);
            self.slide(to, x);
            let why = Why::Node(lemma);
            edges.push(Edge { to, tile, up, why });
        }
        self.conclude(t, x, from, ups, edges)
    }

    /// Moves the blank from x to y.
    fn slide(&mut self, x: usize, y: usize) {
        let tile = self.tile_on[y];
        self.tile_on[x] = tile;
        self.tile_on[y] = 0;
        self.place_of[tile] = x;
        self.place_of[0] = y;
        self.places ^= ((x ^ y) as u128) << (BITS * tile);
    }

    fn key(&self, t: usize, from: usize, x: usize) -> usize {
        (t * self.formula.cells + from) * self.formula.cells + x
    }

    /// An earlier lemma that covers the state.
    fn known(&self, t: usize, from: usize, x: usize, ups: usize) -> Option<Lemma> {
        let kept = self.kept[self.key(t, from, x)].iter();
        let mut covering = kept
            .filter(|kept| (kept.places ^ self.places) & kept.mask == 0 && kept.lemma.ups <= ups);
        covering.next().map(|kept| kept.lemma)
    }

    fn keep(&mut self, t: usize, from: usize, x: usize, lemma: Lemma) {
        let mut mask = 0;
        for tile in bits(lemma.tiles) {
            mask |= 31 << (BITS * tile);
        }
        let places = self.places;
        let key = self.key(t, from, x);
        let list = &mut self.kept[key];
        list.push_front(Kept {
            lemma,
            places,
            mask,
        });
        if list.len() > KEPT {
            let oldest = list.pop_back().expect("it is not empty");
            self.free.push(oldest.lemma.slot);
        }
    }
}

/// Cuts by pattern databases.
impl<W: Write> Prover<'_, W> {
    /// The tiles that matter for a cut after a move from x to y, and how many moves must have gone up before it.
    ///
    /// Only whole patterns are left out. To leave out single tiles of a pattern, and take the least value over all cells that they
    /// could be on, saves one node in a hundred and takes four times as long.
    fn cut(&self, y: usize, moved: usize, up: bool, ups: usize) -> Option<(u32, usize)> {
        let slack = self.formula.slack;
        let mut values = [0; MOST_CELLS];
        let mut sum = ups + usize::from(up);
        for (value, group) in values.iter_mut().zip(&self.groups) {
            let mut cells = [0; MOST_CELLS];
            for (cell, &tile) in cells.iter_mut().zip(&group.tiles) {
                *cell = self.place_of[tile];
            }
            *value = group.table.ups(&cells[..group.tiles.len()], y);
            sum += *value;
        }
        if sum <= slack {
            return None;
        }
        let mut tiles = u32::from(up) << moved;
        let mut spare = sum - slack - 1;
        for (&value, group) in values.iter().zip(&self.groups) {
            if value <= spare {
                spare -= value;
            } else {
                tiles |= group.mask;
            }
        }
        let in_pattern = |group: &Group| tiles & group.mask != 0 && group.mask >> moved & 1 == 1;
        if up && spare > 0 && !self.groups.iter().any(in_pattern) {
            tiles &= !(1 << moved);
            spare -= 1;
        }
        Some((tiles, ups.saturating_sub(spare)))
    }
}

/// Writing.
impl<W: Write> Prover<'_, W> {
    fn slot(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        })
    }

    /// The number of a slot among the hints.
    fn hint(&self, slot: usize) -> usize {
        self.formula.clauses.len() + 1 + slot
    }

    fn write_fact(
        &mut self,
        t: usize,
        x: usize,
        y: usize,
        tiles: u32,
        ups: usize,
    ) -> Result<Lemma, End> {
        let slot = self.slot();
        self.totals.facts += 1;
        self.begin(true, slot);
        self.say_move(t, x, y, tiles, ups);
        self.to.write(&self.step)?;
        Ok(Lemma { tiles, ups, slot })
    }

    fn begin(&mut self, is_fact: bool, slot: usize) {
        self.step.is_fact = is_fact;
        self.step.slot = slot;
        self.step.literals.clear();
        self.step.hints.clear();
    }

    /// The literals of a clause about a move.
    fn say_move(&mut self, t: usize, x: usize, y: usize, tiles: u32, ups: usize) {
        let formula = self.formula;
        self.step.literals.push(-formula.blank(t, x));
        self.step.literals.push(-formula.blank(t + 1, y));
        self.say_tiles(t, tiles, ups);
    }

    fn say_tiles(&mut self, t: usize, tiles: u32, ups: usize) {
        let formula = self.formula;
        for tile in bits(tiles) {
            let place = self.place_of[tile];
            self.step.literals.push(-formula.tile(t, tile, place));
        }
        if ups > 0 {
            self.step.literals.push(-formula.ups(t, ups));
        }
    }

    /// What a move's lemma needs at the time before the move: tiles, and moves up.
    fn before(&self, edge: &Edge, ups: usize) -> (u32, usize) {
        match edge.why {
            Why::Slack => (1 << edge.tile, self.formula.slack),
            Why::Fact(lemma) => (lemma.tiles, lemma.ups),
            Why::Node(lemma) => {
                let matters = lemma.tiles >> edge.tile & 1 == 1;
                if edge.up && lemma.ups > 0 && (matters || lemma.ups > ups) {
                    (lemma.tiles | 1 << edge.tile, lemma.ups - 1)
                } else {
                    (lemma.tiles, lemma.ups)
                }
            }
        }
    }

    /// The hints from a move to the contradiction after it; `ups` are those that the clause speaks of before it.
    fn hint_move(&mut self, t: usize, x: usize, edge: &Edge, after: Lemma, ups: usize) {
        let formula = self.formula;
        let (y, moved) = (edge.to, edge.tile);
        for tile in bits(after.tiles) {
            self.step.hints.push(if tile == moved {
                formula.slide(t, x, y, tile)
            } else {
                formula.stay(t, y, tile, self.place_of[tile])
            });
        }
        if after.ups > ups {
            self.step.hints.push(formula.rise(t, x, y, moved));
            self.step.hints.push(formula.count(t, ups));
        } else if after.ups > 0 {
            self.step.hints.push(formula.carry(t, after.ups));
        }
        let last = self.hint(after.slot);
        self.step.hints.push(last);
    }

    /// Writes the lemma of a node of which all moves are refuted.
    fn conclude(
        &mut self,
        t: usize,
        x: usize,
        from: Option<usize>,
        ups: usize,
        mut edges: Vec<Edge>,
    ) -> Result<Lemma, End> {
        let formula = self.formula;
        let mut used: Vec<usize> = Vec::with_capacity(4);
        // 1. What matters to the moves matters to the node.
        let mut lemma = Lemma {
            tiles: 0,
            ups: 0,
            slot: 0,
        };
        let mut least_ups = usize::MAX;
        for edge in &edges {
            let (tiles, ups) = self.before(edge, ups);
            lemma.tiles |= tiles;
            lemma.ups = lemma.ups.max(ups);
            if ups > 0 {
                least_ups = least_ups.min(ups);
            }
        }
        // 2. The node is not the goal.
        let goal = &formula.goal;
        let not_done = if x == goal[0] {
            let off = |&tile: &usize| self.place_of[tile] != goal[tile];
            let tile = (bits(lemma.tiles).find(off))
                .or_else(|| (1..formula.cells).find(off))
                .expect("it is not the goal");
            lemma.tiles |= 1 << tile;
            formula.done_tile(t, tile, self.place_of[tile])
        } else {
            formula.done_blank(t, x)
        };
        // 3. A lemma for each move to a node, except for the one with the longest derivation.
        let longest = |edge: &Edge| match edge.why {
            Why::Node(after) => 1 + after.tiles.count_ones(),
            _ => 0,
        };
        edges.sort_by_key(longest);
        let last = edges.pop_if(|edge| matches!(edge.why, Why::Node(_)));
        let mut excluded: Vec<usize> = Vec::with_capacity(4);
        for edge in &edges {
            match edge.why {
                Why::Slack => {}
                Why::Fact(fact) => {
                    excluded.push(fact.slot);
                    used.push(fact.slot);
                }
                Why::Node(after) => {
                    let slot = self.slot();
                    let (tiles, ups) = self.before(edge, ups);
                    self.totals.lemmas += 1;
                    self.begin(false, slot);
                    self.say_move(t, x, edge.to, tiles, ups);
                    self.hint_move(t, x, edge, after, ups);
                    self.to.write(&self.step)?;
                    excluded.push(slot);
                    used.push(slot);
                }
            }
        }
        // 4. The lemma of the node: each move is excluded, but one has to be made.
        lemma.slot = self.slot();
        self.totals.lemmas += 1;
        self.begin(false, lemma.slot);
        if t == 0 {
            self.step.hints.push(formula.start_clause(0));
            for tile in bits(lemma.tiles) {
                self.step.hints.push(formula.start_clause(tile));
            }
        } else {
            self.step.literals.push(-formula.blank(t, x));
            if let Some(from) = from {
                self.step.literals.push(-formula.blank(t - 1, from));
            }
            self.say_tiles(t, lemma.tiles, lemma.ups);
        }
        for count in (least_ups.saturating_add(1)..=lemma.ups).rev() {
            self.step.hints.push(formula.order(t, count));
        }
        self.step.hints.push(not_done);
        if let Some(from) = from {
            self.step.hints.push(formula.back(t, x, from));
        }
        let mut slack = edges
            .iter()
            .filter(|edge| matches!(edge.why, Why::Slack))
            .peekable();
        if slack.peek().is_some() {
            self.step.hints.push(formula.count(t, formula.slack));
        }
        for edge in slack {
            self.step.hints.push(formula.rise(t, x, edge.to, edge.tile));
        }
        for slot in excluded {
            let hint = self.hint(slot);
            self.step.hints.push(hint);
        }
        self.step.hints.push(formula.moves(t, x));
        if let Some(edge) = last
            && let Why::Node(after) = edge.why
        {
            let (_, ups) = self.before(&edge, ups);
            self.hint_move(t, x, &edge, after, ups);
        }
        self.to.write(&self.step)?;
        self.free.append(&mut used);
        Ok(lemma)
    }
}

/// The places of the bits of a number.
fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            first as usize
        })
    })
}
