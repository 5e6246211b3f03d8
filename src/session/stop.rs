//! What a stop shows: the reason, the location with its source lines, the variables, and what has
//! changed.

use super::{FrameInfo, Line, Reply, Session, StopView, Style};
use crate::debugger::value_recorder::clip_line;
use crate::debugger::{HistoryAction, HistoryEntry};
use crate::language::Viewport;
use crate::source::{Source, Span};
use crate::text::elide;
use crate::value::Value;
use std::ops::Range;

/// Longer values are elided; `print` shows them in full.
const MAX_VALUE_CHARS: usize = 60;
/// Longer entries are elided in the head of a stop.
const MAX_ENTRY_CHARS: usize = 30;
/// The width of the line number before a source line.
const LINE_NUMBER_WIDTH: usize = 10;

impl Session {
    /// Reports a stop: where and why.
    pub(super) fn report_stop(&mut self, reason: &'static str, message: &str, reply: &mut Reply) {
        self.target.debugger.selected_frame = self.target.default_frame();
        self.target.has_stopped = true;
        self.target.record_visit();
        reply.stop = self.stop_view(reason);
        reply.show_board = true;
        if let Some(suppressed) = &mut self.target.suppressed_stop {
            *suppressed = Some((reason, message.to_string()));
            return;
        }
        self.report_fork_at_stop(reply);
        self.show_stop(message, reply);
        if reason == "interrupt" {
            reply.line(Line::styled(
                Style::Dim,
                "`continue` to resume, `abandon` to cancel the entry",
            ));
        }
        let (state, _) = self.target.machine.store.snapshot();
        self.target.debugger.last_stop_state = Some(state);
        self.target.debugger.last_stop_fields = self.target.record_fields();
    }

    /// Buffers stops from here on. [`Session::show_suppressed_stop`] shows the last one.
    pub fn suppress_stops(&mut self) {
        self.target.suppressed_stop = Some(None);
    }

    /// Shows the last buffered stop, if there was one.
    pub fn show_suppressed_stop(&mut self, reply: &mut Reply) {
        if let Some((reason, message)) = self.target.suppressed_stop.take().flatten()
            && reply.stop.is_some()
        {
            self.report_stop(reason, &message, reply);
        }
    }

    /// Shows the current stop again without changing the selected frame.
    pub fn reshow_stop(&mut self, reply: &mut Reply) {
        reply.stop = self.stop_view("step");
        self.show_stop("", reply);
    }

    /// Where the run is stopped, as data; `None` if it is not stopped.
    pub fn stop_view(&self, reason: &'static str) -> Option<StopView> {
        let info: FrameInfo = self
            .target
            .frame_info(self.target.debugger.selected_frame)?;
        let source = self.target.sources.get(info.span.source)?;
        let (line, column) = source.line_column(info.span.start);
        Some(StopView {
            reason,
            function: info.name.clone(),
            file: source.origin.to_string(),
            line,
            column,
            time: self.target.machine.time(),
            depth: self.target.machine.frames().len(),
        })
    }

    fn show_stop(&mut self, message: &str, reply: &mut Reply) {
        let from_top = self.target.debugger.selected_frame;
        let Some(info) = self.target.frame_info(from_top) else {
            return;
        };
        self.show_head(message, &info, reply);
        self.show_source(info.span, Some(info.span), 1, true, reply);
        let locals = self.target.locals(from_top);
        let locals = locals.iter().filter(|(_, v)| *v != Value::NOTHING);
        let locals = locals.map(|(l, v)| {
            format!(
                "{}={}",
                l.name,
                elide(&self.target.format_value_with_cell(*v), MAX_VALUE_CHARS)
            )
        });
        let handler_cell = self
            .target
            .handler_cell_variables(from_top)
            .into_iter()
            .flatten()
            .map(|(name, n)| format!("{name}={n}"));
        let locals: Vec<String> = handler_cell.chain(locals).collect();
        self.show_values(&locals, reply);
        for expression in self.target.debugger.displays.clone() {
            let line = self.display_line(&expression);
            reply.line(line);
        }
    }

    /// `* breakpoint 2, zero.onClick at [4][2], iteration 3   time 412   action 7 click{4,2}   turn
    /// 3 "player"`, on two lines if it does not fit on one.
    fn show_head(&mut self, message: &str, info: &FrameInfo, reply: &mut Reply) {
        let mut head = if message.is_empty() {
            String::new()
        } else {
            format!("{message}, ")
        };
        head.push_str(&info.name);
        head.push_str(
            &self
                .target
                .format_handler_cell(self.target.debugger.selected_frame),
        );
        if let Some(iteration) = self.target.loop_iteration(info) {
            head.push_str(&format!(", iteration {iteration}"));
        }
        let width = self.text_width();
        let when = format!(
            "time {}   {}",
            self.target.machine.time(),
            self.describe_action()
        );
        let line = Line::styled(Style::Current, "* ");
        if 2 + head.chars().count() + 3 + when.chars().count() <= width {
            reply.line(
                line.with(Style::Strong, head)
                    .with(Style::Dim, format!("   {when}")),
            );
        } else {
            reply.line(line.with(Style::Strong, head));
            reply.line(Line::styled(Style::Dim, format!("  {when}")));
        }
    }

