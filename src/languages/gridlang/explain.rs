//! What lalrpop's errors mean, in words of the game.

use super::ast::Fault;
use super::code;
use super::line::{DEEPEST, Placed};
use super::token::{KEYWORDS, Token};
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::{Source, Span};
use lalrpop_util::ParseError;

pub struct Failure {
    pub diagnostic: Diagnostic,
    /// More text could mend it.
    pub at_end: bool,
}

pub fn explain(error: ParseError<usize, Token<'_>, Fault>, source: &Source, placed: &[Placed<'_>]) -> Failure {
    match error {
        ParseError::User { error } => Failure { diagnostic: *error, at_end: false },
        ParseError::UnrecognizedEof { expected, .. } => {
            Failure { diagnostic: Story::new(source, placed, placed.len(), &expected).too_early(), at_end: true }
        }
        ParseError::InvalidToken { location } => story_at(source, placed, location, &[]),
        ParseError::UnrecognizedToken { token: (start, ..), expected } => story_at(source, placed, start, &expected),
        ParseError::ExtraToken { token: (start, ..) } => story_at(source, placed, start, &[]),
    }
}

fn story_at(source: &Source, placed: &[Placed<'_>], start: usize, expected: &[String]) -> Failure {
    // An inserted end of statement can start where the next word does: the first one at the place is meant.
    let at = placed.partition_point(|&(from, _, to)| from < start || from == start && to < start);
    let diagnostic = Story::new(source, placed, at, expected).unexpected();
    Failure { diagnostic, at_end: matches!(placed.get(at), Some((_, Token::UnclosedComment, _))) }
}

/// What is known at the place of the error.
struct Story<'a, 's> {
    source: &'a Source,
    placed: &'a [Placed<'s>],
    /// The token that cannot stand there; past the last one at the end of the text.
    at: usize,
    expected: &'a [String],
}

impl<'a, 's> Story<'a, 's> {
    fn new(source: &'a Source, placed: &'a [Placed<'s>], at: usize, expected: &'a [String]) -> Self {
        Story { source, placed, at: at.min(placed.len()), expected }
    }

    fn token(&self) -> Option<Token<'s>> {
        self.placed.get(self.at).map(|&(_, token, _)| token)
    }

