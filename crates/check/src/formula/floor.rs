//! The floor of a level as both formulas of levels see it: numbered cells, slides from cell to cell, and how many pushes a
//! box needs at least.

use std::collections::VecDeque;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

/// A step of a player from `from` to `to`, and the cell that a box on `to` would be pushed to, if it is floor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    pub from: usize,
    pub to: usize,
    pub beyond: Option<usize>,
}

/// The cells on which players or boxes can be.
pub(super) struct Floor {
    pub cells: usize,
    pub slides: Vec<Slide>,
    pub neighbours: Vec<Vec<usize>>,
    /// By cell: the slides that push a box away from it, by number.
    pub leaving: Vec<Vec<usize>>,
    /// By cell: the slides that push a box onto it, by number.
    pub arriving: Vec<Vec<usize>>,
    pub boxes: Vec<usize>,
    pub players: Vec<usize>,
    pub goals: Vec<usize>,
    /// The fewest pushes that take a box from a cell to any goal, as if it were alone and the player could be anywhere;
    /// nothing if there is no way. Only if every box has to end on a goal.
    pub pushes: Option<Vec<Option<usize>>>,
}

impl Floor {
    pub fn new(level: &Level) -> Floor {
        let floor: Vec<u16> = (0..level.cells())
            .map(|cell| cell as u16)
            .filter(|&cell| level.is_floor(cell))
            .collect();
        let number = |cell: u16| floor.binary_search(&cell).ok();
        let numbers = |cells: &[u16]| -> Vec<usize> {
            cells
                .iter()
                .map(|&cell| number(cell).expect("on the floor"))
                .collect()
        };
        let next = |cell: u16, direction| level.neighbour(cell, direction).and_then(number);
        let mut slides = vec![];
        for (from, &cell) in floor.iter().enumerate() {
            for direction in Direction::ALL {
                if let Some(to) = next(cell, direction) {
                    let beyond = next(floor[to], direction);
                    slides.push(Slide { from, to, beyond });
                }
            }
        }
        let mut neighbours = vec![vec![]; floor.len()];
        let (mut leaving, mut arriving) = (neighbours.clone(), neighbours.clone());
        for (number, slide) in slides.iter().enumerate() {
            neighbours[slide.from].push(slide.to);
            if let Some(beyond) = slide.beyond {
                leaving[slide.to].push(number);
                arriving[beyond].push(number);
            }
        }
        let goals: Vec<u16> = level.goals().collect();
        let mut floor = Floor {
            cells: floor.len(),
            boxes: numbers(level.boxes()),
            players: numbers(level.players()),
            goals: numbers(&goals),
            slides,
            neighbours,
            leaving,
            arriving,
            pushes: None,
        };
        if floor.boxes.len() == floor.goals.len() {
            floor.pushes = Some(floor.pushes_to_goals());
        }
        floor
    }

    /// Breadth-first search from the goals backwards: a box on `beyond` may have come from `to`.
    fn pushes_to_goals(&self) -> Vec<Option<usize>> {
        let mut pushes = vec![None; self.cells];
        let mut from: Vec<Vec<usize>> = vec![vec![]; self.cells];
        for slide in &self.slides {
            if let Some(beyond) = slide.beyond {
                from[beyond].push(slide.to);
            }
        }
        let mut queue = VecDeque::new();
        for &goal in &self.goals {
            pushes[goal] = Some(0);
            queue.push_back(goal);
        }
        while let Some(cell) = queue.pop_front() {
            for &before in &from[cell] {
                if pushes[before].is_none() {
                    pushes[before] = pushes[cell].map(|count: usize| count + 1);
                    queue.push_back(before);
                }
            }
        }
        pushes
    }

    /// The sum of the fewest pushes of all boxes, if every box has to end on a goal and can get there.
    pub fn least_pushes(&self) -> Option<usize> {
        let pushes = self.pushes.as_ref()?;
        self.boxes.iter().map(|&cell| pushes[cell]).sum()
    }

    /// Whether no box may be on a cell when this many pushes are left.
    pub fn is_hopeless(&self, cell: usize, left: usize) -> bool {
        let pushes = self.pushes.as_ref();
        pushes.is_some_and(|pushes| pushes[cell].is_none_or(|count| count > left))
    }
}
