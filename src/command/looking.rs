//! Commands that look at the game and change nothing.

use super::running::stopped;
use super::{Command, Completes, Topic, count};
use crate::session::{Line, Reply, Session, Style};
use crate::value::Value;

macro_rules! command {
    ($name:literal, $aliases:expr, $usage:literal, $help:literal, $example:literal, $completes:expr, $run:expr) => {
        Command {
            name: $name,
            aliases: $aliases,
            usage: $usage,
            topic: Topic::Looking,
            help: $help,
            example: $example,
            completes: $completes,
            run: $run,
        }
    };
}

pub const COMMANDS: &[Command] = &[
    command!(
        "where",
        &["w", "bt"],
        "[n]",
        "who called whom, repeated frames folded",
        "where",
        Completes::Nothing,
        where_am_i
    ),
    command!("frame", &[], "N", "look from another frame", "frame 2", Completes::Nothing, |session, rest, reply| {
        match rest.parse() {
            Ok(n) => select(session, n, reply),
            Err(_) => reply.error("say the number of a frame, as `where` shows it"),
        }
    }),
    command!(
        "up",
        &["u"],
        "[n]",
        "look from the frame that called this one",
        "up",
        Completes::Nothing,
        |session, rest, reply| {
            if let Some(n) = count(rest, reply) {
                select(session, session.debugger.frame + n, reply);
            }
        }
    ),
    command!(
        "down",
        &[],
        "[n]",
        "look from the frame that was called",
        "down",
        Completes::Nothing,
        |session, rest, reply| {
            if let Some(n) = count(rest, reply) {
                select(session, session.debugger.frame.saturating_sub(n), reply);
            }
        }
    ),
    command!(
        "print",
        &["p"],
        "E",
        "the value of an expression, computed on a copy",
        "print turnCount + 1",
        Completes::Names,
        print
    ),
    command!("vars", &[], "", "the variables that can be seen here", ":vars", Completes::Nothing, vars),
    command!("whatis", &[], "X", "what a name or an expression is", ":whatis turn", Completes::Names, whatis),
    command!(
        "display",
        &[],
        "[E | off N]",
        "show an expression at every stop",
        ":display turnCount",
        Completes::Names,
        display
    ),
    command!(
        "list",
        &["l"],
        "[LINE | NAME]",
        "the source around here, a line, or a definition",
        ":list winCondition",
        Completes::Names,
        list
    ),
    command!(
        "trace",
        &[],
        "on | off",
        "tell calls and events as they happen, indented",
        ":trace on",
        Completes::Words(&["on", "off"]),
        trace
    ),
    command!("draws", &[], "", "every random draw, with its place", ":draws", Completes::Nothing, draws),
    command!(
        "state",
        &[],
        "",
        "the whole game in words: status, turn, board, variables",
        ":state",
        Completes::Nothing,
        state
    ),
    command!(
        "listing",
        &[],
        "NAME",
        "the code that a definition became",
        ":listing winCondition",
        Completes::Places,
        listing
    ),
];

fn where_am_i(session: &mut Session, rest: &str, reply: &mut Reply) {
    if !session.is_stopped() {
        return reply.error("nothing is stopped");
    }
    let most = rest.parse().unwrap_or(usize::MAX);
    let depth = session.machine.frames().len();
    let mut from_top = 0;
    let mut shown = 0;
    while from_top < depth && shown < most {
        let Some(look) = session.look_at(from_top) else { break };
        if look.role == crate::code::Role::Rules && !session.debugger.rules {
            from_top += 1;
            continue;
        }
        reply.line(frame_line(session, from_top));
        shown += 1;
        // Frames of the same function at the same place are folded, but for the last of them.
        let same = |n: usize| session.look_at(n).is_some_and(|l| l.function == look.function && l.span == look.span);
        let mut run = from_top + 1;
        while run < depth && same(run) {
            run += 1;
        }
        if run - from_top > 3 {
            reply.line(Line::styled(Style::Dim, format!("       … {} more like it", run - from_top - 2)));
            from_top = run - 1;
        } else {
            from_top += 1;
        }
    }
}

fn frame_line(session: &Session, from_top: usize) -> Line {
    let Some(look) = session.look_at(from_top) else { return Line::default() };
    let mark = if from_top == session.debugger.frame { "=>" } else { "  " };
    let cell = session.cell_of_handler(from_top).map_or_else(String::new, |(r, c)| format!(" at [{r}][{c}]"));
    let (place, text) = match session.sources.get(look.span.source) {
        Some(source) => {
            let (line, _) = source.line_column(look.span.start);
            (format!("{}:{line}", source.origin), source.line(line).trim().to_string())
        }
        None => (String::new(), String::new()),
    };
    let old = match session.is_current_code(look.function) {
        true => "",
        false => "   (old code: it was defined anew)",
    };
    Line::styled(Style::Here, format!("{mark} {from_top:>2}  "))
        .with(Style::Strong, format!("{}{cell}", look.title))
        .with(Style::Dim, format!("   {place}   {text}{old}"))
}

