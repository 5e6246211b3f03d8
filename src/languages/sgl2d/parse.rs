//! The parser. The grammar describes a single line; this module splits the text into lines and
//! decides what an unexpected token means. If the tokens before it form a complete statement, the
//! language stops reading there and keeps what it has: a warning. Otherwise something required is
//! missing and the game is rejected: an error.
//!
//! ```text
//! ignored_text  warnings about text that the language ignores
//! syntax_error  what syntax errors say
//! ```

pub mod ignored_text;
pub mod syntax_error;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused)]
    grammar,
    "/sgl2d.rs"
);

use super::ast::{Direction, Line, MoveSequence, Name, Number};
use super::token::{Token, tokenize};
use crate::ast;
use crate::diagnostic::{Diagnostic, closest_match, did_you_mean};
use crate::language::syntax::{
    Damage, GrammarErrors, Lexeme, MAX_SYNTAX_ERRORS, ParseFailure, ParserInput, parse_error,
};
use crate::parse::syntax_error::MOVE;
use crate::source::{Source, SourceId, Span};
use grammar::StartParser;

/// Maximum number of moves in one line.
const MAX_MOVES: i32 = 10_000;

/// What the text is parsed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Program,
    Entry,
}

/// The parsed lines, and warnings about what the language silently ignores.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    pub lines: Vec<Line>,
    pub warnings: Vec<Diagnostic>,
}

/// The number after a move; 1 if there is none.
pub(super) fn repeat_count(number: Option<Number>) -> Result<u32, GrammarErrors> {
    let Some(number) = number else { return Ok(1) };
    let count = number.value.filter(|n| (1..=MAX_MOVES).contains(n));
    count
        .map(|n| n as u32)
        .ok_or_else(|| bad_count(number.span))
}

/// The moves of a line, or an error if there are more than [`MAX_MOVES`] in total.
pub(super) fn check_total(line: Vec<MoveSequence>) -> Result<Vec<MoveSequence>, GrammarErrors> {
    let mut moves = 0_u64;
    for sequence in &line {
        moves = moves.saturating_add(sequence.directions.len() as u64 * u64::from(sequence.repeat));
        if moves > MAX_MOVES as u64 {
            return Err(bad_count(sequence.span));
        }
    }
    Ok(line)
}

fn bad_count(span: Span) -> GrammarErrors {
    let message = format!("the number of moves must be 1 to {MAX_MOVES}");
    vec![parse_error("SG009", span, message)]
}

/// The directions of a word such as `right` or `rrdd`.
pub(super) fn directions(word: &str, span: Span) -> Result<Vec<Direction>, GrammarErrors> {
    ast::directions_of_word(word).ok_or_else(|| {
        let suggestion = did_you_mean(word, ["up", "down", "left", "right"]);
        let message = format!("expected {MOVE}, found `{word}`{suggestion}");
        vec![parse_error("SG008", span, message)]
    })
}

pub(super) fn number(digits: &str, span: Span) -> Number {
    Number {
        value: digits.parse().ok(),
        negative: digits.starts_with('-'),
        span,
    }
}

pub(super) fn name(id: SourceId, word: &str, start: usize) -> Name {
    Name {
        text: word.to_ascii_lowercase().into(),
        span: Span::new(id, start, start + word.len()),
    }
}

pub(super) type SpannedToken<'t> = Lexeme<Token<'t>>;

/// Parses a text. An `Err` lists the errors first, then the warnings.
pub fn parse(source: &Source, start: Start) -> Result<Parsed, Vec<Diagnostic>> {
    parse_tokens(source, spanned_tokens(source), start, None, |_| Vec::new())
}

/// Parses a program. If that fails, `check` returns the errors of the lines that parsed.
pub fn parse_program(
    source: &Source,
    check: impl FnOnce(&[Line]) -> Vec<Diagnostic>,
) -> Result<Parsed, Vec<Diagnostic>> {
    parse_tokens(source, spanned_tokens(source), Start::Program, None, check)
}

