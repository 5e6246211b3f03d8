//! What a run reports on its way and at its end.

use crate::answer::{ClickEffect, ClickedCell, Line, Part, Style};
use crate::text::elide;

/// Deeper calls of a trace are not indented any further.
const MAX_INDENT_LEVELS: usize = 30;
/// Longer entries are elided when their end is reported.
const MAX_ENTRY_CHARS: usize = 40;
/// Of the info lines that the rules log during a run, only this many are shown: the last ones.
const MAX_INFO_LINES_SHOWN: usize = 5;

/// The lines of a part that a run reports.
pub(crate) fn run_lines(part: &Part) -> Vec<Line> {
    match part {
        Part::Info { lines } => info_lines(lines),
        part => run_line(part).into_iter().collect(),
    }
}

fn run_line(part: &Part) -> Option<Line> {
    let dim = |text: String| Some(Line::styled(Style::Dim, text));
    match part {
        Part::Log { id, text } => {
            let label = format!("logpoint {id}: ");
            Some(Line::styled(Style::Dim, label).with(Style::Plain, text))
        }
        Part::ConditionError {
            id,
            is_watchpoint,
            message,
        } => {
            let kind = if *is_watchpoint {
                "watchpoint"
            } else {
                "breakpoint"
            };
            let message = format!("cannot evaluate its condition here: {message}");
            let label = format!("{kind} {id}: ");
            Some(Line::styled(Style::Warning, label).with(Style::Plain, message))
        }
        Part::Trace { depth, text } => {
            let indent = "  ".repeat((*depth).min(MAX_INDENT_LEVELS));
            dim(format!("  {indent}{text}"))
        }
        Part::TraceOmitted { count } => dim(format!("  … {count} more")),
        Part::Forked {
            branch,
            is_found_line: true,
            ..
        } => dim(format!(
            "The rest of the line that was found is kept as branch {branch} (`:branches`)"
        )),
        Part::Forked {
            branch,
            is_after_undo: true,
            ..
        } => dim(format!(
            "The moves you undid are saved as branch {branch} (`:branches`)"
        )),
        Part::Forked { branch, .. } => dim(format!(
            "You are on a new branch; the old history is branch {branch} (`:branches`)"
        )),
        Part::NoEffect { click } => dim(no_effect_text(click.as_ref())),
        Part::FutureKept {
            is_after_undo: true,
        } => dim("Nothing changed: `:redo` still works as before".to_string()),
        Part::FutureKept { .. } => dim("Nothing changed: the old history is kept".to_string()),
        Part::Finished { entry, .. } => dim(finished_text(entry)),
        Part::DryRunStarted => dim("Dry run: nothing will change".to_string()),
        _ => None,
    }
}

/// `click{1,1} finished`
fn finished_text(entry: &str) -> String {
    let entry = elide(entry.lines().next().unwrap_or(""), MAX_ENTRY_CHARS);
    let entry = if entry.is_empty() {
        "startup"
    } else {
        entry.as_str()
    };
    format!("{entry} finished")
}

fn info_lines(lines: &[String]) -> Vec<Line> {
    let omitted = lines.len().saturating_sub(MAX_INFO_LINES_SHOWN);
    let mut shown: Vec<Line> = lines[omitted..]
        .iter()
        .map(|line| Line::styled(Style::Dim, line))
        .collect();
    if omitted > 0 {
        shown.push(Line::styled(
            Style::Dim,
            format!("and {omitted} more before these; `:trace on` shows all"),
        ));
    }
    shown
}

/// Why an entry changed nothing.
fn no_effect_text(click: Option<&ClickedCell>) -> String {
    let Some(ClickedCell { cell, effect, why }) = click else {
        return "Nothing changed".to_string();
    };
    match effect {
        None => format!("Nothing changed; see `{why}`"),
        Some(ClickEffect::NoPiece) => format!("Nothing changed: {cell} is empty"),
        Some(ClickEffect::NoHandler { piece }) => {
            format!("Nothing changed: the piece \"{piece}\" on {cell} has no onClick")
        }
        Some(_) => "Nothing changed".to_string(),
    }
}