    /// The columns of the statement that runs next, if its line has other stop points too.
    fn next_statement_columns(&self, span: Span) -> Option<Range<usize>> {
        let source = self.target.sources.get(span.source)?;
        let line = |span: Span| source.line_column(span.start).0;
        let function = self
            .target
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
            super::step_expr::head_span(&source.text, span, inside),
        ))
    }

    /// Shows the variables of the frame, and what has changed since the last stop.
    fn show_values(&mut self, locals: &[String], reply: &mut Reply) {
        let width = self.text_width();
        let (since, changes) = self.target.changes_since_stop();
        let joined = locals.join(" ");
        let gap = if locals.is_empty() { "" } else { "      " };
        let changed = changes.join(", ");
        let total_width = 2 + [joined.as_str(), gap, since, changed.as_str()]
            .iter()
            .map(|t| t.chars().count())
            .sum::<usize>();
        if changes.is_empty() || locals.is_empty() || total_width > width {
            wrap_items(locals, " ", "  ", width)
                .into_iter()
                .for_each(|l| reply.line(Line::plain(l)));
            if !changes.is_empty() {
                // Each line but the last ends with a comma.
                let lines = wrap_items(&changes, ", ", "  ", width.saturating_sub(since.len() + 1));
                for (n, text) in lines.into_iter().enumerate() {
                    let prefix = if n == 0 {
                        since.to_string()
                    } else {
                        " ".repeat(since.len())
                    };
                    reply.line(
                        Line::styled(Style::Dim, format!("  {prefix}"))
                            .with(Style::Changed, text.trim_start()),
                    );
                }
            }
            return;
        }
        let line = Line::plain(format!("  {joined}")).with(Style::Dim, format!("{gap}{since}"));
        reply.line(line.with(Style::Changed, changed));
    }

    /// `count = 3`, for an expression shown at every stop.
    pub fn display_line(&mut self, expression: &str) -> Line {
        match self
            .target
            .eval(expression, |session, value| session.format_value(value))
        {
            Ok(text) => {
                Line::styled(Style::Dim, format!("  {expression} = ")).with(Style::Plain, text)
            }
            Err(d) => Line::styled(
                Style::Dim,
                format!(
                    "  {expression} = <{}>",
                    crate::debugger::breakpoint_hits::first_error_message(&d)
                ),
            ),
        }
    }

    /// `action 7 click{4,2}   turn 3 "player"`, or `in play(X, empty)` before the first action.
    pub(super) fn describe_action(&self) -> String {
        let view = self.target.view(Viewport::NONE);
        let entry = self
            .target
            .innermost_entry()
            .map_or("", |r| r.text.as_str());
        let entry = entry.lines().next().unwrap_or("");
        let turn = match (view.turn_count, view.current_player) {
            (Some(n), Some(player)) => format!("   turn {n} \"{player}\""),
            (Some(n), None) => format!("   turn {n}"),
            _ => String::new(),
        };
        // An entry that has not started an action yet does not belong to the previous one.
        let before = self
            .target
            .innermost_entry()
            .map_or(0, |r| if starts_game(r) { 0 } else { r.before.action });
        match self.target.machine.store.action {
            n if n == before => format!(
                "in {}{turn}",
                elide(
                    if entry.is_empty() { "startup" } else { entry },
                    MAX_ENTRY_CHARS
                )
            ),
            n => format!("action {n} {}{turn}", elide(entry, MAX_ENTRY_CHARS)),
        }
    }

    /// Shows the source lines around a span and marks the one that runs next. If `short`, long
    /// lines are cut to the terminal's width.
    pub fn show_source(
        &self,
        around: Span,
        next: Option<Span>,
        lines: u32,
        short: bool,
        reply: &mut Reply,
    ) {
        let Some(source) = self.target.sources.get(around.source) else {
            return;
        };
        let (middle, _) = source.line_column(around.start);
        let next = next.filter(|next| next.source == around.source);
        let last = source.line_count() as u32;
        let max_width = if short {
            self.text_width().saturating_sub(LINE_NUMBER_WIDTH).max(20)
        } else {
            usize::MAX
        };
        for line in middle.saturating_sub(lines).max(1)..=(middle + lines).min(last) {
            let text = source.line(line).replace('\t', "    ");
            let Some(span) = next.filter(|next| source.line_column(next.start).0 == line) else {
                let text = elide(&text, max_width);
                reply.line(
                    Line::styled(Style::Dim, format!("     {line:>3}  ")).with(Style::Plain, text),
                );
                continue;
            };
            // If its only statement is the whole line, the line is wrapped instead of cut.
            let (text, part) = match self.next_statement_columns(span) {
                Some(part) => {
                    let (text, start, end) = clip_line(&text, part.start, part.end, max_width);
                    (text, Some(start..end))
                }
                None => (text, None),
            };
            reply.line(
                Line::styled(Style::Current, format!("  => {line:>3}  ")).with(Style::Strong, text),
            );
            if let Some(part) = part {
                let mark = format!(
                    "{}{}",
                    " ".repeat(LINE_NUMBER_WIDTH + part.start),
                    "^".repeat(part.len().max(1))
                );
                reply.line(Line::styled(Style::Current, mark));
            }
        }
    }
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

/// Joins items with a separator, wrapped to `width`.
fn wrap_items(items: &[String], separator: &str, indent: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line)
                if line.chars().count() + separator.len() + item.chars().count() <= width =>
            {
                line.push_str(separator);
                line.push_str(item);
            }
            last => {
                if let Some(line) = last {
                    line.push_str(separator.trim_end());
                }
                lines.push(format!("{indent}{item}"));
            }
        }
    }
    lines
}
