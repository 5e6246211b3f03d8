//! Plays a line of moves that a search has found, then takes it back and keeps it as a branch.

use crate::code::{Channel, FunctionId};
use crate::debugger::history;
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

/// Plays a line from the current position, between two entries or at a question. `check` says
/// whether it led where it was expected to, from where it ended and whether what `watch` describes has
/// happened. Afterwards everything is as before, and the line is kept
/// as a branch, which `redo` continues. At a stop and in dry runs, it is not kept.
/// No step may take more than `budget` instructions.
pub fn play_line(
    target: &mut Target,
    steps: &[LineStep],
    budget: u64,
    watch: LineWatch,
    check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
) -> PlayedLine {
    let limit = std::mem::replace(&mut target.machine.limits.max_instructions, budget);
    let played = play_and_take_back(target, steps, watch, check);
    target.machine.limits.max_instructions = limit;
    played
}

/// Plays a line in the same way, but keeps nothing of it. Returns whether it led where it was
/// expected to.
pub fn try_line(
    target: &mut Target,
    steps: &[LineStep],
    budget: u64,
    watch: LineWatch,
    check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
) -> bool {
    let limit = std::mem::replace(&mut target.machine.limits.max_instructions, budget);
    let (number, log_cursor) = (target.next_entry_number(), target.log_cursor);
    let is_confirmed = play_unrecorded(target, steps, watch, check);
    target.set_next_entry_number(number);
    target.log_cursor = log_cursor;
    target.machine.limits.max_instructions = limit;
    is_confirmed
}

fn play_and_take_back(
    target: &mut Target,
    steps: &[LineStep],
    watch: LineWatch,
    check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
) -> PlayedLine {
    let is_at_question = target.timeline.open_question(&target.machine).is_some();
    let can_be_kept = (target.machine.is_idle() || is_at_question) && !target.is_dry_run();
    match can_be_kept && !target.drops_found_lines {
        true => play_as_branch(target, steps, watch, check),
        false => PlayedLine {
            branch: None,
            is_next: false,
            is_confirmed: play_unrecorded(target, steps, watch, check),
        },
    }
}

/// Plays a line without recording it.
fn play_unrecorded(
    target: &mut Target,
    steps: &[LineStep],
    mut watch: LineWatch,
    check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
) -> bool {
    let (number, log_cursor) = (target.next_entry_number(), target.log_cursor);
    let (at, future) = (target.machine.log_position(), target.machine.split_log());
    let is_confirmed = target.with_rollback(|target| {
        let end = play_steps(target, steps, &mut watch, false);
        check(target, &end, watch.has_happened)
    });
    target.machine.replace_log_tail(at, future);
    target.set_next_entry_number(number);
    target.log_cursor = log_cursor;
    is_confirmed
}

fn play_as_branch(
    target: &mut Target,
    steps: &[LineStep],
    mut watch: LineWatch,
    check: impl FnOnce(&Target, &StepEnd, bool) -> bool,
) -> PlayedLine {
    if let Some(unused) = target.timeline.take_found_line() {
        target.delete_branch(unused);
    }
    let (number, log_cursor) = (target.next_entry_number(), target.log_cursor);
    let before = target.timeline.begin_line(&mut target.machine);
    let end = play_steps(target, steps, &mut watch, true);
    let is_confirmed = check(target, &end, watch.has_happened);
    if matches!(end, StepEnd::Asks(_)) {
        target.timeline.end_move(&mut target.machine);
    }
    let kept = match end {
        _ if !is_confirmed => KeptMoves::None,
        StepEnd::Failed(_) => KeptMoves::AllButLast,
        _ => KeptMoves::All,
    };
    let branch = target.timeline.end_line(&mut target.machine, before, kept);
    target.set_next_entry_number(number);
    target.log_cursor = log_cursor;
    PlayedLine {
        branch,
        is_next: target
            .timeline
            .found_line_here(&mut target.machine)
            .is_some(),
        is_confirmed,
    }
}

