//! The variables that a statement reads.

use crate::answer::NamedValue;
use crate::code::FunctionId;
use crate::debugger::Target;
use crate::source::Span;
use crate::value::Value;

impl Target {
    /// Whether the name is one of the language's flags, such as `win`, and the flag is false.
    pub(crate) fn is_unset_flag(&self, name: &str) -> bool {
        let Some(global) = self.program().global(name) else {
            return false;
        };
        let is_flag = self
            .program()
            .globals
            .get(global as usize)
            .is_some_and(|g| !g.is_user_defined);
        is_flag && self.machine.store.globals.get(global as usize) == Some(&Value::FALSE)
    }

    /// The variables that a statement reads, with their current values.
    pub(crate) fn variables_read(&self, function: FunctionId, span: Span) -> Vec<NamedValue> {
        let Some(code) = self.machine.function(function) else {
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
            let Some(variable) = self.program().globals.get(global as usize) else {
                continue;
            };
            // The flags are what is being explained, not a reason.
            if self.is_unset_flag(variable.name.as_str()) {
                continue;
            }
            let value = self.machine.store.globals.get(global as usize);
            let value = NamedValue {
                name: variable.name.to_string(),
                value: value.map_or_else(String::new, |v| self.format_value(*v)),
            };
            if !read.contains(&value) {
                read.push(value);
            }
        }
        read
    }
}
