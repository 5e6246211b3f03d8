//! Brackets in a list of tokens: which one is open, and where one is probably missing. A token is a
//! bracket if its text is one, in every language.

use super::SyntaxError;
use crate::source::{Source, Span};

/// Maximum number of brackets open at the same time. Syntax trees are visited and dropped
/// recursively, so deeper ones could overflow the stack.
pub const MAX_OPEN_BRACKETS: usize = 200;

/// The bracket that closes an opening one.
pub(super) fn closing(text: &str) -> Option<&'static str> {
    match text {
        "(" => Some(")"),
        "[" => Some("]"),
        "{" => Some("}"),
        _ => None,
    }
}

pub(super) fn is_closing(text: &str) -> bool {
    matches!(text, ")" | "]" | "}")
}

/// Counts open brackets.
#[derive(Default)]
pub(super) struct Nesting(usize);

impl Nesting {
    /// Processes the text of the next token. False if too many brackets are open.
    pub(super) fn observe(&mut self, text: &str) -> bool {
        if closing(text).is_some() {
            self.0 += 1;
        } else if is_closing(text) {
            self.0 = self.0.saturating_sub(1);
        }
        self.0 <= MAX_OPEN_BRACKETS
    }
}

/// Whether the rest of a faulty entry is on the next lines: a `{` is not closed, or the last line
/// breaks off inside other brackets. A missing `)` does not make the lines after it part of the
/// entry.
pub(super) fn has_open_body<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    let mut last = "";
    let open = open_brackets(texts.inspect(|text| last = text));
    open.contains(&"}") || !open.is_empty() && last == ","
}

/// Whether a `{` is not closed.
pub(super) fn has_open_brace<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    open_brackets(texts).contains(&"}")
}

/// Whether a text may close brackets that are open before it: one that it has not opened itself in the
/// same line. Comments and strings count as well, so that it need not be split into tokens.
pub fn closes_brackets(text: &str) -> bool {
    text.lines().any(|line| {
        let mut open = Vec::new();
        line.bytes().any(|byte| match byte {
            b'(' | b'[' | b'{' => {
                open.push(byte);
                false
            }
            b')' => open.pop() != Some(b'('),
            b']' => open.pop() != Some(b'['),
            b'}' => open.pop() != Some(b'{'),
            _ => false,
        })
    })
}

/// What would close the brackets that are open at the end.
fn open_brackets<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'static str> {
    let mut open: Vec<&'static str> = Vec::new();
    for text in texts {
        if let Some(closing) = closing(text) {
            open.push(closing);
        } else if is_closing(text)
            && let Some(at) = open.iter().rposition(|closing| *closing == text)
            && (text == "}" || !open[at..].contains(&"}"))
        {
            open.truncate(at);
        }
    }
    open
}

/// A bracket that is not closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenBracket {
    /// The index of its token.
    pub index: usize,
    /// Where it is.
    pub span: Span,
    /// The bracket that closes it.
    pub closing: &'static str,
}

impl<'s, T: Copy + PartialEq> SyntaxError<'s, T> {
    /// The innermost bracket that is open at the error.
    pub fn innermost_open(&self) -> Option<OpenBracket> {
        self.innermost_open_before(self.index)
    }

    /// The innermost bracket that is open before the token at `index`.
    pub fn innermost_open_before(&self, index: usize) -> Option<OpenBracket> {
        let mut open = Vec::new();
        for index in 0..index.min(self.tokens.len()) {
            let text = self.text_or_added_at(index);
            if let Some(closing) = closing(text) {
                open.push((index, closing));
            } else if is_closing(text) {
                open.pop();
            }
        }
        let (index, closing) = open.pop()?;
        let span = self.span_at(index);
        let is_in_source = span.start < span.end;
        is_in_source.then_some(OpenBracket {
            index,
            span,
            closing,
        })
    }

    /// The first pair of braces whose `}` starts a line that is indented less than the line of its
    /// `{`. Most likely a `}` is missing in between.
    pub(super) fn misindented_braces(&self) -> Option<(Span, Span)> {
        let mut open = Vec::new();
        for &(start, _, end) in self.tokens {
            let span = self.source.span(start, end);
            match self.source.slice(span) {
                "{" => open.push(span),
                "}" => {
                    let opened: Span = open.pop()?;
                    let Some(indent) = indent_if_first(self.source, start) else {
                        continue;
                    };
                    if line_indent(self.source, opened) > indent {
                        return Some((opened, span));
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// The indentation of the token at `start`, in bytes, if it is the first on its line.
fn indent_if_first(source: &Source, start: usize) -> Option<usize> {
    let before = &source.text[..start];
    let line = before.trim_end_matches([' ', '\t']);
    (line.is_empty() || line.ends_with('\n')).then_some(before.len() - line.len())
}

fn line_indent(source: &Source, span: Span) -> usize {
    let line = source.line(source.line_number(span.start));
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_close_only_what_they_open_close_no_brackets() {
        for text in ["", "a{a + 1}", "if (x[0]) {", "f(1)\ng{2}", "// {"] {
            assert!(!closes_brackets(text), "{text}");
        }
        for text in ["}", "a{1}}", "f(]", "{\n}", "\"}\"", "x) (", "// )"] {
            assert!(closes_brackets(text), "{text}");
        }
    }

    #[test]
    fn an_open_brace_stays_open_after_lines_that_close_no_brackets() {
        let open = ["fun", "f", "(", ")", "{"];
        assert!(has_open_brace(open.into_iter()));
        assert!(has_open_brace(open.into_iter().chain(["a", "{", "1", "}"])));
        assert!(!has_open_brace(open.into_iter().chain(["}"])));
        assert!(!has_open_brace(["f", "(", ","].into_iter()));
        assert!(has_open_body(["f", "(", ","].into_iter()));
        assert!(!has_open_body(["f", "("].into_iter()));
        assert!(!has_open_body([].into_iter()));
    }
}
