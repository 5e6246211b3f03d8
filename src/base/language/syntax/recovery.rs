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
//!
//! ```text
//! attempt           parses the tokens with a change, and notes what it damaged
//! bracket_mistakes  brackets that are missing or too many, as the indentation shows
//! candidates        the changes of the tokens around an error that are tried
//! layout            lines, columns and blocks of the tokens
//! ```

mod attempt;
mod bracket_mistakes;
mod candidates;
mod layout;

use super::bracket::{closing, is_closing};
use super::{Damage, Lexeme, ParseFailure, ParserInput, Syntax, parse_error};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
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

/// The words of other languages that end a block, as `then` begins it.
const CLOSING_WORDS: [&str; 4] = ["end", "endif", "fi", "done"];

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
        pieces: &pieces,
        run: &|input| run(input).map(drop),
        damage: Damage::default(),
        has_word_for_brace: false,
        is_repaired: false,
    };
    let mut errors = recovery.errors(position, errors);
    let repaired = recovery
        .is_repaired
        .then(|| recovery.input(&recovery.tokens));
    let tree = repaired.and_then(|input| run(&input).ok());
    let of_tree = tree.map(check).unwrap_or_default();
    let mut damage = recovery.damage;
    let is_new = |new: &Diagnostic| errors.iter().all(|error| error.span != new.span);
    damage.add_errors::<T>(source, &errors);
    let mut further = damage.independent::<T>(source, of_tree);
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

/// Parses tokens, for their errors alone. It is called through a pointer and without the tree, so that
/// the recovery exists once for each language, not for each of its grammars.
type Run<'f, 's, T> =
    dyn for<'i> Fn(&'i ParserInput<'s, T>) -> Result<(), ParseFailure<'i, T>> + 'f;

struct Recovery<'f, 's, T> {
    source: &'s Source,
    start: Option<T>,
    /// The tokens of the file without comments, with all changes so far.
    tokens: Vec<Piece<'s, T>>,
    /// Tokens that may be missing.
    stand_ins: Vec<Piece<'s, T>>,
    /// How many tokens may still be parsed.
    budget: usize,
    /// The tokens of a text.
    pieces: &'f dyn Fn(&'s str) -> Vec<Piece<'s, T>>,
    run: &'f Run<'f, 's, T>,
    /// What was changed.
    damage: Damage<'s>,
    /// A word such as `then` has been replaced by a `{`.
    has_word_for_brace: bool,
    /// Whether the changed tokens have no more syntax errors.
    is_repaired: bool,
}

impl<'s, T: Syntax> Recovery<'_, 's, T> {
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
            let is_corrected = match errors.last().cloned() {
                Some(error) => self.correct_spelling(&error, position),
                None => false,
            };
            let scope = match is_corrected {
                true => Some(Scope::Token),
                false => self.repair(position),
            };
            let Some(scope) = scope else {
                break;
            };
            let Some((mut next, mut found)) = self.next_error() else {
                break;
            };
            // A brace may be missing before.
            if next.is_none_or(|next| self.is_closing_brace(next))
                && let Some((repair, error)) = self.brace_mistake(next)
            {
                self.record(&repair, Scope::Block);
                self.tokens.splice(repair.removed, repair.added);
                if !self.follows(&error, &errors) {
                    errors.push(error);
                }
                match self.next_error() {
                    Some(after) => (next, found) = after,
                    None => break,
                }
            }
            // What was left out may be the reason that the rest is unexpected as well.
            if scope == Scope::Lines {
                found.retain(|new| errors.iter().all(|error| error.message != new.message));
            }
            if self.has_word_for_brace {
                let word =
                    |error: &Diagnostic| error.span.map_or("", |span| self.source.slice(span));
                found.retain(|error| !CLOSING_WORDS.contains(&word(error)));
            }
            let last = errors.iter().filter_map(|error| self.line_of(error)).max();
            found.retain(|error| self.line_of(error) > last);
            let Some(next) = next else {
                found.retain(|new| !self.follows(new, &errors));
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

    fn line_of(&self, error: &Diagnostic) -> Option<u32> {
        Some(self.source.line_number(error.span?.start))
    }

    /// Whether an error follows from others: a line with an error may have an unclosed bracket because of
    /// it.
    fn follows(&self, error: &Diagnostic, errors: &[Diagnostic]) -> bool {
        let related = error.related.iter().map(|(span, _)| *span);
        let mut spans = related.chain(error.span);
        let line = |span: Span| self.source.line_number(span.start);
        let has_error = |of| errors.iter().any(|other| other.span.map(line) == Some(of));
        spans.any(|span| has_error(line(span)))
    }

    /// Replaces the misspelled keyword of an error. False if the parser does not get farther then.
    fn correct_spelling(&mut self, error: &Diagnostic, position: usize) -> bool {
        let Some((span, word)) = error.suggested_edit(self.source) else {
            return false;
        };
        let at = self
            .tokens
            .iter()
            .position(|token| token.start == span.start as usize);
        let known = T::known_word(&word).map(|word| (self.pieces)(word));
        let (Some(at), Some([known])) = (at, known.as_deref()) else {
            return false;
        };
        let repair = Repair {
            removed: at..at + 1,
            added: vec![known.moved_to(self.tokens[at].start)],
        };
        let mut tokens = self.tokens.clone();
        tokens.splice(repair.removed.clone(), repair.added.iter().copied());
        self.budget = self.budget.saturating_sub(tokens.len());
        let input = self.input(&tokens);
        let failure = (self.run)(&input).err();
        let reached = failure.map_or(Progress::Complete, |f| progress(&f, tokens.len()));
        if reached <= Progress::Until(position) {
            return false;
        }
        self.record(&repair, Scope::Token);
        self.tokens = tokens;
        true
    }

    /// Makes the smallest change that lets the parser continue into the line after its error at
    /// `position`, or else the one that lets it continue the farthest. `None` if no change helps.
    fn repair(&mut self, position: usize) -> Option<Scope> {
        let at = self.tokens.partition_point(|token| token.start < position);
        let context = self.context(at, position);
        let line = self.line(at);
        // The body of a header that is understood is, too.
        let next_line = match self.opens_block(line.end) {
            true => self.start_of(self.end_of_block(line)),
            false => self.start_of(line.end + MIN_TOKENS_OF_NEXT_LINE - 1),
        };
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
                // Closing a block within a line is the least likely of changes that are as good.
                let is_likelier = |best: &(Progress, Scope, Repair<'s, T>)| {
                    progress == best.0
                        && scope == best.1
                        && self.closes_within_line(&best.2)
                        && !self.closes_within_line(&repair)
                };
                if progress > reached || best.as_ref().is_some_and(is_likelier) {
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

    /// Whether a change adds a `}` within a line.
    fn closes_within_line(&self, repair: &Repair<'s, T>) -> bool {
        let adds = repair.added.iter().any(|token| token.text == "}");
        adds && !self.starts_line(repair.removed.start)
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
