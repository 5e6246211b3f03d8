//! BoGL, the Board Game Language: a statically typed, purely functional language of boards, integers
//! and symbols.

pub mod ast;
mod builtin;
mod call;
mod check;
mod definition;
mod env;
mod guide;
mod infer;
mod input;
mod lower;
mod names;
pub mod parse;
mod prelude;
mod program_items;
mod query;
mod resolution;
mod scope;
mod show;
mod token;
mod type_error;
mod type_table;
mod types;
mod word_help;

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    BoardView, Compiled, Definition, FileFrame, FrameScope, GameProgress, GameView, Indentation,
    Language, LanguageInfo, Layout, NameEntry, NamedValues, ParsedEntry, PlayEntry, PreludeSupport,
    ProgramItem, TokenClass, Viewport, explain_foreign_syntax, is_identifier,
};
use crate::source::{Source, Sources};
use crate::value::{Store, Value};
use scope::Scope;
use std::ops::Range;

/// The BoGL language.
pub struct BoGL;

static INFO: LanguageInfo = LanguageInfo {
    name: "bogl",
    title: "BoGL",
    extensions: &["bgl", "bogl"],
    keywords: token::KEYWORD_TEXTS,
    builtins: builtin::HELP,
    commands: query::COMMANDS,
    events: &["place", "error"],
    action_word: "action",
    conditions_checked_when: "action ends",
    is_valid_breakpoint_name: |title| {
        title.starts_with(char::is_lowercase) && is_identifier(&title.replace('\'', ""))
    },
    arrow_keys: None,
    error_codes: CODES,
    sample: include_str!("bogl/sample.bgl"),
    rules: "",
    file_frame: FileFrame {
        start: "game {name}\n\n",
        ..FileFrame::NONE
    },
    layout: Layout {
        indentation: Indentation::AsWritten,
        tight: &["#"],
        prefix: &["-"],
        postfix: &[],
        as_written: &["!", ","],
        headers: &[],
    },
    guide: guide::GUIDE,
};

impl Language for BoGL {
    fn info(&self) -> &'static LanguageInfo {
        &INFO
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
        match parse::parse_prompt(source) {
            Ok(entry) => {
                // It may end in a board whose equations do not cover all cells yet.
                let is_incomplete = check::is_board_incomplete(&entry, &Scope::of(program).env);
                ParsedEntry::new(Ok(entry), is_incomplete)
            }
            Err(failure) => {
                ParsedEntry::new::<ast::Entry>(Err(failure.diagnostics), failure.is_incomplete)
            }
        }
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
            return query::run_command(source, program, &scope, &frame);
        }
        let check = |entry: ast::Entry| {
            let checked = check::check_entry_in_frame(&entry, &scope.env, &frame.locals);
            Ok((into_result(checked)?, entry))
        };
        let (checked, entry) = entry
            .into_tree()
            .and_then(check)
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
        lower::entry(&entry, source, checked, program, &frame)
    }

    fn prelude_support(&self) -> Option<&dyn PreludeSupport> {
        Some(self)
    }

    fn with_current_start(&self, program: &Program) -> Result<Option<Program>, Vec<Diagnostic>> {
        lower::with_current_start(program)
    }

    fn cell_answer(&self, row: i64, col: i64) -> Option<String> {
        Some(format!("({col},{row})"))
    }

    fn is_cell_type(&self, name: &str) -> bool {
        name == "(Int,Int)"
    }

    fn play_entry(&self, program: &Program) -> Option<PlayEntry> {
        let has_result = Scope::of(program)
            .functions
            .contains_key(scope::RESULT_NAME);
        has_result.then_some(PlayEntry::Game(scope::RESULT_NAME))
    }

    fn names(&self, source: &Source) -> Vec<NameEntry> {
        parse::parse_program(source).map_or_else(|_| Vec::new(), |tree| names::names(source, &tree))
    }

    fn missing_to_run(&self, program: &Program) -> Option<&'static str> {
        match self.play_entry(program) {
            None => Some("a value named `result`, e.g. `result : Int` and `result = 1`"),
            Some(_) => None,
        }
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        token::tokenize(text)
            .into_iter()
            .map(|(range, token)| {
                (
                    range.clone(),
                    show::classify(token, text.get(range).unwrap_or("")),
                )
            })
            .collect()
    }

    fn view(&self, _: &Program, store: &Store, viewport: Viewport) -> GameView {
        show::view(store, viewport)
    }

    fn input_type(&self, program: &Program, _: u8) -> Option<String> {
        let ty = Scope::of(program).env.types().input();
        Some(ty.expanded().to_string())
    }

    fn other_boards(&self, _: &Program, store: &Store) -> Vec<Value> {
        show::other_board(store).into_iter().collect()
    }

    fn board_outline(&self, _: &Program, store: &Store) -> Option<BoardView> {
        show::board(store, Viewport::NONE)
    }

    fn progress(&self, _: &Program, _: &Store) -> GameProgress {
        GameProgress::default()
    }

    fn value_type(&self, program: &Program, store: &Store, value: Value) -> String {
        show::value_type(program, store, value)
    }

    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        NamedValues {
            variables: show::variables(program, store),
            ..NamedValues::default()
        }
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        show::definitions(&Scope::of(program))
    }

    fn program_items(&self, program: &Program, _: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::of(program))
    }
}

