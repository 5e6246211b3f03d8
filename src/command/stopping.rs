//! Commands that say where to stop: breakpoints, watches, logs.

use super::Command;
use crate::debugger::{Access, Breakpoint, GameEvent, Hits, Spot, breakpoint};
use crate::diagnostic::did_you_mean;
use crate::session::{Line, Reply, Session, Style};

pub const COMMANDS: &[Command] = &[
    command!(Stopping, Places; "break",
        &["b"],
        "[PLACE] [if E] [hits N | hits %N] [do COMMAND]",
        "stop at a line, a handler, a condition, a function, or on an event of the game",
        ":break winCondition",
        |session, rest, reply| set(session, rest, reply, false)
    ),
    command!(Stopping, Places; "tbreak", &["tb"], "[PLACE] …", "as break, but only once", ":tbreak 12", |session, rest, reply| set(
        session, rest, reply, true
    )),
    command!(Stopping, Places; "watch",
        &[],
        "X | [r][c] | [r][c].name | row N | col N | board",
        "stop when something changes",
        ":watch [1][1]",
        |session, rest, reply| watch(session, rest, reply, Access::Change)
    ),
    command!(Stopping, Places; "rwatch", &[], "X …", "stop when something is read", ":rwatch turnCount", |session, rest, reply| {
        watch(session, rest, reply, Access::Read);
    }),
    command!(Stopping, Places; "awatch",
        &[],
        "X …",
        "stop when something is read or changed",
        ":awatch turnCount",
        |session, rest, reply| {
            watch(session, rest, reply, Access::Both);
        }
    ),
    command!(Stopping, Places; "log",
        &[],
        "PLACE \"text {E}\" [if E]",
        "tell something instead of stopping",
        ":log onClick \"at {pieceRow}\"",
        log
    ),
    command!(Stopping, Places; "breaks", &["info"], "", "all breakpoints, watches and logs", ":breaks", list),
    command!(Stopping, Places; "enable", &[], "[N]", "let a breakpoint stop again", ":enable 2", |session, rest, reply| able(
        session, rest, reply, true
    )),
    command!(Stopping, Places; "disable", &["skip"], "[N]", "let a breakpoint be passed", ":disable 2", |session, rest, reply| able(
        session, rest, reply, false
    )),
    command!(Stopping, Places; "delete", &["d"], "[N]", "remove a breakpoint, or all", ":delete 2", delete),
    command!(Stopping, Places; "ignore", &[], "N k", "pass a breakpoint the next k times", ":ignore 1 10", ignore),
];

/// What follows a place: `if E`, `hits N`, `do COMMAND`, in any order.
#[derive(Default)]
struct Extras {
    condition: Option<String>,
    hits: Option<Hits>,
    command: Option<String>,
}

/// Cuts a text at its words `if`, `hits` and `do`.
fn extras(text: &str) -> Result<(&str, Extras), String> {
    let find = |word: &str| text.find(&format!(" {word} "));
    let cuts = [find("if"), find("hits"), find("do")];
    let end = cuts.iter().flatten().min().copied().unwrap_or(text.len());
    let part = |at: Option<usize>, word: &str| {
        let start = at? + word.len() + 2;
        let stop = cuts.iter().flatten().filter(|c| **c >= start).min().copied().unwrap_or(text.len());
        Some(text[start..stop].trim())
    };
    let mut extras = Extras { condition: part(cuts[0], "if").map(String::from), ..Extras::default() };
    if let Some(hits) = part(cuts[1], "hits") {
        let (every, number) = match hits.strip_prefix('%') {
            Some(n) => (true, n),
            None => (false, hits),
        };
        let n: u64 = number.trim().parse().map_err(|_| format!("`hits {hits}`: say `hits 3` or `hits %10`"))?;
        extras.hits = Some(if every { Hits::Every(n.max(1)) } else { Hits::At(n) });
    }
    extras.command = part(cuts[2], "do").map(String::from);
    Ok((text[..end].trim(), extras))
}

fn set(session: &mut Session, rest: &str, reply: &mut Reply, once: bool) {
    if rest.is_empty() && !session.is_stopped() {
        return list(session, rest, reply);
    }
    let padded = format!("{rest} ");
    let (place, extras) = match extras(&padded) {
        Ok(parts) => parts,
        Err(message) => return reply.error(message),
    };
    let spot = match spot(session, place) {
        Ok(spot) => spot,
        Err(message) => return reply.error(message),
    };
    let text = if place.is_empty() { "here".to_string() } else { place.to_string() };
    let b = session.debugger.add(spot, &text);
    b.once = once;
    (b.condition, b.hits, b.command) = (extras.condition, extras.hits, extras.command);
    finish(session, reply);
}

