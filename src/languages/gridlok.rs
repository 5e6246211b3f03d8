//! GridLok: boards, pieces with handlers, turns, and one brace for everything.

pub mod ast;
pub mod code;
mod lower;
pub mod parse;
mod scope;
mod show;
pub mod token;

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{About, Class, Compiled, Definition, FrameScope, GameView, Language, Window};
use crate::source::Source;
use crate::value::Store;
use std::ops::Range;

pub struct GridLok;

static ABOUT: About = About {
    name: "gridlok",
    title: "GridLok",
    extensions: &["gl"],
    keywords: &[],
    builtins: &[],
    codes: code::CODES,
    sample: "",
    rules: include_str!("gridlok/rules.gl"),
};

/// How many arguments a function takes that is there from the start.
fn builtin_arguments(word: &str) -> Option<usize> {
    Some(match word {
        "endTurn" => 0,
        "print" | "display" | "visible" | "changeType" | "removePlayer" => 1,
        "click" | "removePiece" | "rand" => 2,
        "place" => 3,
        _ => return None,
    })
}

impl Language for GridLok {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn blank(&self) -> Program {
        lower::blank()
    }

    fn load(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let tree = parse::program(source)?;
        lower::load(&tree)
    }

    fn entry(&self, source: &Source, program: &Program, frame: Option<&FrameScope>) -> Result<Compiled, Vec<Diagnostic>> {
        let tree = parse::entry(source)?;
        lower::entry(&tree, source.whole(), program, frame)
    }

    fn is_unfinished(&self, text: &str) -> bool {
        parse::is_unfinished(text)
    }

    fn classes(&self, _text: &str) -> Vec<(Range<usize>, Class)> {
        Vec::new()
    }

    fn view(&self, program: &Program, store: &Store, window: Window) -> GameView {
        show::view(program, store, window)
    }

    fn definitions(&self, _program: &Program) -> Vec<Definition> {
        Vec::new()
    }
}
