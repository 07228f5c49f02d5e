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
//! Walks up to a few moves are enumerated from every cell, and the forbidden ones
//! become an automaton (Aho and Corasick, then merged by Moore's algorithm) whose
//! states know the blank's cell, so it also covers the border and straight-back moves.
//!
//! Taylor, Korf: Pruning duplicate nodes in depth-first search. AAAI 1993.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::graph::Graph;

/// A deterministic automaton over the blank's steps.
#[derive(Clone, Debug)]
pub struct Duplicates {
    /// By cell: the state before any move.
    start: Vec<u32>,
    /// By state, one entry for each neighbour of its cell, in their order: where that step leads, if anywhere.
    next: Vec<Vec<Option<u32>>>,
    forbidden: usize,
}

impl Duplicates {
    /// The automaton of all forbidden walks of up to `depth` moves. Depth 2 forbids going straight back.
    pub fn new(graph: &Graph, depth: usize) -> Duplicates {
        let walks = forbidden_walks(graph, depth);
        let machine = Machine::new(graph, &walks);
        machine.merged(walks.len())
    }

    /// The state before any move, with the blank on a cell.
    pub fn start(&self, cell: u16) -> u32 {
        self.start[usize::from(cell)]
    }

    /// Where a step to the neighbour with this number leads; `None` if the step is redundant.
    pub fn next(&self, state: u32, neighbour: usize) -> Option<u32> {
        self.next[state as usize][neighbour]
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// The number of walks of each length from 0 to `depth` that it lets through, from all cells together: the nodes at
    /// each depth of a depth-first search without a heuristic. `None` if a number has more than 128 bits.
    pub fn walks(&self, depth: usize) -> Option<Vec<u128>> {
        let mut count: Vec<u128> = self.starts().into_iter().map(u128::from).collect();
        let mut walks = vec![count.iter().sum()];
        for _ in 0..depth {
            let mut longer = vec![0u128; count.len()];
            for (state, next) in self.next.iter().enumerate() {
                for &to in next.iter().flatten() {
                    let sum = &mut longer[to as usize];
                    *sum = sum.checked_add(count[state])?;
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
                for (state, next) in self.next.iter().enumerate() {
                    for &to in next.iter().flatten() {
                        longer[to as usize] += share[state];
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

/// A walk: the cell it starts from, and the number of the neighbour taken at each step.
type Walk = (u16, Vec<u8>);

/// The redundant walks from every cell: another walk makes each superfluous, and none contains another.
fn forbidden_walks(graph: &Graph, depth: usize) -> Vec<Walk> {
    struct Live {
        steps: Vec<u8>,
        tiles: Vec<u16>,
        blank: u16,
    }
    let cells = graph.len() as u16;
    let mut seen: Vec<HashSet<Vec<u16>>> = vec![];
    let mut live: Vec<Vec<Live>> = vec![];
    for cell in 0..cells {
        let tiles: Vec<u16> = (0..cells).collect();
        seen.push([tiles.clone()].into_iter().collect::<HashSet<_>>());
        live.push(vec![Live {
            steps: vec![],
            tiles,
            blank: cell,
        }]);
    }
    let mut forbidden = vec![];
    for length in 1..=depth {
        let kept: Vec<HashSet<Vec<u8>>> = live
            .iter()
            .map(|walks| walks.iter().map(|w| w.steps.clone()).collect())
            .collect();
        for cell in 0..cells {
            let mut longer = vec![];
            // In the order of moves, since the walks of each length are extended in order.
            for walk in &live[usize::from(cell)] {
                for (number, &to) in graph.neighbours(walk.blank).iter().enumerate() {
                    let mut steps = walk.steps.clone();
                    steps.push(number as u8);
                    let second = graph.neighbours(cell)[usize::from(steps[0])];
                    if length > 1 && !kept[usize::from(second)].contains(&steps[1..]) {
                        continue; // its tail is forbidden already
                    }
                    let mut tiles = walk.tiles.clone();
                    tiles.swap(walk.blank.into(), to.into());
                    if seen[usize::from(cell)].insert(tiles.clone()) {
                        longer.push(Live {
                            steps,
                            tiles,
                            blank: to,
                        });
                    } else {
                        forbidden.push((cell, steps));
                    }
                }
            }
            live[usize::from(cell)] = longer;
        }
    }
    forbidden
}

/// The automaton before equal states are merged: one state for each beginning of a forbidden walk.
struct Machine {
    cell: Vec<u16>,
    next: Vec<Vec<Option<u32>>>,
    cells: usize,
}

impl Machine {
    fn new(graph: &Graph, walks: &[Walk]) -> Machine {
        let cells = graph.len();
        let degree = |cell: u16| graph.neighbours(cell).len();
        // 1. The tree of all beginnings; its roots are the cells.
        let mut cell: Vec<u16> = (0..cells as u16).collect();
        let mut child: Vec<Vec<Option<u32>>> =
            cell.iter().map(|&c| vec![None; degree(c)]).collect();
        let mut ends: Vec<Vec<bool>> = cell.iter().map(|&c| vec![false; degree(c)]).collect();
        for (from, steps) in walks {
            let mut state = usize::from(*from);
            let (last, before) = steps.split_last().expect("no walk is empty");
            for &step in before {
                state = if let Some(known) = child[state][usize::from(step)] {
                    known as usize
                } else {
                    let new = cell.len();
                    child[state][usize::from(step)] = Some(new as u32);
                    let to = graph.neighbours(cell[state])[usize::from(step)];
                    cell.push(to);
                    child.push(vec![None; degree(to)]);
                    ends.push(vec![false; degree(to)]);
                    new
                };
            }
            ends[state][usize::from(*last)] = true;
        }
        // 2. Where the tree ends, go on with the longest tail that is in it: breadth first, so that it is known.
        let mut next: Vec<Vec<Option<u32>>> = child.clone();
        let mut tail: Vec<Option<u32>> = vec![None; cell.len()];
        let mut queue: VecDeque<usize> = (0..cells).collect();
        while let Some(state) = queue.pop_front() {
            for (number, &to) in graph.neighbours(cell[state]).iter().enumerate() {
                let by_tail = match tail[state] {
                    None => Some(u32::from(to)),
                    Some(tail) => next[tail as usize][number],
                };
                if let Some(child) = child[state][number] {
                    // A state whose tail is forbidden is never entered; any tail will do for it.
                    tail[child as usize] = Some(by_tail.unwrap_or(u32::from(to)));
                    queue.push_back(child as usize);
                }
                let forbidden = ends[state][number] || by_tail.is_none();
                next[state][number] = if forbidden {
                    None
                } else {
                    child[state][number].or(by_tail)
                };
            }
        }
        Machine { cell, next, cells }
    }

    /// The same automaton with equivalent states merged.
    fn merged(&self, forbidden: usize) -> Duplicates {
        let mut class: Vec<u32> = self.cell.iter().map(|&c| c.into()).collect();
        let mut count = self.cells;
        loop {
            let mut known = HashMap::default();
            let mut finer = Vec::with_capacity(class.len());
            for (state, next) in self.next.iter().enumerate() {
                let future: Vec<Option<u32>> =
                    next.iter().map(|n| n.map(|n| class[n as usize])).collect();
                let new = known.len() as u32;
                finer.push(*known.entry((class[state], future)).or_insert(new));
            }
            class = finer;
            if known.len() == count {
                break;
            }
            count = known.len();
        }
        let mut next = vec![vec![]; count];
        for (state, old) in self.next.iter().enumerate() {
            next[class[state] as usize] =
                old.iter().map(|n| n.map(|n| class[n as usize])).collect();
        }
        Duplicates {
            start: class[..self.cells].to_vec(),
            next,
            forbidden,
        }
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
