//! GridLok: boards, pieces with handlers, turns, and one brace for everything.

pub mod ast;
pub mod code;
pub mod parse;
pub mod token;
