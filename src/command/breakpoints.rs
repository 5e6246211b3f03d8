//! Commands for breakpoints, watchpoints and logpoints.

use super::location::{BreakpointOptions, parse_location, parse_options, split_log_text};
use super::{Command, example};
use crate::debugger::{Access, Breakpoint, HitCondition, Location, breakpoint};
use crate::diagnostic::did_you_mean;
use crate::session::{Answer, Line, Session, Style};

pub const COMMANDS: &[Command] = &[
    command!(Breakpoints, Locations; "break",
        &["b"],
        "[LOCATION] [if E] [hits N | hits %N] [do COMMAND]",
        "stop at a line, function, handler or condition, or on an event of the game",
        ":break winCondition",
        |session, rest, reply| set(session, rest, reply, false)
    ),
    command!(Breakpoints, Locations; "tbreak", &["tb"], "[LOCATION] …", "like break, but stop only once", ":tbreak 12", |session, rest, reply| set(
        session, rest, reply, true
    )),
    command!(Breakpoints, Locations; "watch",
        &[],
        "X | [r][c] | [r][c].name | row N | col N | board",
        "stop when a variable or cell changes",
        ":watch [1][1]",
        |session, rest, reply| watch(session, rest, reply, Access::Change)
    ),
    command!(Breakpoints, Locations; "rwatch", &[], "X …", "stop when a variable or cell is read", ":rwatch turnCount", |session, rest, reply| {
        watch(session, rest, reply, Access::Read);
    }),
    command!(Breakpoints, Locations; "awatch",
        &[],
        "X …",
        "stop when a variable or cell is read or changed",
        ":awatch turnCount",
        |session, rest, reply| {
            watch(session, rest, reply, Access::Both);
        }
    ),
    command!(Breakpoints, Locations; "log",
        &[],
        "LOCATION \"text {E}\" [if E]",
        "print a message instead of stopping: at a location, or when a variable changes",
        ":log onClick \"at {pieceRow}\"",
        log
    ),
    command!(Breakpoints, Locations; "breaks", &["info"], "", "list all breakpoints, watchpoints and logpoints", ":breaks", list),
    command!(Breakpoints, Locations; "enable", &[], "[N]", "turn a breakpoint on again, or all", ":enable 2", |session, rest, reply| set_enabled(
        session, rest, reply, true
    )),
    command!(Breakpoints, Locations; "disable", &[], "[N]", "turn a breakpoint off, or all", ":disable 2", |session, rest, reply| set_enabled(
        session, rest, reply, false
    )),
    command!(Breakpoints, Locations; "delete", &["del"], "[N]", "delete a breakpoint, or all", ":delete 2", delete),
    command!(Breakpoints, Locations; "skip",
        &[],
        "[NAME | off [NAME]]",
        "step over a function or handler every time; breakpoints in it still stop",
        ":skip winCondition",
        skip
    ),
    command!(Breakpoints, Locations; "ignore", &[], "N k", "ignore a breakpoint the next k times", ":ignore 1 10", ignore),
];

fn set(session: &mut Session, rest: &str, reply: &mut Answer, is_temporary: bool) {
    if rest.is_empty() && !session.target.is_stopped() {
        return list(session, rest, reply);
    }
    let parsed = parse_options(rest)
        .and_then(|(text, options)| Ok((text, parse_location(session, text)?, options)));
    match parsed {
        Ok((text, location, options)) => {
            let text = if text.is_empty() { "here" } else { text };
            add(session, location, text, options, reply, |b| {
                b.is_temporary = is_temporary
            });
        }
        Err(message) => reply.error(message),
    }
}

fn watch(session: &mut Session, rest: &str, reply: &mut Answer, access: Access) {
    if rest.is_empty() {
        let name = watch_command(access);
        let example = example(session, name);
        return reply.error(format!(
            "`:{name}` needs a variable, a cell, `row 1`, `col 1` or `board`, e.g. `{example}`"
        ));
    }
    let parsed = parse_options(rest).and_then(|(text, options)| {
        Ok((text, session.target.resolve_watch_target(text)?, options))
    });
    match parsed {
        Ok((text, target, options)) => add(
            session,
            Location::Watch(target, access),
            text,
            options,
            reply,
            |_| {},
        ),
        Err(message) => reply.error(message),
    }
}

/// The name of the command that sets a watchpoint.
fn watch_command(access: Access) -> &'static str {
    match access {
        Access::Change => "watch",
        Access::Read => "rwatch",
        Access::Both => "awatch",
    }
}

