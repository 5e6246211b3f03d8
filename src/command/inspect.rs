//! Read-only commands that show values and the state of the game.

use super::{ArgumentCompletion, Command, example};
use crate::debugger::api::Part;
use crate::diagnostic::{Diagnostic, Phase};
use crate::session::{Answer, Line, Session, Style, count_noun};
use crate::value::Value;

pub const COMMANDS: &[Command] = &[
    command!(Inspecting; "print",
        &["p"],
        "E",
        "show the value of an expression, without side effects",
        "print turnCount + 1",
        ArgumentCompletion::Names,
        print
    ),
    command!(Inspecting; "vars", &[], "", "list the variables in scope", ":vars", ArgumentCompletion::Nothing, vars),
    command!(Inspecting; "whatis", &[], "X", "show what a name is, or the type of an expression", ":whatis turn", ArgumentCompletion::Names, whatis),
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
        "print calls and events as they happen, indented",
        ":trace on",
        ArgumentCompletion::Words(&["on", "off"]),
        trace
    ),
    command!(Inspecting; "draws", &[], "", "list the random draws and where they happened", ":draws", ArgumentCompletion::Nothing, draws),
    command!(Inspecting; "state",
        &[],
        "",
        "show the whole game as text: status, turn, board, variables",
        ":state",
        ArgumentCompletion::Nothing,
        state
    ),
];