fn select(session: &mut Session, n: usize, reply: &mut Reply) {
    if !session.is_stopped() {
        return reply.error("nothing is stopped");
    }
    let depth = session.machine.frames().len();
    if n >= depth {
        return reply.error(format!("there is no frame {n}: there are {depth}"));
    }
    session.debugger.frame = n;
    reply.line(frame_line(session, n));
    if let Some(look) = session.look_at(n) {
        session.show_lines(look.span, 1, reply);
    }
    locals(session, reply);
}

fn print(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error("say what: `print turnCount`");
    }
    match session.look(rest, |s, value| (s.write(value), crate::session::json_value(s, value))) {
        Ok((text, data)) => {
            reply.value = Some(text);
            reply.data = Some(data);
        }
        Err(diagnostics) => {
            reply.ok = false;
            for d in diagnostics {
                reply.error(d.message);
            }
        }
    }
}

fn locals(session: &Session, reply: &mut Reply) {
    for (local, value) in session.locals(session.debugger.frame) {
        if value != Value::NOTHING {
            reply.line(format!("  {:<16} {}", local.name.as_str(), session.write(value)));
        }
    }
}

fn vars(session: &mut Session, _: &str, reply: &mut Reply) {
    locals(session, reply);
    let view = session.whole_view();
    for (name, value) in &view.variables {
        reply.line(format!("  {name:<16} {}", session.write(*value)));
    }
    if reply.lines.is_empty() {
        reply.line(Line::styled(Style::Dim, "there are no variables"));
    }
}

fn whatis(session: &mut Session, rest: &str, reply: &mut Reply) {
    let about = session.language().about();
    if let Some((_, help)) = about.builtins.iter().find(|(name, _)| *name == rest) {
        reply.line(*help);
    }
    let program = session.program().clone();
    for definition in session.language().definitions(&program).iter().filter(|d| d.name == rest) {
        let place = session.sources.get(definition.span.source).map(|s| {
            let (line, _) = s.line_column(definition.span.start);
            format!("   {}:{line}", s.origin)
        });
        reply.line(
            Line::plain(format!("{} {}", definition.what, definition.name)).with(Style::Dim, place.unwrap_or_default()),
        );
    }
    if about.keywords.contains(&rest) && reply.lines.is_empty() {
        reply.line(format!("a word of {}", about.title));
    }
    if reply.lines.is_empty() {
        match session.look(rest, |s, value| format!("{}: {}", s.machine.type_word(value), s.write(value))) {
            Ok(text) => reply.line(text),
            Err(diagnostics) => reply.error(diagnostics.first().map_or_else(String::new, |d| d.message.clone())),
        }
    }
}

fn display(session: &mut Session, rest: &str, reply: &mut Reply) {
    match rest.strip_prefix("off") {
        Some(n) => {
            match n.trim().parse::<usize>() {
                Ok(n) if n >= 1 && n <= session.debugger.displays.len() => {
                    session.debugger.displays.remove(n - 1);
                }
                _ => session.debugger.displays.clear(),
            }
            reply.line(format!("{} expressions are shown at every stop", session.debugger.displays.len()));
        }
        None if rest.is_empty() => {
            for (n, expression) in session.debugger.displays.clone().into_iter().enumerate() {
                let line = session.display_line(&expression);
                reply.line(Line::styled(Style::Dim, format!("{:>2}", n + 1)).with(Style::Plain, line.text()));
            }
            if session.debugger.displays.is_empty() {
                reply.line(Line::styled(
                    Style::Dim,
                    "nothing is shown at every stop: `:display turnCount` adds something",
                ));
            }
        }
        None => {
            session.debugger.displays.push(rest.to_string());
            let line = session.display_line(rest);
            reply.line(line);
        }
    }
}

