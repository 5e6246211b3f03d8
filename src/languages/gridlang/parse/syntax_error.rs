//! What GridLang's syntax errors say.

use crate::check::errors;
use crate::diagnostic::{Diagnostic, closest_match, did_you_mean};
use crate::info::INFO;
use crate::language::syntax::{
    Expected, ExpectedWords, Lexeme, OpenBracket, Syntax, SyntaxCodes, SyntaxError, expected,
    parse_error, quoted,
};
use crate::parse::dialect;
use crate::parse::newlines::{self, SpannedToken};
use crate::source::Span;
use crate::token::Token;
use std::ops::Range;

const EXPECTED: &[Expected] = &[
    expected(&["number"], "an expression"),
    expected(&["end"], "end of statement"),
    expected(&["name", "int"], "a type and a name"),
    expected(&["name"], "a name"),
];

const EXPECTED_SYMBOLS: &[Expected] = &[
    quoted(&["("]),
    quoted(&[")"]),
    quoted(&["["]),
    quoted(&["]"]),
    quoted(&["{"]),
    quoted(&[","]),
    quoted(&["="]),
    expected(&["text"], "a string"),
];

impl Syntax for Token<'_> {
    const CODES: SyntaxCodes = SyntaxCodes {
        unexpected_token: errors::UNEXPECTED_TOKEN,
        unexpected_end: errors::UNEXPECTED_END,
        unmatched_bracket: errors::UNMATCHED_BRACKET,
        keyword_as_name: errors::KEYWORD_AS_NAME,
        too_deep: errors::TOO_DEEP,
        unknown_name: &[
            errors::UNDECLARED,
            errors::UNKNOWN_FUNCTION,
            errors::UNKNOWN_TYPE,
            errors::UNKNOWN_ATTRIBUTE,
            errors::UNKNOWN_PIECE,
            errors::UNKNOWN_LIST,
        ],
        missing_part: &[errors::NO_GRID],
    };
    const EXPECTED: ExpectedWords = ExpectedWords {
        first: EXPECTED,
        any: EXPECTED_SYMBOLS,
        otherwise: &[],
        nothing: "something else",
    };

    const STAND_INS: &'static str =
        "1 a \"a\" ( ) { } [ ] , + = . : \n int if else function while Player";

    const STAND_IN_HEADER: &'static str = "function a()";

    fn known_word(word: &str) -> Option<&'static str> {
        INFO.known_word(word)
    }

    fn is_comment(self) -> bool {
        self == Token::Comment
    }

    fn parser_tokens(tokens: Vec<(Range<usize>, Self)>) -> Vec<Lexeme<Self>> {
        newlines::parser_tokens(tokens)
    }

    fn is_incomplete(error: &SyntaxError<'_, Self>) -> bool {
        matches!(error.found(), None | Some(Token::UnterminatedComment))
    }

    fn mistake(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        invalid_token(error, error.found()?)
            .or_else(|| compiler_dialect(error))
            .or_else(|| misspelled_block(error))
            .or_else(|| method_call(error))
            .or_else(|| new_array(error))
            .or_else(|| unclosed_earlier(error))
    }

    fn needs_name(error: &SyntaxError<'_, Self>) -> bool {
        INFO.keywords.contains(&error.text())
            && !error.found().is_some_and(Token::is_value_type)
            && error.accepts("name")
            && !error.accepts("end")
            && !error.accepts("number")
            && !error.accepts("int")
    }

    fn misplaced(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        let token = error.found()?;
        if token == Token::Else {
            let note = match error.before(1) {
                None => "after an `if` of one line, write it on the same line",
                Some(_) => "without braces, an `if` controls only one statement",
            };
            let error = error.error(errors::ELSE_WITHOUT_IF, "`else` without `if`");
            return Some(error.note(note));
        }
        let open = error.innermost_open();
        open.filter(|_| starts_definition(error, token))
            .map(|open| nested_definition(error, open))
            .or_else(|| missing_statement_end(error, token))
            .or_else(|| line_ends_early(error, token))
    }

    fn describe(error: &SyntaxError<'_, Self>) -> String {
        match (error.found(), error.text()) {
            (Some(Token::StatementEnd), text) if text != ";" => "end of line".into(),
            (Some(Token::Newline), _) => "end of line".into(),
            (Some(Token::Text(_)), _) => "a string".into(),
            (_, text) => format!("`{text}`"),
        }
    }

    /// The first word of the statement.
    fn misspelled(error: &SyntaxError<'_, Self>) -> Option<(usize, &'static str)> {
        let start = start_of_statement(error);
        let Some(Token::Name(word)) = error.token_at(start) else {
            return None;
        };
        // `ann.position` cannot start with a keyword.
        if error.token_at(start + 1) == Some(Token::Dot) {
            return None;
        }
        let keywords = INFO.keywords.iter().copied().filter(|k| k.len() > 1);
        let keyword = closest_match(word, keywords).filter(|_| word.len() > 2)?;
        Some((start, keyword))
    }

    fn annotate(error: &SyntaxError<'_, Self>, diagnostic: Diagnostic) -> Diagnostic {
        if let Some(note) = own_words(error) {
            return diagnostic.note(note);
        }
        match help(error) {
            Some(RESULT_TYPE) => diagnostic.note(format!("{RESULT_TYPE}: `{}`", with_colon(error))),
            Some(note) => diagnostic.note(note),
            None => diagnostic,
        }
    }
}

