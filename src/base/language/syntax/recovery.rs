//! Several syntax errors in one file.
//!
//! The generated parser stops at its first error. To find the next mistake, a small change of the
//! tokens around the error is looked for that lets the parser continue as far as possible: a token
//! removed, replaced or added, or else a line or an indented block left out. The file is then parsed
//! again with that change. An error in the line of the previous one is most likely a consequence of
//! it, so it is repaired but not reported.
//!
//! The tree of the changed tokens is checked, too: errors that do not follow from what was changed are
//! reported as well.

use super::bracket::{closing, is_closing};
use super::{Damage, Lexeme, ParseFailure, ParserInput, Syntax, parse_error};
use crate::diagnostic::Diagnostic;
use crate::source::Source;
use std::ops::Range;

/// After this many errors, the rest of the file is not searched for more.
pub const MAX_SYNTAX_ERRORS: usize = 20;

/// How many changes of the tokens are made in one file.
const MAX_REPAIRS: usize = 2 * MAX_SYNTAX_ERRORS;

/// How far a change must let the parser continue to be as good as any other.
const LOOKAHEAD_TOKENS: usize = 150;

/// How many of the tokens that may be missing are values or names, which come first: they may be
/// missing together with another token before them.
const VALUE_STAND_INS: usize = 3;

/// How far before an error its cause is looked for.
const MAX_LOOKBACK_TOKENS: usize = 8;

/// How many tokens of the line after an error the parser must accept for a change to be enough.
const MIN_TOKENS_OF_NEXT_LINE: usize = 2;

/// How many tokens may be parsed to find changes, for each token of the file. It bounds the time to
/// a multiple of that for a correct file.
const SEARCH_BUDGET_PER_TOKEN: usize = 20;

/// The same for each file, so that small files are searched thoroughly.
const SEARCH_BUDGET_TOKENS: usize = 100_000;

/// A token and its range in the source; empty if a change added it.
#[derive(Clone, Copy)]
struct Piece<'s, T> {
    start: usize,
    end: usize,
    token: T,
    text: &'s str,
}

impl<T: Copy> Piece<'_, T> {
    fn is_bracket(&self) -> bool {
        closing(self.text).is_some() || is_closing(self.text)
    }

    /// The same token, added before the byte `start`.
    fn moved_to(self, start: usize) -> Self {
        Piece {
            start,
            end: start,
            ..self
        }
    }
}

/// A change of the tokens: those in `removed` are replaced by `added`.
#[derive(Clone)]
struct Repair<'s, T> {
    removed: Range<usize>,
    added: Vec<Piece<'s, T>>,
}

/// Which tokens a change concerns. A smaller scope is preferred if it is enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Blocks that were not closed, as the indentation shows.
    Block,
    /// The token at the error or the one before it.
    Token,
    /// Two tokens, or one that is farther before the error.
    Nearby,
    /// The line of the error, or a block.
    Lines,
}

impl Scope {
    const ALL: [Scope; 4] = [Scope::Block, Scope::Token, Scope::Nearby, Scope::Lines];
}

/// How far the parser comes with a change: to a byte, to the end where more is expected, or through
/// all tokens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    Until(usize),
    UnexpectedEnd,
    Complete,
}

/// Parses a file. If that fails, reports its errors: at most one for each line, by position, and at
/// most [`MAX_SYNTAX_ERRORS`]. `check` returns the errors of a tree; those of the parts that parsed are
/// reported as well.
pub fn parse_file<'s, T: Syntax, R>(
    source: &'s Source,
    start: Option<T>,
    tokenize: impl Fn(&'s str) -> Vec<(Range<usize>, T)>,
    run: impl for<'i> Fn(&'i ParserInput<'s, T>) -> Result<R, ParseFailure<'i, T>>,
    check: impl FnOnce(R) -> Vec<Diagnostic>,
) -> Result<R, Vec<Diagnostic>> {
    let input = ParserInput::new(source, start, tokenize(&source.text));
    let failure = match run(&input) {
        Ok(tree) => return Ok(tree),
        Err(failure) => failure,
    };
    let position = failure_position(&failure);
    let errors = failure.into_diagnostics();
    let pieces = |text: &'s str| {
        let tokens = tokenize(text).into_iter();
        let tokens = tokens.filter(|(_, token)| !token.is_comment());
        let pieces = tokens.map(|(range, token)| Piece {
            start: range.start,
            end: range.end,
            token,
            text: &text[range],
        });
        pieces.collect::<Vec<_>>()
    };
    let tokens = pieces(&source.text);
    let mut recovery = Recovery {
        source,
        start,
        budget: SEARCH_BUDGET_TOKENS + SEARCH_BUDGET_PER_TOKEN * tokens.len(),
        stand_ins: pieces(T::STAND_INS),
        tokens,
        run,
        damage: Damage::default(),
        tree: None,
    };
    let mut errors = recovery.errors(position, errors);
    let Recovery {
        mut damage, tree, ..
    } = recovery;
    let of_tree = tree.map(check).unwrap_or_default();
    let is_new = |new: &Diagnostic| errors.iter().all(|error| error.span != new.span);
    damage.add_errors::<T>(source, &errors);
    let mut further = damage.independent(source, of_tree);
    further.retain(|new| new.is_error() && is_new(new));
    errors.extend(further);
    errors.sort_by_key(|error| error.span.map(|span| span.start));
    errors.truncate(MAX_SYNTAX_ERRORS);
    Err(errors)
}

