//! TinyGame: players and enemies with integer properties on an unbounded plane, moved by a sequence
//! of statements.

pub mod ast;
mod check;
mod guide;
mod lower;
pub mod parse;
mod program_items;
mod scope;
mod show;
mod syntax_error;
mod token;
mod word_help;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, rustdoc::all)]
    grammar,
    "/tinygame.rs"
);

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    BoardView, Compiled, Definition, FileFrame, FrameScope, GameProgress, GameView, Indentation,
    Language, LanguageInfo, Layout, NamedValues, ParsedEntry, ProgramItem, TokenClass, Viewport,
    explain_foreign_syntax,
};
use crate::source::{Source, Sources};
use crate::value::{Store, Value};
use ast::Entry;
use check::{CheckResult, Env, check};
use parse::Start;
use scope::Scope;
use std::ops::Range;

pub struct TinyGame;

static INFO: LanguageInfo = LanguageInfo {
    name: "tinygame",
    title: "TinyGame",
    extensions: &["tg"],
    keywords: &token::Token::KEYWORDS,
    builtins: &[],
    commands: &[(
        "forget",
        "NAME",
        "delete an entity, so that its name can be reused",
    )],
    events: &["print", "error"],
    action_word: "action",
    conditions_checked_when: "action ends",
    is_valid_breakpoint_name: |_| false,
    arrow_keys: None,
    error_codes: CODES,
    sample: include_str!("tinygame/sample.tg"),
    rules: "",
    file_frame: FileFrame::NONE,
    layout: Layout {
        indentation: Indentation::Brackets(4),
        tight: &["."],
        prefix: &["-"],
        postfix: &[],
        as_written: &[],
        headers: &[],
    },
    guide: guide::GUIDE,
};

impl Language for TinyGame {
    fn info(&self) -> &'static LanguageInfo {
        &INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let (checked, entry) = checked(parse::parse(source, Start::Program), &Env::default())
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
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
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
        lower::entry(entry, checked, source.full_span(), program)
    }

    fn with_current_start(&self, program: &Program) -> Result<Option<Program>, Vec<Diagnostic>> {
        lower::with_current_start(program)
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        token::tokenize(text)
            .into_iter()
            .map(|(range, token)| (range, show::classify(&token)))
            .collect()
    }

    fn view(&self, program: &Program, store: &Store, viewport: Viewport) -> GameView {
        show::view(program, store, viewport)
    }

    fn changed_lines(&self, program: &Program, store: &Store, globals: &[u32]) -> Vec<String> {
        show::changed_lines(program, store, globals)
    }

    fn board_outline(&self, program: &Program, store: &Store) -> Option<BoardView> {
        show::board_outline(program, store)
    }

    fn progress(&self, _: &Program, _: &Store) -> GameProgress {
        GameProgress::default()
    }

    fn value_type(&self, _: &Program, _: &Store, value: Value) -> String {
        show::value_type(value).to_string()
    }

    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        NamedValues {
            variables: show::variables(program, store),
            ..NamedValues::default()
        }
    }

    /// The arrow keys move the first player.
    fn arrow_entries(&self, program: &Program) -> Option<[String; 4]> {
        let definitions = self.definitions(program);
        let player = definitions.iter().find(|d| d.kind == "player")?;
        let directions = ["up", "down", "left", "right"];
        Some(directions.map(|direction| format!("move {} {direction} 1;", player.name)))
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        show::definitions(&Scope::from_program(program).env)
    }

    fn program_items(&self, program: &Program, _: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::from_program(program))
    }

    fn typed_statements(&self, entry: &Source) -> Vec<ProgramItem> {
        program_items::typed_statements(entry)
    }
}

/// Checks an entry that was parsed. Ok if there are no errors.
fn checked(
    parsed: Result<Entry, Vec<Diagnostic>>,
    env: &Env,
) -> Result<(CheckResult, Entry), Vec<Diagnostic>> {
    let entry = parsed?;
    let checked = check(&entry, env);
    if checked.has_errors() {
        Err(checked.diagnostics)
    } else {
        Ok((checked, entry))
    }
}

/// All error codes of TinyGame with their meanings.
const CODES: &[(&str, &str)] = &[
    ("TG001", "unknown character"),
    ("TG002", "unterminated string"),
    ("TG003", "unexpected end of input"),
    ("TG004", "unexpected token"),
    ("TG005", "keyword used as a name"),
    ("TG006", "invalid name"),
    ("TG007", "number too large"),
    ("TG008", "nesting too deep"),
    ("TG009", "missing semicolon"),
    ("TG010", "unsupported operator"),
    ("TG011", "minus sign before something other than a number"),
    ("TG012", "program too large"),
    ("TG101", "undeclared entity"),
    ("TG102", "undeclared property"),
    ("TG103", "standalone identifier used as a value"),
    ("TG104", "string used as a value"),
    ("TG105", "property with the name of an entity"),
    ("TG106", "duplicate entity"),
    ("TG107", "duplicate property"),
    ("TG108", "`move` of an entity without x or y"),
    ("TG109", "division by a literal zero"),
    (
        "TG110",
        "comparison at the prompt that looks like an assignment",
    ),
    ("TG111", "entity cannot be forgotten"),
];
