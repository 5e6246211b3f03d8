//! TinyGame: players and enemies with integer properties on an unbounded plane, moved by a sequence
//! of statements.
//!
//! ```text
//! token  lexer                                  lower  statements to bytecode
//! parse  parser, syntax errors                  view   the plane, values, lists of declarations
//! ast    syntax tree                            info   words, samples, guide and help
//! check  declared entities and properties
//! ```

use gridbug_base::{code, diagnostic, language, source, value};

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
    Compiled, FrameScope, Language, LanguageInfo, NameEntry, ParsedEntry, TokenClass, Views,
    classify_tokens, explain_foreign_syntax,
};
use crate::source::Source;
use ast::Entry;
use check::{CheckResult, Env, check};
use lower::scope::Scope;
use parse::Start;
use std::ops::Range;

pub struct TinyGame;

impl Language for TinyGame {
    fn info(&self) -> &'static LanguageInfo {
        &info::INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let empty = Env::default();
        let parsed = parse::parse_program(source, |entry| check(&entry, &empty).diagnostics);
        let (checked, entry) = checked(parsed, &Env::default())
            .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        let items = match entry {
            Entry::Items(items) => items,
            Entry::Query(_) => Vec::new(),
        };
        Ok(Compiled {
            warnings: checked.diagnostics,
            ..lower::load(items, checked.env, source.full_span())?
        })
    }

    fn parse_entry(&self, source: &Source, _: &Program) -> ParsedEntry {
        if source.text.trim_start().starts_with(':') {
            return ParsedEntry::without_tree(false);
        }
        parse::parse_prompt(source)
    }

    fn compile_parsed(
        &self,
        entry: ParsedEntry,
        source: &Source,
        program: &Program,
        _: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        if source.text.trim_start().starts_with(':') {
            return lower::forget(source, program);
        }
        let (checked, entry) = checked(entry.into_tree(), &Scope::from_program(program).env)
            .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        lower::entry(entry, checked, source.full_span(), program)
    }

    fn lower_start(&self, program: &mut Program) {
        lower::lower_start(program);
    }

    fn names(&self, source: &Source) -> Vec<NameEntry> {
        match parse::parse(source, Start::Program) {
            Ok(Entry::Items(items)) => check::names(source, &items),
            _ => Vec::new(),
        }
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        classify_tokens(&info::INFO, text, token::tokenize(text), view::token_class)
    }

    /// The arrow keys move the first player.
    fn arrow_entries(&self, program: &Program) -> Option<[String; 4]> {
        let definitions = self.definitions(program);
        let player = definitions.iter().find(|d| d.kind == "player")?;
        let directions = ["up", "down", "left", "right"];
        Some(directions.map(|direction| format!("move {} {direction} 1;", player.name)))
    }
}

/// Checks an entry that was parsed. Ok if there are no errors.
fn checked(
    parsed: Result<Entry, Vec<Diagnostic>>,
    env: &Env,
) -> Result<(CheckResult, Entry), Vec<Diagnostic>> {
    let entry = parsed?;
    let checked = check(&entry, env);
    match checked.has_errors() {
        true => Err(checked.diagnostics),
        false => Ok((checked, entry)),
    }
}
