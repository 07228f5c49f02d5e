//! Duplicate paths: an automaton that knows when another path leads to the same position.
//!
//! Two walks of the blank from one cell that put every tile in the same place are
//! duplicates, and a depth-first search need follow only one of them. Of all walks
//! from a cell to one position we keep the first by length, then by the order of
//! moves; every other is forbidden, wherever it occurs in a longer walk.
//!
//! Why that loses no optimal plan: take the first of all optimal plans of a board,
//! by the order of moves. If it contained a forbidden walk, the walk that forbids
//! it starts at the same cell, so it can be made in its place; it is shorter, or
//! comes first: the plan would not be optimal, or not the first. So that plan has
//! no forbidden walk in it and is never cut. Any part of the forbidden walks may
//! be left out of the automaton; the argument needs no two of them to work together.
//! It does not hold for a search that cuts by other marks of the path as well, such
//! as a table of positions seen.
//!
//! The walks that are kept, of all lengths, form a tree for each cell, and a walk without its first step is one of the
//! tree of the next cell: its *tail*. A kept walk is a shortest one, so its extension is at most two moves farther than
//! the position it leads to: only the last three lengths have to be remembered. The beginnings of forbidden walks are the
//! states of the automaton (Aho and Corasick), where a walk that leaves them goes on with its longest tail among them;
//! states with the same future are merged (Moore). They know the blank's cell, so the automaton also covers the border
//! and straight-back moves.
//!
//! Taylor, Korf: Pruning duplicate nodes in depth-first search. AAAI 1993.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::hash::Hash;

use crate::graph::Graph;

/// No state.
const NONE: u32 = u32::MAX;

/// A deterministic automaton over the blank's steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicates {
    /// By cell: the state before any move.
    start: Vec<u32>,
    /// By state: where its steps begin in `next`.
    first: Vec<u32>,
    /// By state, one entry for each neighbour of its cell, in their order: where that step leads, if anywhere.
    next: Vec<u32>,
    forbidden: usize,
}

impl Duplicates {
    /// The automaton of all forbidden walks of up to `depth` moves. Depth 2 forbids going straight back.
    pub fn new(graph: &Graph, depth: usize) -> Duplicates {
        Duplicates::learn(graph, depth, &mut || true).expect("nothing ends it")
    }

