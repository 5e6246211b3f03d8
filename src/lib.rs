//! gridbug: an interactive prompt and step debugger for grid-game languages.

pub mod code;
pub mod command;
pub mod debugger;
pub mod diagnostic;
pub mod language;
pub mod languages;
pub mod machine;
pub mod session;
pub mod source;
#[cfg(feature = "terminal")]
pub mod terminal;
pub mod value;
