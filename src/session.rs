//! A session: the sources, the game, its history and the debugger. Commands and entries come in,
//! [`Reply`] values go out.

mod batch;
mod breakpoint_hits;
mod call_tree;
mod draw;
mod dry_run;
mod file_access;
mod glyph;
mod grid_diff;
mod inspect;
mod journal;
mod json;
mod loop_table;
mod loops;
mod output;
mod panel;
mod program_input;
mod provenance;
mod rebinding_loops;
mod reply;
mod resolve;
mod reverse_search;
mod run_control;
mod screen_diff;
pub mod session_file;
mod state_diff;
mod step_expr;
mod stop;
mod text;
mod time_travel;
mod tour;
mod transcript;
mod watch_expr;
mod watchpoint;
mod why;

pub use batch::BatchIo;
pub use draw::{BoardMarks, ViewSettings};
pub use file_access::FileAccess;
pub(crate) use file_access::read_text;
pub(crate) use glyph::is_single_width;
pub use inspect::FrameInfo;
pub(crate) use journal::new_session_file;
pub use journal::{Journal, OrphanJournal, orphan_journals};
pub(crate) use json::session_value_to_json;
pub use json::{diagnostic_to_json, reply_to_json};
pub use reply::{EditRequest, Line, Reply, StopView, Style};
pub(crate) use state_diff::field_diff;
pub(crate) use text::{cancelled_message, count_noun, elide, first_line};
pub use tour::Tour;
pub use transcript::{StartConfig, Transcript, TranscriptEntry, to_plain_text};

use crate::code::{FunctionId, FunctionKind, Program};
use crate::debugger::{Debugger, HistoryAction, HistoryEntry, StepTarget, Timeline};
use crate::diagnostic::{Diagnostic, truncate_errors};
use crate::language::{Compiled, GameView, Language, Viewport};
use crate::machine::{LogPosition, Machine};
use crate::source::{Origin, Source, SourceId, Sources};
use std::rc::Rc;
use std::sync::Arc;

