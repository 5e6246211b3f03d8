//! Functions the grammar calls to build nodes. Also groups equations under their signatures.

use std::sync::Arc;

use lalrpop_util::ParseError;

use super::precedence::OperatorChain;
use crate::ast::*;
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::syntax::{GrammarErrors, LalrpopError, parse_error};
use crate::source::{Source, Span};
use crate::token::Token;

/// What the grammar returns, depending on the start token.
pub enum Parsed {
    Program(Program),
    Prelude(Vec<Item>),
    Entry(Entry),
    Input(Constant),
}

/// A definition as written, before equations are grouped.
pub enum RawItem {
    Type(TypeDef),
    Definition(Signature, Equation),
    Equation(Equation),
    Let(SessionLet),
}

pub struct Equation {
    name: Name,
    left: LeftSide,
    expr: Expr,
    span: Span,
}

enum LeftSide {
    Value,
    Function(Vec<Name>),
    Board(IndexPattern, IndexPattern),
}

/// Converts the errors of a grammar action to the parser generator's error type.
pub fn user_error<T>(result: Result<T, GrammarErrors>) -> Result<T, LalrpopError<Token>> {
    result.map_err(|error| ParseError::User { error })
}

pub fn new_expr(kind: ExprKind, span: Span) -> Result<Expr, GrammarErrors> {
    Expr::new(kind, span).ok_or_else(|| too_deep(span))
}

pub fn too_deep(span: Span) -> GrammarErrors {
    let message = format!(
        "nesting too deep: the limit is {MAX_EXPR_DEPTH} levels, counting operators and `else if`"
    );
    let note = "name parts of the expression with `let`";
    error("BG005", span, message, note)
}

/// An error with a note.
fn error(code: &'static str, span: Span, message: impl Into<String>, note: &str) -> GrammarErrors {
    vec![parse_error(code, span, message).note(note)]
}

pub fn ident(source: &Source, start: usize, end: usize) -> Name {
    let span = source.span(start, end);
    Name {
        text: source.slice(span).into(),
        span,
    }
}

pub fn name_expr(name: Name) -> Result<Expr, GrammarErrors> {
    let span = name.span;
    new_expr(ExprKind::Name(name), span)
}

pub fn call_expr(function: Name, arguments: Vec<Expr>, end: usize) -> Result<Expr, GrammarErrors> {
    let span = Span {
        end: end as u32,
        ..function.span
    };
    new_expr(ExprKind::Call(function, arguments), span)
}

/// The only part, or all of them if there are several.
fn single<T>(mut parts: Vec<T>) -> Result<T, Vec<T>> {
    match parts.len() {
        1 => parts.pop().ok_or(parts),
        _ => Err(parts),
    }
}

/// `(e)` is `e` with a wider span; several expressions form a tuple.
pub fn parenthesized(parts: Vec<Expr>, span: Span) -> Result<Expr, GrammarErrors> {
    match single(parts) {
        Ok(only) => Ok(Expr { span, ..only }),
        Err(parts) => new_expr(ExprKind::Tuple(parts), span),
    }
}

pub fn tuple_constant(parts: Vec<Constant>) -> Constant {
    single(parts).unwrap_or_else(Constant::Tuple)
}

pub fn tuple_type(parts: Vec<TypeExpr>, span: Span) -> TypeExpr {
    let kind = match single(parts) {
        Ok(only) => only.kind,
        Err(parts) => TypeKind::Tuple(parts),
    };
    TypeExpr { kind, span }
}

pub fn extended_type(first: TypeExpr, more: Vec<TypeExpr>, span: Span) -> TypeExpr {
    let mut terms = vec![first];
    terms.extend(more);
    TypeExpr {
        kind: TypeKind::Extended(terms),
        span,
    }
}

/// Parses an integer literal. `start` is the position of its sign, if it has one; `digits` of its
/// first digit.
pub fn int_literal(
    source: &Source,
    minus: bool,
    start: usize,
    digits: usize,
    end: usize,
) -> Result<Literal<i64>, GrammarErrors> {
    let (span, text) = (
        source.span(start, end),
        source.slice(source.span(digits, end)).to_ascii_lowercase(),
    );
    let magnitude = match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
        (Some(hexadecimal), _) => i128::from_str_radix(hexadecimal, 16),
        (_, Some(octal)) => i128::from_str_radix(octal, 8),
        _ => text.parse(),
    };
    let value = magnitude
        .ok()
        .and_then(|magnitude| i64::try_from(if minus { -magnitude } else { magnitude }).ok());
    value.map(|value| Literal { value, span }).ok_or_else(|| {
        let note = format!("`Int`s range from {} to {}", i64::MIN, i64::MAX);
        error("BG006", span, "number too large for an `Int`", &note)
    })
}

