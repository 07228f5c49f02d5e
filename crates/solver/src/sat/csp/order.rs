//! The order encoding: bounded integers, and formulas about their bounds, as clauses.
//!
//! An integer x of lo..=hi has a literal "x ≤ v" for each v from lo to hi - 1, and clauses that say "x ≤ v implies
//! x ≤ v + 1". Bounds are single literals and comparisons of two variables chains of short clauses; "x = v" is the
//! conjunction of "x ≤ v" and "not x ≤ v - 1", and gets a literal of its own when it is first used. Constraints are
//! formulas over such literals. What is a clause, or a conjunction of clauses, is written as it is; a conjunction
//! inside a disjunction gets a literal, except the longest one, which is distributed.
//!
//! Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT. Constraints 14, 2009 (the solver Sugar,
//! and Copris, which Edixhoven uses).

use rustc_hash::FxHashMap;

use crate::sat::cnf::{Lit, Sink};

/// An integer variable.
#[derive(Clone, Debug)]
pub struct Int {
    lo: i32,
    hi: i32,
    /// By v - lo: the literal of x ≤ v, for v below `hi`.
    le: Vec<Lit>,
}

impl Int {
    /// A new integer of lo..=hi.
    pub fn new(lo: i32, hi: i32, sink: &mut dyn Sink) -> Int {
        assert!(lo <= hi, "a domain that is not empty");
        let le: Vec<Lit> = (lo..hi).map(|_| sink.variable()).collect();
        for pair in le.windows(2) {
            sink.clause(&[-pair[0], pair[1]]);
        }
        Int { lo, hi, le }
    }

    /// Its least and its greatest value.
    pub fn domain(&self) -> (i32, i32) {
        (self.lo, self.hi)
    }

    /// Its literals and what they say.
    pub fn names(&self, name: &str) -> Vec<(Lit, String)> {
        let values = self.lo..self.hi;
        values
            .zip(&self.le)
            .map(|(v, &lit)| (lit, format!("{name}<={v}")))
            .collect()
    }

    /// x ≤ v.
    pub fn le(&self, v: i32) -> Constraint {
        if v < self.lo {
            Constraint::FALSE
        } else if v >= self.hi {
            Constraint::TRUE
        } else {
            Constraint::Lit(self.le[(v - self.lo) as usize])
        }
    }

    /// x = v. Such literals are made when they are first used, and kept by the first literal of x and v.
    pub fn eq(
        &self,
        v: i32,
        known: &mut FxHashMap<(Lit, i32), Lit>,
        sink: &mut dyn Sink,
    ) -> Constraint {
        if v < self.lo || v > self.hi {
            return Constraint::FALSE;
        }
        match (self.le(v), self.le(v - 1)) {
            (Constraint::Lit(le), Constraint::Lit(less)) => {
                let lit = *known.entry((self.le[0], v)).or_insert_with(|| {
                    let lit = sink.variable();
                    sink.clause(&[-lit, le]);
                    sink.clause(&[-lit, -less]);
                    sink.clause(&[lit, -le, less]);
                    lit
                });
                Constraint::Lit(lit)
            }
            (le, less) => Constraint::And(vec![le, less.not()]).flat(),
        }
    }

    /// x + c = y.
    pub fn plus_is(&self, c: i32, y: &Int) -> Constraint {
        let (lo, hi) = (self.lo.min(y.lo - c) - 1, self.hi.max(y.hi - c));
        let each = (lo..hi).flat_map(|v| {
            let (a, b) = (self.le(v), y.le(v + c));
            [
                Constraint::Or(vec![a.clone().not(), b.clone()]),
                Constraint::Or(vec![a, b.not()]),
            ]
        });
        Constraint::And(each.collect())
    }

    /// x > y.
    pub fn exceeds(&self, y: &Int) -> Constraint {
        let values = self.lo.min(y.lo)..=self.hi.max(y.hi);
        let each = values.map(|v| self.le(v).implies(y.le(v - 1)));
        Constraint::And(each.collect())
    }

    /// The literals that say x = v.
    pub fn says(&self, v: i32) -> Vec<Lit> {
        let values = self.lo..self.hi;
        values
            .zip(&self.le)
            .map(|(u, &lit)| if v <= u { lit } else { -lit })
            .collect()
    }

    /// Its value in a model.
    pub fn value(&self, holds: &dyn Fn(Lit) -> bool) -> i32 {
        self.hi - self.le.iter().filter(|&&lit| holds(lit)).count() as i32
    }
}

/// A formula over literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// One literal.
    Lit(Lit),
    /// All of them.
    And(Vec<Constraint>),
    /// One of them at least.
    Or(Vec<Constraint>),
}

impl Constraint {
    /// Always.
    pub const TRUE: Constraint = Constraint::And(vec![]);
    /// Never.
    pub const FALSE: Constraint = Constraint::Or(vec![]);

