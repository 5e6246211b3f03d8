//! The parser, and the helpers for decisions that the LR(1) grammar cannot make.
//!
//! ```text
//! newlines      ends of statements, between lexer and parser
//! prompt_input  the player's answers
//! syntax_error  what syntax errors say
//! dialect       the C-like dialect of another compiler
//! ```

pub mod dialect;
pub mod newlines;
pub mod prompt_input;
pub mod syntax_error;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused)]
    grammar,
    "/gridlang.rs"
);

use super::ast::*;
use super::info::INFO;
use super::token::{self, Token};
use crate::check::errors;
use crate::check::types::Type;
use crate::diagnostic::{Diagnostic, closest_match, did_you_mean};
use crate::language::syntax::{GrammarErrors, ParseFailure, ParserInput, parse_error, parse_file};
use crate::language::{Continuation, ParsedEntry};
use crate::source::{Origin, Source, SourceId, Span};
use std::ops::Range;
use std::sync::Arc;

/// Whether a source is a program or an entry. The grammar is the same, but the checker allows
/// top-level statements only in entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Program,
    Entry,
}

/// Parses a program or an entry.
pub fn parse(source: &Source, start: Start) -> Result<Ast, Vec<Diagnostic>> {
    match start {
        Start::Program => parse_program(source, |_| Vec::new()),
        Start::Entry => parse_prompt(source).into_tree(),
    }
}

/// Parses a program. If that fails, `check` returns the errors of the parts that parsed.
pub fn parse_program(
    source: &Source,
    check: impl FnOnce(Ast) -> Vec<Diagnostic>,
) -> Result<Ast, Vec<Diagnostic>> {
    parse_file(
        source,
        None,
        |text| tokenize(source, text),
        |input| run(source, Start::Program, input),
        check,
    )
}

/// Parses an entry, and tells whether it is valid so far and more input could complete it.
pub fn parse_prompt(source: &Source) -> ParsedEntry {
    let input = ParserInput::new(source, None, tokenize(source, &source.text));
    ParsedEntry::from_parser(&input, run(source, Start::Entry, &input))
        .continued(|tree: &Ast| continuation(source, tree))
}

/// Whether a call is probably the header of a block, maybe misspelled.
fn is_block_name(name: &str, argument_count: usize) -> bool {
    let blocks: &[&str] = match argument_count {
        0 => &["gameLoop", "checkGameEnd", "gameOver"],
        2 => &["Layout"],
        _ => &[],
    };
    name == "gameOver" || closest_match(name, blocks.iter().copied()).is_some()
}

/// How the next line can go on with an entry: with the `else` of an `if`, or with the block whose
/// header it is. No statement starts with a brace.
fn continuation(source: &Source, tree: &Ast) -> Continuation {
    let Some(TopLevel::Statement(last)) = tree.top_level.last() else {
        return Continuation::default();
    };
    match &last.kind {
        StmtKind::If { .. } | StmtKind::While { .. } => Continuation {
            words: if lacks_else(source, last) {
                &["else"]
            } else {
                &[]
            },
            equation_of: None,
            is_likely: source.text.trim_end().contains('\n'),
        },
        StmtKind::Expr(header) => Continuation {
            words: &["{"],
            equation_of: None,
            is_likely: match &header.kind {
                ExprKind::PlayerKeyword => true,
                ExprKind::Call(name, arguments) => is_block_name(&name.text, arguments.len()),
                _ => false,
            },
        },
        // `Item Bonus` declares a variable, unless a block follows.
        StmtKind::Declare { ty, declarators } => Continuation {
            words: &["{"],
            equation_of: None,
            is_likely: ty.base == Base::Known(Type::Item(None))
                && matches!(&declarators[..], [one] if one.init.is_none()),
        },
        _ => Continuation::default(),
    }
}

