//! The two things SGL2D does without a word, put into words: it stops reading at what it does not understand, and it drops
//! characters that it does not have.

use std::ops::Range;

use super::ast::Color;
use super::parse::{SpannedToken, Start};
use super::token::Token;
use crate::diagnostic::{Diagnostic, Phase, Severity, closest_match};
use crate::source::{Source, Span};

/// How many different dropped characters are told of; a text with more is no game.
const MOST_TOLD: usize = 20;

const AXES: [&str; 2] = ["x=", "y="];
const FLAGS: [&str; 4] = [
    "win",
    "gameover",
    "winonzerocounter",
    "gameoveronzerocounter",
];
const NAMING: [&str; 4] = [
    "movetorandom=",
    "movetorandomonzero=",
    "transformtosprite=",
    "transformonzerocounter=",
];
const COUNTING: [&str; 18] = [
    "inccounter1=",
    "inccounter2=",
    "inccounter3=",
    "deccounter1=",
    "deccounter2=",
    "deccounter3=",
    "incspritecounter=",
    "decspritecounter=",
    "setspritecounter=",
    "playerinccounter1=",
    "playerinccounter2=",
    "playerinccounter3=",
    "playerdeccounter1=",
    "playerdeccounter2=",
    "playerdeccounter3=",
    "playerincspritecounter=",
    "playerdecspritecounter=",
    "moveplayerto=",
];

/// Reading stopped at the token `at`, in or behind the statement that starts with the token `first`.
pub(super) fn reading_stopped(
    source: &Source,
    tokens: &[SpannedToken<'_>],
    first: usize,
    at: usize,
    start: Start,
) -> Diagnostic {
    let (range, found) = &tokens[at];
    let form = (at > first).then(|| tokens[first].1);
    let phrase = phrase(source, range.start);
    // Inside a line a person reads up to the next blank; where a line starts the word itself is wrong.
    let shown = if form.is_some() {
        phrase
    } else {
        &source.text[range.clone()]
    };
    let span = source.span(range.start, range.start + shown.len());
    let near = nearest_form(form, shown, start);
    // What was probably meant says more than all that could have been.
    let message = match &near {
        Some(near) => {
            format!("reading stops here: `{shown}` is not understood; did you mean `{near}`?")
        }
        None => format!(
            "reading stops here: expected {}, found `{shown}`",
            wanted(form, start)
        ),
    };
    let mut told =
        Diagnostic::warning(Phase::Parse, "SG001", span, message).label("not read from here on");
    let way_out = way_out(source, tokens, form, at, *found, phrase);
    let listed = forms(form, start).map(str::to_string);
    let expected = near.map(|_| format!("expected {}", wanted(form, start)));
    told.notes.extend(way_out.or(listed).or(expected));
    let unread = unread_lines(source, range.start);
    if unread > 0 {
        told.notes.push(format!(
            "{unread} further line{} not read",
            if unread == 1 { " is" } else { "s are" }
        ));
    }
    told
}

/// At the prompt a stop at the very start means that nothing at all was understood.
pub(super) fn nothing_read(stop: Diagnostic) -> Diagnostic {
    let message = match stop.message.strip_prefix("reading stops here: ") {
        Some(rest) => rest.to_string(),
        None => stop.message.clone(),
    };
    Diagnostic {
        severity: Severity::Error,
        code: "SG008",
        message,
        label: String::new(),
        ..stop
    }
}

/// One warning for each text that was dropped, at its first place, however often it comes.
pub(super) fn dropped_chars(
    source: &Source,
    places: impl Iterator<Item = Range<usize>>,
) -> Vec<Diagnostic> {
    let mut seen: Vec<(&str, Vec<Span>)> = Vec::new();
    for range in places {
        let text = &source.text[range.clone()];
        if text == "\u{feff}" {
            continue;
        }
        let span = source.span(range.start, range.end);
        let told = seen.len();
        match seen.iter_mut().find(|(known, _)| *known == text) {
            Some((_, spans)) => spans.push(span),
            None if told < MOST_TOLD => seen.push((text, vec![span])),
            None => {}
        }
    }
    seen.into_iter()
        .map(|(text, spans)| dropped_text(text, &spans))
        .collect()
}

fn dropped_text(text: &str, spans: &[Span]) -> Diagnostic {
    let often = if spans.len() > 1 {
        format!(" ({} times)", spans.len())
    } else {
        String::new()
    };
    let shown = text.escape_debug();
    let message = format!("SGL2D has no `{shown}`, it is dropped{often}");
    let mut told = Diagnostic::warning(Phase::Parse, "SG002", spans[0], message);
    told.related.extend(
        spans
            .iter()
            .skip(1)
            .take(3)
            .map(|span| (*span, "and here".to_string())),
    );
    match text.chars().next() {
        Some('-') => told.notes.push(
            "a minus sign that is not before a digit takes the next character with it".into(),
        ),
        Some('=') => told
            .notes
            .push("an `=` must touch the word before it and what follows it".into()),
        Some('\t') => told.notes.push("write blanks instead of tabs".into()),
        Some('#') | Some('/') => told.notes.push("SGL2D has no comments".into()),
        _ => {}
    }
    told
}

/// What a person would take as one word: up to a blank or a bracket.
fn phrase(source: &Source, start: usize) -> &str {
    let rest = &source.text[start..];
    let ends = |c: char| c.is_whitespace() || matches!(c, '>' | '(' | ',' | ')');
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let end = rest[first..]
        .find(ends)
        .map_or(rest.len(), |end| first + end);
    // A bracket or comma is a phrase of its own.
    if rest.starts_with(['>', '(', ',', ')']) {
        &rest[..first]
    } else {
        &rest[..end]
    }
}

/// Lines with something on them, behind the line of the stop.
fn unread_lines(source: &Source, start: usize) -> usize {
    source.text[start..]
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .count()
}

/// All that could stand there, where there is no room for it in the message.
fn forms(form: Option<Token>, start: Start) -> Option<&'static str> {
    match form {
        Some(Token::Counter) => Some("the flags are winonzerocounter and gameoveronzerocounter"),
        Some(Token::Set) => Some("a position is `x=1 y=2`, a range `(x=1 y=1, x=3 y=3)`"),
        Some(_) => None,
        None if start == Start::Entry => Some(
            "statements begin with environment, goal, player, sprite, counter, event or set; moves are up, down, left and right",
        ),
        None => {
            Some("statements begin with environment, goal, player, sprite, counter, event or set")
        }
    }
}

