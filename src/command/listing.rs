//! Commands that show the text of the game, and the code that it became.

use super::{ArgumentCompletion, Command};
use crate::language::Definition;
use crate::session::{Line, Reply, Session, Style};
use crate::source::Origin;

pub const COMMANDS: &[Command] = &[
    command!(Inspecting; "list",
        &["l"],
        "[LINE | NAME]",
        "the source around here, a line, or a definition",
        ":list winCondition",
        ArgumentCompletion::Names,
        list
    ),
    command!(Inspecting; "listing",
        &[],
        "NAME",
        "the code that a definition became",
        ":listing winCondition",
        ArgumentCompletion::Locations,
        listing
    ),
];

fn list(session: &mut Session, rest: &str, reply: &mut Reply) {
    let program = session.program().clone();
    let here = session
        .frame_info(session.debugger.selected_frame)
        .filter(|_| session.is_stopped())
        .map(|look| look.span);
    if let Some(here) = here.filter(|_| rest.is_empty()) {
        return session.show_source(here, Some(here), 5, false, reply);
    }
    if let Ok(line) = rest.parse::<u32>() {
        let name = session.current_source();
        let source = session
            .sources
            .iter()
            .rev()
            .find(|s| s.origin.to_string() == name)
            .cloned();
        let Some(source) = source.filter(|s| line >= 1 && line <= s.line_count() as u32) else {
            return reply.error(format!("there is no line {line}"));
        };
        let range = source.line_range(line);
        return session.show_source(source.span(range.start, range.start), here, 5, false, reply);
    }
    let definitions = session.language().definitions(&program);
    if rest.is_empty() {
        return all_definitions(session, &definitions, reply);
    }
    let found: Vec<_> = definitions.iter().filter(|d| d.name == rest).collect();
    if found.is_empty() {
        let near =
            crate::diagnostic::did_you_mean(rest, definitions.iter().map(|d| d.name.as_str()));
        return reply.error(format!("nothing is called `{rest}`{near}"));
    }
    for d in found {
        let Some(source) = session.sources.get(d.span.source) else {
            continue;
        };
        let (first, _) = source.line_column(d.span.start);
        for n in 0..source.slice(d.span).lines().count().max(1) as u32 {
            let number = format!("     {:>3}  ", first + n);
            let text = source.line(first + n).replace('\t', "    ");
            reply.line(Line::styled(Style::Dim, number).with(Style::Plain, text));
        }
    }
}

/// What each is, what it is called, and where it stands.
fn all_definitions(session: &Session, definitions: &[Definition], reply: &mut Reply) {
    // A heading that begins with what it is need not say so twice.
    let head = |d: &Definition| match d
        .signature
        .strip_prefix(d.kind)
        .and_then(|rest| rest.strip_prefix(' '))
    {
        Some(rest) => rest.to_string(),
        None => d.signature.clone(),
    };
    let heads: Vec<String> = definitions.iter().map(head).collect();
    let longest = heads
        .iter()
        .map(|h| h.chars().count())
        .max()
        .unwrap_or(0)
        .min(48);
    for (d, head) in definitions.iter().zip(heads) {
        let place = match session.sources.get(d.span.source) {
            Some(source) => match source.origin {
                Origin::File(_) => format!("  line {}", source.line_column(d.span.start).0),
                _ => format!("  {}", source.origin),
            },
            None => String::new(),
        };
        let line = Line::plain(format!("  {:<10} ", d.kind))
            .with(Style::Strong, format!("{head:<longest$}"));
        reply.line(line.with(Style::Dim, place));
    }
}

fn listing(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() && !session.is_stopped() {
        let titles = session.breakpoint_names();
        let title = titles.first().map_or("NAME", String::as_str);
        return reply.error(format!("say whose instructions: `:listing {title}`"));
    }
    let function = match session.function_named(rest) {
        Some(id) => session.machine.function(id).cloned(),
        None if rest.is_empty() => session
            .machine
            .current_location()
            .and_then(|(id, _)| session.machine.function(id).cloned()),
        None => None,
    };
    let Some(function) = function else {
        let titles = session.breakpoint_names();
        let near = crate::diagnostic::did_you_mean(rest, titles.iter().map(String::as_str));
        return reply.error(format!("nothing is called `{rest}`{near}"));
    };
    reply.line(format!(
        "{}: {} registers",
        function.name, function.register_count
    ));
    for (pc, instr) in function.code.iter().enumerate() {
        let stop = function
            .stop_point_at(pc as u32)
            .map_or_else(String::new, |s| {
                session
                    .sources
                    .get(s.span.source)
                    .map_or_else(String::new, |source| {
                        format!("line {}", source.line_column(s.span.start).0)
                    })
            });
        reply.line(
            Line::styled(Style::Dim, format!("  {stop:>9} {pc:>5}  "))
                .with(Style::Plain, format!("{instr:?}")),
        );
    }
}
