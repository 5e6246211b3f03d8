//! Parses `rules.txt`, the rules of play: a list of sections, each a name with a block of statements.
//! One line is one statement, and blocks are indented. It is parsed once; that it has no errors is
//! tested below.

use crate::code::{ArithmeticOp, CompareOp};
use crate::source::{SourceId, Span};
use crate::token::{self, Token};
use std::iter::Peekable;
use std::sync::LazyLock;

/// The text of the rules, as shown to users.
pub const RULES: &str = include_str!("../rules.txt");

/// A word of the rules.
pub(super) type Word = &'static str;
pub(super) type Block = Vec<Statement>;

/// A part of the rules that can be called by its name.
pub(super) struct Section {
    pub name: Word,
    pub parameters: Vec<Word>,
    pub body: Block,
    pub span: Span,
}

pub(super) struct Statement {
    pub kind: StatementKind,
    /// The line; of a statement with a block, its first line.
    pub span: Span,
}

pub(super) enum StatementKind {
    If {
        test: Test,
        then: Block,
        otherwise: Block,
    },
    Repeat(i32, Block),
    /// Statements for an action of the game, if it has that action.
    On(Vec<Token<'static>>, Block),
    Set(Word, Expr),
    /// A call with its arguments.
    Call(Vec<Word>),
    Warn(Word),
    Return(Word),
    Break,
}

/// Expressions of which all must be true, or any.
pub(super) struct Test {
    pub parts: Vec<Expr>,
    pub needs_all: bool,
}

pub(super) enum Expr {
    Operand(Word),
    Arithmetic(ArithmeticOp, Word, Word),
    Compare(CompareOp, Word, Word),
    /// A call with its arguments.
    Call(Vec<Word>),
}

/// The section of this name.
pub(super) fn section(name: &str) -> Option<&'static Section> {
    static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| parse().unwrap_or_default());
    SECTIONS.iter().find(|section| section.name == name)
}

/// A line without its indentation.
struct Line {
    indent: usize,
    text: Word,
    span: Span,
}

/// The sections, or the line that is not valid.
fn parse() -> Result<Vec<Section>, Word> {
    let mut start = 0;
    let lines = RULES.split('\n').map(|line| {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let from = start + indent;
        start += line.len() + 1;
        let span = Span::new(SourceId::RULES, from, from + text.len());
        Line { indent, text, span }
    });
    let is_code = |line: &Line| !line.text.is_empty() && !line.text.starts_with('#');
    let mut lines = lines.filter(is_code).peekable();
    let mut sections = Vec::new();
    while let Some(Line { indent, text, span }) = lines.next() {
        let mut words = text.split(' ');
        let name = words.next().filter(|_| indent == 0).ok_or(text)?;
        let body = block(&mut lines, indent)?;
        sections.push(Section {
            name,
            parameters: words.collect(),
            span: body.last().map_or(span, |last| span.to(last.span)),
            body,
        });
    }
    Ok(sections)
}

/// The lines that are indented more than the one before.
fn block(lines: &mut Peekable<impl Iterator<Item = Line>>, outer: usize) -> Result<Block, Word> {
    let mut statements = Vec::new();
    while let Some(line) = lines.next_if(|line| line.indent > outer) {
        statements.push(statement(line, lines)?);
    }
    Ok(statements)
}

fn statement(
    Line { indent, text, span }: Line,
    lines: &mut Peekable<impl Iterator<Item = Line>>,
) -> Result<Statement, Word> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let kind = match first {
        "if" => StatementKind::If {
            test: test(rest),
            then: block(lines, indent)?,
            otherwise: otherwise(lines, indent)?,
        },
        "repeat" => StatementKind::Repeat(rest.parse().map_err(|_| text)?, block(lines, indent)?),
        "on" => {
            let tokens = token::tokenize(rest).into_iter().map(|(_, token)| token);
            StatementKind::On(tokens.collect(), block(lines, indent)?)
        }
        "warn" => StatementKind::Warn(rest),
        "return" => StatementKind::Return(rest),
        "break" => StatementKind::Break,
        "else" => return Err(text),
        name => match rest.strip_prefix("= ") {
            Some(value) => StatementKind::Set(name, expr(value)),
            None => StatementKind::Call(text.split(' ').collect()),
        },
    };
    Ok(Statement { kind, span })
}

/// The block of an `else`, or an `else if` as its only statement.
fn otherwise(
    lines: &mut Peekable<impl Iterator<Item = Line>>,
    indent: usize,
) -> Result<Block, Word> {
    let is_else = |line: &Line| line.indent == indent && line.text.starts_with("else");
    let Some(line) = lines.next_if(is_else) else {
        return Ok(Vec::new());
    };
    match line.text.strip_prefix("else ") {
        Some(text) => Ok(vec![statement(Line { text, ..line }, lines)?]),
        None => block(lines, indent),
    }
}

fn test(text: Word) -> Test {
    let needs_all = text.contains(" and ");
    let separator = if needs_all { " and " } else { " or " };
    Test {
        parts: text.split(separator).map(expr).collect(),
        needs_all,
    }
}

fn expr(text: Word) -> Expr {
    use ArithmeticOp::{Add, Subtract};
    use CompareOp::{Equal, GreaterEqual, Less, NotEqual};
    let words: Vec<Word> = text.split(' ').collect();
    if let [a, operator, b] = words[..] {
        if let Some(op) = [Add, Subtract]
            .into_iter()
            .find(|op| op.symbol() == operator)
        {
            return Expr::Arithmetic(op, a, b);
        }
        let comparisons = [Equal, NotEqual, Less, GreaterEqual];
        if let Some(op) = comparisons.into_iter().find(|op| op.symbol() == operator) {
            return Expr::Compare(op, a, b);
        }
    }
    match words[..] {
        [word] => Expr::Operand(word),
        _ => Expr::Call(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_have_no_syntax_errors() {
        let names: Vec<Word> = parse().expect("a line").iter().map(|s| s.name).collect();
        assert_eq!(
            names,
            [
                "key",
                "touch",
                "playerevent",
                "update",
                "movetorandom",
                "counters",
                "goal"
            ]
        );
    }

    #[test]
    fn the_span_of_a_statement_is_its_line_without_indentation() {
        let key = section("key").expect("the section of a move");
        let first = key.body.first().expect("a statement").span;
        let text = &RULES[first.start as usize..first.end as usize];
        assert_eq!(text, "if win or lose");
    }
}