fn wanted(form: Option<Token>, start: Start) -> &'static str {
    match form {
        Some(Token::Environment) => "`x=…` or `y=…`",
        Some(Token::Goal | Token::Player) => "`x=…`, `y=…` or `color=…`",
        Some(Token::Sprite) => "`color=…` or `solid=…`",
        Some(Token::Counter) => "`true`, `false`, a number or a flag",
        Some(Token::Event) => "an action such as `win`",
        Some(_) => "a position or a range",
        None if start == Start::Entry => "a statement or a move",
        None => "a statement",
    }
}

/// The nearest thing that could stand there.
fn nearest_form(form: Option<Token>, phrase: &str, start: Start) -> Option<String> {
    let moves: &[&str] = if start == Start::Entry {
        &["up", "down", "left", "right"]
    } else {
        &[]
    };
    let colors: Vec<String> = Color::WORDS
        .iter()
        .map(|(word, _)| format!("color={word}"))
        .collect();
    let colors = colors.iter().map(String::as_str);
    // Of `inccountr1=5` only the part up to the `=` is compared.
    let head = phrase.find('=').map_or(phrase, |equals| &phrase[..=equals]);
    if AXES
        .iter()
        .chain(&NAMING)
        .chain(&COUNTING)
        .any(|known| known.eq_ignore_ascii_case(head))
    {
        return None;
    }
    let near = match form {
        None => likeliest(
            phrase,
            Token::STATEMENT_KEYWORDS
                .into_iter()
                .chain(moves.iter().copied()),
        ),
        Some(Token::Environment | Token::Set) => closest_match(head, AXES),
        Some(Token::Goal | Token::Player) => {
            likeliest(phrase, colors).or_else(|| closest_match(head, AXES))
        }
        Some(Token::Sprite) => likeliest(phrase, colors.chain(["solid=true", "solid=false"])),
        Some(Token::Counter) => likeliest(
            phrase,
            ["true", "false", "winonzerocounter", "gameoveronzerocounter"],
        ),
        Some(_) => likeliest(head, FLAGS.into_iter().chain(NAMING).chain(COUNTING)),
    };
    near.map(str::to_string)
}

/// A letter left out or typed twice is likelier than a wrong one: `gren` is green, not grey.
fn likeliest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let lower = word.to_ascii_lowercase();
    let slip = |c: &&&str| {
        c.len().abs_diff(lower.len()) == 1 && (is_inside(&lower, c) || is_inside(c, &lower))
    };
    let slipped = candidates
        .iter()
        .find(slip)
        .filter(|_| lower.len() > 2)
        .copied();
    slipped.or_else(|| closest_match(word, candidates))
}

/// Whether the letters of `part` come in `whole`, in this order.
fn is_inside(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|letter| rest.any(|other| other == letter))
}

