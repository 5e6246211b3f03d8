//! Mistakes that the grammar may notice only at a later token: a missing `in`, a missing equation, a
//! call without parentheses, alternatives separated by `|`, a misspelled keyword.

use super::NOT_EQUATION;
use crate::check::builtin::Builtin;
use crate::diagnostic::{Diagnostic, closest_match};
use crate::info::INFO;
use crate::language::syntax::{SyntaxError, parse_error};
use crate::token::Token;

/// `let x = 3 im x`: at the prompt, a `let` may end before `im`, which then looks like the
/// start of a definition.
pub(super) fn misspelled_in(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let word = error
        .index
        .checked_sub(1)
        .filter(|&index| error.tokens[index].1 == Token::Name && error.accepts("="))?;
    let same_line = (0..word)
        .rev()
        .take_while(|&index| error.line_at(index) == error.line_at(word));
    let last_keyword = same_line
        .map(|index| error.tokens[index].1)
        .find(|token| matches!(token, Token::Let | Token::In));
    let is_similar = error.text_at(word).len() <= 3 && error.text_at(word).contains(['i', 'n']);
    if last_keyword != Some(Token::Let) || !is_similar || error.tokens[word - 1].1 == Token::Let {
        return None;
    }
    let message = format!(
        "expected `in`, found `{}`; did you mean `in`?",
        error.text_at(word)
    );
    let diagnostic = parse_error("BG003", error.span_at(word), message);
    Some(diagnostic.note("`let` needs an `in`: `let x = 1 in x + 1`"))
}

/// True directly after a signature.
fn expects_equation(error: &SyntaxError<'_, Token>) -> bool {
    error.accepts("name") && !NOT_EQUATION.iter().any(|name| error.accepts(name))
}

/// A signature that is followed by something else than its equation.
pub(super) fn missing_equation(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let next_token = error.found();
    // The name of the next signature looks like the start of the equation.
    let end = match (error.before(1), next_token) {
        (Some(Token::Name), Some(Token::Colon)) => error.index - 1,
        (_, next) if expects_equation(error) && (next.is_none() || is_on_new_line(error)) => {
            error.index
        }
        _ => return None,
    };
    let is_in_type = |token: &Token| {
        matches!(
            token,
            Token::UpperName
                | Token::OpenParen
                | Token::CloseParen
                | Token::OpenBrace
                | Token::CloseBrace
                | Token::Comma
                | Token::Ampersand
                | Token::Arrow
        )
    };
    let type_length = error.tokens[..end]
        .iter()
        .rev()
        .take_while(|(_, token, _)| is_in_type(token))
        .count();
    let signature = &error.tokens[..end - type_length];
    let [.., (_, Token::Name, _), (_, Token::Colon, _)] = signature else {
        return None;
    };
    let name = signature.len() - 2;
    let is_function = error.tokens[name..end]
        .iter()
        .any(|(_, token, _)| *token == Token::Arrow);
    let text = error.text_at(name);
    let is_board = end == name + 3 && error.text_at(name + 2) == "Board";
    let equation = match is_function {
        true => format!("{text}(x) = …"),
        false if is_board => format!("{text}!(x, y) = …"),
        false => format!("{text} = …"),
    };
    let span = error.span_at(name).to(error.span_at(end - 1));
    let diagnostic = parse_error("BG011", span, format!("`{text}` has no equation"));
    Some(diagnostic.note(format!(
        "write it directly below the signature: `{equation}`"
    )))
}

