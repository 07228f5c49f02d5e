//! Commands as they are typed: parted into words, and words put together again.

/// The words of a command; single and double quotes hold a word together.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = vec![];
    let (mut word, mut begun) = (String::new(), false);
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => (quote, begun) = (Some(c), true),
            None if c.is_whitespace() => {
                if begun || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            _ => word.push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("a {quote} without its end in {text:?}"));
    }
    if begun || !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

/// A command that a shell reads as these words.
pub fn join(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_+=:,./%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parted_as_a_shell_would() {
        let words = split(r#"solve  --goal "0 1/2 3" --heuristic pdb:1,2+3 '' "#).unwrap();
        assert_eq!(
            words,
            ["solve", "--goal", "0 1/2 3", "--heuristic", "pdb:1,2+3", ""]
        );
        assert_eq!(
            join(&words),
            "solve --goal '0 1/2 3' --heuristic pdb:1,2+3 ''"
        );
        assert_eq!(split(&join(&words)).unwrap(), words);
        assert!(split("solve '1 2").unwrap_err().contains("without its end"));
    }
}
