//! Where the generated parser failed and what it expected there.

use super::{Lexeme, ParserInput, parse_error, text_of};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// Where the parser failed, and which terminals it expected there.
pub struct SyntaxError<'s, T> {
    /// The text.
    pub source: &'s Source,
    /// All tokens that the parser could read.
    pub tokens: &'s [Lexeme<T>],
    /// The start token, which selects what is parsed.
    pub start: Option<T>,
    /// The index of the unexpected token; the number of tokens at the end of the input.
    pub index: usize,
    expected: Vec<String>,
    added: &'s [(T, &'s str)],
}

impl<'s, T: Copy> SyntaxError<'s, T> {
    /// An error at the token with the range `at`, or at the end. `expected` is lalrpop's list.
    pub(super) fn new(
        input: &'s ParserInput<'_, T>,
        at: Option<(usize, usize)>,
        expected: Vec<String>,
    ) -> Self {
        let tokens = &input.tokens;
        // Several tokens can start at the same byte: inserted ones are empty.
        let index = at.map_or(tokens.len(), |at| {
            tokens.partition_point(|&(from, _, to)| (from, to) < at)
        });
        let expected = expected.into_iter();
        let expected = expected.map(|name| name.trim_matches('"').to_string());
        SyntaxError {
            source: input.source,
            tokens,
            start: input.start,
            index,
            expected: expected.collect(),
            added: &input.added,
        }
    }

    /// The same error in the list of tokens that those of the parser are a part of, from `first`.
    pub(super) fn within<'n>(
        self,
        source: &'n Source,
        tokens: &'n [Lexeme<T>],
        first: usize,
    ) -> SyntaxError<'n, T> {
        SyntaxError {
            source,
            tokens,
            start: self.start,
            index: first + self.index,
            expected: self.expected,
            added: &[],
        }
    }

    /// The unexpected token; `None` at the end of the input.
    pub fn found(&self) -> Option<T> {
        self.token_at(self.index)
    }

    /// The token that is `distance` tokens before the error.
    pub fn before(&self, distance: usize) -> Option<T> {
        self.token_at(self.index.checked_sub(distance)?)
    }

    /// The token at an index.
    pub fn token_at(&self, index: usize) -> Option<T> {
        self.tokens.get(index).map(|&(_, token, _)| token)
    }

    /// The span of the unexpected token; empty at the end of the input.
    pub fn span(&self) -> Span {
        self.span_at(self.index)
    }

    /// The span of the token at an index; empty at the end of the input.
    pub fn span_at(&self, index: usize) -> Span {
        match self.tokens.get(index) {
            Some(&(start, _, end)) => self.source.span(start, end),
            None => self.end_of(self.tokens.len()),
        }
    }

    /// The empty span after the token before the error.
    pub fn end_of_previous(&self) -> Span {
        self.end_of(self.index)
    }

    /// The empty span after the token before the one at `index`.
    fn end_of(&self, index: usize) -> Span {
        let last = index.checked_sub(1).and_then(|last| self.tokens.get(last));
        let end = last.map_or(0, |&(.., end)| end);
        self.source.span(end, end)
    }

    /// The text of the unexpected token; empty at the end of the input.
    pub fn text(&self) -> &'s str {
        self.text_at(self.index)
    }

    /// The text of the token at an index; empty at the end of the input.
    pub fn text_at(&self, index: usize) -> &'s str {
        self.source.slice(self.span_at(index))
    }

    /// The text of the token at an index, even if it is not in the source.
    pub(super) fn text_or_added_at(&self, index: usize) -> &'s str
    where
        T: PartialEq,
    {
        text_of(self.source, self.added, self.tokens[index])
    }

    /// The text of the token that is `distance` tokens before the error.
    pub fn text_before(&self, distance: usize) -> &'s str {
        let index = self.index.checked_sub(distance);
        index.map_or("", |index| self.text_at(index))
    }

    /// The line of the token at an index.
    pub fn line_at(&self, index: usize) -> u32 {
        self.source.line_number(self.span_at(index).start)
    }

    /// Whether a terminal of the grammar was expected.
    pub fn accepts(&self, terminal: &str) -> bool {
        self.expected.iter().any(|name| name == terminal)
    }

    /// Whether a terminal of the grammar was expected, and no other.
    pub fn accepts_only(&self, terminal: &str) -> bool {
        self.expected == [terminal]
    }

    /// All terminals that were expected.
    pub fn expected(&self) -> &[String] {
        &self.expected
    }

    /// An error at the unexpected token. For empty brackets it covers both of them.
    pub fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        let is_empty_pair = matches!(
            (self.text_before(1), self.text()),
            ("(", ")") | ("[", "]") | ("{", "}")
        );
        let span = match is_empty_pair {
            true => self.span_at(self.index - 1).to(self.span()),
            false => self.span(),
        };
        parse_error(code, span, message)
    }
}
