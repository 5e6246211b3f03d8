//! What BoGL's syntax errors say. Those that the grammar may notice only at a later token are in
//! `late_mistake`.

mod late_mistake;

use crate::diagnostic::Diagnostic;
use crate::language::syntax::{
    Expected, ExpectedWords, Syntax, SyntaxCodes, SyntaxError, expected, parse_error, quoted,
};
use crate::languages::bogl::token::Token;

const EXPECTED: &[Expected] = &[
    quoted(&["("]).exactly(),
    expected(&["if", "int", "game"], "an expression or a definition"),
    expected(&["if", "int"], "an expression"),
    expected(&["{", "Array"], "a type, or `Array` for the board"),
    expected(&["{"], "a type"),
    expected(
        &["Name", "int"],
        "a constant: a number, `True`, `False`, a symbol, or a tuple of them",
    ),
    expected(&[], "an uppercase name for the game").after("game"),
    expected(&[], "an uppercase name for the type").after("type"),
    expected(&["Name"], "an uppercase symbol"),
    expected(&["name"], "a lowercase name").exactly(),
    expected(&[], "a component number, or several in parentheses").after("#"),
    expected(&["int"], "an integer"),
    expected(&["name"], "the equation for this signature").unless(NOT_EQUATION),
];

/// Where these terminals are expected, no signature lacks its equation.
const NOT_EQUATION: &[&str] = &["==", "type", "if"];

/// Keywords and brackets; operators only if there is nothing else.
const EXPECTED_TOKENS: &[Expected] = &[
    quoted(&["then"]),
    quoted(&["else"]),
    quoted(&["do"]),
    quoted(&["in"]),
    quoted(&["of"]),
    quoted(&[")"]),
    quoted(&["}"]),
    quoted(&[","]),
    quoted(&[":"]),
    quoted(&["="]),
    expected(&["type"], "a definition"),
];

impl Syntax for Token {
    const CODES: SyntaxCodes = SyntaxCodes {
        unexpected_token: "BG003",
        unexpected_end: "BG004",
        unmatched_bracket: "BG003",
        keyword_as_name: "BG003",
        too_deep: "BG005",
    };
    const EXPECTED: ExpectedWords = ExpectedWords {
        first: EXPECTED,
        any: EXPECTED_TOKENS,
        otherwise: &[expected(
            &["=="],
            "an operator or the end of the expression",
        )],
        nothing: "the end of the input",
    };
    const TOO_DEEP_NOTE: &'static str = "name parts of the expression with `let`";

    const STAND_INS: &'static str =
        "True a A ( ) { } , : = -> + then else in do of let if type while game";

    fn is_comment(self) -> bool {
        self == Token::Comment
    }

    fn is_incomplete(error: &SyntaxError<'_, Self>) -> bool {
        let ends_too_early = matches!(error.found(), None | Some(Token::UnterminatedComment));
        ends_too_early && !error.tokens.is_empty()
    }

    fn mistake(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        error
            .misspelled_in()
            .or_else(|| error.missing_equation())
            .or_else(|| error.missing_tuple())
            .or_else(|| error.missing_parentheses())
            .or_else(|| error.missing_game())
            .or_else(|| error.invalid_token(error.found()?))
            .or_else(|| error.misplaced_sign())
    }

    fn needs_name(error: &SyntaxError<'_, Self>) -> bool {
        error.accepts_only("name") && error.found().is_some_and(Token::is_keyword)
    }

    fn misplaced(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        error.misplaced_token(error.found()?)
    }

    fn misspelled(error: &SyntaxError<'_, Self>) -> Option<(usize, &'static str)> {
        error.misspelled_keyword()
    }

    fn annotate(error: &SyntaxError<'_, Self>, mut diagnostic: Diagnostic) -> Diagnostic {
        let note = error.hint();
        let could_close = error.accepts(")") || error.accepts("}");
        if note.is_none() && could_close && error.found().is_some() {
            let open = error.innermost_open();
            return open.map_or(diagnostic.clone(), |open| {
                error.with_unclosed(diagnostic, open)
            });
        }
        diagnostic.notes.extend(note);
        diagnostic
    }
}

