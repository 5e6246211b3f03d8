//! From syntax tree to code: each function, handler, condition and entry becomes a function of the machine.
//!
//! The rules of play are GridLok themselves, in `rules.gl`, with a few names of their own; they are lowered
//! like everything else, so a person can step through the end of a turn.

mod action;
mod assign;
mod entry;
mod expr;
mod link;
mod loops;
mod statement;

pub use entry::lower_entry;
pub use link::{RULES, empty_program, lower_program};

use super::scope::{Scope, StaticType};
use crate::code::{Builder, FunctionKind, Instr, Local, PieceKind, Reg, StopKind, SymbolTable};
use crate::source::Span;
use crate::value::InternedStr;

/// Where a body stands: what a click or the end of a turn means in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BodyKind {
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
struct LocalVariable {
    name: String,
    register: Reg,
    ty: StaticType,
}

/// What all bodies of a program share while they are lowered.
struct ProgramContext<'s> {
    scope: &'s Scope,
    kinds: &'s [PieceKind],
    /// Code by title, with new titles added as they are named.
    symbols: &'s mut SymbolTable,
}

/// One body on its way to code.
struct Lowerer<'a, 's> {
    context: &'a mut ProgramContext<'s>,
    builder: Builder,
    body_kind: BodyKind,
    /// Variables by scope, inner ones last.
    locals: Vec<LocalVariable>,
}

impl<'a, 's> Lowerer<'a, 's> {
    fn new(
        shared: &'a mut ProgramContext<'s>,
        title: &str,
        role: FunctionKind,
        place: BodyKind,
        parameters: &[&str],
        span: Span,
    ) -> Self {
        let mut b = Builder::new(InternedStr::new(title), role, parameters.len() as u16, span);
        let mut seen = Vec::new();
        for (register, name) in parameters.iter().enumerate() {
            b.begin_local(InternedStr::new(name), register as Reg);
            seen.push(LocalVariable {
                name: name.to_string(),
                register: register as Reg,
                ty: None,
            });
        }
        Lowerer {
            context: shared,
            builder: b,
            body_kind: place,
            locals: seen,
        }
    }

    /// A body that sees the registers of a frame at a stop: they come as its parameters.
    fn in_frame(
        shared: &'a mut ProgramContext<'s>,
        title: &str,
        locals: &[Local],
        span: Span,
    ) -> Self {
        let names: Vec<&str> = locals.iter().map(|l| l.name.as_str()).collect();
        Lowerer::new(
            shared,
            title,
            FunctionKind::Entry,
            BodyKind::Entry,
            &names,
            span,
        )
    }

    fn find_local(&self, name: &str) -> Option<&LocalVariable> {
        self.locals.iter().rev().find(|s| s.name == name)
    }

    /// A new variable in the scope at hand.
    fn declare(&mut self, name: &str, register: Reg, kind: StaticType) {
        self.builder.begin_local(InternedStr::new(name), register);
        self.locals.push(LocalVariable {
            name: name.to_string(),
            register,
            ty: kind,
        });
    }

    fn statement_stop(&mut self, span: Span) {
        let kind = if self.body_kind == BodyKind::Rules {
            StopKind::Rule
        } else {
            StopKind::Statement
        };
        self.builder.stop_point(kind, span);
    }

    /// What is wrong for certain fails when it is reached.
    fn emit_fail(&mut self, message: &str, span: Span) {
        let k = self.builder.string_constant(message);
        self.builder.emit(
            Instr::Fail {
                k,
                a: 0,
                with: false,
            },
            span,
        );
    }
}
