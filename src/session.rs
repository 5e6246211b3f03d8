//! One person's live session: the sources, the game, what was typed and what came of it.

mod json;
mod reply;

pub use json::{answer as json_answer, state as json_state};
pub use reply::{Line, Reply, StopView, Style};

use crate::code::{FunctionId, Program, Role};
use crate::debugger::{Deed, Timeline};
use crate::diagnostic::{Diagnostic, Phase, Severity};
use crate::language::{Compiled, GameView, Language, Window};
use crate::machine::{Channel, Fault, Machine, Outcome, Pause, Written};
use crate::source::{Origin, Source, Sources, Span};
use crate::value::Value;
use std::rc::Rc;
use std::sync::Arc;

pub struct Session {
    language: &'static dyn Language,
    pub sources: Sources,
    pub machine: Machine,
    pub timeline: Timeline,
    /// How many entries were typed.
    entries: u32,
    /// The game's file, if it came from one.
    pub file: Option<String>,
    /// How much of the machine's log has been told.
    told: Written,
    /// The question that the run waits with, and how its answer is read.
    asking: Option<(String, u8)>,
    /// Whether the run that is going on answers with its value.
    answers: bool,
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
            entries: 0,
            file: None,
            told: Written::default(),
            asking: None,
            answers: false,
        };
        session.machine.record(true);
        let deed = Deed::Run { function: program.start, program, fresh: true };
        session.timeline.begin(&mut session.machine, deed, None, String::new());
        let mut reply = Reply::to("");
        session.go_on(&mut reply);
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
            }
            Err(diagnostics) => refuse(&mut reply, diagnostics),
        }
        reply
    }

    /// Does one entry in the language.
    pub fn submit(&mut self, text: &str) -> Reply {
        let mut reply = Reply::to(text);
        self.entries += 1;
        let source = self.sources.add(Origin::Entry(self.entries), text);
        match self.language.entry(&source, self.program(), None) {
            Ok(compiled) => self.start(compiled, &source, text.to_string(), &mut reply),
            Err(diagnostics) => refuse(&mut reply, diagnostics),
        }
        reply
    }

    fn start(&mut self, compiled: Compiled, source: &Arc<Source>, text: String, reply: &mut Reply) {
        reply.diagnostics.extend(compiled.warnings);
        self.answers = compiled.answers;
        let program = Rc::new(compiled.program);
        let deed = Deed::Run { program, function: compiled.run, fresh: compiled.fresh };
        self.timeline.begin(&mut self.machine, deed, Some(source.id), text);
        self.told = self.machine.written();
        for said in compiled.said {
            reply.line(Line::styled(Style::Dim, said));
        }
        self.go_on(reply);
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
                self.go_on(&mut reply);
            }
            Err(message) => {
                reply.line(Line::styled(Style::Error, message));
                reply.question = Some(question.clone());
                self.asking = Some((question, what));
            }
        }
        reply
    }

    /// There is no more input: the question stays without answer, and what asked it never happened.
    pub fn give_up_asking(&mut self) {
        if self.asking.take().is_some() {
            self.timeline.drop_last(&mut self.machine);
        }
    }

    /// Runs on, and tells what came of it.
    fn go_on(&mut self, reply: &mut Reply) {
        let outcome = self.machine.run();
        self.timeline.collect(&mut self.machine);
        self.tell(reply);
        match outcome {
            Outcome::Finished(value) => {
                if self.answers && value != Value::NOTHING {
                    reply.data = Some(json::value(self.program(), &self.machine.store, value));
                    reply.value = Some((self.program().write)(self.program(), &self.machine.store, value, true));
                }
                self.timeline.finish(&mut self.machine);
                reply.board = self.timeline.records().last().is_some_and(|r| r.changed);
            }
            Outcome::NeedsInput { question, what } => {
                reply.question = Some(question.clone());
                self.asking = Some((question, what));
            }
            Outcome::Failed(fault) => {
                reply.ok = false;
                let diagnostic = self.runtime_error(&fault);
                reply.diagnostics.push(diagnostic);
                self.timeline.drop_last(&mut self.machine);
            }
            Outcome::Paused(pause) => {
                reply.ok = false;
                debug_assert_eq!(pause, Pause::Interrupt);
                let fault = Fault { code: "RT022", message: "stopped; nothing was changed".into(), note: None };
                let diagnostic = self.runtime_error(&fault);
                reply.diagnostics.push(diagnostic);
                self.timeline.drop_last(&mut self.machine);
            }
        }
        self.told = self.machine.written();
    }

    /// What the game has said since it was last told.
    fn tell(&mut self, reply: &mut Reply) {
        let outputs = &self.machine.log().outputs;
        for output in outputs.get(self.told.outputs as usize..).unwrap_or_default() {
            match output.channel {
                Channel::Print => reply.output.push(output.text.to_string()),
                Channel::Display => {}
                Channel::Warning => {
                    let span = self.blame().unwrap_or_default();
                    reply.diagnostics.push(Diagnostic::warning(Phase::Runtime, "RT023", span, output.text.to_string()));
                }
            }
        }
        self.told = self.machine.written();
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
    }

    /// The place to point at: the innermost one that is not in the rules.
    fn blame(&self) -> Option<Span> {
        let frames = self.machine.frames();
        let top = frames.len().checked_sub(1)?;
        frames.iter().enumerate().rev().find_map(|(n, frame)| {
            let function = self.machine.function(frame.function)?;
            // Frames below the top stand behind their call.
            let pc = if n == top { frame.pc } else { frame.pc.saturating_sub(1) };
            (function.role != Role::Rules).then(|| function.spans.get(pc as usize).copied()).flatten()
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
        let undone = self.timeline.undo(&mut self.machine, count);
        self.told = self.machine.written();
        undone
    }

    pub fn redo(&mut self, count: usize) -> Vec<String> {
        let redone = self.timeline.redo(&mut self.machine, count);
        self.told = self.machine.written();
        redone
    }

    /// Something that takes no running: a new seed, chosen draws.
    pub fn note_deed(&mut self, deed: Deed, text: &str) {
        self.timeline.begin(&mut self.machine, deed, None, text.to_string());
        self.timeline.finish(&mut self.machine);
        self.told = self.machine.written();
    }

    /// Starts the game again, from its variables on.
    pub fn restart(&mut self) -> Reply {
        let mut reply = Reply::to(":restart");
        let program = self.program().clone();
        let deed = Deed::Run { function: program.start, program, fresh: true };
        self.answers = false;
        self.timeline.begin(&mut self.machine, deed, None, ":restart".into());
        self.told = self.machine.written();
        self.go_on(&mut reply);
        reply
    }

    /// The function of a title, such as `winCondition`.
    pub fn function_titled(&self, title: &str) -> Option<FunctionId> {
        let found = self.program().functions.iter().position(|f| f.name.as_str() == title)?;
        Some(FunctionId(found as u32))
    }
}

fn refuse(reply: &mut Reply, diagnostics: Vec<Diagnostic>) {
    reply.ok = !diagnostics.iter().any(Diagnostic::is_error);
    reply.diagnostics = diagnostics;
}
