//! The checker: resolves names and types, reports errors and produces the typed tree.
//!
//! A source is checked together with everything that is already defined. Replacing a definition
//! therefore also checks its existing callers, and a valid game stays valid.

mod attribute;
mod call;
mod collect;
mod expression;
mod handler;
mod lvalue;
mod routine;
mod scope;
mod statement;

use super::ast::Ast;
use super::env::{Env, GlobalInfo, GlobalOrigin, StoppedFrame};
use super::hir::{Game, Routine, Type};
use super::parse::Start;
use crate::diagnostic::{Diagnostic, Phase, Severity};
use crate::source::{SourceId, Span};
use attribute::AttributeInfo;
use collect::Signature;
pub use collect::{colocation_name, move_handler_name};
use scope::RoutineScope;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The result of checking a source without errors.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The environment including the new definitions.
    pub env: Env,
    /// All current definitions. `layout` is only set if this source defines it; an older one has
    /// already run.
    pub game: Game,
    /// For a program, the declarations to run before `Layout`; for an entry, its statements.
    pub run: Routine,
    /// Pieces without a declaration, to be created before the source runs: players that only
    /// `playerOrder` names, and the single items of their kind.
    pub implicit_pieces: Vec<Arc<str>>,
    pub warnings: Vec<Diagnostic>,
}

/// Checks a program (with an empty `env`) or an entry (with the current `env` and, at a stop, the
/// selected frame).
pub fn check(
    ast: &Ast,
    env: &Env,
    frame: Option<&StoppedFrame>,
) -> Result<Checked, Vec<Diagnostic>> {
    let mut checker = Checker::new(ast, env, frame);
    checker.collect(ast);
    let run = checker.top_level(ast);
    let game = checker.game(ast);
    let Checker {
        env,
        mut diagnostics,
        implicit_pieces,
        ..
    } = checker;
    diagnostics.retain(|d| d.is_error() || d.span.is_some_and(|s| s.source == ast.source));
    diagnostics.sort_by_key(|d| d.span);
    match diagnostics.iter().any(Diagnostic::is_error) {
        true => Err(diagnostics),
        false => Ok(Checked {
            env,
            game,
            run,
            implicit_pieces,
            warnings: diagnostics,
        }),
    }
}

struct Checker<'a> {
    env: Env,
    frame: Option<&'a StoppedFrame>,
    source: SourceId,
    start: Start,
    diagnostics: Vec<Diagnostic>,
    player_attributes: Vec<AttributeInfo>,
    item_attributes: BTreeMap<Arc<str>, Vec<AttributeInfo>>,
    signatures: BTreeMap<Arc<str>, Signature>,
    implicit_pieces: Vec<Arc<str>>,
    /// Globals of this source that are declared further down, with the span of their name.
    pending_globals: BTreeMap<Arc<str>, Span>,
    /// Player types declared in the `Player` block, as opposed to those merely assigned.
    declared_player_types: BTreeSet<Arc<str>>,
    /// Unknown types that have already been reported.
    reported_types: BTreeSet<Arc<str>>,
    scope: RoutineScope,
}

impl<'a> Checker<'a> {
    fn new(ast: &Ast, env: &Env, frame: Option<&'a StoppedFrame>) -> Self {
        Checker {
            env: env.clone(),
            frame,
            source: ast.source,
            start: ast.start,
            diagnostics: Vec::new(),
            player_attributes: Vec::new(),
            item_attributes: BTreeMap::new(),
            signatures: BTreeMap::new(),
            implicit_pieces: Vec::new(),
            pending_globals: BTreeMap::new(),
            declared_player_types: BTreeSet::new(),
            reported_types: BTreeSet::new(),
            scope: RoutineScope::default(),
        }
    }

    fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Severity::Error, code, span, message.into())
    }

    fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Severity::Warning, code, span, message.into())
    }

    fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        span: Span,
        message: String,
    ) -> &mut Diagnostic {
        let mut diagnostic = Diagnostic::new(severity, Phase::Check, code, span, message);
        if span.source != self.source {
            diagnostic
                .notes
                .push("this was defined earlier and would no longer be valid".into());
        }
        self.diagnostics.push(diagnostic);
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    fn add_global(&mut self, name: &Arc<str>, ty: Type, span: Span, origin: GlobalOrigin) {
        let declaration_index = self.env.global_count;
        self.env.global_count += 1;
        self.env.globals.insert(
            name.clone(),
            GlobalInfo {
                ty,
                span,
                origin,
                declaration_index,
            },
        );
        if matches!(
            origin,
            GlobalOrigin::PlayerOrderName | GlobalOrigin::SingletonItem
        ) {
            self.implicit_pieces.push(name.clone());
        }
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
