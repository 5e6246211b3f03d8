//! Tables of rebinding loops, such as BoGL's `while`, whose iterations rebind variables instead of
//! assigning to them. One row per iteration.

use super::{Answer, Line, Session, Style};
use crate::debugger::StepTarget;
use crate::debugger::rebinding_loop::{
    RebindingLoop, RebindingLoopTrace, RebindingLoopTracer, VarSnapshot,
};
use crate::diagnostic::Diagnostic;
use crate::machine::Outcome;
use crate::source::Span;
use crate::text::elide;

/// How long to trace a loop.
const TRACE_BUDGET_INSTRUCTIONS: u64 = 10_000_000;
/// An unfinished loop with more iterations than this is reported as possibly endless; one with
/// fewer is waiting for something.
const ENDLESS_MIN_ITERATIONS: usize = 1000;
/// Longer tables are folded.
const MAX_ROWS_UNFOLDED: usize = 16;
/// Rows at the start (with the heading) and at the end of a folded table.
const UNFOLDED_FIRST_ROWS: usize = 7;
const UNFOLDED_LAST_ROWS: usize = 5;
/// How many callers to search for a loop.
const MAX_CALLERS_SEARCHED: usize = 100;
const MAX_COLUMN_CHARS: usize = 28;

impl Session {
    /// Shows the iterations of the loop that the selected frame is in or reaches next, or that one
    /// of its callers is in; false if there is none.
    pub fn show_rebinding_loop(&mut self, reply: &mut Answer) -> bool {
        if self.show_loop_in_frame(self.target.debugger.selected_frame, reply) {
            return true;
        }
        let enclosing_loop = |s: &Session, n: usize| {
            let frame = s.target.frame_info(n)?;
            RebindingLoop::innermost(s.target.machine.function(frame.function)?, frame.pc)
        };
        let callers = self.target.debugger.selected_frame + 1..self.target.machine.frames().len();
        let caller = callers
            .take(MAX_CALLERS_SEARCHED)
            .find(|n| enclosing_loop(self, *n).is_some());
        caller.is_some_and(|n| {
            if let Some(frame) = self.target.frame_info(n) {
                reply.line(Line::styled(
                    Style::Dim,
                    format!(
                        "  in {}, {}",
                        frame.name,
                        self.target.short_location(frame.span)
                    ),
                ));
            }
            self.show_loop_in_frame(n, reply)
        })
    }

    fn show_loop_in_frame(&mut self, from_top: usize, reply: &mut Answer) -> bool {
        let Some(frame) = self.target.frame_info(from_top) else {
            return false;
        };
        let Some(function) = self.target.machine.function(frame.function).cloned() else {
            return false;
        };
        let now = self.target.machine.time();
        let depth = frame.index + 1;
        let only_loop = RebindingLoop::innermost(&function, frame.pc);
        let is_inside = only_loop.is_some();
        let traces = self.with_time(|s| {
            let mut tracer = RebindingLoopTracer::new(now, now + TRACE_BUDGET_INSTRUCTIONS);
            (tracer.depth, tracer.only_loop) = (Some(depth), only_loop);
            if is_inside {
                let target = StepTarget::Revisit {
                    function,
                    pc: 0,
                    depth,
                };
                let start = s.target.last_hit_before(target, now + 1).unwrap_or(now);
                s.target.timeline.seek_into(&mut s.target.machine, start);
            }
            s.target
                .replay_watched(&mut tracer, now + TRACE_BUDGET_INSTRUCTIONS);
            tracer.traces
        });
        self.show_traces(&traces, Some(now).filter(|_| is_inside), reply);
        !traces.is_empty()
    }

