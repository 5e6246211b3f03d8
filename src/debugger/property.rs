//! Properties: conditions that have to hold after every action, or after some action.
//!
//! They are kept with the breakpoints and numbered with them. A violation is a stop at the end of the
//! action, before control returns to the player: at the end of the entry, at the next action of the
//! same entry, or at a question. So whether it stops depends on nothing but the position.

use super::api::{CommandError, PropertyInfo, PropertyVerdict, Violation};
use super::breakpoint::{self, Breakpoint, Location};
use super::breakpoint_hits::first_error_message;
use super::eval::scratch_source;
use super::{Target, timeline};
use crate::code::{FunctionId, FunctionKind, Instr};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::FrameScope;
use crate::value::Value;
use std::collections::HashMap;

/// What a property demands of its condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PropertyKind {
    /// It is true after every action.
    Always,
    /// It is false after every action.
    Never,
    /// It is true after some action.
    Sometimes,
}

impl PropertyKind {
    /// The word that users type.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Always => "always",
            PropertyKind::Never => "never",
            PropertyKind::Sometimes => "sometimes",
        }
    }

    /// Whether a position in which the condition has this value violates the property.
    pub fn is_violated_by(self, value: bool) -> bool {
        match self {
            PropertyKind::Always => !value,
            PropertyKind::Never => value,
            PropertyKind::Sometimes => false,
        }
    }
}

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

impl Target {
    /// Declares a property. Fails if its condition cannot be compiled, or is not true or false now.
    pub fn declare_property(
        &mut self,
        kind: PropertyKind,
        text: &str,
    ) -> Result<PropertyInfo, CommandError> {
        let function = self.condition_scope(text)?;
        let property = Property {
            kind,
            text: text.to_string(),
            function,
        };
        if let Some(Err(message)) = self.property_value(&property) {
            return Err(CommandError::new(message));
        }
        let program = self.program().clone();
        let location = Location::Property(property);
        let b = self.debugger.add_breakpoint(location, text);
        b.rebind(&program, &self.sources);
        let b = b.clone();
        self.describe_property(&b)
            .ok_or_else(|| CommandError::new("the property was not declared"))
    }

    /// The function whose variables a condition uses, by name; `None` if it uses none. It must be one that
    /// waits for input: others have returned when an action ends.
    fn condition_scope(&self, text: &str) -> Result<Option<String>, CommandError> {
        match self.expression_scope(text) {
            Ok(Some(scope)) => match scope.function {
                Some(function) if !self.waits_for_input(&function) => {
                    Err(CommandError::new(format!(
                        "`{text}` uses variables of `{function}`, which are gone when an action ends; use variables of the game"
                    )))
                }
                function => Ok(function),
            },
            Ok(None) => Err(CommandError::new(format!(
                "`{text}` has no value; a property needs a condition"
            ))),
            Err(message) => match self.waiting_function(text) {
                Some(function) => Ok(Some(function)),
                None => Err(self.condition_error(text, message)),
            },
        }
    }

