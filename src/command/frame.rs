//! Commands that look at the stack: who called whom, and what can be seen from there.

use super::looking::locals;
use super::{Command, count};
use crate::session::{Line, Reply, Session, Style, elided};

pub const COMMANDS: &[Command] = &[
    command!(Looking, Nothing; "where", &["w", "bt"], "[n]", "who called whom, repeated frames folded", "where", where_am_i),
    command!(Looking, Nothing; "frame", &[], "N", "look from another frame", "frame 2", |session, rest, reply| {
        match rest.parse() {
            Ok(n) => select(session, n, reply),
            Err(_) => reply.error("say the number of a frame, as `where` shows it"),
        }
    }),
    command!(Looking, Nothing; "up", &["u"], "[n]", "look from the frame that called this one", "up", |session, rest, reply| {
        if let Some(n) = count(rest, reply) {
            select(session, session.debugger.frame + n, reply);
        }
    }),
    command!(Looking, Nothing; "down", &[], "[n]", "look from the frame that was called", "down", |session, rest, reply| {
        if let Some(n) = count(rest, reply) {
            select(session, session.debugger.frame.saturating_sub(n), reply);
        }
    }),
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
        if look.hidden && !session.debugger.rules {
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
    let cell = session.handler_words(from_top);
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
    let number = format!("{mark} {from_top:>2}  ");
    let title = format!("{}{cell}", look.title);
    let taken = [&number, &title, &place, old].iter().map(|t| t.chars().count()).sum::<usize>() + 6;
    let text = elided(&text, session.look.width.saturating_sub(taken).max(20));
    Line::styled(Style::Here, number).with(Style::Strong, title).with(Style::Dim, format!("   {place}   {text}{old}"))
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
