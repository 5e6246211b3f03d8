//! The game as plain data: its moves, its questions, which variables can matter.
//!
//! ```text
//! setup       what a search needs to know about a game before it starts
//! actions     the actions that can be tried in a position
//! input       the answers to try at a question of the program
//! cone        which variables can matter: a cone of influence over the bytecode
//! frame_rule  a condition over the variables of a function that waits for an answer
//! turn        whose move it is, in languages whose rules do not say so
//! turn_loops  turns in which a player can go round in circles
//! bounds      which arithmetic cannot overflow, as far as the code shows
//! goal        what a search looks for
//! goal_error  what to say about a goal that is not understood
//! facts       what happens in the actions of a game
//! ```

pub(crate) mod actions;
pub(crate) mod bounds;
pub(crate) mod cone;
pub(crate) mod facts;
pub(crate) mod frame_rule;
pub(crate) mod goal;
pub(crate) mod goal_error;
pub(crate) mod input;
pub(crate) mod setup;
pub(crate) mod turn;
pub(crate) mod turn_loops;
