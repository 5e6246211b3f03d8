//! Reading where to stop, and when: `zero.onClick if pieceRow == 2 hits 3 do where`.

use crate::debugger::{GameEvent, HitCondition, Location, breakpoint};
use crate::diagnostic::did_you_mean;
use crate::session::Session;

/// What follows a place: `if E`, `hits N`, `do COMMAND`.
#[derive(Default, Debug, PartialEq)]
pub struct BreakpointOptions {
    pub condition: Option<String>,
    pub hits: Option<HitCondition>,
    pub command: Option<String>,
}

/// So many places are told to whoever names one that can't be.
const MOST_TITLES: usize = 3;

const WORDS: [&str; 3] = ["if", "hits", "do"];

/// Cuts a text at its words `if`, `hits` and `do`, which stand in any order; but a command goes to the end of the line.
pub fn parse_options(text: &str) -> Result<(&str, BreakpointOptions), String> {
    let mut cuts = words(text);
    if let Some(last) = cuts.iter().position(|(_, word)| *word == "do") {
        cuts.truncate(last + 1);
    }
    let mut extras = BreakpointOptions::default();
    for (n, &(at, word)) in cuts.iter().enumerate() {
        let end = cuts.get(n + 1).map_or(text.len(), |(next, _)| *next);
        let part = text[at + word.len()..end].trim();
        let twice = match word {
            "if" => extras.condition.replace(condition(part)?).is_some(),
            "hits" => extras.hits.replace(hits(part)?).is_some(),
            _ => extras.command.replace(command(part)?).is_some(),
        };
        if twice {
            return Err(format!("`{word}` is said twice"));
        }
    }
    let end = cuts.first().map_or(text.len(), |(at, _)| *at);
    Ok((text[..end].trim(), extras))
}

/// Where the words stand that begin a part, outside quotes.
fn words(text: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    let (mut quoted, mut before) = (false, true);
    for (at, c) in text.char_indices() {
        quoted ^= c == '"';
        let rest = &text[at..];
        let word = WORDS.into_iter().find(|w| {
            rest.strip_prefix(w)
                .is_some_and(|after| after.is_empty() || after.starts_with(char::is_whitespace))
        });
        found.extend(word.filter(|_| before && !quoted).map(|word| (at, word)));
        before = c.is_whitespace();
    }
    found
}

fn condition(part: &str) -> Result<String, String> {
    if part.is_empty() {
        return Err("`if` needs what should be true".into());
    }
    Ok(part.to_string())
}

fn hits(part: &str) -> Result<HitCondition, String> {
    let (every, number) = match part.strip_prefix('%') {
        Some(n) => (true, n),
        None => (false, part),
    };
    match number.trim().parse() {
        Ok(n) if n > 0 => Ok(if every {
            HitCondition::Every(n)
        } else {
            HitCondition::Nth(n)
        }),
        _ => Err(format!(
            "`{}`: say `hits 3` for the third time only, or `hits %10` for every tenth",
            format!("hits {part}").trim()
        )),
    }
}

fn command(part: &str) -> Result<String, String> {
    match part.trim_start_matches(':') {
        "" => Err("`do` needs a command: `do where`".into()),
        part => Ok(part.to_string()),
    }
}

/// The text of a log and what follows it: `"at {x}" if x > 2`. Quotes inside braces belong to an expression.
pub fn split_log_text(text: &str) -> Option<(&str, &str)> {
    let mut open = 0u32;
    let end = text.char_indices().find_map(|(at, c)| {
        match c {
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            '"' if open == 0 => return Some(at),
            _ => {}
        }
        None
    });
    end.or_else(|| text.rfind('"'))
        .map(|at| (&text[..at], &text[at + 1..]))
}

/// What a place names.
pub fn parse_location(session: &Session, place: &str) -> Result<Location, String> {
    if let Some(event) = place
        .strip_prefix("on")
        .filter(|e| e.is_empty() || e.starts_with(' '))
    {
        return event_spot(session, event.trim());
    }
    if place.is_empty() {
        let look = session.frame_info(0).ok_or_else(|| {
            format!(
                "say where: `{}`, `:break 12`, `:break on error`",
                super::example(session, "break")
            )
        })?;
        let source = session
            .sources
            .get(look.span.source)
            .ok_or("this place has no text")?;
        let (line, _) = source.line_column(look.span.start);
        return Ok(Location::Line {
            source: source.origin.to_string(),
            line,
        });
    }
    if let Ok(line) = place.parse::<u32>() {
        return session.line_location(line);
    }
    if let Some((source, line)) = place.rsplit_once(':')
        && let Ok(line) = line.parse::<u32>()
    {
        return Ok(Location::Line {
            source: source.to_string(),
            line,
        });
    }
    let spot = Location::Function(place.to_string());
    if breakpoint::resolve(&spot, session.program(), &session.sources).is_empty() {
        nowhere(session, place)?;
    }
    Ok(spot)
}

