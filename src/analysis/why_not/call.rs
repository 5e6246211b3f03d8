//! Why a handler or function did not run in the last action: a dispatch that did not match it,
//! another handler that ran instead, or the call sites that were not reached.

use super::WHY_NOT_BUDGET_INSTRUCTIONS;
use crate::answer::{
    CallSite, FunctionNotRun, FunctionRuns, Guard, HandlerAttempt, HandlerRun, LastRun,
    MissingCall, NamedValue, WhyNot, WordCheck,
};
use crate::code::{FunctionId, FunctionKind, StopPoint};
use crate::debugger::breakpoint::is_named;
use crate::debugger::recorder::{DispatchAttempt, DispatchLog, HeadCheck, Sink, ValueProfile};
use crate::debugger::{EntryId, StepTarget, Target};
use crate::source::Span;

/// The last action: its text, and the times between which it ran.
struct LastAction {
    id: EntryId,
    /// Empty for the start of the game.
    text: String,
    from: u64,
    /// Its end, or now.
    until: u64,
}

impl Target {
    /// Whether a function or handler has this name.
    pub fn is_function_name(&self, name: &str) -> bool {
        !name.is_empty() && self.breakpoint_names().iter().any(|n| n == name)
    }

    /// Explains why the function or handler with this name did not run.
    pub fn why_not_called(&mut self, name: &str) -> WhyNot {
        let discarded = self.discarded_entry().map(|entry| entry.id);
        self.after_last_entry(|target| target.missing_call(name, discarded))
    }

    /// Why a function did not run in the last action. That may be an entry that is discarded again.
    fn missing_call(&mut self, name: &str, discarded: Option<EntryId>) -> WhyNot {
        let action = self.last_action();
        let functions = self.program().functions.iter().enumerate();
        let ids: Vec<FunctionId> = functions
            .filter(|(_, f)| is_named(f, name))
            .map(|(n, _)| FunctionId(n as u32))
            .collect();
        let functions = match &action {
            Some(action) => ids
                .into_iter()
                .filter_map(|id| self.function_runs(id, action))
                .collect(),
            None => Vec::new(),
        };
        WhyNot::Call(MissingCall {
            name: name.to_string(),
            has_action: action.is_some(),
            is_in_history: action.is_none_or(|action| Some(action.id) != discarded),
            functions,
        })
    }

    fn last_action(&self) -> Option<LastAction> {
        let mut entries = self.timeline.entries().iter().rev();
        let action = entries
            .find(|entry| entry.has_effect || entry.after.is_none() || entry.calls_functions())?;
        Some(LastAction {
            id: action.id,
            text: action.text.clone(),
            from: action.before.time,
            until: action.end_time().min(self.machine.time()),
        })
    }

    /// Whether a function ran in an action; if not, why.
    fn function_runs(&mut self, id: FunctionId, action: &LastAction) -> Option<FunctionRuns> {
        let function = self.program().function(id)?.clone();
        if function.kind == FunctionKind::Condition {
            return self.run_condition(id).map(FunctionRuns::Condition);
        }
        let name = function.name.to_string();
        let log = self.with_time(|target| {
            target.timeline.seek_into(&mut target.machine, action.from);
            let mut log = DispatchLog::new(&target.machine, id, action.until);
            target.replay_watched(&mut log.recorder(), action.until);
            log
        });
        if let Some(time) = log.run_times.last() {
            return Some(FunctionRuns::Ran {
                name,
                entry: action.text.clone(),
                count: log.run_times.len(),
                time: *time,
            });
        }
        // The log has dispatches and calls of the last action only. It may have run otherwise.
        if let Some((entry, time)) = self.run_since(id, action.from) {
            return Some(FunctionRuns::Ran {
                name,
                entry,
                count: 1,
                time,
            });
        }
        let is_called_by_user_code = log.attempts.is_empty() && log.other_handlers.is_empty();
        let call_sites = if is_called_by_user_code {
            self.unreached_call_sites(id, action)
        } else {
            Vec::new()
        };
        let head = self.head_span(function.span);
        let last_run = self.last_run(id, action.from);
        Some(FunctionRuns::NotRun(FunctionNotRun {
            name,
            entry: action.text.clone(),
            head: head.map_or_else(String::new, |head| self.sources.slice(head).to_string()),
            range: head.and_then(|head| self.source_range(head)),
            is_handler: log.has_dispatchers(),
            attempts: log
                .attempts
                .into_iter()
                .map(|attempt| describe_attempt(attempt, head.unwrap_or_default()))
                .collect(),
            other_handlers: log
                .other_handlers
                .iter()
                .map(|(other, time)| HandlerRun {
                    name: self.name_in_program(*other),
                    time: *time,
                })
                .collect(),
            call_sites,
            last_run,
        }))
    }

