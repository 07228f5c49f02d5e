//! Breadth-first search: layer by layer, so the first goal met is the nearest.
//!
//! Right where every move costs the same. It keeps every state it has seen and
//! is the judge of all other engines on small puzzles. While a layer is being
//! expanded everything up to it is known to hold no goal, so its depth plus one
//! is a lower bound.

use noyes_puzzle::Space;

use crate::answer::Outcome;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::store::{Id, Store};
use crate::counts::Counts;

/// Finds an optimal plan by breadth-first search, or shows that no plan exists once every state is seen.
pub fn bfs<S: Space>(space: &S, control: &Control) -> Outcome<S::Move> {
    let mut search = Layers::new(space, control);
    loop {
        if let Some(goal) = search.goal {
            let plan = match search.depth {
                0 => vec![], // solved before anything was stored
                _ => search.seen.plan_to(space, goal, |&parent| parent).0,
            };
            return Outcome::optimal(plan, search.depth, search.counts());
        }
        control.raise_lower(search.depth + 1);
        match search.next() {
            Ok(0) if search.goal.is_none() => {
                return Outcome::unsolvable(search.depth, search.counts());
            }
            Ok(_) => {}
            Err(stop) => return Outcome::stopped(stop, search.depth + 1, search.counts()),
        }
    }
}

/// The number of states at each distance from the start, as far as there are any.
///
/// ```
/// use noyes_puzzle::{Nibbles, SlideSpace, tiles::Board};
/// use noyes_solver::{Control, search::layers};
/// let goal = Board::blank_last(2, 2);
/// let space = SlideSpace::<Nibbles>::on_board(&goal, &goal);
/// assert_eq!(layers(&space, &Control::new())?, [1, 2, 2, 2, 2, 2, 1]);
/// # Ok::<(), noyes_solver::Stop>(())
/// ```
///
/// # Errors
/// If a limit of `control` is reached first.
pub fn layers<S: Space>(space: &S, control: &Control) -> Result<Vec<u64>, Stop> {
    let mut search = Layers::new(space, control);
    search.goal_matters = false;
    let mut sizes = vec![];
    let mut size = 1;
    while size > 0 {
        sizes.push(size);
        size = search.next()?;
    }
    Ok(sizes)
}

/// The states at a distance from the start, and that distance; those farthest away if no state is that far.
///
/// # Errors
/// If a limit of `control` is reached first.
pub fn layer<S: Space>(
    space: &S,
    distance: u32,
    control: &Control,
) -> Result<(Vec<S::State>, u32), Stop> {
    let mut search = Layers::new(space, control);
    search.goal_matters = false;
    if distance == 0 {
        return Ok((vec![space.start()], 0));
    }
    let mut first = 0;
    for depth in 0..distance {
        let last = search.layer;
        if search.next()? == 0 {
            let states = (last..search.layer).map(|id| search.seen.state(id).clone());
            return Ok((states.collect(), depth));
        }
        first = search.layer;
    }
    let states = (first..search.seen.len() as Id).map(|id| search.seen.state(id).clone());
    Ok((states.collect(), distance))
}

struct Layers<'a, S: Space> {
    space: &'a S,
    control: &'a Control,
    memory: Memory<'a>,
    /// Each with the state it was reached from.
    seen: Store<S::State, Id>,
    depth: u32,
    /// The states of the current layer lie from here to the end of the store.
    layer: Id,
    goal: Option<Id>,
    goal_matters: bool,
    expanded: u64,
    generated: u64,
    pace: Pace,
}

impl<'a, S: Space> Layers<'a, S> {
    fn new(space: &'a S, control: &'a Control) -> Self {
        let goal = space.is_goal(&space.start()).then_some(0);
        let seen = Store::new(space.state_bytes());
        Layers {
            space,
            control,
            memory: Memory::new(control),
            seen,
            depth: 0,
            layer: 0,
            goal,
            goal_matters: true,
            expanded: 0,
            generated: 1,
            pace: Pace::new(space.state_bytes()),
        }
    }

    /// Makes the next layer and returns its size; stops early at a goal.
    fn next(&mut self) -> Result<u64, Stop> {
        if self.seen.len() == 0 {
            self.seen
                .find_or_insert(&self.space.start(), 0, &mut self.memory)?;
        }
        let end = self.seen.len() as Id;
        for id in self.layer..end {
            self.expanded += 1;
            let mut state = self.seen.state(id).clone();
            for mv in self.space.moves(&state) {
                self.generated += 1;
                if self.pace.is_due() {
                    self.control.poll(&self.counts())?;
                }
                self.space.apply(&mut state, mv);
                let (child, new) = self.seen.find_or_insert(&state, id, &mut self.memory)?;
                if self.goal_matters && new && self.space.is_goal(&state) {
                    self.goal = Some(child);
                    self.depth += 1;
                    return Ok(1);
                }
                self.space.undo(&mut state, mv);
            }
        }
        self.layer = end;
        self.depth += 1;
        Ok(self.seen.len() as u64 - u64::from(end))
    }

    fn counts(&self) -> Counts {
        Counts {
            expanded: self.expanded,
            generated: self.generated,
            peak_bytes: self.memory.peak(),
            ..Counts::default()
        }
    }
}
