//! Dry runs: running a function or a statement and rolling everything back at its end.

use crate::answer::CommandError;
use crate::answer::{Part, StopReason};
use crate::breakpoint;
use crate::code::{Function, FunctionId, FunctionKind, Instr};
use crate::frame;
use crate::frame::eval::CompiledExpr;
use crate::{HistoryAction, Run, StepTarget, Target};

impl Target {
    /// A block that can be run without arguments, by name.
    pub fn block_named(&self, name: &str) -> Option<CompiledExpr> {
        let function = self
            .function_named(name)
            .filter(|f| self.why_not_runnable(*f).is_none())?;
        Some(CompiledExpr {
            program: self.program().clone(),
            function,
        })
    }

    /// Why a function cannot be run on its own, if it cannot.
    pub fn why_not_runnable(&self, function: FunctionId) -> Option<CommandError> {
        let code = self.machine.function(function)?;
        let name = code.name;
        if code.stop_points.is_empty() {
            let names = breakpoint::breakpoint_names(self);
            let hint = if names.is_empty() {
                String::new()
            } else {
                format!("; defined: {}", names.join(", "))
            };
            return Some(CommandError::new(format!(
                "`{name}` is not defined, so there is nothing to step through{hint}"
            )));
        }
        let parameters: Vec<&str> = code
            .locals
            .iter()
            .filter(|l| l.register < code.parameter_count)
            .map(|l| l.name.as_str())
            .collect();
        match code.kind {
            FunctionKind::Function if code.parameter_count > 0 => Some(CommandError::new(format!(
                "`{name}` takes {}; step through a call with arguments instead",
                parameters.join(" and ")
            ))),
            // A block that needs arguments from its caller.
            FunctionKind::Handler | FunctionKind::Rules | FunctionKind::Condition
                if code.parameter_count > 0
                    || code.kind == FunctionKind::Handler
                        && self.program().board_info.self_coord_names.is_some() =>
            {
                let error = CommandError::new(format!("`{name}` only runs on an event"));
                Some(error.instruct("set", format!(":break {name}"), "and play on"))
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

    /// Whether the innermost dry run itself has ended, as opposed to an entry typed during it.
    pub(crate) fn is_dry_run_done(&self) -> bool {
        let innermost = self.timeline.innermost_dry_run();
        innermost.is_some_and(|r| self.machine.frames().len() <= r.before.depth())
    }
}

impl Run<'_> {
    /// Starts a dry run of a block or an expression and stops at its first statement. When it ends,
    /// the game is rolled back.
    pub fn start_dry_run(&mut self, text: &str) {
        let function_by_name = self
            .target
            .function_named(text)
            .or_else(|| self.target.function_named(text.strip_suffix("()")?));
        if let Some(problem) = function_by_name.and_then(|f| self.target.why_not_runnable(f)) {
            return self.answer.fail(problem);
        }
        let CompiledExpr { program, function } = match function_by_name {
            Some(function) => CompiledExpr {
                program: self.target.program().clone(),
                function,
            },
            None => match self.target.compile_expr(text) {
                Ok((_, compiled)) => compiled,
                Err(diagnostics) => {
                    self.answer.ok = false;
                    self.answer.diagnostics = diagnostics;
                    return;
                }
            },
        };
        let action = match self.target.is_stopped() {
            true => {
                let (frame, locals) = (
                    frame::selected_frame_index(self.target),
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
            self.target.forget_last_stop();
        }
        let forked_branch = self
            .target
            .begin_entry(action, None, format!(":step {text}"));
        if let Some(entry) = self.target.timeline.current_mut() {
            entry.set_dry_run();
            entry.is_expression = true;
        }
        self.target.set_forked_branch(forked_branch);
        self.answer.parts.push(Part::DryRunStarted);
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
            return self.resume(Some(StepTarget::Deeper(self.target.machine.frames().len())));
        }
        // The first instruction may already be a stop point, unless it belongs to hidden rules.
        match code.stop_point_at(pc).is_some()
            && (code.kind != FunctionKind::Rules || self.target.debugger.steps_into_rules)
        {
            true => self.stop_here(StopReason::Step, "", Vec::new()),
            false => self.resume(Some(StepTarget::Into)),
        }
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
