//! The call stack.

use super::SourceRange;
use gridbug_base::code::FunctionKind;
use serde::Serialize;
use std::ops::Range;

/// A frame of the call stack.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Frame {
    /// The number that `:frame` accepts; 0 is the innermost frame.
    pub index: usize,
    /// The function or handler, such as `zero.onClick`.
    pub function: String,
    /// The role of the function.
    #[serde(rename = "function_kind")]
    pub kind: FunctionKind,
    /// The statement that runs next; in a caller, its call. After the last statement, the closing
    /// brace.
    pub range: Option<SourceRange>,
    /// The first line of the statement, without indentation.
    pub statement: String,
    /// Whether the statement has run: it was the last one, and no brace follows.
    pub has_run: bool,
    /// The cell of the piece whose handler it runs, in the language's notation.
    pub cell: Option<String>,
    /// Whether its variables are in scope.
    pub is_current: bool,
    /// Whether it belongs to the built-in rules, which are listed only with `:rules on`.
    pub is_hidden: bool,
    /// Whether its function has been redefined since the call.
    pub is_old_code: bool,
}

/// An entry of a call stack.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum StackEntry {
    /// A single frame.
    Frame(Box<Frame>),
    /// Frames that repeat the ones before, as recursion leaves them.
    Repeated {
        /// Their numbers.
        frames: Range<usize>,
    },
}

/// A call stack, innermost frame first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CallStack {
    /// Number of frames.
    pub depth: usize,
    /// The number of the selected frame.
    pub current: usize,
    /// The frames. The list ends early if fewer were asked for.
    pub entries: Vec<StackEntry>,
    /// Whether only both ends of a long list are shown to people.
    pub is_short: bool,
}
