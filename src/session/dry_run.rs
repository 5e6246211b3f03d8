//! Stepping through a block or an expression on the live board, without changing the game.

use super::watch_expr::CompiledExpr;
use super::{Line, Reply, Session, Style};
use crate::code::{Function, FunctionId, FunctionKind, Instr};
use crate::debugger::{HistoryAction, HistoryEntry, StepTarget};

impl Session {
    /// Begins to run a block or an expression, to be stepped through. It is a rehearsal: when it is done all is
    /// as it was.
    pub fn start_dry_run(&mut self, text: &str, reply: &mut Reply) {
        let titled = self
            .function_named(text)
            .or_else(|| self.function_named(text.strip_suffix("()")?));
        if let Some(trouble) = titled.and_then(|f| self.not_by_itself(f)) {
            return reply.error(trouble);
        }
        let CompiledExpr { program, function } = match titled {
            Some(function) => CompiledExpr {
                program: self.program().clone(),
                function,
            },
            None => match self.compile_expr(text) {
                Ok((_, looked)) => looked,
                Err(diagnostics) => {
                    reply.ok = false;
                    reply.diagnostics = diagnostics;
                    return;
                }
            },
        };
        let deed = match self.is_stopped() {
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
        let left = self.begin_entry(deed, None, format!(":step {text}"));
        if let Some(record) = self.timeline.current_mut() {
            (record.is_dry_run, record.is_expression) = (true, true);
        }
        self.leave_branch_alone(left);
        reply.line(Line::styled(
            Style::Dim,
            "Dry run: nothing will change",
        ));
        let Some((code, pc)) = self
            .machine
            .current_location()
            .and_then(|(f, pc)| Some((self.machine.function(f)?, pc)))
        else {
            return;
        };
        if is_mere_call(code) {
            // What matters is in what it calls.
            return self.resume(Some(StepTarget::Deeper(self.machine.frames().len())), reply);
        }
        // A function's first stop may be its very first instruction; that of a rule is none, unless they are stepped through.
        match code.stop_point_at(pc).is_some()
            && (code.kind != FunctionKind::Rules || self.debugger.steps_into_rules)
        {
            true => self.report_stop("step", "", reply),
            false => self.resume(Some(StepTarget::Into), reply),
        }
    }

    /// A block that can be run as it is, by its title.
    pub(super) fn block_named(&self, title: &str) -> Option<CompiledExpr> {
        let function = self
            .function_named(title)
            .filter(|f| self.not_by_itself(*f).is_none())?;
        Some(CompiledExpr {
            program: self.program().clone(),
            function,
        })
    }

    /// Why a function can't be run as it is.
    fn not_by_itself(&self, function: FunctionId) -> Option<String> {
        let code = self.machine.function(function)?;
        let title = code.name;
        if code.stop_points.is_empty() {
            let titles = self.breakpoint_names();
            let there = if titles.is_empty() {
                String::new()
            } else {
                format!("; defined: {}", titles.join(", "))
            };
            return Some(format!(
                "`{title}` is not defined, so there is nothing to step through{there}"
            ));
        }
        let names: Vec<&str> = code
            .locals
            .iter()
            .filter(|l| l.register < code.parameter_count)
            .map(|l| l.name.as_str())
            .collect();
        match code.kind {
            FunctionKind::Function if code.parameter_count > 0 => Some(format!(
                "`{title}` takes {}; step through a call with arguments instead",
                names.join(" and ")
            )),
            // A block that is told something when it is called.
            FunctionKind::Handler | FunctionKind::Rules | FunctionKind::Condition
                if code.parameter_count > 0
                    || code.kind == FunctionKind::Handler
                        && self.program().board_info.self_coord_names.is_some() =>
            {
                Some(format!(
                    "`{title}` only runs on an event; set `:break {title}` and play on"
                ))
            }
            _ => None,
        }
    }

    /// A rehearsal in the past is no new branch.
    fn leave_branch_alone(&mut self, left: Option<usize>) {
        if let Some(record) = self.timeline.current_mut() {
            record.forked_branch = left;
        }
    }

    /// Whether a rehearsal goes on, or something that was typed in its midst.
    pub fn is_dry_run(&self) -> bool {
        self.timeline.entries().iter().any(|r| r.is_dry_run)
    }

    /// Whether what is done now is the rehearsal itself, and not something that was typed in its midst.
    pub(super) fn is_dry_run_done(&self) -> bool {
        let innermost = self.timeline.entries().iter().rev().find(|r| r.is_dry_run);
        innermost.is_some_and(|r| self.machine.frames().len() <= r.before.depth())
    }

    /// The innermost rehearsal never happened, nor what was typed in its midst.
    pub(super) fn discard_dry_run(&mut self) -> Option<HistoryEntry> {
        loop {
            let record = self.discard_last_entry()?;
            if record.is_dry_run {
                return Some(record);
            }
        }
    }

    /// What was only tried is done: all is as it was, but what it changed is told.
    pub(super) fn finish_dry_run(&mut self, reply: &mut Reply) -> bool {
        let (after, _) = self.machine.store.snapshot();
        let last = self.timeline.entries().last().is_some_and(|r| r.is_dry_run);
        let record = self.discard_dry_run();
        if let Some(record) = record {
            let changes = self.state_diff(record.before.store(), &after, 6);
            let changes = if changes.is_empty() {
                "it would change nothing".to_string()
            } else {
                format!("it would change {}", changes.join(", "))
            };
            let typed = if last {
                ""
            } else {
                "; entries typed during it are gone too"
            };
            reply.line(Line::styled(
                Style::Dim,
                format!("Dry run finished: {changes}{typed}"),
            ));
        }
        self.debugger.selected_frame = 0;
        // It may have been tried at a stop.
        if self.is_stopped() {
            self.report_stop("step", "", reply);
        }
        true
    }
}

/// Whether what was typed does nothing but call something, with arguments that call nothing.
fn is_mere_call(code: &Function) -> bool {
    let [only] = code.stop_points.as_slice() else {
        return false;
    };
    let ends = |i: &Instr| matches!(i, Instr::Call { .. } | Instr::Return { .. });
    let mut rest = code.code.iter().zip(&code.spans).skip(only.pc as usize);
    let first = rest.find(|(i, _)| ends(i));
    code.kind == FunctionKind::Entry
        && first.is_some_and(|(i, s)| matches!(i, Instr::Call { .. }) && s.contains(only.span))
}
