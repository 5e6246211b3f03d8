//! One person's live session: the sources, the game, what was typed and what came of it.

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
mod time_travel;
mod tour;
mod transcript;
mod watch_expr;
mod watchpoint;
mod why;

pub use batch::BatchIo;
pub use call_tree::{elide, first_line};
pub use draw::{BoardMarks, ViewSettings};
pub use file_access::{FileAccess, read_text};
pub use glyph::is_single_width as glyph_fits;
pub use inspect::FrameInfo;
pub use journal::{
    Journal, OrphanJournal, full_session_file as whole_file, new_session_file as file_of,
    orphan_journals,
};
pub use json::{
    diagnostic_to_json as json_diagnostic, reply_to_json as json_answer,
    session_value_to_json as json_value, state_to_json as json_state,
};
pub use reply::{EditRequest, Line, Reply, StopView, Style};
pub use screen_diff::DisplayState;
pub use state_diff::field_diff;
pub use tour::Tour;
pub use transcript::{StartConfig, Transcript, TranscriptEntry, diagnostic_lines, to_plain_text};

use crate::code::{FunctionId, FunctionKind, Program};
use crate::debugger::{Debugger, HistoryAction, HistoryEntry, StepTarget, Timeline};
use crate::diagnostic::{Diagnostic, truncate_errors};
use crate::language::{Compiled, GameView, Language, Viewport};
use crate::machine::{LogPosition, Machine};
use crate::source::{Origin, Source, SourceId, Sources};
use std::rc::Rc;
use std::sync::Arc;

pub struct Session {
    language: &'static dyn Language,
    pub sources: Sources,
    pub machine: Machine,
    pub timeline: Timeline,
    pub debugger: Debugger,
    /// How many entries were typed.
    entry_count: u32,
    /// The game's file, if it came from one.
    pub file: Option<String>,
    /// How much of the machine's log has been told.
    log_cursor: LogPosition,
    /// The question that the run waits with, and how its answer is read.
    pending_input: Option<(String, u8)>,
    /// The step that it interrupted, to be finished when it is answered.
    interrupted_step: Option<StepTarget>,
    /// Expressions that were compiled for the program as it is.
    expr_cache: watch_expr::ExprCache,
    /// A statement that is shown part by part.
    partial_eval: Option<step_expr::PartialEval>,
    /// While set, a stop is not shown but kept here: only the last of several is of interest.
    suppressed_stop: Option<Option<(&'static str, String)>>,
    /// Ctrl-C was pressed while the past was searched.
    cancelled: bool,
    /// Whether the run going on has stopped on its way: its end is to be told then.
    has_stopped: bool,
    /// The time that was last undone to, and whether what goes on was begun there.
    undo_time: Option<u64>,
    is_after_undo: bool,
    pub view_settings: ViewSettings,
    /// When the game was begun, by the clock on the wall: nothing that is kept or run may depend on it.
    pub game_started_at: std::time::Instant,
    pub transcript: Transcript,
    pub files: FileAccess,
    /// Where all that is typed is written down at once; nowhere, if nobody sits at the keyboard.
    pub journal: Option<Journal>,
    /// The session file that it goes into when it ends.
    pub recording_path: Option<String>,
    /// This session has just taken the place of another.
    pub has_replaced_session: bool,
    pub tour: Tour,
}

impl Session {
    /// A session in which nothing is defined yet.
    pub fn new(language: &'static dyn Language, seed: u64) -> Session {
        let about = language.info();
        let program = Rc::new(language.empty_program());
        let mut session = Session {
            language,
            sources: Sources::with_rules(about.title, about.rules),
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
        let deed = HistoryAction::Start {
            function: program.start_function,
            program,
            resets_game: true,
        };
        session.begin_entry(deed, None, String::new());
        let mut reply = Reply::new("");
        session.resume(None, &mut reply);
        session
    }

    pub fn language(&self) -> &'static dyn Language {
        self.language
    }

    pub fn program(&self) -> &Rc<Program> {
        self.machine.program()
    }

    /// The game, with the part of the board that is wanted.
    pub fn view(&self, window: Viewport) -> GameView {
        self.language
            .view(self.program(), &self.machine.store, window)
    }

    /// Loads a file: a new game.
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

