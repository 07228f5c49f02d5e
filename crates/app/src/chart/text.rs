//! Texts of charts and pages: broken into lines, and escaped for HTML and SVG.

/// A text in lines of at most this many letters, unless a word is longer.
pub fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last] = word.into();
        } else if lines[last].chars().count() + 1 + word.chars().count() > most {
            lines.push(word.into());
        } else {
            lines[last] = format!("{} {word}", lines[last]);
        }
    }
    lines
}

/// A text as a part of HTML or SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace(
            |c: char| c.is_control() && c != '\n' && c != '\t',
            "\u{fffd}",
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_are_broken() {
        assert_eq!(lines("one two three", 8), ["one two", "three"]);
    }
}
