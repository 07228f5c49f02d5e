//! The puzzles of an evening: those of a file in order, or random boards as long as one likes.

use noyes_puzzle::tiles::{Board, Generator, random_board};
use std::sync::Arc;

use super::position::Position;

/// A puzzle and what it is called.
#[derive(Clone)]
pub struct Card {
    pub title: String,
    pub start: Position,
}

/// Makes random boards.
pub struct Maker {
    pub goal: Arc<Board>,
    pub seed: u64,
}

/// Puzzles in order, and which one is being played.
pub struct Deck {
    cards: Vec<Card>,
    at: usize,
    maker: Option<Maker>,
}

impl Deck {
    /// Given puzzles, beginning with one of them.
    ///
    /// # Panics
    /// If there is no such puzzle.
    pub fn of(cards: Vec<Card>, at: usize) -> Deck {
        assert!(at < cards.len(), "a puzzle to begin with");
        Deck {
            cards,
            at,
            maker: None,
        }
    }

    /// Random boards without end.
    pub fn random(maker: Maker) -> Deck {
        Deck {
            cards: vec![maker.make(0)],
            at: 0,
            maker: Some(maker),
        }
    }

    pub fn card(&self) -> &Card {
        &self.cards[self.at]
    }

    /// Whether boards are made at random.
    pub fn is_random(&self) -> bool {
        self.maker.is_some()
    }

    /// Whether there is another puzzle to go to.
    pub fn has_others(&self) -> bool {
        self.is_random() || self.cards.len() > 1
    }

    /// Goes to the next puzzle, if there is one.
    pub fn next(&mut self) -> bool {
        if let Some(maker) = &self.maker
            && self.at + 1 == self.cards.len()
        {
            self.cards.push(maker.make(self.cards.len() as u64));
        }
        let goes = self.at + 1 < self.cards.len();
        self.at += usize::from(goes);
        goes
    }

    /// Goes to the puzzle before, if there is one.
    pub fn previous(&mut self) -> bool {
        let goes = self.at > 0;
        self.at -= usize::from(goes);
        goes
    }
}

impl Maker {
    fn make(&self, index: u64) -> Card {
        let board = random_board(&self.goal, &mut Generator::new(self.seed, index));
        Card {
            title: format!(
                "random {} board (seed {}, number {})",
                board.size(),
                self.seed,
                index + 1
            ),
            start: Position::Tiles {
                board,
                goal: self.goal.clone(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_boards_come_without_end_and_stay_where_they_are() {
        let goal = Arc::new(Board::blank_last(3, 3));
        let mut deck = Deck::random(Maker { goal, seed: 1 });
        let first = deck.card().start.clone();
        assert!(!deck.previous() && deck.next() && deck.card().start != first);
        let second = deck.card().start.clone();
        assert!(deck.next() && deck.previous() && deck.card().start == second);
        assert!(deck.previous() && deck.card().start == first);
    }

    #[test]
    fn given_puzzles_have_an_end() {
        let goal = Arc::new(Board::blank_last(2, 2));
        let card = Maker { goal, seed: 1 }.make(0);
        let mut deck = Deck::of(vec![card.clone(), card.clone()], 1);
        assert!(!deck.next() && deck.previous() && !deck.previous() && deck.has_others());
        assert!(!Deck::of(vec![card], 0).has_others());
    }
}
