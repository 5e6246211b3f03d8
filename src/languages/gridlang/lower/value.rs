//! Creates the values that declarations need: default values, arrays, pieces, copies of arrays.

use super::Lowerer;
use crate::check::hir::Type;
use crate::code::{Instr, Reg};
use crate::lower::scope::RuleVariable;
use crate::source::Span;
use crate::value::{InternedStr, Value};

impl Lowerer<'_, '_> {
    /// Creates a piece for the variable `name`.
    pub(super) fn new_piece(&mut self, ty: &Type, name: &str, span: Span) -> Reg {
        let function = format!("@make {}", kind_of(ty));
        let name = self.builder.new_string(name, span);
        self.call_at(&function, &[name, name], span)
    }

    /// Creates an array of one or two dimensions, including its pieces.
    pub(super) fn new_array(
        &mut self,
        element: &Type,
        name: &str,
        sizes: &[Reg],
        span: Span,
    ) -> Reg {
        let kind = kind_of(element);
        match *sizes {
            [count] if element.is_piece() => {
                let prefix = self.builder.new_string(&format!("{name}["), span);
                let name = self.builder.new_string(name, span);
                self.call_at(&format!("@makeMany {kind}"), &[prefix, name, count], span)
            }
            [rows, cols] if element.is_piece() => {
                let name = self.builder.new_string(name, span);
                self.call_at(&format!("@makeTable {kind}"), &[name, rows, cols], span)
            }
            _ => self.filled_array(element, sizes, span),
        }
    }

    /// An array of one or two dimensions, whose elements are the default value of their type.
    pub(super) fn filled_array(&mut self, element: &Type, sizes: &[Reg], span: Span) -> Reg {
        let value = self.default_value(element, span);
        match *sizes {
            [rows, cols] => self.call_at("@fillTable", &[value, rows, cols], span),
            [count] => {
                let filled = |dst| Instr::FilledList { dst, value, count };
                self.builder.emit_new(filled, span)
            }
            _ => self.default_value(&element.clone().into_array(), span),
        }
    }

    /// The default value of a type; the null piece for players and items.
    pub(super) fn default_value(&mut self, ty: &Type, span: Span) -> Reg {
        let value = match ty {
            Type::Float => Value::float(0.0),
            Type::Text => Value::interned(InternedStr::new("")),
            Type::Bool => Value::FALSE,
            Type::Coordinate => Value::coordinate(0, 0).unwrap_or(Value::NOTHING),
            Type::Array(..) | Type::List(_) => {
                let (dst, count) = (self.builder.alloc_register(), 0);
                let first = dst;
                self.builder.emit(Instr::List { dst, first, count }, span);
                return dst;
            }
            ty if ty.is_piece() => return self.load_rule_var(RuleVariable::Nobody, span),
            _ => Value::int(0),
        };
        self.builder.new_constant(value, span)
    }

    pub(super) fn copy_array(&mut self, src: Reg, dimensions: usize, span: Span) -> Reg {
        if dimensions == 2 {
            return self.call_at("@copyTable", &[src], span);
        }
        self.builder.emit_new(|dst| Instr::Copy { dst, src }, span)
    }
}

/// The kind of piece a type denotes.
pub(super) fn kind_of(ty: &Type) -> &str {
    match ty {
        Type::Player => "Player",
        Type::Item(Some(kind)) => kind,
        _ => "Item",
    }
}
