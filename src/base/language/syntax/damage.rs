//! Which errors of a file with syntax errors do not follow from them.
//!
//! The parts that parsed are checked like a whole program. An error there is reported unless it could
//! be a consequence of the text that did not parse: it is in that text or in what encloses it, or it
//! concerns a name that occurs there.

use super::Syntax;
use crate::diagnostic::Diagnostic;
use crate::source::Source;
use std::collections::{BTreeSet, HashSet};
use std::ops::RangeInclusive;

/// The lines of a file that did not parse as they are written, and the names in them.
#[derive(Default)]
pub struct Damage<'s> {
    /// Counted from 1.
    lines: BTreeSet<u32>,
    names: HashSet<&'s str>,
    /// A name is missing, so that any unknown one may be the one meant.
    lacks_name: bool,
}

impl<'s> Damage<'s> {
    /// Adds the lines of syntax errors.
    pub fn add_errors<T: Syntax>(&mut self, source: &'s Source, errors: &[Diagnostic]) {
        for error in errors {
            let Some(span) = error.span else { continue };
            let first = source.line_number(span.start);
            let last = source.line_number(span.end.max(span.start + 1) - 1);
            self.add_lines::<T>(source, first..=last.max(first));
            self.add_body::<T>(source, last.max(first));
            let is_keyword = error.code == T::CODES.keyword_as_name;
            self.lacks_name |= is_keyword && error.code != T::CODES.unexpected_token;
        }
    }

    /// Adds lines, and those before them that are indented less: they begin what the lines are part of.
    pub fn add_lines<T: Syntax>(&mut self, source: &'s Source, lines: RangeInclusive<u32>) {
        let first = *lines.start();
        for line in lines {
            self.add_line::<T>(source, line);
        }
        for line in enclosing_lines(source, first) {
            self.add_line::<T>(source, line);
        }
    }

    /// Adds the lines of a definition if `header` is its first: its parameters may be unknown.
    fn add_body<T: Syntax>(&mut self, source: &'s Source, header: u32) {
        let text = source.line(header);
        let indent = indent(text);
        let mut outer = enclosing_lines(source, header);
        let is_definition = outer.all(|line| source.line(line).trim_start().starts_with("game"));
        let next = source.line((header + 1).min(source.line_count() as u32));
        let has_body = text.trim_end().ends_with(['{', ')']) || next.trim_start().starts_with('{');
        if !is_definition || !has_body {
            return;
        }
        for line in header + 1..=source.line_count() as u32 {
            let own = self::indent(source.line(line));
            if own.is_some() && own <= indent && !source.line(line).trim_start().starts_with('{') {
                break;
            }
            self.add_line::<T>(source, line);
        }
    }

    /// A change of the text added a name, because one is missing.
    pub fn add_missing_name(&mut self) {
        self.lacks_name = true;
    }

    /// Whether a name occurs in the damage. An unknown one may have been joined with the next word by
    /// what is missing between them: `twicen)` for `twice(n)`.
    fn has_name(&self, name: &str, is_unknown: bool) -> bool {
        let joins = |word: &&str| word.starts_with(name) || word.ends_with(name);
        self.names.contains(name) || is_unknown && self.names.iter().any(joins)
    }

    fn add_line<T: Syntax>(&mut self, source: &'s Source, line: u32) {
        if self.lines.insert(line) {
            let names = words(source.line(line)).filter(|word| T::known_word(word).is_none());
            self.names.extend(names);
        }
    }

    /// The errors and warnings that do not follow from the damage.
    pub fn independent<T: Syntax>(
        &self,
        source: &Source,
        found: Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let is_independent = |error: &Diagnostic| {
            let Some(span) = error.span.filter(|span| span.source == source.id) else {
                return false;
            };
            let related = error.related.iter().map(|(span, _)| *span);
            let mut spans = std::iter::once(span).chain(related);
            let mut names = spans.clone().flat_map(|span| words(source.slice(span)));
            let is_unknown = T::CODES.unknown_name.contains(&error.code);
            // What the game seems to lack may be in the text that did not parse.
            let is_missing = T::CODES.missing_part.contains(&error.code);
            let is_missing = is_missing || is_unknown && self.lacks_name;
            let is_named = names.any(|name| self.has_name(name, is_unknown));
            let is_inside = spans.any(|span| {
                let first = source.line_number(span.start);
                let last = source.line_number(span.end.max(span.start));
                self.lines.range(first..=last).next().is_some()
            });
            !is_missing && !is_named && !is_inside
        };
        found.into_iter().filter(is_independent).collect()
    }
}

/// The lines before one that are indented less, the nearest first: they begin what it is part of.
fn enclosing_lines(source: &Source, line: u32) -> impl Iterator<Item = u32> {
    let mut inner = indent(source.line(line));
    (1..line).rev().filter(move |&line| {
        let own = indent(source.line(line));
        let encloses = own.is_some() && (inner.is_none() || own < inner);
        if encloses {
            inner = own;
        }
        encloses
    })
}

/// The width of the blanks before a line; `None` if there is nothing else in it.
fn indent(line: &str) -> Option<usize> {
    let text = line.trim_start();
    (!text.is_empty()).then(|| line.len() - text.len())
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
