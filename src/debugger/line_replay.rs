//! Plays a line of moves that a search has found, then takes it back and keeps it as a branch.

use super::{HistoryAction, Target, timeline};
use crate::machine::{Outcome, Pause};
use std::rc::Rc;

/// One step of a line of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineStep {
    /// The next random draws are these numbers.
    Draws(Vec<i64>),
    /// An entry.
    Entry(String),
    /// An answer to a question of the running entry.
    Answer(String),
}

/// What came of playing a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedLine {
    /// The branch in which it is kept.
    pub branch: Option<usize>,
    /// Whether `redo` continues it: there is nothing else to redo.
    pub is_next: bool,
    /// Whether it led where it was expected to.
    pub is_confirmed: bool,
}

/// Where the run is after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepEnd {
    /// The entry has ended.
    Finished,
    /// It waits for an answer of this kind.
    Asks(u8),
    /// It has failed.
    Failed,
    /// It was interrupted, or could not be started.
    Cancelled,
}

impl Target {
    /// Plays a line from the current position, between two entries or at a question. `check` says
    /// whether it led where it was expected to. Afterwards everything is as before; between two
    /// entries, the line is kept as a branch, which `redo` continues.
    /// No step may take more than `budget` instructions.
    pub fn play_line(
        &mut self,
        steps: &[LineStep],
        budget: u64,
        check: impl FnOnce(&Target, StepEnd) -> bool,
    ) -> PlayedLine {
        let limit = std::mem::replace(&mut self.machine.limits.max_instructions, budget);
        let played = self.play_and_take_back(steps, check);
        self.machine.limits.max_instructions = limit;
        played
    }

    /// Plays a line in the same way, but keeps nothing of it. Returns whether it led where it was
    /// expected to.
    pub fn try_line(
        &mut self,
        steps: &[LineStep],
        budget: u64,
        check: impl FnOnce(&Target, StepEnd) -> bool,
    ) -> bool {
        let limit = std::mem::replace(&mut self.machine.limits.max_instructions, budget);
        let (number, log_cursor) = (self.next_entry_number(), self.log_cursor);
        let is_confirmed = self.with_rollback(|target| {
            let end = target.play_steps(steps, false);
            check(target, end)
        });
        self.set_next_entry_number(number);
        self.log_cursor = log_cursor;
        self.machine.limits.max_instructions = limit;
        is_confirmed
    }

    fn play_and_take_back(
        &mut self,
        steps: &[LineStep],
        check: impl FnOnce(&Target, StepEnd) -> bool,
    ) -> PlayedLine {
        match self.machine.is_idle() {
            true => self.play_as_branch(steps, check),
            false => {
                let is_confirmed = self.with_rollback(|target| {
                    let end = target.play_steps(steps, false);
                    check(target, end)
                });
                PlayedLine {
                    branch: None,
                    is_next: false,
                    is_confirmed,
                }
            }
        }
    }

    fn play_as_branch(
        &mut self,
        steps: &[LineStep],
        check: impl FnOnce(&Target, StepEnd) -> bool,
    ) -> PlayedLine {
        if let Some(unused) = self.timeline.take_found_line() {
            self.delete_branch(unused);
        }
        let (cursor, number) = (self.timeline.cursor(), self.next_entry_number());
        let log_cursor = self.log_cursor;
        let before = self.machine.checkpoint();
        let end = self.play_steps(steps, true);
        let is_confirmed = check(self, end);
        if end == StepEnd::Failed {
            self.timeline.discard_last(&mut self.machine);
        } else if end != StepEnd::Finished {
            self.timeline.finish_entry(&mut self.machine);
        }
        let branch = self.timeline.move_to_branch(&mut self.machine, cursor);
        // Nothing may have been played at all.
        self.machine.restore(&before);
        self.set_next_entry_number(number);
        self.log_cursor = log_cursor;
        let branch = match (is_confirmed, branch) {
            (true, Some(branch)) => {
                self.timeline.set_found_line(branch);
                Some(branch)
            }
            (false, Some(branch)) => {
                self.timeline.delete_branch(branch);
                None
            }
            (_, None) => None,
        };
        PlayedLine {
            branch,
            is_next: branch.is_some() && !self.timeline.is_in_past(&self.machine),
            is_confirmed,
        }
    }

    /// Plays steps until one fails.
    fn play_steps(&mut self, steps: &[LineStep], is_recorded: bool) -> StepEnd {
        let mut end = match self.pending_input_kind() {
            Some(kind) => StepEnd::Asks(kind),
            None => StepEnd::Finished,
        };
        for step in steps {
            end = match (step, end) {
                (LineStep::Draws(draws), StepEnd::Finished) if is_recorded => {
                    let numbers: Vec<String> = draws.iter().map(i64::to_string).collect();
                    let action = HistoryAction::ScriptDraws(Some(draws.clone()));
                    let text = format!(":rand next {}", numbers.join(" "));
                    let machine = &mut self.machine;
                    self.timeline.begin_entry(machine, action, None, text);
                    self.timeline.finish_entry(machine);
                    StepEnd::Finished
                }
                (LineStep::Draws(draws), end) => {
                    self.machine.rng.clear_scripted();
                    self.machine.rng.script_draws(draws.iter().copied());
                    end
                }
                (LineStep::Entry(text), StepEnd::Finished) => self.play_entry(text, is_recorded),
                (LineStep::Answer(line), StepEnd::Asks(kind)) => {
                    match self.machine.answer(kind, line) {
                        Ok(()) => {
                            if let Some(entry) = self.timeline.current_mut().filter(|_| is_recorded)
                            {
                                entry.answers.push(line.clone());
                            }
                            self.run_quietly(is_recorded)
                        }
                        Err(_) => StepEnd::Cancelled,
                    }
                }
                _ => StepEnd::Cancelled,
            };
            if matches!(end, StepEnd::Failed | StepEnd::Cancelled) {
                break;
            }
        }
        end
    }

    fn play_entry(&mut self, text: &str, is_recorded: bool) -> StepEnd {
        let (source, compiled) = self.compile_entry(text);
        let Ok(compiled) = compiled else {
            return StepEnd::Cancelled;
        };
        let action = HistoryAction::Start {
            program: Rc::new(compiled.program),
            function: compiled.entry_point,
            resets_game: false,
        };
        if !is_recorded {
            timeline::apply_action(&mut self.machine, &action);
            return self.run_quietly(false);
        }
        let source = Some(source.id);
        self.timeline
            .begin_entry(&mut self.machine, action, source, text.to_string());
        if let Some(entry) = self.timeline.current_mut() {
            entry.is_expression = compiled.is_expression;
        }
        self.run_quietly(true)
    }

    /// Runs past all breakpoints, without showing anything.
    fn run_quietly(&mut self, is_recorded: bool) -> StepEnd {
        loop {
            return match self.machine.run() {
                Outcome::Paused(Pause::Interrupt) => StepEnd::Cancelled,
                Outcome::Paused(_) => continue,
                Outcome::Finished(_) => {
                    if is_recorded {
                        self.timeline.finish_entry(&mut self.machine);
                    }
                    StepEnd::Finished
                }
                Outcome::NeedsInput { input_kind, .. } => StepEnd::Asks(input_kind),
                Outcome::Failed(_) => StepEnd::Failed,
            };
        }
    }

    /// The kind of the question at which the run waits, also while a command looks at it.
    pub fn pending_input_kind(&self) -> Option<u8> {
        match self.machine.next_instruction() {
            Some(crate::code::Instr::Ask { input_kind, .. }) => Some(input_kind),
            _ => None,
        }
    }
}
