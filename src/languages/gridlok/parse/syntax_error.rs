//! What GridLok's syntax errors say.

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

/// How far back to look for the `if` of a condition.
const MAX_LOOKBACK_TOKENS: usize = 40;

/// Keywords that start a statement.
const STATEMENT_KEYWORDS: &[&str] = &["if", "elseif", "else", "for", "return", "def"];
const LOOP_FORMS: &str = "a loop is one of: `for i(0,3){…}`, `for x,y in board{…}`, `for all p in board{…}`, \
                     `for p in row(0){…}`, `for p in col(0){…}`, `for p surrounding r,c{…}`, `for i,j surrounding r,c{…}`";

const CELL_FORM: &str = "to refer to a cell, write `board[row][column]`";
const BLOCK_WITHOUT_KEYWORD: &str = "a block follows `if`, `elseif`, `else` or `for`";
const MISSING_BLOCK: &str = "the block is missing: `if f{1} { … }`";

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
        malformed(error, error.found()?)
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
        diagnostic.notes.extend(hint(error, found));
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

/// Tokens that are never valid.
fn malformed(error: &SyntaxError<'_, Token<'_>>, found: Token<'_>) -> Option<Diagnostic> {
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
        return single_equals(error);
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

/// `=`, which other languages use to define, to assign and to compare.
fn single_equals(error: &SyntaxError<'_, Token<'_>>) -> Diagnostic {
    let diagnostic = error.error(errors::SINGLE_EQUALS, "unexpected `=`");
    let line = error.line_at(error.index);
    let value: Vec<&str> = (error.index + 1..error.tokens.len())
        .take_while(|&index| error.line_at(index) == line)
        .map(|index| error.text_at(index))
        .take(2)
        .collect();
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

/// A note for common mistakes.
fn hint(error: &SyntaxError<'_, Token<'_>>, found: Token<'_>) -> Option<String> {
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
            let name = called_in_parentheses(error)?;
            return Some(format!("call it with braces: `{name}{{…}}`"));
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
/// languages write it.
fn called_in_parentheses<'s>(error: &SyntaxError<'s, Token<'s>>) -> Option<&'s str> {
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
    (is_callable && !is_definition && is_adjacent).then(|| error.text_at(name))
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
