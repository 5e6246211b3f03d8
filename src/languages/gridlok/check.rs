//! The static checker: reports errors and warnings in a program or an entry before it runs.

pub mod builtin;
pub mod env;
pub mod errors;
mod expr;
mod item;
mod missing_braces;
mod scope;
mod statement;
#[cfg(test)]
mod tests;
pub mod typing;
mod usage;

pub use self::missing_braces::join_call_without_braces;

use self::scope::BlockScope;
use self::usage::Usage;
use super::ast::{Entry, EntryPart, ExprKind, Item, ItemKind, Program};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::language::{NameEntry, NameKind, Names, Namespace, Reporter};
use crate::languages::gridlok::check::env::Env;
use crate::source::{Source, Span};
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

/// `env` with all `items` added.
fn env_with_items<'i>(env: &Rc<Env>, items: impl IntoIterator<Item = &'i Item>) -> Rc<Env> {
    let mut env = env.clone();
    for item in items {
        Rc::make_mut(&mut env).define(item);
    }
    env
}

/// The kind of body that is being checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyKind {
    /// Statements typed at the prompt, and the values of global definitions.
    TopLevel,
    Function,
    Setup,
    /// A handler or a condition.
    Event,
}

struct Checker<'s> {
    env: Rc<Env>,
    at_prompt: bool,
    body_kind: BodyKind,
    scopes: Vec<BlockScope>,
    usage: Usage,
    /// An unknown word (`retrun`, `and`) was parsed as a statement of its own, so the rest of its
    /// line looks like an unused value. Those errors are dropped.
    has_split_statement: bool,
    diagnostics: Vec<Diagnostic>,
    names: Names<'s>,
}

impl Reporter for Checker<'_> {
    fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }
}

impl Checker<'_> {
    fn new(env: Rc<Env>, at_prompt: bool) -> Self {
        Checker {
            env,
            at_prompt,
            body_kind: BodyKind::TopLevel,
            scopes: Vec::new(),
            usage: Usage::default(),
            has_split_statement: false,
            diagnostics: Vec::new(),
            names: Names::default(),
        }
    }

    /// Checks the items of a file, first without their bodies.
    fn program(&mut self, program: &Program) {
        let env = env_with_items(&self.env, &program.items);
        self.items_in_order(&program.items);
        self.env = env;
        for item in &program.items {
            self.bodies(item);
        }
    }

    /// Checks the parts of an entry. Each part sees the definitions before it; bodies run later and
    /// see all of them.
    fn parts(&mut self, parts: &[EntryPart]) {
        let items = parts.iter().filter_map(EntryPart::item);
        let all = env_with_items(&self.env, items);
        for part in parts {
            match part {
                EntryPart::Statement(statement) => self.statement(statement),
                EntryPart::Item(item) => {
                    self.item(item, &all);
                    let env_before = std::mem::replace(&mut self.env, all.clone());
                    self.bodies(item);
                    self.env = env_before;
                    Rc::make_mut(&mut self.env).define(item);
                }
            }
        }
    }

    fn check_has_board(&mut self, program: &Program) {
        let span = program
            .game_keyword
            .or_else(|| program.items.first().map(|item| item.head));
        if let Some(span) = span.filter(|_| !self.env.has_board) {
            self.error(errors::NO_BOARD, span, "this game has no board")
                .add_note("add one: `board{ dimensions{3,3} }`");
        }
    }

    /// True if an unknown name may still be defined later: in bodies typed at the prompt.
    fn can_define_later(&self) -> bool {
        self.at_prompt && self.body_kind != BodyKind::TopLevel
    }

    /// Reports a warning, but only for files: at the prompt, what is missing is often typed next.
    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>, note: &str) {
        if !self.at_prompt {
            self.warning(code, span, message).add_note(note);
        }
    }

    /// Returns errors, then warnings, each in source order, without those that merely follow from
    /// another error.
    fn finish(mut self) -> Vec<Diagnostic> {
        if has_errors(&self.diagnostics) {
            self.diagnostics
                .retain(|d| !matches!(d.code, errors::UNUSED | errors::UNUSED_PIECE));
        }
        if self.has_split_statement {
            self.diagnostics.retain(|d| d.code != errors::UNUSED_VALUE);
        }
        self.diagnostics
            .sort_by_key(|d| (!d.is_error(), d.span.map(|span| (span.start, span.end))));
        self.diagnostics
    }
}
