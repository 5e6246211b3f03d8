//! What a stop shows: why, where, the lines around it, what is to be seen there, what has changed.

use super::difference::field_differences;
use super::inspect::FrameLook;
use super::retell::elided;
use super::{Line, Reply, Session, StopView, Style};
use crate::source::Span;
use crate::value::Value;

/// A longer value is cut short: `print` shows all of it.
const MOST_VALUE: usize = 60;

impl Session {
    /// Stops here: shows where and why.
    pub(super) fn stop(&mut self, reason: &'static str, words: &str, reply: &mut Reply) {
        self.debugger.frame = self.own_frame();
        let time = self.machine.time();
        self.debugger.visit(time);
        reply.stop = self.stop_view(reason);
        self.show_stop(words, reply);
        let (image, _) = self.machine.store.image();
        self.debugger.last_stop = Some(image);
        self.debugger.last_fields = self.fields();
        reply.board = true;
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

    /// What a stop shows: why, where, the lines around, what is to be seen, what has changed.
    pub(super) fn show_stop(&mut self, words: &str, reply: &mut Reply) {
        let from_top = self.debugger.frame;
        let Some(look) = self.look_at(from_top) else { return };
        let mut head = if words.is_empty() { String::new() } else { format!("{words}, ") };
        head.push_str(&look.title);
        head.push_str(&self.handler_words(from_top));
        let when = format!("   time {}   {}", self.machine.time(), self.action_words());
        reply.line(Line::styled(Style::Here, "* ").with(Style::Strong, head).with(Style::Dim, when));
        self.show_lines(look.span, 1, reply);
        let locals = self.locals(from_top);
        let known = locals.iter().filter(|(_, v)| *v != Value::NOTHING);
        let locals: Vec<String> =
            known.map(|(l, v)| format!("{}={}", l.name, elided(&self.write(*v), MOST_VALUE))).collect();
        let changes = self.changes_since_stop();
        self.tell_values(&locals, &changes.join(", "), reply);
        for expression in self.debugger.displays.clone() {
            let line = self.display_line(&expression);
            reply.line(line);
        }
    }

    /// The locals, and behind them or below what has changed.
    fn tell_values(&self, locals: &[String], changes: &str, reply: &mut Reply) {
        let width = self.look.width.max(40);
        let mut lines = wrapped(locals, width);
        if changes.is_empty() {
            return lines.into_iter().for_each(|line| reply.line(line));
        }
        let words = "since the last stop: ";
        let wide = |line: &String| line.chars().count() + 6 + words.len() + changes.chars().count() > width;
        if lines.last().is_none_or(wide) {
            lines.push("  ".into());
        } else if let Some(last) = lines.last_mut() {
            last.push_str("      ");
        }
        let last = lines.pop().unwrap_or_default();
        lines.into_iter().for_each(|line| reply.line(line));
        reply.line(Line::plain(last).with(Style::Dim, words).with(Style::Changed, changes));
    }

    /// `count = 3`, for expressions shown at every stop.
    pub fn display_line(&mut self, expression: &str) -> Line {
        match self.look(expression, |session, value| session.write(value)) {
            Ok(text) => Line::styled(Style::Dim, format!("  {expression} = ")).with(Style::Plain, text),
            Err(d) => Line::styled(Style::Dim, format!("  {expression} = <{}>", super::judge::first_message(&d))),
        }
    }

    /// `action 7 click{4,2}   turn 3 "player"`.
    pub(super) fn action_words(&self) -> String {
        let view = self.view(crate::language::Window::NONE);
        // What was typed at the stop itself is not what is going on.
        let going_on =
            self.timeline.records().iter().rev().find(|r| !matches!(r.deed, crate::debugger::Deed::Inside { .. }));
        let entry = going_on.map_or("", |r| r.text.as_str());
        let entry: String = entry.lines().next().unwrap_or("").chars().take(30).collect();
        let turn = match (view.turn_count, view.turn) {
            (Some(n), Some(player)) => format!("   turn {n} \"{player}\""),
            (Some(n), None) => format!("   turn {n}"),
            _ => String::new(),
        };
        format!("action {} {entry}{turn}", self.machine.store.action)
    }

    /// Source lines around a place, with the one that runs next marked.
    pub fn show_lines(&self, span: Span, around: u32, reply: &mut Reply) {
        let Some(source) = self.sources.get(span.source) else { return };
        let (at, _) = source.line_column(span.start);
        let last = source.lines() as u32;
        for line in at.saturating_sub(around).max(1)..=(at + around).min(last) {
            let text = source.line(line).replace('\t', "    ");
            if line == at {
                reply.line(Line::styled(Style::Here, format!("  => {line:>3}  ")).with(Style::Strong, text));
                let mark = self.mark_under(span);
                mark.into_iter().for_each(|mark| reply.line(Line::styled(Style::Here, format!("          {mark}"))));
            } else {
                reply.line(Line::styled(Style::Dim, format!("     {line:>3}  ")).with(Style::Plain, text));
            }
        }
    }

    /// Where in its line something stands, if one can stop at other things there too.
    fn mark_under(&self, span: Span) -> Option<String> {
        let source = self.sources.get(span.source)?;
        let (line, column) = source.line_column(span.start);
        let here = |s: &Span| s.source == span.source && source.line_column(s.start).0 == line;
        let stops = self.program().functions.iter().flat_map(|f| f.stops.iter().map(|s| s.span));
        if span.is_empty() || !stops.filter(here).any(|s| s != span && !s.contains(span)) {
            return None;
        }
        let first = source.text.get(span.start as usize..span.end as usize)?.lines().next()?;
        if first.trim_end().len() >= source.line(line).trim().len() {
            return None;
        }
        let before: String = source.line(line).chars().take(column as usize - 1).collect();
        let width = |text: &str| text.replace('\t', "    ").chars().count();
        Some(format!("{}{}", " ".repeat(width(&before)), "^".repeat(width(first.trim_end()).max(1))))
    }

    /// What has changed in the game since the person last stood.
    fn changes_since_stop(&mut self) -> Vec<String> {
        let Some(before) = self.debugger.last_stop.clone() else { return Vec::new() };
        let (now, _) = self.machine.store.image();
        let mut words = self.differences(&before, &now, 6);
        words.extend(field_differences(&self.debugger.last_fields, &self.fields(), 6));
        words
    }
}

/// Words side by side, in as many lines as they need.
fn wrapped(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push_str(&format!(" {word}"))
            }
            _ => lines.push(format!("  {word}")),
        }
    }
    lines
}
