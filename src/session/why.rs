//! `:why` and `:why not`: explains the state of the game from its history, down to the values that
//! each statement used.

mod game_over;
mod initially_true;
mod not_true;
mod output;

use super::{Answer, Line, Session, Style, count_noun};
use crate::code::{FunctionId, FunctionKind, StopKind};
use crate::debugger::value_recorder::{Sample, ValueRecorder};
use crate::debugger::{StepTarget, WatchTarget, value_columns};
use crate::source::{SourceId, Span};

/// Callers beyond this are only counted.
const MAX_CALLERS_SHOWN: usize = 5;

impl Session {
    /// Shows the statement that last changed something, with the values it used, the branch it is
    /// in and its callers.
    pub fn why(&mut self, watched: &WatchTarget, name: &str, reply: &mut Answer) {
        let name = match watched {
            WatchTarget::Cell(..) => self.target.watch_label(watched),
            _ => name.to_string(),
        };
        let now = self.target.machine.time();
        let Some((time, old, new)) = self.with_time(|s| s.target.last_change(watched, now)) else {
            reply.line(format!("{name} has not changed since the start"));
            return;
        };
        let change = if old.is_empty() {
            format!("{name} is ")
        } else {
            format!("{name}: {old} => ")
        };
        let head = Line::plain(change).with(Style::Changed, new);
        if self.why_computed(head.clone(), time, self.target.watched_cell(watched), reply) {
            return;
        }
        let cause = self.with_time(|s| {
            s.target.timeline.seek_into(&mut s.target.machine, time);
            s.cause_lines(time)
        });
        reply.line(head.with(Style::Dim, format!("   time {time}")));
        reply.lines(cause);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
    }

    /// Explains the statement that the machine is executing: its values, its branch, its callers.
    fn cause_lines(&mut self, time: u64) -> Vec<Line> {
        let mut lines = Vec::new();
        // What the built-in rules do is attributed to the user's code that triggered it.
        let user_frame = (0..self.target.machine.frames().len()).find(|n| {
            self.target
                .frame_info(*n)
                .is_some_and(|frame| frame.kind != FunctionKind::Rules)
        });
        let Some(from_top) = user_frame else {
            // Nothing triggered it: the rules acted on their own.
            lines.extend(self.rule_lines(self.target.machine.frames().len(), time));
            if lines.is_empty() {
                lines.push(Line::plain("  by the built-in rules"));
            }
            return lines;
        };
        let Some(frame) = self.target.frame_info(from_top) else {
            return lines;
        };
        let rule = if frame.kind == FunctionKind::Entry {
            self.rule_lines(from_top, time)
        } else {
            Vec::new()
        };
        if !rule.is_empty() {
            lines.extend(rule);
            lines.extend(self.caller_lines(from_top - 1, time));
            return lines;
        }
        let location = self.format_location(frame.span);
        let cell = self.target.format_handler_cell(from_top);
        lines.push(
            Line::plain("  by ")
                .with(Style::Strong, format!("{}{cell}", frame.name))
                .with(Style::Dim, format!("   {location}")),
        );
        let depth = frame.index + 1;
        let values = self.last_evaluation(frame.function, frame.span, depth, time);
        let has_few_values = values.len() <= 2;
        lines.extend(
            values
                .into_iter()
                .map(|line| Line::plain(format!("    {line}"))),
        );
        let Some(function) = self.target.machine.function(frame.function).cloned() else {
            return lines;
        };
        // Some conditions do not name the values that they test.
        let is_condition = function
            .stop_point_before(frame.pc)
            .is_some_and(|s| s.kind == StopKind::Condition);
        let read = self.format_variables_read(frame.function, frame.span);
        if has_few_values && is_condition && !read.is_empty() {
            lines.push(Line::plain(format!("      where {read}")));
        }
        let mut enclosing: Vec<Span> = function
            .stop_points
            .iter()
            .filter(|s| {
                s.span.contains(frame.span) && s.span != frame.span && s.span != function.span
            })
            .map(|s| s.span)
            .collect();
        enclosing.sort_by_key(|s| s.end - s.start);
        enclosing.dedup();
        for span in enclosing.into_iter().take(3) {
            if let Some(position) = self.target.format_loop_position(&frame, span) {
                lines.push(
                    Line::plain("  in ")
                        .with(Style::Strong, position)
                        .with(Style::Dim, format!("   {}", self.format_location(span))),
                );
                continue;
            }
            lines.push(Line::plain("  because of ").with(Style::Dim, self.format_location(span)));
            for line in self.last_evaluation(frame.function, span, depth, time) {
                lines.push(Line::plain(format!("    {line}")));
            }
        }
        lines.extend(self.caller_lines(from_top, time));
        lines
    }

