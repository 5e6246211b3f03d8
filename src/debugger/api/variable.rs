//! Variables and their values.

use serde::Serialize;

/// A variable and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The type of its value, in the language's words.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its value, in the language's notation.
    pub value: String,
    /// Whether it has changed since the last stop.
    pub changed: bool,
    /// Where it is visible.
    pub scope: VariableScope,
}

/// Where a variable is visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VariableScope {
    /// In its function.
    Local,
    /// In the whole program.
    Global,
}
