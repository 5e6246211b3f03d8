//! SGL2D: a player moves on a grid of named, colored sprites. A game is a list of lines of flags
//! and numbers that say what happens on each move.
//!
//! The language silently stops reading at the first thing it does not understand. We keep that
//! behavior but report it: `parse` stops where the language would, `syntax_error` explains why, and
//! `check` resolves the lines in order, with defaults filled in and duplicates removed (`hir`).
//!
//! ```text
//! token  lexer                                  lower  lines to bytecode; the rules of play
//! parse  parser; what the language ignores      view   the grid, values, lists of definitions
//! ast    syntax tree                            info   words, samples, guide and help
//! check  resolves lines, with their defaults
//! ```

use gridbug_base::{code, diagnostic, language, source, text, value};

pub mod ast;
mod check;
mod info;
mod lower;
pub mod parse;
mod token;
mod view;

use crate::code::{Program, Status};
use crate::diagnostic::{Diagnostic, Phase, without_errors};
use crate::language::{
    Actions, Compiled, EndCondition, FrameScope, Language, LanguageInfo, MoveModel, NameEntry,
    ParsedEntry, TokenClass, classify_tokens, explain_foreign_syntax,
};
use crate::source::Source;
use check::env::Env;
use check::{Checked, check};
use lower::prompt_expr::{ExprSyntax, Names};
use lower::scope::Scope;
use parse::{Parsed, Start};
use std::ops::Range;

/// The SGL2D front end.
pub struct Sgl2d;

impl Language for Sgl2d {
    fn info(&self) -> &'static LanguageInfo {
        &info::INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let start = Start::Program;
        let parsed = parse::parse_program(source, |lines| {
            let mut found = check(lines, &Env::default(), start).diagnostics;
            // The line that did not parse may define the player.
            found.retain(|d| d.code != "SG116");
            found
        });
        let checked = check_parsed(parsed, &Env::default(), start)
            .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        lower::lower_program(checked, source.full_span())
    }

    fn parse_entry(&self, source: &Source, program: &Program) -> ParsedEntry {
        let scope = Scope::from_program(program);
        let expression = lower::prompt_expr::parse(&source.text);
        // An expression of globals is one at every stop, too; anything else can consist of lines.
        let names = Names::new(source, &scope, &[]);
        let is_expression = expression.resolve(&names).is_some();
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
        let names = Names::new(source, &scope, locals);
        if let Some(expr) = expression.resolve(&names) {
            let mut compiled = lower::lower_expression(&expr, source.full_span(), program, frame)?;
            compiled
                .warnings
                .extend(expression.warn_about_assignment(source));
            return Ok(compiled);
        }
        let parsed = lines.unwrap_or_else(|| Err(Vec::new()));
        let mut checked = check_parsed(parsed, &scope.env, Start::Entry);
        if checked.is_err() && names.starts_with_operand() {
            let message = "this is neither a statement, a move nor an expression";
            let error = Diagnostic::error(Phase::Parse, "SG008", source.full_span(), message);
            checked = Err(vec![error.note(lower::prompt_expr::EXPR_HELP)]);
        } else if let Err(diagnostics) = &mut checked {
            diagnostics
                .iter_mut()
                .filter(|d| d.code == "SG008")
                .for_each(|d| lower::prompt_expr::add_help(d, source, &scope));
        }
        let checked =
            checked.map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        lower::lower_entry(checked, source.full_span(), program)
    }

    fn lower_start(&self, program: &mut Program) {
        lower::lower_start(program);
    }

    fn names(&self, source: &Source) -> Vec<NameEntry> {
        parse::parse(source, Start::Program).map_or_else(
            |_| Vec::new(),
            |parsed| check::names::names(source, &parsed.lines),
        )
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        classify_tokens(&info::INFO, text, token::tokenize(text), view::token_class)
    }

    fn move_model(&self, program: &Program) -> MoveModel {
        let keys = self.arrow_entries(program).unwrap_or_default();
        MoveModel {
            actions: Actions::Entries(keys.into()),
            standing_globals: vec![lower::WIN, lower::LOSE],
            end_conditions: [(Status::Won, lower::WIN), (Status::Lost, lower::LOSE)]
                .map(|(status, flag)| EndCondition {
                    status,
                    flag,
                    function: None,
                })
                .into(),
            ..MoveModel::default()
        }
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
    let Parsed {
        lines,
        mut warnings,
    } = parsed?;
    let mut checked = check(&lines, env, start);
    if let Some(stop) = warnings.iter().find(|warning| warning.code == "SG001") {
        // What is missing was probably in the text that is not read.
        checked.diagnostics.retain(|d| d.code != "SG116");
        let stop = stop.span.map(|span| span.start);
        let ends_at_stop = |d: &Diagnostic| d.is_error() && d.span.map(|span| span.end) == stop;
        if checked.diagnostics.iter().any(ends_at_stop) {
            warnings.retain(|warning| warning.code != "SG001");
        }
    }
    checked.diagnostics.extend(warnings);
    checked
        .diagnostics
        .sort_by_key(|d| (!d.is_error(), d.span.map(|s| s.start)));
    let diagnostics = without_errors(checked.diagnostics)?;
    Ok(Checked {
        diagnostics,
        ..checked
    })
}
