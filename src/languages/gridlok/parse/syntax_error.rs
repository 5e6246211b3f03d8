//! What GridLok's syntax errors say.
//!
//! ```text
//! hint           notes on common mistakes
//! invalid_token  tokens that are never valid
//! ```

mod hint;
mod invalid_token;

use crate::check::builtin::find_predefined;
use crate::check::errors;
use crate::diagnostic::{Diagnostic, closest_match, did_you_mean};
use crate::info::INFO;
use crate::language::syntax::{
    Expected, ExpectedWords, Lexeme, Syntax, SyntaxCodes, SyntaxError, expected, parse_error,
    quoted,
};
use crate::parse::call_braces::mark_calls;
use crate::token::{ITEM_KEYWORDS, Token};
use std::ops::Range;

/// Keywords that start a statement.
const STATEMENT_KEYWORDS: &[&str] = &["if", "elseif", "else", "for", "return", "def"];

const CELL_FORM: &str = "to refer to a cell, write `board[row][column]`";

const EXPECTED: &[Expected] = &[
    expected(&["piece"], "a definition"),
    expected(&["if"], "a statement"),
    expected(&["number"], "a value").unless(&["if"]),
    expected(&["identifier"], "a name").unless(&["number"]),
    expected(&["file name"], "a file name"),
    expected(&["text"], "a string in quotes").unless(&["number", "file name"]),
    quoted(&["in"]),
    quoted(&["surrounding"]),
    quoted(&["row"]),
    quoted(&["col"]),
    quoted(&["board"]).unless(&["number"]),
    quoted(&["{"]).unless(&["if"]),
    quoted(&["("]).unless(&["number"]),
    quoted(&["["]).unless(&["+"]),
    quoted(&[","]),
    quoted(&[")"]),
    quoted(&["]"]),
    quoted(&["}"]),
];

impl Syntax for Token<'_> {
    const CODES: SyntaxCodes = SyntaxCodes {
        unexpected_token: errors::UNEXPECTED_TOKEN,
        unexpected_end: errors::UNEXPECTED_END,
        unmatched_bracket: errors::UNEXPECTED_TOKEN,
        keyword_as_name: errors::KEYWORD_AS_NAME,
        too_deep: errors::TOO_DEEP,
        unknown_name: &[
            errors::UNKNOWN_NAME,
            errors::UNKNOWN_FIELD,
            errors::UNKNOWN_PLAYER,
            errors::UNKNOWN_PIECE,
        ],
        missing_part: &[errors::NO_BOARD, errors::MISSING_PART],
    };
    const EXPECTED: ExpectedWords = ExpectedWords {
        first: &[],
        any: EXPECTED,
        otherwise: &[expected(&["+"], "an operator")],
        nothing: "the end of the input",
    };
    const TOO_DEEP_NOTE: &'static str = "move part of it into a function";

    const STAND_INS: &'static str = "1 a \"a\" { } ( ) [ ] , + == if for in def fun name image board piece onClick setup winCondition dimensions players";

    fn known_word(word: &str) -> Option<&'static str> {
        INFO.known_word(word)
    }

    fn is_comment(self) -> bool {
        self == Token::Comment
    }

    fn parser_tokens(tokens: Vec<(Range<usize>, Self)>) -> Vec<Lexeme<Self>> {
        let tokens = tokens.into_iter().filter(|(_, token)| !token.is_comment());
        mark_calls(
            tokens
                .map(|(range, token)| (range.start, token, range.end))
                .collect(),
        )
    }

    fn is_incomplete(error: &SyntaxError<'_, Self>) -> bool {
        let ends_too_early = matches!(error.found(), None | Some(Token::UnterminatedComment));
        ends_too_early && !is_part_of_board(error)
    }

    fn mistake(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        invalid_token::diagnose(error, error.found()?)
    }

    fn needs_name(error: &SyntaxError<'_, Self>) -> bool {
        let only_a_name = error.accepts("identifier") && !error.accepts("number");
        let needs_name = only_a_name && error.found() != Some(Token::IntKeyword)
            || error.before(1) == Some(Token::Def);
        needs_name && INFO.keywords.contains(&error.text())
    }

    fn misplaced(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        let found = error.found()?;
        if error.before(1).is_none() && matches!(found, Token::Else | Token::Elseif) {
            let message = format!("`{}` without `if`", error.text());
            let error = error.error(errors::UNEXPECTED_TOKEN, message);
            return Some(error.note("after an `if` of one line, write it on the same line"));
        }
        wrong_part(error, found).or_else(|| missing_value(error, found))
    }

    fn describe(error: &SyntaxError<'_, Self>) -> String {
        match error.found() {
            Some(Token::Text(text)) => format!("the string \"{text}\""),
            Some(Token::Int(n)) => format!("the number {n}"),
            Some(Token::FileName(_)) => "a file name".to_string(),
            _ => format!("`{}`", error.text()),
        }
    }

    fn misspelled(error: &SyntaxError<'_, Self>) -> Option<(usize, &'static str)> {
        match error.found() {
            Some(Token::Name("and")) => Some((error.index, "AND")),
            Some(Token::Name("or")) => Some((error.index, "OR")),
            _ => misspelled_keyword(error),
        }
    }

    fn annotate(error: &SyntaxError<'_, Self>, mut diagnostic: Diagnostic) -> Diagnostic {
        let Some(found) = error.found() else {
            let needs_index = error.accepts("[") && !error.accepts("+");
            return match needs_index {
                true => diagnostic.note(CELL_FORM),
                false => diagnostic,
            };
        };
        if matches!(found, Token::Name(_) | Token::Text(_))
            && matches!(error.before(1), Some(Token::Text(_)))
            && Token::misspelled(error).is_none()
        {
            diagnostic = diagnostic.note("a quote or a comma may be missing");
        }
        diagnostic.notes.extend(hint::hint(error, found));
        diagnostic
    }
}

