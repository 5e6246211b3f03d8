//! The static checker: reports errors and warnings in a program or an entry before it runs.
//!
//! ```text
//! program         files and entries
//! item            definitions, pieces, the board, the players
//! statement       statements, and what braces after a name mean
//! expr            expressions and calls
//! naming          declarations that are not allowed, unknown names
//! warnings        unused definitions, unknown pieces and players
//! scope           what names refer to; usage: which of them were used
//! env             what is already defined
//! typing          types, as far as they can be inferred
//! builtin         built-in functions, predefined variables, the fields of a piece
//! missing_braces  `click 1 1`
//! errors          the error codes
//! ```

pub mod builtin;
pub mod env;
pub mod errors;
mod expr;
mod item;
mod missing_braces;
mod naming;
mod program;
mod scope;
mod statement;
#[cfg(test)]
mod tests;
pub mod typing;
mod usage;
mod warnings;

pub use self::missing_braces::join_call_without_braces;
pub use self::program::{check_entry, check_program, names};

use self::scope::NameScope;
use crate::check::env::Env;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::language::{Names, Reporter};
use crate::source::Span;
use std::rc::Rc;

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
    scope: NameScope,
    at_prompt: bool,
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
            scope: NameScope::new(env),
            at_prompt,
            has_split_statement: false,
            diagnostics: Vec::new(),
            names: Names::default(),
        }
    }

    /// True if an unknown name may still be defined later: in bodies typed at the prompt.
    fn can_define_later(&self) -> bool {
        self.at_prompt && self.scope.body_kind != BodyKind::TopLevel
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
