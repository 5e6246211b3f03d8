//! Commands that say where to stop: breakpoints, watches, logs.

use super::location::{BreakpointOptions, parse_location, parse_options, split_log_text};
use super::{Command, example};
use crate::debugger::{Access, Breakpoint, HitCondition, Location, breakpoint};
use crate::diagnostic::did_you_mean;
use crate::session::{Line, Reply, Session, Style};

pub const COMMANDS: &[Command] = &[
    command!(Breakpoints, Locations; "break",
        &["b"],
        "[PLACE] [if E] [hits N | hits %N] [do COMMAND]",
        "stop at a line, a handler, a condition, a function, or on an event of the game",
        ":break winCondition",
        |session, rest, reply| set(session, rest, reply, false)
    ),
    command!(Breakpoints, Locations; "tbreak", &["tb"], "[PLACE] …", "as break, but only once", ":tbreak 12", |session, rest, reply| set(
        session, rest, reply, true
    )),
    command!(Breakpoints, Locations; "watch",
        &[],
        "X | [r][c] | [r][c].name | row N | col N | board",
        "stop when something changes",
        ":watch [1][1]",
        |session, rest, reply| watch(session, rest, reply, Access::Change)
    ),
    command!(Breakpoints, Locations; "rwatch", &[], "X …", "stop when something is read", ":rwatch turnCount", |session, rest, reply| {
        watch(session, rest, reply, Access::Read);
    }),
    command!(Breakpoints, Locations; "awatch",
        &[],
        "X …",
        "stop when something is read or changed",
        ":awatch turnCount",
        |session, rest, reply| {
            watch(session, rest, reply, Access::Both);
        }
    ),
    command!(Breakpoints, Locations; "log",
        &[],
        "PLACE \"text {E}\" [if E]",
        "tell something instead of stopping: at a place, or when something changes",
        ":log onClick \"at {pieceRow}\"",
        log
    ),
    command!(Breakpoints, Locations; "breaks", &["info"], "", "all breakpoints, watches and logs", ":breaks", list),
    command!(Breakpoints, Locations; "enable", &[], "[N]", "let a breakpoint stop again", ":enable 2", |session, rest, reply| able(
        session, rest, reply, true
    )),
    command!(Breakpoints, Locations; "disable", &[], "[N]", "let a breakpoint be passed", ":disable 2", |session, rest, reply| able(
        session, rest, reply, false
    )),
    command!(Breakpoints, Locations; "delete", &["del"], "[N]", "remove a breakpoint, or all", ":delete 2", delete),
    command!(Breakpoints, Locations; "skip",
        &[],
        "[NAME | off [NAME]]",
        "let steps pass over a function or handler; breakpoints in it still stop",
        ":skip winCondition",
        skip
    ),
    command!(Breakpoints, Locations; "ignore", &[], "N k", "pass a breakpoint the next k times", ":ignore 1 10", ignore),
];

fn set(session: &mut Session, rest: &str, reply: &mut Reply, once: bool) {
    if rest.is_empty() && !session.is_stopped() {
        return list(session, rest, reply);
    }
    let read = parse_options(rest)
        .and_then(|(place, extras)| Ok((place, parse_location(session, place)?, extras)));
    match read {
        Ok((place, spot, extras)) => {
            let text = if place.is_empty() { "here" } else { place };
            add(session, spot, text, extras, reply, |b| {
                b.is_temporary = once
            });
        }
        Err(message) => reply.error(message),
    }
}

fn watch(session: &mut Session, rest: &str, reply: &mut Reply, access: Access) {
    if rest.is_empty() {
        let example = example(session, "watch");
        return reply.error(format!(
            "say what: a variable, a cell, `row 1`, `col 1` or `board`, as `{example}`"
        ));
    }
    let read = parse_options(rest)
        .and_then(|(what, extras)| Ok((what, session.resolve_watch_target(what)?, extras)));
    match read {
        Ok((what, watched, extras)) => add(
            session,
            Location::Watch(watched, access),
            what,
            extras,
            reply,
            |_| {},
        ),
        Err(message) => reply.error(message),
    }
}

