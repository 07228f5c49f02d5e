//! Texts as LaTeX writes them.

use std::fmt::Write;

/// A text as LaTeX writes it. A letter that its fonts lack is named by its number, so that the document compiles.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out += "\\textbackslash{}",
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            '"' => out += "\\textquotedbl{}",
            '[' => out += "{[}", // after a line's end a bracket would be an option
            ']' => out += "{]}",
            '-' => out += "-{}", // two of them would be one dash
            '–' => out += "--",
            '—' => out += "---",
            '…' => out += "\\ldots{}",
            '×' => out += "$\\times$",
            '÷' => out += "$\\div$",
            '±' => out += "$\\pm$",
            '≥' => out += "$\\geq$",
            '≤' => out += "$\\leq$",
            '→' => out += "$\\rightarrow$",
            '·' => out += "$\\cdot$",
            'µ' => out += "\\textmu{}",
            '\n' | '\r' | '\t' => out.push(' '),
            ' '..='~' | '\u{c0}'..='\u{ff}' => out.push(c),
            other => {
                let _ = write!(out, "{{\\ttfamily U+{:04X}}}", u32::from(other));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_latex_are_written_not_obeyed() {
        assert_eq!(
            escape("50% of A_1 & {B} #2 \\x ≥ 3"),
            "50\\% of A\\_1 \\& \\{B\\} \\#2 \\textbackslash{}x $\\geq$ 3"
        );
        assert_eq!(escape("中--x"), "{\\ttfamily U+4E2D}-{}-{}x");
    }
}
