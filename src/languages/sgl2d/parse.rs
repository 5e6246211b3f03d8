//! From text to lines. The grammar knows one statement; here the text is cut into statements, and a token that does not
//! fit is looked at twice: if what stands before it is a whole statement, the language stops there for good and
//! keeps what it has read; if not, something that must be there is missing and the game cannot be made.

use std::ops::Range;

use lalrpop_util::ParseError;

use super::ast::{Direction, Line, MoveSequence, Name, Number};
use super::grammar::StartParser;
use super::syntax_error;
use super::token::{Token, tokenize};
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::{Source, SourceId, Span};

/// How many moves one count may ask for.
const MOST_MOVES: i32 = 10_000;

/// What a text is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Program,
    Entry,
}

/// What was read, and what the language would have passed over in silence.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    pub lines: Vec<Line>,
    pub warnings: Vec<Diagnostic>,
}

/// What the grammar itself finds wrong, in lines of moves only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MoveError {
    UnknownMove(Span),
    BadCount(Span),
}

impl MoveError {
    /// The count behind a move; one where none is given.
    pub(super) fn repeat_count(number: Option<Number>) -> Result<u32, MoveError> {
        let Some(number) = number else { return Ok(1) };
        let fits = number.value.filter(|n| (1..=MOST_MOVES).contains(n));
        fits.map(|n| n as u32)
            .ok_or(MoveError::BadCount(number.span))
    }

    /// The moves of a line, if they are not too many together.
    pub(super) fn check_total(line: Vec<MoveSequence>) -> Result<Vec<MoveSequence>, MoveError> {
        let mut moves = 0_u64;
        for steps in &line {
            moves = moves.saturating_add(steps.directions.len() as u64 * u64::from(steps.repeat));
            if moves > MOST_MOVES as u64 {
                return Err(MoveError::BadCount(steps.span));
            }
        }
        Ok(line)
    }
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

pub(super) type SpannedToken<'t> = (Range<usize>, Token<'t>);
type Failure<'t> = ParseError<usize, Token<'t>, MoveError>;

/// Reads a text. The errors come first in the list of an `Err`, warnings behind them.
pub fn parse(source: &Source, start: Start) -> Result<Parsed, Vec<Diagnostic>> {
    parse_continuing(source, start, None)
}

/// The same; a text that begins with places goes on with the `set` line of this sprite, which was typed before it.
pub fn parse_continuing(
    source: &Source,
    start: Start,
    setting: Option<&str>,
) -> Result<Parsed, Vec<Diagnostic>> {
    let (dropped, mut tokens): (Vec<_>, Vec<_>) = tokenize(&source.text)
        .into_iter()
        .partition(|(_, token)| *token == Token::Dropped);
    if let (Some(name), Some(0)) = (
        setting,
        tokens.iter().position(|(_, token)| is_place(token)),
    ) {
        let head = [Token::Set, Token::Word(name), Token::Arrow];
        tokens.splice(0..0, head.map(|token| (0..0, token)));
    }
    let reader = Reader {
        source,
        tokens: &tokens,
        start,
    };
    let (lines, end) = reader.lines();
    let cut = match &end {
        End::Text => source.text.len(),
        End::Stop { at, .. } => reader.span(*at).start as usize,
        End::Missing(told) => told.span.map_or(0, |span| span.start as usize),
    };
    let mut warnings = syntax_error::dropped_chars(
        source,
        dropped
            .into_iter()
            .map(|(range, _)| range)
            .filter(|r| r.start < cut),
    );
    match end {
        End::Text => Ok(Parsed { lines, warnings }),
        End::Missing(told) => Err(std::iter::once(told).chain(warnings).collect()),
        End::Stop { at, first } => {
            let told = syntax_error::reading_stopped(source, &tokens, first, at, start);
            if start == Start::Entry && lines.is_empty() {
                return Err(std::iter::once(syntax_error::nothing_read(told))
                    .chain(warnings)
                    .collect());
            }
            warnings.push(told);
            Ok(Parsed { lines, warnings })
        }
    }
}

