//! One person's live session: the sources, the game, what was typed and what came of it.

mod debug;
mod difference;
mod draw;
mod evaluate;
pub mod file;
mod glyph;
mod grid;
mod inspect;
mod journal;
mod json;
mod judge;
mod made;
mod name;
mod panel;
mod play;
mod query;
mod question;
mod reading;
mod rehearse;
mod reply;
mod retell;
mod round;
mod said;
mod search;
mod seen;
mod stop;
mod table;
mod tour;
mod transcript;
mod travel;
mod turns;
mod watched;
mod why;

pub use difference::field_differences;
pub use draw::{Look, Marked};
pub use glyph::fits as glyph_fits;
pub use inspect::FrameLook;
pub use journal::{Journal, Leftover, leftovers, of as file_of, whole as whole_file};
pub use json::{
    answer as json_answer, diagnostic as json_diagnostic, in_session as json_value,
    state as json_state,
};
pub use play::Stage;
pub use reading::{Files, read_text};
pub use reply::{Draft, Line, Reply, StopView, Style};
pub use retell::{elided, in_a_line};
pub use seen::Seen;
pub use tour::Tour;
pub use transcript::{Beginning, Exchange, Transcript, short, told};

use crate::code::{FunctionId, Program, Role};
use crate::debugger::{Debugger, Deed, Goal, Record, Timeline};
use crate::diagnostic::{Diagnostic, the_first};
use crate::language::{Compiled, GameView, Language, Window};
use crate::machine::{Machine, Written};
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
    entries: u32,
    /// The game's file, if it came from one.
    pub file: Option<String>,
    /// How much of the machine's log has been told.
    told: Written,
    /// The question that the run waits with, and how its answer is read.
    asking: Option<(String, u8)>,
    /// The step that it interrupted, to be finished when it is answered.
    going_to: Option<Goal>,
    /// Expressions that were compiled for the program as it is.
    queries: query::Queries,
    /// A statement that is shown part by part.
    part: Option<evaluate::Part>,
    /// While set, a stop is not shown but kept here: only the last of several is of interest.
    held: Option<Option<(&'static str, String)>>,
    /// Ctrl-C was pressed while the past was searched.
    enough: bool,
    /// Whether the run going on has stopped on its way: its end is to be told then.
    stood: bool,
    /// The time that was last undone to, and whether what goes on was begun there.
    undone_to: Option<u64>,
    after_undo: bool,
    pub look: Look,
    /// When the game was begun, by the clock on the wall: nothing that is kept or run may depend on it.
    pub begun: std::time::Instant,
    pub transcript: Transcript,
    pub files: Files,
    /// Where all that is typed is written down at once; nowhere, if nobody sits at the keyboard.
    pub journal: Option<Journal>,
    /// The session file that it goes into when it ends.
    pub recording: Option<String>,
    /// This session has just taken the place of another.
    pub adopted: bool,
    pub tour: Tour,
}

impl Session {
    /// A session in which nothing is defined yet.
    pub fn new(language: &'static dyn Language, seed: u64) -> Session {
        let about = language.about();
        let program = Rc::new(language.blank());
        let mut session = Session {
            language,
            sources: Sources::with_rules(about.title, about.rules),
            machine: Machine::new(program.clone(), seed),
            timeline: Timeline::default(),
            debugger: Debugger::default(),
            entries: 0,
            file: None,
            told: Written::default(),
            asking: None,
            going_to: None,
            queries: query::Queries::default(),
            part: None,
            held: None,
            stood: false,
            enough: false,
            undone_to: None,
            after_undo: false,
            look: Look::default(),
            transcript: Transcript::new(seed),
            files: Files::default(),
            journal: None,
            recording: None,
            adopted: false,
            begun: std::time::Instant::now(),
            tour: Tour::default(),
        };
        session.machine.record(true);
        let deed = Deed::Run {
            function: program.start,
            program,
            fresh: true,
        };
        session.begin(deed, None, String::new());
        let mut reply = Reply::to("");
        session.drive(None, &mut reply);
        session
    }

