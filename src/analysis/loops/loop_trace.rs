//! What one execution of a loop did, iteration by iteration.
//!
//! Languages have two kinds of loops, which differ in how their iterations change variables; see
//! [`LoopStyle`]. They are recorded by different consumers of
//! the same events, with the same result.

use crate::answer::{LoopResult, LoopStyle};
use crate::source::Span;
use crate::value::InternedStr;

/// The iterations of one execution of a loop.
#[derive(Clone, Debug)]
pub struct LoopTrace {
    /// How its iterations change variables.
    pub style: LoopStyle,
    /// The name of the function that contains it.
    pub function: InternedStr,
    /// The span of the stop point before the loop, or before its test.
    pub head: Span,
    /// The variables before the first iteration, if the loop assigns variables.
    pub initial_variables: Vec<(InternedStr, VarSnapshot)>,
    /// The iterations in order; `omitted` ones are missing after the one in the middle.
    pub iterations: Vec<Iteration>,
    /// The number of iterations dropped from the middle.
    pub omitted: usize,
    /// How it ended, as far as it was recorded.
    pub result: LoopResult,
}

/// One iteration of a loop.
#[derive(Clone, Default, Debug)]
pub struct Iteration {
    /// If the loop assigns variables: those in scope, and the globals that it assigns, at the end of
    /// the iteration. If it rebinds variables: those that it binds, at the start.
    pub variables: Vec<(InternedStr, VarSnapshot)>,
    /// Expressions in evaluation order, with their values. Those in nested loops are left out.
    pub values: Vec<(Span, String)>,
    /// When it started.
    pub time: u64,
    /// Only the test ran, and it was false.
    pub is_final_test: bool,
}

/// A variable in an iteration.
#[derive(Clone, PartialEq, Debug)]
pub enum VarSnapshot {
    /// The whole value, as the language writes it.
    Value(String),
    /// A board of which only these cells differ from the previous iteration: zero-based row and
    /// column, and the new value.
    ChangedCells(Vec<(u32, u32, String)>),
}

impl LoopTrace {
    /// A trace without iterations.
    pub fn new(style: LoopStyle, function: InternedStr, head: Span) -> LoopTrace {
        LoopTrace {
            style,
            function,
            head,
            initial_variables: Vec::new(),
            iterations: Vec::new(),
            omitted: 0,
            result: LoopResult::Running,
        }
    }

    /// Drops an iteration from the middle.
    pub(crate) fn omit_one(&mut self) {
        self.iterations.remove(self.iterations.len() / 2);
        self.omitted += 1;
    }
}