/// Whether a name that nothing has yet may be waited for; otherwise what is wrong with it, and what is meant.
fn nowhere(session: &Session, place: &str) -> Result<(), String> {
    let titles = session.breakpoint_names();
    // A part of a title: the sprite of an event, or whose handler it is.
    let part = |t: &&String| {
        t.rsplit_once(' ')
            .is_some_and(|(_, of)| of.eq_ignore_ascii_case(place))
            || t.split_once('.').is_some_and(|(of, _)| of == place)
    };
    if let Some(whole) = titles.iter().find(part) {
        return Err(format!(
            "nothing is called `{place}`; did you mean `{whole}`?"
        ));
    }
    if let Some(watched) = session.watchable_name(place) {
        return Err(format!(
            "nothing is run that is called `{place}`; `:watch {watched}` stops when that changes"
        ));
    }
    let near = did_you_mean(place, titles.iter().map(String::as_str));
    if !near.is_empty() {
        return Err(format!("nothing is called `{place}`{near}"));
    }
    if (session.language().info().is_valid_breakpoint_name)(place) {
        return Ok(());
    }
    let some: Vec<String> = titles
        .iter()
        .take(MOST_TITLES)
        .map(|t| format!("`:break {t}`"))
        .collect();
    let lines = if place.starts_with("line ") {
        "a line is named by its number alone"
    } else {
        "say a line"
    };
    let or = if some.is_empty() {
        String::new()
    } else {
        format!(", or {}", some.join(", "))
    };
    Err(format!(
        "nothing is called `{place}`, and nothing can be: {lines}, as `:break 12`{or}"
    ))
}

fn event_spot(session: &Session, text: &str) -> Result<Location, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let about = session.language().info();
    let known = GameEvent::ALL
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word));
    let Some((_, event)) = known.filter(|(name, _)| about.events.contains(name)) else {
        let wrong = match (word, known) {
            ("", _) => "say on what".to_string(),
            (_, None) => format!("`{word}` is no event"),
            (_, Some((name, _))) => format!("there is no {name} in {}", about.title),
        };
        let place = session
            .breakpoint_names()
            .into_iter()
            .find(|title| title.eq_ignore_ascii_case(word));
        let place = place.map_or_else(String::new, |title| {
            format!("; `:break {title}` stops there")
        });
        return Err(format!(
            "{wrong}; events are {}{place}",
            about.events.join(", ")
        ));
    };
    if rest.trim().is_empty() {
        return Ok(Location::Event(*event, None));
    }
    session
        .resolve_cell(rest)
        .map(|cell| Location::Event(*event, Some(cell)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (&str, BreakpointOptions) {
        parse_options(text).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn what_follows_a_place_comes_in_any_order() {
        let wanted = BreakpointOptions {
            condition: Some("n > 3".into()),
            hits: Some(HitCondition::Every(2)),
            command: Some("print n".into()),
        };
        assert_eq!(
            read("zero.onClick if n > 3 hits %2 do print n"),
            ("zero.onClick", wanted)
        );
        let wanted = BreakpointOptions {
            condition: Some("a == 1".into()),
            hits: Some(HitCondition::Nth(4)),
            command: None,
        };
        assert_eq!(read("12 hits 4 if a == 1"), ("12", wanted));
        assert_eq!(read("onClick"), ("onClick", BreakpointOptions::default()));
        assert_eq!(read(""), ("", BreakpointOptions::default()));
        assert_eq!(read("if n == 1").0, "", "here");
        assert_eq!(read("ifs").0, "ifs", "a name that begins like a word");
    }

    #[test]
    fn quotes_and_commands_keep_their_words() {
        let (_, found) = read("f if board[0][0].name == \"do if hits\"");
        assert_eq!(
            found.condition.as_deref(),
            Some("board[0][0].name == \"do if hits\"")
        );
        let (_, found) = read("f do break g if n > 1 do where");
        assert_eq!(
            (found.condition, found.command.as_deref()),
            (None, Some("break g if n > 1 do where"))
        );
    }

    #[test]
    fn a_part_that_says_nothing_is_refused() {
        for text in [
            "f if",
            "f hits",
            "f do",
            "f hits 0",
            "f hits %0",
            "f hits x",
            "f if a hits 2 if b",
        ] {
            assert!(parse_options(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_text_of_a_log_ends_at_its_own_quote() {
        assert_eq!(
            split_log_text("at {x}\" if y == \"z\""),
            Some(("at {x}", " if y == \"z\""))
        );
        assert_eq!(
            split_log_text("is {p.name == \"x\"}\""),
            Some(("is {p.name == \"x\"}", ""))
        );
        assert_eq!(split_log_text("no end"), None);
    }
}
