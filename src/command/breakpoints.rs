//! Commands for breakpoints, watchpoints and logpoints.

use super::location::{BreakpointOptions, parse_location, parse_options, split_log_text};
use super::{Arguments, Command, example};
use crate::debugger::api::{CommandError, Part};
use crate::debugger::{Access, Breakpoint, Location};
use crate::diagnostic::did_you_mean;
use crate::session::{Answer, Line, Session, Style};

type CommandResult = Result<Answer, CommandError>;

pub const COMMANDS: &[Command] = &[
    answering!(Breakpoints, Locations; "break",
        &["b"],
        "[LOCATION] [if E] [hits N | hits %N] [do COMMAND]",
        "stop at a line, function, handler or condition, or on an event of the game",
        ":break winCondition",
        |session, arguments| set(session, arguments, false)
    ),
    answering!(Breakpoints, Locations; "tbreak", &["tb"], "[LOCATION] …", "like break, but stop only once", ":tbreak 12", |session, arguments| set(
        session, arguments, true
    )),
    answering!(Breakpoints, Locations; "watch",
        &[],
        "X | [r][c] | [r][c].name | row N | col N | board",
        "stop when a variable or cell changes",
        ":watch [1][1]",
        |session, arguments| watch(session, arguments, Access::Change)
    ),
    answering!(Breakpoints, Locations; "rwatch", &[], "X …", "stop when a variable or cell is read", ":rwatch turnCount", |session, arguments| {
        watch(session, arguments, Access::Read)
    }),
    answering!(Breakpoints, Locations; "awatch",
        &[],
        "X …",
        "stop when a variable or cell is read or changed",
        ":awatch turnCount",
        |session, arguments| watch(session, arguments, Access::Both)
    ),
    answering!(Breakpoints, Locations; "log",
        &[],
        "LOCATION \"text {E}\" [if E]",
        "print a message instead of stopping: at a location, or when a variable changes",
        ":log onClick \"at {pieceRow}\"",
        log
    ),
    answering!(Breakpoints, Locations; "breaks", &["info"], "", "list all breakpoints, watchpoints and logpoints", ":breaks", |session, _| Ok(list(session))),
    answering!(Breakpoints, Locations; "enable", &[], "[N]", "turn a breakpoint on again, or all", ":enable 2", |session, arguments| set_enabled(
        session, arguments, true
    )),
    answering!(Breakpoints, Locations; "disable", &[], "[N]", "turn a breakpoint off, or all", ":disable 2", |session, arguments| set_enabled(
        session, arguments, false
    )),
    answering!(Breakpoints, Locations; "delete", &["del"], "[N]", "delete a breakpoint, or all", ":delete 2", delete),
    answering!(Breakpoints, Locations; "skip",
        &[],
        "[NAME | off [NAME]]",
        "step over a function or handler every time; breakpoints in it still stop",
        ":skip winCondition",
        skip
    ),
    answering!(Breakpoints, Locations; "ignore", &[], "N k", "ignore a breakpoint the next k times", ":ignore 1 10", ignore),
];

fn set(session: &mut Session, arguments: Arguments<'_>, is_temporary: bool) -> CommandResult {
    if arguments.is_empty() && !session.target.is_stopped() {
        return Ok(list(session));
    }
    let (text, options) = parse_options(arguments.text).map_err(CommandError::new)?;
    let location = parse_location(session, text).map_err(CommandError::new)?;
    let text = if text.is_empty() { "here" } else { text };
    add(session, location, text, options, |b| {
        b.is_temporary = is_temporary
    })
}

fn watch(session: &mut Session, arguments: Arguments<'_>, access: Access) -> CommandResult {
    let what = "a variable, a cell, `row 1`, `col 1` or `board`";
    let text = arguments.required(session, what)?;
    let (text, options) = parse_options(text).map_err(CommandError::new)?;
    let target = session.target.resolve_watch_target(text);
    let location = Location::Watch(target.map_err(CommandError::new)?, access);
    add(session, location, text, options, |_| {})
}

fn log(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let Some((location_text, message)) = arguments.text.split_once('"') else {
        return Err(CommandError::new(format!(
            "`:log` needs a location and a message in quotes, e.g. `{}`",
            example(session, "log")
        )));
    };
    let location_text = location_text.trim();
    let Some((message, after)) = split_log_text(message) else {
        return Err(CommandError::new("the message has no closing quote"));
    };
    let (extra, options) = parse_options(after).map_err(CommandError::new)?;
    if !extra.is_empty() {
        return Err(CommandError::new(format!(
            "expected `if` after the message, found `{extra}`"
        )));
    }
    let location = log_location(session, location_text).map_err(CommandError::new)?;
    add(session, location, location_text, options, |b| {
        b.log_message = Some(message.to_string())
    })
}

/// Where a logpoint prints: at a code location, or whenever a variable or cell changes.
fn log_location(session: &Session, text: &str) -> Result<Location, String> {
    let target = session
        .target
        .resolve_watch_target(text)
        .ok()
        .filter(|_| !session.target.is_function_name(text));
    match target {
        Some(target) => Ok(Location::Watch(target, Access::Change)),
        None => parse_location(session, text),
    }
}

