//! Plays a line of moves that a search has found, then takes it back and keeps it as a branch.

use crate::code::{Channel, FunctionId};
use crate::debugger::history::timeline;
use crate::debugger::history::timeline::KeptMoves;
use crate::debugger::{HistoryAction, HistoryEntry, Target};
use crate::machine::{Machine, Observer, Outcome, Pause, RuntimeError};
use crate::value::Value;
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
#[derive(Clone, PartialEq, Debug)]
pub enum StepEnd {
    /// The entry has ended with this value.
    Finished(Value),
    /// It waits for an answer of this kind.
    Asks(u8),
    /// It has failed. At the end of a line: its last step has.
    Failed(Box<RuntimeError>),
    /// It was interrupted, or could not be started. At the end of a line also: a step before the last one
    /// has failed.
    Cancelled,
}

/// What has to happen while a line is played, if that is why it was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineWatch {
    /// One of these instructions is executed.
    pub code: Vec<(FunctionId, u32)>,
    /// A line with this text is printed.
    pub text: Option<String>,
    /// Whether it has happened.
    pub has_happened: bool,
}

impl LineWatch {
    /// Runs a machine, and notes whether it happens.
    fn run(&mut self, machine: &mut Machine) -> Outcome {
        let position = machine.log_position().outputs;
        let outcome = match self.code.is_empty() {
            true => machine.run(),
            false => machine.run_observed(self),
        };
        if let Some(text) = &self.text {
            // Not what gridbug itself says about a move.
            let is_of_game = |channel| matches!(channel, Channel::Print | Channel::Display);
            let mut printed = machine.log().outputs.range(position, u64::MAX);
            self.has_happened |=
                printed.any(|(_, output)| is_of_game(output.channel) && output.text.contains(text));
        }
        outcome
    }
}

impl Observer for LineWatch {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let location = machine.current_location();
        self.has_happened |= location.is_some_and(|location| self.code.contains(&location));
        false
    }
}

impl Target {
    /// Plays a line from the current position, between two entries or at a question. `check` says
    /// whether it led where it was expected to, from where it ended and whether what `watch` describes has
    /// happened. Afterwards everything is as before, and the line is kept
    /// as a branch, which `redo` continues. At a stop and in dry runs, it is not kept.
    /// No step may take more than `budget` instructions.
    pub fn play_line(
        &mut self,
        steps: &[LineStep],
        budget: u64,
        watch: LineWatch,
        check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
    ) -> PlayedLine {
        let limit = std::mem::replace(&mut self.machine.limits.max_instructions, budget);
        let played = self.play_and_take_back(steps, watch, check);
        self.machine.limits.max_instructions = limit;
        played
    }

    /// Plays a line in the same way, but keeps nothing of it. Returns whether it led where it was
    /// expected to.
    pub fn try_line(
        &mut self,
        steps: &[LineStep],
        budget: u64,
        watch: LineWatch,
        check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
    ) -> bool {
        let limit = std::mem::replace(&mut self.machine.limits.max_instructions, budget);
        let (number, log_cursor) = (self.next_entry_number(), self.log_cursor);
        let is_confirmed = self.play_unrecorded(steps, watch, check);
        self.set_next_entry_number(number);
        self.log_cursor = log_cursor;
        self.machine.limits.max_instructions = limit;
        is_confirmed
    }

    fn play_and_take_back(
        &mut self,
        steps: &[LineStep],
        watch: LineWatch,
        check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
    ) -> PlayedLine {
        let is_at_question = self.timeline.open_question(&self.machine).is_some();
        match (self.machine.is_idle() || is_at_question) && !self.is_dry_run() {
            true => self.play_as_branch(steps, watch, check),
            false => PlayedLine {
                branch: None,
                is_next: false,
                is_confirmed: self.play_unrecorded(steps, watch, check),
            },
        }
    }

    /// Plays a line without recording it.
    fn play_unrecorded(
        &mut self,
        steps: &[LineStep],
        mut watch: LineWatch,
        check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
    ) -> bool {
        let (at, future) = (self.machine.log_position(), self.machine.split_log());
        let is_confirmed = self.with_rollback(|target| {
            let end = target.play_steps(steps, &mut watch, false);
            check(target, &end, watch.has_happened)
        });
        self.machine.replace_log_tail(at, future);
        is_confirmed
    }

    fn play_as_branch(
        &mut self,
        steps: &[LineStep],
        mut watch: LineWatch,
        check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
    ) -> PlayedLine {
        if let Some(unused) = self.timeline.take_found_line() {
            self.delete_branch(unused);
        }
        let (number, log_cursor) = (self.next_entry_number(), self.log_cursor);
        let before = self.timeline.begin_line(&mut self.machine);
        let end = self.play_steps(steps, &mut watch, true);
        let is_confirmed = check(self, &end, watch.has_happened);
        if matches!(end, StepEnd::Asks(_)) {
            self.timeline.end_move(&mut self.machine);
        }
        let kept = match end {
            _ if !is_confirmed => KeptMoves::None,
            StepEnd::Failed(_) => KeptMoves::AllButLast,
            _ => KeptMoves::All,
        };
        let branch = self.timeline.end_line(&mut self.machine, before, kept);
        self.set_next_entry_number(number);
        self.log_cursor = log_cursor;
        PlayedLine {
            branch,
            is_next: self.timeline.found_line_here(&mut self.machine).is_some(),
            is_confirmed,
        }
    }

