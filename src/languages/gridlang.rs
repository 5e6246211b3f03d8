//! GridLang: the language of the reference manual of 2017, statically checked before anything runs.
//!
//! `token` cuts the text, `line` decides which ends of lines end a statement, `parse` builds the tree of `ast`,
//! `check` turns it into the tree of `typed`, where every name is resolved and every value has its type.

pub mod ast;
pub mod check;
pub mod code;
pub mod env;
mod explain;
mod line;
pub mod parse;
pub mod token;
pub mod typed;

#[allow(clippy::all, clippy::pedantic, unused, dead_code)]
mod grammar {
    //! The parser that lalrpop makes of `grammar/gridlang.lalrpop`.
    include!(concat!(env!("OUT_DIR"), "/gridlang.rs"));
}

pub use check::{Checked, check};
pub use code::CODES;
pub use env::{Env, Frame};
pub use parse::{Start, is_unfinished, parse};