/// How to mend what is often meant.
fn way_out(
    source: &Source,
    tokens: &[SpannedToken<'_>],
    form: Option<Token>,
    at: usize,
    found: Token,
    phrase: &str,
) -> Option<String> {
    if after_comment_sign(source, tokens, at) {
        return Some("SGL2D has no comments".to_string());
    }
    let lower = phrase.to_ascii_lowercase();
    let (head, value) = lower.split_once('=').unwrap_or((&lower, ""));
    Some(match (form, found) {
        (Some(_), token) if token.starts_statement() => {
            "write each statement on a line of its own".to_string()
        }
        (Some(Token::Set), Token::Comma) => {
            "a comma stands only between the corners of a range".to_string()
        }
        (None, Token::X(_) | Token::Y(_) | Token::Open) => {
            "positions stand behind `set NAME >`".to_string()
        }
        (Some(_), Token::Word(_)) if matches!(head, "x" | "y") && value.starts_with('-') => {
            "a coordinate cannot be negative".to_string()
        }
        (Some(_), Token::Word(_)) if matches!(head, "x" | "y") && lower.ends_with('=') => {
            format!("the number must touch the `=`, such as `{head}=4`")
        }
        (Some(_), Token::Word(_)) if matches!(head, "x" | "y") => {
            format!("write `{head}=4`, without blanks")
        }
        (Some(Token::Goal | Token::Player | Token::Sprite), Token::Word(_)) if head == "color" => {
            "the colors are red, orange, yellow, green, blue, indigo, violet, black, white and grey"
                .to_string()
        }
        (Some(Token::Sprite), Token::Word(_)) if head == "solid" => {
            "write `solid=true` or `solid=false`".to_string()
        }
        (Some(Token::Event), Token::Word(_))
            if NAMING
                .iter()
                .any(|action| action.trim_end_matches('=') == head) =>
        {
            format!("the name of a sprite must touch the `=`, such as `{head}=floor`")
        }
        _ => return None,
    })
}

/// Whether a sign that starts a comment elsewhere was dropped just before, on the same line.
fn after_comment_sign(source: &Source, tokens: &[SpannedToken<'_>], at: usize) -> bool {
    let from = at.checked_sub(1).map_or(0, |before| tokens[before].0.end);
    let between = source.text.get(from..tokens[at].0.start).unwrap_or("");
    between.contains('#') || between.contains("//")
}

#[cfg(test)]
mod tests {
    use crate::languages::sgl2d::parse::{Start, parse};
    use crate::source::{Origin, Source, SourceId};

    fn source(text: &str) -> Source {
        Source::new(SourceId(2), Origin::Entry(1), text)
    }

    #[test]
    fn a_stop_is_told_with_what_was_probably_meant() {
        for (text, kept, marked, told) in [
            (
                "player >\nplayr > x=5",
                1,
                "playr",
                "did you mean `player`?",
            ),
            (
                "goal > color=gren\nplayer >",
                1,
                "color=gren",
                "did you mean `color=green`?",
            ),
            (
                "counter counter1 > 10p true",
                1,
                "p",
                "the flags are winonzerocounter",
            ),
            (
                "event s > inccounter1=1 wim",
                1,
                "wim",
                "did you mean `win`?",
            ),
            (
                "event s > incounter1=5",
                1,
                "incounter1=5",
                "did you mean `inccounter1=`?",
            ),
            (
                "event s > transformtosprite= f",
                1,
                "transformtosprite=",
                "must touch the `=`",
            ),
            ("player > y=3 x=-1 y=5", 1, "x=-1", "cannot be negative"),
            ("player > x= 4", 1, "x=", "such as `x=4`"),
            ("player > x=1 # start\ngoal >", 1, "start", "no comments"),
            ("player > x=1 goal > x=2", 1, "goal", "a line of its own"),
            ("set s > x=1 y=0, x=2 y=0", 1, ",", "corners of a range"),
            ("goal >\nx=1 y=1", 1, "x=1", "behind `set NAME >`"),
            ("foo", 0, "foo", "expected a statement"),
        ] {
            let source = source(text);
            let reading = parse(&source, Start::Program).unwrap();
            let stop = reading
                .warnings
                .iter()
                .find(|w| w.code == "SG001")
                .expect(text);
            assert_eq!(
                (reading.lines.len(), source.slice(stop.span.unwrap())),
                (kept, marked),
                "{text}"
            );
            let all = format!("{} {}", stop.message, stop.notes.join(" "));
            assert!(all.contains(told), "{text}: {all}");
        }
    }

    #[test]
    fn dropped_characters_are_told_once_each_and_only_where_the_text_is_read() {
        let reading = parse(
            &source("player > x=1 ; y=1 !\ngoal > x=2@y=1;"),
            Start::Program,
        )
        .unwrap();
        let told: Vec<_> = reading
            .warnings
            .iter()
            .map(|w| w.message.as_str())
            .collect();
        let expected = [
            "SGL2D has no `;`, it is dropped (2 times)",
            "SGL2D has no `!`, it is dropped",
            "SGL2D has no `@`, it is dropped",
        ];
        assert_eq!(
            (told.as_slice(), reading.lines.len()),
            (expected.as_slice(), 2)
        );
        let stopped = parse(&source("player >\nfoo ; ; ;"), Start::Program).unwrap();
        assert_eq!(stopped.warnings.len(), 1);
    }

    #[test]
    fn at_the_prompt_nothing_understood_is_an_error() {
        let told = parse(&source("rigth"), Start::Entry).unwrap_err();
        assert!(
            told[0].is_error() && told[0].message.contains("did you mean `right`?"),
            "{told:?}"
        );
        let kept = parse(&source("goal > color=gren"), Start::Entry).unwrap();
        assert_eq!((kept.lines.len(), kept.warnings.len()), (1, 1));
    }
}
