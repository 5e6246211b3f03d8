//! Requests that run lines, at once or in slices, or look without a trace.

use super::answer::answer_to_request;
use super::connection::{Connection, to_json};
use super::outgoing::RunningAnswer;
use crate::answer::Answer;
use crate::command;
use crate::driver::{Event, blank_line, merged};
use crate::machine::LogPosition;
use serde_json::Value as Json;

/// A slice shows at most this many lines of output.
const MAX_SLICE_OUTPUT_LINES: usize = 1000;

/// What there is to answer to the line that runs in slices.
pub struct RunningAnswers {
    /// The answers so far: the line's own, and those of moves of the computer.
    answered: Option<Answer>,
    /// How much of the output was shown.
    shown: LogPosition,
    /// When it began.
    start: u64,
}

impl Connection {
    /// Runs an entry, a command, or the answer to the program's input prompt.
    pub(super) fn line(&mut self, line: &str, budget: Option<u64>) -> Result<Json, String> {
        let (driver, session) = self.driven()?;
        driver.enter(line);
        let running = RunningAnswers {
            answered: None,
            shown: session.target.machine.log_end(),
            start: session.target.machine.time(),
        };
        self.running = Some(running);
        self.advance(budget)
    }

    /// Does what Enter alone does at a prompt.
    pub(super) fn enter(&mut self, budget: Option<u64>) -> Result<Json, String> {
        let line = blank_line(self.session()?).unwrap_or_default();
        self.line(&line, budget)
    }

    /// Runs for about so many instructions, or to the end.
    pub(super) fn advance(&mut self, budget: Option<u64>) -> Result<Json, String> {
        let mut running = self.running.take().ok_or("no line is running")?;
        let (driver, session) = self.driven()?;
        loop {
            let event = match budget {
                Some(budget) => driver.advance(session, budget),
                None => driver
                    .next(session)
                    .map(|answer| Event::Answer(Box::new(answer))),
            };
            match event {
                None => break,
                Some(Event::Answer(answer)) => {
                    running.answered = Some(match running.answered.take() {
                        Some(before) => merged(before, *answer),
                        None => *answer,
                    });
                    // The client gets a chance before each move of the computer.
                    if budget.is_none() || !driver.has_next(session) {
                        continue;
                    }
                }
                Some(Event::Running(_)) => {}
            }
            let machine = &session.target.machine;
            let mut output = machine.log().printed_since(running.shown);
            let omitted = output.len().saturating_sub(MAX_SLICE_OUTPUT_LINES);
            running.shown = machine.log_end();
            let answer = RunningAnswer {
                ok: true,
                running: true,
                time: machine.time(),
                instructions: machine.time().saturating_sub(running.start),
                output: output.split_off(omitted),
                output_omitted: omitted,
            };
            self.running = Some(running);
            return to_json(answer);
        }
        let answer = running.answered.unwrap_or_default();
        let journal = self.journal.take();
        Ok(answer_to_request(self.session()?, &answer, journal))
    }

    /// Stops the line that is running, at its next statement.
    pub(super) fn interrupt(&mut self) -> Result<Json, String> {
        let (driver, session) = self.driven()?;
        driver.interrupt(session);
        self.advance(None)
    }

    /// Executes a line that only looks.
    pub(super) fn query(&mut self, line: &str) -> Result<Json, String> {
        let session = self.session()?;
        let answer = command::query(session, line).map_err(|error| error.message)?;
        Ok(answer_to_request(session, &answer, None))
    }
}
