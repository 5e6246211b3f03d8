//! SGL2D: a player on a small board of named, coloured sprites; what a step does is said by lines of flags and numbers.
//!
//! The language reads on as long as it can and then stops without a word. Here the stop is kept and the word is said:
//! `parse` cuts the text where the language would, `silence` explains the cut, `check` applies the lines one after
//! the other and hands on orders, with defaults and duplicates settled.

pub mod ast;
pub mod check;
pub mod env;
pub mod event;
mod expr;
mod guide;
pub mod hir;
mod lower;
pub mod parse;
mod scope;
mod show;
pub mod syntax_error;
pub mod token;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, rustdoc::all)]
    grammar,
    "/sgl2d.rs"
);

use crate::code::Program;
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{
    Compiled, Definition, FrameScope, GameView, Language, LanguageInfo, TokenClass, Viewport,
    is_identifier,
};
use crate::source::Source;
use crate::value::Store;
use check::{Checked, check};
use env::Env;
use parse::{Parsed, Start};
use scope::Scope;
use std::ops::Range;

pub struct Sgl2d;

static ABOUT: LanguageInfo = LanguageInfo {
    name: "sgl2d",
    title: "SGL2D",
    extensions: &["sgl2d"],
    keywords: &token::Token::STATEMENT_KEYWORDS,
    builtins: BUILTINS,
    commands: &[],
    events: &["place", "win", "lose", "rand", "error"],
    is_valid_breakpoint_name: |title| {
        title
            .strip_prefix("event ")
            .or(title.strip_prefix("update "))
            .is_some_and(is_identifier)
    },
    arrow_keys: Some(["up", "down", "left", "right"]),
    error_codes: CODES,
    sample: include_str!("sgl2d/sample.sgl2d"),
    rules: lower::RULES,
    guide: guide::GUIDE,
};

/// The moves and the actions, each with a line of help.
const BUILTINS: &[(&str, &str)] = &[
    ("up", "a move, typed at the prompt: `up`, `up 3`, `uurr`"),
    ("down", "a move, typed at the prompt"),
    ("left", "a move, typed at the prompt"),
    ("right", "a move, typed at the prompt"),
    (
        "inccounter1=",
        "touched: adds a number to counter 1; as well for 2 and 3",
    ),
    (
        "deccounter1=",
        "touched: takes a number from counter 1; as well for 2 and 3",
    ),
    (
        "incspritecounter=",
        "touched: adds a number to the sprite's own counter",
    ),
    (
        "decspritecounter=",
        "touched: takes a number from the sprite's own counter",
    ),
    (
        "setspritecounter=",
        "sets the sprite's own counter, and what it goes back to",
    ),
    (
        "movetorandom=",
        "touched: the sprite moves to a random cell and leaves the named sprite behind",
    ),
    (
        "movetorandomonzero=",
        "after a key: the same, when its own counter is 0",
    ),
    (
        "transformtosprite=",
        "touched: the cell becomes the named sprite",
    ),
    (
        "transformonzerocounter=",
        "after a key: the same, when its own counter is 0",
    ),
    ("moveplayerto=", "touched: the player is put at x= and y="),
    (
        "playerinccounter1=",
        "on the player, who has moved: adds a number to counter 1; as well for 2 and 3",
    ),
    (
        "playerdeccounter1=",
        "on the player, who has moved: takes a number from counter 1; as well for 2 and 3",
    ),
    (
        "playerincspritecounter=",
        "after a key: adds a number to the sprite's own counter",
    ),
    (
        "playerdecspritecounter=",
        "after a key: takes a number from the sprite's own counter",
    ),
    ("win", "touched: the game is won"),
    ("gameover", "touched: the game is lost"),
    (
        "winonzerocounter",
        "at 0 the game is won; of a counter, or of a sprite's own",
    ),
    (
        "gameoveronzerocounter",
        "at 0 the game is lost; of a counter, or of a sprite's own",
    ),
];

