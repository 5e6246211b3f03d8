//! Tests with a language of words, numbers and brackets: after each word or number, another one or
//! a closing bracket is expected.

use super::*;
use crate::source::Origin;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Token {
    Word,
    Keyword,
    Symbol,
    Comment,
}

impl Syntax for Token {
    const CODES: SyntaxCodes = SyntaxCodes {
        unexpected_token: "X1",
        unexpected_end: "X2",
        unmatched_bracket: "X3",
        keyword_as_name: "X4",
        too_deep: "X5",
        unknown_name: &[],
        missing_part: &[],
    };
    const EXPECTED: ExpectedWords = ExpectedWords {
        first: &[
            expected(&[], "the name of a piece").after("piece"),
            expected(&["word"], "a word").exactly(),
        ],
        any: &[
            expected(&["word"], "a word").unless(&["number"]),
            expected(&["number"], "a value"),
            quoted(&[")"]),
            quoted(&["}"]),
        ],
        otherwise: &[expected(&["+"], "an operator")],
        nothing: "the end of the input",
    };
    const TOO_DEEP_NOTE: &'static str = "use fewer brackets";

    fn is_comment(self) -> bool {
        self == Token::Comment
    }

    fn mistake(_: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        None
    }

    fn needs_name(error: &SyntaxError<'_, Self>) -> bool {
        error.accepts_only("word") && error.found() == Some(Token::Keyword)
    }

    fn misspelled(error: &SyntaxError<'_, Self>) -> Option<(usize, &'static str)> {
        (error.text_before(1) == "peice").then_some((error.index - 1, "piece"))
    }
}

fn source(text: &str) -> Source {
    Source::new(Default::default(), Origin::Entry(1), text)
}

/// The words of a text, separated by blanks.
fn input(source: &Source) -> ParserInput<'_, Token> {
    let start = source.text.as_ptr() as usize;
    let tokens = source.text.split_whitespace().map(|word| {
        let from = word.as_ptr() as usize - start;
        let token = match word {
            "piece" => Token::Keyword,
            "#" => Token::Comment,
            _ if word.starts_with(char::is_alphanumeric) => Token::Word,
            _ => Token::Symbol,
        };
        (from..from + word.len(), token)
    });
    ParserInput::new(source, None, tokens.collect())
}

/// The error at the token `index`, or at the end, if the parser expects these terminals there.
fn error_at(text: &str, index: usize, expected: &[&str]) -> Diagnostic {
    let source = source(text);
    let input = input(&source);
    let expected: Vec<String> = expected.iter().map(|name| format!("\"{name}\"")).collect();
    let result = input.parse::<()>(|mut tokens| {
        let token = tokens.nth(index).transpose()?;
        Err(match token {
            Some(token) => ParseError::UnrecognizedToken { token, expected },
            None => ParseError::UnrecognizedEof {
                location: 0,
                expected,
            },
        })
    });
    let failure = result.expect_err(text);
    assert_eq!(
        failure.is_incomplete(),
        index == input.tokens.len(),
        "{text}"
    );
    failure.into_diagnostics().remove(0)
}

fn message_at(text: &str, index: usize, expected: &[&str]) -> String {
    error_at(text, index, expected).message
}

#[test]
fn what_is_expected_is_said_in_words() {
    for (text, expected, words) in [
        ("a b", &["word"] as &[&str], "a word"),
        ("a b", &["word", "number"], "a value"),
        ("a b", &["word", "+"], "a word"),
        ("a b", &["word", "number", ")", "}"], "a value, `)` or `}`"),
        ("a b", &["+", "-"], "an operator"),
        ("a b", &[], "the end of the input"),
        ("piece b", &["number"], "the name of a piece"),
    ] {
        let message = message_at(text, 1, expected);
        assert_eq!(message, format!("expected {words}, found `b`"), "{text}");
    }
}

#[test]
fn a_misspelled_keyword_is_suggested() {
    let message = message_at("peice a", 1, &[]);
    let expected =
        "expected the end of the input, found `a`; did you mean `piece` instead of `peice`?";
    assert_eq!(message, expected);
}

#[test]
fn a_keyword_is_not_a_name() {
    let error = error_at("a piece", 1, &["word"]);
    assert_eq!(
        (error.code, error.message.as_str()),
        ("X4", "`piece` is a keyword and cannot be used as a name")
    );
}

#[test]
fn a_closing_bracket_must_close_the_innermost_open_one() {
    let wrong = error_at("( { a )", 3, &["}", "word"]);
    assert_eq!(wrong.message, "expected `}`, found `)`");
    assert_eq!(
        (wrong.related[0].0.start, wrong.related[0].1.as_str()),
        (2, "unclosed `{`")
    );
    let unmatched = error_at("( a ) )", 3, &["word", "number"]);
    assert_eq!(
        (unmatched.code, unmatched.message.as_str()),
        ("X3", "unmatched `)`")
    );
    // Something else is missing.
    assert_eq!(
        message_at("( a }", 2, &["number"]),
        "expected a value, found `}`"
    );
    assert_eq!(
        message_at("a + )", 2, &["number"]),
        "expected a value, found `)`"
    );
}

#[test]
fn the_end_of_the_input_points_to_the_open_bracket() {
    let error = error_at("( a", 2, &[")", "number"]);
    assert_eq!(error.message, "expected `)`, found the end of the input");
    assert_eq!(
        error.related,
        [(error.related[0].0, "unclosed `(`".to_string())]
    );
    let value = message_at("( a +", 3, &["number"]);
    assert_eq!(value, "expected a value, found the end of the input");
    let text = "{\n  { a\n}\n";
    let indented = error_at(text, 4, &["}"]).related;
    assert_eq!(indented[0].1, "unclosed `{`");
    assert_eq!(indented[1].1, "this may be the one that is missing its `}`");
    assert_eq!((indented[1].0.start, indented[2].0.start), (4, 8));
}

#[test]
fn empty_brackets_are_underlined_together() {
    let span = error_at("a ( )", 2, &["number"]).span.unwrap();
    assert_eq!((span.start, span.end), (2, 5));
}

#[test]
fn comments_are_skipped_and_nesting_is_limited() {
    let deep = format!("# {}", "( # ".repeat(MAX_OPEN_BRACKETS + 1));
    let source = source(&deep);
    let input = input(&source);
    let result = input.parse(|tokens| {
        let read: Result<Vec<_>, _> = tokens.collect();
        Ok(read?.len())
    });
    let error = result.map_err(ParseFailure::into_diagnostics).unwrap_err();
    assert_eq!(
        error[0].message,
        "nesting too deep: the limit is 200 open brackets"
    );
    assert_eq!(error[0].notes, ["use fewer brackets"]);
    let flat = self::source(&"( ) ".repeat(1_000));
    let input = self::input(&flat);
    let count = input.parse(|tokens| Ok(tokens.count()));
    assert_eq!(count.ok(), Some(2_000));
}
