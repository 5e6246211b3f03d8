//! Trial runs: how a function that decides something is run on the current game, with rollback.

use super::WHY_NOT_BUDGET_INSTRUCTIONS;
use crate::answer::RunError;
use crate::code::{FunctionId, PieceEvent, Program};
use crate::debugger::Target;
use crate::debugger::frame::eval::scratch_source;
use crate::debugger::recorder::{Sink, ValueProfile};
use crate::machine::{Machine, Outcome, Pause, RuntimeError, UntilTime};
use crate::text::with_commas;
use crate::value::Value;
use crate::why_not::call_site;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// On boards with at least this many cells, a run of the rules may take so long that progress is shown.
const SLOW_BOARD_CELLS: usize = 100_000;

/// A function to run, and how.
pub(crate) struct Trial {
    start: Start,
    /// Assigned before it starts: a variable of the rules and its value.
    assigned: Option<(u32, Value)>,
}

/// What a trial starts.
enum Start {
    /// A function without parameters.
    Function(FunctionId),
    /// An action that makes the rules call a handler.
    Action(Action),
}

/// An entry that plays.
pub(crate) struct Action {
    /// As the user would type it.
    pub(crate) text: String,
    program: Rc<Program>,
    function: FunctionId,
}

/// How a trial ended.
pub(crate) enum TrialEnd {
    Finished(Value),
    Failed(RunError),
    /// It asked for input or took too long.
    Unfinished,
}

impl Trial {
    pub(crate) fn action(action: Action) -> Trial {
        Trial {
            start: Start::Action(action),
            assigned: None,
        }
    }

    /// The entry that it runs, if it is not just a function.
    pub(crate) fn entry(&self) -> Option<&str> {
        match &self.start {
            Start::Function(_) => None,
            Start::Action(action) => Some(&action.text),
        }
    }

    fn function(&self) -> FunctionId {
        match &self.start {
            Start::Function(function) => *function,
            Start::Action(action) => action.function,
        }
    }

    pub(crate) fn with_assigned(self, assigned: Option<(u32, Value)>) -> Trial {
        Trial { assigned, ..self }
    }
}

/// How to run a function on its own. `None` if it needs arguments, or an event that cannot
/// happen now.
pub(crate) fn trial(target: &Target, function: FunctionId) -> Option<Trial> {
    let start = match target.why_not_runnable(function) {
        None => Start::Function(function),
        Some(_) => Start::Action(action_for_handler(target, function)?),
    };
    Some(Trial {
        start,
        assigned: None,
    })
}

/// Ways to run a function: itself or, if it needs arguments, the functions that call it.
pub(crate) fn trial_roots(target: &Target, function: FunctionId) -> Vec<FunctionId> {
    let (mut roots, mut seen) = (Vec::new(), BTreeSet::from([function]));
    let mut pending = vec![function];
    while let Some(next) = pending.pop() {
        if trial(target, next).is_some() {
            roots.push(next);
            continue;
        }
        let callers = call_site::call_sites(target, next)
            .into_iter()
            .map(|(caller, _)| caller);
        pending.extend(callers.filter(|caller| seen.insert(*caller)));
    }
    roots.sort();
    roots
}

/// An action that runs the handler of a piece on the board.
fn action_for_handler(target: &Target, handler: FunctionId) -> Option<Action> {
    if target.is_stopped() {
        return None;
    }
    let program = target.program();
    let handles = |event: PieceEvent| {
        move |value: &Value| {
            let kind = value.as_piece().and_then(|p| program.piece_kind(p.kind));
            kind.is_some_and(|k| k.handlers[event as usize] == Some(handler))
        }
    };
    let cells = target.machine.store.cells.as_slice();
    if let Some(at) = cells.iter().position(handles(PieceEvent::Click)) {
        return click_action(target, at as u32);
    }
    cells.iter().position(handles(PieceEvent::Turn))?;
    compile_action(target, "endTurn{}".to_string())
}

pub(crate) fn click_action(target: &Target, at: u32) -> Option<Action> {
    let (row, col) = target.machine.store.row_col(at);
    compile_action(target, format!("click{{{row},{col}}}"))
}

