//! Why a question has no answer, in a sentence that says what was expected.

use std::fmt;

use crate::ask::Refusal;

/// Why a question has no answer.
#[derive(Debug)]
pub enum Fault {
    /// The body is not JSON.
    Malformed(String),
    /// The body is JSON, but makes no sense or exceeds a limit.
    Unfit(String),
    /// The program failed.
    Failed(String),
}

impl Fault {
    /// The body makes no sense, for this reason.
    pub fn unfit(reason: impl fmt::Display) -> Fault {
        Fault::Unfit(reason.to_string())
    }

    /// One field makes no sense, for this reason.
    pub fn field(field: &str, reason: impl fmt::Display) -> Fault {
        Fault::Unfit(format!("{field}: {reason}"))
    }

    /// The program failed.
    pub fn failed(error: impl fmt::Display) -> Fault {
        Fault::Failed(error.to_string())
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            Fault::Malformed(_) => 400,
            Fault::Unfit(_) => 422,
            Fault::Failed(_) => 500,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::Malformed(text) | Fault::Unfit(text) | Fault::Failed(text) => f.write_str(text),
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        Fault::Unfit(refusal.by_field())
    }
}
