//! Dry runs: running a function or a statement and rolling everything back at its end.

use super::eval::CompiledExpr;
use super::{HistoryEntry, Target};
use crate::code::{FunctionId, FunctionKind};

impl Target {
    /// A block that can be run without arguments, by name.
    pub(crate) fn block_named(&self, name: &str) -> Option<CompiledExpr> {
        let function = self
            .function_named(name)
            .filter(|f| self.why_not_runnable(*f).is_none())?;
        Some(CompiledExpr {
            program: self.program().clone(),
            function,
        })
    }

    /// Why a function cannot be run on its own, if it cannot.
    pub(crate) fn why_not_runnable(&self, function: FunctionId) -> Option<String> {
        let code = self.machine.function(function)?;
        let name = code.name;
        if code.stop_points.is_empty() {
            let names = self.breakpoint_names();
            let hint = if names.is_empty() {
                String::new()
            } else {
                format!("; defined: {}", names.join(", "))
            };
            return Some(format!(
                "`{name}` is not defined, so there is nothing to step through{hint}"
            ));
        }
        let parameters: Vec<&str> = code
            .locals
            .iter()
            .filter(|l| l.register < code.parameter_count)
            .map(|l| l.name.as_str())
            .collect();
        match code.kind {
            FunctionKind::Function if code.parameter_count > 0 => Some(format!(
                "`{name}` takes {}; step through a call with arguments instead",
                parameters.join(" and ")
            )),
            // A block that needs arguments from its caller.
            FunctionKind::Handler | FunctionKind::Rules | FunctionKind::Condition
                if code.parameter_count > 0
                    || code.kind == FunctionKind::Handler
                        && self.program().board_info.self_coord_names.is_some() =>
            {
                Some(format!(
                    "`{name}` only runs on an event; set `:break {name}` and play on"
                ))
            }
            _ => None,
        }
    }

    /// A dry run in the past does not fork the timeline.
    pub(crate) fn set_forked_branch(&mut self, forked_branch: Option<usize>) {
        if let Some(entry) = self.timeline.current_mut() {
            entry.forked_branch = forked_branch;
        }
    }

    /// Whether a dry run is in progress, including entries typed during it.
    pub fn is_dry_run(&self) -> bool {
        self.timeline.entries().iter().any(|r| r.is_dry_run)
    }

    /// Whether the innermost dry run itself has ended, as opposed to an entry typed during it.
    pub(crate) fn is_dry_run_done(&self) -> bool {
        let innermost = self.timeline.entries().iter().rev().find(|r| r.is_dry_run);
        innermost.is_some_and(|r| self.machine.frames().len() <= r.before.depth())
    }

    /// Rolls back the innermost dry run and the entries typed during it.
    pub(crate) fn discard_dry_run(&mut self) -> Option<HistoryEntry> {
        loop {
            let entry = self.discard_last_entry()?;
            if entry.is_dry_run {
                return Some(entry);
            }
        }
    }
}
