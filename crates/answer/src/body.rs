//! Bodies: JSON, or a sentence that says which field is wrong and what was expected there.

use serde::de::DeserializeOwned;
use serde_json::Error;
use serde_json::error::Category;

use crate::Fault;

/// A body from its text.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    // The reader would take a list for an object, too.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(Fault::unfit("the body: expected an object"));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let place = error.path().to_string();
        (place, error.into_inner())
    });
    let ended = read.and_then(|read| match reader.end() {
        Ok(()) => Ok(read),
        Err(error) => Err((String::new(), error)),
    });
    ended.map_err(|(place, error)| match error.classify() {
        Category::Data => Fault::Unfit(in_words(&place, &error)),
        Category::Eof => {
            Fault::Malformed("the body: its end is missing (expected a JSON object)".into())
        }
        _ => Fault::Malformed(not_json(bytes, &error)),
    })
}

/// Why a body is not JSON, and where, in words for its author: the reader speaks of its own parts.
fn not_json(bytes: &[u8], error: &Error) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return format!(
            "the body is not JSON: expected an object such as {{\"puzzle\": \"8 6 7/2 5 4/3 0 1\"}} ({place})"
        );
    }
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or(&said);
    let reason = match said {
        "expected ident" | "expected value" | "expected some ident" => {
            "expected a value: a string in double quotes, a number, true, false, null, a list or an object"
        }
        "key must be a string" => "expected the name of a field, in double quotes",
        "trailing comma" => "expected another field or element after the comma",
        "trailing characters" => "expected nothing after the object",
        "expected `:`" => "expected a colon after the name of the field",
        "expected `,` or `}`" => "expected a comma or the closing brace }",
        "expected `,` or `]`" => "expected a comma or the closing bracket ]",
        "number out of range" => "this number is too large",
        "invalid number" => "expected a number such as 1, 0.5 or 1e3",
        "recursion limit exceeded" => "lists and objects are nested too deeply",
        "invalid escape" => "expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000",
        _ if said.starts_with("control character") => {
            "a string may not contain a line end or another control character: write \\n for a line end"
        }
        other => other,
    };
    format!("the body is not JSON: {reason} ({place})")
}

/// What is wrong at a place of a body that is JSON, in words for its author: the reader speaks of Rust's types.
fn in_words(place: &str, error: &Error) -> String {
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or(&said);
    if let Some(name) = said.strip_prefix("missing field ") {
        return format!("the body: {} is missing", bare(name));
    }
    if let Some(name) = said.strip_prefix("duplicate field ") {
        return format!("the body: duplicate field {}", bare(name));
    }
    if let Some((name, known)) = said
        .strip_prefix("unknown field ")
        .and_then(|rest| rest.split_once(", expected "))
    {
        let known = bare(known.trim_start_matches("one of "));
        return format!("the body: unknown field {} (expected {known})", bare(name));
    }
    let is_whole = matches!(place, "" | "." | "?");
    let place = if is_whole { "the body" } else { place };
    let Some((found, expected)) = said.split_once(", expected ") else {
        // What a body says as a whole names its field itself.
        return if is_whole {
            said.into()
        } else {
            format!("{place}: {said}")
        };
    };
    if is_whole {
        return "the body: expected an object".into();
    }
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0, not too large",
        "f64" => "a number",
        "a boolean" => "true or false",
        other => other,
    };
    let found = found.split_once(": ").map_or(found, |(_, found)| found);
    let found = match found.split_once(' ') {
        Some(("integer", number)) => format!("the number {}", bare(number)),
        Some(("boolean", value)) => bare(value),
        Some(("string", text)) => format!("the string {text}"),
        _ if found.starts_with("floating point ") => {
            format!("the number {}", bare(&found["floating point ".len()..]))
        }
        _ => match found {
            "sequence" => "a list".into(),
            "map" => "an object".into(),
            other => other.into(),
        },
    };
    format!("{place}: expected {expected}, found {found}")
}

