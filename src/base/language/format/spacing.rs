//! How much space there is between two tokens of a line.

use super::{Layout, Lexeme};
use crate::language::TokenClass;

/// Words that are set off from a parenthesis after them.
const SPACED_WORDS: &[&str] = &[
    "if", "elseif", "else", "then", "while", "do", "repeat", "return", "in", "let", "of", "AND",
    "OR", "and", "or", "not",
];

/// The space between two tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gap {
    None,
    One,
    /// None or one, as the author did.
    AsWritten,
}

/// The space before lexeme `n` of a line, which is not the first. `is_padded` tells whether the
/// content of the innermost braces is set off by spaces.
pub(super) fn gap(layout: &Layout, line: &[Lexeme<'_>], n: usize, is_padded: bool) -> Gap {
    let (left, right) = (&line[n - 1], &line[n]);
    let is_operator = |lexeme: &Lexeme<'_>| lexeme.class == TokenClass::Operator;
    let is_one_of =
        |lexeme: &Lexeme<'_>, words: &[&str]| is_operator(lexeme) && words.contains(&lexeme.text);
    if left.is_comment() || right.is_comment() {
        return Gap::One;
    }
    if left.class == TokenClass::Invalid || right.class == TokenClass::Invalid {
        return Gap::AsWritten;
    }
    // Tokens such as `inccounter1=`.
    if !is_operator(left) && left.text.ends_with('=') {
        return match right
            .text
            .starts_with(|c: char| c.is_ascii_digit() || c == '-')
        {
            true => Gap::None,
            false => Gap::AsWritten,
        };
    }
    match (left.text, right.text) {
        ("{", "}") => return Gap::None,
        ("{", _) if left.is_opening() => return padding(is_padded),
        (_, "}") if right.is_closing() => return padding(is_padded),
        _ => {}
    }
    if left.is_opening() || right.is_closing() {
        return Gap::None;
    }
    if is_one_of(left, layout.as_written) || is_one_of(right, layout.as_written) {
        return match is_one_of(right, &[",", ";"]) {
            true => Gap::None,
            false => Gap::AsWritten,
        };
    }
    if is_one_of(right, &[",", ";"])
        || is_one_of(left, layout.tight)
        || is_one_of(right, layout.tight)
        || is_one_of(right, layout.postfix)
    {
        return Gap::None;
    }
    if is_one_of(left, layout.prefix) {
        match prefix_position(layout, line, n - 1) {
            Some(true) if is_operator(right) => return Gap::AsWritten,
            Some(true) => return Gap::None,
            Some(false) => {}
            None => return Gap::AsWritten,
        }
    }
    let is_operand = |lexeme: &Lexeme<'_>| {
        matches!(lexeme.class, TokenClass::Name | TokenClass::Builtin) || lexeme.is_closing()
    };
    match right.text {
        "(" if is_operator(left) => Gap::One,
        "(" if left.class == TokenClass::Keyword && SPACED_WORDS.contains(&left.text) => Gap::One,
        "(" => Gap::AsWritten,
        "[" if is_operand(left) => Gap::None,
        "[" if left.class == TokenClass::Keyword => Gap::AsWritten,
        _ => Gap::One,
    }
}

fn padding(is_padded: bool) -> Gap {
    match is_padded {
        true => Gap::One,
        false => Gap::None,
    }
}

/// Whether an operator has only an operand on its right; `None` if that is not certain.
fn prefix_position(layout: &Layout, line: &[Lexeme<'_>], n: usize) -> Option<bool> {
    let before = line.get(n.checked_sub(1)?)?;
    match before.class {
        TokenClass::Operator => Some(!layout.postfix.contains(&before.text)),
        TokenClass::Bracket => Some(before.is_opening()),
        TokenClass::Keyword => None,
        _ => Some(false),
    }
}