    fn before(&self) -> Option<Placed<'s>> {
        self.at.checked_sub(1).and_then(|at| self.placed.get(at)).copied()
    }

    fn span(&self) -> Span {
        match self.placed.get(self.at) {
            Some(&(start, _, end)) => self.source.span(start, end),
            None => self.after_last(),
        }
    }

    fn after_last(&self) -> Span {
        self.before().map_or(self.source.span(0, 0), |(start, _, end)| self.source.span(start, end).after())
    }

    fn word(&self) -> String {
        match self.token() {
            Some(Token::End) if self.source.slice(self.span()) == ";" => "`;`".into(),
            Some(token @ (Token::End | Token::Text(_) | Token::Newline)) => token.to_string(),
            Some(_) => format!("`{}`", self.source.slice(self.span())),
            None => "the end of the text".into(),
        }
    }

    fn error(&self, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Phase::Parse, code, span, message)
    }

    fn expects(&self, token: &str) -> bool {
        self.expected.iter().any(|e| e.trim_matches('"') == token)
    }

    /// The innermost bracket still open at the place.
    fn open_bracket(&self) -> Option<Placed<'s>> {
        let mut open = Vec::new();
        for &placed in &self.placed[..self.at] {
            match placed.1 {
                Token::OpenRound | Token::OpenSquare | Token::OpenCurly => open.push(placed),
                Token::CloseRound | Token::CloseSquare | Token::CloseCurly => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// What should stand there, in words.
    fn wanted(&self) -> String {
        if self.expects("number") {
            return "a value".into();
        }
        if self.expects("end") {
            return "the end of the statement".into();
        }
        if self.expects("name") {
            return if self.expects("int") { "a type and a name".into() } else { "a name".into() };
        }
        let mut signs: Vec<String> = ["(", ")", "[", "]", "{", ",", "=", "text"]
            .into_iter()
            .filter(|sign| self.expects(sign))
            .map(|sign| match sign {
                "text" => "a string in quotes".into(),
                sign => format!("`{sign}`"),
            })
            .collect();
        match (signs.pop(), signs.is_empty()) {
            (None, _) => "something else".into(),
            (Some(last), true) => last,
            (Some(last), false) => format!("{} or {last}", signs.join(", ")),
        }
    }

    fn too_early(&self) -> Diagnostic {
        let span = self.after_last();
        let Some((start, bracket, end)) = self.open_bracket() else {
            let message = format!("the text ends here, but {} is expected", self.wanted());
            return self.error(code::TOO_EARLY, span, message);
        };
        let (sign, close) = signs(bracket);
        let (line, _) = self.source.line_column(start as u32);
        self.error(code::TOO_EARLY, span, format!("the text ends before the `{sign}` of line {line} is closed"))
            .related(self.source.span(start, end), format!("this `{sign}` is still open"))
            .note(format!("close it with `{close}`"))
    }

    fn unexpected(&self) -> Diagnostic {
        let Some(token) = self.token() else { return self.too_early() };
        self.bad_word(token)
            .or_else(|| self.unclosed())
            .or_else(|| self.misplaced(token))
            .unwrap_or_else(|| self.plain(token))
    }

    /// Tokens that can stand nowhere.
    fn bad_word(&self, token: Token) -> Option<Diagnostic> {
        let span = self.span();
        Some(match token {
            Token::Bad(text) => {
                let error = self.error(code::BAD_CHARACTER, span, format!("`{text}` is no sign of GridLang"));
                match text {
                    "“" | "”" | "„" | "‘" | "’" => {
                        error.note("strings stand in straight quotes: \"like this\"")
                    }
                    "&" => error.note("write `and` or `&&`"),
                    "|" => error.note("write `or` or `||`"),
                    _ => error,
                }
            }
            Token::BadName(text) => self
                .error(code::BAD_NAME, span, format!("the name `{text}` does not start with a letter"))
                .note("a name is a letter, then letters, digits and underscores"),
            Token::BadNumber(text) => {
                self.error(code::BAD_NUMBER, span, format!("`{text}` is neither a number nor a name"))
            }
            Token::UnclosedText(_) => self
                .error(code::UNCLOSED_TEXT, span, "this string is not closed")
                .note("put the same quote at its end that stands at its start"),
            Token::UnclosedComment => {
                let opening = Span { end: span.start + 2, ..span };
                self.error(code::UNCLOSED_COMMENT, opening, "this comment is not closed").note("close it with `*/`")
            }
            Token::TooDeep => self.error(code::TOO_DEEP, span, format!("more than {DEEPEST} brackets are open here")),
            _ => return None,
        })
    }

    /// Something on an earlier line that swallowed what followed it.
    fn unclosed(&self) -> Option<Diagnostic> {
        let (start, before, end) = self.before()?;
        if let Token::Text(text) = before
            && text.contains('\n')
        {
            let error =
                self.error(code::UNCLOSED_TEXT, self.source.span(start, start + 1), "this string is not closed");
            return Some(error.note("it runs over the end of the line to the next quote"));
        }
        let (open, bracket, _) = self.open_bracket()?;
        let line = |byte: usize| self.source.line_column(byte as u32).0;
        let next_line = line(self.span().start as usize) > line(end.saturating_sub(1));
        if bracket == Token::OpenCurly || !next_line {
            return None;
        }
        let (sign, close) = signs(bracket);
        let error = self.error(code::UNCLOSED_BRACKET, self.after_last(), format!("`{close}` is missing here"));
        Some(error.related(self.source.span(open, open + 1), format!("this `{sign}` is still open")))
    }

    /// Words of the language in the wrong place.
    fn misplaced(&self, token: Token) -> Option<Diagnostic> {
        let (span, word) = (self.span(), self.word());
        let reserved = KEYWORDS.contains(&self.source.slice(span));
        if reserved && self.expects("name") && !self.expects("number") {
            let message = format!("{word} is a reserved word and cannot be a name");
            return Some(self.error(code::RESERVED, span, message).note("choose another name"));
        }
        let block = self.open_bracket().filter(|&(_, bracket, _)| bracket == Token::OpenCurly);
        match (token, block) {
            (Token::CloseCurly | Token::CloseRound | Token::CloseSquare, _) if self.open_bracket().is_none() => {
                Some(self.error(code::CLOSES_NOTHING, span, format!("this {word} closes nothing")))
            }
            (Token::Else, _) => Some(
                self.error(code::LONELY_ELSE, span, "this `else` has no `if` before it")
                    .note("without braces an `if` has one statement only"),
            ),
            (token, Some((start, _, end))) if self.starts_definition(token) => Some(
                self.error(code::INSIDE_BLOCK, span, format!("{word} cannot stand inside a block"))
                    .related(self.source.span(start, end), "the block opens here")
                    .note("is a `}` missing before it?"),
            ),
            _ => None,
        }
    }

    fn starts_definition(&self, token: Token) -> bool {
        let first = matches!(self.before(), Some((_, Token::End | Token::OpenCurly | Token::CloseCurly, _)));
        // The `{` behind `gameOver()`, `Player` or `Item Bonus` shows that a definition was meant.
        let head = || self.placed[self.start_of_statement()..self.at].first().map(|&(_, token, _)| token);
        first && token.opens_definition()
            || matches!(token, Token::CheckMove | Token::Colocation)
            || token == Token::OpenCurly && matches!(head(), Some(Token::GameOver | Token::Player | Token::Item))
    }

    fn start_of_statement(&self) -> usize {
        let breaks = |&(_, token, _): &Placed| matches!(token, Token::End | Token::OpenCurly | Token::CloseCurly);
        self.placed[..self.at].iter().rposition(breaks).map_or(0, |at| at + 1)
    }

    fn plain(&self, token: Token) -> Diagnostic {
        let (span, word) = (self.span(), self.word());
        // A misspelt first word is the likely cause of what follows it.
        let hint = match self.placed.get(self.start_of_statement()) {
            Some(&(start, Token::Name(first), end)) if start <= span.start as usize => {
                let hint = did_you_mean(first, KEYWORDS.iter().copied().filter(|k| k.len() > 1));
                let apart = end <= span.start as usize && !hint.is_empty();
                if apart { format!(" after `{first}`{hint}") } else { hint }
            }
            _ => String::new(),
        };
        if self.expects("end") && token != Token::End && hint.is_empty() && !is_operator(token) {
            let message = format!("the statement before {word} is not ended");
            let error = self.error(code::TWO_ON_A_LINE, span, message);
            return match token {
                Token::OpenSquare => error.note("an array's size stands behind its type: `int[5] name`"),
                _ => error.note("statements are ended by a new line or `;`"),
            };
        }
        let error = self.error(code::UNEXPECTED, span, format!("expected {}, but found {word}{hint}", self.wanted()));
        match token {
            Token::Increment | Token::Decrement => error.note(
                "`x++` and `x--` are statements of their own; with a blank, `a - -b` subtracts a negative number",
            ),
            _ => error,
        }
    }
}

fn is_operator(token: Token) -> bool {
    token.wants_more() || matches!(token, Token::Increment | Token::Decrement | Token::OpenCurly)
}

fn signs(bracket: Token) -> (char, char) {
    match bracket {
        Token::OpenRound => ('(', ')'),
        Token::OpenSquare => ('[', ']'),
        _ => ('{', '}'),
    }
}
