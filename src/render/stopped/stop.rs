//! The text of a stop.

use super::changes::{MAX_CHANGES_SHOWN, change_texts};
use super::property::violation_text;
use crate::answer::{
    ActionInfo, ChangesSince, ConditionCheck, Display, Excerpt, Hit, Line, SourceLine, Stop,
    StopReason, Style, WatchHit,
};
use crate::render::board::clip::clip_line;
use crate::render::exploration::coverage::Gutter;
use crate::text::{elide, first_line, join_rows};

/// Longer values are elided; `print` shows them in full.
const MAX_VALUE_CHARS: usize = 60;
/// Longer values of something watched are elided.
const MAX_WATCHED_CHARS: usize = 40;
/// Longer entries are elided in the head of a stop.
const MAX_ENTRY_CHARS: usize = 30;
/// Longer names of players are elided in the head of a stop.
const MAX_PLAYER_CHARS: usize = 16;
/// The width of the line number before a source line.
const LINE_NUMBER_WIDTH: usize = 10;
/// At least this much of a source line is shown, however narrow the screen is.
pub(crate) const MIN_SOURCE_WIDTH: usize = 20;

/// The lines of a stop.
pub(crate) fn stop_lines(stop: &Stop, width: usize) -> Vec<Line> {
    let mut lines = head_lines(stop, width);
    lines.extend(source_lines(&stop.source, Some(source_width(width))));
    lines.extend(stop.finished.as_ref().map(finished_line));
    lines.extend(value_lines(stop, width));
    lines.extend(stop.displays.iter().map(display_line));
    if stop.reason == StopReason::Interrupt {
        lines.push(Line::styled(
            Style::Dim,
            "`continue` to resume, `abandon` to cancel the entry",
        ));
    }
    let others = stop.hits.iter().skip(1);
    lines.extend(others.map(|hit| Line::styled(Style::Dim, format!("  also {}", hit_text(hit)))));
    lines
}

/// `* breakpoint 2 in zero.onClick at [4][2], line 31, iteration 3   click{4,2}, x's turn`, on two
/// lines if it does not fit on one.
fn head_lines(stop: &Stop, width: usize) -> Vec<Line> {
    let (head, action) = stop_head(stop);
    let line = Line::styled(Style::Current, "* ").with(Style::Strong, head.as_str());
    if action.is_empty() {
        vec![line]
    } else if 2 + head.chars().count() + 3 + action.chars().count() <= width {
        vec![line.with(Style::Dim, format!("   {action}"))]
    } else {
        vec![line, Line::styled(Style::Dim, format!("  {action}"))]
    }
}

/// Why and where the program stopped, and the action that is running; the latter may be empty.
pub fn stop_head(stop: &Stop) -> (String, String) {
    let mut head = reason_and_location(stop);
    if let Some(iteration) = stop.iteration {
        head.push_str(&format!(", iteration {iteration}"));
    }
    (head, action_text(stop))
}

/// `breakpoint 2 in zero.onClick at [4][2], line 31`, or `turn ends: checking winCondition, line 23`.
fn reason_and_location(stop: &Stop) -> String {
    let location = &stop.location;
    match (stop.hits.first(), stop.message.as_str()) {
        // Its details end with a comma.
        (Some(hit), _) if hit.event.is_some() || hit.watched.is_some() => {
            format!("{}, in {location}", hit_text(hit))
        }
        (Some(hit), _) => format!("{} in {location}", hit_text(hit)),
        (None, "") => match own_check(stop) {
            Some(check) => format!("{}: checking {location}", check_time(&stop.action, check)),
            None => format!("step in {location}"),
        },
        (None, message) => format!("{message} in {location}"),
    }
}

/// The check that the stopped function performs itself.
fn own_check(stop: &Stop) -> Option<&ConditionCheck> {
    let check = stop.action.check.as_ref();
    check.filter(|check| check.condition == stop.function)
}

/// `x's turn ends`
fn check_time(action: &ActionInfo, check: &ConditionCheck) -> String {
    match player_text(action) {
        Some(player) => format!("{player}'s {}", check.when),
        None => check.when.to_string(),
    }
}