/// One user's session: the sources, the game, its history, and everything typed so far.
pub struct Session {
    language: &'static dyn Language,
    pub sources: Sources,
    pub machine: Machine,
    pub timeline: Timeline,
    pub debugger: Debugger,
    /// The number of entries typed so far; each becomes a source.
    entry_count: u32,
    /// The path of the game's file, if it was loaded from one.
    pub file: Option<String>,
    /// How much of the machine's effect log has been shown.
    log_cursor: LogPosition,
    /// The prompt of the program that is waiting for input, and the kind of answer it expects.
    pending_input: Option<(String, u8)>,
    /// The step in progress when the program asked for input; resumed after the answer.
    interrupted_step: Option<StepTarget>,
    /// Compiled expressions, valid for the current program.
    expr_cache: watch_expr::ExprCache,
    /// A statement that is being stepped through one subexpression at a time.
    partial_eval: Option<step_expr::PartialEval>,
    /// When `Some`, stops are buffered here and only the last one is shown (used by `step N`).
    suppressed_stop: Option<Option<(&'static str, String)>>,
    /// Ctrl-C was pressed during a search of the history.
    cancelled: bool,
    /// Whether the current run has stopped at least once; then its end is reported.
    has_stopped: bool,
    /// The time reached by the last undo or redo, and whether the current entry was started there.
    undo_time: Option<u64>,
    is_after_undo: bool,
    pub view_settings: ViewSettings,
    /// When the game started, in wall-clock time. Nothing that is saved or run may depend on it.
    pub game_started_at: std::time::Instant,
    pub transcript: Transcript,
    /// All file access goes through this, so that a replayed session reads what it read before.
    pub files: FileAccess,
    /// Every line typed is appended to this file at once, so that a crash loses nothing. `None` if
    /// the session is not interactive.
    pub journal: Option<Journal>,
    /// The session file to write when the session ends (`:record`).
    pub recording_path: Option<String>,
    /// Set when this session has just replaced another one.
    pub has_replaced_session: bool,
    pub tour: Tour,
}

impl Session {
    /// A session with an empty game.
    pub fn new(language: &'static dyn Language, seed: u64) -> Session {
        let info = language.info();
        let program = Rc::new(language.empty_program());
        let mut session = Session {
            language,
            sources: Sources::with_rules(info.title, info.rules),
            machine: Machine::new(program.clone(), seed),
            timeline: Timeline::default(),
            debugger: Debugger::default(),
            entry_count: 0,
            file: None,
            log_cursor: LogPosition::default(),
            pending_input: None,
            interrupted_step: None,
            expr_cache: watch_expr::ExprCache::default(),
            partial_eval: None,
            suppressed_stop: None,
            has_stopped: false,
            cancelled: false,
            undo_time: None,
            is_after_undo: false,
            view_settings: ViewSettings::default(),
            transcript: Transcript::new(seed),
            files: FileAccess::default(),
            journal: None,
            recording_path: None,
            has_replaced_session: false,
            game_started_at: std::time::Instant::now(),
            tour: Tour::default(),
        };
        session.machine.set_recording(true);
        let action = HistoryAction::Start {
            function: program.start_function,
            program,
            resets_game: true,
        };
        session.begin_entry(action, None, String::new());
        let mut reply = Reply::new("");
        session.resume(None, &mut reply);
        session
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

    /// Loads a program, which starts a new game.
    pub fn load(&mut self, name: &str, text: &str) -> Reply {
        let mut reply = Reply::new("");
        let source = self.sources.add(Origin::File(name.to_string()), text);
        match self.language.compile_file(&source) {
            Ok(compiled) => {
                self.file = Some(name.to_string());
                self.start(compiled, &source, format!(":load {name}"), &mut reply);
                if reply.ok && self.machine.is_idle() {
                    let warnings = self.conditions_initially_true();
                    reply.diagnostics.extend(warnings);
                }
            }
            Err(diagnostics) => reject(&mut reply, diagnostics),
        }
        reply
    }

    /// Runs an entry. At a stop, it has access to the variables of the selected frame.
    pub fn submit(&mut self, text: &str) -> Reply {
        let mut reply = Reply::new(text);
        self.entry_count += 1;
        let source = self.sources.add(Origin::Entry(self.entry_count), text);
        let frame = self.frame_scope();
        match self
            .language
            .compile_entry(&source, self.program(), frame.as_ref())
        {
            // An empty entry is not recorded.
            Ok(_) if text.trim().is_empty() => {}
            Ok(compiled) => self.start(compiled, &source, text.to_string(), &mut reply),
            Err(diagnostics) => reject(&mut reply, diagnostics),
        }
        reply
    }

    fn start(&mut self, compiled: Compiled, source: &Arc<Source>, text: String, reply: &mut Reply) {
        reply.diagnostics.extend(truncate_errors(compiled.warnings));
        if compiled.resets_game {
            self.game_started_at = std::time::Instant::now();
        }
        let mut program = compiled.program;
        let action = match compiled.entry_point {
            Some(function) if self.is_stopped() && !compiled.resets_game => {
                let renumbered = self.keep_running_code(&mut program);
                let (frame, locals) = (self.selected_frame_index(), self.frame_registers());
                HistoryAction::EvalInFrame {
                    program: Rc::new(program),
                    function,
                    frame,
                    locals,
                    renumbered,
                }
            }
            function => {
                self.discard_all_dry_runs();
                HistoryAction::Start {
                    program: Rc::new(program),
                    function,
                    resets_game: compiled.resets_game,
                }
            }
        };
        if matches!(action, HistoryAction::Start { .. }) {
            self.debugger.last_stop_state = None;
            self.debugger.last_stop_fields = self.record_fields();
        }
        self.has_stopped &=
            self.is_stopped() && matches!(action, HistoryAction::EvalInFrame { .. });
        self.begin_entry(action, Some(source.id), text);
        if let Some(entry) = self.timeline.current_mut() {
            entry.is_expression = compiled.is_expression;
        }
        let before = reply.lines.len();
        for message in compiled.messages {
            reply.line(Line::styled(Style::Dim, message));
        }
        self.rebind_breakpoints(reply);
        let after = reply.lines.len();
        self.resume(None, reply);
        // An entry that failed has defined nothing.
        if !reply.ok && reply.stop.is_none() {
            reply.lines.drain(before..after);
        }
    }

    /// Makes the current state the beginning of the session: it cannot be undone, and it is not
    /// part of the transcript.
    pub fn set_session_start(&mut self) {
        self.transcript.set_baseline();
        self.timeline.set_undo_floor();
    }

    /// Rolls back all dry runs, because a new game starts.
    fn discard_all_dry_runs(&mut self) {
        while self.is_dry_run() && self.discard_dry_run().is_some() {}
    }

    /// Starts a history entry. Output of the game up to here counts as shown.
    fn begin_entry(
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
    fn discard_last_entry(&mut self) -> Option<HistoryEntry> {
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
    fn keep_running_code(&self, program: &mut Program) -> Vec<(FunctionId, FunctionId)> {
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

    /// Restarts the game with the current definitions.
    pub fn restart(&mut self) -> Reply {
        let mut reply = Reply::new(":restart");
        self.discard_all_dry_runs();
        let program = self.program().clone();
        let action = HistoryAction::Start {
            function: program.start_function,
            program,
            resets_game: true,
        };
        self.has_stopped = false;
        self.debugger.last_stop_state = None;
        self.game_started_at = std::time::Instant::now();
        self.begin_entry(action, None, ":restart".into());
        self.resume(None, &mut reply);
        // Show the board even if it looks the same as before.
        reply.redraw = reply.ok && self.machine.is_idle();
        reply
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
}

fn reject(reply: &mut Reply, diagnostics: Vec<Diagnostic>) {
    reply.ok = !diagnostics.iter().any(Diagnostic::is_error);
    reply.diagnostics = truncate_errors(diagnostics);
}
