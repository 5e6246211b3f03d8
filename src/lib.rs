//! gridbug: an interactive prompt and step debugger for grid-game languages.

pub mod diagnostic;
pub mod languages;
pub mod source;
