//! A list of clauses, numbered from 1, as in the file formats of SAT.

/// A variable, or with a minus sign its negation.
pub type Lit = i32;

/// Clauses by number.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    literals: Vec<Lit>,
    /// Where each clause ends.
    ends: Vec<u32>,
}

impl Clauses {
    /// Adds a clause.
    ///
    /// # Panics
    /// If there are more than 2³² literals.
    pub fn add(&mut self, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        let end = u32::try_from(self.literals.len()).expect("the size was checked");
        self.ends.push(end);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no clauses.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clause with a number, if there is one.
    pub fn get(&self, number: usize) -> Option<&[Lit]> {
        let end = *self.ends.get(number.checked_sub(1)?)? as usize;
        let start = match number {
            1 => 0,
            _ => self.ends[number - 2] as usize,
        };
        Some(&self.literals[start..end])
    }

    /// All clauses, by number.
    pub fn iter(&self) -> impl Iterator<Item = &[Lit]> {
        (1..=self.len()).map(|number| self.get(number).expect("in range"))
    }
}
