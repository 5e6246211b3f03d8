//! What TinyGame's syntax errors say.

use crate::diagnostic::{Diagnostic, closest_match};
use crate::info::INFO;
use crate::language::syntax::{
    Expected, ExpectedWords, Syntax, SyntaxCodes, SyntaxError, expected, parse_error, quoted,
};
use crate::source::Span;
use crate::token::Token;

const NO_ELSE: &str = "write `if hero.x > 5 { … }`, and a second `if` for the opposite";

const EXPECTED: &[Expected] = &[
    expected(&[], "the name of the player").after("player"),
    expected(&[], "the name of the enemy").after("enemy"),
    expected(&[], "the name of an entity").after("move"),
    expected(&[], "the name of an entity").after("set"),
    expected(&[], "the name of a property").after("."),
    expected(&[], "a string").after("print"),
    expected(
        &["player", "number"],
        "a declaration, a statement or a value",
    ),
    expected(
        &["player"],
        "`player`, `enemy` or a statement (`move`, `set`, `if`, `print`)",
    ),
    expected(
        &["move", "}"],
        "a statement (`move`, `set`, `if`, `print`) or `}`",
    ),
    expected(&["number"], "a value (a number or entity.property)"),
    expected(&["name", "}"], "a property, e.g. `x = 0;`, or `}`"),
    expected(&["up"], "a direction (`up`, `down`, `left`, `right`)"),
    quoted(&[")"]),
    quoted(&["{"]),
    expected(&["==", ";"], "an operator or the end of the entry"),
    expected(&["=="], "a comparison (`==`, `!=`, `<`, `>`)"),
    quoted(&[";"]),
    quoted(&["="]),
    expected(&["."], "`.` and the name of a property"),
];

impl Syntax for Token<'_> {
    const CODES: SyntaxCodes = SyntaxCodes {
        unexpected_token: "TG004",
        unexpected_end: "TG003",
        unmatched_bracket: "TG004",
        keyword_as_name: "TG005",
        too_deep: "TG008",
        unknown_name: &["TG101", "TG102"],
        missing_part: &[],
    };
    const EXPECTED: ExpectedWords = ExpectedWords {
        first: EXPECTED,
        any: &[],
        otherwise: &[],
        nothing: "the end of the entry",
    };

    const STAND_INS: &'static str = "1 a \"a\" { } ( ) ; = . + > up set move if print player";

    fn known_word(word: &str) -> Option<&'static str> {
        INFO.known_word(word)
    }

    fn is_comment(self) -> bool {
        self == Token::Comment
    }

    fn is_incomplete(error: &SyntaxError<'_, Self>) -> bool {
        match error.found() {
            None => true,
            // A string may span several lines, so its closing quote can still come.
            Some(Token::UnterminatedString) => error.accepts("text"),
            _ => false,
        }
    }

    fn mistake(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        match error.found()? {
            Token::Invalid => Some(unknown_character(error)),
            Token::UnterminatedString => Some(unterminated_string(error)),
            Token::UnsupportedOperator(operator) => Some(unsupported_operator(error, operator)),
            Token::InvalidName(name) if error.accepts("name") => {
                Some(invalid_name(error.span(), name))
            }
            _ => None,
        }
    }

    fn needs_name(error: &SyntaxError<'_, Self>) -> bool {
        let is_direction = matches!(error.text(), "up" | "down" | "left" | "right");
        if is_direction && error.before(1) == Some(Token::Move) {
            return false;
        }
        error.accepts_only("name") && INFO.keywords.contains(&error.text())
    }

    fn misplaced(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        unclosed_entity(error).or_else(|| missing_semicolon(error))
    }

    fn describe(error: &SyntaxError<'_, Self>) -> String {
        let text = error.text();
        match error.found() {
            Some(Token::Number(_)) => format!("the number {text}"),
            Some(Token::Name(_) | Token::InvalidName(_)) => format!("the name `{text}`"),
            Some(Token::String(_)) => "a string".to_string(),
            _ => format!("`{text}`"),
        }
    }

    fn misspelled(error: &SyntaxError<'_, Self>) -> Option<(usize, &'static str)> {
        let keywords = INFO.keywords.iter().copied();
        closest_match(error.text(), keywords.filter(|word| error.accepts(word)))
            .map(|keyword| (error.index, keyword))
            .or_else(|| misspelled_start(error))
    }

    fn annotate(error: &SyntaxError<'_, Self>, mut diagnostic: Diagnostic) -> Diagnostic {
        let hint = hint_after_previous(error).or_else(|| hint(error));
        diagnostic.notes.extend(hint);
        diagnostic
    }
}

