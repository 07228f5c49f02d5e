//! Boards as JSON lists: `[8, 6, 7, 2, …]` or `[[8, 6, 7], [2, 5, 4], [3, 0, 1]]`, as programs hold them.
//!
//! A list becomes the text that noyes reads everywhere, so that one reader checks all boards.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Unexpected, Visitor,
};
use serde_json::json;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type};

/// Reads a field that holds a puzzle.
pub fn text<'de, D: Deserializer<'de>>(field: D) -> Result<String, D::Error> {
    Text::deserialize(field).map(|Text(text)| text)
}

/// Reads a field that may hold a board.
pub fn optional_text<'de, D: Deserializer<'de>>(field: D) -> Result<Option<String>, D::Error> {
    let read = Option::<Text>::deserialize(field)?;
    Ok(read.map(|Text(text)| text))
}

/// A string, or the text of a board that was a list.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(field: D) -> Result<Text, D::Error> {
        field.deserialize_any(TextVisitor).map(Text)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string, or a board as a list of tiles or of rows")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<String, E> {
        Ok(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<String, A::Error> {
        let Some((mut text, kind)) = list.next_element_seed(Allowed::Any)? else {
            return Ok(String::new());
        };
        let mut count = 1;
        while let Some((next, _)) = list.next_element_seed(kind)? {
            text.push(if kind == Allowed::Row { '/' } else { ' ' });
            text += &next;
            count += 1;
        }
        if kind == Allowed::Row && count == 1 {
            text.push('/'); // one row, not the tiles of a square
        }
        Ok(text)
    }
}

/// What an element of a list may be. All elements are of the same kind as the first one.
#[derive(Clone, Copy, PartialEq)]
enum Allowed {
    Any,
    Tile,
    Row,
}

impl<'de> DeserializeSeed<'de> for Allowed {
    type Value = (String, Allowed);

    fn deserialize<D: Deserializer<'de>>(self, element: D) -> Result<(String, Allowed), D::Error> {
        element.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Allowed {
    type Value = (String, Allowed);

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Allowed::Any => "a tile, which is a whole number, or a row of tiles",
            Allowed::Tile => "a tile, which is a whole number",
            Allowed::Row => "a row of tiles",
        })
    }

    fn visit_u64<E: Error>(self, tile: u64) -> Result<(String, Allowed), E> {
        if self == Allowed::Row {
            return Err(E::invalid_type(Unexpected::Unsigned(tile), &self));
        }
        Ok((tile.to_string(), Allowed::Tile))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<(String, Allowed), A::Error> {
        if self == Allowed::Tile {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let mut tiles = vec![];
        while let Some((tile, _)) = row.next_element_seed(Allowed::Tile)? {
            tiles.push(tile);
        }
        Ok((tiles.join(" "), Allowed::Row))
    }
}

/// The schema of a puzzle.
pub fn puzzle() -> Schema {
    string_or_board("A board as text or as a list of tiles or rows, or a level of Sokoban as text.")
        .examples([json!("8 6 7/2 5 4/3 0 1")])
        .build()
        .into()
}

/// The schema of a goal.
pub fn goal() -> Schema {
    string_or_board("blank-last (the default), blank-first, or a board as text or as a list.")
        .item(ObjectBuilder::new().schema_type(Type::Null))
        .examples([json!("blank-last")])
        .build()
        .into()
}

fn string_or_board(description: &str) -> OneOfBuilder {
    let tile = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(0))
        .maximum(Some(4095));
    // Without a first element it would be a list of both kinds.
    let row: RefOr<Schema> = ArrayBuilder::new().items(tile).min_items(Some(1)).into();
    let rows = ArrayBuilder::new().items(row.clone()).min_items(Some(1));
    OneOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::String))
        .item(row)
        .item(rows)
        .description(Some(description))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_become_the_text_of_their_board() {
        for (json, text) in [
            ("\"1 2/3 0\"", "1 2/3 0"),
            ("[1, 2, 3, 0]", "1 2 3 0"),
            ("[[1, 2, 3], [4, 0, 6]]", "1 2 3/4 0 6"),
            ("[[1, 2, 3, 0]]", "1 2 3 0/"),
            ("[]", ""),
        ] {
            let Text(read) = serde_json::from_str(json).unwrap();
            assert_eq!(read, text, "{json}");
        }
        for json in [
            "1", "{}", "[1, [2]]", "[[1], 2]", "[-1]", "[1.5]", "[[[1]]]", "[null]",
        ] {
            assert!(serde_json::from_str::<Text>(json).is_err(), "{json}");
        }
    }
}
