//! Entries of the history: starting one, rolling one back, cancelling the running one.

use super::{Plan, RunStart, outcome};
use crate::answer::{Answer, Notice};
use crate::code::{FunctionId, Program};
use crate::frame;
use crate::history::timeline::DiscardedEntry;
use crate::language::Compiled;
use crate::source::{Source, SourceId};
use crate::{HistoryAction, HistoryEntry, Target};
use std::rc::Rc;
use std::sync::Arc;

impl Target {
    /// Starts a compiled entry, or shows what it asks for. At a stop, it runs on top of the stopped program.
    pub fn start(&mut self, compiled: Compiled, source: &Arc<Source>, text: &str) -> Answer {
        if compiled.is_query {
            return self.show_query(compiled);
        }
        let action = match compiled.entry_point {
            Some(function) if self.is_stopped() && !compiled.resets_game => {
                self.action_at_stop(compiled.program, function)
            }
            function => {
                self.discard_all_dry_runs();
                self.forget_last_stop();
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
        self.run_from(RunStart::Entry, |run| {
            let definitions = compiled.messages.into_iter();
            run.answer
                .notices(definitions.map(|message| Notice::Language { message }));
            run.rebind_breakpoints();
            run.ending.definition_parts = run.answer.parts.len();
            run.ending.warnings = compiled.warnings;
            run.follow(Plan::once(None));
        })
    }

    /// Shows what a command of the language asks for, such as a type. What it evaluates is rolled back.
    pub(crate) fn show_query(&mut self, compiled: Compiled) -> Answer {
        let mut answer = Answer::new("");
        let lines = compiled.messages.into_iter();
        answer.notices(lines.map(|message| Notice::Language { message }));
        let Some(function) = compiled.entry_point else {
            return answer;
        };
        match self.eval_entry(compiled.program, function, outcome::value_answer) {
            Ok(value) => answer.absorb(value),
            Err(diagnostics) => answer.reject(diagnostics),
        }
        answer
    }

    /// Runs a function on top of the stopped program, with access to the selected frame. Functions
    /// that are on the stack keep their code.
    pub fn action_at_stop(&self, mut program: Program, function: FunctionId) -> HistoryAction {
        let renumbered = self.keep_running_code(&mut program);
        HistoryAction::EvalInFrame {
            program: Rc::new(program),
            function,
            frame: frame::selected_frame_index(self),
            locals: self.frame_registers(),
            renumbered,
        }
    }

    /// The index of the frame in which an entry was typed, if it was typed at a stop.
    pub(crate) fn stopped_frame_of(&self, entry: usize) -> Option<usize> {
        match self.timeline.entries().get(entry)?.action {
            HistoryAction::EvalInFrame { frame, .. } => Some(frame),
            _ => None,
        }
    }

    /// A frame, counted from the innermost, by its index.
    pub(crate) fn frame_from_top(&self, index: usize) -> Option<usize> {
        self.machine.frames().len().checked_sub(index + 1)
    }

    /// The frame in which an entry was typed, counted from the innermost one now that it has ended.
    pub(crate) fn frame_typed_in(&self, entry: usize) -> Option<usize> {
        let index = self.stopped_frame_of(entry)?;
        self.frame_from_top(index)
    }

    /// Starts a new game with the current definitions. `text` is the entry in the history.
    pub fn start_game(&mut self, text: &str) -> Answer {
        self.discard_all_dry_runs();
        let program = match self.language.with_current_start(self.program()) {
            Ok(current) => current.map_or_else(|| self.program().clone(), Rc::new),
            Err(diagnostics) => {
                let mut answer = Answer::new(text);
                answer.reject(diagnostics);
                return answer;
            }
        };
        let action = HistoryAction::Start {
            function: program.start_function,
            program,
            resets_game: true,
        };
        self.forget_last_stop();
        self.begin_entry(action, None, text.to_string());
        self.run_from(RunStart::Entry, |run| {
            run.rebind_breakpoints();
            run.resume(None);
        })
    }

    /// Records an action that does not run code: a new seed or scripted draws.
    pub fn record_action(&mut self, action: HistoryAction, text: &str) {
        self.begin_entry(action, None, text.to_string());
        if self.machine.is_idle() {
            self.timeline.finish_entry(&mut self.machine);
        }
    }

    /// Rolls back all dry runs, because a new game starts.
    pub(crate) fn discard_all_dry_runs(&mut self) {
        while self.is_dry_run() && self.discard_dry_run().is_some() {}
    }

    /// Starts a history entry. Output of the game up to here counts as shown.
    pub(crate) fn begin_entry(
        &mut self,
        action: HistoryAction,
        source: Option<SourceId>,
        text: String,
    ) -> Option<usize> {
        self.forget_lost_failures();
        let now = self.machine.time();
        let is_after_undo = self.undo_time.take() == Some(now);
        self.discarded_entry = None;
        let forked_branch = self
            .timeline
            .begin_entry(&mut self.machine, action, source, text);
        if let Some(entry) = self.timeline.current_mut() {
            entry.is_after_undo = is_after_undo;
        }
        if let Some(branch) = forked_branch {
            self.debugger.move_points_to_branch(branch, now);
        }
        self.log_cursor = self.machine.log_end();
        forked_branch
    }

    /// Rolls back the last history entry, as if it had never been started.
    pub(crate) fn discard_last_entry(&mut self) -> Option<HistoryEntry> {
        self.take_last_entry().map(|discarded| discarded.entry)
    }

    fn take_last_entry(&mut self) -> Option<DiscardedEntry> {
        let discarded = self.timeline.discard_last(&mut self.machine)?;
        if let Some(branch) = discarded.entry.forked_branch {
            self.debugger.restore_points_from_branch(branch);
        }
        if self.undo_time.is_none() && discarded.entry.is_after_undo {
            self.undo_time = Some(self.machine.time());
        }
        self.log_cursor = self.machine.log_end();
        Some(discarded)
    }

    /// Rolls back the last history entry, which ran in the past without effect. Questions about the
    /// last entry are still about it.
    pub(crate) fn discard_entry_without_effect(&mut self) {
        self.discarded_entry = self.take_last_entry();
    }

    /// The last entry, if it had no effect and was rolled back.
    pub fn discarded_entry(&self) -> Option<&HistoryEntry> {
        self.discarded_entry.as_ref().map(|d| &d.entry)
    }

    /// Runs `f` at the end of the last entry, even if that was rolled back because it had no effect.
    pub fn after_last_entry<R>(&mut self, f: impl FnOnce(&mut Target) -> R) -> R {
        let now = self.machine.time();
        let is_here = |d: &mut DiscardedEntry| d.entry.before.time == now;
        let is_idle = self.machine.is_idle();
        let Some(discarded) = self.discarded_entry.take_if(|d| is_idle && is_here(d)) else {
            return f(self);
        };
        let forked_branch = self
            .timeline
            .restore_discarded(&mut self.machine, discarded);
        if let Some(branch) = forked_branch {
            self.debugger.move_points_to_branch(branch, now);
        }
        let result = f(self);
        self.discard_entry_without_effect();
        result
    }

    /// Redefined functions still on the stack keep their old code under a fresh id. Returns the
    /// pairs of old and new ids.
    pub(crate) fn keep_running_code(&self, program: &mut Program) -> Vec<(FunctionId, FunctionId)> {
        let mut renumbered: Vec<(FunctionId, FunctionId)> = Vec::new();
        // The entry's own function is the last one, so the kept functions go after it.
        for frame in self.machine.frames() {
            let id = frame.function;
            let Some(old) = self.machine.function(id) else {
                continue;
            };
            let same = program.function(id).is_some_and(|new| Rc::ptr_eq(new, old));
            if !same && !renumbered.iter().any(|(from, _)| *from == id) {
                renumbered.push((id, FunctionId(program.functions.len() as u32)));
                program.functions.push(old.clone());
            }
        }
        renumbered
    }

    /// Cancels the running entry and undoes its changes. Returns its text.
    pub fn abandon(&mut self) -> Option<String> {
        self.clear_suspension();
        if self.machine.is_idle() {
            return None;
        }
        self.debugger.selected_frame = 0;
        if self.is_dry_run() {
            // The entry around the dry run is still stopped.
            let text = self.discard_dry_run().map(|r| r.text);
            self.debugger.selected_frame = frame::default_frame(self);
            return text;
        }
        if self.timeline.is_in_past(&self.machine) {
            // In the past, go back to where the entry started and keep it for redo.
            return self.undo_entry().into_iter().next();
        }
        let mut text = None;
        // Entries typed while it was stopped are cancelled with it.
        while !self.machine.is_idle() {
            let entry = self.discard_last_entry()?;
            text = Some(entry.text);
        }
        text
    }

    /// Whether a dry run is in progress, including entries typed during it.
    pub fn is_dry_run(&self) -> bool {
        self.timeline.innermost_dry_run().is_some()
    }

    /// Rolls back the innermost dry run and the entries typed during it.
    pub(crate) fn discard_dry_run(&mut self) -> Option<HistoryEntry> {
        loop {
            let entry = self.discard_last_entry()?;
            if entry.is_dry_run() {
                self.debugger.restore_temporary_breakpoints();
                return Some(entry);
            }
        }
    }
}
