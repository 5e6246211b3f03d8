//! Values: which type each has, and whether it fits where it stands.

use super::Checker;
use crate::languages::gridlang::ast::{self, Arithmetic, Comparison};
use crate::languages::gridlang::code;
use crate::languages::gridlang::typed::{AttributeRef, Expr, ExprKind, Place, Type};
use crate::source::Span;

pub fn wrong(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Wrong,
        ty: Type::Unknown,
        span,
    }
}

const NO_CASTS: &str = "there are no casts: write the number with a point, as in `1.0`";

impl Checker<'_> {
    pub fn value(&mut self, e: &ast::Expr) -> Expr {
        let span = e.span;
        let made = |kind, ty| Expr { kind, ty, span };
        match &e.kind {
            ast::ExprKind::Int(n) => self.int(*n, span),
            ast::ExprKind::Float(n) => made(ExprKind::Float(*n), Type::Float),
            ast::ExprKind::Text(text) => made(ExprKind::Text(text.clone()), Type::Text),
            ast::ExprKind::Truth(truth) => made(ExprKind::Truth(*truth), Type::Truth),
            ast::ExprKind::Current => self.current(span),
            ast::ExprKind::PlayerOrder => made(
                ExprKind::Read(Place::PlayerOrder),
                Type::List(Box::new(Type::Player)),
            ),
            ast::ExprKind::Name(_) | ast::ExprKind::PlayerWord | ast::ExprKind::ItemWord => {
                self.named(e)
            }
            ast::ExprKind::TypeWord(_) => {
                self.error(code::TYPE_AS_VALUE, span, "a type is no value")
                    .notes
                    .push(
                        "only `prompt` takes one, behind its message: `prompt(\"row: \", int)`"
                            .into(),
                    );
                wrong(span)
            }
            ast::ExprKind::Coordinate(row, column) => {
                let row = self.expected(
                    row,
                    &Type::Int,
                    code::MISMATCH,
                    "the row of a coordinate is",
                );
                let column = self.expected(
                    column,
                    &Type::Int,
                    code::MISMATCH,
                    "the column of a coordinate is",
                );
                made(
                    ExprKind::Coordinate(Box::new(row), Box::new(column)),
                    Type::Coordinate,
                )
            }
            ast::ExprKind::Array(parts) => self.array(parts, span),
            ast::ExprKind::Cell(parts) => self.cell(parts, span),
            ast::ExprKind::Element(of, indices) => self.element(of, indices, span),
            ast::ExprKind::Attribute(of, name) => self.attribute_of(of, name, span),
            ast::ExprKind::Call(callee, arguments) => self.call(callee, arguments, span),
            ast::ExprKind::Not(of) => {
                let of = self.operand(of, &Type::Truth, "!");
                made(ExprKind::Not(Box::new(of)), Type::Truth)
            }
            ast::ExprKind::Negative(of) => self.negative(of, span),
            ast::ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.arithmetic(*op, a, b, span)
            }
            ast::ExprKind::Comparison(op, a, b) => self.comparison(*op, a, b, span),
            ast::ExprKind::And(a, b) => {
                let (a, b) = (
                    self.operand(a, &Type::Truth, "and"),
                    self.operand(b, &Type::Truth, "and"),
                );
                made(ExprKind::And(Box::new(a), Box::new(b)), Type::Truth)
            }
            ast::ExprKind::Or(a, b) => {
                let (a, b) = (
                    self.operand(a, &Type::Truth, "or"),
                    self.operand(b, &Type::Truth, "or"),
                );
                made(ExprKind::Or(Box::new(a), Box::new(b)), Type::Truth)
            }
        }
    }

    fn int(&mut self, n: i64, span: Span) -> Expr {
        let Ok(n) = i32::try_from(n) else {
            self.error(
                code::INT_RANGE,
                span,
                "this number does not fit into an int",
            )
            .notes
            .push("an int is from -2147483648 to 2147483647".into());
            return Expr {
                kind: ExprKind::Int(0),
                ty: Type::Int,
                span,
            };
        };
        Expr {
            kind: ExprKind::Int(n),
            ty: Type::Int,
            span,
        }
    }

    fn negative(&mut self, of: &ast::Expr, span: Span) -> Expr {
        let of = self.value(of);
        if !of.ty.is_number() {
            self.error(
                code::OPERANDS,
                span,
                format!("`-` needs a number, but this is {}", of.ty),
            );
            return wrong(span);
        }
        let ty = of.ty.clone();
        Expr {
            kind: ExprKind::Negative(Box::new(of)),
            ty,
            span,
        }
    }

    fn operand(&mut self, e: &ast::Expr, want: &Type, sign: &str) -> Expr {
        self.expected(e, want, code::OPERANDS, &format!("`{sign}` needs"))
    }

    /// An array written out; what it holds follows from its first part.
    fn array(&mut self, parts: &[ast::Expr], span: Span) -> Expr {
        let Some((first, rest)) = parts.split_first() else {
            self.error(code::MISMATCH, span, "an empty array has no type here")
                .notes
                .push("put it into a variable: `int[0] none`".into());
            return wrong(span);
        };
        let first = self.value(first);
        let mut ty = first.ty.clone();
        let mut typed = vec![first];
        for part in rest {
            let value = self.value(part);
            match (&ty, &value.ty) {
                (Type::Item(a), Type::Item(b)) if a != b => ty = Type::Item(None),
                _ => {
                    typed.push(self.fit(
                        value,
                        &ty,
                        code::MISMATCH,
                        "the first element of this array is",
                    ));
                    continue;
                }
            }
            typed.push(value);
        }
        let ty = match ty {
            Type::Array(element, 1) => Type::Array(element, 2),
            Type::Void | Type::Cell | Type::Array(..) | Type::List(_) => {
                self.error(code::MISMATCH, span, format!("an array cannot hold {ty}"));
                return wrong(span);
            }
            Type::Unknown => return wrong(span),
            single => single.array(),
        };
        Expr {
            kind: ExprKind::Array(typed),
            ty,
            span,
        }
    }

    /// A value that must be of a type; `subject` says why, as in "`x` is".
    pub fn expected(
        &mut self,
        e: &ast::Expr,
        want: &Type,
        code: &'static str,
        subject: &str,
    ) -> Expr {
        let (ast::ExprKind::Array(parts), Type::Array(element, dimensions)) = (&e.kind, want)
        else {
            let value = self.value(e);
            return self.fit(value, want, code, subject);
        };
        let part_type = if *dimensions == 2 {
            (**element).clone().array()
        } else {
            (**element).clone()
        };
        let subject = "an element of this array is";
        let parts = parts
            .iter()
            .map(|part| self.expected(part, &part_type, code, subject))
            .collect();
        Expr {
            kind: ExprKind::Array(parts),
            ty: want.clone(),
            span: e.span,
        }
    }

    /// The value as one of the wanted type, converted where nothing can be lost.
    pub fn fit(&mut self, value: Expr, want: &Type, code: &'static str, subject: &str) -> Expr {
        let span = value.span;
        let convert = |kind: fn(Box<Expr>) -> ExprKind, value| Expr {
            kind: kind(Box::new(value)),
            ty: want.clone(),
            span,
        };
        match (&value.ty, want) {
            (Type::Unknown, _) | (_, Type::Unknown) => value,
            (found, want) if found == want => value,
            (Type::Item(Some(_)), Type::Item(None)) => Expr {
                ty: Type::Item(None),
                ..value
            },
            (Type::Player | Type::Item(_), Type::Piece) => Expr {
                ty: Type::Piece,
                ..value
            },
            (Type::Item(None), Type::Item(Some(_)))
            | (Type::Piece, Type::Player | Type::Item(_)) => convert(ExprKind::Narrow, value),
            (Type::List(found), Type::Array(element, 1)) if found == element => {
                convert(ExprKind::Snapshot, value)
            }
            (found, want) => {
                let message = match found {
                    Type::Void => format!("{subject} {want}, but this gives no value"),
                    found => format!("{subject} {want}, but this is {found}"),
                };
                let note = match (found, want) {
                    (Type::Int, Type::Float) => Some(NO_CASTS),
                    (Type::Float, Type::Int) => Some("there are no casts: a float stays one"),
                    (Type::Text, _) | (_, Type::Text) => {
                        Some("there are no casts between strings and other values")
                    }
                    _ => None,
                };
                self.error(code, span, message)
                    .notes
                    .extend(note.map(String::from));
                wrong(span)
            }
        }
    }

    /// `a op b`, also for `a op= b`. There are no casts: an int among floats is refused.
    pub fn arithmetic(&mut self, op: Arithmetic, a: Expr, b: Expr, span: Span) -> Expr {
        let ty = match (&a.ty, &b.ty) {
            (Type::Unknown, _) | (_, Type::Unknown) => return wrong(span),
            (Type::Text, Type::Text) if op == Arithmetic::Add => {
                return Expr {
                    kind: ExprKind::Join(Box::new(a), Box::new(b)),
                    ty: Type::Text,
                    span,
                };
            }
            (Type::Int, Type::Int) => Type::Int,
            (Type::Float, Type::Float) if op != Arithmetic::Remainder => Type::Float,
            _ => return self.no_arithmetic(op, &a, &b, span),
        };
        Expr {
            kind: ExprKind::Arithmetic(op, Box::new(a), Box::new(b)),
            ty,
            span,
        }
    }

    fn no_arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr, span: Span) -> Expr {
        let sign = ["+", "-", "*", "/", "%"][op as usize];
        let note = match (&a.ty, &b.ty) {
            (Type::Text, _) | (_, Type::Text) if op == Arithmetic::Add => {
                Some("there are no casts: `+` joins strings only; print the parts one by one")
            }
            (Type::Coordinate, _) | (_, Type::Coordinate) => {
                Some("compute with the parts: `(c.row + 1, c.col)` is the cell below `c`")
            }
            (a, b) if a != b && a.is_number() && b.is_number() => Some(NO_CASTS),
            _ => None,
        };
        self.error(
            code::OPERANDS,
            span,
            format!("`{sign}` does not work on {} and {}", a.ty, b.ty),
        )
        .notes
        .extend(note.map(String::from));
        wrong(span)
    }

    fn comparison(&mut self, op: Comparison, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let (a, b) = (self.value(a), self.value(b));
        self.compared_type(&a, &b);
        let equality = matches!(op, Comparison::Equal | Comparison::NotEqual);
        let comparable = match (&a.ty, &b.ty) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (a, b) if a.is_number() && b.is_number() => a == b,
            (Type::Item(Some(a)), Type::Item(Some(b))) => equality && a == b,
            (Type::Item(_) | Type::Piece, Type::Item(_)) | (Type::Item(_), Type::Piece) => equality,
            (Type::Player | Type::Piece, Type::Player | Type::Piece) => equality,
            (Type::Text | Type::Truth | Type::Coordinate, b) => equality && a.ty == *b,
            _ => false,
        };
        if !comparable {
            let sign = ["<", ">", "<=", ">=", "==", "!="][op as usize];
            let message = format!("`{sign}` cannot compare {} with {}", a.ty, b.ty);
            let note = (a.ty.is_number() && b.ty.is_number()).then(|| NO_CASTS.to_string());
            self.error(code::OPERANDS, span, message).notes.extend(note);
        }
        Expr {
            kind: ExprKind::Comparison(op, Box::new(a), Box::new(b)),
            ty: Type::Truth,
            span,
        }
    }

    /// `p.type == "evli"`: a player type that nobody has is probably a slip.
    fn compared_type(&mut self, a: &Expr, b: &Expr) {
        let is_type = |e: &Expr| {
            matches!(
                &e.kind,
                ExprKind::Read(Place::Attribute {
                    attribute: AttributeRef::Type,
                    ..
                })
            )
        };
        match (&a.kind, &b.kind) {
            (ExprKind::Text(text), _) if is_type(b) => self.known_player_type(text, a.span),
            (_, ExprKind::Text(text)) if is_type(a) => self.known_player_type(text, b.span),
            _ => {}
        }
    }
}

pub fn to_float(e: Expr) -> Expr {
    match e.ty {
        Type::Int => Expr {
            span: e.span,
            ty: Type::Float,
            kind: ExprKind::ToFloat(Box::new(e)),
        },
        _ => e,
    }
}
