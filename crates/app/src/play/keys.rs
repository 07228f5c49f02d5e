//! The keys of the game.
//!
//! Arrows, w a s d and h j k l all move. So the hint cannot be on h, nor the solution on s: they are ? and !.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use noyes_puzzle::tiles::Direction;

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Arrow(Direction),
    Undo,
    Redo,
    Restart,
    Hint,
    Solution,
    Optimum,
    Next,
    Previous,
    Quit,
    Interrupt,
}

/// What a key that was pressed is for, if anything.
pub fn key(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    if event.modifiers.contains(KeyModifiers::CONTROL) {
        return (event.code == KeyCode::Char('c')).then_some(Key::Interrupt);
    }
    Some(match event.code {
        KeyCode::Up | KeyCode::Char('w' | 'k') => Key::Arrow(Direction::Up),
        KeyCode::Left | KeyCode::Char('a' | 'h') => Key::Arrow(Direction::Left),
        KeyCode::Right | KeyCode::Char('d' | 'l') => Key::Arrow(Direction::Right),
        KeyCode::Down | KeyCode::Char('s' | 'j') => Key::Arrow(Direction::Down),
        KeyCode::Backspace | KeyCode::Char('u') => Key::Undo,
        KeyCode::Char('U') => Key::Redo,
        KeyCode::Char('R') => Key::Restart,
        KeyCode::Char('?') => Key::Hint,
        KeyCode::Char('!') => Key::Solution,
        KeyCode::Char('o') => Key::Optimum,
        KeyCode::Char('n') => Key::Next,
        KeyCode::Char('p') => Key::Previous,
        KeyCode::Char('q') | KeyCode::Esc => Key::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_letter_has_two_meanings_and_control_is_for_ctrl_c_alone() {
        let plain = |c| key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
        for (letters, way) in [
            ("wk", Direction::Up),
            ("ah", Direction::Left),
            ("dl", Direction::Right),
            ("sj", Direction::Down),
        ] {
            for letter in letters.chars() {
                assert_eq!(plain(letter), Some(Key::Arrow(way)));
            }
        }
        assert_eq!((plain('u'), plain('U')), (Some(Key::Undo), Some(Key::Redo)));
        assert_eq!(plain('c'), None);
        let control = |c| key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
        assert_eq!((control('c'), control('u')), (Some(Key::Interrupt), None));
    }
}
