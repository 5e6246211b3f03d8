//! Loops that change the variables they are bound to, as tables: one row a round.

use super::call_tree::elide;
use super::{Line, Reply, Session, Style};
use crate::debugger::StepTarget;
use crate::debugger::rebinding_loop::{
    RebindingLoop, RebindingLoopTrace, RebindingLoopTracer, VarSnapshot,
};
use crate::diagnostic::Diagnostic;
use crate::machine::Outcome;
use crate::source::Span;

/// How long a loop is looked at.
const PATIENCE: u64 = 10_000_000;
/// A loop of fewer rounds that has not ended waits for something.
const MOST_KNOWN: usize = 1000;
/// More rows than this are folded.
const MOST_ROWS: usize = 16;
/// A loop farther below has nothing to do with what is at hand.
const MOST_CALLERS: usize = 100;
const MOST_WIDTH: usize = 28;

impl Session {
    /// The rounds of the loop that the frame at hand is in, or comes to next; or that one of its callers is in. False
    /// if there is none.
    pub fn show_rebinding_loop(&mut self, reply: &mut Reply) -> bool {
        if self.turns_in(self.debugger.selected_frame, reply) {
            return true;
        }
        let looped = |s: &Session, n: usize| {
            let look = s.frame_info(n)?;
            RebindingLoop::innermost(s.machine.function(look.function)?, look.pc)
        };
        let callers = self.debugger.selected_frame + 1..self.machine.frames().len();
        let caller = callers
            .take(MOST_CALLERS)
            .find(|n| looped(self, *n).is_some());
        caller.is_some_and(|n| {
            if let Some(look) = self.frame_info(n) {
                reply.line(Line::styled(
                    Style::Dim,
                    format!(
                        "  in {}, {}",
                        look.name,
                        self.format_short_location(look.span)
                    ),
                ));
            }
            self.turns_in(n, reply)
        })
    }

    /// Whether the frame at the top is in a loop with rounds of its own.
    pub fn is_in_rebinding_loop(&self) -> bool {
        let around = |look: super::FrameInfo| {
            RebindingLoop::innermost(self.machine.function(look.function)?, look.pc)
        };
        self.debugger.selected_frame == 0 && self.frame_info(0).and_then(around).is_some()
    }

    fn turns_in(&mut self, from_top: usize, reply: &mut Reply) -> bool {
        let Some(look) = self.frame_info(from_top) else {
            return false;
        };
        let Some(function) = self.machine.function(look.function).cloned() else {
            return false;
        };
        let now = self.machine.time();
        let depth = look.index + 1;
        let of = RebindingLoop::innermost(&function, look.pc);
        let inside = of.is_some();
        let tables = self.with_time(|s| {
            let mut turns = RebindingLoopTracer::new(now, now + PATIENCE);
            (turns.depth, turns.only_loop) = (Some(depth), of);
            if inside {
                let goal = StepTarget::Revisit {
                    function,
                    pc: 0,
                    depth,
                };
                let start = s.last_hit_before(goal, now + 1).unwrap_or(now);
                s.timeline.seek_into(&mut s.machine, start);
            }
            s.replay_watched(&mut turns, now + PATIENCE);
            turns.traces
        });
        self.tell_tables(&tables, Some(now).filter(|_| inside), reply);
        !tables.is_empty()
    }

