//! GridLang: the language of the reference manual of 2017, statically checked before anything runs.
//!
//! `token` cuts the text, `line` decides which ends of lines end a statement, `parse` builds the tree of `ast`,
//! `check` turns it into the tree of `typed`, where every name is resolved and every value has its type, and `lower`
//! makes code of that.

pub mod ast;
pub mod check;
pub mod code;
pub mod env;
mod explain;
mod guide;
mod line;
mod lower;
pub mod parse;
mod read;
mod scope;
mod show;
pub mod token;
pub mod typed;

#[allow(clippy::all, clippy::pedantic, unused, dead_code)]
mod grammar {
    //! The parser that lalrpop makes of `grammar/gridlang.lalrpop`.
    include!(concat!(env!("OUT_DIR"), "/gridlang.rs"));
}

pub use check::{Checked, check};
pub use code::CODES;
pub use env::{Env, Frame};
pub use parse::{Start, is_unfinished, parse};

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    About, Class, Compiled, Definition, FrameScope, GameView, Language, Window, is_name, receiver,
};
use crate::source::Source;
use crate::value::Store;
use scope::Scope;
use std::ops::Range;

pub struct GridLang;

static ABOUT: About = About {
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
    may_be_called: |title| receiver(title, &["checkMove", "colocation"]).is_some_and(is_name),
    keys: None,
    codes: CODES,
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
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn blank(&self) -> Program {
        lower::blank()
    }

    fn load(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let tree = parse(source, Start::Program)?;
        lower::load(check(&tree, &Env::default(), None)?)
    }

    fn entry(
        &self,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        lower::entry(source, program, frame)
    }

    fn is_unfinished(&self, text: &str, _: &Program) -> bool {
        is_unfinished(text)
    }

    fn classes(&self, text: &str) -> Vec<(Range<usize>, Class)> {
        let words = token::tokens(text)
            .into_iter()
            .filter(|(_, token)| *token != token::Token::Newline);
        words
            .map(|(range, token)| (range, show::class(&token)))
            .collect()
    }

    fn view(&self, program: &Program, store: &Store, window: Window) -> GameView {
        show::view(program, store, window)
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        program
            .scope
            .downcast_ref::<Scope>()
            .map_or_else(Vec::new, show::definitions)
    }
}
