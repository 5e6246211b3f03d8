//! Describes a stop: the reason, the location with its source lines, the variables, and what has
//! changed.

use crate::answer::{
    ActionInfo, Answer, ConditionCheck, Display, Hit, SourceLine, Stop, StopReason,
};
use crate::breakpoint::hits::first_error_message;
use crate::code::FunctionKind;
use crate::frame;
use crate::history;
use crate::run::next_statement;
use crate::source::{Origin, Source, Span};
use crate::{FrameInfo, HistoryAction, HistoryEntry, Target};
use std::ops::Range;
use std::rc::Rc;

/// Source lines shown before and after the statement of a stop.
const CONTEXT_LINES: u32 = 1;

/// The message of a stop at which something else was done since.
pub(crate) const STILL_STOPPED: &str = "still stopped";

/// Describes the selected frame of the stopped program, and what has changed; `None` if nothing is
/// stopped.
pub fn describe_stop(
    target: &mut Target,
    reason: StopReason,
    message: &str,
    hits: Vec<Hit>,
) -> Option<Stop> {
    let place = describe_place(target)?;
    let (since, changes) = history::changes_since_stop(target);
    Some(Stop {
        reason,
        message: message.to_string(),
        hits,
        since,
        changes,
        ..place
    })
}

/// Describes where the program is stopped, without what has changed: that may be the whole board.
pub fn describe_place(target: &mut Target) -> Option<Stop> {
    let frame = target.debugger.selected_frame;
    let info = frame::frame_info(target, frame)?;
    let statement = next_statement::statement_of(target, frame, &info);
    let range = target.source_range(statement.shown)?;
    let cell = frame::handler_cell(target, frame)
        .map(|(r, c)| target.program().board_info.format_cell(r.into(), c.into()));
    let expressions = target.debugger.displays.clone();
    Some(Stop {
        reason: StopReason::Step,
        message: String::new(),
        hits: Vec::new(),
        location: stop_location(target, &info, statement.shown, cell.as_deref()),
        function: info.name.clone(),
        range,
        time: target.machine.time(),
        depth: target.machine.frames().len(),
        frame,
        cell,
        iteration: history::loop_iteration(target, &info),
        action: current_action(target),
        variables: frame::frame_variables(target, frame),
        since: None,
        changes: Vec::new(),
        displays: expressions.iter().map(|e| display(target, e)).collect(),
        finished: statement.finished.map(|span| target.excerpt(span)),
        source: source_lines(target, statement.shown, statement.next, CONTEXT_LINES),
    })
}

/// Describes the current stop again, without changing the selected frame.
pub fn reshow_stop(target: &mut Target) -> Answer {
    let mut answer = Answer::new("");
    if let Some(stop) = describe_stop(target, StopReason::Step, STILL_STOPPED, Vec::new()) {
        answer.show_stop(Rc::new(stop));
    }
    answer
}

/// `free.onClick at [1][1], line 8`; in an entry, `entry 5` or, if it is long, `entry 5, line 2`.
fn stop_location(target: &Target, frame: &FrameInfo, span: Span, cell: Option<&str>) -> String {
    let cell = cell.map_or_else(String::new, |cell| format!(" at {cell}"));
    let Some(source) = target.sources.get(span.source) else {
        return format!("{}{cell}", frame.name);
    };
    let (line, _) = source.line_column(span.start);
    let is_typed = matches!(source.origin, Origin::Entry(_) | Origin::Expression);
    let origin = match &source.origin {
        // Without a file, the sample game is loaded.
        Origin::File(name) if target.file.as_ref().is_none_or(|file| file == name) => None,
        Origin::Rules(_) => Some("rules".to_string()),
        origin => Some(origin.to_string()),
    };
    let name =
        (frame.kind != FunctionKind::Entry || !is_typed).then(|| format!("{}{cell}", frame.name));
    let line = (!is_typed || source.line_count() > 1).then(|| format!("line {line}"));
    let parts: Vec<String> = [name, origin, line].into_iter().flatten().collect();
    parts.join(", ")
}

