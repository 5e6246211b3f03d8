//! Puts functions and globals into a program: what has not changed stays shared with the program
//! before, and the function of an entry follows those of the definitions.

use super::{Arithmetic, BoardInfo, Function, FunctionId, Global, Program, SymbolTable};
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
            definition_count: 0,
            globals: SharedVec::default(),
            piece_kinds: SharedVec::default(),
            owners: Rc::new(vec![InternedStr::new("")]),
            arithmetic,
            board_info: BoardInfo::default(),
            start_function: None,
            is_start_current: true,
            play_function: None,
            board_global: None,
            format_value: |_, _, _, _| String::new(),
            parse_input: |_, _, _, _| Err("programs of this language do not read input".into()),
            resolve_field: |_, _, _| None,
            too_large_code: "",
            scope: Rc::new(()),
        }
    }

    /// Defines the function with this id: a new one, which has to be the next, or another version
    /// of it. A version that is the same stays shared.
    pub fn define(&mut self, FunctionId(id): FunctionId, function: impl Into<Rc<Function>>) {
        let id = id as usize;
        if id >= self.definition_count {
            self.drop_entry();
            self.definition_count = id + 1;
        }
        self.functions.put(id, function.into());
    }

    /// Puts lowered functions into a program, and a placeholder for each name that has an id but no
    /// function.
    pub fn link(
        &mut self,
        symbols: &SymbolTable,
        lowered: impl IntoIterator<Item = (FunctionId, Function)>,
        placeholder: impl Fn(&str) -> Function,
    ) {
        self.drop_entry();
        self.add_placeholders(symbols, placeholder);
        self.definition_count = self.functions.len();
        for (id, function) in lowered {
            self.define(id, function);
        }
    }

    /// Adds the function of an entry, in place of the last one.
    pub fn push_entry(&mut self, function: Function) -> FunctionId {
        self.drop_entry();
        self.push(function)
    }

    /// Like [`Program::push_entry`], for an entry that may call functions that are not defined:
    /// these are placeholders until the next entry.
    pub fn link_entry(
        &mut self,
        symbols: &SymbolTable,
        function: Function,
        placeholder: impl Fn(&str) -> Function,
    ) -> FunctionId {
        self.drop_entry();
        self.add_placeholders(symbols, placeholder);
        self.push(function)
    }

    fn push(&mut self, function: Function) -> FunctionId {
        self.functions.push(Rc::new(function));
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// Adds a placeholder for every id that has no function yet.
    fn add_placeholders(&mut self, symbols: &SymbolTable, placeholder: impl Fn(&str) -> Function) {
        while let Some(name) = symbols.name_of(FunctionId(self.functions.len() as u32)) {
            self.push(placeholder(name));
        }
    }

    fn drop_entry(&mut self) {
        self.functions.truncate(self.definition_count);
    }

    /// Reports the functions that are too large. Those shared with `old` are not.
    pub fn check_sizes(&self, old: Option<&Program>) -> Result<(), Vec<Diagnostic>> {
        let old = old.map_or_else(SharedVec::default, |old| old.functions.clone());
        let unshared = self.functions.unshared_ranges(&old).into_iter().flatten();
        let functions = unshared.filter_map(|index| self.functions.get(index));
        let message = "this definition is too large to compile";
        let error = |function: &Rc<Function>| {
            Diagnostic::error(Phase::Check, self.too_large_code, function.span, message).note(
                "it can hold about 60,000 different strings, numbers and local values; split it if you can",
            )
        };
        let too_large = functions.filter(|function| function.is_too_large());
        let errors: Vec<Diagnostic> = too_large.map(error).collect();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(errors),
        }
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
    fn a_function_that_is_too_large_is_reported_unless_it_was_there_before() {
        let mut program = Program {
            too_large_code: "T001",
            ..Program::empty("test", Arithmetic::Wrapping32)
        };
        program.define(FunctionId(0), function("f"));
        assert_eq!(program.check_sizes(None), Ok(()));
        let mut large = function("g");
        large.code.clear();
        program.define(FunctionId(1), large);
        let errors = program.check_sizes(None).expect_err("it is");
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].code, "T001");
        assert_eq!(program.check_sizes(Some(&program)), Ok(()));
    }

    #[test]
    fn the_function_of_an_entry_follows_the_definitions() {
        let mut program = Program::empty("test", Arithmetic::Wrapping32);
        program.define(FunctionId(0), function("f"));
        for _ in 0..2 {
            assert_eq!(program.push_entry(function("entry")), FunctionId(1));
            // A stop in the entry adds what it still runs.
            program.functions.push(Rc::new(function("replaced")));
        }
        program.define(FunctionId(0), function("f"));
        assert_eq!(names(&program), ["f", "entry", "replaced"]);
        program.define(FunctionId(1), function("g"));
        assert_eq!(names(&program), ["f", "g"]);
    }

    #[test]
    fn placeholders_for_the_calls_of_an_entry_end_with_it() {
        let mut program = Program::empty("test", Arithmetic::Wrapping32);
        let mut symbols = SymbolTable::default();
        symbols.get_or_insert("f");
        program.link(&symbols, [], function);
        let mut of_entry = symbols.clone();
        of_entry.get_or_insert("undefined");
        let id = program.link_entry(&of_entry, function("entry"), function);
        assert_eq!(id, FunctionId(2));
        assert_eq!(names(&program), ["f", "undefined", "entry"]);
        let id = symbols.get_or_insert("g");
        program.link(&symbols, [(id, function("g"))], function);
        assert_eq!(names(&program), ["f", "g"]);
    }

    fn names(program: &Program) -> Vec<&'static str> {
        program.functions.iter().map(|f| f.name.as_str()).collect()
    }
}
