//! Tells calls from blocks in conditions and loop heads without parentheses: in `if f{1} == 2 {`, the
//! first brace belongs to a call and the second opens the block. The token after the matching brace
//! decides: a call is followed by an operator or by the block, and no statement begins with these.

use crate::language::syntax::Lexeme;
use crate::token::Token;

/// Replaces the opening braces of calls in conditions and loop heads by [`Token::CallBrace`].
pub fn mark_calls<'t>(mut tokens: Vec<Lexeme<Token<'t>>>) -> Vec<Lexeme<Token<'t>>> {
    let is_head = |token| matches!(token, Token::If | Token::Elseif | Token::Surrounding);
    if !tokens.iter().any(|token| is_head(token.1)) {
        return tokens;
    }
    let closing = matching_brackets(&tokens);
    for index in 0..tokens.len() {
        if is_head(tokens[index].1) {
            mark_head(&mut tokens, &closing, index);
        }
    }
    tokens
}

/// Marks the calls between the keyword at `keyword` and the block.
fn mark_head(tokens: &mut [Lexeme<Token<'_>>], closing: &[Option<usize>], keyword: usize) {
    let mut index = keyword + 1;
    while let Some(&(_, token, _)) = tokens.get(index) {
        match token {
            Token::OpenParen | Token::OpenBracket => {}
            Token::OpenBrace => {
                let ends_head = !is_callable(tokens[index - 1].1)
                    || closing[index].is_none_or(|close| !continues_head(&tokens[close + 1..]));
                if ends_head {
                    return;
                }
                tokens[index].1 = Token::CallBrace;
            }
            token if is_in_head(token) => {
                index += 1;
                continue;
            }
            _ => return,
        }
        match closing[index] {
            Some(close) => index = close + 1,
            None => return,
        }
    }
}

/// Whether a name before a brace can be called.
fn is_callable(token: Token<'_>) -> bool {
    use Token::{Display, Name, Place, Print, Visible};
    matches!(token, Name(_) | Place | Visible | Print | Display)
}

/// Whether a token other than a bracket can be part of a condition or loop head.
fn is_in_head(token: Token<'_>) -> bool {
    use Token::*;
    !matches!(
        token,
        CloseBrace
            | CloseParen
            | CloseBracket
            | If
            | Elseif
            | Else
            | For
            | Surrounding
            | Return
            | Def
            | Fun
    )
}

/// Whether the tokens after a closing brace continue a condition or loop head.
fn continues_head(rest: &[Lexeme<Token<'_>>]) -> bool {
    use Token::*;
    let next = |at: usize| rest.get(at).map(|token| token.1);
    match next(0) {
        // Misspelled operators, unless they are called.
        Some(Name("and" | "or")) => next(1) != Some(OpenBrace),
        Some(OpenBrace | OpenBracket | Comma | Dot | And | Or) => true,
        Some(Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual) => true,
        Some(Plus | Minus | Star | Slash | Percent) => true,
        _ => false,
    }
}

/// For each opening bracket, the index of the one that closes it.
fn matching_brackets(tokens: &[Lexeme<Token<'_>>]) -> Vec<Option<usize>> {
    use Token::*;
    let mut closing = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (index, &(_, token, _)) in tokens.iter().enumerate() {
        match token {
            OpenBrace | OpenParen | OpenBracket => open.push(index),
            CloseBrace | CloseParen | CloseBracket => {
                if let Some(opening) = open.pop() {
                    closing[opening] = Some(index);
                }
            }
            _ => {}
        }
    }
    closing
}
