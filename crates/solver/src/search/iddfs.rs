//! Iterative-deepening depth-first search: depth-first, again and again, a little deeper each time.
//!
//! This is IDA* without a heuristic, and shares its code: each round follows
//! every path within a limit on the cost, never straight back, and the cheapest
//! path beyond it gives the next limit. So the first goal met is the nearest, each
//! limit that failed is a lower bound, and only the current path is kept. A round
//! sees paths, not states: on 4×4 it grows by a factor of 2.13 with each move,
//! so it is of use up to about 25 moves. It shows what a heuristic is worth.
//!
//! Korf: Depth-first iterative-deepening: an optimal admissible tree search.
//! Artificial Intelligence 27, 1985.

use noyes_puzzle::Space;

use super::heuristic::Zero;
use super::ida_star;
use crate::answer::Outcome;
use crate::control::Control;

/// Finds an optimal plan by iterative deepening. On a space with cycles and no plan it ends only by a limit.
pub fn iddfs<S: Space>(space: &S, control: &Control) -> Outcome<S::Move> {
    ida_star(space, &Zero, control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::ida::ida_star_between;
    use noyes_puzzle::graph::Graph;
    use noyes_puzzle::tiles::Board;
    use noyes_puzzle::{Duplicates, Nibbles, SlideSpace};

    #[test]
    fn a_search_generates_the_walks_that_the_automaton_counts() {
        // Two swapped tiles: no plan ends a round.
        let (depth, goal) = (9, Board::blank_last(3, 3));
        let graph = Graph::grid(3, 3);
        for duplicates in [2, 6, 12] {
            let automaton = Duplicates::new(&graph, duplicates);
            let mut generated = vec![0; depth + 1];
            for blank in 0..9 {
                let mut tiles = vec![2, 1, 3, 4, 5, 6, 7, 8];
                tiles.insert(blank, 0);
                let parity = (8 - blank) / 3 + (8 - blank) % 3 + (8 - blank);
                if parity % 2 == 1 {
                    let two = tiles.iter().position(|&t| t == 2).unwrap();
                    let one = tiles.iter().position(|&t| t == 1).unwrap();
                    tiles.swap(one, two);
                }
                let board = Board::new(3, tiles).unwrap();
                let space = SlideSpace::<Nibbles>::on_board(&board, &goal);
                let space = space.without_duplicates(&automaton);
                // A search up to each depth looks one move further.
                for (depth, sum) in generated.iter_mut().enumerate() {
                    let limit = depth as u32;
                    let outcome =
                        ida_star_between(&space, &Zero, limit, limit + 1, &Control::new());
                    assert_eq!(outcome.plan, None, "{board}");
                    *sum += u128::from(outcome.counts.generated);
                }
            }
            let walks = automaton.walks(depth + 1).unwrap();
            for (depth, &sum) in generated.iter().enumerate() {
                let expected: u128 = walks[..=depth + 1].iter().sum();
                assert_eq!(sum, expected, "depth {depth} with {duplicates}");
            }
        }
    }
}