fn log(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some((place, text)) = rest.split_once('"') else {
        return reply.error(format!("say where and what: `{}`", example(session, "log")));
    };
    let Some((text, after)) = split_log_text(text) else {
        return reply.error("the text must end with a quote");
    };
    let read = parse_options(after).and_then(|(between, extras)| match between {
        "" => Ok((logged(session, place.trim())?, extras)),
        _ => Err(format!("behind the text comes `if`, not `{between}`")),
    });
    match read {
        Ok((spot, extras)) => {
            add(session, spot, place.trim(), extras, reply, |b| {
                b.log_message = Some(text.to_string())
            });
        }
        Err(message) => reply.error(message),
    }
}

/// Where a log tells something: at a place, or whenever a variable or a cell changes.
fn logged(session: &Session, place: &str) -> Result<Location, String> {
    let watched = session
        .resolve_watch_target(place)
        .ok()
        .filter(|_| !session.is_function_name(place));
    match watched {
        Some(watched) => Ok(Location::Watch(watched, Access::Change)),
        None => parse_location(session, place),
    }
}

/// Makes a breakpoint, finds its places, and tells of it.
fn add(
    session: &mut Session,
    spot: Location,
    text: &str,
    extras: BreakpointOptions,
    reply: &mut Reply,
    finish: impl FnOnce(&mut Breakpoint),
) {
    let places = breakpoint::resolve(&spot, session.program(), &session.sources);
    if let Some(word) = extras
        .command
        .as_deref()
        .and_then(|c| c.split_whitespace().next())
        && !super::is_command_name(session, word)
    {
        return reply.error(format!("`do {word}`: there is no command `:{word}`"));
    }
    let doubt = match extras
        .condition
        .as_deref()
        .map(|c| session.check_condition(c, &spot, &places))
    {
        Some(Err(message)) => {
            return reply.error(format!("the condition can't be read: {message}"));
        }
        Some(Ok(doubt)) => doubt,
        None => None,
    };
    let b = session.debugger.add_breakpoint(spot, text);
    (b.condition, b.hit_condition, b.command) = (extras.condition, extras.hits, extras.command);
    finish(b);
    let program = session.program().clone();
    if let Some(b) = session.debugger.breakpoints.last_mut() {
        b.rebind(&program, &session.sources);
    }
    let Some(b) = session.debugger.breakpoints.last().cloned() else {
        return;
    };
    reply.line(described(session, &b));
    if b.addresses.is_empty() && !matches!(b.location, Location::Event(..)) {
        let words = "  it waits until something of that name is defined";
        reply.line(Line::styled(Style::Warning, words));
    }
    if let Some(doubt) = doubt {
        let words = format!(
            "  its condition can't be evaluated there, so it will stop and say that: {doubt}"
        );
        reply.line(Line::styled(Style::Warning, words));
    }
}

fn list(session: &mut Session, _: &str, reply: &mut Reply) {
    if session.debugger.breakpoints.is_empty() {
        // A place that this very game has.
        let titles = session.breakpoint_names();
        let title = titles
            .iter()
            .find(|t| t.ends_with("Condition"))
            .or(titles.first());
        let example = title.map_or_else(
            || "`:break LINE` sets one".to_string(),
            |t| format!("`:break {t}` sets one"),
        );
        reply.line(Line::styled(
            Style::Dim,
            format!("no breakpoints: {example}"),
        ));
    }
    for b in session.debugger.breakpoints.clone() {
        let line = described(session, &b);
        reply.line(line);
    }
}