/// Plays steps until one fails. In the history, each answer is an entry, except for the first one to
/// an entry of the line: the two are one move.
fn play_steps(
    target: &mut Target,
    steps: &[LineStep],
    watch: &mut LineWatch,
    is_recorded: bool,
) -> StepEnd {
    let mut end = match target.pending_input_kind() {
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
                let machine = &mut target.machine;
                target.timeline.begin_entry(machine, action, None, text);
                target.timeline.end_entry(machine);
                StepEnd::Finished(value)
            }
            (LineStep::Draws(draws), end) if is_recorded => {
                draws_of_answer.clone_from(draws);
                end
            }
            (LineStep::Draws(draws), end) => {
                target.machine.rng.clear_scripted();
                target.machine.rng.script_draws(draws.iter().copied());
                end
            }
            (LineStep::Entry(text), StepEnd::Finished(_)) => {
                is_first_answer = true;
                play_entry(target, text, watch, is_recorded)
            }
            (LineStep::Answer(line), StepEnd::Asks(kind)) => {
                let draws = std::mem::take(&mut draws_of_answer);
                let is_new = is_recorded && !std::mem::take(&mut is_first_answer);
                match target.machine.check_answer(kind, line) {
                    Ok(()) if is_new => {
                        begin_answer(target, line, draws);
                        run_quietly(target, watch, true)
                    }
                    Ok(()) => {
                        target.machine.log_answer(line);
                        if is_recorded {
                            let time = target.machine.time();
                            target.timeline.add_answer(line, time);
                        }
                        run_quietly(target, watch, is_recorded)
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
fn begin_answer(target: &mut Target, line: &str, draws: Vec<i64>) {
    let action = HistoryAction::Answer {
        line: line.into(),
        draws,
    };
    let text = line.to_string();
    target
        .timeline
        .begin_entry(&mut target.machine, action, None, text);
}

fn play_entry(
    target: &mut Target,
    text: &str,
    watch: &mut LineWatch,
    is_recorded: bool,
) -> StepEnd {
    let (source, compiled) = target.compile_entry(text);
    let Ok(compiled) = compiled else {
        return StepEnd::Cancelled;
    };
    let action = HistoryAction::Start {
        program: Rc::new(compiled.program),
        function: compiled.entry_point,
        resets_game: false,
    };
    if !is_recorded {
        timeline::apply_action(&mut target.machine, &action);
        return run_quietly(target, watch, false);
    }
    let source = Some(source.id);
    target
        .timeline
        .begin_entry(&mut target.machine, action, source, text.to_string());
    if let Some(entry) = target.timeline.current_mut() {
        entry.is_expression = compiled.is_expression;
    }
    run_quietly(target, watch, true)
}

/// Runs past all breakpoints, without showing anything.
fn run_quietly(target: &mut Target, watch: &mut LineWatch, is_recorded: bool) -> StepEnd {
    let end = loop {
        break match watch.run(&mut target.machine) {
            Outcome::Paused(Pause::Interrupt) => StepEnd::Cancelled,
            Outcome::Paused(_) => continue,
            Outcome::Finished(value) => {
                if is_recorded {
                    note_result(target, value);
                }
                StepEnd::Finished(value)
            }
            Outcome::NeedsInput {
                question,
                input_kind,
            } => {
                if is_recorded {
                    target.timeline.set_open_question(&question);
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
    let has_ended = is_finished || is_asking && target.timeline.current().is_some_and(is_move);
    if is_recorded && has_ended {
        target.timeline.end_move(&mut target.machine);
    }
    end
}

/// Notes the value of the expression that has just ended, to be shown when the line is redone.
fn note_result(target: &mut Target, value: Value) {
    let is_expression = history::outermost_entry(target).is_some_and(|e| e.is_expression);
    if is_expression && value != Value::NOTHING {
        let result = target.format_value(value);
        if let Some(entry) = target.timeline.current_mut() {
            entry.result = Some(result.into());
        }
    }
}

/// The value of the expression that ended at the current position, if a line of moves led here.
pub fn line_result(target: &Target) -> Option<String> {
    let entry = target.timeline.current()?;
    let is_here = entry.end_time() == target.machine.time();
    entry
        .result
        .as_ref()
        .filter(|_| is_here)
        .map(|text| text.to_string())
}