/// Converts the left side of `=`, which the grammar parses as an expression.
pub fn equation(
    left: OperatorChain,
    equals_sign: Span,
    expr: Expr,
) -> Result<Equation, GrammarErrors> {
    let left = left.into_expr()?;
    let span = left.span.to(expr.span);
    let (name, left) = match left.kind {
        ExprKind::Name(name) => (name, LeftSide::Value),
        ExprKind::Call(function, arguments) => {
            let cell_equation = cell_equation(&function.text, &arguments);
            let names = arguments.into_iter();
            let names = names.map(|argument| parameter(argument, cell_equation.as_deref()));
            (
                function,
                LeftSide::Function(names.collect::<Result<_, _>>()?),
            )
        }
        ExprKind::Binary(Op::Lookup, left, right, _) => match (left.kind, cell_pattern(*right)?) {
            (ExprKind::Name(name), (x, y)) => (name, LeftSide::Board(x, y)),
            _ => return Err(invalid_left_side(left.span, equals_sign)),
        },
        _ => return Err(invalid_left_side(left.span, equals_sign)),
    };
    Ok(Equation {
        name,
        left,
        expr,
        span,
    })
}

fn invalid_left_side(span: Span, equals_sign: Span) -> GrammarErrors {
    let message = "expected `name`, `name(parameters)` or `name!(x, y)` before `=`";
    vec![
        parse_error("BG008", span, message)
            .label("this cannot be defined")
            .related(equals_sign, "defined by this `=`")
            .note("to compare two values, write `==`"),
    ]
}

/// How to write `b(1, 2) = …` if that was meant to be a cell of a board.
fn cell_equation(function: &str, arguments: &[Expr]) -> Option<String> {
    let text = |argument: &Expr| match &argument.kind {
        ExprKind::Int(n) => Some(n.to_string()),
        ExprKind::Name(name) => Some(name.text.to_string()),
        _ => None,
    };
    let [x, y] = arguments else { return None };
    let (x, y) = (text(x)?, text(y)?);
    Some(format!(
        "the equation of a cell is written `{function}!({x}, {y}) = …`"
    ))
}

fn parameter(argument: Expr, cell_equation: Option<&str>) -> Result<Name, GrammarErrors> {
    let (found, note) = match (&argument.kind, cell_equation) {
        (ExprKind::Name(name), _) => return Ok(name.clone()),
        (kind @ ExprKind::Int(_), Some(note)) => (describe(kind), note),
        (ExprKind::Tuple(_), _) => (
            "a tuple",
            "give the tuple one name and access its components with `#1`, `#2`, …",
        ),
        (kind, _) => (
            describe(kind),
            "a function has one equation; distinguish cases with `if … then … else …`",
        ),
    };
    let message = format!("expected a parameter name, found {found}");
    Err(error("BG008", argument.span, message, note))
}

fn describe(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Int(_) => "an integer",
        ExprKind::Bool(_) => "a `Bool`",
        ExprKind::Symbol(_) => "a symbol",
        _ => "an expression",
    }
}

/// Converts the `(x, y)` of `b!(x, y) = …`.
fn cell_pattern(expr: Expr) -> Result<(IndexPattern, IndexPattern), GrammarErrors> {
    let span = expr.span;
    let pair = match expr.kind {
        ExprKind::Tuple(parts) => <[Expr; 2]>::try_from(parts).ok(),
        _ => None,
    };
    match pair.map(|pair| pair.map(index_pattern)) {
        Some([Some(x), Some(y)]) => Ok((x, y)),
        _ => Err(error(
            "BG008",
            span,
            "expected a position of two numbers or names",
            "write `b!(1, 2) = …` for one cell, `b!(x, 2) = …` for a row, `b!(x, y) = …` for all cells",
        )),
    }
}

fn index_pattern(expr: Expr) -> Option<IndexPattern> {
    match expr.kind {
        ExprKind::Int(value) => Some(IndexPattern::Fixed(Literal {
            value,
            span: expr.span,
        })),
        ExprKind::Name(name) => Some(IndexPattern::Wildcard(name)),
        _ => None,
    }
}

pub fn program(game: Name, raw_items: Vec<RawItem>) -> Result<Program, GrammarErrors> {
    let items = file_items(raw_items)?;
    Ok(Program { game, items })
}

/// The definitions of a file, each with its signature.
pub fn file_items(raw_items: Vec<RawItem>) -> Result<Vec<Item>, GrammarErrors> {
    let items = group_equations(raw_items)?;
    let missing = items.iter().filter_map(|item| match item {
        Item::Value(definition) if definition.signature.is_none() => {
            Some(missing_signature(definition, &items))
        }
        _ => None,
    });
    let errors: GrammarErrors = missing.collect();
    match errors.is_empty() {
        true => Ok(items),
        false => Err(errors),
    }
}

