//! What GridLang's syntax errors say.

use crate::diagnostic::{Diagnostic, closest_match};
use crate::language::syntax::{
    Expected, ExpectedWords, Lexeme, OpenBracket, Syntax, SyntaxCodes, SyntaxError, expected,
    parse_error, quoted,
};
use crate::languages::gridlang::check::errors;
use crate::languages::gridlang::info::INFO;
use crate::languages::gridlang::parse::dialect;
use crate::languages::gridlang::parse::newlines::{self, SpannedToken};
use crate::languages::gridlang::token::Token;
use crate::source::Span;
use std::ops::Range;

const EXPECTED: &[Expected] = &[
    expected(&["number"], "an expression"),
    expected(&["end"], "end of statement"),
    expected(&["name", "int"], "a type and a name"),
    expected(&["name"], "a name"),
];

const EXPECTED_SYMBOLS: &[Expected] = &[
    quoted(&["("]),
    quoted(&[")"]),
    quoted(&["["]),
    quoted(&["]"]),
    quoted(&["{"]),
    quoted(&[","]),
    quoted(&["="]),
    expected(&["text"], "a string"),
];

impl Syntax for Token<'_> {
    const CODES: SyntaxCodes = SyntaxCodes {
        unexpected_token: errors::UNEXPECTED_TOKEN,
        unexpected_end: errors::UNEXPECTED_END,
        unmatched_bracket: errors::UNMATCHED_BRACKET,
        keyword_as_name: errors::KEYWORD_AS_NAME,
        too_deep: errors::TOO_DEEP,
    };
    const EXPECTED: ExpectedWords = ExpectedWords {
        first: EXPECTED,
        any: EXPECTED_SYMBOLS,
        otherwise: &[],
        nothing: "something else",
    };

    const STAND_INS: &'static str =
        "1 a \"a\" ( ) { } [ ] , + = . : \n int if else function while Player";

    fn is_comment(self) -> bool {
        self == Token::Comment
    }

    fn parser_tokens(tokens: Vec<(Range<usize>, Self)>) -> Vec<Lexeme<Self>> {
        newlines::parser_tokens(tokens)
    }

    fn is_incomplete(error: &SyntaxError<'_, Self>) -> bool {
        matches!(error.found(), None | Some(Token::UnterminatedComment))
    }

    fn mistake(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        error
            .invalid_token(error.found()?)
            .or_else(|| error.compiler_dialect())
            .or_else(|| error.unclosed_earlier())
    }

    fn needs_name(error: &SyntaxError<'_, Self>) -> bool {
        INFO.keywords.contains(&error.text())
            && !error.found().is_some_and(Token::is_value_type)
            && error.accepts("name")
            && !error.accepts("number")
            && !error.accepts("int")
    }

    fn misplaced(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        let token = error.found()?;
        if token == Token::Else {
            let error = error.error(errors::ELSE_WITHOUT_IF, "`else` without `if`");
            return Some(error.note("without braces, an `if` controls only one statement"));
        }
        let open = error.innermost_open();
        open.filter(|_| error.starts_definition(token))
            .map(|open| error.nested_definition(open))
            .or_else(|| error.missing_statement_end(token))
            .or_else(|| error.line_ends_early(token))
    }

    fn describe(error: &SyntaxError<'_, Self>) -> String {
        match (error.found(), error.text()) {
            (Some(Token::StatementEnd), text) if text != ";" => "end of line".into(),
            (Some(Token::Newline), _) => "end of line".into(),
            (Some(Token::Text(_)), _) => "a string".into(),
            (_, text) => format!("`{text}`"),
        }
    }

    /// The first word of the statement.
    fn misspelled(error: &SyntaxError<'_, Self>) -> Option<(usize, &'static str)> {
        let start = error.start_of_statement();
        let Some(Token::Name(word)) = error.token_at(start) else {
            return None;
        };
        let keywords = INFO.keywords.iter().copied().filter(|k| k.len() > 1);
        let keyword = closest_match(word, keywords).filter(|_| word.len() > 2)?;
        Some((start, keyword))
    }

    fn annotate(error: &SyntaxError<'_, Self>, diagnostic: Diagnostic) -> Diagnostic {
        match error.help() {
            Some(note) => diagnostic.note(note),
            None => diagnostic,
        }
    }
}

impl SyntaxError<'_, Token<'_>> {
    /// A statement in the dialect of the GRIDLang compiler.
    fn compiler_dialect(&self) -> Option<Diagnostic> {
        let start = self.start_of_statement();
        let (message, note) = dialect::recognize(self.source, self.tokens.get(start..)?)?;
        let span = self.span_at(start).to(self.span());
        let error = parse_error(errors::COMPILER_DIALECT, span, message);
        Some(error.note(note).note(dialect::NOTE))
    }

    /// Tokens that are invalid everywhere.
    fn invalid_token(&self, token: Token) -> Option<Diagnostic> {
        let span = self.span();
        Some(match token {
            Token::Invalid(text) => {
                let message = format!("unknown character `{text}`");
                let error = self.error(errors::BAD_CHARACTER, message);
                match text {
                    "&" => error.note("write `and` or `&&`"),
                    "|" => error.note("write `or` or `||`"),
                    _ => error,
                }
            }
            Token::InvalidName(text) => self
                .error(errors::BAD_NAME, format!("invalid name `{text}`"))
                .note("names are letters, digits and underscores, starting with a letter"),
            Token::InvalidNumber(text) => {
                self.error(errors::BAD_NUMBER, format!("invalid number `{text}`"))
            }
            Token::UnterminatedString(_) => self
                .error(errors::UNTERMINATED_STRING, "unterminated string")
                .note("add the closing quote"),
            Token::UnterminatedComment => {
                let opening = Span {
                    end: span.start + 2,
                    ..span
                };
                parse_error(
                    errors::UNTERMINATED_COMMENT,
                    opening,
                    "unterminated comment",
                )
                .note("close it with `*/`")
            }
            _ => return None,
        })
    }

