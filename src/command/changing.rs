//! Commands that change the game or its program.
//!
//! ```text
//! modify  commands that change the game
//! edit    `:edit`: what to open in the user's editor
//! reload  `:reload`
//! format  `:fmt`: puts the program into the layout of its language
//! ```

pub(crate) mod edit;
pub(crate) mod format;
pub(crate) mod modify;
pub(crate) mod reload;
