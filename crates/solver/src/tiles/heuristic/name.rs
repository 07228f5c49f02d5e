//! The names of heuristics: one, or several separated by slashes, which means their maximum.

use std::fmt;
use std::str::FromStr;

use noyes_puzzle::tiles::Board;

use crate::names::{UnknownName, names};
use crate::tiles::pdb::{Partition, PartitionError};

names! {
    /// A lower bound on the moves left that has a name and no parameters.
    SimpleHeuristic {
        /// The number of tiles that are not in their places.
        Misplaced = "misplaced",
        /// The sum over the tiles of their distances to their places.
        #[default]
        Manhattan = "manhattan",
        /// Manhattan distance, and two for each tile that must step out of its row or column.
        LinearConflict = "linear-conflict",
        /// Rows and columns each solved exactly on their own (X-Y).
        Walking = "walking",
    }
}

/// One heuristic of a maximum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeuristicMember {
    /// One without parameters.
    Simple(SimpleHeuristic),
    /// Pattern databases: `pdb:` and a partition.
    Databases(Partition),
}

/// The heuristic of a request: the maximum of its members, such as `walking` or `walking/pdb:5-5-5+reflect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeuristicName(Vec<HeuristicMember>);

/// A heuristic that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeuristicError {
    /// The name of no heuristic.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// Not a partition.
    #[error(transparent)]
    Partition(#[from] PartitionError),
}

impl HeuristicName {
    /// The heuristics whose maximum is used.
    pub fn members(&self) -> &[HeuristicMember] {
        &self.0
    }

    /// The same towards another goal, without mirrors if that goal has none.
    pub(crate) fn towards(&self, goal: &Board) -> HeuristicName {
        let member = |member: &HeuristicMember| match member {
            HeuristicMember::Databases(partition) => {
                HeuristicMember::Databases(partition.towards(goal))
            }
            simple @ HeuristicMember::Simple(_) => simple.clone(),
        };
        self.0.iter().map(member).collect()
    }
}

impl From<SimpleHeuristic> for HeuristicName {
    fn from(simple: SimpleHeuristic) -> HeuristicName {
        HeuristicName(vec![HeuristicMember::Simple(simple)])
    }
}

impl From<Partition> for HeuristicName {
    fn from(partition: Partition) -> HeuristicName {
        HeuristicName(vec![HeuristicMember::Databases(partition)])
    }
}

impl FromIterator<HeuristicMember> for HeuristicName {
    fn from_iter<I: IntoIterator<Item = HeuristicMember>>(members: I) -> HeuristicName {
        HeuristicName(members.into_iter().collect())
    }
}

impl Default for HeuristicName {
    fn default() -> Self {
        SimpleHeuristic::default().into()
    }
}

impl fmt::Display for HeuristicMember {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            HeuristicMember::Simple(simple) => simple.fmt(f),
            HeuristicMember::Databases(partition) => write!(f, "pdb:{partition}"),
        }
    }
}

impl FromStr for HeuristicMember {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<HeuristicMember, HeuristicError> {
        match text.strip_prefix("pdb:") {
            Some(partition) => Ok(HeuristicMember::Databases(partition.parse()?)),
            None => match text.parse() {
                Ok(simple) => Ok(HeuristicMember::Simple(simple)),
                Err(unknown) => Err(UnknownName::or(unknown, "pdb:PATTERNS").into()),
            },
        }
    }
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&names.join("/"))
    }
}

impl FromStr for HeuristicName {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<HeuristicName, HeuristicError> {
        let mut members: Vec<HeuristicMember> = vec![];
        for name in text.split('/') {
            let member = name.parse()?;
            if !members.contains(&member) {
                members.push(member);
            }
        }
        Ok(HeuristicName(members))
    }
}