    /// The same; asks about every millisecond whether to go on, and returns `None` if not.
    pub fn learn(
        graph: &Graph,
        depth: usize,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Duplicates> {
        let mut pace = Pace { goes_on, steps: 0 };
        let cells = graph.len();
        let walks = if cells <= Packed::MOST {
            Walks::new::<Packed>(graph, depth, &mut pace)?
        } else {
            Walks::new::<Box<[u16]>>(graph, depth, &mut pace)?
        };
        walks.automaton(graph, &mut pace)?.merged(graph, &mut pace)
    }

    /// The automaton as numbers, for a file.
    pub fn to_numbers(&self) -> Vec<u32> {
        let counts = [self.start.len(), self.states(), self.forbidden];
        let counts = counts.map(|count| count as u32);
        [&counts[..], &self.start, &self.first, &self.next].concat()
    }

    /// The automaton of a graph from such numbers; `None` if they are not those of an automaton for it.
    pub fn from_numbers(graph: &Graph, numbers: &[u32]) -> Option<Duplicates> {
        let (&[cells, states, forbidden], rest) = numbers.split_first_chunk()?;
        let (start, rest) = rest.split_at_checked(cells as usize)?;
        let (first, next) = rest.split_at_checked(states as usize + 1)?;
        let automaton = Duplicates {
            start: start.to_vec(),
            first: first.to_vec(),
            next: next.to_vec(),
            forbidden: forbidden as usize,
        };
        let is_state = |&state: &u32| state < states;
        let is_sound = cells as usize == graph.len()
            && first.first() == Some(&0)
            && first.last() == Some(&(next.len() as u32))
            && first.is_sorted()
            && start.iter().all(is_state)
            && next.iter().all(|next| *next == NONE || is_state(next));
        (is_sound && automaton.cells(graph).is_some()).then_some(automaton)
    }

    /// The blank's cell in each state, found along the steps; `None` if a state would have two, or steps that its cell does
    /// not have. What cannot be reached has no cell.
    fn cells(&self, graph: &Graph) -> Option<Vec<u32>> {
        let mut cell_of = vec![NONE; self.states()];
        let mut open: Vec<(u32, u16)> = vec![];
        for (cell, &state) in self.start.iter().enumerate() {
            open.push((state, cell as u16));
        }
        while let Some((state, cell)) = open.pop() {
            let known = &mut cell_of[state as usize];
            if *known == u32::from(cell) {
                continue;
            }
            let (steps, ways) = (self.steps(state as usize), graph.neighbours(cell));
            if *known != NONE || steps.len() != ways.len() {
                return None;
            }
            *known = u32::from(cell);
            let next = steps.iter().zip(ways).filter(|(next, _)| **next != NONE);
            open.extend(next.map(|(&next, &to)| (next, to)));
        }
        Some(cell_of)
    }

    /// The state before any move, with the blank on a cell.
    pub fn start(&self, cell: u16) -> u32 {
        self.start[usize::from(cell)]
    }

    /// Where a step to the neighbour with this number leads; `None` if the step is redundant.
    pub fn next(&self, state: u32, neighbour: usize) -> Option<u32> {
        let next = self.steps(state as usize)[neighbour];
        (next != NONE).then_some(next)
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.first.len() - 1
    }

    fn steps(&self, state: usize) -> &[u32] {
        &self.next[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// The number of walks of each length from 0 to `depth` that it lets through, from all cells together: the nodes at
    /// each depth of a depth-first search without a heuristic. `None` if a number has more than 128 bits.
    pub fn walks(&self, depth: usize) -> Option<Vec<u128>> {
        let mut count: Vec<u128> = self.starts().into_iter().map(u128::from).collect();
        let mut walks = vec![count.iter().sum()];
        for _ in 0..depth {
            let mut longer = vec![0u128; count.len()];
            for (state, &walks) in count.iter().enumerate() {
                for &to in self.steps(state).iter().filter(|&&to| to != NONE) {
                    let sum = &mut longer[to as usize];
                    *sum = sum.checked_add(walks)?;
                }
            }
            count = longer;
            walks.push(count.iter().try_fold(0u128, |sum, n| sum.checked_add(*n))?);
        }
        Some(walks)
    }

    /// The factor by which the number of walks grows with each move, for long walks.
    pub fn growth(&self) -> f64 {
        // Power iteration by two moves at a time: the blank alternates between two colours on a board.
        const ROUNDS: usize = 500;
        const CLOSE: f64 = 1e-9;
        let mut share: Vec<f64> = self.starts().into_iter().map(f64::from).collect();
        let mut growth = 0.0;
        for _ in 0..ROUNDS {
            let before: f64 = share.iter().sum();
            for _ in 0..2 {
                let mut longer = vec![0.0; share.len()];
                for (state, walks) in share.iter().enumerate() {
                    for &to in self.steps(state).iter().filter(|&&to| to != NONE) {
                        longer[to as usize] += walks;
                    }
                }
                share = longer;
            }
            let after: f64 = share.iter().sum();
            if after == 0.0 {
                return 0.0;
            }
            let last = std::mem::replace(&mut growth, (after / before).sqrt());
            if (growth - last).abs() < CLOSE {
                break;
            }
            for n in &mut share {
                *n /= after;
            }
        }
        growth
    }

    /// For each state, how many cells it is the start of.
    fn starts(&self) -> Vec<u8> {
        let mut count = vec![0; self.states()];
        for &state in &self.start {
            count[state as usize] = 1; // states know the cell, so no two cells share one
        }
        count
    }

    /// How many walks it forbids.
    pub fn forbidden(&self) -> usize {
        self.forbidden
    }
}

/// When to ask whether to go on.
struct Pace<'a> {
    goes_on: &'a mut dyn FnMut() -> bool,
    steps: usize,
}

impl Pace<'_> {
    /// Steps between two questions.
    const STEPS: usize = 1 << 13;

    /// Counts a step; `None` if it was the last one.
    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (!self.steps.is_multiple_of(Pace::STEPS) || (self.goes_on)()).then_some(())
    }
}

/// Which tile is on each cell, tiles named by the cells where they began.
trait Arrangement: Clone + Eq + Hash {
    fn home(cells: usize) -> Self;
    fn swapped(&self, a: u16, b: u16) -> Self;
}

/// Five bits for each cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Packed(u128);

impl Packed {
    const MOST: usize = 25;
}

impl Arrangement for Packed {
    fn home(cells: usize) -> Packed {
        Packed(
            (0..cells)
                .rev()
                .fold(0, |tiles, cell| tiles << 5 | cell as u128),
        )
    }

