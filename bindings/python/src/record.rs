//! Records as dictionaries: what `--json` prints, read by Python's own reader.

use pyo3::prelude::*;
use serde::Serialize;

/// A record as a dictionary.
pub fn to_dict<'py>(py: Python<'py>, record: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(record).expect("a record is JSON");
    py.import("json")?.call_method1("loads", (text,))
}
