//! The names that JSON fields take, for the OpenAPI document: each list comes from the solver.

use std::time::Duration;

use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::{EncodingName, KeepName, Schedule};
use noyes_solver::{Engine, Objective, SimpleHeuristic, Status, Stop, Unit};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};

/// The version of this program, and the names that a solve accepts.
#[derive(Serialize, ToSchema)]
#[schema(as = Version)]
pub struct About {
    /// Always `noyes`.
    name: &'static str,
    /// Its version.
    version: &'static str,
    /// How to search.
    engines: Vec<&'static str>,
    /// Lower bounds without parameters.
    heuristics: Vec<&'static str>,
    /// How to write a puzzle as clauses.
    encodings: Vec<String>,
    /// SAT solvers that are part of the program.
    backends: Vec<String>,
    /// The longest time of a search, in seconds: a greater `time_limit_s` is refused.
    time_limit_s: f64,
}

impl About {
    /// The version of this program, and how long a search may take.
    pub fn new(time_limit: Duration) -> About {
        About {
            name: "noyes",
            version: env!("CARGO_PKG_VERSION"),
            engines: Engine::ALL.iter().map(|e| e.name()).collect(),
            heuristics: SimpleHeuristic::ALL.iter().map(|h| h.name()).collect(),
            encodings: EncodingName::all().map(|e| e.to_string()).collect(),
            backends: backend_names(),
            time_limit_s: time_limit.as_secs_f64(),
        }
    }
}

/// The SAT solvers that are part of the program.
pub fn backend_names() -> Vec<String> {
    BackendName::BUILT_IN
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// One of these strings.
fn one_of<T: ToString>(names: impl IntoIterator<Item = T>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names.into_iter().map(|name| name.to_string())))
        .build()
}

/// One of these strings, or null.
fn one_of_or_null<T: ToString>(names: impl IntoIterator<Item = T>) -> Object {
    let names = names.into_iter().map(|name| Value::from(name.to_string()));
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(names.chain([Value::Null])))
        .build()
}

pub fn engines() -> Object {
    one_of_or_null(Engine::ALL)
}

pub fn encodings() -> Object {
    one_of_or_null(EncodingName::all())
}

pub fn backends() -> Object {
    one_of_or_null(backend_names())
}

pub fn schedules() -> Object {
    one_of_or_null(Schedule::ALL)
}

pub fn keeps() -> Object {
    one_of_or_null(KeepName::ALL)
}

pub fn objectives() -> Object {
    one_of_or_null(Objective::ALL)
}

pub fn units() -> Object {
    one_of(Unit::ALL)
}

pub fn optional_units() -> Object {
    one_of_or_null(Unit::ALL)
}

pub fn statuses() -> Object {
    use Status::{Limit, Optimal, Solved, Unsolvable};
    one_of_or_null([Optimal, Solved, Unsolvable, Limit(Stop::Time)].map(Status::name))
}

pub fn stops() -> Object {
    use Stop::{Bound, Budget, Interrupted, Memory, Time};
    one_of_or_null([Time, Memory, Interrupted, Budget, Bound].map(Stop::name))
}

pub fn notations() -> Object {
    one_of(["blank", "tile", "lurd"])
}

pub fn optional_notations() -> Object {
    one_of_or_null(["blank", "tile", "lurd"])
}
