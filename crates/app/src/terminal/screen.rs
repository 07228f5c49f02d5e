//! The terminal as the player needs it: raw keys, the alternate screen, no cursor.
//!
//! However the program ends, by itself, by a signal or by a bug, [`restore`] restores the terminal. It does nothing if
//! nothing was changed.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute};

static CHANGED: AtomicBool = AtomicBool::new(false);

/// Held while the terminal is changed.
pub struct Screen;

impl Screen {
    pub fn new() -> io::Result<Screen> {
        CHANGED.store(true, SeqCst);
        let screen = Screen;
        terminal::enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal.
pub fn restore() {
    if CHANGED.swap(false, SeqCst) {
        let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
    }
}
