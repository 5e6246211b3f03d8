//! TinyGame: players and enemies with integer properties on a plane without edges, moved by a straight list of statements.

pub mod ast;
pub mod check;
mod guide;
mod lower;
pub mod parse;
mod scope;
mod show;
pub mod token;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, rustdoc::all)]
    grammar,
    "/tinygame.rs"
);

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    Compiled, Definition, FrameScope, GameView, Language, LanguageInfo, TokenClass, Viewport,
};
use crate::source::Source;
use crate::value::Store;
use ast::Entry;
use check::{CheckResult, Env, check};
use parse::Start;
use scope::Scope;
use std::ops::Range;

pub struct TinyGame;

static ABOUT: LanguageInfo = LanguageInfo {
    name: "tinygame",
    title: "TinyGame",
    extensions: &["tg"],
    keywords: &token::Token::KEYWORDS,
    builtins: &[],
    commands: &[(
        "forget",
        "NAME",
        "take an entity away, so that its name is free again",
    )],
    events: &["print", "error"],
    is_valid_breakpoint_name: |_| false,
    arrow_keys: None,
    error_codes: CODES,
    sample: include_str!("tinygame/sample.tg"),
    rules: "",
    guide: guide::GUIDE,
};

impl Language for TinyGame {
    fn info(&self) -> &'static LanguageInfo {
        &ABOUT
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let entry = parse::parse(source, Start::Program)?;
        let checked = sound(check(&entry, &Env::default()))?;
        let items = match entry {
            Entry::Items(items) => items,
            Entry::Query(_) => Vec::new(),
        };
        Ok(Compiled {
            warnings: checked.diagnostics,
            ..lower::load(items, checked.env, source.full_span())?
        })
    }

    fn compile_entry(
        &self,
        source: &Source,
        program: &Program,
        _: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        if source.text.trim_start().starts_with(':') {
            return lower::forget(source, program);
        }
        let compile_entry = parse::parse(source, Start::Entry)?;
        let checked = sound(check(&compile_entry, &Scope::from_program(program).env))?;
        lower::entry(compile_entry, checked, source.full_span(), program)
    }

    fn is_incomplete(&self, text: &str, _: &Program) -> bool {
        parse::is_incomplete(text)
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        token::tokenize(text)
            .into_iter()
            .map(|(range, token)| (range, show::classify(&token)))
            .collect()
    }

    fn view(&self, program: &Program, store: &Store, window: Viewport) -> GameView {
        show::view(program, store, window)
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        show::definitions(&Scope::from_program(program).env)
    }
}

/// What was found, if it can be run.
fn sound(checked: CheckResult) -> Result<CheckResult, Vec<Diagnostic>> {
    if checked.has_errors() {
        Err(checked.diagnostics)
    } else {
        Ok(checked)
    }
}

/// Every code a diagnostic of TinyGame can bear, with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("TG001", "a character that TinyGame does not have"),
    ("TG002", "a text in quotes is not closed"),
    ("TG003", "the program ends in the middle of something"),
    ("TG004", "something else was expected here"),
    ("TG005", "a keyword is used as a name"),
    ("TG006", "a name is not lowercase letters and digits"),
    ("TG007", "a number does not fit into 64 bits"),
    ("TG008", "brackets or blocks are nested too deeply"),
    ("TG009", "a semicolon is missing"),
    ("TG010", "an operator that TinyGame does not have"),
    ("TG011", "only a number can bear a minus sign"),
    ("TG012", "the program is too large to be run"),
    ("TG101", "an entity is not declared"),
    ("TG102", "an entity does not have this property"),
    ("TG103", "a standalone identifier is not a value"),
    ("TG104", "a text is not a value"),
    ("TG105", "a property bears the name of an entity"),
    ("TG106", "an entity is declared twice"),
    ("TG107", "a property is declared twice in one entity"),
    ("TG108", "an entity without x or y cannot move"),
    ("TG109", "a division by the number zero always fails"),
    (
        "TG110",
        "a comparison typed at the prompt that looks like an assignment",
    ),
    ("TG111", "an entity that cannot be forgotten"),
];
