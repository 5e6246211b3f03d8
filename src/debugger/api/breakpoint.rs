//! Breakpoints, watchpoints and logpoints, and what becomes of them when the program changes.

use super::SourceRange;
use crate::debugger::{Access, HitCondition, PropertyKind};
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
    /// Code that it was waiting for now exists.
    Active,
}
