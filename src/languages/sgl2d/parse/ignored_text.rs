//! Warnings about the two things that the language does silently: it stops reading at a token that
//! it does not expect, and it ignores unknown characters.

use crate::ast::{self, Color};
use crate::diagnostic::{Diagnostic, Phase, Severity, closest_match};
use crate::info::INFO;
use crate::parse::{SpannedToken, Start};
use crate::source::{Source, Span};
use crate::text::count_noun;
use crate::token::{Token, tokenize};
use std::ops::Range;

/// How many different ignored characters are reported at most; a text with more is not a game.
const MAX_REPORTED_CHARS: usize = 20;

const AXES: [&str; 2] = ["x=", "y="];

/// The warning that reading stops at the token `at`, in or after the line that starts at `first`.
pub(super) fn reading_stopped(
    source: &Source,
    tokens: &[SpannedToken<'_>],
    first: usize,
    at: usize,
    start: Start,
) -> Diagnostic {
    let (from, found, to) = tokens[at];
    let statement = (at > first).then(|| tokens[first].1);
    let phrase = phrase(source, from);
    // Inside a line, show everything up to the next space; at its start, only the wrong word.
    let shown = if statement.is_some() {
        phrase
    } else {
        &source.text[from..to]
    };
    let span = source.span(from, from + shown.len());
    let suggestion = suggest(statement, shown, start);
    // A likely correction is more useful than the list of everything that is allowed.
    let message = match &suggestion {
        Some(suggestion) => {
            format!("reading stops here: unexpected `{shown}`; did you mean `{suggestion}`?")
        }
        None => format!(
            "reading stops here: expected {}, found `{shown}`",
            expected_text(statement, start)
        ),
    };
    let mut warning =
        Diagnostic::warning(Phase::Parse, "SG001", span, message).label("ignored from here on");
    let fix = fix_note(source, tokens, statement, at, found, phrase);
    let listed = forms(statement, start).map(str::to_string);
    let expected = suggestion.map(|_| format!("expected {}", expected_text(statement, start)));
    warning.notes.extend(fix.or(listed).or(expected));
    let ignored_lines = unread_lines(source, from);
    if ignored_lines > 0 {
        let ignored = count_noun(ignored_lines, "more line is", "more lines are");
        warning.add_note(format!("{ignored} ignored"));
    }
    warning
}

/// At the prompt, stopping at the very start is an error: nothing was understood.
pub(super) fn nothing_read(stop: Diagnostic) -> Diagnostic {
    let message = stop.message.trim_start_matches("reading stops here: ");
    Diagnostic {
        severity: Severity::Error,
        code: "SG008",
        message: message.to_string(),
        label: String::new(),
        ..stop
    }
}

/// One warning per distinct ignored text, at its first occurrence.
pub(super) fn dropped_chars(
    source: &Source,
    ranges: impl Iterator<Item = Range<usize>>,
) -> Vec<Diagnostic> {
    let mut seen: Vec<(&str, Vec<Span>)> = Vec::new();
    for range in ranges {
        let text = &source.text[range.clone()];
        if text == "\u{feff}" {
            continue;
        }
        let span = source.span(range.start, range.end);
        let reported = seen.len();
        match seen.iter_mut().find(|(other, _)| *other == text) {
            Some((_, spans)) => spans.push(span),
            None if reported < MAX_REPORTED_CHARS => seen.push((text, vec![span])),
            None => {}
        }
    }
    seen.into_iter()
        .map(|(text, spans)| dropped_text(text, &spans))
        .collect()
}

fn dropped_text(text: &str, spans: &[Span]) -> Diagnostic {
    let count = match spans.len() {
        1 => String::new(),
        count => format!(" ({count} times)"),
    };
    // A minus sign swallows the next character, which can be a line break.
    let shown = text.trim_end_matches(['\n', '\r']);
    let first = Span {
        end: spans[0].start + shown.len() as u32,
        ..spans[0]
    };
    let shown = shown.replace('\t', "\\t");
    let message = format!("unknown character `{shown}` is ignored{count}");
    let mut warning = Diagnostic::warning(Phase::Parse, "SG002", first, message);
    for span in spans.iter().skip(1).take(3) {
        warning.add_related(*span, "also here");
    }
    let note = match text.chars().next() {
        Some('-') => {
            "a minus sign that is not followed by a digit also swallows the next character"
        }
        Some('=') => "write `=` without spaces around it",
        Some('.') => "numbers are whole: `x=1`",
        Some('\t') => "use spaces instead of tabs",
        Some('#' | '/') => "SGL2D has no comments",
        _ => return warning,
    };
    warning.note(note)
}

/// What the user sees as one word: up to a space or bracket.
fn phrase(source: &Source, start: usize) -> &str {
    let rest = &source.text[start..];
    let is_bracket = |c: char| matches!(c, '>' | '(' | ',' | ')');
    let is_end = |c: char| c.is_whitespace() || is_bracket(c);
    let first = rest.chars().next().map_or(0, char::len_utf8);
    match rest[first..].find(is_end) {
        // A bracket or comma is a word of its own.
        _ if rest.starts_with(is_bracket) => &rest[..first],
        Some(end) => &rest[..first + end],
        None => rest,
    }
}

/// The number of non-blank lines after the one where reading stops.
fn unread_lines(source: &Source, start: usize) -> usize {
    source.text[start..]
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .count()
}

/// The full list of what is allowed, if it is too long for the message.
fn forms(statement: Option<Token>, start: Start) -> Option<&'static str> {
    match statement {
        Some(Token::Counter) => Some("the flags are winonzerocounter and gameoveronzerocounter"),
        Some(Token::Set) => Some("a position is `x=1 y=2`, a range `(x=1 y=1, x=3 y=3)`"),
        Some(_) => None,
        None if start == Start::Entry => Some(
            "statements start with environment, goal, player, sprite, counter, event or set; moves are up, down, left and right",
        ),
        None => {
            Some("statements start with environment, goal, player, sprite, counter, event or set")
        }
    }
}