/// A statement in the dialect of the GRIDLang compiler.
fn compiler_dialect(error: &SyntaxError<'_, Token<'_>>) -> Option<Diagnostic> {
    let start = start_of_statement(error);
    let (message, note) = dialect::recognize(error.source, error.tokens.get(start..)?)?;
    let span = error.span_at(start).to(error.span());
    let error = parse_error(errors::COMPILER_DIALECT, span, message);
    Some(error.note(note).note(dialect::NOTE))
}

/// `gameloop() {` and `setup() {`: the header of a block without a keyword.
fn misspelled_block(error: &SyntaxError<'_, Token<'_>>) -> Option<Diagnostic> {
    let start = start_of_statement(error);
    let (Some(Token::Name(word)), Some(Token::OpenParen), Some(Token::OpenBrace)) = (
        error.token_at(start),
        error.token_at(start + 1),
        error.found(),
    ) else {
        return None;
    };
    if error.before(1) != Some(Token::CloseParen) {
        return None;
    }
    let code = errors::UNEXPECTED_TOKEN;
    let span = error.span_at(start);
    if closest_match(word, ["if", "while"]).is_some() {
        return None;
    }
    let blocks = ["Layout", "gameLoop", "checkGameEnd", "gameOver"];
    if let Some(block) = closest_match(word, blocks) {
        let message = format!("unknown block `{word}`; did you mean `{block}`?");
        return Some(parse_error(code, span, message));
    }
    // The words of other languages have messages of their own.
    let is_foreign = matches!(
        word,
        "for"
            | "foreach"
            | "elif"
            | "elseif"
            | "switch"
            | "unless"
            | "until"
            | "func"
            | "def"
            | "fun"
            | "fn"
    );
    (!is_foreign).then(|| {
        let message = format!("expected `function` before `{word}`");
        let note = format!("write `function {word}() {{ … }}`; only `Layout`, `gameLoop`, `checkGameEnd` and `gameOver` go without it");
        parse_error(code, span, message).note(note)
    })
}

