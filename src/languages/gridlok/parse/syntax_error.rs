//! Turns an error of the generated parser into a helpful diagnostic.

use super::{SpannedToken, bracket};
use crate::diagnostic::{Diagnostic, Phase, closest_match, did_you_mean};
use crate::languages::gridlok::builtin::{HELP, find_predefined};
use crate::languages::gridlok::error_code;
use crate::languages::gridlok::token::{ITEM_KEYWORDS, KEYWORDS, Token};
use crate::source::{Source, Span};

/// The position of a syntax error and the tokens that would have been valid there.
pub struct SyntaxError<'t> {
    source: &'t Source,
    tokens: &'t [SpannedToken<'t>],
    index: usize,
    expected: Vec<&'t str>,
}

/// How far back to look for the `if` of a condition.
const MAX_LOOKBACK_TOKENS: usize = 40;

/// Keywords that start a statement.
const STATEMENT_KEYWORDS: &[&str] = &["if", "elseif", "else", "for", "return", "def"];
const LOOP_FORMS: &str = "a loop is one of: `for i(0,3){…}`, `for x,y in board{…}`, `for all p in board{…}`, \
                     `for p in row(0){…}`, `for p in col(0){…}`, `for p surrounding r,c{…}`, `for i,j surrounding r,c{…}`";

const CALL_IN_CONDITION: &str = "in a condition or loop head, `name {` opens the block: put parentheses around a call, `if (f{1}) {…}`";

