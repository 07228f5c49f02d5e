//! The beginning of a text that is quoted in a message.

/// The beginning of a text that may be long or odd, fit for a message.
pub fn shorten(text: &str) -> String {
    let short: String = text
        .chars()
        .take(60)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if short.chars().count() < text.chars().count() {
        format!("{short}…")
    } else {
        short
    }
}