/// The value of an expression that `:display` shows.
pub fn display(target: &mut Target, expression: &str) -> Display {
    let (value, error) = match target.eval(expression, |target, v| target.format_value(v)) {
        Ok(value) => (Some(value), None),
        Err(errors) => (None, Some(first_error_message(&errors))),
    };
    Display {
        expression: expression.to_string(),
        value,
        error,
    }
}

/// The columns of the statement that runs next, if its line has other stop points too.
fn next_statement_columns(target: &Target, span: Span) -> Option<Range<usize>> {
    let source = target.sources.get(span.source)?;
    let line = |span: Span| source.line_number(span.start);
    let function = target
        .program()
        .functions
        .iter()
        .find(|f| f.stop_points.iter().any(|s| s.span == span))?;
    let stops = || {
        function
            .stop_points
            .iter()
            .map(|s| s.span)
            .filter(|s| s.source == span.source)
    };
    if !stops().any(|s| line(s) == line(span) && s.start != span.start) {
        return None;
    }
    let inside = stops()
        .filter(|s| span.contains(*s) && s.start > span.start)
        .map(|s| s.start)
        .min();
    Some(columns_of(
        source,
        super::statement::head_span(&source.text, span, inside),
    ))
}

/// The action that is running, and the turn.
pub fn current_action(target: &Target) -> ActionInfo {
    let progress = target.progress();
    let entry = history::innermost_entry(target);
    // An entry that has not started an action yet does not belong to the previous one.
    let before = entry.map_or(0, |r| if starts_game(r) { 0 } else { r.before.action });
    let number = target.machine.store.action;
    let info = target.language.info();
    ActionInfo {
        number: (number != before).then_some(number),
        word: info.action_word,
        number_in_entry: number.checked_sub(before).filter(|n| *n > 0),
        entry: entry
            .and_then(|r| r.text.lines().next())
            .unwrap_or("")
            .to_string(),
        turn: progress.turn_count,
        player: progress.current_player,
        check: checked_condition(target).map(|condition| ConditionCheck {
            when: info.conditions_checked_when,
            condition,
        }),
    }
}

/// The innermost condition on the call stack that the rules are checking.
fn checked_condition(target: &Target) -> Option<String> {
    let frames = target.machine.frames();
    let function = |index: usize| target.machine.function(frames.get(index)?.function);
    let is_check = |index: &usize| {
        function(*index)
            .is_some_and(|f| f.kind == FunctionKind::Condition && f.parameter_count == 0)
            && function(index - 1).is_some_and(|f| f.kind == FunctionKind::Rules)
    };
    let index = (1..frames.len()).rev().find(is_check)?;
    function(index).map(|f| f.name.to_string())
}

/// The source lines around a span. The one with the statement `next` is marked.
pub fn source_lines(
    target: &Target,
    around: Span,
    next: Option<Span>,
    context: u32,
) -> Vec<SourceLine> {
    let Some(source) = target.sources.get(around.source) else {
        return Vec::new();
    };
    let (middle, _) = source.line_column(around.start);
    let next = next.filter(|next| next.source == around.source);
    let last = source.line_count() as u32;
    let lines = middle.saturating_sub(context).max(1)..=(middle + context).min(last);
    let to_line = |line| {
        let span = next.filter(|next| source.line_number(next.start) == line);
        SourceLine {
            line,
            text: source.line(line).replace('\t', "    "),
            is_next: span.is_some(),
            columns: span.and_then(|span| next_statement_columns(target, span)),
            coverage: None,
        }
    };
    lines.map(to_line).collect()
}

/// Whether the entry starts a new game, which counts actions from 1.
fn starts_game(entry: &HistoryEntry) -> bool {
    matches!(
        entry.action,
        HistoryAction::Start {
            resets_game: true,
            ..
        }
    )
}

/// The columns of the first line of a span, with tabs counted as they are displayed.
fn columns_of(source: &Source, span: Span) -> Range<usize> {
    let (line, column) = source.line_column(span.start);
    let display_width = |c: char| if c == '\t' { 4 } else { 1 };
    let text = source.line(line);
    let before: usize = text
        .chars()
        .take(column as usize - 1)
        .map(display_width)
        .sum();
    let first_line = source.slice(span).lines().next().unwrap_or("").trim_end();
    before..before + first_line.chars().map(display_width).sum::<usize>().max(1)
}
