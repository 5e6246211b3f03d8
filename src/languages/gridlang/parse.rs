//! From text to tree, and the small decisions the grammar cannot make by itself.

use super::ast::*;
use super::token::KEYWORDS;
use super::{error_code, grammar, newlines, syntax_error};
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::{Origin, Source, SourceId, Span};
use std::sync::Arc;

/// What the text is: the grammar is the same, but the checker lets only an entry have statements outside of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Program,
    Entry,
}

pub fn parse(source: &Source, start: Start) -> Result<Ast, Vec<Diagnostic>> {
    let placed = newlines::parser_tokens(&source.text);
    match grammar::StartParser::new().parse(source.id, placed.iter().copied()) {
        Ok(lines) => Ok(Ast {
            start,
            source: source.id,
            top_level: lines,
        }),
        Err(error) => Err(vec![
            syntax_error::explain(error, source, &placed).diagnostic,
        ]),
    }
}

/// Whether the only thing wrong with an entry is that it ends too early.
pub fn is_incomplete(text: &str) -> bool {
    let source = Source::new(SourceId::default(), Origin::Entry(0), text);
    let placed = newlines::parser_tokens(text);
    match grammar::StartParser::new().parse(source.id, placed.iter().copied()) {
        Ok(_) => false,
        Err(error) => syntax_error::explain(error, &source, &placed).is_incomplete,
    }
}

fn fault(code: &'static str, span: Span, message: String, note: &str) -> BoxedDiagnostic {
    let diagnostic = Diagnostic::error(Phase::Parse, code, span, message);
    Box::new(if note.is_empty() {
        diagnostic
    } else {
        diagnostic.note(note)
    })
}

pub(super) fn name(text: &str, span: Span) -> Name {
    Name {
        text: Arc::from(text),
        span,
    }
}

/// The text between the quotes, its escapes replaced.
pub(super) fn unescape(
    quoted: &str,
    id: SourceId,
    start: usize,
) -> Result<Arc<str>, BoxedDiagnostic> {
    let inside = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("");
    let mut plain = String::with_capacity(inside.len());
    let mut letters = inside.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some((_, 'n')) => plain.push('\n'),
            Some((_, 't')) => plain.push('\t'),
            Some((_, c @ ('\\' | '"' | '\''))) => plain.push(c),
            Some((_, c)) => {
                let from = start + 1 + at;
                let span = Span::new(id, from, from + 1 + c.len_utf8());
                let message = format!("a string has no escape `\\{c}`");
                return Err(fault(
                    error_code::BAD_ESCAPE,
                    span,
                    message,
                    "the escapes are \\n \\t \\\\ and \\\"",
                ));
            }
            None => {}
        }
    }
    Ok(plain.into())
}

/// A player type in quotes.
pub(super) fn quoted_name(word: &str, span: Span) -> Result<Name, BoxedDiagnostic> {
    Ok(Name {
        text: unescape(word, span.source, span.start as usize)?,
        span,
    })
}

/// Digits beyond any int are kept as the largest number: the checker refuses them all.
pub(super) fn int(digits: &str) -> ExprKind {
    ExprKind::Int(digits.parse().unwrap_or(i64::MAX))
}

pub(super) fn float(digits: &str) -> ExprKind {
    ExprKind::Float(digits.parse().unwrap_or(f64::INFINITY))
}

/// `-343` is a literal of its own, so that the least int can be written.
pub(super) fn negate(of: Expr, span: Span) -> Result<Expr, BoxedDiagnostic> {
    match of.kind {
        ExprKind::Int(n) if n > 0 => Expr::new(ExprKind::Int(-n), span),
        ExprKind::Float(n) if n > 0.0 => Expr::new(ExprKind::Float(-n), span),
        _ => Expr::new(ExprKind::Negate(Box::new(of)), span),
    }
}

pub(super) fn arithmetic(
    op: ArithmeticOp,
    a: Expr,
    b: Expr,
    span: Span,
) -> Result<Expr, BoxedDiagnostic> {
    Expr::new(ExprKind::Arithmetic(op, Box::new(a), Box::new(b)), span)
}

