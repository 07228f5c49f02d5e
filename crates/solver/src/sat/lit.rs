//! Literals: a variable or its negation, numbered as in DIMACS.

use std::fmt;
use std::ops::Neg;

/// A variable, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Lit(i32);

impl Lit {
    /// No literal: where something can never be. It is its own negation, and no clause has it.
    pub(crate) const NONE: Lit = Lit(0);

    /// A variable, counted from 1, as the literal that says that it holds.
    pub const fn of(variable: usize) -> Lit {
        debug_assert!(variable > 0, "variables are counted from 1");
        Lit(variable as i32)
    }

    /// The literal that DIMACS writes as this number, which is not 0.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        (number != 0).then_some(Lit(number))
    }

    /// How DIMACS writes it: the variable, negative for its negation.
    #[inline]
    pub fn dimacs(self) -> i32 {
        self.0
    }

    /// Its variable, counted from 1.
    #[inline]
    pub fn var(self) -> usize {
        self.0.unsigned_abs() as usize
    }

    /// Whether it is the variable itself, not its negation.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// This if so, and its negation if not.
    #[inline]
    #[must_use]
    pub fn when(self, so: bool) -> Lit {
        if so { self } else { -self }
    }

    /// Whether it holds in a model: the values of all variables, the first at 0.
    #[inline]
    pub fn holds_in(self, model: &[bool]) -> bool {
        model[self.var() - 1] == self.is_positive()
    }

    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) fn is_some(self) -> bool {
        self.0 != 0
    }

    /// The literal of the variable that is this many later.
    #[inline]
    pub(crate) fn shifted(self, by: usize) -> Lit {
        Lit(self.0 + self.0.signum() * by as i32)
    }
}

impl Neg for Lit {
    type Output = Lit;

    #[inline]
    fn neg(self) -> Lit {
        Lit(-self.0)
    }
}

impl Neg for &Lit {
    type Output = Lit;

    #[inline]
    fn neg(self) -> Lit {
        -*self
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}