/// Whether a statement ends with an `if` that could have an `else` after it.
fn lacks_else(source: &Source, statement: &Stmt) -> bool {
    let body = match &statement.kind {
        StmtKind::If {
            otherwise: None, ..
        } => return true,
        StmtKind::If {
            otherwise: Some(body),
            ..
        }
        | StmtKind::While { body, .. } => body,
        _ => return false,
    };
    let has_braces = source.slice(body.span).starts_with('{');
    let last = body.statements.last();
    !has_braces && last.is_some_and(|last| lacks_else(source, last))
}

/// The tokens of a text. In the rules of play, an `@` and the word after it are one name, which is
/// valid nowhere else.
fn tokenize<'t>(source: &Source, text: &'t str) -> Vec<(Range<usize>, Token<'t>)> {
    let mut tokens = token::tokenize(text);
    if matches!(source.origin, Origin::Rules(_)) {
        tokens.dedup_by(|(range, _), (previous, token)| {
            let is_rule_name = *token == Token::Invalid("@");
            if is_rule_name {
                previous.end = range.end;
                *token = Token::Name(&text[previous.clone()]);
            }
            is_rule_name
        });
    }
    tokens
}

fn run<'i, 't>(
    source: &Source,
    start: Start,
    input: &'i ParserInput<'_, Token<'t>>,
) -> Result<Ast, ParseFailure<'i, Token<'t>>> {
    let top_level = input.parse(|tokens| grammar::StartParser::new().parse(source.id, tokens))?;
    Ok(Ast {
        start,
        source: source.id,
        top_level,
    })
}

fn error(code: &'static str, span: Span, message: String, note: &str) -> GrammarErrors {
    let diagnostic = parse_error(code, span, message);
    vec![match note {
        "" => diagnostic,
        note => diagnostic.note(note),
    }]
}

pub(super) fn name(text: &str, span: Span) -> Name {
    Name {
        text: Arc::from(text),
        span,
    }
}

/// The contents of a string literal, with its escapes replaced.
pub(super) fn unescape(
    quoted: &str,
    id: SourceId,
    start: usize,
) -> Result<Arc<str>, GrammarErrors> {
    let contents = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("");
    let mut unescaped = String::with_capacity(contents.len());
    let mut chars = contents.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            unescaped.push(c);
            continue;
        }
        match chars.next() {
            Some((_, 'n')) => unescaped.push('\n'),
            Some((_, 't')) => unescaped.push('\t'),
            Some((_, c @ ('\\' | '"' | '\''))) => unescaped.push(c),
            Some((_, c)) => {
                let from = start + 1 + at;
                let span = Span::new(id, from, from + 1 + c.len_utf8());
                let message = format!("unknown escape `\\{c}`");
                return Err(error(
                    errors::BAD_ESCAPE,
                    span,
                    message,
                    "the escapes are \\n, \\t, \\\\, \\\" and \\'",
                ));
            }
            None => {}
        }
    }
    Ok(unescaped.into())
}

/// A player type, written in quotes.
pub(super) fn quoted_name(literal: &str, span: Span) -> Result<Name, GrammarErrors> {
    Ok(Name {
        text: unescape(literal, span.source, span.start as usize)?,
        span,
    })
}

/// Digits that overflow even an `i64` become `i64::MAX`, which the checker rejects.
pub(super) fn int(digits: &str) -> ExprKind {
    ExprKind::Int(digits.parse().unwrap_or(i64::MAX))
}

pub(super) fn float(digits: &str) -> ExprKind {
    ExprKind::Float(digits.parse().unwrap_or(f64::INFINITY))
}

/// Folds the sign into a literal, so that the smallest int can be written.
pub(super) fn negate(of: Expr, span: Span) -> Result<Expr, GrammarErrors> {
    match of.kind {
        ExprKind::Int(n) if n > 0 => Expr::new(ExprKind::Int(-n), span),
        ExprKind::Float(n) if n > 0.0 => Expr::new(ExprKind::Float(-n), span),
        _ => Expr::new(ExprKind::Negate(Box::new(of)), span),
    }
}

/// An expression of two operands.
pub(super) fn binary(
    kind: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
    a: Expr,
    b: Expr,
    operator: Span,
    span: Span,
) -> Result<Expr, GrammarErrors> {
    Ok(Expr::new(kind(Box::new(a), Box::new(b)), span)?.with_operator(operator))
}

