//! Where and why the program stopped.

use super::{Change, Excerpt, LineCount, SourceRange, Variable, Violation};
use serde::Serialize;
use std::ops::Range;

/// Why the program stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// At a breakpoint on a line or a function.
    Breakpoint,
    /// A step reached its target.
    Step,
    /// At a watchpoint.
    Watch,
    /// At a breakpoint on an event of the game.
    Event,
    /// After an action that violates a property.
    Property,
    /// At a runtime error.
    Error,
    /// Ctrl-C was pressed.
    Interrupt,
}

impl StopReason {
    /// The name that `--json` uses.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Breakpoint => "breakpoint",
            StopReason::Step => "step",
            StopReason::Watch => "watch",
            StopReason::Event => "event",
            StopReason::Property => "property",
            StopReason::Error => "error",
            StopReason::Interrupt => "interrupt",
        }
    }

    /// Whether a breakpoint, watchpoint or property stopped the program.
    pub fn is_hit(self) -> bool {
        matches!(
            self,
            StopReason::Breakpoint | StopReason::Watch | StopReason::Event | StopReason::Property
        )
    }
}

/// A breakpoint or watchpoint that was hit, or a property that is violated.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hit {
    /// Its number.
    pub id: u32,
    /// The event of the game, for a breakpoint on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<&'static str>,
    /// What happened to the watched thing, for a watchpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watched: Option<WatchHit>,
    /// The property that is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<Violation>,
}

/// What happened to something that is watched.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "access", rename_all = "snake_case")]
pub enum WatchHit {
    /// Its value has changed.
    Changed {
        /// What is watched.
        target: String,
        /// The value before; `None` for several cells.
        old: Option<String>,
        /// The value after; `None` for several cells.
        new: Option<String>,
        /// For several cells, the changes of single cells.
        cells: Option<String>,
        /// Whether the next instruction makes the change, as after going back.
        is_ahead: bool,
    },
    /// It no longer exists.
    Removed {
        /// What is watched.
        target: String,
    },
    /// It is read.
    Read {
        /// What is watched.
        target: String,
        /// Its value; `None` for several cells.
        value: Option<String>,
    },
}

/// The action during which the program stopped.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionInfo {
    /// The action's number in the game; `None` before the first one.
    pub number: Option<u32>,
    /// The entry that started it; empty while the game starts.
    pub entry: String,
    /// What the language calls an action: `move`.
    pub word: &'static str,
    /// Which action of the entry it is, counted from 1; `None` before the first one.
    pub number_in_entry: Option<u32>,
    /// How many turns have ended, in languages with turns.
    pub turn: Option<i64>,
    /// The player whose turn it is.
    pub player: Option<String>,
    /// The condition that the rules are checking; `None` if they are not checking any.
    pub check: Option<ConditionCheck>,
}

/// The rules check whether the game ends.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ConditionCheck {
    /// What has made them do it: `turn ends`.
    pub when: &'static str,
    /// The condition, such as `winCondition`.
    pub condition: String,
}

/// A line of source text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SourceLine {
    /// Counted from 1.
    pub line: u32,
    /// The text, with tabs expanded.
    pub text: String,
    /// Whether the statement that runs next starts in it.
    pub is_next: bool,
    /// The columns of that statement, counted from 0, if the line has other statements too.
    pub columns: Option<Range<usize>>,
    /// How often it ran, while `:coverage` is on and it has code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<LineCount>,
}

/// An expression shown at every stop (`:display`).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Display {
    /// The expression.
    pub expression: String,
    /// Its value; `None` if it has none here.
    pub value: Option<String>,
    /// Why it has no value.
    pub error: Option<String>,
}

/// What a list of changes is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangesSince {
    /// The last stop of the same entry.
    LastStop,
    /// The start of the entry.
    EntryStart,
}

/// Where and why the program stopped.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stop {
    /// Why it stopped.
    pub reason: StopReason,
    /// More about the reason, such as `end of turn`; empty if there is nothing to say.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// All breakpoints and watchpoints that were hit.
    pub hits: Vec<Hit>,
    /// The function or handler, such as `zero.onClick`.
    #[serde(rename = "where")]
    pub function: String,
    /// Where that is, for people: `free.onClick at [1][1], line 8`, or `entry 5` in an entry.
    pub location: String,
    /// The statement that runs next.
    #[serde(flatten)]
    pub range: SourceRange,
    /// Instructions executed so far.
    pub time: u64,
    /// Number of frames on the call stack.
    pub depth: usize,
    /// The selected frame, counted from the innermost, which is 0.
    pub frame: usize,
    /// The cell of the piece whose handler is running, in the language's notation.
    pub cell: Option<String>,
    /// The iteration of the innermost loop.
    pub iteration: Option<u64>,
    /// The action that is running.
    pub action: ActionInfo,
    /// The variables of the selected frame.
    pub variables: Vec<Variable>,
    /// What the changes are compared with; `None` if there is nothing to compare with.
    pub since: Option<ChangesSince>,
    /// What has changed in the game.
    pub changes: Vec<Change>,
    /// The values of the expressions that `:display` shows.
    pub displays: Vec<Display>,
    /// The statement that has just ended, if the next one has not been reached yet, as after a
    /// watchpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<Excerpt>,
    /// The source lines around the statement.
    pub source: Vec<SourceLine>,
}