/// `f : Int Int -> Int`: types that are not the components of a tuple.
pub(super) fn missing_tuple(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let is_type = |index: usize| error.token_at(index) == Some(Token::UpperName);
    let second = error.index;
    if !is_type(second) || is_on_new_line(error) || !expects_equation(error) {
        return None;
    }
    let first = second - 1;
    let [.., (_, Token::Name, _), (_, Token::Colon, _)] = error.tokens.get(..first)? else {
        return None;
    };
    let end = (second..).find(|&index| !is_type(index))?;
    let types: Vec<&str> = (first..end).map(|index| error.text_at(index)).collect();
    let tuple = format!("{} : ({})", error.text_at(first - 2), types.join(", "));
    let is_function = error.token_at(end) == Some(Token::Arrow);
    let note = match is_function && is_type(end + 1) {
        true => format!(
            "write several arguments as a tuple: `{tuple} -> {}`",
            error.text_at(end + 1)
        ),
        false => format!("write several values as a tuple: `{tuple}`"),
    };
    let message = format!(
        "expected `,` or `->` between the types `{}` and `{}`",
        error.text_at(first),
        error.text_at(second)
    );
    let span = error.span_at(first).to(error.span_at(end - 1));
    Some(parse_error("BG003", span, message).note(note))
}

/// `not a == b`: the parser takes `a` for the start of a definition.
pub(super) fn unparenthesized_not(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let last = error.index.checked_sub(1)?;
    let line = error.line_at(last);
    let is_not = |index: &usize| error.line_at(*index) == line && error.text_at(*index) == "not";
    let not = (0..last).rev().find(is_not)?;
    let is_call = error.token_at(not + 1) == Some(Token::OpenParen);
    let is_on_line = |index: &usize| error.line_at(*index) == line;
    let end = (not + 1..error.tokens.len())
        .take_while(is_on_line)
        .last()?;
    if is_call || end <= not + 1 || error.line_at(error.index.min(end)) != line {
        return None;
    }
    let argument = error.span_at(not + 1).to(error.span_at(end));
    let argument = error.source.slice(argument);
    let message = "`not` is a function, not an operator";
    let diagnostic = parse_error("BG003", error.span_at(not), message);
    Some(diagnostic.note(format!("write `not({argument})`")))
}

/// A call without parentheses: `not True`. A name as argument looks like the start of a
/// definition, so the error may be at the token after it.
pub(super) fn missing_parentheses(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let is_argument = |&(_, token, _): &(usize, Token, usize)| {
        matches!(
            token,
            Token::Name | Token::UpperName | Token::Int | Token::True | Token::False
        )
    };
    let is_operand_here = error.tokens.get(error.index).is_some_and(is_argument)
        && is_after_operand(error)
        && !is_on_new_line(error);
    let function = match is_operand_here {
        true => error.index.checked_sub(1)?,
        false => error.index.checked_sub(2).filter(|_| {
            let next_token = error.tokens.get(error.index);
            let is_signature = next_token.is_some_and(|(_, token, _)| *token == Token::Colon);
            error.before(1) == Some(Token::Name) && !is_signature && error.accepts("=")
        })?,
    };
    if error.tokens[function].1 != Token::Name
        || error.line_at(function) != error.line_at(function + 1)
        || misspelled_keyword(error).is_some()
    {
        return None;
    }
    let argument = function + 1;
    let (f, x) = (error.text_at(function), error.text_at(argument));
    let span = error.span_at(function).to(error.span_at(argument));
    let diagnostic = parse_error(
        "BG003",
        span,
        format!("missing operator or parentheses between `{f}` and `{x}`"),
    );
    if is_value_with_signature(error, function) {
        return Some(diagnostic.note(format!("write the equation with `=`: `{f} = {x}`")));
    }
    let (call, _) = parenthesized_call(error, function);
    let is_literal = matches!(
        error.token_at(argument),
        Some(Token::Int | Token::UpperName | Token::True | Token::False)
    );
    let is_first = function == 0 || error.line_at(function - 1) < error.line_at(function);
    let is_last = error.token_at(argument + 1).is_none()
        || error.line_at(argument) < error.line_at(argument + 1);
    Some(diagnostic.note(
        match is_literal && is_first && is_last && !is_function(error, function) {
            true => format!("a definition has `=`, `{f} = {x}`; a call has parentheses, `{call}`"),
            false => format!("put arguments in parentheses: `{call}`"),
        },
    ))
}