fn print(session: &mut Session, rest: &str, reply: &mut Answer) {
    if rest.is_empty() {
        return reply.error(format!(
            "`:print` needs an expression, e.g. `{}`",
            example(session, "print")
        ));
    }
    match session.target.eval(rest, |s, value| {
        (
            s.format_value(value),
            crate::debugger::api::value_to_json(s.program(), &s.machine.store, value),
        )
    }) {
        Ok((text, data)) => {
            reply.value = Some(text);
            reply.data = Some(data);
        }
        Err(diagnostics) => {
            reply.ok = false;
            // The expression is not kept as a source, so spans into it would dangle.
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

/// Lists the locals of the selected frame.
pub(super) fn show_locals(session: &Session, reply: &mut Answer) {
    show_table(&named_locals(session), reply);
}

/// Names and values of the selected frame's locals, and of the cell whose handler it runs.
fn named_locals(session: &Session) -> Vec<(String, String)> {
    let cell = session
        .target
        .handler_cell_variables(session.target.debugger.selected_frame)
        .into_iter()
        .flatten();
    let cell = cell.map(|(name, n)| (name.to_string(), n.to_string()));
    let locals = session
        .target
        .locals(session.target.debugger.selected_frame)
        .into_iter()
        .filter(|(_, value)| *value != Value::NOTHING);
    cell.chain(locals.map(|(l, value)| (l.name.to_string(), session.target.format_value(value))))
        .collect()
}

/// The name column of `show_table` adapts to the names within these limits. A longer name moves
/// only its own value to the right.
const MIN_NAME_COLUMNS: usize = 16;
const MAX_NAME_COLUMNS: usize = 32;

/// Prints names and values in two columns.
fn show_table(rows: &[(String, String)], reply: &mut Answer) {
    let width = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .filter(|n| *n <= MAX_NAME_COLUMNS)
        .max()
        .unwrap_or(0)
        .max(MIN_NAME_COLUMNS);
    for (name, value) in rows {
        reply.line(format!("  {name:<width$} {value}"));
    }
}

fn vars(session: &mut Session, _: &str, reply: &mut Answer) {
    let mut all = named_locals(session);
    all.extend(
        session
            .target
            .full_view()
            .variables
            .into_iter()
            .map(|(name, value)| (name, session.target.format_value(value))),
    );
    show_table(&all, reply);
    if reply.parts.is_empty() {
        reply.line(Line::styled(Style::Dim, "No variables"));
    }
}

fn whatis(session: &mut Session, rest: &str, reply: &mut Answer) {
    if rest.is_empty() {
        return reply.error(format!(
            "`:whatis` needs a name or an expression, e.g. `{}`",
            example(session, "whatis")
        ));
    }
    let info = session.target.language().info();
    if let Some((_, help)) = info.builtins.iter().find(|(name, _)| *name == rest) {
        reply.line(*help);
    }
    let program = session.target.program().clone();
    for definition in session
        .target
        .language()
        .definitions(&program)
        .iter()
        .filter(|d| d.name == rest)
    {
        let location = session.target.sources.get(definition.span.source).map(|s| {
            let (line, _) = s.line_column(definition.span.start);
            format!("   {}:{line}", s.origin)
        });
        reply.line(
            Line::plain(format!("{} {}", definition.kind, definition.name))
                .with(Style::Dim, location.unwrap_or_default()),
        );
    }
    if info.keywords.contains(&rest) && reply.parts.is_empty() {
        reply.line(format!("keyword of {}", info.title));
    }
    if reply.parts.is_empty() {
        match session.target.eval(rest, |s, value| {
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

fn display(session: &mut Session, rest: &str, reply: &mut Answer) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let count = session.target.debugger.displays.len();
    match words.as_slice() {
        [] => return list_displays(session, reply),
        ["off"] => session.target.debugger.displays.clear(),
        ["off", n] => match n.parse::<usize>() {
            Ok(n) if (1..=count).contains(&n) => {
                drop(session.target.debugger.displays.remove(n - 1))
            }
            _ => {
                return reply.error(format!("there is no display {n}; `:display` lists them"));
            }
        },
        _ => {
            // An expression may be out of scope here, but it must compile in some function.
            if let Err(errors) = session.target.eval(rest, |_, _| ())
                && errors.iter().any(|d| d.phase != Phase::Runtime)
                && !session.target.compiles_elsewhere(rest)
            {
                return errors.iter().for_each(|d| reply.error(d.message.clone()));
            }
            session.target.debugger.displays.push(rest.to_string());
            let display = session.target.display(rest);
            return reply.parts.push(Part::Display {
                number: None,
                display,
            });
        }
    }
    reply.line(match session.target.debugger.displays.len() {
        0 => "No expressions are displayed at stops".to_string(),
        1 => "1 expression is displayed at every stop".to_string(),
        n => format!("{n} expressions are displayed at every stop"),
    });
}

fn list_displays(session: &mut Session, reply: &mut Answer) {
    for (n, expression) in session
        .target
        .debugger
        .displays
        .clone()
        .into_iter()
        .enumerate()
    {
        let display = session.target.display(&expression);
        reply.parts.push(Part::Display {
            number: Some(n + 1),
            display,
        });
    }
    if session.target.debugger.displays.is_empty() {
        let text = format!(
            "No expressions are displayed at stops; add one with `{}`",
            example(session, "display")
        );
        reply.line(Line::styled(Style::Dim, text));
    }
}

fn trace(session: &mut Session, rest: &str, reply: &mut Answer) {
    match rest {
        "on" => drop(session.target.debugger.trace.get_or_insert_default()),
        "off" => session.target.debugger.trace = None,
        "" => {}
        _ => return reply.error("use `:trace on` or `:trace off`"),
    }
    reply.line(match session.target.debugger.trace.is_some() {
        true => "Tracing is on",
        false => "Tracing is off",
    });
}

/// `:draws` shows only the last ones.
const MAX_DRAWS_SHOWN: usize = 40;

fn draws(session: &mut Session, _: &str, reply: &mut Answer) {
    let count = session.target.machine.log_position().draws as usize;
    let draws = session
        .target
        .machine
        .log()
        .draws
        .get(..count)
        .unwrap_or_default()
        .to_vec();
    if draws.is_empty() {
        reply.line(Line::styled(Style::Dim, "No random draws yet"));
    }
    let first = draws.len().saturating_sub(MAX_DRAWS_SHOWN);
    if first > 0 {
        reply.line(Line::styled(
            Style::Dim,
            format!("  … {}", count_noun(first, "earlier draw", "earlier draws")),
        ));
    }
    for (n, draw) in draws.iter().enumerate().skip(first) {
        let location = draw.span.and_then(|span| {
            let source = session.target.sources.get(span.source)?;
            Some(format!(
                "{}:{}",
                source.origin,
                source.line_column(span.start).0
            ))
        });
        let scripted = if draw.is_scripted { "   scripted" } else { "" };
        let (low, high, value) = draw.to_display_parts();
        reply.line(
            Line::plain(format!("  {:>3}  {value:>6}  from {low} to {high}", n + 1)).with(
                Style::Dim,
                format!(
                    "   time {}   {}{scripted}",
                    draw.time,
                    location.unwrap_or_default()
                ),
            ),
        );
    }
    let scripted: Vec<String> = session
        .target
        .machine
        .rng
        .scripted()
        .map(|n| n.to_string())
        .collect();
    if !scripted.is_empty() {
        reply.line(format!("  scripted next: {}", scripted.join(", ")));
    }
}

fn state(session: &mut Session, _: &str, reply: &mut Answer) {
    let view = session.target.full_view();
    reply.line(format!(
        "language  {}",
        session.target.language().info().title
    ));
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
            "board     {}, {}",
            count_noun(board.rows as usize, "row", "rows"),
            count_noun(board.cols as usize, "column", "columns")
        ));
    }
    let variables: Vec<_> = view
        .variables
        .iter()
        .map(|(name, value)| (name.clone(), session.target.format_value(*value)))
        .collect();
    show_table(&variables, reply);
    for note in &view.footer {
        reply.line(note.clone());
    }
    reply.state = Some(view);
}
