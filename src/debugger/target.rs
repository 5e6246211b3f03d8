//! The target of the debugger: one running game with its sources, its history and its breakpoints.

use super::api::Answer;
use super::eval::ExprCache;
use super::partial_eval::PartialEval;
use super::{Debugger, HistoryAction, HistoryEntry, Run, StepTarget, Timeline};
use crate::code::{FunctionId, FunctionKind, Program};
use crate::diagnostic::Diagnostic;
use crate::language::{
    BoardView, Compiled, GameProgress, GameView, Language, ParsedEntry, Viewport,
};
use crate::machine::{LogPosition, Machine};
use crate::source::{Origin, Source, SourceId, Sources};
use crate::value::Value;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// An entry that was parsed to see whether it is complete, under the id that its source will have.
struct PendingEntry {
    source: Source,
    program: Rc<Program>,
    parsed: ParsedEntry,
}

/// A game that can be run, stopped, inspected and taken back in time.
pub struct Target {
    pub(crate) language: &'static dyn Language,
    /// The number of entries typed so far; each becomes a source.
    entry_count: u32,
    /// The entry that was last parsed and not yet compiled.
    parsed_entry: RefCell<Option<PendingEntry>>,
    /// The texts of the program and of all entries.
    pub sources: Sources,
    /// Runs the program.
    pub machine: Machine,
    /// The history of the game.
    pub timeline: Timeline,
    /// Breakpoints, displays, bookmarks and the selected frame.
    pub debugger: Debugger,
    /// The name of the game's source, which plain line numbers refer to. `None` before a program is
    /// loaded.
    pub main_source: Option<String>,
    /// The path of the game's file, if it was loaded from one.
    pub file: Option<String>,
    /// Runs are advanced in slices of this many instructions.
    pub slice_instructions: u64,
    /// How much of the machine's effect log has been shown.
    pub(crate) log_cursor: LogPosition,
    /// The prompt of the program that is waiting for input, and the kind of answer it expects.
    pub(crate) pending_input: Option<(String, u8)>,
    /// The step in progress when the program asked for input; resumed after the answer.
    pub(crate) interrupted_step: Option<StepTarget>,
    /// Compiled expressions, valid for the current program.
    pub(crate) expr_cache: ExprCache,
    /// A statement that is being stepped through one subexpression at a time.
    pub(crate) partial_eval: Option<PartialEval>,
    /// Ctrl-C was pressed during a search of the history.
    pub(crate) cancelled: bool,
    /// Whether the current run has stopped at least once; then its end is reported.
    pub(crate) has_stopped: bool,
    /// The time reached by the last undo or redo.
    pub(crate) undo_time: Option<u64>,
    /// Whether the current entry was started at `undo_time`.
    pub(crate) is_after_undo: bool,
}

impl Target {
    /// A target with an empty program that has not started.
    pub fn new(language: &'static dyn Language, seed: u64) -> Target {
        let info = language.info();
        let program = Rc::new(language.empty_program());
        let mut machine = Machine::new(program, seed);
        machine.set_recording(true);
        Target {
            language,
            sources: Sources::with_rules(info.title, info.rules),
            machine,
            timeline: Timeline::default(),
            debugger: Debugger::default(),
            main_source: None,
            file: None,
            entry_count: 0,
            parsed_entry: RefCell::default(),
            slice_instructions: u64::MAX,
            log_cursor: LogPosition::default(),
            pending_input: None,
            interrupted_step: None,
            expr_cache: ExprCache::default(),
            partial_eval: None,
            cancelled: false,
            has_stopped: false,
            undo_time: None,
            is_after_undo: false,
        }
    }

    /// Adds the text of an entry to the sources.
    pub fn add_entry_source(&mut self, text: &str) -> Arc<Source> {
        self.entry_count += 1;
        self.sources.add(Origin::Entry(self.entry_count), text)
    }

    /// True if more input could complete an entry. What was parsed is kept for
    /// [`Target::compile_entry`].
    pub fn is_incomplete(&self, text: &str) -> bool {
        let origin = Origin::Entry(self.entry_count + 1);
        let source = Source::new(self.sources.next_id(), origin, text);
        let parsed = self.language.parse_entry(&source, self.program());
        let is_incomplete = parsed.is_incomplete;
        self.parsed_entry.replace(Some(PendingEntry {
            source,
            program: self.program().clone(),
            parsed,
        }));
        is_incomplete
    }

    /// Compiles an entry for the selected frame and adds its text to the sources.
    pub(crate) fn compile_entry(
        &mut self,
        text: &str,
    ) -> (Arc<Source>, Result<Compiled, Vec<Diagnostic>>) {
        let pending = self.parsed_entry.take().filter(|pending| {
            pending.source.id == self.sources.next_id()
                && pending.source.text == text
                && Rc::ptr_eq(&pending.program, self.program())
        });
        let source = self.add_entry_source(text);
        let parsed = match pending {
            Some(pending) => pending.parsed,
            None => self.language.parse_entry(&source, self.program()),
        };
        let frame = self.frame_scope();
        let program = self.program();
        let compiled = self
            .language
            .compile_parsed(parsed, &source, program, frame.as_ref());
        (source, compiled)
    }

    /// Keeps the state of the game at a stop, to tell at the next one what has changed.
    pub(crate) fn remember_stop_state(&mut self) {
        let (state, _) = self.machine.store.snapshot();
        self.debugger.last_stop_state = Some(state);
        self.debugger.last_stop_fields = self.record_fields();
    }

    /// Moves the checkpoints taken during a run into the history.
    pub(crate) fn collect_checkpoints(&mut self) {
        self.timeline.collect_checkpoints(&mut self.machine);
    }