/// True for the `x` at the start of a line directly below `x : Int`.
fn is_value_with_signature(error: &SyntaxError<'_, Token>, name: usize) -> bool {
    let before = &error.tokens[..name];
    let is_first = before.len() > 2 && error.line_at(name - 1) < error.line_at(name);
    let Some(colon) = before
        .iter()
        .rposition(|&(_, token, _)| token == Token::Colon)
    else {
        return false;
    };
    let has_arrow = before[colon..]
        .iter()
        .any(|&(_, token, _)| token == Token::Arrow);
    is_first && !has_arrow && colon > 0 && error.text_at(colon - 1) == error.text_at(name)
}

/// `n > 1 and n < 3`: a function between its arguments.
pub(super) fn infix_function(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let is_function = |index: usize| {
        error.token_at(index) == Some(Token::Name) && matches!(error.text_at(index), "and" | "or")
    };
    let indices = [
        Some(error.index),
        error.index.checked_sub(1),
        error.index.checked_sub(2),
    ];
    let index = indices
        .into_iter()
        .flatten()
        .find(|&index| is_function(index))?;
    let is_first = index == 0 || error.line_at(index - 1) < error.line_at(index);
    if is_first || error.token_at(index + 1) == Some(Token::OpenParen) && index + 1 < error.index {
        return None;
    }
    let name = error.text_at(index);
    let message = format!("`{name}` is a function, not an operator");
    let diagnostic = parse_error("BG003", error.span_at(index), message);
    Some(diagnostic.note(function_note(error, index, name)))
}

/// How to call a function whose arguments are on both sides of the token at `index`.
pub(super) fn function_note(error: &SyntaxError<'_, Token>, index: usize, name: &str) -> String {
    let line = error.line_at(index);
    let is_on_line = |&other: &usize| error.line_at(other) == line;
    let ends_operand = |other: &usize| {
        let token = error.token_at(*other);
        let text = error.text_at(*other);
        matches!(
            token,
            Some(Token::Equals | Token::If | Token::Then | Token::Else | Token::In | Token::Let)
                | Some(Token::While | Token::Do | Token::Comma)
        ) || matches!(text, "and" | "or" | "&&" | "||")
    };
    let mut depth = 0_usize;
    let before = (0..index).rev().take_while(is_on_line).take_while(|other| {
        match error.text_at(*other) {
            ")" => depth += 1,
            "(" if depth == 0 => return false,
            "(" => depth -= 1,
            _ => {}
        }
        depth > 0 || !ends_operand(other)
    });
    let first = before.last();
    let mut depth = 0_usize;
    let after = (index + 1..error.tokens.len())
        .take_while(is_on_line)
        .take_while(|other| {
            match error.text_at(*other) {
                "(" => depth += 1,
                ")" if depth == 0 => return false,
                ")" => depth -= 1,
                _ => {}
            }
            depth > 0 || !ends_operand(other)
        });
    match (first, after.last()) {
        (Some(first), Some(last)) => {
            let slice = |from: usize, to: usize| {
                error
                    .source
                    .slice(error.span_at(from).to(error.span_at(to)))
            };
            let (a, b) = (slice(first, index - 1), slice(index + 1, last));
            format!("write `{name}({a}, {b})`")
        }
        _ => format!("write `{name}(a, b)`"),
    }
}

/// `where`, `data` and other keywords of Haskell, which are names here.
pub(super) fn haskell_keyword(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let indices = [
        Some(error.index),
        error.index.checked_sub(1),
        error.index.checked_sub(2),
    ];
    let found = indices.into_iter().flatten().find_map(|index| {
        let is_name = error.token_at(index) == Some(Token::Name);
        let is_first = index == 0 || error.line_at(index - 1) < error.line_at(index);
        let note = match error.text_at(index) {
            "where" => "name the parts before they are used: `let m = … in …`".to_owned(),
            "case" => "write `if … then … else …`".to_owned(),
            word @ ("data" | "newtype") if is_first => {
                let name = match error.token_at(index + 1) {
                    Some(Token::UpperName) => error.text_at(index + 1),
                    _ => "T",
                };
                format!(
                    "`{word}` is written `type {name} = {{{}}}`",
                    alternatives(error, index)
                )
            }
            _ => return None,
        };
        is_name.then_some((index, note))
    });
    let (index, note) = found?;
    let message = format!("BoGL has no `{}`", error.text_at(index));
    Some(parse_error("BG003", error.span_at(index), message).note(note))
}

