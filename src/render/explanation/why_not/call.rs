//! The text of why a function or handler did not run.

use super::{condition_lines, dim, location_text};
use crate::analysis::evaluation::explain_values;
use crate::answer::{
    CallSite, Details, Excerpt, ExpressionValue, FunctionNotRun, FunctionRuns, Guard,
    HandlerAttempt, LastRun, Line, MissingCall, Style, WordCheck,
};
use crate::render::stopped::value_columns::value_columns;
use crate::source::Span;
use crate::text::count_noun;

/// Attempts, handlers, call sites and their guards beyond this are left out.
const MAX_CALLS_SHOWN: usize = 3;

pub(super) fn call_lines(call: &MissingCall, width: usize) -> Vec<Line> {
    if !call.has_action {
        let text = format!("Nothing has run yet that could have called {}", call.name);
        return vec![text.into()];
    }
    let functions = call.functions.iter();
    functions
        .flat_map(|function| match function {
            FunctionRuns::Condition(condition) => condition_lines(condition, Details::All, width),
            FunctionRuns::Ran {
                name,
                entry,
                count,
                time,
            } if call.is_in_history => ran_lines(name, entry, *count, *time),
            FunctionRuns::Ran { name, entry, .. } => {
                vec![format!("{name} did run in {}", entry_text(entry)).into()]
            }
            FunctionRuns::NotRun(function) => not_run_lines(function, width),
        })
        .collect()
}

fn ran_lines(name: &str, entry: &str, count: usize, time: u64) -> Vec<Line> {
    let count = match count {
        1 => String::new(),
        n => format!(" {n} times, last"),
    };
    let entry = entry_text(entry);
    vec![
        format!("{name} did run in {entry},{count} at time {time}").into(),
        dim(format!("  `:goto {time}` goes there")),
    ]
}

fn entry_text(entry: &str) -> String {
    match entry {
        "" => "the start".to_string(),
        _ => format!("`{entry}`"),
    }
}

fn not_run_lines(function: &FunctionNotRun, width: usize) -> Vec<Line> {
    let entry = entry_text(&function.entry);
    let head = format!("{} did not run in {entry}", function.name);
    let mut lines = vec![Line::styled(Style::Strong, head)];
    if function.range.is_some() {
        lines.extend(attempts_lines(function, width));
    }
    if function.attempts.is_empty() {
        for other in function.other_handlers.iter().take(MAX_CALLS_SHOWN) {
            let text = format!(
                "  only the first matching handler runs: that was {}, at time {}",
                other.name, other.time
            );
            lines.push(text.into());
        }
    }
    if function.attempts.is_empty() && function.other_handlers.is_empty() {
        let reason = if function.is_handler {
            "no matching event happened"
        } else {
            "nothing called it"
        };
        lines.push(format!("  {reason}").into());
        let sites = function.call_sites.iter().take(MAX_CALLS_SHOWN);
        lines.extend(sites.flat_map(call_site_lines));
    }
    match function.last_run {
        LastRun::At(time) => lines.push(dim(format!("  it last ran at time {time}"))),
        LastRun::Never => lines.push(dim("  it has never run")),
        LastRun::Unknown => {}
    }
    lines
}

/// The last attempts to run a handler.
fn attempts_lines(function: &FunctionNotRun, width: usize) -> Vec<Line> {
    let more = function.attempts.len().saturating_sub(MAX_CALLS_SHOWN);
    let mut lines: Vec<Line> = function.attempts[more..]
        .iter()
        .flat_map(|attempt| attempt_lines(&function.head, attempt, width))
        .collect();
    if more > 0 {
        let count = count_noun(more, "more time", "more times");
        lines.push(dim(format!("  and {count} before")));
    }
    lines
}

/// The event, and the words of the handler's head with the result of each check below.
fn attempt_lines(head: &str, attempt: &HandlerAttempt, width: usize) -> Vec<Line> {
    let context: Vec<String> = attempt
        .context
        .iter()
        .map(|v| format!("{}={}", v.name, v.value))
        .collect();
    let mut lines = vec![
        Line::plain(format!("  checked with {}", context.join(" ")))
            .with(Style::Dim, format!("   time {}", attempt.time)),
    ];
    let checks: Vec<ExpressionValue> = attempt
        .checks
        .iter()
        .map(|check| check_value(head, check))
        .collect();
    let explained = explain_values(head_excerpt(head, 0, head.len()), &checks);
    let columns = value_columns(&explained, width.saturating_sub(4));
    lines.extend(columns.iter().map(|line| format!("    {line}").into()));
    lines
}

/// A part of a head, by its offsets.
fn head_excerpt(head: &str, start: usize, end: usize) -> Excerpt {
    Excerpt {
        text: head.get(start..end).unwrap_or("").to_string(),
        span: Span {
            start: start as u32,
            end: end as u32,
            ..Span::default()
        },
        ..Excerpt::default()
    }
}

/// The result of a check as a value, to be shown below the word that was checked.
fn check_value(head: &str, check: &WordCheck) -> ExpressionValue {
    let result = match check.is_match {
        None => "",
        Some(true) => ": yes",
        Some(false) => ": no",
    };
    ExpressionValue {
        expression: head_excerpt(head, check.start, check.end),
        operator: None,
        value: format!("{}{result}", check.operands.join(", ")),
        is_short_circuited: false,
    }
}

fn call_site_lines(site: &CallSite) -> Vec<Line> {
    let (location, function) = (location_text(site.range.as_ref()), &site.function);
    let mut lines =
        vec![format!("  {location}, in {function}, would call it, but was not reached").into()];
    let guards = site.guards.iter().take(MAX_CALLS_SHOWN);
    lines.extend(guards.map(|Guard { range, text }| {
        let location = location_text(range.as_ref());
        Line::plain(format!("    {location}: {text} was false"))
    }));
    lines
}
