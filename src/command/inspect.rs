//! Commands that look at the game and change nothing.

use super::{ArgumentCompletion, Command, example};
use crate::diagnostic::{Diagnostic, Phase};
use crate::session::{Line, Reply, Session, Style};
use crate::value::Value;

pub const COMMANDS: &[Command] = &[
    command!(Inspecting; "print",
        &["p"],
        "E",
        "the value of an expression, computed on a copy",
        "print turnCount + 1",
        ArgumentCompletion::Names,
        print
    ),
    command!(Inspecting; "vars", &[], "", "the variables that can be seen here", ":vars", ArgumentCompletion::Nothing, vars),
    command!(Inspecting; "whatis", &[], "X", "what a name or an expression is", ":whatis turn", ArgumentCompletion::Names, whatis),
    command!(Inspecting; "display",
        &[],
        "[E | off [N]]",
        "show an expression at every stop",
        ":display turnCount",
        ArgumentCompletion::Names,
        display
    ),
    command!(Inspecting; "trace",
        &[],
        "on | off",
        "tell calls and events as they happen, indented",
        ":trace on",
        ArgumentCompletion::Words(&["on", "off"]),
        trace
    ),
    command!(Inspecting; "draws", &[], "", "every random draw, with its place", ":draws", ArgumentCompletion::Nothing, draws),
    command!(Inspecting; "state",
        &[],
        "",
        "the whole game in words: status, turn, board, variables",
        ":state",
        ArgumentCompletion::Nothing,
        state
    ),
];

fn print(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error(format!("say what: `{}`", example(session, "print")));
    }
    match session.eval(rest, |s, value| {
        (s.format_value(value), crate::session::json_value(s, value))
    }) {
        Ok((text, data)) => {
            reply.value = Some(text);
            reply.data = Some(data);
        }
        Err(diagnostics) => {
            reply.ok = false;
            // What is asked is not kept, so nothing can point into it.
            reply
                .diagnostics
                .extend(diagnostics.into_iter().map(|d| Diagnostic {
                    span: None,
                    related: Vec::new(),
                    ..d
                }));
        }
    }
}

pub(super) fn show_locals(session: &Session, reply: &mut Reply) {
    in_columns(&named_locals(session), reply);
}

/// The cell that the frame has for its own, and its named registers.
fn named_locals(session: &Session) -> Vec<(String, String)> {
    let own = session
        .handler_cell_variables(session.debugger.selected_frame)
        .into_iter()
        .flatten();
    let own = own.map(|(name, n)| (name.to_string(), n.to_string()));
    let locals = session
        .locals(session.debugger.selected_frame)
        .into_iter()
        .filter(|(_, value)| *value != Value::NOTHING);
    own.chain(locals.map(|(l, value)| (l.name.to_string(), session.format_value(value))))
        .collect()
}

/// Names in one column, values in another; a name that is far too long pushes only its own value aside.
fn in_columns(all: &[(String, String)], reply: &mut Reply) {
    let longest = all
        .iter()
        .map(|(name, _)| name.chars().count())
        .filter(|n| *n <= 32)
        .max()
        .unwrap_or(0)
        .max(16);
    for (name, value) in all {
        reply.line(format!("  {name:<longest$} {value}"));
    }
}

fn vars(session: &mut Session, _: &str, reply: &mut Reply) {
    let mut all = named_locals(session);
    all.extend(
        session
            .full_view()
            .variables
            .into_iter()
            .map(|(name, value)| (name, session.format_value(value))),
    );
    in_columns(&all, reply);
    if reply.lines.is_empty() {
        reply.line(Line::styled(Style::Dim, "there are no variables"));
    }
}

fn whatis(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error(format!("say what: `{}`", example(session, "whatis")));
    }
    let about = session.language().info();
    if let Some((_, help)) = about.builtins.iter().find(|(name, _)| *name == rest) {
        reply.line(*help);
    }
    let program = session.program().clone();
    for definition in session
        .language()
        .definitions(&program)
        .iter()
        .filter(|d| d.name == rest)
    {
        let place = session.sources.get(definition.span.source).map(|s| {
            let (line, _) = s.line_column(definition.span.start);
            format!("   {}:{line}", s.origin)
        });
        reply.line(
            Line::plain(format!("{} {}", definition.kind, definition.name))
                .with(Style::Dim, place.unwrap_or_default()),
        );
    }
    if about.keywords.contains(&rest) && reply.lines.is_empty() {
        reply.line(format!("a word of {}", about.title));
    }
    if reply.lines.is_empty() {
        match session.eval(rest, |s, value| {
            format!("{}: {}", s.machine.type_name(value), s.format_value(value))
        }) {
            Ok(text) => reply.line(text),
            Err(diagnostics) => reply.error(
                diagnostics
                    .first()
                    .map_or_else(String::new, |d| d.message.clone()),
            ),
        }
    }
}

