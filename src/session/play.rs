//! Playing a program with nobody at the prompt: only what it prints, as it prints it, and what it asks.
//!
//! Nothing is kept for going back, so a game may run for ever in the memory it needs itself.

use super::Session;
use crate::diagnostic::Diagnostic;
use crate::machine::{Channel, Outcome, Pause};
use crate::source::Origin;
use std::io;
use std::rc::Rc;

/// How many instructions lie between two looks at what was printed: some hundredths of a second.
const SLICE: u64 = 4_000_000;

/// Where a program is played: it hears what is printed and answers what is asked.
pub trait Stage {
    fn print(&mut self, line: &str) -> io::Result<()>;

    /// The answer to a question; `None` at the end of the input.
    fn ask(&mut self, question: &str) -> io::Result<Option<String>>;

    /// An answer could not be read.
    fn refuse(&mut self, why: &str) -> io::Result<()>;
}

impl Session {
    /// Plays a file from its start to its end; what is wrong with it, if anything.
    pub fn play(&mut self, name: &str, text: &str, stage: &mut dyn Stage) -> io::Result<Vec<Diagnostic>> {
        let source = self.sources.add(Origin::File(name.to_string()), text);
        let compiled = match self.language.load(&source) {
            Ok(compiled) => compiled,
            Err(diagnostics) => return Ok(diagnostics),
        };
        self.machine.record(false);
        self.machine.store = Default::default();
        let seed = self.machine.chance.seed();
        self.machine.chance.reseed(seed);
        self.machine.install(Rc::new(compiled.program));
        let Some(function) = compiled.run else { return Ok(Vec::new()) };
        if let Err(fault) = self.machine.start(function, &[]) {
            return Ok(vec![self.runtime_error(&fault)]);
        }
        self.perform_on(stage)
    }

    fn perform_on(&mut self, stage: &mut dyn Stage) -> io::Result<Vec<Diagnostic>> {
        loop {
            let outcome = self.machine.run_until(self.machine.time() + SLICE);
            for output in self.machine.take_outputs() {
                if output.channel == Channel::Print {
                    stage.print(&output.text)?;
                }
            }
            match outcome {
                Outcome::Finished(_) => return Ok(Vec::new()),
                Outcome::Failed(fault) => return Ok(vec![self.runtime_error(&fault)]),
                Outcome::Paused(Pause::Interrupt) => return Ok(Vec::new()),
                Outcome::Paused(_) => {}
                Outcome::NeedsInput { question, what } => {
                    if !self.answered(stage, &question, what)? {
                        let fault = crate::machine::Fault {
                            code: "RT021",
                            message: "the program asks for input, and there is no more".into(),
                            note: None,
                        };
                        return Ok(vec![self.runtime_error(&fault)]);
                    }
                }
            }
        }
    }

    /// Asks until the answer can be read; false at the end of the input.
    fn answered(&mut self, stage: &mut dyn Stage, question: &str, what: u8) -> io::Result<bool> {
        while let Some(line) = stage.ask(question)? {
            match self.machine.answer(what, &line) {
                Ok(()) => return Ok(true),
                Err(why) => stage.refuse(&why)?,
            }
        }
        Ok(false)
    }
}
