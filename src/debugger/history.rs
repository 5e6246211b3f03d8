//! The history of the game, and moving through it.
//!
//! ```text
//! timeline      the entries of the session, with checkpoints; branches; seeking a time
//! entries       the entries around the current position, and the timeline as an answer
//! time_point    a point in time, on a branch
//! time_travel   going to a time, undo and redo
//! visit         looking around at another time, recorded nowhere
//! on_the_side   running something at another time, or without a trace
//! reverse       searching backward
//! reverse_hits  going back to the last hit of a breakpoint
//! active_loop   when the loop was entered that a frame is executing
//! ```

pub mod active_loop;
mod entries;
pub(crate) mod on_the_side;
pub(crate) mod reverse;
pub(crate) mod reverse_hits;
pub(crate) mod time_point;
pub(crate) mod time_travel;
pub mod timeline;
pub mod visit;

pub use active_loop::{find_active_loop, loop_iteration};
pub use entries::describe_timeline;
pub use entries::{
    changes_since_stop, current_cell, diff_since, entry_finished_at_stop, has_stopped_in,
    innermost_entry, is_lost, outermost_entry,
};
pub use reverse::{Arrival, Found};
