//! GridLang: the language of the reference manual of 2017, statically checked before anything runs.
//!
//! `token` cuts the text, `line` decides which ends of lines end a statement, `parse` builds the tree of `ast`,
//! `check` turns it into the tree of `typed`, where every name is resolved and every value has its type, and `lower`
//! makes code of that.

pub mod ast;
pub mod check;
pub mod env;
pub mod error_code;
mod guide;
pub mod hir;
mod lower;
mod newlines;
pub mod parse;
mod prompt_input;
mod scope;
mod show;
mod syntax_error;
pub mod token;

#[allow(clippy::all, clippy::pedantic, unused, dead_code)]
mod grammar {
    //! The parser that lalrpop makes of `grammar/gridlang.lalrpop`.
    include!(concat!(env!("OUT_DIR"), "/gridlang.rs"));
}

pub use check::{Checked, check};
pub use env::{Env, StoppedFrame};
pub use error_code::CODES;
pub use parse::{Start, is_incomplete, parse};

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    Compiled, Definition, FrameScope, GameView, Language, LanguageInfo, TokenClass, Viewport,
    is_identifier, receiver,
};
use crate::source::Source;
use crate::value::Store;
use scope::Scope;
use std::ops::Range;

pub struct GridLang;

static ABOUT: LanguageInfo = LanguageInfo {
    name: "gridlang",
    title: "GridLang",
    extensions: &["grid"],
    keywords: token::KEYWORDS,
    builtins: BUILTINS,
    commands: &[(
        "turn",
        "[n]",
        "play a turn, or n of them: gameLoop, moves, collisions, checkGameEnd",
    )],
    events: &["endTurn", "win", "print", "rand", "error"],
    is_valid_breakpoint_name: |title| {
        receiver(title, &["checkMove", "colocation"]).is_some_and(is_identifier)
    },
    arrow_keys: None,
    error_codes: CODES,
    sample: include_str!("gridlang/sample.grid"),
    rules: lower::RULES,
    guide: guide::GUIDE,
};

const BUILTINS: &[(&str, &str)] = &[
    (
        "drawGrid",
        "drawGrid(): shows the grid with the displayString of every piece",
    ),
    (
        "createGrid",
        "createGrid(rows, columns): gives the grid its size",
    ),
    (
        "traverse",
        "traverse([from, to], \"playerList\"): the players, or with \"itemList\" the items, along a line",
    ),
    (
        "random",
        "random(0, 1): a float with three places between two numbers, both included",
    ),
    ("diceThrow", "diceThrow(): an int from 1 to 6"),
    ("print", "print(value): a line of output"),
    (
        "prompt",
        "prompt(\"row: \", int): asks for an int, string, boolean, coordinate or float",
    ),
    (
        "gameOver",
        "gameOver(): runs the block gameOver, or shows the winner, and ends the game",
    ),
    ("len", "len(array): how many elements it has"),
    ("playerOrder", "the players in the order of their turns"),
    ("p", "the player whose turn it is"),
];

impl Language for GridLang {
    fn info(&self) -> &'static LanguageInfo {
        &ABOUT
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let tree = parse(source, Start::Program)?;
        lower::lower_program(check(&tree, &Env::default(), None)?)
    }

    fn compile_entry(
        &self,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        lower::lower_entry(source, program, frame)
    }

    fn is_incomplete(&self, text: &str, _: &Program) -> bool {
        is_incomplete(text)
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        let words = token::tokenize(text)
            .into_iter()
            .filter(|(_, token)| *token != token::Token::Newline);
        words
            .map(|(range, token)| (range, show::token_class(&token)))
            .collect()
    }

    fn view(&self, program: &Program, store: &Store, window: Viewport) -> GameView {
        show::game_view(program, store, window)
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        program
            .scope
            .downcast_ref::<Scope>()
            .map_or_else(Vec::new, show::definitions)
    }
}
