//! The changes of the tokens around an error that are tried.

use super::super::bracket::{closing, is_closing};
use super::{
    MAX_LOOKBACK_TOKENS, Piece, Progress, Recovery, Repair, Scope, Syntax, VALUE_STAND_INS,
};
use std::ops::Range;

impl<'s, T: Syntax> Recovery<'_, 's, T> {
    /// The changes of a scope to try, the most likely ones first.
    pub(super) fn candidates(&self, scope: Scope, at: usize) -> Vec<Repair<'s, T>> {
        let before = at.saturating_sub(1);
        let mut candidates = Vec::new();
        match scope {
            Scope::Block => candidates.extend(self.missing_closings(at)),
            Scope::Token => {
                let starts_line = self.starts_line(at);
                if starts_line {
                    candidates.extend(self.additions(at..at));
                }
                candidates.push(self.removal(at..at + 1));
                candidates.push(self.removal(before..at));
                if !starts_line {
                    candidates.extend(self.additions(at..at));
                }
                candidates.extend(self.in_parentheses(at));
                candidates.extend(self.additions(at..at + 1));
                candidates.extend(self.additions(before..at));
                candidates.extend(self.additions(before..before));
            }
            Scope::Nearby => {
                candidates.push(self.removal(before..at + 1));
                for value in self.stand_ins.iter().take(VALUE_STAND_INS) {
                    let value = value.moved_to(self.start_of(at));
                    candidates.extend(self.additions(at..at).map(|mut repair| {
                        repair.added.push(value);
                        repair
                    }));
                }
                for index in (at.saturating_sub(MAX_LOOKBACK_TOKENS)..before).rev() {
                    candidates.push(self.removal(index..index + 1));
                    candidates.extend(self.additions(index..index));
                }
            }
            Scope::Lines => {
                let line = self.line(at);
                let values = self.additions(at..line.end).take(VALUE_STAND_INS);
                candidates.extend(values);
                candidates.push(self.without_unbalanced(at..self.end_of_text(at)));
                candidates.push(self.without_unbalanced(at..line.end));
                candidates.push(self.without_unbalanced(line.clone()));
                candidates.push(self.removal(at..line.end));
                candidates.push(self.removal(line.clone()));
                let header = (self.pieces)(T::STAND_IN_HEADER);
                if header.is_empty() || !self.opens_block(line.end) {
                    candidates.push(self.removal(line.start..self.end_of_block(line)));
                } else {
                    let start = self.start_of(line.start);
                    let header = header.into_iter().map(|token| token.moved_to(start));
                    candidates.push(Repair {
                        added: header.collect(),
                        removed: line,
                    });
                }
            }
        }
        candidates.retain(|repair| !(repair.removed.is_empty() && repair.added.is_empty()));
        candidates
    }

    pub(super) fn removal(&self, removed: Range<usize>) -> Repair<'s, T> {
        let count = self.tokens.len();
        Repair {
            removed: removed.start.min(count)..removed.end.min(count),
            added: Vec::new(),
        }
    }

    /// The changes that put a token in the place of others, or before the next one. A block is not
    /// closed before a line that is indented as a part of it.
    pub(super) fn additions(&self, removed: Range<usize>) -> impl Iterator<Item = Repair<'s, T>> {
        let start = self.start_of(removed.start);
        let is_inside = self.starts_line(removed.start)
            && self
                .open_braces(removed.start)
                .last()
                .is_some_and(|&open| self.column(removed.start) > self.indent(open));
        let repair = self.removal(removed);
        let stand_ins = self.stand_ins.iter();
        let stand_ins = stand_ins.filter(move |token| !(is_inside && token.text == "}"));
        stand_ins.map(move |stand_in| Repair {
            added: vec![stand_in.moved_to(start)],
            ..repair.clone()
        })
    }

    /// If the error is at the start of a line: closes the blocks before it that are indented as much
    /// or more.
    pub(super) fn missing_closings(&self, at: usize) -> Option<Repair<'s, T>> {
        let closing = self.stand_ins.iter().find(|token| token.text == "}")?;
        if !self.starts_line(at) || at >= self.tokens.len() {
            return None;
        }
        let column = self.column(at);
        let open = self.open_braces(at);
        let is_deeper = |&&open: &&usize| self.indent(open) >= column;
        let count = open.iter().rev().take_while(is_deeper).count();
        Some(Repair {
            removed: at..at,
            added: vec![closing.moved_to(self.start_of(at)); count],
        })
    }

    /// Parentheses around the rest of the line, up to a `{`: `if a == 1 {` in a language in which a
    /// condition needs them.
    fn in_parentheses(&self, at: usize) -> Option<Repair<'s, T>> {
        let stand_in = |text| self.stand_ins.iter().find(|token| token.text == text);
        let (opening, closing) = stand_in("(").zip(stand_in(")"))?;
        let line = at..self.end_of_text(at);
        let tokens = self.tokens.get(line)?;
        let count = tokens.iter().take_while(|token| token.text != "{").count();
        if tokens[..count].first().is_none_or(Piece::is_bracket) {
            return None;
        }
        let mut added = vec![opening.moved_to(self.start_of(at))];
        added.extend_from_slice(&tokens[..count]);
        added.push(closing.moved_to(tokens[count - 1].end));
        Some(Repair {
            removed: at..at + count,
            added,
        })
    }

    /// The end of the line of a token, without the line break.
    fn end_of_text(&self, at: usize) -> usize {
        let line = self.line(at);
        let text = (at..line.end).rev().find(|&index| !self.is_blank(index));
        text.map_or(line.end, |last| last + 1)
    }

    /// Removes tokens except those brackets among them that belong to others outside.
    pub(super) fn without_unbalanced(&self, removed: Range<usize>) -> Repair<'s, T> {
        let mut added: Vec<Piece<'s, T>> = Vec::new();
        for &token in &self.tokens[removed.clone()] {
            let closes_last = |last: &Piece<'s, T>| closing(last.text) == Some(token.text);
            if added.last().is_some_and(closes_last) {
                added.pop();
            } else if token.is_bracket() {
                added.push(token);
            }
        }
        Repair { removed, added }
    }

    /// The tokens before the error at `at` that the parser needs to fail in the same way: those
    /// before the first definition, and the definition with the error.
    pub(super) fn context(&mut self, at: usize, position: usize) -> Vec<Range<usize>> {
        let mut depth = 0_usize;
        let mut starts: [Vec<usize>; 2] = Default::default();
        for (index, token) in self.tokens[..at].iter().enumerate() {
            match token.text {
                text if closing(text).is_some() => depth += 1,
                text if is_closing(text) => depth = depth.saturating_sub(1),
                _ if depth < 2 && index > 0 && self.starts_line(index) => starts[depth].push(index),
                _ => {}
            }
        }
        let nothing = Repair {
            removed: at..at,
            added: Vec::new(),
        };
        for starts in starts {
            let Some(&first) = starts.first() else {
                continue;
            };
            let column = self.column(first);
            let near = starts.iter().rev().filter(|&&i| self.column(i) <= column);
            let near: Vec<usize> = near.take(2).copied().collect();
            for definition in near {
                let context = vec![0..first, definition..at];
                if self.try_repair(&context, at, &nothing) == Progress::Until(position) {
                    return context;
                }
            }
        }
        std::iter::once(0..at).collect()
    }
}
