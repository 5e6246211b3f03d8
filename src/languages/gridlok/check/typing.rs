//! Static types, as far as they can be inferred. Types are checked at run time; these are used for
//! warnings about code that is certain to fail, and to select faster instructions.

use crate::ast::{Binary, Expr, ExprKind, Initializer, Unary};
use crate::check::builtin;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    Text,
    Bool,
    /// A piece or `empty`.
    Piece,
    /// The element type is unknown: an emptied list may be refilled with another type.
    List,
}

/// The type with its article, for messages.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Int => "an int",
            Type::Text => "a string",
            Type::Bool => "a bool",
            Type::Piece => "a piece",
            Type::List => "a list",
        })
    }
}

/// The type of an expression. `variable` returns the type of a name.
pub fn type_of_expr(expr: &Expr, variable: &impl Fn(&str) -> Option<Type>) -> Option<Type> {
    match &expr.kind {
        ExprKind::Int(_) => Some(Type::Int),
        ExprKind::Text(_) => Some(Type::Text),
        ExprKind::Bool(_) => Some(Type::Bool),
        ExprKind::Empty | ExprKind::Cell(..) => Some(Type::Piece),
        ExprKind::Name(name) => variable(name),
        ExprKind::Call(name, _) => builtin::find_builtin(&name.text).and_then(|b| b.returns),
        ExprKind::Index(..) => None,
        ExprKind::Field(_, field) => builtin::field_type(&field.text),
        ExprKind::Unary(Unary::Not, ..) => Some(Type::Bool),
        ExprKind::Unary(Unary::Minus, ..) => Some(Type::Int),
        ExprKind::Binary(op, ..) => Some(if is_arithmetic(*op) {
            Type::Int
        } else {
            Type::Bool
        }),
        ExprKind::Paren(inner) => type_of_expr(inner, variable),
    }
}

pub fn type_of_initializer(
    initializer: &Initializer,
    variable: &impl Fn(&str) -> Option<Type>,
) -> Option<Type> {
    match initializer {
        Initializer::Expr(value) => type_of_expr(value, variable),
        Initializer::List(..) => Some(Type::List),
    }
}

pub fn is_arithmetic(op: Binary) -> bool {
    matches!(op, Binary::Arithmetic(_))
}
