//! A session: the sources, the game, its history and the debugger. Commands and entries come in,
//! [`Answer`] values go out.
//!
//! ```text
//! batch         runs a program non-interactively
//! command_info  what a command does to the session besides answering
//! coverage      what `:coverage` shows beside the source
//! display       the game as this session shows it
//! file_access   file access of a session
//! journal       the journal
//! lesson        a session file that is played step by step
//! opponent      players whose moves the computer makes
//! predict       predictions: questions that are asked before something runs
//! prelude       loads games with the preludes that they use: files of definitions
//! program_file  the files of the programs that a session has loaded
//! screen_diff   compares what is displayed of the game before and after an entry
//! session_file  session files
//! start         starts sessions
//! text          messages that several commands share
//! tour          the state of the guided tour
//! traces        what a line leaves as it was if it had no effect
//! transcript    the transcript: all input of the session with the replies as plain text
//! ```

#![warn(missing_docs)]

mod batch;
mod command_info;
mod coverage;
mod display;
mod file_access;
mod journal;
mod lesson;
mod opponent;
mod predict;
mod prelude;
mod program_file;
mod screen_diff;
pub mod session_file;
mod start;
mod text;
mod tour;
mod traces;
mod transcript;

pub use crate::answer::{Answer, BoardMarks, EditRequest, Line, Style};
pub use crate::debugger::FrameInfo;
pub use crate::render::ViewSettings;
pub(crate) use crate::render::is_single_width;
pub use crate::text::{cancelled_message, count_noun, elide, first_line};
pub use batch::BatchIo;
pub use command_info::{
    AtInput, CommandEffects, CommandInfo, ComputerMoves, Looks, OnReload, Plays, RecordedIf,
    Records, Sets, Topic,
};
pub use coverage::ShownCoverage;
pub use file_access::{FileAccess, Trust};
pub(crate) use file_access::{read_beside, read_text, with_byte_order_mark_of};
pub use journal::{DamagedJournal, Journal, StoredJournal, StoredJournals};
pub(crate) use journal::{full_session_file, new_session_file};
pub use lesson::{ExerciseState, FailedCheck, Lesson, LessonOrigin, LessonStep};
pub use opponent::{Opponent, Opponents};
pub use predict::{Prediction, PredictionRequest, PredictionTopic, Predictions};
pub use prelude::{add_prelude, load_game, load_preludes};
pub use program_file::{PreludeFile, ProgramFile, ProgramFiles};
pub(crate) use screen_diff::{DisplayState, differing_cells};
pub(crate) use start::{
    begin_game, language_of, load_program, new_session, replace_session, set_up_item, start_config,
    start_game, start_like,
};
pub use start::{start_preludes, start_session, without_preludes};
pub use tour::Tour;
pub use traces::Traces;
pub use transcript::{
    AnsweredQuestion, HistoryPosition, StartConfig, Transcript, TranscriptEntry, stop_on_errors,
    to_plain_text, to_replayed_text,
};

