//! Syntax error messages: explains the parser generator's errors in terms of BoGL.

mod late_mistake;
mod position;

use lalrpop_util::ParseError;

use self::position::SyntaxError;
use super::GrammarError;
use crate::diagnostic::{Diagnostic, Phase};
use crate::languages::bogl::token::Token;
use crate::source::Source;

pub(super) fn explain(
    source: &Source,
    start: Token,
    tokens: &[(usize, Token, usize)],
    failure: GrammarError,
) -> Vec<Diagnostic> {
    let (from, expected) = match failure {
        ParseError::User { error } => return error,
        ParseError::UnrecognizedEof { expected, .. } => (source.text.len(), expected),
        ParseError::UnrecognizedToken {
            token: (from, ..),
            expected,
        } => (from, expected),
        ParseError::ExtraToken { token: (from, ..) }
        | ParseError::InvalidToken { location: from } => (from, Vec::new()),
    };
    let error_index = tokens
        .iter()
        .position(|&(begin, ..)| begin == from)
        .unwrap_or(tokens.len());
    let expected = expected.iter().map(|name| name.trim_matches('"')).collect();
    vec![
        SyntaxError {
            source,
            start,
            tokens,
            error_index,
            expected,
        }
        .diagnose(),
    ]
}

impl SyntaxError<'_> {
    fn diagnose(&self) -> Diagnostic {
        let mistake = self
            .misspelled_in()
            .or_else(|| self.missing_equation())
            .or_else(|| self.missing_parentheses());
        if let Some(diagnostic) = mistake {
            return diagnostic;
        }
        let Some(&(_, token, _)) = self.tokens.get(self.error_index) else {
            return self.unexpected_end();
        };
        match token {
            Token::Bad => self.unknown_token(),
            Token::UnterminatedComment => self
                .error("BG002", "unterminated comment")
                .note("close it with `-}`"),
            _ => self
                .common_mistake(token)
                .unwrap_or_else(|| self.unexpected()),
        }
    }

    fn unexpected_end(&self) -> Diagnostic {
        if self.tokens.is_empty() && self.start == Token::StartProgram {
            return self.error("BG004", "expected `game Name`, found an empty program");
        }
        if self.tokens.is_empty() {
            let expected_description = self.expected_description();
            return self.error(
                "BG004",
                format!("expected {expected_description}, found nothing"),
            );
        }
        let diagnostic = self.error(
            "BG004",
            format!(
                "expected {}, found the end of the input",
                self.expected_description()
            ),
        );
        match self.unclosed() {
            Some(open) => diagnostic.related(self.span(open), self.unclosed_label(open)),
            None if self.expects("else") => {
                diagnostic.note("`if` needs both branches: `if … then … else …`")
            }
            None if self.expects("in") => {
                diagnostic.note("`let` needs an `in`: `let x = 1 in x + 1`")
            }
            None => diagnostic,
        }
    }

    fn unknown_token(&self) -> Diagnostic {
        let text = self.text(self.error_index);
        let noun = match text.chars().count() {
            1 => "character",
            _ => "token",
        };
        let diagnostic = self.error("BG001", format!("unknown {noun} `{text}`"));
        match text {
            "&&" => diagnostic.note("write `and(a, b)`"),
            "|" if self.is_in_type_definition() => diagnostic.note(self.alternatives_note()),
            "||" | "|" => diagnostic.note("write `or(a, b)`"),
            "!=" => diagnostic.note("write `/=` for \"not equal\""),
            "=>" => diagnostic.note("write `>=` for \"at least\", or `->` in a type"),
            "=<" => diagnostic.note("write `<=` for \"at most\""),
            "." if self.previous_token() == Some(Token::Int) => {
                diagnostic.note("BoGL only has integers")
            }
            "." => diagnostic.note("values have no fields; call a function: `f(x)`"),
            ";" => diagnostic.note("definitions need no separator"),
            "[" if self.previous_token() == Some(Token::Name) => {
                diagnostic.note("write `board!(1, 1)` for a cell, and `f(x)` for a call")
            }
            "[" | "]" => diagnostic.note("BoGL has no lists; use a tuple: `(1, 2)`"),
            _ if text.starts_with('"') || text.starts_with('\'') => diagnostic.note(
                "BoGL has no strings; use the symbols of an enumeration: `type T = {Won, Lost}`",
            ),
            _ if text.starts_with('_') => diagnostic.note("names start with a letter"),
            _ => diagnostic,
        }
    }

    /// Common mistakes with a message of their own.
    fn common_mistake(&self, token: Token) -> Option<Diagnostic> {
        let before = self.previous_token();
        let diagnostic = match (before, token) {
            (None, _) if self.start == Token::StartProgram => self
                .error("BG003", "expected `game Name` at the start of the program")
                .note("write `game MyGame` on the first line, or use the file as a prelude: `gridbug --prelude FILE`"),
            (_, Token::Game) if self.start == Token::StartPrelude => self
                .error("BG003", "a prelude cannot have a `game` line")
                .note("remove the line, or load the file as a game"),
            (Some(Token::Minus | Token::Plus), _) if self.expected == ["int"] => {
                let sign = self.text(self.error_index - 1);
                let message = format!("the sign `{sign}` is only allowed before a number");
                let span = self.span(self.error_index - 1).to(self.span(self.error_index));
                let note =
                    format!("write `0 {sign} {}`", if token == Token::Name { self.text(self.error_index) } else { "(…)" });
                Diagnostic::error(Phase::Parse, "BG007", span, message).note(note)
            }
            (_, Token::CloseParen | Token::CloseBrace) if self.unclosed().is_none() => {
                self.error("BG003", format!("unmatched `{}`", self.text(self.error_index)))
            }
            (_, token) if token.is_keyword() && self.expected == ["name"] => self
                .error(
                    "BG003",
                    format!("`{}` is a keyword and cannot be used as a name", self.text(self.error_index)),
                )
                .note("choose another name"),
            (_, Token::Arrow) => self.misplaced_arrow(),
            (_, Token::Equals) if self.expects("==") => self
                .error("BG010", "`=` is not allowed in an expression")
                .note("write `==` to compare two values"),
            (Some(Token::OpenParen), Token::CloseParen) => self
                .error("BG003", "expected an expression between the parentheses")
                .note("every function takes at least one argument; write a value such as `input` without parentheses"),
            (Some(Token::CloseParen), Token::OpenParen) => self
                .error("BG003", "the result of a call is not a function")
                .note("pass all arguments at once: `f(1, 2)`"),
            (_, Token::Comma) if self.expects("in") => {
                self.error("BG003", "`let` binds a single name").note("write `let x = 1 in let y = 2 in …`")
            }
            (_, Token::Comma) if self.is_in_type_definition() && self.unclosed().is_none() => {
                self.error("BG003", "unexpected `,`").note(self.alternatives_note())
            }
            (_, Token::Let) if self.expects("type") => self
                .error("BG003", "`let` is not allowed at the top level of a program")
                .note("define a value with its type: `x : Int` and `x = 1` (`let x = 1` works at the prompt)"),
            _ => return None,
        };
        Some(diagnostic)
    }

    fn misplaced_arrow(&self) -> Diagnostic {
        let earlier = self.tokens[..self.error_index].iter().rev();
        let in_same_type = earlier.take_while(|(_, token, _)| {
            !matches!(token, Token::Colon | Token::Equals | Token::Type)
        });
        match in_same_type
            .into_iter()
            .any(|(_, token, _)| *token == Token::Arrow)
        {
            true => self
                .error("BG009", "a function cannot return a function")
                .note("write several arguments as a tuple: `f : (Int, Int) -> Int`"),
            false => self
                .error("BG009", "function types are only allowed in signatures")
                .note("write it in each signature: `f : Int -> Int`"),
        }
    }

    fn unexpected(&self) -> Diagnostic {
        let (text, token) = (self.text(self.error_index), self.tokens[self.error_index].1);
        let diagnostic = self.error(
            "BG003",
            format!(
                "expected {}, found `{text}`{}",
                self.expected_description(),
                self.keyword_suggestion()
            ),
        );
        match token {
            Token::Name if matches!(text, "and" | "or") => {
                diagnostic.note(format!("`{text}` is a function: write `{text}(a, b)`"))
            }
            Token::Bang => {
                diagnostic.note("write `not(a)` for \"not\", and `board!(1, 1)` for a cell")
            }
            Token::OpenBrace if self.expects("then") => {
                diagnostic.note("write `if … then … else …`, without braces")
            }
            Token::OpenBrace if self.previous_token() == Some(Token::Name) => {
                diagnostic.note("put arguments in parentheses: `f(x)`")
            }
            _ if token.is_keyword() && self.expects("name") => diagnostic.note(format!(
                "`{text}` is a keyword and cannot be used as a name"
            )),
            Token::Name if self.expects("Name") && !self.expects("name") => {
                diagnostic.note("names of types, games and symbols start with an uppercase letter")
            }
            Token::UpperName
                if self.expected == ["name"] || self.expects("name") && self.expects("type") =>
            {
                diagnostic
                    .note("names of values, functions and parameters start with a lowercase letter")
            }
            Token::Array => {
                diagnostic.note("only `Board` is an array: `type Board = Array (3, 3) of …`")
            }
            _ if self.expects("else") => {
                diagnostic.note("`if` needs both branches: `if … then … else …`")
            }
            _ if self.expects("in") => diagnostic.note("`let` needs an `in`: `let x = 1 in x + 1`"),
            _ if self.expects(")") || self.expects("}") => match self.unclosed() {
                Some(open) => diagnostic.related(self.span(open), self.unclosed_label(open)),
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }

    /// What the parser expected here.
    fn expected_description(&self) -> String {
        let has = |name| self.expects(name);
        let text = match self.previous_token() {
            _ if self.expected == ["("] => "`(`",
            _ if has("if") && has("int") && has("game") => "an expression or a definition",
            _ if has("if") && has("int") => "an expression",
            _ if has("{") && has("Array") => "a type, or `Array` for the board",
            _ if has("{") => "a type",
            _ if has("Name") && has("int") => {
                "a constant: a number, `True`, `False`, a symbol, or a tuple of them"
            }
            Some(Token::Game) => "an uppercase name for the game",
            Some(Token::Type) => "an uppercase name for the type",
            _ if has("Name") => "an uppercase symbol",
            _ if self.expected == ["name"] => "a lowercase name",
            Some(Token::Hash) => "a component number, or several in parentheses",
            _ if has("int") => "an integer",
            _ if self.expects_equation() => "the equation for this signature",
            _ => return self.expected_tokens(),
        };
        text.to_owned()
    }

    /// Expected keywords and brackets; operators only if there is nothing else.
    fn expected_tokens(&self) -> String {
        let candidates = ["then", "else", "do", "in", "of", ")", "}", ",", ":", "="];
        let mut expected: Vec<String> = candidates
            .iter()
            .filter(|word| self.expects(word))
            .map(|word| format!("`{word}`"))
            .collect();
        if self.expects("type") {
            expected.push("a definition".to_owned());
        }
        match expected.pop() {
            None if self.expects("==") => "an operator or the end of the expression".to_owned(),
            None => "the end of the input".to_owned(),
            Some(last) if expected.is_empty() => last,
            Some(last) => format!("{} or {last}", expected.join(", ")),
        }
    }
}
