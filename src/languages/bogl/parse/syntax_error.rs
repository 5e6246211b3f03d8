//! What BoGL's syntax errors say. Those that the grammar may notice only at a later token are in
//! `late_mistake`.

mod late_mistake;

use crate::diagnostic::Diagnostic;
use crate::info::INFO;
use crate::language::syntax::{
    Expected, ExpectedWords, Syntax, SyntaxCodes, SyntaxError, expected, parse_error, quoted,
};
use crate::token::Token;

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
        unknown_name: &["BG024", "BG040", "BG041"],
        missing_part: &[],
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

    fn known_word(word: &str) -> Option<&'static str> {
        INFO.known_word(word)
    }

    fn is_comment(self) -> bool {
        self == Token::Comment
    }

    fn is_incomplete(error: &SyntaxError<'_, Self>) -> bool {
        let ends_too_early = matches!(error.found(), None | Some(Token::UnterminatedComment));
        ends_too_early && !error.tokens.is_empty()
    }

    fn mistake(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        late_mistake::missing_operand(error)
            .or_else(|| late_mistake::infix_function(error))
            .or_else(|| late_mistake::unparenthesized_not(error))
            .or_else(|| late_mistake::haskell_keyword(error))
            .or_else(|| late_mistake::misspelled_in(error))
            .or_else(|| late_mistake::missing_equation(error))
            .or_else(|| late_mistake::missing_tuple(error))
            .or_else(|| late_mistake::missing_parentheses(error))
            .or_else(|| missing_game(error))
            .or_else(|| invalid_token(error, error.found()?))
            .or_else(|| misplaced_sign(error))
    }

    fn needs_name(error: &SyntaxError<'_, Self>) -> bool {
        error.accepts_only("name") && error.found().is_some_and(Token::is_keyword)
    }

    fn misplaced(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        misplaced_token(error, error.found()?)
    }

    fn misspelled(error: &SyntaxError<'_, Self>) -> Option<(usize, &'static str)> {
        late_mistake::misspelled_keyword(error)
    }

    fn annotate(error: &SyntaxError<'_, Self>, mut diagnostic: Diagnostic) -> Diagnostic {
        let note = hint(error);
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

/// A program that does not start with `game`, and an empty entry.
fn missing_game(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let is_program = error.start == Some(Token::StartProgram);
    match error.found() {
        None if !error.tokens.is_empty() => None,
        None if is_program => {
            Some(error.error("BG004", "expected `game Name`, found an empty program"))
        }
        None => {
            let expected = error.expected_words();
            Some(error.error("BG004", format!("expected {expected}, found nothing")))
        }
        Some(Token::Bad | Token::UnterminatedComment) => None,
        Some(_) if is_program && error.index == 0 => Some(
            error.error("BG003", "expected `game Name` at the start of the program")
                .note("write `game MyGame` on the first line, or use the file as a prelude: `gridbug --prelude FILE`"),
        ),
        Some(_) => None,
    }
}

fn invalid_token(error: &SyntaxError<'_, Token>, token: Token) -> Option<Diagnostic> {
    match token {
        Token::Bad => Some(unknown_token(error)),
        Token::UnterminatedComment => Some(
            error
                .error("BG002", "unterminated comment")
                .note("close it with `-}`"),
        ),
        _ => None,
    }
}

fn unknown_token(error: &SyntaxError<'_, Token>) -> Diagnostic {
    let text = error.text();
    let noun = match text.chars().count() {
        1 => "character",
        _ => "token",
    };
    let diagnostic = error.error("BG001", format!("unknown {noun} `{text}`"));
    match text {
        "&&" => diagnostic.note(late_mistake::function_note(error, error.index, "and")),
        "|" if late_mistake::is_in_type_definition(error) => {
            diagnostic.note(late_mistake::alternatives_note(error))
        }
        "|" if error.accepts("=") || late_mistake::is_on_new_line(error) => {
            diagnostic.note("BoGL has no guards: write `f(x) = if … then … else …`")
        }
        "||" | "|" => diagnostic.note(late_mistake::function_note(error, error.index, "or")),
        "!=" => diagnostic.note("write `/=` for \"not equal\""),
        "=>" => diagnostic.note("write `>=` for \"at least\", or `->` in a type"),
        "=<" => diagnostic.note("write `<=` for \"at most\""),
        "." if error.before(1) == Some(Token::Int) => diagnostic.note("BoGL only has integers"),
        "." => diagnostic.note("values have no fields; call a function: `f(x)`"),
        ";" => diagnostic.note("definitions need no separator"),
        "[" if error.before(1) == Some(Token::Name) => diagnostic.note(index_note(error)),
        "[" if error.before(1) == Some(Token::Array) => {
            diagnostic.note("write the size in parentheses: `Array (3, 3) of …`")
        }
        "[" if error.before(1) == Some(Token::CloseParen) => {
            diagnostic.note("write `t#1` for the first component of a tuple")
        }
        "\\" => diagnostic.note("functions have names: write `f : Int -> Int` and `f(x) = x + 1`"),
        "~" => diagnostic.note("write `not(a)` for \"not\""),
        "[" | "]" => diagnostic.note("BoGL has no lists; use a tuple: `(1, 2)`"),
        _ if text.starts_with('"') || text.starts_with('\'') => diagnostic
            .note("BoGL has no strings; use the symbols of an enumeration: `type T = {Won, Lost}`"),
        _ if text.starts_with('_') => diagnostic.note("names start with a letter"),
        _ => diagnostic,
    }
}

/// `b[1, 1]`, `b[1][1]` and `p[0]`: a cell of a board, a component of a tuple.
fn index_note(error: &SyntaxError<'_, Token>) -> String {
    let name = error.text_before(1);
    let int = |distance: usize| {
        let index = error.index + distance;
        let is_int = error.token_at(index) == Some(Token::Int);
        is_int.then(|| error.text_at(index).parse::<u32>().ok())?
    };
    let after = |distance: usize| error.text_at(error.index + distance);
    match (int(1), after(2), int(3), int(4)) {
        (Some(column), ",", Some(row), _) => {
            format!("a cell is written `{name}!({column}, {row})`")
        }
        (Some(row), "]", _, Some(column)) if after(3) == "[" => {
            format!("a cell is written `{name}!({column}, {row})`: the column comes first")
        }
        (Some(component), "]", ..) => {
            let component = component.saturating_add(1);
            format!(
                "a component of a tuple is written `{name}#{component}`, a cell `{name}!(1, 1)`"
            )
        }
        _ => format!("write `{name}!(1, 1)` for a cell, and `f(x)` for a call"),
    }
}

/// `-x`: only numbers can have a sign.
fn misplaced_sign(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let is_after_sign = matches!(error.before(1), Some(Token::Minus | Token::Plus));
    if !is_after_sign || !error.accepts_only("int") {
        return None;
    }
    let sign = error.text_before(1);
    let message = format!("the sign `{sign}` is only allowed before a number");
    let span = error.span_at(error.index - 1).to(error.span());
    let operand = match error.found()? {
        Token::Name => error.text(),
        _ => "(…)",
    };
    let note = format!("write `0 {sign} {operand}`");
    Some(parse_error("BG007", span, message).note(note))
}

/// Tokens with a message of their own.
fn misplaced_token(error: &SyntaxError<'_, Token>, token: Token) -> Option<Diagnostic> {
    let diagnostic = match (error.before(1), token) {
        (_, Token::Game) if error.start == Some(Token::StartPrelude) => error
            .error("BG003", "a prelude cannot have a `game` line")
            .note("remove the line, or load the file as a game"),
        (_, Token::Arrow) => misplaced_arrow(error),
        (_, Token::Equals) if error.accepts("==") => error
            .error("BG010", "`=` is not allowed in an expression")
            .note("write `==` to compare two values"),
        (Some(Token::OpenParen), Token::CloseParen) => error
            .error("BG003", "expected an expression between the parentheses")
            .note("every function takes at least one argument; write a value such as `input` without parentheses"),
        (Some(Token::CloseParen), Token::OpenParen) => error
            .error("BG003", "the result of a call is not a function")
            .note("pass all arguments at once: `f(1, 2)`"),
        (Some(Token::Colon), Token::Colon) => error
            .error("BG003", "expected a type, found `:`")
            .note(single_colon(error)),
        (Some(Token::Let), Token::OpenParen) => error
            .error("BG003", "`let` binds a single name, found `(`")
            .note("name the tuple and take its components: `let t = (1, 2) in t#1 + t#2`"),
        (Some(Token::Array), Token::Int) => error
            .error("BG003", format!("expected `(`, found `{}`", error.text()))
            .note("write the size in parentheses: `Array (3, 3) of …`"),
        (Some(Token::Int), Token::Comma) if error.before(2) == Some(Token::Bang) => error
            .error("BG003", "unexpected `,`")
            .note("put the position in parentheses: `b!(1, 1)`"),
        (_, Token::Comma) if error.accepts("in") => {
            error.error("BG003", "`let` binds a single name").note("write `let x = 1 in let y = 2 in …`")
        }
        (_, Token::Comma) if late_mistake::is_in_type_definition(error) && error.innermost_open().is_none() => {
            error.error("BG003", "unexpected `,`").note(late_mistake::alternatives_note(error))
        }
        (_, Token::Let) if error.accepts("type") => error
            .error("BG003", "`let` is not allowed at the top level of a program")
            .note("define a value with its type: `x : Int` and `x = 1` (`let x = 1` works at the prompt)"),
        _ => return None,
    };
    Some(diagnostic)
}

/// `f :: Int -> Int`: the signature with a single colon.
fn single_colon(error: &SyntaxError<'_, Token>) -> String {
    let line = error.source.line(error.line_at(error.index));
    let signature = line.replacen("::", ":", 1);
    format!("a signature has a single colon: `{}`", signature.trim())
}

fn misplaced_arrow(error: &SyntaxError<'_, Token>) -> Diagnostic {
    let earlier = error.tokens[..error.index].iter().rev();
    let in_same_type = earlier
        .take_while(|(_, token, _)| !matches!(token, Token::Colon | Token::Equals | Token::Type));
    match in_same_type
        .into_iter()
        .any(|(_, token, _)| *token == Token::Arrow)
    {
        true => error
            .error("BG009", "a function cannot return a function")
            .note("write several arguments as a tuple: `f : (Int, Int) -> Int`"),
        false => error
            .error("BG009", "function types are only allowed in signatures")
            .note("write it in each signature: `f : Int -> Int`"),
    }
}

/// A note for common mistakes.
fn hint(error: &SyntaxError<'_, Token>) -> Option<String> {
    let text = error.text();
    let note = match error.found() {
        Some(Token::Name) if matches!(text, "and" | "or") => {
            return Some(format!("`{text}` is a function: write `{text}(a, b)`"));
        }
        Some(Token::Bang) => "write `not(a)` for \"not\", and `board!(1, 1)` for a cell",
        Some(Token::OpenBrace) if error.accepts("then") => {
            "write `if … then … else …`, without braces"
        }
        Some(Token::OpenBrace)
            if error.before(1) == Some(Token::CloseParen) && error.accepts("=") =>
        {
            "write the equation with `=`, without braces: `f(x) = …`"
        }
        Some(Token::OpenBrace) if error.before(1) == Some(Token::Name) => {
            "put arguments in parentheses: `f(x)`"
        }
        Some(Token::Colon) if error.token_at(error.index + 1) == Some(Token::Colon) => {
            "expressions have no type annotations; give a name its type in a signature: `x : Int`"
        }
        Some(token) if token.is_keyword() && error.accepts("name") => {
            return Some(format!(
                "`{text}` is a keyword and cannot be used as a name"
            ));
        }
        Some(Token::Name) if error.accepts("Name") && !error.accepts("name") => {
            "names of types, games and symbols start with an uppercase letter"
        }
        Some(Token::UpperName)
            if error.accepts_only("name") || error.accepts("name") && error.accepts("type") =>
        {
            "names of values, functions and parameters start with a lowercase letter"
        }
        Some(Token::Array) => "only `Board` is an array: `type Board = Array (3, 3) of …`",
        _ if error.accepts("else") => "`if` needs both branches: `if … then … else …`",
        _ if error.accepts("in") => "`let` needs an `in`: `let x = 1 in x + 1`",
        _ => return None,
    };
    Some(note.to_owned())
}