    /// Shows the loops of the last action; false if it had none.
    pub fn show_last_rebinding_loops(&mut self, reply: &mut Answer) -> bool {
        let Some(entry) = self.target.timeline.entries().last() else {
            return false;
        };
        let (start, end) = (entry.before.time, self.target.machine.time());
        let traces = self.with_time(|s| {
            s.target.timeline.seek_into(&mut s.target.machine, start);
            let mut tracer = RebindingLoopTracer::new(start, end);
            s.target.replay_watched(&mut tracer, end);
            tracer.traces
        });
        self.show_traces(&traces, None, reply);
        !traces.is_empty()
    }

    /// Evaluates an expression with rollback, and shows its loops; false if it has none.
    pub fn show_rebinding_loops_of(
        &mut self,
        text: &str,
        reply: &mut Answer,
    ) -> Result<bool, Vec<Diagnostic>> {
        let compiled = match self.target.block_named(text) {
            Some(compiled) => compiled,
            None => self.target.compile_expr(text)?.1,
        };
        let (traces, error) = self.with_rollback(|s| {
            s.target.start_eval(compiled)?;
            let now = s.target.machine.time();
            let mut tracer = RebindingLoopTracer::new(now, now + TRACE_BUDGET_INSTRUCTIONS);
            let error = match s.target.machine.run_observed(&mut tracer) {
                Outcome::Failed(error) => Some(s.target.runtime_error(&error)),
                _ => None,
            };
            Ok::<_, Vec<Diagnostic>>((tracer.traces, error))
        })?;
        self.show_traces(&traces, None, reply);
        reply.ok &= error.is_none();
        reply.diagnostics.extend(error);
        Ok(!traces.is_empty())
    }

    fn show_traces(&self, traces: &[RebindingLoopTrace], now: Option<u64>, reply: &mut Answer) {
        let is_endless = |t: &RebindingLoopTrace| {
            !t.is_finished && t.iterations.len() + t.omitted > ENDLESS_MIN_ITERATIONS
        };
        for trace in traces {
            if traces.len() > 1 {
                reply.line(Line::styled(
                    Style::Dim,
                    format!(
                        "  {}",
                        self.target.code_on_one_line(trace.rebinding_loop.head)
                    ),
                ));
            }
            self.show_trace(trace, now, reply);
            if is_endless(trace) {
                let count = trace.iterations.len() + trace.omitted;
                reply.line(Line::styled(
                    Style::Warning,
                    format!("  … still running after {count} iterations"),
                ));
            }
        }
    }

    /// Shows a table of one loop. The iteration at the time `now` is marked.
    fn show_trace(&self, trace: &RebindingLoopTrace, now: Option<u64>, reply: &mut Answer) {
        let exprs = self.test_columns(trace);
        let headings = exprs.iter().map(|span| self.target.code_on_one_line(*span));
        let mut rows: Vec<Vec<String>> = vec![
            ["#".to_string()]
                .into_iter()
                .chain(trace.names.iter().cloned())
                .chain(headings)
                .collect(),
        ];
        for (n, iteration) in trace.iterations.iter().enumerate() {
            let number = if n > trace.iterations.len() / 2 {
                n + 1 + trace.omitted
            } else {
                n + 1
            };
            let variables = iteration
                .variables
                .iter()
                .map(|variable| self.format_variable(variable));
            let value = |span: &Span| {
                iteration
                    .test_values
                    .iter()
                    .rev()
                    .find(|(s, _)| s == span)
                    .map_or("-", |(_, text)| text)
            };
            let values = exprs.iter().map(|span| value(span).to_string());
            rows.push(
                [number.to_string()]
                    .into_iter()
                    .chain(variables)
                    .chain(values)
                    .collect(),
            );
        }
        let widths = self.column_widths(&rows);
        let current = now.and_then(|now| trace.iterations.iter().rposition(|t| t.time <= now));
        let is_shown = |n: usize| {
            rows.len() <= MAX_ROWS_UNFOLDED + 1
                || n < UNFOLDED_FIRST_ROWS
                || n + UNFOLDED_LAST_ROWS >= rows.len()
                || current.is_some_and(|current| n.abs_diff(current + 1) <= 1)
        };
        let mut folded = 0;
        for (n, row) in rows.iter().enumerate() {
            if !is_shown(n) {
                folded += 1;
                continue;
            }
            if std::mem::take(&mut folded) > 0 {
                reply.line(Line::styled(Style::Dim, "  …"));
            }
            let cells = row
                .iter()
                .zip(&widths)
                .map(|(text, w)| format!("{:<w$}", self.elide_cell(text, *w), w = *w));
            let text = format!("  {}", cells.collect::<Vec<_>>().join("  "));
            let style = if n == 0 { Style::Dim } else { Style::Plain };
            let line = Line::styled(style, text.trim_end());
            let is_last_test = n > 0
                && trace
                    .iterations
                    .get(n - 1)
                    .is_some_and(|t| t.has_run == Some(false));
            reply.line(
                match (
                    is_last_test,
                    current == n.checked_sub(1) && current.is_some(),
                ) {
                    (_, true) => line.with(Style::Current, "   <= now"),
                    (true, _) => line.with(Style::Current, "   <= ends"),
                    _ => line,
                },
            );
        }
    }