fn log(session: &mut Session, rest: &str, reply: &mut Answer) {
    let Some((location_text, message)) = rest.split_once('"') else {
        return reply.error(format!(
            "`:log` needs a location and a message in quotes, e.g. `{}`",
            example(session, "log")
        ));
    };
    let location_text = location_text.trim();
    let Some((message, after)) = split_log_text(message) else {
        return reply.error("the message has no closing quote");
    };
    let parsed = parse_options(after).and_then(|(extra, options)| match extra {
        "" => Ok((log_location(session, location_text)?, options)),
        _ => Err(format!("expected `if` after the message, found `{extra}`")),
    });
    match parsed {
        Ok((location, options)) => {
            add(session, location, location_text, options, reply, |b| {
                b.log_message = Some(message.to_string())
            });
        }
        Err(message) => reply.error(message),
    }
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

/// Creates a breakpoint, resolves its location and reports it. `configure` sets what is particular
/// to the command.
fn add(
    session: &mut Session,
    location: Location,
    text: &str,
    options: BreakpointOptions,
    reply: &mut Answer,
    configure: impl FnOnce(&mut Breakpoint),
) {
    let addresses =
        breakpoint::resolve(&location, session.target.program(), &session.target.sources);
    if let Some(word) = options
        .command
        .as_deref()
        .and_then(|c| c.split_whitespace().next())
        && !super::is_command_name(session, word)
    {
        return reply.error(format!("unknown command `:{word}` in `do {word}`"));
    }
    let warning = match options
        .condition
        .as_deref()
        .map(|c| session.target.check_condition(c, &location, &addresses))
    {
        Some(Err(message)) => {
            return reply.error(format!("invalid condition: {message}"));
        }
        Some(Ok(warning)) => warning,
        None => None,
    };
    let b = session.target.debugger.add_breakpoint(location, text);
    (b.condition, b.hit_condition, b.command) = (options.condition, options.hits, options.command);
    configure(b);
    let program = session.target.program().clone();
    if let Some(b) = session.target.debugger.breakpoints.last_mut() {
        b.rebind(&program, &session.target.sources);
    }
    let Some(b) = session.target.debugger.breakpoints.last().cloned() else {
        return;
    };
    reply.line(describe(session, &b));
    if b.addresses.is_empty() && !matches!(b.location, Location::Event(..)) {
        let text = "  nothing has that name yet; the breakpoint activates when it is defined";
        reply.line(Line::styled(Style::Warning, text));
    }
    if let Some(warning) = warning {
        let text =
            format!("  cannot evaluate the condition there, so it will always stop: {warning}");
        reply.line(Line::styled(Style::Warning, text));
    }
}

fn list(session: &mut Session, _: &str, reply: &mut Answer) {
    if session.target.debugger.breakpoints.is_empty() {
        let location = session.example_breakpoint();
        reply.line(Line::styled(
            Style::Dim,
            format!("No breakpoints; set one with `:break {location}`"),
        ));
    }
    for b in session.target.debugger.breakpoints.clone() {
        let line = describe(session, &b);
        reply.line(line);
    }
}

/// `1  break zero.onClick   board.gl:30   if pieceRow == 2   hit 3 times`
fn describe(session: &Session, b: &Breakpoint) -> Line {
    let command = match (&b.log_message, &b.location) {
        (Some(_), _) => "log",
        (None, Location::Watch(_, access)) => watch_command(*access),
        (None, _) if b.is_temporary => "tbreak",
        (None, _) => "break",
    };
    let mut line =
        Line::plain(format!("  {:<2} {command} ", b.number)).with(Style::Strong, b.text.clone());
    if !b.is_watchpoint() && !matches!(b.location, Location::Event(..)) {
        let line_number = b.addresses.first().and_then(|&(f, pc)| {
            let span = session
                .target
                .machine
                .function(f)?
                .stop_point_before(pc)?
                .span;
            let source = session.target.sources.get(span.source)?;
            Some(format!(
                "   {}:{}",
                source.origin,
                source.line_column(span.start).0
            ))
        });
        let more = if b.addresses.len() > 1 {
            format!(" and {} more", b.addresses.len() - 1)
        } else {
            String::new()
        };
        line = line.with(
            Style::Dim,
            line_number.unwrap_or_else(|| "   (pending)".into()) + &more,
        );
    }
    let mut rest = String::new();
    if let Some(text) = &b.log_message {
        rest.push_str(&format!("   \"{text}\""));
    }
    if let Some(condition) = &b.condition {
        rest.push_str(&format!("   if {condition}"));
    }
    match b.hit_condition {
        Some(HitCondition::Nth(n)) => rest.push_str(&format!("   hits {n}")),
        Some(HitCondition::Every(n)) => rest.push_str(&format!("   hits %{n}")),
        None => {}
    }
    if let Some(command) = &b.command {
        rest.push_str(&format!("   do {command}"));
    }
    if b.ignore_count > 0 {
        let times = if b.ignore_count == 1 {
            "once".to_string()
        } else {
            format!("{} times", b.ignore_count)
        };
        rest.push_str(&format!("   ignored {times} more"));
    }
    if b.hit_count > 0 {
        let times = if b.hit_count == 1 {
            "once".to_string()
        } else {
            format!("{} times", b.hit_count)
        };
        rest.push_str(&format!("   hit {times}"));
    }
    if !b.is_enabled {
        rest.push_str("   (disabled)");
    }
    line.with(Style::Dim, rest)
}

/// Parses breakpoint numbers; none or `all` means every breakpoint. Reports unknown numbers.
fn parse_numbers(session: &Session, rest: &str, reply: &mut Answer) -> Option<Vec<u32>> {
    let known: Vec<u32> = session
        .target
        .debugger
        .breakpoints
        .iter()
        .map(|b| b.number)
        .collect();
    if rest.is_empty() || rest == "all" {
        return Some(known);
    }
    let mut numbers = Vec::new();
    for word in rest.split_whitespace() {
        match word.parse() {
            Ok(n) if known.contains(&n) => numbers.push(n),
            _ => {
                reply.error(format!(
                    "there is no breakpoint {word}; `:breaks` lists them"
                ));
                return None;
            }
        }
    }
    Some(numbers)
}

fn set_enabled(session: &mut Session, rest: &str, reply: &mut Answer, enabled: bool) {
    let Some(numbers) = parse_numbers(session, rest, reply) else {
        return;
    };
    for b in &mut session.target.debugger.breakpoints {
        if numbers.contains(&b.number) {
            b.is_enabled = enabled;
        }
    }
    list(session, "", reply);
}

fn delete(session: &mut Session, rest: &str, reply: &mut Answer) {
    let Some(numbers) = parse_numbers(session, rest, reply) else {
        return;
    };
    session
        .target
        .debugger
        .breakpoints
        .retain(|b| !numbers.contains(&b.number));
    list(session, "", reply);
}

fn skip(session: &mut Session, rest: &str, reply: &mut Answer) {
    let (word, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let names = session.target.breakpoint_names();
    let skipped = &mut session.target.debugger.skipped_functions;
    match (word, name.trim()) {
        ("", _) => {}
        ("off", "") => skipped.clear(),
        ("off", name) => match skipped.iter().position(|s| s == name) {
            Some(at) => drop(skipped.remove(at)),
            None => {
                return reply.error(format!(
                    "`{name}` is not skipped; `:skip` lists the skipped functions"
                ));
            }
        },
        (n, "") if n.parse::<u32>().is_ok() => {
            return reply.error(format!(
                "`:skip` needs the name of a function; to skip breakpoint {n}, use `:disable {n}` or `:ignore {n} 1`"
            ));
        }
        _ => {
            if !names.iter().any(|name| name == rest) {
                let suggestion = did_you_mean(rest, names.iter().map(String::as_str));
                return reply.error(format!("unknown name `{rest}`{suggestion}"));
            }
            if !skipped.iter().any(|s| s == rest) {
                skipped.push(rest.to_string());
            }
        }
    }
    reply.line(match session.target.debugger.skipped_functions.as_slice() {
        [] => Line::styled(
            Style::Dim,
            "No functions are skipped; `:skip NAME` steps over a function or handler every time",
        ),
        names => Line::plain(format!("Steps skip {}", names.join(", "))),
    });
}

fn ignore(session: &mut Session, rest: &str, reply: &mut Answer) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let parsed = match words.as_slice() {
        [n, k] => n.parse::<u32>().ok().zip(k.parse::<u64>().ok()),
        _ => None,
    };
    let Some((n, k)) = parsed else {
        return reply.error("`:ignore` needs a breakpoint number and a count, e.g. `:ignore 1 10`");
    };
    match session
        .target
        .debugger
        .breakpoints
        .iter_mut()
        .find(|b| b.number == n)
    {
        Some(b) => {
            b.ignore_count = k;
            reply.line(match k {
                0 => format!("Breakpoint {n} is no longer ignored"),
                1 => format!("Breakpoint {n} will be ignored once"),
                k => format!("Breakpoint {n} will be ignored {k} times"),
            });
        }
        None => reply.error(format!("there is no breakpoint {n}; `:breaks` lists them")),
    }
}