/// Turns a check with errors into `Err`.
fn into_result(checked: check::Checked) -> Result<check::Checked, Vec<Diagnostic>> {
    if checked.has_errors() {
        Err(checked.diagnostics)
    } else {
        Ok(checked)
    }
}

/// All BoGL error codes with a short description.
const CODES: &[(&str, &str)] = &[
    ("BG001", "unknown token"),
    ("BG002", "unterminated comment"),
    ("BG003", "unexpected token"),
    ("BG004", "unexpected end of input"),
    ("BG005", "nesting too deep"),
    ("BG006", "number too large for an Int"),
    ("BG007", "a sign before something other than a number"),
    ("BG008", "invalid left side of an equation"),
    ("BG009", "misplaced function type"),
    ("BG010", "`=` used instead of `==`"),
    ("BG011", "signature without an equation"),
    ("BG020", "equation without a signature"),
    ("BG021", "duplicate definition"),
    ("BG022", "equation does not follow its signature"),
    ("BG023", "duplicate type definition"),
    ("BG024", "unknown type"),
    ("BG025", "the right side of `&` is not an enumeration"),
    ("BG026", "duplicate symbol in an enumeration"),
    ("BG027", "a symbol has the same name as a type"),
    ("BG028", "a type without a name where a name is required"),
    ("BG029", "invalid board dimensions"),
    (
        "BG030",
        "`Array` used for a type other than `Board`, or `Board` without `Array`",
    ),
    ("BG031", "a built-in name cannot be defined"),
    ("BG032", "duplicate parameter"),
    (
        "BG033",
        "`type Board` or `type Input` after the first value",
    ),
    ("BG034", "the same name for column and row"),
    ("BG035", "board cells that contain boards"),
    ("BG036", "a type refers to itself"),
    ("BG040", "unknown name"),
    ("BG041", "unknown symbol"),
    ("BG042", "function used as a value"),
    ("BG043", "value used as a function"),
    ("BG044", "wrong number of arguments or parameters"),
    ("BG045", "type mismatch"),
    ("BG046", "operand is not an Int"),
    ("BG047", "incompatible types"),
    (
        "BG048",
        "`!` used on something other than a board and a position",
    ),
    ("BG049", "position off the board"),
    ("BG050", "incomplete board"),
    ("BG051", "equation and signature do not match"),
    ("BG052", "tuple component does not exist"),
    ("BG053", "`while` without variables to update"),
    ("BG054", "a board depends on itself"),
    ("BG055", "using a broken definition"),
    ("BG056", "a definition cannot run"),
    ("BG057", "a position name used as a value"),
    ("BG058", "definition too large to compile"),
    ("BG059", "invalid command argument"),
    ("BG060", "a redefinition makes another type invalid"),
];
