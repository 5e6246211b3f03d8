//! A stop and what is around it.
//!
//! ```text
//! stop           the text of a stop
//! run            what a run reports on its way and at its end
//! frame          the text of the call stack
//! variables      the text of variables and of the state of the game
//! value_columns  an expression with the values of all its subexpressions
//! changes        the text of changes of the game
//! evaluation     the evaluation of a statement, step by step
//! loop_table     loop tables: one row per iteration
//! listing        the text of definitions, compiled functions and random draws
//! timeline       the text of the history: positions, marks, branches, and what was undone
//! breakpoint     the text of breakpoints
//! property       the text of properties
//! ```

pub(crate) mod breakpoint;
pub(crate) mod changes;
pub(crate) mod evaluation;
pub(crate) mod frame;
pub(crate) mod listing;
pub(crate) mod loop_table;
pub(crate) mod property;
pub(crate) mod run;
pub(crate) mod stop;
pub(crate) mod timeline;
pub(crate) mod value_columns;
pub(crate) mod variables;
