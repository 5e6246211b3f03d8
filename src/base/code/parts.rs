//! A program in parts that can be sent to another thread.

use super::{
    Arithmetic, BoardInfo, Function, Global, InputParser, PieceKind, Program, ValueFormatter,
};
use crate::value::InternedStr;
use std::rc::Rc;

/// What is needed to run a program, without what its language keeps about it. Unlike a [`Program`], it
/// can be sent to another thread.
#[derive(Clone, Debug)]
pub struct ProgramParts {
    language: &'static str,
    functions: Vec<Function>,
    definition_count: usize,
    globals: Vec<Global>,
    piece_kinds: Vec<PieceKind>,
    owners: Vec<InternedStr>,
    arithmetic: Arithmetic,
    board_info: BoardInfo,
    format_value: ValueFormatter,
    parse_input: InputParser,
}

impl ProgramParts {
    /// Copies the parts of a program.
    pub fn of(program: &Program) -> ProgramParts {
        ProgramParts {
            language: program.language,
            functions: program.functions.iter().map(|f| (**f).clone()).collect(),
            definition_count: program.definition_count,
            globals: program.globals.iter().copied().collect(),
            piece_kinds: program.piece_kinds.iter().cloned().collect(),
            owners: program.owners.to_vec(),
            arithmetic: program.arithmetic,
            board_info: program.board_info,
            format_value: program.format_value,
            parse_input: program.parse_input,
        }
    }

    /// A program that runs like the one that the parts are from. Its `scope` is empty.
    pub fn to_program(&self) -> Program {
        Program {
            functions: self.functions.iter().cloned().map(Rc::new).collect(),
            definition_count: self.definition_count,
            globals: self.globals.iter().copied().collect(),
            piece_kinds: self.piece_kinds.iter().cloned().collect(),
            owners: Rc::new(self.owners.clone()),
            board_info: self.board_info,
            format_value: self.format_value,
            parse_input: self.parse_input,
            ..Program::empty(self.language, self.arithmetic)
        }
    }
}