/// A line is whole where it ends, but a `set` without places waits for them.
pub fn is_unfinished(text: &str) -> bool {
    let tokens = tokenize(text);
    let mut last = tokens
        .iter()
        .map(|(_, token)| token)
        .rev()
        .filter(|token| **token != Token::Newline);
    let blank = text.lines().count() > 1
        && text
            .lines()
            .next_back()
            .is_none_or(|line| line.trim().is_empty());
    !blank
        && matches!(
            [last.next(), last.next(), last.next()],
            [Some(Token::Arrow), Some(Token::Word(_)), Some(Token::Set)]
        )
}

/// Whether a place begins with it.
fn is_place(token: &Token) -> bool {
    matches!(token, Token::X(_) | Token::Y(_) | Token::Open)
}

/// Why no further line was read.
enum End {
    Text,
    /// At a token that fits nowhere; `first` is the first token of its statement.
    Stop {
        at: usize,
        first: usize,
    },
    Missing(Diagnostic),
}

struct Reader<'s, 't> {
    source: &'s Source,
    /// Without the dropped characters.
    tokens: &'s [SpannedToken<'t>],
    start: Start,
}

impl<'t> Reader<'_, 't> {
    fn lines(&self) -> (Vec<Line>, End) {
        let (mut lines, mut first) = (Vec::new(), 0);
        while first < self.tokens.len() {
            if self.tokens[first].1 == Token::Newline {
                first += 1;
                continue;
            }
            let last = self.end_of_line(first);
            let (line, end) = self.line(first, last);
            lines.extend(line);
            if let Some(end) = end {
                return (lines, end);
            }
            first = last;
        }
        (lines, End::Text)
    }

    /// Behind the last token of the statement: at its newline, but `set` goes on where places follow.
    fn end_of_line(&self, first: usize) -> usize {
        let is_newline = |at: usize| self.tokens[at].1 == Token::Newline;
        let mut at = first;
        while at < self.tokens.len() {
            if is_newline(at) {
                let next = (at..self.tokens.len()).find(|&n| !is_newline(n));
                match next
                    .filter(|n| self.tokens[first].1 == Token::Set && is_place(&self.tokens[*n].1))
                {
                    Some(next) => at = next,
                    None => return at,
                }
            }
            at += 1;
        }
        at
    }

    /// One line, or what is kept of it and why reading ends in it.
    fn line(&self, first: usize, last: usize) -> (Option<Line>, Option<End>) {
        if self.is_moves(first) {
            return match self.run(Token::StartMoves, first, last) {
                Ok(line) => (Some(line), None),
                Err(failure) => (None, Some(End::Missing(self.no_moves(failure, last)))),
            };
        }
        let (at, expected) = match self.run(Token::StartStatement, first, last) {
            Ok(line) => return (Some(line), None),
            Err(ParseError::UnrecognizedToken {
                token: (start, ..),
                expected,
            }) => {
                let at = self.tokens[first..last]
                    .iter()
                    .position(|(range, _)| range.start == start);
                (first + at.unwrap_or(0), expected)
            }
            Err(ParseError::UnrecognizedEof { expected, .. }) => (last, expected),
            Err(_) => (first, Vec::new()),
        };
        if at == first {
            return (None, Some(End::Stop { at, first }));
        }
        match self.run(Token::StartStatement, first, at) {
            Ok(kept) => (Some(kept), Some(End::Stop { at, first })),
            Err(_) => (None, Some(End::Missing(self.missing(first, at, &expected)))),
        }
    }

    fn is_moves(&self, first: usize) -> bool {
        matches!(self.tokens[first].1, Token::Word(word)
            if self.start == Start::Entry && Direction::parse_word(word).is_some())
    }

    fn run(&self, marker: Token<'t>, first: usize, last: usize) -> Result<Line, Failure<'t>> {
        let line = &self.tokens[first..last];
        let of_counter = line
            .first()
            .is_some_and(|(_, token)| *token == Token::Counter);
        let body = line.iter().enumerate().map(|(nth, (range, token))| {
            let token = if of_counter {
                as_documented(nth, *token)
            } else {
                *token
            };
            Ok((range.start, token, range.end))
        });
        StartParser::new().parse(
            self.source.id,
            std::iter::once(Ok((0, marker, 0))).chain(body),
        )
    }

    /// The place of a token. The end of a line and of the text are places without width.
    fn span(&self, at: usize) -> Span {
        match self.tokens.get(at) {
            Some((range, Token::Newline)) => self.source.span(range.start, range.start),
            Some((range, _)) => self.source.span(range.start, range.end),
            None => {
                let end = self.tokens.last().map_or(0, |(range, _)| range.end);
                self.source.span(end, end)
            }
        }
    }

    fn no_moves(&self, failure: Failure<'t>, last: usize) -> Diagnostic {
        let moves = ["up", "down", "left", "right"];
        match failure {
            ParseError::User {
                error: MoveError::BadCount(span),
            } => error(
                "SG009",
                span,
                format!("the number of moves must be from 1 to {MOST_MOVES}"),
            ),
            ParseError::User {
                error: MoveError::UnknownMove(span),
            } => {
                let near = did_you_mean(self.source.slice(span), moves);
                error(
                    "SG008",
                    span,
                    format!("expected a move (up, down, left, right){near}"),
                )
            }
            ParseError::UnrecognizedToken {
                token: (start, _, end),
                ..
            } => {
                let span = self.source.span(start, end);
                let found = self.source.slice(span);
                error(
                    "SG008",
                    span,
                    format!("expected a move (up, down, left, right), found `{found}`"),
                )
                .note("write `right 3`, or `rrdd`")
            }
            _ => error(
                "SG008",
                self.span(last),
                "expected a move (up, down, left, right)",
            ),
        }
    }

    /// A token that must be there is not: the parser's list of tokens, in words.
    fn missing(&self, first: usize, at: usize, expected: &[String]) -> Diagnostic {
        let has = |token: &str| expected.iter().any(|e| e.trim_matches('"') == token);
        let (span, found) = (self.span(at), self.found(at));
        let told =
            |code, wanted: &str| error(code, span, format!("expected {wanted}, found {found}"));
        if has(">") {
            return self.no_arrow(first, at, told("SG003", "`>`"));
        }
        if has("word") {
            return self.no_name(first, at, told);
        }
        if has("index") {
            // `counter4` is read as `counter` and a number that touches it.
            let digits = self.tokens.get(at + 1).filter(|(next, token)| {
                matches!(token, Token::Int(_))
                    && next.start == span.end as usize
                    && self.tokens[at].1 == Token::Counter
            });
            let (span, found) = match digits {
                Some((next, _)) => {
                    let whole = self.source.span(span.start as usize, next.end);
                    (whole, format!("`{}`", self.source.slice(whole)))
                }
                None => (span, found),
            };
            let told =
                |code, wanted: &str| error(code, span, format!("expected {wanted}, found {found}"));
            return told("SG005", "`counter1`, `counter2` or `counter3`")
                .note("write `counter counter1 > true 10`; there are three counters");
        }
        match (has("x"), has("y"), has(",")) {
            (true, true, _) => {
                told("SG006", "a position such as `x=1 y=2`").note("a range stands on one line")
            }
            (true, ..) => told("SG006", "`x=…` as the other half of the position"),
            (_, true, _) => told("SG006", "`y=…` as the other half of the position"),
            (_, _, true) => told("SG007", "`,` and the second corner of the range"),
            _ => told("SG007", "`)` behind the range"),
        }
    }

    fn no_arrow(&self, first: usize, at: usize, told: Diagnostic) -> Diagnostic {
        let after_name = matches!(self.tokens[at - 1].1, Token::Word(_));
        match self.tokens.get(at).map(|(_, token)| token) {
            Some(Token::Int(_)) if after_name => {
                told.note("names are letters and `_`, without digits")
            }
            Some(Token::Word(_)) if after_name => {
                told.note("a name is one word; join the parts with `_`")
            }
            _ => {
                let head = self
                    .source
                    .span(self.tokens[first].0.start, self.tokens[at - 1].0.end);
                told.note(format!("write `{} > …`", self.source.slice(head)))
            }
        }
    }

    fn no_name(
        &self,
        first: usize,
        at: usize,
        told: impl Fn(&'static str, &str) -> Diagnostic,
    ) -> Diagnostic {
        let wanted = match self.tokens[first].1 {
            Token::Event => "`player` or the name of a sprite",
            _ => "the name of a sprite",
        };
        let told = told("SG004", wanted);
        match self.tokens.get(at).map(|(_, token)| token) {
            Some(Token::Goal) if self.tokens[first].1 == Token::Event => told.note(
                "the goal takes no events: reaching it wins; put a sprite with events on its cell",
            ),
            Some(token) if token.is_keyword() || matches!(token, Token::CounterIndex(_)) => {
                told.note("a word of the language cannot be a name")
            }
            Some(Token::Int(_)) => told.note("names are letters and `_`, without digits"),
            Some(Token::Arrow) => told.note(format!(
                "write `{} NAME > …`",
                self.source.slice(self.span(first))
            )),
            _ => told,
        }
    }

    fn found(&self, at: usize) -> String {
        match self.tokens.get(at).map(|(_, token)| token) {
            None => "the end of the text".to_string(),
            Some(Token::Newline) => "the end of the line".to_string(),
            Some(_) => format!("`{}`", self.source.slice(self.span(at))),
        }
    }
}

fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, message)
}