fn unknown_character(error: &SyntaxError<'_, Token<'_>>) -> Diagnostic {
    let text = error.text();
    let unknown = error.error("TG001", format!("unknown character `{text}`"));
    match text {
        ":" => unknown.note("write `x = 1;` for a property, and `{ … }` for a block"),
        _ => unknown,
    }
}

fn unterminated_string(error: &SyntaxError<'_, Token<'_>>) -> Diagnostic {
    // The token extends to the end of the file; its first line is enough.
    let line = error.text().lines().next().unwrap_or("").len();
    let start = error.span().start as usize;
    let span = error.source.span(start, start + line);
    parse_error("TG002", span, "unterminated string").note("add the closing quote")
}

/// How the message about a statement in an entity starts.
pub(super) const UNCLOSED_ENTITY: &str = "missing `}` before";

/// A statement or another entity inside an entity, which contains only properties.
fn unclosed_entity(error: &SyntaxError<'_, Token<'_>>) -> Option<Diagnostic> {
    let in_entity = error.accepts("name") && error.accepts("}");
    let starts_statement = matches!(
        error.found(),
        Some(Token::Move | Token::Set | Token::If | Token::Print | Token::Player | Token::Enemy)
    );
    let open = error
        .innermost_open()
        .filter(|_| in_entity && starts_statement)?;
    let message = format!("{UNCLOSED_ENTITY} {}", Token::describe(error));
    let missing = parse_error("TG004", error.end_of_previous(), message);
    let missing = error.with_unclosed(missing, open);
    Some(missing.note("an entity contains only properties: close it with `}` first"))
}

fn missing_semicolon(error: &SyntaxError<'_, Token<'_>>) -> Option<Diagnostic> {
    let is_comparison = matches!(
        error.found(),
        Some(Token::EqualEqual | Token::Assign | Token::NotEqual | Token::Less | Token::Greater)
    );
    if error.index == 0 || !error.accepts(";") || error.accepts("==") || is_comparison {
        return None;
    }
    let found = Token::describe(error);
    if let (Some(Token::Number(_)), Some(Token::Dot)) = (error.before(1), error.found()) {
        let number = error.span_at(error.index - 1).to(error.span());
        let next = error.span_at(error.index + 1);
        let fraction = next.start == number.end
            && matches!(error.token_at(error.index + 1), Some(Token::Number(_)));
        let span = if fraction { number.to(next) } else { number };
        let message = format!(
            "expected a whole number, found `{}`",
            error.source.slice(span)
        );
        return Some(parse_error("TG009", span, message).note("TinyGame only has whole numbers"));
    }
    if let Some(word) = foreign_block(error) {
        let span = error.span_at(error.index - 1);
        let message = format!("TinyGame has no `{word}`");
        return Some(parse_error("TG004", span, message).note(NO_ELSE));
    }
    let is_same_line = error.line_at(error.index) == error.line_at(error.index - 1);
    let ends_block = error.found() == Some(Token::CloseBrace);
    if error.before(2) == Some(Token::Print) && is_same_line && !ends_block {
        let error = error.error("TG009", format!("expected `;`, found {found}"));
        return Some(error.note("`print` takes a single string: `print \"text\";`"));
    }
    let message = format!("missing `;` before {found}");
    let diagnostic = parse_error("TG009", error.end_of_previous(), message);
    Some(diagnostic.related(
        error.span(),
        "this does not belong to the statement before it",
    ))
}

