//! GridLok: boards, pieces with handlers, turns, and one brace for everything.

pub mod ast;
pub mod builtin;
pub mod check;
pub mod code;
pub mod env;
pub mod parse;
pub mod token;
pub mod typing;
