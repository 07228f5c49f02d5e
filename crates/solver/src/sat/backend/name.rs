//! Names of backends, and a fresh solver of each.

use std::fmt;
use std::str::FromStr;

use super::batsat::Batsat;
use super::cadical::Cadical;
use super::command::Command;
#[cfg(any(feature = "glucose", feature = "minisat"))]
use super::rustsat;
use super::solver::{Backend, Order};

/// Which solver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BackendName {
    /// CaDiCaL 3.0.1.
    #[default]
    Cadical,
    /// batsat, MiniSat in Rust.
    Batsat,
    /// A program that reads DIMACS, with its arguments.
    Command(String),
    /// Glucose.
    #[cfg(feature = "glucose")]
    Glucose,
    /// MiniSat.
    #[cfg(feature = "minisat")]
    Minisat,
}

impl BackendName {
    /// Those built into this program.
    pub const BUILT_IN: &[BackendName] = &[
        BackendName::Cadical,
        BackendName::Batsat,
        #[cfg(feature = "glucose")]
        BackendName::Glucose,
        #[cfg(feature = "minisat")]
        BackendName::Minisat,
    ];

    /// A fresh solver; those of different numbers go about it differently where they can.
    pub(crate) fn fresh(&self, variant: usize, order: Order) -> Box<dyn Backend> {
        match self {
            BackendName::Cadical => Box::new(Cadical::new(variant, order)),
            BackendName::Batsat => Box::new(Batsat::new(variant)),
            BackendName::Command(line) => Box::new(Command::new(line)),
            #[cfg(feature = "glucose")]
            BackendName::Glucose => Box::new(rustsat::Through::new(
                "glucose",
                rustsat_glucose::core::Glucose::default,
            )),
            #[cfg(feature = "minisat")]
            BackendName::Minisat => Box::new(rustsat::Through::new(
                "minisat",
                rustsat_minisat::core::Minisat::default,
            )),
        }
    }
}

impl fmt::Display for BackendName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BackendName::Cadical => f.write_str("cadical"),
            BackendName::Batsat => f.write_str("batsat"),
            BackendName::Command(line) => write!(f, "cmd:{line}"),
            #[cfg(feature = "glucose")]
            BackendName::Glucose => f.write_str("glucose"),
            #[cfg(feature = "minisat")]
            BackendName::Minisat => f.write_str("minisat"),
        }
    }
}

/// A backend that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownBackend {
    /// It exists, but this program was built without it.
    #[error(
        "{name} is not built in (expected a build with --features {name}, or cmd:PROGRAM for the program)"
    )]
    NotBuiltIn {
        /// Its name, and that of the feature.
        name: String,
    },
    /// Not a name of one.
    #[error("{name:?} is no backend (expected {} or cmd:PROGRAM)", built_in())]
    Name {
        /// What was given.
        name: String,
    },
}

/// The names of those built in.
fn built_in() -> String {
    let names: Vec<String> = BackendName::BUILT_IN
        .iter()
        .map(ToString::to_string)
        .collect();
    names.join(", ")
}

/// Backends behind a feature of their name.
const FEATURES: [&str; 2] = ["glucose", "minisat"];

impl FromStr for BackendName {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> Result<BackendName, UnknownBackend> {
        if let Some(line) = text.strip_prefix("cmd:").map(str::trim)
            && !line.is_empty()
        {
            return Ok(BackendName::Command(line.into()));
        }
        let mut known = BackendName::BUILT_IN.iter();
        let found = known.find(|backend| backend.to_string() == text);
        let name = text.to_owned();
        found.cloned().ok_or_else(|| match text {
            text if FEATURES.contains(&text) => UnknownBackend::NotBuiltIn { name },
            _ => UnknownBackend::Name { name },
        })
    }
}