/// The lines of an entry.
pub struct EntryLines {
    /// An `Err` lists the errors first, then the warnings.
    pub parsed: Result<Parsed, Vec<Diagnostic>>,
    /// True if more input could complete them.
    pub is_incomplete: bool,
}

/// Parses an entry. Text that starts with a position continues the `set` line of
/// `last_set_sprite`, which was entered before.
pub fn parse_prompt(source: &Source, last_set_sprite: Option<&str>) -> EntryLines {
    let tokens = spanned_tokens(source);
    EntryLines {
        is_incomplete: is_incomplete(&source.text, &tokens),
        parsed: parse_tokens(source, tokens, Start::Entry, last_set_sprite, |_| {
            Vec::new()
        }),
    }
}

/// The tokens of a text, including ignored characters. Newlines are empty: an error at the end of a
/// line underlines nothing.
fn spanned_tokens(source: &Source) -> Vec<SpannedToken<'_>> {
    let tokens = tokenize(&source.text).into_iter();
    let spanned = tokens.map(|(range, token)| match token {
        Token::Newline => (range.start, token, range.start),
        _ => (range.start, token, range.end),
    });
    spanned.collect()
}

fn parse_tokens<'t>(
    source: &Source,
    tokens: Vec<SpannedToken<'t>>,
    start: Start,
    last_set_sprite: Option<&'t str>,
    check: impl FnOnce(&[Line]) -> Vec<Diagnostic>,
) -> Result<Parsed, Vec<Diagnostic>> {
    let (ignored, mut tokens): (Vec<_>, Vec<_>) = tokens
        .into_iter()
        .partition(|(_, token, _)| *token == Token::Dropped);
    if let Some(name) = last_set_sprite
        && tokens
            .first()
            .is_some_and(|(_, token, _)| starts_position(token))
    {
        let head = [Token::Set, Token::Word(name), Token::Arrow];
        tokens.splice(0..0, head.map(|token| (0, token, 0)));
    }
    let parser = LineParser {
        source,
        tokens: &tokens,
        start,
    };
    let (lines, end) = parser.lines();
    let read_until = match &end {
        End::Text => source.text.len(),
        End::Stop { at, .. } => tokens[*at].0,
        End::Missing(errors) => errors
            .first()
            .and_then(|error| error.span)
            .map_or(0, |span| span.start as usize),
    };
    let ignored = ignored.into_iter().map(|(start, _, end)| start..end);
    let ignored = ignored.filter(|range| range.start < read_until);
    let mut warnings = ignored_text::dropped_chars(source, ignored);
    match end {
        End::Text => Ok(Parsed { lines, warnings }),
        End::Missing(mut errors) => {
            let mut damage = Damage::default();
            damage.add_errors::<Token<'_>>(source, &errors);
            errors.extend(damage.independent::<Token<'_>>(source, check(&lines)));
            errors.sort_by_key(|error| (!error.is_error(), error.span.map(|span| span.start)));
            // In `x=1.5` and `player = x=1`, the error is about the ignored character, too.
            let is_cause = |warning: &Diagnostic, error: &Diagnostic| {
                let range = warning.span.zip(error.span);
                let between =
                    range.map(|(warning, error)| warning.end as usize..error.start as usize);
                let between = between.and_then(|between| source.text.get(between));
                between.is_some_and(|text| text.chars().all(|c| c == ' '))
            };
            warnings.retain(|warning| !errors.iter().any(|error| is_cause(warning, error)));
            Err(errors.into_iter().chain(warnings).collect())
        }
        End::Stop { at, first } => {
            let mut warning = ignored_text::reading_stopped(source, &tokens, first, at, start);
            // In `x=1.5`, reading stops because of the point.
            let is_point = |dropped: &mut Diagnostic| {
                dropped.span.is_some_and(|span| {
                    span.end as usize == tokens[at].0 && source.slice(span) == "."
                })
            };
            for point in warnings.extract_if(.., is_point) {
                warning.notes.splice(0..0, point.notes);
            }
            if start == Start::Entry && lines.is_empty() {
                warnings.insert(0, ignored_text::nothing_read(warning));
                return Err(warnings);
            }
            warnings.push(warning);
            Ok(Parsed { lines, warnings })
        }
    }
}

/// Whether an entry continues on the next line: only a `set` line without positions does, also one
/// whose `set` is misspelled. Its positions must not continue the `set` line before it.
fn is_incomplete(text: &str, tokens: &[SpannedToken<'_>]) -> bool {
    let mut lines = text.lines();
    let last_line = lines.next_back().unwrap_or("");
    let ends_blank = lines.next().is_some() && last_line.trim().is_empty();
    let tokens = tokens.iter().map(|(_, token, _)| token);
    let mut last = tokens.rev().filter(|token| **token != Token::Newline);
    let last = [last.next(), last.next(), last.next()];
    let is_set = |token: &Token| match token {
        Token::Set => true,
        Token::Word(word) => closest_match(word, ["set"]).is_some(),
        _ => false,
    };
    !ends_blank
        && matches!(last, [Some(Token::Arrow), Some(Token::Word(_)), Some(first)] if is_set(first))
}

/// Whether a position or range starts with this token.
fn starts_position(token: &Token) -> bool {
    matches!(token, Token::X(_) | Token::Y(_) | Token::Open)
}

/// Why parsing ended.
enum End {
    /// At the end of the text.
    Text,
    /// At an unexpected token; `first` is the first token of its line.
    Stop { at: usize, first: usize },
    /// At tokens that are missing, with the errors for them, and a warning if reading stops later on.
    Missing(Vec<Diagnostic>),
}

struct LineParser<'s, 't> {
    source: &'s Source,
    /// Without ignored characters.
    tokens: &'s [SpannedToken<'t>],
    start: Start,
}

impl<'t> LineParser<'_, 't> {
    fn lines(&self) -> (Vec<Line>, End) {
        let (mut lines, mut errors, mut first) = (Vec::new(), Vec::new(), 0);
        while first < self.tokens.len() && errors.len() < MAX_SYNTAX_ERRORS {
            if self.tokens[first].1 == Token::Newline {
                first += 1;
                continue;
            }
            let last = self.end_of_line(first);
            let (line, end) = self.line(first, last);
            lines.extend(line);
            match end {
                Some(End::Missing(missing)) => errors.extend(missing),
                Some(end) if errors.is_empty() => return (lines, end),
                Some(End::Stop { at, first }) => {
                    let stop = ignored_text::reading_stopped;
                    errors.push(stop(self.source, self.tokens, first, at, self.start));
                    break;
                }
                Some(End::Text) => break,
                None => {}
            }
            first = last;
        }
        match errors.is_empty() {
            true => (lines, End::Text),
            false => (lines, End::Missing(errors)),
        }
    }

    /// The end of the line that starts at `first`: its newline, except that `set` continues while
    /// positions follow.
    fn end_of_line(&self, first: usize) -> usize {
        let is_newline = |at: usize| self.tokens[at].1 == Token::Newline;
        let mut at = first;
        while at < self.tokens.len() {
            if is_newline(at) {
                let is_set = self.tokens[first].1 == Token::Set;
                let next = (at..self.tokens.len()).find(|&n| !is_newline(n));
                match next.filter(|&n| is_set && starts_position(&self.tokens[n].1)) {
                    Some(next) => at = next,
                    None => return at,
                }
            }
            at += 1;
        }
        at
    }

    /// Parses one line. Returns what is kept of it, and why parsing ends here, if it does.
    fn line(&self, first: usize, last: usize) -> (Option<Line>, Option<End>) {
        let marker = match self.is_moves(first) {
            true => Token::StartMoves,
            false => Token::StartStatement,
        };
        let failure = match self.run_grammar(marker, first, last) {
            Ok(line) => return (Some(line), None),
            Err(failure) => failure,
        };
        if let ParseFailure::Syntax(error) = &failure
            && marker == Token::StartStatement
        {
            let at = error.index;
            let stop = Some(End::Stop { at, first });
            if at == first {
                return (None, stop);
            }
            if let Ok(kept) = self.run_grammar(marker, first, at) {
                return (Some(kept), stop);
            }
        }
        (None, Some(End::Missing(failure.into_diagnostics())))
    }

    fn is_moves(&self, first: usize) -> bool {
        matches!(self.tokens[first].1, Token::Word(word)
            if self.start == Start::Entry && ast::directions_of_word(word).is_some())
    }

    /// Runs the generated parser on the tokens from `first` up to, but not including, `last`.
    fn run_grammar(
        &self,
        marker: Token<'t>,
        first: usize,
        last: usize,
    ) -> Result<Line, ParseFailure<'_, Token<'t>>> {
        let is_counter = self.tokens[first].1 == Token::Counter;
        let line = self.tokens[first..last].iter().enumerate();
        let line = line.map(|(index, &(start, token, end))| match is_counter {
            true => (start, expand_short_keyword(index, token), end),
            false => (start, token, end),
        });
        let input = ParserInput::from_lexemes(self.source, Some(marker), line.collect());
        input
            .parse(|tokens| StartParser::new().parse(self.source.id, tokens))
            .map_err(|failure| failure.within(self.source, self.tokens, first))
    }
}

