//! gridbug: an interactive prompt and step debugger for grid-game languages.

pub mod code;
pub mod diagnostic;
pub mod language;
pub mod machine;
pub mod source;
pub mod value;
