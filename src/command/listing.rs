//! Commands that show source text and compiled instructions.

use super::{ArgumentCompletion, Command};
use crate::debugger::api::Part;
use crate::language::Definition;
use crate::session::{Answer, Line, Session, Style, count_noun};
use crate::source::Origin;
use crate::source::Span;

pub const COMMANDS: &[Command] = &[
    command!(Inspecting; "list",
        &["l"],
        "[LINE | NAME]",
        "show the source around the current line, another line, or a definition",
        ":list winCondition",
        ArgumentCompletion::Names,
        list
    ),
    command!(Inspecting; "listing",
        &[],
        "NAME",
        "show the compiled instructions of a function",
        ":listing winCondition",
        ArgumentCompletion::Locations,
        listing
    ),
];

/// Lines shown before and after the line that was asked for.
const CONTEXT_LINES: u32 = 5;

fn show_lines(session: &Session, around: Span, next: Option<Span>, reply: &mut Answer) {
    reply.parts.push(Part::Source {
        lines: session.target.source_lines(around, next, CONTEXT_LINES),
        is_cut: false,
    });
}

fn list(session: &mut Session, rest: &str, reply: &mut Answer) {
    let program = session.target.program().clone();
    let current = session
        .target
        .frame_info(session.target.debugger.selected_frame)
        .filter(|_| session.target.is_stopped())
        .map(|frame| frame.span);
    if let Some(current) = current.filter(|_| rest.is_empty()) {
        return show_lines(session, current, Some(current), reply);
    }
    if let Ok(line) = rest.parse::<u32>() {
        let name = session.target.current_source();
        let source = session
            .target
            .sources
            .iter()
            .rev()
            .find(|s| s.origin.to_string() == name)
            .cloned();
        let Some(source) = source.filter(|s| line >= 1 && line <= s.line_count() as u32) else {
            return reply.error(format!("there is no line {line}"));
        };
        let range = source.line_range(line);
        let span = source.span(range.start, range.start);
        return show_lines(session, span, current, reply);
    }
    let definitions = session.target.language().definitions(&program);
    if rest.is_empty() {
        return list_definitions(session, &definitions, reply);
    }
    let matching: Vec<_> = definitions.iter().filter(|d| d.name == rest).collect();
    if matching.is_empty() {
        let suggestion =
            crate::diagnostic::did_you_mean(rest, definitions.iter().map(|d| d.name.as_str()));
        return reply.error(format!("unknown name `{rest}`{suggestion}"));
    }
    for d in matching {
        let Some(source) = session.target.sources.get(d.span.source) else {
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

/// Longer signatures move only their own location to the right.
const MAX_SIGNATURE_COLUMNS: usize = 48;

/// Lists kind, signature and location of every definition.
fn list_definitions(session: &Session, definitions: &[Definition], reply: &mut Answer) {
    // The kind has its own column; drop it from signatures such as `piece cross`.
    let signature = |d: &Definition| match d
        .signature
        .strip_prefix(d.kind)
        .and_then(|rest| rest.strip_prefix(' '))
    {
        Some(rest) => rest.to_string(),
        None => d.signature.clone(),
    };
    let signatures: Vec<String> = definitions.iter().map(signature).collect();
    let width = signatures
        .iter()
        .map(|s| s.chars().count())
        .max()
        .unwrap_or(0)
        .min(MAX_SIGNATURE_COLUMNS);
    for (d, signature) in definitions.iter().zip(signatures) {
        let location = match session.target.sources.get(d.span.source) {
            Some(source) => match source.origin {
                Origin::File(_) => format!("  line {}", source.line_column(d.span.start).0),
                _ => format!("  {}", source.origin),
            },
            None => String::new(),
        };
        let line = Line::plain(format!("  {:<10} ", d.kind))
            .with(Style::Strong, format!("{signature:<width$}"));
        reply.line(line.with(Style::Dim, location));
    }
}

fn listing(session: &mut Session, rest: &str, reply: &mut Answer) {
    if rest.is_empty() && !session.target.is_stopped() {
        let names = session.target.breakpoint_names();
        let name = names.first().map_or("NAME", String::as_str);
        return reply.error(format!(
            "`:listing` needs a function, e.g. `:listing {name}`"
        ));
    }
    let function = match session.target.function_named(rest) {
        Some(id) => session.target.machine.function(id).cloned(),
        None if rest.is_empty() => session
            .target
            .machine
            .current_location()
            .and_then(|(id, _)| session.target.machine.function(id).cloned()),
        None => None,
    };
    let Some(function) = function else {
        let names = session.target.breakpoint_names();
        let suggestion = crate::diagnostic::did_you_mean(rest, names.iter().map(String::as_str));
        return reply.error(format!("unknown name `{rest}`{suggestion}"));
    };
    reply.line(format!(
        "{}: {}",
        function.name,
        count_noun(function.register_count.into(), "register", "registers")
    ));
    for (pc, instr) in function.code.iter().enumerate() {
        let line = function
            .stop_point_at(pc as u32)
            .map_or_else(String::new, |s| {
                session
                    .target
                    .sources
                    .get(s.span.source)
                    .map_or_else(String::new, |source| {
                        format!("line {}", source.line_column(s.span.start).0)
                    })
            });
        reply.line(
            Line::styled(Style::Dim, format!("  {line:>9} {pc:>5}  "))
                .with(Style::Plain, format!("{instr:?}")),
        );
    }
}
