//! Runs a program non-interactively: prints its output as it comes, and reads its input.
//!
//! No history is recorded, so memory use does not grow with the length of the run.

use super::Session;
use crate::debugger::long_text::limit_compiling;
use crate::diagnostic::{Diagnostic, shown_diagnostics};
use crate::language::compile_game;
use crate::machine::{Channel, Outcome, Output, Pause};
use std::io;
use std::rc::Rc;

/// Output is flushed after this many instructions, which take a few hundredths of a second.
const FLUSH_INTERVAL_INSTRUCTIONS: u64 = 4_000_000;

/// Output is also flushed when there is this much of it.
const FLUSH_INTERVAL_BYTES: u64 = 1 << 20;

/// The input and output of a program that runs without a REPL.
pub trait BatchIo {
    /// Prints a line of the program's output.
    fn print(&mut self, line: &str) -> io::Result<()>;

    /// Reads a line of input after showing a prompt; `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>>;

    /// Shows the user a message that is not part of the program's output, such as an invalid
    /// answer.
    fn notice(&mut self, message: &str) -> io::Result<()>;
}

impl Session {
    /// Runs a file to its end. The result is empty if there were no errors.
    pub fn run_batch(
        &mut self,
        name: &str,
        text: &str,
        io: &mut dyn BatchIo,
    ) -> io::Result<Vec<Diagnostic>> {
        let source = self.target.add_file(name, text);
        let compiled = limit_compiling(&mut self.target, |target| {
            compile_game(target.language, &target.preludes(), &source)
        });
        let compiled = match compiled {
            Ok(compiled) => compiled,
            Err(diagnostics) => return Ok(shown_diagnostics(&diagnostics, &self.target.sources)),
        };
        self.target.machine.set_recording(false);
        self.target
            .machine
            .pause_at_output(Some(FLUSH_INTERVAL_BYTES));
        self.target.machine.store = Default::default();
        let seed = self.target.machine.rng.seed();
        self.target.machine.rng.reseed(seed);
        // In some languages loading runs the whole game, in others a separate function plays it.
        let functions = [compiled.entry_point, compiled.program.play_function];
        self.target.machine.install(Rc::new(compiled.program));
        for function in functions.into_iter().flatten() {
            if let Err(error) = self.target.machine.start(function, &[]) {
                return Ok(vec![self.target.runtime_error(&error)]);
            }
            let errors = self.run_to_end(io)?;
            if !errors.is_empty() {
                return Ok(errors);
            }
        }
        Ok(Vec::new())
    }

    fn run_to_end(&mut self, io: &mut dyn BatchIo) -> io::Result<Vec<Diagnostic>> {
        let mut last_shown = None;
        loop {
            let outcome = self
                .target
                .machine
                .run_until(self.target.machine.time() + FLUSH_INTERVAL_INSTRUCTIONS);
            let outputs: Vec<Output> = self.target.machine.take_outputs().collect();
            // Print the final board before the program's result, unless the result is that board.
            if matches!(outcome, Outcome::Finished(_)) && last_shown.is_some() {
                self.show_board(&mut last_shown, outputs.last().map(|o| &*o.text), io)?;
            }
            for output in outputs {
                if output.channel == Channel::Print {
                    io.print(&output.text)?;
                }
            }
            match outcome {
                Outcome::Finished(_) => return Ok(Vec::new()),
                Outcome::Failed(error) => return Ok(vec![self.target.runtime_error(&error)]),
                Outcome::Paused(Pause::Interrupt) => return Ok(Vec::new()),
                Outcome::Paused(_) => {}
                Outcome::NeedsInput {
                    question,
                    input_kind,
                } => {
                    self.show_board(&mut last_shown, None, io)?;
                    if !self.read_answer(io, &question, input_kind)? {
                        let error = crate::machine::RuntimeError {
                            code: "RT021",
                            message: "the program asked for input, but the input has ended".into(),
                            note: None,
                        };
                        return Ok(vec![self.target.runtime_error(&error)]);
                    }
                }
            }
        }
    }

    /// In languages whose board is a value, prints it unless it equals the last one printed or
    /// `except`. Such programs have no statement that would print it.
    fn show_board(
        &self,
        last_shown: &mut Option<String>,
        except: Option<&str>,
        io: &mut dyn BatchIo,
    ) -> io::Result<()> {
        let program = self.target.program();
        let value = program.board_global.and_then(|board| {
            self.target
                .machine
                .store
                .globals
                .get(board as usize)
                .copied()
        });
        let Some(value) = value.filter(|v| self.target.machine.store.heap.grid(*v).is_some())
        else {
            return Ok(());
        };
        let board = (program.format_value)(program, &self.target.machine.store, value, false);
        if last_shown.as_ref() == Some(&board) || except == Some(&board) {
            return Ok(());
        }
        io.print(&board)?;
        *last_shown = Some(board);
        Ok(())
    }

    /// Asks until the answer is valid; false at the end of the input.
    fn read_answer(
        &mut self,
        io: &mut dyn BatchIo,
        question: &str,
        input_kind: u8,
    ) -> io::Result<bool> {
        // Programs that cannot print do not word their questions themselves, so those are not
        // output.
        let is_output = self.target.program().board_global.is_none();
        if !is_output {
            io.notice(question)?;
        }
        while let Some(line) = io.ask(if is_output { question } else { "" })? {
            match self.target.machine.answer(input_kind, &line) {
                Ok(()) => return Ok(true),
                Err(message) => io.notice(&message.replace(" | ", "; "))?,
            }
        }
        Ok(false)
    }
}