    pub fn language(&self) -> &'static dyn Language {
        self.language
    }

    pub fn program(&self) -> &Rc<Program> {
        self.machine.program()
    }

    /// The game, with the part of the board that is wanted.
    pub fn view(&self, window: Window) -> GameView {
        self.language
            .view(self.program(), &self.machine.store, window)
    }

    /// Loads a file: a new game.
    pub fn load(&mut self, name: &str, text: &str) -> Reply {
        let mut reply = Reply::to("");
        let source = self.sources.add(Origin::File(name.to_string()), text);
        match self.language.load(&source) {
            Ok(compiled) => {
                self.file = Some(name.to_string());
                self.start(compiled, &source, format!(":load {name}"), &mut reply);
                if reply.ok && self.machine.is_idle() {
                    let warnings = self.conditions_true_already();
                    reply.diagnostics.extend(warnings);
                }
            }
            Err(diagnostics) => refuse(&mut reply, diagnostics),
        }
        reply
    }

    /// Does one entry in the language; at a stop it sees what the frame at hand sees.
    pub fn submit(&mut self, text: &str) -> Reply {
        let mut reply = Reply::to(text);
        self.entries += 1;
        let source = self.sources.add(Origin::Entry(self.entries), text);
        let frame = self.frame_scope();
        match self.language.entry(&source, self.program(), frame.as_ref()) {
            // Nothing was done that could be undone.
            Ok(_) if text.trim().is_empty() => {}
            Ok(compiled) => self.start(compiled, &source, text.to_string(), &mut reply),
            Err(diagnostics) => refuse(&mut reply, diagnostics),
        }
        reply
    }

    fn start(&mut self, compiled: Compiled, source: &Arc<Source>, text: String, reply: &mut Reply) {
        reply.diagnostics.extend(the_first(compiled.warnings));
        if compiled.fresh {
            self.begun = std::time::Instant::now();
        }
        let mut program = compiled.program;
        let deed = match compiled.run {
            Some(function) if self.is_stopped() && !compiled.fresh => {
                let moved = self.keep_running_code(&mut program);
                let (frame, locals) = (self.frame_index(), self.registers_at_hand());
                Deed::Inside {
                    program: Rc::new(program),
                    function,
                    frame,
                    locals,
                    moved,
                }
            }
            run => {
                self.leave_rehearsals();
                Deed::Run {
                    program: Rc::new(program),
                    function: run,
                    fresh: compiled.fresh,
                }
            }
        };
        if matches!(deed, Deed::Run { .. }) {
            self.debugger.last_stop = None;
            self.debugger.last_fields = self.fields();
        }
        self.stood &= self.is_stopped() && matches!(deed, Deed::Inside { .. });
        self.begin(deed, Some(source.id), text);
        if let Some(record) = self.timeline.current_mut() {
            record.gives = compiled.answers;
        }
        let before = reply.lines.len();
        for said in compiled.said {
            reply.line(Line::styled(Style::Dim, said));
        }
        self.settle(reply);
        let after = reply.lines.len();
        self.drive(None, reply);
        // What failed defined nothing.
        if !reply.ok && reply.stop.is_none() {
            reply.lines.drain(before..after);
        }
    }

    /// The session begins with the game that was just loaded: that is not taken back, and not typed again.
    pub fn begin_here(&mut self) {
        self.transcript.begin_here();
        self.timeline.begin_here();
    }

    /// The game begins anew: what was only rehearsed never happened.
    fn leave_rehearsals(&mut self) {
        while self.is_rehearsing() && self.drop_rehearsal().is_some() {}
    }

    /// Begins something new. What the game said in a future that is left is not to be told again, and nothing else was.
    fn begin(&mut self, deed: Deed, source: Option<SourceId>, text: String) -> Option<usize> {
        let now = self.machine.time();
        self.after_undo = self.undone_to.take() == Some(self.machine.time());
        let left = self.timeline.begin(&mut self.machine, deed, source, text);
        left.into_iter()
            .for_each(|branch| self.debugger.leave_moments(branch, now));
        self.told = self.machine.log_lengths();
        left
    }

    /// What was begun last never happened.
    fn drop_last(&mut self) -> Option<Record> {
        let record = self.timeline.drop_last(&mut self.machine);
        if let Some(branch) = record.as_ref().and_then(|r| r.left) {
            self.debugger.rejoin_moments(branch);
        }
        self.undone_to = self
            .undone_to
            .or(std::mem::take(&mut self.after_undo).then(|| self.machine.time()));
        self.told = self.machine.log_lengths();
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
        self.asking = None;
        let undone = self.timeline.undo(&mut self.machine, count);
        self.debugger.frame = self.own_frame();
        self.undone_to = Some(self.machine.time());
        undone
    }

    pub fn redo(&mut self, count: usize) -> Vec<String> {
        let redone = self.timeline.redo(&mut self.machine, count);
        self.told = self.machine.log_lengths();
        self.debugger.frame = self.own_frame();
        self.undone_to = Some(self.machine.time());
        redone
    }

    /// Something that takes no running: a new seed, chosen draws.
    pub fn note_deed(&mut self, deed: Deed, text: &str) {
        self.begin(deed, None, text.to_string());
        if self.machine.is_idle() {
            self.timeline.finish(&mut self.machine);
        }
    }

    /// Starts the game again, from its variables on.
    pub fn restart(&mut self) -> Reply {
        let mut reply = Reply::to(":restart");
        self.leave_rehearsals();
        let program = self.program().clone();
        let deed = Deed::Run {
            function: program.start,
            program,
            fresh: true,
        };
        self.stood = false;
        self.debugger.last_stop = None;
        self.begun = std::time::Instant::now();
        self.begin(deed, None, ":restart".into());
        self.drive(None, &mut reply);
        // Who begins anew wants to see it, though it may look as before.
        reply.redraw = reply.ok && self.machine.is_idle();
        reply
    }

    /// Whether a function's code is what its name means now.
    pub fn is_current_code(&self, id: FunctionId) -> bool {
        let Some(function) = self.machine.function(id) else {
            return false;
        };
        function.role == Role::Entry || self.function_titled(function.name.as_str()) == Some(id)
    }

    /// The function of a title, such as `winCondition`.
    pub fn function_titled(&self, title: &str) -> Option<FunctionId> {
        let found = self
            .program()
            .functions
            .iter()
            .position(|f| f.name.as_str() == title)?;
        Some(FunctionId(found as u32))
    }
}

fn refuse(reply: &mut Reply, diagnostics: Vec<Diagnostic>) {
    reply.ok = !diagnostics.iter().any(Diagnostic::is_error);
    reply.diagnostics = the_first(diagnostics);
}