    fn swapped(&self, a: u16, b: u16) -> Packed {
        let (a, b) = (5 * a, 5 * b);
        let both = (self.0 >> a ^ self.0 >> b) & 31;
        Packed(self.0 ^ both << a ^ both << b)
    }
}

impl Arrangement for Box<[u16]> {
    fn home(cells: usize) -> Box<[u16]> {
        (0..cells as u16).collect()
    }

    fn swapped(&self, a: u16, b: u16) -> Box<[u16]> {
        let mut tiles = self.clone();
        tiles.swap(a.into(), b.into());
        tiles
    }
}

/// The trees of kept walks from every cell.
struct Walks {
    /// By walk: the blank's cell at its end, the walk without its first step, and the walk without its last.
    cell: Vec<u16>,
    tail: Vec<u32>,
    parent: Vec<u32>,
    /// By walk: where its children begin in `child`. A child that is not kept is [`NONE`]; so is one that is too long.
    first: Vec<u32>,
    child: Vec<u32>,
    /// Forbidden walks, as a kept walk and the number of its last step. The longest ones are among them.
    forbidden: Vec<(u32, u8)>,
    /// The walks of the greatest length: no child of theirs is kept, forbidden or not.
    longest: std::ops::Range<usize>,
}

impl Walks {
    /// All kept walks of up to `depth` - 1 moves, and all forbidden ones of up to `depth`.
    fn new<A: Arrangement>(graph: &Graph, depth: usize, pace: &mut Pace) -> Option<Walks> {
        let cells = graph.len();
        let mut walks = Walks {
            cell: vec![],
            tail: vec![],
            parent: vec![],
            first: vec![0],
            child: vec![],
            forbidden: vec![],
            longest: 0..cells,
        };
        // By cell: the walks of the last length in order, with the positions they lead to; then those of the lengths before.
        let mut live: Vec<Vec<(u32, A)>> = vec![];
        let mut last: Vec<HashSet<A>> = vec![];
        let mut last_but_one: Vec<HashSet<A>> = vec![HashSet::default(); cells];
        for cell in 0..cells {
            let root = walks.add(graph, cell as u16, NONE, NONE);
            live.push(vec![(root, A::home(cells))]);
            last.push([A::home(cells)].into_iter().collect());
        }
        for length in 1..=depth {
            let begin = walks.cell.len();
            for start in 0..cells {
                let mut longer = vec![];
                let mut seen: HashSet<A> = HashSet::default();
                // In the order of moves, since the walks of each length are extended in order.
                for (walk, tiles) in &live[start] {
                    pace.step()?;
                    let blank = walks.cell[*walk as usize];
                    for (number, &to) in graph.neighbours(blank).iter().enumerate() {
                        let tail = match walks.tail[*walk as usize] {
                            NONE => u32::from(to), // the empty walk from there
                            tail => walks.child(tail, number),
                        };
                        if tail == NONE {
                            continue; // its tail is forbidden already
                        }
                        let tiles = tiles.swapped(blank, to);
                        let is_known = last[start].contains(&tiles)
                            || last_but_one[start].contains(&tiles)
                            || !seen.insert(tiles.clone());
                        if is_known {
                            walks.forbidden.push((*walk, number as u8));
                        } else if length < depth {
                            let child = walks.add(graph, to, tail, *walk);
                            let at = walks.first[*walk as usize] as usize + number;
                            walks.child[at] = child;
                            longer.push((child, tiles));
                        }
                    }
                }
                live[start] = longer;
                last_but_one[start] = std::mem::replace(&mut last[start], seen);
            }
            if length < depth {
                walks.longest = begin..walks.cell.len();
            }
        }
        Some(walks)
    }

    fn add(&mut self, graph: &Graph, cell: u16, tail: u32, parent: u32) -> u32 {
        self.cell.push(cell);
        self.tail.push(tail);
        self.parent.push(parent);
        let children = self.child.len() + graph.neighbours(cell).len();
        self.child.resize(children, NONE);
        self.first.push(children as u32);
        self.cell.len() as u32 - 1
    }

    fn child(&self, walk: u32, number: usize) -> u32 {
        self.child[self.first[walk as usize] as usize + number]
    }

