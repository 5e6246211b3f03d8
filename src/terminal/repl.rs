//! The REPL: reads an entry, runs it, prints the answer, until the user quits.
//!
//! ```text
//! line_reader      reads entries at the prompt with rustyline
//! line_helper      the rustyline helper
//! hint             hints for newcomers
//! history          the history of entries across sessions, for the arrow keys and Ctrl-R
//! entry_lines      the lines of an entry
//! input            reads entries from standard input when it is not a terminal
//! piped            non-interactive sessions
//! external_editor  `:edit`: opens a definition or file in the user's editor
//! banner           the start screen: version, language and suggestions
//! opponent         `gridbug run FILE --opponent P`
//! animate          `play` at a stop
//! interrupt        Ctrl-C handling: stops the running program
//! json             `--json`: reads entries and prints one JSON object per line
//! lesson_progress  remembers how far each lesson was played
//! ```

pub(crate) mod animate;
pub(crate) mod banner;
pub(crate) mod entry_lines;
pub(crate) mod external_editor;
pub(crate) mod hint;
pub(crate) mod history;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod json;
pub(crate) mod lesson_progress;
pub(crate) mod line_helper;
pub(crate) mod line_reader;
pub(crate) mod opponent;
pub(crate) mod piped;

use super::cli::score_file::ScoreFile;
use super::cli::show;
use super::output::Screen;
use super::screen::full_screen::{leave_on_signal, return_after_stop};
use super::screen::key_play::KeyPlayEnd;
use super::screen::keys::KeyReader;
use super::screen::view::{View, ViewExit};
use super::screen::{key_play, pager};
use super::{Arguments, CliCommand, InitialGame};
use crate::answer::{Control, EditRequest, Part, Question};
use crate::command::{self, CompletionContext};
use crate::debugger::run;
use crate::driver::{Driver, blank_line};
use crate::host::{JournalDir, keyboard, state_dir};
use crate::session::{
    Answer, Journal, Line, Session, Style, cancelled_message, count_noun, stop_on_errors,
};
use external_editor::{EditResult, Editor, edit};
use hint::Hints;
use interrupt::Interrupt;
use lesson_progress::LessonProgress;
use line_reader::{LineReader, ReadResult};
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::rc::Rc;

/// The state of an interactive session.
struct Repl {
    driver: Driver,
    session: Session,
    screen: Screen,
    reader: LineReader,
    interrupt: Interrupt,
    hints: Hints,
    /// The text to offer at the next prompt.
    prefill: Option<String>,
    /// The user has just been asked whether to discard unsaved definitions.
    has_asked_about_unsaved: bool,
    has_explained_editor: bool,
    lesson_progress: LessonProgress,
    /// Whether it has been said that the place in the lesson cannot be stored.
    has_warned_of_progress: bool,
    score_file: Option<ScoreFile>,
}

/// Runs the REPL until the user quits.
pub fn run(
    session: Session,
    game: &InitialGame,
    arguments: &Arguments,
    screen: Screen,
) -> io::Result<ExitCode> {
    keyboard::restore_on_signal(leave_on_signal, return_after_stop);
    let reader = LineReader::new(CompletionContext::new(&session), screen.color)?;
    let interrupt = Interrupt::install(&session);
    let mut repl = Repl {
        driver: Driver::new(),
        session,
        screen,
        reader,
        interrupt,
        hints: Hints::default(),
        prefill: None,
        has_asked_about_unsaved: false,
        has_explained_editor: false,
        lesson_progress: LessonProgress::new(),
        has_warned_of_progress: false,
        score_file: None,
    };
    if let Some(CliCommand::Lesson {
        lesson,
        score: Some(path),
        ..
    }) = &arguments.subcommand
    {
        let lesson = lesson.join(" ");
        let step = repl.lesson_progress.next_step(&repl.session, &lesson);
        repl.score_file = Some(ScoreFile::open(path, &lesson, step.is_some())?);
    }
    repl.update_size();
    repl.session.view_settings.can_animate = true;
    stop_on_errors(&mut repl.session, true);
    repl.start(game, arguments.resume.as_deref())?;
    let is_view = match arguments.subcommand {
        Some(CliCommand::Lesson { view, .. }) => view,
        _ => arguments.view,
    };
    if is_view && !repl.run_entry(":view")? {
        return repl.end();
    }
    while repl.read_and_run()? {}
    repl.end()
}