    /// Runs the program as `f` says, and describes where it ends.
    pub fn run(&mut self, f: impl FnOnce(&mut Run<'_>)) -> Answer {
        let mut run = Run::new(self);
        f(&mut run);
        run.finish()
    }

    /// The language of the session.
    pub fn language(&self) -> &'static dyn Language {
        self.language
    }

    /// The program as it is now, with all redefinitions.
    pub fn program(&self) -> &Rc<Program> {
        self.machine.program()
    }

    /// The game as the language displays it, with the given part of the board.
    pub fn view(&self, window: Viewport) -> GameView {
        self.language
            .view(self.program(), &self.machine.store, window)
    }

    /// The board without its cells; `None` if there is none yet.
    pub fn board_outline(&self) -> Option<BoardView> {
        self.language
            .board_outline(self.program(), &self.machine.store)
    }

    /// The status of the game and whose turn it is.
    pub fn progress(&self) -> GameProgress {
        self.language.progress(self.program(), &self.machine.store)
    }

    /// Everything that has a name and a value: variables, fields of records, pieces in lists.
    pub fn named_values(&self) -> Vec<(String, Value)> {
        self.language
            .named_values(self.program(), &self.machine.store)
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
        let now = self.machine.time();
        self.is_after_undo = self.undo_time.take() == Some(self.machine.time());
        let forked_branch = self
            .timeline
            .begin_entry(&mut self.machine, action, source, text);
        forked_branch
            .into_iter()
            .for_each(|branch| self.debugger.move_points_to_branch(branch, now));
        self.log_cursor = self.machine.log_end();
        forked_branch
    }

    /// Rolls back the last history entry, as if it had never been started.
    pub(crate) fn discard_last_entry(&mut self) -> Option<HistoryEntry> {
        let entry = self.timeline.discard_last(&mut self.machine);
        if let Some(branch) = entry.as_ref().and_then(|r| r.forked_branch) {
            self.debugger.restore_points_from_branch(branch);
        }
        self.undo_time = self
            .undo_time
            .or(std::mem::take(&mut self.is_after_undo).then(|| self.machine.time()));
        self.log_cursor = self.machine.log_end();
        entry
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

    /// Undoes the last `count` entries that had an effect; returns their texts.
    pub fn undo(&mut self, count: usize) -> Vec<String> {
        self.pending_input = None;
        let undone = self.timeline.undo(&mut self.machine, count);
        self.debugger.selected_frame = self.default_frame();
        self.undo_time = Some(self.machine.time());
        undone
    }

    /// Redoes up to `count` undone entries; returns their texts.
    pub fn redo(&mut self, count: usize) -> Vec<String> {
        let redone = self.timeline.redo(&mut self.machine, count);
        self.log_cursor = self.machine.log_end();
        self.debugger.selected_frame = self.default_frame();
        self.undo_time = Some(self.machine.time());
        redone
    }

    /// Records an action that does not run code: a new seed or scripted draws.
    pub fn record_action(&mut self, action: HistoryAction, text: &str) {
        self.begin_entry(action, None, text.to_string());
        if self.machine.is_idle() {
            self.timeline.finish_entry(&mut self.machine);
        }
    }

    /// Whether a function's code is the current definition of its name.
    pub fn is_current_code(&self, id: FunctionId) -> bool {
        let Some(function) = self.machine.function(id) else {
            return false;
        };
        function.kind == FunctionKind::Entry
            || self.function_named(function.name.as_str()) == Some(id)
    }

    /// Finds a function by name, such as `winCondition`.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let index = self
            .program()
            .functions
            .iter()
            .position(|f| f.name.as_str() == name)?;
        Some(FunctionId(index as u32))
    }

    /// The state of the game with the whole board.
    pub fn full_view(&self) -> GameView {
        self.view(Viewport::ALL)
    }

    /// The prompt of the program that is waiting for input.
    pub fn question(&self) -> Option<String> {
        self.pending_input
            .as_ref()
            .map(|(question, _)| question.clone())
    }

    /// True if the program is waiting for input.
    pub fn is_waiting_for_input(&self) -> bool {
        self.pending_input.is_some()
    }

    /// Rolls back the entry that is waiting for input and returns its text; `None` if none is.
    pub fn cancel_input(&mut self) -> Option<String> {
        self.pending_input.take()?;
        let entry = self.discard_last_entry();
        self.debugger.selected_frame = self.default_frame();
        Some(entry.map(|e| e.text).unwrap_or_default())
    }

    /// Runs `f` as if the program were stopped at its input prompt.
    pub fn with_input_suspended<R>(&mut self, f: impl FnOnce(&mut Target) -> R) -> R {
        let pending = self.pending_input.take();
        let result = f(self);
        self.pending_input = pending;
        result
    }

    /// Whether the program is stopped, that is neither idle nor waiting for input.
    pub fn is_stopped(&self) -> bool {
        !self.machine.is_idle() && self.pending_input.is_none()
    }

    /// Cancels the running entry and undoes its changes. Returns its text.
    pub fn abandon(&mut self) -> Option<String> {
        self.pending_input = None;
        if self.machine.is_idle() {
            return None;
        }
        self.debugger.selected_frame = 0;
        if self.is_dry_run() {
            // The entry around the dry run is still stopped.
            let text = self.discard_dry_run().map(|r| r.text);
            self.debugger.selected_frame = self.default_frame();
            return text;
        }
        if self.timeline.is_in_past(&self.machine) {
            // In the past, go back to where the entry started and keep it for redo.
            let undone = self.timeline.undo(&mut self.machine, 1);
            return undone.into_iter().next();
        }
        let mut text = None;
        // Entries typed while it was stopped are cancelled with it.
        while !self.machine.is_idle() {
            text = self.discard_last_entry().map(|r| r.text);
            text.as_ref()?;
        }
        text
    }
}
