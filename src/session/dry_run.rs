//! Dry runs: stepping through a block or an expression on the live board, with a rollback at the
//! end.

use super::{Line, Reply, Session, Style};
use crate::code::{Function, FunctionKind, Instr};
use crate::debugger::eval::CompiledExpr;
use crate::debugger::state_diff::MAX_CHANGES_SHOWN;
use crate::debugger::{HistoryAction, StepTarget};

impl Session {
    /// Starts a dry run of a block or an expression and stops at its first statement. When it ends,
    /// the game is rolled back.
    pub fn start_dry_run(&mut self, text: &str, reply: &mut Reply) {
        let function_by_name = self
            .target
            .function_named(text)
            .or_else(|| self.target.function_named(text.strip_suffix("()")?));
        if let Some(problem) = function_by_name.and_then(|f| self.target.why_not_runnable(f)) {
            return reply.error(problem);
        }
        let CompiledExpr { program, function } = match function_by_name {
            Some(function) => CompiledExpr {
                program: self.target.program().clone(),
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
        let action = match self.target.is_stopped() {
            true => {
                let (frame, locals) = (
                    self.target.selected_frame_index(),
                    self.target.frame_registers(),
                );
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
        if !self.target.is_stopped() {
            (
                self.target.debugger.last_stop_state,
                self.target.debugger.last_stop_fields,
            ) = (None, self.target.record_fields());
        }
        let forked_branch = self
            .target
            .begin_entry(action, None, format!(":step {text}"));
        if let Some(entry) = self.target.timeline.current_mut() {
            (entry.is_dry_run, entry.is_expression) = (true, true);
        }
        self.target.set_forked_branch(forked_branch);
        reply.line(Line::styled(Style::Dim, "Dry run: nothing will change"));
        let Some((code, pc)) = self
            .target
            .machine
            .current_location()
            .and_then(|(f, pc)| Some((self.target.machine.function(f)?, pc)))
        else {
            return;
        };
        if is_plain_call(code) {
            // Step right into the called function.
            return self.resume(
                Some(StepTarget::Deeper(self.target.machine.frames().len())),
                reply,
            );
        }
        // The first instruction may already be a stop point, unless it belongs to hidden rules.
        match code.stop_point_at(pc).is_some()
            && (code.kind != FunctionKind::Rules || self.target.debugger.steps_into_rules)
        {
            true => self.report_stop("step", "", reply),
            false => self.resume(Some(StepTarget::Into), reply),
        }
    }

    /// Ends a dry run: rolls it back and reports what it would change.
    pub(super) fn finish_dry_run(&mut self, reply: &mut Reply) -> bool {
        let (after, _) = self.target.machine.store.snapshot();
        let is_innermost = self
            .target
            .timeline
            .entries()
            .last()
            .is_some_and(|r| r.is_dry_run);
        let entry = self.target.discard_dry_run();
        if let Some(entry) = entry {
            let changes = self
                .target
                .state_diff(entry.before.store(), &after, MAX_CHANGES_SHOWN);
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
        self.target.debugger.selected_frame = 0;
        // It may have been started at a stop.
        if self.target.is_stopped() {
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
