//! Checks files and entries.

use super::{Checker, errors};
use crate::ast::{Entry, EntryPart, ExprKind, ItemKind, Program};
use crate::check::env::{Env, env_with_items};
use crate::diagnostic::Diagnostic;
use crate::language::{NameEntry, NameKind, Names, Namespace, Reporter};
use crate::source::Source;
use std::rc::Rc;

/// Checks a file. `env` holds the definitions it adds to; it is empty for a new game.
pub fn check_program(program: &Program, env: &Rc<Env>) -> Vec<Diagnostic> {
    let mut checker = Checker::new(env.clone(), false);
    checker.program(program);
    checker.check_has_board(program);
    checker.warn_unused(&program.items);
    checker.finish()
}

/// The variables, functions, parameters, locals and kinds of pieces of a program. Names of pieces are
/// strings, so every string with the name of a piece counts as a use of it.
pub fn names(source: &Source, program: &Program) -> Vec<NameEntry> {
    let mut names = Names::new(source);
    for item in &program.items {
        let (space, kind, name) = match &item.kind {
            ItemKind::Def(def) => (Namespace::Values, NameKind::Variable, Some(&def.name)),
            ItemKind::Function(f) => (Namespace::Values, NameKind::Function, Some(&f.name)),
            ItemKind::Piece(piece) => (Namespace::Pieces, NameKind::Piece, piece.name.as_ref()),
            _ => continue,
        };
        if let Some(name) = name {
            names.define(space, kind, &name.text, name.span);
        }
    }
    let mut checker = Checker::new(Rc::default(), false);
    checker.names = names;
    checker.program(program);
    checker.names.into_entries()
}

/// Checks an entry. `env` holds the definitions of the session so far.
pub fn check_entry(entry: &Entry, env: &Rc<Env>) -> Vec<Diagnostic> {
    let mut checker = Checker::new(env.clone(), true);
    match entry {
        Entry::Game(game) => return check_program(game, &Rc::default()),
        Entry::Expression(expr) => match &expr.kind {
            ExprKind::Call(name, values) => checker.call_or_assignment(name, values, expr.span),
            _ => checker.expr(expr),
        },
        Entry::Parts(parts) => checker.parts(parts),
    }
    checker.finish()
}

impl Checker<'_> {
    /// Checks the items of a file, first without their bodies.
    fn program(&mut self, program: &Program) {
        let env = env_with_items(&self.scope.env, &program.items);
        self.items_in_order(&program.items);
        self.scope.env = env;
        for item in &program.items {
            self.bodies(item);
        }
    }

    /// Checks the parts of an entry. Each part sees the definitions before it; bodies run later and
    /// see all of them.
    fn parts(&mut self, parts: &[EntryPart]) {
        let items = parts.iter().filter_map(EntryPart::item);
        let all = env_with_items(&self.scope.env, items);
        for part in parts {
            match part {
                EntryPart::Statement(statement) => self.statement(statement),
                EntryPart::Item(item) => {
                    self.item(item, &all);
                    let env_before = std::mem::replace(&mut self.scope.env, all.clone());
                    self.bodies(item);
                    self.scope.env = env_before;
                    Rc::make_mut(&mut self.scope.env).define(item);
                }
            }
        }
    }

    fn check_has_board(&mut self, program: &Program) {
        let span = program
            .game_keyword
            .or_else(|| program.items.first().map(|item| item.head));
        if let Some(span) = span.filter(|_| !self.scope.env.has_board) {
            self.error(errors::NO_BOARD, span, "this game has no board")
                .add_note("add one: `board{ dimensions{3,3} }`");
        }
    }
}
