//! Why a handler or function did not run in the last action: a dispatch that did not match it,
//! another handler that ran instead, or the call sites that were not reached.

use super::WHY_NOT_BUDGET_INSTRUCTIONS;
use crate::answer::{
    CallSite, FunctionNotRun, FunctionRuns, Guard, HandlerAttempt, HandlerRun, LastRun,
    MissingCall, NamedValue, WhyNot, WordCheck,
};
use crate::code::{FunctionId, FunctionKind, StopPoint};
use crate::debugger::breakpoint;
use crate::debugger::breakpoint::is_named;
use crate::debugger::recorder::{DispatchAttempt, DispatchLog, HeadCheck, Sink, ValueProfile};
use crate::debugger::{EntryId, StepTarget, Target};
use crate::source::Span;
use crate::why_not::call_site;
use crate::why_not::condition;

/// The last action: its text, and the times between which it ran.
struct LastAction {
    id: EntryId,
    /// Empty for the start of the game.
    text: String,
    from: u64,
    /// Its end, or now.
    until: u64,
}

/// Whether a function or handler has this name.
pub fn is_function_name(target: &Target, name: &str) -> bool {
    !name.is_empty()
        && breakpoint::breakpoint_names(target)
            .iter()
            .any(|n| n == name)
}

/// Explains why the function or handler with this name did not run.
pub fn why_not_called(target: &mut Target, name: &str) -> WhyNot {
    let discarded = target.discarded_entry().map(|entry| entry.id);
    target.after_last_entry(|target| missing_call(target, name, discarded))
}