pub(super) fn type_keyword(ty: Type, span: Span) -> Result<Expr, GrammarErrors> {
    Expr::new(ExprKind::TypeKeyword(ty), span)
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

/// Converts what was parsed as an expression to the type of a declaration: `Bonus b`,
/// `Player[3] all`.
pub(super) fn type_from_expr(expr: Expr) -> Result<TypeName, GrammarErrors> {
    let span = expr.span;
    match expr.kind {
        ExprKind::PlayerKeyword => Ok(scalar_type(Base::Known(Type::Player), span)),
        ExprKind::ItemKeyword => Ok(scalar_type(Base::Known(Type::Item(None)), span)),
        ExprKind::Name(text) => Ok(scalar_type(Base::ItemKind(Name { text, span }), span)),
        ExprKind::Index(of, sizes) if !matches!(of.kind, ExprKind::Index(..)) => Ok(array_type(
            type_from_expr(*of)?,
            ArraySizes::Explicit(sizes),
            span.end as usize,
        )),
        _ => Err(error(
            errors::NOT_A_TYPE,
            span,
            "expected a type".into(),
            "declare a variable as `int x`; separate two statements with a line break or `;`",
        )),
    }
}

/// The type `Item Bonus` in a declaration.
pub(super) fn item_kind_type(expr: Expr, kind: Name) -> Result<TypeName, GrammarErrors> {
    let span = expr.span.to(kind.span);
    match expr.kind {
        ExprKind::ItemKeyword => Ok(scalar_type(Base::ItemKind(kind), span)),
        ExprKind::Name(text) => {
            let message = format!(
                "unknown type `{text} {}`{}",
                kind.text,
                did_you_mean(&text, INFO.keywords.iter().copied())
            );
            Err(error(
                errors::NOT_A_TYPE,
                span,
                message,
                "declare a variable with one type and a name, e.g. `Item Bonus b`",
            ))
        }
        _ => Err(error(
            errors::NOT_A_TYPE,
            span,
            "expected a type".into(),
            "declare a variable with one type and a name",
        )),
    }
}

pub(super) fn item_block(
    expr: Expr,
    name: Name,
    attributes: Vec<AttributeDecl>,
    span: Span,
) -> Result<Definition, GrammarErrors> {
    if expr.kind == ExprKind::ItemKeyword {
        return Ok(Definition::Item(Arc::new(ItemBlock {
            name,
            attributes,
            span,
        })));
    }
    let message = format!("expected `Item` before `{}`", name.text);
    Err(error(
        errors::NOT_A_TYPE,
        expr.span,
        message,
        "define a kind of item as `Item Bonus { int value }`",
    ))
}

pub(super) fn function(
    name: Name,
    parameters: Vec<Parameter>,
    return_type: Option<TypeName>,
    body: Block,
    span: Span,
) -> Definition {
    let head = name.span;
    Definition::Function(Arc::new(Function {
        name,
        parameters,
        return_type,
        code: Code { body, head, span },
    }))
}

pub(super) fn lifecycle(kind: Lifecycle, head: Span, body: Block) -> Definition {
    let span = head.to(body.span);
    let code = Code { body, head, span };
    Definition::Lifecycle(Arc::new(LifecycleBlock { kind, code }))
}

/// The receiver of a handler.
pub(super) fn piece_ref(expr: Expr) -> Result<PieceRef, GrammarErrors> {
    let span = expr.span;
    match expr.kind {
        ExprKind::PlayerKeyword => Ok(PieceRef::Player(span)),
        ExprKind::ItemKeyword => Ok(PieceRef::Item(span)),
        ExprKind::Name(text) => Ok(PieceRef::Named(Name { text, span })),
        _ => Err(error(
            errors::BAD_RECEIVER,
            span,
            "expected a player, an item, a kind of item, a player type, `Player` or `Item`".into(),
            "to distinguish the pieces of an array, test their attributes in the handler of their kind",
        )),
    }
}

#[cfg(test)]
mod tests;
