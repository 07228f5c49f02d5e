//! The automaton of redundant move sequences (`noyes_puzzle::Duplicates`), by direction.

use noyes_puzzle::Duplicates;
use noyes_puzzle::graph::Graph;
use noyes_puzzle::tiles::{Board, Direction};

/// A step of the automaton: where it leads, and above that the direction, by its number in [`Direction::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkStep(u32);

impl WalkStep {
    const STATE_BITS: u32 = 30;
    /// No more steps.
    pub const END: WalkStep = WalkStep(u32::MAX);

    fn new(direction: usize, state: u32) -> WalkStep {
        assert!(state < (1 << WalkStep::STATE_BITS) - 1, "30 bits");
        WalkStep((direction as u32) << WalkStep::STATE_BITS | state)
    }

    #[inline(always)]
    pub fn direction(self) -> usize {
        (self.0 >> WalkStep::STATE_BITS) as usize
    }

    /// The direction above the state; all ones for [`END`](WalkStep::END).
    pub fn bits(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub fn state(self) -> u32 {
        self.0 & ((1 << WalkStep::STATE_BITS) - 1)
    }
}

/// Where each step leads, for a size of board.
pub struct Walks {
    /// By state: its steps, the last direction first, as a stack wants them.
    steps: Vec<[WalkStep; 4]>,
    /// By the blank's cell.
    first: Vec<u32>,
}

impl Walks {
    /// The steps of an automaton for boards of this size.
    pub fn new(automaton: &Duplicates, width: usize, height: usize) -> Walks {
        let board = Board::blank_first(width, height);
        let cells = width * height;
        let first: Vec<u32> = (0..cells)
            .map(|cell| automaton.start(cell as u16))
            .collect();
        let mut steps = vec![[WalkStep::END; 4]; automaton.states()];
        let mut seen = vec![false; automaton.states()];
        let mut open: Vec<(usize, u32)> = first.iter().copied().enumerate().collect();
        while let Some((cell, state)) = open.pop() {
            if std::mem::replace(&mut seen[state as usize], true) {
                continue;
            }
            // The neighbours on a grid are in the order of directions, without those beyond the border.
            let ways = Direction::ALL
                .into_iter()
                .enumerate()
                .filter_map(|(i, direction)| Some((i, board.neighbour(cell, direction)?)));
            let mut found = vec![];
            for (number, (direction, to)) in ways.enumerate() {
                if let Some(next) = automaton.next(state, number) {
                    found.push(WalkStep::new(direction, next));
                    open.push((to, next));
                }
            }
            for (step, &found) in steps[state as usize].iter_mut().zip(found.iter().rev()) {
                *step = found;
            }
        }
        Walks { steps, first }
    }

    /// All walks that do not go straight back.
    pub fn straight(width: usize, height: usize) -> Walks {
        let automaton = Duplicates::new(&Graph::grid(width, height), 2);
        Walks::new(&automaton, width, height)
    }

    /// The state before any move, with the blank on a cell.
    pub fn first(&self, blank: usize) -> u32 {
        self.first[blank]
    }

    /// The steps from a state; [`WalkStep::END`] ends them.
    #[inline(always)]
    pub fn from(&self, state: u32) -> [WalkStep; 4] {
        self.steps[state as usize]
    }

    /// All steps, by state.
    #[inline(always)]
    pub fn all(&self) -> &[[WalkStep; 4]] {
        &self.steps
    }

    /// The bytes of the steps.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.steps)
    }
}
