//! Checks expressions: names are defined, calls have the right arguments, types can match.

use super::Checker;
use super::scope::Referent;
use super::warnings::FAILS_AT_RUN_TIME;
use crate::ast::*;
use crate::check::builtin::{self, Builtin, FIELDS};
use crate::check::env::Signature;
use crate::check::errors;
use crate::check::typing::Type;
use crate::diagnostic::{did_you_mean, has_errors};
use crate::language::{Namespace, Reporter};
use crate::source::Span;
use crate::text::argument_count_message;

/// What to do instead of asking for the length of a list.
pub const NO_LENGTH: &str =
    "lists have no length; count the elements in a variable, e.g. `def count{0}`";

impl Checker<'_> {
    /// Checks an expression whose value is used.
    pub fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Empty => {}
            ExprKind::Text(text) => {
                self.names.refer(Namespace::Pieces, text, expr.span);
            }
            ExprKind::Name(name) => self.variable(name, expr.span),
            ExprKind::Call(name, values) => self.call(name, values, expr.span),
            ExprKind::Cell(row, column) => {
                self.expect_type(row, Type::Int, "row must be");
                self.expect_type(column, Type::Int, "column must be");
            }
            ExprKind::Index(list, index, _) => {
                self.expect_type(list, Type::List, "`[…]` needs");
                self.expect_type(index, Type::Int, "index must be");
            }
            ExprKind::Field(piece, field) => self.field(piece, field),
            ExprKind::Unary(Unary::Not, operand, _) => {
                self.expect_type(operand, Type::Bool, "`!` needs")
            }
            ExprKind::Unary(Unary::Minus, operand, _) => {
                self.expect_type(operand, Type::Int, "`-` needs")
            }
            ExprKind::Binary(op, left, right, operator_span) => {
                self.binary(*op, left, right, *operator_span)
            }
            ExprKind::Paren(inner) => self.expr(inner),
        }
    }

    /// Checks an expression whose value must have type `want`. `requirement` starts the message:
    /// "index must be", "`+` needs".
    pub fn expect_type(&mut self, expr: &Expr, want: Type, requirement: &str) {
        self.expr(expr);
        if let Some(got) = self.scope.type_of(expr).filter(|got| *got != want) {
            self.type_mismatch(expr.span, format!("{requirement} {want}, found {got}"));
        }
    }

    pub fn type_mismatch(&mut self, span: Span, message: impl Into<String>) {
        self.warn(errors::TYPE_MISMATCH, span, message, FAILS_AT_RUN_TIME);
    }

    fn variable(&mut self, name: &str, span: Span) {
        self.names.refer(Namespace::Values, name, span);
        self.scope.mark_read(name);
        match self.scope.resolve(name) {
            Referent::Variable(_) | Referent::Predefined(_) => {}
            Referent::Function(Signature {
                parameter_count, ..
            }) => self.function_as_value(name, parameter_count, span),
            Referent::Builtin(builtin) => {
                self.function_as_value(name, builtin.parameters.len(), span)
            }
            Referent::Player | Referent::Unknown => self.unknown_value(name, span),
        }
    }

    fn function_as_value(&mut self, name: &str, parameter_count: usize, span: Span) {
        let arguments = if parameter_count > 0 { "…" } else { "" };
        let message = format!("`{name}` is a function, not a value");
        self.error(errors::FUNCTION_AS_VALUE, span, message)
            .add_note(format!("call it with braces: `{name}{{{arguments}}}`"));
    }

    /// Checks a call whose value is used.
    fn call(&mut self, name: &Name, values: &[Expr], span: Span) {
        self.check_call(name, values, span);
        let message = match self.scope.resolve(&name.text) {
            Referent::Variable(_) | Referent::Predefined(_) => {
                format!("`{}` is a variable; an assignment has no value", name.text)
            }
            Referent::Function(signature) if !signature.returns_value => {
                format!("`{}` does not return a value", name.text)
            }
            Referent::Builtin(builtin) if builtin.returns.is_none() => {
                format!("`{}` does not return a value", name.text)
            }
            _ => return,
        };
        self.error(errors::NO_VALUE, span, message)
            .add_note("use it as a statement");
    }

    /// Checks that the callee exists and that the arguments fit.
    pub fn check_call(&mut self, name: &Name, values: &[Expr], span: Span) {
        self.names.refer(Namespace::Values, &name.text, name.span);
        let is_known = !matches!(
            self.scope.resolve(&name.text),
            Referent::Player | Referent::Unknown
        );
        for value in values {
            match &value.kind {
                // The braces of an unknown name may contain a statement.
                ExprKind::Call(inner, arguments) if !is_known => {
                    self.check_call(inner, arguments, value.span);
                }
                _ => self.expr(value),
            }
        }
        self.scope.mark_read(&name.text);
        match self.scope.resolve(&name.text) {
            Referent::Function(signature) => {
                self.check_argument_count(&name.text, signature.parameter_count, values.len(), span)
            }
            Referent::Builtin(builtin) => self.builtin_call(builtin, values, span),
            Referent::Player | Referent::Unknown => self.unknown_name(&name.text, name.span),
            Referent::Variable(_) | Referent::Predefined(_) => {}
        }
    }

    pub fn check_argument_count(&mut self, name: &str, takes: usize, given: usize, span: Span) {
        if takes != given {
            let message = argument_count_message(name, takes, given);
            self.error(errors::ARGUMENT_COUNT, span, message);
        }
    }

    fn builtin_call(&mut self, builtin: &Builtin, values: &[Expr], span: Span) {
        self.check_argument_count(builtin.name, builtin.parameters.len(), values.len(), span);
        for (value, want) in values.iter().zip(builtin.parameters) {
            let got = self.scope.type_of(value);
            if let (Some(got), Some(want)) = (got, want)
                && got != *want
            {
                let message = format!("`{}` needs {want} here, found {got}", builtin.name);
                self.type_mismatch(value.span, message);
            }
        }
        match (builtin.name, values.first()) {
            ("place" | "changeType", Some(name)) => self.piece_name_argument(name),
            ("removePlayer", Some(name)) => self.player_name_argument(name),
            ("visible", Some(value)) => self.visible_argument(value),
            _ => {}
        }
    }

    /// Checks the argument of `visible`: a bool, 1 or 0.
    pub fn visible_argument(&mut self, value: &Expr) {
        let is_valid = match (&value.kind, self.scope.type_of(value)) {
            (ExprKind::Int(n), _) => matches!(n, 0 | 1),
            (_, None | Some(Type::Bool | Type::Int)) => true,
            _ => false,
        };
        if !is_valid {
            self.type_mismatch(value.span, "`visible` needs true, false, 1 or 0");
        }
    }

    fn field(&mut self, piece: &Expr, field: &Name) {
        if self.scope.type_of(piece) == Some(Type::List) {
            return self.list_method(piece, field);
        }
        let before = self.diagnostics.len();
        self.expect_type(piece, Type::Piece, &format!("`.{}` needs", field.text));
        let is_faulty = has_errors(&self.diagnostics[before..]);
        if builtin::field_type(&field.text).is_none() && !is_faulty {
            let suggestion = did_you_mean(&field.text, FIELDS.iter().map(|row| row.0));
            let message = format!("unknown field `{}` of a piece{suggestion}", field.text);
            self.error(errors::UNKNOWN_FIELD, field.span, message)
                .add_note("a piece has `.name`, `.visible`, `.row`, `.col` and `.owner`");
        }
    }

    /// Reports `l.append{3}`: the methods of lists in other languages.
    pub fn list_method(&mut self, list: &Expr, method: &Name) {
        self.expr(list);
        let name = match &list.kind {
            ExprKind::Name(name) => name,
            _ => "l",
        };
        let note = match &*method.text {
            "append" | "push" | "add" | "insert" => format!("append an element with `{name}{{…}}`"),
            "remove" | "pop" | "delete" => format!("remove an element with `{name}[0]{{}}`"),
            "length" | "len" | "size" | "count" => NO_LENGTH.to_string(),
            _ => format!("an element is `{name}[0]`; append one with `{name}{{…}}`"),
        };
        let message = format!("a list has no `.{}`", method.text);
        self.error(errors::UNKNOWN_FIELD, method.span, message)
            .add_note(note);
    }

    fn binary(&mut self, op: Binary, left: &Expr, right: &Expr, operator_span: Span) {
        let want = match op {
            Binary::Compare(compare) if compare.is_equality() => {
                self.expr(left);
                self.expr(right);
                self.name_comparison(op, left, right);
                return self.comparison_types(op, left, right, operator_span);
            }
            Binary::And | Binary::Or => Type::Bool,
            _ => Type::Int,
        };
        let requirement = format!("`{}` needs", op.symbol());
        self.expect_type(left, want, &requirement);
        self.expect_type(right, want, &requirement);
    }

    fn comparison_types(&mut self, op: Binary, left: &Expr, right: &Expr, operator_span: Span) {
        if let (Some(one), Some(other)) = (self.scope.type_of(left), self.scope.type_of(right))
            && one != other
        {
            let message = format!("`{}` compares {one} with {other}", op.symbol());
            let piece = match (one, other) {
                (Type::Piece, Type::Text) => Some(left),
                (Type::Text, Type::Piece) => Some(right),
                _ => None,
            };
            let note = match piece.map(|piece| &piece.kind) {
                Some(ExprKind::Name(name)) => {
                    format!("compare the name of the piece: `{name}.name`; {FAILS_AT_RUN_TIME}")
                }
                Some(_) => format!(
                    "compare the name of the piece: write `.name` after it; {FAILS_AT_RUN_TIME}"
                ),
                None => FAILS_AT_RUN_TIME.to_string(),
            };
            self.warn(errors::TYPE_MISMATCH, operator_span, message, &note);
        }
    }
}
