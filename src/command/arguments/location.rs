//! Locations and the options of breakpoints as arguments:
//! `zero.onClick if pieceRow == 2 hits 3 do where`.

use super::Arguments;
use crate::analysis::why_not;
use crate::answer::{Access, CommandError, HitCondition};
use crate::command::{example, find};
use crate::debugger::frame;
use crate::debugger::{GameEvent, Location, Trigger, WatchTarget, breakpoint};
use crate::diagnostic::Advice;
use crate::session::Session;

/// The arguments of `:break`, `:watch` and `:log`.
pub(crate) struct BreakpointArguments<'a> {
    pub location: Location,
    /// The location as typed.
    pub location_text: &'a str,
    pub options: BreakpointOptions,
    /// The message of a logpoint.
    pub log_message: Option<&'a str>,
}

impl<'a> Arguments<'a> {
    /// A code location or an event, with options. No location is the current line.
    pub fn breakpoint(self, session: &Session) -> Result<BreakpointArguments<'a>, CommandError> {
        let (text, options) = parse_options(self.text)?;
        Ok(BreakpointArguments {
            location: parse_location(session, text)?,
            location_text: if text.is_empty() { "here" } else { text },
            options,
            log_message: None,
        })
    }

    /// Something to watch, with options.
    pub fn watchpoint(
        self,
        session: &Session,
        access: Access,
    ) -> Result<BreakpointArguments<'a>, CommandError> {
        let what = "a variable, a cell, an expression, `row 1`, `col 1` or `board`";
        let (text, mut options) = parse_options(self.required(session, what)?)?;
        let (target, location_text) = match options.condition.take_if(|_| text.is_empty()) {
            Some(condition) => {
                let trigger = Trigger::BecomesTrue;
                let target =
                    breakpoint::resolve_watched_expr(&session.target, &condition, trigger)?;
                let end = self
                    .text
                    .find(&condition)
                    .map_or(0, |at| at + condition.len());
                (target, &self.text[..end])
            }
            None => (watched_value(session, text)?, text),
        };
        if matches!(target, WatchTarget::Expression(_)) && access != Access::Change {
            let error = CommandError::new("only changes of an expression can be watched");
            return Err(error.instruct("use", format!(":watch {location_text}"), ""));
        }
        Ok(BreakpointArguments {
            location: Location::Watch(target, access),
            location_text,
            options,
            log_message: None,
        })
    }

    /// A location or something to watch, a message in quotes, and options.
    pub fn logpoint(self, session: &Session) -> Result<BreakpointArguments<'a>, CommandError> {
        let Some((location_text, message)) = self.text.split_once('"') else {
            let what = "a location and a message in quotes";
            let example = example(session, self.command.name);
            return Err(CommandError::new(format!(
                "`:{}` needs {what}, e.g. `{example}`",
                self.command.name
            )));
        };
        let location_text = location_text.trim();
        let Some((message, after)) = split_log_text(message) else {
            return Err(CommandError::new("the message has no closing quote"));
        };
        let (extra, options) = parse_options(after)?;
        if !extra.is_empty() {
            return Err(CommandError::new(format!(
                "expected `if` after the message, found `{extra}`"
            )));
        }
        Ok(BreakpointArguments {
            location: parse_log_location(session, location_text)?,
            location_text,
            options,
            log_message: Some(message),
        })
    }
}

/// A variable or cell, several cells, or an expression.
pub(super) fn watched_value(session: &Session, text: &str) -> Result<WatchTarget, CommandError> {
    let is_name = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
    breakpoint::resolve_watch_target(&session.target, text).or_else(|message| {
        if text.chars().all(is_name) {
            return Err(message);
        }
        let expr = breakpoint::resolve_watched_expr(&session.target, text, Trigger::Change);
        expr.map_err(|error| match looks_like_cells(text) {
            true => message,
            false => format!("cannot watch `{text}`: {error}").into(),
        })
    })
}

/// Whether something that is neither a cell nor an expression was probably meant as cells.
fn looks_like_cells(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    matches!(word, "row" | "col" | "column" | "board")
        || text.starts_with(|c: char| c.is_ascii_digit() || "[(-".contains(c))
}

/// Where a logpoint prints: at a code location, or whenever a variable or cell changes.
fn parse_log_location(session: &Session, text: &str) -> Result<Location, CommandError> {
    let target = breakpoint::resolve_watch_target(&session.target, text)
        .ok()
        .filter(|_| !why_not::is_function_name(&session.target, text));
    match target {
        Some(target) => Ok(Location::Watch(target, Access::Change)),
        None => parse_location(session, text),
    }
}

/// What may follow a location: `if E`, `hits N`, `do COMMAND`.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct BreakpointOptions {
    pub condition: Option<String>,
    pub hits: Option<HitCondition>,
    pub command: Option<String>,
}

/// How many existing names the error for an unknown location suggests.
const MAX_NAMES_SUGGESTED: usize = 3;

const OPTION_KEYWORDS: [&str; 3] = ["if", "hits", "do"];