impl<'t> SyntaxError<'t> {
    pub fn new(
        source: &'t Source,
        tokens: &'t [SpannedToken<'t>],
        index: usize,
        expected: &'t [String],
    ) -> SyntaxError<'t> {
        let expected = expected.iter().map(|e| e.trim_matches('"')).collect();
        SyntaxError {
            source,
            tokens,
            index,
            expected,
        }
    }

    /// The unexpected token; `None` at the end of the input.
    pub fn found(&self) -> Option<Token<'t>> {
        self.tokens.get(self.index).map(|token| token.1)
    }

    fn before(&self, distance: usize) -> Option<Token<'t>> {
        self.index
            .checked_sub(distance)
            .and_then(|i| self.tokens.get(i))
            .map(|token| token.1)
    }

    fn accepts(&self, token: &str) -> bool {
        self.expected.contains(&token)
    }

    fn span(&self) -> Span {
        match self.tokens.get(self.index) {
            Some(&(start, _, end)) => self.source.span(start, end),
            None => self
                .tokens
                .last()
                .map_or(self.source.full_span(), |&(_, _, end)| {
                    self.source.span(end, end)
                }),
        }
    }

    /// The span of the token before the error.
    fn span_before(&self) -> Span {
        match self.index.checked_sub(1).and_then(|i| self.tokens.get(i)) {
            Some(&(start, _, end)) => self.source.span(start, end),
            None => self.span(),
        }
    }

    /// True if the innermost open bracket is a `[` that could be closed here.
    fn expected_bracket_closes(&self) -> bool {
        let open = bracket::innermost_open(self.source, &self.tokens[..self.index]);
        self.accepts("]") && open.is_some_and(|(bracket, _)| bracket == Token::OpenBracket)
    }

    /// The span to report. For empty brackets it covers both of them.
    fn report_span(&self) -> Span {
        let opened = matches!(
            self.before(1),
            Some(Token::OpenBrace | Token::OpenParen | Token::OpenBracket)
        );
        let closed = matches!(
            self.found(),
            Some(Token::CloseBrace | Token::CloseParen | Token::CloseBracket)
        );
        let before = self.index.checked_sub(1).and_then(|i| self.tokens.get(i));
        match before {
            Some(&(start, _, end)) if opened && closed => {
                self.source.span(start, end).to(self.span())
            }
            _ => self.span(),
        }
    }

    fn word(&self) -> &'t str {
        self.source.slice(self.span())
    }

    fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Phase::Parse, code, self.report_span(), message)
    }

    pub fn to_diagnostic(&self) -> Diagnostic {
        let Some(found) = self.found() else {
            return self.unexpected_end();
        };
        self.malformed(found)
            .or_else(|| self.bracket(found))
            .or_else(|| self.keyword_as_name(found))
            .or_else(|| self.misplaced(found))
            .or_else(|| self.common_mistake(found))
            .unwrap_or_else(|| self.unexpected())
    }

    /// Tokens that are never valid.
    fn malformed(&self, found: Token<'_>) -> Option<Diagnostic> {
        Some(match found {
            Token::Invalid => self.bad_character(),
            Token::InvalidName => self.bad_name(),
            Token::UnterminatedString => self
                .error(error_code::UNTERMINATED_STRING, "unterminated string")
                .note("add the closing quote on the same line: `\"…\"` or `“…”`"),
            Token::UnterminatedComment => self
                .error(error_code::UNTERMINATED_COMMENT, "unterminated comment")
                .note("close it with `*/`"),
            Token::OversizedInt | Token::MinIntMagnitude => self
                .error(error_code::NUMBER_TOO_LARGE, "number too large")
                .note("numbers range from -2147483648 to 2147483647"),
            _ => return None,
        })
    }

    fn bad_character(&self) -> Diagnostic {
        let note = match self.word() {
            "=" => "use `==` to compare, and braces to assign: `name{value}`",
            "&" => "did you mean `AND` or `&&`?",
            "|" => "did you mean `OR` or `||`?",
            ";" => "statements need no separator; remove it",
            "'" | "‘" | "’" => "use double quotes for strings: `\"…\"`",
            "#" => "comments are written `/* … */` or `// …`",
            "\u{A0}" => "it was probably pasted; replace it with an ordinary space",
            word if word.starts_with('@') => "names cannot contain `@`",
            _ => "remove it",
        };
        let message = match self.word() {
            "\u{A0}" => "unexpected non-breaking space".to_string(),
            word if word == "=" || word.chars().count() > 1 => format!("unexpected `{word}`"),
            word => format!("unknown character `{word}`"),
        };
        let code = if self.word() == "=" {
            error_code::SINGLE_EQUALS
        } else {
            error_code::BAD_CHARACTER
        };
        self.error(code, message).note(note)
    }

    fn bad_name(&self) -> Diagnostic {
        let word = self.word();
        let why = if word.starts_with(|c: char| c.is_ascii_digit()) {
            "names cannot start with a digit"
        } else if !word.chars().all(|c| c.is_ascii_alphanumeric()) {
            "names contain only the letters a-z and A-Z and digits"
        } else {
            "names start with a lowercase letter"
        };
        let known = KEYWORDS.iter().chain(HELP.iter().map(|(name, _)| name));
        let suggestion = known
            .copied()
            .find(|name| name.eq_ignore_ascii_case(word))
            .map(|k| format!("; did you mean `{k}`?"))
            .unwrap_or_default();
        self.error(
            error_code::BAD_NAME,
            format!("invalid name `{word}`{suggestion}"),
        )
        .note(why)
    }

    fn unexpected_end(&self) -> Diagnostic {
        if let Some((bracket, span)) =
            bracket::innermost_open(self.source, &self.tokens[..self.index])
        {
            let error = self
                .error(
                    error_code::UNEXPECTED_END,
                    format!(
                        "expected `{}`, found the end of the input",
                        bracket::closing(bracket)
                    ),
                )
                .related(span, format!("unclosed `{}`", bracket::opening(bracket)));
            return match bracket::find_misindented_close(self.source, self.tokens) {
                Some((open, close)) => error
                    .related(open, "this may be the one that is missing its `}`")
                    .related(close, "because this `}` is indented differently"),
                None => error,
            };
        }
        let error = self.error(
            error_code::UNEXPECTED_END,
            format!(
                "expected {}, found the end of the input",
                self.describe_expected()
            ),
        );
        let needs_index = self.accepts("[") && !self.accepts("+");
        if needs_index {
            error.note("to refer to a cell, write `board[row][column]`")
        } else {
            error
        }
    }

    /// A closing bracket without a matching open one.
    fn bracket(&self, found: Token<'_>) -> Option<Diagnostic> {
        if !matches!(
            found,
            Token::CloseBrace | Token::CloseParen | Token::CloseBracket
        ) {
            return None;
        }
        let Some((open, span)) = bracket::innermost_open(self.source, &self.tokens[..self.index])
        else {
            return Some(
                self.error(
                    error_code::UNEXPECTED_TOKEN,
                    format!("unmatched `{}`", self.word()),
                )
                .note("remove it"),
            );
        };
        (bracket::closing(open) != self.word()).then(|| {
            self.error(
                error_code::UNEXPECTED_TOKEN,
                format!(
                    "expected `{}`, found `{}`",
                    bracket::closing(open),
                    self.word()
                ),
            )
            .related(span, format!("unclosed `{}`", bracket::opening(open)))
        })
    }

    fn keyword_as_name(&self, found: Token<'_>) -> Option<Diagnostic> {
        let only_a_name = self.accepts("identifier") && !self.accepts("number");
        let needs_name =
            only_a_name && found != Token::IntKeyword || self.before(1) == Some(Token::Def);
        let word = self.word();
        (needs_name && KEYWORDS.contains(&word)).then(|| {
            self.error(
                error_code::KEYWORD_AS_NAME,
                format!("`{word}` is a keyword and cannot be used as a name"),
            )
            .note("choose another name")
        })
    }

    /// Valid constructs in the wrong part of a program.
    fn misplaced(&self, found: Token<'_>) -> Option<Diagnostic> {
        let word = self.word();
        if self.expected.is_empty()
            && bracket::innermost_open(self.source, &self.tokens[..self.index]).is_none()
        {
            return Some(self.error(
                error_code::NOT_ALLOWED_HERE,
                "nothing may follow the closing brace of `game`",
            ));
        }
        let in_body = self.accepts("if") && !self.accepts("piece");
        if in_body && ITEM_KEYWORDS.contains(&word) {
            let what = if found == Token::Fun {
                "functions cannot be defined inside another body".to_string()
            } else {
                format!("`{word}` is not allowed inside a body")
            };
            return Some(
                self.error(error_code::NOT_ALLOWED_HERE, what)
                    .note("define it directly in the game; close the body with `}` first"),
            );
        }
        if self.accepts("piece") && !self.accepts("if") {
            return Some(self.not_an_item());
        }
        let wrong_part = |parts: &str, of: &str| {
            self.error(
                error_code::NOT_ALLOWED_HERE,
                format!(
                    "expected {parts} in this {of}, found {}",
                    self.describe_found()
                ),
            )
        };
        if self.accepts("dimensions") {
            Some(wrong_part("`dimensions{…}` or `image{…}`", "board"))
        } else if self.accepts("onClick") {
            let parts = "`name{…}`, `image{…}`, `onTurn{…}` or `onClick{…}`";
            Some(wrong_part(parts, "piece"))
        } else {
            None
        }
    }

    fn not_an_item(&self) -> Diagnostic {
        let word = self.word();
        let suggestion = did_you_mean(word, ITEM_KEYWORDS.iter().copied());
        self.error(error_code::NOT_ALLOWED_HERE, format!("{} is not allowed directly in a game{suggestion}", self.describe_found())).note(
            "a game contains `board`, `players`, `turnOrder`, `eventPriority`, `piece`, `setup`, conditions, `def` and `fun`; \
             statements go in `setup`, handlers, conditions and functions",
        )
    }

    /// Common mistakes with a note of their own.
    fn common_mistake(&self, found: Token<'_>) -> Option<Diagnostic> {
        let unexpected = self.unexpected();
        Some(match (self.before(1), found) {
            (Some(Token::Else), Token::If) => unexpected.note("write `elseif`"),
            (Some(Token::CloseBrace), Token::OpenBrace) => unexpected.note(CALL_IN_CONDITION),
            (Some(Token::Return), _) => unexpected.note(
                "whatever follows `return` is its value; a `return` without a value must end its block",
            ),
            (Some(Token::Board), _) if self.accepts("[") => self
                .error(error_code::UNEXPECTED_TOKEN, "`board` cannot be used as a value")
                .note("to refer to a cell, write `board[row][column]`"),
            (Some(Token::CloseBracket), _) if self.expected == ["["] => self
                .error(
                    error_code::UNEXPECTED_TOKEN,
                    "`board` needs a row and a column",
                )
                .note("to refer to a cell, write `board[row][column]`"),
            (Some(Token::Name(name)), Token::OpenBrace) if self.before(2) == Some(Token::Fun) => {
                unexpected.note(format!("write `fun {name}() {{ … }}`, even without parameters"))
            }
            (Some(Token::Name(name)), Token::OpenParen) if self.before(2) == Some(Token::Def) => {
                unexpected.note(format!("write a function as `fun {name}(a) {{ … }}`"))
            }
            (Some(Token::Print | Token::Display | Token::Place), _) if found != Token::OpenParen => {
                let name = self.source.slice(self.span_before());
                unexpected.note(format!("write `{name}{{…}}`"))
            }
            (_, Token::Comma) if self.expected_bracket_closes() => {
                unexpected.note("a cell has two brackets: `board[0][1]`; a call has braces: `click{0, 1}`")
            }
            (Some(Token::Dot), Token::Int(_)) => unexpected.note("GridLok only has whole numbers"),
            (_, Token::Minus) if self.accepts("if") => {
                unexpected.note("a statement cannot start with a minus")
            }
            (Some(Token::Comma), Token::CloseBrace) => {
                unexpected.note("remove the last comma: only lists end with one")
            }
            (Some(Token::OpenBrace), Token::CloseBrace) if self.before(3) == Some(Token::Def) => {
                self.error(error_code::UNEXPECTED_TOKEN, "a `def` needs a value")
                    .note("the empty list is `{,}`")
            }
            (Some(Token::Name(_)), Token::OpenBrace) if self.in_loop_head() => {
                unexpected.note("put parentheses around a call in a loop head: `(f{1})`")
            }
            _ if self.in_loop_head() => unexpected.note(LOOP_FORMS),
            _ if self.in_call_read_as_block() => unexpected.note(CALL_IN_CONDITION),
            _ => {
                return self
                    .called_in_parentheses()
                    .map(|name| unexpected.note(format!("call it with braces: `{name}{{…}}`")));
            }
        })
    }

    /// The `name` in `name(…)`, if the error is inside or at its parenthesis: a call as other
    /// languages write it.
    fn called_in_parentheses(&self) -> Option<&'t str> {
        let end_index = if self.found() == Some(Token::OpenParen) {
            self.index + 1
        } else {
            self.index
        };
        let (Token::OpenParen, open) =
            bracket::innermost_open(self.source, self.tokens.get(..end_index)?)?
        else {
            return None;
        };
        let at = self
            .tokens
            .iter()
            .position(|&(start, ..)| start == open.start as usize)?
            .checked_sub(1)?;
        let &(start, token, end) = self.tokens.get(at)?;
        if self.misspelled_keyword().is_some() {
            return None;
        }
        let is_callable = matches!(
            token,
            Token::Name(_) | Token::Print | Token::Place | Token::Display
        );
        let is_definition = at
            .checked_sub(1)
            .is_some_and(|before| self.tokens[before].1 == Token::Fun);
        (is_callable && !is_definition && end == open.start as usize)
            .then(|| self.source.slice(self.source.span(start, end)))
    }

    /// True if the error is between `for` and its block.
    fn in_loop_head(&self) -> bool {
        let head = self.tokens[..self.index].iter().rev();
        let mut head = head
            .map(|token| token.1)
            .take_while(|t| !matches!(t, Token::OpenBrace | Token::CloseBrace));
        head.any(|token| token == Token::For)
    }

    /// True if the error is just after `if … name {`: the user meant a call, but the brace opened
    /// the block.
    fn in_call_read_as_block(&self) -> bool {
        let preceding: Vec<Token> = self.tokens[..self.index]
            .iter()
            .rev()
            .map(|token| token.1)
            .take(MAX_LOOKBACK_TOKENS)
            .collect();
        let Some(brace) = preceding.iter().position(|t| *t == Token::OpenBrace) else {
            return false;
        };
        let opens = matches!(preceding.get(brace + 1), Some(Token::Name(_)));
        let mut head = preceding
            .iter()
            .skip(brace + 1)
            .take_while(|t| !matches!(t, Token::OpenBrace | Token::CloseBrace));
        brace <= 2 && opens && head.any(|t| matches!(t, Token::If | Token::Elseif))
    }

    fn unexpected(&self) -> Diagnostic {
        let expected = format!(
            "expected {}, found {}",
            self.describe_expected(),
            self.describe_found()
        );
        match (self.found(), self.misspelled_keyword()) {
            (Some(Token::Name("and" | "or")), _) => self.error(
                error_code::UNEXPECTED_TOKEN,
                format!("{expected}; did you mean `{}`?", self.word().to_uppercase()),
            ),
            (_, Some((word, suggestion))) => self.error(
                error_code::UNEXPECTED_TOKEN,
                format!("{expected}; did you mean `{suggestion}` instead of `{word}`?"),
            ),
            (Some(Token::Name(_) | Token::Text(_)), None)
                if matches!(self.before(1), Some(Token::Text(_))) =>
            {
                self.error(error_code::UNEXPECTED_TOKEN, expected)
                    .note("a quote or a comma may be missing")
            }
            _ => self.error(error_code::UNEXPECTED_TOKEN, expected),
        }
    }

    /// A name earlier on this line that looks like a misspelled keyword, and that keyword.
    fn misspelled_keyword(&self) -> Option<(&'t str, &'static str)> {
        let (line, _) = self.source.line_column(self.span().start);
        let line = self.source.line_range(line);
        let preceding = self.tokens[..self.index]
            .iter()
            .rev()
            .take_while(|token| token.0 >= line.start);
        let found = preceding.filter_map(|&(_, token, _)| match token {
            Token::Name(name) if name.len() > 2 && find_predefined(name).is_none() => {
                closest_match(
                    name,
                    STATEMENT_KEYWORDS
                        .iter()
                        .copied()
                        .filter(|keyword| keyword.len() > 2),
                )
                .map(|word| (name, word))
            }
            _ => None,
        });
        found.last().or_else(|| self.misspelled_item_keyword())
    }

    /// The same for the keyword of an item at the start of an entry.
    fn misspelled_item_keyword(&self) -> Option<(&'t str, &'static str)> {
        let &(0, Token::Name(name), _) = self.tokens.first().filter(|_| self.index > 0)? else {
            return None;
        };
        closest_match(name, ITEM_KEYWORDS.iter().copied()).map(|word| (name, word))
    }

    fn describe_found(&self) -> String {
        match self.found() {
            Some(Token::Text(text)) => format!("the string \"{text}\""),
            Some(Token::Int(n)) => format!("the number {n}"),
            Some(Token::FileName(_)) => "a file name".to_string(),
            _ => format!("`{}`", self.word()),
        }
    }

    /// Describes what would have been valid here.
    fn describe_expected(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut add = |applies: bool, what: &str| words.extend(applies.then(|| what.to_string()));
        let statement = self.accepts("if");
        let value = self.accepts("number");
        add(self.accepts("piece"), "a definition");
        add(statement, "a statement");
        add(value && !statement, "a value");
        add(self.accepts("identifier") && !value, "a name");
        add(self.accepts("file name"), "a file name");
        add(
            self.accepts("text") && !value && !self.accepts("file name"),
            "a string in quotes",
        );
        for symbol in [
            "in",
            "surrounding",
            "row",
            "col",
            "board",
            "{",
            "(",
            "[",
            ",",
            ")",
            "]",
            "}",
        ] {
            let part_of_value = value && matches!(symbol, "(" | "board")
                || self.accepts("+") && matches!(symbol, "[");
            add(
                self.accepts(symbol) && !part_of_value && !(statement && matches!(symbol, "{")),
                &format!("`{symbol}`"),
            );
        }
        match words.pop() {
            None if self.accepts("+") => "an operator".to_string(),
            None => "the end of the input".to_string(),
            Some(last) if words.is_empty() => last,
            Some(last) => format!("{} or {last}", words.join(", ")),
        }
    }
}
