//! Brackets that are missing or too many, as the indentation shows.

use super::super::bracket::closing;
use super::{MAX_SYNTAX_ERRORS, Progress, Recovery, Repair, Scope, Syntax, parse_error, progress};
use crate::diagnostic::Diagnostic;

impl<'s, T: Syntax> Recovery<'_, 's, T> {
    /// Reports braces that are missing or too many, as the indentation shows, instead of the errors that
    /// follow from them. Returns the position of the next error; `None` if there is none, or at the end.
    pub(super) fn after_brace_mistakes(
        &mut self,
        mut position: Option<usize>,
        errors: &mut Vec<Diagnostic>,
    ) -> Option<usize> {
        for made in 0..MAX_SYNTAX_ERRORS {
            let Some((repair, error)) = self.brace_mistake(position) else {
                break;
            };
            // The language may have found the same, and have more to say about it.
            let own = errors.drain(made..).next();
            let is_at_end = repair.removed.start == self.tokens.len();
            let own = own.filter(|own| is_at_end || own.message.starts_with(&error.message));
            errors.push(match own {
                Some(own) if is_at_end => own,
                Some(own) => Diagnostic {
                    span: error.span,
                    ..own
                },
                None => error,
            });
            self.record(&repair, Scope::Block);
            self.tokens.splice(repair.removed, repair.added);
            let (next, found) = self.next_error()?;
            errors.extend(found);
            position = next;
        }
        position
    }

    /// The change of a brace that lets the parser continue the farthest, and its error; `None` if none
    /// of them lets it pass the error at `position`.
    pub(super) fn brace_mistake(
        &mut self,
        position: Option<usize>,
    ) -> Option<(Repair<'s, T>, Diagnostic)> {
        let mut candidates = self.missing_closing_braces(position);
        candidates.extend(self.missing_opening_braces(position));
        candidates.extend(self.extra_brace(position));
        candidates.extend(self.missing_parens(position));
        let mut best: Option<(Progress, Repair<'s, T>, Diagnostic)> = None;
        let passed = position.map_or(Progress::UnexpectedEnd, Progress::Until);
        for (repair, error) in candidates {
            let mut tokens = self.tokens.clone();
            tokens.splice(repair.removed.clone(), repair.added.iter().copied());
            self.budget = self.budget.checked_sub(tokens.len())?;
            let input = self.input(&tokens);
            let reached = match (self.run)(&input).err() {
                None => Progress::Complete,
                Some(failure) => progress(&failure, tokens.len()),
            };
            // A brace too many is a consequence of the change.
            if matches!(reached, Progress::Until(position) if self.is_closing_brace(position)) {
                continue;
            }
            if reached > best.as_ref().map_or(passed, |best| best.0) {
                best = Some((reached, repair, error));
            }
            if reached == Progress::Complete {
                break;
            }
        }
        let best = best.map(|(_, repair, error)| (repair, error));
        best.or_else(|| self.missing_opening_brace(position?))
    }

    /// A `{` that is missing before the error at the start of a line, if that is all.
    pub(super) fn missing_opening_brace(
        &mut self,
        position: usize,
    ) -> Option<(Repair<'s, T>, Diagnostic)> {
        let opening = self.stand_ins.iter().find(|token| token.text == "{")?;
        let at = self.tokens.partition_point(|token| token.start < position);
        if at == 0 || !self.starts_line(at) {
            return None;
        }
        let added = opening.moved_to(self.start_of(at));
        let mut tokens = self.tokens.clone();
        tokens.insert(at, added);
        self.budget = self.budget.checked_sub(tokens.len())?;
        let is_complete = (self.run)(&self.input(&tokens)).is_ok();
        let repair = Repair {
            removed: at..at,
            added: vec![added],
        };
        is_complete.then(|| (repair, self.missing_at_end_of_line(at, "missing `{`")))
    }

    /// The places before the error at which a `}` may be missing: lines that are outside of an open
    /// brace, as the indentation shows, and the line of the error.
    pub(super) fn missing_closing_braces(
        &self,
        position: Option<usize>,
    ) -> Vec<(Repair<'s, T>, Diagnostic)> {
        let closing = self.stand_ins.iter().find(|token| token.text == "}");
        let Some(closing) = closing else {
            return Vec::new();
        };
        let places = self.unclosed_braces(position).into_iter();
        let candidates = places.map(|(at, open, count)| {
            let repair = Repair {
                removed: at..at,
                added: vec![closing.moved_to(self.start_of(at)); count],
            };
            let opened = self.tokens[open];
            let opened = self.source.span(opened.start, opened.end);
            let error = self.missing_at_end_of_line(at, "missing `}`");
            (repair, error.related(opened, "unclosed `{`"))
        });
        candidates.collect()
    }

    /// The first tokens of lines that may be outside of an open brace, that brace, and how many are to
    /// be closed there.
    pub(super) fn unclosed_braces(&self, position: Option<usize>) -> Vec<(usize, usize, usize)> {
        let (mut places, mut open): (Vec<_>, Vec<usize>) = (Vec::new(), Vec::new());
        let end = position.map_or(self.tokens.len(), |position| {
            self.tokens.partition_point(|token| token.start <= position)
        });
        for (index, token) in self.tokens.iter().enumerate().take(end) {
            if self.starts_line(index) && token.start < token.end && !self.is_blank(index) {
                let column = self.column(index);
                let is_outside = |open: usize| match token.text {
                    "}" => self.indent(open) > column,
                    "{" => false,
                    _ => self.indent(open) >= column,
                };
                // In a block that is not indented, the indentation shows nothing.
                let is_first = index == 0 || self.tokens[index - 1].text == "{";
                let is_indented = token.text == "}" || column > 0;
                if is_first && !is_indented && open.last().is_some_and(|&last| is_outside(last)) {
                    open.pop();
                    open.push(usize::MAX);
                }
                let is_unclosed = |open: &&usize| **open != usize::MAX && is_outside(**open);
                let count = open.iter().rev().take_while(is_unclosed).count();
                if let Some(&last) = open.last().filter(|_| count > 0) {
                    places.push((index, last, count));
                }
            }
            match token.text {
                "{" => open.push(index),
                "}" => drop(open.pop()),
                _ => {}
            }
        }
        let last = open.iter().rev().copied().find(|&open| open != usize::MAX);
        match position {
            None => places.extend(last.map(|last| (self.tokens.len(), last, open.len()))),
            // A brace in the middle of the line before is usually closed there.
            Some(_) if self.starts_line(end.saturating_sub(1)) => {
                let at = end.saturating_sub(1);
                let is_inner = |&last: &usize| {
                    let line = self.line_number(last);
                    at > last + 1
                        && line == self.line_number(at - 1)
                        && self.line_number(last + 1) == line
                };
                places.extend(last.filter(is_inner).map(|last| (at, last, 1)));
            }
            Some(_) => {}
        }
        places
    }

    /// The lines before the error at whose end a `{` may be missing: the next line is indented more,
    /// and a `}` closes what it begins.
    pub(super) fn missing_opening_braces(
        &self,
        position: Option<usize>,
    ) -> Vec<(Repair<'s, T>, Diagnostic)> {
        let opening = self.stand_ins.iter().find(|token| token.text == "{");
        let (Some(opening), Some(position)) = (opening, position) else {
            return Vec::new();
        };
        let starts = (0..self.tokens.len()).filter(|&index| !self.is_blank(index));
        let starts = starts.filter(|&index| self.starts_line(index));
        let starts: Vec<usize> = starts.collect();
        let mut candidates = Vec::new();
        for (n, &next) in starts.iter().enumerate().skip(1) {
            let header = starts[n - 1];
            if self.tokens[header].start > position {
                break;
            }
            let (indent, text) = (self.column(header), self.tokens[next].text);
            let mut line = self.tokens[header..next].iter().rev();
            let last = line.find(|token| !token.text.trim().is_empty());
            let is_open = last.is_some_and(|last| matches!(last.text, "{" | "(" | "[" | ","));
            let is_empty = text == "}" && self.column(next) == indent;
            if self.column(next) <= indent && !is_empty || is_open || text == "{" {
                continue;
            }
            let mut after = starts[n..].iter();
            let after = after.find(|&&start| self.column(start) <= indent);
            let is_closed = after.is_some_and(|&start| {
                self.tokens[start].text == "}" && self.column(start) == indent
            });
            if is_closed {
                let repair = Repair {
                    removed: next..next,
                    added: vec![opening.moved_to(self.start_of(next))],
                };
                candidates.push((repair, self.missing_at_end_of_line(next, "missing `{`")));
            }
        }
        candidates
    }

    /// The places before a `{` at which a `(` or `[` of the same line may not be closed.
    pub(super) fn missing_parens(
        &self,
        position: Option<usize>,
    ) -> Vec<(Repair<'s, T>, Diagnostic)> {
        let end = position.map_or(self.tokens.len(), |position| {
            self.tokens.partition_point(|token| token.start <= position)
        });
        let mut candidates = Vec::new();
        let mut start = 0;
        while start < end {
            let line = self.line(start);
            start = line.end;
            // In its own line, the error says what is missing.
            if line.end >= end {
                break;
            }
            let mut open: Vec<usize> = Vec::new();
            for index in line.clone() {
                match self.tokens[index].text {
                    "(" | "[" => open.push(index),
                    ")" | "]" => drop(open.pop()),
                    _ => {}
                }
            }
            let Some(&last) = open.last() else { continue };
            let mut after = last..line.end;
            let brace = after.find(|&index| self.tokens[index].text == "{");
            let opened = self.tokens[last];
            let closing = closing(opened.text).unwrap_or_default();
            let stand_in = self.stand_ins.iter().find(|token| token.text == closing);
            if let (Some(at), Some(stand_in)) = (brace, stand_in) {
                let repair = Repair {
                    removed: at..at,
                    added: vec![stand_in.moved_to(self.start_of(at))],
                };
                let error = self.missing_at_end_of_line(at, &format!("missing `{closing}`"));
                let span = self.source.span(opened.start, opened.end);
                let label = format!("unclosed `{}`", opened.text);
                candidates.push((repair, error.related(span, label)));
            }
        }
        candidates
    }

    /// An error at the end of the line before a token.
    pub(super) fn missing_at_end_of_line(&self, at: usize, message: &str) -> Diagnostic {
        let mut before = self.tokens[..at].iter().rev();
        let before = before.find(|token| !token.text.trim().is_empty());
        let end = before.map_or(0, |token| token.end);
        let span = self.source.span(end, end);
        parse_error(T::CODES.unmatched_bracket, span, message)
    }

    /// The first `}` before the error that closes a block from within one of its lines.
    pub(super) fn extra_brace(
        &self,
        position: Option<usize>,
    ) -> Option<(Repair<'s, T>, Diagnostic)> {
        let position = position?;
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            if token.start >= position {
                break;
            }
            match token.text {
                "{" => open.push(index),
                "}" => {
                    let opened = open.pop()?;
                    let line = self.line_number(index);
                    let is_inside = self.line_number(opened) < line && !self.starts_line(index);
                    let is_indented = self.indent(index) > self.indent(opened);
                    if is_inside && is_indented && token.start < token.end {
                        let span = self.source.span(token.start, token.end);
                        let code = T::CODES.unmatched_bracket;
                        let error = parse_error(code, span, "unmatched `}`");
                        let note = "remove it, or add the `{` that it closes";
                        return Some((self.removal(index..index + 1), error.note(note)));
                    }
                }
                _ => {}
            }
        }
        None
    }
}