    fn name_in_program(&self, id: FunctionId) -> String {
        self.program()
            .function(id)
            .map_or_else(String::new, |f| f.name.to_string())
    }

    /// The head of a function: the first line, up to the body.
    fn head_span(&self, function: Span) -> Option<Span> {
        let text = self.sources.get(function.source)?.slice(function);
        let end = text.find(['{', '>', '\n']).unwrap_or(text.len());
        Some(Span {
            end: function.start + text[..end].trim_end().len() as u32,
            ..function
        })
    }

    /// The step target for the first statement of a function.
    fn first_statement(&self, id: FunctionId) -> Option<(u32, StepTarget)> {
        let first = self.program().function(id)?.stop_points.first()?.pc;
        let target = StepTarget::Addresses([(id, first)].into_iter().collect());
        Some((first, target))
    }

    /// The entry and the time of the last run of a function since a time.
    fn run_since(&mut self, id: FunctionId, from: u64) -> Option<(String, u64)> {
        let (first, target) = self.first_statement(id)?;
        let now = self.machine.time();
        let starts_now = self.machine.current_location() == Some((id, first));
        let last_run = if starts_now {
            Some(now)
        } else {
            self.with_time(|s| s.last_hit_before(target, now))
        };
        let time = last_run.filter(|time| *time >= from)?;
        let entry = self
            .timeline
            .entry_at(time)
            .and_then(|n| self.timeline.all_entries().get(n));
        Some((entry.map_or_else(String::new, |r| r.text.clone()), time))
    }

    /// When the function last ran before a time.
    fn last_run(&mut self, id: FunctionId, before: u64) -> LastRun {
        let Some((_, target)) = self.first_statement(id) else {
            return LastRun::Unknown;
        };
        // In an earlier game the id may belong to another function.
        let game_start = self
            .timeline
            .game_entries()
            .first()
            .map_or(0, |r| r.before.time);
        match self.with_time(|s| s.last_hit_before(target, before)) {
            Some(time) if time >= game_start => LastRun::At(time),
            _ => LastRun::Never,
        }
    }

    /// The statements that would have called a function in an action, and the enclosing tests that
    /// were false.
    fn unreached_call_sites(&mut self, id: FunctionId, action: &LastAction) -> Vec<CallSite> {
        let sites = self.call_sites(id);
        if sites.is_empty() {
            return Vec::new();
        }
        let budget = (action.until - action.from).min(WHY_NOT_BUDGET_INSTRUCTIONS);
        let profile = self.with_time(|target| {
            target.timeline.seek_into(&mut target.machine, action.from);
            let mut profile = ValueProfile::new(&target.machine, budget);
            target.replay_watched(&mut profile.recorder(), action.from + budget);
            profile
        });
        sites
            .into_iter()
            .map(|(caller, stop)| CallSite {
                range: self.source_range(stop.span),
                function: self.name_in_program(caller),
                guards: self.false_guards(caller, stop.span, &profile),
            })
            .collect()
    }

    /// The tests that were always false and that enclose a statement.
    fn false_guards(
        &self,
        function: FunctionId,
        statement: Span,
        profile: &ValueProfile,
    ) -> Vec<Guard> {
        let false_tests = profile
            .exprs
            .values()
            .filter(|t| t.function == function && t.false_count > 0 && t.true_count == 0);
        false_tests
            .filter(|t| self.is_guard(function, t.span, statement))
            .map(|t| Guard {
                range: self.source_range(t.span),
                text: self.sources.slice(t.span).to_string(),
            })
            .collect()
    }

    /// Whether a test is in the head of a statement that encloses another one.
    fn is_guard(&self, function: FunctionId, test: Span, inner: Span) -> bool {
        let Some(function) = self.program().function(function) else {
            return false;
        };
        let encloses = |s: &StopPoint| {
            s.span.contains(test) && s.span.contains(inner) && s.span != function.span
        };
        function.stop_points.iter().any(encloses) && test.end <= inner.start
    }
}

fn describe_attempt(attempt: DispatchAttempt, head: Span) -> HandlerAttempt {
    let context = attempt.context.into_iter();
    HandlerAttempt {
        time: attempt.time,
        context: context
            .map(|(name, value)| NamedValue { name, value })
            .collect(),
        checks: attempt
            .checks
            .into_iter()
            .map(|check| describe_check(check, head))
            .collect(),
    }
}

fn describe_check(check: HeadCheck, head: Span) -> WordCheck {
    let offset = |at: u32| at.saturating_sub(head.start) as usize;
    WordCheck {
        start: offset(check.word.start),
        end: offset(check.word.end),
        operands: check.operands,
        is_match: check.is_match,
    }
}
