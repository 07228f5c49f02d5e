//! Commands as they are typed: split into words, and words joined again, as a shell does.

/// The words of a command; an error says why a shell would not read it.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    shell_words::split(text).map_err(|error| format!("{error} in {text:?}"))
}

/// A command that a shell reads as these words.
pub fn join(words: &[String]) -> String {
    shell_words::join(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_they_were() {
        let words = split(r#"solve  --goal "0 1/2 3" --engine sat '' "#).unwrap();
        assert_eq!(words, ["solve", "--goal", "0 1/2 3", "--engine", "sat", ""]);
        assert_eq!(join(&words), "solve --goal '0 1/2 3' --engine sat ''");
        let odd = ["it's", "#@$", "a\\b", "\"", "x y", "pdb:1,2+3"].map(String::from);
        assert_eq!(split(&join(&odd)).unwrap(), odd);
        assert!(split("solve '1 2").unwrap_err().contains("closing quote"));
    }
}
