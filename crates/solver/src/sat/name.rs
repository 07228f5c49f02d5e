//! The name of an encoding, for boards or for levels.

use std::fmt;
use std::str::FromStr;

use super::forms::unknown;
use super::level::name::LevelEncoding;
use super::tiles::name::BoardEncoding;
use crate::names::UnknownName;

/// An encoding, of boards or of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncodingName {
    /// Of boards.
    Board(BoardEncoding),
    /// Of levels.
    Level(LevelEncoding),
}

impl EncodingName {
    /// Every one there is, in the order of the help.
    pub fn all() -> impl Iterator<Item = EncodingName> {
        let boards = BoardEncoding::ALL.iter().map(|&e| EncodingName::Board(e));
        let levels = LevelEncoding::ALL.iter().map(|&e| EncodingName::Level(e));
        boards.chain(levels)
    }
}

impl From<BoardEncoding> for EncodingName {
    fn from(encoding: BoardEncoding) -> EncodingName {
        EncodingName::Board(encoding)
    }
}

impl From<LevelEncoding> for EncodingName {
    fn from(encoding: LevelEncoding) -> EncodingName {
        EncodingName::Level(encoding)
    }
}

impl fmt::Display for EncodingName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            EncodingName::Board(encoding) => encoding.fmt(f),
            EncodingName::Level(encoding) => encoding.fmt(f),
        }
    }
}

impl FromStr for EncodingName {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<EncodingName, UnknownName> {
        let board = text.parse().map(EncodingName::Board);
        let either = board.or_else(|_| text.parse().map(EncodingName::Level));
        let forms = || [BoardEncoding::forms(), LevelEncoding::forms()].concat();
        either.map_err(|_: UnknownName| unknown(text, &forms()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_as_they_print() {
        for encoding in EncodingName::all() {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
        }
        assert_eq!(EncodingName::all().count(), 20);
        let any_order: EncodingName = "edixhoven+blocks+no-undo".parse().unwrap();
        assert_eq!(any_order.to_string(), "edixhoven+no-undo+blocks");
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
        for text in [
            "",
            "rotated+no-undo",
            "edixhoven+",
            "lien",
            "lean+statics",
            "tamura+",
            "moves+dead",
        ] {
            let error = text.parse::<EncodingName>().unwrap_err().to_string();
            assert!(
                error.ends_with(
                    "(expected edixhoven[+no-undo][+manhattan][+blocks], rotated, transitions[+repeated], lean[+static], \
                     tamura[+dead][+bad], pushes, moves[+lean])"
                ),
                "{error}"
            );
        }
    }
}