impl SyntaxError<'_, Token> {
    /// A program that does not start with `game`, and an empty entry.
    fn missing_game(&self) -> Option<Diagnostic> {
        let is_program = self.start == Some(Token::StartProgram);
        match self.found() {
            None if !self.tokens.is_empty() => None,
            None if is_program => {
                Some(self.error("BG004", "expected `game Name`, found an empty program"))
            }
            None => {
                let expected = self.expected_words();
                Some(self.error("BG004", format!("expected {expected}, found nothing")))
            }
            Some(Token::Bad | Token::UnterminatedComment) => None,
            Some(_) if is_program && self.index == 0 => Some(
                self.error("BG003", "expected `game Name` at the start of the program")
                    .note("write `game MyGame` on the first line, or use the file as a prelude: `gridbug --prelude FILE`"),
            ),
            Some(_) => None,
        }
    }

    fn invalid_token(&self, token: Token) -> Option<Diagnostic> {
        match token {
            Token::Bad => Some(self.unknown_token()),
            Token::UnterminatedComment => Some(
                self.error("BG002", "unterminated comment")
                    .note("close it with `-}`"),
            ),
            _ => None,
        }
    }

    fn unknown_token(&self) -> Diagnostic {
        let text = self.text();
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
            "." if self.before(1) == Some(Token::Int) => diagnostic.note("BoGL only has integers"),
            "." => diagnostic.note("values have no fields; call a function: `f(x)`"),
            ";" => diagnostic.note("definitions need no separator"),
            "[" if self.before(1) == Some(Token::Name) => {
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

    /// `-x`: only numbers can have a sign.
    fn misplaced_sign(&self) -> Option<Diagnostic> {
        let is_after_sign = matches!(self.before(1), Some(Token::Minus | Token::Plus));
        if !is_after_sign || !self.accepts_only("int") {
            return None;
        }
        let sign = self.text_before(1);
        let message = format!("the sign `{sign}` is only allowed before a number");
        let span = self.span_at(self.index - 1).to(self.span());
        let operand = match self.found()? {
            Token::Name => self.text(),
            _ => "(…)",
        };
        let note = format!("write `0 {sign} {operand}`");
        Some(parse_error("BG007", span, message).note(note))
    }

    /// Tokens with a message of their own.
    fn misplaced_token(&self, token: Token) -> Option<Diagnostic> {
        let diagnostic = match (self.before(1), token) {
            (_, Token::Game) if self.start == Some(Token::StartPrelude) => self
                .error("BG003", "a prelude cannot have a `game` line")
                .note("remove the line, or load the file as a game"),
            (_, Token::Arrow) => self.misplaced_arrow(),
            (_, Token::Equals) if self.accepts("==") => self
                .error("BG010", "`=` is not allowed in an expression")
                .note("write `==` to compare two values"),
            (Some(Token::OpenParen), Token::CloseParen) => self
                .error("BG003", "expected an expression between the parentheses")
                .note("every function takes at least one argument; write a value such as `input` without parentheses"),
            (Some(Token::CloseParen), Token::OpenParen) => self
                .error("BG003", "the result of a call is not a function")
                .note("pass all arguments at once: `f(1, 2)`"),
            (_, Token::Comma) if self.accepts("in") => {
                self.error("BG003", "`let` binds a single name").note("write `let x = 1 in let y = 2 in …`")
            }
            (_, Token::Comma) if self.is_in_type_definition() && self.innermost_open().is_none() => {
                self.error("BG003", "unexpected `,`").note(self.alternatives_note())
            }
            (_, Token::Let) if self.accepts("type") => self
                .error("BG003", "`let` is not allowed at the top level of a program")
                .note("define a value with its type: `x : Int` and `x = 1` (`let x = 1` works at the prompt)"),
            _ => return None,
        };
        Some(diagnostic)
    }

    fn misplaced_arrow(&self) -> Diagnostic {
        let earlier = self.tokens[..self.index].iter().rev();
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

    /// A note for common mistakes.
    fn hint(&self) -> Option<String> {
        let text = self.text();
        let note = match self.found() {
            Some(Token::Name) if matches!(text, "and" | "or") => {
                return Some(format!("`{text}` is a function: write `{text}(a, b)`"));
            }
            Some(Token::Bang) => "write `not(a)` for \"not\", and `board!(1, 1)` for a cell",
            Some(Token::OpenBrace) if self.accepts("then") => {
                "write `if … then … else …`, without braces"
            }
            Some(Token::OpenBrace) if self.before(1) == Some(Token::Name) => {
                "put arguments in parentheses: `f(x)`"
            }
            Some(token) if token.is_keyword() && self.accepts("name") => {
                return Some(format!(
                    "`{text}` is a keyword and cannot be used as a name"
                ));
            }
            Some(Token::Name) if self.accepts("Name") && !self.accepts("name") => {
                "names of types, games and symbols start with an uppercase letter"
            }
            Some(Token::UpperName)
                if self.accepts_only("name") || self.accepts("name") && self.accepts("type") =>
            {
                "names of values, functions and parameters start with a lowercase letter"
            }
            Some(Token::Array) => "only `Board` is an array: `type Board = Array (3, 3) of …`",
            _ if self.accepts("else") => "`if` needs both branches: `if … then … else …`",
            _ if self.accepts("in") => "`let` needs an `in`: `let x = 1 in x + 1`",
            _ => return None,
        };
        Some(note.to_owned())
    }
}
