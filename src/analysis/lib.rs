//! Answers to questions about a game: functions over a [`Target`](crate::debugger::Target).
//!
//! ```text
//! why             why something has its value, was printed or happened
//! why_not         why something is not true or did not happen, and what would change that
//! evaluation      how a statement or an expression is evaluated, step by step
//! loops           the iterations of a loop, as tables
//! coverage        how often each line ran
//! property        properties as declared and described
//! line_replay     playing a line of moves
//! look_ahead      what an entry or a step will do
//! forward_search  the first time at which something is true
//! no_effect       why a click changed nothing
//! inspect         breakpoints, definitions, cells and pieces, as answers
//! ```
//!
//! Nothing here has state of its own, and nothing in `debugger` depends on it.

#![warn(missing_docs)]

use gridbug_answer as answer;
use gridbug_base::{code, diagnostic, language, machine, source, text, value};
use gridbug_debugger as debugger;

pub mod coverage;
pub mod evaluation;
pub mod forward_search;
pub mod inspect;
pub mod line_replay;
pub mod look_ahead;
pub mod loops;
pub mod no_effect;
pub mod property;
pub mod why;
pub mod why_not;

pub use coverage::{
    CodeCounter, ConditionFact, CoverageCounts, FactRecorder, HistoryCoverage, LineCounts,
    SessionCoverage,
};
pub use line_replay::{LineStep, LineWatch, PlayedLine, StepEnd};
pub use look_ahead::Outlook;
pub use loops::LoopExtent;
