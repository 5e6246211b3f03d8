//! GridLang, the language of the 2017 reference manual: statically typed and checked before it
//! runs.
//!
//! The pipeline: `token` is the lexer, `newlines` inserts statement ends, `parse` builds the AST in
//! `ast`, `check` resolves names and types and produces the typed tree in `hir`, and `lower`
//! compiles that to bytecode.

pub mod ast;
mod check;
mod dialect;
mod env;
mod error_code;
mod guide;
mod hir;
mod lower;
mod newlines;
pub mod parse;
mod program_items;
mod prompt_input;
mod scope;
mod show;
mod syntax_error;
mod token;
mod word_help;

#[allow(clippy::all, clippy::pedantic, unused, dead_code)]
mod grammar {
    //! The parser that lalrpop generates from `grammar/gridlang.lalrpop`.
    include!(concat!(env!("OUT_DIR"), "/gridlang.rs"));
}

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    BoardView, Compiled, Definition, FileFrame, FrameScope, GameProgress, GameView, Indentation,
    Language, LanguageInfo, Layout, NamedValues, ParsedEntry, PlayEntry, ProgramItem, TokenClass,
    Viewport, explain_foreign_syntax, is_identifier, receiver,
};
use crate::source::{Source, Sources};
use crate::value::{Store, Value};
use check::check;
use parse::{Start, parse};
use scope::Scope;
use std::ops::Range;

/// The [`Language`] implementation of GridLang.
pub struct GridLang;

static INFO: LanguageInfo = LanguageInfo {
    name: "gridlang",
    title: "GridLang",
    extensions: &["grid"],
    keywords: token::KEYWORDS,
    builtins: BUILTINS,
    commands: &[(
        "turn",
        "[n]",
        "play one turn, or n turns: gameLoop, moves, collisions, checkGameEnd",
    )],
    events: &["endTurn", "win", "print", "rand", "error"],
    action_word: "turn",
    conditions_checked_when: "turn ends",
    is_valid_breakpoint_name: |title| {
        receiver(title, &["checkMove", "colocation"]).is_some_and(is_identifier)
    },
    arrow_keys: None,
    error_codes: error_code::CODES,
    sample: include_str!("gridlang/sample.grid"),
    rules: lower::RULES,
    file_frame: FileFrame::NONE,
    layout: Layout {
        indentation: Indentation::Brackets(4),
        tight: &["."],
        prefix: &["-", "!"],
        postfix: &["++", "--"],
        as_written: &[":", ","],
        headers: &["if", "else", "while"],
    },
    guide: guide::GUIDE,
};

const BUILTINS: &[(&str, &str)] = &[
    (
        "drawGrid",
        "drawGrid(): print the grid with the displayString of every piece",
    ),
    (
        "createGrid",
        "createGrid(rows, columns): set the size of the grid",
    ),
    (
        "traverse",
        "traverse([from, to], \"playerList\"): the players along a line, or the items with \"itemList\"",
    ),
    (
        "random",
        "random(0, 1): a random float with three decimals, both limits included",
    ),
    ("diceThrow", "diceThrow(): a random int from 1 to 6"),
    ("print", "print(value): print a value on a line of its own"),
    (
        "prompt",
        "prompt(\"row: \", int): ask for an int, string, boolean, coordinate or float",
    ),
    (
        "gameOver",
        "gameOver(): run the gameOver block, or print the winner, and end the game",
    ),
    ("len", "len(array): the number of elements"),
    ("playerOrder", "the players in turn order"),
    ("p", "the player whose turn it is"),
];

impl Language for GridLang {
    fn info(&self) -> &'static LanguageInfo {
        &INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let empty = Scope::default();
        let checked = parse(source, Start::Program)
            .and_then(|tree| check(source, &tree, &empty.env, &empty.game, None))
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
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
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))
    }

    fn with_current_start(&self, program: &Program) -> Result<Option<Program>, Vec<Diagnostic>> {
        lower::with_current_start(program)
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        let tokens = token::tokenize(text)
            .into_iter()
            .filter(|(_, token)| *token != token::Token::Newline);
        tokens
            .map(|(range, token)| (range, show::token_class(&token)))
            .collect()
    }

    fn view(&self, _: &Program, store: &Store, viewport: Viewport) -> GameView {
        show::game_view(store, viewport)
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
        prompt_input::type_of_tag(input_kind).map(|ty| ty.to_string())
    }

    fn board_outline(&self, _: &Program, store: &Store) -> Option<BoardView> {
        show::board_outline(store)
    }

    fn players(&self, _: &Program, store: &Store) -> Vec<String> {
        show::players(store)
    }

    fn progress(&self, _: &Program, store: &Store) -> GameProgress {
        show::progress(store)
    }

    fn value_type(&self, _: &Program, store: &Store, value: Value) -> String {
        show::value_type(store, value)
    }

    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        show::named_values(program, store)
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        program
            .scope
            .downcast_ref::<Scope>()
            .map_or_else(Vec::new, show::definitions)
    }

    fn program_items(&self, program: &Program, sources: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::of(program), sources)
    }
}
