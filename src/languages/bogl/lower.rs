//! From syntax tree to code: each definition and each entry becomes a function of the machine.
//!
//! A value equation is a function without parameters, called at every use. A board given by equations is one too; it is
//! called once, and its board kept in a variable. Arguments lie in registers, a tuple is spread over the parameters.

mod call;
mod control_flow;
mod entry_points;
mod expr;
mod link;

pub use link::{blank, entry, load};

use super::resolution::Resolution;
use super::scope::Scope;
use super::types::Type;
use crate::code::{Builder, Function, FunctionKind, Instr, Reg, FunctionTooLarge};
use crate::source::Span;
use crate::value::InternedStr;

/// One text on its way to code.
struct Lowerer<'a> {
    scope: &'a Scope,
    /// What the checker found out about it.
    resolution: &'a Resolution,
    builder: Builder,
    /// The register of each local, by the local's number; a loop moves those that it changes.
    registers: Vec<Reg>,
    /// The types of the registers that have names, in the order of their naming.
    named_types: Vec<Type>,
    /// Typed by a person, who wants to see what `place` makes.
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

    /// Gives a register the name of a local.
    fn bind(&mut self, local: u32, register: Reg) {
        let index = local as usize;
        if self.registers.len() <= index {
            self.registers.resize(index + 1, 0);
        }
        self.registers[index] = register;
        let (resolution, name) = (self.resolution, self.resolution.locals.get(index));
        let ty = resolution
            .local_types
            .get(index)
            .cloned()
            .flatten()
            .unwrap_or_else(Type::int);
        self.name_register(name.map_or("", |name| &name.text), register, ty);
    }

    fn name_register(&mut self, name: &str, register: Reg, ty: Type) {
        self.builder.begin_local(InternedStr::new(name), register);
        self.named_types.push(ty);
    }

    /// What the checker would not let pass fails should it ever be reached.
    fn emit_failure(&mut self, message: &str, span: Span) {
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

    /// Records the types of its locals for `:type`, and finishes the function.
    fn finish(self) -> Result<Function, FunctionTooLarge> {
        let result = self.builder.finish();
        let function = result.as_ref().unwrap_or_else(|error| &error.stub);
        let key = (function.span, function.kind == FunctionKind::Entry);
        self.scope
            .local_types
            .borrow_mut()
            .insert(key, self.named_types.into());
        result
    }
}