pub(crate) fn compile_action(target: &Target, text: String) -> Option<Action> {
    let source = scratch_source(&text);
    let compiled = target
        .language
        .compile_entry(&source, target.program(), None);
    let compiled = compiled.ok().filter(|c| !c.resets_game)?;
    Some(Action {
        function: compiled.entry_point?,
        program: Rc::new(compiled.program),
        text,
    })
}

/// Prepares a trial, runs `f`, and rolls everything back.
pub(crate) fn in_trial<R>(
    target: &mut Target,
    trial: &Trial,
    f: impl FnOnce(&mut Target) -> R,
) -> R {
    target.trial_runs += 1;
    let cells = target.machine.store.cells.len();
    if cells >= SLOW_BOARD_CELLS
        && let Some(listener) = &mut target.progress_listener
    {
        listener.show_search(&format!(
            "run {} of the rules on {} cells (Ctrl-C stops)",
            target.trial_runs,
            with_commas(cells as u64)
        ));
    }
    target.with_rollback(|target| {
        if let Start::Action(action) = &trial.start {
            target.machine.abandon();
            target.machine.install(action.program.clone());
        }
        if let Some((global, value)) = trial.assigned {
            target.machine.store.globals.set(global as usize, value);
        }
        f(target)
    })
}

/// Whether Ctrl-C was pressed: nothing else is tried then.
pub(crate) fn is_trial_interrupted(target: &Target) -> bool {
    target.machine.interrupt_flag().load(Ordering::Relaxed)
}

/// Ends the runs of a `:why not`: clears what was shown as progress.
pub fn end_trials(target: &mut Target) {
    let runs = std::mem::take(&mut target.trial_runs);
    if let Some(listener) = target.progress_listener.as_mut().filter(|_| runs > 0) {
        listener.show_search("");
    }
}

/// Runs a trial and returns its value profile. To be called inside `in_trial`.
pub(crate) fn profile_trial(target: &mut Target, trial: &Trial) -> (ValueProfile, TrialEnd) {
    let mut profile = None;
    let end = run_trial_with(target, trial, |machine| {
        let profile = profile.insert(ValueProfile::new(machine, WHY_NOT_BUDGET_INSTRUCTIONS));
        machine.run_observed(&mut profile.recorder())
    });
    let profile = profile.unwrap_or_else(|| ValueProfile::new(&target.machine, 0));
    (profile, end)
}

/// Runs a trial for at most `budget` instructions, which is reduced by what it took. To be
/// called inside `in_trial`.
pub(crate) fn run_trial(target: &mut Target, trial: &Trial, budget: &mut u64) -> TrialEnd {
    run_trial_with(target, trial, |machine| {
        let start = machine.time();
        let outcome = machine.run_observed(&mut UntilTime(start + *budget));
        *budget = match outcome {
            Outcome::Paused(Pause::Interrupt) => 0,
            _ => budget.saturating_sub(machine.time() - start),
        };
        outcome
    })
}

/// Starts a trial and lets `run` run it. To be called inside `in_trial`.
pub(crate) fn run_trial_with(
    target: &mut Target,
    trial: &Trial,
    run: impl FnOnce(&mut Machine) -> Outcome,
) -> TrialEnd {
    let outcome = match target.machine.start(trial.function(), &[]) {
        Ok(()) => run(&mut target.machine),
        Err(error) => Outcome::Failed(error),
    };
    if outcome == Outcome::Paused(Pause::Interrupt) {
        // What comes after this run ends, too.
        let flag = target.machine.interrupt_flag();
        flag.store(true, Ordering::Relaxed);
    }
    trial_end(target, outcome)
}

fn trial_end(target: &Target, outcome: Outcome) -> TrialEnd {
    match outcome {
        Outcome::Finished(value) => TrialEnd::Finished(value),
        Outcome::Failed(error) => TrialEnd::Failed(run_error(target, &error)),
        Outcome::Paused(_) | Outcome::NeedsInput { .. } => TrialEnd::Unfinished,
    }
}

fn run_error(target: &Target, error: &RuntimeError) -> RunError {
    let diagnostic = target.runtime_error(error);
    RunError {
        message: diagnostic.message,
        range: diagnostic.span.and_then(|span| target.source_range(span)),
    }
}