/// `board` and `board[0]` could be continued, but a user who types just that should get an error
/// message, not a continuation prompt.
fn is_part_of_board(error: &SyntaxError<'_, Token<'_>>) -> bool {
    let mut kinds = error.tokens.iter().map(|(_, token, _)| *token);
    if kinds.next() != Some(Token::Board) {
        return false;
    }
    let is_bracket = |token| matches!(token, Token::OpenBracket | Token::CloseBracket);
    match (kinds.next(), kinds.next_back()) {
        (None, _) => true,
        (Some(Token::OpenBracket), Some(Token::CloseBracket)) => !kinds.any(is_bracket),
        _ => false,
    }
}

/// Valid constructs in the wrong part of a program.
fn wrong_part(error: &SyntaxError<'_, Token<'_>>, found: Token<'_>) -> Option<Diagnostic> {
    let word = error.text();
    if error.expected().is_empty() && error.innermost_open().is_none() {
        return Some(error.error(
            errors::NOT_ALLOWED_HERE,
            "nothing may follow the closing brace of `game`",
        ));
    }
    let in_body = error.accepts("if") && !error.accepts("piece");
    if in_body && ITEM_KEYWORDS.contains(&word) {
        let what = if found == Token::Fun {
            "functions cannot be defined inside another body".to_string()
        } else {
            format!("`{word}` is not allowed inside a body")
        };
        return Some(
            error
                .error(errors::NOT_ALLOWED_HERE, what)
                .note("define it directly in the game; close the body with `}` first"),
        );
    }
    if error.accepts("piece") && !error.accepts("if") {
        return Some(not_an_item(error));
    }
    let not_in = |parts: &str, of: &str, names: &[&str]| {
        let found = Token::describe(error);
        if let Some(open) = error
            .innermost_open()
            .filter(|_| ITEM_KEYWORDS.contains(&word))
        {
            let message = format!("missing `}}`: this {of} is not closed before {found}");
            let code = errors::NOT_ALLOWED_HERE;
            let missing = parse_error(code, error.end_of_previous(), message);
            return error.with_unclosed(missing, open);
        }
        let suggestion = did_you_mean(word, names.iter().copied());
        let message = format!("expected {parts} in this {of}, found {found}{suggestion}");
        error.error(errors::NOT_ALLOWED_HERE, message)
    };
    if error.accepts("dimensions") {
        let parts = "`dimensions{…}` or `image{…}`";
        Some(not_in(parts, "board", &["dimensions", "image"]))
    } else if error.accepts("onClick") {
        let parts = "`name{…}`, `image{…}`, `onTurn{…}` or `onClick{…}`";
        Some(not_in(
            parts,
            "piece",
            &["name", "image", "onTurn", "onClick"],
        ))
    } else {
        None
    }
}