/// Why a function did not run in the last action. That may be an entry that is discarded again.
fn missing_call(target: &mut Target, name: &str, discarded: Option<EntryId>) -> WhyNot {
    let action = last_action(target);
    let functions = target.program().functions.iter().enumerate();
    let ids: Vec<FunctionId> = functions
        .filter(|(_, f)| is_named(f, name))
        .map(|(n, _)| FunctionId(n as u32))
        .collect();
    let functions = match &action {
        Some(action) => ids
            .into_iter()
            .filter_map(|id| function_runs(target, id, action))
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

fn last_action(target: &Target) -> Option<LastAction> {
    let mut entries = target.timeline.entries().iter().rev();
    let action = entries
        .find(|entry| entry.has_effect || entry.after.is_none() || entry.calls_functions())?;
    Some(LastAction {
        id: action.id,
        text: action.text.clone(),
        from: action.before.time,
        until: action.end_time().min(target.machine.time()),
    })
}

/// Whether a function ran in an action; if not, why.
fn function_runs(target: &mut Target, id: FunctionId, action: &LastAction) -> Option<FunctionRuns> {
    let function = target.program().function(id)?.clone();
    if function.kind == FunctionKind::Condition {
        return condition::run_condition(target, id).map(FunctionRuns::Condition);
    }
    let name = function.name.to_string();
    let log = target.with_time(|target| {
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
    if let Some((entry, time)) = run_since(target, id, action.from) {
        return Some(FunctionRuns::Ran {
            name,
            entry,
            count: 1,
            time,
        });
    }
    let is_called_by_user_code = log.attempts.is_empty() && log.other_handlers.is_empty();
    let call_sites = if is_called_by_user_code {
        unreached_call_sites(target, id, action)
    } else {
        Vec::new()
    };
    let head = head_span(target, function.span);
    let last_run = last_run(target, id, action.from);
    Some(FunctionRuns::NotRun(FunctionNotRun {
        name,
        entry: action.text.clone(),
        head: head.map_or_else(String::new, |head| target.sources.slice(head).to_string()),
        range: head.and_then(|head| target.source_range(head)),
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
                name: name_in_program(target, *other),
                time: *time,
            })
            .collect(),
        call_sites,
        last_run,
    }))
}

fn name_in_program(target: &Target, id: FunctionId) -> String {
    target
        .program()
        .function(id)
        .map_or_else(String::new, |f| f.name.to_string())
}

/// The head of a function: the first line, up to the body.
fn head_span(target: &Target, function: Span) -> Option<Span> {
    let text = target.sources.get(function.source)?.slice(function);
    let end = text.find(['{', '>', '\n']).unwrap_or(text.len());
    Some(Span {
        end: function.start + text[..end].trim_end().len() as u32,
        ..function
    })
}

/// The step target for the first statement of a function.
fn first_statement(target: &Target, id: FunctionId) -> Option<(u32, StepTarget)> {
    let first = target.program().function(id)?.stop_points.first()?.pc;
    let step = StepTarget::Addresses([(id, first)].into_iter().collect());
    Some((first, step))
}

/// The entry and the time of the last run of a function since a time.
fn run_since(target: &mut Target, id: FunctionId, from: u64) -> Option<(String, u64)> {
    let (first, step) = first_statement(target, id)?;
    let now = target.machine.time();
    let starts_now = target.machine.current_location() == Some((id, first));
    let last_run = if starts_now {
        Some(now)
    } else {
        target.with_time(|s| s.last_hit_before(step, now))
    };
    let time = last_run.filter(|time| *time >= from)?;
    let entry = target
        .timeline
        .entry_at(time)
        .and_then(|n| target.timeline.all_entries().get(n));
    Some((entry.map_or_else(String::new, |r| r.text.clone()), time))
}

/// When the function last ran before a time.
fn last_run(target: &mut Target, id: FunctionId, before: u64) -> LastRun {
    let Some((_, step)) = first_statement(target, id) else {
        return LastRun::Unknown;
    };
    // In an earlier game the id may belong to another function.
    let game_start = target
        .timeline
        .game_entries()
        .first()
        .map_or(0, |r| r.before.time);
    match target.with_time(|s| s.last_hit_before(step, before)) {
        Some(time) if time >= game_start => LastRun::At(time),
        _ => LastRun::Never,
    }
}

/// The statements that would have called a function in an action, and the enclosing tests that
/// were false.
fn unreached_call_sites(target: &mut Target, id: FunctionId, action: &LastAction) -> Vec<CallSite> {
    let sites = call_site::call_sites(target, id);
    if sites.is_empty() {
        return Vec::new();
    }
    let budget = (action.until - action.from).min(WHY_NOT_BUDGET_INSTRUCTIONS);
    let profile = target.with_time(|target| {
        target.timeline.seek_into(&mut target.machine, action.from);
        let mut profile = ValueProfile::new(&target.machine, budget);
        target.replay_watched(&mut profile.recorder(), action.from + budget);
        profile
    });
    sites
        .into_iter()
        .map(|(caller, stop)| CallSite {
            range: target.source_range(stop.span),
            function: name_in_program(target, caller),
            guards: false_guards(target, caller, stop.span, &profile),
        })
        .collect()
}

/// The tests that were always false and that enclose a statement.
fn false_guards(
    target: &Target,
    function: FunctionId,
    statement: Span,
    profile: &ValueProfile,
) -> Vec<Guard> {
    let false_tests = profile
        .exprs
        .values()
        .filter(|t| t.function == function && t.false_count > 0 && t.true_count == 0);
    false_tests
        .filter(|t| is_guard(target, function, t.span, statement))
        .map(|t| Guard {
            range: target.source_range(t.span),
            text: target.sources.slice(t.span).to_string(),
        })
        .collect()
}

/// Whether a test is in the head of a statement that encloses another one.
fn is_guard(target: &Target, function: FunctionId, test: Span, inner: Span) -> bool {
    let Some(function) = target.program().function(function) else {
        return false;
    };
    let encloses =
        |s: &StopPoint| s.span.contains(test) && s.span.contains(inner) && s.span != function.span;
    function.stop_points.iter().any(encloses) && test.end <= inner.start
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