/// On counter lines the documentation writes `Counter 1` and `WinOnZero`, which are accepted beside the full words.
fn as_documented(nth: usize, token: Token<'_>) -> Token<'_> {
    match token {
        Token::Int(digit @ ("1" | "2" | "3")) if nth == 1 => {
            Token::CounterIndex(digit.as_bytes()[0] - b'0')
        }
        Token::Word(word) if nth > 1 && word.eq_ignore_ascii_case("winonzero") => Token::WinOnZero,
        Token::Word(word) if nth > 1 && word.eq_ignore_ascii_case("gameoveronzero") => {
            Token::GameOverOnZero
        }
        _ => token,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::sgl2d::ast::{Region, StatementKind};
    use crate::source::Origin;

    fn source(text: &str) -> Source {
        Source::new(SourceId(2), Origin::Entry(1), text)
    }

    fn statements(text: &str) -> usize {
        parse(&source(text), Start::Program).unwrap().lines.len()
    }

    #[test]
    fn a_missing_token_refuses_the_game_at_its_place() {
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
                "expected the name of a sprite, found `win`",
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
            ("player", "SG003", 1, "", "found the end of the text"),
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
            let told = parse(&source, Start::Program).unwrap_err().remove(0);
            let span = told.span.unwrap();
            let found = (
                told.code,
                source.line_column(span.start).0,
                source.slice(span),
            );
            assert_eq!(found, (code, line, marked), "{text}: {}", told.message);
            assert!(
                told.is_error() && told.message.contains(message),
                "{text}: {}",
                told.message
            );
        }
    }

    #[test]
    fn an_error_behind_a_stop_is_never_reached() {
        assert_eq!(statements("player >\nfoo\nsprite >"), 1);
        assert_eq!(statements("player > x=1 goal\nsprite >"), 1);
    }

    #[test]
    fn set_goes_on_over_newlines_while_places_follow() {
        let reading = parse(
            &source("set s >\n\n  \n x=1 y=0\n(x=1 y=1, x=3 y=3)\ngoal >"),
            Start::Program,
        )
        .unwrap();
        assert_eq!(reading.lines.len(), 2);
        let Line::Statement(set) = &reading.lines[0] else {
            panic!("a statement")
        };
        let StatementKind::Set { places, .. } = &set.kind else {
            panic!("a set")
        };
        assert!(matches!(
            places[..],
            [Region::Cell(_), Region::Range { .. }]
        ));
    }

    #[test]
    fn the_words_of_the_documentation_are_accepted_on_counter_lines() {
        let full = "counter counter3 > true 1 winonzerocounter gameoveronzerocounter";
        let short = "Counter 3        > true 1 WinOnZero        GameOverOnZero       ";
        for text in [full, short] {
            let reading = parse(&source(text), Start::Program).unwrap();
            assert!(
                reading.warnings.is_empty(),
                "{text}: {:?}",
                reading.warnings
            );
            let Line::Statement(counter) = &reading.lines[0] else {
                panic!("a statement")
            };
            let StatementKind::Counter { index, arguments } = &counter.kind else {
                panic!("a counter")
            };
            assert_eq!((*index, arguments.len()), (3, 4));
        }
        // Elsewhere they stay plain words.
        assert_eq!(
            statements("sprite winonzero > color=red\nset winonzero > x=1 y=1"),
            2
        );
    }

    #[test]
    fn moves_are_read_at_the_prompt_only() {
        let reading = parse(&source("right 3\nRRd up\nplayer >"), Start::Entry).unwrap();
        let moves: Vec<Vec<(usize, u32)>> = reading
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