    /// Does one entry in the language; at a stop it sees what the frame at hand sees.
    pub fn submit(&mut self, text: &str) -> Reply {
        let mut reply = Reply::new(text);
        self.entry_count += 1;
        let source = self.sources.add(Origin::Entry(self.entry_count), text);
        let frame = self.frame_scope();
        match self
            .language
            .compile_entry(&source, self.program(), frame.as_ref())
        {
            // Nothing was done that could be undone.
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
        let deed = match compiled.entry_point {
            Some(function) if self.is_stopped() && !compiled.resets_game => {
                let moved = self.keep_running_code(&mut program);
                let (frame, locals) = (self.selected_frame_index(), self.frame_registers());
                HistoryAction::EvalInFrame {
                    program: Rc::new(program),
                    function,
                    frame,
                    locals,
                    renumbered: moved,
                }
            }
            run => {
                self.leave_rehearsals();
                HistoryAction::Start {
                    program: Rc::new(program),
                    function: run,
                    resets_game: compiled.resets_game,
                }
            }
        };
        if matches!(deed, HistoryAction::Start { .. }) {
            self.debugger.last_stop_state = None;
            self.debugger.last_stop_fields = self.record_fields();
        }
        self.has_stopped &= self.is_stopped() && matches!(deed, HistoryAction::EvalInFrame { .. });
        self.begin_entry(deed, Some(source.id), text);
        if let Some(record) = self.timeline.current_mut() {
            record.is_expression = compiled.is_expression;
        }
        let before = reply.lines.len();
        for said in compiled.messages {
            reply.line(Line::styled(Style::Dim, said));
        }
        self.rebind_breakpoints(reply);
        let after = reply.lines.len();
        self.resume(None, reply);
        // What failed defined nothing.
        if !reply.ok && reply.stop.is_none() {
            reply.lines.drain(before..after);
        }
    }

    /// The session begins with the game that was just loaded: that is not taken back, and not typed again.
    pub fn set_session_start(&mut self) {
        self.transcript.set_baseline();
        self.timeline.set_undo_floor();
    }

    /// The game begins anew: what was only rehearsed never happened.
    fn leave_rehearsals(&mut self) {
        while self.is_dry_run() && self.discard_dry_run().is_some() {}
    }

    /// Begins something new. What the game said in a future that is left is not to be told again, and nothing else was.
    fn begin_entry(
        &mut self,
        deed: HistoryAction,
        source: Option<SourceId>,
        text: String,
    ) -> Option<usize> {
        let now = self.machine.time();
        self.is_after_undo = self.undo_time.take() == Some(self.machine.time());
        let left = self
            .timeline
            .begin_entry(&mut self.machine, deed, source, text);
        left.into_iter()
            .for_each(|branch| self.debugger.move_points_to_branch(branch, now));
        self.log_cursor = self.machine.log_end();
        left
    }

    /// What was begun last never happened.
    fn discard_last_entry(&mut self) -> Option<HistoryEntry> {
        let record = self.timeline.discard_last(&mut self.machine);
        if let Some(branch) = record.as_ref().and_then(|r| r.forked_branch) {
            self.debugger.restore_points_from_branch(branch);
        }
        self.undo_time = self
            .undo_time
            .or(std::mem::take(&mut self.is_after_undo).then(|| self.machine.time()));
        self.log_cursor = self.machine.log_end();
        record
    }

    /// Functions that are on the stack and were defined anew keep their old code, under another number.
    fn keep_running_code(&self, program: &mut Program) -> Vec<(FunctionId, FunctionId)> {
        let mut moved: Vec<(FunctionId, FunctionId)> = Vec::new();
        // The entry's own function is the last: what is kept goes behind it.
        for frame in self.machine.frames() {
            let id = frame.function;
            let Some(old) = self.machine.function(id) else {
                continue;
            };
            let same = program.function(id).is_some_and(|new| Rc::ptr_eq(new, old));
            if !same && !moved.iter().any(|(from, _)| *from == id) {
                moved.push((id, FunctionId(program.functions.len() as u32)));
                program.functions.push(old.clone());
            }
        }
        moved
    }

    pub fn undo(&mut self, count: usize) -> Vec<String> {
        self.pending_input = None;
        let undone = self.timeline.undo(&mut self.machine, count);
        self.debugger.selected_frame = self.default_frame();
        self.undo_time = Some(self.machine.time());
        undone
    }

    pub fn redo(&mut self, count: usize) -> Vec<String> {
        let redone = self.timeline.redo(&mut self.machine, count);
        self.log_cursor = self.machine.log_end();
        self.debugger.selected_frame = self.default_frame();
        self.undo_time = Some(self.machine.time());
        redone
    }

    /// Something that takes no running: a new seed, chosen draws.
    pub fn record_action(&mut self, deed: HistoryAction, text: &str) {
        self.begin_entry(deed, None, text.to_string());
        if self.machine.is_idle() {
            self.timeline.finish_entry(&mut self.machine);
        }
    }

    /// Starts the game again, from its variables on.
    pub fn restart(&mut self) -> Reply {
        let mut reply = Reply::new(":restart");
        self.leave_rehearsals();
        let program = self.program().clone();
        let deed = HistoryAction::Start {
            function: program.start_function,
            program,
            resets_game: true,
        };
        self.has_stopped = false;
        self.debugger.last_stop_state = None;
        self.game_started_at = std::time::Instant::now();
        self.begin_entry(deed, None, ":restart".into());
        self.resume(None, &mut reply);
        // Who begins anew wants to see it, though it may look as before.
        reply.redraw = reply.ok && self.machine.is_idle();
        reply
    }

    /// Whether a function's code is what its name means now.
    pub fn is_current_code(&self, id: FunctionId) -> bool {
        let Some(function) = self.machine.function(id) else {
            return false;
        };
        function.kind == FunctionKind::Entry
            || self.function_named(function.name.as_str()) == Some(id)
    }

    /// The function of a title, such as `winCondition`.
    pub fn function_named(&self, title: &str) -> Option<FunctionId> {
        let found = self
            .program()
            .functions
            .iter()
            .position(|f| f.name.as_str() == title)?;
        Some(FunctionId(found as u32))
    }
}

fn reject(reply: &mut Reply, diagnostics: Vec<Diagnostic>) {
    reply.ok = !diagnostics.iter().any(Diagnostic::is_error);
    reply.diagnostics = truncate_errors(diagnostics);
}
