//! What SGL2D's syntax errors say.

use crate::diagnostic::Diagnostic;
use crate::info::INFO;
use crate::language::syntax::{
    Expected, ExpectedWords, Syntax, SyntaxCodes, SyntaxError, expected, quoted,
};
use crate::source::Span;
use crate::token::Token;

/// What a line of moves consists of.
pub(super) const MOVE: &str = "a move (up, down, left, right)";

const EXPECTED: &[Expected] = &[
    quoted(&[">"]).code("SG003"),
    expected(&["word", "player"], "`player` or the name of a sprite").code("SG004"),
    expected(&["word"], "the name of a sprite").code("SG004"),
    expected(&["index"], "`counter1`, `counter2` or `counter3`").code("SG005"),
    expected(&["x", "y"], "a position such as `x=1 y=2`").code("SG006"),
    expected(&["x"], "`x=…` to complete the position").code("SG006"),
    expected(&["y"], "`y=…` to complete the position").code("SG006"),
    expected(&[","], "`,` and the second corner of the range").code("SG007"),
    expected(&[")"], "`)` after the range").code("SG007"),
];

impl Syntax for Token<'_> {
    const CODES: SyntaxCodes = SyntaxCodes {
        unexpected_token: "SG008",
        unexpected_end: "SG008",
        unmatched_bracket: "SG007",
        keyword_as_name: "SG004",
        too_deep: "SG008",
        unknown_name: &["SG110", "SG113"],
        missing_part: &[],
    };
    const EXPECTED: ExpectedWords = ExpectedWords {
        first: EXPECTED,
        any: &[],
        otherwise: &[],
        nothing: "the end of the line",
    };

    fn known_word(word: &str) -> Option<&'static str> {
        INFO.known_word(word)
    }

    fn is_comment(self) -> bool {
        self == Token::Dropped
    }

    fn mistake(error: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        if error.start == Some(Token::StartMoves) {
            let message = format!("expected {MOVE}, found {}", Token::describe(error));
            let error = error.error("SG008", message);
            return Some(error.note("write e.g. `right 3` or `rrdd`"));
        }
        let is_end = error.found().is_none();
        (!is_end && !Token::needs_name(error)).then(|| error.unexpected())
    }

    fn needs_name(error: &SyntaxError<'_, Self>) -> bool {
        // The goal has no events, which is said in a note.
        let is_goal = error.found() == Some(Token::Goal) && error.accepts("player");
        let is_keyword =
            |token: Token<'_>| token.is_keyword() || matches!(token, Token::CounterIndex(_));
        error.accepts("word") && !is_goal && error.found().is_some_and(is_keyword)
    }

    fn describe(error: &SyntaxError<'_, Self>) -> String {
        match error.found() {
            None => "the end of the input".to_string(),
            Some(Token::Newline) => "the end of the line".to_string(),
            Some(_) => format!("`{}`", error.source.slice(counter_span(error))),
        }
    }

    fn annotate(error: &SyntaxError<'_, Self>, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.span = Some(counter_span(error));
        diagnostic.notes.extend(hint(error));
        diagnostic
    }
}

/// The span of the unexpected token. `counter4` is lexed as `counter` followed directly by a
/// number; both are meant.
fn counter_span(error: &SyntaxError<'_, Token<'_>>) -> Span {
    let (span, next) = (error.span(), error.span_at(error.index + 1));
    let is_number = matches!(error.token_at(error.index + 1), Some(Token::Int(_)));
    let is_adjacent = is_number && next.start == span.end;
    match error.found() {
        Some(Token::Counter) if is_adjacent && error.accepts("index") => span.to(next),
        _ => span,
    }
}

/// A note on how to fix it.
fn hint(error: &SyntaxError<'_, Token<'_>>) -> Option<String> {
    let note = match error.found() {
        _ if error.accepts(">") => return Some(arrow_hint(error)),
        Some(Token::Goal) if error.accepts("player") => {
            "the goal has no events: reaching it wins the game; put a sprite with events on its cell"
        }
        Some(Token::Int(_)) if error.accepts("word") => {
            "names consist of letters and `_`, without digits"
        }
        Some(Token::Arrow) if error.accepts("word") => {
            let head = error.text_at(start_of_line(error));
            return Some(format!("write `{head} NAME > …`"));
        }
        _ if error.accepts("index") => {
            "there are three counters; write e.g. `counter counter1 > true 10`"
        }
        Some(Token::Int(_)) if error.accepts("x") && error.accepts("y") => {
            "a position is `x=1 y=2`, a range `(x=1 y=1, x=3 y=3)`"
        }
        _ if error.accepts("x") && error.accepts("y") => "a range must be on one line",
        Some(Token::Close) if error.accepts(",") => {
            let cell = format!("{} {}", error.text_before(2), error.text_before(1));
            return Some(format!(
                "a single cell has no parentheses: `{cell}`; a range has two corners: `({cell}, x=9 y=9)`"
            ));
        }
        Some(Token::Comma) if error.accepts("y") || error.accepts("x") => {
            "separate arguments with spaces, without commas: `x=1 y=2`"
        }
        Some(Token::Int(_)) if error.source.text[..error.span().start as usize].ends_with('.') => {
            "numbers are whole, without a decimal point: `x=1 y=2`"
        }
        Some(Token::Int(number)) if number.starts_with('-') => {
            "write a range with its corners: `(x=1 y=1, x=3 y=3)`"
        }
        _ => return None,
    };
    Some(note.to_string())
}

/// A note for a missing `>`.
fn arrow_hint(error: &SyntaxError<'_, Token<'_>>) -> String {
    let after_name = matches!(error.before(1), Some(Token::Word(_)));
    match error.found() {
        Some(Token::Int(_)) if after_name => {
            "names consist of letters and `_`, without digits".to_string()
        }
        Some(Token::Word(_)) if after_name => {
            "a name is a single word; join the parts with `_`".to_string()
        }
        _ => {
            let first = error.span_at(start_of_line(error));
            let head = first.to(error.end_of_previous());
            let head = error.source.slice(head);
            let help = INFO.guide.word_help.iter().find(|(word, _)| *word == head);
            match help.and_then(|(_, help)| help.split(':').next()) {
                Some(example) => format!("write for example `{example}`"),
                None => format!("write `{head} > …`"),
            }
        }
    }
}

/// The index of the first token of the line.
fn start_of_line(error: &SyntaxError<'_, Token<'_>>) -> usize {
    let mut before = error.tokens[..error.index].iter();
    let newline = before.rposition(|&(_, token, _)| token == Token::Newline);
    newline.map_or(0, |newline| newline + 1)
}
