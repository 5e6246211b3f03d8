//! Finds, before anything runs, what is wrong with a program or an entry, and what probably is.

mod item;
mod scope;
mod statement;
#[cfg(test)]
mod tests;
mod usage;
mod value;

use self::scope::Scope;
use self::usage::Usage;
use super::ast::{Content, Entry, ExprKind, Item, Part, Program};
use super::code;
use super::env::Env;
use crate::diagnostic::{Diagnostic, Phase, Severity};
use crate::source::Span;

/// Checks a whole file. `env` is what it adds to: for a new game, an empty one.
pub fn program(program: &Program, env: &Env) -> Vec<Diagnostic> {
    let mut checker = Checker::new(env.clone(), false);
    checker.items_in_order(&program.items);
    checker.env = defined(env, &program.items);
    for item in &program.items {
        checker.bodies(item);
    }
    checker.needs_board(program);
    checker.unused(&program.items);
    checker.finish()
}

/// Checks what was typed at the prompt of a session that knows `env`.
pub fn entry(entry: &Entry, env: &Env) -> Vec<Diagnostic> {
    let mut checker = Checker::new(env.clone(), true);
    match entry {
        Entry::Game(game) => return program(game, &Env::default()),
        Entry::Expression(expr) => match &expr.kind {
            ExprKind::Call(name, values) => checker.arguments(name, values, expr.span),
            _ => checker.value(expr),
        },
        Entry::Parts(parts) => checker.parts(parts),
    }
    checker.finish()
}

/// What is known when all of the items are.
fn defined<'i>(env: &Env, items: impl IntoIterator<Item = &'i Item>) -> Env {
    let mut env = env.clone();
    items.into_iter().for_each(|item| env.define(item));
    env
}

/// What kind of body a statement stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Typed at the prompt, or the value of a definition.
    Open,
    Function,
    Setup,
    /// A handler or a condition.
    Event,
}

struct Checker {
    env: Env,
    at_prompt: bool,
    body: Body,
    scopes: Vec<Scope>,
    usage: Usage,
    /// An unknown word (`retrun`, `and`) has torn a statement apart; its pieces are no mistakes of their own.
    torn: bool,
    found: Vec<Diagnostic>,
}

impl Checker {
    fn new(env: Env, at_prompt: bool) -> Checker {
        Checker {
            env,
            at_prompt,
            body: Body::Open,
            scopes: Vec::new(),
            usage: Usage::default(),
            torn: false,
            found: Vec::new(),
        }
    }

    /// The parts of an entry, each of which sees those before it; bodies run later and see all of them.
    fn parts(&mut self, parts: &[Part]) {
        let items = parts.iter().filter_map(|part| match part {
            Part::Item(item) => Some(item),
            Part::Statement(_) => None,
        });
        let all = defined(&self.env, items);
        for part in parts {
            match part {
                Part::Statement(statement) => self.statement(statement),
                Part::Item(item) => {
                    self.item(item, &all);
                    let now = std::mem::replace(&mut self.env, all.clone());
                    self.bodies(item);
                    self.env = now;
                    self.env.define(item);
                }
            }
        }
    }

    fn needs_board(&mut self, program: &Program) {
        let place = program
            .game
            .or_else(|| program.items.first().map(|item| item.head));
        if let Some(place) = place.filter(|_| !self.env.board) {
            let none = Diagnostic::error(
                Phase::Check,
                code::NO_BOARD,
                place,
                "this game has no board",
            );
            self.report(none.note("every game has exactly one: `board{ dimensions{3,3} }`"));
        }
    }

    /// At the prompt a body may name what is defined later.
    fn may_come_later(&self) -> bool {
        self.at_prompt && self.body != Body::Open
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, note: &str) {
        let error = Diagnostic::error(Phase::Check, code, span, message);
        self.report(if note.is_empty() {
            error
        } else {
            error.note(note)
        });
    }

    /// Only a whole file is warned about: at the prompt, what is missing is typed next.
    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>, note: &str) {
        if !self.at_prompt {
            let warning = Diagnostic::warning(Phase::Check, code, span, message);
            self.report(if note.is_empty() {
                warning
            } else {
                warning.note(note)
            });
        }
    }

    /// Errors first, each kind in the order of the text, without what only follows from another mistake.
    fn finish(mut self) -> Vec<Diagnostic> {
        if self.found.iter().any(Diagnostic::is_error) {
            self.found
                .retain(|d| !matches!(d.code, code::UNUSED | code::UNPLACED_PIECE));
        }
        if self.torn {
            self.found.retain(|d| d.code != code::LOOSE_EXPRESSION);
        }
        self.found.sort_by_key(|d| {
            (
                d.severity != Severity::Error,
                d.span.map(|span| (span.start, span.end)),
            )
        });
        self.found
    }
}

/// What stands in braces, for messages.
fn content_span(content: &Content, whole: Span) -> Span {
    match content {
        Content::Arguments(_) => whole,
        Content::List(_, span) => *span,
        Content::Block(block) => block.span,
    }
}
