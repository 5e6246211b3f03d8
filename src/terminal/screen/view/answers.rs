//! Runs entries and commands from the view, and shows their answers in the panes.

use super::layout::Pane;
use super::output_log::{DiagnosticDetail, answer_lines};
use super::popup::Popup;
use super::{Focus, Next, View, ViewExit};
use crate::answer::{Control, EditRequest, Part, Stop, StopReason};
use crate::session::{Answer, Line, Style, cancelled_message};
use crate::terminal::repl::external_editor::{EditResult, Editor, edit};
use crate::terminal::screen::canvas::text::wrapped_lines;
use crate::terminal::screen::input::Input;
use crate::terminal::screen::keys::Key;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

impl View<'_> {
    /// Runs an entry or a command, and everything that its answer asks for.
    pub(super) fn run_entry(&mut self, text: &str) -> io::Result<Next> {
        self.update_size();
        self.interrupt.reset();
        let answer = self.driver.answer(self.session, text);
        self.handle_answer(text, answer)
    }

    /// Shows an answer and does what it asks for.
    pub(super) fn handle_answer(&mut self, entry: &str, mut answer: Answer) -> io::Result<Next> {
        let control = answer.control.take();
        if let Some(Control::Animate { delay }) = control {
            let answer = self.animate(delay)?;
            return self.handle_answer("", answer);
        }
        if let Some(Control::OpenView { is_large }) = control {
            self.state.is_large = is_large;
            return Ok(Next::Go);
        }
        let mut next = self.show_answer(entry, &answer)?;
        while !matches!(next, Next::Exit(_)) && self.driver.has_next(self.session) {
            self.draw()?;
            let Some(answer) = self.driver.next(self.session) else {
                break;
            };
            // A key that closed the message before is meant for what is shown now.
            next = match self.show_answer("", &answer)? {
                Next::Go => next,
                other => other,
            };
        }
        match control {
            Some(Control::Quit { unsaved_count }) => {
                Ok(Next::Exit(ViewExit::Quit { unsaved_count }))
            }
            Some(Control::Edit(request)) => self.edit(&request),
            Some(Control::Prefill { text }) => {
                let discarded = self.reader.discard_unfinished();
                self.log
                    .extend(discarded.map(|lines| cancelled_message(&lines).into()));
                self.read_entry(&text)
            }
            Some(Control::PlayKeys) => {
                self.state.focus = Focus::Board;
                Ok(Next::Go)
            }
            // A question without choices can only be typed.
            _ if self.choices().is_some_and(|choices| choices.is_empty()) => self.read_entry(""),
            _ => Ok(next),
        }
    }

    /// Shows an answer in the panes. Text that does not fit into the output pane covers the others
    /// until a key is pressed.
    fn show_answer(&mut self, entry: &str, answer: &Answer) -> io::Result<Next> {
        if let Some(journal) = &mut self.session.journal {
            journal.sync();
        }
        (self.after_answer)(self.session);
        self.state.note_stop(self.session, answer);
        // The evaluation, the next step of a lesson and a question have panes of their own.
        let has_steps = self.state.evaluation.is_some();
        let is_shown = |part: &&Part| match part {
            Part::Lesson(_) | Part::Prediction(_) => false,
            Part::Evaluation(_) => !has_steps,
            _ => true,
        };
        let answer = &Answer {
            parts: answer.parts.iter().filter(is_shown).cloned().collect(),
            hints: answer.hints.iter().filter(is_shown).cloned().collect(),
            ..answer.clone()
        };
        let lines = answer_lines(self.session, self.screen, answer, DiagnosticDetail::Full);
        let is_step = entry.starts_with(':') && answer.ok && lines.is_empty();
        if !entry.is_empty() && !is_step {
            let first = entry.lines().next().unwrap_or_default();
            self.log
                .push(Line::styled(Style::Dim, format!("> {first}")));
        }
        let (scene, layout) = self.scene_and_layout();
        let area = layout
            .area(Pane::Output)
            .map(|area| scene.inside(Pane::Output, area));
        let fits = match area {
            Some(area) => wrapped_lines(&lines, area.width).len() <= area.height,
            None => lines.is_empty(),
        };
        self.log
            .extend(match fits || answer.diagnostics.is_empty() {
                true => lines.clone(),
                // What the pane can show when the whole answer is closed.
                false => answer_lines(self.session, self.screen, answer, DiagnosticDetail::Message),
            });
        match fits {
            true => Ok(Next::Go),
            false => self.show_lines(entry, lines),
        }
    }

    /// What the question of a prediction can be answered with; `None` without a question.
    pub(super) fn choices(&self) -> Option<Vec<String>> {
        let prediction = self.session.predictions.pending.as_ref()?;
        let choices = prediction.question.choices.iter();
        Some(choices.map(|choice| choice.answer.clone()).collect())
    }

    /// Whether a text is one of these answers.
    pub(super) fn is_choice(&self, text: &str) -> bool {
        let choices = self.choices().unwrap_or_default();
        choices.iter().any(|choice| choice == text.trim())
    }

    /// Steps with a delay, drawn in place, until a key is pressed or the program stops otherwise.
    fn animate(&mut self, delay: Duration) -> io::Result<Answer> {
        loop {
            self.draw()?;
            let deadline = Instant::now() + delay;
            loop {
                let left = deadline.saturating_duration_since(Instant::now());
                match self.full_screen.read_key(Some(left))? {
                    Some(Key::Resized) => self.draw()?,
                    Some(_) => return Ok(Answer::new("")),
                    None => break,
                }
            }
            self.interrupt.reset();
            let answer = self.driver.answer(self.session, ":step");
            let is_step = |stop: &Rc<Stop>| stop.reason == StopReason::Step;
            if !answer.stop.as_ref().is_some_and(is_step) || self.interrupt.was_pressed() {
                return Ok(answer);
            }
            self.show_answer("", &answer)?;
        }
    }

    /// Opens the user's editor on the normal screen and runs what was written.
    fn edit(&mut self, request: &EditRequest) -> io::Result<Next> {
        let editor = Editor::choose();
        match self
            .full_screen
            .with_normal_screen(|| edit(request, &editor))?
        {
            Ok(EditResult::Unchanged) => {
                self.log.push(Line::styled(Style::Dim, "unchanged"));
                Ok(Next::Go)
            }
            Ok(EditResult::FileChanged) => self.run_entry(":reload"),
            Ok(EditResult::Entries(entries)) => {
                for entry in &entries {
                    match self.run_entry(entry)? {
                        Next::Go => {}
                        next => return Ok(next),
                    }
                }
                Ok(Next::Go)
            }
            Err(reason) => {
                let line = Line::styled(Style::Error, "error: ");
                self.log.push(line.with(Style::Plain, reason));
                Ok(Next::Go)
            }
        }
    }

    /// Shows lines over the lower part of the panes, page by page, until a key is pressed. A key
    /// that means something else is handled afterwards.
    pub(super) fn show_lines(&mut self, entry: &str, lines: Vec<Line>) -> io::Result<Next> {
        let title = entry.lines().next().unwrap_or_default().to_string();
        let mut popup = Popup::new(title, lines);
        loop {
            let mut frame = self.frame(1);
            popup.draw(&mut frame);
            self.show(frame)?;
            let input = self.next_input()?;
            let Input::Key(key) = input else {
                return Ok(Next::Input(input));
            };
            match key {
                Key::Resized | Key::Other => {}
                Key::Closed => return Ok(Next::Exit(ViewExit::Closed)),
                key if popup.turns(key) => {}
                Key::Escape | Key::Interrupt | Key::Char(' ' | 'q') => return Ok(Next::Go),
                // It showed the pages until now.
                Key::Enter | Key::Down | Key::PageDown if popup.was_turned => return Ok(Next::Go),
                _ => return Ok(Next::Input(input)),
            }
        }
    }
}
