//! Commands for breakpoints, watchpoints and logpoints.
//!
//! ```text
//! properties  commands for properties
//! ```

pub(crate) mod properties;

use super::arguments::BreakpointArguments;
use super::{Arguments, Command};
use crate::analysis::inspect;
use crate::answer::{Access, BreakpointInfo, CommandError, ListKind, Notice, Part, Setting};
use crate::debugger::breakpoint;
use crate::debugger::{Breakpoint, Location};
use crate::session::{Answer, Looks, Session};

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
        "X | [r][c] | [r][c].name | row N | col N | board | EXPRESSION | if CONDITION",
        "stop when a variable, cell or expression changes, or a condition becomes true",
        ":watch [1][1]",
        |session, arguments| watch(session, arguments, Access::Change); takes_code()
    ),
    answering!(Breakpoints, Locations; "rwatch", &[], "X …", "stop when a variable or cell is read", ":rwatch turnCount", |session, arguments| {
        watch(session, arguments, Access::Read)
    }; takes_code()),
    answering!(Breakpoints, Locations; "awatch",
        &[],
        "X …",
        "stop when a variable or cell is read or changed",
        ":awatch turnCount",
        |session, arguments| watch(session, arguments, Access::Both); takes_code()
    ),
    answering!(Breakpoints, Locations; "log",
        &[],
        "LOCATION \"text {E}\" [if E]",
        "print a message instead of stopping: at a location, or when a variable changes",
        ":log onClick \"at {pieceRow}\"",
        log
    ),
    answering!(Breakpoints, Locations; "breaks", &["info"], "", "list all breakpoints, watchpoints and logpoints", ":breaks", |session, _| Ok(list(session)); at_prediction(), looks(Looks::Always)),
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
    if matches!(arguments.text(), "off error" | "off on error") {
        session.target.debugger.ignore_errors();
        return Ok(Answer::of(Setting::StopOnErrors(false)));
    }
    let arguments = arguments.breakpoint(session)?;
    add(session, arguments, |b| b.is_temporary = is_temporary)
}

fn watch(session: &mut Session, arguments: Arguments<'_>, access: Access) -> CommandResult {
    let arguments = arguments.watchpoint(session, access)?;
    if let Location::Watch(target, _) = &arguments.location {
        breakpoint::check_watched(&mut session.target, target)?;
    }
    add(session, arguments, |_| {})
}

fn log(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let arguments = arguments.logpoint(session)?;
    add(session, arguments, |_| {})
}

/// Sets a breakpoint. `configure` sets what is particular to the command.
fn add(
    session: &mut Session,
    arguments: BreakpointArguments<'_>,
    configure: impl FnOnce(&mut Breakpoint),
) -> CommandResult {
    let options = arguments.options;
    let command = options.command.as_deref().unwrap_or_default();
    if let Some(word) = command.split_whitespace().next()
        && !super::is_command_name(session, word)
    {
        return Err(CommandError::new(format!(
            "unknown command `:{word}` in `do {word}`"
        )));
    }
    let (location, text) = (arguments.location, arguments.location_text);
    let new = inspect::set_breakpoint(
        &mut session.target,
        location,
        text,
        options.condition,
        |b| {
            (b.hit_condition, b.command) = (options.hits, options.command);
            b.log_message = arguments.log_message.map(str::to_string);
            configure(b);
        },
    )
    .map_err(|message| CommandError::new(format!("invalid condition: {message}")))?;
    Ok(Answer::of(Part::NewBreakpoint(Box::new(new))))
}

fn list(session: &Session) -> Answer {
    let breakpoints = inspect::describe_breakpoints(&session.target);
    if breakpoints.is_empty() {
        let example = format!(":break {}", session.example_breakpoint());
        return Answer::of(Notice::Empty {
            list: ListKind::Breakpoints,
            example: Some(example),
        });
    }
    Answer::of(Part::Breakpoints { breakpoints })
}

/// Parses breakpoint numbers; none or `all` means every breakpoint.
fn parse_numbers(session: &Session, arguments: Arguments<'_>) -> Result<Vec<u32>, CommandError> {
    let breakpoints = session.target.debugger.breakpoints.iter();
    let known: Vec<u32> = breakpoints.map(|b| b.number).collect();
    if arguments.is_empty() || arguments.text() == "all" {
        return Ok(known);
    }
    let parse = |word: &str| match word.parse() {
        Ok(n) if known.contains(&n) => Ok(n),
        _ => Err(unknown_breakpoint(word)),
    };
    arguments.words().into_iter().map(parse).collect()
}

fn unknown_breakpoint(number: impl std::fmt::Display) -> CommandError {
    CommandError::new(format!("there is no breakpoint {number}")).advise(":breaks", "lists them")
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
    if session.target.debugger.breakpoints.is_empty() {
        return Ok(list(session));
    }
    let mut answer = Answer::of(Part::DeletedBreakpoints {
        breakpoints: delete_numbers(session, &numbers),
    });
    let left = inspect::describe_breakpoints(&session.target);
    if !left.is_empty() {
        answer.parts.push(Part::Breakpoints { breakpoints: left });
    }
    Ok(answer)
}

/// Deletes breakpoints by their numbers, and describes them.
pub(super) fn delete_numbers(session: &mut Session, numbers: &[u32]) -> Vec<BreakpointInfo> {
    let mut deleted = inspect::describe_breakpoints(&session.target);
    deleted.retain(|b| numbers.contains(&b.id));
    let breakpoints = &mut session.target.debugger.breakpoints;
    breakpoints.retain(|b| !numbers.contains(&b.number));
    deleted
}

fn skip(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let names = breakpoint::breakpoint_names(&session.target);
    let skipped = &mut session.target.debugger.skipped_functions;
    let (word, rest) = arguments.first_word();
    match (word, rest.text()) {
        ("", _) => {}
        ("off", "") => skipped.clear(),
        ("off", name) => match skipped.iter().position(|s| s == name) {
            Some(at) => drop(skipped.remove(at)),
            None => {
                return Err(CommandError::new(format!("`{name}` is not skipped"))
                    .advise(":skip", "lists the skipped functions"));
            }
        },
        _ if arguments.number::<u32>().is_some() => {
            let n = arguments.text();
            let instruction = format!("to skip breakpoint {n}, use");
            return Err(CommandError::new("`:skip` needs the name of a function")
                .instruct(&instruction, format!(":disable {n}"), "")
                .instruct(&instruction, format!(":ignore {n} 1"), ""));
        }
        _ => {
            let text = arguments.text();
            if !names.iter().any(|name| name == text) {
                return Err(CommandError::new(format!("unknown name `{text}`"))
                    .suggest(text, names.iter().map(String::as_str)));
            }
            if !skipped.iter().any(|s| s == text) {
                skipped.push(text.to_string());
            }
        }
    }
    Ok(Answer::of(Setting::Skip(skipped.clone())))
}

fn ignore(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let (number, count) = arguments.first_word();
    let parsed = number.parse::<u32>().ok().zip(count.number::<u64>());
    let (breakpoint, count) = parsed.ok_or_else(|| {
        CommandError::new("`:ignore` needs a breakpoint number and a count, e.g. `:ignore 1 10`")
    })?;
    if !inspect::ignore_hits(&mut session.target, breakpoint, count) {
        return Err(unknown_breakpoint(breakpoint));
    }
    Ok(Answer::of(Setting::Ignore { breakpoint, count }))
}
