//! The variables that a statement reads.

use crate::answer::NamedValue;
use crate::code::FunctionId;
use crate::debugger::Target;
use crate::source::Span;
use crate::value::Value;

/// Whether the name is one of the language's flags, such as `win`, and the flag is false.
pub fn is_unset_flag(target: &Target, name: &str) -> bool {
    let Some(global) = target.program().global(name) else {
        return false;
    };
    let is_flag = target
        .program()
        .globals
        .get(global as usize)
        .is_some_and(|g| !g.is_user_defined);
    is_flag && target.machine.store.globals.get(global as usize) == Some(&Value::FALSE)
}

/// The variables that a statement reads, with their current values.
pub fn variables_read(target: &Target, function: FunctionId, span: Span) -> Vec<NamedValue> {
    let Some(code) = target.machine.function(function) else {
        return Vec::new();
    };
    let Some(stop) = code
        .stop_points
        .iter()
        .filter(|s| s.span.contains(span))
        .min_by_key(|s| s.span.end - s.span.start)
    else {
        return Vec::new();
    };
    let end = code
        .stop_points
        .iter()
        .map(|s| s.pc)
        .find(|pc| *pc > stop.pc)
        .unwrap_or(code.code.len() as u32);
    let mut read: Vec<NamedValue> = Vec::new();
    for instr in &code.code[stop.pc as usize..end as usize] {
        let Some(global) = instr.flow().global_loaded() else {
            continue;
        };
        let Some(variable) = target.program().globals.get(global as usize) else {
            continue;
        };
        // The flags are what is being explained, not a reason.
        if is_unset_flag(target, variable.name.as_str()) {
            continue;
        }
        let value = target.machine.store.globals.get(global as usize);
        let value = NamedValue {
            name: variable.name.to_string(),
            value: value.map_or_else(String::new, |v| target.format_value(*v)),
        };
        if !read.contains(&value) {
            read.push(value);
        }
    }
    read
}
