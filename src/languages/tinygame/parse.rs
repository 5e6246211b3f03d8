//! Parsing, and syntax-error messages.

use std::ops::Range;

use lalrpop_util::ParseError;

use super::ast::Entry;
use super::grammar::StartParser;
use super::token::{Token, tokenize};
use crate::diagnostic::{Diagnostic, Phase, closest_match, did_you_mean};
use crate::language::ParsedEntry;
use crate::source::{Source, SourceId, Span};

/// Maximum number of open brackets and blocks; bounds the recursion over the tree.
const MAX_NESTING_DEPTH: usize = 200;

/// Whether a text is a program or an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Program,
    Entry,
}

/// Errors reported by the grammar's own actions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum GrammarError {
    NumberTooLarge(Span),
    MisplacedMinus(Span),
    TooDeep(Span),
}

type SpannedToken<'t> = (Range<usize>, Token<'t>);
type LalrpopError<'t> = ParseError<usize, Token<'t>, GrammarError>;

/// Parses a program or an entry.
pub fn parse(source: &Source, start: Start) -> Result<Entry, Vec<Diagnostic>> {
    match start {
        Start::Program => {
            let tokens = lex(&source.text);
            run_parser(source.id, &tokens, start)
                .map_err(|parse_error| vec![to_diagnostic(source, &tokens, parse_error)])
        }
        Start::Entry => parse_prompt(source).into_tree(),
    }
}

/// Parses an entry, and tells whether it is valid so far and more input could complete it.
pub fn parse_prompt(source: &Source) -> ParsedEntry {
    let tokens = lex(&source.text);
    let result = run_parser(source.id, &tokens, Start::Entry);
    if let Some(completed) = parse_with_semicolon(source.id, &tokens, &result) {
        return ParsedEntry::new(Ok(completed), false);
    }
    let is_incomplete = match &result {
        Err(ParseError::UnrecognizedEof { .. }) => true,
        // A string may span several lines, so its closing quote can still come, if a string is
        // allowed here.
        Err(ParseError::UnrecognizedToken {
            token: (_, Token::UnterminatedString, _),
            expected,
        }) => expects(expected, "text"),
        _ => false,
    };
    let tree = result.map_err(|parse_error| vec![to_diagnostic(source, &tokens, parse_error)]);
    ParsedEntry::new(tree, is_incomplete)
}

/// At the prompt, the end of the line also ends a statement: its last `;` may be omitted.
fn parse_with_semicolon<'t>(
    id: SourceId,
    tokens: &[SpannedToken<'t>],
    result: &Result<Entry, LalrpopError<'t>>,
) -> Option<Entry> {
    match result {
        Err(ParseError::UnrecognizedEof { expected, .. }) if expects(expected, ";") => {
            let end = tokens.last().map_or(0, |(range, _)| range.end);
            let completed: Vec<SpannedToken> = tokens
                .iter()
                .cloned()
                .chain([(end..end, Token::Semicolon)])
                .collect();
            run_parser(id, &completed, Start::Entry).ok()
        }
        _ => None,
    }
}

fn lex(text: &str) -> Vec<SpannedToken<'_>> {
    tokenize(text)
        .into_iter()
        .filter(|(_, token)| *token != Token::Comment)
        .collect()
}

fn run_parser<'t>(
    id: SourceId,
    tokens: &[SpannedToken<'t>],
    start: Start,
) -> Result<Entry, LalrpopError<'t>> {
    let marker = match start {
        Start::Program => Token::StartProgram,
        Start::Entry => Token::StartEntry,
    };
    let mut depth = 0usize;
    let body = tokens.iter().map(|(range, token)| {
        match token {
            Token::OpenBrace | Token::OpenParen => depth += 1,
            Token::CloseBrace | Token::CloseParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING_DEPTH {
            return Err(GrammarError::TooDeep(Span::new(id, range.start, range.end)));
        }
        Ok((range.start, *token, range.end))
    });
    StartParser::new().parse(id, std::iter::once(Ok((0, marker, 0))).chain(body))
}

