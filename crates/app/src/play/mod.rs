//! A puzzle that somebody plays: the game itself, what is known about it, and how it looks in a terminal.

mod advisor;
mod deck;
mod game;
mod keys;
mod known;
mod picture;
mod position;
mod view;

pub use advisor::Advisor;
pub use deck::{Card, Deck, Maker};
pub use game::Game;
pub use keys::{Key, key};
pub use position::Position;
pub use view::{View, screen};
