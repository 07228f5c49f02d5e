//! A constraint problem on its way into clauses: the variables declared so far, and how formulas over them are written
//! down by the order encoding (`order.rs`).
//!
//! Variables and constraints carry the numbers that their paper gives them. Constraints are kept only if they are to be
//! printed.

use std::fmt;

use rustc_hash::FxHashMap;

use super::formula::{Formula, Name, Var};
use super::order::{Constraint, Int, write};
use crate::sat::cnf::{Lit, Sink, at_most_one};

/// Integer variables, and constraints over them.
#[derive(Debug, Default)]
pub struct Csp {
    variables: Vec<Declared>,
    /// The literal of x = v, by the first literal of x and v.
    equal: FxHashMap<(Lit, i32), Lit>,
    /// The constraints with their numbers, if they are kept.
    kept: Option<Vec<(&'static str, Formula)>>,
}

#[derive(Debug)]
struct Declared {
    number: &'static str,
    name: Name,
    domain: Domain,
}

#[derive(Debug)]
enum Domain {
    Int(Int),
    Bool(Lit),
    /// From 0 to one less than there are literals: by v, the literal of x ≤ v. There are more with every step.
    Growing(Vec<Lit>),
}

/// A variable as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its number in the paper.
    pub number: &'static str,
    /// Its name with its indices.
    pub name: String,
    /// Its least and its greatest value.
    pub domain: (i32, i32),
    /// Whether it is a Boolean.
    pub is_boolean: bool,
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (lo, hi) = self.domain;
        if self.is_boolean {
            write!(f, "{} ∈ {{0, 1}}", self.name)
        } else {
            write!(f, "{} ∈ [{lo}, {hi}]", self.name)
        }
    }
}

/// A constraint as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// Its number in the paper.
    pub number: &'static str,
    /// The constraint.
    pub text: String,
}

impl Csp {
    /// Keeps the constraints, to print them.
    pub fn keep(&mut self) {
        self.kept = Some(vec![]);
    }

    fn declare(&mut self, number: &'static str, name: Name, domain: Domain) -> Var {
        self.variables.push(Declared {
            number,
            name,
            domain,
        });
        Var(self.variables.len() - 1)
    }

    /// A new integer of lo..=hi.
    pub fn int(
        &mut self,
        number: &'static str,
        name: Name,
        (lo, hi): (i32, i32),
        sink: &mut dyn Sink,
    ) -> Var {
        let domain = Domain::Int(Int::new(lo, hi, sink));
        self.declare(number, name, domain)
    }

    /// A new Boolean.
    pub fn boolean(&mut self, number: &'static str, name: Name, sink: &mut dyn Sink) -> Var {
        let domain = Domain::Bool(sink.variable());
        self.declare(number, name, domain)
    }

    /// A new integer whose domain grows with the formula. It has no values yet.
    pub fn growing(&mut self, number: &'static str, name: Name) -> Var {
        self.declare(number, name, Domain::Growing(vec![]))
    }

    /// One more value of an integer whose domain grows.
    pub fn grow(&mut self, x: Var, sink: &mut dyn Sink) {
        let Domain::Growing(order) = &mut self.variables[x.0].domain else {
            unreachable!("a domain that grows");
        };
        let le = sink.variable();
        if let Some(&before) = order.last() {
            sink.clause(&[-before, le]);
        }
        order.push(le);
    }

    /// The variables declared whose number in the paper is not this one.
    pub fn count_but(&self, number: &str) -> u64 {
        let counted = self.variables.iter().filter(|x| x.number != number);
        counted.count() as u64
    }

    /// The literal of a Boolean, and of "x ≤ v" for an integer whose domain grows.
    pub fn lit(&self, x: Var, v: i32) -> Lit {
        match &self.variables[x.0].domain {
            Domain::Bool(lit) => lit.when(v == 1),
            Domain::Growing(order) => order[v as usize],
            Domain::Int(_) => unreachable!("an integer has many"),
        }
    }

    /// The literals that say x = v.
    pub fn says(&self, x: Var, v: i32) -> Vec<Lit> {
        match &self.variables[x.0].domain {
            Domain::Int(int) => int.says(v),
            _ => vec![self.lit(x, v)],
        }
    }