    /// Plays steps until one fails. In the history, each answer is an entry, except for the first one to
    /// an entry of the line: the two are one move.
    fn play_steps(
        &mut self,
        steps: &[LineStep],
        watch: &mut LineWatch,
        is_recorded: bool,
    ) -> StepEnd {
        let mut end = match self.pending_input_kind() {
            Some(kind) => StepEnd::Asks(kind),
            None => StepEnd::Finished(Value::NOTHING),
        };
        let (mut draws_of_answer, mut is_first_answer) = (Vec::new(), false);
        for (n, step) in steps.iter().enumerate() {
            end = match (step, end) {
                (LineStep::Draws(draws), StepEnd::Finished(value)) if is_recorded => {
                    let numbers: Vec<String> = draws.iter().map(i64::to_string).collect();
                    let action = HistoryAction::ScriptDraws(Some(draws.clone()));
                    let text = format!(":rand next {}", numbers.join(" "));
                    let machine = &mut self.machine;
                    self.timeline.begin_entry(machine, action, None, text);
                    self.timeline.end_entry(machine);
                    StepEnd::Finished(value)
                }
                (LineStep::Draws(draws), end) if is_recorded => {
                    draws_of_answer.clone_from(draws);
                    end
                }
                (LineStep::Draws(draws), end) => {
                    self.machine.rng.clear_scripted();
                    self.machine.rng.script_draws(draws.iter().copied());
                    end
                }
                (LineStep::Entry(text), StepEnd::Finished(_)) => {
                    is_first_answer = true;
                    self.play_entry(text, watch, is_recorded)
                }
                (LineStep::Answer(line), StepEnd::Asks(kind)) => {
                    let draws = std::mem::take(&mut draws_of_answer);
                    let is_new = is_recorded && !std::mem::take(&mut is_first_answer);
                    match self.machine.check_answer(kind, line) {
                        Ok(()) if is_new => {
                            self.begin_answer(line, draws);
                            self.run_quietly(watch, true)
                        }
                        Ok(()) => {
                            self.machine.log_answer(line);
                            if is_recorded {
                                self.timeline.add_answer(line);
                            }
                            self.run_quietly(watch, is_recorded)
                        }
                        Err(_) => StepEnd::Cancelled,
                    }
                }
                _ => StepEnd::Cancelled,
            };
            match end {
                StepEnd::Cancelled => break,
                StepEnd::Failed(_) if n + 1 < steps.len() => return StepEnd::Cancelled,
                _ => {}
            }
        }
        end
    }

    /// Starts an entry that answers the open question.
    fn begin_answer(&mut self, line: &str, draws: Vec<i64>) {
        let action = HistoryAction::Answer {
            line: line.into(),
            draws,
        };
        let text = line.to_string();
        self.timeline
            .begin_entry(&mut self.machine, action, None, text);
    }

    fn play_entry(&mut self, text: &str, watch: &mut LineWatch, is_recorded: bool) -> StepEnd {
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
            return self.run_quietly(watch, false);
        }
        let source = Some(source.id);
        self.timeline
            .begin_entry(&mut self.machine, action, source, text.to_string());
        if let Some(entry) = self.timeline.current_mut() {
            entry.is_expression = compiled.is_expression;
        }
        self.run_quietly(watch, true)
    }

    /// Runs past all breakpoints, without showing anything.
    fn run_quietly(&mut self, watch: &mut LineWatch, is_recorded: bool) -> StepEnd {
        let end = loop {
            break match watch.run(&mut self.machine) {
                Outcome::Paused(Pause::Interrupt) => StepEnd::Cancelled,
                Outcome::Paused(_) => continue,
                Outcome::Finished(value) => {
                    if is_recorded {
                        self.note_result(value);
                    }
                    StepEnd::Finished(value)
                }
                Outcome::NeedsInput {
                    question,
                    input_kind,
                } => {
                    if is_recorded {
                        self.timeline.set_open_question(&question);
                    }
                    StepEnd::Asks(input_kind)
                }
                Outcome::Failed(error) => StepEnd::Failed(error),
            };
        };
        // An entry that asks is a move together with its first answer.
        let is_move = |e: &HistoryEntry| e.is_answer() || !e.answers.is_empty();
        let is_asking = matches!(end, StepEnd::Asks(_));
        let is_finished = matches!(end, StepEnd::Finished(_));
        let has_ended = is_finished || is_asking && self.timeline.current().is_some_and(is_move);
        if is_recorded && has_ended {
            self.timeline.end_move(&mut self.machine);
        }
        end
    }

    /// Notes the value of the expression that has just ended, to be shown when the line is redone.
    fn note_result(&mut self, value: Value) {
        let is_expression = self.outermost_entry().is_some_and(|e| e.is_expression);
        if is_expression && value != Value::NOTHING {
            let result = self.format_value(value);
            if let Some(entry) = self.timeline.current_mut() {
                entry.result = Some(result.into());
            }
        }
    }

    /// The value of the expression that ended at the current position, if a line of moves led here.
    pub fn line_result(&self) -> Option<String> {
        let entry = self.timeline.current()?;
        let is_here = entry.end_time() == self.machine.time();
        entry
            .result
            .as_ref()
            .filter(|_| is_here)
            .map(|text| text.to_string())
    }
}
