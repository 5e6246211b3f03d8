//! From syntax tree to code: each definition and each entry becomes a function of the machine.
//!
//! A value equation is a function without parameters, called at every use. A board given by equations is one too; it is
//! called once, and its board kept in a variable. Arguments lie in registers, a tuple is spread over the parameters.

mod call;
mod expr;
mod flow;
mod link;
mod top;

pub use link::{blank, entry, load};

use super::notes::Notes;
use super::scope::Scope;
use super::types::Type;
use crate::code::{Builder, Function, Instr, Reg, Role};
use crate::source::Span;
use crate::value::Text;

/// One text on its way to code.
struct Body<'a> {
    scope: &'a Scope,
    /// What the checker found out about it.
    notes: &'a Notes,
    b: Builder,
    /// The register of each local, by the local's number; a loop moves those that it changes.
    places: Vec<Reg>,
    /// The types of the registers that have names, in the order of their naming.
    named: Vec<Type>,
    /// Typed by a person, who wants to see what `place` makes.
    typed: bool,
}

impl<'a> Body<'a> {
    fn new(
        scope: &'a Scope,
        notes: &'a Notes,
        title: &str,
        role: Role,
        parameters: u16,
        span: Span,
    ) -> Body<'a> {
        let b = Builder::new(Text::new(title), role, parameters, span);
        Body {
            scope,
            notes,
            b,
            places: Vec::new(),
            named: Vec::new(),
            typed: false,
        }
    }

    /// Gives a register the name of a local.
    fn bind(&mut self, local: u32, register: Reg) {
        let at = local as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, 0);
        }
        self.places[at] = register;
        let (notes, name) = (self.notes, self.notes.locals.get(at));
        let own = notes
            .types
            .get(at)
            .cloned()
            .flatten()
            .unwrap_or_else(Type::int);
        self.name(name.map_or("", |name| &name.text), register, own);
    }

    fn name(&mut self, name: &str, register: Reg, own: Type) {
        self.b.local(Text::new(name), register);
        self.named.push(own);
    }

    /// What the checker would not let pass fails should it ever be reached.
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

    /// The function, and whether it is too large to be run.
    fn finish(self) -> (Function, bool) {
        let too_large = self.b.is_too_large();
        let function = self.b.finish();
        let place = (function.span, function.role == Role::Entry);
        self.scope
            .ledger
            .borrow_mut()
            .insert(place, self.named.into());
        (function, too_large)
    }
}
