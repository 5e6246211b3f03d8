//! The checker: resolves names and types, reports errors and produces the typed tree.
//!
//! A source is checked together with everything that is already defined. Replacing a definition
//! therefore also checks its existing callers, and a valid game stays valid. Functions and variables
//! are checked alone if no other definition can mention them, or if they replace one of the same
//! type.
//!
//! ```text
//! game         all definitions of a game, or those that a source adds
//! handler      move and collision handlers
//! routine      top-level statements, blocks and functions; each becomes a routine
//! statement    statements
//! expression   expressions; call: calls; lvalue: names, elements and attributes
//! scope        the locals of the routine that is being checked
//! definitions  what is defined, apart from all bodies; collect: the first pass, which finds it
//! attribute    the attributes of players and items
//! piece        the players and items named in the head of a handler
//! env          the definitions of a session, as trees, and the types of its globals
//! builtin      the built-in functions
//! hir, types   the typed tree and its types
//! errors       the error codes
//! ```

mod attribute;
pub mod builtin;
mod call;
mod collect;
mod definitions;
pub mod env;
pub mod errors;
mod expression;
mod game;
mod handler;
pub mod hir;
mod lvalue;
mod piece;
mod routine;
mod scope;
mod statement;
pub mod types;

use super::ast::Ast;
use super::parse::Start;
use crate::check::env::{Env, StoppedFrame};
use crate::check::hir::{Game, Layout, Routine};
use crate::diagnostic::{Diagnostic, has_errors, without_errors};
use crate::language::{NameEntry, Names, Reporter};
use crate::source::{Source, SourceId};
use collect::new_functions;
use definitions::Definitions;
use scope::RoutineScope;
use std::collections::HashSet;
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
    let mut checker = Checker::new(ast, before, frame, Names::default());
    let (run, game, layout, change) = checker.check(ast, before, game);
    let mut defs = checker.defs;
    defs.declared_globals.sort();
    defs.declared_globals.dedup();
    if source.id != SourceId::RULES {
        defs.env.words.add(&source.text);
    }
    let mut diagnostics = defs.diagnostics;
    diagnostics.retain(|d| d.is_error() || d.span.is_some_and(|s| s.source == ast.source));
    if has_errors(&diagnostics) {
        diagnostics.retain(|d| d.code != errors::NO_GRID);
    }
    diagnostics.sort_by_key(|d| d.span);
    Ok(Checked {
        warnings: without_errors(diagnostics)?,
        env: defs.env,
        game,
        layout,
        change,
        declared_globals: defs.declared_globals,
        run,
        implicit_pieces: defs.implicit_pieces,
    })
}

/// The kinds of items, fields, functions, parameters and variables of a program.
pub fn names(source: &Source, ast: &Ast) -> Vec<NameEntry> {
    let empty = Env::default();
    let mut checker = Checker::new(ast, &empty, None, Names::new(source));
    checker.check(ast, &empty, &Rc::default());
    checker.defs.names.into_entries()
}

/// Checks bodies: statements and expressions, in the scope of one routine at a time.
struct Checker<'a> {
    defs: Definitions<'a>,
    frame: Option<&'a StoppedFrame>,
    start: Start,
    scope: RoutineScope,
}

impl Reporter for Checker<'_> {
    fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        self.defs.diagnostics()
    }

    fn complete(&self, diagnostic: &mut Diagnostic) {
        self.defs.complete(diagnostic);
    }
}

impl<'a> Checker<'a> {
    fn new(ast: &Ast, env: &Env, frame: Option<&'a StoppedFrame>, names: Names<'a>) -> Self {
        Checker {
            defs: Definitions::new(ast, env, names),
            frame,
            start: ast.start,
            scope: RoutineScope::default(),
        }
    }

    /// Checks a source: its statements, and all definitions whose meaning it may change.
    fn check(
        &mut self,
        ast: &Ast,
        before: &Env,
        game: &Rc<Game>,
    ) -> (Routine, Rc<Game>, Option<Layout>, Change) {
        self.defs.collect(ast);
        let new_functions = new_functions(ast);
        self.defs.collect_signatures(&new_functions);
        let affects_others = self.defs.affects_others(ast, before);
        if affects_others {
            let new: HashSet<&str> = new_functions.iter().map(|f| &*f.name.text).collect();
            let others = self.defs.env.functions.values();
            let others = others.filter(|f| !new.contains(&*f.name.text));
            let others: Vec<_> = others.cloned().collect();
            self.defs.collect_signatures(&others);
        }
        let run = self.top_level(ast);
        if affects_others {
            let (new, layout) = self.game(ast, game);
            self.warn_without_grid(ast, layout.as_ref());
            (run, Rc::new(new), layout, Change::Any)
        } else {
            let (game, change) = self.extended_game(&new_functions, game, before);
            (run, game, None, change)
        }
    }
}

#[cfg(test)]
mod tests;
