//! Properties: conditions that have to hold after every action, or after some action.
//!
//! They are kept with the breakpoints and numbered with them. A violation is a stop at the end of the
//! action, before control returns to the player: at the end of the entry, at the next action of the
//! same entry, or at a question. So whether it stops depends on nothing but the position.

use super::hits::first_error_message;
use crate::Target;
use crate::answer::{PropertyKind, Violation};
use crate::breakpoint::watch_expr;
use crate::code::{FunctionId, FunctionKind, Instr};
use crate::diagnostic::{Diagnostic, Phase};
use crate::frame;
use crate::frame::eval::scratch_source;
use crate::history;
use crate::history::timeline;
use crate::language::FrameScope;
use crate::value::Value;
use std::collections::HashMap;

/// A condition that the author of a game expects to hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// What it demands of its condition.
    pub kind: PropertyKind,
    /// The condition as typed.
    pub text: String,
    /// The function whose variables the condition uses, by name; `None` if it uses none. It is checked
    /// only while that function runs.
    pub function: Option<String>,
}

/// The places at which functions wait for input: first those that ask, then those that wait for them.
pub fn waiting_places(target: &Target) -> impl Iterator<Item = (FunctionId, u32)> {
    let functions = (0..).map(FunctionId).zip(&target.program().functions);
    let mut callers: HashMap<FunctionId, Vec<(FunctionId, u32)>> = HashMap::new();
    let mut places: Vec<(FunctionId, u32)> = Vec::new();
    for (id, function) in functions.filter(|(_, f)| f.kind != FunctionKind::Entry) {
        for (pc, instr) in (0..).zip(&function.code) {
            match instr {
                Instr::Ask { .. } => places.push((id, pc)),
                Instr::Call { function, .. } => {
                    callers.entry(*function).or_default().push((id, pc));
                }
                _ => {}
            }
        }
    }
    let mut next = 0;
    while let Some((function, _)) = places.get(next) {
        places.extend(callers.remove(function).unwrap_or_default());
        next += 1;
    }
    places.into_iter()
}

/// Whether a condition can be compiled with the variables of a place at which a function waits.
pub fn compiles_at(target: &Target, (id, pc): (FunctionId, u32), text: &str) -> bool {
    let Some(f) = target.program().function(id) else {
        return false;
    };
    let scope = FrameScope {
        locals: f.locals_at(pc).copied().collect(),
        in_handler: f.kind == FunctionKind::Handler,
        function: Some(id),
        outer: None,
    };
    let source = scratch_source(text);
    let compiled = target
        .language()
        .compile_entry(&source, target.program(), Some(&scope));
    compiled.is_ok_and(|c| c.is_expression && !c.resets_game)
}

/// Whether a condition can be compiled where a function waits, but not with the variables that are in
/// scope now.
fn is_out_of_scope(target: &Target, function: &str, text: &str, errors: &[Diagnostic]) -> bool {
    let id = target.function_named(function);
    let mut places = waiting_places(target).filter(|(f, _)| Some(*f) == id);
    errors.iter().all(|error| error.phase != Phase::Runtime)
        && places.any(|place| compiles_at(target, place, text))
}

/// The value of a property's condition, or why it has none; `None` if its variables are not in
/// scope.
pub fn property_value(target: &mut Target, property: &Property) -> Option<Result<bool, String>> {
    let text = &property.text;
    let read = |target: &Target, value: Value| {
        value.as_bool().ok_or_else(|| {
            let value = target.format_value(value);
            format!("a property must be true or false; `{text}` is {value}")
        })
    };
    let value = match &property.function {
        None => target.eval_without_frame(text, read),
        Some(function) => {
            let top = target.machine.frames().len().checked_sub(1)?;
            let index = watch_expr::frame_running(target, function, top)?;
            let value = frame::with_selected_frame(target, index, |target| target.eval(text, read));
            if let Err(errors) = &value
                && is_out_of_scope(target, function, text, errors)
            {
                return None;
            }
            value
        }
    };
    Some(value.unwrap_or_else(|diagnostics| Err(first_error_message(&diagnostics))))
}

/// Whether an action has just ended, so that control returns to the player.
pub fn is_at_action_end(target: &mut Target) -> bool {
    match target.machine.next_instruction() {
        Some(Instr::Ask { .. }) => true,
        // The actions of an entry before this one.
        Some(Instr::BeginAction) => {
            let action = target.machine.store.action;
            let entry = history::innermost_entry(target);
            entry.is_some_and(|e| e.resets_game() && action > 0 || action > e.before.action)
        }
        Some(Instr::Return { .. } | Instr::ReturnNothing) => {
            // An entry that only defines something runs nothing.
            let has_run = !target.timeline.is_at_entry_start(&target.machine);
            target.machine.frames().len() == 1 && has_run && !is_only_looking(target)
        }
        _ => false,
    }
}

/// Whether the running entry is an expression that has changed nothing.
fn is_only_looking(target: &mut Target) -> bool {
    let Some(entry) = history::innermost_entry(target).filter(|e| e.is_expression) else {
        return false;
    };
    let before = entry.before.clone();
    let now = target.machine.checkpoint();
    timeline::same_except_time(&before, &now)
}

/// How the action that has just ended violates a property, if it does.
pub fn violation(target: &mut Target, property: &Property) -> Option<Violation> {
    if property.kind == PropertyKind::Sometimes || !is_at_action_end(target) {
        return None;
    }
    let violation = |error| {
        Some(Violation {
            kind: property.kind,
            text: property.text.clone(),
            error,
        })
    };
    match property_value(target, property)? {
        Ok(value) if property.kind.is_violated_by(value) => violation(None),
        Ok(_) => None,
        Err(message) => violation(Some(message)),
    }
}