/// Finds the places of the newest breakpoint, and tells of it.
fn finish(session: &mut Session, reply: &mut Reply) {
    let program = session.program().clone();
    let sources = session.sources.clone();
    if let Some(b) = session.debugger.breakpoints.last_mut() {
        b.settle(&program, &sources);
    }
    if let Some(b) = session.debugger.breakpoints.last().cloned() {
        let line = described(session, &b);
        reply.line(line);
        if b.places.is_empty() && !matches!(b.spot, Spot::Event(..)) {
            reply.line(Line::styled(
                Style::Warning,
                "  it has no place yet: it waits until something of that name is defined",
            ));
        }
    }
}

/// What a place names.
fn spot(session: &mut Session, place: &str) -> Result<Spot, String> {
    if let Some(event) = place.strip_prefix("on ") {
        return event_spot(session, event.trim());
    }
    if place.is_empty() {
        let look = session.look_at(0).ok_or("say where: `:break winCondition`, `:break 12`, `:break on win`")?;
        let source = session.sources.get(look.span.source).ok_or("this place has no text")?;
        let (line, _) = source.line_column(look.span.start);
        return Ok(Spot::Line { source: source.origin.to_string(), line });
    }
    if let Ok(line) = place.parse::<u32>() {
        let source = session.source_at_hand();
        let spot = Spot::Line { source: source.clone(), line };
        if breakpoint::places(&spot, session.program(), &session.sources).is_empty() {
            return Err(format!("nothing can be stopped at on line {line} of {source}, or after it"));
        }
        return Ok(spot);
    }
    if let Some((source, line)) = place.rsplit_once(':')
        && let Ok(line) = line.parse::<u32>()
    {
        return Ok(Spot::Line { source: source.to_string(), line });
    }
    let spot = Spot::Title(place.to_string());
    if breakpoint::places(&spot, session.program(), &session.sources).is_empty() {
        let titles = session.titles();
        let near = did_you_mean(place, titles.iter().map(String::as_str));
        if !near.is_empty() {
            return Err(format!("nothing is called `{place}`{near}"));
        }
    }
    Ok(spot)
}

fn event_spot(session: &Session, text: &str) -> Result<Spot, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let Some((_, event)) = GameEvent::ALL.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) else {
        let words: Vec<&str> = GameEvent::ALL.iter().map(|(w, _)| *w).collect();
        return Err(format!("`{word}` is no event; events are {}", words.join(", ")));
    };
    if rest.trim().is_empty() {
        return Ok(Spot::Event(*event, None));
    }
    session.cell_named(rest).map(|cell| Spot::Event(*event, Some(cell)))
}

fn watch(session: &mut Session, rest: &str, reply: &mut Reply, access: Access) {
    let padded = format!("{rest} ");
    let (what, extras) = match extras(&padded) {
        Ok(parts) => parts,
        Err(message) => return reply.error(message),
    };
    match session.watched(what) {
        Ok(watched) => {
            let b = session.debugger.add(Spot::Watch(watched, access), what);
            (b.condition, b.hits, b.command) = (extras.condition, extras.hits, extras.command);
            finish(session, reply);
        }
        Err(message) => reply.error(message),
    }
}

fn log(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some((place, text)) = rest.split_once('"') else {
        return reply.error("say where and what: `:log onClick \"clicked {pieceRow},{pieceCol}\"`");
    };
    let Some((text, after)) = text.rsplit_once('"') else {
        return reply.error("the text must end with a quote");
    };
    let spot = match spot(session, place.trim()) {
        Ok(spot) => spot,
        Err(message) => return reply.error(message),
    };
    let padded = format!(" {} ", after.trim());
    let condition = padded.trim().strip_prefix("if ").map(|c| c.trim().to_string());
    let b = session.debugger.add(spot, place.trim());
    b.log = Some(text.to_string());
    b.condition = condition;
    finish(session, reply);
}