/// `playerOrder.append(ann)`: values have attributes, but no methods.
fn method_call(error: &SyntaxError<'_, Token<'_>>) -> Option<Diagnostic> {
    let (Some(Token::Dot), Some(Token::Name(method)), Token::OpenParen) =
        (error.before(2), error.before(1), error.found()?)
    else {
        return None;
    };
    let owner = error
        .index
        .checked_sub(3)
        .map_or("", |index| error.text_at(index));
    let note = match (owner, method) {
        ("playerOrder", _) => "assign the whole order: `playerOrder = [ann, bob]`".to_string(),
        ("console" | "System" | "out", _) => return None,
        (_, "length" | "size" | "count") => format!("write `len({owner})`"),
        (_, "append" | "push" | "add" | "insert" | "remove" | "pop") => {
            format!("the size of an array is fixed; assign an element: `{owner}[0] = …`")
        }
        _ => "values have attributes, but no functions of their own".to_string(),
    };
    let hint = did_you_mean(method, ["checkMove", "colocation"]);
    let message = format!("`.{method}` cannot be called{hint}");
    let span = error.span_at(error.index - 1);
    Some(parse_error(errors::UNEXPECTED_TOKEN, span, message).note(note))
}

/// `int[] a = new int[5]`.
fn new_array(error: &SyntaxError<'_, Token<'_>>) -> Option<Diagnostic> {
    let Some(Token::Name("new")) = error.before(1) else {
        return None;
    };
    let span = error.span_at(error.index - 1);
    let ty = error.text();
    let note = match error.token_at(error.index + 1) {
        Some(Token::OpenBracket) => {
            format!("an array is declared with its size: `{ty}[5] a`")
        }
        _ => format!("a declaration creates the value: `{ty} a`"),
    };
    let message = "GridLang has no `new`";
    Some(parse_error(errors::UNEXPECTED_TOKEN, span, message).note(note))
}

/// Tokens that are invalid everywhere.
fn invalid_token(error: &SyntaxError<'_, Token<'_>>, token: Token) -> Option<Diagnostic> {
    let span = error.span();
    Some(match token {
        Token::Invalid(text) => {
            let message = format!("unknown character `{text}`");
            let error = error.error(errors::BAD_CHARACTER, message);
            match text {
                "&" => error.note("write `and` or `&&`"),
                "|" => error.note("write `or` or `||`"),
                _ => error,
            }
        }
        Token::InvalidName(text) => error
            .error(errors::BAD_NAME, format!("invalid name `{text}`"))
            .note("names are letters, digits and underscores, starting with a letter"),
        Token::InvalidNumber(text) => {
            error.error(errors::BAD_NUMBER, format!("invalid number `{text}`"))
        }
        Token::UnterminatedString(_) => error
            .error(errors::UNTERMINATED_STRING, "unterminated string")
            .note("add the closing quote"),
        Token::UnterminatedComment => {
            let opening = Span {
                end: span.start + 2,
                ..span
            };
            parse_error(
                errors::UNTERMINATED_COMMENT,
                opening,
                "unterminated comment",
            )
            .note("close it with `*/`")
        }
        _ => return None,
    })
}

/// An unclosed bracket or string on an earlier line that caused the error.
fn unclosed_earlier(error: &SyntaxError<'_, Token<'_>>) -> Option<Diagnostic> {
    if let Some(Token::Text(text)) = error.before(1)
        && text.contains('\n')
    {
        let start = error.span_at(error.index - 1).start as usize;
        let error = parse_error(
            errors::UNTERMINATED_STRING,
            error.source.span(start, start + 1),
            "unterminated string",
        );
        return Some(error.note("it continues past the end of the line to the next quote"));
    }
    let open = error.innermost_open()?;
    let interrupted =
        on_next_line(error) || matches!(error.found()?, Token::OpenBrace | Token::CloseBrace);
    if open.closing == "}" || !interrupted || !error.accepts(open.closing) {
        return None;
    }
    let diagnostic = parse_error(
        errors::UNCLOSED_BRACKET,
        error.end_of_previous(),
        format!("missing `{}`", open.closing),
    );
    Some(error.with_unclosed(diagnostic, open))
}