/// The `else` before a brace, which the parser has taken for a name.
fn foreign_block<'s>(error: &SyntaxError<'s, Token<'s>>) -> Option<&'s str> {
    let is_block = error.found() == Some(Token::OpenBrace);
    let word = error.text_before(1);
    (is_block && matches!(word, "else" | "elif" | "elseif")).then_some(word)
}

/// A name at the start of a statement that is probably a misspelled keyword.
fn misspelled_start(error: &SyntaxError<'_, Token<'_>>) -> Option<(usize, &'static str)> {
    let starts_statement =
        error.index == 1 || matches!(error.before(2), Some(Token::Semicolon | Token::CloseBrace));
    let word = error.text_before(1);
    if !matches!(error.before(1), Some(Token::Name(_))) || !starts_statement {
        return None;
    }
    let keywords = ["player", "enemy", "move", "set", "if", "print"];
    closest_match(word, keywords).map(|keyword| (error.index - 1, keyword))
}

/// A hint for a token that cannot follow the previous one.
fn hint_after_previous(error: &SyntaxError<'_, Token<'_>>) -> Option<String> {
    let text = error.text();
    Some(match (error.before(1)?, error.found()?) {
        (Token::Print, Token::Name(_)) => format!(
            "put text in double quotes: `print \"{text}\";`; to see a value, type it at the prompt: `hero.x`"
        ),
        (Token::Print, Token::Number(_)) => {
            format!("put text in double quotes: `print \"{text}\";`")
        }
        (Token::Print, Token::OpenParen) => "write `print \"text\";`, without parentheses".into(),
        (Token::Move, Token::Up | Token::Down | Token::Left | Token::Right) => {
            let name = match error.token_at(error.index + 1) {
                Some(Token::Name(name)) => name,
                _ => "hero",
            };
            let amount = match error.token_at(error.index + 2) {
                Some(Token::Number(_)) => error.text_at(error.index + 2),
                _ => "1",
            };
            format!("the entity comes first: `move {name} {text} {amount};`")
        }
        (
            Token::Up | Token::Down | Token::Left | Token::Right,
            Token::Up | Token::Down | Token::Left | Token::Right,
        ) => {
            let (name, first) = (error.text_before(2), error.text_before(1));
            format!(
                "move in one direction at a time: `move {name} {first} 1; move {name} {text} 1;`"
            )
        }
        (Token::Name(property), Token::EqualEqual) if error.accepts("=") => {
            format!(
                "a single `=` assigns: `set {}.{property} = …;`",
                error.text_before(3)
            )
        }
        (Token::Name(property), Token::Assign | Token::EqualEqual)
            if error.before(2) == Some(Token::Set) =>
        {
            format!("write the entity before the property: `set hero.{property} = …;`")
        }
        (Token::Name(entity), Token::Name(property))
            if matches!(error.before(2), Some(Token::Set | Token::If)) =>
        {
            format!("write a dot between them: `{entity}.{property}`")
        }
        (Token::Up | Token::Down | Token::Left | Token::Right, Token::Semicolon)
            if error.before(3) == Some(Token::Move) =>
        {
            let (entity, way) = (error.text_before(2), error.text_before(1));
            format!("say how far: `move {entity} {way} 1;`")
        }
        (Token::Move, Token::OpenParen) => "write `move hero right 1;`".into(),
        (Token::Number(_), Token::Dot) => "TinyGame only has whole numbers".into(),
        _ => return None,
    })
}