fn to_diagnostic(
    source: &Source,
    tokens: &[SpannedToken<'_>],
    parse_error: LalrpopError<'_>,
) -> Diagnostic {
    match parse_error {
        ParseError::User { error } => grammar_error(error),
        ParseError::UnrecognizedToken {
            token: (start, found, end),
            expected,
        } => {
            let at = tokens
                .iter()
                .position(|(range, _)| range.start == start)
                .unwrap_or(0);
            let diagnostic = unexpected(
                source,
                source.span(start, end),
                found,
                &expected,
                &tokens[..at],
            );
            match (found, tokens.get(at + 1).map(|(_, next)| next), expects(&expected, "player")) {
                // Two names in a row are probably an entity without `player` or `enemy`.
                (Token::Name(_), Some(Token::Name(name)), true) if !diagnostic.message.contains("did you mean") => {
                    Diagnostic { notes: Vec::new(), ..diagnostic }
                        .note(format!("declare an entity with `player` or `enemy`, e.g. `enemy {name} {{ x = 0; y = 0; }}`"))
                }
                _ => diagnostic,
            }
        }
        ParseError::UnrecognizedEof { expected, .. } => {
            let expected_text = expected_text(&expected, tokens.last().map(|(_, token)| *token));
            let end = tokens.last().map_or(0, |(range, _)| range.end);
            let diagnostic = error(
                "TG003",
                source.span(end, end),
                format!("expected {expected_text}, found the end of the input"),
            );
            match innermost_open_brace(tokens) {
                Some(range) => {
                    diagnostic.related(source.span(range.start, range.end), "unclosed `{`")
                }
                None => diagnostic,
            }
        }
        // Unreachable: the grammar accepts nothing after a complete start symbol, and the tokens
        // come from our own lexer.
        ParseError::ExtraToken {
            token: (start, _, end),
        } => error(
            "TG004",
            source.span(start, end),
            "unexpected text after the end of the program",
        ),
        ParseError::InvalidToken { location } => error(
            "TG001",
            source.span(location, location),
            "unknown character",
        ),
    }
}

fn innermost_open_brace(tokens: &[SpannedToken<'_>]) -> Option<Range<usize>> {
    let mut open = Vec::new();
    for (range, token) in tokens {
        match token {
            Token::OpenBrace => open.push(range),
            Token::CloseBrace => drop(open.pop()),
            _ => {}
        }
    }
    open.last().map(|range| (*range).clone())
}

fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, message)
}

fn grammar_error(grammar_error: GrammarError) -> Diagnostic {
    match grammar_error {
        GrammarError::NumberTooLarge(span) => error("TG007", span, "number too large")
            .note("numbers range from -9223372036854775808 to 9223372036854775807"),
        GrammarError::MisplacedMinus(span) => error(
            "TG011",
            span,
            "a minus sign is only allowed before a number",
        )
        .note("to negate a value, write `0 - …`"),
        GrammarError::TooDeep(span) => {
            let message =
                format!("nesting too deep: the limit is {MAX_NESTING_DEPTH} open brackets");
            error("TG008", span, message)
        }
    }
}

