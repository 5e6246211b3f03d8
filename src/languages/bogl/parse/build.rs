//! What the grammar calls to make its nodes, and the gathering of equations under their signatures.

use std::sync::Arc;

use lalrpop_util::ParseError;

use super::chain::Chain;
use crate::diagnostic::{Diagnostic, Phase};
use crate::languages::bogl::ast::*;
use crate::languages::bogl::token::Token;
use crate::source::{Source, Span};

/// What a rule of the grammar found wrong.
pub type Fault = Vec<Diagnostic>;

pub enum Parsed {
    Program(Program),
    Entry(Entry),
    Input(Constant),
}

/// A definition as it stands in the text, before equations are gathered.
pub enum Piece {
    Type(TypeDef),
    Signed(Signature, Equation),
    Equation(Equation),
    Let(SessionLet),
}

pub struct Equation {
    name: Word,
    left: Left,
    expr: Expr,
    span: Span,
}

enum Left {
    Value,
    Function(Vec<Word>),
    Board(Position, Position),
}

pub fn fail<T>(result: Result<T, Fault>) -> Result<T, ParseError<usize, Token, Fault>> {
    result.map_err(|error| ParseError::User { error })
}

pub fn node(kind: Kind, span: Span) -> Result<Expr, Fault> {
    Expr::new(kind, span).ok_or_else(|| too_deep(span))
}

pub fn too_deep(span: Span) -> Fault {
    let message = format!(
        "This expression is nested more than {DEEPEST} deep, operators and `else if` included"
    );
    let fault = Diagnostic::error(Phase::Parse, "BG005", span, message);
    vec![fault.note("give parts of it names of their own with `let`")]
}

pub fn word(source: &Source, start: usize, end: usize) -> Word {
    let span = source.span(start, end);
    Word {
        text: source.slice(span).into(),
        span,
    }
}

pub fn named(name: Word) -> Result<Expr, Fault> {
    let span = name.span;
    node(Kind::Name(name), span)
}

pub fn call(function: Word, arguments: Vec<Expr>, end: usize) -> Result<Expr, Fault> {
    let span = Span {
        end: end as u32,
        ..function.span
    };
    node(
        Kind::Call {
            function,
            arguments,
        },
        span,
    )
}

/// `(e)` is `e` itself, with a wider place.
pub fn bracketed(mut parts: Vec<Expr>, span: Span) -> Result<Expr, Fault> {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => Ok(Expr { span, ..only }),
        (_, last) => {
            parts.extend(last);
            node(Kind::Tuple(parts), span)
        }
    }
}

pub fn constants(mut parts: Vec<Constant>) -> Constant {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            Constant::Tuple(parts)
        }
    }
}

pub fn tuple_type(mut parts: Vec<TypeExpr>, span: Span) -> TypeExpr {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => TypeExpr { span, ..only },
        (_, last) => {
            parts.extend(last);
            TypeExpr {
                kind: TypeKind::Tuple(parts),
                span,
            }
        }
    }
}

pub fn extended(first: TypeExpr, more: Vec<TypeExpr>, span: Span) -> TypeExpr {
    let mut terms = vec![first];
    terms.extend(more);
    TypeExpr {
        kind: TypeKind::Extended(terms),
        span,
    }
}

/// A number from `start`, where its sign may stand, with its digits from `digits` on.
pub fn integer(
    source: &Source,
    minus: bool,
    start: usize,
    digits: usize,
    end: usize,
) -> Result<Literal<i64>, Fault> {
    let (span, text) = (
        source.span(start, end),
        source.slice(source.span(digits, end)).to_ascii_lowercase(),
    );
    let size = match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
        (Some(hexadecimal), _) => i128::from_str_radix(hexadecimal, 16),
        (_, Some(octal)) => i128::from_str_radix(octal, 8),
        _ => text.parse(),
    };
    let value = size
        .ok()
        .and_then(|size| i64::try_from(if minus { -size } else { size }).ok());
    value.map(|value| Literal { value, span }).ok_or_else(|| {
        let (low, high) = (i64::MIN, i64::MAX);
        let message = "This number is too large for an `Int`";
        vec![
            Diagnostic::error(Phase::Parse, "BG006", span, message)
                .note(format!("an `Int` lies between {low} and {high}")),
        ]
    })
}

