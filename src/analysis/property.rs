//! Properties as users declare them, and how they have fared so far.

use crate::answer::{CommandError, PropertyInfo, PropertyKind, PropertyVerdict};
use crate::debugger::breakpoint::{self, Breakpoint, Location};
use crate::debugger::frame;
use crate::debugger::frame::eval::scratch_source;
use crate::debugger::{Property, Target, TimePoint};
use crate::diagnostic::Phase;

/// Declares a property. Fails if its condition cannot be compiled, or is not true or false now.
pub fn declare_property(
    target: &mut Target,
    kind: PropertyKind,
    text: &str,
) -> Result<PropertyInfo, CommandError> {
    let function = condition_scope(target, text)?;
    let property = Property {
        kind,
        text: text.to_string(),
        function,
    };
    if let Some(Err(message)) = breakpoint::property_value(target, &property) {
        return Err(CommandError::new(message));
    }
    let program = target.program().clone();
    let location = Location::Property(property);
    let b = target.debugger.add_breakpoint(location, text);
    b.rebind(&program, &target.sources);
    let b = b.clone();
    describe_property(target, &b).ok_or_else(|| CommandError::new("the property was not declared"))
}

/// The function whose variables a condition uses, by name; `None` if it uses none. It must be one that
/// waits for input: others have returned when an action ends.
fn condition_scope(target: &Target, text: &str) -> Result<Option<String>, CommandError> {
    match breakpoint::expression_scope(target, text) {
        Ok(Some(scope)) => match scope.function {
            Some(function) if !waits_for_input(target, &function) => {
                Err(CommandError::new(format!(
                    "`{text}` uses variables of `{function}`, which are gone when an action ends; use variables of the game"
                )))
            }
            function => Ok(function),
        },
        Ok(None) => Err(CommandError::new(format!(
            "`{text}` has no value; a property needs a condition"
        ))),
        Err(message) => match waiting_function(target, text) {
            Some(function) => Ok(Some(function)),
            None => Err(condition_error(target, text, message)),
        },
    }
}

/// The error about a condition that cannot be compiled, with its code and its notes.
fn condition_error(target: &Target, text: &str, message: String) -> CommandError {
    let source = scratch_source(text);
    let scope = frame::frame_scope(target);
    let compiled = target
        .language()
        .compile_entry(&source, target.program(), scope.as_ref());
    let Err(diagnostics) = compiled else {
        return CommandError::new(message);
    };
    let is_syntax_error = diagnostics.iter().any(|d| d.phase == Phase::Parse);
    match !is_syntax_error && breakpoint::waiting_places(target).next().is_some() {
        true => CommandError::new(format!(
            "{message}; a property can use the variables of one function that waits for input"
        )),
        false => CommandError::from(diagnostics),
    }
}

/// Whether a function waits for input, by its name.
fn waits_for_input(target: &Target, name: &str) -> bool {
    let id = target.function_named(name);
    breakpoint::waiting_places(target).any(|(function, _)| Some(function) == id)
}

/// The first function that waits for input and in which a condition can be compiled.
fn waiting_function(target: &Target, text: &str) -> Option<String> {
    let mut places = breakpoint::waiting_places(target);
    let (id, _) = places.find(|place| breakpoint::compiles_at(target, *place, text))?;
    Some(target.program().function(id)?.name.to_string())
}

/// The last entry after which the condition of a property was true.
fn last_satisfied(target: &mut Target, property: &Property) -> Option<String> {
    let now = target.machine.time();
    if target.machine.is_idle() && breakpoint::property_value(target, property) == Some(Ok(true)) {
        return target.timeline.current().map(|entry| entry.text.clone());
    }
    let found = target.with_time(|target| {
        target.last_where(
            TimePoint::at(now + 1),
            |target, end| {
                let traps = breakpoint::action_ends(target.program());
                target.find_traps(end, &traps, |_| true)
            },
            |target, _| {
                let is_true = breakpoint::is_at_action_end(target)
                    && breakpoint::property_value(target, property) == Some(Ok(true));
                is_true.then_some(())
            },
            Some,
        )
    });
    let (TimePoint { time, .. }, ()) = found?;
    let entries = target.timeline.entries().iter().rev();
    let entry = entries.into_iter().find(|e| e.before.time <= time)?;
    Some(entry.text.clone())
}

/// The numbers of all properties.
pub fn property_numbers(target: &Target) -> Vec<u32> {
    let breakpoints = target.debugger.breakpoints.iter();
    let properties = breakpoints.filter(|b| matches!(b.location, Location::Property(_)));
    properties.map(|b| b.number).collect()
}

/// Describes all properties.
pub fn describe_properties(target: &mut Target) -> Vec<PropertyInfo> {
    let breakpoints = target.debugger.breakpoints.clone();
    breakpoints
        .iter()
        .filter_map(|b| describe_property(target, b))
        .collect()
}

/// Describes a property; `None` if the breakpoint is none.
fn describe_property(target: &mut Target, b: &Breakpoint) -> Option<PropertyInfo> {
    let Location::Property(property) = &b.location else {
        return None;
    };
    let value = breakpoint::property_value(target, property);
    let violations = target.hit_count(b);
    let satisfied_by = match property.kind {
        PropertyKind::Sometimes => last_satisfied(target, property),
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
