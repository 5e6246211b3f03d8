//! The messages about syntax errors that all languages have.

use super::bracket::is_closing;
use super::{OpenBracket, Syntax, SyntaxError};
use crate::diagnostic::Diagnostic;

impl<T: Syntax> SyntaxError<'_, T> {
    /// The message.
    pub fn diagnose(&self) -> Diagnostic {
        let mistake = T::mistake(self);
        if self.found().is_none() {
            return mistake.unwrap_or_else(|| self.unexpected_end());
        }
        mistake
            .or_else(|| self.unmatched_bracket())
            .or_else(|| self.keyword_as_name())
            .or_else(|| T::misplaced(self))
            .unwrap_or_else(|| self.unexpected())
    }

    /// `expected …, found …`, with the notes of the language.
    pub fn unexpected(&self) -> Diagnostic {
        let suggestion = match T::misspelled(self) {
            Some((index, keyword)) if index == self.index => {
                format!("; did you mean `{keyword}`?")
            }
            Some((index, keyword)) => {
                let word = self.text_at(index);
                format!("; did you mean `{keyword}` instead of `{word}`?")
            }
            None => String::new(),
        };
        let (expected, found) = (self.expected_words(), T::describe(self));
        let message = format!("expected {expected}, found {found}{suggestion}");
        let code = T::EXPECTED.code(self);
        let code = code.unwrap_or(T::CODES.unexpected_token);
        T::annotate(self, self.error(code, message))
    }

    /// What was expected, in words.
    pub fn expected_words(&self) -> String {
        T::EXPECTED.describe(self)
    }

    fn unexpected_end(&self) -> Diagnostic {
        let open = self.innermost_open();
        let expected = match open {
            Some(bracket) if self.accepts(bracket.closing) => format!("`{}`", bracket.closing),
            _ => self.expected_words(),
        };
        let message = format!("expected {expected}, found the end of the input");
        let code = T::EXPECTED.code(self).unwrap_or(T::CODES.unexpected_end);
        let mut error = self.error(code, message);
        if let Some(bracket) = open {
            error = self.with_unclosed(error, bracket);
            if let Some((open, close)) = self.misindented_braces() {
                error = error
                    .related(open, "this may be the one that is missing its `}`")
                    .related(close, "because this `}` is indented differently");
            }
        }
        T::annotate(self, error)
    }

    /// Points to a bracket that is not closed.
    pub fn with_unclosed(&self, error: Diagnostic, bracket: OpenBracket) -> Diagnostic {
        let text = self.source.slice(bracket.span);
        error.related(bracket.span, format!("unclosed `{text}`"))
    }

    /// A closing bracket that does not close the innermost open one, where one could be closed.
    fn unmatched_bracket(&self) -> Option<Diagnostic> {
        let found = self.text();
        if !is_closing(found) {
            return None;
        }
        let code = T::CODES.unmatched_bracket;
        match self.innermost_open() {
            Some(open) => (open.closing != found && self.accepts(open.closing)).then(|| {
                let message = format!("expected `{}`, found `{found}`", open.closing);
                self.with_unclosed(self.error(code, message), open)
            }),
            None => (!self.lacks_operand()).then(|| {
                let error = self.error(code, format!("unmatched `{found}`"));
                error.note("remove it")
            }),
        }
    }

    /// True after an operator, or where only an opening bracket is expected.
    fn lacks_operand(&self) -> bool {
        let is_operator = |c: char| c.is_ascii_punctuation() && !"()[]{};\"'_".contains(c);
        let opening = ["(", "[", "{"];
        self.text_before(1).ends_with(is_operator)
            || opening.iter().any(|bracket| self.accepts_only(bracket))
    }

    fn keyword_as_name(&self) -> Option<Diagnostic> {
        T::needs_name(self).then(|| {
            let message = format!(
                "`{}` is a keyword and cannot be used as a name",
                self.text()
            );
            self.error(T::CODES.keyword_as_name, message)
                .note("choose another name")
        })
    }
}
