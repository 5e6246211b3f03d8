//! Tokens that are never valid, such as `=`, `;` and names in capital letters.

use crate::check::errors;
use crate::diagnostic::Diagnostic;
use crate::info::INFO;
use crate::language::syntax::{SyntaxError, parse_error};
use crate::token::Token;

/// Tokens that are never valid.
pub(super) fn diagnose(error: &SyntaxError<'_, Token<'_>>, found: Token<'_>) -> Option<Diagnostic> {
    Some(match found {
        Token::Invalid => bad_character(error),
        Token::InvalidName => bad_name(error),
        Token::UnterminatedString => error
            .error(errors::UNTERMINATED_STRING, "unterminated string")
            .note("add the closing quote on the same line: `\"…\"` or `“…”`"),
        Token::UnterminatedComment => error
            .error(errors::UNTERMINATED_COMMENT, "unterminated comment")
            .note("close it with `*/`"),
        Token::OversizedInt | Token::MinIntMagnitude => error
            .error(errors::NUMBER_TOO_LARGE, "number too large")
            .note("numbers range from -2147483648 to 2147483647"),
        _ => return None,
    })
}

fn bad_character(error: &SyntaxError<'_, Token<'_>>) -> Diagnostic {
    if error.text() == "=" {
        return single_equals(error, 1);
    }
    if error.text() == ":" && error.text_at(error.index + 1) == "=" {
        return single_equals(error, 2);
    }
    let note = match error.text() {
        "&" => "did you mean `AND` or `&&`?",
        "|" => "did you mean `OR` or `||`?",
        ";" => "statements need no separator; remove it",
        "'" | "‘" | "’" | "`" | "„" | "‚" | "«" | "»" | "‹" | "›" => {
            "use straight double quotes for strings: `\"…\"`"
        }
        "#" => "comments are written `/* … */` or `// …`",
        "\u{A0}" => "it was probably pasted; replace it with an ordinary space",
        word if word.starts_with('@') => "names cannot contain `@`",
        _ => "remove it",
    };
    let message = match error.text() {
        "\u{A0}" => "unexpected non-breaking space".to_string(),
        word if word.chars().count() > 1 => format!("unexpected `{word}`"),
        word => format!("unknown character `{word}`"),
    };
    error.error(errors::BAD_CHARACTER, message).note(note)
}

/// `=` or `:=`, a number of tokens, which other languages use to define, to assign and to compare.
fn single_equals(error: &SyntaxError<'_, Token<'_>>, length: usize) -> Diagnostic {
    let after = error.index + length;
    let span = error.span().to(error.span_at(after - 1));
    let message = format!("unexpected `{}`", error.source.slice(span));
    let diagnostic = parse_error(errors::SINGLE_EQUALS, span, message);
    let line = error.line_at(error.index);
    let value: Vec<&str> = (after..error.tokens.len())
        .take_while(|&index| error.line_at(index) == line)
        .map(|index| error.text_at(index))
        .take(2)
        .collect();
    if let Some(Token::Int(_)) = error.token_at(after)
        && error.token_at(after + 1) == Some(Token::Dot)
    {
        let whole = "GridLok only has whole numbers";
        return match error.before(1) {
            Some(Token::Name(name)) => diagnostic.note(format!(
                "assign with braces, `{name}{{{}}}`; {whole}",
                error.text_at(after)
            )),
            _ => diagnostic.note(whole),
        };
    }
    // A value of one token can be repeated.
    let value = match value[..] {
        [value] | [value, "}" | ";"] => value,
        _ => "…",
    };
    let is_in_condition = (0..error.index)
        .rev()
        .take_while(|&index| error.line_at(index) == line)
        .map(|index| error.token_at(index))
        .take_while(|token| !matches!(token, Some(Token::OpenBrace | Token::CloseBrace)))
        .any(|token| matches!(token, Some(Token::If | Token::Elseif | Token::Return)));
    diagnostic.note(match (error.before(2), error.before(1)) {
        _ if is_in_condition => "use `==` to compare".to_string(),
        (Some(Token::Def | Token::IntKeyword), Some(Token::Name(name)))
        | (
            Some(Token::Name("var" | "let" | "const" | "string" | "bool" | "boolean")),
            Some(Token::Name(name)),
        ) => {
            format!("define a variable with braces: `def {name}{{{value}}}`")
        }
        (_, Some(Token::Name(name))) => {
            format!("use `==` to compare, and braces to assign: `{name}{{{value}}}`")
        }
        (_, Some(Token::CloseBracket)) if assigns_cell(error) => {
            let cell = indices_before(error).unwrap_or("row, column".to_string());
            format!(
                "use `==` to compare; to put a piece on a cell, write `place{{{value}, {cell}}}`"
            )
        }
        _ => "use `==` to compare, and braces to assign: `name{value}`".to_string(),
    })
}

/// `1, 2` for `board[1][2] =`.
fn indices_before(error: &SyntaxError<'_, Token<'_>>) -> Option<String> {
    let end = error.span().start as usize;
    let text = error.source.text[..end].trim_end().strip_suffix(']')?;
    let (text, column) = text.rsplit_once('[')?;
    let (_, row) = text.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    Some(format!("{}, {}", row.trim(), column.trim()))
}

/// True for `board[…][…] =`.
fn assigns_cell(error: &SyntaxError<'_, Token<'_>>) -> bool {
    let mut depth = 0_usize;
    let mut before = error.tokens[..error.index]
        .iter()
        .rev()
        .map(|token| token.1);
    let start = before.find(|token| {
        match token {
            Token::CloseBracket => depth += 1,
            Token::OpenBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && !matches!(token, Token::OpenBracket)
    });
    start == Some(Token::Board)
}

fn bad_name(error: &SyntaxError<'_, Token<'_>>) -> Diagnostic {
    let word = error.text();
    let starts_with_digit = word.starts_with(|c: char| c.is_ascii_digit());
    if let Some((rows, columns)) = word.split_once('x').filter(|_| starts_with_digit) {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if is_number(rows) && is_number(columns) {
            let note = format!("separate numbers with a comma: `{rows}, {columns}`");
            let message = format!("expected a number, found `{word}`");
            return error.error(errors::BAD_NAME, message).note(note);
        }
    }
    let is_word = word.starts_with(|c: char| c.is_alphabetic());
    let quoted = format!("put text in quotes: `\"{word}\"`");
    if is_word && error.accepts("text") && !error.accepts("number") {
        let message = format!("expected a string in quotes, found `{word}`");
        return error.error(errors::BAD_NAME, message).note(quoted);
    }
    let why = if starts_with_digit {
        "names cannot start with a digit"
    } else if !word.chars().all(|c| c.is_ascii_alphanumeric()) {
        "names contain only the letters a-z and A-Z and digits"
    } else {
        "names start with a lowercase letter"
    };
    let known = INFO
        .keywords
        .iter()
        .chain(INFO.builtins.iter().map(|(name, _)| name));
    let suggestion = known
        .copied()
        .find(|name| name.eq_ignore_ascii_case(word))
        .map(|k| format!("; did you mean `{k}`?"))
        .unwrap_or_default();
    let is_text = is_word && error.accepts("text") && suggestion.is_empty();
    let message = format!("invalid name `{word}`{suggestion}");
    let diagnostic = error.error(errors::BAD_NAME, message);
    match is_text {
        true => diagnostic.note(format!("{quoted}; {why}")),
        false => diagnostic.note(why),
    }
}
