//! Notes on common mistakes.

use super::{int_definition, misspelled_keyword};
use crate::language::syntax::SyntaxError;
use crate::token::Token;

/// How far back to look for the `if` of a condition.
const MAX_LOOKBACK_TOKENS: usize = 40;

const LOOP_FORMS: &str = "a loop is one of: `for i(0,3){…}`, `for x,y in board{…}`, `for all p in board{…}`, \
                     `for p in row(0){…}`, `for p in col(0){…}`, `for p surrounding r,c{…}`, `for i,j surrounding r,c{…}`";
const BLOCK_WITHOUT_KEYWORD: &str = "a block follows `if`, `elseif`, `else` or `for`";
const MISSING_BLOCK: &str = "the block is missing: `if f{1} { … }`";

/// Longer arguments are not repeated in a note.
const MAX_ARGUMENTS_BYTES: usize = 30;

/// A note for common mistakes.
pub(super) fn hint(error: &SyntaxError<'_, Token<'_>>, found: Token<'_>) -> Option<String> {
    let note: &str = match (error.before(1), found) {
        (Some(Token::Else), Token::If) => "write `elseif`",
        (Some(Token::CloseBrace), Token::OpenBrace) => BLOCK_WITHOUT_KEYWORD,
        (Some(Token::Return), _) => {
            "whatever follows `return` is its value; a `return` without a value must end its block"
        }
        (Some(Token::Name(name)), Token::OpenBrace) if error.before(2) == Some(Token::Fun) => {
            let parameters = names_in_braces(error);
            return Some(match parameters.is_empty() {
                true => format!("write `fun {name}() {{ … }}`, even without parameters"),
                false => format!(
                    "put the parameters in parentheses: `fun {name}({}) {{ … }}`",
                    parameters.join(", ")
                ),
            });
        }
        (Some(Token::Name(name)), Token::Name(parameter))
            if error.before(2) == Some(Token::Fun) && error.accepts("(") =>
        {
            return Some(format!(
                "put the parameters in parentheses: `fun {name}({parameter}) {{ … }}`"
            ));
        }
        (Some(Token::Name(name)), Token::Int(_) | Token::Text(_))
            if error.before(2) == Some(Token::Def) =>
        {
            return Some(format!(
                "put the value in braces: `def {name}{{{}}}`",
                error.text()
            ));
        }
        (Some(Token::Name(name)), Token::OpenBracket) if error.before(2) == Some(Token::Def) => {
            return Some(format!(
                "a list is written in braces, with a comma after each element: `def {name}{{1, 2,}}`"
            ));
        }
        (Some(Token::OpenBrace), Token::OpenBracket) => {
            "a list is written in braces, with a comma after each element: `{1, 2,}`"
        }
        (Some(Token::Name(name)), Token::OpenParen) if error.before(2) == Some(Token::Def) => {
            return Some(format!("write a function as `fun {name}(a) {{ … }}`"));
        }
        (Some(Token::Print | Token::Display | Token::Place), _) if found != Token::OpenParen => {
            return Some(format!("write `{}{{…}}`", error.text_before(1)));
        }
        (None | Some(Token::OpenBrace | Token::CloseBrace), Token::IntKeyword)
            if int_definition(error).is_some() =>
        {
            return int_definition(error);
        }
        (_, Token::Comma) if is_in_index(error) => {
            "a cell has two brackets: `board[0][1]`; a call has braces: `click{0, 1}`"
        }
        (Some(Token::Dot), Token::Int(_)) => "GridLok only has whole numbers",
        (_, Token::Minus) if error.accepts("if") => "a statement cannot start with a minus",
        (Some(Token::Comma), Token::CloseBrace) => "remove the last comma: only lists end with one",
        _ if in_loop_head(error) => LOOP_FORMS,
        _ if in_call_read_as_block(error) => MISSING_BLOCK,
        _ => {
            let (name, arguments) = called_in_parentheses(error)?;
            return Some(format!("call it with braces: `{name}{{{arguments}}}`"));
        }
    };
    Some(note.to_string())
}

