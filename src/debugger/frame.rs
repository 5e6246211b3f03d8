//! The call stack: frames, their variables, and expressions evaluated in them.
//!
//! ```text
//! frames        the frames of the call stack and their variables
//! call_stack    the call stack as an answer; selecting a frame
//! eval          compiles and evaluates expressions in the selected frame
//! source_range  spans as files, lines and columns
//! value_json    values as JSON
//! ```

mod call_stack;
pub(crate) mod eval;
pub(crate) mod frames;
pub(crate) mod source_range;
pub(crate) mod value_json;
