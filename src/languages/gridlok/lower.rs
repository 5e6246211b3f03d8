//! From syntax tree to code: each function, handler, condition and entry becomes a function of the machine.
//!
//! The rules of play are GridLok themselves, in `rules.gl`, with a few names of their own; they are lowered
//! like everything else, so a person can step through the end of a turn.

mod action;
mod assign;
mod entry;
mod expr;
mod link;
mod round;
mod statement;

pub use entry::entry;
pub use link::{RULES, blank, load};

use super::scope::{Known, Scope};
use crate::code::{Builder, Instr, Kind, Local, Reg, Role, StopKind, Titles};
use crate::source::Span;
use crate::value::Text;

/// Where a body stands: what a click or the end of a turn means in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Rules,
    /// Typed at the prompt.
    Entry,
    Function,
    /// A handler, a condition, setup: an action is going on.
    Action,
    Setup,
}

/// A variable that can be seen in a body.
#[derive(Clone, Debug)]
struct Seen {
    name: String,
    register: Reg,
    kind: Known,
}

/// What all bodies of a program share while they are lowered.
struct Shared<'s> {
    scope: &'s Scope,
    kinds: &'s [Kind],
    /// Code by title, with new titles added as they are named.
    titles: &'s mut Titles,
}

/// One body on its way to code.
struct Body<'a, 's> {
    shared: &'a mut Shared<'s>,
    b: Builder,
    place: Place,
    /// Variables by scope, inner ones last.
    seen: Vec<Seen>,
}

impl<'a, 's> Body<'a, 's> {
    fn new(
        shared: &'a mut Shared<'s>,
        title: &str,
        role: Role,
        place: Place,
        parameters: &[&str],
        span: Span,
    ) -> Self {
        let mut b = Builder::new(Text::new(title), role, parameters.len() as u16, span);
        let mut seen = Vec::new();
        for (register, name) in parameters.iter().enumerate() {
            b.local(Text::new(name), register as Reg);
            seen.push(Seen {
                name: name.to_string(),
                register: register as Reg,
                kind: None,
            });
        }
        Body {
            shared,
            b,
            place,
            seen,
        }
    }

    /// A body that sees the registers of a frame at a stop: they come as its parameters.
    fn at_stop(shared: &'a mut Shared<'s>, title: &str, locals: &[Local], span: Span) -> Self {
        let names: Vec<&str> = locals.iter().map(|l| l.name.as_str()).collect();
        Body::new(shared, title, Role::Entry, Place::Entry, &names, span)
    }

    fn find(&self, name: &str) -> Option<&Seen> {
        self.seen.iter().rev().find(|s| s.name == name)
    }

    /// A new variable in the scope at hand.
    fn declare(&mut self, name: &str, register: Reg, kind: Known) {
        self.b.local(Text::new(name), register);
        self.seen.push(Seen {
            name: name.to_string(),
            register,
            kind,
        });
    }

    fn statement_stop(&mut self, span: Span) {
        let kind = if self.place == Place::Rules {
            StopKind::Rule
        } else {
            StopKind::Statement
        };
        self.b.stop(kind, span);
    }

    /// What is wrong for certain fails when it is reached.
    fn fail(&mut self, message: &str, span: Span) {
        let k = self.b.text(message);
        self.b.emit(
            Instr::Fail {
                k,
                a: 0,
                with: false,
            },
            span,
        );
    }
}