/// Says that pasted lines were not run.
pub fn not_run_line(count: usize) -> Line {
    let lines = count_noun(count, "pasted line was", "pasted lines were");
    Line::styled(Style::Dim, format!("{lines} not run"))
}

/// Reads an entry at the prompt.
pub fn read_entry(
    session: &mut Session,
    reader: &mut LineReader,
    initial: &str,
) -> io::Result<ReadResult> {
    let mut journal = session.journal.take();
    let result = reader.read_entry(session, journal.as_mut(), initial);
    let is_discarded = matches!(
        result,
        Ok(ReadResult::Cancelled | ReadResult::Closed(_) | ReadResult::Discarded(_))
    );
    if let Some(journal) = journal.as_mut().filter(|_| is_discarded) {
        journal.discard_draft();
    }
    session.journal = journal;
    result
}

impl Repl {
    /// Ends the session.
    fn end(mut self) -> io::Result<ExitCode> {
        self.store_score()?;
        let mut exit_code = ExitCode::SUCCESS;
        if let Some(answer) = command::finish_recording(&mut self.session) {
            if !answer.ok {
                exit_code = ExitCode::FAILURE;
            }
            self.show(answer)?;
        }
        // If the terminal was closed, the session has not ended normally.
        let journal = self.session.journal.take();
        if let Some(journal) = journal.filter(|_| io::stdin().is_terminal()) {
            journal.close();
        }
        Ok(exit_code)
    }

    /// Prints the start screen, opens the initial file and starts the journal.
    fn start(&mut self, game: &InitialGame, resume: Option<&str>) -> io::Result<()> {
        let answer = game.open(&mut self.session);
        let loaded = answer.as_ref().is_none_or(|r| r.ok);
        self.session.journal = state_dir().map(|dir| {
            let store = Rc::new(JournalDir::new(dir.join("journal")));
            Journal::new(store, &self.session)
        });
        if let Some(index) = resume.filter(|_| command::has_stored_session(&self.session)) {
            self.screen.print_line(&banner::short())?;
            self.run_entry(&format!(":resume {index}"))?;
            return Ok(());
        }
        if let InitialGame::Lesson(file) = game {
            self.screen.print_line(&banner::short())?;
            return self.open_lesson(file);
        }
        self.screen
            .print_lines(&banner::lines(&self.session, game, loaded))?;
        if resume.is_some() {
            self.run_entry(":resume")?;
        }
        self.screen
            .print_lines(&command::resume_hints(&self.session))?;
        let no_home =
            "no home directory found, so this session cannot be resumed; use `:save FILE`";
        let warning = match &mut self.session.journal {
            Some(journal) => journal.check(),
            None => Some(no_home.to_string()),
        };
        if let Some(message) = warning {
            self.screen.print_line(&banner::bold_backquoted(
                Line::styled(Style::Warning, "warning: "),
                &message,
            ))?;
        }
        match answer {
            Some(answer) => self.show(answer),
            None => Ok(()),
        }
    }

    /// Reads and runs one entry. Returns false when the user quits.
    fn read_and_run(&mut self) -> io::Result<bool> {
        self.update_size();
        self.sync_journal();
        if let Some(question) = self.session.target.question() {
            return self.ask_again(question);
        }
        let initial = self.prefill.take().unwrap_or_default();
        let result = read_entry(&mut self.session, &mut self.reader, &initial);
        match result? {
            ReadResult::Cancelled | ReadResult::Closed(_) => Ok(true),
            ReadResult::Discarded(lines) => self.print(cancelled_message(&lines).into()),
            ReadResult::Eof => {
                let unsaved_count = self.session.unsaved_count();
                Ok(!self.may_quit(unsaved_count)?)
            }
            ReadResult::Entry(text) => {
                let Some(text) = self.line_meant(text) else {
                    return Ok(true);
                };
                let is_running = self.run_entry(&text)?;
                if self.interrupt.was_pressed() {
                    self.discard_pasted()?;
                }
                Ok(is_running)
            }
        }
    }

