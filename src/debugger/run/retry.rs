//! What happens at a runtime error: whether it stops the program, and how the entry that failed is
//! cancelled or its statement run again.

use super::RunStart;
use super::failure::Failure;
use crate::answer::Answer;
use crate::code::FunctionKind;
use crate::frame;
use crate::history;
use crate::run::stop;
use crate::source::SourceId;
use crate::{FrameInfo, HistoryAction, HistoryEntry, StepTarget, Target};
use std::collections::HashSet;

/// Something typed at the stop, to be done again when the failed statement is retried.
struct TypedEntry {
    action: HistoryAction,
    source: Option<SourceId>,
    text: String,
}

impl Target {
    /// Whether an error here stops the program, instead of cancelling the entry. If the run started
    /// at a stop, the user is inspecting the entry already.
    pub(crate) fn stops_at_error(&mut self, start: RunStart) -> bool {
        self.debugger.stops_on_error()
            || self.debugger.stops_on_program_errors
                && !self.is_loading()
                && (start == RunStart::Stop || self.has_failed_in_program())
    }

    /// Whether a file is being loaded: if that fails, the file is not loaded.
    fn is_loading(&self) -> bool {
        self.timeline.current().is_some_and(|entry| {
            let action = &entry.action;
            entry.source.is_some()
                && matches!(action, HistoryAction::Start { resets_game, .. } if *resets_game)
        })
    }

    /// Whether there is something to inspect: the program's code, or variables and changes of the
    /// entry. A single statement that was typed is on the screen already.
    fn has_failed_in_program(&mut self) -> bool {
        let from_top = frame::default_frame(self);
        let frame = frame::frame_info(self, from_top);
        if frame.is_some_and(|frame| frame.kind != FunctionKind::Entry) {
            return true;
        }
        self.machine.frames().len() == 1
            && (!frame::locals(self, 0).is_empty()
                || !history::changes_since_stop(self).1.is_empty())
    }

    /// Cancels the entry that failed, as if it had never been started. Returns its text; `None` if
    /// the program is not stopped at an error.
    pub fn cancel_failed_entry(&mut self) -> Option<String> {
        self.failure_here()?;
        let failed = history::innermost_entry(self)?.before.clone();
        if failed.depth() == 0 || self.is_dry_run() {
            return self.abandon();
        }
        // It was typed at a stop, where the program is stopped again.
        self.clear_suspension();
        let mut text = None;
        while self.machine.frames().len() > failed.depth() || self.machine.time() > failed.time {
            let entry = self.discard_last_entry()?;
            text = Some(entry.text);
        }
        self.debugger.selected_frame = frame::default_frame(self);
        text
    }

    /// Runs the statement that failed again, after what was typed at the stop. If a function on the
    /// call stack was redefined there, its call is run again, with the new code. `None` if the
    /// program is not stopped at an error.
    pub fn retry(&mut self) -> Option<Answer> {
        let failure = self.failure_here()?;
        let time = self.with_time(|target| target.retry_time(failure));
        if self.cancelled {
            return Some(Answer::new(""));
        }
        let entries = self.timeline.entries();
        let before = entries.get(..failure.entry_count).unwrap_or(entries);
        let kept = before.partition_point(|e| e.before.time <= time).max(1);
        let typed: Vec<TypedEntry> = entries[kept..].iter().map(TypedEntry::of).collect();
        self.clear_suspension();
        for _ in &typed {
            self.discard_last_entry();
        }
        self.timeline.rewind(&mut self.machine, time);
        self.log_cursor = self.machine.log_end();
        self.record_visit();
        for entry in typed {
            let answer = self.type_again(entry);
            if !answer.ok || answer.stop.is_some() || answer.question.is_some() {
                return Some(answer);
            }
        }
        self.forget_lost_failures();
        Some(self.run(|run| run.resume(None)))
    }

    /// When the statement to be retried started.
    fn retry_time(&mut self, failure: Failure) -> u64 {
        let entry_start = history::innermost_entry(self).map_or(0, |e| e.before.time);
        let found = match self.outermost_old_frame() {
            Some(index) => self.last_hit_before_in(StepTarget::Over(index), failure.time, true),
            None => {
                let from_top = frame::default_frame(self);
                let is_at_start = |frame: &FrameInfo| {
                    let function = self.machine.function(frame.function);
                    from_top == 0 && function.is_some_and(|f| f.stop_point_at(frame.pc).is_some())
                };
                if frame::frame_info(self, from_top)
                    .as_ref()
                    .is_some_and(is_at_start)
                {
                    return failure.time;
                }
                let depth = failure.depth - from_top;
                self.last_hit_before_in(StepTarget::Over(depth), failure.time, false)
            }
        };
        found.unwrap_or(0).max(entry_start)
    }

    /// The outermost frame whose function was redefined, counted from the outermost.
    fn outermost_old_frame(&self) -> Option<usize> {
        let mut current = HashSet::new();
        let frames = self.machine.frames().iter();
        let is_old = |function| current.insert(function) && !self.is_current_code(function);
        let mut functions = frames.map(|frame| frame.function);
        functions.position(is_old).filter(|index| *index > 0)
    }

    /// Does again, at another position, what was typed at a stop.
    fn type_again(&mut self, entry: TypedEntry) -> Answer {
        let source = entry.source.and_then(|id| self.sources.get(id)).cloned();
        match (entry.action, source) {
            (action @ (HistoryAction::Seed(_) | HistoryAction::ScriptDraws(_)), _) => {
                self.record_action(action, &entry.text);
                Answer::new("")
            }
            (action, Some(source)) => {
                if let HistoryAction::EvalInFrame { frame, .. } = action {
                    let depth = self.machine.frames().len();
                    self.debugger.selected_frame = depth.saturating_sub(frame + 1);
                }
                let scope = frame::frame_scope(self);
                let program = self.program().clone();
                match self
                    .language
                    .compile_entry(&source, &program, scope.as_ref())
                {
                    Ok(compiled) => {
                        self.at_once(|target| target.start(compiled, &source, &entry.text))
                    }
                    Err(diagnostics) => {
                        let mut answer = Answer::new("");
                        answer.reject(diagnostics);
                        answer.absorb(stop::reshow_stop(self));
                        answer
                    }
                }
            }
            (_, None) => Answer::new(""),
        }
    }
}

impl TypedEntry {
    fn of(entry: &HistoryEntry) -> TypedEntry {
        TypedEntry {
            action: entry.action.clone(),
            source: entry.source,
            text: entry.text.clone(),
        }
    }
}
