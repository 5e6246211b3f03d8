//! What is wrong with a text, in the words of GridLok: the one place where the grammar's error becomes a sentence.

use super::{SpannedToken, bracket};
use crate::diagnostic::{Diagnostic, Phase, closest_match};
use crate::languages::gridlok::error_code;
use crate::languages::gridlok::token::{ITEM_KEYWORDS, KEYWORDS, Token};
use crate::source::{Source, Span};

/// Where the grammar could not go on, and what it would have taken there.
pub struct SyntaxError<'t> {
    source: &'t Source,
    lexemes: &'t [SpannedToken<'t>],
    index: usize,
    expected: Vec<&'t str>,
}

/// Words a statement may begin with.
const OPENERS: &[&str] = &["if", "elseif", "else", "for", "return", "def"];
const LOOPS: &str = "a loop is one of: `for i(0,3){…}`, `for x,y in board{…}`, `for all p in board{…}`, \
                     `for p in row(0){…}`, `for p in col(0){…}`, `for p surrounding r,c{…}`, `for i,j surrounding r,c{…}`";

const CALL_IN_TEST: &str = "in a test or loop head, `name {` opens the block: put parentheses round a call, `if (f{1}) {…}`";

impl<'t> SyntaxError<'t> {
    pub fn new(
        source: &'t Source,
        lexemes: &'t [SpannedToken<'t>],
        index: usize,
        expected: &'t [String],
    ) -> SyntaxError<'t> {
        let expected = expected.iter().map(|e| e.trim_matches('"')).collect();
        SyntaxError {
            source,
            lexemes,
            index,
            expected,
        }
    }

    /// The token that does not fit; none at the end of the text.
    pub fn found(&self) -> Option<Token<'t>> {
        self.lexemes.get(self.index).map(|lexeme| lexeme.1)
    }

    fn before(&self, back: usize) -> Option<Token<'t>> {
        self.index
            .checked_sub(back)
            .and_then(|i| self.lexemes.get(i))
            .map(|lexeme| lexeme.1)
    }

    fn takes(&self, token: &str) -> bool {
        self.expected.contains(&token)
    }

    fn span(&self) -> Span {
        match self.lexemes.get(self.index) {
            Some(&(start, _, end)) => self.source.span(start, end),
            None => self
                .lexemes
                .last()
                .map_or(self.source.full_span(), |&(_, _, end)| {
                    self.source.span(end, end)
                }),
        }
    }

    /// Where the error is shown. Empty brackets are wrong as a whole, however far apart they are.
    fn shown_at(&self) -> Span {
        let opened = matches!(
            self.before(1),
            Some(Token::OpenBrace | Token::OpenParen | Token::OpenBracket)
        );
        let closed = matches!(
            self.found(),
            Some(Token::CloseBrace | Token::CloseParen | Token::CloseBracket)
        );
        let before = self.index.checked_sub(1).and_then(|i| self.lexemes.get(i));
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
        Diagnostic::error(Phase::Parse, code, self.shown_at(), message)
    }

    pub fn to_diagnostic(&self) -> Diagnostic {
        let Some(found) = self.found() else {
            return self.ends_too_early();
        };
        self.malformed(found)
            .or_else(|| self.bracket(found))
            .or_else(|| self.keyword_as_name(found))
            .or_else(|| self.wrong_place(found))
            .or_else(|| self.special(found))
            .unwrap_or_else(|| self.unexpected())
    }

    /// Tokens that are wrong wherever they stand.
    fn malformed(&self, found: Token<'_>) -> Option<Diagnostic> {
        Some(match found {
            Token::Invalid => self.bad_character(),
            Token::InvalidName => self.bad_name(),
            Token::UnterminatedString => self
                .error(
                    error_code::UNTERMINATED_STRING,
                    "this string is not closed on its line",
                )
                .note("a string ends with the quote that belongs to its first: `\"…\"` or `“…”`"),
            Token::UnterminatedComment => self
                .error(
                    error_code::UNTERMINATED_COMMENT,
                    "this comment is never closed",
                )
                .note("a comment ends with `*/`"),
            Token::OversizedInt | Token::MinIntMagnitude => self
                .error(
                    error_code::NUMBER_TOO_LARGE,
                    format!("the number {} is too large", self.word()),
                )
                .note("numbers go from -2147483648 to 2147483647"),
            _ => return None,
        })
    }

    fn bad_character(&self) -> Diagnostic {
        let note = match self.word() {
            "=" => "compare with `==`; give a variable a value with braces: `name{value}`",
            "&" => "\"and\" is written `AND` or `&&`",
            "|" => "\"or\" is written `OR` or `||`",
            ";" => "statements need nothing between them: leave it out",
            "'" | "‘" | "’" => "strings stand in double quotes: `\"…\"`",
            "#" => "a comment is `/* … */`, or `//` to the end of the line",
            "\u{A0}" => "it is a blank of a special kind, probably pasted: type it again",
            _ => "leave it out",
        };
        let shown = if self.word() == "\u{A0}" {
            "a non-breaking blank".to_string()
        } else {
            format!("`{}`", self.word())
        };
        let code = if self.word() == "=" {
            error_code::SINGLE_EQUALS
        } else {
            error_code::BAD_CHARACTER
        };
        self.error(code, format!("{shown} means nothing in GridLok"))
            .note(note)
    }

    fn bad_name(&self) -> Diagnostic {
        let word = self.word();
        let why = if word.starts_with(|c: char| c.is_ascii_digit()) {
            "a name can't start with a digit"
        } else if !word.chars().all(|c| c.is_ascii_alphanumeric()) {
            "only the letters a to z, A to Z and digits can be in a name"
        } else {
            "a name starts with a small letter"
        };
        let near =
            closest_match(word, KEYWORDS.iter().copied()).filter(|k| k.eq_ignore_ascii_case(word));
        let meant = near
            .map(|k| format!("; did you mean `{k}`?"))
            .unwrap_or_default();
        self.error(
            error_code::BAD_NAME,
            format!("`{word}` can't be a name{meant}"),
        )
        .note(why)
    }

    fn ends_too_early(&self) -> Diagnostic {
        if let Some((bracket, span)) =
            bracket::innermost_open(self.source, &self.lexemes[..self.index])
        {
            let ends = self
                .error(
                    error_code::UNEXPECTED_END,
                    format!(
                        "the text ends, but a `{}` is missing",
                        bracket::closing(bracket)
                    ),
                )
                .related(
                    span,
                    format!("this `{}` is not closed", bracket::opening(bracket)),
                );
            return match bracket::find_misindented_close(self.source, self.lexemes) {
                Some((open, close)) => ends
                    .related(open, "perhaps this is the one that lacks its `}`")
                    .related(close, "its `}` is indented otherwise"),
                None => ends,
            };
        }
        let ends = self.error(
            error_code::UNEXPECTED_END,
            format!("the text ends where {} should follow", self.wanted()),
        );
        let cell = self.takes("[") && !self.takes("+");
        if cell {
            ends.note("one cell of the board is `board[row][column]`")
        } else {
            ends
        }
    }

    /// A closing bracket that closes nothing, or not the one that is open.
    fn bracket(&self, found: Token<'_>) -> Option<Diagnostic> {
        if !matches!(
            found,
            Token::CloseBrace | Token::CloseParen | Token::CloseBracket
        ) {
            return None;
        }
        let Some((open, span)) = bracket::innermost_open(self.source, &self.lexemes[..self.index])
        else {
            return Some(
                self.error(
                    error_code::UNEXPECTED_TOKEN,
                    format!("this `{}` closes nothing", self.word()),
                )
                .note("leave it out"),
            );
        };
        (bracket::closing(open) != self.word()).then(|| {
            self.error(
                error_code::UNEXPECTED_TOKEN,
                format!(
                    "expected `{}`, but found `{}`",
                    bracket::closing(open),
                    self.word()
                ),
            )
            .related(
                span,
                format!("this `{}` is not closed", bracket::opening(open)),
            )
        })
    }

    fn keyword_as_name(&self, found: Token<'_>) -> Option<Diagnostic> {
        let only_a_name = self.takes("name of a thing") && !self.takes("number");
        let word = self.word();
        (only_a_name && KEYWORDS.contains(&word) && found != Token::IntKeyword
            || self.before(1) == Some(Token::Def))
        .then_some(())
        .filter(|()| KEYWORDS.contains(&word))?;
        Some(
            self.error(
                error_code::KEYWORD_AS_NAME,
                format!("`{word}` is a word of the language and can't be a name"),
            )
            .note("choose another name"),
        )
    }

    /// Things that are right in themselves and stand in the wrong part of a program.
    fn wrong_place(&self, found: Token<'_>) -> Option<Diagnostic> {
        let word = self.word();
        if self.expected.is_empty()
            && bracket::innermost_open(self.source, &self.lexemes[..self.index]).is_none()
        {
            return Some(self.error(
                error_code::NOT_ALLOWED_HERE,
                "nothing can follow the closing brace of `game`",
            ));
        }
        let in_body = self.takes("if") && !self.takes("piece");
        if in_body && ITEM_KEYWORDS.contains(&word) {
            let what = if found == Token::Fun {
                "a function can't be defined inside a body".to_string()
            } else {
                format!("`{word}` can't stand inside a body")
            };
            return Some(self.error(error_code::NOT_ALLOWED_HERE, what).note(
                "it stands beside the body, directly in the game: close the body with `}` first",
            ));
        }
        if self.takes("piece") && !self.takes("if") {
            return Some(self.not_an_item());
        }
        let part = |parts: &str, of: &str| {
            self.error(
                error_code::NOT_ALLOWED_HERE,
                format!(
                    "expected {parts}, the parts of a {of}, but found {}",
                    self.shown()
                ),
            )
        };
        match () {
            () if self.takes("dimensions") => Some(part("`dimensions{…}` or `image{…}`", "board")),
            () if self.takes("onClick") => Some(part(
                "`name{…}`, `image{…}`, `onTurn{…}` or `onClick{…}`",
                "piece",
            )),
            () => None,
        }
    }

    fn not_an_item(&self) -> Diagnostic {
        let word = self.word();
        let meant = closest_match(word, ITEM_KEYWORDS.iter().copied())
            .map(|i| format!("; did you mean `{i}`?"))
            .unwrap_or_default();
        self.error(error_code::NOT_ALLOWED_HERE, format!("{} can't stand directly in a game{meant}", self.shown())).note(
            "here stand `board`, `players`, `turnOrder`, `eventPriority`, `piece`, `setup`, conditions, `def` and `fun`; \
             statements stand in `setup`, in handlers, conditions and functions",
        )
    }

    /// Mistakes that are made often and can be named.
    fn special(&self, found: Token<'_>) -> Option<Diagnostic> {
        let unexpected = self.unexpected();
        Some(match (self.before(1), found) {
            (Some(Token::Else), Token::If) => unexpected.note("the word is `elseif`"),
            (Some(Token::CloseBrace), Token::OpenBrace) => unexpected.note(CALL_IN_TEST),
            (Some(Token::Return), _) => unexpected.note(
                "what follows a `return` is its value; a `return` without one ends its block",
            ),
            (Some(Token::Board), _) if self.takes("[") => self
                .error(error_code::UNEXPECTED_TOKEN, "`board` alone is no value")
                .note("one cell is `board[row][column]`"),
            (Some(Token::CloseBracket), _) if self.expected == ["["] => self
                .error(
                    error_code::UNEXPECTED_TOKEN,
                    "`board` needs a row and a column",
                )
                .note("one cell is `board[row][column]`"),
            (Some(Token::Dot), Token::Int(_)) => unexpected.note("GridLok has whole numbers only"),
            (_, Token::Minus) if self.takes("if") => {
                unexpected.note("a statement can't begin with a minus")
            }
            (Some(Token::Comma), Token::CloseBrace) => {
                unexpected.note("an argument follows each comma; only lists end with one")
            }
            (Some(Token::OpenBrace), Token::CloseBrace) if self.before(3) == Some(Token::Def) => {
                self.error(error_code::UNEXPECTED_TOKEN, "a `def` needs a value")
                    .note("the empty list is `{,}`")
            }
            (Some(Token::Name(_)), Token::OpenBrace) if self.in_loop_head() => {
                unexpected.note("a call in a loop head needs parentheses round it: `(f{1})`")
            }
            _ if self.in_loop_head() => unexpected.note(LOOPS),
            _ if self.in_call_read_as_block() => unexpected.note(CALL_IN_TEST),
            _ => {
                return self
                    .called_in_parentheses()
                    .map(|name| unexpected.note(format!("call it with braces: `{name}{{…}}`")));
            }
        })
    }

    /// The name that stands right before the parenthesis that the place is in or at, as a call is written elsewhere.
    fn called_in_parentheses(&self) -> Option<&'t str> {
        let upto = if self.found() == Some(Token::OpenParen) {
            self.index + 1
        } else {
            self.index
        };
        let (Token::OpenParen, open) =
            bracket::innermost_open(self.source, self.lexemes.get(..upto)?)?
        else {
            return None;
        };
        let at = self
            .lexemes
            .iter()
            .position(|&(start, ..)| start == open.start as usize)?
            .checked_sub(1)?;
        let &(start, token, end) = self.lexemes.get(at)?;
        if self.misspelt().is_some() {
            return None;
        }
        let callable = matches!(
            token,
            Token::Name(_) | Token::Print | Token::Place | Token::Display
        );
        let defines = at
            .checked_sub(1)
            .is_some_and(|before| self.lexemes[before].1 == Token::Fun);
        (callable && !defines && end == open.start as usize)
            .then(|| self.source.slice(self.source.span(start, end)))
    }

    /// Whether the place is between `for` and its block.
    fn in_loop_head(&self) -> bool {
        let head = self.lexemes[..self.index].iter().rev();
        let mut head = head
            .map(|l| l.1)
            .take_while(|t| !matches!(t, Token::OpenBrace | Token::CloseBrace));
        head.any(|token| token == Token::For)
    }

    /// Whether the place is right behind `if … name {`, at something that could only be an argument.
    fn in_call_read_as_block(&self) -> bool {
        let back: Vec<Token> = self.lexemes[..self.index]
            .iter()
            .rev()
            .map(|l| l.1)
            .take(40)
            .collect();
        let Some(brace) = back.iter().position(|t| *t == Token::OpenBrace) else {
            return false;
        };
        let opens = matches!(back.get(brace + 1), Some(Token::Name(_)));
        let mut head = back
            .iter()
            .skip(brace + 1)
            .take_while(|t| !matches!(t, Token::OpenBrace | Token::CloseBrace));
        brace <= 2 && opens && head.any(|t| matches!(t, Token::If | Token::Elseif))
    }

    fn unexpected(&self) -> Diagnostic {
        let expected = format!("expected {}, but found {}", self.wanted(), self.shown());
        match (self.found(), self.misspelt()) {
            (Some(Token::Name("and" | "or")), _) => self.error(
                error_code::UNEXPECTED_TOKEN,
                format!("{expected}; did you mean `{}`?", self.word().to_uppercase()),
            ),
            (_, Some((word, meant))) => self.error(
                error_code::UNEXPECTED_TOKEN,
                format!("{expected}; did you mean `{meant}` instead of `{word}`?"),
            ),
            (Some(Token::Name(_) | Token::Text(_)), None)
                if matches!(self.before(1), Some(Token::Text(_))) =>
            {
                self.error(error_code::UNEXPECTED_TOKEN, expected)
                    .note("perhaps a quote or a comma is missing")
            }
            _ => self.error(error_code::UNEXPECTED_TOKEN, expected),
        }
    }

    /// A name at the head of this statement's line that may have been meant as a keyword.
    fn misspelt(&self) -> Option<(&'t str, &'static str)> {
        let (line, _) = self.source.line_column(self.span().start);
        let line = self.source.line_range(line);
        let back = self.lexemes[..self.index]
            .iter()
            .rev()
            .take_while(|lexeme| lexeme.0 >= line.start);
        let found = back.filter_map(|&(_, token, _)| match token {
            Token::Name(name) if name.len() > 2 => {
                closest_match(name, OPENERS.iter().copied().filter(|o| o.len() > 2))
                    .map(|word| (name, word))
            }
            _ => None,
        });
        found.last().or_else(|| self.misspelt_item())
    }

    /// What is typed at the prompt may be a part of the game, whose word comes first.
    fn misspelt_item(&self) -> Option<(&'t str, &'static str)> {
        let &(0, Token::Name(name), _) = self.lexemes.first().filter(|_| self.index > 0)? else {
            return None;
        };
        closest_match(name, ITEM_KEYWORDS.iter().copied()).map(|word| (name, word))
    }

    fn shown(&self) -> String {
        match self.found() {
            Some(Token::Text(text)) => format!("the string \"{text}\""),
            Some(Token::Int(n)) => format!("the number {n}"),
            Some(Token::FileName(_)) => "a file name".to_string(),
            _ => format!("`{}`", self.word()),
        }
    }

    /// What could stand here, in words.
    fn wanted(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut add = |here: bool, what: &str| words.extend(here.then(|| what.to_string()));
        let statement = self.takes("if");
        let value = self.takes("number");
        add(self.takes("piece"), "a part of the game");
        add(statement, "a statement");
        add(value && !statement, "a value");
        add(self.takes("name of a thing") && !value, "a name");
        add(self.takes("file name"), "a file name");
        add(
            self.takes("text") && !value && !self.takes("file name"),
            "a string in quotes",
        );
        for mark in [
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
            let part_of_value =
                value && matches!(mark, "(" | "board") || self.takes("+") && matches!(mark, "[");
            add(
                self.takes(mark) && !part_of_value && !(statement && matches!(mark, "{")),
                &format!("`{mark}`"),
            );
        }
        match words.pop() {
            None if self.takes("+") => "an operator".to_string(),
            None => "the end".to_string(),
            Some(last) if words.is_empty() => last,
            Some(last) => format!("{} or {last}", words.join(", ")),
        }
    }
}