    /// The line to run for what was typed; `None` if it means nothing.
    fn line_meant(&self, typed: String) -> Option<String> {
        match typed.trim().is_empty() {
            true => blank_line(&self.session),
            false => Some(typed),
        }
    }

    /// Asks a question of the program that was left open, e.g. by leaving the view. Returns false when
    /// the user quits.
    fn ask_again(&mut self, question: Question) -> io::Result<bool> {
        let text = question.text.clone();
        self.show(Answer {
            question: Some(question),
            ..Answer::new("")
        })?;
        match self.ask(&text)? {
            Some(answer) => self.handle_answer(answer),
            None => Ok(true),
        }
    }

    /// After Ctrl-C, the rest of a pasted text is not run.
    fn discard_pasted(&mut self) -> io::Result<()> {
        match self.reader.discard_pasted() {
            0 => Ok(()),
            n => self.screen.print_line(&not_run_line(n)),
        }
    }

    /// Runs an entry, including everything that its answer starts: key play, animation, input for
    /// the program, the external editor. Returns false when the user quits.
    fn run_entry(&mut self, text: &str) -> io::Result<bool> {
        self.update_size();
        self.interrupt.reset();
        let before = self.session.target.progress().status;
        let mut answer = self.driver.answer(&mut self.session, text);
        let elapsed = key_play::elapsed_time_line(&self.session, before);
        answer.hints.splice(0..0, elapsed.map(Part::Line));
        self.handle_answer(answer)
    }

    /// Shows an answer and does everything that it starts. Returns false when the user quits.
    fn handle_answer(&mut self, mut answer: Answer) -> io::Result<bool> {
        loop {
            if let Some(keys) = (answer.control == Some(Control::PlayKeys))
                .then(|| KeyReader::open().ok())
                .flatten()
            {
                match self.key_play(keys)? {
                    KeyPlayEnd::Answer(more) => answer = *more,
                    KeyPlayEnd::Left => return Ok(true),
                    KeyPlayEnd::Text(text) => {
                        self.prefill = Some(text);
                        return Ok(true);
                    }
                }
            }
            if let Some(Control::Animate { delay }) = answer.control {
                let Repl {
                    driver,
                    session,
                    screen,
                    interrupt,
                    ..
                } = self;
                match animate::run(driver, session, screen, interrupt, delay)? {
                    Some(more) => answer = more,
                    None => return Ok(true),
                }
            }
            if let Some(Control::OpenView { is_large }) = answer.control {
                return self.open_view(is_large);
            }
            let (question, control) = (answer.question.take(), answer.control.take());
            self.show(answer)?;
            if let Some(Control::Quit { unsaved_count }) = control {
                return Ok(!self.may_quit(unsaved_count)?);
            }
            self.has_asked_about_unsaved = false;
            if let Some(more) = self.driver.next(&mut self.session) {
                answer = more;
                continue;
            }
            if let Some(question) = question {
                match self.ask(&question.text)? {
                    Some(more) => answer = more,
                    None => return Ok(true),
                }
                continue;
            }
            return match control {
                Some(Control::Edit(request)) => self.edit(&request),
                Some(Control::ClearScreen) => {
                    self.screen.clear()?;
                    self.screen.flush()?;
                    Ok(true)
                }
                Some(Control::Prefill { text }) => {
                    if let Some(lines) = self.reader.discard_unfinished() {
                        self.print(cancelled_message(&lines).into())?;
                    }
                    self.prefill = Some(text);
                    Ok(true)
                }
                _ => Ok(true),
            };
        }
    }

    /// Whether to quit now. If definitions would be lost, this is asked once: quitting again, as the
    /// next line, discards them.
    fn may_quit(&mut self, unsaved_count: usize) -> io::Result<bool> {
        let is_closed = !io::stdin().is_terminal();
        if unsaved_count == 0 || is_closed || self.has_asked_about_unsaved {
            return Ok(true);
        }
        self.has_asked_about_unsaved = true;
        self.screen
            .print_lines(&banner::unsaved(&self.session, unsaved_count))?;
        Ok(false)
    }