    /// The rounds of the loops of what was typed last.
    pub fn show_last_rebinding_loops(&mut self, reply: &mut Reply) -> bool {
        let Some(record) = self.timeline.entries().last() else {
            return false;
        };
        let (start, end) = (record.before.time, self.machine.time());
        let tables = self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, start);
            let mut turns = RebindingLoopTracer::new(start, end);
            s.replay_watched(&mut turns, end);
            turns.traces
        });
        self.tell_tables(&tables, None, reply);
        !tables.is_empty()
    }

    /// The rounds of the loops of an expression, which is evaluated on a copy.
    pub fn show_rebinding_loops_of(
        &mut self,
        text: &str,
        reply: &mut Reply,
    ) -> Result<bool, Vec<Diagnostic>> {
        let looked = match self.block_named(text) {
            Some(looked) => looked,
            None => self.compile_expr(text)?.1,
        };
        let (tables, wrong) = self.with_rollback(|s| {
            s.start_eval(looked)?;
            let now = s.machine.time();
            let mut turns = RebindingLoopTracer::new(now, now + PATIENCE);
            let wrong = match s.machine.run_observed(&mut turns) {
                Outcome::Failed(fault) => Some(s.runtime_error(&fault)),
                _ => None,
            };
            Ok::<_, Vec<Diagnostic>>((turns.traces, wrong))
        })?;
        self.tell_tables(&tables, None, reply);
        reply.ok &= wrong.is_none();
        reply.diagnostics.extend(wrong);
        Ok(!tables.is_empty())
    }

    fn tell_tables(&self, tables: &[RebindingLoopTrace], now: Option<u64>, reply: &mut Reply) {
        let endless =
            |t: &RebindingLoopTrace| !t.is_finished && t.iterations.len() + t.omitted > MOST_KNOWN;
        for table in tables {
            if tables.len() > 1 {
                reply.line(Line::styled(
                    Style::Dim,
                    format!("  {}", self.one_line(table.rebinding_loop.head)),
                ));
            }
            self.tell_table(table, now, reply);
            if endless(table) {
                let count = table.iterations.len() + table.omitted;
                reply.line(Line::styled(
                    Style::Warning,
                    format!("  … it has not ended after {count} rounds"),
                ));
            }
        }
    }

    fn tell_table(&self, table: &RebindingLoopTrace, now: Option<u64>, reply: &mut Reply) {
        let tests = self.columns_of(table);
        let heads = tests.iter().map(|span| self.one_line(*span));
        let mut rows: Vec<Vec<String>> = vec![
            ["#".to_string()]
                .into_iter()
                .chain(table.names.iter().cloned())
                .chain(heads)
                .collect(),
        ];
        for (n, turn) in table.iterations.iter().enumerate() {
            let number = if n > table.iterations.len() / 2 {
                n + 1 + table.omitted
            } else {
                n + 1
            };
            let variables = turn.variables.iter().map(|shown| self.shown_in_row(shown));
            let part = |span: &Span| {
                turn.test_values
                    .iter()
                    .rev()
                    .find(|(s, _)| s == span)
                    .map_or("-", |(_, text)| text)
            };
            let parts = tests.iter().map(|span| part(span).to_string());
            rows.push(
                [number.to_string()]
                    .into_iter()
                    .chain(variables)
                    .chain(parts)
                    .collect(),
            );
        }
        let widths = self.fitting(&rows);
        let here = now.and_then(|now| table.iterations.iter().rposition(|t| t.time <= now));
        let near = |n: usize| {
            rows.len() <= MOST_ROWS + 1
                || n <= 6
                || n + 5 >= rows.len()
                || here.is_some_and(|h| n.abs_diff(h + 1) <= 1)
        };
        let mut folded = 0;
        for (n, row) in rows.iter().enumerate() {
            if !near(n) {
                folded += 1;
                continue;
            }
            if std::mem::take(&mut folded) > 0 {
                reply.line(Line::styled(Style::Dim, "  …"));
            }
            let cells = row
                .iter()
                .zip(&widths)
                .map(|(text, w)| format!("{:<w$}", self.cut(text, *w), w = *w));
            let text = format!("  {}", cells.collect::<Vec<_>>().join("  "));
            let style = if n == 0 { Style::Dim } else { Style::Plain };
            let line = Line::styled(style, text.trim_end());
            let ends = n > 0
                && table
                    .iterations
                    .get(n - 1)
                    .is_some_and(|t| t.has_run == Some(false));
            reply.line(match (ends, here == n.checked_sub(1) && here.is_some()) {
                (_, true) => line.with(Style::Current, "   <= here"),
                (true, _) => line.with(Style::Current, "   <= ends"),
                _ => line,
            });
        }
    }

    /// The parts of the test that get a column: all of it, and the smallest that it is made of.
    fn columns_of(&self, table: &RebindingLoopTrace) -> Vec<Span> {
        let mut spans: Vec<Span> = table
            .iterations
            .iter()
            .flat_map(|t| t.test_values.iter().map(|(s, _)| *s))
            .collect();
        spans.sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
        spans.dedup();
        let name = |s: &Span| table.names.iter().any(|n| *n == self.sources.slice(*s));
        spans.retain(|s| !name(s));
        let whole = spans.iter().copied().max_by_key(|s| s.end - s.start);
        let small: Vec<Span> = spans
            .iter()
            .copied()
            .filter(|s| Some(*s) != whole && !spans.iter().any(|o| o != s && s.contains(*o)))
            .filter(|s| self.sources.slice(*s).chars().any(|c| !c.is_alphanumeric()))
            .take(2)
            .collect();
        small.into_iter().chain(whole).collect()
    }

    fn shown_in_row(&self, shown: &VarSnapshot) -> String {
        match shown {
            VarSnapshot::Value(text) => text.clone(),
            VarSnapshot::ChangedCells(cells) if cells.is_empty() => "the same".into(),
            VarSnapshot::ChangedCells(cells) => {
                let words: Vec<String> = cells
                    .iter()
                    .map(|(r, c, v)| {
                        format!("{} {v}", self.format_grid_cell(*r as usize, *c as usize))
                    })
                    .collect();
                words.join(", ")
            }
        }
    }

    /// A text for a column of so many characters; three dots are one or three of them.
    fn cut(&self, text: &str, width: usize) -> String {
        let dots = if self.view_settings.is_ascii { 2 } else { 0 };
        if text.chars().count() <= width {
            text.to_string()
        } else {
            elide(text, width.saturating_sub(dots))
        }
    }

    /// How wide each column may be, so that all fit side by side.
    fn fitting(&self, rows: &[Vec<String>]) -> Vec<usize> {
        let count = rows.first().map_or(0, Vec::len);
        let widest = |c: usize| {
            rows.iter()
                .filter_map(|r| r.get(c))
                .map(|t| t.chars().count())
                .max()
                .unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..count).map(|c| widest(c).min(MOST_WIDTH)).collect();
        let room = self
            .view_settings
            .width
            .clamp(40, 120)
            .saturating_sub(12 + 2 * count);
        while widths.iter().sum::<usize>() > room {
            match widths.iter_mut().max() {
                Some(most) if *most > 6 => *most -= 1,
                _ => break,
            }
        }
        widths
    }
}