/// Without the quotes that the reader puts around names.
fn bare(text: &str) -> String {
    text.replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GenerateBody, SolveBody};

    fn said<T: DeserializeOwned>(body: &str) -> String {
        let problem = parse::<T>(body.as_bytes()).err().expect("it is wrong");
        problem.to_string()
    }

    #[test]
    fn what_is_not_json_is_explained_with_its_place() {
        for (body, words) in [
            (
                "nonsense",
                "expected an object such as {\"puzzle\": \"8 6 7/2 5 4/3 0 1\"} (line 1, column 2)",
            ),
            (
                "{puzzle: 1}",
                "expected the name of a field, in double quotes (line 1, column 2)",
            ),
            (
                "{\"puzzle\" 1}",
                "expected a colon after the name of the field (line 1, column 11)",
            ),
            (
                "{\"at_most\": 8 6}",
                "expected a comma or the closing brace } (line 1, column 15)",
            ),
            (
                "{\"puzzle\": \"\",}",
                "expected another field or element after the comma (line 1, column 15)",
            ),
            (
                "{\"puzzle\": \"\"} {}",
                "expected nothing after the object (line 1, column 16)",
            ),
            (
                "{\"puzzle\": \"#\n#\"}",
                "write \\n for a line end (line 2, column 0)",
            ),
            (
                "{\n\"puzzle\": nothing}",
                "expected a value: a string in double quotes, a number, true, false",
            ),
        ] {
            let said = said::<SolveBody>(body);
            assert!(said.starts_with("the body is not JSON: "), "{body}: {said}");
            assert!(said.contains(words), "{body}: {said}");
            assert!(!said.contains("ident"), "{body}: {said}");
        }
    }

    #[test]
    fn a_wrong_field_is_named_in_words_for_its_author() {
        for (body, words) in [
            ("{}", "the body: puzzle is missing"),
            (
                "{\"puzzle\": 1}",
                "puzzle: expected a string, or a board as a list of tiles or of rows, found the number 1",
            ),
            (
                "{\"puzzle\": \"\", \"at_most\": -1}",
                "at_most: expected a whole number from 0, not too large, found the number -1",
            ),
            (
                "{\"puzzle\": \"\", \"at_most\": 1.5}",
                "at_most: expected a whole number from 0, not too large, found the number 1.5",
            ),
            (
                "{\"any\": \"yes\", \"puzzle\": \"\"}",
                "any: expected true or false, found the string \"yes\"",
            ),
            (
                "{\"puzzle\": \"\", \"wait_s\": [1]}",
                "wait_s: expected a number, found a list",
            ),
            (
                "{\"puzzle\": \"\", \"puzzle\": \"\"}",
                "the body: duplicate field puzzle",
            ),
            (
                "{\"puzzle\": [[1, 2], [\"x\", 0]]}",
                "puzzle[1][0]: expected a tile, which is a whole number, found the string \"x\"",
            ),
            (
                "{\"puzzle\": [1, [2]]}",
                "puzzle[1]: expected a tile, which is a whole number, found a list",
            ),
            (
                "{\"puzzle\": \"\", \"goal\": 1}",
                "goal: expected a string, or a board as a list of tiles or of rows, found the number 1",
            ),
            ("3", "the body: expected an object"),
            ("null", "the body: expected an object"),
        ] {
            assert_eq!(said::<SolveBody>(body), words, "{body}");
        }
        let unknown = said::<SolveBody>("{\"puzzle\": \"\", \"colour\": 1}");
        assert!(
            unknown.starts_with("the body: unknown field colour (expected puzzle, goal,"),
            "{unknown}"
        );
        for (body, words) in [
            (
                "{\"kind\": \"board\", \"width\": \"4\", \"height\": 4}",
                "width: expected a whole number from 0, not too large, found the string \"4\"",
            ),
            (
                "{\"kind\": \"chess\", \"width\": 4, \"height\": 4}",
                "kind: chess is not known (expected board or level)",
            ),
            (
                "{\"kind\": 5, \"width\": 4, \"height\": 4}",
                "kind: expected a string, found the number 5",
            ),
            (
                "{\"kind\": {}, \"width\": 4, \"height\": 4}",
                "kind: expected a string, found an object",
            ),
            ("{\"width\": 4}", "the body: kind is missing"),
            (
                "{\"kind\": \"board\", \"width\": 4}",
                "the body: height is missing",
            ),
            (
                "{\"kind\": \"level\", \"width\": 8, \"height\": 8}",
                "the body: boxes is missing",
            ),
            (
                "{\"kind\": \"board\", \"width\": 4, \"height\": 4, \"boxes\": 1}",
                "boxes: it is for levels, and kind is board",
            ),
        ] {
            assert_eq!(said::<GenerateBody>(body), words, "{body}");
        }
    }
}