/// Splits a text into the location and its options. The options may come in any order, except that
/// `do` takes the rest of the line.
fn parse_options(text: &str) -> Result<(&str, BreakpointOptions), String> {
    let mut keywords = find_keywords(text);
    if let Some(last) = keywords.iter().position(|(_, word)| *word == "do") {
        keywords.truncate(last + 1);
    }
    let mut options = BreakpointOptions::default();
    for (n, &(at, keyword)) in keywords.iter().enumerate() {
        let end = keywords.get(n + 1).map_or(text.len(), |(next, _)| *next);
        let argument = text[at + keyword.len()..end].trim();
        let is_duplicate = match keyword {
            "if" => {
                let condition = parse_condition(argument)?;
                options.condition.replace(condition).is_some()
            }
            "hits" => options.hits.replace(parse_hits(argument)?).is_some(),
            _ => options.command.replace(parse_command(argument)?).is_some(),
        };
        if is_duplicate {
            return Err(format!("duplicate `{keyword}`"));
        }
    }
    let end = keywords.first().map_or(text.len(), |(at, _)| *at);
    Ok((text[..end].trim(), options))
}

/// The option keywords outside quotes, with their byte offsets.
fn find_keywords(text: &str) -> Vec<(usize, &'static str)> {
    let mut keywords = Vec::new();
    let (mut in_quotes, mut at_word_start) = (false, true);
    for (at, c) in text.char_indices() {
        in_quotes ^= c == '"';
        let rest = &text[at..];
        let keyword = OPTION_KEYWORDS.into_iter().find(|w| {
            rest.strip_prefix(w)
                .is_some_and(|after| after.is_empty() || after.starts_with(char::is_whitespace))
        });
        let keyword = keyword.filter(|_| at_word_start && !in_quotes);
        keywords.extend(keyword.map(|keyword| (at, keyword)));
        at_word_start = c.is_whitespace();
    }
    keywords
}

fn parse_condition(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("`if` needs a condition".into());
    }
    Ok(text.to_string())
}

fn parse_hits(text: &str) -> Result<HitCondition, String> {
    let (is_every, number) = match text.strip_prefix('%') {
        Some(n) => (true, n),
        None => (false, text),
    };
    match number.trim().parse() {
        Ok(n) if n > 0 => Ok(if is_every {
            HitCondition::Every(n)
        } else {
            HitCondition::Nth(n)
        }),
        _ => Err(format!(
            "invalid `{}`: use `hits 3` for the third hit only, or `hits %10` for every tenth",
            format!("hits {text}").trim()
        )),
    }
}

/// The command that a breakpoint runs. It must not read or write files: a session file from someone
/// else could then write a file when it is opened.
fn parse_command(text: &str) -> Result<String, String> {
    let command = text.trim_start_matches(':');
    if command.is_empty() {
        return Err("`do` needs a command, e.g. `do where`".into());
    }
    let word = command.split_whitespace().next().unwrap_or("");
    match find(word) {
        Ok(found) if found.effects.must_be_typed => Err(format!(
            "`do` cannot run `:{}`: type commands that read or write files yourself",
            found.name
        )),
        _ => Ok(command.to_string()),
    }
}

/// Splits `at {x}" if x > 2` at the closing quote of the message. Quotes inside braces belong to an
/// expression.
fn split_log_text(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0u32;
    let end = text.char_indices().find_map(|(at, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '"' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    });
    end.or_else(|| text.rfind('"'))
        .map(|at| (&text[..at], &text[at + 1..]))
}

/// Parses a location: a line (`12`, `game.gl:12`), a function or handler, or `on EVENT`. An empty
/// text is the current line.
fn parse_location(session: &Session, text: &str) -> Result<Location, CommandError> {
    if let Some(event) = text
        .strip_prefix("on")
        .filter(|e| e.is_empty() || e.starts_with(' '))
    {
        return parse_event(session, event.trim());
    }
    if text.is_empty() {
        let frame = frame::frame_info(&session.target, 0).ok_or_else(|| {
            format!(
                "`:break` needs a location, e.g. `{}`, `:break 12` or `:break on error`",
                example(session, "break")
            )
        })?;
        let source = session
            .target
            .sources
            .get(frame.span.source)
            .ok_or_else(|| CommandError::new("the current instruction has no source line"))?;
        let (line, _) = source.line_column(frame.span.start);
        return Ok(Location::Line {
            source: source.origin.to_string(),
            line,
        });
    }
    if let Ok(line) = text.parse::<u32>() {
        return Ok(breakpoint::line_location(&session.target, line)?);
    }
    if let Some((source, line)) = text.rsplit_once(':')
        && let Ok(line) = line.parse::<u32>()
    {
        return Ok(Location::Line {
            source: source.to_string(),
            line,
        });
    }
    let location = Location::Function(text.to_string());
    if breakpoint::resolve(&location, session.target.program(), &session.target.sources).is_empty()
    {
        let events = session.target.language().info().events;
        if events.contains(&text) && breakpoint::watchable_name(&session.target, text).is_none() {
            return parse_event(session, text);
        }
        check_pending_name(session, text)?;
    }
    Ok(location)
}