/// The language documentation writes `Counter 1` and `WinOnZero` on counter lines; both are
/// accepted there as well as the full keywords.
fn expand_short_keyword(index: usize, token: Token<'_>) -> Token<'_> {
    match token {
        Token::Int(digit @ ("1" | "2" | "3")) if index == 1 => {
            Token::CounterIndex(digit.as_bytes()[0] - b'0')
        }
        Token::Word(word) if index > 1 => match word.to_ascii_lowercase().as_str() {
            "winonzero" => Token::WinOnZero,
            "gameoveronzero" => Token::GameOverOnZero,
            _ => token,
        },
        _ => token,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::StatementKind;
    use crate::source::Origin;

    fn source(text: &str) -> Source {
        Source::new(SourceId(2), Origin::Entry(1), text)
    }

    fn statements(text: &str) -> usize {
        parse(&source(text), Start::Program).unwrap().lines.len()
    }

    #[test]
    fn a_missing_token_is_an_error_at_its_position() {
        for (text, code, line, marked, message) in [
            (
                "sprite wall1 > color=red",
                "SG003",
                1,
                "1",
                "expected `>`, found `1`",
            ),
            (
                "sprite win >",
                "SG004",
                1,
                "win",
                "`win` is a keyword and cannot be used as a name",
            ),
            (
                "environment >\nplayer x=1 y=1",
                "SG003",
                2,
                "x=1",
                "expected `>`",
            ),
            (
                "player\ngoal >",
                "SG003",
                1,
                "",
                "found the end of the line",
            ),
            ("player", "SG003", 1, "", "found the end of the input"),
            ("set a > x=1 x=2 y=3", "SG006", 1, "x=2", "expected `y=…`"),
            (
                "set a > x=1\ny=3",
                "SG006",
                1,
                "",
                "found the end of the line",
            ),
            ("set a > (x=1 y=2, x=3 y=4", "SG007", 1, "", "expected `)`"),
            (
                "set a > (x=1 y=2 x=3 y=4)",
                "SG007",
                1,
                "x=3",
                "expected `,`",
            ),
            (
                "set a > (x=1 y=2,\nx=3 y=4)",
                "SG006",
                1,
                "",
                "expected a position",
            ),
            (
                "event > win",
                "SG004",
                1,
                ">",
                "expected `player` or the name of a sprite",
            ),
            ("event goal > win", "SG004", 1, "goal", "found `goal`"),
            (
                "counter 4 > true",
                "SG005",
                1,
                "4",
                "`counter1`, `counter2` or `counter3`",
            ),
        ] {
            let source = source(text);
            let error = parse(&source, Start::Program).unwrap_err().remove(0);
            let span = error.span.unwrap();
            let found = (
                error.code,
                source.line_number(span.start),
                source.slice(span),
            );
            assert_eq!(found, (code, line, marked), "{text}: {}", error.message);
            assert!(
                error.is_error() && error.message.contains(message),
                "{text}: {}",
                error.message
            );
        }
    }

    #[test]
    fn nothing_is_checked_after_reading_stops() {
        assert_eq!(statements("player >\nfoo\nsprite >"), 1);
        assert_eq!(statements("player > x=1 goal\nsprite >"), 1);
    }

    #[test]
    fn set_continues_over_newlines_while_positions_follow() {
        let parsed = parse(
            &source("set s >\n\n  \n x=1 y=0\n(x=1 y=1, x=3 y=3)\ngoal >"),
            Start::Program,
        )
        .unwrap();
        assert_eq!(parsed.lines.len(), 2);
        let Line::Statement(set) = &parsed.lines[0] else {
            panic!("expected a statement")
        };
        let StatementKind::Set { regions, .. } = &set.kind else {
            panic!("expected a set line")
        };
        let is_range: Vec<bool> = regions.iter().map(|r| r.first != r.last).collect();
        assert_eq!(is_range, [false, true]);
    }

    #[test]
    fn the_short_keywords_of_the_documentation_are_accepted_on_counter_lines() {
        let full = "counter counter3 > true 1 winonzerocounter gameoveronzerocounter";
        let short = "Counter 3        > true 1 WinOnZero        GameOverOnZero       ";
        for text in [full, short] {
            let parsed = parse(&source(text), Start::Program).unwrap();
            assert!(parsed.warnings.is_empty(), "{text}: {:?}", parsed.warnings);
            let Line::Statement(counter) = &parsed.lines[0] else {
                panic!("expected a statement")
            };
            let StatementKind::Counter(counter) = &counter.kind else {
                panic!("expected a counter line")
            };
            assert_eq!((counter.index, counter.shown), (3, true));
            assert_eq!(counter.initial_value(), 1);
            assert!(counter.win_on_zero.is_some() && counter.game_over_on_zero.is_some());
        }
        // Elsewhere they are ordinary words.
        assert_eq!(
            statements("sprite winonzero > color=red\nset winonzero > x=1 y=1"),
            2
        );
    }

    #[test]
    fn moves_are_only_parsed_at_the_prompt() {
        let parsed = parse(&source("right 3\nRRd up\nplayer >"), Start::Entry).unwrap();
        let moves: Vec<Vec<(usize, u32)>> = parsed
            .lines
            .iter()
            .filter_map(|line| match line {
                Line::Moves(steps) => Some(
                    steps
                        .iter()
                        .map(|s| (s.directions.len(), s.repeat))
                        .collect(),
                ),
                Line::Statement(_) => None,
            })
            .collect();
        assert_eq!(moves, [vec![(1, 3)], vec![(3, 1), (1, 1)]]);
        assert_eq!(statements("player >\nright 3\nplayer >"), 1);
        let (many, together) = ("r".repeat(10_001), "right 6000 left 6000");
        let wrong = [
            ("right 0", "SG009"),
            ("right 99999999999", "SG009"),
            (&many, "SG009"),
            (together, "SG009"),
        ];
        for (text, code) in wrong.into_iter().chain([("right foo", "SG008")]) {
            assert_eq!(
                parse(&source(text), Start::Entry).unwrap_err()[0].code,
                code,
                "{text}"
            );
        }
    }
}