fn player_text(action: &ActionInfo) -> Option<String> {
    let player = action.player.as_deref().filter(|name| !name.is_empty())?;
    Some(elide(&first_line(player), MAX_PLAYER_CHARS))
}

/// `breakpoint 2`, `watchpoint 3, n: 1 => 2`, or `property 1, always n <= 9, is violated`.
fn hit_text(hit: &Hit) -> String {
    let id = hit.id;
    let elided = |text: &str| elide(text, MAX_WATCHED_CHARS);
    if let Some(violation) = &hit.property {
        return format!("property {id}, {}", violation_text(violation));
    }
    match &hit.watched {
        None => match hit.event {
            Some(event) => format!("breakpoint {id}, on {event}"),
            None => format!("breakpoint {id}"),
        },
        Some(WatchHit::Removed { target }) => format!("watchpoint {id}, {target} no longer exists"),
        Some(WatchHit::Read { target, value }) => {
            let value = value.as_ref().map(|v| format!(": {v}")).unwrap_or_default();
            format!("watchpoint {id}, {target} is read{value}")
        }
        Some(WatchHit::Changed {
            target,
            old,
            new,
            cells,
            is_ahead,
        }) => {
            let old = old.as_deref().unwrap_or("");
            let new = new.as_deref().unwrap_or("");
            match (cells, is_ahead) {
                (Some(cells), true) => format!("watchpoint {id}, {target}, here {cells}"),
                (Some(cells), false) => format!("watchpoint {id}, {target}: {cells}"),
                (None, true) => format!("watchpoint {id}, {target}: {new} <= {old}"),
                (None, false) => {
                    format!(
                        "watchpoint {id}, {target}: {} => {}",
                        elided(old),
                        elided(new)
                    )
                }
            }
        }
    }
}

/// `click{4,2}, x's turn`; `move 3 of uurr`; `click{4,2}, x's turn ends: checking winCondition`.
fn action_text(stop: &Stop) -> String {
    let action = &stop.action;
    let entry = match elide(&action.entry, MAX_ENTRY_CHARS) {
        entry if entry.is_empty() => "startup".to_string(),
        entry => entry,
    };
    let entry = match action.number_in_entry {
        Some(number) if number > 1 => format!("{} {number} of {entry}", action.word),
        _ => entry,
    };
    let time = match &action.check {
        None => player_text(action).map(|player| format!("{player}'s turn")),
        Some(check) => {
            let time = check_time(action, check);
            let is_in_head = stop.hits.is_empty() && stop.message.is_empty();
            match own_check(stop) {
                Some(_) if is_in_head => None,
                Some(_) => Some(time),
                None => Some(format!("{time}: checking {}", check.condition)),
            }
        }
    };
    match time {
        Some(time) => format!("{entry}, {time}"),
        None => entry,
    }
}

/// `  line 6 has just run: n {n + 1}`
fn finished_line(statement: &Excerpt) -> Line {
    let text = first_line(&statement.text);
    let line = statement.range.line;
    Line::styled(Style::Dim, format!("  line {line} has just run: {text}"))
}

/// The columns for the text of a source line.
pub(crate) fn source_width(width: usize) -> usize {
    width
        .saturating_sub(LINE_NUMBER_WIDTH)
        .max(MIN_SOURCE_WIDTH)
}

/// Source lines with their numbers, and how often they ran if that is known. The one that runs next
/// is marked. Lines are cut to `max_width`.
pub fn source_lines(source: &[SourceLine], max_width: Option<usize>) -> Vec<Line> {
    let gutter = Gutter::of(source.iter().filter_map(|line| line.coverage.as_ref()));
    let gutter_width = gutter.as_ref().map_or(0, Gutter::width);
    let max_width = max_width.map_or(usize::MAX, |width| {
        width.saturating_sub(gutter_width).max(MIN_SOURCE_WIDTH)
    });
    let mut lines: Vec<Line> = gutter.iter().map(Gutter::heading).collect();
    for source_line in source {
        let (line, mark) = source_line_with_mark(source_line, max_width);
        match &gutter {
            None => lines.extend([Some(line), mark].into_iter().flatten()),
            Some(gutter) => {
                lines.push(gutter.beside(source_line.coverage.as_ref(), line));
                lines.extend(mark.map(|mark| gutter.beside(None, mark)));
            }
        }
    }
    lines
}

