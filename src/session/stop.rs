//! What a stop shows: why, where, the lines around it, what is to be seen there, what has changed.

use super::call_tree::elide;
use super::state_diff::field_diff;
use super::{FrameInfo, Line, Reply, Session, StopView, Style};
use crate::code::FunctionKind;
use crate::debugger::value_recorder::clip_line;
use crate::debugger::{HistoryAction, HistoryEntry};
use crate::language::Viewport;
use crate::source::{Source, Span};
use crate::value::Value;
use std::ops::Range;

/// A longer value is cut short: `print` shows all of it.
const MOST_VALUE: usize = 60;
/// Columns before the text of a source line.
const INDENT: usize = 10;

impl Session {
    /// Stops here: shows where and why.
    pub(super) fn report_stop(&mut self, reason: &'static str, words: &str, reply: &mut Reply) {
        self.debugger.selected_frame = self.default_frame();
        self.has_stopped = true;
        self.record_visit();
        reply.stop = self.stop_view(reason);
        reply.show_board = true;
        if let Some(held) = &mut self.suppressed_stop {
            *held = Some((reason, words.to_string()));
            return;
        }
        self.report_fork_at_stop(reply);
        self.show_stop(words, reply);
        if reason == "interrupt" {
            reply.line(Line::styled(
                Style::Dim,
                "`continue` to resume, `abandon` to cancel the entry",
            ));
        }
        let (image, _) = self.machine.store.snapshot();
        self.debugger.last_stop_state = Some(image);
        self.debugger.last_stop_fields = self.record_fields();
    }

    /// From here on stops are not shown: of several only the last is, by [`Session::release`].
    pub fn suppress_stops(&mut self) {
        self.suppressed_stop = Some(None);
    }

    /// Shows the last of the stops that were held back, if one was.
    pub fn show_suppressed_stop(&mut self, reply: &mut Reply) {
        if let Some((reason, words)) = self.suppressed_stop.take().flatten()
            && reply.stop.is_some()
        {
            self.report_stop(reason, &words, reply);
        }
    }

    /// Shows once more where it is stopped; the frame that is looked at stays.
    pub fn reshow_stop(&mut self, reply: &mut Reply) {
        reply.stop = self.stop_view("step");
        self.show_stop("", reply);
    }

    pub fn stop_view(&self, reason: &'static str) -> Option<StopView> {
        let look: FrameInfo = self.frame_info(self.debugger.selected_frame)?;
        let source = self.sources.get(look.span.source)?;
        let (line, column) = source.line_column(look.span.start);
        Some(StopView {
            reason,
            function: look.name.clone(),
            file: source.origin.to_string(),
            line,
            column,
            time: self.machine.time(),
            depth: self.machine.frames().len(),
        })
    }

    fn show_stop(&mut self, words: &str, reply: &mut Reply) {
        let from_top = self.debugger.selected_frame;
        let Some(look) = self.frame_info(from_top) else {
            return;
        };
        self.show_head(words, &look, reply);
        self.show_source(look.span, Some(look.span), 1, true, reply);
        let locals = self.locals(from_top);
        let locals = locals.iter().filter(|(_, v)| *v != Value::NOTHING);
        let locals = locals.map(|(l, v)| {
            format!(
                "{}={}",
                l.name,
                elide(&self.format_value_with_cell(*v), MOST_VALUE)
            )
        });
        let own = self
            .handler_cell_variables(from_top)
            .into_iter()
            .flatten()
            .map(|(name, n)| format!("{name}={n}"));
        let locals: Vec<String> = own.chain(locals).collect();
        self.show_values(&locals, reply);
        for expression in self.debugger.displays.clone() {
            let line = self.display_line(&expression);
            reply.line(line);
        }
    }

