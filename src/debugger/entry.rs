//! Entries: running what the user types as a new entry of the history.

use super::api::{Answer, Line, Style};
use super::{HistoryAction, Target};
use crate::code::FunctionId;
use crate::diagnostic::truncate_errors;
use crate::language::Compiled;
use crate::source::Source;
use std::rc::Rc;
use std::sync::Arc;

impl Target {
    /// Starts a compiled entry. At a stop, it runs on top of the stopped program.
    pub(crate) fn start(&mut self, compiled: Compiled, source: &Arc<Source>, text: &str) -> Answer {
        let action = match compiled.entry_point {
            Some(function) if self.is_stopped() && !compiled.resets_game => {
                self.action_at_stop(compiled.program, function)
            }
            function => {
                self.discard_all_dry_runs();
                self.debugger.last_stop_state = None;
                self.debugger.last_stop_fields = self.record_fields();
                self.has_stopped = false;
                HistoryAction::Start {
                    program: Rc::new(compiled.program),
                    function,
                    resets_game: compiled.resets_game,
                }
            }
        };
        self.begin_entry(action, Some(source.id), text.to_string());
        if let Some(entry) = self.timeline.current_mut() {
            entry.is_expression = compiled.is_expression;
        }
        let mut messages = 0;
        let mut answer = self.run(|run| {
            let definitions = compiled.messages.into_iter();
            run.answer
                .lines(definitions.map(|message| Line::styled(Style::Dim, message)));
            run.rebind_breakpoints();
            messages = run.answer.parts.len();
            run.resume(None);
        });
        // An entry that failed has defined nothing.
        if !answer.ok && answer.stop.is_none() {
            answer.parts.drain(..messages);
        }
        let warnings = truncate_errors(compiled.warnings);
        answer.diagnostics.splice(..0, warnings);
        answer
    }

    /// Runs a function on top of the stopped program, with access to the selected frame. Functions
    /// that are on the stack keep their code.
    fn action_at_stop(
        &self,
        mut program: crate::code::Program,
        function: FunctionId,
    ) -> HistoryAction {
        let renumbered = self.keep_running_code(&mut program);
        HistoryAction::EvalInFrame {
            program: Rc::new(program),
            function,
            frame: self.selected_frame_index(),
            locals: self.frame_registers(),
            renumbered,
        }
    }

    /// Starts a new game with the current definitions. `text` is the entry in the history.
    pub(crate) fn start_game(&mut self, text: &str) -> Answer {
        self.discard_all_dry_runs();
        let program = self.program().clone();
        let action = HistoryAction::Start {
            function: program.start_function,
            program,
            resets_game: true,
        };
        self.has_stopped = false;
        self.debugger.last_stop_state = None;
        self.begin_entry(action, None, text.to_string());
        self.run(|run| run.resume(None))
    }
}
