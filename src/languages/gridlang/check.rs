//! The checker: resolves names and types, reports errors and produces the typed tree.
//!
//! A source is checked together with everything that is already defined. Replacing a definition
//! therefore also checks its existing callers, and a valid game stays valid. Functions and variables
//! are checked alone if no other definition can mention them, or if they replace one of the same
//! type.

mod attribute;
pub mod builtin;
mod call;
mod collect;
pub mod env;
pub mod errors;
mod expression;
mod handler;
pub mod hir;
mod lvalue;
mod routine;
mod scope;
mod statement;
pub mod types;

use super::ast::{Ast, Expr};
use super::parse::Start;
use crate::diagnostic::{Diagnostic, without_errors};
use crate::language::{NameEntry, Names, Reporter};
use crate::languages::gridlang::check::env::{Env, GlobalInfo, GlobalOrigin, StoppedFrame};
use crate::languages::gridlang::check::hir::{Attribute, Game, Layout, Routine, Type};
use crate::source::{Source, SourceId, Span};
use collect::new_functions;
use scope::RoutineScope;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The result of checking a source without errors.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The environment including the new definitions.
    pub env: Env,
    /// All current definitions except `Layout`.
    pub game: Rc<Game>,
    /// The `Layout` of this source; an older one has already run.
    pub layout: Option<Layout>,
    pub change: Change,
    /// The globals that the source declares, in the order of their names.
    pub declared_globals: Vec<Arc<str>>,
    /// For a program, the declarations to run before `Layout`; for an entry, its statements.
    pub run: Routine,
    /// Pieces without a declaration, to be created before the source runs: players that only
    /// `playerOrder` names, and the single items of their kind.
    pub implicit_pieces: Vec<Arc<str>>,
    pub warnings: Vec<Diagnostic>,
}

/// How a source changes the definitions of a session.
#[derive(Clone, Debug)]
pub enum Change {
    /// It only changes values.
    None,
    /// It defines these functions and the declared globals; all other definitions keep their
    /// meaning.
    Own(Vec<Arc<Routine>>),
    /// Any definition may have a new meaning.
    Any,
}

/// Checks a program (with an empty `env` and `game`) or an entry (with the current ones and, at a
/// stop, the selected frame).
pub fn check(
    source: &Source,
    ast: &Ast,
    before: &Env,
    game: &Rc<Game>,
    frame: Option<&StoppedFrame>,
) -> Result<Checked, Vec<Diagnostic>> {
    let mut checker = Checker::new(ast, before, frame);
    let (run, game, layout, change) = checker.check(ast, before, game);
    checker.declared_globals.sort();
    checker.declared_globals.dedup();
    if source.id != SourceId::RULES {
        checker.env.words.add(&source.text);
    }
    let mut diagnostics = checker.diagnostics;
    diagnostics.retain(|d| d.is_error() || d.span.is_some_and(|s| s.source == ast.source));
    diagnostics.sort_by_key(|d| d.span);
    Ok(Checked {
        warnings: without_errors(diagnostics)?,
        env: checker.env,
        game,
        layout,
        change,
        declared_globals: checker.declared_globals,
        run,
        implicit_pieces: checker.implicit_pieces,
    })
}

/// The kinds of items, fields, functions, parameters and variables of a program.
pub fn names(source: &Source, ast: &Ast) -> Vec<NameEntry> {
    let empty = Env::default();
    let mut checker = Checker {
        names: Names::new(source),
        ..Checker::new(ast, &empty, None)
    };
    checker.check(ast, &empty, &Rc::default());
    checker.names.into_entries()
}

struct Checker<'a> {
    env: Env,
    frame: Option<&'a StoppedFrame>,
    source: SourceId,
    start: Start,
    diagnostics: Vec<Diagnostic>,
    /// The attributes, whose default values are not checked yet.
    player_attributes: Vec<Attribute<Expr>>,
    item_attributes: BTreeMap<Arc<str>, Vec<Attribute<Expr>>>,
    declared_globals: Vec<Arc<str>>,
    implicit_pieces: Vec<Arc<str>>,
    /// Globals of this source that are declared further down, with the span of their name.
    pending_globals: BTreeMap<Arc<str>, Span>,
    /// Player types declared in the `Player` block, as opposed to those merely assigned.
    declared_player_types: BTreeSet<Arc<str>>,
    /// Unknown types that have already been reported.
    reported_types: BTreeSet<Arc<str>>,
    scope: RoutineScope,
    names: Names<'a>,
}

impl Reporter for Checker<'_> {
    fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }

    fn complete(&self, diagnostic: &mut Diagnostic) {
        if diagnostic
            .span
            .is_some_and(|span| span.source != self.source)
        {
            diagnostic.add_note("this was defined earlier and would no longer be valid");
        }
    }
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
            declared_globals: Vec::new(),
            implicit_pieces: Vec::new(),
            pending_globals: BTreeMap::new(),
            declared_player_types: BTreeSet::new(),
            reported_types: BTreeSet::new(),
            scope: RoutineScope::default(),
            names: Names::default(),
        }
    }

    /// Checks a source: its statements, and all definitions whose meaning it may change.
    fn check(
        &mut self,
        ast: &Ast,
        before: &Env,
        game: &Rc<Game>,
    ) -> (Routine, Rc<Game>, Option<Layout>, Change) {
        self.collect(ast);
        let new_functions = new_functions(ast);
        self.collect_signatures(&new_functions);
        let affects_others = self.affects_others(ast, before);
        if affects_others {
            let new: HashSet<&str> = new_functions.iter().map(|f| &*f.name.text).collect();
            let others = self.env.functions.values();
            let others = others.filter(|f| !new.contains(&*f.name.text));
            let others: Vec<_> = others.cloned().collect();
            self.collect_signatures(&others);
        }
        let run = self.top_level(ast);
        if affects_others {
            let (new, layout) = self.game(ast, game);
            (run, Rc::new(new), layout, Change::Any)
        } else {
            let (game, change) = self.extended_game(&new_functions, game, before);
            (run, game, None, change)
        }
    }

    /// True while the rules of play are checked. Only they have names that start with `@`.
    fn is_rules(&self) -> bool {
        self.source == SourceId::RULES
    }

    fn add_global(&mut self, name: &Arc<str>, ty: Type, span: Span, origin: GlobalOrigin) {
        let declaration_index = self.env.global_count;
        self.env.global_count += 1;
        self.declared_globals.push(name.clone());
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
mod tests;