fn display(session: &mut Session, rest: &str, reply: &mut Reply) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let there = session.debugger.displays.len();
    match words.as_slice() {
        [] => return list_displays(session, reply),
        ["off"] => session.debugger.displays.clear(),
        ["off", n] => match n.parse::<usize>() {
            Ok(n) if (1..=there).contains(&n) => drop(session.debugger.displays.remove(n - 1)),
            _ => {
                return reply.error(format!(
                    "nothing is displayed under number {n}; `:display` lists what is"
                ));
            }
        },
        _ => {
            // What is only seen elsewhere may be displayed there; what is never seen is a mistake.
            if let Err(wrong) = session.eval(rest, |_, _| ())
                && wrong.iter().any(|d| d.phase != Phase::Runtime)
                && !session.compiles_elsewhere(rest)
            {
                return wrong.iter().for_each(|d| reply.error(d.message.clone()));
            }
            session.debugger.displays.push(rest.to_string());
            let line = session.display_line(rest);
            return reply.line(line);
        }
    }
    reply.line(match session.debugger.displays.len() {
        0 => "nothing is shown at every stop any more".to_string(),
        1 => "1 expression is shown at every stop".to_string(),
        n => format!("{n} expressions are shown at every stop"),
    });
}

fn list_displays(session: &mut Session, reply: &mut Reply) {
    for (n, expression) in session.debugger.displays.clone().into_iter().enumerate() {
        let line = session.display_line(&expression);
        reply.line(
            Line::styled(Style::Dim, format!("{:>2}", n + 1)).with(Style::Plain, line.text()),
        );
    }
    if session.debugger.displays.is_empty() {
        let words = format!(
            "nothing is shown at every stop: `{}` adds something",
            example(session, "display")
        );
        reply.line(Line::styled(Style::Dim, words));
    }
}

fn trace(session: &mut Session, rest: &str, reply: &mut Reply) {
    match rest {
        "on" => drop(session.debugger.trace.get_or_insert_default()),
        "off" => session.debugger.trace = None,
        "" => {}
        _ => return reply.error("say `:trace on` or `:trace off`"),
    }
    reply.line(match session.debugger.trace.is_some() {
        true => "calls and events are told as they happen",
        false => "calls and events are not told",
    });
}

fn draws(session: &mut Session, _: &str, reply: &mut Reply) {
    let written = session.machine.log_position().draws as usize;
    let draws = session
        .machine
        .log()
        .draws
        .get(..written)
        .unwrap_or_default()
        .to_vec();
    if draws.is_empty() {
        reply.line(Line::styled(Style::Dim, "nothing was drawn"));
    }
    let first = draws.len().saturating_sub(40);
    if first > 0 {
        reply.line(Line::styled(
            Style::Dim,
            format!("  … {first} before these"),
        ));
    }
    for (n, draw) in draws.iter().enumerate().skip(first) {
        let place = draw.span.and_then(|span| {
            let source = session.sources.get(span.source)?;
            Some(format!(
                "{}:{}",
                source.origin,
                source.line_column(span.start).0
            ))
        });
        let chosen = if draw.is_scripted { "   chosen" } else { "" };
        let (low, high, value) = draw.to_display_parts();
        reply.line(
            Line::plain(format!("  {:>3}  {value:>6}  from {low} to {high}", n + 1)).with(
                Style::Dim,
                format!(
                    "   time {}   {}{chosen}",
                    draw.time,
                    place.unwrap_or_default()
                ),
            ),
        );
    }
    let chosen: Vec<String> = session
        .machine
        .rng
        .scripted()
        .map(|n| n.to_string())
        .collect();
    if !chosen.is_empty() {
        reply.line(format!("  chosen for the next: {}", chosen.join(", ")));
    }
}

fn state(session: &mut Session, _: &str, reply: &mut Reply) {
    let view = session.full_view();
    reply.line(format!("language  {}", session.language().info().title));
    let winner = view
        .winner
        .as_ref()
        .map_or_else(String::new, |w| format!(" by {w}"));
    reply.line(format!("status    {}{winner}", view.status.as_str()));
    if let Some(turn) = &view.current_player {
        reply.line(format!("turn      {turn}"));
    }
    if let Some(n) = view.turn_count {
        reply.line(format!("turns     {n}"));
    }
    if let Some(board) = &view.board {
        reply.line(format!(
            "board     {} rows, {} columns",
            board.rows, board.cols
        ));
    }
    let variables: Vec<_> = view
        .variables
        .iter()
        .map(|(name, value)| (name.clone(), session.format_value(*value)))
        .collect();
    in_columns(&variables, reply);
    for note in &view.footer {
        reply.line(note.clone());
    }
    reply.state = Some(view);
}