/// Accepts a name that is not defined yet if it can be defined later. Otherwise, the error suggests
/// what was probably meant.
fn check_pending_name(session: &Session, text: &str) -> Result<(), CommandError> {
    let names = breakpoint::breakpoint_names(&session.target);
    let unknown = CommandError::new(format!("unknown location `{text}`"));
    // Half of a name: the sprite of `event lava`, or the piece of `mine.onClick`.
    let has_part = |name: &&String| {
        name.rsplit_once(' ')
            .is_some_and(|(_, sprite)| sprite.eq_ignore_ascii_case(text))
            || name.split_once('.').is_some_and(|(piece, _)| piece == text)
    };
    if let Some(full_name) = names.iter().find(has_part) {
        let meant = Advice::Replacement {
            text: full_name.clone(),
            span: None,
        };
        return Err(unknown.with_advice(meant));
    }
    if let Some(target) = breakpoint::watchable_name(&session.target, text) {
        let error = CommandError::new(format!("`{text}` is not code that runs"));
        let watch = format!(":watch {target}");
        return Err(error.instruct("use", watch, "to stop when it changes"));
    }
    if let Some(meant) = Advice::did_you_mean(text, names.iter().map(String::as_str)) {
        return Err(unknown.with_advice(meant));
    }
    if (session.target.language().info().is_valid_breakpoint_name)(text) {
        return Ok(());
    }
    let line = if text.starts_with("line ") {
        "for a line, give only its number"
    } else {
        "give a line number"
    };
    let examples = names
        .iter()
        .take(MAX_NAMES_SUGGESTED)
        .map(|name| format!("`:break {name}`"));
    let examples: Vec<String> = examples.collect();
    let or_names = match examples.is_empty() {
        true => String::new(),
        false => format!(", or use {}", examples.join(", ")),
    };
    Err(CommandError::new(format!(
        "unknown location `{text}`; {line}, e.g. `:break 12`{or_names}"
    )))
}

fn parse_event(session: &Session, text: &str) -> Result<Location, CommandError> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let info = session.target.language().info();
    let known = GameEvent::ALL
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word));
    let Some((_, event)) = known.filter(|(name, _)| info.events.contains(name)) else {
        let error = match (word, known) {
            ("", _) => "`:break on` needs an event".to_string(),
            (_, None) => format!("unknown event `{word}`"),
            (_, Some((name, _))) => format!("{} has no event `{name}`", info.title),
        };
        let function = breakpoint::breakpoint_names(&session.target)
            .into_iter()
            .find(|name| name.eq_ignore_ascii_case(word));
        let error = CommandError::new(format!("{error}; events are {}", info.events.join(", ")));
        return Err(match function {
            Some(name) => {
                let instruction = "to stop in the function, use";
                error.instruct(instruction, format!(":break {name}"), "")
            }
            None => error,
        });
    };
    if rest.trim().is_empty() {
        return Ok(Location::Event(*event, None));
    }
    let cell = breakpoint::resolve_cell(&session.target, rest)?;
    Ok(Location::Event(*event, Some(cell)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (&str, BreakpointOptions) {
        parse_options(text).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn options_come_in_any_order() {
        let expected = BreakpointOptions {
            condition: Some("n > 3".into()),
            hits: Some(HitCondition::Every(2)),
            command: Some("print n".into()),
        };
        assert_eq!(
            parse("zero.onClick if n > 3 hits %2 do print n"),
            ("zero.onClick", expected)
        );
        let expected = BreakpointOptions {
            condition: Some("a == 1".into()),
            hits: Some(HitCondition::Nth(4)),
            command: None,
        };
        assert_eq!(parse("12 hits 4 if a == 1"), ("12", expected));
        assert_eq!(parse("onClick"), ("onClick", BreakpointOptions::default()));
        assert_eq!(parse(""), ("", BreakpointOptions::default()));
        assert_eq!(parse("if n == 1").0, "", "here");
        assert_eq!(parse("ifs").0, "ifs", "a name that starts with a keyword");
    }

    #[test]
    fn keywords_in_quotes_and_commands_are_not_options() {
        let (_, options) = parse("f if board[0][0].name == \"do if hits\"");
        assert_eq!(
            options.condition.as_deref(),
            Some("board[0][0].name == \"do if hits\"")
        );
        let (_, options) = parse("f do break g if n > 1 do where");
        assert_eq!(
            (options.condition, options.command.as_deref()),
            (None, Some("break g if n > 1 do where"))
        );
    }

    #[test]
    fn incomplete_and_duplicate_options_are_errors() {
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
    fn a_log_message_ends_at_the_first_quote_outside_braces() {
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

    #[test]
    fn a_breakpoint_cannot_run_commands_that_touch_files() {
        for command in [
            "save x.session",
            ":save x",
            "sav x",
            "load game.gl",
            "record x",
            "edit",
        ] {
            let error = parse_options(&format!("f do {command}")).expect_err(command);
            assert!(error.contains("`do` cannot run"), "{error}");
        }
        assert!(parse_options("f do where").is_ok());
    }
}
