//! Explains why a handler or function did not run in the last action: a dispatch that did not match
//! it, another handler that ran instead, or the call sites that were not reached.

use super::WHY_BUDGET_INSTRUCTIONS;
use crate::code::{FunctionId, FunctionKind, Instr, StopPoint};
use crate::debugger::StepTarget;
use crate::debugger::breakpoint::is_named;
use crate::debugger::dispatch_log::{DispatchAttempt, DispatchLog, HeadCheck};
use crate::debugger::value_columns;
use crate::debugger::value_profile::ValueProfile;
use crate::debugger::value_recorder::Sample;
use crate::session::{Answer, Line, Session, Style, count_noun};
use crate::source::Span;
use crate::value::Value;

/// Attempts, handlers and call sites beyond this are left out.
const MAX_SHOWN: usize = 3;

impl Session {
    /// Whether a function or handler has this name.
    pub fn is_function_name(&self, name: &str) -> bool {
        !name.is_empty() && self.target.breakpoint_names().iter().any(|n| n == name)
    }

    /// Explains why the function or handler with this name did not run.
    pub fn why_not_called(&mut self, name: &str, reply: &mut Answer) {
        let functions = self.target.program().functions.iter().enumerate();
        let ids: Vec<FunctionId> = functions
            .filter(|(_, f)| is_named(f, name))
            .map(|(n, _)| FunctionId(n as u32))
            .collect();
        let Some((text, from, until)) = self.last_action() else {
            return reply.line(format!("Nothing has run yet that could have called {name}"));
        };
        for id in ids {
            if self
                .target
                .program()
                .function(id)
                .is_some_and(|f| f.kind == FunctionKind::Condition)
            {
                self.explain_false_condition(id, reply);
                continue;
            }
            self.why_not_run(id, &text, from, until, reply);
        }
    }

    /// If the function has run since a time, reports that and returns true.
    fn report_run_since(&mut self, id: FunctionId, from: u64, reply: &mut Answer) -> bool {
        let Some(first) = self
            .target
            .program()
            .function(id)
            .and_then(|f| f.stop_points.first())
            .map(|s| s.pc)
        else {
            return false;
        };
        let target = StepTarget::Addresses([(id, first)].into_iter().collect());
        let now = self.target.machine.time();
        let starts_now = self.target.machine.current_location() == Some((id, first));
        let last_run = if starts_now {
            Some(now)
        } else {
            self.with_time(|s| s.target.last_hit_before(target, now))
        };
        let Some(time) = last_run.filter(|time| *time >= from) else {
            return false;
        };
        let entry = self
            .target
            .timeline
            .entry_at(time)
            .and_then(|n| self.target.timeline.all_entries().get(n));
        let text = entry
            .map(|r| r.text.as_str())
            .filter(|t| !t.is_empty())
            .map(|t| format!("`{t}`"));
        let name = self
            .target
            .program()
            .function(id)
            .map_or_else(String::new, |f| f.name.to_string());
        let text = text.unwrap_or_else(|| "the start".into());
        reply.line(Line::plain(format!(
            "{name} did run in {text}, at time {time}"
        )));
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
        true
    }

    /// The last action: its text, its start time, and its end time or now.
    fn last_action(&self) -> Option<(String, u64, u64)> {
        let action = self
            .target
            .timeline
            .entries()
            .iter()
            .rev()
            .find(|r| r.has_effect || r.after.is_none())?;
        let text = if action.text.is_empty() {
            "the start".to_string()
        } else {
            format!("`{}`", action.text)
        };
        Some((
            text,
            action.before.time,
            action.end_time().min(self.target.machine.time()),
        ))
    }

    /// Explains why a function did not run in the action between two times.
    fn why_not_run(
        &mut self,
        id: FunctionId,
        text: &str,
        from: u64,
        until: u64,
        reply: &mut Answer,
    ) {
        let Some(function) = self.target.program().function(id).cloned() else {
            return;
        };
        let name = function.name.to_string();
        let log = self.with_time(|s| {
            s.target.timeline.seek_into(&mut s.target.machine, from);
            let mut log = DispatchLog::new(&s.target.machine, id, until);
            s.target.replay_watched(&mut log, until);
            log
        });
        if let Some(time) = log.run_times.last() {
            let count = if log.run_times.len() == 1 {
                String::new()
            } else {
                format!(" {} times, last", log.run_times.len())
            };
            reply.line(Line::plain(format!(
                "{name} did run in {text},{count} at time {time}"
            )));
            return reply.line(Line::styled(
                Style::Dim,
                format!("  `:goto {time}` goes there"),
            ));
        }
        // The log has dispatches and calls of the last action only. It may have run otherwise.
        if self.report_run_since(id, from, reply) {
            return;
        }
        reply.line(Line::styled(
            Style::Strong,
            format!("{name} did not run in {text}"),
        ));
        self.report_attempts(&log, function.span, reply);
        if log.attempts.is_empty() {
            for (other, time) in log.other_handlers.iter().take(MAX_SHOWN) {
                let other = self
                    .target
                    .program()
                    .function(*other)
                    .map_or_else(String::new, |f| f.name.to_string());
                reply.line(format!(
                    "  only the first matching handler runs: that was {other}, at time {time}"
                ));
            }
        }
        if log.attempts.is_empty() && log.other_handlers.is_empty() {
            let reason = if log.has_dispatchers() {
                "no matching event happened"
            } else {
                "nothing called it"
            };
            reply.line(format!("  {reason}"));
            self.report_call_sites(id, from, until, reply);
        }
        self.report_last_run(id, from, reply);
    }