/// Reads the left side of `=`, which the grammar took for an expression.
pub fn equation(left: Chain, at: Span, expr: Expr) -> Result<Equation, Fault> {
    let left = left.tree()?;
    let span = left.span.to(expr.span);
    let (name, left) = match left.kind {
        Kind::Name(name) => (name, Left::Value),
        Kind::Call {
            function,
            arguments,
        } => {
            let names = arguments
                .into_iter()
                .map(parameter)
                .collect::<Result<_, _>>()?;
            (function, Left::Function(names))
        }
        Kind::Binary {
            op: Op::Look,
            left,
            right,
            ..
        } => match (left.kind, positions(*right)?) {
            (Kind::Name(name), (x, y)) => (name, Left::Board(x, y)),
            _ => return Err(not_a_left_side(left.span, at)),
        },
        _ => return Err(not_a_left_side(left.span, at)),
    };
    Ok(Equation {
        name,
        left,
        expr,
        span,
    })
}

fn not_a_left_side(span: Span, at: Span) -> Fault {
    let message = "The left side of `=` must be `name`, `name(parameters)` or `name!(x, y)`";
    vec![
        Diagnostic::error(Phase::Parse, "BG008", span, message)
            .label("this cannot be defined")
            .related(at, "defined by this `=`")
            .note("to compare two values, write `==`"),
    ]
}

fn parameter(argument: Expr) -> Result<Word, Fault> {
    match argument.kind {
        Kind::Name(name) => Ok(name),
        Kind::Tuple(_) => Err(vec![
            Diagnostic::error(
                Phase::Parse,
                "BG008",
                argument.span,
                "A parameter is one name; it cannot be a tuple",
            )
            .note("give the whole tuple one name, and take its parts with `#1`, `#2`, …"),
        ]),
        _ => Err(vec![
            Diagnostic::error(
                Phase::Parse,
                "BG008",
                argument.span,
                "A parameter must be a name",
            )
            .note("a function has one equation: tell its cases apart with `if … then … else …`"),
        ]),
    }
}

fn positions(expr: Expr) -> Result<(Position, Position), Fault> {
    let span = expr.span;
    let pair = match expr.kind {
        Kind::Tuple(parts) => <[Expr; 2]>::try_from(parts).ok(),
        _ => None,
    };
    match pair.map(|pair| pair.map(position)) {
        Some([Some(x), Some(y)]) => Ok((x, y)),
        _ => Err(vec![
            Diagnostic::error(
                Phase::Parse,
                "BG008",
                span,
                "A board equation is for a position of two numbers or names",
            )
            .note("write `b!(1, 2) = …` for one cell, `b!(x, 2) = …` for a row, `b!(x, y) = …` for all cells"),
        ]),
    }
}

fn position(expr: Expr) -> Option<Position> {
    match expr.kind {
        Kind::Int(value) => Some(Position::At(Literal {
            value,
            span: expr.span,
        })),
        Kind::Name(name) => Some(Position::Every(name)),
        _ => None,
    }
}

pub fn program(game: Word, pieces: Vec<Piece>) -> Result<Program, Fault> {
    let items = gather(pieces)?;
    let lone = items.iter().filter_map(|item| match item {
        Item::Value(definition) if definition.signature.is_none() => {
            Some(unsigned(definition, &items))
        }
        _ => None,
    });
    let faults: Fault = lone.collect();
    if faults.is_empty() {
        Ok(Program { game, items })
    } else {
        Err(faults)
    }
}

pub fn lines(source: &Source, pieces: Vec<Piece>, expr: Option<Expr>) -> Result<Entry, Fault> {
    if let (Some(Piece::Let(above)), Some(expr)) = (pieces.last(), &expr) {
        apart(source, above, expr)?;
    }
    Ok(Entry::Lines {
        items: gather(pieces)?,
        expr,
    })
}

