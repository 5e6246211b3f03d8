//! Everything that can be found wrong before a game runs, and what the game means once nothing is.
//!
//! A text is checked together with all that is live: a definition that is replaced is looked at through the eyes of its
//! old callers too, so a game that was right stays right.

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

/// A text without errors.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What the session knows after it.
    pub env: Env,
    /// All definitions that are live now; `layout` only if this text defines it, for an older one has already run.
    pub game: Game,
    /// Of a program: the declarations to run before Layout. Of an entry: what is to run at once.
    pub run: Routine,
    /// Globals to be made before anything of the text runs: players that only playerOrder names, lone items.
    pub implicit_pieces: Vec<Arc<str>>,
    pub warnings: Vec<Diagnostic>,
}

/// Checks a program (with an empty `env`) or an entry (with the live one, and the frame it is typed in, when stopped).
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
        diagnostics: mut faults,
        implicit_pieces: makes,
        ..
    } = checker;
    faults.retain(|d| d.is_error() || d.span.is_some_and(|s| s.source == ast.source));
    faults.sort_by_key(|d| d.span);
    match faults.iter().any(Diagnostic::is_error) {
        true => Err(faults),
        false => Ok(Checked {
            env,
            game,
            run,
            implicit_pieces: makes,
            warnings: faults,
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
    /// Globals of this text whose declaration is still to come, with its place.
    pending_globals: BTreeMap<Arc<str>, Span>,
    /// Player types of the Player block, as opposed to those merely assigned.
    declared_player_types: BTreeSet<Arc<str>>,
    /// Types that do not exist and were already told.
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
                .push("this was typed earlier and would no longer fit".into());
        }
        self.diagnostics.push(diagnostic);
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    fn add_global(&mut self, name: &Arc<str>, ty: Type, span: Span, origin: GlobalOrigin) {
        let number = self.env.global_count;
        self.env.global_count += 1;
        self.env.globals.insert(
            name.clone(),
            GlobalInfo {
                ty,
                span,
                origin,
                declaration_index: number,
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
