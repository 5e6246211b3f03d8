//! A session: the sources, the game, its history and the debugger. Commands and entries come in,
//! [`Answer`] values go out.

mod batch;
mod draw;
mod file_access;
mod glyph;
mod journal;
mod panel;
mod program_input;
mod screen_diff;
pub mod session_file;
mod text;
mod tour;
mod transcript;

pub use crate::debugger::FrameInfo;
pub use crate::debugger::api::{Answer, EditRequest, Line, Style};
pub use crate::text::{cancelled_message, count_noun, elide, first_line};
pub use batch::BatchIo;
pub use draw::{BoardMarks, ViewSettings};
pub use file_access::FileAccess;
pub(crate) use file_access::read_text;
pub(crate) use glyph::is_single_width;
pub(crate) use journal::new_session_file;
pub use journal::{Journal, OrphanJournal, orphan_journals};
pub use tour::Tour;
pub use transcript::{StartConfig, Transcript, TranscriptEntry, to_plain_text};

use crate::debugger::{HistoryAction, Target};
use crate::diagnostic::{Diagnostic, truncate_errors};
use crate::host::{Host, MemoryHost};
use crate::language::{Compiled, Language};
use crate::source::{Origin, Source};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// One user's session: the sources, the game, its history, and everything typed so far.
pub struct Session {
    /// The game, its history and its breakpoints.
    pub target: Target,
    /// How the board is shown.
    pub view_settings: ViewSettings,
    /// When the game started, by the host's clock. Nothing that is saved or run may depend on it.
    pub game_started_at: Duration,
    /// Everything typed, with the replies.
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
    /// The progress of the guided tour.
    pub tour: Tour,
}

impl Session {
    /// A session with an empty game and no access to files.
    pub fn new(language: &'static dyn Language, seed: u64) -> Session {
        Session::with_host(language, seed, Rc::new(MemoryHost::new()))
    }

    /// A session with an empty game and the files and the clock of a host.
    pub fn with_host(language: &'static dyn Language, seed: u64, host: Rc<dyn Host>) -> Session {
        let mut session = Session {
            target: Target::new(language, seed),
            view_settings: ViewSettings::default(),
            transcript: Transcript::new(seed),
            game_started_at: host.now(),
            files: FileAccess::new(host),
            journal: None,
            recording_path: None,
            has_replaced_session: false,
            tour: Tour::default(),
        };
        let program = session.target.program().clone();
        let action = HistoryAction::Start {
            function: program.start_function,
            program,
            resets_game: true,
        };
        session.target.begin_entry(action, None, String::new());
        let mut reply = Answer::new("");
        reply.absorb(session.target.run(|run| run.resume(None)));
        session
    }

    /// The host that supplies files and the clock.
    pub fn host(&self) -> &Rc<dyn Host> {
        self.files.host()
    }

    /// The time since the game started.
    pub fn game_duration(&self) -> Duration {
        self.host().now().saturating_sub(self.game_started_at)
    }

    /// Runs `f`, which may go to other times, then restores the current one.
    pub fn with_time<R>(&mut self, f: impl FnOnce(&mut Session) -> R) -> R {
        let saved = self.target.save_time();
        let result = f(self);
        self.target.restore_time(saved);
        result
    }

    /// Runs `f` as if the program were stopped at its input prompt.
    pub fn with_input_suspended<R>(&mut self, f: impl FnOnce(&mut Session) -> R) -> R {
        let pending = self.target.pending_input.take();
        let result = f(self);
        self.target.pending_input = pending;
        result
    }

    /// Runs `f` on the live machine, then restores everything.
    pub fn with_rollback<R>(&mut self, f: impl FnOnce(&mut Session) -> R) -> R {
        let saved = self.target.save_state();
        let result = f(self);
        self.target.restore_state(saved);
        result
    }