    /// One state for each beginning of a forbidden walk.
    fn automaton(&self, graph: &Graph, pace: &mut Pace) -> Option<Duplicates> {
        let cells = graph.len();
        // 1. Mark the beginnings. The empty walks always are.
        let mut is_state = vec![false; self.cell.len()];
        is_state[..cells].fill(true);
        let mut is_forbidden = vec![false; self.child.len()];
        for &(walk, number) in &self.forbidden {
            pace.step()?;
            is_forbidden[self.first[walk as usize] as usize + usize::from(number)] = true;
            let mut walk = walk;
            while !std::mem::replace(&mut is_state[walk as usize], true) {
                walk = self.parent[walk as usize];
            }
        }
        // 2. The state of each walk: its longest tail that is one. Tails come before the walks they are of.
        let mut state = vec![NONE; self.cell.len()];
        let mut states = vec![];
        for walk in 0..self.cell.len() {
            pace.step()?;
            state[walk] = if is_state[walk] {
                states.push(walk as u32);
                states.len() as u32 - 1
            } else {
                state[self.tail[walk] as usize]
            };
        }
        // 3. Where each step leads. The longest walks go on as their tails do.
        let mut automaton = Duplicates {
            start: (0..cells as u32).collect(),
            first: vec![0],
            next: vec![],
            forbidden: self.forbidden.len(),
        };
        for &walk in &states {
            pace.step()?;
            let is_longest = self.longest.contains(&(walk as usize));
            for (number, &to) in graph
                .neighbours(self.cell[walk as usize])
                .iter()
                .enumerate()
            {
                let at = self.first[walk as usize] as usize + number;
                let on = match self.tail[walk as usize] {
                    _ if !is_longest => self.child[at],
                    NONE => u32::from(to),
                    tail => self.child(tail, number),
                };
                let leads = on != NONE && !is_forbidden[at];
                automaton
                    .next
                    .push(if leads { state[on as usize] } else { NONE });
            }
            automaton.first.push(automaton.next.len() as u32);
        }
        Some(automaton)
    }
}

