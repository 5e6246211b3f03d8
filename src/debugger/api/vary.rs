//! The answer to `:vary`: what comes of other start values.

use super::SearchStop;
use serde::Serialize;

/// The answer to `:vary`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VaryResult {
    /// The variable.
    pub variable: String,
    /// The condition.
    pub condition: String,
    /// What came of each start value.
    pub runs: Vec<VariedRun>,
    /// Why there are fewer runs than start values, if there are.
    pub stopped_by: Option<SearchStop>,
}

/// What came of a start value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VariedRun {
    /// The start value.
    pub start: i64,
    /// Whether the condition was true at the end; `None` if it is not true or false, or there was an
    /// error.
    pub holds: Option<bool>,
    /// Its value.
    pub value: Option<String>,
    /// The error that ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
