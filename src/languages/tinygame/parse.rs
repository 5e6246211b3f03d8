//! From text to syntax tree, and from the parser's complaint to words a player of TinyGame understands.

use std::ops::Range;

use lalrpop_util::ParseError;

use super::ast::Entry;
use super::grammar::StartParser;
use super::token::{Token, tokenize};
use crate::diagnostic::{Diagnostic, Phase, closest_match, did_you_mean};
use crate::source::{Source, SourceId, Span};

/// How many brackets and blocks may be open at once: walks over the tree go as deep as they do.
const DEEPEST: usize = 200;

/// What a text is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Program,
    Entry,
}

/// What the grammar itself finds wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum GrammarError {
    NumberTooLarge(Span),
    MisplacedMinus(Span),
    TooDeep(Span),
}

type Placed<'t> = (Range<usize>, Token<'t>);
type Failure<'t> = ParseError<usize, Token<'t>, GrammarError>;

pub fn parse(source: &Source, start: Start) -> Result<Entry, Vec<Diagnostic>> {
    let tokens = read(&source.text);
    let found = run(source.id, &tokens, start);
    if start == Start::Entry
        && let Some(whole) = ended(source.id, &tokens, &found)
    {
        return Ok(whole);
    }
    found.map_err(|failure| vec![translate(source, &tokens, failure)])
}

/// At the prompt the end of a line ends a statement as well: its last `;` may be left out.
fn ended<'t>(
    id: SourceId,
    tokens: &[Placed<'t>],
    found: &Result<Entry, Failure<'t>>,
) -> Option<Entry> {
    match found {
        Err(ParseError::UnrecognizedEof { expected, .. }) if lists(expected, ";") => {
            let end = tokens.last().map_or(0, |(range, _)| range.end);
            let whole: Vec<Placed> = tokens
                .iter()
                .cloned()
                .chain([(end..end, Token::Semicolon)])
                .collect();
            run(id, &whole, Start::Entry).ok()
        }
        _ => None,
    }
}

/// Whether all that is wrong with an entry is that it ends too early.
pub fn is_incomplete(text: &str) -> bool {
    let tokens = read(text);
    let found = run(SourceId::default(), &tokens, Start::Entry);
    match found {
        Err(ParseError::UnrecognizedEof { .. }) => {
            ended(SourceId::default(), &tokens, &found).is_none()
        }
        // A text may go over several lines, so its second quote can still come, if a text fits here at all.
        Err(ParseError::UnrecognizedToken {
            token: (_, Token::UnterminatedString, _),
            expected,
        }) => lists(&expected, "text"),
        _ => false,
    }
}

fn read(text: &str) -> Vec<Placed<'_>> {
    tokenize(text)
        .into_iter()
        .filter(|(_, token)| *token != Token::Comment)
        .collect()
}

fn run<'t>(id: SourceId, tokens: &[Placed<'t>], start: Start) -> Result<Entry, Failure<'t>> {
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
        if depth > DEEPEST {
            return Err(GrammarError::TooDeep(Span::new(id, range.start, range.end)));
        }
        Ok((range.start, *token, range.end))
    });
    StartParser::new().parse(id, std::iter::once(Ok((0, marker, 0))).chain(body))
}