fn unexpected(
    source: &Source,
    span: Span,
    found: Token,
    expected: &[String],
    before: &[SpannedToken<'_>],
) -> Diagnostic {
    let text = source.slice(span);
    let expected_text = expected_text(expected, before.last().map(|(_, token)| *token));
    match found {
        Token::Invalid => {
            let unknown = error("TG001", span, format!("unknown character `{text}`"));
            return match text {
                ":" => unknown.note("write `x = 1;` for a property, and `{ … }` for a block"),
                _ => unknown,
            };
        }
        Token::UnterminatedString => {
            // The token extends to the end of the file; its first line is enough.
            let line = text.find('\n').unwrap_or(text.len());
            let span = source.span(span.start as usize, span.start as usize + line);
            return error("TG002", span, "unterminated string").note("add the closing quote");
        }
        Token::UnsupportedOperator(operator) => return unsupported_operator(span, operator),
        Token::InvalidName(name) if expects(expected, "name") => return invalid_name(span, name),
        _ if found.is_keyword() && expected.len() == 1 && expects(expected, "name") => {
            return error(
                "TG005",
                span,
                format!("`{text}` is a keyword and cannot be used as a name"),
            )
            .note("choose another name");
        }
        Token::CloseBrace if expects(expected, "player") => {
            return error("TG004", span, "unmatched `}`");
        }
        _ => {}
    }
    let is_comparison = matches!(
        found,
        Token::EqualEqual | Token::Assign | Token::NotEqual | Token::Less | Token::Greater
    );
    let previous = before
        .last()
        .map(|(range, _)| source.span(range.start, range.end));
    if let (true, Some(previous)) = (
        expects(expected, ";") && !expects(expected, "==") && !is_comparison,
        previous,
    ) {
        if before
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|(_, token)| *token == Token::Print)
        {
            let message = format!("expected `;`, found {}", describe_token(found, text));
            return error("TG009", span, message)
                .note("`print` takes a single string: `print \"text\";`");
        }
        let message = format!("missing `;` before {}", describe_token(found, text));
        return error("TG009", previous.shrink_to_end(), message)
            .related(span, "this does not belong to the statement before it");
    }
    let mut suggestion = did_you_mean(text, expected_keywords(expected));
    if let Some((word, keyword)) =
        misspelled_keyword(source, before).filter(|_| suggestion.is_empty())
    {
        suggestion = format!("; did you mean `{keyword}` instead of `{word}`?");
    }
    let mut diagnostic = error(
        "TG004",
        span,
        format!(
            "expected {expected_text}, found {}{suggestion}",
            describe_token(found, text)
        ),
    );
    let previous = before.last().map(|(_, token)| *token);
    let hint = hint_after(previous, text, found).or_else(|| hint_for(text, found, expected));
    diagnostic.notes.extend(hint);
    diagnostic
}

/// A name at the start of a statement that is probably a misspelled keyword.
fn misspelled_keyword<'s>(
    source: &'s Source,
    before: &[SpannedToken<'_>],
) -> Option<(&'s str, &'static str)> {
    let (range, Token::Name(_)) = before.last()? else {
        return None;
    };
    let starts_statement = before.len() == 1
        || matches!(
            before[before.len() - 2].1,
            Token::Semicolon | Token::CloseBrace
        );
    let word = source.slice(source.span(range.start, range.end));
    let keyword = closest_match(word, ["player", "enemy", "move", "set", "if", "print"])
        .filter(|_| starts_statement)?;
    Some((word, keyword))
}

/// Describes the token that was found.
fn describe_token(found: Token, text: &str) -> String {
    match found {
        Token::Number(_) => format!("the number {text}"),
        Token::Name(_) | Token::InvalidName(_) => format!("the name `{text}`"),
        Token::String(_) => "a string".to_string(),
        _ => format!("`{text}`"),
    }
}

fn unsupported_operator(span: Span, operator: &str) -> Diagnostic {
    let note = match operator {
        ">=" => "write `>` with a number one less",
        "<=" => "write `<` with a number one more",
        "&&" => "put one `if` inside the other",
        "||" => "write one `if` after the other",
        "+=" | "-=" => "write `set hero.x = hero.x + 1;`",
        "!" => "write `!=` to compare",
        _ => "TinyGame has `+ - * /` and `== != < >`",
    };
    error("TG010", span, format!("unsupported operator `{operator}`")).note(note)
}

fn invalid_name(span: Span, name: &str) -> Diagnostic {
    let lowercase: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_lowercase();
    let corrected = lowercase.trim_start_matches(|c: char| c.is_ascii_digit());
    let hint = if corrected.is_empty() {
        String::new()
    } else {
        format!("; did you mean `{corrected}`?")
    };
    error("TG006", span, format!("invalid name `{name}`{hint}"))
        .note("names are lowercase letters and digits, starting with a letter")
}