    /// Shows the dispatches that considered the handler: the words of its head, with the result of
    /// each check below.
    fn report_attempts(&self, log: &DispatchLog, function: Span, reply: &mut Answer) {
        let Some(source) = self.target.sources.get(function.source) else {
            return;
        };
        let text = source.slice(function);
        let end = text.find(['{', '>', '\n']).unwrap_or(text.len());
        let head = Span {
            end: function.start + text[..end].trim_end().len() as u32,
            ..function
        };
        for attempt in log.attempts.iter().rev().take(MAX_SHOWN).rev() {
            let context: Vec<String> = attempt
                .context
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let time = format!("   time {}", attempt.time);
            reply.line(
                Line::plain(format!("  checked with {}", context.join(" "))).with(Style::Dim, time),
            );
            let samples: Vec<Sample> = attempt
                .checks
                .iter()
                .map(|check| to_sample(check, attempt))
                .collect();
            for line in value_columns::render(
                source.slice(head),
                head,
                &samples,
                self.view_settings.width.saturating_sub(4),
            ) {
                reply.line(format!("    {line}"));
            }
        }
        let more = log.attempts.len().saturating_sub(MAX_SHOWN);
        if more > 0 {
            reply.line(Line::styled(
                Style::Dim,
                format!(
                    "  and {} before",
                    count_noun(more, "more time", "more times")
                ),
            ));
        }
    }

    /// Shows the statements that would have called it, and the enclosing tests that were false.
    fn report_call_sites(&mut self, id: FunctionId, from: u64, until: u64, reply: &mut Answer) {
        let sites = self.call_sites(id);
        if sites.is_empty() {
            return;
        }
        let budget = (until - from).min(WHY_BUDGET_INSTRUCTIONS);
        let profile = self.with_time(|s| {
            s.target.timeline.seek_into(&mut s.target.machine, from);
            let mut profile = ValueProfile::new(&s.target.machine, budget);
            s.target.replay_watched(&mut profile, from + budget);
            profile
        });
        for (caller, stop) in sites.into_iter().take(MAX_SHOWN) {
            let name = self
                .target
                .program()
                .function(caller)
                .map_or_else(String::new, |f| f.name.to_string());
            let location = self.format_location(stop.span);
            reply.line(format!(
                "  {location}, in {name}, would call it, but was not reached"
            ));
            let false_tests = profile
                .exprs
                .values()
                .filter(|t| t.function == caller && t.false_count > 0 && t.true_count == 0);
            let guards = |test: Span| self.is_guard(caller, test, stop.span);
            for test in false_tests.filter(|t| guards(t.span)).take(MAX_SHOWN) {
                let (location, text) = (
                    self.format_location(test.span),
                    self.target.sources.slice(test.span),
                );
                reply.line(format!("    {location}: {text} was false"));
            }
        }
    }

    /// Whether a test is in the head of a statement that encloses another one.
    fn is_guard(&self, function: FunctionId, test: Span, inner: Span) -> bool {
        let Some(function) = self.target.program().function(function) else {
            return false;
        };
        let encloses = |s: &&StopPoint| {
            s.span.contains(test) && s.span.contains(inner) && s.span != function.span
        };
        function.stop_points.iter().any(|s| encloses(&s)) && test.end <= inner.start
    }

    /// The statements of the user's code that call a function.
    fn call_sites(&self, id: FunctionId) -> Vec<(FunctionId, StopPoint)> {
        let mut sites = Vec::new();
        for (n, function) in self.target.program().functions.iter().enumerate() {
            if matches!(function.kind, FunctionKind::Rules | FunctionKind::Entry) {
                continue;
            }
            for (pc, instr) in function.code.iter().enumerate() {
                let is_call = matches!(instr, Instr::Call { function, .. } if *function == id);
                if is_call && let Some(stop) = function.stop_point_before(pc as u32) {
                    sites.push((FunctionId(n as u32), *stop));
                }
            }
        }
        sites.dedup();
        sites
    }

    /// Shows when the function last ran before a time.
    fn report_last_run(&mut self, id: FunctionId, before: u64, reply: &mut Answer) {
        let Some(first) = self
            .target
            .program()
            .function(id)
            .and_then(|f| f.stop_points.first())
            .map(|s| s.pc)
        else {
            return;
        };
        let target = StepTarget::Addresses([(id, first)].into_iter().collect());
        // In an earlier game the id may belong to another function.
        let game_start = self
            .target
            .timeline
            .game_entries()
            .first()
            .map_or(0, |r| r.before.time);
        let text = match self
            .with_time(|s| s.target.last_hit_before(target, before))
            .filter(|time| *time >= game_start)
        {
            Some(time) => format!("  it last ran at time {time}"),
            None => "  it has never run".to_string(),
        };
        reply.line(Line::styled(Style::Dim, text));
    }
}

/// The result of a check as a sample, to be shown below the word that was checked.
fn to_sample(check: &HeadCheck, attempt: &DispatchAttempt) -> Sample {
    let result = check
        .is_match
        .map_or("", |is_match| if is_match { ": yes" } else { ": no" });
    let text = format!("{}{result}", check.operands.join(", "));
    Sample {
        span: check.word,
        value: Value::NOTHING,
        text,
        cell: None,
        time: attempt.time,
        is_short_circuited: false,
        is_block_result: false,
    }
}