fn translate(source: &Source, tokens: &[Placed<'_>], failure: Failure<'_>) -> Diagnostic {
    match failure {
        ParseError::User { error } => trouble(error),
        ParseError::UnrecognizedToken {
            token: (start, found, end),
            expected,
        } => {
            let at = tokens
                .iter()
                .position(|(range, _)| range.start == start)
                .unwrap_or(0);
            let told = unexpected(
                source,
                source.span(start, end),
                found,
                &expected,
                &tokens[..at],
            );
            match (found, tokens.get(at + 1).map(|(_, next)| next), lists(&expected, "player")) {
                // Two names before a brace are meant as an entity.
                (Token::Name(_), Some(Token::Name(name)), true) if !told.message.contains("did you mean") => {
                    Diagnostic { notes: Vec::new(), ..told }
                        .note(format!("an entity is a player or an enemy, such as `enemy {name} {{ x = 0; y = 0; }}`"))
                }
                _ => told,
            }
        }
        ParseError::UnrecognizedEof { expected, .. } => {
            let wanted = wanted(&expected, tokens.last().map(|(_, token)| *token));
            let last = tokens.last().map_or(0, |(range, _)| range.end);
            let told = error(
                "TG003",
                source.span(last, last),
                format!("the text ends here, but {wanted} is still missing"),
            );
            match still_open(tokens) {
                Some(range) => told.related(
                    source.span(range.start, range.end),
                    "this `{` is still open",
                ),
                None => told,
            }
        }
        // The grammar accepts nothing behind a finished start, and its tokens come from our own list.
        ParseError::ExtraToken {
            token: (start, _, end),
        } => error(
            "TG004",
            source.span(start, end),
            "the program was already finished here",
        ),
        ParseError::InvalidToken { location } => error(
            "TG001",
            source.span(location, location),
            "unknown character",
        ),
    }
}

/// The innermost brace that nothing closes.
fn still_open(tokens: &[Placed<'_>]) -> Option<Range<usize>> {
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

fn trouble(trouble: GrammarError) -> Diagnostic {
    match trouble {
        GrammarError::NumberTooLarge(span) => error("TG007", span, "this number is too large")
            .note("numbers go from -9223372036854775808 to 9223372036854775807"),
        GrammarError::MisplacedMinus(span) => {
            error("TG011", span, "only a number can bear a minus sign")
                .note("write `0 - …` to turn a value around")
        }
        GrammarError::TooDeep(span) => error("TG008", span, "brackets are nested too deeply")
            .note(format!("at most {DEEPEST} may be open at once")),
    }
}

fn unexpected(
    source: &Source,
    span: Span,
    found: Token,
    expected: &[String],
    before: &[Placed<'_>],
) -> Diagnostic {
    let text = source.slice(span);
    let wanted = wanted(expected, before.last().map(|(_, token)| *token));
    match found {
        Token::Invalid => {
            return error("TG001", span, format!("TinyGame has no character `{text}`"));
        }
        Token::UnterminatedString => {
            // The rest of the file is inside it: its first line says enough.
            let line = text.find('\n').unwrap_or(text.len());
            let span = source.span(span.start as usize, span.start as usize + line);
            return error("TG002", span, "this text is not closed").note("put a `\"` behind it");
        }
        Token::UnsupportedOperator(sign) => return foreign(span, sign),
        Token::InvalidName(name) if lists(expected, "name") => return odd_name(span, name),
        _ if found.is_keyword() && expected.len() == 1 && lists(expected, "name") => {
            return error(
                "TG005",
                span,
                format!("`{text}` is a keyword and cannot be {wanted}"),
            );
        }
        _ => {}
    }
    let compares = matches!(
        found,
        Token::EqualEqual | Token::Assign | Token::NotEqual | Token::Less | Token::Greater
    );
    let previous = before
        .last()
        .map(|(range, _)| source.span(range.start, range.end));
    if let (true, Some(previous)) = (
        lists(expected, ";") && !lists(expected, "==") && !compares,
        previous,
    ) {
        let message = format!("a `;` is missing here, before {}", named(found, text));
        return error("TG009", previous.shrink_to_end(), message)
            .related(span, "this already belongs to something else");
    }
    let mut near = did_you_mean(text, words(expected));
    if let Some((word, meant)) = misspelt(source, before).filter(|_| near.is_empty()) {
        near = format!("; did you mean `{meant}` instead of `{word}`?");
    }
    let mut told = error(
        "TG004",
        span,
        format!("expected {wanted}, found {}{near}", named(found, text)),
    );
    told.notes.extend(way_out(text, found, expected));
    told
}

/// A name that stands where a statement begins, at the prompt a value as well, and may have been meant as its word.
fn misspelt<'s>(source: &'s Source, before: &[Placed<'_>]) -> Option<(&'s str, &'static str)> {
    let (range, Token::Name(_)) = before.last()? else {
        return None;
    };
    let begins = before.len() == 1
        || matches!(
            before[before.len() - 2].1,
            Token::Semicolon | Token::CloseBrace
        );
    let word = source.slice(source.span(range.start, range.end));
    let meant = closest_match(word, ["player", "enemy", "move", "set", "if", "print"])
        .filter(|_| begins)?;
    Some((word, meant))
}

/// The token as a message names it.
fn named(found: Token, text: &str) -> String {
    match found {
        Token::Number(_) => format!("the number {text}"),
        Token::Name(_) | Token::InvalidName(_) => format!("the name `{text}`"),
        Token::String(_) => "a text in quotes".to_string(),
        _ => format!("`{text}`"),
    }
}

fn foreign(span: Span, sign: &str) -> Diagnostic {
    let note = match sign {
        ">=" => "write `>` with a number one less",
        "<=" => "write `<` with a number one more",
        "&&" => "put one `if` inside the other",
        "||" => "write one `if` after the other",
        "+=" | "-=" => "write `set hero.x = hero.x + 1;`",
        "!" => "write `!=` to compare",
        _ => "TinyGame has `+ - * /` and `== != < >`",
    };
    error("TG010", span, format!("TinyGame has no `{sign}`")).note(note)
}

fn odd_name(span: Span, name: &str) -> Diagnostic {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_lowercase();
    let mended = plain.trim_start_matches(|c: char| c.is_ascii_digit());
    let hint = if mended.is_empty() {
        String::new()
    } else {
        format!("; did you mean `{mended}`?")
    };
    error("TG006", span, format!("`{name}` cannot be a name{hint}"))
        .note("names are lowercase letters and digits, a letter first")
}

/// How to mend what is often written by people who know other languages, or who lost a bracket.
fn way_out(text: &str, found: Token, expected: &[String]) -> Option<String> {
    let in_entity = lists(expected, "name") && lists(expected, "}");
    Some(match (text, found) {
        ("else", _) => {
            "TinyGame has no `else`: write a second `if` with the opposite condition".into()
        }
        ("while" | "for" | "repeat" | "loop", _) => "TinyGame has no loops".into(),
        (_, Token::Move | Token::Set | Token::If | Token::Print | Token::Player | Token::Enemy)
            if in_entity =>
        {
            "close the entity with `}` first".into()
        }
        (_, Token::Player | Token::Enemy) if lists(expected, "}") => {
            "entities are declared outside of `if`".into()
        }
        (_, Token::Assign) if lists(expected, "player") => {
            "to change a property write `set hero.x = 1;`".into()
        }
        (_, Token::Name(_))
            if lists(expected, "player") && closest_match(text, Token::KEYWORDS).is_none() =>
        {
            format!("a property is changed with `set {text}.x = 1;`")
        }
        (_, Token::CloseBrace) if lists(expected, "player") => "this `}` closes nothing".into(),
        (_, Token::EqualEqual | Token::Assign | Token::NotEqual | Token::Less | Token::Greater)
            if lists(expected, ")") =>
        {
            "a comparison stands without brackets around it, such as `if hero.x > 5 {`".into()
        }
        _ => return None,
    })
}

fn lists(expected: &[String], token: &str) -> bool {
    expected.iter().any(|e| e.trim_matches('"') == token)
}

/// The keywords among what was expected.
fn words(expected: &[String]) -> impl Iterator<Item = &str> {
    expected
        .iter()
        .map(|e| e.trim_matches('"'))
        .filter(|e| Token::KEYWORDS.contains(e))
}

/// What was expected, in words of the language.
fn wanted(expected: &[String], previous: Option<Token>) -> &'static str {
    let has = |token| lists(expected, token);
    match previous {
        Some(Token::Player) => return "the name of the player",
        Some(Token::Enemy) => return "the name of the enemy",
        Some(Token::Move | Token::Set) => return "the name of an entity",
        Some(Token::Dot) => return "the name of a property",
        Some(Token::Print) => return "a text in quotes",
        _ => {}
    }
    let classes: [(bool, &'static str); 13] = [
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
        (
            has("name") && has("}"),
            "a property such as `x = 0;`, or `}`",
        ),
        (has("up"), "a direction (`up`, `down`, `left`, `right`)"),
        (has(")"), "`)`"),
        (has("{"), "`{`"),
        (has("==") && has(";"), "an operator or the end of the entry"),
        (has("=="), "a comparison (`==`, `!=`, `<`, `>`)"),
        (has(";"), "`;`"),
        (has("="), "`=`"),
        (has("."), "`.` and the name of a property"),
    ];
    classes
        .iter()
        .find(|(fits, _)| *fits)
        .map_or("the end of the entry", |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Origin;

    fn source(text: &str) -> Source {
        Source::new(SourceId(3), Origin::Entry(1), text)
    }

    /// Code, marked text and message of the one error.
    fn complaint(text: &str) -> (&'static str, String, String) {
        let source = source(text);
        let told = parse(&source, Start::Program).unwrap_err().remove(0);
        (
            told.code,
            source.slice(told.span.unwrap()).to_string(),
            told.message,
        )
    }

    #[test]
    fn mistakes_are_told_in_words_of_the_language() {
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
                "`move` is a keyword and cannot be the name of the player",
            ),
            ("player Hero { }", "TG006", "Hero", "did you mean `hero`?"),
            (
                "print hero.x;",
                "TG004",
                "hero",
                "expected a text in quotes",
            ),
            (
                "print \"a;\nmove b up 1;",
                "TG002",
                "\"a;",
                "this text is not closed",
            ),
            (
                "set a.x = 99999999999999999999;",
                "TG007",
                "99999999999999999999",
                "too large",
            ),
            ("set a.x = -a.y;", "TG011", "-a.y", "only a number"),
            ("if a.x >= 1 { }", "TG010", ">=", "TinyGame has no `>=`"),
            ("if (a.x > 1) { }", "TG004", ">", "expected `)`"),
            ("set a.x = 1 > 2;", "TG004", ">", "expected `;`"),
            ("if a.x { }", "TG004", "{", "expected a comparison"),
            ("set a.x = 1 ? 2;", "TG001", "?", "no character `?`"),
            (
                "player a { x = 0;",
                "TG003",
                "",
                "a property such as `x = 0;`, or `}` is still missing",
            ),
            (
                "if a.x = 1 { enemy b { } }",
                "TG004",
                "enemy",
                "expected a statement",
            ),
        ] {
            let (found, at, told) = complaint(text);
            assert_eq!((found, at.as_str()), (code, marked), "{text}: {told}");
            assert!(told.contains(message), "{text}: {told}");
        }
    }

    #[test]
    fn an_entry_is_unfinished_when_only_its_end_is_missing() {
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
    fn depth_is_limited_and_length_is_not() {
        let deep = format!("set a.x = {}1{};", "(".repeat(201), ")".repeat(201));
        assert_eq!(complaint(&deep).0, "TG008");
        let fits = format!("set a.x = {}1{};", "(".repeat(200), ")".repeat(200));
        assert!(parse(&source(&fits), Start::Program).is_ok());
        let long = format!("set a.x = 1{};", " + 1".repeat(50_000));
        assert!(parse(&source(&long), Start::Program).is_ok());
    }

    #[test]
    fn a_minus_before_a_number_belongs_to_it_where_a_value_starts() {
        for text in [
            "set a.x = -9223372036854775808;",
            "set a.x = 5--3;",
            "set a.x = 5 -3;",
        ] {
            assert!(parse(&source(text), Start::Program).is_ok(), "{text}");
        }
    }
}
