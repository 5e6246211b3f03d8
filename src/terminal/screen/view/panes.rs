//! The panes of the view. Each file has what a pane shows, how it is taken from the session, and how it
//! is drawn. What a pane shows does not refer to the session, so that another thread can draw it again
//! when the terminal is resized.
//!
//! ```text
//! board   the board as large, colored cells
//! card    what asks for an answer: a step of a lesson, a prediction, a question of the program
//! output  the last lines that were printed
//! source  the program as it is now
//! steps   an expression that is evaluated step by step
//! time    the moves of the game and the present position
//! values  variables and what has changed; the call stack
//! ```

pub(crate) mod board;
pub(crate) mod card;
pub(crate) mod output;
pub(crate) mod source;
pub(crate) mod steps;
pub(crate) mod time;
pub(crate) mod values;