    /// The value of a variable in a model.
    pub fn value(&self, x: Var, holds: &dyn Fn(Lit) -> bool) -> i32 {
        match &self.variables[x.0].domain {
            Domain::Int(int) => int.value(holds),
            Domain::Bool(lit) => i32::from(holds(*lit)),
            Domain::Growing(order) => order.iter().filter(|&&lit| !holds(lit)).count() as i32,
        }
    }

    /// What the literals of the variables say.
    pub fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![];
        for Declared { name, domain, .. } in &self.variables {
            match domain {
                Domain::Int(int) => names.extend(int.names(&name.to_string())),
                Domain::Bool(lit) => names.push((*lit, name.to_string())),
                Domain::Growing(order) => {
                    let each = order.iter().enumerate();
                    names.extend(each.map(|(v, &lit)| (lit, format!("{name}<={v}"))));
                }
            }
        }
        names
    }

    /// The variables, in the order in which they were declared.
    pub fn variables(&self) -> impl Iterator<Item = Variable> {
        self.variables.iter().map(|x| Variable {
            number: x.number,
            name: x.name.to_string(),
            domain: match &x.domain {
                Domain::Int(int) => int.domain(),
                Domain::Bool(_) => (0, 1),
                Domain::Growing(order) => (0, order.len() as i32 - 1),
            },
            is_boolean: matches!(x.domain, Domain::Bool(_)),
        })
    }

    /// The constraints that were kept.
    pub fn constraints(&self) -> impl Iterator<Item = Posted> {
        let kept = self.kept.iter().flatten();
        kept.map(|(number, formula)| Posted {
            number,
            text: formula.write(&|x| self.variables[x.0].name),
        })
    }

    /// The values of all variables in a model.
    pub fn values(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<i32> {
        let all = 0..self.variables.len();
        all.map(|x| self.value(Var(x), holds)).collect()
    }

    /// The first kept constraint that these values violate, counted from 0.
    pub fn violated(&self, values: &[i32]) -> Option<usize> {
        let mut kept = self.kept.iter().flatten();
        kept.position(|(_, formula)| !formula.holds(&|x| values[x.0]))
    }

    /// Keeps a constraint, if they are kept.
    pub fn note(&mut self, number: &'static str, formula: Formula) {
        if let Some(kept) = &mut self.kept {
            kept.push((number, formula));
        }
    }

    /// Writes a constraint down, and keeps it if they are kept.
    pub fn post(&mut self, number: &'static str, formula: Formula, sink: &mut dyn Sink) {
        self.write(&formula, sink);
        self.note(number, formula);
    }

    /// Writes a constraint down.
    pub fn write(&mut self, formula: &Formula, sink: &mut dyn Sink) {
        match formula {
            Formula::Sum(x, of) => {
                let lits: Vec<Lit> = of.iter().map(|&y| self.lit(y, 1)).collect();
                at_most_one(&lits, sink);
                let some = Constraint::Or(lits.into_iter().map(Constraint::Lit).collect());
                write(Constraint::Lit(self.lit(*x, 1)).iff(some), sink);
            }
            Formula::AllDifferent(all) => self.all_different(all, sink),
            formula => {
                let constraint = self.constraint(formula, sink);
                write(constraint, sink);
            }
        }
    }

    /// No two of these have the same value.
    fn all_different(&mut self, all: &[Var], sink: &mut dyn Sink) {
        let Domain::Int(first) = &self.variables[all[0].0].domain else {
            unreachable!("integers of the same domain");
        };
        let (lo, hi) = first.domain();
        for v in lo..=hi {
            let mut places = vec![];
            for &x in all {
                match self.constraint(&Formula::Is(x, v), sink) {
                    Constraint::Lit(lit) => places.push(lit),
                    _ => unreachable!("a domain of two values at least"),
                }
            }
            at_most_one(&places, sink);
            if all.len() as i32 > hi - lo {
                sink.clause(&places); // follows, and helps
            }
        }
    }

    /// A formula over the literals of the variables.
    fn constraint(&mut self, formula: &Formula, sink: &mut dyn Sink) -> Constraint {
        let mut all = |parts: &[Formula]| {
            let parts = parts.iter().map(|part| self.constraint(part, sink));
            parts.collect::<Vec<_>>()
        };
        match formula {
            Formula::And(parts) => Constraint::And(all(parts)),
            Formula::Or(parts) => Constraint::Or(all(parts)),
            Formula::Not(part) => self.constraint(part, sink).not(),
            Formula::Implies(a, b) => {
                let a = self.constraint(a, sink);
                a.implies(self.constraint(b, sink))
            }
            Formula::Iff(a, b) => {
                let a = self.constraint(a, sink);
                a.iff(self.constraint(b, sink))
            }
            Formula::Is(x, v) => match &self.variables[x.0].domain {
                Domain::Int(int) => int.eq(*v, &mut self.equal, sink),
                _ => Constraint::Lit(self.lit(*x, *v)),
            },
            Formula::AtMost(x, v) => match &self.variables[x.0].domain {
                Domain::Int(int) => int.le(*v),
                _ => Constraint::Lit(self.lit(*x, *v)),
            },
            Formula::Above(x, v) => match &self.variables[x.0].domain {
                Domain::Int(int) => int.le(*v).not(),
                _ => Constraint::Lit(self.lit(*x, *v + 1)),
            },
            Formula::Exceeds(x, y) => self.integer(*x).exceeds(self.integer(*y)),
            Formula::Shifted(x, c, y) => self.integer(*x).plus_is(*c, self.integer(*y)),
            Formula::LeavesRoom(..) | Formula::Sum(..) | Formula::AllDifferent(_) => {
                unreachable!("not inside another formula")
            }
        }
    }

    fn integer(&self, x: Var) -> &Int {
        match &self.variables[x.0].domain {
            Domain::Int(int) => int,
            _ => unreachable!("an integer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::cnf::Cnf;

    /// The values of all variables in every model, by trying all assignments of literals.
    fn solutions(csp: &Csp, cnf: &Cnf) -> Vec<Vec<i32>> {
        let variables = cnf.variables();
        assert!(variables < 20, "few enough to try them all");
        let mut found = vec![];
        for bits in 0..1u32 << variables {
            let holds = |lit: Lit| (bits >> (lit.var() - 1) & 1 == 1) == lit.is_positive();
            if cnf.violated(holds).is_none() {
                found.push(csp.values(&holds));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Three integers and two Booleans, and what a formula over them leaves.
    fn check(formula: &dyn Fn([Var; 3], [Var; 2]) -> Formula) {
        let (mut csp, mut cnf) = (Csp::default(), Cnf::default());
        csp.keep();
        let name = Name::new("x", &[]);
        let ints = [(); 3].map(|()| csp.int("1", name, (0, 2), &mut cnf));
        let bools = [(); 2].map(|()| csp.boolean("2", name, &mut cnf));
        let formula = formula(ints, bools);
        csp.post("a", formula.clone(), &mut cnf);
        let mut all = vec![vec![]];
        for domain in [3, 3, 3, 2, 2] {
            let with = |values: Vec<i32>| (0..domain).map(move |v| [&values[..], &[v]].concat());
            all = all.into_iter().flat_map(with).collect();
        }
        all.retain(|values| csp.violated(values).is_none());
        assert_eq!(solutions(&csp, &cnf), all, "{formula:?}");
    }

    #[test]
    fn clauses_have_the_models_that_formulas_have() {
        check(&|[x, y, z], _| Formula::AllDifferent(vec![x, y, z]));
        check(&|_, [a, b]| Formula::Sum(a, vec![b]));
        check(&|_, [a, _]| Formula::Sum(a, vec![]));
        check(&|[x, y, _], [a, _]| Formula::Is(a, 1).implies(Formula::Exceeds(x, y)));
        check(&|[x, y, _], [a, _]| Formula::Is(a, 0).iff(Formula::Shifted(x, 1, y)));
        check(&|[x, y, z], [a, b]| {
            let some = Formula::Or(vec![Formula::Is(x, 1).not(), Formula::AtMost(y, 1)]);
            let both = Formula::And(vec![Formula::Above(a, 0), Formula::Is(z, 2)]);
            Formula::Or(vec![some.iff(both).not(), Formula::Is(b, 1)])
        });
    }
}