/// `let x = 1 x`: on one line it was meant as a `let` with `in`.
fn apart(source: &Source, above: &SessionLet, expr: &Expr) -> Result<(), Fault> {
    let line = |at: u32| source.line_column(at).0;
    if line(above.span.end) < line(expr.span.start) {
        return Ok(());
    }
    let message = format!(
        "Expected `in` before `{}`",
        source.slice(expr.span).lines().next().unwrap_or_default()
    );
    let fault = Diagnostic::error(Phase::Parse, "BG003", expr.span, message)
        .related(above.span, "this `let` goes on with `in`")
        .note("or give what follows it a line of its own: then it holds for the session");
    Err(vec![fault])
}

fn unsigned(definition: &Definition, items: &[Item]) -> Diagnostic {
    let name = &definition.name;
    let signed = items.iter().find_map(|item| match item {
        Item::Value(other) if other.name.text == name.text => other.signature.as_ref(),
        _ => None,
    });
    match signed {
        Some(signature) => {
            let message = format!(
                "This equation of `{}` does not stand under its signature",
                name.text
            );
            Diagnostic::error(Phase::Check, "BG022", name.span, message)
                .related(signature.span, "the signature is here")
                .note("all equations of a board stand together, right under its signature")
        }
        None => {
            let message = format!("`{}` has no signature", name.text);
            Diagnostic::error(Phase::Check, "BG020", name.span, message).note(format!(
                "write its type on the line before, such as `{} : Int`",
                name.text
            ))
        }
    }
}

fn gather(pieces: Vec<Piece>) -> Result<Vec<Item>, Fault> {
    let mut items: Vec<Item> = Vec::new();
    let mut open: Option<Definition> = None;
    for piece in pieces {
        let next = match (piece, open.take()) {
            (Piece::Equation(equation), Some(mut above))
                if above.name.text == equation.name.text =>
            {
                join(&mut above, equation)?;
                open = Some(above);
                continue;
            }
            (piece, above) => {
                items.extend(above.map(|definition| Item::Value(Arc::new(definition))));
                piece
            }
        };
        match next {
            Piece::Type(definition) => items.push(Item::Type(Arc::new(definition))),
            Piece::Let(session) => items.push(Item::Let(Arc::new(session))),
            Piece::Equation(equation) => open = Some(define(None, equation)?),
            Piece::Signed(signature, equation) => open = Some(define(Some(signature), equation)?),
        }
    }
    items.extend(open.map(|definition| Item::Value(Arc::new(definition))));
    Ok(items)
}

fn define(signature: Option<Signature>, equation: Equation) -> Result<Definition, Fault> {
    let Equation {
        name,
        left,
        expr,
        span,
    } = equation;
    if let Some(signature) = signature
        .as_ref()
        .filter(|signature| signature.name.text != name.text)
    {
        let message = format!(
            "The signature of `{}` is followed by an equation of `{}`",
            signature.name.text, name.text
        );
        return Err(vec![
            Diagnostic::error(Phase::Check, "BG022", name.span, message)
                .related(signature.name.span, "the signature is here")
                .note("an equation stands right under its own signature, with the same name"),
        ]);
    }
    let body = match left {
        Left::Value => Body::Value(expr),
        Left::Function(parameters) => Body::Function { parameters, expr },
        Left::Board(x, y) => Body::Board(vec![BoardEquation { x, y, expr, span }]),
    };
    let whole = signature
        .as_ref()
        .map_or(span, |signature| signature.span.to(span));
    let name = signature
        .as_ref()
        .map_or(name, |signature| signature.name.clone());
    Ok(Definition {
        name,
        signature,
        body,
        equation: span,
        span: whole,
    })
}

/// Only boards have several equations.
fn join(above: &mut Definition, equation: Equation) -> Result<(), Fault> {
    match (&mut above.body, equation.left) {
        (Body::Board(equations), Left::Board(x, y)) => {
            equations.push(BoardEquation {
                x,
                y,
                expr: equation.expr,
                span: equation.span,
            });
            above.span = above.span.to(equation.span);
            Ok(())
        }
        _ => {
            let message = format!("`{}` already has its equation", equation.name.text);
            let fault = Diagnostic::error(Phase::Check, "BG021", equation.name.span, message)
                .related(above.span, "it is defined here")
                .note("only boards have several equations; tell the cases of a function apart with `if`");
            Err(vec![fault])
        }
    }
}
