//! Constraints as their papers write them: formulas over named integers, which can be printed and tested with values.
//!
//! `p(1,1,2) = 1 → (p(0,1,2) = 1 ∧ g(0) = 1) ∨ (b(0,1,2) = 1 ∧ …)` is one of them. Booleans are integers of 0 and 1. The same
//! formula is printed, tested, and translated into clauses (`problem.rs`), so what is printed is what is solved.

use std::fmt;

/// A variable, by its place among those declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Var(pub(super) usize);

/// The name of a variable: a word, and its indices in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    word: &'static str,
    indices: [u16; Name::MOST],
    count: usize,
}

impl Name {
    const MOST: usize = 5;

    /// A word and its indices.
    pub fn new(word: &'static str, of: &[usize]) -> Name {
        let mut indices = [0; Name::MOST];
        for (index, &number) in indices.iter_mut().zip(of) {
            *index = number as u16;
        }
        let count = of.len();
        Name {
            word,
            indices,
            count,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word)?;
        for (i, index) in self.indices[..self.count].iter().enumerate() {
            write!(f, "{}{index}", if i == 0 { '(' } else { ',' })?;
        }
        f.write_str(if self.count > 0 { ")" } else { "" })
    }
}

/// A constraint, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// x = v.
    Is(Var, i32),
    /// x ≤ v.
    AtMost(Var, i32),
    /// x > v.
    Above(Var, i32),
    /// x > y.
    Exceeds(Var, Var),
    /// x + c = y.
    Shifted(Var, i32, Var),
    /// x ≥ y + c.
    LeavesRoom(Var, Var, i32),
    /// x is the sum of these; not inside another formula.
    Sum(Var, Vec<Var>),
    /// No two have the same value; not inside another formula.
    AllDifferent(Vec<Var>),
    /// Not this.
    Not(Box<Formula>),
    /// All of them.
    And(Vec<Formula>),
    /// One of them at least.
    Or(Vec<Formula>),
    /// If the first, then the second.
    Implies(Box<Formula>, Box<Formula>),
    /// The first if and only if the second.
    Iff(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Its negation.
    #[must_use]
    #[allow(
        clippy::should_implement_trait,
        reason = "a verb among verbs: a.not(), a.implies(b)"
    )]
    pub fn not(self) -> Formula {
        Formula::Not(self.into())
    }

    /// If this, then that.
    #[must_use]
    pub fn implies(self, then: Formula) -> Formula {
        Formula::Implies(self.into(), then.into())
    }

    /// This if and only if that.
    #[must_use]
    pub fn iff(self, other: Formula) -> Formula {
        Formula::Iff(self.into(), other.into())
    }

    /// Whether it holds if variables have these values.
    pub fn holds(&self, value: &dyn Fn(Var) -> i32) -> bool {
        match self {
            Formula::Is(x, v) => value(*x) == *v,
            Formula::AtMost(x, v) => value(*x) <= *v,
            Formula::Above(x, v) => value(*x) > *v,
            Formula::Exceeds(x, y) => value(*x) > value(*y),
            Formula::Shifted(x, c, y) => value(*x) + c == value(*y),
            Formula::LeavesRoom(x, y, c) => value(*x) >= value(*y) + c,
            Formula::Sum(x, of) => value(*x) == of.iter().map(|&y| value(y)).sum::<i32>(),
            Formula::AllDifferent(all) => {
                let mut values: Vec<i32> = all.iter().map(|&x| value(x)).collect();
                values.sort_unstable();
                values.windows(2).all(|pair| pair[0] != pair[1])
            }
            Formula::Not(part) => !part.holds(value),
            Formula::And(parts) => parts.iter().all(|part| part.holds(value)),
            Formula::Or(parts) => parts.iter().any(|part| part.holds(value)),
            Formula::Implies(a, b) => !a.holds(value) || b.holds(value),
            Formula::Iff(a, b) => a.holds(value) == b.holds(value),
        }
    }

    /// The same inside another formula.
    fn write_part(&self, name: &dyn Fn(Var) -> Name) -> String {
        match self {
            Formula::And(parts) | Formula::Or(parts) if parts.len() == 1 => {
                parts[0].write_part(name)
            }
            Formula::And(parts) | Formula::Or(parts) if !parts.is_empty() => {
                format!("({})", self.write(name))
            }
            Formula::Implies(..) | Formula::Iff(..) => format!("({})", self.write(name)),
            part => part.write(name),
        }
    }

    /// The formula as a text; parts of `and` and `or` that are composed themselves are in parentheses.
    pub fn write(&self, name: &dyn Fn(Var) -> Name) -> String {
        let joined = |parts: &[Formula], by: &str, none: &str| match parts {
            [] => none.to_string(),
            [part] => part.write(name),
            parts => {
                let parts = parts.iter().map(|part| part.write_part(name));
                parts.collect::<Vec<_>>().join(by)
            }
        };
        let list = |all: &[Var], by: &str| {
            let names = all.iter().map(|&x| name(x).to_string());
            names.collect::<Vec<_>>().join(by)
        };
        match self {
            Formula::Is(x, v) => format!("{} = {v}", name(*x)),
            Formula::AtMost(x, v) => format!("{} ≤ {v}", name(*x)),
            Formula::Above(x, v) => format!("{} > {v}", name(*x)),
            Formula::Exceeds(x, y) => format!("{} > {}", name(*x), name(*y)),
            Formula::Shifted(x, 0, y) => format!("{} = {}", name(*x), name(*y)),
            Formula::Shifted(x, c, y) => {
                let sign = if *c < 0 { '-' } else { '+' };
                format!("{} {sign} {} = {}", name(*x), c.abs(), name(*y))
            }
            Formula::LeavesRoom(x, y, c) => format!("{} ≥ {} + {c}", name(*x), name(*y)),
            Formula::Sum(x, of) if of.is_empty() => format!("{} = 0", name(*x)),
            Formula::Sum(x, of) => format!("{} = {}", name(*x), list(of, " + ")),
            Formula::AllDifferent(all) => format!("Alldifferent({})", list(all, ", ")),
            Formula::Not(part) => match &**part {
                Formula::Is(x, v) => format!("{} ≠ {v}", name(*x)),
                part => format!("¬({})", part.write(name)),
            },
            Formula::And(parts) => joined(parts, " ∧ ", "true"),
            Formula::Or(parts) => joined(parts, " ∨ ", "false"),
            Formula::Implies(a, b) => format!("{} → {}", a.write(name), b.write(name)),
            Formula::Iff(a, b) => format!("{} ⇔ {}", a.write(name), b.write(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_print_as_papers_write_them() {
        let name = |x: Var| Name::new(["a", "b", "c"][x.0], &[0, x.0]);
        let is = |x, v| Formula::Is(Var(x), v);
        let and = Formula::And(vec![is(0, 1), is(1, 0)]);
        let or = Formula::Or(vec![and.clone(), is(2, -1).not(), Formula::Or(vec![])]);
        let cases = [
            (
                is(2, -1).iff(and.clone()),
                "c(0,2) = -1 ⇔ a(0,0) = 1 ∧ b(0,1) = 0",
            ),
            (
                or.clone(),
                "(a(0,0) = 1 ∧ b(0,1) = 0) ∨ c(0,2) ≠ -1 ∨ false",
            ),
            (
                and.not().implies(Formula::Shifted(Var(0), -1, Var(1))),
                "¬(a(0,0) = 1 ∧ b(0,1) = 0) → a(0,0) - 1 = b(0,1)",
            ),
            (
                Formula::Sum(Var(0), vec![Var(1), Var(2)]),
                "a(0,0) = b(0,1) + c(0,2)",
            ),
        ];
        for (formula, text) in cases {
            assert_eq!(formula.write(&name), text);
        }
    }
}