    /// `* breakpoint 2, zero.onClick at [4][2], round 3   time 412   action 7 click{4,2}   turn 3 "player"`, in two
    /// lines where one is too short.
    fn show_head(&mut self, words: &str, look: &FrameInfo, reply: &mut Reply) {
        let mut head = if words.is_empty() {
            String::new()
        } else {
            format!("{words}, ")
        };
        head.push_str(&look.name);
        head.push_str(&self.format_handler_cell(self.debugger.selected_frame));
        if let Some(round) = self.loop_iteration(look) {
            head.push_str(&format!(", iteration {round}"));
        }
        let width = self.text_width();
        let when = format!("time {}   {}", self.machine.time(), self.describe_action());
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

    /// Which part of its line runs next, in columns, if one can stop at others there too.
    fn part_at_hand(&self, span: Span) -> Option<Range<usize>> {
        let source = self.sources.get(span.source)?;
        let line = |span: Span| source.line_column(span.start).0;
        let function = self
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

    /// The variables of the frame, and what has changed since the last stop.
    fn show_values(&mut self, locals: &[String], reply: &mut Reply) {
        let width = self.text_width();
        let (since, changes) = self.changes_since_stop();
        let together = locals.join(" ");
        let gap = if locals.is_empty() { "" } else { "      " };
        let changed = changes.join(", ");
        let all = 2 + [together.as_str(), gap, since, changed.as_str()]
            .iter()
            .map(|t| t.chars().count())
            .sum::<usize>();
        if changes.is_empty() || locals.is_empty() || all > width {
            flow(locals, " ", "  ", width)
                .into_iter()
                .for_each(|l| reply.line(Line::plain(l)));
            if !changes.is_empty() {
                // Each line but the last ends with a comma.
                let lines = flow(&changes, ", ", "  ", width.saturating_sub(since.len() + 1));
                for (n, text) in lines.into_iter().enumerate() {
                    let lead = if n == 0 {
                        since.to_string()
                    } else {
                        " ".repeat(since.len())
                    };
                    reply.line(
                        Line::styled(Style::Dim, format!("  {lead}"))
                            .with(Style::Changed, text.trim_start()),
                    );
                }
            }
            return;
        }
        let line = Line::plain(format!("  {together}")).with(Style::Dim, format!("{gap}{since}"));
        reply.line(line.with(Style::Changed, changed));
    }

    /// `count = 3`, for expressions shown at every stop.
    pub fn display_line(&mut self, expression: &str) -> Line {
        match self.eval(expression, |session, value| session.format_value(value)) {
            Ok(text) => {
                Line::styled(Style::Dim, format!("  {expression} = ")).with(Style::Plain, text)
            }
            Err(d) => Line::styled(
                Style::Dim,
                format!(
                    "  {expression} = <{}>",
                    super::breakpoint_hits::first_error_message(&d)
                ),
            ),
        }
    }

    /// What is going on: the entry that everything typed at its stops belongs to.
    pub(super) fn outermost_entry(&self) -> Option<&HistoryEntry> {
        self.timeline
            .entries()
            .iter()
            .rev()
            .find(|r| !matches!(r.action, HistoryAction::EvalInFrame { .. }))
    }

    /// What runs now: the same, or what was typed at one of its stops, as long as that is not done.
    pub(super) fn innermost_entry(&self) -> Option<&HistoryEntry> {
        let frames = self.machine.frames();
        let is_entry = |depth: usize| {
            let function = frames
                .get(depth)
                .and_then(|f| self.machine.function(f.function));
            function.is_some_and(|f| f.kind == FunctionKind::Entry)
        };
        let runs = |r: &&HistoryEntry| match r.action {
            HistoryAction::EvalInFrame { .. } => {
                r.is_dry_run && frames.len() > r.before.depth() || is_entry(r.before.depth())
            }
            _ => true,
        };
        self.timeline.entries().iter().rev().find(runs)
    }

    /// Which of the records was typed at the stop that is come back to, and is done now. Others may have been typed in
    /// its midst.
    pub(super) fn entry_finished_at_stop(&self) -> Option<usize> {
        let depth = self.machine.frames().len();
        let typed_here = |r: &HistoryEntry| {
            matches!(r.action, HistoryAction::EvalInFrame { .. }) && r.before.depth() == depth
        };
        self.timeline.entries().iter().rposition(typed_here)
    }

    /// Whether the person has stood in the midst of a record.
    pub(super) fn has_stopped_in(&self, number: usize) -> bool {
        let records = self.timeline.entries();
        let Some(began) = records.get(number).map(|r| r.before.time) else {
            return false;
        };
        let before = records[..number]
            .iter()
            .rev()
            .take_while(|r| r.before.time == began)
            .count();
        let last = self.debugger.nav_history.get(self.debugger.nav_index);
        last.is_some_and(|m| m.time > began || m.time == began && m.entries_started > before)
    }

    /// The first line of what is going on, or of what was done last.
    pub fn current_entry_line(&self) -> &str {
        let record = if self.is_stopped() {
            self.innermost_entry()
        } else {
            self.timeline.entries().last()
        };
        record.and_then(|r| r.text.lines().next()).unwrap_or("")
    }

    /// `action 7 click{4,2}   turn 3 "player"`, or `in play(X, empty)` where no actions are counted.
    pub(super) fn describe_action(&self) -> String {
        let view = self.view(Viewport::NONE);
        let entry = self.innermost_entry().map_or("", |r| r.text.as_str());
        let entry = entry.lines().next().unwrap_or("");
        let turn = match (view.turn_count, view.current_player) {
            (Some(n), Some(player)) => format!("   turn {n} \"{player}\""),
            (Some(n), None) => format!("   turn {n}"),
            _ => String::new(),
        };
        // What has not begun an action of its own is not in the last one.
        let before = self
            .innermost_entry()
            .map_or(0, |r| if is_fresh(r) { 0 } else { r.before.action });
        match self.machine.store.action {
            n if n == before => format!(
                "in {}{turn}",
                elide(if entry.is_empty() { "startup" } else { entry }, 30)
            ),
            n => format!("action {n} {}{turn}", elide(entry, 30)),
        }
    }

    /// Source lines around a place; the one that runs next is marked, if it is among them. If it is to be `short`, only
    /// the part at hand is shown of a line that is too long.
    pub fn show_source(
        &self,
        around: Span,
        next: Option<Span>,
        lines: u32,
        short: bool,
        reply: &mut Reply,
    ) {
        let Some(source) = self.sources.get(around.source) else {
            return;
        };
        let (middle, _) = source.line_column(around.start);
        let next = next.filter(|next| next.source == around.source);
        let last = source.line_count() as u32;
        let room = if short {
            self.text_width().saturating_sub(INDENT).max(20)
        } else {
            usize::MAX
        };
        for line in middle.saturating_sub(lines).max(1)..=(middle + lines).min(last) {
            let text = source.line(line).replace('\t', "    ");
            let Some(span) = next.filter(|next| source.line_column(next.start).0 == line) else {
                let text = elide(&text, room);
                reply.line(
                    Line::styled(Style::Dim, format!("     {line:>3}  ")).with(Style::Plain, text),
                );
                continue;
            };
            // A line that is all at hand is shown whole, in as many rows as it takes.
            let (text, part) = match self.part_at_hand(span) {
                Some(part) => {
                    let (text, start, end) = clip_line(&text, part.start, part.end, room);
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
                    " ".repeat(INDENT + part.start),
                    "^".repeat(part.len().max(1))
                );
                reply.line(Line::styled(Style::Current, mark));
            }
        }
    }

    /// What has changed in the game since the person last stood, or since that began which has not stopped yet.
    fn changes_since_stop(&mut self) -> (&'static str, Vec<String>) {
        let (now, _) = self.machine.store.snapshot();
        let began = self.outermost_entry().map(|r| r.before.clone());
        let (since, mut words, fields) = match (&self.debugger.last_stop_state, began) {
            (Some(before), _) => {
                let words = self.state_diff(before, &now, 6);
                (
                    "since the last stop: ",
                    words,
                    self.debugger.last_stop_fields.clone(),
                )
            }
            (None, Some(began)) => {
                let words = self.state_diff(began.store(), &now, 6);
                let fields = self.with_time(|s| {
                    s.machine.restore(&began);
                    s.record_fields()
                });
                ("since it began: ", words, fields)
            }
            (None, None) => ("", Vec::new(), Vec::new()),
        };
        words.extend(field_diff(&fields, &self.record_fields(), 6));
        (since, words)
    }

    /// The cell at hand: that of the piece whose handler runs, or else of the piece that was last taken.
    pub(super) fn current_cell(&self) -> Option<(u32, u32)> {
        let frame = self.debugger.selected_frame;
        self.handler_cell(frame).or_else(|| {
            let piece = self
                .locals(frame)
                .into_iter()
                .rev()
                .find_map(|(_, v)| v.as_piece())?;
            Some(self.machine.store.row_col(piece.cell))
        })
    }
}

/// Whether it begins the game anew, and counts its actions from the first.
fn is_fresh(record: &HistoryEntry) -> bool {
    matches!(
        record.action,
        HistoryAction::Start {
            resets_game: true,
            ..
        }
    )
}

/// The columns that the first line of a part of a source takes, tabs counted as they are shown.
fn columns_of(source: &Source, span: Span) -> Range<usize> {
    let (line, column) = source.line_column(span.start);
    let wide = |c: char| if c == '\t' { 4 } else { 1 };
    let text = source.line(line);
    let before: usize = text.chars().take(column as usize - 1).map(wide).sum();
    let part = source.slice(span).lines().next().unwrap_or("").trim_end();
    before..before + part.chars().map(wide).sum::<usize>().max(1)
}

/// Things one after the other, in as many lines as they need.
fn flow(things: &[String], between: &str, indent: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for thing in things {
        match lines.last_mut() {
            Some(line) if line.chars().count() + between.len() + thing.chars().count() <= width => {
                line.push_str(between);
                line.push_str(thing);
            }
            last => {
                if let Some(line) = last {
                    line.push_str(between.trim_end());
                }
                lines.push(format!("{indent}{thing}"));
            }
        }
    }
    lines
}