/// `int n = 0`: how a variable is defined.
fn int_definition(error: &SyntaxError<'_, Token<'_>>) -> Option<String> {
    let name = error.index + 1;
    let (Some(Token::IntKeyword), Some(Token::Name(_))) = (error.found(), error.token_at(name))
    else {
        return None;
    };
    let value = match error.token_at(name + 2) {
        Some(Token::Int(_)) if error.text_at(name + 1) == "=" => error.text_at(name + 2),
        _ => "0",
    };
    let name = error.text_at(name);
    Some(format!("define a variable with `def {name}{{{value}}}`"))
}

fn not_an_item(error: &SyntaxError<'_, Token<'_>>) -> Diagnostic {
    let word = error.text();
    if let Some(note) = int_definition(error) {
        let message = format!(
            "{} is not allowed directly in a game",
            Token::describe(error)
        );
        return error.error(errors::NOT_ALLOWED_HERE, message).note(note);
    }
    let game = (error.index == 0).then_some("game");
    let suggestion = did_you_mean(word, ITEM_KEYWORDS.iter().copied().chain(game));
    error.error(errors::NOT_ALLOWED_HERE, format!("{} is not allowed directly in a game{suggestion}", Token::describe(error))).note(
        "a game contains `board`, `players`, `turnOrder`, `eventPriority`, `piece`, `setup`, conditions, `def` and `fun`; \
         statements go in `setup`, handlers, conditions and functions",
    )
}

/// `board` without its indices, and `def` without a value.
fn missing_value(error: &SyntaxError<'_, Token<'_>>, found: Token<'_>) -> Option<Diagnostic> {
    let code = errors::UNEXPECTED_TOKEN;
    match (error.before(1), found) {
        (Some(Token::Board), _) if error.accepts("[") => Some(
            error
                .error(code, "`board` cannot be used as a value")
                .note(CELL_FORM),
        ),
        (Some(Token::CloseBracket), _) if error.accepts_only("[") => Some(
            error
                .error(code, "`board` needs a row and a column")
                .note(CELL_FORM),
        ),
        (Some(Token::OpenBrace), Token::CloseBrace) if error.before(3) == Some(Token::Def) => {
            let error = error.error(code, "a `def` needs a value");
            Some(error.note("the empty list is `{,}`"))
        }
        _ => None,
    }
}

/// A name earlier on this line that looks like a misspelled keyword, and that keyword.
fn misspelled_keyword(error: &SyntaxError<'_, Token<'_>>) -> Option<(usize, &'static str)> {
    let line = error.source.line_range(error.line_at(error.index));
    let is_candidate = |keyword: &&str| keyword.len() > 2;
    let keywords = STATEMENT_KEYWORDS.iter().copied().filter(is_candidate);
    let first = error.tokens[..error.index].partition_point(|token| token.0 < line.start);
    let misspelled = (first..error.index).find_map(|index| match error.token_at(index)? {
        Token::Name(name) if name.len() > 2 && find_predefined(name).is_none() => {
            closest_match(name, keywords.clone()).map(|keyword| (index, keyword))
        }
        _ => None,
    });
    misspelled.or_else(|| misspelled_item_keyword(error))
}

/// The same for the keyword of an item at the start of an entry.
fn misspelled_item_keyword(error: &SyntaxError<'_, Token<'_>>) -> Option<(usize, &'static str)> {
    let &(0, Token::Name(name), _) = error.tokens.first().filter(|_| error.index > 0)? else {
        return None;
    };
    closest_match(name, ITEM_KEYWORDS.iter().copied()).map(|word| (0, word))
}