    /// The places at which functions wait for input: first those that ask, then those that wait for them.
    fn waiting_places(&self) -> impl Iterator<Item = (FunctionId, u32)> {
        let functions = (0..).map(FunctionId).zip(&self.program().functions);
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

    /// The error about a condition that cannot be compiled, with its code and its notes.
    fn condition_error(&self, text: &str, message: String) -> CommandError {
        let source = scratch_source(text);
        let scope = self.frame_scope();
        let compiled = self
            .language()
            .compile_entry(&source, self.program(), scope.as_ref());
        let Err(diagnostics) = compiled else {
            return CommandError::new(message);
        };
        let is_syntax_error = diagnostics.iter().any(|d| d.phase == Phase::Parse);
        match !is_syntax_error && self.waiting_places().next().is_some() {
            true => CommandError::new(format!(
                "{message}; a property can use the variables of one function that waits for input"
            )),
            false => CommandError::from(diagnostics),
        }
    }

    /// Whether a function waits for input, by its name.
    fn waits_for_input(&self, name: &str) -> bool {
        let id = self.function_named(name);
        self.waiting_places()
            .any(|(function, _)| Some(function) == id)
    }

    /// The first function that waits for input and in which a condition can be compiled.
    fn waiting_function(&self, text: &str) -> Option<String> {
        let mut places = self.waiting_places();
        let (id, _) = places.find(|place| self.compiles_at(*place, text))?;
        Some(self.program().function(id)?.name.to_string())
    }

    /// Whether a condition can be compiled with the variables of a place at which a function waits.
    fn compiles_at(&self, (id, pc): (FunctionId, u32), text: &str) -> bool {
        let Some(f) = self.program().function(id) else {
            return false;
        };
        let scope = FrameScope {
            locals: f.locals_at(pc).copied().collect(),
            in_handler: f.kind == FunctionKind::Handler,
            function: Some(id),
            outer: None,
        };
        let source = scratch_source(text);
        let compiled = self
            .language()
            .compile_entry(&source, self.program(), Some(&scope));
        compiled.is_ok_and(|c| c.is_expression && !c.resets_game)
    }

    /// Whether a condition can be compiled where a function waits, but not with the variables that are in
    /// scope now.
    fn is_out_of_scope(&self, function: &str, text: &str, errors: &[Diagnostic]) -> bool {
        let id = self.function_named(function);
        let mut places = self.waiting_places().filter(|(f, _)| Some(*f) == id);
        errors.iter().all(|error| error.phase != Phase::Runtime)
            && places.any(|place| self.compiles_at(place, text))
    }

    /// The value of a property's condition, or why it has none; `None` if its variables are not in
    /// scope.
    fn property_value(&mut self, property: &Property) -> Option<Result<bool, String>> {
        let text = &property.text;
        let read = |target: &Target, value: Value| {
            value.as_bool().ok_or_else(|| {
                let value = target.format_value(value);
                format!("a property must be true or false; `{text}` is {value}")
            })
        };
        let value = match &property.function {
            None => self.eval_without_frame(text, read),
            Some(function) => {
                let top = self.machine.frames().len().checked_sub(1)?;
                let index = self.frame_running(function, top)?;
                let value = self.with_selected_frame(index, |target| target.eval(text, read));
                if let Err(errors) = &value
                    && self.is_out_of_scope(function, text, errors)
                {
                    return None;
                }
                value
            }
        };
        Some(value.unwrap_or_else(|diagnostics| Err(first_error_message(&diagnostics))))
    }

    /// Whether an action has just ended, so that control returns to the player.
    fn is_at_action_end(&mut self) -> bool {
        match self.machine.next_instruction() {
            Some(Instr::Ask { .. }) => true,
            // The actions of an entry before this one.
            Some(Instr::BeginAction) => {
                let action = self.machine.store.action;
                let entry = self.innermost_entry();
                entry.is_some_and(|e| e.resets_game() && action > 0 || action > e.before.action)
            }
            Some(Instr::Return { .. } | Instr::ReturnNothing) => {
                self.machine.frames().len() == 1 && !self.is_only_looking()
            }
            _ => false,
        }
    }

    /// Whether the running entry is an expression that has changed nothing.
    fn is_only_looking(&mut self) -> bool {
        let Some(entry) = self.innermost_entry().filter(|e| e.is_expression) else {
            return false;
        };
        let before = entry.before.clone();
        let now = self.machine.checkpoint();
        timeline::same_except_time(&before, &now)
    }

    /// How the action that has just ended violates a property, if it does.
    pub(super) fn violation(&mut self, property: &Property) -> Option<Violation> {
        if property.kind == PropertyKind::Sometimes || !self.is_at_action_end() {
            return None;
        }
        let violation = |error| {
            Some(Violation {
                kind: property.kind,
                text: property.text.clone(),
                error,
            })
        };
        match self.property_value(property)? {
            Ok(value) if property.kind.is_violated_by(value) => violation(None),
            Ok(_) => None,
            Err(message) => violation(Some(message)),
        }
    }

    /// The last entry after which the condition of a property was true.
    fn last_satisfied(&mut self, property: &Property) -> Option<String> {
        let now = self.machine.time();
        if self.machine.is_idle() && self.property_value(property) == Some(Ok(true)) {
            return self.timeline.current().map(|entry| entry.text.clone());
        }
        let found = self.with_time(|target| {
            target.last_trap_where(
                now + 1,
                |target| breakpoint::action_ends(target.program()),
                |_| true,
                |target| {
                    let is_true = target.is_at_action_end()
                        && target.property_value(property) == Some(Ok(true));
                    is_true.then_some(())
                },
                Some,
            )
        });
        let (time, ()) = found?;
        let entries = self.timeline.entries().iter().rev();
        let entry = entries.into_iter().find(|e| e.before.time <= time)?;
        Some(entry.text.clone())
    }

    /// The numbers of all properties.
    pub fn property_numbers(&self) -> Vec<u32> {
        let breakpoints = self.debugger.breakpoints.iter();
        let properties = breakpoints.filter(|b| matches!(b.location, Location::Property(_)));
        properties.map(|b| b.number).collect()
    }

    /// Describes all properties.
    pub fn describe_properties(&mut self) -> Vec<PropertyInfo> {
        let breakpoints = self.debugger.breakpoints.clone();
        breakpoints
            .iter()
            .filter_map(|b| self.describe_property(b))
            .collect()
    }

    /// Describes a property; `None` if the breakpoint is none.
    fn describe_property(&mut self, b: &Breakpoint) -> Option<PropertyInfo> {
        let Location::Property(property) = &b.location else {
            return None;
        };
        let value = self.property_value(property);
        let violations = self.hit_count(b);
        let satisfied_by = match property.kind {
            PropertyKind::Sometimes => self.last_satisfied(property),
            PropertyKind::Always | PropertyKind::Never => None,
        };
        let (now, error) = match value {
            Some(Ok(value)) => (Some(value), None),
            Some(Err(message)) => (None, Some(message)),
            None => (None, None),
        };
        let is_violated = violations > 0 || now.is_some_and(|v| property.kind.is_violated_by(v));
        let verdict = match property.kind {
            PropertyKind::Sometimes if satisfied_by.is_some() => PropertyVerdict::Satisfied,
            PropertyKind::Sometimes => PropertyVerdict::Open,
            _ if is_violated => PropertyVerdict::Violated,
            _ => PropertyVerdict::Holds,
        };
        Some(PropertyInfo {
            id: b.number,
            property: property.kind,
            text: property.text.clone(),
            function: property.function.clone(),
            is_enabled: b.is_enabled,
            now,
            error,
            violations,
            satisfied_by,
            verdict,
        })
    }
}
