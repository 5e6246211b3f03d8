//! Type checking of expressions.

use super::Checker;
use crate::ast::{self, ArithmeticOp, CompareOp};
use crate::check::builtin::Builtin;
use crate::check::errors;
use crate::check::hir::{AttributeRef, Expr, ExprKind, LValue, Type};
use crate::language::Reporter;
use crate::lower::scope::field;
use crate::source::Span;

/// How messages about the size of a grid start.
pub const GRID_SIZE: [&str; 2] = [
    "the number of rows must be",
    "the number of columns must be",
];

const NO_INT_TO_FLOAT: &str = "ints are not converted to floats; write `1.0` instead of `1`";

impl Checker<'_> {
    /// Checks an expression and infers its type.
    pub fn expr(&mut self, e: &ast::Expr) -> Expr {
        Expr {
            operator: e.operator(),
            ..self.typed(e)
        }
    }

    fn typed(&mut self, e: &ast::Expr) -> Expr {
        let span = e.span;
        let typed = |kind, ty| Expr::new(kind, ty, span);
        match &e.kind {
            ast::ExprKind::Int(n) => self.int(*n, span),
            ast::ExprKind::Float(n) => typed(ExprKind::Float(*n), Type::Float),
            ast::ExprKind::Text(text) => typed(ExprKind::Text(text.clone()), Type::Text),
            ast::ExprKind::Bool(truth) => typed(ExprKind::Bool(*truth), Type::Bool),
            ast::ExprKind::CurrentPlayer => self.current_player(span),
            ast::ExprKind::PlayerOrder => typed(
                ExprKind::Read(LValue::PlayerOrder),
                Type::Player.into_list(),
            ),
            ast::ExprKind::Name(_) | ast::ExprKind::PlayerKeyword | ast::ExprKind::ItemKeyword => {
                self.name_expr(e)
            }
            ast::ExprKind::TypeKeyword(_) => {
                let message = "expected a value, found a type";
                self.error(errors::TYPE_AS_VALUE, span, message).add_note(
                    "only `prompt` takes a type, after its message: `prompt(\"row: \", int)`",
                );
                Expr::error(span)
            }
            ast::ExprKind::Coordinate(row, column) => {
                let subjects = [
                    "the row of a coordinate must be",
                    "the column of a coordinate must be",
                ];
                let parts = self.int_pair([row, column], errors::TYPE_MISMATCH, subjects);
                let [row, column] = parts.map(Box::new);
                typed(ExprKind::Coordinate(row, column), Type::Coordinate)
            }
            ast::ExprKind::Array(parts) => self.array(parts, span),
            ast::ExprKind::Cell(parts) => self.cell(parts, span),
            ast::ExprKind::Index(of, indices) => self.index_expr(of, indices, span),
            ast::ExprKind::Attribute(of, name) => self.attribute_expr(of, name, span),
            ast::ExprKind::Call(callee, arguments) => self.call(callee, arguments, span),
            ast::ExprKind::Not(of) => {
                let of = self.operand(of, &Type::Bool, "!");
                typed(ExprKind::Not(Box::new(of)), Type::Bool)
            }
            ast::ExprKind::Negate(of) => self.negation(of, span),
            ast::ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.arithmetic(*op, a, b, span)
            }
            ast::ExprKind::Comparison(op, a, b) => self.comparison(*op, a, b, span),
            ast::ExprKind::Logic(op, a, b) => {
                let [a, b] = [a, b].map(|of| Box::new(self.operand(of, &Type::Bool, op.word())));
                typed(ExprKind::Logic(*op, a, b), Type::Bool)
            }
        }
    }

    /// Two ints, such as a row and a column. `subjects` start the error messages.
    pub fn int_pair(
        &mut self,
        parts: [&ast::Expr; 2],
        code: &'static str,
        subjects: [&str; 2],
    ) -> [Expr; 2] {
        [0, 1].map(|n| self.expect_type(parts[n], &Type::Int, code, subjects[n]))
    }

    fn int(&mut self, n: i64, span: Span) -> Expr {
        let Ok(n) = i32::try_from(n) else {
            self.error(errors::INT_RANGE, span, "number too large for an int")
                .add_note("ints range from -2147483648 to 2147483647");
            return Expr::new(ExprKind::Int(0), Type::Int, span);
        };
        Expr::new(ExprKind::Int(n), Type::Int, span)
    }

    fn negation(&mut self, of: &ast::Expr, span: Span) -> Expr {
        let of = self.expr(of);
        if !of.ty.is_number() {
            let message = format!("`-` needs a number, found {}", of.ty.with_article());
            self.error(errors::OPERAND_TYPES, span, message);
            return Expr::error(span);
        }
        let ty = of.ty.clone();
        Expr::new(ExprKind::Negate(Box::new(of)), ty, span)
    }

    fn operand(&mut self, e: &ast::Expr, expected: &Type, operator: &str) -> Expr {
        let subject = format!("`{operator}` needs");
        self.expect_type(e, expected, errors::OPERAND_TYPES, &subject)
    }

    /// An array literal; its element type is that of the first element.
    fn array(&mut self, parts: &[ast::Expr], span: Span) -> Expr {
        let Some((first, rest)) = parts.split_first() else {
            let message = "cannot infer the type of an empty array";
            self.error(errors::TYPE_MISMATCH, span, message)
                .add_note("declare a variable instead: `int[0] none`");
            return Expr::error(span);
        };
        let first = self.expr(first);
        let mut ty = first.ty.clone();
        let mut typed = vec![first];
        for part in rest {
            let value = self.expr(part);
            typed.push(match (&ty, &value.ty) {
                (Type::Item(a), Type::Item(b)) if a != b => {
                    ty = Type::Item(None);
                    value
                }
                _ => {
                    let subject = "the first element of this array is";
                    self.coerce(value, &ty, errors::TYPE_MISMATCH, subject)
                }
            });
        }
        let ty = match ty {
            Type::Array(element, 1) => Type::Array(element, 2),
            Type::Void | Type::Cell | Type::Array(..) | Type::List(_) => {
                let message = format!("an array cannot hold {}", ty.with_article());
                self.error(errors::TYPE_MISMATCH, span, message);
                return Expr::error(span);
            }
            Type::Unknown => return Expr::error(span),
            single => single.into_array(),
        };
        Expr::new(ExprKind::Array(typed), ty, span)
    }

    /// Checks an expression that must have the type `expected`. `subject` starts the error message:
    /// "`x` is", "an index must be".
    pub fn expect_type(
        &mut self,
        e: &ast::Expr,
        expected: &Type,
        code: &'static str,
        subject: &str,
    ) -> Expr {
        let (ast::ExprKind::Array(parts), Type::Array(element, dimensions)) = (&e.kind, expected)
        else {
            let value = self.expr(e);
            return self.coerce(value, expected, code, subject);
        };
        let row_or_element = if *dimensions == 2 {
            (**element).clone().into_array()
        } else {
            (**element).clone()
        };
        let subject = "an element of this array is";
        let parts = parts
            .iter()
            .map(|part| self.expect_type(part, &row_or_element, code, subject))
            .collect();
        Expr::new(ExprKind::Array(parts), expected.clone(), e.span)
    }

    /// Converts a value to the type `expected`: a piece to a wider type, or to a narrower one with a check
    /// at run time, and a list to an array. Reports any other mismatch.
    pub fn coerce(
        &mut self,
        value: Expr,
        expected: &Type,
        code: &'static str,
        subject: &str,
    ) -> Expr {
        let span = value.span;
        let convert = |kind: fn(Box<Expr>) -> ExprKind, value| {
            Expr::new(kind(Box::new(value)), expected.clone(), span)
        };
        match (&value.ty, expected) {
            (Type::Unknown, _) | (_, Type::Unknown) => value,
            (found, expected) if found == expected => value,
            (Type::Item(Some(_)), Type::Item(None)) => Expr {
                ty: Type::Item(None),
                ..value
            },
            (Type::Player | Type::Item(_), Type::AnyPiece) => Expr {
                ty: Type::AnyPiece,
                ..value
            },
            (Type::Item(None), Type::Item(Some(_)))
            | (Type::AnyPiece, Type::Player | Type::Item(_)) => convert(ExprKind::Narrow, value),
            (Type::List(found), Type::Array(element, 1)) if found == element => {
                convert(ExprKind::ListToArray, value)
            }
            (found, expected) => {
                let expected_text = expected.with_article();
                let states_a_fact = subject.ends_with(" is") || subject.ends_with(" returns");
                let actual = match found {
                    Type::Void => "but this returns nothing".to_string(),
                    found if states_a_fact => format!("but this value is {}", found.with_article()),
                    found => format!("found {}", found.with_article()),
                };
                let message = format!("{subject} {expected_text}, {actual}");
                let is_random = matches!(value.kind, ExprKind::Builtin(Builtin::Random, _));
                let note = match (found, expected) {
                    (Type::Float, Type::Int) if is_random => Some(
                        "`random` returns a float; for a number from 1 to 6, use `diceThrow()`",
                    ),
                    (Type::Array(..), Type::Coordinate) => {
                        Some("a coordinate is written in parentheses: `(1, 2)`")
                    }
                    (Type::Int, Type::Float) => Some(NO_INT_TO_FLOAT),
                    (Type::Float, Type::Int) => Some("floats are not converted to ints"),
                    (Type::Text, _) | (_, Type::Text) => {
                        Some("strings are not converted to or from other types")
                    }
                    _ => None,
                };
                self.error(code, span, message)
                    .notes
                    .extend(note.map(String::from));
                Expr::error(span)
            }
        }
    }

    /// `a op b` and `a op= b`. There are no implicit conversions between int and float.
    pub fn arithmetic(&mut self, op: ArithmeticOp, a: Expr, b: Expr, span: Span) -> Expr {
        let ty = match (&a.ty, &b.ty) {
            (Type::Unknown, _) | (_, Type::Unknown) => return Expr::error(span),
            (Type::Text, Type::Text) if op == ArithmeticOp::Add => {
                return Expr::new(ExprKind::Concat(Box::new(a), Box::new(b)), Type::Text, span);
            }
            (Type::Int, Type::Int) => Type::Int,
            (Type::Float, Type::Float) if op != ArithmeticOp::Remainder => Type::Float,
            _ => return self.bad_operands(op, &a, &b, span),
        };
        Expr::new(ExprKind::Arithmetic(op, Box::new(a), Box::new(b)), ty, span)
    }

    fn bad_operands(&mut self, op: ArithmeticOp, a: &Expr, b: &Expr, span: Span) -> Expr {
        let operator = op.symbol();
        let note = match (&a.ty, &b.ty) {
            (Type::Text, _) | (_, Type::Text) if op == ArithmeticOp::Add => {
                Some("`+` only joins strings; print the parts separately")
            }
            (Type::Coordinate, _) | (_, Type::Coordinate) => {
                Some("use its row and column: `(c.row + 1, c.col)` is the cell below `c`")
            }
            (a, b) if a != b && a.is_number() && b.is_number() => Some(NO_INT_TO_FLOAT),
            _ => None,
        };
        let (a_type, b_type) = (a.ty.with_article(), b.ty.with_article());
        let message = format!("cannot apply `{operator}` to {a_type} and {b_type}");
        self.error(errors::OPERAND_TYPES, span, message)
            .notes
            .extend(note.map(String::from));
        Expr::error(span)
    }

    fn comparison(&mut self, op: CompareOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let (a, b) = (self.expr(a), self.expr(b));
        self.check_compared_player_type(&a, &b);
        let is_equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let comparable = match (&a.ty, &b.ty) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (a, b) if a.is_number() && b.is_number() => a == b,
            (Type::Item(Some(a)), Type::Item(Some(b))) => is_equality && a == b,
            (Type::Item(_) | Type::AnyPiece, Type::Item(_)) | (Type::Item(_), Type::AnyPiece) => {
                is_equality
            }
            (Type::Player | Type::AnyPiece, Type::Player | Type::AnyPiece) => is_equality,
            (Type::Text | Type::Bool | Type::Coordinate, b) => is_equality && a.ty == *b,
            _ => false,
        };
        if !comparable {
            let (operator, a_type) = (op.symbol(), a.ty.with_article());
            let b_type = b.ty.with_article();
            let message = format!("`{operator}` cannot compare {a_type} with {b_type}");
            let note = match (&a.ty, &b.ty) {
                (a, b) if a.is_number() && b.is_number() => Some(NO_INT_TO_FLOAT),
                (Type::Text, Type::Text) => Some("strings can only be compared with `==` and `!=`"),
                (Type::Coordinate, Type::Coordinate) => {
                    Some("compare the rows or the columns: `a.row < b.row`")
                }
                (Type::Cell, _) | (_, Type::Cell) => {
                    Some("compare positions: `ann.position == (0, 0)`")
                }
                _ => None,
            };
            let note = note.map(String::from);
            self.error(errors::OPERAND_TYPES, span, message)
                .notes
                .extend(note);
        }
        let kind = ExprKind::Comparison(op, Box::new(a), Box::new(b));
        Expr::new(kind, Type::Bool, span)
    }

    /// Warns about a comparison with an unknown player type, which is probably a typo:
    /// `p.type == "evli"`.
    fn check_compared_player_type(&mut self, a: &Expr, b: &Expr) {
        let is_player_type = |e: &Expr| match &e.kind {
            ExprKind::Read(LValue::Attribute { attribute, .. }) => {
                *attribute == AttributeRef::Field(field::TYPE)
            }
            _ => false,
        };
        match (&a.kind, &b.kind) {
            (ExprKind::Text(text), _) if is_player_type(b) => {
                self.defs.warn_unknown_player_type(text, a.span)
            }
            (_, ExprKind::Text(text)) if is_player_type(a) => {
                self.defs.warn_unknown_player_type(text, b.span)
            }
            _ => {}
        }
    }
}

/// Converts an int expression to float.
pub fn to_float(e: Expr) -> Expr {
    let span = e.span;
    match e.ty {
        Type::Int => Expr::new(ExprKind::ToFloat(Box::new(e)), Type::Float, span),
        _ => e,
    }
}