fn list(session: &mut Session, rest: &str, reply: &mut Reply) {
    let program = session.program().clone();
    if rest.is_empty() && session.is_stopped() {
        if let Some(look) = session.look_at(session.debugger.frame) {
            session.show_lines(look.span, 5, reply);
        }
        return;
    }
    if let Ok(line) = rest.parse::<u32>() {
        let name = session.source_at_hand();
        let source = session.sources.iter().rev().find(|s| s.origin.to_string() == name).cloned();
        let Some(source) = source.filter(|s| line >= 1 && line <= s.lines() as u32) else {
            return reply.error(format!("there is no line {line}"));
        };
        let range = source.line_range(line);
        return session.show_lines(source.span(range.start, range.start), 5, reply);
    }
    let definitions = session.language().definitions(&program);
    if rest.is_empty() {
        for d in &definitions {
            reply.line(Line::plain(format!("  {:<10} ", d.what)).with(Style::Strong, d.head.clone()));
        }
        return;
    }
    let found: Vec<_> = definitions.iter().filter(|d| d.name == rest).collect();
    if found.is_empty() {
        let near = crate::diagnostic::did_you_mean(rest, definitions.iter().map(|d| d.name.as_str()));
        return reply.error(format!("nothing is called `{rest}`{near}"));
    }
    for d in found {
        let Some(source) = session.sources.get(d.span.source) else { continue };
        let (first, _) = source.line_column(d.span.start);
        for (n, text) in source.slice(d.span).lines().enumerate() {
            let number = format!("     {:>3}  ", first + n as u32);
            // The first line begins where the definition does: what stands before it is put back.
            let column = if n == 0 { source.line_column(d.span.start).1 as usize - 1 } else { 0 };
            reply.line(Line::styled(Style::Dim, number).with(Style::Plain, format!("{}{text}", " ".repeat(column))));
        }
    }
}

fn trace(session: &mut Session, rest: &str, reply: &mut Reply) {
    match rest {
        "on" | "off" => session.debugger.trace = rest == "on",
        "" => {}
        _ => return reply.error("say `:trace on` or `:trace off`"),
    }
    reply.line(match session.debugger.trace {
        true => "calls and events are told as they happen",
        false => "calls and events are not told",
    });
}

fn draws(session: &mut Session, _: &str, reply: &mut Reply) {
    let written = session.machine.written().draws as usize;
    let draws = session.machine.log().draws.get(..written).unwrap_or_default().to_vec();
    if draws.is_empty() {
        reply.line(Line::styled(Style::Dim, "nothing was drawn"));
    }
    let first = draws.len().saturating_sub(40);
    if first > 0 {
        reply.line(Line::styled(Style::Dim, format!("  … {first} before these")));
    }
    for (n, draw) in draws.iter().enumerate().skip(first) {
        let place = session.machine.span_of(draw.function, draw.pc).and_then(|span| {
            let source = session.sources.get(span.source)?;
            Some(format!("{}:{}", source.origin, source.line_column(span.start).0))
        });
        let chosen = if draw.chosen { "   chosen" } else { "" };
        reply.line(
            Line::plain(format!("  {:>3}  {:>6}  from {} to {}", n + 1, draw.value, draw.low, draw.high - 1))
                .with(Style::Dim, format!("   time {}   {}{chosen}", draw.time, place.unwrap_or_default())),
        );
    }
    let chosen: Vec<String> = session.machine.chance.chosen().map(|n| n.to_string()).collect();
    if !chosen.is_empty() {
        reply.line(format!("  chosen for the next: {}", chosen.join(", ")));
    }
}

fn state(session: &mut Session, _: &str, reply: &mut Reply) {
    let view = session.whole_view();
    reply.line(format!("language  {}", session.language().about().title));
    let winner = view.winner.as_ref().map_or_else(String::new, |w| format!(" by {w}"));
    reply.line(format!("status    {}{winner}", view.status.word()));
    if let Some(turn) = &view.turn {
        reply.line(format!("turn      {turn}"));
    }
    if let Some(n) = view.turn_count {
        reply.line(format!("turns     {n}"));
    }
    if let Some(board) = &view.board {
        reply.line(format!("board     {} rows, {} columns", board.rows, board.cols));
    }
    for (name, value) in &view.variables {
        reply.line(format!("  {name:<16} {}", session.write(*value)));
    }
    for note in &view.notes {
        reply.line(note.clone());
    }
    reply.state = Some(view);
}

fn listing(session: &mut Session, rest: &str, reply: &mut Reply) {
    let function = match session.function_titled(rest) {
        Some(id) => session.machine.function(id).cloned(),
        None if rest.is_empty() && stopped(session, reply) => {
            session.machine.at().and_then(|(id, _)| session.machine.function(id).cloned())
        }
        None => None,
    };
    let Some(function) = function else {
        let titles = session.titles();
        let near = crate::diagnostic::did_you_mean(rest, titles.iter().map(String::as_str));
        return reply.error(format!("nothing is called `{rest}`{near}"));
    };
    reply.line(format!("{}: {} registers", function.name, function.registers));
    for (pc, instr) in function.code.iter().enumerate() {
        let stop = function.stop_at(pc as u32).map_or_else(String::new, |s| {
            session
                .sources
                .get(s.span.source)
                .map_or_else(String::new, |source| format!("line {}", source.line_column(s.span.start).0))
        });
        reply.line(Line::styled(Style::Dim, format!("  {stop:>9} {pc:>5}  ")).with(Style::Plain, format!("{instr:?}")));
    }
}
