//! Turns lalrpop's parse errors into diagnostics.

use super::ast::BoxedDiagnostic;
use super::dialect;
use super::error_code;
use super::newlines::{MAX_BRACKET_DEPTH, SpannedToken};
use super::token::{KEYWORDS, Token};
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::{Source, Span};
use lalrpop_util::ParseError;

/// A syntax error.
pub struct SyntaxError {
    pub diagnostic: Diagnostic,
    /// True if more input could complete the source.
    pub is_incomplete: bool,
}

/// Converts a parse error; `tokens` is the input of the parser.
pub fn explain(
    error: ParseError<usize, Token<'_>, BoxedDiagnostic>,
    source: &Source,
    tokens: &[SpannedToken<'_>],
) -> SyntaxError {
    match error {
        ParseError::User { error } => SyntaxError {
            diagnostic: *error,
            is_incomplete: false,
        },
        ParseError::UnrecognizedEof { expected, .. } => SyntaxError {
            diagnostic: ErrorContext::new(source, tokens, tokens.len(), &expected).unexpected_end(),
            is_incomplete: true,
        },
        ParseError::InvalidToken { location } => error_at(source, tokens, location, location, &[]),
        ParseError::UnrecognizedToken {
            token: (start, _, end),
            expected,
        } => error_at(source, tokens, start, end, &expected),
        ParseError::ExtraToken {
            token: (start, _, end),
        } => error_at(source, tokens, start, end, &[]),
    }
}

fn error_at(
    source: &Source,
    tokens: &[SpannedToken<'_>],
    start: usize,
    end: usize,
    expected: &[String],
) -> SyntaxError {
    // An inserted statement end is empty and can start where the next token does.
    let at = tokens.partition_point(|&(from, _, to)| from < start || from == start && to < end);
    let diagnostic = ErrorContext::new(source, tokens, at, expected).unexpected();
    SyntaxError {
        diagnostic,
        is_incomplete: matches!(tokens.get(at), Some((_, Token::UnterminatedComment, _))),
    }
}

/// The context of a parse error.
struct ErrorContext<'a, 's> {
    source: &'a Source,
    tokens: &'a [SpannedToken<'s>],
    /// Index of the unexpected token; `tokens.len()` at the end of input.
    at: usize,
    expected: &'a [String],
}

impl<'a, 's> ErrorContext<'a, 's> {
    fn new(
        source: &'a Source,
        tokens: &'a [SpannedToken<'s>],
        at: usize,
        expected: &'a [String],
    ) -> Self {
        ErrorContext {
            source,
            tokens,
            at: at.min(tokens.len()),
            expected,
        }
    }

    fn token(&self) -> Option<Token<'s>> {
        self.tokens.get(self.at).map(|&(_, token, _)| token)
    }

    fn previous(&self) -> Option<SpannedToken<'s>> {
        self.at
            .checked_sub(1)
            .and_then(|at| self.tokens.get(at))
            .copied()
    }

    fn span(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(&(start, _, end)) => self.source.span(start, end),
            None => self.after_previous(),
        }
    }

    fn after_previous(&self) -> Span {
        self.previous()
            .map_or(self.source.span(0, 0), |(start, _, end)| {
                self.source.span(start, end).shrink_to_end()
            })
    }

    fn found_text(&self) -> String {
        match self.token() {
            Some(Token::StatementEnd) if self.source.slice(self.span()) == ";" => "`;`".into(),
            Some(token @ (Token::StatementEnd | Token::Text(_) | Token::Newline)) => {
                token.to_string()
            }
            Some(_) => format!("`{}`", self.source.slice(self.span())),
            None => "the end of the input".into(),
        }
    }

    fn error(&self, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Phase::Parse, code, span, message)
    }

    fn expects(&self, token: &str) -> bool {
        self.expected.iter().any(|e| e.trim_matches('"') == token)
    }

    /// The innermost bracket that is open at the error.
    fn open_bracket(&self) -> Option<SpannedToken<'s>> {
        let mut open = Vec::new();
        for &token in &self.tokens[..self.at] {
            match token.1 {
                Token::OpenParen | Token::OpenBracket | Token::OpenBrace => open.push(token),
                Token::CloseParen | Token::CloseBracket | Token::CloseBrace => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// True if the token is on a later line than the previous one.
    fn on_next_line(&self) -> bool {
        let line = |byte: u32| self.source.line_number(byte);
        self.previous().is_some_and(|(_, before, end)| {
            before != Token::OpenBrace
                && line(self.span().start) > line((end as u32).saturating_sub(1))
        })
    }

    /// The expected tokens, for messages.
    fn expected_text(&self) -> String {
        if self.expects("number") {
            return "an expression".into();
        }
        if self.expects("end") {
            return "end of statement".into();
        }
        if self.expects("name") {
            return if self.expects("int") {
                "a type and a name".into()
            } else {
                "a name".into()
            };
        }
        let mut symbols: Vec<String> = ["(", ")", "[", "]", "{", ",", "=", "text"]
            .into_iter()
            .filter(|symbol| self.expects(symbol))
            .map(|symbol| match symbol {
                "text" => "a string".into(),
                symbol => format!("`{symbol}`"),
            })
            .collect();
        match (symbols.pop(), symbols.is_empty()) {
            (None, _) => "something else".into(),
            (Some(last), true) => last,
            (Some(last), false) => format!("{} or {last}", symbols.join(", ")),
        }
    }

    fn unexpected_end(&self) -> Diagnostic {
        let span = self.after_previous();
        let Some((start, bracket, end)) = self.open_bracket() else {
            let message = format!(
                "expected {}, found the end of the input",
                self.expected_text()
            );
            return self.error(error_code::UNEXPECTED_END, span, message);
        };
        let (open, close) = bracket_pair(bracket);
        self.error(
            error_code::UNEXPECTED_END,
            span,
            format!("expected `{close}`, found the end of the input"),
        )
        .related(self.source.span(start, end), format!("unclosed `{open}`"))
    }

    fn unexpected(&self) -> Diagnostic {
        let Some(token) = self.token() else {
            return self.unexpected_end();
        };
        self.invalid_token(token)
            .or_else(|| self.compiler_dialect())
            .or_else(|| self.unclosed_earlier())
            .or_else(|| self.misplaced_token(token))
            .unwrap_or_else(|| self.generic(token))
    }

    /// A statement in the dialect of the GRIDLang compiler.
    fn compiler_dialect(&self) -> Option<Diagnostic> {
        let statement = &self.tokens[self.start_of_statement()..];
        let (message, note) = dialect::recognize(self.source, statement)?;
        let (start, ..) = *statement.first()?;
        let end = self.tokens.get(self.at).map_or(start, |&(.., end)| end);
        let error = self.error(
            error_code::COMPILER_DIALECT,
            self.source.span(start, end.max(start)),
            message,
        );
        Some(error.note(note).note(dialect::NOTE))
    }

    /// Tokens that are invalid everywhere.
    fn invalid_token(&self, token: Token) -> Option<Diagnostic> {
        let span = self.span();
        Some(match token {
            Token::Invalid(text) => {
                let error = self.error(
                    error_code::BAD_CHARACTER,
                    span,
                    format!("unknown character `{text}`"),
                );
                match text {
                    "&" => error.note("write `and` or `&&`"),
                    "|" => error.note("write `or` or `||`"),
                    _ => error,
                }
            }
            Token::InvalidName(text) => self
                .error(error_code::BAD_NAME, span, format!("invalid name `{text}`"))
                .note("names are letters, digits and underscores, starting with a letter"),
            Token::InvalidNumber(text) => self.error(
                error_code::BAD_NUMBER,
                span,
                format!("invalid number `{text}`"),
            ),
            Token::UnterminatedString(_) => self
                .error(error_code::UNTERMINATED_STRING, span, "unterminated string")
                .note("add the closing quote"),
            Token::UnterminatedComment => {
                let opening = Span {
                    end: span.start + 2,
                    ..span
                };
                self.error(
                    error_code::UNTERMINATED_COMMENT,
                    opening,
                    "unterminated comment",
                )
                .note("close it with `*/`")
            }
            Token::TooDeep => self.error(
                error_code::TOO_DEEP,
                span,
                format!("nesting too deep: the limit is {MAX_BRACKET_DEPTH} open brackets"),
            ),
            _ => return None,
        })
    }

    /// An unclosed bracket or string on an earlier line that caused the error.
    fn unclosed_earlier(&self) -> Option<Diagnostic> {
        let (start, before, _) = self.previous()?;
        if let Token::Text(text) = before
            && text.contains('\n')
        {
            let error = self.error(
                error_code::UNTERMINATED_STRING,
                self.source.span(start, start + 1),
                "unterminated string",
            );
            return Some(error.note("it continues past the end of the line to the next quote"));
        }
        let (start, bracket, end) = self.open_bracket()?;
        let (open, close) = bracket_pair(bracket);
        let interrupted =
            self.on_next_line() || matches!(self.token()?, Token::OpenBrace | Token::CloseBrace);
        if bracket == Token::OpenBrace || !interrupted || !self.expects(&close.to_string()) {
            return None;
        }
        let error = self.error(
            error_code::UNCLOSED_BRACKET,
            self.after_previous(),
            format!("missing `{close}`"),
        );
        Some(error.related(self.source.span(start, end), format!("unclosed `{open}`")))
    }

    /// Keywords and brackets that are not allowed here.
    fn misplaced_token(&self, token: Token) -> Option<Diagnostic> {
        let (span, found) = (self.span(), self.found_text());
        let reserved = KEYWORDS.contains(&self.source.slice(span)) && !is_type(token);
        if reserved && self.expects("name") && !self.expects("number") && !self.expects("int") {
            let message = format!("{found} is a keyword and cannot be used as a name");
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
                let code = error_code::UNMATCHED_BRACKET;
                let Some((start, bracket, end)) = open else {
                    return Some(self.error(code, span, format!("unmatched {found}")));
                };
                let (open, close) = bracket_pair(bracket);
                let error = self.error(code, span, format!("expected `{close}`, found {found}"));
                Some(error.related(self.source.span(start, end), format!("unclosed `{open}`")))
            }
            Token::Else => Some(
                self.error(error_code::ELSE_WITHOUT_IF, span, "`else` without `if`")
                    .note("without braces, an `if` controls only one statement"),
            ),
            _ => open
                .filter(|_| self.starts_definition(token))
                .map(|open| self.nested_definition(open)),
        }
    }

    fn nested_definition(&self, (start, _, end): SpannedToken) -> Diagnostic {
        let (from, _, to) = self.tokens[self.start_of_statement().min(self.at)];
        let head = self.source.span(from, to);
        let message = format!(
            "`{}` cannot be defined inside a block",
            self.source.slice(head)
        );
        self.error(error_code::NESTED_DEFINITION, head, message)
            .related(self.source.span(start, end), "the block starts here")
            .note("is a `}` missing before it?")
    }

    fn starts_definition(&self, token: Token) -> bool {
        let first = matches!(
            self.previous(),
            Some((
                _,
                Token::StatementEnd | Token::OpenBrace | Token::CloseBrace,
                _
            ))
        );
        // A `{` after `gameOver()`, `Player` or `Item Bonus` shows that a definition was meant.
        let head = || {
            self.tokens[self.start_of_statement()..self.at]
                .first()
                .map(|&(_, token, _)| token)
        };
        first && token.is_definition_keyword()
            || matches!(token, Token::CheckMove | Token::Colocation)
            || token == Token::OpenBrace
                && matches!(head(), Some(Token::GameOver | Token::Player | Token::Item))
    }

    /// The index of the first token of the statement.
    fn start_of_statement(&self) -> usize {
        let is_boundary = |&(_, token, _): &SpannedToken| {
            matches!(
                token,
                Token::StatementEnd | Token::OpenBrace | Token::CloseBrace
            )
        };
        self.tokens[..self.at]
            .iter()
            .rposition(is_boundary)
            .map_or(0, |at| at + 1)
    }

    fn generic(&self, token: Token) -> Diagnostic {
        let (mut span, found, hint) = (self.span(), self.found_text(), self.first_word_hint());
        if self.expects("end")
            && token != Token::StatementEnd
            && hint.is_empty()
            && !is_operator(token)
        {
            let message = format!("expected a line break or `;` before {found}");
            let error = self.error(error_code::MISSING_STATEMENT_END, span, message);
            return match token {
                Token::OpenBracket => {
                    error.note("the size of an array follows its type: `int[5] name`")
                }
                _ => error.note("separate statements with a line break or `;`"),
            };
        }
        let mut message = format!("expected {}, found {found}{hint}", self.expected_text());
        if token != Token::StatementEnd && self.on_next_line() {
            span = self.after_previous();
            message = format!(
                "expected {} before the end of the line",
                self.expected_text()
            );
        }
        let error = self.error(error_code::UNEXPECTED_TOKEN, span, message);
        match self.help(token) {
            Some(note) => error.note(note),
            None => error,
        }
    }

    /// The first token of the statement, if it is a name, and the offset of its end.
    fn first_word(&self) -> Option<(&'s str, usize)> {
        match self.tokens.get(self.start_of_statement()) {
            Some(&(_, Token::Name(first), end)) => Some((first, end)),
            _ => None,
        }
    }

    /// A suggestion if the statement starts with a misspelled keyword.
    fn first_word_hint(&self) -> String {
        let Some((first, end)) = self.first_word().filter(|(first, _)| first.len() > 2) else {
            return String::new();
        };
        let hint = did_you_mean(first, KEYWORDS.iter().copied().filter(|k| k.len() > 1));
        let is_before_error = end <= self.span().start as usize;
        if is_before_error && !hint.is_empty() {
            format!(" after `{first}`{hint}")
        } else {
            hint
        }
    }

    /// True directly after the `(` of a block that takes no parameters.
    fn is_parameterless_block(&self) -> bool {
        let head = self
            .at
            .checked_sub(2)
            .and_then(|at| self.tokens.get(at))
            .map(|(_, token, _)| *token);
        matches!(
            head,
            Some(Token::GameLoop | Token::CheckGameEnd | Token::GameOver)
        ) && self.expects(")")
    }

    fn help(&self, token: Token) -> Option<&'static str> {
        let before = self.previous().map(|(_, token, _)| token);
        match (before, token) {
            (_, Token::Increment | Token::Decrement) => Some(
                "`x++` and `x--` are statements, not expressions; to subtract a negative number, write `a - -b`",
            ),
            (Some(Token::OpenParen), _) if self.is_parameterless_block() => {
                Some("this block takes no parameters; `p` is the current player")
            }
            (None, Token::OpenBrace) => Some(
                "start the block on the line of its header: `gameOver() {`; `gameOver()` alone is a call",
            ),
            (Some(Token::If | Token::While), _) if self.expects("(") => {
                Some("put the condition in parentheses: `if (a == 1)`")
            }
            (Some(Token::Print | Token::Prompt), _) if self.expects("(") => {
                Some("put the value in parentheses, and text in quotes: `print(\"text\")`")
            }
            (_, Token::Colocation) => {
                Some("a collision handler belongs to a piece: `Bonus.colocation(Player)`")
            }
            (Some(Token::Item), Token::OpenBrace) => {
                Some("a kind of item needs a name: `Item Bonus { int value }`")
            }
            (Some(Token::Name(_)), Token::Comma | Token::CloseParen) if self.expects("name") => {
                Some("a parameter needs a type and a name, e.g. `int a`")
            }
            _ => None,
        }
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

fn bracket_pair(bracket: Token) -> (char, char) {
    match bracket {
        Token::OpenParen => ('(', ')'),
        Token::OpenBracket => ('[', ']'),
        _ => ('{', '}'),
    }
}
