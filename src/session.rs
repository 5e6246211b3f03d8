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
mod play;
mod query;
mod reading;
mod reply;
mod retell;
mod round;
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
pub use json::{answer as json_answer, diagnostic as json_diagnostic, in_session as json_value, state as json_state};
pub use play::Stage;
pub use reading::{Files, read_text};
pub use reply::{Draft, Line, Reply, StopView, Style};
pub use retell::elided;
pub use seen::Seen;
pub use tour::Tour;
pub use transcript::{Beginning, Exchange, Transcript, short, told};

use crate::code::{FunctionId, Program, Role};
use crate::debugger::{Debugger, Deed, Goal, Record, Timeline};
use crate::diagnostic::{Diagnostic, Phase, Severity, the_first};
use crate::language::{Compiled, GameView, Language, Window};
use crate::machine::{Channel, Fault, Machine, Output, Written};
use crate::source::{Origin, Source, SourceId, Sources, Span};
use std::rc::Rc;
use std::sync::Arc;

/// Of what the rules tell while something runs, this many lines are shown: the last ones.
const MOST_NOTES: usize = 5;

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
        let deed = Deed::Run { function: program.start, program, fresh: true };
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
        self.language.view(self.program(), &self.machine.store, window)
    }

    /// What the program asks and waits for.
    pub fn question(&self) -> Option<String> {
        self.asking.as_ref().map(|(question, _)| question.clone())
    }

    pub fn is_asking(&self) -> bool {
        self.asking.is_some()
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
                Deed::Inside { program: Rc::new(program), function, frame, locals, moved }
            }
            run => {
                self.leave_what_is_stopped();
                Deed::Run { program: Rc::new(program), function: run, fresh: compiled.fresh }
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

    /// Something else begins while a run is stopped: the run ends where it is, and a rehearsal never happened.
    fn leave_what_is_stopped(&mut self) {
        while self.timeline.records().iter().any(|r| r.rehearsal) && self.drop_last().is_some() {}
        self.machine.abandon(0);
    }

    /// Begins something new. What the game said in a future that is left is not to be told again, and nothing else was.
    fn begin(&mut self, deed: Deed, source: Option<SourceId>, text: String) -> Option<usize> {
        let now = self.machine.time();
        self.after_undo = self.undone_to.take() == Some(self.machine.time());
        let left = self.timeline.begin(&mut self.machine, deed, source, text);
        left.into_iter().for_each(|branch| self.debugger.leave_moments(branch, now));
        self.told = self.machine.log_lengths();
        left
    }

    /// What was begun last never happened.
    fn drop_last(&mut self) -> Option<Record> {
        let record = self.timeline.drop_last(&mut self.machine);
        if let Some(branch) = record.as_ref().and_then(|r| r.left) {
            self.debugger.rejoin_moments(branch);
        }
        self.undone_to = self.undone_to.or(std::mem::take(&mut self.after_undo).then(|| self.machine.time()));
        self.told = self.machine.log_lengths();
        record
    }

    /// Functions that are on the stack and were defined anew keep their old code, under another number.
    fn keep_running_code(&self, program: &mut Program) -> Vec<(FunctionId, FunctionId)> {
        let mut moved: Vec<(FunctionId, FunctionId)> = Vec::new();
        // The entry's own function is the last: what is kept goes behind it.
        for frame in self.machine.frames() {
            let id = frame.function;
            let Some(old) = self.machine.function(id) else { continue };
            let same = program.function(id).is_some_and(|new| Rc::ptr_eq(new, old));
            if !same && !moved.iter().any(|(from, _)| *from == id) {
                moved.push((id, FunctionId(program.functions.len() as u32)));
                program.functions.push(old.clone());
            }
        }
        moved
    }

    /// Answers the question that the program waits with.
    pub fn answer(&mut self, line: &str) -> Reply {
        let mut reply = Reply::to(line);
        let Some((question, what)) = self.asking.take() else { return reply };
        match self.machine.answer(what, line) {
            Ok(()) => {
                if let Some(record) = self.timeline.current_mut() {
                    record.answers.push(line.to_string());
                }
                let goal = self.going_to.take();
                self.drive(goal, &mut reply);
            }
            Err(message) => {
                let mut wrong = unreadable(&message);
                if line.trim_start().starts_with(':') {
                    wrong.notes.push("commands such as `:help` and `:board` work here; `:abandon` gives up".into());
                }
                reply.diagnostics.push(wrong);
                reply.question = Some(question.clone());
                self.asking = Some((question, what));
            }
        }
        reply
    }

    /// There is no more input: the question stays without answer, and what asked it never happened.
    pub fn give_up_asking(&mut self) {
        if self.drop_question()
            && let Some(journal) = &mut self.journal
        {
            journal.append(&file::Part::GivenUp);
        }
    }

    /// What asks never happened; false if nothing does.
    pub fn drop_question(&mut self) -> bool {
        let asked = self.asking.take().is_some();
        if asked {
            self.drop_last();
            self.debugger.frame = self.own_frame();
        }
        asked
    }

    /// Looks around where the program waits for an answer, as at a stop.
    pub fn while_it_waits<R>(&mut self, look: impl FnOnce(&mut Session) -> R) -> R {
        let asked = self.asking.take();
        let seen = look(self);
        self.asking = asked;
        seen
    }

    /// A question to the language itself, such as `:type`, where no entry can be done.
    pub fn ask_language(&mut self, text: &str) -> Reply {
        let mut reply = Reply::to(text);
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Entry(0), text);
        let frame = self.while_it_waits(|s| s.frame_scope());
        match self.language.entry(&source, self.program(), frame.as_ref()) {
            Ok(compiled) if compiled.run.is_none() => {
                compiled.said.into_iter().for_each(|said| reply.line(Line::styled(Style::Dim, said)));
            }
            Ok(_) => reply.error("the program waits for an answer; `:abandon` gives up what asks"),
            Err(diagnostics) => refuse(&mut reply, diagnostics),
        }
        reply
    }

    /// What the game has said since it was last told.
    fn tell(&mut self, reply: &mut Reply) {
        let outputs = &self.machine.log().outputs;
        let mut notes = Vec::new();
        // After a new branch has begun the log is shorter than what was told.
        for output in outputs.get(self.told.outputs as usize..).unwrap_or_default() {
            match output.channel {
                Channel::Print => reply.output.push(output.text.to_string()),
                Channel::Display => {}
                Channel::Warning => {
                    let text = output.text.to_string();
                    let told = Diagnostic::warning(Phase::Runtime, "RT023", Span::default(), text);
                    let told = Diagnostic { span: self.place_of(output), ..told };
                    // The same again, as by a hundred moves in one line, says nothing new.
                    if reply.diagnostics.last() != Some(&told) {
                        reply.diagnostics.push(told);
                    }
                }
                Channel::Note => notes.push(output.text.clone()),
            }
        }
        let more = notes.len().saturating_sub(MOST_NOTES);
        for note in notes.into_iter().skip(more) {
            reply.line(Line::styled(Style::Dim, note.to_string()));
        }
        if more > 0 {
            reply.line(Line::styled(Style::Dim, format!("and {more} more of this kind before; `:trace on` tells all")));
        }
        self.told = self.machine.log_lengths();
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
    }

    /// The place to point at: the innermost one that is not a line of the rules.
    fn blame(&self) -> Option<Span> {
        let frames = self.machine.frames();
        let top = frames.len().checked_sub(1)?;
        frames.iter().enumerate().rev().find_map(|(n, frame)| {
            let function = self.machine.function(frame.function)?;
            // Frames below the top stand behind their call.
            let pc = if n == top { frame.pc } else { frame.pc.saturating_sub(1) };
            let span = function.spans.get(pc as usize).copied()?;
            (span.source != SourceId::RULES && span != Span::default()).then_some(span)
        })
    }

    /// Where something was said; what the rules of play say belongs to the entry that made them say it.
    fn place_of(&self, output: &Output) -> Option<Span> {
        let own = |span: &Span| span.source != SourceId::RULES;
        self.machine.span_of(output.function, output.pc).filter(own).or_else(|| {
            let source = self.sources.get(self.timeline.records().last()?.source?)?;
            Some(source.whole())
        })
    }

    fn runtime_error(&self, fault: &Fault) -> Diagnostic {
        let mut diagnostic = Diagnostic {
            severity: Severity::Error,
            phase: Phase::Runtime,
            code: fault.code,
            message: fault.message.clone(),
            span: self.blame(),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
        };
        diagnostic.notes.extend(fault.note.clone());
        diagnostic
    }

    pub fn undo(&mut self, count: usize) -> Vec<String> {
        self.asking = None;
        let undone = self.timeline.undo(&mut self.machine, count);
        self.undone_to = Some(self.machine.time());
        undone
    }

    pub fn redo(&mut self, count: usize) -> Vec<String> {
        let redone = self.timeline.redo(&mut self.machine, count);
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
        self.leave_what_is_stopped();
        let program = self.program().clone();
        let deed = Deed::Run { function: program.start, program, fresh: true };
        self.stood = false;
        self.debugger.last_stop = None;
        self.begun = std::time::Instant::now();
        self.begin(deed, None, ":restart".into());
        self.drive(None, &mut reply);
        reply
    }

    /// Whether a function's code is what its name means now.
    pub fn is_current_code(&self, id: FunctionId) -> bool {
        let Some(function) = self.machine.function(id) else { return false };
        function.role == Role::Entry || self.function_titled(function.name.as_str()) == Some(id)
    }

    /// The function of a title, such as `winCondition`.
    pub fn function_titled(&self, title: &str) -> Option<FunctionId> {
        let found = self.program().functions.iter().position(|f| f.name.as_str() == title)?;
        Some(FunctionId(found as u32))
    }
}

/// An answer that is no answer; `message | how to mend it`.
fn unreadable(message: &str) -> Diagnostic {
    let (message, note) = message.split_once(" | ").unwrap_or((message, ""));
    let told = Diagnostic::error(Phase::Check, "RT026", Span::default(), message);
    let notes = if note.is_empty() { Vec::new() } else { vec![note.to_string()] };
    Diagnostic { span: None, notes, ..told }
}

fn refuse(reply: &mut Reply, diagnostics: Vec<Diagnostic>) {
    reply.ok = !diagnostics.iter().any(Diagnostic::is_error);
    reply.diagnostics = the_first(diagnostics);
}
