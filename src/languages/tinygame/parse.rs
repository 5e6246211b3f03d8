//! Parsing.
//!
//! ```text
//! syntax_error  what syntax errors say
//! ```

pub mod syntax_error;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused)]
    grammar,
    "/tinygame.rs"
);

use super::ast::Entry;
use super::token::{Token, tokenize};
use crate::diagnostic::Diagnostic;
use crate::language::ParsedEntry;
use crate::language::syntax::{GrammarErrors, ParseFailure, ParserInput, parse_error, parse_file};
use crate::source::{Source, Span};
use grammar::StartParser;
use syntax_error::UNCLOSED_ENTITY;

/// Whether a text is a program or an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Program,
    Entry,
}

/// Parses a program or an entry.
pub fn parse(source: &Source, start: Start) -> Result<Entry, Vec<Diagnostic>> {
    match start {
        Start::Program => parse_program(source, |_| Vec::new()),
        Start::Entry => parse_prompt(source).into_tree(),
    }
}

/// Parses a program. If that fails, `check` returns the errors of the parts that parsed.
pub fn parse_program(
    source: &Source,
    check: impl FnOnce(Entry) -> Vec<Diagnostic>,
) -> Result<Entry, Vec<Diagnostic>> {
    parse_file(
        source,
        Some(Token::StartProgram),
        tokenize,
        |input| run(source, input),
        check,
    )
    .map_err(without_consequences)
}

/// The errors without those that follow from an entity that is not closed: its statements are not
/// properties, and the brace that closes them is one too many.
fn without_consequences(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_unclosed = |error: &Diagnostic| error.message.starts_with(UNCLOSED_ENTITY);
    if let Some(first) = errors.iter().position(is_unclosed) {
        let mut index = 0..;
        errors.retain(|error| {
            let is_later = index.next().is_some_and(|at: usize| at > first);
            !(is_later && error.message.starts_with("expected `=`, found"))
        });
    }
    errors
}

/// Parses an entry, and tells whether it is valid so far and more input could complete it.
pub fn parse_prompt(source: &Source) -> ParsedEntry {
    let input = ParserInput::new(source, Some(Token::StartEntry), tokenize(&source.text));
    let result = run(source, &input);
    // At the prompt, the end of the line also ends a statement: its last `;` may be omitted.
    if let Err(ParseFailure::Syntax(error)) = &result
        && error.found().is_none()
        && error.accepts(";")
        && let Ok(completed) = run(source, &input.with_last(Token::Semicolon))
    {
        return ParsedEntry::new(Ok(completed), false);
    }
    ParsedEntry::from_parser(&input, result)
}

fn run<'i, 't>(
    source: &Source,
    input: &'i ParserInput<'_, Token<'t>>,
) -> Result<Entry, ParseFailure<'i, Token<'t>>> {
    input.parse(|tokens| StartParser::new().parse(source.id, tokens))
}

pub(super) fn number_too_large(span: Span) -> GrammarErrors {
    let error = parse_error("TG007", span, "number too large");
    vec![error.note("numbers range from -9223372036854775808 to 9223372036854775807")]
}

pub(super) fn misplaced_minus(span: Span) -> GrammarErrors {
    let error = parse_error(
        "TG011",
        span,
        "a minus sign is only allowed before a number",
    );
    vec![error.note("to negate a value, write `0 - …`")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Origin, SourceId};

    fn source(text: &str) -> Source {
        Source::new(SourceId(3), Origin::Entry(1), text)
    }

    /// Code, underlined text and message of the single error.
    fn single_error(text: &str) -> (&'static str, String, String) {
        let source = source(text);
        let diagnostic = parse(&source, Start::Program).unwrap_err().remove(0);
        (
            diagnostic.code,
            source.slice(diagnostic.span.unwrap()).to_string(),
            diagnostic.message,
        )
    }

    #[test]
    fn syntax_errors_use_the_terms_of_the_language() {
        for (text, code, marked, message) in [
            (
                "player hero ( x = 0; }",
                "TG004",
                "(",
                "expected `{`, found `(`",
            ),
            ("mov hero up 1;", "TG004", "mov", "did you mean `move`?"),
            (
                "move hero upp 1;",
                "TG004",
                "upp",
                "expected a direction (`up`, `down`, `left`, `right`)",
            ),
            (
                "move hero up 1\nmove hero up 2;",
                "TG009",
                "",
                "before `move`",
            ),
            (
                "player move { }",
                "TG005",
                "move",
                "`move` is a keyword and cannot be used as a name",
            ),
            ("player Hero { }", "TG006", "Hero", "did you mean `hero`?"),
            ("print hero.x;", "TG004", "hero", "expected a string"),
            (
                "print \"a;\nmove b up 1;",
                "TG002",
                "\"a;",
                "unterminated string",
            ),
            (
                "set a.x = 99999999999999999999;",
                "TG007",
                "99999999999999999999",
                "too large",
            ),
            (
                "set a.x = -a.y;",
                "TG011",
                "-a.y",
                "only allowed before a number",
            ),
            (
                "if a.x >= 1 { }",
                "TG010",
                ">=",
                "unsupported operator `>=`",
            ),
            ("if (a.x > 1) { }", "TG004", ">", "expected `)`"),
            ("set a.x = 1 > 2;", "TG004", ">", "expected `;`"),
            ("if a.x { }", "TG004", "{", "expected a comparison"),
            ("set a.x = 1 ? 2;", "TG001", "?", "unknown character `?`"),
            (
                "player a { x = 0;",
                "TG003",
                "",
                "expected `}`, found the end of the input",
            ),
            (
                "if a.x = 1 { enemy b { } }",
                "TG004",
                "enemy",
                "expected a statement",
            ),
        ] {
            let (found, at, diagnostic) = single_error(text);
            assert_eq!((found, at.as_str()), (code, marked), "{text}: {diagnostic}");
            assert!(diagnostic.contains(message), "{text}: {diagnostic}");
        }
    }

    fn is_incomplete(text: &str) -> bool {
        parse_prompt(&source(text)).is_incomplete
    }

    #[test]
    fn entry_is_incomplete_if_only_its_end_is_missing() {
        for text in [
            "player hero {",
            "move hero",
            "if a.x > 1 { print \"b\";",
            "print \"b",
            "(1 +",
            // Faulty, but what follows is the rest of it.
            "} {",
            "playr hero {",
            "if a.x > > 1 {",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
        for text in [
            "",
            "move hero up 1",
            "set a.x = 1 + 2",
            "print \"b\"",
            "move hero up 1;",
            "hero.x + 1",
            "move 3",
            "playr hero {\n}",
            "move \"a",
            "a.x > 1",
        ] {
            assert!(!is_incomplete(text), "{text}");
        }
    }

    #[test]
    fn nesting_is_limited_but_length_is_not() {
        let deep = format!("set a.x = {}1{};", "(".repeat(201), ")".repeat(201));
        assert_eq!(single_error(&deep).0, "TG008");
        let fits = format!("set a.x = {}1{};", "(".repeat(200), ")".repeat(200));
        assert!(parse(&source(&fits), Start::Program).is_ok());
        let long = format!("set a.x = 1{};", " + 1".repeat(50_000));
        assert!(parse(&source(&long), Start::Program).is_ok());
    }

    #[test]
    fn minus_before_a_number_is_its_sign_at_the_start_of_a_value() {
        for text in [
            "set a.x = -9223372036854775808;",
            "set a.x = 5--3;",
            "set a.x = 5 -3;",
        ] {
            assert!(parse(&source(text), Start::Program).is_ok(), "{text}");
        }
    }
}