    /// Shows the panes that stay in place until the user leaves them. Returns false when the user
    /// quits.
    fn open_view(&mut self, is_large: bool) -> io::Result<bool> {
        let Repl {
            driver,
            session,
            screen,
            reader,
            interrupt,
            lesson_progress,
            score_file,
            ..
        } = self;
        let mut after_answer = |session: &Session| {
            // Problems are reported when both are stored again, after the view.
            let _ = lesson_progress.store(session);
            let _ = score_file.as_mut().map(|file| file.store(session));
        };
        let view = View::open(
            driver,
            session,
            screen,
            reader,
            interrupt,
            is_large,
            &mut after_answer,
        );
        let problem = view.as_ref().err().map(io::Error::to_string);
        let exit = view.and_then(View::run);
        if let Some(problem) = problem {
            let line = Line::styled(Style::Error, "error: ");
            return self.print(line.with(Style::Plain, problem));
        }
        match exit? {
            ViewExit::Prompt => {}
            ViewExit::Quit { unsaved_count } => return Ok(!self.may_quit(unsaved_count)?),
            ViewExit::Closed => return Ok(false),
        }
        // Show where things stand: the view has left no trace on this screen.
        let answer = match self.session.target.is_stopped() {
            true => run::reshow_stop(&mut self.session.target),
            false if self.session.board_size().is_none() => return Ok(true),
            false => Answer::of(Part::Board(self.session.shown_board())),
        };
        self.show(answer)?;
        Ok(true)
    }