pub fn entry(
    source: &Source,
    raw_items: Vec<RawItem>,
    expr: Option<Expr>,
) -> Result<Entry, GrammarErrors> {
    if let (Some(RawItem::Let(above)), Some(expr)) = (raw_items.last(), &expr) {
        check_on_new_line(source, above, expr)?;
    }
    Ok(Entry::Lines {
        items: group_equations(raw_items)?,
        expr,
    })
}

/// Rejects `let x = 1 x` on one line, where `in` was probably forgotten.
fn check_on_new_line(
    source: &Source,
    above: &SessionLet,
    expr: &Expr,
) -> Result<(), GrammarErrors> {
    let line = |at: u32| source.line_number(at);
    if line(above.span.end) < line(expr.span.start) {
        return Ok(());
    }
    let first_line = source.slice(expr.span).lines().next().unwrap_or_default();
    let message = format!("missing `in` before `{first_line}`");
    let error = parse_error("BG003", expr.span, message)
        .related(above.span, "this `let` has no `in`")
        .note("to define a session variable instead, put the rest on a new line");
    Err(vec![error])
}

fn missing_signature(definition: &Definition, items: &[Item]) -> Diagnostic {
    let name = &definition.name;
    let own_signature = items.iter().find_map(|item| match item {
        Item::Value(other) if other.name.text == name.text => other.signature.as_ref(),
        _ => None,
    });
    match own_signature {
        Some(signature) => {
            let name_text = &name.text;
            let message =
                format!("equation of `{name_text}` does not directly follow its signature");
            Diagnostic::error(Phase::Check, "BG022", name.span, message)
                .related(signature.span, "the signature is here")
                .note("all equations of a board must directly follow its signature")
        }
        None => {
            let note = format!("write its type on the line before: `{} : Int`", name.text);
            no_signature(name).note(note)
        }
    }
}

/// The error for a name without a signature.
pub fn no_signature(name: &Name) -> Diagnostic {
    let message = format!("`{}` has no signature", name.text);
    Diagnostic::error(Phase::Check, "BG020", name.span, message)
}

/// Merges consecutive equations of a board into one definition.
fn group_equations(raw_items: Vec<RawItem>) -> Result<Vec<Item>, GrammarErrors> {
    let mut items: Vec<Item> = Vec::new();
    let mut current: Option<Definition> = None;
    for raw_item in raw_items {
        let next = match (raw_item, current.take()) {
            (RawItem::Equation(equation), Some(mut above))
                if above.name.text == equation.name.text =>
            {
                add_equation(&mut above, equation)?;
                current = Some(above);
                continue;
            }
            (raw_item, above) => {
                items.extend(above.map(|definition| Item::Value(Arc::new(definition))));
                raw_item
            }
        };
        match next {
            RawItem::Type(definition) => items.push(Item::Type(Arc::new(definition))),
            RawItem::Let(session_let) => items.push(Item::Let(Arc::new(session_let))),
            RawItem::Equation(equation) => current = Some(definition(None, equation)?),
            RawItem::Definition(signature, equation) => {
                current = Some(definition(Some(signature), equation)?)
            }
        }
    }
    items.extend(current.map(|definition| Item::Value(Arc::new(definition))));
    Ok(items)
}

fn definition(
    signature: Option<Signature>,
    equation: Equation,
) -> Result<Definition, GrammarErrors> {
    let Equation {
        name,
        left,
        expr,
        span,
    } = equation;
    let declared = signature.as_ref().map(|signature| &signature.name);
    if let Some(declared) = declared.filter(|declared| declared.text != name.text) {
        let (declared_text, text) = (&declared.text, &name.text);
        let message =
            format!("signature of `{declared_text}` is followed by an equation of `{text}`");
        let error = Diagnostic::error(Phase::Check, "BG022", name.span, message)
            .related(declared.span, "the signature is here")
            .note("an equation must directly follow the signature with the same name");
        return Err(vec![error]);
    }
    let body = match left {
        LeftSide::Value => Body::Value(expr),
        LeftSide::Function(parameters) => Body::Function { parameters, expr },
        LeftSide::Board(x, y) => Body::Board(vec![BoardEquation { x, y, expr, span }]),
    };
    let (name, full_span) = match &signature {
        Some(signature) => (signature.name.clone(), signature.span.to(span)),
        None => (name, span),
    };
    Ok(Definition {
        name,
        signature,
        body,
        equation_span: span,
        span: full_span,
    })
}

/// Adds another equation to a definition. Only boards can have several.
fn add_equation(above: &mut Definition, equation: Equation) -> Result<(), GrammarErrors> {
    match (&mut above.body, equation.left) {
        (Body::Board(equations), LeftSide::Board(x, y)) => {
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
            let message = format!("duplicate definition of `{}`", equation.name.text);
            let error = Diagnostic::error(Phase::Check, "BG021", equation.name.span, message)
                .related(above.span, "first defined here")
                .note("only boards can have several equations; distinguish the cases of a function with `if`");
            Err(vec![error])
        }
    }
}