fn expected_text(statement: Option<Token>, start: Start) -> &'static str {
    match statement {
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

/// The most similar text that is allowed here.
fn suggest(statement: Option<Token>, phrase: &str, start: Start) -> Option<String> {
    let moves: &[&str] = match start {
        Start::Entry => &["up", "down", "left", "right"],
        Start::Program => &[],
    };
    if let Some(("color", value)) = phrase.to_ascii_lowercase().split_once('=') {
        let takes_color = matches!(statement, Some(Token::Goal | Token::Player | Token::Sprite));
        let color = closest_match(value, Color::WORDS.map(|(word, _)| word));
        return color
            .filter(|_| takes_color)
            .map(|color| format!("color={color}"));
    }
    if let (Some(Token::Event), Some(ending)) = (statement, ending_for(phrase)) {
        return Some(ending.to_string());
    }
    let colors = Color::WORDS.map(|(word, _)| format!("color={word}"));
    let colors = colors.iter().map(String::as_str);
    // Of `inccountr1=5`, only the part up to the `=` is compared.
    let head = phrase.find('=').map_or(phrase, |equals| &phrase[..=equals]);
    let actions = actions();
    let mut values = AXES.into_iter().chain(actions.iter().map(String::as_str));
    if values.any(|form| form.ends_with('=') && form.eq_ignore_ascii_case(head)) {
        return None;
    }
    let suggestion = match statement {
        None => closest_match(phrase, INFO.keywords.iter().chain(moves).copied()),
        Some(Token::Environment | Token::Set) => closest_match(head, AXES),
        Some(Token::Goal | Token::Player) => {
            closest_match(phrase, colors).or_else(|| closest_match(head, AXES))
        }
        Some(Token::Sprite) => closest_match(phrase, colors.chain(["solid=true", "solid=false"])),
        Some(Token::Counter) => closest_match(
            phrase,
            ["true", "false", "winonzerocounter", "gameoveronzerocounter"],
        ),
        Some(_) => closest_match(head, actions.iter().map(String::as_str)),
    };
    suggestion.map(str::to_string)
}

/// The action that ends the game as this word says.
fn ending_for(word: &str) -> Option<&'static str> {
    match &*word.to_ascii_lowercase() {
        "lose" | "lost" | "loss" | "die" | "dead" | "death" | "kill" | "end" | "over" => {
            Some("gameover")
        }
        "won" | "victory" | "wins" => Some("win"),
        _ => None,
    }
}

/// The actions of events, with the `=` of those that have a value.
fn actions() -> Vec<String> {
    let names = INFO.builtins.iter().map(|(name, _)| *name);
    let actions = names.filter(|name| ast::directions_of_word(name).is_none());
    let numbered = actions.flat_map(|action| match action.strip_suffix("1=") {
        Some(counter) => (1..=3).map(|n| format!("{counter}{n}=")).collect(),
        None => vec![action.to_string()],
    });
    numbered.collect()
}

/// Whether the value of an action is the name of a sprite.
fn takes_name(action: &str) -> bool {
    let with_name = format!("{action}=a");
    matches!(tokenize(&with_name)[..], [(_, Token::ReplaceAction(_))])
}

