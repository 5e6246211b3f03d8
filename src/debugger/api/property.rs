//! Properties: conditions that the author of a game declares, and whether they hold.

use crate::debugger::PropertyKind;
use serde::Serialize;

/// A declared property.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PropertyInfo {
    /// Its number, counted with the breakpoints.
    pub id: u32,
    /// What it demands of its condition.
    pub property: PropertyKind,
    /// The condition.
    pub text: String,
    /// The function whose variables the condition uses; `None` if it uses none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Whether it is checked after every action.
    pub is_enabled: bool,
    /// The value of the condition now; `None` if it cannot be evaluated.
    pub now: Option<bool>,
    /// Why the condition cannot be evaluated now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// After how many actions it has been violated.
    pub violations: u64,
    /// The last entry after which the condition was true, for `sometimes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub satisfied_by: Option<String>,
    /// What is known about it from the actions so far.
    pub verdict: PropertyVerdict,
}

/// What is known about a property from the actions so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PropertyVerdict {
    /// It has not been violated.
    Holds,
    /// It has been violated, or is violated now.
    Violated,
    /// Its condition has been true after an action.
    Satisfied,
    /// Its condition has not been true yet.
    Open,
}

/// A property that is violated.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Violation {
    /// What it demands of its condition.
    pub kind: PropertyKind,
    /// The condition.
    pub text: String,
    /// Why the condition cannot be evaluated; `None` if it has the wrong value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
