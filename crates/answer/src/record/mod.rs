//! Every JSON shape of the program, and what each field means: records that the command line prints and the service
//! sends, and the bodies that the service reads.
//!
//! A question has the same record wherever it is asked. A field has one name, one meaning and one type in all records; it
//! is null if it does not apply. docs/json.md describes this folder for users.

mod answered;
mod asked;
mod certified;
mod encoded;
mod explained;
mod graph;
mod lists;
mod made;
mod names;
mod replayed;
mod shared;
mod tables;

pub use answered::{Answered, Hint, Job, JobEvent, JobState, Notated, Progress, Solvability};
pub use asked::{
    CertifyBody, CheckBody, ExplainBody, GenerateBody, HintBody, SolvableBody, SolveBody,
};
pub use certified::{Certified, CertifiedFile, Checked};
pub use encoded::Encoded;
pub use explained::{DeadBoxes, Explained};
pub use graph::{CountedWalks, DescribedGraph};
pub use made::{GeneratedPuzzle, ListedLevel, ShippedLevel};
pub use names::{About, backend_names};
pub use replayed::Replayed;
pub use shared::{Measures, Refused, SCHEMA, Subject, json_line};
pub use tables::{CountedTable, ListedTable};
