//! GridLok: boards, pieces with handlers, turns, and one brace for everything.

pub mod ast;
pub mod builtin;
pub mod check;
pub mod code;
pub mod env;
mod guide;
mod lower;
pub mod parse;
mod scope;
mod show;
pub mod token;
pub mod typing;

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    About, Class, Compiled, Definition, FrameScope, GameView, Language, Window, is_name, receiver,
};
use crate::source::Source;
use crate::value::Store;
use scope::Scope;
use std::ops::Range;

pub struct GridLok;

static ABOUT: About = About {
    name: "gridlok",
    title: "GridLok",
    extensions: &["gl"],
    keywords: token::KEYWORDS,
    builtins: builtin::HELP,
    commands: &[],
    events: &[
        "click",
        "place",
        "remove",
        "changeType",
        "endTurn",
        "win",
        "lose",
        "draw",
        "print",
        "display",
        "rand",
        "error",
    ],
    may_be_called: |title| receiver(title, &["onClick", "onTurn"]).is_some_and(is_name),
    keys: None,
    codes: code::CODES,
    sample: include_str!("gridlok/sample.gl"),
    rules: lower::RULES,
    guide: guide::GUIDE,
};

impl Language for GridLok {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn blank(&self) -> Program {
        lower::blank()
    }

    fn load(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let tree = parse::program(source)?;
        let warnings = sound(check::program(&tree, &env::Env::default()))?;
        Ok(Compiled {
            warnings,
            ..lower::load(&tree)?
        })
    }

    fn entry(
        &self,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let tree = parse::entry(source)?;
        let mut env = Scope::of(program).env();
        env.locals = frame.map_or_else(Vec::new, |f| {
            f.locals.iter().map(|l| l.name.to_string()).collect()
        });
        let warnings = sound(check::entry(&tree, &env))?;
        Ok(Compiled {
            warnings,
            ..lower::entry(&tree, source.whole(), program, frame)?
        })
    }

    fn is_unfinished(&self, text: &str, _: &Program) -> bool {
        parse::is_unfinished(text)
    }

    fn classes(&self, text: &str) -> Vec<(Range<usize>, Class)> {
        token::tokens(text)
            .into_iter()
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
            .map_or_else(Vec::new, |scope| {
                scope
                    .items
                    .iter()
                    .map(|item| show::definition(item))
                    .collect()
            })
    }
}

/// The warnings, if there is nothing worse among them.
fn sound(diagnostics: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    if diagnostics.iter().any(Diagnostic::is_error) {
        Err(diagnostics)
    } else {
        Ok(diagnostics)
    }
}
