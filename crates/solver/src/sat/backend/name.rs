//! Names of backends, and a fresh solver of each.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::batsat::Batsat;
#[cfg(feature = "cadical")]
use super::cadical::Cadical;
#[cfg(feature = "files")]
use super::command::Command;
use super::dpll::Dpll;
#[cfg(any(feature = "glucose", feature = "minisat"))]
use super::rustsat;
use super::solver::{Backend, Order};
use super::watch::Shared;

/// A solver. The default is CaDiCaL, and batsat in a build without it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BackendName {
    /// CaDiCaL 3.0.1.
    #[cfg(feature = "cadical")]
    #[default]
    Cadical,
    /// batsat, MiniSat in Rust.
    #[cfg_attr(not(feature = "cadical"), default)]
    Batsat,
    /// DPLL, the plain algorithm: for teaching and for tests.
    Dpll,
    /// A program that reads DIMACS, with its arguments.
    #[cfg(feature = "files")]
    Command(String),
    /// Glucose.
    #[cfg(feature = "glucose")]
    Glucose,
    /// MiniSat.
    #[cfg(feature = "minisat")]
    Minisat,
}

impl BackendName {
    /// The solvers in this build.
    pub const BUILT_IN: &[BackendName] = &[
        #[cfg(feature = "cadical")]
        BackendName::Cadical,
        BackendName::Batsat,
        BackendName::Dpll,
        #[cfg(feature = "glucose")]
        BackendName::Glucose,
        #[cfg(feature = "minisat")]
        BackendName::Minisat,
    ];

    /// Whether it is CaDiCaL, which takes clauses while it searches.
    pub(crate) fn is_cadical(&self) -> bool {
        match self {
            #[cfg(feature = "cadical")]
            BackendName::Cadical => true,
            _ => false,
        }
    }

    /// Whether it is another program, which may fail or lie.
    pub(crate) fn is_program(&self) -> bool {
        match self {
            #[cfg(feature = "files")]
            BackendName::Command(_) => true,
            _ => false,
        }
    }

    /// A fresh solver. Those with different variants search differently where they can.
    pub(crate) fn fresh(
        &self,
        variant: usize,
        order: Order,
        shared: &Arc<Shared>,
    ) -> Box<dyn Backend> {
        #[cfg(not(feature = "cadical"))]
        let _ = order; // only CaDiCaL has such an option
        match self {
            #[cfg(feature = "cadical")]
            BackendName::Cadical => Box::new(Cadical::new(variant, order, shared)),
            BackendName::Batsat => Box::new(Batsat::new(variant, shared)),
            BackendName::Dpll => Box::new(Dpll::new(shared)),
            #[cfg(feature = "files")]
            BackendName::Command(line) => Box::new(Command::new(line, shared)),
            #[cfg(feature = "glucose")]
            BackendName::Glucose => Box::new(rustsat::Through::new(
                "glucose",
                rustsat_glucose::core::Glucose::default,
                shared,
            )),
            #[cfg(feature = "minisat")]
            BackendName::Minisat => Box::new(rustsat::Through::new(
                "minisat",
                rustsat_minisat::core::Minisat::default,
                shared,
            )),
        }
    }
}

impl fmt::Display for BackendName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            #[cfg(feature = "cadical")]
            BackendName::Cadical => f.write_str("cadical"),
            BackendName::Batsat => f.write_str("batsat"),
            BackendName::Dpll => f.write_str("dpll"),
            #[cfg(feature = "files")]
            BackendName::Command(line) => write!(f, "cmd:{line}"),
            #[cfg(feature = "glucose")]
            BackendName::Glucose => f.write_str("glucose"),
            #[cfg(feature = "minisat")]
            BackendName::Minisat => f.write_str("minisat"),
        }
    }
}

/// A backend that this build does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownBackend {
    /// It exists, but this build does not have it.
    #[error(
        "{name} is not built in (expected a build with --features {name}, or cmd:PROGRAM for the program)"
    )]
    NotBuiltIn {
        /// Its name, and that of the feature.
        name: String,
    },
    /// This build cannot run programs.
    #[error("cmd: is not built in (expected a build with --features files)")]
    NoPrograms,
    /// Not the name of a backend.
    #[error("{name:?} is no backend (expected {})", expected())]
    Name {
        /// The name given.
        name: String,
    },
}

/// The names that this build takes.
fn expected() -> String {
    let names: Vec<String> = BackendName::BUILT_IN
        .iter()
        .map(ToString::to_string)
        .collect();
    let program = if cfg!(feature = "files") {
        " or cmd:PROGRAM"
    } else {
        ""
    };
    names.join(", ") + program
}

/// Backends behind a feature of their name.
const FEATURES: [&str; 3] = ["cadical", "glucose", "minisat"];

impl FromStr for BackendName {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> Result<BackendName, UnknownBackend> {
        if let Some(line) = text.strip_prefix("cmd:").map(str::trim)
            && !line.is_empty()
        {
            #[cfg(feature = "files")]
            return Ok(BackendName::Command(line.into()));
            #[cfg(not(feature = "files"))]
            return Err(UnknownBackend::NoPrograms);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_that_is_not_built_in_names_its_feature() {
        for name in FEATURES {
            let is_built_in = BackendName::BUILT_IN.iter().any(|b| b.to_string() == name);
            let said = name.parse::<BackendName>().map_err(|e| e.to_string());
            match said {
                Ok(backend) => assert!(is_built_in && backend.to_string() == name),
                Err(said) => {
                    assert!(!is_built_in, "{said}");
                    assert!(said.contains(&format!("--features {name}")), "{said}");
                }
            }
        }
        let program = "cmd:kissat -q".parse::<BackendName>();
        if cfg!(feature = "files") {
            assert_eq!(program.unwrap().to_string(), "cmd:kissat -q");
        } else {
            assert_eq!(program, Err(UnknownBackend::NoPrograms));
        }
    }
}