/// `1  break zero.onClick   board.gl:30   if pieceRow == 2   hit 3 times`
fn described(session: &Session, b: &Breakpoint) -> Line {
    let word = match (&b.log_message, &b.location) {
        (Some(_), _) => "log",
        (None, Location::Watch(_, Access::Read)) => "rwatch",
        (None, Location::Watch(_, Access::Both)) => "awatch",
        (None, Location::Watch(..)) => "watch",
        (None, _) if b.is_temporary => "tbreak",
        (None, _) => "break",
    };
    let mut line =
        Line::plain(format!("  {:<2} {word} ", b.number)).with(Style::Strong, b.text.clone());
    if !b.is_watchpoint() && !matches!(b.location, Location::Event(..)) {
        let place = b.addresses.first().and_then(|&(f, pc)| {
            let span = session.machine.function(f)?.stop_point_before(pc)?.span;
            let source = session.sources.get(span.source)?;
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
            place.unwrap_or_else(|| "   (no place)".into()) + &more,
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
        let often = if b.ignore_count == 1 {
            "once".to_string()
        } else {
            format!("{} times", b.ignore_count)
        };
        rest.push_str(&format!("   ignored {often} more"));
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

/// The breakpoints that numbers name; all of them if none is said.
fn numbered(session: &Session, rest: &str, reply: &mut Reply) -> Option<Vec<u32>> {
    let known: Vec<u32> = session
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

fn able(session: &mut Session, rest: &str, reply: &mut Reply, enabled: bool) {
    let Some(numbers) = numbered(session, rest, reply) else {
        return;
    };
    for b in &mut session.debugger.breakpoints {
        if numbers.contains(&b.number) {
            b.is_enabled = enabled;
        }
    }
    list(session, "", reply);
}

fn delete(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(numbers) = numbered(session, rest, reply) else {
        return;
    };
    session
        .debugger
        .breakpoints
        .retain(|b| !numbers.contains(&b.number));
    list(session, "", reply);
}

fn skip(session: &mut Session, rest: &str, reply: &mut Reply) {
    let (word, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let titles = session.breakpoint_names();
    let skipped = &mut session.debugger.skipped_functions;
    match (word, name.trim()) {
        ("", _) => {}
        ("off", "") => skipped.clear(),
        ("off", name) => match skipped.iter().position(|s| s == name) {
            Some(at) => drop(skipped.remove(at)),
            None => return reply.error(format!("`{name}` is not skipped; `:skip` lists what is")),
        },
        (n, "") if n.parse::<u32>().is_ok() => {
            return reply.error(format!(
                "`skip` takes a name: `disable {n}` or `ignore {n} 1` let breakpoint {n} be passed"
            ));
        }
        _ => {
            if !titles.iter().any(|t| t == rest) {
                let near = did_you_mean(rest, titles.iter().map(String::as_str));
                return reply.error(format!("nothing is called `{rest}`{near}"));
            }
            if !skipped.iter().any(|s| s == rest) {
                skipped.push(rest.to_string());
            }
        }
    }
    reply.line(match session.debugger.skipped_functions.as_slice() {
        [] => Line::styled(
            Style::Dim,
            "steps pass over nothing: `:skip NAME` lets them pass over a function or handler",
        ),
        names => Line::plain(format!("steps pass over {}", names.join(", "))),
    });
}

fn ignore(session: &mut Session, rest: &str, reply: &mut Reply) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let parsed = match words.as_slice() {
        [n, k] => n.parse::<u32>().ok().zip(k.parse::<u64>().ok()),
        _ => None,
    };
    let Some((n, k)) = parsed else {
        return reply.error("say which, and how often: `:ignore 1 10`");
    };
    match session
        .debugger
        .breakpoints
        .iter_mut()
        .find(|b| b.number == n)
    {
        Some(b) => {
            b.ignore_count = k;
            reply.line(match k {
                0 => format!("breakpoint {n} is not passed"),
                1 => format!("breakpoint {n} is passed the next time"),
                k => format!("breakpoint {n} is passed the next {k} times"),
            });
        }
        None => reply.error(format!("there is no breakpoint {n}; `:breaks` lists them")),
    }
}
