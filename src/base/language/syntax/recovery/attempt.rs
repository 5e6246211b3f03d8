//! Parses the tokens with a change, and notes what it damaged.

use super::{
    LOOKAHEAD_TOKENS, Piece, Progress, Recovery, Repair, Scope, Syntax, failure_position, progress,
};
use crate::diagnostic::Diagnostic;
use crate::language::syntax::{ParseFailure, ParserInput};
use std::ops::Range;

impl<'s, T: Syntax> Recovery<'_, 's, T> {
    /// The first error in the changed tokens, and its position.
    pub(super) fn next_error(&mut self) -> Option<(Option<usize>, Vec<Diagnostic>)> {
        self.budget = self.budget.saturating_sub(self.tokens.len());
        let input = self.input(&self.tokens);
        let failure = match (self.run)(&input) {
            Ok(()) => {
                self.is_repaired = true;
                return None;
            }
            Err(failure) => failure,
        };
        // What is wrong with the program as a whole may be a consequence of the changes.
        if let ParseFailure::Reported(_) = failure
            && let Some(end) = self.start
        {
            let unended = input.with_last(end);
            let failure = (self.run)(&unended).err()?;
            return match failure {
                ParseFailure::Syntax(_) => None,
                ParseFailure::Reported(_) => {
                    Some((failure_position(&failure), failure.into_diagnostics()))
                }
            };
        }
        Some((failure_position(&failure), failure.into_diagnostics()))
    }

    pub(super) fn input(&self, tokens: &[Piece<'s, T>]) -> ParserInput<'s, T> {
        let tokens = tokens.iter().map(|t| (t.start..t.end, t.token));
        let input = ParserInput::new(self.source, self.start, tokens.collect());
        let stand_ins = self.stand_ins.iter();
        let added = stand_ins.map(|stand_in| (stand_in.token, stand_in.text));
        ParserInput {
            added: added.collect(),
            ..input
        }
    }

    /// Records the lines that a change concerns.
    pub(super) fn record(&mut self, repair: &Repair<'s, T>, scope: Scope) {
        let is_name = |token: &Piece<'s, T>| {
            token.text.starts_with(char::is_alphabetic) && T::known_word(token.text).is_none()
        };
        let removed = &self.tokens[repair.removed.clone()];
        let is_word = |token: &Piece<'s, T>| token.text.starts_with(char::is_alphabetic);
        let is_nameless = removed.iter().any(is_word) && !removed.iter().any(is_name);
        self.has_word_for_brace |=
            removed.iter().any(is_word) && repair.added.iter().any(|token| token.text == "{");
        if is_nameless || repair.added.iter().any(is_name) {
            self.damage.add_missing_name();
        }
        let removed = &repair.removed;
        // A token that is missing at the start of a line is missing at the end of the one before.
        let is_before_line = removed.is_empty() && self.starts_line(removed.start);
        let first = match is_before_line {
            true => removed.start.saturating_sub(1),
            false => removed.start,
        };
        let mut last = removed.end.saturating_sub(1).max(first);
        if scope == Scope::Lines {
            last = last.max(self.end_of_opened(removed.clone()));
        }
        let (first, last) = (self.line_number(first), self.line_number(last));
        let (first, last) = (first.min(last), last.max(first));
        let headers = self.open_braces(removed.start);
        for header in headers {
            let line = self.line_number(header);
            self.damage.add_lines::<T>(self.source, line..=line);
        }
        self.damage.add_lines::<T>(self.source, first..=last);
    }

    /// How far the parser comes with a change, if it reads only `context` before `at`.
    pub(super) fn try_repair(
        &mut self,
        context: &[Range<usize>],
        at: usize,
        repair: &Repair<'s, T>,
    ) -> Progress {
        let removed = &repair.removed;
        let end = self
            .tokens
            .len()
            .min(removed.end.max(at) + LOOKAHEAD_TOKENS);
        let mut tokens: Vec<Piece<'s, T>> = Vec::new();
        for part in context {
            let last = part.end.min(removed.start);
            tokens.extend(self.tokens.get(part.start..last).unwrap_or_default());
        }
        tokens.extend(&repair.added);
        tokens.extend(&self.tokens[removed.end..end]);
        self.budget = self.budget.saturating_sub(tokens.len());
        let is_cut = end < self.tokens.len();
        let input = self.input(&tokens);
        // A token that is valid nowhere prevents that the program as a whole is judged.
        let failure = match self.start {
            Some(start) => {
                let input = input.with_last(start);
                let failure = (self.run)(&input).err();
                failure.map(|failure| progress(&failure, input.tokens.len() - 1))
            }
            None => None,
        };
        match failure {
            Some(progress @ Progress::Until(_)) => progress,
            _ if is_cut && self.start.is_some() => Progress::Complete,
            _ => match (self.run)(&input).err() {
                None => Progress::Complete,
                Some(failure) => match progress(&failure, input.tokens.len()) {
                    Progress::UnexpectedEnd if is_cut => Progress::Complete,
                    Progress::Until(_) if self.start.is_some() => Progress::Complete,
                    progress => progress,
                },
            },
        }
    }
}
