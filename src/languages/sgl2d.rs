//! SGL2D: a player moves on a grid of named, colored sprites. A game is a list of lines of flags
//! and numbers that say what happens on each move.
//!
//! The language silently stops reading at the first thing it does not understand. We keep that
//! behavior but report it: `parse` stops where the language would, `syntax_error` explains why, and
//! `check` resolves the lines in order, with defaults filled in and duplicates removed (`hir`).

pub mod ast;
mod check;
mod env;
mod event;
mod expr;
mod guide;
mod hir;
mod ignored_text;
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
    "/sgl2d.rs"
);

use crate::code::Program;
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{
    BoardView, Compiled, Definition, FileFrame, FrameScope, GameProgress, GameView, Indentation,
    Language, LanguageInfo, Layout, NamedValues, ParsedEntry, ProgramItem, TokenClass, Viewport,
    explain_foreign_syntax, is_identifier,
};
use crate::source::{Source, Sources};
use crate::value::{Store, Value};
use check::{Checked, check};
use env::Env;
use expr::ExprSyntax;
use parse::{Parsed, Start};
use scope::Scope;
use std::ops::Range;

/// The SGL2D front end.
pub struct Sgl2d;

static INFO: LanguageInfo = LanguageInfo {
    name: "sgl2d",
    title: "SGL2D",
    extensions: &["sgl2d"],
    keywords: &token::Token::STATEMENT_KEYWORDS,
    builtins: BUILTINS,
    commands: &[],
    events: &["place", "win", "lose", "rand", "error"],
    action_word: "move",
    conditions_checked_when: "move ends",
    is_valid_breakpoint_name: |name| {
        name.strip_prefix("event ")
            .or(name.strip_prefix("update "))
            .is_some_and(is_identifier)
    },
    arrow_keys: Some(["up", "down", "left", "right"]),
    error_codes: CODES,
    sample: include_str!("sgl2d/sample.sgl2d"),
    rules: lower::RULES,
    file_frame: FileFrame::NONE,
    layout: Layout {
        indentation: Indentation::AsWritten,
        tight: &[],
        prefix: &[],
        postfix: &[],
        as_written: &[],
        headers: &[],
    },
    guide: guide::GUIDE,
};

/// Moves and actions, each with a line of help.
const BUILTINS: &[(&str, &str)] = &[
    ("up", "a move at the prompt: `up`, `up 3`, `uurr`"),
    ("down", "a move at the prompt"),
    ("left", "a move at the prompt"),
    ("right", "a move at the prompt"),
    (
        "inccounter1=",
        "when touched: adds to counter 1 (also counters 2 and 3)",
    ),
    (
        "deccounter1=",
        "when touched: subtracts from counter 1 (also counters 2 and 3)",
    ),
    (
        "incspritecounter=",
        "when touched: adds to the counter of the sprite",
    ),
    (
        "decspritecounter=",
        "when touched: subtracts from the counter of the sprite",
    ),
    (
        "setspritecounter=",
        "sets the counter of the sprite, and the value it is reset to",
    ),
    (
        "movetorandom=",
        "when touched: the sprite moves to a random cell and leaves the named sprite in its place",
    ),
    (
        "movetorandomonzero=",
        "after each move: the same, if the counter of the sprite is 0",
    ),
    (
        "transformtosprite=",
        "when touched: the cell becomes the named sprite",
    ),
    (
        "transformonzerocounter=",
        "after each move: the same, if the counter of the sprite is 0",
    ),
    (
        "moveplayerto=",
        "when touched: the player is moved to x= and y=",
    ),
    (
        "playerinccounter1=",
        "for `event player`, after each move: adds to counter 1 (also counters 2 and 3)",
    ),
    (
        "playerdeccounter1=",
        "for `event player`, after each move: subtracts from counter 1 (also counters 2 and 3)",
    ),
    (
        "playerincspritecounter=",
        "after each move: adds to the counter of the sprite",
    ),
    (
        "playerdecspritecounter=",
        "after each move: subtracts from the counter of the sprite",
    ),
    ("win", "when touched: the game is won"),
    ("gameover", "when touched: the game is lost"),
    (
        "winonzerocounter",
        "the game is won when the counter, or the counter of the sprite, is 0",
    ),
    (
        "gameoveronzerocounter",
        "the game is lost when the counter, or the counter of the sprite, is 0",
    ),
];

