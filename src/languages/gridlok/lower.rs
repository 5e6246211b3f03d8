//! Lowers the syntax tree to instructions. Each function, handler, condition and entry becomes a
//! function of the machine.
//!
//! The rules of play are written in GridLok, too, in `rules.gl`, with a few intrinsics whose names
//! start with `@`. They are lowered like any other code, so users can step through the end of a
//! turn.
//!
//! ```text
//! entry      what is typed at the prompt
//! link       assembles a program: function ids, kinds of pieces, globals, the start of the game
//! item       what runs when an item is defined
//! statement  statements and blocks; loops: loops; braces: braces after a name
//! action     built-in functions, actions of pieces, intrinsics of the rules
//! assign     changes of variables and lists
//! expr       expressions
//! order      the order of the variables
//! scope      the definitions of a program and their locations in bytecode and store
//! ```

mod action;
mod assign;
mod braces;
mod entry;
mod expr;
mod item;
mod link;
mod loops;
pub mod order;
pub mod scope;
mod statement;

pub use entry::lower_entry;
pub use link::{RULES, empty_program, lower_program, lower_start};

use crate::code::{Builder, FunctionKind, Local, PieceKind, Reg, StopKind, SymbolTable};
use crate::lower::scope::{Scope, StaticType};
use crate::source::Span;
use crate::value::{InternedStr, SharedVec};

/// The kind of body being lowered. It decides how `click` and `endTurn` are compiled: inside an
/// action they are part of it, otherwise they start one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BodyKind {
    Rules,
    /// An entry typed at the prompt.
    Entry,
    Function,
    /// A handler or a condition: always runs inside an action.
    Action,
    Setup,
}

/// A local variable that is in scope.
#[derive(Clone, Debug)]
struct LocalVariable {
    name: String,
    register: Reg,
    ty: StaticType,
}

/// The program-wide state used while lowering bodies.
struct ProgramContext<'s> {
    scope: &'s Scope,
    kinds: &'s SharedVec<PieceKind>,
    /// Function ids by name. Names that are used before they are defined get an id, too.
    symbols: &'s mut SymbolTable,
}

/// Lowers one body to a function.
struct Lowerer<'a, 's> {
    context: &'a mut ProgramContext<'s>,
    builder: Builder,
    body_kind: BodyKind,
    /// Variables in scope, innermost last.
    locals: Vec<LocalVariable>,
}

impl<'a, 's> Lowerer<'a, 's> {
    fn new(
        context: &'a mut ProgramContext<'s>,
        name: &str,
        kind: FunctionKind,
        body_kind: BodyKind,
        parameters: &[&str],
        span: Span,
    ) -> Self {
        let mut builder = Builder::new(InternedStr::new(name), kind, parameters.len() as u16, span);
        let mut locals = Vec::new();
        for (register, name) in parameters.iter().enumerate() {
            builder.begin_local(InternedStr::new(name), register as Reg);
            locals.push(LocalVariable {
                name: name.to_string(),
                register: register as Reg,
                ty: None,
            });
        }
        Lowerer {
            context,
            builder,
            body_kind,
            locals,
        }
    }

    /// A lowerer for an entry typed at a stop: the locals of the frame are its parameters.
    fn in_frame(
        context: &'a mut ProgramContext<'s>,
        name: &str,
        locals: &[Local],
        span: Span,
    ) -> Self {
        let names: Vec<&str> = locals.iter().map(|l| l.name.as_str()).collect();
        Lowerer::new(
            context,
            name,
            FunctionKind::Entry,
            BodyKind::Entry,
            &names,
            span,
        )
    }

    fn find_local(&self, name: &str) -> Option<&LocalVariable> {
        self.locals.iter().rev().find(|l| l.name == name)
    }

    /// Declares a variable in the current scope.
    fn declare(&mut self, name: &str, register: Reg, ty: StaticType) {
        self.builder.begin_local(InternedStr::new(name), register);
        self.locals.push(LocalVariable {
            name: name.to_string(),
            register,
            ty,
        });
    }

    /// Marks the start of a statement, where the debugger can stop.
    fn statement_stop(&mut self, span: Span) {
        let kind = if self.body_kind == BodyKind::Rules {
            StopKind::Rule
        } else {
            StopKind::Statement
        };
        self.builder.stop_point(kind, span);
    }

    /// Emits an instruction that fails with `message` at run time.
    fn emit_fail(&mut self, message: &str, span: Span) {
        self.builder.emit_fail(message, None, span);
    }
}
