//! Breakpoints, watchpoints, logpoints and properties.

use super::SourceRange;
use serde::Serialize;

/// What a breakpoint stops at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BreakpointKind {
    /// A line.
    Line,
    /// A function or handler.
    Function,
    /// An event of the game.
    Event,
    /// An access to a variable or a part of the board.
    Watch,
    /// A violated property.
    Property,
}

/// A breakpoint, watchpoint or logpoint.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BreakpointInfo {
    /// Its number.
    pub id: u32,
    /// What it stops at.
    #[serde(rename = "stops_at")]
    pub kind: BreakpointKind,
    /// The access that triggers a watchpoint.
    pub access: Option<Access>,
    /// What a property demands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<PropertyKind>,
    /// The location as the user typed it.
    pub location: String,
    /// Where it is in the program; empty for events and watchpoints.
    pub ranges: Vec<SourceRange>,
    /// It stops only if this expression is true.
    pub condition: Option<String>,
    /// It stops only at these hits.
    pub hit_condition: Option<HitCondition>,
    /// The message of a logpoint, which is printed instead of stopping.
    pub log_message: Option<String>,
    /// A command to run at each stop.
    pub command: Option<String>,
    /// Hits so far for which the condition was true.
    pub hits: u64,
    /// The number of next hits to ignore.
    pub ignore_count: u64,
    /// Whether it stops at all.
    pub is_enabled: bool,
    /// Whether it is deleted after its first stop.
    pub is_temporary: bool,
    /// Whether nothing in the program matches the location yet.
    pub is_pending: bool,
}

/// A breakpoint that has just been set.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NewBreakpoint {
    /// The breakpoint.
    pub breakpoint: BreakpointInfo,
    /// Why its condition cannot be evaluated at its location, if so.
    pub condition_problem: Option<String>,
}

/// A breakpoint that was bound to a changed program.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReboundBreakpoint {
    /// Its number.
    pub id: u32,
    /// The location as the user typed it.
    pub location: String,
    /// What has become of it.
    #[serde(flatten)]
    pub change: BindingChange,
}

/// How a change of the program affects a breakpoint.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum BindingChange {
    /// Its line has moved.
    Moved {
        /// The function that contains the line.
        function: String,
        /// The name of the file or entry where the line was.
        from_file: String,
        /// Where the line was.
        from_line: u32,
        /// The name of the file or entry where the line is now.
        file: String,
        /// Where the line is now.
        line: u32,
        /// Whether the text of the line is different, so that this may not be the same statement.
        is_text_changed: bool,
    },
    /// Its code no longer exists.
    Pending,
    /// The code that it was waiting for is defined.
    Active,
}

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

/// Which kind of access triggers a watchpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// The value changes.
    Change,
    /// The value is read.
    Read,
    /// Either of them.
    Both,
}

/// Which hits of a breakpoint stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HitCondition {
    /// Only the nth hit.
    Nth(u64),
    /// Every nth hit.
    Every(u64),
}

impl HitCondition {
    /// Whether it includes the hit with this number, which may be below 1.
    pub fn includes(self, number: i64) -> bool {
        match self {
            HitCondition::Nth(n) => number == n as i64,
            HitCondition::Every(n) => number.rem_euclid(n.max(1) as i64) == 0,
        }
    }
}

/// What a property demands of its condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PropertyKind {
    /// It is true after every action.
    Always,
    /// It is false after every action.
    Never,
    /// It is true after some action.
    Sometimes,
}

impl PropertyKind {
    /// The word that users type.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Always => "always",
            PropertyKind::Never => "never",
            PropertyKind::Sometimes => "sometimes",
        }
    }

    /// Whether a position in which the condition has this value violates the property.
    pub fn is_violated_by(self, value: bool) -> bool {
        match self {
            PropertyKind::Always => !value,
            PropertyKind::Never => value,
            PropertyKind::Sometimes => false,
        }
    }
}
