//! The driver: the only way in which front ends execute lines.
//!
//! A line goes in, and answers come out one after the other: its own, which may be the question of a
//! prediction or a step of a lesson, and those of the computer's moves that follow. What a front end
//! does is to show them. The prompt, pipes, `--json`, the view, key play and the protocol all work
//! this way, so what is possible in one of them is possible in all.
//!
//! It is a layer above `command`, because it needs the commands, and because commands themselves
//! execute lines (`:reload`, `:lesson next`) without predictions and without opponents.
//!
//! Entries, answers and the commands that step and continue can run in slices, for clients with an
//! event loop: [`Driver::advance`] returns after about `budget` instructions, and between two calls the
//! client shows the progress or calls [`Driver::interrupt`]. Searches, replays and trips through the
//! history run at once; they have limits of their own and can be interrupted from outside.

//!
//! A front end can also visit other times ([`Driver::visit`]), to look around without being recorded. The
//! next line records the way there.

use crate::command::{self, EnteredLine, RunningLine};
use crate::debugger::history::visit::{self, BeforeVisit};
use crate::debugger::{Progress, TimePoint};
use crate::session::{Answer, Session};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;

/// Executes the lines of one front end. The session is passed to each call, because the front end
/// shows it between two answers.
#[derive(Default)]
pub struct Driver {
    /// Lines that were entered and have not run.
    lines: VecDeque<String>,
    /// The line that runs in slices.
    running: Option<Box<RunningLine>>,
    /// The time that is visited.
    visit: Option<Visit>,
    /// The last answer asks the front end to do something, which comes before the computer's move.
    awaits_front_end: bool,
}

/// A visit to another time.
struct Visit {
    before: BeforeVisit,
    /// The line that goes there, to be recorded before the next one.
    line: String,
}

/// What comes out of the driver.
pub enum Event {
    /// An answer to show.
    Answer(Box<Answer>),
    /// A line is still running.
    Running(Progress),
}

impl Driver {
    /// A driver without lines.
    pub fn new() -> Driver {
        Driver::default()
    }

    /// Enters a line: an entry, a command, or the answer to the program's or a prediction's question.
    /// It runs after those that were entered before, and after the moves of the computer that follow
    /// them.
    pub fn enter(&mut self, line: impl Into<String>) {
        self.lines.push_back(line.into());
    }

    /// Whether there is something to do: a line to run, or a move of the computer.
    pub fn has_next(&self, session: &Session) -> bool {
        self.running.is_some() || !self.lines.is_empty() || self.is_computer_due(session)
    }

    fn is_computer_due(&self, session: &Session) -> bool {
        !self.awaits_front_end && command::is_opponent_due(session)
    }

    /// Runs for about `budget` instructions, at most to the next answer. `None` if there is nothing to
    /// do until the next line.
    pub fn advance(&mut self, session: &mut Session, budget: u64) -> Option<Event> {
        self.run(session, Some(budget.max(1)))
    }

    /// Runs to the next answer. `None` if there is nothing to do until the next line.
    pub fn next(&mut self, session: &mut Session) -> Option<Answer> {
        loop {
            if let Event::Answer(answer) = self.run(session, None)? {
                return Some(*answer);
            }
        }
    }

    /// Enters a line and runs to its answer.
    pub fn answer(&mut self, session: &mut Session, line: &str) -> Answer {
        self.enter(line);
        self.next(session).unwrap_or_default()
    }

    /// Runs everything there is to do. Returns `answer` with what it led to, for clients that show one
    /// answer for each line.
    pub fn finish(&mut self, session: &mut Session, mut answer: Answer) -> Answer {
        while let Some(more) = self.next(session) {
            answer = merged(answer, more);
        }
        answer
    }

    /// Stops the line that is running at its next statement, as Ctrl-C does. [`Driver::advance`] then
    /// returns its answer.
    pub fn interrupt(&self, session: &Session) {
        if self.running.is_some() {
            let flag = session.target.machine.interrupt_flag();
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Goes to another time to look around there; nothing is recorded. The next line first goes there
    /// with `line`, such as `:goto 412`, as if the user had typed that.
    pub fn visit(&mut self, session: &mut Session, point: TimePoint, line: impl Into<String>) {
        let before = match self.visit.take() {
            Some(visit) => visit.before,
            None => visit::begin_visit(&mut session.target),
        };
        visit::visit(&mut session.target, point);
        let line = line.into();
        self.visit = Some(Visit { before, line });
    }

    /// Returns from the time that is visited.
    pub fn end_visit(&mut self, session: &mut Session) {
        if let Some(visit) = self.visit.take() {
            visit::end_visit(&mut session.target, visit.before);
        }
    }

    /// Whether another time is visited.
    pub fn is_visiting(&self) -> bool {
        self.visit.is_some()
    }

    /// Whether a line is running in slices.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Records the way to the time that is visited. If it leads to where the session is anyway, there is
    /// nothing to record.
    fn settle(&mut self, session: &mut Session) {
        let Some(visit) = self.visit.take() else {
            return;
        };
        let visited = session.target.time_point();
        visit::end_visit(&mut session.target, visit.before);
        if session.target.time_point() != visited {
            command::handle_line(session, &visit.line);
        }
    }

    fn run(&mut self, session: &mut Session, budget: Option<u64>) -> Option<Event> {
        if self.has_next(session) {
            self.settle(session);
        }
        let entered = if let Some(line) = self.running.take() {
            line.advance(session, budget.unwrap_or(u64::MAX))
        } else if self.is_computer_due(session) {
            command::begin_computer_turn(session, budget)?
        } else {
            let line = self.lines.pop_front()?;
            command::begin_line(session, &line, budget)
        };
        Some(match entered {
            EnteredLine::Done(answer) => {
                self.awaits_front_end = answer.control.is_some();
                Event::Answer(answer)
            }
            EnteredLine::Running(line) => {
                self.running = Some(line);
                Event::Running(session.target.run_progress()?)
            }
        })
    }
}

/// An answer with that of a move of the computer.
pub(crate) fn merged(mut answer: Answer, mut more: Answer) -> Answer {
    answer.parts.extend(more.echo.take());
    answer.append(more);
    answer
}

/// The line that Enter alone stands for at a prompt: it skips the question of a prediction, runs the
/// next step of a lesson, or repeats the last step. `None` if it means nothing.
pub fn blank_line(session: &Session) -> Option<String> {
    let is_repeat = session.predictions.pending.is_some() || session.target.is_stopped();
    if session.target.is_waiting_for_input() {
        return Some(lesson_answer(session).unwrap_or_default());
    }
    if session.predictions.pending.is_none() && command::enter_advances_lesson(session) {
        return Some(":lesson next".to_string());
    }
    is_repeat.then(String::new)
}

/// The answer that the lesson gives to the question of the program.
fn lesson_answer(session: &Session) -> Option<String> {
    let (input, _) = session.lesson.as_ref()?.next_input()?;
    input.is_answer.then(|| input.text.clone())
}