/// A hint for common mistakes: habits from other languages, and missing brackets.
fn hint(error: &SyntaxError<'_, Token<'_>>) -> Option<String> {
    let text = error.text();
    let next = error.token_at(error.index + 1);
    Some(match error.found()? {
        // Two names in a row are probably an entity without `player` or `enemy`.
        Token::Name(_)
            if error.accepts("player")
                && matches!(next, Some(Token::Name(_)))
                && Token::misspelled(error).is_none() =>
        {
            let name = error.text_at(error.index + 1);
            format!(
                "declare an entity with `player` or `enemy`, e.g. `enemy {name} {{ x = 0; y = 0; }}`"
            )
        }
        Token::Number(_) if error.accepts("up") => {
            let (entity, way) = (error.text_before(1), error.text_at(error.index + 1));
            let way = match way {
                "up" | "down" | "left" | "right" => way,
                _ => "up",
            };
            format!("the direction comes before the distance: `move {entity} {way} {text};`")
        }
        Token::OpenParen | Token::Comma | Token::Assign if error.accepts("up") => {
            format!("write `move {} up 1;`", error.text_before(1))
        }
        Token::Player | Token::Enemy if error.accepts("}") => {
            "entities cannot be declared inside `if`".into()
        }
        Token::Assign if error.accepts("player") => {
            "to change a property, write `set hero.x = 1;`".into()
        }
        Token::Name("else" | "elif" | "elseif") => format!("TinyGame has no `{text}`: {NO_ELSE}"),
        Token::Name(_)
            if error.accepts("player")
                && closest_match(text, INFO.keywords.iter().copied()).is_none() =>
        {
            own_statement(error, text)?
        }
        Token::EqualEqual | Token::Assign | Token::NotEqual | Token::Less | Token::Greater
            if error.accepts(")") =>
        {
            "write comparisons without parentheses, e.g. `if hero.x > 5 {`".into()
        }
        _ => return None,
    })
}

/// What a name at the start of a statement was probably meant to be.
fn own_statement(error: &SyntaxError<'_, Token<'_>>, name: &str) -> Option<String> {
    let after = |distance: usize| error.token_at(error.index + distance);
    let value = |distance: usize| match after(distance) {
        Some(Token::Number(_)) => error.text_at(error.index + distance),
        _ => "…",
    };
    Some(match (after(1), after(2), after(3)) {
        (Some(Token::Assign), ..) => {
            format!(
                "write the entity before the property: `set hero.{name} = {};`",
                value(2)
            )
        }
        (Some(Token::Dot), Some(Token::Name(property)), Some(Token::Assign)) => {
            format!(
                "to change a property, write `set {name}.{property} = {};`",
                value(4)
            )
        }
        (Some(Token::OpenBrace), ..) => {
            format!(
                "declare an entity with `player` or `enemy`: `player {name} {{ x = 0; y = 0; }}`"
            )
        }
        _ => format!("to change a property, write `set {name}.x = 1;`"),
    })
}

fn unsupported_operator(error: &SyntaxError<'_, Token<'_>>, operator: &str) -> Diagnostic {
    let message = format!("unsupported operator `{operator}`");
    let diagnostic = error.error("TG010", message);
    if let ("+=" | "-=", Some(Token::Dot)) = (operator, error.before(2)) {
        let property = format!("{}.{}", error.text_before(3), error.text_before(1));
        let value = match error.token_at(error.index + 1) {
            Some(Token::Number(_)) => error.text_at(error.index + 1),
            _ => "1",
        };
        let sign = &operator[..1];
        return diagnostic.note(format!(
            "write `set {property} = {property} {sign} {value};`"
        ));
    }
    let note = match operator {
        ">=" => "write `>` with a number one less",
        "<=" => "write `<` with a number one more",
        "&&" => "put one `if` inside the other",
        "||" => "write one `if` after the other",
        "+=" | "-=" => "write `set hero.x = hero.x + 1;`",
        "!" => "write `!=` to compare",
        _ => "TinyGame has `+ - * /` and `== != < >`",
    };
    diagnostic.note(note)
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
    parse_error("TG006", span, format!("invalid name `{name}`{hint}"))
        .note("names are lowercase letters and digits, starting with a letter")
}
