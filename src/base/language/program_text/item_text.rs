//! The text of one item of a program, with the comments that were typed with it.

use super::composed_text::ComposedText;
use super::{Language, ProgramItem};
use crate::language::TokenClass;
use crate::source::{Origin, Source, Sources};
use std::ops::Range;

/// The lines of an item.
pub struct ItemText<'s> {
    /// The text of the first lines, if they are a comment before the item.
    comment: Option<String>,
    source: Option<&'s Source>,
    lines: Vec<ItemLine>,
    /// The lines must not be indented or broken in another way.
    has_long_string: bool,
}

enum ItemLine {
    /// These bytes of the source.
    Copy(Range<usize>),
    New(String),
}

impl<'s> ItemText<'s> {
    /// The text of an item as it is written in a file.
    pub fn new(language: &dyn Language, item: &ProgramItem, sources: &'s Sources) -> ItemText<'s> {
        let source = sources.get(item.span.source).map(|source| &**source);
        let span = item.span.start as usize..item.span.end as usize;
        let mut lines = Vec::new();
        let mut comment = None;
        match (source, &item.text) {
            (Some(source), None) => {
                let range = with_comments(language, source, span.clone());
                let before = &source.text[range.start..span.start];
                let line_end = before.rfind('\n').map(|at| at + 1);
                comment = line_end
                    .filter(|&end| before[end..].trim().is_empty())
                    .map(|end| before[..end].to_string());
                lines.extend(copied_lines(source, range));
            }
            (Some(source), Some(text)) => {
                // What the text adds precedes what was typed.
                let typed = source.text.get(span.clone()).unwrap_or("").trim_end();
                let added = text.strip_suffix(typed).filter(|_| !typed.is_empty());
                lines.extend(
                    added
                        .unwrap_or(text)
                        .lines()
                        .map(|l| ItemLine::New(l.into())),
                );
                if added.is_some() {
                    lines.extend(copied_lines(source, span.start..span.start + typed.len()));
                }
            }
            (None, text) => lines.extend(
                text.iter()
                    .flat_map(|text| text.lines())
                    .map(|l| ItemLine::New(l.into())),
            ),
        }
        let mut item = ItemText {
            comment,
            source,
            lines,
            has_long_string: false,
        };
        item.has_long_string = has_long_string(language, &item.plain_text());
        item
    }

    /// Leaves out the comment before the item if `text` already ends with it.
    pub fn without_repeated_comment(mut self, text: &str) -> ItemText<'s> {
        let is_repeated = |comment: &String| {
            let same = |a: &str, b: &str| a.split_whitespace().eq(b.split_whitespace());
            let count = comment.lines().count();
            let lines: Vec<&str> = text.trim_end().lines().collect();
            let last = &lines[lines.len().saturating_sub(count)..];
            same(&last.join("\n"), comment)
        };
        if let Some(comment) = self.comment.take_if(|comment| is_repeated(comment)) {
            self.lines.drain(..comment.lines().count());
        }
        self
    }

    /// Whether it has several lines.
    pub fn is_long(&self) -> bool {
        self.lines.len() > 1
    }

    fn line(&self, line: &ItemLine) -> String {
        match (line, self.source) {
            (ItemLine::New(text), _) => text.clone(),
            (ItemLine::Copy(range), Some(source)) => source.text[range.clone()].to_string(),
            (ItemLine::Copy(_), None) => String::new(),
        }
    }

    fn plain_text(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| self.line(line)).collect();
        lines.join("\n")
    }

    /// The text. The lines after the first get the indentation, unless they already have it.
    pub fn compose(&self, indentation: &str, line_break: &str) -> ComposedText {
        let is_indented = self.lines.len() > 1
            && self
                .lines
                .last()
                .is_some_and(|last| self.line(last).starts_with(indentation));
        let (indentation, line_break) = match (self.has_long_string, is_indented) {
            (true, _) => ("", "\n"),
            (false, true) => ("", line_break),
            (false, false) => (indentation, line_break),
        };
        let mut text = ComposedText::default();
        for (n, line) in self.lines.iter().enumerate() {
            if n > 0 {
                text.push_str(line_break);
                if !self.line(line).trim().is_empty() {
                    text.push_str(indentation);
                }
            }
            match (line, self.source) {
                (ItemLine::Copy(range), Some(source)) => text.push_copy(source, range.clone()),
                _ => text.push_str(&self.line(line)),
            }
        }
        text
    }
}

/// The lines of a range, without their line breaks and without white space at the end.
fn copied_lines(source: &Source, range: Range<usize>) -> Vec<ItemLine> {
    let text = source.text.get(range.clone()).unwrap_or("").trim_end();
    let mut start = range.start;
    let lines = text.split('\n').map(|line| {
        let line_start = start;
        start += line.len() + 1;
        let end = line_start + line.strip_suffix('\r').unwrap_or(line).len();
        ItemLine::Copy(line_start..end)
    });
    lines.collect()
}

fn has_long_string(language: &dyn Language, text: &str) -> bool {
    let tokens = language.highlight(text).into_iter();
    text.contains('\n')
        && tokens
            .filter(|(_, class)| *class == TokenClass::String)
            .any(|(range, _)| text[range].contains('\n'))
}

/// The range with the comments before it and after it on its last line, if it was typed at the
/// prompt. Those of a file stay where they are.
fn with_comments(language: &dyn Language, source: &Source, range: Range<usize>) -> Range<usize> {
    if !matches!(source.origin, Origin::Entry(_)) {
        return range;
    }
    let text = &source.text;
    let is_first_on_line = |position: usize| {
        let line = &text[..position];
        line[line.rfind('\n').map_or(0, |at| at + 1)..]
            .trim()
            .is_empty()
    };
    let is_comment = |class: TokenClass| class == TokenClass::Comment;
    let tokens = language.highlight(text);
    let before = tokens.iter().rev().filter(|(r, _)| r.end <= range.start);
    let start = before
        .take_while(|(r, class)| is_comment(*class) && is_first_on_line(r.start))
        .last()
        .map_or(range.start, |(r, _)| r.start);
    let after = tokens.iter().filter(|(r, _)| r.start >= range.end);
    let end = after
        .take_while(|(r, class)| is_comment(*class) && !text[range.end..r.start].contains('\n'))
        .last()
        .map_or(range.end, |(r, _)| r.end);
    let is_last_on_line = text[end..].lines().next().unwrap_or("").trim().is_empty();
    start..if is_last_on_line { end } else { range.end }
}