/// True if the token is on a later line than the previous one.
fn on_next_line(error: &SyntaxError<'_, Token<'_>>) -> bool {
    let end = error.end_of_previous().end.saturating_sub(1);
    error.index > 0
        && error.before(1) != Some(Token::OpenBrace)
        && error.line_at(error.index) > error.source.line_number(end)
}

fn nested_definition(error: &SyntaxError<'_, Token<'_>>, block: OpenBracket) -> Diagnostic {
    let head = start_of_statement(error).min(error.index);
    let message = format!("`{}` cannot be defined inside a block", error.text_at(head));
    parse_error(errors::NESTED_DEFINITION, error.span_at(head), message)
        .related(block.span, "the block starts here")
        .note("is a `}` missing before it?")
}

fn starts_definition(error: &SyntaxError<'_, Token<'_>>, token: Token) -> bool {
    let first = matches!(
        error.before(1),
        Some(Token::StatementEnd | Token::OpenBrace | Token::CloseBrace)
    );
    // A `{` after `gameOver()`, `Player` or `Item Bonus` shows that a definition was meant.
    let start = start_of_statement(error);
    let head = error.token_at(start).filter(|_| start < error.index);
    first && token.is_definition_keyword()
        || matches!(token, Token::CheckMove | Token::Colocation)
        || token == Token::OpenBrace
            && matches!(head, Some(Token::GameOver | Token::Player | Token::Item))
}

/// The index of the first token of the statement.
fn start_of_statement(error: &SyntaxError<'_, Token<'_>>) -> usize {
    let is_boundary = |&(_, token, _): &SpannedToken| {
        matches!(
            token,
            Token::StatementEnd | Token::OpenBrace | Token::CloseBrace
        )
    };
    error.tokens[..error.index]
        .iter()
        .rposition(is_boundary)
        .map_or(0, |at| at + 1)
}

fn missing_statement_end(error: &SyntaxError<'_, Token<'_>>, token: Token) -> Option<Diagnostic> {
    if !error.accepts("end")
        || token == Token::StatementEnd
        || is_operator(token)
        || Token::misspelled(error).is_some()
    {
        return None;
    }
    let message = format!(
        "expected a line break or `;` before {}",
        Token::describe(error)
    );
    let diagnostic = error.error(errors::MISSING_STATEMENT_END, message);
    Some(diagnostic.note(match token {
        Token::OpenBracket => "the size of an array follows its type: `int[5] name`".to_string(),
        _ if is_declared_value(error, token) => {
            let (ty, name) = (error.text_before(2), error.text_before(1));
            format!(
                "the value of a variable follows `=`: `{ty} {name} = {}`",
                error.text()
            )
        }
        _ => "separate statements with a line break or `;`".to_string(),
    }))
}

/// `int x 3`: a value directly after a declaration.
fn is_declared_value(error: &SyntaxError<'_, Token<'_>>, token: Token) -> bool {
    let is_literal = matches!(token, Token::Int(_) | Token::Float(_) | Token::Text(_))
        || matches!(token, Token::True | Token::False);
    let is_declaration = matches!(error.before(1), Some(Token::Name(_)))
        && error.before(2).is_some_and(Token::is_value_type);
    is_literal && is_declaration
}

/// Notes with the words of the line: `while (true)`, `n = 3`.
fn own_words(error: &SyntaxError<'_, Token<'_>>) -> Option<String> {
    match (error.before(1)?, error.found()?) {
        (Token::If | Token::While, _) if error.accepts("(") => {
            let line = error.source.line_range(error.line_at(error.index));
            let rest = error
                .source
                .text
                .get(error.span().start as usize..line.end)?;
            let condition = rest.split(['{', ':', ';']).next()?.trim();
            let is_short = (1..=MAX_CONDITION_BYTES).contains(&condition.len());
            let word = error.text_before(1);
            is_short.then(|| format!("put the condition in parentheses: `{word} ({condition})`"))
        }
        (Token::Name(name), Token::Colon) if error.text_at(error.index + 1) == "=" => {
            let value = match error.text_at(error.index + 2) {
                "" => "…",
                value => value.lines().next().unwrap_or("…"),
            };
            Some(format!("a single `=` assigns: `{name} = {value}`"))
        }
        _ => None,
    }
}