/// The symbols after `=` in the line of `data P = X | O`.
fn alternatives(error: &SyntaxError<'_, Token>, index: usize) -> String {
    let line = (index..error.tokens.len())
        .take_while(|&other| error.line_at(other) == error.line_at(index));
    let value = line.skip_while(|&other| error.token_at(other) != Some(Token::Equals));
    let symbols = value.filter(|&other| error.token_at(other) == Some(Token::UpperName));
    let symbols: Vec<&str> = symbols.map(|other| error.text_at(other)).collect();
    match symbols.is_empty() {
        true => "A, B".to_owned(),
        false => symbols.join(", "),
    }
}

/// `f(n) = n +`, followed by the next definition: the name of that looks like the operand.
pub(super) fn missing_operand(error: &SyntaxError<'_, Token>) -> Option<Diagnostic> {
    let name = error.index.checked_sub(1)?;
    let operator = name.checked_sub(1)?;
    let is_definition =
        error.found() == Some(Token::Colon) && error.token_at(name) == Some(Token::Name);
    let text = error.text_at(operator);
    let is_operator = matches!(
        text,
        "+" | "-" | "*" | "/" | "%" | "<" | "<=" | ">" | ">=" | "==" | "/=" | "="
    );
    if !is_definition || !is_operator || error.line_at(operator) == error.line_at(name) {
        return None;
    }
    let message = format!("expected an expression after `{text}`, found the end of the line");
    let span = error.span_at(operator).shrink_to_end();
    Some(parse_error("BG003", span, message))
}

/// True if an expression could end before the error, as far as the parser can tell. Nothing is
/// expected after a complete entry.
fn is_after_operand(error: &SyntaxError<'_, Token>) -> bool {
    let ends = ["==", "then", "else", "do", "in", ")"];
    error.expected().is_empty() || ends.iter().any(|name| error.accepts(name))
}

/// True if the token at the error is the first of its line.
pub(super) fn is_on_new_line(error: &SyntaxError<'_, Token>) -> bool {
    error.index == 0 || error.line_at(error.index - 1) < error.line_at(error.index)
}

/// The call that was probably meant by a name and the operands after it on the same line, and
/// the index of the token after them.
fn parenthesized_call(error: &SyntaxError<'_, Token>, function: usize) -> (String, usize) {
    let mut arguments = Vec::new();
    let mut index = function + 1;
    while let Some(&(_, token, _)) = error.tokens.get(index) {
        let is_first = index == function + 1;
        if error.line_at(index) != error.line_at(function) {
            break;
        }
        let end = match token {
            Token::Name if is_first && is_function(error, index) => {
                let (call, end) = parenthesized_call(error, index);
                arguments.push(call);
                index = end;
                continue;
            }
            Token::Name | Token::UpperName | Token::Int | Token::True | Token::False => index,
            Token::OpenParen => match closing_parenthesis(error, index) {
                Some(end) => end,
                None => break,
            },
            _ => break,
        };
        let span = error.span_at(index).to(error.span_at(end));
        arguments.push(error.source.slice(span).to_owned());
        index = end + 1;
    }
    // A name and a group are a call already: `isFull (b)`.
    let call = match arguments.as_slice() {
        [group] if group.starts_with('(') => format!("{}{group}", error.text_at(function)),
        _ => format!("{}({})", error.text_at(function), arguments.join(", ")),
    };
    (call, index)
}

/// True if the name is that of a built-in function.
fn is_function(error: &SyntaxError<'_, Token>, index: usize) -> bool {
    Builtin::find(error.text_at(index)).is_some_and(|builtin| builtin.takes_arguments())
}

