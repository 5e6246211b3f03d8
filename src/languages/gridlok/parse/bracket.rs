//! Which brackets of a text are open, and where a closing one was probably forgotten.

use super::SpannedToken;
use crate::languages::gridlok::token::Token;
use crate::source::{Source, Span};

/// The last bracket that is still open after these tokens.
pub fn innermost_open<'t>(
    source: &Source,
    lexemes: &[SpannedToken<'t>],
) -> Option<(Token<'t>, Span)> {
    let mut open = Vec::new();
    for &(start, token, end) in lexemes {
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

/// The first brace whose closing one begins a line that is indented less: where a brace is missing, probably.
pub fn find_misindented_close(
    source: &Source,
    lexemes: &[SpannedToken<'_>],
) -> Option<(Span, Span)> {
    let mut open = Vec::new();
    for &(start, token, end) in lexemes {
        match token {
            Token::OpenBrace => open.push(source.span(start, end)),
            Token::CloseBrace => {
                let opened: Span = open.pop()?;
                let Some(indent) = begins_line(source, start) else {
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

/// How far the token that starts here is indented, if it is the first of its line.
fn begins_line(source: &Source, start: usize) -> Option<usize> {
    let before = &source.text[..start];
    let line = before.trim_end_matches([' ', '\t']);
    (line.is_empty() || line.ends_with('\n')).then_some(before.len() - line.len())
}

fn line_indent(source: &Source, place: Span) -> usize {
    let line = source.line(source.line_column(place.start).0);
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
