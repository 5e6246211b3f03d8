//! Looking ahead: where an entry or a step would lead. The run is rolled back, and the history does
//! not record it.

use crate::answer::Evaluation;
use crate::debugger::frame;
use crate::debugger::frame::eval::scratch_source;
use crate::debugger::history::timeline::apply_action;
use crate::debugger::recorder::{Sink, ValueRecorder};
use crate::debugger::run::step::FirstInstruction;
use crate::debugger::{BreakpointGuard, HistoryAction, StepTarget, Stepper, StopMap, Target};
use crate::evaluation;
use crate::machine::{Outcome, Pause};
use crate::value::Value;
use std::rc::Rc;

/// A look ahead that takes longer finds nothing.
const LOOK_AHEAD_BUDGET_INSTRUCTIONS: u64 = 5_000_000;

/// Where a run would lead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Outlook {
    /// The entry would end. An expression has this value.
    Finished(Option<Value>),
    /// The program would stop.
    Stopped,
    /// The run would end in an error.
    Failed,
}

/// Runs an entry, calls `read` where it ends or stops, and rolls everything back. `None` if it
/// does not compile, defines something, asks for input or takes too long.
pub fn look_ahead_at_entry<R>(
    target: &mut Target,
    text: &str,
    read: impl FnOnce(&mut Target, Outlook) -> R,
) -> Option<R> {
    if target.is_waiting_for_input() {
        return None;
    }
    let source = scratch_source(text);
    let frame = frame::frame_scope(target);
    let compiled = target
        .language
        .compile_entry(&source, target.program(), frame.as_ref());
    let compiled = compiled.ok()?;
    let function = compiled.entry_point?;
    if compiled.resets_game || !compiled.messages.is_empty() {
        return None;
    }
    let is_expression = compiled.is_expression;
    let action = match target.is_stopped() {
        true => target.action_at_stop(compiled.program, function),
        false => HistoryAction::Start {
            program: Rc::new(compiled.program),
            function: Some(function),
            resets_game: false,
        },
    };
    target.with_rollback(|target| {
        let depth = target.machine.frames().len();
        apply_action(&mut target.machine, &action);
        let outlook = run_ahead(target, StepTarget::Finish, depth)?;
        let outlook = match outlook {
            Outlook::Finished(_) if !is_expression => Outlook::Finished(None),
            other => other,
        };
        Some(in_default_frame(target, |target| read(target, outlook)))
    })
}

/// Runs a step from a stop, calls `read` where it ends, and rolls everything back. `None` if it
/// asks for input or takes too long, and in the past, where the future is known.
pub fn look_ahead_at_step<R>(
    target: &mut Target,
    step: StepTarget,
    read: impl FnOnce(&mut Target, Outlook) -> R,
) -> Option<R> {
    let is_in_past = target.timeline.is_in_past(&target.machine);
    if !target.is_stopped() || target.is_at_error() || is_in_past {
        return None;
    }
    target.with_rollback(|target| {
        let outlook = run_ahead(target, step, 0)?;
        Some(in_default_frame(target, |target| read(target, outlook)))
    })
}

/// How the statement that runs next is evaluated, and what that decides. `None` if the program is
/// not stopped.
pub fn evaluation_ahead(target: &mut Target) -> Option<Evaluation> {
    let info = frame::frame_info(target, 0).filter(|_| target.is_stopped())?;
    target.with_rollback(|target| {
        let mut recorder = ValueRecorder::new(&target.machine);
        let start_time = target.machine.time();
        let mut guard = BreakpointGuard {
            inner: &mut recorder.recorder(),
            stop_map: &StopMap::new(target.machine.program(), &[], |_| true),
            start_time,
            first: FirstInstruction::New,
            end_time: start_time + LOOK_AHEAD_BUDGET_INSTRUCTIONS,
            has_hit_breakpoint: false,
        };
        target.machine.run_observed(&mut guard);
        let mut evaluation =
            evaluation::describe_evaluation(target, &info, &recorder.samples, 0, None);
        evaluation.branch = recorder.last_branch.map(|span| target.excerpt(span));
        Some(evaluation)
    })
}

/// Calls `read` with the frame selected that a stop here would select.
fn in_default_frame<R>(target: &mut Target, read: impl FnOnce(&mut Target) -> R) -> R {
    let selected_frame = target.debugger.selected_frame;
    target.debugger.selected_frame = frame::default_frame(target);
    let result = read(target);
    target.debugger.selected_frame = selected_frame;
    result
}

/// Runs until the step ends, a breakpoint is reached, or the entry above `depth` frames ends.
fn run_ahead(target: &mut Target, step: StepTarget, depth: usize) -> Option<Outlook> {
    let start_time = target.machine.time();
    let end_time = start_time + LOOK_AHEAD_BUDGET_INSTRUCTIONS;
    let stop_map = target
        .debugger
        .stop_map(target.program(), &target.debugger.traps());
    loop {
        let mut stepper = Stepper {
            stop_map: &stop_map,
            target: step.clone(),
            start_time,
            end_time,
            has_hit_breakpoint: false,
            recorder: None,
        };
        return match target.machine.run_observed(&mut stepper) {
            // An entry typed at a stop has ended; a step continues in what was stopped.
            Outcome::Finished(_) if target.machine.frames().len() > depth => continue,
            Outcome::Finished(value) => Some(Outlook::Finished(
                Some(value).filter(|v| *v != Value::NOTHING),
            )),
            Outcome::Failed(_) => Some(Outlook::Failed),
            Outcome::Paused(Pause::Observer) if target.machine.time() < end_time => {
                Some(Outlook::Stopped)
            }
            Outcome::Paused(_) | Outcome::NeedsInput { .. } => None,
        };
    }
}
