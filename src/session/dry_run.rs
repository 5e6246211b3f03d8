//! Dry runs: stepping through a block or an expression on the live board, with a rollback at the
//! end.

use super::state_diff::MAX_CHANGES_SHOWN;
use super::watch_expr::CompiledExpr;
use super::{Line, Reply, Session, Style};
use crate::code::{Function, FunctionId, FunctionKind, Instr};
use crate::debugger::{HistoryAction, HistoryEntry, StepTarget};

impl Session {
    /// Starts a dry run of a block or an expression and stops at its first statement. When it ends,
    /// the game is rolled back.
    pub fn start_dry_run(&mut self, text: &str, reply: &mut Reply) {
        let function_by_name = self
            .function_named(text)
            .or_else(|| self.function_named(text.strip_suffix("()")?));
        if let Some(problem) = function_by_name.and_then(|f| self.why_not_runnable(f)) {
            return reply.error(problem);
        }
        let CompiledExpr { program, function } = match function_by_name {
            Some(function) => CompiledExpr {
                program: self.program().clone(),
                function,
            },
            None => match self.compile_expr(text) {
                Ok((_, compiled)) => compiled,
                Err(diagnostics) => {
                    reply.ok = false;
                    reply.diagnostics = diagnostics;
                    return;
                }
            },
        };
        let action = match self.is_stopped() {
            true => {
                let (frame, locals) = (self.selected_frame_index(), self.frame_registers());
                HistoryAction::EvalInFrame {
                    program,
                    function,
                    frame,
                    locals,
                    renumbered: Vec::new(),
                }
            }
            false => HistoryAction::Start {
                program,
                function: Some(function),
                resets_game: false,
            },
        };
        if !self.is_stopped() {
            (
                self.debugger.last_stop_state,
                self.debugger.last_stop_fields,
            ) = (None, self.record_fields());
        }
        let forked_branch = self.begin_entry(action, None, format!(":step {text}"));
        if let Some(entry) = self.timeline.current_mut() {
            (entry.is_dry_run, entry.is_expression) = (true, true);
        }
        self.set_forked_branch(forked_branch);
        reply.line(Line::styled(Style::Dim, "Dry run: nothing will change"));
        let Some((code, pc)) = self
            .machine
            .current_location()
            .and_then(|(f, pc)| Some((self.machine.function(f)?, pc)))
        else {
            return;
        };
        if is_plain_call(code) {
            // Step right into the called function.
            return self.resume(Some(StepTarget::Deeper(self.machine.frames().len())), reply);
        }
        // The first instruction may already be a stop point, unless it belongs to hidden rules.
        match code.stop_point_at(pc).is_some()
            && (code.kind != FunctionKind::Rules || self.debugger.steps_into_rules)
        {
            true => self.report_stop("step", "", reply),
            false => self.resume(Some(StepTarget::Into), reply),
        }
    }

    /// A block that can be run without arguments, by name.
    pub(super) fn block_named(&self, name: &str) -> Option<CompiledExpr> {
        let function = self
            .function_named(name)
            .filter(|f| self.why_not_runnable(*f).is_none())?;
        Some(CompiledExpr {
            program: self.program().clone(),
            function,
        })
    }

    /// Why a function cannot be run on its own, if it cannot.
    fn why_not_runnable(&self, function: FunctionId) -> Option<String> {
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
    fn set_forked_branch(&mut self, forked_branch: Option<usize>) {
        if let Some(entry) = self.timeline.current_mut() {
            entry.forked_branch = forked_branch;
        }
    }

    /// Whether a dry run is in progress, including entries typed during it.
    pub fn is_dry_run(&self) -> bool {
        self.timeline.entries().iter().any(|r| r.is_dry_run)
    }

    /// Whether the innermost dry run itself has ended, as opposed to an entry typed during it.
    pub(super) fn is_dry_run_done(&self) -> bool {
        let innermost = self.timeline.entries().iter().rev().find(|r| r.is_dry_run);
        innermost.is_some_and(|r| self.machine.frames().len() <= r.before.depth())
    }

    /// Rolls back the innermost dry run and the entries typed during it.
    pub(super) fn discard_dry_run(&mut self) -> Option<HistoryEntry> {
        loop {
            let entry = self.discard_last_entry()?;
            if entry.is_dry_run {
                return Some(entry);
            }
        }
    }

    /// Ends a dry run: rolls it back and reports what it would change.
    pub(super) fn finish_dry_run(&mut self, reply: &mut Reply) -> bool {
        let (after, _) = self.machine.store.snapshot();
        let is_innermost = self.timeline.entries().last().is_some_and(|r| r.is_dry_run);
        let entry = self.discard_dry_run();
        if let Some(entry) = entry {
            let changes = self.state_diff(entry.before.store(), &after, MAX_CHANGES_SHOWN);
            let changes = if changes.is_empty() {
                "it would change nothing".to_string()
            } else {
                format!("it would change {}", changes.join(", "))
            };
            let suffix = if is_innermost {
                ""
            } else {
                "; entries typed during it are gone too"
            };
            reply.line(Line::styled(
                Style::Dim,
                format!("Dry run finished: {changes}{suffix}"),
            ));
        }
        self.debugger.selected_frame = 0;
        // It may have been started at a stop.
        if self.is_stopped() {
            self.report_stop("step", "", reply);
        }
        true
    }
}

/// Whether an entry only calls a function, with arguments that call nothing.
fn is_plain_call(code: &Function) -> bool {
    let [stop_point] = code.stop_points.as_slice() else {
        return false;
    };
    let is_call_or_return = |i: &Instr| matches!(i, Instr::Call { .. } | Instr::Return { .. });
    let mut rest = code
        .code
        .iter()
        .zip(&code.spans)
        .skip(stop_point.pc as usize);
    let first = rest.find(|(i, _)| is_call_or_return(i));
    code.kind == FunctionKind::Entry
        && first
            .is_some_and(|(i, s)| matches!(i, Instr::Call { .. }) && s.contains(stop_point.span))
}