    /// An unclosed bracket or string on an earlier line that caused the error.
    fn unclosed_earlier(&self) -> Option<Diagnostic> {
        if let Some(Token::Text(text)) = self.before(1)
            && text.contains('\n')
        {
            let start = self.span_at(self.index - 1).start as usize;
            let error = parse_error(
                errors::UNTERMINATED_STRING,
                self.source.span(start, start + 1),
                "unterminated string",
            );
            return Some(error.note("it continues past the end of the line to the next quote"));
        }
        let open = self.innermost_open()?;
        let interrupted =
            self.on_next_line() || matches!(self.found()?, Token::OpenBrace | Token::CloseBrace);
        if open.closing == "}" || !interrupted || !self.accepts(open.closing) {
            return None;
        }
        let error = parse_error(
            errors::UNCLOSED_BRACKET,
            self.end_of_previous(),
            format!("missing `{}`", open.closing),
        );
        Some(self.with_unclosed(error, open))
    }

    /// True if the token is on a later line than the previous one.
    fn on_next_line(&self) -> bool {
        let end = self.end_of_previous().end.saturating_sub(1);
        self.index > 0
            && self.before(1) != Some(Token::OpenBrace)
            && self.line_at(self.index) > self.source.line_number(end)
    }

    fn nested_definition(&self, block: OpenBracket) -> Diagnostic {
        let head = self.start_of_statement().min(self.index);
        let message = format!("`{}` cannot be defined inside a block", self.text_at(head));
        parse_error(errors::NESTED_DEFINITION, self.span_at(head), message)
            .related(block.span, "the block starts here")
            .note("is a `}` missing before it?")
    }

    fn starts_definition(&self, token: Token) -> bool {
        let first = matches!(
            self.before(1),
            Some(Token::StatementEnd | Token::OpenBrace | Token::CloseBrace)
        );
        // A `{` after `gameOver()`, `Player` or `Item Bonus` shows that a definition was meant.
        let start = self.start_of_statement();
        let head = self.token_at(start).filter(|_| start < self.index);
        first && token.is_definition_keyword()
            || matches!(token, Token::CheckMove | Token::Colocation)
            || token == Token::OpenBrace
                && matches!(head, Some(Token::GameOver | Token::Player | Token::Item))
    }

    /// The index of the first token of the statement.
    fn start_of_statement(&self) -> usize {
        let is_boundary = |&(_, token, _): &SpannedToken| {
            matches!(
                token,
                Token::StatementEnd | Token::OpenBrace | Token::CloseBrace
            )
        };
        self.tokens[..self.index]
            .iter()
            .rposition(is_boundary)
            .map_or(0, |at| at + 1)
    }

    fn missing_statement_end(&self, token: Token) -> Option<Diagnostic> {
        if !self.accepts("end")
            || token == Token::StatementEnd
            || is_operator(token)
            || Token::misspelled(self).is_some()
        {
            return None;
        }
        let message = format!(
            "expected a line break or `;` before {}",
            Token::describe(self)
        );
        let error = self.error(errors::MISSING_STATEMENT_END, message);
        Some(error.note(match token {
            Token::OpenBracket => "the size of an array follows its type: `int[5] name`",
            _ => "separate statements with a line break or `;`",
        }))
    }

    /// Something is missing at the end of the line before.
    fn line_ends_early(&self, token: Token) -> Option<Diagnostic> {
        (token != Token::StatementEnd && self.on_next_line()).then(|| {
            let expected = self.expected_words();
            let message = format!("expected {expected} before the end of the line");
            let code = errors::UNEXPECTED_TOKEN;
            Token::annotate(self, parse_error(code, self.end_of_previous(), message))
        })
    }

    /// True directly after the `(` of a block that takes no parameters.
    fn is_parameterless_block(&self) -> bool {
        matches!(
            self.before(2),
            Some(Token::GameLoop | Token::CheckGameEnd | Token::GameOver)
        ) && self.accepts(")")
    }

    fn help(&self) -> Option<&'static str> {
        match (self.before(1), self.found()?) {
            (_, Token::Increment | Token::Decrement) => Some(
                "`x++` and `x--` are statements, not expressions; to subtract a negative number, write `a - -b`",
            ),
            (Some(Token::OpenParen), _) if self.is_parameterless_block() => {
                Some("this block takes no parameters; `p` is the current player")
            }
            (None, Token::OpenBrace) => Some(
                "start the block on the line of its header: `gameOver() {`; `gameOver()` alone is a call",
            ),
            (Some(Token::If | Token::While), _) if self.accepts("(") => {
                Some("put the condition in parentheses: `if (a == 1)`")
            }
            (Some(Token::Print | Token::Prompt), _) if self.accepts("(") => {
                Some("put the value in parentheses, and text in quotes: `print(\"text\")`")
            }
            (_, Token::Colocation) => {
                Some("a collision handler belongs to a piece: `Bonus.colocation(Player)`")
            }
            (Some(Token::Item), Token::OpenBrace) => {
                Some("a kind of item needs a name: `Item Bonus { int value }`")
            }
            (Some(Token::Name(_)), Token::Comma | Token::CloseParen) if self.accepts("name") => {
                Some("a parameter needs a type and a name, e.g. `int a`")
            }
            _ => None,
        }
    }
}

fn is_operator(token: Token) -> bool {
    token.is_continuation()
        || matches!(
            token,
            Token::Increment | Token::Decrement | Token::OpenBrace
        )
}