/// Sets a breakpoint. `configure` sets what is particular to the command.
fn add(
    session: &mut Session,
    location: Location,
    text: &str,
    options: BreakpointOptions,
    configure: impl FnOnce(&mut Breakpoint),
) -> CommandResult {
    let command = options.command.as_deref().unwrap_or_default();
    if let Some(word) = command.split_whitespace().next()
        && !super::is_command_name(session, word)
    {
        return Err(CommandError::new(format!(
            "unknown command `:{word}` in `do {word}`"
        )));
    }
    let new = session
        .target
        .set_breakpoint(location, text, options.condition, |b| {
            (b.hit_condition, b.command) = (options.hits, options.command);
            configure(b);
        })
        .map_err(|message| CommandError::new(format!("invalid condition: {message}")))?;
    Ok(Answer::of(Part::NewBreakpoint(Box::new(new))))
}

fn list(session: &Session) -> Answer {
    let breakpoints = session.target.describe_breakpoints();
    if breakpoints.is_empty() {
        let location = session.example_breakpoint();
        return Answer::message(Line::styled(
            Style::Dim,
            format!("No breakpoints; set one with `:break {location}`"),
        ));
    }
    Answer::of(Part::Breakpoints { breakpoints })
}

/// Parses breakpoint numbers; none or `all` means every breakpoint.
fn parse_numbers(session: &Session, arguments: Arguments<'_>) -> Result<Vec<u32>, CommandError> {
    let breakpoints = session.target.debugger.breakpoints.iter();
    let known: Vec<u32> = breakpoints.map(|b| b.number).collect();
    if arguments.is_empty() || arguments.text == "all" {
        return Ok(known);
    }
    let parse = |word: &str| match word.parse() {
        Ok(n) if known.contains(&n) => Ok(n),
        _ => Err(unknown_breakpoint(word)),
    };
    arguments.words().into_iter().map(parse).collect()
}

fn unknown_breakpoint(number: impl std::fmt::Display) -> CommandError {
    CommandError::new(format!(
        "there is no breakpoint {number}; `:breaks` lists them"
    ))
}

fn set_enabled(session: &mut Session, arguments: Arguments<'_>, enabled: bool) -> CommandResult {
    let numbers = parse_numbers(session, arguments)?;
    for b in &mut session.target.debugger.breakpoints {
        if numbers.contains(&b.number) {
            b.is_enabled = enabled;
        }
    }
    Ok(list(session))
}

fn delete(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let numbers = parse_numbers(session, arguments)?;
    let breakpoints = &mut session.target.debugger.breakpoints;
    breakpoints.retain(|b| !numbers.contains(&b.number));
    Ok(list(session))
}

fn skip(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let names = session.target.breakpoint_names();
    let skipped = &mut session.target.debugger.skipped_functions;
    match arguments.split_word() {
        ("", _) => {}
        ("off", "") => skipped.clear(),
        ("off", name) => match skipped.iter().position(|s| s == name) {
            Some(at) => drop(skipped.remove(at)),
            None => {
                return Err(CommandError::new(format!(
                    "`{name}` is not skipped; `:skip` lists the skipped functions"
                )));
            }
        },
        (n, "") if n.parse::<u32>().is_ok() => {
            return Err(CommandError::new(format!(
                "`:skip` needs the name of a function; to skip breakpoint {n}, use `:disable {n}` or `:ignore {n} 1`"
            )));
        }
        _ => {
            let text = arguments.text;
            if !names.iter().any(|name| name == text) {
                let suggestion = did_you_mean(text, names.iter().map(String::as_str));
                return Err(CommandError::new(format!(
                    "unknown name `{text}`{suggestion}"
                )));
            }
            if !skipped.iter().any(|s| s == text) {
                skipped.push(text.to_string());
            }
        }
    }
    Ok(Answer::message(match skipped.as_slice() {
        [] => Line::styled(
            Style::Dim,
            "No functions are skipped; `:skip NAME` steps over a function or handler every time",
        ),
        names => Line::plain(format!("Steps skip {}", names.join(", "))),
    }))
}

fn ignore(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let parsed = match arguments.words().as_slice() {
        [n, k] => n.parse::<u32>().ok().zip(k.parse::<u64>().ok()),
        _ => None,
    };
    let (n, k) = parsed.ok_or_else(|| {
        CommandError::new("`:ignore` needs a breakpoint number and a count, e.g. `:ignore 1 10`")
    })?;
    let mut breakpoints = session.target.debugger.breakpoints.iter_mut();
    let breakpoint = breakpoints.find(|b| b.number == n);
    breakpoint
        .ok_or_else(|| unknown_breakpoint(n))?
        .ignore_count = k;
    Ok(Answer::message(match k {
        0 => format!("Breakpoint {n} is no longer ignored"),
        1 => format!("Breakpoint {n} will be ignored once"),
        k => format!("Breakpoint {n} will be ignored {k} times"),
    }))
}