impl Duplicates {
    /// The same automaton with equivalent states merged.
    fn merged(&self, graph: &Graph, pace: &mut Pace) -> Option<Duplicates> {
        // States of different cells differ.
        let states = self.states();
        let mut class = self.cells(graph).expect("an automaton of this graph");
        let mut count = self.start.len();
        let mut future = vec![];
        loop {
            let mut known: HashMap<Vec<u32>, u32> = HashMap::default();
            let mut finer = Vec::with_capacity(states);
            for (state, &before) in class.iter().enumerate() {
                pace.step()?;
                future.clear();
                future.push(before);
                let next = self.steps(state).iter();
                future.extend(next.map(|&n| if n == NONE { NONE } else { class[n as usize] }));
                let new = known.len() as u32;
                finer.push(if let Some(&class) = known.get(&future) {
                    class
                } else {
                    known.insert(future.clone(), new);
                    new
                });
            }
            class = finer;
            if known.len() == count {
                break;
            }
            count = known.len();
        }
        // The first state of each class stands for it; classes are numbered in that order.
        let mut merged = Duplicates {
            start: self.start.iter().map(|&s| class[s as usize]).collect(),
            first: vec![0],
            next: vec![],
            forbidden: self.forbidden,
        };
        for (state, &of) in class.iter().enumerate() {
            if of as usize == merged.states() {
                let next = self.steps(state).iter();
                let next = next.map(|&n| if n == NONE { NONE } else { class[n as usize] });
                merged.next.extend(next);
                merged.first.push(merged.next.len() as u32);
            }
        }
        Some(merged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From every cell, every position within a radius keeps a shortest walk that the automaton lets through.
    fn assert_shortest_walks_stay(graph: &Graph, depth: usize, radius: usize) {
        let automaton = Duplicates::new(graph, depth);
        for cell in 0..graph.len() as u16 {
            let start: Vec<u16> = (0..graph.len() as u16).collect();
            let mut all = [(start.clone(), cell)].into_iter().collect::<HashSet<_>>();
            let mut layer = all.clone();
            let mut allowed = [(start, cell, automaton.start(cell))]
                .into_iter()
                .collect::<HashSet<_>>();
            for _ in 0..radius {
                let mut wider = HashSet::default();
                for (tiles, blank) in &layer {
                    for &to in graph.neighbours(*blank) {
                        let mut child = tiles.clone();
                        child.swap((*blank).into(), to.into());
                        if all.insert((child.clone(), to)) {
                            wider.insert((child, to));
                        }
                    }
                }
                let mut further = HashSet::default();
                for (tiles, blank, state) in &allowed {
                    for (number, &to) in graph.neighbours(*blank).iter().enumerate() {
                        if let Some(next) = automaton.next(*state, number) {
                            let mut child = tiles.clone();
                            child.swap((*blank).into(), to.into());
                            further.insert((child, to, next));
                        }
                    }
                }
                allowed = further;
                layer = wider;
                let reached: HashSet<_> = allowed.iter().map(|(t, b, _)| (t.clone(), *b)).collect();
                assert!(
                    layer.is_subset(&reached),
                    "a nearest walk was lost at depth {depth}"
                );
            }
        }
    }

    #[test]
    fn no_position_loses_its_shortest_walks() {
        for name in [
            "grid:3x2",
            "grid:3x3",
            "theta0",
            "complete:4",
            "cycle:5",
            "bipartite:2x3",
            "wheel:5",
        ] {
            let graph = Graph::named(name).unwrap();
            for depth in [1, 2, 6, 9] {
                assert_shortest_walks_stay(&graph, depth, 11);
            }
        }
    }

    /// The walks of this length that the automaton lets through, followed one by one.
    fn followed(
        automaton: &Duplicates,
        graph: &Graph,
        cell: u16,
        state: u32,
        length: usize,
    ) -> u128 {
        if length == 0 {
            return 1;
        }
        let neighbours = graph.neighbours(cell).iter().enumerate();
        let on = |(number, &to): (usize, &u16)| {
            let next = automaton.next(state, number)?;
            Some(followed(automaton, graph, to, next, length - 1))
        };
        neighbours.filter_map(on).sum()
    }

    #[test]
    fn walks_are_counted_as_if_each_was_followed() {
        for name in ["grid:3x3", "grid:4x4", "theta0", "path:4"] {
            let graph = Graph::named(name).unwrap();
            for depth in [0, 2, 6, 10] {
                let automaton = Duplicates::new(&graph, depth);
                let walks = automaton.walks(11).unwrap();
                for (length, &count) in walks.iter().enumerate() {
                    let from =
                        |cell| followed(&automaton, &graph, cell, automaton.start(cell), length);
                    let sum: u128 = (0..graph.len() as u16).map(from).sum();
                    assert_eq!(count, sum, "{name}, depth {depth}, length {length}");
                }
            }
        }
        let path = Duplicates::new(&Graph::named("path:4").unwrap(), 2);
        let growth = path.growth();
        assert!(
            growth < 1e-9,
            "without going back, every walk on a path ends"
        );
        assert_eq!(Duplicates::new(&Graph::grid(4, 4), 0).walks(200), None);
    }

    #[test]
    fn the_fifteen_puzzle_grows_by_the_known_factor() {
        // Edelkamp, Korf: The branching factor of regular search spaces, AAAI 1998: 2.1304 without going straight back.
        let growth = Duplicates::new(&Graph::grid(4, 4), 2).growth();
        assert!((growth - 2.1304).abs() < 5e-5, "{growth}");
    }

    #[test]
    fn numbers_give_the_automaton_back_and_others_are_refused() {
        let graph = Graph::grid(4, 3);
        let automaton = Duplicates::new(&graph, 8);
        let numbers = automaton.to_numbers();
        assert_eq!(Duplicates::from_numbers(&graph, &numbers), Some(automaton));
        assert_eq!(Duplicates::from_numbers(&Graph::grid(3, 4), &numbers), None);
        for i in 0..numbers.len().min(400) {
            assert_eq!(Duplicates::from_numbers(&graph, &numbers[..i]), None);
            if i != 2 {
                let mut wrong = numbers.clone();
                wrong[i] = 1 << 30;
                assert_eq!(Duplicates::from_numbers(&graph, &wrong), None, "number {i}");
            }
        }
    }

    #[test]
    fn learning_ends_when_it_is_told_to() {
        let graph = Graph::grid(4, 4);
        let mut asked = 0;
        let whole = Duplicates::learn(&graph, 13, &mut || {
            asked += 1;
            true
        });
        assert_eq!(whole, Some(Duplicates::new(&graph, 13)));
        assert!(asked > 20, "{asked} questions");
        for last in [1, asked / 2, asked] {
            let mut left = last;
            let part = Duplicates::learn(&graph, 13, &mut || {
                left -= 1;
                left > 0
            });
            assert_eq!((part, left), (None, 0));
        }
    }

    #[test]
    fn depth_two_only_forbids_going_straight_back() {
        let automaton = Duplicates::new(&Graph::grid(4, 4), 2);
        assert_eq!((automaton.states(), automaton.forbidden()), (64, 48)); // a start for each cell, and each slide
    }

    #[test]
    fn depth_eight_on_4x4_forbids_the_known_walks() {
        let automaton = Duplicates::new(&Graph::grid(4, 4), 8);
        assert_eq!(automaton.forbidden(), 230);
    }
}