impl Language for Sgl2d {
    fn info(&self) -> &'static LanguageInfo {
        &INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        lower::lower_program(
            check_parsed(
                parse::parse(source, Start::Program),
                &Env::default(),
                Start::Program,
            )
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?,
            source.full_span(),
        )
    }

    fn parse_entry(&self, source: &Source, program: &Program) -> ParsedEntry {
        let scope = Scope::from_program(program);
        let expression = expr::parse(&source.text);
        // An expression of globals is one at every stop, too; anything else can consist of lines.
        let is_expression = expression.resolve(source, &scope, &[]).is_some();
        let last_set_sprite = scope.env.last_set_sprite.as_deref();
        let lines = (!is_expression).then(|| parse::parse_prompt(source, last_set_sprite));
        let is_incomplete = lines.as_ref().is_some_and(|lines| lines.is_incomplete);
        let lines = lines.map(|lines| lines.parsed);
        ParsedEntry::new(Ok(Entry { expression, lines }), is_incomplete)
    }

    fn compile_parsed(
        &self,
        entry: ParsedEntry,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let scope = Scope::from_program(program);
        let locals = frame.map_or(&[][..], |f| &f.locals);
        let Entry { expression, lines } = entry.into_tree()?;
        if let Some(expr) = expression.resolve(source, &scope, locals) {
            let mut compiled = lower::lower_expression(&expr, source.full_span(), program, frame)?;
            compiled
                .warnings
                .extend(expression.warn_about_assignment(source));
            return Ok(compiled);
        }
        let parsed = lines.unwrap_or_else(|| Err(Vec::new()));
        let mut checked = check_parsed(parsed, &scope.env, Start::Entry);
        if checked.is_err() && expr::starts_with_operand(source, &scope, locals) {
            let message = "this is neither a statement, a move nor an expression";
            let error = Diagnostic::error(Phase::Parse, "SG008", source.full_span(), message);
            checked = Err(vec![error.note(expr::EXPR_HELP)]);
        } else if let Err(diagnostics) = &mut checked {
            diagnostics
                .iter_mut()
                .filter(|d| d.code == "SG008")
                .for_each(|d| expr::add_help(d, source, &scope));
        }
        let checked = checked.map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
        lower::lower_entry(checked, source.full_span(), program)
    }

    fn with_current_start(&self, program: &Program) -> Result<Option<Program>, Vec<Diagnostic>> {
        lower::with_current_start(program)
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        token::tokenize(text)
            .into_iter()
            .map(|(range, token)| (range, show::token_class(&token)))
            .collect()
    }

    fn view(&self, program: &Program, store: &Store, viewport: Viewport) -> GameView {
        show::game_view(program, store, viewport)
    }

    fn board_outline(&self, program: &Program, store: &Store) -> Option<BoardView> {
        show::board_outline(program, store)
    }

    fn progress(&self, _: &Program, store: &Store) -> GameProgress {
        GameProgress {
            status: show::status(store),
            ..GameProgress::default()
        }
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

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        show::definitions(&Scope::from_program(program))
    }

    fn program_items(&self, program: &Program, _: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::from_program(program))
    }
}

/// A parsed entry: an expression if its names can be resolved as such, otherwise lines.
struct Entry {
    expression: ExprSyntax,
    /// `None` if it is an expression.
    lines: Option<Result<Parsed, Vec<Diagnostic>>>,
}

/// Checks what was parsed. The diagnostics of both are merged: errors first, then in source order.
fn check_parsed(
    parsed: Result<Parsed, Vec<Diagnostic>>,
    env: &Env,
    start: Start,
) -> Result<Checked, Vec<Diagnostic>> {
    let Parsed { lines, warnings } = parsed?;
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

/// All error codes of SGL2D with their meanings.
const CODES: &[(&str, &str)] = &[
    (
        "SG001",
        "reading stops here; the rest of the text is ignored",
    ),
    ("SG002", "unknown character, ignored"),
    ("SG003", "missing `>`"),
    ("SG004", "missing or invalid sprite name"),
    ("SG005", "missing `counter1`, `counter2` or `counter3`"),
    ("SG006", "incomplete position: both x and y are needed"),
    ("SG007", "incomplete range: missing `,` or `)`"),
    ("SG008", "not a statement, move or expression"),
    ("SG009", "invalid number of moves"),
    ("SG101", "missing number after an action"),
    ("SG102", "number too large"),
    ("SG103", "negative number after another number"),
    ("SG110", "unknown sprite; the line is ignored"),
    ("SG111", "action has no effect on this target"),
    (
        "SG112",
        "a sprite has only one replacement; this one overrides another",
    ),
    ("SG113", "unknown replacement sprite"),
    ("SG114", "cells outside the environment are ignored"),
    ("SG115", "empty range: the corners are swapped"),
    ("SG116", "no player is defined"),
    ("SG117", "environment size out of range"),
    ("SG118", "position outside the environment"),
    (
        "SG119",
        "several numbers after one action; only the last is used",
    ),
    ("SG120", "game too large"),
    ("SG121", "statement after a move in the same entry"),
    (
        "SG122",
        "comparison at the prompt that looks like an assignment",
    ),
];