pub(super) fn comparison(
    op: CompareOp,
    a: Expr,
    b: Expr,
    span: Span,
) -> Result<Expr, BoxedDiagnostic> {
    Expr::new(ExprKind::Comparison(op, Box::new(a), Box::new(b)), span)
}

pub(super) fn type_keyword(base: Base, span: Span) -> Result<Expr, BoxedDiagnostic> {
    Expr::new(ExprKind::TypeKeyword(base), span)
}

pub(super) fn scalar_type(base: Base, span: Span) -> TypeName {
    TypeName {
        base,
        sizes: ArraySizes::NotArray,
        span,
    }
}

pub(super) fn array_type(ty: TypeName, sizes: ArraySizes, end: usize) -> TypeName {
    let span = Span::new(ty.span.source, ty.span.start as usize, end);
    TypeName { sizes, span, ..ty }
}

/// What was read as a value turns out to be the type of a declaration: `Bonus b`, `Player[3] all`.
pub(super) fn type_from_expr(word: Expr) -> Result<TypeName, BoxedDiagnostic> {
    let span = word.span;
    match word.kind {
        ExprKind::PlayerKeyword => Ok(scalar_type(Base::Player, span)),
        ExprKind::ItemKeyword => Ok(scalar_type(Base::Item, span)),
        ExprKind::Name(text) => Ok(scalar_type(Base::ItemKind(Name { text, span }), span)),
        ExprKind::Index(of, sizes) if !matches!(of.kind, ExprKind::Index(..)) => Ok(array_type(
            type_from_expr(*of)?,
            ArraySizes::Explicit(sizes),
            span.end as usize,
        )),
        _ => Err(fault(
            error_code::NOT_A_TYPE,
            span,
            "a name stands behind this as if it were a type, but it is none".into(),
            "a declaration is a type and a name, as in `int x`; two statements need a new line or `;` between them",
        )),
    }
}

/// `Item Bonus` in front of a variable.
pub(super) fn item_kind_type(word: Expr, kind: Name) -> Result<TypeName, BoxedDiagnostic> {
    let span = word.span.to(kind.span);
    match word.kind {
        ExprKind::ItemKeyword => Ok(scalar_type(Base::ItemKind(kind), span)),
        ExprKind::Name(text) => {
            let message = format!(
                "`{text} {}` is no type{}",
                kind.text,
                did_you_mean(&text, KEYWORDS.iter().copied())
            );
            Err(fault(
                error_code::NOT_A_TYPE,
                span,
                message,
                "a declaration is one type and a name, as in `Item Bonus b`",
            ))
        }
        _ => Err(fault(
            error_code::NOT_A_TYPE,
            span,
            "this is no type".into(),
            "a declaration is one type and a name",
        )),
    }
}

pub(super) fn item_block(
    word: Expr,
    name: Name,
    rows: Vec<AttributeDecl>,
    span: Span,
) -> Result<Definition, BoxedDiagnostic> {
    if word.kind == ExprKind::ItemKeyword {
        return Ok(Definition::Item(Arc::new(ItemBlock {
            name,
            attributes: rows,
            span,
        })));
    }
    let message = format!(
        "only a kind of item is defined like this, with the word `Item` before `{}`",
        name.text
    );
    Err(fault(
        error_code::NOT_A_TYPE,
        word.span,
        message,
        "as in `Item Bonus { int value }`",
    ))
}

/// Whom a handler is for.
pub(super) fn piece_ref(word: Expr) -> Result<PieceRef, BoxedDiagnostic> {
    let span = word.span;
    match word.kind {
        ExprKind::PlayerKeyword => Ok(PieceRef::Player(span)),
        ExprKind::ItemKeyword => Ok(PieceRef::Item(span)),
        ExprKind::Name(text) => Ok(PieceRef::Named(Name { text, span })),
        _ => Err(fault(
            error_code::BAD_RECEIVER,
            span,
            "a handler belongs to a name: a player, an item, a kind of item, a player type, `Player` or `Item`".into(),
            "to tell single pieces of an array apart, look at their attributes in the handler of their kind",
        )),
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
