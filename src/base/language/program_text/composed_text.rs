//! A text that is put together from parts of sources and knows where each part comes from.

use crate::source::{Source, SourceId, Sources};
use std::ops::Range;

/// A text with the origin of its parts.
#[derive(Clone, Debug, Default)]
pub struct ComposedText {
    text: String,
    /// In ascending order.
    copies: Vec<Copied>,
}

/// A part that was copied from a source.
#[derive(Clone, Debug)]
struct Copied {
    /// The bytes in the text.
    range: Range<usize>,
    source: SourceId,
    /// The first byte in the source.
    start: usize,
}

impl ComposedText {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds a text that is in no source.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a part of a source.
    pub fn push_copy(&mut self, source: &Source, range: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(&source.text[range.clone()]);
        self.copies.push(Copied {
            range: start..self.text.len(),
            source: source.id,
            start: range.start,
        });
    }

    /// Adds another text.
    pub fn append(&mut self, other: ComposedText) {
        let offset = self.text.len();
        self.text.push_str(&other.text);
        self.copies
            .extend(other.copies.into_iter().map(|copied| Copied {
                range: copied.range.start + offset..copied.range.end + offset,
                ..copied
            }));
    }

    /// The source and the line in it that each line of the text comes from; `None` for lines that
    /// are in no source.
    pub fn line_origins(&self, sources: &Sources) -> Vec<Option<(SourceId, u32)>> {
        let mut start = 0;
        let lines = self.text.split_inclusive('\n').map(|line| {
            let indentation = line.len() - line.trim_start().len();
            let position = match line.trim().is_empty() {
                true => start,
                false => start + indentation,
            };
            start += line.len();
            self.origin_at(position, sources)
        });
        lines.collect()
    }

    fn origin_at(&self, position: usize, sources: &Sources) -> Option<(SourceId, u32)> {
        let after = self.copies.partition_point(|c| c.range.start <= position);
        let copied = self.copies[..after]
            .iter()
            .rev()
            .find(|c| !c.range.is_empty())?;
        let byte = copied.start + (position - copied.range.start);
        let source = sources
            .get(copied.source)
            .filter(|_| copied.range.contains(&position))?;
        Some((copied.source, source.line_number(byte as u32)))
    }
}