    /// Explains an action of the built-in rules in one of the `max_frames` innermost frames: the
    /// rule, and the user's function that the rule called before. Empty if no rule is running
    /// there.
    fn rule_lines(&mut self, max_frames: usize, time: u64) -> Vec<Line> {
        let rule = (0..max_frames)
            .filter_map(|n| self.target.frame_info(n))
            .find(|frame| frame.is_hidden && frame.span.source == SourceId::RULES);
        let Some(rule) = rule else { return Vec::new() };
        // Variables of the built-in rules have an `@`, so that programs cannot name them.
        let text = self.target.sources.slice(rule.span).replace('@', "");
        let mut lines = vec![Line::plain("  by the built-in rules: ").with(Style::Strong, text)];
        let depth = rule.index + 1;
        let Some(function) = self.target.machine.function(rule.function).cloned() else {
            return lines;
        };
        let first = function.stop_points.first().map_or(0, |s| s.pc);
        let callee = self.with_time(|s| {
            let rule_start = s.target.last_hit_before(
                StepTarget::Revisit {
                    function,
                    pc: first,
                    depth,
                },
                time,
            )?;
            let call = s
                .target
                .last_hit_before_in(StepTarget::Deeper(depth), time, false)
                .filter(|call| *call > rule_start)?;
            s.target.timeline.seek_into(&mut s.target.machine, call);
            Some((s.target.frame_info(0)?, s.record_statement()))
        });
        if let Some((frame, samples)) = callee {
            let location = format!("   {}", self.format_location(frame.span));
            lines.push(
                Line::plain("  because of ")
                    .with(Style::Strong, frame.name.clone())
                    .with(Style::Dim, location),
            );
            let values = self.render_values(frame.function, frame.span, Some(samples));
            lines.extend(
                values
                    .into_iter()
                    .map(|line| Line::plain(format!("    {line}"))),
            );
        }
        lines
    }

    /// A location as `line 8 of game.gl`.
    pub(super) fn format_location(&self, span: Span) -> String {
        self.target
            .sources
            .get(span.source)
            .map_or_else(String::new, |s| {
                format!("line {} of {}", s.line_column(span.start).0, s.origin)
            })
    }

    /// A statement with the values from its last execution in the frame at this depth, each below
    /// its expression.
    fn last_evaluation(
        &mut self,
        function: FunctionId,
        span: Span,
        depth: usize,
        time: u64,
    ) -> Vec<String> {
        let Some(code) = self.target.machine.function(function).cloned() else {
            return Vec::new();
        };
        let Some(stop) = code.stop_points.iter().find(|s| s.span == span) else {
            return Vec::new();
        };
        let samples = self.with_time(|s| {
            let target = StepTarget::Revisit {
                function: code.clone(),
                pc: stop.pc,
                depth,
            };
            let start = s.target.last_hit_before(target, time + 1)?;
            s.target.timeline.seek_into(&mut s.target.machine, start);
            Some(s.record_statement())
        });
        self.render_values(function, span, samples)
    }

    /// Executes the current statement and records the values of its expressions.
    fn record_statement(&mut self) -> Vec<Sample> {
        self.target.machine.set_recording(false);
        let mut recorder = ValueRecorder::new(&self.target.machine);
        self.target.machine.run_observed(&mut recorder);
        self.target.machine.set_recording(true);
        recorder.samples
    }

    /// A statement with the recorded values, each below its expression. Of a statement that
    /// contains others, only the head.
    fn render_values(
        &self,
        function: FunctionId,
        span: Span,
        samples: Option<Vec<Sample>>,
    ) -> Vec<String> {
        let Some(code) = self.target.machine.function(function) else {
            return Vec::new();
        };
        let first_inner = code
            .stop_points
            .iter()
            .filter(|s| span.contains(s.span) && s.span != span)
            .map(|s| s.span.start)
            .min();
        let Some(source) = self.target.sources.get(span.source) else {
            return Vec::new();
        };
        let head = crate::debugger::statement::head_span(&source.text, span, first_inner);
        match samples {
            Some(samples) if !samples.is_empty() => value_columns::render(
                source.slice(head),
                head,
                &samples,
                self.view_settings.width.saturating_sub(4),
            ),
            _ => vec![format!("  {}", self.target.sources.slice_single_line(head))],
        }
    }

    /// The callers of a frame, up to the entry, each with the time of its call.
    pub(super) fn caller_lines(&mut self, from_top: usize, time: u64) -> Vec<Line> {
        let mut lines = Vec::new();
        let depth = self.target.machine.frames().len();
        let mut shown = 0;
        let mut before = time;
        for n in from_top + 1..depth {
            let Some(frame) = self
                .target
                .frame_info(n)
                .filter(|frame| frame.kind != FunctionKind::Rules)
            else {
                continue;
            };
            if shown == MAX_CALLERS_SHOWN {
                lines.push(Line::styled(
                    Style::Dim,
                    format!(
                        "  … {}",
                        count_noun(depth - n, "more caller", "more callers")
                    ),
                ));
                break;
            }
            shown += 1;
            let Some(function) = self.target.machine.function(frame.function).cloned() else {
                continue;
            };
            let pc = function.stop_point_before(frame.pc).map_or(0, |s| s.pc);
            let frame_depth = frame.index + 1;
            let call_time = self.with_time(|s| {
                s.target.last_hit_before(
                    StepTarget::Revisit {
                        function,
                        pc,
                        depth: frame_depth,
                    },
                    before,
                )
            });
            before = call_time.unwrap_or(before);
            // Calls made by the built-in rules have no source.
            let site = self
                .target
                .machine
                .span_of(frame.function, frame.pc)
                .unwrap_or_default();
            let text = self
                .target
                .sources
                .get(frame.span.source)
                .filter(|_| site != Span::default());
            let text = text.map_or_else(String::new, |s| {
                let (line, _) = s.line_column(frame.span.start);
                s.line(line).trim().to_string()
            });
            let cell = self.target.format_handler_cell(n);
            let name = if frame.kind == FunctionKind::Entry {
                "entry".to_string()
            } else {
                format!("{}{cell}", frame.name)
            };
            let time = call_time.map_or_else(String::new, |t| format!("   time {t}"));
            lines.push(
                Line::plain("  from ")
                    .with(Style::Strong, name)
                    .with(Style::Dim, format!("   {text}{time}")),
            );
        }
        lines
    }
}