    /// Loads a program, which starts a new game.
    pub fn load(&mut self, name: &str, text: &str) -> Answer {
        let mut reply = Answer::new("");
        let source = self
            .target
            .sources
            .add(Origin::File(name.to_string()), text);
        match self.target.language.compile_file(&source) {
            Ok(compiled) => {
                self.target.file = Some(name.to_string());
                self.target.main_source = Some(name.to_string());
                self.start(compiled, &source, format!(":load {name}"), &mut reply);
                if reply.ok && self.target.machine.is_idle() {
                    let warnings = self.target.conditions_initially_true();
                    reply.diagnostics.extend(warnings);
                }
            }
            Err(diagnostics) => reject(&mut reply, diagnostics),
        }
        reply
    }

    /// Runs an entry. At a stop, it has access to the variables of the selected frame.
    pub fn submit(&mut self, text: &str) -> Answer {
        let mut reply = Answer::new(text);
        let (source, compiled) = self.target.compile_entry(text);
        match compiled {
            // An empty entry is not recorded.
            Ok(_) if text.trim().is_empty() => {}
            Ok(compiled) => self.start(compiled, &source, text.to_string(), &mut reply),
            Err(diagnostics) => reject(&mut reply, diagnostics),
        }
        reply
    }

    fn start(
        &mut self,
        compiled: Compiled,
        source: &Arc<Source>,
        text: String,
        reply: &mut Answer,
    ) {
        reply.diagnostics.extend(truncate_errors(compiled.warnings));
        if compiled.resets_game {
            self.game_started_at = self.host().now();
        }
        let mut program = compiled.program;
        let action = match compiled.entry_point {
            Some(function) if self.target.is_stopped() && !compiled.resets_game => {
                let renumbered = self.target.keep_running_code(&mut program);
                let (frame, locals) = (
                    self.target.selected_frame_index(),
                    self.target.frame_registers(),
                );
                HistoryAction::EvalInFrame {
                    program: Rc::new(program),
                    function,
                    frame,
                    locals,
                    renumbered,
                }
            }
            function => {
                self.target.discard_all_dry_runs();
                HistoryAction::Start {
                    program: Rc::new(program),
                    function,
                    resets_game: compiled.resets_game,
                }
            }
        };
        if matches!(action, HistoryAction::Start { .. }) {
            self.target.debugger.last_stop_state = None;
            self.target.debugger.last_stop_fields = self.target.record_fields();
        }
        self.target.has_stopped &=
            self.target.is_stopped() && matches!(action, HistoryAction::EvalInFrame { .. });
        self.target.begin_entry(action, Some(source.id), text);
        if let Some(entry) = self.target.timeline.current_mut() {
            entry.is_expression = compiled.is_expression;
        }
        let mut messages = 0;
        let mut answer = self.target.run(|run| {
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
        reply.absorb(answer);
    }

    /// Makes the current state the beginning of the session: it cannot be undone, and it is not
    /// part of the transcript.
    pub fn set_session_start(&mut self) {
        self.transcript.set_baseline();
        self.target.timeline.set_undo_floor();
    }

    /// Restarts the game with the current definitions.
    pub fn restart(&mut self) -> Answer {
        let mut reply = Answer::new(":restart");
        self.target.discard_all_dry_runs();
        let program = self.target.program().clone();
        let action = HistoryAction::Start {
            function: program.start_function,
            program,
            resets_game: true,
        };
        self.target.has_stopped = false;
        self.target.debugger.last_stop_state = None;
        self.game_started_at = self.host().now();
        self.target.begin_entry(action, None, ":restart".into());
        reply.absorb(self.target.run(|run| run.resume(None)));
        // Show the board even if it looks the same as before.
        reply.redraw = reply.ok && self.target.machine.is_idle();
        reply
    }
}

fn reject(reply: &mut Answer, diagnostics: Vec<Diagnostic>) {
    reply.ok = !diagnostics.iter().any(Diagnostic::is_error);
    reply.diagnostics = truncate_errors(diagnostics);
}

#[cfg(test)]
mod tests;
