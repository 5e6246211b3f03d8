//! Playing a program with nobody at the prompt: only what it prints, as it prints it, and what it asks.
//!
//! Nothing is kept for going back, so a game may run for ever in the memory it needs itself.

use super::Session;
use crate::diagnostic::{Diagnostic, truncate_errors};
use crate::machine::{Channel, Outcome, Pause};
use crate::source::Origin;
use std::io;
use std::rc::Rc;

/// How many instructions lie between two looks at what was printed: some hundredths of a second.
const SLICE: u64 = 4_000_000;

/// Where a program is played: it hears what is printed and answers what is asked.
pub trait BatchIo {
    fn print(&mut self, line: &str) -> io::Result<()>;

    /// The answer to a question; `None` at the end of the input.
    fn ask(&mut self, question: &str) -> io::Result<Option<String>>;

    /// Something to the person that is no output of the program: an answer could not be read, what is asked for.
    fn notice(&mut self, words: &str) -> io::Result<()>;
}

impl Session {
    /// Plays a file from its start to its end; what is wrong with it, if anything.
    pub fn run_batch(
        &mut self,
        name: &str,
        text: &str,
        stage: &mut dyn BatchIo,
    ) -> io::Result<Vec<Diagnostic>> {
        let source = self.sources.add(Origin::File(name.to_string()), text);
        let compiled = match self.language.compile_file(&source) {
            Ok(compiled) => compiled,
            Err(diagnostics) => return Ok(truncate_errors(diagnostics)),
        };
        self.machine.set_recording(false);
        self.machine.store = Default::default();
        let seed = self.machine.rng.seed();
        self.machine.rng.reseed(seed);
        // Where loading does not play the game to its end, something else does.
        let parts = [compiled.entry_point, compiled.program.play_function];
        self.machine.install(Rc::new(compiled.program));
        for function in parts.into_iter().flatten() {
            if let Err(fault) = self.machine.start(function, &[]) {
                return Ok(vec![self.runtime_error(&fault)]);
            }
            let wrong = self.perform_on(stage)?;
            if !wrong.is_empty() {
                return Ok(wrong);
            }
        }
        Ok(Vec::new())
    }

    fn perform_on(&mut self, stage: &mut dyn BatchIo) -> io::Result<Vec<Diagnostic>> {
        let mut shown = None;
        loop {
            let outcome = self.machine.run_until(self.machine.time() + SLICE);
            let outputs = self.machine.take_outputs();
            // The last board belongs before the value that came of it, unless it is that.
            if matches!(outcome, Outcome::Finished(_)) && shown.is_some() {
                self.show_board(&mut shown, outputs.last().map(|o| &*o.text), stage)?;
            }
            for output in outputs {
                if output.channel == Channel::Print {
                    stage.print(&output.text)?;
                }
            }
            match outcome {
                Outcome::Finished(_) => return Ok(Vec::new()),
                Outcome::Failed(fault) => return Ok(vec![self.runtime_error(&fault)]),
                Outcome::Paused(Pause::Interrupt) => return Ok(Vec::new()),
                Outcome::Paused(_) => {}
                Outcome::NeedsInput {
                    question,
                    input_kind: what,
                } => {
                    self.show_board(&mut shown, None, stage)?;
                    if !self.answered(stage, &question, what)? {
                        let fault = crate::machine::RuntimeError {
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

    /// A board that is a value is shown when something is asked, if it has changed: nothing else would print it.
    fn show_board(
        &self,
        shown: &mut Option<String>,
        but: Option<&str>,
        stage: &mut dyn BatchIo,
    ) -> io::Result<()> {
        let program = self.program();
        let value = program
            .board_global
            .and_then(|board| self.machine.store.globals.get(board as usize).copied());
        let Some(value) = value.filter(|v| self.machine.store.heap.grid(*v).is_some()) else {
            return Ok(());
        };
        let board = (program.format_value)(program, &self.machine.store, value, false);
        if shown.as_ref() == Some(&board) || but == Some(&board) {
            return Ok(());
        }
        stage.print(&board)?;
        *shown = Some(board);
        Ok(())
    }

    /// Asks until the answer can be read; false at the end of the input.
    fn answered(&mut self, stage: &mut dyn BatchIo, question: &str, what: u8) -> io::Result<bool> {
        // Where a program has no words of its own, the question is not part of its output.
        let own = self.program().board_global.is_none();
        if !own {
            stage.notice(question)?;
        }
        while let Some(line) = stage.ask(if own { question } else { "" })? {
            match self.machine.answer(what, &line) {
                Ok(()) => return Ok(true),
                Err(why) => stage.notice(&why.replace(" | ", "; "))?,
            }
        }
        Ok(false)
    }
}