/// The names in the braces at the error, if they contain only names and commas and another brace
/// follows.
fn names_in_braces<'s>(error: &SyntaxError<'s, Token<'s>>) -> Vec<&'s str> {
    let mut names = Vec::new();
    for index in error.index + 1..error.tokens.len() {
        match error.token_at(index) {
            Some(Token::Name(name)) => names.push(name),
            Some(Token::Comma | Token::IntKeyword) => {}
            Some(Token::CloseBrace) if error.token_at(index + 1) == Some(Token::OpenBrace) => {
                return names;
            }
            _ => break,
        }
    }
    Vec::new()
}

/// True if the innermost open bracket is a `[` that could be closed here.
fn is_in_index(error: &SyntaxError<'_, Token<'_>>) -> bool {
    let open = error.innermost_open();
    error.accepts("]") && open.is_some_and(|bracket| bracket.closing == "]")
}

/// The `name` in `name(…)`, if the error is inside or at its parenthesis: a call as other
/// languages write it. With its arguments, if they are short.
fn called_in_parentheses<'s>(error: &SyntaxError<'s, Token<'s>>) -> Option<(&'s str, String)> {
    let is_at_parenthesis = error.found() == Some(Token::OpenParen);
    let open = error.innermost_open_before(error.index + usize::from(is_at_parenthesis))?;
    let name = open.index.checked_sub(1)?;
    if open.closing != ")" || misspelled_keyword(error).is_some() {
        return None;
    }
    let is_callable = matches!(
        error.token_at(name),
        Some(Token::Name(_) | Token::Print | Token::Place | Token::Display)
    );
    let is_definition = name > 0 && error.token_at(name - 1) == Some(Token::Fun);
    let is_adjacent = error.span_at(name).end == open.span.start;
    (is_callable && !is_definition && is_adjacent)
        .then(|| (error.text_at(name), arguments_after(error, open.index)))
}

/// The text between a parenthesis and the one that closes it on the same line; `…` if there is none or
/// the text is long or has other brackets.
fn arguments_after(error: &SyntaxError<'_, Token<'_>>, open: usize) -> String {
    let start = error.span_at(open).end as usize;
    let rest = error.source.text.get(start..).unwrap_or_default();
    let end = rest.find([')', '(', '{', '}', '\n']);
    match end.filter(|&end| rest[end..].starts_with(')') && end <= MAX_ARGUMENTS_BYTES) {
        Some(end) => rest[..end].trim().replace('\'', "\""),
        None => "…".to_string(),
    }
}

/// True if the error is between `for` and its block.
fn in_loop_head(error: &SyntaxError<'_, Token<'_>>) -> bool {
    let head = error.tokens[..error.index].iter().rev();
    let mut head = head
        .map(|token| token.1)
        .take_while(|t| !matches!(t, Token::OpenBrace | Token::CloseBrace));
    head.any(|token| token == Token::For)
}

/// True if the error is just after `if … name {`: the user meant a call, but no block follows it.
fn in_call_read_as_block(error: &SyntaxError<'_, Token<'_>>) -> bool {
    let preceding: Vec<Token> = error.tokens[..error.index]
        .iter()
        .rev()
        .map(|token| token.1)
        .take(MAX_LOOKBACK_TOKENS)
        .collect();
    let Some(brace) = preceding.iter().position(|t| *t == Token::OpenBrace) else {
        return false;
    };
    let opens = matches!(preceding.get(brace + 1), Some(Token::Name(_)));
    let mut head = preceding
        .iter()
        .skip(brace + 1)
        .take_while(|t| !matches!(t, Token::OpenBrace | Token::CloseBrace));
    brace <= 2 && opens && head.any(|t| matches!(t, Token::If | Token::Elseif))
}
