//! The part of a front end that all languages share: tokens on their way to the generated parser,
//! bracket matching, the limit on nesting, and the parser's errors as diagnostics.
//!
//! A language implements [`Syntax`] for its tokens: a table that names what its grammar expects, and
//! the mistakes that deserve a message or a note of their own.
//!
//! ```text
//! syntax_error  where the parser failed, and what it expected there
//! expectation   what it expected, in words
//! bracket       which brackets are open, and where one is probably missing
//! diagnose      the messages that all languages have
//! recovery      several syntax errors in one file
//! damage        which errors of such a file do not follow from them
//! ```

mod bracket;
mod damage;
mod diagnose;
mod expectation;
mod recovery;
mod syntax_error;

pub use bracket::{MAX_OPEN_BRACKETS, OpenBracket, closes_brackets};
pub use damage::Damage;
pub use expectation::{Expected, ExpectedWords, expected, quoted};
pub use recovery::{MAX_SYNTAX_ERRORS, parse_file};
pub use syntax_error::SyntaxError;

use self::bracket::Nesting;
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::{Source, Span, work};
use lalrpop_util::ParseError;
use logos::Logos;
use std::ops::Range;

/// A token with its start and end byte, as lalrpop expects it.
pub type Lexeme<T> = (usize, T, usize);

/// Errors that the actions of a grammar report themselves.
pub type GrammarErrors = Vec<Diagnostic>;

/// An error of the generated parser.
pub type LalrpopError<T> = ParseError<usize, T, GrammarErrors>;

/// The codes of the errors that all languages have.
pub struct SyntaxCodes {
    /// A token that the grammar does not expect.
    pub unexpected_token: &'static str,
    /// The end of the input where the grammar expects more.
    pub unexpected_end: &'static str,
    /// A closing bracket that closes nothing, or another bracket than the one that is open.
    pub unmatched_bracket: &'static str,
    /// A keyword where a name is expected.
    pub keyword_as_name: &'static str,
    /// More than [`MAX_OPEN_BRACKETS`].
    pub too_deep: &'static str,
    /// The errors of the checker about names that are defined nowhere.
    pub unknown_name: &'static [&'static str],
    /// The errors of the checker about parts that a program must have.
    pub missing_part: &'static [&'static str],
}

/// The tokens of a language, and what its syntax errors say. The methods are asked in the order in
/// which they are declared here; the first answer is the message.
pub trait Syntax: Copy + PartialEq {
    /// The codes of the common errors.
    const CODES: SyntaxCodes;
    /// In words, what the grammar expects.
    const EXPECTED: ExpectedWords;
    /// How to avoid deep nesting; may be empty.
    const TOO_DEEP_NOTE: &'static str = "";

    /// Examples of tokens that can be missing, as text: after an error, the parser is tried with one
    /// of them added or in place of another, to find further errors. Values and names come first.
    const STAND_INS: &'static str = "";

    /// The header of a definition that any statements may follow, as text: it takes the place of a
    /// faulty header that has its `{` on the next line. May be empty.
    const STAND_IN_HEADER: &'static str = "";

    /// A word if it is a keyword or built in, so that no text that failed to parse defined it.
    fn known_word(_word: &str) -> Option<&'static str> {
        None
    }

    /// Whether the parser skips this token.
    fn is_comment(self) -> bool;

    /// The tokens that the parser reads, made from those of the lexer.
    fn parser_tokens(tokens: Vec<(Range<usize>, Self)>) -> Vec<Lexeme<Self>> {
        recovery::without_comments(tokens)
    }

    /// True if more input could complete the entry.
    fn is_incomplete(error: &SyntaxError<'_, Self>) -> bool {
        error.found().is_none()
    }

    /// Tokens that are valid nowhere, and mistakes that the parser notices too late.
    fn mistake(error: &SyntaxError<'_, Self>) -> Option<Diagnostic>;

    /// Whether only a name can be meant where a keyword was found.
    fn needs_name(error: &SyntaxError<'_, Self>) -> bool;

    /// Tokens that are valid elsewhere, with a message that says where.
    fn misplaced(_error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        None
    }

    /// Describes the token that was found.
    fn describe(error: &SyntaxError<'_, Self>) -> String {
        format!("`{}`", error.text())
    }

    /// The index of a word that is probably a misspelled keyword, and that keyword.
    fn misspelled(_error: &SyntaxError<'_, Self>) -> Option<(usize, &'static str)> {
        None
    }

    /// Adds notes to an error that says what was expected.
    fn annotate(_error: &SyntaxError<'_, Self>, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic
    }
}

/// Splits a text into tokens. What the lexer does not know becomes the token that `invalid` returns
/// for it, so lexing never fails.
pub fn tokenize<'t, T>(text: &'t str, invalid: impl Fn(&'t str) -> T) -> Vec<(Range<usize>, T)>
where
    T: Logos<'t, Source = str>,
    T::Extras: Default,
{
    super::count_tokenized_text();
    T::lexer(text)
        .spanned()
        .enumerate()
        .map(|(count, (token, range))| {
            work::poll_tokens(count);
            let token = token.unwrap_or_else(|_| invalid(&text[range.clone()]));
            (range, token)
        })
        .collect()
}

/// An error at a span of the source.
pub fn parse_error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, message)
}

/// What the generated parser reads: the tokens of a source without comments.
pub struct ParserInput<'s, T> {
    source: &'s Source,
    /// Selects the start rule of the grammar, if it has several.
    start: Option<T>,
    tokens: Vec<Lexeme<T>>,
    /// The texts of tokens that are not in the source. Their ranges are empty.
    added: Vec<(T, &'s str)>,
}

