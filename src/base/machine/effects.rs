//! What a run does to the outside world, and what it gets from there: output, random numbers, answers.

use super::effect_log::{Draw, EffectLog, LogPosition, Output};
use super::search::DrawRange;
use super::{Channel, Machine, RuntimeError};
use crate::value::{Store, Value};
use std::rc::Rc;

/// The effect log, and the position of the machine in it.
pub(super) struct Effects {
    pub(super) log: EffectLog,
    pub(super) position: LogPosition,
    /// A run pauses when there is this much output that has not been read.
    max_unread_bytes: u64,
}

impl Effects {
    /// An empty log.
    pub(super) fn new() -> Effects {
        Effects {
            log: EffectLog::default(),
            position: LogPosition::default(),
            max_unread_bytes: u64::MAX,
        }
    }

    /// Whether a run has to pause, so that its output can be read.
    pub(super) fn has_much_output(&self) -> bool {
        self.log.unread_bytes >= self.max_unread_bytes
    }

    /// The answer to the next question, if there is one.
    pub(super) fn next_answer(&self) -> Option<Rc<str>> {
        self.log.answers.get(self.position.answers).cloned()
    }

    /// Logs an answer to the next question.
    fn push_answer(&mut self, line: &str) {
        self.log.push_answer(self.position, line);
    }
}

/// Output and random numbers.
impl Machine {
    pub(super) fn write_output(&mut self, value: Value, channel: Channel) {
        if self.search_mode.discards_output {
            return;
        }
        let text: Rc<str> = self.format_output(value).into();
        if channel == Channel::Display {
            self.store.message = Some(text.clone());
        }
        let output = Output {
            time: self.time,
            channel,
            text,
            span: self.current_span(),
            number: self.effects.position.prints + u64::from(channel == Channel::Print),
        };
        let max_bytes = self.limits.max_log_bytes();
        let Effects { log, position, .. } = &mut self.effects;
        log.push_output(position, output, max_bytes);
        if self.effects.has_much_output() {
            // Pause at the next safepoint, not only when it is due.
            self.next_safepoint_ticks = 0;
        }
    }

    /// Draws a random number, and logs it; see [`Instr::Random`](crate::code::Instr::Random).
    pub(super) fn draw(&mut self, range: DrawRange) -> Result<Value, Box<RuntimeError>> {
        let (value, is_scripted) = self.rng.draw(range.low, range.high)?;
        let draw = Draw {
            time: self.time,
            low: range.low,
            high: range.high,
            value,
            is_scripted,
            is_float: range.is_float,
            span: self.current_span(),
        };
        let max_bytes = self.limits.max_log_bytes();
        let Effects { log, position, .. } = &mut self.effects;
        log.push_draw(position, draw, max_bytes);
        Ok(self.drawn_value(range, value))
    }

    /// The value of a number drawn from a range.
    pub fn drawn_value(&mut self, range: DrawRange, number: i64) -> Value {
        match range.is_float {
            true => Value::float(number as f64 / 1000.0),
            false => self.store.heap.alloc_int(number),
        }
    }

    /// Removes and returns the output so far; for batch runs, which have no history.
    pub fn take_outputs(&mut self) -> impl Iterator<Item = Output> + use<> {
        self.mark_output_read();
        self.effects.log.outputs.take().into_iter()
    }

    /// Makes runs pause with [`super::Pause::Output`] when there are this many bytes of output since
    /// [`Machine::mark_output_read`]; `None` if they should not.
    pub fn pause_at_output(&mut self, bytes: Option<u64>) {
        self.effects.max_unread_bytes = bytes.unwrap_or(u64::MAX);
    }

    /// Says that the output so far has been read.
    pub fn mark_output_read(&mut self) {
        self.effects.log.unread_bytes = 0;
    }
}

/// Answers to questions.
impl Machine {
    /// Answers the question that the run ended with; the error says what is wrong with the answer.
    pub fn answer(&mut self, input_kind: u8, line: &str) -> Result<(), String> {
        self.check_answer(input_kind, line)?;
        self.effects.push_answer(line);
        Ok(())
    }

    /// Whether a line can be the answer to a question of this kind; the error says what is wrong.
    pub fn check_answer(&self, input_kind: u8, line: &str) -> Result<(), String> {
        let program = &self.image.program;
        (program.parse_input)(program, &mut Store::default(), input_kind, line)?;
        Ok(())
    }

    /// Logs a valid answer to the next question, unless this is a replay.
    pub fn log_answer(&mut self, line: &str) {
        if self.effects.next_answer().is_none() {
            self.effects.push_answer(line);
        }
    }
}

/// The effect log.
impl Machine {
    /// All effects, including those after the current position.
    pub fn log(&self) -> &EffectLog {
        &self.effects.log
    }

    /// The current position in the log.
    pub fn log_position(&self) -> LogPosition {
        self.effects.position
    }

    /// Removes and returns the part of the log after the current position: from here on, history
    /// diverges.
    pub fn split_log(&mut self) -> EffectLog {
        self.split_log_at(self.effects.position)
    }

    /// Removes and returns the part of the log after a position.
    pub fn split_log_at(&mut self, at: LogPosition) -> EffectLog {
        self.effects.log.split_off(at)
    }

    /// Replaces the part of the log after `at`, and returns the old one.
    pub fn replace_log_tail(&mut self, at: LogPosition, tail: EffectLog) -> EffectLog {
        let old_tail = self.effects.log.split_off(at);
        self.effects.log.append(tail);
        old_tail
    }

    /// The length of the log, to pass to [`Machine::truncate_log`] after a dry run.
    pub fn log_end(&self) -> LogPosition {
        self.effects.log.end(self.effects.position)
    }

    /// Drops everything that was logged after a position.
    pub fn truncate_log(&mut self, end: LogPosition) {
        self.effects.log.truncate(end);
    }
}
