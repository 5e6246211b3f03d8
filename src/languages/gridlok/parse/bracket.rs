//! Bracket matching for error messages: which bracket is open, and where one is probably missing.

use super::SpannedToken;
use crate::languages::gridlok::token::Token;
use crate::source::{Source, Span};

/// The innermost bracket still open after these tokens.
pub fn innermost_open<'t>(
    source: &Source,
    tokens: &[SpannedToken<'t>],
) -> Option<(Token<'t>, Span)> {
    let mut open = Vec::new();
    for &(start, token, end) in tokens {
        match token {
            Token::OpenBrace | Token::OpenParen | Token::OpenBracket => {
                open.push((token, source.span(start, end)))
            }
            Token::CloseBrace | Token::CloseParen | Token::CloseBracket => _ = open.pop(),
            _ => {}
        }
    }
    open.pop()
}

/// The first pair of braces whose `}` starts a line that is indented less than the line of its `{`.
/// Most likely a `}` is missing in between.
pub fn find_misindented_close(
    source: &Source,
    tokens: &[SpannedToken<'_>],
) -> Option<(Span, Span)> {
    let mut open = Vec::new();
    for &(start, token, end) in tokens {
        match token {
            Token::OpenBrace => open.push(source.span(start, end)),
            Token::CloseBrace => {
                let opened: Span = open.pop()?;
                let Some(indent) = indent_if_first(source, start) else {
                    continue;
                };
                if line_indent(source, opened) > indent {
                    return Some((opened, source.span(start, end)));
                }
            }
            _ => {}
        }
    }
    None
}

/// The indentation of the token at `start`, in bytes, if it is the first on its line.
fn indent_if_first(source: &Source, start: usize) -> Option<usize> {
    let before = &source.text[..start];
    let line = before.trim_end_matches([' ', '\t']);
    (line.is_empty() || line.ends_with('\n')).then_some(before.len() - line.len())
}

fn line_indent(source: &Source, span: Span) -> usize {
    let line = source.line(source.line_number(span.start));
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

pub fn opening(bracket: Token<'_>) -> &'static str {
    match bracket {
        Token::OpenParen => "(",
        Token::OpenBracket => "[",
        _ => "{",
    }
}

pub fn closing(bracket: Token<'_>) -> &'static str {
    match bracket {
        Token::OpenParen => ")",
        Token::OpenBracket => "]",
        _ => "}",
    }
}