impl Language for Sgl2d {
    fn info(&self) -> &'static LanguageInfo {
        &ABOUT
    }

    fn empty_program(&self) -> Program {
        lower::blank()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        lower::load(
            read(source, &Env::default(), Start::Program)?,
            source.full_span(),
        )
    }

    fn compile_entry(
        &self,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let scope = Scope::from_program(program);
        let locals = frame.map_or(&[][..], |f| &f.locals);
        if let Some(question) = expr::parse(source, &scope, locals) {
            return Ok(lower::expression(
                &question,
                source.full_span(),
                program,
                frame,
            ));
        }
        let mut told = read(source, &scope.env, Start::Entry);
        if told.is_err() && expr::starts_with_operand(source, &scope, locals) {
            let message = "this is neither a statement nor a question";
            let told = Diagnostic::error(Phase::Check, "SG008", source.full_span(), message);
            return Err(vec![told.note(expr::EXPR_HELP)]);
        }
        if let Err(told) = &mut told {
            told.iter_mut()
                .filter(|d| d.code == "SG008")
                .for_each(|d| expr::add_help(d, source, &scope));
        }
        lower::entry(told?, source.full_span(), program)
    }

    fn is_incomplete(&self, text: &str, _: &Program) -> bool {
        parse::is_unfinished(text)
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        token::tokenize(text)
            .into_iter()
            .map(|(range, token)| (range, show::class(&token)))
            .collect()
    }

    fn view(&self, program: &Program, store: &Store, window: Viewport) -> GameView {
        show::view(program, store, window)
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        show::definitions(&Scope::from_program(program))
    }
}

/// Parsed and checked; all that was told on the way is in what comes back, in the order of the text.
fn read(source: &Source, env: &Env, start: Start) -> Result<Checked, Vec<Diagnostic>> {
    let setting = env
        .last_set_sprite
        .as_deref()
        .filter(|_| start == Start::Entry);
    let Parsed { lines, warnings } = parse::parse_continuing(source, start, setting)?;
    let mut checked = check(&lines, env, start);
    checked.diagnostics.extend(warnings);
    checked
        .diagnostics
        .sort_by_key(|d| (!d.is_error(), d.span.map(|s| s.start)));
    if checked.has_errors() {
        Err(checked.diagnostics)
    } else {
        Ok(checked)
    }
}

/// Every code a diagnostic of SGL2D can bear, with its meaning.
pub const CODES: &[(&str, &str)] = &[
    (
        "SG001",
        "reading stops here, and the rest of the text is not read",
    ),
    ("SG002", "a character that SGL2D does not have is dropped"),
    ("SG003", "`>` is missing"),
    ("SG004", "the name of a sprite is missing"),
    ("SG005", "`counter1`, `counter2` or `counter3` is missing"),
    ("SG006", "a position needs both x and y"),
    ("SG007", "a range needs `,` and `)`"),
    ("SG008", "what was typed is neither a statement nor a move"),
    ("SG009", "a number of moves that cannot be made"),
    ("SG101", "an action needs a number"),
    ("SG102", "a number does not fit into 32 bits"),
    (
        "SG103",
        "two numbers after one action that do not go together",
    ),
    ("SG110", "a sprite is not defined, so the line is ignored"),
    ("SG111", "an action has no effect on this kind of target"),
    (
        "SG112",
        "a sprite has only one replacement, and this one takes the place of another",
    ),
    ("SG113", "a replacement sprite is not defined"),
    ("SG114", "cells outside the environment are skipped"),
    (
        "SG115",
        "a range with its corners the wrong way round is empty",
    ),
    ("SG116", "there is no player"),
    ("SG117", "the environment cannot have this size"),
    ("SG118", "a place outside the environment"),
    (
        "SG119",
        "of several numbers after one action the last counts",
    ),
    ("SG120", "the game is too large"),
    ("SG121", "a statement follows a move in one entry"),
];
