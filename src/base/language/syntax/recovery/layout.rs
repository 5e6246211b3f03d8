//! Lines, columns and blocks of the tokens.

use super::super::bracket::{closing, is_closing};
use super::{Recovery, Syntax};
use std::ops::Range;

impl<'s, T: Syntax> Recovery<'_, 's, T> {
    /// The last token of the blocks that these tokens open.
    pub(super) fn end_of_opened(&self, tokens: Range<usize>) -> usize {
        let mut depth = 0_usize;
        let from = tokens.start.min(self.tokens.len());
        for (index, token) in self.tokens.iter().enumerate().skip(from) {
            match token.text {
                text if closing(text).is_some() => depth += 1,
                text if is_closing(text) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if index + 1 >= tokens.end && depth == 0 {
                return index;
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    /// The braces before a token that are not closed.
    pub(super) fn open_braces(&self, index: usize) -> Vec<usize> {
        let mut open = Vec::new();
        for (index, token) in self.tokens.iter().enumerate().take(index) {
            match token.text {
                "{" => open.push(index),
                "}" => drop(open.pop()),
                _ => {}
            }
        }
        open
    }

    /// The first byte of a token, or the end of the last one.
    pub(super) fn start_of(&self, index: usize) -> usize {
        let end = self.tokens.last().map_or(0, |last| last.end);
        self.tokens.get(index).map_or(end, |token| token.start)
    }

    pub(super) fn line_number(&self, index: usize) -> u32 {
        let start = self
            .tokens
            .get(index)
            .map_or(usize::MAX, |token| token.start);
        self.source
            .line_number(start.min(self.source.text.len()) as u32)
    }

    pub(super) fn starts_line(&self, index: usize) -> bool {
        index == 0 || self.line_number(index - 1) < self.line_number(index)
    }

    /// The tokens in the line of a token.
    pub(super) fn line(&self, index: usize) -> Range<usize> {
        let line = self.line_number(index);
        let start = (0..index).rev().find(|&i| self.line_number(i) < line);
        let end = (index..self.tokens.len()).find(|&i| self.line_number(i) > line);
        start.map_or(0, |i| i + 1)..end.unwrap_or(self.tokens.len())
    }

    /// The column of a token, in bytes.
    pub(super) fn column(&self, index: usize) -> usize {
        self.tokens.get(index).map_or(0, |token| {
            let line = self.source.line_number(token.start as u32);
            token.start - self.source.line_range(line).start
        })
    }

    /// The indentation of the line of a token, in bytes.
    pub(super) fn indent(&self, index: usize) -> usize {
        let line = self.source.line(self.line_number(index));
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// The end of the lines after `line` that are indented more than it. The `{` may be on a line of
    /// its own.
    pub(super) fn end_of_block(&self, line: Range<usize>) -> usize {
        let indent = self.column(line.start);
        let mut end = line.end;
        if self.opens_block(end) {
            end = self.line(end).end;
        }
        while end < self.tokens.len() && (self.is_blank(end) || self.column(end) > indent) {
            end = self.line(end).end;
        }
        match self.tokens.get(end).map(|token| token.text) {
            Some("}") if self.column(end) == indent => end + 1,
            _ => end,
        }
    }

    /// Whether the first token from a byte on is a `}`.
    pub(super) fn is_closing_brace(&self, position: usize) -> bool {
        let at = self.tokens.partition_point(|token| token.start < position);
        self.tokens.get(at).is_some_and(|token| token.text == "}")
    }

    /// Whether a token is a line break.
    pub(super) fn is_blank(&self, index: usize) -> bool {
        let token = self.tokens.get(index);
        token.is_some_and(|token| token.text.trim().is_empty())
    }

    /// Whether a line consists of a `{`.
    pub(super) fn opens_block(&self, start: usize) -> bool {
        let is_brace = self
            .tokens
            .get(start)
            .is_some_and(|token| token.text == "{");
        is_brace
            && self.starts_line(start)
            && (self.is_blank(start + 1) || self.starts_line(start + 1))
    }
}