    /// Its negation.
    #[must_use]
    #[allow(
        clippy::should_implement_trait,
        reason = "a verb among verbs: a.not(), a.implies(b)"
    )]
    pub fn not(self) -> Constraint {
        let all = |parts: Vec<Constraint>| parts.into_iter().map(Constraint::not).collect();
        match self {
            Constraint::Lit(lit) => Constraint::Lit(-lit),
            Constraint::And(parts) => Constraint::Or(all(parts)),
            Constraint::Or(parts) => Constraint::And(all(parts)),
        }
    }

    /// If this, then that.
    #[must_use]
    pub fn implies(self, then: Constraint) -> Constraint {
        Constraint::Or(vec![self.not(), then])
    }

    /// This if and only if that.
    #[must_use]
    pub fn iff(self, other: Constraint) -> Constraint {
        let back = other.clone().implies(self.clone());
        Constraint::And(vec![self.implies(other), back])
    }

    /// The same with nested parts drawn up and constants gone.
    fn flat(self) -> Constraint {
        match self {
            Constraint::Lit(_) => self,
            Constraint::And(parts) => {
                let mut all = vec![];
                for part in parts {
                    match part.flat() {
                        Constraint::Or(none) if none.is_empty() => return Constraint::FALSE,
                        Constraint::And(inner) => all.extend(inner),
                        part => all.push(part),
                    }
                }
                Constraint::single(Constraint::And(all))
            }
            Constraint::Or(parts) => {
                let mut any = vec![];
                for part in parts {
                    match part.flat() {
                        Constraint::And(none) if none.is_empty() => return Constraint::TRUE,
                        Constraint::Or(inner) => any.extend(inner),
                        part => any.push(part),
                    }
                }
                Constraint::single(Constraint::Or(any))
            }
        }
    }

    fn single(self) -> Constraint {
        match self {
            Constraint::And(mut parts) | Constraint::Or(mut parts) if parts.len() == 1 => {
                parts.pop().expect("one")
            }
            other => other,
        }
    }
}

/// Writes down a constraint.
pub fn write(formula: Constraint, sink: &mut dyn Sink) {
    add(formula.flat(), sink);
}

fn add(formula: Constraint, sink: &mut dyn Sink) {
    match formula {
        Constraint::Lit(lit) => sink.clause(&[lit]),
        Constraint::And(parts) => parts.into_iter().for_each(|part| add(part, sink)),
        Constraint::Or(mut parts) => {
            let spread = (0..parts.len())
                .filter(|&i| matches!(parts[i], Constraint::And(_)))
                .max_by_key(|&i| match &parts[i] {
                    Constraint::And(inner) => inner.len(),
                    _ => 0,
                })
                .map(|i| parts.swap_remove(i));
            let rest: Vec<Lit> = parts.into_iter().map(|p| literal(p, sink)).collect();
            match spread {
                Some(Constraint::And(inner)) => {
                    for part in inner {
                        let mut any: Vec<Constraint> =
                            rest.iter().map(|&lit| Constraint::Lit(lit)).collect();
                        any.push(part);
                        add(Constraint::Or(any).flat(), sink);
                    }
                }
                _ => sink.clause(&rest),
            }
        }
    }
}

/// A literal that implies the formula, which stands where only that is needed.
fn literal(formula: Constraint, sink: &mut dyn Sink) -> Lit {
    if let Constraint::Lit(lit) = formula {
        return lit;
    }
    let lit = sink.variable();
    add(Constraint::Lit(lit).implies(formula).flat(), sink);
    lit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::cnf::Cnf;

    /// How many values of the first variables extend to a model, by trying all of them.
    fn models(cnf: &Cnf, shown: usize) -> usize {
        let variables = cnf.variables();
        assert!(variables < 20, "few enough to try them all");
        let mut seen = std::collections::BTreeSet::new();
        for bits in 0..1u32 << variables {
            let holds = |lit: Lit| (bits >> (lit.var() - 1) & 1 == 1) == lit.is_positive();
            if cnf.violated(holds).is_none() {
                seen.insert(bits & ((1 << shown) - 1));
            }
        }
        seen.len()
    }

    #[test]
    fn an_integer_has_as_many_values_as_its_domain() {
        let mut cnf = Cnf::default();
        Int::new(-1, 3, &mut cnf);
        assert_eq!(models(&cnf, 4), 5);
    }

    #[test]
    fn sums_and_equalities_mean_what_they_say() {
        for c in -2..=2 {
            let mut cnf = Cnf::default();
            let x = Int::new(0, 3, &mut cnf);
            let y = Int::new(1, 4, &mut cnf);
            write(x.plus_is(c, &y), &mut cnf);
            let expected = (0..=3).filter(|x| (1..=4).contains(&(x + c))).count();
            assert_eq!(models(&cnf, 6), expected, "x + {c} = y");
        }
        let mut cnf = Cnf::default();
        let (x, y) = (Int::new(0, 3, &mut cnf), Int::new(1, 4, &mut cnf));
        write(x.exceeds(&y), &mut cnf);
        assert_eq!(models(&cnf, 6), 3, "2 > 1, 3 > 1, 3 > 2");
        for v in -1..=4 {
            let (mut known, mut cnf) = (FxHashMap::default(), Cnf::default());
            let x = Int::new(0, 3, &mut cnf);
            let is = x.eq(v, &mut known, &mut cnf);
            write(is, &mut cnf);
            assert_eq!(
                models(&cnf, 3),
                usize::from((0..=3).contains(&v)),
                "x = {v}"
            );
        }
    }

    #[test]
    fn formulas_have_the_models_of_their_truth_tables() {
        let l = |number| Constraint::Lit(Lit::from_dimacs(number).unwrap());
        let and = |a, b| Constraint::And(vec![l(a), l(b)]);
        let cases = [
            (and(1, 2).iff(and(3, -4)), 10),
            (Constraint::Or(vec![and(1, 2), and(3, 4), l(-1)]), 8 + 4 + 1),
            (l(1).implies(Constraint::FALSE), 8),
            (Constraint::Or(vec![Constraint::TRUE, l(1)]), 16),
            (Constraint::And(vec![l(1), Constraint::FALSE]), 0),
        ];
        for (formula, expected) in cases {
            let mut cnf = Cnf::default();
            for _ in 0..4 {
                cnf.variable();
            }
            write(formula.clone(), &mut cnf);
            assert_eq!(models(&cnf, 4), expected, "{formula:?}");
        }
    }
}
