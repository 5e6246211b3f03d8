//! Checks expressions: whether each name is there, each call fits, and no type is certain to be wrong.

use super::Checker;
use super::scope::Thing;
use crate::diagnostic::did_you_mean;
use crate::languages::gridlok::ast::*;
use crate::languages::gridlok::builtin::{self, Builtin, FIELDS};
use crate::languages::gridlok::code;
use crate::languages::gridlok::typing::{self, Type};
use crate::source::Span;

impl Checker {
    /// An expression whose value is used.
    pub fn value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Text(_) | ExprKind::Bool(_) | ExprKind::Empty => {}
            ExprKind::Name(name) => self.named(name, expr.span),
            ExprKind::Call(name, values) => self.call(name, values, expr.span),
            ExprKind::Cell(row, column) => {
                self.typed(row, Type::Int, "a row");
                self.typed(column, Type::Int, "a column");
            }
            ExprKind::Index(list, index) => {
                self.typed(list, Type::List, "`[…]`");
                self.typed(index, Type::Int, "an index");
            }
            ExprKind::Field(piece, field) => self.field(piece, field),
            ExprKind::Unary(Unary::Not, operand, _) => self.typed(operand, Type::Bool, "`!`"),
            ExprKind::Unary(Unary::Minus, operand, _) => self.typed(operand, Type::Int, "`-`"),
            ExprKind::Binary(op, left, right, place) => self.binary(*op, left, right, *place),
            ExprKind::Paren(inner) => self.value(inner),
        }
    }

    pub fn type_of(&self, expr: &Expr) -> Option<Type> {
        typing::of(expr, &|name| self.variable_type(name))
    }

    /// A value that must be of one type.
    pub fn typed(&mut self, expr: &Expr, want: Type, who: &str) {
        self.value(expr);
        if let Some(got) = self.type_of(expr).filter(|got| *got != want) {
            self.mismatch(
                expr.span,
                format!("{who} needs {}, but this is {}", want.words(), got.words()),
            );
        }
    }

    pub fn mismatch(&mut self, span: Span, message: String) {
        self.warn(
            code::TYPE_MISMATCH,
            span,
            message,
            "this fails when it is reached",
        );
    }

    fn named(&mut self, name: &str, span: Span) {
        self.read(name);
        match self.thing(name) {
            Thing::Variable(_) | Thing::Predefined(_) => {}
            Thing::Function(_) | Thing::Builtin(_) => {
                let message = format!("`{name}` is a function, not a value");
                self.error(
                    code::NOT_A_VALUE,
                    span,
                    message,
                    &format!("call it with braces: `{name}{{…}}`"),
                );
            }
            Thing::Player | Thing::Unknown => self.unknown(name, span),
        }
    }

    /// A call whose value is used.
    fn call(&mut self, name: &Name, values: &[Expr], span: Span) {
        self.call_fits(name, values, span);
        let message = match self.thing(&name.text) {
            Thing::Variable(_) | Thing::Predefined(_) => {
                format!(
                    "`{}` is a variable, and assigning to it gives no value",
                    name.text
                )
            }
            Thing::Function(signature) if !signature.gives_value => {
                format!(
                    "`{}` never returns a value, so it can't be used as one",
                    name.text
                )
            }
            Thing::Builtin(builtin) if builtin.gives.is_none() => {
                format!("`{}` gives no value, so it can't be used as one", name.text)
            }
            _ => return,
        };
        self.error(
            code::NO_VALUE,
            span,
            message,
            "let it stand alone, as a statement",
        );
    }

    /// The arguments of a call, their number, and whether there is something to call.
    pub fn call_fits(&mut self, name: &Name, values: &[Expr], span: Span) {
        values.iter().for_each(|value| self.value(value));
        self.read(&name.text);
        match self.thing(&name.text) {
            Thing::Function(signature) => {
                self.counted(&name.text, signature.parameters, values.len(), span)
            }
            Thing::Builtin(builtin) => self.builtin_fits(builtin, values, span),
            Thing::Player | Thing::Unknown => self.unknown(&name.text, name.span),
            Thing::Variable(_) | Thing::Predefined(_) => {}
        }
    }

    pub fn counted(&mut self, name: &str, takes: usize, given: usize, span: Span) {
        if takes == given {
            return;
        }
        let arguments = if takes == 1 { "argument" } else { "arguments" };
        let are = if given == 1 { "is" } else { "are" };
        let message = format!("`{name}` takes {takes} {arguments}, but {given} {are} given");
        self.error(code::ARGUMENT_COUNT, span, message, "");
    }

    fn builtin_fits(&mut self, builtin: &Builtin, values: &[Expr], span: Span) {
        self.counted(builtin.name, builtin.takes.len(), values.len(), span);
        for (value, want) in values.iter().zip(builtin.takes) {
            let got = self.type_of(value);
            if let (Some(got), Some(want)) = (got, want)
                && got != *want
            {
                self.mismatch(
                    value.span,
                    format!(
                        "`{}` needs {} here, but this is {}",
                        builtin.name,
                        want.words(),
                        got.words()
                    ),
                );
            }
        }
        match (builtin.name, values.first()) {
            ("place" | "changeType", Some(name)) => self.piece_named(name),
            ("removePlayer", Some(name)) => self.player_named(name),
            ("visible", Some(value)) => self.shows(value),
            _ => {}
        }
    }

    /// What `visible` is given: a bool, or 1 or 0.
    pub fn shows(&mut self, value: &Expr) {
        let fits = match (&value.kind, self.type_of(value)) {
            (ExprKind::Int(n), _) => matches!(n, 0 | 1),
            (_, None | Some(Type::Bool | Type::Int)) => true,
            _ => false,
        };
        if !fits {
            self.mismatch(
                value.span,
                "`visible` needs true, false, 1 or 0".to_string(),
            );
        }
    }

    fn field(&mut self, piece: &Expr, field: &Name) {
        self.typed(piece, Type::Piece, &format!("`.{}`", field.text));
        if builtin::field(&field.text).is_none() {
            let meant = did_you_mean(&field.text, FIELDS.iter().map(|(name, _)| *name));
            let message = format!("a piece has no field `{}`{meant}", field.text);
            self.error(
                code::UNKNOWN_FIELD,
                field.span,
                message,
                "it has `.name`, `.visible`, `.row`, `.col` and `.owner`",
            );
        }
    }

    fn binary(&mut self, op: Binary, left: &Expr, right: &Expr, place: Span) {
        let want = match op {
            Binary::Equal | Binary::NotEqual => {
                self.value(left);
                self.value(right);
                self.compared(op, left, right);
                return self.comparable(op, left, right, place);
            }
            Binary::And | Binary::Or => Type::Bool,
            _ => Type::Int,
        };
        let who = format!("`{}`", op.symbol());
        self.typed(left, want, &who);
        self.typed(right, want, &who);
    }

    fn comparable(&mut self, op: Binary, left: &Expr, right: &Expr, place: Span) {
        if let (Some(one), Some(other)) = (self.type_of(left), self.type_of(right))
            && one != other
        {
            let message = format!(
                "`{}` compares {} with {}",
                op.symbol(),
                one.words(),
                other.words()
            );
            self.mismatch(place, message);
        }
    }
}