/// Something is missing at the end of the line before.
fn line_ends_early(error: &SyntaxError<'_, Token<'_>>, token: Token) -> Option<Diagnostic> {
    (token != Token::StatementEnd && on_next_line(error)).then(|| {
        let expected = error.expected_words();
        let message = format!("expected {expected} before the end of the line");
        let code = errors::UNEXPECTED_TOKEN;
        Token::annotate(error, parse_error(code, error.end_of_previous(), message))
    })
}

/// True directly after the `(` of a block that takes no parameters.
fn is_parameterless_block(error: &SyntaxError<'_, Token<'_>>) -> bool {
    matches!(
        error.before(2),
        Some(Token::GameLoop | Token::CheckGameEnd | Token::GameOver)
    ) && error.accepts(")")
}

/// Longer conditions are not repeated in a note.
const MAX_CONDITION_BYTES: usize = 40;

/// What is said about `->`, before the header as it should be.
const RESULT_TYPE: &str = "the type of the result follows a colon";

/// `function f(int a) -> int {` with a colon.
fn with_colon(error: &SyntaxError<'_, Token<'_>>) -> String {
    let line = error.source.line(error.line_at(error.index));
    let header = line.split('{').next().unwrap_or(line).trim();
    let (before, result) = header.split_once("->").unwrap_or((header, "int"));
    format!("{}: {} {{ … }}", before.trim_end(), result.trim())
}

fn help(error: &SyntaxError<'_, Token<'_>>) -> Option<&'static str> {
    match (error.before(1), error.found()?) {
        (_, Token::Increment | Token::Decrement) => Some(
            "`x++` and `x--` are statements, not expressions; to subtract a negative number, write `a - -b`",
        ),
        (Some(Token::OpenParen), _) if is_parameterless_block(error) => {
            Some("this block takes no parameters; `p` is the current player")
        }
        (None, Token::OpenBrace) => Some(
            "start the block on the line of its header: `gameOver() {`; `gameOver()` alone is a call",
        ),
        (Some(Token::If), _) if error.accepts("(") => {
            Some("put the condition in parentheses: `if (a == 1)`")
        }
        (Some(Token::While), _) if error.accepts("(") => {
            Some("put the condition in parentheses: `while (a == 1)`")
        }
        (Some(Token::Grid), Token::OpenBracket) => Some("a cell is written `Grid(row, column)`"),
        (Some(Token::CloseParen), Token::Minus) if error.accepts("{") && error.accepts(":") => {
            Some(RESULT_TYPE)
        }
        (Some(Token::Int(_)), Token::Comma) if error.accepts("end") => {
            Some("a coordinate is written in parentheses: `(1, 2)`")
        }
        (Some(Token::Print | Token::Prompt), _) if error.accepts("(") => {
            Some("put the value in parentheses, and text in quotes: `print(\"text\")`")
        }
        (_, Token::Colocation) => {
            Some("a collision handler belongs to a piece: `Bonus.colocation(Player)`")
        }
        (Some(Token::Item), Token::OpenBrace) => {
            Some("a kind of item needs a name: `Item Bonus { int value }`")
        }
        (Some(Token::Name(_)), Token::Comma | Token::CloseParen) if error.accepts("name") => {
            Some("a parameter needs a type and a name, e.g. `int a`")
        }
        _ => None,
    }
}

fn is_operator(token: Token) -> bool {
    token.is_continuation()
        || matches!(
            token,
            Token::Increment | Token::Decrement | Token::OpenBrace
        )
}
