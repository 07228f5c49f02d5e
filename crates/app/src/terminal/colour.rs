//! Colour on standard output: for verdicts, where the terminal and the user want it.
//!
//! `--color` decides; under `auto` the crate `anstream` looks at the terminal and at `NO_COLOR` and `CLICOLOR_FORCE`.

use std::io;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;

/// What a verdict means for the user.
#[derive(Clone, Copy)]
pub enum Verdict {
    /// Proven optimal.
    Good,
    /// A plan or bounds, but no proof.
    Open,
    /// Proven unsolvable.
    Bad,
}

impl Verdict {
    fn style(self) -> Style {
        let colour = match self {
            Verdict::Good => AnsiColor::Green,
            Verdict::Open => AnsiColor::Yellow,
            Verdict::Bad => AnsiColor::Red,
        };
        colour.on_default().bold()
    }

    /// The text in the colour of the verdict.
    pub fn paint(self, text: &str) -> String {
        let style = self.style();
        format!("{style}{text}{style:#}")
    }
}

/// Colours as the user chose, here and in clap's help and errors.
pub fn choose(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// The choice of a command line that cannot be parsed.
pub fn choose_by_words(words: impl Iterator<Item = String>) {
    let words: Vec<String> = words.collect();
    let after_flag = words.windows(2).find(|pair| pair[0] == "--color");
    let in_flag = || words.iter().find_map(|word| word.strip_prefix("--color="));
    let name = after_flag.map(|pair| pair[1].as_str()).or_else(in_flag);
    choose(match name {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    });
}

/// Whether standard output shows colours.
pub fn is_on() -> bool {
    AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}
