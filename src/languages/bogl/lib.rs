//! BoGL, the Board Game Language: a statically typed, purely functional language of boards, integers
//! and symbols.
//!
//! ```text
//! token  lexer                                  lower  definitions and entries to bytecode
//! parse  parser, syntax errors                  view   boards, values, lists of definitions
//! ast    syntax tree                            info   words, samples, guide and help
//! check  types, and which definitions are broken
//! ```

use gridbug_base::{code, diagnostic, language, source, text, value};

pub mod ast;
mod check;
mod info;
mod lower;
pub mod parse;
mod token;
mod view;

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    Compiled, FrameScope, InputShape, Language, LanguageInfo, MoveModel, NameEntry, ParsedEntry,
    PlayEntry, PreludeSupport, TokenClass, classify_tokens, explain_foreign_syntax,
};
use crate::source::Source;
use crate::value::Store;
use lower::scope::Scope;
use std::ops::Range;

/// The BoGL language.
pub struct BoGL;

impl Language for BoGL {
    fn info(&self) -> &'static LanguageInfo {
        &info::INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        self.compile(&[], Some(source))
    }

    fn parse_entry(&self, source: &Source, program: &Program) -> ParsedEntry {
        if source.text.trim_start().starts_with(':') {
            return ParsedEntry::without_tree(false);
        }
        // It may end in a board whose equations do not cover all cells yet.
        parse::parse_prompt(source).or_incomplete_if(|entry: &ast::Entry| {
            check::is_board_incomplete(entry, &Scope::of(program).env)
        })
    }

    fn compile_parsed(
        &self,
        entry: ParsedEntry,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let scope = Scope::of(program);
        let frame = scope.frame_context(program, frame);
        if source.text.trim_start().starts_with(':') {
            return view::query::run_command(source, program, &scope, &frame);
        }
        let check = |entry: ast::Entry| {
            let checked = check::check_entry_in_frame(&entry, &scope.env, &frame.locals);
            Ok((checked.into_result()?, entry))
        };
        let (checked, entry) = entry
            .into_tree()
            .and_then(check)
            .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        lower::entry(&entry, source, checked, program, &frame)
    }

    fn expression_symbols(
        &self,
        source: &Source,
        program: &Program,
        frame: &FrameScope,
    ) -> Vec<String> {
        let scope = Scope::of(program);
        let frame = scope.frame_context(program, Some(frame));
        view::query::symbols_of(source, &scope, &frame)
    }

    fn prelude_support(&self) -> Option<&dyn PreludeSupport> {
        Some(self)
    }

    fn lower_start(&self, program: &mut Program) {
        lower::lower_start(program);
    }

    fn cell_answer(&self, row: i64, col: i64) -> Option<String> {
        Some(format!("({col},{row})"))
    }

    fn is_cell_type(&self, name: &str) -> bool {
        name == "(Int,Int)"
    }

    fn play_entry(&self, program: &Program) -> Option<PlayEntry> {
        let result = lower::scope::RESULT_NAME;
        let function = Scope::of(program).symbols.get(result);
        function.map(|_| PlayEntry::Game(result))
    }

    fn names(&self, source: &Source) -> Vec<NameEntry> {
        parse::parse_program(source, |_| Vec::new())
            .map_or_else(|_| Vec::new(), |tree| check::names::names(source, &tree))
    }

    fn missing_to_run(&self, program: &Program) -> Option<&'static str> {
        match self.play_entry(program) {
            None => Some("a value named `result`, e.g. `result : Int` and `result = 1`"),
            Some(_) => None,
        }
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        classify_tokens(&info::INFO, text, token::tokenize(text), view::token_class)
    }

    fn input_type(&self, program: &Program, _: u8) -> Option<String> {
        let ty = Scope::of(program).env.types.input();
        Some(ty.expanded().to_string())
    }

    fn move_model(&self, program: &Program) -> MoveModel {
        let has_result = self.play_entry(program).is_some();
        MoveModel {
            game_entry: has_result.then_some(lower::scope::RESULT_NAME),
            end_globals: vec![lower::scope::DISPLAYED_BOARD],
            shown_globals: vec![lower::scope::PLACED_BOARD, lower::scope::OTHER_BOARD],
            ..MoveModel::default()
        }
    }

    fn input_shape(&self, program: &Program, _: &Store, _: u8) -> InputShape {
        let scope = Scope::of(program);
        let types = &scope.env.types;
        parse::input::shape(&types.input(), &types.board())
    }
}