fn list(session: &mut Session, _: &str, reply: &mut Reply) {
    if session.debugger.breakpoints.is_empty() {
        // A place that this very game has.
        let titles = session.titles();
        let title = titles.iter().find(|t| t.ends_with("Condition")).or(titles.first());
        let example = title.map_or_else(|| "`:break LINE` sets one".to_string(), |t| format!("`:break {t}` sets one"));
        reply.line(Line::styled(Style::Dim, format!("no breakpoints: {example}")));
    }
    for b in session.debugger.breakpoints.clone() {
        let line = described(session, &b);
        reply.line(line);
    }
}

/// `1  break zero.onClick   board.gl:30   if pieceRow == 2   hit 3 times`
fn described(session: &Session, b: &Breakpoint) -> Line {
    let word = match (&b.log, &b.spot) {
        (Some(_), _) => "log",
        (None, Spot::Watch(_, Access::Read)) => "rwatch",
        (None, Spot::Watch(_, Access::Both)) => "awatch",
        (None, Spot::Watch(..)) => "watch",
        (None, _) if b.once => "tbreak",
        (None, _) => "break",
    };
    let mut line = Line::plain(format!("  {:<2} {word} ", b.number)).with(Style::Strong, b.text.clone());
    if !b.is_watch() && !matches!(b.spot, Spot::Event(..)) {
        let place = b.places.first().and_then(|&(f, pc)| {
            let span = session.machine.function(f)?.stop_before(pc)?.span;
            let source = session.sources.get(span.source)?;
            Some(format!("   {}:{}", source.origin, source.line_column(span.start).0))
        });
        let more = if b.places.len() > 1 { format!(" and {} more", b.places.len() - 1) } else { String::new() };
        line = line.with(Style::Dim, place.unwrap_or_default() + &more);
    }
    let mut rest = String::new();
    if let Some(text) = &b.log {
        rest.push_str(&format!("   \"{text}\""));
    }
    if let Some(condition) = &b.condition {
        rest.push_str(&format!("   if {condition}"));
    }
    match b.hits {
        Some(Hits::At(n)) => rest.push_str(&format!("   hits {n}")),
        Some(Hits::Every(n)) => rest.push_str(&format!("   hits %{n}")),
        None => {}
    }
    if let Some(command) = &b.command {
        rest.push_str(&format!("   do {command}"));
    }
    if b.count > 0 {
        let times = if b.count == 1 { "once".to_string() } else { format!("{} times", b.count) };
        rest.push_str(&format!("   hit {times}"));
    }
    if !b.enabled {
        rest.push_str("   (disabled)");
    }
    line.with(Style::Dim, rest)
}

/// The breakpoints that numbers name; all of them if none is said.
fn numbered(session: &Session, rest: &str, reply: &mut Reply) -> Option<Vec<u32>> {
    let known: Vec<u32> = session.debugger.breakpoints.iter().map(|b| b.number).collect();
    if rest.is_empty() {
        return Some(known);
    }
    let mut numbers = Vec::new();
    for word in rest.split_whitespace() {
        match word.parse() {
            Ok(n) if known.contains(&n) => numbers.push(n),
            _ => {
                reply.error(format!("there is no breakpoint {word}; `:breaks` lists them"));
                return None;
            }
        }
    }
    Some(numbers)
}

fn able(session: &mut Session, rest: &str, reply: &mut Reply, enabled: bool) {
    let Some(numbers) = numbered(session, rest, reply) else { return };
    for b in &mut session.debugger.breakpoints {
        if numbers.contains(&b.number) {
            b.enabled = enabled;
        }
    }
    list(session, "", reply);
}

fn delete(session: &mut Session, rest: &str, reply: &mut Reply) {
    let Some(numbers) = numbered(session, rest, reply) else { return };
    session.debugger.breakpoints.retain(|b| !numbers.contains(&b.number));
    list(session, "", reply);
}

fn ignore(session: &mut Session, rest: &str, reply: &mut Reply) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let parsed = match words.as_slice() {
        [n, k] => n.parse::<u32>().ok().zip(k.parse::<u64>().ok()),
        _ => None,
    };
    let Some((n, k)) = parsed else { return reply.error("say which, and how often: `:ignore 1 10`") };
    match session.debugger.breakpoints.iter_mut().find(|b| b.number == n) {
        Some(b) => {
            b.ignore = k;
            reply.line(format!("breakpoint {n} is passed the next {k} times"));
        }
        None => reply.error(format!("there is no breakpoint {n}; `:breaks` lists them")),
    }
}
