//! Models as solvers print them.

/// The output of a solver is not a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A word that is not a number.
    #[error("{0:?} in a v line is no literal")]
    Word(String),
    /// A variable that the formula does not have.
    #[error("variable {variable} in a v line, of {variables}")]
    Variable {
        /// The variable.
        variable: usize,
        /// The number of variables in the formula.
        variables: usize,
    },
    /// Two values for one variable.
    #[error("variable {variable} is both true and false")]
    Both {
        /// The variable.
        variable: usize,
    },
}

/// The values that `v` lines give to the variables, none for those that they do not name; none if there are no such
/// lines.
///
/// # Errors
/// If a `v` line holds anything but literals of these variables, or contradicts another.
pub fn read_model(text: &str, variables: usize) -> Result<Option<Vec<Option<bool>>>, ModelError> {
    let mut model = vec![None; variables];
    let mut found = false;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if words.next() != Some("v") {
            continue;
        }
        found = true;
        for word in words {
            let lit: i64 = word
                .parse()
                .map_err(|_| ModelError::Word(printable(word)))?;
            let variable = lit.unsigned_abs() as usize;
            if variable > variables {
                return Err(ModelError::Variable {
                    variable,
                    variables,
                });
            }
            if variable > 0 {
                let before = model[variable - 1].replace(lit > 0);
                if before.is_some_and(|before| before != (lit > 0)) {
                    return Err(ModelError::Both { variable });
                }
            }
        }
    }
    Ok(found.then_some(model))
}

/// The literals of a result file as MiniSat writes it, as `v` lines.
pub fn as_v_lines(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
    lines.flat_map(|l| ["v ", l, "\n"]).collect()
}

/// The beginning of a text, without control characters.
pub(super) fn printable(text: &str) -> String {
    let printable = |c: char| if c.is_control() { '?' } else { c };
    text.chars().take(100).map(printable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_read_from_v_lines() {
        let model = |text| read_model(text, 3);
        assert_eq!(
            model("c v 1\ns SATISFIABLE\nv 1 -2\nv 3 0\n"),
            Ok(Some(vec![Some(true), Some(false), Some(true)]))
        );
        assert_eq!(model("v -1 0"), Ok(Some(vec![Some(false), None, None])));
        assert!(model("v 1 -1 0") == Err(ModelError::Both { variable: 1 }));
        assert_eq!(model("s SATISFIABLE\n"), Ok(None));
        assert!(
            model("v 1 4 0")
                .unwrap_err()
                .to_string()
                .contains("variable 4")
        );
        assert!(
            model("v 1 x\u{1b} 0")
                .unwrap_err()
                .to_string()
                .contains("\"x?\"")
        );
        assert!(model("v 9999999999999999999999 0").is_err());
        assert_eq!(
            model(&as_v_lines("SAT\n1 2 -3 0\n")),
            Ok(Some(vec![Some(true), Some(true), Some(false)]))
        );
    }
}