impl<'s, T: Syntax> ParserInput<'s, T> {
    /// The tokens of a source, as the lexer returned them.
    pub fn new(source: &'s Source, start: Option<T>, tokens: Vec<(Range<usize>, T)>) -> Self {
        ParserInput::from_lexemes(source, start, T::parser_tokens(tokens))
    }

    /// Tokens that are already in the form that the parser expects.
    pub fn from_lexemes(source: &'s Source, start: Option<T>, tokens: Vec<Lexeme<T>>) -> Self {
        ParserInput {
            source,
            start,
            tokens,
            added: Vec::new(),
        }
    }

    /// The same input with another token at its end.
    pub fn with_last(&self, token: T) -> Self {
        let end = self.tokens.last().map_or(0, |&(.., end)| end);
        let mut tokens = self.tokens.clone();
        tokens.push((end, token, end));
        ParserInput {
            tokens,
            added: self.added.clone(),
            ..*self
        }
    }

    /// Whether the lines after a faulty entry belong to it, because its brackets are open.
    pub fn has_open_body(&self) -> bool {
        let texts = self.tokens.iter();
        bracket::has_open_body(texts.map(|&token| text_of(self.source, &self.added, token)))
    }

    /// Whether a `{` is not closed.
    pub fn has_open_brace(&self) -> bool {
        let texts = self.tokens.iter();
        bracket::has_open_brace(texts.map(|&token| text_of(self.source, &self.added, token)))
    }

    /// Runs a generated parser.
    pub fn parse<R>(
        &self,
        parser: impl FnOnce(TokenStream<'_, T>) -> Result<R, LalrpopError<T>>,
    ) -> Result<R, ParseFailure<'_, T>> {
        let stream = TokenStream {
            input: self,
            start: self.start,
            tokens: self.tokens.iter(),
            nesting: Nesting::default(),
        };
        parser(stream).map_err(|error| {
            let (at, expected) = match error {
                ParseError::User { error } => return ParseFailure::Reported(error),
                ParseError::UnrecognizedEof { expected, .. } => (None, expected),
                ParseError::UnrecognizedToken { token, expected } => {
                    (Some((token.0, token.2)), expected)
                }
                ParseError::ExtraToken { token } => (Some((token.0, token.2)), Vec::new()),
                ParseError::InvalidToken { location } => (Some((location, location)), Vec::new()),
            };
            ParseFailure::Syntax(SyntaxError::new(self, at, expected))
        })
    }
}

/// The text of a token, which may have been added.
fn text_of<'s, T: PartialEq>(
    source: &'s Source,
    added: &[(T, &'s str)],
    (start, token, end): Lexeme<T>,
) -> &'s str {
    let text = &source.text[start..end];
    match text.is_empty() {
        true => added
            .iter()
            .find(|(other, _)| *other == token)
            .map_or(text, |(_, text)| text),
        false => text,
    }
}

/// The tokens as the generated parser reads them: after the start token, and with an error instead
/// of the token that exceeds the limit on nesting.
pub struct TokenStream<'i, T> {
    input: &'i ParserInput<'i, T>,
    start: Option<T>,
    tokens: std::slice::Iter<'i, Lexeme<T>>,
    nesting: Nesting,
}

impl<T: Syntax> Iterator for TokenStream<'_, T> {
    type Item = Result<Lexeme<T>, GrammarErrors>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(start) = self.start.take() {
            return Some(Ok((0, start, 0)));
        }
        let &(start, token, end) = self.tokens.next()?;
        work::poll();
        let source = self.input.source;
        let text = text_of(source, &self.input.added, (start, token, end));
        if self.nesting.observe(text) {
            return Some(Ok((start, token, end)));
        }
        let message = format!("nesting too deep: the limit is {MAX_OPEN_BRACKETS} open brackets");
        let span = source.span(start, end);
        let mut error = parse_error(T::CODES.too_deep, span, message);
        if !T::TOO_DEEP_NOTE.is_empty() {
            error.notes.push(T::TOO_DEEP_NOTE.to_string());
        }
        Some(Err(vec![error]))
    }
}

/// Why parsing failed.
pub enum ParseFailure<'s, T> {
    /// The parser found a token that it did not expect.
    Syntax(SyntaxError<'s, T>),
    /// An action of the grammar reported errors.
    Reported(GrammarErrors),
}

impl<T: Syntax> ParseFailure<'_, T> {
    /// The same failure if the parser read only a part of these tokens, from `first`.
    pub fn within<'n>(
        self,
        source: &'n Source,
        tokens: &'n [Lexeme<T>],
        first: usize,
    ) -> ParseFailure<'n, T> {
        match self {
            ParseFailure::Syntax(error) => {
                ParseFailure::Syntax(error.within(source, tokens, first))
            }
            ParseFailure::Reported(errors) => ParseFailure::Reported(errors),
        }
    }

    /// True if more input could complete the entry.
    pub fn is_incomplete(&self) -> bool {
        match self {
            ParseFailure::Syntax(error) => T::is_incomplete(error),
            ParseFailure::Reported(_) => false,
        }
    }

    /// Whether the limit on nesting was exceeded, so that the rest was not read.
    pub fn is_too_deep(&self) -> bool {
        match self {
            ParseFailure::Syntax(_) => false,
            ParseFailure::Reported(errors) => errors.iter().any(|e| e.code == T::CODES.too_deep),
        }
    }

    /// The errors to report.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        match self {
            ParseFailure::Syntax(error) => vec![error.diagnose()],
            ParseFailure::Reported(errors) => errors,
        }
    }
}

#[cfg(test)]
mod tests;