use crate::answer::ShowBoard;
use crate::debugger::Target;
use crate::explorer::Explorer;
use crate::host::{Host, MemoryHost};
use crate::language::{Compiled, Language, ProgramPart, ProgramText};
use crate::source::Source;
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
    /// Everything typed, with the answers.
    pub transcript: Transcript,
    /// All file access goes through this, so that a replayed session reads what it read before.
    pub files: FileAccess,
    /// Every line typed is appended to this file at once, so that a crash loses nothing. `None` if
    /// the session is not interactive.
    pub journal: Option<Journal>,
    /// The session file to write when the session ends (`:record`).
    pub recording_path: Option<String>,
    /// The programs that were loaded, and their files.
    pub programs: ProgramFiles,
    /// The progress of the guided tour.
    pub tour: Tour,
    /// Commands with the name of a variable for which it has been said how to run them.
    pub noted_commands: Vec<&'static str>,
    /// The lesson that is being played.
    pub lesson: Option<Box<Lesson>>,
    /// Questions about what will happen.
    pub predictions: Predictions,
    /// The counts that are shown beside the source.
    pub coverage: ShownCoverage,
    /// Answers questions about the positions of the game.
    pub explorer: Explorer,
    /// Answers such questions without a trace of them, see `command::query`.
    pub query_explorer: Explorer,
    /// The players whose moves the computer makes.
    pub opponents: Opponents,
    /// What was last displayed of the game.
    last_display: Option<Rc<screen_diff::DisplayState>>,
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
            programs: ProgramFiles::default(),
            tour: Tour::default(),
            noted_commands: Vec::new(),
            lesson: None,
            predictions: Predictions::default(),
            coverage: ShownCoverage::Off,
            explorer: Explorer::default(),
            query_explorer: Explorer::default(),
            opponents: Opponents::default(),
            last_display: None,
        };
        session.target.start_game("");
        session
    }

    /// Takes over the limits and the Ctrl-C flag of another session.
    pub fn inherit_limits(&mut self, other: &Session) {
        let machine = &mut self.target.machine;
        machine.limits = other.target.machine.limits;
        machine.set_interrupt_flag(other.target.machine.interrupt_flag());
        self.explorer.limits = other.explorer.limits;
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

    /// Runs `f` on the live machine, then restores everything.
    pub fn with_rollback<R>(&mut self, f: impl FnOnce(&mut Session) -> R) -> R {
        let saved = self.target.save_state();
        let result = f(self);
        self.target.restore_state(saved);
        result
    }

    /// Loads a program, which starts a new game. The preludes stay.
    pub fn load(&mut self, name: &str, text: &str) -> Answer {
        let preludes = self.target.preludes();
        load_game(self, &preludes, name, text)
    }

    /// Runs an entry. At a stop, it has access to the variables of the selected frame.
    pub fn submit(&mut self, text: &str) -> Answer {
        let mut answer = Answer::new(text);
        let (source, compiled) = self.target.compile_entry(text);
        match compiled {
            // An empty entry is not recorded.
            Ok(_) if text.trim().is_empty() => {}
            Ok(compiled) => answer.absorb(self.start(compiled, &source, text)),
            Err(diagnostics) => answer.reject(diagnostics),
        }
        answer
    }

    fn start(&mut self, compiled: Compiled, source: &Arc<Source>, text: &str) -> Answer {
        if compiled.resets_game {
            self.game_started_at = self.host().now();
        }
        self.target.start(compiled, source, text)
    }

    /// Starts a program or prelude that was loaded, and runs its start to its end.
    fn start_loaded(&mut self, compiled: Compiled, source: &Arc<Source>, text: &str) -> Answer {
        let budget = self.target.pause_after.take();
        let answer = self.start(compiled, source, text);
        self.target.pause_after = budget;
        answer
    }

    /// Answers the input prompt and resumes the program.
    pub fn answer(&mut self, line: &str) -> Answer {
        self.target.answer(line)
    }

    /// Cancels the entry that is waiting for input because the input has ended, and records that
    /// in the journal. Returns the text of the entry; `None` if none is waiting.
    pub fn end_input(&mut self) -> Option<String> {
        let text = self.target.cancel_input()?;
        if let Some(journal) = &mut self.journal {
            journal.append(&session_file::SessionItem::EndOfInput);
        }
        Some(text)
    }

    /// The prompt for the next entry: the language, a star if the program differs from what was
    /// loaded or saved, and the number of the entry; or that the program is stopped, or that a
    /// question is open.
    pub fn prompt(&self) -> String {
        match self.target.is_stopped() {
            _ if self.predictions.pending.is_some() => "answer> ".to_string(),
            true => "stopped> ".to_string(),
            false => format!(
                "{}{} {}> ",
                self.target.language().info().name,
                if self.differs_from_file() { "*" } else { "" },
                self.target.next_entry_number()
            ),
        }
    }

    /// The file of the current program.
    pub fn program_file(&self) -> &ProgramFile {
        self.programs.current(&self.target)
    }

    /// The file of the current program.
    pub fn program_file_mut(&mut self) -> &mut ProgramFile {
        self.programs.current_mut(&self.target)
    }

    /// The game as the text of the file `path`.
    pub fn program_text(&self, path: &str) -> ProgramText {
        self.programs.text(&self.target, ProgramPart::Game, path)
    }

    /// How many definitions were added, replaced or deleted since the program was loaded or saved.
    /// Tours and lessons have nothing to save, but the session that a tour interrupts may.
    pub fn unsaved_count(&self) -> usize {
        match &self.tour.parked_session {
            Some(own) if self.tour.is_active => own.unsaved_count(),
            _ if self.lesson.is_some() => 0,
            _ => self.programs.unsaved_count(&self.target),
        }
    }

    /// Whether the program differs from what was loaded or last saved; false if it was neither.
    fn differs_from_file(&self) -> bool {
        let file = self.program_file();
        (file.source.is_some() || file.path.is_some()) && self.unsaved_count() > 0
    }

    /// Makes plain line numbers refer to the current program, also after a `:load` was undone or
    /// has failed.
    pub fn update_main_source(&mut self) {
        let file = self.program_file();
        let has_path = file.path.is_some();
        let source = file.source.and_then(|id| self.target.sources.get(id));
        let name = source.map(|source| source.origin.to_string());
        self.target.file = name.clone().filter(|_| has_path);
        self.target.main_source = name;
    }

    /// Makes the current state the beginning of the session: it cannot be undone, and it is not
    /// part of the transcript.
    pub fn set_session_start(&mut self) {
        self.transcript.set_baseline();
        self.target.timeline.set_undo_floor();
        self.programs.forget_others(&self.target);
    }

    /// Restarts the game with the current definitions.
    pub fn restart(&mut self) -> Answer {
        let mut answer = Answer::new(":restart");
        self.game_started_at = self.host().now();
        answer.absorb(self.target.start_game(":restart"));
        // Show the board even if it looks the same as before.
        if answer.ok && self.target.machine.is_idle() {
            answer.show_board = ShowBoard::Always;
        }
        answer
    }
}

#[cfg(test)]
mod tests;
