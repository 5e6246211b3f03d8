//! Source text in which expressions are replaced by their values.

use crate::source::Span;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::ops::Range;

/// A part of a substituted text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fragment {
    /// Source text, with line breaks and repeated blanks replaced by single blanks.
    Source(String),
    /// The value of an expression.
    Value(String),
}

/// Source text on one line, with the known values substituted. Serialized as its text and the
/// columns of the marked part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Substitution {
    /// The parts of the text.
    pub fragments: Vec<Fragment>,
    /// The fragments that make up the marked expression.
    pub marked: Range<usize>,
}

impl Substitution {
    /// Substitutes values into `text`, which is the text of `origin`, and marks an expression.
    pub fn new(text: &str, origin: Span, known: &[(Span, &str)], mark: Span) -> Substitution {
        let mut fragments: Vec<Fragment> = Vec::new();
        let (mut start, mut end) = (None, 0);
        let mut ends_with_blank = false;
        let mut at = origin.start;
        while at < origin.end {
            if at == mark.start && start.is_none() {
                start = Some(fragments.len());
            }
            let value = known
                .iter()
                .filter(|(span, _)| span.start == at && span.end > at)
                .max_by_key(|(span, _)| span.end);
            if let Some((span, value)) = value {
                fragments.push(Fragment::Value(value.to_string()));
                ends_with_blank = value.ends_with(' ');
                at = span.end;
            } else {
                let rest = &text[(at - origin.start) as usize..];
                let Some(c) = rest.chars().next() else { break };
                let shown = if c.is_whitespace() { ' ' } else { c };
                if shown != ' ' || !ends_with_blank {
                    // The marked part begins and ends with a fragment.
                    let is_boundary =
                        start == Some(fragments.len()) || at >= mark.end && end == fragments.len();
                    match fragments.last_mut() {
                        Some(Fragment::Source(source)) if !is_boundary => source.push(shown),
                        _ => fragments.push(Fragment::Source(shown.to_string())),
                    }
                }
                ends_with_blank = shown == ' ';
                at += c.len_utf8() as u32;
            }
            if at <= mark.end {
                end = fragments.len();
            }
        }
        let start = start.unwrap_or(0);
        Substitution {
            fragments,
            marked: start..end.max(start),
        }
    }

    /// The text, and the columns at which the marked part starts and ends in it. Values are passed
    /// through `shorten`.
    pub fn to_text(&self, shorten: impl Fn(&str) -> String) -> (String, Range<usize>) {
        let mut text = String::new();
        let mut columns = vec![0];
        let mut width = 0;
        for fragment in &self.fragments {
            let fragment = match fragment {
                Fragment::Source(source) => source.clone(),
                Fragment::Value(value) => shorten(value),
            };
            width += fragment.chars().count();
            text.push_str(&fragment);
            columns.push(width);
        }
        (text, columns[self.marked.start]..columns[self.marked.end])
    }
}

impl Serialize for Substitution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (text, columns) = self.to_text(str::to_string);
        let mut object = serializer.serialize_struct("Substitution", 3)?;
        object.serialize_field("text", &text)?;
        object.serialize_field("start", &columns.start)?;
        object.serialize_field("end", &columns.end)?;
        object.end()
    }
}

/// The part of an expression that decided its value, so that the rest was not evaluated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShortCircuit {
    /// What was evaluated: `false AND`, or all of the expression if it has no operator.
    pub evaluated: Substitution,
    /// Whether it ends with an operator, whose right side was not evaluated.
    pub has_operator: bool,
}

impl ShortCircuit {
    /// Describes the evaluation of `span`. `operands` are all expressions with a value, and `known`
    /// are the values at that time.
    pub fn new(
        text: &str,
        origin: Span,
        operands: &[Span],
        known: &[(Span, &str)],
        span: Span,
    ) -> ShortCircuit {
        let operator = operator_offset(text, origin, operands, span);
        let rest = text.get((operator - origin.start) as usize..).unwrap_or("");
        let is_word_char = |c: char| c.is_alphanumeric() || c == '_';
        let is_word = rest.starts_with(is_word_char);
        let length: usize = rest
            .chars()
            .take_while(|c| {
                !c.is_whitespace() && is_word_char(*c) == is_word && !"({[\"".contains(*c)
            })
            .map(char::len_utf8)
            .sum();
        let has_operator = operator != span.start && length > 0;
        let evaluated = match has_operator {
            true => Span {
                end: operator + length as u32,
                ..span
            },
            false => span,
        };
        ShortCircuit {
            evaluated: Substitution::new(
                slice(text, origin, evaluated),
                evaluated,
                known,
                evaluated,
            ),
            has_operator,
        }
    }
}

/// The text of `part`, where `text` is the text of `origin`.
fn slice(text: &str, origin: Span, part: Span) -> &str {
    text.get((part.start - origin.start) as usize..(part.end - origin.start) as usize)
        .unwrap_or("")
}

/// The offset of a compound expression's operator: after its first operand with a value, or before
/// it if a constant comes first. Without an operator, as in a call, it is the start of the
/// expression.
pub(crate) fn operator_offset(text: &str, origin: Span, operands: &[Span], span: Span) -> u32 {
    let operands = operands
        .iter()
        .filter(|s| **s != span && span.contains(**s));
    let Some(first) = operands.min_by_key(|s| (s.start, u32::MAX - s.end)) else {
        return span.start;
    };
    let source = |start: u32, end: u32| slice(text, origin, Span { start, end, ..span });
    let before = source(span.start, first.start)
        .trim_start_matches(['(', ' ', '\n', '\t'])
        .trim_end();
    if let Some(last) = before.chars().next_back() {
        let at = span.start + source(span.start, first.start).trim_end().len() as u32
            - last.len_utf8() as u32;
        return if last.is_alphanumeric() || "{([.".contains(last) {
            span.start
        } else {
            at
        };
    }
    let after = source(first.end, span.end);
    let skipped = after.len() - after.trim_start_matches([' ', ')', '\n', '\t']).len();
    // For a field access, the column of the field name.
    let dot = u32::from(after[skipped..].starts_with('.'));
    if skipped == after.len() {
        span.start
    } else {
        first.end + skipped as u32 + dot
    }
}