    /// The expressions that get a column: the whole test, and up to two of its smallest parts.
    fn test_columns(&self, trace: &RebindingLoopTrace) -> Vec<Span> {
        let mut spans: Vec<Span> = trace
            .iterations
            .iter()
            .flat_map(|t| t.test_values.iter().map(|(s, _)| *s))
            .collect();
        spans.sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
        spans.dedup();
        let is_name = |s: &Span| {
            trace
                .names
                .iter()
                .any(|n| *n == self.target.sources.slice(*s))
        };
        spans.retain(|s| !is_name(s));
        let test = spans.iter().copied().max_by_key(|s| s.end - s.start);
        let smallest: Vec<Span> = spans
            .iter()
            .copied()
            .filter(|s| Some(*s) != test && !spans.iter().any(|o| o != s && s.contains(*o)))
            .filter(|s| {
                self.target
                    .sources
                    .slice(*s)
                    .chars()
                    .any(|c| !c.is_alphanumeric())
            })
            .take(2)
            .collect();
        smallest.into_iter().chain(test).collect()
    }

    fn format_variable(&self, variable: &VarSnapshot) -> String {
        match variable {
            VarSnapshot::Value(text) => text.clone(),
            VarSnapshot::ChangedCells(cells) if cells.is_empty() => "unchanged".into(),
            VarSnapshot::ChangedCells(cells) => {
                let changes: Vec<String> = cells
                    .iter()
                    .map(|(r, c, v)| {
                        format!(
                            "{} {v}",
                            self.target.format_grid_cell(*r as usize, *c as usize)
                        )
                    })
                    .collect();
                changes.join(", ")
            }
        }
    }

    /// Shortens a text to the width of its column. In ASCII mode the ellipsis is printed as `...`.
    fn elide_cell(&self, text: &str, width: usize) -> String {
        let extra_dots = if self.view_settings.is_ascii { 2 } else { 0 };
        if text.chars().count() <= width {
            text.to_string()
        } else {
            elide(text, width.saturating_sub(extra_dots))
        }
    }

    /// The widths of the columns, reduced until the table fits the screen.
    fn column_widths(&self, rows: &[Vec<String>]) -> Vec<usize> {
        let count = rows.first().map_or(0, Vec::len);
        let widest = |c: usize| {
            rows.iter()
                .filter_map(|r| r.get(c))
                .map(|t| t.chars().count())
                .max()
                .unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..count)
            .map(|c| widest(c).min(MAX_COLUMN_CHARS))
            .collect();
        let available = self
            .view_settings
            .width
            .clamp(40, 120)
            .saturating_sub(12 + 2 * count);
        while widths.iter().sum::<usize>() > available {
            match widths.iter_mut().max() {
                Some(widest) if *widest > 6 => *widest -= 1,
                _ => break,
            }
        }
        widths
    }
}