/// The index of the parenthesis that closes the one at `open`.
fn closing_parenthesis(error: &SyntaxError<'_, Token>, open: usize) -> Option<usize> {
    let mut depth = 0;
    (open..error.tokens.len()).find(|&index| {
        match error.tokens[index].1 {
            Token::OpenParen => depth += 1,
            Token::CloseParen => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// True in the right-hand side of `type T = …`.
pub(super) fn is_in_type_definition(error: &SyntaxError<'_, Token>) -> bool {
    let mut earlier = error.tokens[..error.index].iter().rev();
    let start = earlier.find(|(_, token, _)| {
        matches!(
            token,
            Token::Type | Token::Colon | Token::Name | Token::Let | Token::If
        )
    });
    start.is_some_and(|(_, token, _)| *token == Token::Type)
}

/// How to write the alternatives that are separated by `|` or `,` in a type definition.
pub(super) fn alternatives_note(error: &SyntaxError<'_, Token>) -> String {
    let is_separator =
        |index: usize| index < error.tokens.len() && matches!(error.text_at(index), "|" | ",");
    let mut first = error.index.saturating_sub(1);
    while first >= 2 && is_separator(first - 1) {
        first -= 2;
    }
    let mut symbols = Vec::new();
    let mut index = first;
    while error
        .tokens
        .get(index)
        .is_some_and(|(_, token, _)| *token == Token::UpperName)
    {
        symbols.push(error.text_at(index));
        if !is_separator(index + 1) {
            break;
        }
        index += 2;
    }
    match symbols.as_slice() {
        [] | [_] | ["Int" | "Bool" | "Board" | "Content" | "Input", ..] => {
            "combine types with `&`: `Int & {None}`".to_owned()
        }
        _ => format!(
            "list symbols in braces, separated by commas: `{{{}}}`",
            symbols.join(", ")
        ),
    }
}

/// The current or the previous word, if it is probably a misspelled keyword.
pub(super) fn misspelled_keyword(error: &SyntaxError<'_, Token>) -> Option<(usize, &'static str)> {
    let similar_keyword = |index: usize, is_candidate: &dyn Fn(&str) -> bool| {
        let word = error.text_at(index);
        let is_declared = error.tokens.windows(2).enumerate().any(|(at, pair)| {
            matches!(pair, [(_, Token::Name, _), (_, Token::Colon, _)]) && error.text_at(at) == word
        });
        let is_word = matches!(error.token_at(index), Some(Token::Name | Token::UpperName))
            && Builtin::find(word).is_none()
            && !is_declared;
        let keywords = INFO.keywords.iter().copied();
        closest_match(word, keywords.filter(|text| is_candidate(text)))
            .filter(|keyword| is_word && keyword.len().abs_diff(word.len()) <= 1)
            .map(|keyword| (index, keyword))
    };
    similar_keyword(error.index, &|keyword| error.accepts(keyword)).or_else(|| {
        let previous = error.index.checked_sub(1)?;
        similar_keyword(previous, &|keyword| {
            ["let", "if", "while", "type", "game"].contains(&keyword)
                && (keyword != "let"
                    || is_like_let(error.text_at(previous))
                        && is_followed_by_equals(error, previous)
                        && can_be_let(error))
        })
    })
}

/// True for `lett` and `lte`, but not for words such as `left`.
fn is_like_let(word: &str) -> bool {
    word.len() < 4 || word.starts_with("let")
}

/// True at the prompt and before an `in`. In a file, a line cannot start with `let`.
fn can_be_let(error: &SyntaxError<'_, Token>) -> bool {
    let after = error.tokens.get(error.index..).unwrap_or_default();
    let mut line = after
        .iter()
        .take_while(|token| error.source.line_number(token.0 as u32) == error.line_at(error.index));
    error.start != Some(Token::StartProgram) || line.any(|(_, token, _)| *token == Token::In)
}

/// True for the word before a name and `=`, where `let` could be.
fn is_followed_by_equals(error: &SyntaxError<'_, Token>, index: usize) -> bool {
    let after = error.tokens.get(index + 1..).unwrap_or_default();
    matches!(after, [(_, Token::Name, _), (_, Token::Equals, _), ..])
}
