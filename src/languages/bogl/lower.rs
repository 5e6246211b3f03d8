//! Lowering: each definition and each entry becomes one function for the machine.
//!
//! A value equation becomes a function without parameters, called at every use. So does a board
//! defined by equations, but it is called once and its board is stored in a global. Arguments are
//! passed in registers; a tuple is unpacked into one register per component.
//!
//! ```text
//! link          assembles functions and globals into a program
//! prelude       files of definitions that games use
//! entry_points  code that is run directly: entries, the start of a game
//! expr          expressions; call: calls; control_flow: `let`, `if`, `while`
//! scope         the definitions of a session, with their function ids and global slots
//! ```

mod call;
mod control_flow;
mod entry_points;
mod expr;
mod link;
pub mod prelude;
pub mod scope;

pub use link::{empty_program, entry, load, lower_start, prelude};

use crate::check::resolution::Resolution;
use crate::check::types::Type;
use crate::code::{Builder, Function, FunctionKind, Reg};
use crate::lower::scope::Scope;
use crate::source::Span;
use crate::value::InternedStr;

/// Lowers one definition or entry to a function.
struct Lowerer<'a> {
    scope: &'a Scope,
    /// The checker's results for this text.
    resolution: &'a Resolution,
    builder: Builder,
    /// The register of each local, by number. A loop redirects the locals it updates to copies.
    registers: Vec<Reg>,
    /// The types of the named registers, in the order they were named.
    named_types: Vec<Type>,
    /// True for an entry: boards its own code makes with `place` are committed for display, see
    /// [`COMMITTED_BOARD`](crate::lower::scope::COMMITTED_BOARD).
    is_entry: bool,
}

impl<'a> Lowerer<'a> {
    fn new(
        scope: &'a Scope,
        resolution: &'a Resolution,
        title: &str,
        kind: FunctionKind,
        parameters: u16,
        span: Span,
    ) -> Lowerer<'a> {
        let builder = Builder::new(InternedStr::new(title), kind, parameters, span);
        Lowerer {
            scope,
            resolution,
            builder,
            registers: Vec::new(),
            named_types: Vec::new(),
            is_entry: false,
        }
    }

    /// Assigns a register to a local.
    fn bind(&mut self, local: u32, register: Reg) {
        let index = local as usize;
        if self.registers.len() <= index {
            self.registers.resize(index + 1, 0);
        }
        self.registers[index] = register;
        let resolution = self.resolution;
        let name = resolution.locals.get(index).map_or("", |name| &name.text);
        let ty = resolution.local_types.get(index).cloned().flatten();
        self.name_register(name, register, ty.unwrap_or_else(Type::int));
    }

    fn name_register(&mut self, name: &str, register: Reg, ty: Type) {
        self.builder.begin_local(InternedStr::new(name), register);
        self.named_types.push(ty);
    }

    /// Emits a runtime failure for code the checker should have rejected.
    fn emit_failure(&mut self, message: &str, span: Span) {
        self.builder.emit_fail(message, None, span);
    }

    /// Finishes the function and records the types of its locals, for entries typed while it is
    /// stopped.
    fn finish(self) -> Function {
        let function = self.builder.finish();
        let key = (function.span, function.kind == FunctionKind::Entry);
        self.scope
            .local_types
            .borrow_mut()
            .insert(key, self.named_types.into());
        function
    }
}
