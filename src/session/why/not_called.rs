//! Why a handler or function was not run by what was typed last: who asked for it in vain, who was run instead, or which
//! lines would have called it.

use super::WHY_BUDGET_INSTRUCTIONS;
use crate::code::{FunctionId, FunctionKind, Instr, StopPoint};
use crate::debugger::StepTarget;
use crate::debugger::breakpoint::is_named;
use crate::debugger::dispatch_log::{DispatchAttempt, DispatchLog, HeadCheck};
use crate::debugger::value_columns;
use crate::debugger::value_profile::ValueProfile;
use crate::debugger::value_recorder::Sample;
use crate::session::{Line, Reply, Session, Style};
use crate::source::Span;
use crate::value::Value;

/// More askings than this are counted.
const MOST_TOLD: usize = 3;

impl Session {
    /// Whether something that runs goes by this title.
    pub fn is_function_name(&self, title: &str) -> bool {
        !title.is_empty() && self.breakpoint_names().iter().any(|t| t == title)
    }

    /// Why what goes by a title was not run.
    pub fn why_not_called(&mut self, title: &str, reply: &mut Reply) {
        let functions = self.program().functions.iter().enumerate();
        let ids: Vec<FunctionId> = functions
            .filter(|(_, f)| is_named(f, title))
            .map(|(n, _)| FunctionId(n as u32))
            .collect();
        let Some((text, from, until)) = self.last_done() else {
            return reply.line(format!("nothing was done yet that could have run {title}"));
        };
        for id in ids {
            if self
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

    /// Whether it did run since a time, in whatever was typed; that is told.
    fn has_run_since(&mut self, id: FunctionId, from: u64, reply: &mut Reply) -> bool {
        let Some(first) = self
            .program()
            .function(id)
            .and_then(|f| f.stop_points.first())
            .map(|s| s.pc)
        else {
            return false;
        };
        let goal = StepTarget::Addresses([(id, first)].into_iter().collect());
        let now = self.machine.time();
        let begins = self.machine.current_location() == Some((id, first));
        let ran = if begins {
            Some(now)
        } else {
            self.with_time(|s| s.last_hit_before(goal, now))
        };
        let Some(time) = ran.filter(|time| *time >= from) else {
            return false;
        };
        let typed = self
            .timeline
            .entry_at(time)
            .and_then(|n| self.timeline.all_entries().get(n));
        let text = typed
            .map(|r| r.text.as_str())
            .filter(|t| !t.is_empty())
            .map(|t| format!("`{t}`"));
        let title = self
            .program()
            .function(id)
            .map_or_else(String::new, |f| f.name.to_string());
        let text = text.unwrap_or_else(|| "the start".into());
        reply.line(Line::plain(format!(
            "{title} did run in {text}, at time {time}"
        )));
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
        true
    }

    /// What was typed last in the game, and the times between which it was done, up to now.
    fn last_done(&self) -> Option<(String, u64, u64)> {
        let done = self
            .timeline
            .entries()
            .iter()
            .rev()
            .find(|r| r.has_effect || r.after.is_none())?;
        let text = if done.text.is_empty() {
            "the start".to_string()
        } else {
            format!("`{}`", done.text)
        };
        Some((
            text,
            done.before.time,
            done.end_time().min(self.machine.time()),
        ))
    }

    fn why_not_run(
        &mut self,
        id: FunctionId,
        text: &str,
        from: u64,
        until: u64,
        reply: &mut Reply,
    ) {
        let Some(function) = self.program().function(id).cloned() else {
            return;
        };
        let title = function.name.to_string();
        let asked = self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, from);
            let mut asked = DispatchLog::new(&s.machine, id, until);
            s.replay_watched(&mut asked, until);
            asked
        });
        if let Some(time) = asked.run_times.last() {
            let often = if asked.run_times.len() == 1 {
                String::new()
            } else {
                format!(" {} times, last", asked.run_times.len())
            };
            reply.line(Line::plain(format!(
                "{title} did run in {text},{often} at time {time}"
            )));
            return reply.line(Line::styled(
                Style::Dim,
                format!("  `:goto {time}` goes there"),
            ));
        }
        // What is no call of the game's own, or was only asked for its value, has run as well.
        if self.has_run_since(id, from, reply) {
            return;
        }
        reply.line(Line::styled(
            Style::Strong,
            format!("{title} was not run in {text}"),
        ));
        self.tell_askings(&asked, function.span, reply);
        if asked.attempts.is_empty() {
            for (other, time) in asked.other_handlers.iter().take(MOST_TOLD) {
                let name = self
                    .program()
                    .function(*other)
                    .map_or_else(String::new, |f| f.name.to_string());
                reply.line(format!(
                    "  the first that fits is run: that was {name}, at time {time}"
                ));
            }
        }
        if asked.attempts.is_empty() && asked.other_handlers.is_empty() {
            let words = if asked.has_dispatchers() {
                "nothing happened that it could be for"
            } else {
                "nothing called it"
            };
            reply.line(format!("  {words}"));
            self.tell_call_sites(id, from, until, reply);
        }
        self.tell_last_run(id, from, reply);
    }

    /// The words of its head, with what was found at each.
    fn tell_askings(&self, asked: &DispatchLog, whole: Span, reply: &mut Reply) {
        let Some(source) = self.sources.get(whole.source) else {
            return;
        };
        let text = source.slice(whole);
        let end = text.find(['{', '>', '\n']).unwrap_or(text.len());
        let head = Span {
            end: whole.start + text[..end].trim_end().len() as u32,
            ..whole
        };
        for asking in asked.attempts.iter().rev().take(MOST_TOLD).rev() {
            let about: Vec<String> = asking
                .context
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let when = format!("   time {}", asking.time);
            reply.line(
                Line::plain(format!("  asked for with {}", about.join(" "))).with(Style::Dim, when),
            );
            let seen: Vec<Sample> = asking.checks.iter().map(|a| seeing(a, asking)).collect();
            for line in value_columns::render(
                source.slice(head),
                head,
                &seen,
                self.view_settings.width.saturating_sub(4),
            ) {
                reply.line(format!("    {line}"));
            }
        }
        let more = asked.attempts.len().saturating_sub(MOST_TOLD);
        if more > 0 {
            reply.line(Line::styled(
                Style::Dim,
                format!("  and {more} times before"),
            ));
        }
    }

    /// The lines that would have called it, and the tests before them that were false.
    fn tell_call_sites(&mut self, id: FunctionId, from: u64, until: u64, reply: &mut Reply) {
        let sites = self.call_sites(id);
        if sites.is_empty() {
            return;
        }
        let patience = (until - from).min(WHY_BUDGET_INSTRUCTIONS);
        let census = self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, from);
            let mut census = ValueProfile::new(&s.machine, patience);
            s.replay_watched(&mut census, from + patience);
            census
        });
        for (caller, stop) in sites.into_iter().take(MOST_TOLD) {
            let name = self
                .program()
                .function(caller)
                .map_or_else(String::new, |f| f.name.to_string());
            let place = self.format_location(stop.span);
            reply.line(format!(
                "  {place}, in {name}, would call it, but was not reached"
            ));
            let around = census
                .exprs
                .values()
                .filter(|t| t.function == caller && t.false_count > 0 && t.true_count == 0);
            let holds = |test: Span| self.encloses(caller, test, stop.span);
            for test in around.filter(|t| holds(t.span)).take(MOST_TOLD) {
                let (place, text) = (
                    self.format_location(test.span),
                    self.sources.slice(test.span),
                );
                reply.line(format!("    {place}: {text} was false"));
            }
        }
    }

    /// Whether a test stands in the head of a statement that holds another one.
    fn encloses(&self, function: FunctionId, test: Span, inner: Span) -> bool {
        let Some(function) = self.program().function(function) else {
            return false;
        };
        let holds = |s: &&StopPoint| {
            s.span.contains(test) && s.span.contains(inner) && s.span != function.span
        };
        function.stop_points.iter().any(|s| holds(&s)) && test.end <= inner.start
    }

    /// The statements of the game's own that call a function.
    fn call_sites(&self, id: FunctionId) -> Vec<(FunctionId, StopPoint)> {
        let mut sites = Vec::new();
        for (n, function) in self.program().functions.iter().enumerate() {
            if matches!(function.kind, FunctionKind::Rules | FunctionKind::Entry) {
                continue;
            }
            for (pc, instr) in function.code.iter().enumerate() {
                let calls = matches!(instr, Instr::Call { function, .. } if *function == id);
                if calls && let Some(stop) = function.stop_point_before(pc as u32) {
                    sites.push((FunctionId(n as u32), *stop));
                }
            }
        }
        sites.dedup();
        sites
    }

    fn tell_last_run(&mut self, id: FunctionId, before: u64, reply: &mut Reply) {
        let Some(first) = self
            .program()
            .function(id)
            .and_then(|f| f.stop_points.first())
            .map(|s| s.pc)
        else {
            return;
        };
        let goal = StepTarget::Addresses([(id, first)].into_iter().collect());
        // Before the game began the number was another's.
        let start = self
            .timeline
            .game_entries()
            .first()
            .map_or(0, |r| r.before.time);
        let words = match self
            .with_time(|s| s.last_hit_before(goal, before))
            .filter(|time| *time >= start)
        {
            Some(time) => format!("  it ran last at time {time}"),
            None => "  it has never run".to_string(),
        };
        reply.line(Line::styled(Style::Dim, words));
    }
}

/// An answer as it is hung under its word.
fn seeing(answer: &HeadCheck, asking: &DispatchAttempt) -> Sample {
    let fits = answer
        .is_match
        .map_or("", |fits| if fits { ": yes" } else { ": no" });
    let text = format!("{}{fits}", answer.operands.join(", "));
    Sample {
        span: answer.word,
        value: Value::NOTHING,
        text,
        cell: None,
        time: asking.time,
        is_short_circuited: false,
        is_block_result: false,
    }
}