/// A hint for a token that cannot follow the previous one.
fn hint_after(previous: Option<Token>, text: &str, found: Token) -> Option<String> {
    Some(match (previous?, found) {
        (Token::Print, Token::Name(_)) => format!(
            "put text in double quotes: `print \"{text}\";`; to see a value, type it at the prompt: `hero.x`"
        ),
        (Token::Print, Token::Number(_)) => {
            format!("put text in double quotes: `print \"{text}\";`")
        }
        (Token::Print, Token::OpenParen) => "write `print \"text\";`, without parentheses".into(),
        (Token::Move, Token::OpenParen) => "write `move hero right 1;`".into(),
        (Token::Number(_), Token::Dot) => "TinyGame only has whole numbers".into(),
        _ => return None,
    })
}

/// A hint for common mistakes: habits from other languages, and missing brackets.
fn hint_for(text: &str, found: Token, expected: &[String]) -> Option<String> {
    let in_entity = expects(expected, "name") && expects(expected, "}");
    Some(match (text, found) {
        (_, Token::Move | Token::Set | Token::If | Token::Print | Token::Player | Token::Enemy)
            if in_entity =>
        {
            "close the entity with `}` first".into()
        }
        (_, Token::Player | Token::Enemy) if expects(expected, "}") => {
            "entities cannot be declared inside `if`".into()
        }
        (_, Token::Assign) if expects(expected, "player") => {
            "to change a property, write `set hero.x = 1;`".into()
        }
        (_, Token::Name(_))
            if expects(expected, "player") && closest_match(text, Token::KEYWORDS).is_none() =>
        {
            format!("to change a property, write `set {text}.x = 1;`")
        }
        (_, Token::EqualEqual | Token::Assign | Token::NotEqual | Token::Less | Token::Greater)
            if expects(expected, ")") =>
        {
            "write comparisons without parentheses, e.g. `if hero.x > 5 {`".into()
        }
        _ => return None,
    })
}

fn expects(expected: &[String], token: &str) -> bool {
    expected.iter().any(|e| e.trim_matches('"') == token)
}

/// The keywords among the expected tokens.
fn expected_keywords(expected: &[String]) -> impl Iterator<Item = &str> {
    expected
        .iter()
        .map(|e| e.trim_matches('"'))
        .filter(|e| Token::KEYWORDS.contains(e))
}

/// Describes what was expected, in terms of the language.
fn expected_text(expected: &[String], previous: Option<Token>) -> &'static str {
    let has = |token| expects(expected, token);
    match previous {
        Some(Token::Player) => return "the name of the player",
        Some(Token::Enemy) => return "the name of the enemy",
        Some(Token::Move | Token::Set) => return "the name of an entity",
        Some(Token::Dot) => return "the name of a property",
        Some(Token::Print) => return "a string",
        _ => {}
    }
    let descriptions: [(bool, &'static str); 13] = [
        (
            has("player") && has("number"),
            "a declaration, a statement or a value",
        ),
        (
            has("player"),
            "`player`, `enemy` or a statement (`move`, `set`, `if`, `print`)",
        ),
        (
            has("move") && has("}"),
            "a statement (`move`, `set`, `if`, `print`) or `}`",
        ),
        (has("number"), "a value (a number or entity.property)"),
        (has("name") && has("}"), "a property, e.g. `x = 0;`, or `}`"),
        (has("up"), "a direction (`up`, `down`, `left`, `right`)"),
        (has(")"), "`)`"),
        (has("{"), "`{`"),
        (has("==") && has(";"), "an operator or the end of the entry"),
        (has("=="), "a comparison (`==`, `!=`, `<`, `>`)"),
        (has(";"), "`;`"),
        (has("="), "`=`"),
        (has("."), "`.` and the name of a property"),
    ];
    descriptions
        .iter()
        .find(|(applies, _)| *applies)
        .map_or("the end of the entry", |(_, description)| description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Origin;

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
                "expected a property, e.g. `x = 0;`, or `}`",
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
            "} {",
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
