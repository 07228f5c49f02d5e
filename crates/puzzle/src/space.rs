//! A space: the rules of one instance, as a graph walked in place.
//!
//! Engines know puzzles only through this trait. A state is changed in place
//! (`apply`, search on, `undo`) and cloned only to be stored, so a search that
//! keeps no states allocates nothing.

use std::fmt::Debug;
use std::hash::Hash;

/// The rules of one instance: where it starts, what may be done, when it is solved.
pub trait Space {
    /// One position of the puzzle.
    type State: Clone + Eq + Hash + Debug;
    /// One step; carries whatever `undo` needs.
    type Move: Copy + Eq + Debug;
    /// The moves of a state. Borrows the rules, never the state: the state may change while looping.
    type Moves<'a>: Iterator<Item = Self::Move>
    where
        Self: 'a;

    /// The position to start from.
    fn start(&self) -> Self::State;
    /// Whether the puzzle is solved in this state.
    fn is_goal(&self, state: &Self::State) -> bool;
    /// The moves that may be made here, always in the same order.
    fn moves(&self, state: &Self::State) -> Self::Moves<'_>;
    /// The moves that may be made right after `last`, without those that take it back if they are easy to
    /// recognise.
    fn moves_after(&self, state: &Self::State, last: Self::Move) -> Self::Moves<'_>;
    /// Makes a move.
    fn apply(&self, state: &mut Self::State, mv: Self::Move);
    /// Takes back a move that was just made.
    fn undo(&self, state: &mut Self::State, mv: Self::Move);
    /// What a move costs.
    fn cost(&self, _mv: Self::Move) -> u32 {
        1
    }
    /// The bytes one stored state takes, with what it owns.
    fn state_bytes(&self) -> usize {
        size_of::<Self::State>()
    }
}

/// A space with one goal that can be walked backwards from there.
pub trait Reverse: Space {
    /// The rules backwards.
    type Back: Space<State = Self::State>;

    /// The space that starts at this one's goal and leads to this one's start, by the same moves at the same costs
    /// in the other direction.
    fn reversed(&self) -> Self::Back;
    /// The move of this space that a move of the reversed one takes back.
    fn turned(&self, mv: <Self::Back as Space>::Move) -> Self::Move;
    /// What any move costs at least.
    fn least_cost(&self) -> u32;
}
