//! The request `highlight`: the tokens of a text, line by line.

use crate::language::{Language, TokenClass};
use serde::Serialize;
use std::ops::Range;

/// The answer to `highlight`.
#[derive(Serialize)]
pub struct HighlightAnswer {
    /// True.
    ok: bool,
    /// The tokens of each line, in order. A token of several lines is in each of them.
    lines: Vec<Vec<TextToken>>,
}

/// A token, or the part of it on one line.
#[derive(Serialize)]
pub struct TextToken {
    /// The column of its first character, counted from 1.
    column: usize,
    /// The column after its last character.
    end_column: usize,
    /// What it is: `keyword`, `builtin`, `name`, `number`, `string`, `comment`, `operator`, `bracket`,
    /// or `invalid`.
    class: &'static str,
}

/// The tokens of a text.
pub fn highlight(language: &dyn Language, text: &str) -> HighlightAnswer {
    let tokens = language.highlight(text);
    let mut tokens = tokens.iter().peekable();
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        let mut found = Vec::new();
        // What ends on this line is not needed for the next one.
        while let Some((range, class)) = tokens.peek().filter(|(range, _)| range.start < end) {
            found.extend(part_on_line(line, start, range, *class));
            if range.end > end {
                break;
            }
            tokens.next();
        }
        lines.push(found);
        start = end + 1;
    }
    HighlightAnswer { ok: true, lines }
}

/// The part of a token that is on a line, which starts at a byte of the text.
fn part_on_line(
    line: &str,
    start: usize,
    range: &Range<usize>,
    class: TokenClass,
) -> Option<TextToken> {
    let from = range.start.saturating_sub(start);
    let to = range.end.saturating_sub(start).min(line.len());
    let text = line.get(from..to)?.trim_end_matches('\r');
    let before = line.get(..from)?.chars().count();
    (!text.is_empty()).then(|| TextToken {
        column: before + 1,
        end_column: before + 1 + text.chars().count(),
        class: class_name(class),
    })
}

fn class_name(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword => "keyword",
        TokenClass::Builtin => "builtin",
        TokenClass::Name => "name",
        TokenClass::Number => "number",
        TokenClass::String => "string",
        TokenClass::Comment => "comment",
        TokenClass::Operator => "operator",
        TokenClass::Bracket => "bracket",
        TokenClass::Invalid => "invalid",
    }
}
