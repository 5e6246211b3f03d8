//! From text to tree, and the small decisions the grammar cannot make by itself.

use super::ast::*;
use super::token::KEYWORDS;
use super::{code, explain, grammar, line};
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
    let placed = line::statements(&source.text);
    match grammar::StartParser::new().parse(source.id, placed.iter().copied()) {
        Ok(lines) => Ok(Ast {
            start,
            source: source.id,
            lines,
        }),
        Err(error) => Err(vec![explain::explain(error, source, &placed).diagnostic]),
    }
}

/// Whether the only thing wrong with an entry is that it ends too early.
pub fn is_unfinished(text: &str) -> bool {
    let source = Source::new(SourceId::default(), Origin::Entry(0), text);
    let placed = line::statements(text);
    match grammar::StartParser::new().parse(source.id, placed.iter().copied()) {
        Ok(_) => false,
        Err(error) => explain::explain(error, &source, &placed).at_end,
    }
}

fn fault(code: &'static str, span: Span, message: String, note: &str) -> Fault {
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
pub(super) fn text(quoted: &str, id: SourceId, start: usize) -> Result<Arc<str>, Fault> {
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
                    code::BAD_ESCAPE,
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
pub(super) fn quoted(word: &str, span: Span) -> Result<Name, Fault> {
    Ok(Name {
        text: text(word, span.source, span.start as usize)?,
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
pub(super) fn negative(of: Expr, span: Span) -> Result<Expr, Fault> {
    match of.kind {
        ExprKind::Int(n) if n > 0 => Expr::new(ExprKind::Int(-n), span),
        ExprKind::Float(n) if n > 0.0 => Expr::new(ExprKind::Float(-n), span),
        _ => Expr::new(ExprKind::Negative(Box::new(of)), span),
    }
}

pub(super) fn arithmetic(op: Arithmetic, a: Expr, b: Expr, span: Span) -> Result<Expr, Fault> {
    Expr::new(ExprKind::Arithmetic(op, Box::new(a), Box::new(b)), span)
}

pub(super) fn comparison(op: Comparison, a: Expr, b: Expr, span: Span) -> Result<Expr, Fault> {
    Expr::new(ExprKind::Comparison(op, Box::new(a), Box::new(b)), span)
}

pub(super) fn primitive(base: Base, span: Span) -> Result<Expr, Fault> {
    Expr::new(ExprKind::TypeWord(base), span)
}

pub(super) fn single(base: Base, span: Span) -> TypeName {
    TypeName {
        base,
        sizes: Sizes::None,
        span,
    }
}

pub(super) fn with_sizes(ty: TypeName, sizes: Sizes, end: usize) -> TypeName {
    let span = Span::new(ty.span.source, ty.span.start as usize, end);
    TypeName { sizes, span, ..ty }
}

/// What was read as a value turns out to be the type of a declaration: `Bonus b`, `Player[3] all`.
pub(super) fn declared(word: Expr) -> Result<TypeName, Fault> {
    let span = word.span;
    match word.kind {
        ExprKind::PlayerWord => Ok(single(Base::Player, span)),
        ExprKind::ItemWord => Ok(single(Base::Item, span)),
        ExprKind::Name(text) => Ok(single(Base::Kind(Name { text, span }), span)),
        ExprKind::Element(of, sizes) if !matches!(of.kind, ExprKind::Element(..)) => Ok(
            with_sizes(declared(*of)?, Sizes::Given(sizes), span.end as usize),
        ),
        _ => Err(fault(
            code::NO_TYPE,
            span,
            "a name stands behind this as if it were a type, but it is none".into(),
            "a declaration is a type and a name, as in `int x`; two statements need a new line or `;` between them",
        )),
    }
}

/// `Item Bonus` in front of a variable.
pub(super) fn item_kind(word: Expr, kind: Name) -> Result<TypeName, Fault> {
    let span = word.span.to(kind.span);
    match word.kind {
        ExprKind::ItemWord => Ok(single(Base::Kind(kind), span)),
        ExprKind::Name(text) => {
            let message = format!(
                "`{text} {}` is no type{}",
                kind.text,
                did_you_mean(&text, KEYWORDS.iter().copied())
            );
            Err(fault(
                code::NO_TYPE,
                span,
                message,
                "a declaration is one type and a name, as in `Item Bonus b`",
            ))
        }
        _ => Err(fault(
            code::NO_TYPE,
            span,
            "this is no type".into(),
            "a declaration is one type and a name",
        )),
    }
}

pub(super) fn item_block(
    word: Expr,
    name: Name,
    rows: Vec<AttributeRow>,
    span: Span,
) -> Result<Definition, Fault> {
    if word.kind == ExprKind::ItemWord {
        return Ok(Definition::Item(Arc::new(ItemBlock { name, rows, span })));
    }
    let message = format!(
        "only a kind of item is defined like this, with the word `Item` before `{}`",
        name.text
    );
    Err(fault(
        code::NO_TYPE,
        word.span,
        message,
        "as in `Item Bonus { int value }`",
    ))
}

/// Whom a handler is for.
pub(super) fn piece(word: Expr) -> Result<Piece, Fault> {
    let span = word.span;
    match word.kind {
        ExprKind::PlayerWord => Ok(Piece::Player(span)),
        ExprKind::ItemWord => Ok(Piece::Item(span)),
        ExprKind::Name(text) => Ok(Piece::Named(Name { text, span })),
        _ => Err(fault(
            code::NO_RECEIVER,
            span,
            "a handler belongs to a name: a player, an item, a kind of item, a player type, `Player` or `Item`".into(),
            "to tell single pieces of an array apart, look at their attributes in the handler of their kind",
        )),
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
