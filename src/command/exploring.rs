//! Commands that search the positions of the game.
//!
//! ```text
//! explore   commands that search the positions of the game
//! check     `:check`: a search-based lint of the rules, and all declared properties
//! vary      `:vary`: for which start values of a variable a condition is true
//! opponent  `:opponent`: the computer plays one of the players, or several
//! ```

pub(crate) mod check;
pub(crate) mod explore;
pub(crate) mod opponent;
pub(crate) mod vary;
