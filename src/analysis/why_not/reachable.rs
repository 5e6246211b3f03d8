//! What the player can do next: the actions that make something true, and how actions change cells.

use super::counterfactual::DesiredOutcome;
use super::state_change::Usefulness;
use super::trial::{Action, Trial, TrialEnd};
use crate::code::{FunctionId, FunctionKind, PieceEvent};
use crate::debugger::Target;
use crate::value::{Piece, Value};
use crate::why_not::counterfactual;
use crate::why_not::trial;
use crate::why_not::value_change;
use std::collections::BTreeSet;

/// Actions beyond this are not tried.
const MAX_ACTIONS_TRIED: usize = 100;
/// Budget for all actions together.
const ACTIONS_BUDGET_INSTRUCTIONS: u64 = 5_000_000;
/// On a larger board, only the changes of this many cells are noticed.
const MAX_CELLS_COMPARED: usize = 40_000;
/// Changes of one action beyond this are not noticed.
const MAX_TRANSITIONS: usize = 1_000;

/// The content of a cell as far as it matters for transitions: kind and visibility.
type Content = Option<(u16, bool)>;

/// The changes of cells that actions make.
#[derive(Default)]
pub(crate) struct Transitions {
    /// From which content to which.
    by_actions: BTreeSet<(Content, Content)>,
    /// The cells that are not as they were when the game started.
    changed_cells: BTreeSet<u32>,
}

/// What the actions of the player do now.
#[derive(Default)]
pub(crate) struct Actions {
    /// The actions that have the desired outcome, as the user would type them.
    pub(crate) solutions: Vec<String>,
    pub(crate) transitions: Transitions,
}

fn content(piece: Option<Piece>) -> Content {
    piece.map(|p| (p.kind, p.visible))
}

impl Transitions {
    /// How useful a change of a cell is as an answer. Without actions that change cells, those that
    /// nobody has played on are the likely ones.
    pub(crate) fn usefulness(&self, at: u32, from: Option<Piece>, to: Option<Piece>) -> Usefulness {
        let (from, to) = (content(from), content(to));
        if self.by_actions.contains(&(from, to)) {
            return Usefulness::Reachable;
        }
        let is_likely = match self.by_actions.is_empty() {
            true => !self.changed_cells.contains(&at),
            false => self.by_actions.iter().any(|(source, _)| *source == from),
        };
        match is_likely || from.is_none() {
            true => Usefulness::Likely,
            false => Usefulness::Unlikely,
        }
    }
}

/// Tries the actions of the player on the current game, with rollback.
pub(crate) fn try_actions(target: &mut Target, desired: DesiredOutcome) -> Actions {
    let mut result = Actions::default();
    let mut budget = ACTIONS_BUDGET_INSTRUCTIONS;
    let cells = target.machine.store.cells.as_slice();
    let before: Vec<Value> = cells.iter().take(MAX_CELLS_COMPARED).copied().collect();
    for action in possible_actions(target) {
        if budget == 0 || trial::is_trial_interrupted(target) {
            break;
        }
        let text = action.text.clone();
        let trial = Trial::action(action);
        trial::in_trial(target, &trial, |target| {
            let TrialEnd::Finished(value) = trial::run_trial(target, &trial, &mut budget) else {
                return;
            };
            if counterfactual::is_reached(target, desired, value) {
                result.solutions.push(text);
            }
            let after = target.machine.store.cells.as_slice();
            let changed = before.iter().zip(after).filter(|(a, b)| a != b);
            for (a, b) in changed.take(MAX_TRANSITIONS) {
                let transition = (content(a.as_piece()), content(b.as_piece()));
                result.transitions.by_actions.insert(transition);
            }
        });
    }
    if !trial::is_trial_interrupted(target) {
        result.transitions.changed_cells = cells_changed_since_start(target);
    }
    result
}

/// A call of a function with parameters that has the desired outcome, as the user would type
/// it. The arguments are values that the program uses.
pub(crate) fn call_that_reaches(
    target: &mut Target,
    function: FunctionId,
    desired: DesiredOutcome,
) -> Option<String> {
    let code = target.program().function(function)?.clone();
    if code.kind != FunctionKind::Function || target.is_stopped() {
        return None;
    }
    let values: Vec<String> = value_change::argument_values(&code)
        .into_iter()
        .map(|value| target.format_value(value))
        .collect();
    let mut budget = ACTIONS_BUDGET_INSTRUCTIONS;
    let calls = argument_lists(&values, code.parameter_count.into());
    let name = code.name.as_str();
    calls.into_iter().find_map(|arguments| {
        if trial::is_trial_interrupted(target) {
            return None;
        }
        let braces = format!("{name}{{{arguments}}}");
        let action = trial::compile_action(target, braces)
            .or_else(|| trial::compile_action(target, format!("{name}({arguments})")))?;
        let text = action.text.clone();
        let trial = Trial::action(action);
        let is_reached = trial::in_trial(target, &trial, |target| {
            let end = trial::run_trial(target, &trial, &mut budget);
            matches!(end, TrialEnd::Finished(value) if counterfactual::is_reached(target, desired, value))
        });
        is_reached.then_some(text)
    })
}

/// The cells that are not as they were when the game started.
fn cells_changed_since_start(target: &mut Target) -> BTreeSet<u32> {
    let (now, _) = target.machine.store.snapshot();
    let start = target.timeline.game_entries().first();
    let start = start.and_then(|entry| entry.after.as_ref());
    start.map_or_else(BTreeSet::new, |start| {
        now.changed_cells(start.store()).into_iter().collect()
    })
}

/// The actions that the player can take now. None while a run is stopped.
fn possible_actions(target: &Target) -> Vec<Action> {
    if target.is_stopped() {
        return Vec::new();
    }
    let info = target.language.info();
    if let Some(keys) = info.arrow_keys {
        let keys = keys.into_iter().map(str::to_string);
        return keys
            .filter_map(|key| trial::compile_action(target, key))
            .collect();
    }
    if !info.events.contains(&"click") {
        return Vec::new();
    }
    let handles_clicks = |value: &Value| {
        let kind = value
            .as_piece()
            .and_then(|p| target.program().piece_kind(p.kind));
        kind.is_some_and(|k| k.handlers[PieceEvent::Click as usize].is_some())
    };
    let cells = target.machine.store.cells.as_slice().iter().enumerate();
    cells
        .filter(|(_, value)| handles_clicks(value))
        .take(MAX_ACTIONS_TRIED)
        .filter_map(|(at, _)| trial::click_action(target, at as u32))
        .collect()
}

/// Lists of `count` arguments, up to `MAX_ACTIONS_TRIED`.
fn argument_lists(values: &[String], count: usize) -> Vec<String> {
    let mut lists = vec![String::new()];
    for n in 0..count {
        let separator = if n == 0 { "" } else { ", " };
        let longer = lists
            .iter()
            .flat_map(|list| values.iter().map(move |v| format!("{list}{separator}{v}")));
        lists = longer.take(MAX_ACTIONS_TRIED).collect();
    }
    lists
}
