//! What lalrpop's errors mean, in words of the game.

use super::ast::BoxedDiagnostic;
use super::error_code;
use super::newlines::{MAX_BRACKET_DEPTH, SpannedToken};
use super::token::{KEYWORDS, Token};
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::{Source, Span};
use lalrpop_util::ParseError;

pub struct SyntaxError {
    pub diagnostic: Diagnostic,
    /// More text could mend it.
    pub is_incomplete: bool,
}

pub fn explain(
    error: ParseError<usize, Token<'_>, BoxedDiagnostic>,
    source: &Source,
    placed: &[SpannedToken<'_>],
) -> SyntaxError {
    match error {
        ParseError::User { error } => SyntaxError {
            diagnostic: *error,
            is_incomplete: false,
        },
        ParseError::UnrecognizedEof { expected, .. } => SyntaxError {
            diagnostic: Story::new(source, placed, placed.len(), &expected).too_early(),
            is_incomplete: true,
        },
        ParseError::InvalidToken { location } => story_at(source, placed, location, &[]),
        ParseError::UnrecognizedToken {
            token: (start, ..),
            expected,
        } => story_at(source, placed, start, &expected),
        ParseError::ExtraToken { token: (start, ..) } => story_at(source, placed, start, &[]),
    }
}

fn story_at(
    source: &Source,
    placed: &[SpannedToken<'_>],
    start: usize,
    expected: &[String],
) -> SyntaxError {
    // An inserted end of statement can start where the next word does: the first one at the place is meant.
    let at = placed.partition_point(|&(from, _, to)| from < start || from == start && to < start);
    let diagnostic = Story::new(source, placed, at, expected).unexpected();
    SyntaxError {
        diagnostic,
        is_incomplete: matches!(placed.get(at), Some((_, Token::UnterminatedComment, _))),
    }
}

/// What is known at the place of the error.
struct Story<'a, 's> {
    source: &'a Source,
    placed: &'a [SpannedToken<'s>],
    /// The token that cannot stand there; past the last one at the end of the text.
    at: usize,
    expected: &'a [String],
}

impl<'a, 's> Story<'a, 's> {
    fn new(
        source: &'a Source,
        placed: &'a [SpannedToken<'s>],
        at: usize,
        expected: &'a [String],
    ) -> Self {
        Story {
            source,
            placed,
            at: at.min(placed.len()),
            expected,
        }
    }

    fn token(&self) -> Option<Token<'s>> {
        self.placed.get(self.at).map(|&(_, token, _)| token)
    }

    fn before(&self) -> Option<SpannedToken<'s>> {
        self.at
            .checked_sub(1)
            .and_then(|at| self.placed.get(at))
            .copied()
    }

    fn span(&self) -> Span {
        match self.placed.get(self.at) {
            Some(&(start, _, end)) => self.source.span(start, end),
            None => self.after_last(),
        }
    }

    fn after_last(&self) -> Span {
        self.before()
            .map_or(self.source.span(0, 0), |(start, _, end)| {
                self.source.span(start, end).shrink_to_end()
            })
    }

    fn word(&self) -> String {
        match self.token() {
            Some(Token::StatementEnd) if self.source.slice(self.span()) == ";" => "`;`".into(),
            Some(token @ (Token::StatementEnd | Token::Text(_) | Token::Newline)) => {
                token.to_string()
            }
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
    fn open_bracket(&self) -> Option<SpannedToken<'s>> {
        let mut open = Vec::new();
        for &placed in &self.placed[..self.at] {
            match placed.1 {
                Token::OpenParen | Token::OpenBracket | Token::OpenBrace => open.push(placed),
                Token::CloseParen | Token::CloseBracket | Token::CloseBrace => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// The token starts a line later than the one before it ends.
    fn on_next_line(&self) -> bool {
        let line = |byte: u32| self.source.line_column(byte).0;
        self.before().is_some_and(|(_, before, end)| {
            before != Token::OpenBrace
                && line(self.span().start) > line((end as u32).saturating_sub(1))
        })
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
            return if self.expects("int") {
                "a type and a name".into()
            } else {
                "a name".into()
            };
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
            return self.error(error_code::UNEXPECTED_END, span, message);
        };
        let (sign, close) = signs(bracket);
        let (line, _) = self.source.line_column(start as u32);
        self.error(
            error_code::UNEXPECTED_END,
            span,
            format!("the text ends before the `{sign}` of line {line} is closed"),
        )
        .related(
            self.source.span(start, end),
            format!("this `{sign}` is still open"),
        )
        .note(format!("close it with `{close}`"))
    }

    fn unexpected(&self) -> Diagnostic {
        let Some(token) = self.token() else {
            return self.too_early();
        };
        self.bad_word(token)
            .or_else(|| self.unclosed())
            .or_else(|| self.misplaced(token))
            .unwrap_or_else(|| self.plain(token))
    }

    /// Tokens that can stand nowhere.
    fn bad_word(&self, token: Token) -> Option<Diagnostic> {
        let span = self.span();
        Some(match token {
            Token::Invalid(text) => {
                let error = self.error(
                    error_code::BAD_CHARACTER,
                    span,
                    format!("`{text}` is no sign of GridLang"),
                );
                match text {
                    "“" | "”" | "„" | "‘" | "’" => {
                        error.note("strings stand in straight quotes: \"like this\"")
                    }
                    "&" => error.note("write `and` or `&&`"),
                    "|" => error.note("write `or` or `||`"),
                    _ => error,
                }
            }
            Token::InvalidName(text) => self
                .error(
                    error_code::BAD_NAME,
                    span,
                    format!("the name `{text}` does not start with a letter"),
                )
                .note("a name is a letter, then letters, digits and underscores"),
            Token::InvalidNumber(text) => self.error(
                error_code::BAD_NUMBER,
                span,
                format!("`{text}` is neither a number nor a name"),
            ),
            Token::UnterminatedString(_) => self
                .error(
                    error_code::UNTERMINATED_STRING,
                    span,
                    "this string is not closed",
                )
                .note("put the same quote at its end that stands at its start"),
            Token::UnterminatedComment => {
                let opening = Span {
                    end: span.start + 2,
                    ..span
                };
                self.error(
                    error_code::UNTERMINATED_COMMENT,
                    opening,
                    "this comment is not closed",
                )
                .note("close it with `*/`")
            }
            Token::TooDeep => self.error(
                error_code::TOO_DEEP,
                span,
                format!("more than {MAX_BRACKET_DEPTH} brackets are open here"),
            ),
            _ => return None,
        })
    }

    /// Something on an earlier line that swallowed what followed it.
    fn unclosed(&self) -> Option<Diagnostic> {
        let (start, before, _) = self.before()?;
        if let Token::Text(text) = before
            && text.contains('\n')
        {
            let error = self.error(
                error_code::UNTERMINATED_STRING,
                self.source.span(start, start + 1),
                "this string is not closed",
            );
            return Some(error.note("it runs over the end of the line to the next quote"));
        }
        let (open, bracket, _) = self.open_bracket()?;
        let (sign, close) = signs(bracket);
        let broken_off =
            self.on_next_line() || matches!(self.token()?, Token::OpenBrace | Token::CloseBrace);
        if bracket == Token::OpenBrace || !broken_off || !self.expects(&close.to_string()) {
            return None;
        }
        let error = self.error(
            error_code::UNCLOSED_BRACKET,
            self.after_last(),
            format!("`{close}` is missing here"),
        );
        Some(error.related(
            self.source.span(open, open + 1),
            format!("this `{sign}` is still open"),
        ))
    }

    /// Words of the language in the wrong place.
    fn misplaced(&self, token: Token) -> Option<Diagnostic> {
        let (span, word) = (self.span(), self.word());
        let reserved = KEYWORDS.contains(&self.source.slice(span)) && !is_type(token);
        if reserved && self.expects("name") && !self.expects("number") && !self.expects("int") {
            let message = format!("{word} is a reserved word and cannot be a name");
            return Some(
                self.error(error_code::KEYWORD_AS_NAME, span, message)
                    .note("choose another name"),
            );
        }
        let open = self.open_bracket();
        match token {
            Token::CloseBrace | Token::CloseParen | Token::CloseBracket
                if !open.is_some_and(|(_, bracket, _)| closes(token, bracket)) =>
            {
                Some(self.error(
                    error_code::UNMATCHED_BRACKET,
                    span,
                    format!("this {word} closes nothing"),
                ))
            }
            Token::Else => Some(
                self.error(
                    error_code::ELSE_WITHOUT_IF,
                    span,
                    "this `else` has no `if` before it",
                )
                .note("without braces an `if` has one statement only"),
            ),
            _ => open
                .filter(|_| self.starts_definition(token))
                .map(|open| self.inside_block(open)),
        }
    }

    fn inside_block(&self, (start, _, end): SpannedToken) -> Diagnostic {
        let (from, _, to) = self.placed[self.start_of_statement().min(self.at)];
        let head = self.source.span(from, to);
        let message = format!(
            "the definition of `{}` cannot stand inside a block",
            self.source.slice(head)
        );
        self.error(error_code::NESTED_DEFINITION, head, message)
            .related(self.source.span(start, end), "the block opens here")
            .note("is a `}` missing before it?")
    }

    fn starts_definition(&self, token: Token) -> bool {
        let first = matches!(
            self.before(),
            Some((
                _,
                Token::StatementEnd | Token::OpenBrace | Token::CloseBrace,
                _
            ))
        );
        // The `{` behind `gameOver()`, `Player` or `Item Bonus` shows that a definition was meant.
        let head = || {
            self.placed[self.start_of_statement()..self.at]
                .first()
                .map(|&(_, token, _)| token)
        };
        first && token.is_definition_keyword()
            || matches!(token, Token::CheckMove | Token::Colocation)
            || token == Token::OpenBrace
                && matches!(head(), Some(Token::GameOver | Token::Player | Token::Item))
    }

    fn start_of_statement(&self) -> usize {
        let breaks = |&(_, token, _): &SpannedToken| {
            matches!(
                token,
                Token::StatementEnd | Token::OpenBrace | Token::CloseBrace
            )
        };
        self.placed[..self.at]
            .iter()
            .rposition(breaks)
            .map_or(0, |at| at + 1)
    }

    fn plain(&self, token: Token) -> Diagnostic {
        let (mut span, word, hint) = (self.span(), self.word(), self.first_word_hint());
        if self.expects("end")
            && token != Token::StatementEnd
            && hint.is_empty()
            && !is_operator(token)
        {
            let message = format!("the statement before {word} is not ended");
            let error = self.error(error_code::MISSING_STATEMENT_END, span, message);
            return match token {
                Token::OpenBracket => {
                    error.note("an array's size stands behind its type: `int[5] name`")
                }
                _ => error.note("statements are ended by a new line or `;`"),
            };
        }
        let mut message = format!("expected {}, but found {word}{hint}", self.wanted());
        if token != Token::StatementEnd && self.on_next_line() {
            span = self.after_last();
            message = format!("expected {} before the end of the line", self.wanted());
        }
        let error = self.error(error_code::UNEXPECTED_TOKEN, span, message);
        match self.way_out(token) {
            Some(note) => error.note(note),
            None => error,
        }
    }

    /// The word that the statement starts with, if it is none of the language.
    fn first_word(&self) -> Option<(&'s str, usize)> {
        match self.placed.get(self.start_of_statement()) {
            Some(&(_, Token::Name(first), end)) => Some((first, end)),
            _ => None,
        }
    }

    /// A misspelt first word is the likely cause of what follows it.
    fn first_word_hint(&self) -> String {
        let Some((first, end)) = self
            .first_word()
            .filter(|(first, _)| first.len() > 2 && foreign(first).is_none())
        else {
            return String::new();
        };
        let hint = did_you_mean(first, KEYWORDS.iter().copied().filter(|k| k.len() > 1));
        let apart = end <= self.span().start as usize && !hint.is_empty();
        if apart {
            format!(" after `{first}`{hint}")
        } else {
            hint
        }
    }

    /// Whether the brackets are those of a block that is given nothing.
    fn opens_plain_block(&self) -> bool {
        let head = self
            .at
            .checked_sub(2)
            .and_then(|at| self.placed.get(at))
            .map(|(_, token, _)| *token);
        matches!(
            head,
            Some(Token::GameLoop | Token::CheckGameEnd | Token::GameOver)
        ) && self.expects(")")
    }

    fn way_out(&self, token: Token) -> Option<&'static str> {
        let before = self.before().map(|(_, token, _)| token);
        match (before, token) {
            (_, Token::Increment | Token::Decrement) => Some(
                "`x++` and `x--` are statements of their own; with a blank, `a - -b` subtracts a negative number",
            ),
            (Some(Token::OpenParen), _) if self.opens_plain_block() => {
                Some("this block takes no parameters; whose turn it is, `p` says")
            }
            (None, Token::OpenBrace) => Some(
                "a block begins in the line of its head: `gameOver() {`; alone, `gameOver()` is a call",
            ),
            (_, Token::Colocation) => {
                Some("the handler belongs to a piece: `Bonus.colocation(Player)`")
            }
            (Some(Token::Item), Token::OpenBrace) => {
                Some("a kind of item has a name: `Item Bonus { int value }`")
            }
            (Some(Token::Name(_)), Token::Comma | Token::CloseParen) if self.expects("name") => {
                Some("a parameter is a type and a name, as in `int a`")
            }
            _ => self.first_word().and_then(|(first, _)| foreign(first)),
        }
    }
}

/// Words of other languages that people try.
fn foreign(word: &str) -> Option<&'static str> {
    match word {
        "for" | "foreach" | "do" | "until" => {
            Some("loops are written with `while (condition) { … }`")
        }
        "switch" | "case" | "elif" | "elseif" => {
            Some("choices are written with `if (…) { … } else if (…) { … }`")
        }
        "import" | "include" | "using" => Some("a game is one file: there are no imports"),
        "def" | "func" | "fn" => Some("functions are written `function name(int a): int { … }`"),
        "const" | "let" | "var" => {
            Some("a variable is declared by its type and its name: `int x = 3`")
        }
        _ => None,
    }
}

fn is_type(token: Token) -> bool {
    matches!(
        token,
        Token::IntKeyword
            | Token::FloatKeyword
            | Token::StringKeyword
            | Token::BooleanKeyword
            | Token::CoordinateKeyword
    )
}

fn closes(token: Token, bracket: Token) -> bool {
    let pairs = [
        (Token::OpenParen, Token::CloseParen),
        (Token::OpenBracket, Token::CloseBracket),
        (Token::OpenBrace, Token::CloseBrace),
    ];
    pairs.contains(&(bracket, token))
}

fn is_operator(token: Token) -> bool {
    token.is_continuation()
        || matches!(
            token,
            Token::Increment | Token::Decrement | Token::OpenBrace
        )
}

fn signs(bracket: Token) -> (char, char) {
    match bracket {
        Token::OpenParen => ('(', ')'),
        Token::OpenBracket => ('[', ']'),
        _ => ('{', '}'),
    }
}
