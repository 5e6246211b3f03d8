//! What a stop shows: why, where, the lines around it, what is to be seen there, what has changed.

use super::difference::field_differences;
use super::retell::elided;
use super::{FrameLook, Line, Reply, Session, StopView, Style};
use crate::code::Role;
use crate::debugger::evaluation::window;
use crate::debugger::{Deed, Record};
use crate::language::Window;
use crate::source::{Source, Span};
use crate::value::Value;
use std::ops::Range;

/// A longer value is cut short: `print` shows all of it.
const MOST_VALUE: usize = 60;
/// Columns before the text of a source line.
const INDENT: usize = 10;

impl Session {
    /// Stops here: shows where and why.
    pub(super) fn stop(&mut self, reason: &'static str, words: &str, reply: &mut Reply) {
        self.debugger.frame = self.own_frame();
        self.stood = true;
        self.visit();
        reply.stop = self.stop_view(reason);
        reply.board = true;
        if let Some(held) = &mut self.held {
            *held = Some((reason, words.to_string()));
            return;
        }
        self.tell_branch_at_stop(reply);
        self.show_stop(words, reply);
        if reason == "interrupt" {
            reply.line(Line::styled(
                Style::Dim,
                "continue goes on, abandon takes the entry back",
            ));
        }
        let (image, _) = self.machine.store.image();
        self.debugger.last_stop = Some(image);
        self.debugger.last_fields = self.fields();
    }

    /// From here on stops are not shown: of several only the last is, by [`Session::release`].
    pub fn hold(&mut self) {
        self.held = Some(None);
    }

    /// Shows the last of the stops that were held back, if one was.
    pub fn release(&mut self, reply: &mut Reply) {
        if let Some((reason, words)) = self.held.take().flatten()
            && reply.stop.is_some()
        {
            self.stop(reason, &words, reply);
        }
    }

    /// Shows once more where it is stopped; the frame that is looked at stays.
    pub fn show_again(&mut self, reply: &mut Reply) {
        reply.stop = self.stop_view("step");
        self.show_stop("", reply);
    }

    pub fn stop_view(&self, reason: &'static str) -> Option<StopView> {
        let look: FrameLook = self.look_at(self.debugger.frame)?;
        let source = self.sources.get(look.span.source)?;
        let (line, column) = source.line_column(look.span.start);
        Some(StopView {
            reason,
            place: look.title.clone(),
            file: source.origin.to_string(),
            line,
            column,
            time: self.machine.time(),
            depth: self.machine.frames().len(),
        })
    }