/// The byte at which parsing failed; `None` at the end of the input.
fn failure_position<T: Syntax>(failure: &ParseFailure<'_, T>) -> Option<usize> {
    match failure {
        ParseFailure::Syntax(error) => error.found().map(|_| error.span().start as usize),
        ParseFailure::Reported(errors) => Some(errors.first()?.span?.start as usize),
    }
}

struct Recovery<'s, T, R, F> {
    source: &'s Source,
    start: Option<T>,
    /// The tokens of the file without comments, with all changes so far.
    tokens: Vec<Piece<'s, T>>,
    /// Tokens that may be missing.
    stand_ins: Vec<Piece<'s, T>>,
    /// How many tokens may still be parsed.
    budget: usize,
    run: F,
    /// What was changed.
    damage: Damage<'s>,
    /// The tree of the changed tokens, if they have no more syntax errors.
    tree: Option<R>,
}

impl<'s, T, R, F> Recovery<'s, T, R, F>
where
    T: Syntax,
    F: for<'i> Fn(&'i ParserInput<'s, T>) -> Result<R, ParseFailure<'i, T>>,
{
    /// All syntax errors, given the first ones and their position, which is `None` at the end.
    fn errors(&mut self, position: Option<usize>, mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let Some(mut position) = self.after_brace_mistakes(position, &mut errors) else {
            return errors;
        };
        let mut last_line = self.source.line_number(position as u32);
        for _ in 0..MAX_REPAIRS {
            if errors.len() >= MAX_SYNTAX_ERRORS {
                break;
            }
            let Some(scope) = self.repair(position) else {
                break;
            };
            let Some((next, mut found)) = self.next_error() else {
                break;
            };
            // What was left out may be the reason that the rest is unexpected as well.
            if scope == Scope::Lines {
                found.retain(|new| errors.iter().all(|error| error.message != new.message));
            }
            let last = errors.iter().filter_map(|error| self.line_of(error)).max();
            found.retain(|error| self.line_of(error) > last);
            let Some(next) = next else {
                errors.extend(found);
                break;
            };
            let line = self.source.line_number(next as u32);
            if line > last_line {
                errors.extend(found);
            }
            last_line = last_line.max(line);
            position = next;
        }
        errors.sort_by_key(|error| error.span.map(|span| span.start));
        errors
    }

    /// Reports braces that are missing or too many, as the indentation shows, instead of the errors that
    /// follow from them. Returns the position of the next error; `None` if there is none, or at the end.
    fn after_brace_mistakes(
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
    fn brace_mistake(&mut self, position: Option<usize>) -> Option<(Repair<'s, T>, Diagnostic)> {
        let mut candidates = self.missing_closing_braces(position);
        candidates.extend(self.missing_opening_braces(position));
        candidates.extend(self.extra_brace(position));
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
            let is_next_brace = |position| {
                let at = self.tokens.partition_point(|token| token.start < position);
                self.tokens.get(at).is_some_and(|token| token.text == "}")
            };
            if matches!(reached, Progress::Until(position) if is_next_brace(position)) {
                continue;
            }
            if reached > best.as_ref().map_or(passed, |best| best.0) {
                best = Some((reached, repair, error));
            }
            if reached == Progress::Complete {
                break;
            }
        }
        best.map(|(_, repair, error)| (repair, error))
    }

    /// The places before the error at which a `}` may be missing: lines that are outside of an open
    /// brace, as the indentation shows, and the line of the error.
    fn missing_closing_braces(&self, position: Option<usize>) -> Vec<(Repair<'s, T>, Diagnostic)> {
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
    fn unclosed_braces(&self, position: Option<usize>) -> Vec<(usize, usize, usize)> {
        let (mut places, mut open): (Vec<_>, Vec<usize>) = (Vec::new(), Vec::new());
        let end = position.map_or(self.tokens.len(), |position| {
            self.tokens.partition_point(|token| token.start <= position)
        });
        let is_blank = |token: &Piece<'s, T>| token.text.trim().is_empty();
        for (index, token) in self.tokens.iter().enumerate().take(end) {
            if self.starts_line(index) && token.start < token.end && !is_blank(token) {
                let column = self.column(index);
                let is_outside = |open: usize| match token.text {
                    "}" => self.indent(open) > column,
                    "{" => false,
                    _ => self.indent(open) >= column,
                };
                // In a block that is not indented, the indentation shows nothing.
                let first = index == 0 || self.tokens[index - 1].text == "{";
                if first && open.last().is_some_and(|&last| is_outside(last)) {
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
                    line + 1 == self.line_number(at) && self.line_number(last + 1) == line
                };
                places.extend(last.filter(is_inner).map(|last| (at, last, 1)));
            }
            Some(_) => {}
        }
        places
    }

    /// The lines before the error at whose end a `{` may be missing: the next line is indented more,
    /// and a `}` closes what it begins.
    fn missing_opening_braces(&self, position: Option<usize>) -> Vec<(Repair<'s, T>, Diagnostic)> {
        let opening = self.stand_ins.iter().find(|token| token.text == "{");
        let (Some(opening), Some(position)) = (opening, position) else {
            return Vec::new();
        };
        let is_blank = |&index: &usize| self.tokens[index].text.trim().is_empty();
        let starts = (0..self.tokens.len()).filter(|index| !is_blank(index));
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
            if self.column(next) <= indent || is_open || text == "{" {
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

    /// An error at the end of the line before a token.
    fn missing_at_end_of_line(&self, at: usize, message: &str) -> Diagnostic {
        let mut before = self.tokens[..at].iter().rev();
        let before = before.find(|token| !token.text.trim().is_empty());
        let end = before.map_or(0, |token| token.end);
        let span = self.source.span(end, end);
        parse_error(T::CODES.unmatched_bracket, span, message)
    }

    /// The first `}` before the error that closes a block from within one of its lines.
    fn extra_brace(&self, position: Option<usize>) -> Option<(Repair<'s, T>, Diagnostic)> {
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

    fn line_of(&self, error: &Diagnostic) -> Option<u32> {
        Some(self.source.line_number(error.span?.start))
    }

    /// The first error in the changed tokens, and its position.
    fn next_error(&mut self) -> Option<(Option<usize>, Vec<Diagnostic>)> {
        self.budget = self.budget.saturating_sub(self.tokens.len());
        let input = self.input(&self.tokens);
        let failure = match (self.run)(&input) {
            Ok(tree) => {
                self.tree = Some(tree);
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

    fn input(&self, tokens: &[Piece<'s, T>]) -> ParserInput<'s, T> {
        let tokens = tokens.iter().map(|t| (t.start..t.end, t.token));
        let input = ParserInput::new(self.source, self.start, tokens.collect());
        let stand_ins = self.stand_ins.iter();
        let added = stand_ins.map(|stand_in| (stand_in.token, stand_in.text));
        ParserInput {
            added: added.collect(),
            ..input
        }
    }

    /// Makes the smallest change that lets the parser continue into the line after its error at
    /// `position`, or else the one that lets it continue the farthest. `None` if no change helps.
    fn repair(&mut self, position: usize) -> Option<Scope> {
        let at = self.tokens.partition_point(|token| token.start < position);
        let context = self.context(at, position);
        let next_line = self.start_of(self.line(at).end + MIN_TOKENS_OF_NEXT_LINE - 1);
        let mut best: Option<(Progress, Scope, Repair<'s, T>)> = None;
        for scope in Scope::ALL {
            let enough = match scope {
                Scope::Block => Progress::Until(position),
                _ => Progress::Until(next_line),
            };
            for repair in self.candidates(scope, at) {
                let mut progress = self.try_repair(&context, at, &repair);
                if self.unbalances(&repair, progress) {
                    progress = progress.min(Progress::Until(next_line));
                }
                let reached = best
                    .as_ref()
                    .map_or(Progress::Until(position), |best| best.0);
                if progress > reached {
                    best = Some((progress, scope, repair));
                }
                if progress == Progress::Complete {
                    break;
                }
                if self.budget == 0 {
                    return None;
                }
            }
            if best.as_ref().is_some_and(|best| best.0 > enough) {
                break;
            }
        }
        let (_, scope, repair) = best?;
        self.record(&repair, scope);
        self.tokens.splice(repair.removed, repair.added);
        Some(scope)
    }

    /// Records the lines that a change concerns.
    fn record(&mut self, repair: &Repair<'s, T>, scope: Scope) {
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

    /// The last token of the blocks that these tokens open.
    fn end_of_opened(&self, tokens: Range<usize>) -> usize {
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

    /// Whether a change adds or removes a bracket and the parser then fails at a closing one of the
    /// same kind.
    fn unbalances(&self, repair: &Repair<'s, T>, progress: Progress) -> bool {
        let Progress::Until(position) = progress else {
            return false;
        };
        let at = self.tokens.partition_point(|token| token.start < position);
        let Some(found) = self.tokens.get(at).filter(|token| is_closing(token.text)) else {
            return false;
        };
        let mut changed = self.tokens[repair.removed.clone()]
            .iter()
            .chain(&repair.added);
        changed.any(|token| token.text == found.text || closing(token.text) == Some(found.text))
    }

    /// The changes of a scope to try, the most likely ones first.
    fn candidates(&self, scope: Scope, at: usize) -> Vec<Repair<'s, T>> {
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
                candidates.push(self.without_unbalanced(at..line.end));
                candidates.push(self.without_unbalanced(line.clone()));
                candidates.push(self.removal(at..line.end));
                candidates.push(self.removal(line.clone()));
                candidates.push(self.removal(line.start..self.end_of_block(line)));
            }
        }
        candidates.retain(|repair| !(repair.removed.is_empty() && repair.added.is_empty()));
        candidates
    }

    fn removal(&self, removed: Range<usize>) -> Repair<'s, T> {
        let count = self.tokens.len();
        Repair {
            removed: removed.start.min(count)..removed.end.min(count),
            added: Vec::new(),
        }
    }

    /// The changes that put a token in the place of others, or before the next one. A block is not
    /// closed before a line that is indented as a part of it.
    fn additions(&self, removed: Range<usize>) -> impl Iterator<Item = Repair<'s, T>> {
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

    /// The braces before a token that are not closed.
    fn open_braces(&self, index: usize) -> Vec<usize> {
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
    fn start_of(&self, index: usize) -> usize {
        let end = self.tokens.last().map_or(0, |last| last.end);
        self.tokens.get(index).map_or(end, |token| token.start)
    }

    /// If the error is at the start of a line: closes the blocks before it that are indented as much
    /// or more.
    fn missing_closings(&self, at: usize) -> Option<Repair<'s, T>> {
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

    /// Removes tokens except those brackets among them that belong to others outside.
    fn without_unbalanced(&self, removed: Range<usize>) -> Repair<'s, T> {
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

    fn line_number(&self, index: usize) -> u32 {
        let start = self
            .tokens
            .get(index)
            .map_or(usize::MAX, |token| token.start);
        self.source
            .line_number(start.min(self.source.text.len()) as u32)
    }

    fn starts_line(&self, index: usize) -> bool {
        index == 0 || self.line_number(index - 1) < self.line_number(index)
    }

    /// The tokens in the line of a token.
    fn line(&self, index: usize) -> Range<usize> {
        let line = self.line_number(index);
        let start = (0..index).rev().find(|&i| self.line_number(i) < line);
        let end = (index..self.tokens.len()).find(|&i| self.line_number(i) > line);
        start.map_or(0, |i| i + 1)..end.unwrap_or(self.tokens.len())
    }

    /// The column of a token, in bytes.
    fn column(&self, index: usize) -> usize {
        self.tokens.get(index).map_or(0, |token| {
            let line = self.source.line_number(token.start as u32);
            token.start - self.source.line_range(line).start
        })
    }

    /// The indentation of the line of a token, in bytes.
    fn indent(&self, index: usize) -> usize {
        let line = self.source.line(self.line_number(index));
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// The end of the lines after `line` that are indented more than it.
    fn end_of_block(&self, line: Range<usize>) -> usize {
        let indent = self.column(line.start);
        let mut end = line.end;
        while end < self.tokens.len() && self.column(end) > indent {
            end = self.line(end).end;
        }
        match self.tokens.get(end).map(|token| token.text) {
            Some("}") if self.column(end) == indent => end + 1,
            _ => end,
        }
    }

    /// The tokens before the error at `at` that the parser needs to fail in the same way: those
    /// before the first definition, and the definition with the error.
    fn context(&mut self, at: usize, position: usize) -> Vec<Range<usize>> {
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

    /// How far the parser comes with a change, if it reads only `context` before `at`.
    fn try_repair(
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

/// How far the parser came in an input of `count` tokens.
fn progress<T: Syntax>(failure: &ParseFailure<'_, T>, count: usize) -> Progress {
    match failure {
        ParseFailure::Syntax(error) if error.index >= count => Progress::UnexpectedEnd,
        failure => failure_position(failure).map_or(Progress::UnexpectedEnd, Progress::Until),
    }
}

/// The tokens that most parsers read: all but the comments.
pub(super) fn without_comments<T: Syntax>(tokens: Vec<(Range<usize>, T)>) -> Vec<Lexeme<T>> {
    let tokens = tokens.into_iter();
    let tokens = tokens.filter(|(_, token)| !token.is_comment());
    let lexemes = tokens.map(|(range, token)| (range.start, token, range.end));
    lexemes.collect()
}