/// A source line, and the line below it that marks the statement.
fn source_line_with_mark(source_line: &SourceLine, max_width: usize) -> (Line, Option<Line>) {
    let SourceLine { line, text, .. } = source_line;
    if !source_line.is_next {
        let number = Line::styled(Style::Dim, format!("     {line:>3}  "));
        return (number.with(Style::Plain, elide(text, max_width)), None);
    }
    // If its only statement is the whole line, the line is wrapped instead of cut.
    let (text, columns) = match &source_line.columns {
        Some(columns) => {
            let (text, start, end) = clip_line(text, columns.start, columns.end, max_width);
            (text, Some(start..end))
        }
        None => (text.clone(), None),
    };
    let shown = Line::styled(Style::Current, format!("  => {line:>3}  ")).with(Style::Strong, text);
    let mark = columns.map(|columns| {
        let mark = format!(
            "{}{}",
            " ".repeat(LINE_NUMBER_WIDTH + columns.start),
            "^".repeat(columns.len().max(1))
        );
        Line::styled(Style::Current, mark)
    });
    (shown, mark)
}

/// The variables of the frame, and what has changed.
fn value_lines(stop: &Stop, width: usize) -> Vec<Line> {
    let variable =
        |v: &crate::answer::Variable| format!("{}={}", v.name, elide(&v.value, MAX_VALUE_CHARS));
    let variables: Vec<String> = stop.variables.iter().map(variable).collect();
    let changes: Vec<String> = change_texts(&stop.changes, MAX_CHANGES_SHOWN);
    let since = match stop.since {
        Some(ChangesSince::LastStop) => "since the last stop: ",
        Some(ChangesSince::EntryStart) => "since it began: ",
        None => "",
    };
    let joined = variables.join(" ");
    let gap = if variables.is_empty() { "" } else { "      " };
    let changed = changes.join(", ");
    let total_width = 2 + [joined.as_str(), gap, since, changed.as_str()]
        .iter()
        .map(|t| t.chars().count())
        .sum::<usize>();
    if !changes.is_empty() && !variables.is_empty() && total_width <= width {
        let line = Line::plain(format!("  {joined}")).with(Style::Dim, format!("{gap}{since}"));
        return vec![line.with(Style::Changed, changed)];
    }
    let mut lines: Vec<Line> = wrap_items(&variables, " ", "  ", width)
        .into_iter()
        .map(Line::plain)
        .collect();
    // Each line but the last ends with a comma.
    let wrapped = wrap_items(&changes, ", ", "  ", width.saturating_sub(since.len() + 1));
    for (n, text) in wrapped.into_iter().enumerate() {
        let prefix = if n == 0 {
            since.to_string()
        } else {
            " ".repeat(since.len())
        };
        lines.push(
            Line::styled(Style::Dim, format!("  {prefix}")).with(Style::Changed, text.trim_start()),
        );
    }
    lines
}

/// `count = 3`, for an expression shown at every stop.
pub(crate) fn display_line(display: &Display) -> Line {
    let expression = &display.expression;
    match (&display.value, &display.error) {
        (Some(value), _) => {
            Line::styled(Style::Dim, format!("  {expression} = ")).with(Style::Plain, value)
        }
        (None, error) => Line::styled(
            Style::Dim,
            format!("  {expression} = <{}>", error.as_deref().unwrap_or("")),
        ),
    }
}

/// Joins items with a separator, wrapped to `width`. A row that is continued ends with the separator.
fn wrap_items(items: &[String], separator: &str, indent: &str, width: usize) -> Vec<String> {
    let mut rows = join_rows(items, separator, [indent, indent], width);
    if let Some((_, continued)) = rows.split_last_mut() {
        continued
            .iter_mut()
            .for_each(|row| row.push_str(separator.trim_end()));
    }
    rows
}