/// How to fix common mistakes.
fn fix_note(
    source: &Source,
    tokens: &[SpannedToken<'_>],
    statement: Option<Token>,
    at: usize,
    found: Token,
    phrase: &str,
) -> Option<String> {
    if after_comment_marker(source, tokens, at) {
        return Some("SGL2D has no comments".to_string());
    }
    let lower = phrase.to_ascii_lowercase();
    let (head, value) = lower.split_once('=').unwrap_or((&lower, ""));
    let is_axis = matches!(head, "x" | "y");
    let note = match (statement, found) {
        (Some(_), token) if token.starts_statement() => "write each statement on a line of its own",
        (Some(Token::Event), Token::Open) => {
            "write a position without parentheses: `moveplayerto= x=1 y=2`"
        }
        (Some(_), Token::Comma) if statement != Some(Token::Set) => {
            "separate arguments with spaces, without commas"
        }
        (Some(Token::Environment | Token::Goal | Token::Player), Token::Int(x))
            if source.text[..tokens[at].0].ends_with(' ') =>
        {
            let y = match tokens.get(at + 1) {
                Some((_, Token::Int(y), _)) => y,
                _ => "…",
            };
            &format!("name both numbers: `x={x} y={y}`")
        }
        (Some(_), Token::Word(_)) if lower.starts_with("x:") || lower.starts_with("y:") => {
            &format!("write `{}`", lower.replacen(':', "=", 1))
        }
        (Some(Token::Set), Token::Comma) => {
            "commas are only allowed between the corners of a range"
        }
        (None, Token::X(_) | Token::Y(_) | Token::Open) => {
            "positions are only allowed after `set NAME >`"
        }
        (Some(_), Token::Word(_)) if is_axis && value.starts_with('-') => {
            "a coordinate cannot be negative"
        }
        (Some(_), Token::Word(_)) if is_axis && lower.ends_with('=') => {
            &format!("write no space after the `=`, e.g. `{head}=4`")
        }
        (Some(_), Token::Word(_)) if is_axis => &format!("write `{head}=4`, without spaces"),
        (Some(Token::Goal | Token::Player | Token::Sprite), Token::Word(_)) if head == "color" => {
            "the colors are red, orange, yellow, green, blue, indigo, violet, black, white and grey"
        }
        (Some(Token::Sprite), Token::Word(_)) if head == "solid" => {
            "write `solid=true` or `solid=false`"
        }
        (Some(Token::Event), Token::Word(_)) if takes_name(head) => {
            &format!("write the sprite name directly after the `=`, e.g. `{head}=floor`")
        }
        _ => return None,
    };
    Some(note.to_string())
}

/// Whether a comment marker of other languages was ignored just before, on the same line.
fn after_comment_marker(source: &Source, tokens: &[SpannedToken<'_>], at: usize) -> bool {
    let from = at.checked_sub(1).map_or(0, |before| tokens[before].2);
    let between = source.text.get(from..tokens[at].0).unwrap_or("");
    between.contains('#') || between.contains("//")
}

#[cfg(test)]
mod tests {
    use crate::parse::{Start, parse};
    use crate::source::{Origin, Source, SourceId};

    fn source(text: &str) -> Source {
        Source::new(SourceId(2), Origin::Entry(1), text)
    }

    #[test]
    fn stopping_is_reported_with_a_likely_correction() {
        for (text, kept, marked, expected) in [
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
                "directly after the `=`",
            ),
            ("player > y=3 x=-1 y=5", 1, "x=-1", "cannot be negative"),
            ("player > x= 4", 1, "x=", "e.g. `x=4`"),
            ("player > x=1 # start\ngoal >", 1, "start", "no comments"),
            ("player > x=1 goal > x=2", 1, "goal", "a line of its own"),
            ("set s > x=1 y=0, x=2 y=0", 1, ",", "corners of a range"),
            ("goal >\nx=1 y=1", 1, "x=1", "after `set NAME >`"),
            ("foo", 0, "foo", "expected a statement"),
        ] {
            let source = source(text);
            let parsed = parse(&source, Start::Program).unwrap();
            let stop = parsed
                .warnings
                .iter()
                .find(|w| w.code == "SG001")
                .expect(text);
            assert_eq!(
                (parsed.lines.len(), source.slice(stop.span.unwrap())),
                (kept, marked),
                "{text}"
            );
            let all = format!("{} {}", stop.message, stop.notes.join(" "));
            assert!(all.contains(expected), "{text}: {all}");
        }
    }

    #[test]
    fn each_ignored_character_is_reported_once_and_only_in_the_part_that_is_read() {
        let parsed = parse(
            &source("player > x=1 ; y=1 !\ngoal > x=2@y=1;"),
            Start::Program,
        )
        .unwrap();
        let messages: Vec<_> = parsed.warnings.iter().map(|w| w.message.as_str()).collect();
        let expected = [
            "unknown character `;` is ignored (2 times)",
            "unknown character `!` is ignored",
            "unknown character `@` is ignored",
        ];
        assert_eq!(
            (messages.as_slice(), parsed.lines.len()),
            (expected.as_slice(), 2)
        );
        let stopped = parse(&source("player >\nfoo ; ; ;"), Start::Program).unwrap();
        assert_eq!(stopped.warnings.len(), 1);
    }

    #[test]
    fn at_the_prompt_an_unknown_first_word_is_an_error() {
        let errors = parse(&source("rigth"), Start::Entry).unwrap_err();
        assert!(
            errors[0].is_error() && errors[0].message.contains("did you mean `right`?"),
            "{errors:?}"
        );
        let kept = parse(&source("goal > color=gren"), Start::Entry).unwrap();
        assert_eq!((kept.lines.len(), kept.warnings.len()), (1, 1));
    }
}
