//! GridLang, the language of the 2017 reference manual: statically typed and checked before it
//! runs.
//!
//! ```text
//! token  lexer                                  lower  typed tree to bytecode; the rules of play
//! parse  parser, ends of statements             view   the grid, values, lists of definitions
//! ast    syntax tree                            info   words, samples, guide and help
//! check  names and types; makes the typed tree
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
    Actions, Compiled, FrameScope, InputShape, Language, LanguageInfo, MoveModel, NameEntry,
    OrdinalField, Ordinals, ParsedEntry, PlayEntry, TokenClass, classify_tokens,
    explain_foreign_syntax,
};
use crate::source::Source;
use crate::value::Store;
use check::check;
use lower::scope::Scope;
use parse::{Start, parse, parse_program};
use std::ops::Range;

/// The [`Language`] implementation of GridLang.
pub struct GridLang;

impl Language for GridLang {
    fn info(&self) -> &'static LanguageInfo {
        &info::INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let empty = Scope::default();
        let check = |tree: &_| check(source, tree, &empty.env, &empty.game, None);
        let checked = parse_program(source, |tree| check(&tree).err().unwrap_or_default())
            .and_then(|tree| check(&tree))
            .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        lower::lower_program(checked)
    }

    fn parse_entry(&self, source: &Source, _: &Program) -> ParsedEntry {
        parse::parse_prompt(source)
    }

    fn compile_parsed(
        &self,
        entry: ParsedEntry,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        lower::lower_entry(entry, source, program, frame)
            .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))
    }

    fn lower_start(&self, program: &mut Program) {
        lower::lower_start(program);
    }

    fn names(&self, source: &Source) -> Vec<NameEntry> {
        parse(source, Start::Program)
            .map_or_else(|_| Vec::new(), |tree| check::names(source, &tree))
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        let mut tokens = token::tokenize(text);
        tokens.retain(|(_, token)| *token != token::Token::Newline);
        classify_tokens(&info::INFO, text, tokens, view::token_class)
    }

    fn cell_answer(&self, row: i64, col: i64) -> Option<String> {
        Some(format!("({row},{col})"))
    }

    fn is_cell_type(&self, name: &str) -> bool {
        name == "coordinate"
    }

    fn play_entry(&self, program: &Program) -> Option<PlayEntry> {
        program.play_function?;
        Some(PlayEntry::Turn(":turn"))
    }

    fn input_type(&self, _: &Program, input_kind: u8) -> Option<String> {
        parse::prompt_input::type_of_tag(input_kind).map(|ty| ty.to_string())
    }

    fn move_model(&self, program: &Program) -> MoveModel {
        let has_turns = program.play_function.is_some();
        MoveModel {
            actions: match has_turns {
                true => Actions::Turn(":turn"),
                false => Actions::None,
            },
            standing_globals: view::STANDING_VARIABLES.map(|v| v as u32).into(),
            ordinals: Some(Ordinals {
                counter: lower::scope::RuleVariable::ArrivalCount as u32,
                fields: vec![
                    OrdinalField {
                        number: lower::scope::field::ARRIVAL,
                        place: lower::scope::field::POSITION,
                    },
                    OrdinalField {
                        number: lower::scope::field::VALID_ARRIVAL,
                        place: lower::scope::field::VALID_POSITION,
                    },
                ],
                sort: lower::scope::field::IS_PLAYER,
            }),
            first_attribute: lower::scope::field::FIRST_USER_DEFINED,
            ..MoveModel::default()
        }
    }

    fn input_shape(&self, _: &Program, store: &Store, input_kind: u8) -> InputShape {
        parse::prompt_input::shape_of_tag(input_kind, view::grid_size(store))
    }
}
