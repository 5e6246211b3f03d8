//! Why something is as it is, and why it is not otherwise: answered from what was done, value by value.

mod click;
mod counterfactual;
mod game_over;
mod initially_true;
mod not_called;
mod not_true;
mod output;
mod state_change;

use super::{Line, Reply, Session, Style};
use crate::code::{FunctionId, FunctionKind, StopKind};
use crate::debugger::value_recorder::{Sample, ValueRecorder};
use crate::debugger::{StepTarget, StopMap, WatchTarget, value_columns};
use crate::source::{SourceId, Span};

/// How long a look for reasons may take.
const WHY_BUDGET_INSTRUCTIONS: u64 = 20_000_000;

impl Session {
    /// Which statement wrote something last, from which values, in which branch, called by whom.
    pub fn why(&mut self, watched: &WatchTarget, name: &str, reply: &mut Reply) {
        let name = match watched {
            WatchTarget::Cell(..) => self.watch_label(watched),
            _ => name.to_string(),
        };
        let now = self.machine.time();
        let Some((time, old, new)) = self.with_time(|s| s.last_change(watched, now)) else {
            reply.line(format!("{name} has not been changed since the start"));
            return;
        };
        let became = if old.is_empty() {
            format!("{name} is ")
        } else {
            format!("{name}: {old} => ")
        };
        let head = Line::plain(became).with(Style::Changed, new);
        if self.why_computed(head.clone(), time, self.watched_cell(watched), reply) {
            return;
        }
        let place = self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, time);
            s.cause_lines(time)
        });
        reply.line(head.with(Style::Dim, format!("   time {time}")));
        reply.lines.extend(place);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
    }

    /// The statement that the machine is in the midst of: its values, its branch, its callers.
    fn cause_lines(&mut self, time: u64) -> Vec<Line> {
        let mut lines = Vec::new();
        // What the rules did was done for somebody.
        let own = (0..self.machine.frames().len()).find(|n| {
            self.frame_info(*n)
                .is_some_and(|l| l.role != FunctionKind::Rules)
        });
        let Some(from_top) = own else {
            // They did it by themselves.
            lines.extend(self.rule_lines(self.machine.frames().len(), time));
            if lines.is_empty() {
                lines.push(Line::plain("  by the rules of play"));
            }
            return lines;
        };
        let Some(look) = self.frame_info(from_top) else {
            return lines;
        };
        let ruled = if look.role == FunctionKind::Entry {
            self.rule_lines(from_top, time)
        } else {
            Vec::new()
        };
        if !ruled.is_empty() {
            lines.extend(ruled);
            lines.extend(self.caller_lines(from_top - 1, time));
            return lines;
        }
        let place = self.format_location(look.span);
        let cell = self.format_handler_cell(from_top);
        lines.push(
            Line::plain("  by ")
                .with(Style::Strong, format!("{}{cell}", look.name))
                .with(Style::Dim, format!("   {place}")),
        );
        let depth = look.index + 1;
        let values = self.evaluation_of(look.function, look.span, depth, time);
        let bare = values.len() <= 2;
        lines.extend(
            values
                .into_iter()
                .map(|line| Line::plain(format!("    {line}"))),
        );
        let Some(function) = self.machine.function(look.function).cloned() else {
            return lines;
        };
        // A condition that says nothing of the values it looks at.
        let tests = function
            .stop_point_before(look.pc)
            .is_some_and(|s| s.kind == StopKind::Condition);
        let read = self.format_variables_read(look.function, look.span);
        if bare && tests && !read.is_empty() {
            lines.push(Line::plain(format!("      where {read}")));
        }
        let mut around: Vec<Span> = function
            .stop_points
            .iter()
            .filter(|s| {
                s.span.contains(look.span) && s.span != look.span && s.span != function.span
            })
            .map(|s| s.span)
            .collect();
        around.sort_by_key(|s| s.end - s.start);
        around.dedup();
        for span in around.into_iter().take(3) {
            if let Some(words) = self.format_loop_position(&look, span) {
                lines.push(
                    Line::plain("  in ")
                        .with(Style::Strong, words)
                        .with(Style::Dim, format!("   {}", self.format_location(span))),
                );
                continue;
            }
            lines.push(Line::plain("  because of ").with(Style::Dim, self.format_location(span)));
            for line in self.evaluation_of(look.function, span, depth, time) {
                lines.push(Line::plain(format!("    {line}")));
            }
        }
        lines.extend(self.caller_lines(from_top, time));
        lines
    }

    /// What the rules of play did by themselves: the rule, and what the game's own code had told them before.
    fn rule_lines(&mut self, below: usize, time: u64) -> Vec<Line> {
        let ruled = (0..below)
            .filter_map(|n| self.frame_info(n))
            .find(|l| l.is_hidden && l.span.source == SourceId::RULES);
        let Some(rule) = ruled else { return Vec::new() };
        // The names of the rules' own variables begin with a sign that nobody can type.
        let words = self.sources.slice(rule.span).replace('@', "");
        let mut lines = vec![Line::plain("  by the rules of play: ").with(Style::Strong, words)];
        let depth = rule.index + 1;
        let Some(function) = self.machine.function(rule.function).cloned() else {
            return lines;
        };
        let first = function.stop_points.first().map_or(0, |s| s.pc);
        let asked = self.with_time(|s| {
            let began = s.last_hit_before(
                StepTarget::Revisit {
                    function,
                    pc: first,
                    depth,
                },
                time,
            )?;
            let told = s
                .passed_before_in(StepTarget::Deeper(depth), time, false)
                .filter(|told| *told > began)?;
            s.timeline.seek_into(&mut s.machine, told);
            Some((s.frame_info(0)?, s.collected()))
        });
        if let Some((look, seen)) = asked {
            let place = format!("   {}", self.format_location(look.span));
            lines.push(
                Line::plain("  because of ")
                    .with(Style::Strong, look.name.clone())
                    .with(Style::Dim, place),
            );
            let values = self.in_columns(look.function, look.span, Some(seen));
            lines.extend(
                values
                    .into_iter()
                    .map(|line| Line::plain(format!("    {line}"))),
            );
        }
        lines
    }

    /// `line 8 of game.gl`
    pub(super) fn format_location(&self, span: Span) -> String {
        self.sources.get(span.source).map_or_else(String::new, |s| {
            format!("line {} of {}", s.line_column(span.start).0, s.origin)
        })
    }

    /// The values that a statement had when it was last passed in a frame, under their columns.
    fn evaluation_of(
        &mut self,
        function: FunctionId,
        span: Span,
        depth: usize,
        time: u64,
    ) -> Vec<String> {
        let Some(code) = self.machine.function(function).cloned() else {
            return Vec::new();
        };
        let Some(stop) = code.stop_points.iter().find(|s| s.span == span) else {
            return Vec::new();
        };
        let seen = self.with_time(|s| {
            let goal = StepTarget::Revisit {
                function: code.clone(),
                pc: stop.pc,
                depth,
            };
            let found = s.last_hit_before(goal, time + 1)?;
            s.timeline.seek_into(&mut s.machine, found);
            Some(s.collected())
        });
        self.in_columns(function, span, seen)
    }

    /// What the statement at hand sees until the next one.
    fn collected(&mut self) -> Vec<Sample> {
        self.machine.set_recording(false);
        let mut collector = ValueRecorder::new(&self.machine);
        self.machine.run_observed(&mut collector);
        self.machine.set_recording(true);
        collector.samples
    }

    /// A statement with the values that were seen under their columns; of one that holds others its head.
    fn in_columns(
        &self,
        function: FunctionId,
        span: Span,
        seen: Option<Vec<Sample>>,
    ) -> Vec<String> {
        let Some(code) = self.machine.function(function) else {
            return Vec::new();
        };
        let inside = code
            .stop_points
            .iter()
            .filter(|s| span.contains(s.span) && s.span != span)
            .map(|s| s.span.start)
            .min();
        let Some(source) = self.sources.get(span.source) else {
            return Vec::new();
        };
        let head = super::step_expr::head_span(&source.text, span, inside);
        match seen {
            Some(seen) if !seen.is_empty() => value_columns::render(
                source.slice(head),
                head,
                &seen,
                self.view_settings.width.saturating_sub(4),
            ),
            _ => vec![format!("  {}", self.sources.slice_single_line(head))],
        }
    }

    /// The last time before `time` that a goal was reached.
    pub(super) fn last_hit_before(&mut self, goal: StepTarget, time: u64) -> Option<u64> {
        self.passed_before_in(goal, time, true)
    }

    /// The same, with the stops of the rules or without.
    fn passed_before_in(&mut self, goal: StepTarget, time: u64, rules: bool) -> Option<u64> {
        let marks = |s: &Session| {
            StopMap::new(s.program(), &[], |f| {
                f.kind == FunctionKind::Rules && !rules
            })
        };
        self.search_back(time, &goal, marks)
    }

    /// The calls and clicks that led here, each with a time to go to.
    pub(super) fn caller_lines(&mut self, from_top: usize, time: u64) -> Vec<Line> {
        let mut lines = Vec::new();
        let depth = self.machine.frames().len();
        let mut told = 0;
        let mut before = time;
        for n in from_top + 1..depth {
            let Some(look) = self.frame_info(n).filter(|l| l.role != FunctionKind::Rules) else {
                continue;
            };
            if told == 5 {
                lines.push(Line::styled(
                    Style::Dim,
                    format!("  … called from {} more", depth - n),
                ));
                break;
            }
            told += 1;
            let Some(function) = self.machine.function(look.function).cloned() else {
                continue;
            };
            let pc = function.stop_point_before(look.pc).map_or(0, |s| s.pc);
            let frame = look.index + 1;
            let when = self.with_time(|s| {
                s.last_hit_before(
                    StepTarget::Revisit {
                        function,
                        pc,
                        depth: frame,
                    },
                    before,
                )
            });
            before = when.unwrap_or(before);
            // What the rules do by themselves stands nowhere in the text.
            let site = self
                .machine
                .span_of(look.function, look.pc)
                .unwrap_or_default();
            let text = self
                .sources
                .get(look.span.source)
                .filter(|_| site != Span::default());
            let text = text.map_or_else(String::new, |s| {
                let (line, _) = s.line_column(look.span.start);
                s.line(line).trim().to_string()
            });
            let cell = self.format_handler_cell(n);
            let title = if look.role == FunctionKind::Entry {
                "typed".to_string()
            } else {
                format!("{}{cell}", look.name)
            };
            let when = when.map_or_else(String::new, |t| format!("   time {t}"));
            lines.push(
                Line::plain("  from ")
                    .with(Style::Strong, title)
                    .with(Style::Dim, format!("   {text}{when}")),
            );
        }
        lines
    }
}