    fn show_stop(&mut self, words: &str, reply: &mut Reply) {
        let from_top = self.debugger.frame;
        let Some(look) = self.look_at(from_top) else {
            return;
        };
        self.show_head(words, &look, reply);
        self.show_lines(look.span, Some(look.span), 1, true, reply);
        let locals = self.locals(from_top);
        let locals = locals.iter().filter(|(_, v)| *v != Value::NOTHING);
        let locals = locals
            .map(|(l, v)| format!("{}={}", l.name, elided(&self.write_placed(*v), MOST_VALUE)));
        let own = self
            .own_cell(from_top)
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
    fn show_head(&mut self, words: &str, look: &FrameLook, reply: &mut Reply) {
        let mut head = if words.is_empty() {
            String::new()
        } else {
            format!("{words}, ")
        };
        head.push_str(&look.title);
        head.push_str(&self.handler_words(self.debugger.frame));
        if let Some(round) = self.round_of(look) {
            head.push_str(&format!(", round {round}"));
        }
        let width = self.text_width();
        let when = format!("time {}   {}", self.machine.time(), self.action_words());
        let line = Line::styled(Style::Here, "* ");
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
            .find(|f| f.stops.iter().any(|s| s.span == span))?;
        let stops = || {
            function
                .stops
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
            super::evaluate::head_of(&source.text, span, inside),
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
        match self.look(expression, |session, value| session.write(value)) {
            Ok(text) => {
                Line::styled(Style::Dim, format!("  {expression} = ")).with(Style::Plain, text)
            }
            Err(d) => Line::styled(
                Style::Dim,
                format!("  {expression} = <{}>", super::judge::first_message(&d)),
            ),
        }
    }

    /// What is going on: the entry that everything typed at its stops belongs to.
    pub(super) fn going_on(&self) -> Option<&Record> {
        self.timeline
            .records()
            .iter()
            .rev()
            .find(|r| !matches!(r.deed, Deed::Inside { .. }))
    }

    /// What runs now: the same, or what was typed at one of its stops, as long as that is not done.
    pub(super) fn running(&self) -> Option<&Record> {
        let frames = self.machine.frames();
        let is_entry = |depth: usize| {
            let function = frames
                .get(depth)
                .and_then(|f| self.machine.function(f.function));
            function.is_some_and(|f| f.role == Role::Entry)
        };
        let runs = |r: &&Record| match r.deed {
            Deed::Inside { .. } => {
                r.rehearsal && frames.len() > r.before.depth() || is_entry(r.before.depth())
            }
            _ => true,
        };
        self.timeline.records().iter().rev().find(runs)
    }

    /// Which of the records was typed at the stop that is come back to, and is done now. Others may have been typed in
    /// its midst.
    pub(super) fn done_at_stop(&self) -> Option<usize> {
        let depth = self.machine.frames().len();
        let typed_here =
            |r: &Record| matches!(r.deed, Deed::Inside { .. }) && r.before.depth() == depth;
        self.timeline.records().iter().rposition(typed_here)
    }

    /// Whether the person has stood in the midst of a record.
    pub(super) fn has_stood_in(&self, number: usize) -> bool {
        let records = self.timeline.records();
        let Some(began) = records.get(number).map(|r| r.before.time) else {
            return false;
        };
        let before = records[..number]
            .iter()
            .rev()
            .take_while(|r| r.before.time == began)
            .count();
        let last = self.debugger.visited.get(self.debugger.visit);
        last.is_some_and(|m| m.time > began || m.time == began && m.begun > before)
    }

    /// The first line of what is going on, or of what was done last.
    pub fn entry_at_hand(&self) -> &str {
        let record = if self.is_stopped() {
            self.running()
        } else {
            self.timeline.records().last()
        };
        record.and_then(|r| r.text.lines().next()).unwrap_or("")
    }

    /// `action 7 click{4,2}   turn 3 "player"`, or `in play(X, empty)` where no actions are counted.
    pub(super) fn action_words(&self) -> String {
        let view = self.view(Window::NONE);
        let entry = self.running().map_or("", |r| r.text.as_str());
        let entry = entry.lines().next().unwrap_or("");
        let turn = match (view.turn_count, view.turn) {
            (Some(n), Some(player)) => format!("   turn {n} \"{player}\""),
            (Some(n), None) => format!("   turn {n}"),
            _ => String::new(),
        };
        // What has not begun an action of its own is not in the last one.
        let before = self
            .running()
            .map_or(0, |r| if is_fresh(r) { 0 } else { r.before.action });
        match self.machine.store.action {
            n if n == before => format!(
                "in {}{turn}",
                elided(if entry.is_empty() { "the start" } else { entry }, 30)
            ),
            n => format!("action {n} {}{turn}", elided(entry, 30)),
        }
    }

    /// Source lines around a place; the one that runs next is marked, if it is among them. If it is to be `short`, only
    /// the part at hand is shown of a line that is too long.
    pub fn show_lines(
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
        let last = source.lines() as u32;
        let room = if short {
            self.text_width().saturating_sub(INDENT).max(20)
        } else {
            usize::MAX
        };
        for line in middle.saturating_sub(lines).max(1)..=(middle + lines).min(last) {
            let text = source.line(line).replace('\t', "    ");
            let Some(span) = next.filter(|next| source.line_column(next.start).0 == line) else {
                let text = elided(&text, room);
                reply.line(
                    Line::styled(Style::Dim, format!("     {line:>3}  ")).with(Style::Plain, text),
                );
                continue;
            };
            // A line that is all at hand is shown whole, in as many rows as it takes.
            let (text, part) = match self.part_at_hand(span) {
                Some(part) => {
                    let (text, start, end) = window(&text, part.start, part.end, room);
                    (text, Some(start..end))
                }
                None => (text, None),
            };
            reply.line(
                Line::styled(Style::Here, format!("  => {line:>3}  ")).with(Style::Strong, text),
            );
            if let Some(part) = part {
                let mark = format!(
                    "{}{}",
                    " ".repeat(INDENT + part.start),
                    "^".repeat(part.len().max(1))
                );
                reply.line(Line::styled(Style::Here, mark));
            }
        }
    }

    /// What has changed in the game since the person last stood, or since that began which has not stopped yet.
    fn changes_since_stop(&mut self) -> (&'static str, Vec<String>) {
        let (now, _) = self.machine.store.image();
        let began = self.going_on().map(|r| r.before.clone());
        let (since, mut words, fields) = match (&self.debugger.last_stop, began) {
            (Some(before), _) => {
                let words = self.differences(before, &now, 6);
                (
                    "since the last stop: ",
                    words,
                    self.debugger.last_fields.clone(),
                )
            }
            (None, Some(began)) => {
                let words = self.differences(began.store(), &now, 6);
                let fields = self.elsewhere(|s| {
                    s.machine.restore(&began);
                    s.fields()
                });
                ("since it began: ", words, fields)
            }
            (None, None) => ("", Vec::new(), Vec::new()),
        };
        words.extend(field_differences(&fields, &self.fields(), 6));
        (since, words)
    }

    /// The cell at hand: that of the piece whose handler runs, or else of the piece that was last taken.
    pub(super) fn cell_at_hand(&self) -> Option<(u32, u32)> {
        let frame = self.debugger.frame;
        self.cell_of_handler(frame).or_else(|| {
            let piece = self
                .locals(frame)
                .into_iter()
                .rev()
                .find_map(|(_, v)| v.as_piece())?;
            Some(self.machine.store.row_col(piece.at))
        })
    }
}

/// Whether it begins the game anew, and counts its actions from the first.
fn is_fresh(record: &Record) -> bool {
    matches!(record.deed, Deed::Run { fresh: true, .. })
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
