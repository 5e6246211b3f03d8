//! Puts functions and globals into a program: what has not changed stays shared with the program
//! before, and the function of an entry follows those of the definitions.

use super::{Arithmetic, BoardInfo, Function, FunctionId, FunctionTooLarge, Global, Program};
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::Span;
use crate::value::{InternedStr, SharedVec};
use std::rc::Rc;

impl Program {
    /// A program without functions, globals and pieces, that formats no values and reads no input.
    pub fn empty(language: &'static str, arithmetic: Arithmetic) -> Program {
        Program {
            language,
            functions: SharedVec::default(),
            globals: SharedVec::default(),
            piece_kinds: SharedVec::default(),
            owners: Rc::new(vec![InternedStr::new("")]),
            arithmetic,
            board_info: BoardInfo::default(),
            start_function: None,
            play_function: None,
            board_global: None,
            format_value: |_, _, _, _| String::new(),
            parse_input: |_, _, _, _| Err("programs of this language do not read input".into()),
            resolve_field: |_, _, _| None,
            scope: Rc::new(()),
        }
    }

    /// Defines the function with this id: a new one, which has to be the next, or another version
    /// of it. A version that is the same stays shared.
    pub fn define(&mut self, FunctionId(id): FunctionId, function: Function) {
        let existing = self.functions.get(id as usize);
        if existing.is_none_or(|existing| **existing != function) {
            self.functions.put(id as usize, Rc::new(function));
        }
    }

    /// Adds the function of an entry.
    pub fn push_entry(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Rc::new(function));
        id
    }

    /// Drops the functions of entries, which follow the first `count`. Frames that still run them
    /// keep their own references.
    pub fn drop_entries(&mut self, count: usize) {
        self.functions.truncate(count);
    }
}

impl Global {
    /// A variable of the program.
    pub fn variable(name: &str, span: Span) -> Global {
        Global {
            name: InternedStr::new(name),
            is_user_defined: true,
            span,
        }
    }

    /// A variable of the rules of play.
    pub fn of_rules(name: &str) -> Global {
        Global {
            name: InternedStr::new(name),
            is_user_defined: false,
            span: Span::default(),
        }
    }

    /// A slot that no variable uses.
    pub fn unused() -> Global {
        Global::of_rules("")
    }
}

impl FunctionTooLarge {
    /// The error, under a language's own code.
    pub fn to_diagnostic(&self, code: &'static str) -> Diagnostic {
        let message = "this definition is too large to compile";
        Diagnostic::error(Phase::Check, code, self.stub.span, message)
            .note("split it into several functions")
    }

    /// Adds the error to `errors`. Returns a function without code, so that lowering can continue.
    pub fn report(self, code: &'static str, errors: &mut Vec<Diagnostic>) -> Function {
        errors.push(self.to_diagnostic(code));
        *self.stub
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Builder, FunctionKind};

    fn function(name: &str) -> Function {
        Builder::failing(
            InternedStr::new(name),
            FunctionKind::Function,
            name,
            Span::default(),
        )
    }

    #[test]
    fn a_function_that_has_not_changed_stays_shared() {
        let mut program = Program::empty("test", Arithmetic::Wrapping32);
        program.define(FunctionId(0), function("f"));
        let before = program.clone();
        program.define(FunctionId(0), function("f"));
        assert!(Rc::ptr_eq(&before.functions[0], &program.functions[0]));
        program.define(FunctionId(0), function("g"));
        assert!(!Rc::ptr_eq(&before.functions[0], &program.functions[0]));
    }

    #[test]
    fn the_function_of_an_entry_follows_the_definitions() {
        let mut program = Program::empty("test", Arithmetic::Wrapping32);
        program.define(FunctionId(0), function("f"));
        for _ in 0..2 {
            program.drop_entries(1);
            assert_eq!(program.push_entry(function("entry")), FunctionId(1));
        }
        assert_eq!(program.functions.len(), 2);
    }
}
