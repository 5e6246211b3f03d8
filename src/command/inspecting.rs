//! Commands that show the game, the program and why something is so.
//!
//! ```text
//! board     commands that show the board, its cells and the kinds of pieces
//! coverage  `:coverage`: how often the lines of the program ran
//! frame     commands for the call stack: `where`, `frame`, `up` and `down`
//! inspect   read-only commands that show values and the state of the game
//! listing   commands that show source text and compiled instructions
//! uses      `:uses`: where a name is defined and used
//! view      `:view`: the panes that stay in place
//! why       `:why` and `:why not`
//! why_not   `:why not`: explains why something is not true, or did not happen
//! ```

pub(crate) mod board;
pub(crate) mod coverage;
pub(crate) mod frame;
pub(crate) mod inspect;
pub(crate) mod listing;
pub(crate) mod uses;
pub(crate) mod view;
pub(crate) mod why;
pub(crate) mod why_not;