    /// Opens the editor and runs what was written in it. Returns false when the user quits.
    fn edit(&mut self, request: &EditRequest) -> io::Result<bool> {
        let editor = Editor::choose();
        if !self.explain_editor(&editor)? {
            return Ok(true);
        }
        match edit(request, &editor) {
            Ok(EditResult::Unchanged) => self.print(Line::styled(Style::Dim, "unchanged")),
            Ok(EditResult::FileChanged) => self.run_entry(":reload"),
            Ok(EditResult::Entries(entries)) => {
                for entry in &entries {
                    if !self.run_entry(entry)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Err(reason) => {
                self.print(Line::styled(Style::Error, "error: ").with(Style::Plain, reason))
            }
        }
    }

    /// Says how to leave an editor that the user has not chosen. Waits the first time if the editor
    /// does not say so itself. Returns false if the user cancels.
    fn explain_editor(&mut self, editor: &Editor) -> io::Result<bool> {
        let Some(help) = editor.help() else {
            return Ok(true);
        };
        self.print(banner::bold_backquoted(Line::plain(""), help.text))?;
        if help.is_on_screen || std::mem::replace(&mut self.has_explained_editor, true) {
            return Ok(true);
        }
        let context = CompletionContext::new(&self.session);
        let result = self
            .reader
            .read_answer(context, "Press Enter to open it, Ctrl-C to cancel ")?;
        Ok(matches!(result, ReadResult::Entry(_)))
    }

    /// Plays with the arrow keys until Esc.
    fn key_play(&mut self, keys: KeyReader) -> io::Result<KeyPlayEnd> {
        let Some(names) = self.session.target.language().info().arrow_keys else {
            return Ok(KeyPlayEnd::Left);
        };
        let Repl {
            driver,
            session,
            screen,
            reader,
            interrupt,
            ..
        } = self;
        key_play::KeyPlay {
            driver,
            session,
            screen,
            reader,
            interrupt,
        }
        .run(keys, names)
    }

    /// Asks the user for the input that the program waits for. Returns `None` if the user cancels,
    /// which also cancels the entry.
    fn ask(&mut self, question: &str) -> io::Result<Option<Answer>> {
        let context = CompletionContext::new(&self.session);
        // The line editor accepts only one line as its prompt.
        let (before, last) = question.rsplit_once('\n').unwrap_or(("", question));
        if !before.is_empty() {
            self.screen.print_text(before)?;
        }
        let last = if last.ends_with(' ') {
            last.to_string()
        } else {
            format!("{last} ")
        };
        match self
            .reader
            .read_answer(context, &super::output::escape_controls(&last))?
        {
            ReadResult::Entry(line) => {
                self.update_size();
                self.interrupt.reset();
                // A lesson knows the answer.
                let known = self
                    .line_meant(line.clone())
                    .filter(|line| !line.is_empty());
                let line = known.unwrap_or(line);
                Ok(Some(self.driver.answer(&mut self.session, &line)))
            }
            ReadResult::Cancelled
            | ReadResult::Closed(_)
            | ReadResult::Discarded(_)
            | ReadResult::Eof => {
                if let Some(text) = self.session.end_input() {
                    self.print(cancelled_message(&text).into())?;
                }
                Ok(None)
            }
        }
    }

    /// Opens a lesson where it was left, or at its start.
    fn open_lesson(&mut self, argument: &str) -> io::Result<()> {
        let step = self.lesson_progress.next_step(&self.session, argument);
        self.run_entry(&format!(":lesson {argument}"))?;
        let is_open = self.session.lesson.is_some();
        if let Some(step) = step.filter(|_| is_open) {
            self.print(Line::styled(
                Style::Dim,
                format!("Continuing at step {step}; `:lesson 1` starts from the beginning"),
            ))?;
            self.run_entry(&format!(":lesson {step}"))?;
        }
        Ok(())
    }

    /// Prints an answer, with a hint if there is one.
    fn show(&mut self, mut answer: Answer) -> io::Result<()> {
        self.sync_journal();
        self.store_progress()?;
        self.store_score()?;
        self.lesson_progress.complete(&mut answer.parts);
        // A lesson says itself what to do next, and Enter must run the next step.
        let is_step = answer.hints.iter().any(|p| matches!(p, Part::Lesson(_)));
        if !is_step {
            let hint = self.hints.for_answer(&self.session, &answer);
            answer.hints.extend(hint.map(Part::Line));
        }
        if self.interrupt.was_pressed() {
            // The terminal has echoed `^C`; continue on a new line.
            self.screen.print_raw("")?;
        }
        if !is_step && show::is_pageable(&answer) {
            let text = self
                .screen
                .render(|screen| show::print_answer(screen, &self.session, &answer))?;
            if text.lines().count() >= self.screen.height {
                let typed = pager::show(&mut self.screen, &text)?;
                self.prefill = typed.or(self.prefill.take());
                return Ok(());
            }
        }
        show::print_answer(&mut self.screen, &self.session, &answer)
    }

    /// Remembers how far the lesson is. A problem is reported once, and ends nothing.
    fn store_progress(&mut self) -> io::Result<()> {
        match self.lesson_progress.store(&self.session) {
            Err(error) if !std::mem::replace(&mut self.has_warned_of_progress, true) => {
                let warning = Line::styled(Style::Warning, "warning: ");
                self.print(warning.with(Style::Plain, error.to_string()))
                    .map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Writes the score of the lesson. A problem is reported once, and ends nothing.
    fn store_score(&mut self) -> io::Result<()> {
        let stored = self
            .score_file
            .as_mut()
            .map(|file| file.store(&self.session));
        if let Some(Err(error)) = stored {
            self.score_file = None;
            let warning = Line::styled(Style::Warning, "warning: ");
            self.print(warning.with(Style::Plain, error.to_string()))?;
        }
        Ok(())
    }

    /// Flushes the journal to disk before anything is shown, so that no answer is lost even on power
    /// failure. Takes a few tenths of a millisecond.
    fn sync_journal(&mut self) {
        if let Some(journal) = &mut self.session.journal {
            journal.sync();
        }
    }

    fn print(&mut self, line: Line) -> io::Result<bool> {
        self.screen.print_line(&line)?;
        Ok(true)
    }

    /// Updates the terminal size, which can change at any time.
    fn update_size(&mut self) {
        let (width, height) = self.reader.terminal_size();
        (self.screen.width, self.screen.height) = (width, height);
        (
            self.session.view_settings.width,
            self.session.view_settings.height,
        ) = (width, height);
    }
}
