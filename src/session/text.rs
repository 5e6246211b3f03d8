//! Messages that several commands share.

use super::Session;
use crate::answer::CommandError;
use crate::debugger::breakpoint;

impl Session {
    /// A location that `:break` accepts in the current program, for hints: the win condition, another
    /// condition, or any name.
    pub fn example_breakpoint(&self) -> String {
        let names = breakpoint::breakpoint_names(&self.target);
        let name = names
            .iter()
            .find(|name| *name == "winCondition")
            .or_else(|| names.iter().find(|name| name.ends_with("Condition")))
            .or(names.first());
        name.map_or("LINE", String::as_str).to_string()
    }

    /// The error of commands that need a stopped program.
    pub fn not_stopped(&self) -> CommandError {
        let command = format!(":break {}", self.example_breakpoint());
        CommandError::new("nothing is stopped").instruct(
            "set a breakpoint with",
            command,
            "and play",
        )
    }
}
