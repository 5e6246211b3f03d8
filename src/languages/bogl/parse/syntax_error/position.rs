//! Where a syntax error is: the tokens around it, and what the parser expected.

use crate::diagnostic::{Diagnostic, Phase, closest_match};
use crate::languages::bogl::builtin::Builtin;
use crate::languages::bogl::token::{KEYWORDS, Token};
use crate::source::{Source, Span};

/// Where the parser failed, and which tokens it expected there.
pub(super) struct SyntaxError<'s> {
    pub(super) source: &'s Source,
    pub(super) start: Token,
    pub(super) tokens: &'s [(usize, Token, usize)],
    pub(super) error_index: usize,
    pub(super) expected: Vec<&'s str>,
}

impl SyntaxError<'_> {
    pub(super) fn span(&self, index: usize) -> Span {
        let end = self.tokens.last().map_or(0, |&(.., to)| to);
        let (from, _, to) = self
            .tokens
            .get(index)
            .copied()
            .unwrap_or((end, Token::Bad, end));
        self.source.span(from, to)
    }

    pub(super) fn text(&self, index: usize) -> &str {
        self.source.slice(self.span(index))
    }

    pub(super) fn previous_token(&self) -> Option<Token> {
        self.error_index
            .checked_sub(1)
            .map(|index| self.tokens[index].1)
    }

    pub(super) fn expects(&self, name: &str) -> bool {
        self.expected.contains(&name)
    }

    /// True directly after a signature.
    pub(super) fn expects_equation(&self) -> bool {
        self.expects("name") && !["==", "type", "if"].iter().any(|name| self.expects(name))
    }

    pub(super) fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Phase::Parse, code, self.span(self.error_index), message)
    }

    /// The innermost unclosed bracket before the error.
    pub(super) fn unclosed(&self) -> Option<usize> {
        let mut open = Vec::new();
        for (index, (_, token, _)) in self.tokens[..self.error_index].iter().enumerate() {
            match token {
                Token::OpenParen | Token::OpenBrace => open.push(index),
                Token::CloseParen | Token::CloseBrace => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    pub(super) fn unclosed_label(&self, open: usize) -> String {
        format!("unclosed `{}`", self.text(open))
    }

    /// True for the word before a name and `=`, where `let` could be.
    fn is_followed_by_equals(&self, index: usize) -> bool {
        let after = self.tokens.get(index + 1..).unwrap_or_default();
        matches!(after, [(_, Token::Name, _), (_, Token::Equals, _), ..])
    }

    /// A suggestion if the current or the previous word is probably a misspelled keyword.
    pub(super) fn keyword_suggestion(&self) -> String {
        let similar_keyword = |index: usize, is_candidate: &dyn Fn(&str) -> bool| {
            let is_word = self
                .tokens
                .get(index)
                .is_some_and(|(_, token, _)| matches!(token, Token::Name | Token::UpperName))
                && Builtin::find(self.text(index)).is_none();
            let keywords = KEYWORDS
                .iter()
                .map(|&(text, _)| text)
                .filter(|text| is_candidate(text));
            let similar = closest_match(self.text(index), keywords)
                .filter(|keyword| keyword.len().abs_diff(self.text(index).len()) <= 1);
            similar.filter(|_| is_word)
        };
        let here = similar_keyword(self.error_index, &|keyword| self.expects(keyword));
        let prior = self.error_index.checked_sub(1).and_then(|index| {
            similar_keyword(index, &|keyword| {
                ["let", "if", "while", "type", "game"].contains(&keyword)
                    && (keyword != "let" || self.is_followed_by_equals(index))
            })
        });
        match (here, prior) {
            (Some(keyword), _) => format!("; did you mean `{keyword}`?"),
            (None, Some(keyword)) => format!(
                "; did you mean `{keyword}` instead of `{}`?",
                self.text(self.error_index - 1)
            ),
            (None, None) => String::new(),
        }
    }
}
