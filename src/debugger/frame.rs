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
pub mod eval;
pub(crate) mod frames;
pub(crate) mod source_range;
pub(crate) mod value_json;

pub use call_stack::{call_stack, select_frame};
pub use frames::frame_info;
pub use frames::{
    default_frame, describe_globals, frame_scope, frame_variables, global_variables, handler_cell,
    handler_cell_text, locals, remember_stop_locals, selected_frame_index, selected_frame_number,
    selected_locals, value_type, variables_frame, visible_frames, with_selected_frame,
};
