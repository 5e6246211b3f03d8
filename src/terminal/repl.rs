//! The conversation at the prompt.

use super::completion_context::CompletionContext;
use super::external_editor::{EditResult, edit};
use super::hint::Hints;
use super::input::is_incomplete;
use super::interrupt::Interrupt;
use super::keys::KeyReader;
use super::line_reader::{LineReader, ReadResult};
use super::output::Screen;
use super::{Arguments, animate, banner, key_play, open_initial, show};
use crate::command;
use crate::host::{keyboard, state_dir};
use crate::language::Viewport;
use crate::session::{Journal, Line, Reply, Session, Style};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

struct Repl {
    session: Session,
    screen: Screen,
    reader: LineReader,
    interrupt: Interrupt,
    hints: Hints,
}

/// Talks until the person leaves.
pub fn run(session: Session, arguments: &Arguments, screen: Screen) -> io::Result<ExitCode> {
    keyboard::restore_on_signal();
    let reader = LineReader::new(
        CompletionContext::new(&session, screen.colour),
        screen.colour,
    )?;
    let interrupt = Interrupt::install(&session);
    let mut talk = Repl {
        session,
        screen,
        reader,
        interrupt,
        hints: Hints::default(),
    };
    talk.measure();
    talk.session.view_settings.can_animate = true;
    talk.begin(arguments)?;
    while talk.turn()? {}
    if let Some(reply) = command::finish_recording(&mut talk.session) {
        talk.show(reply)?;
    }
    // Who closes the terminal does not leave: the journal stays.
    if let Some(journal) = talk
        .session
        .journal
        .take()
        .filter(|_| io::stdin().is_terminal())
    {
        journal.delete();
    }
    Ok(ExitCode::SUCCESS)
}

impl Repl {
    fn begin(&mut self, arguments: &Arguments) -> io::Result<()> {
        let reply = open_initial(&mut self.session, arguments);
        let loaded = reply.as_ref().is_none_or(|r| r.ok);
        self.session.journal =
            state_dir().map(|folder| Journal::new(folder.join("journal"), &self.session));
        let offer = command::resume_hint(&self.session);
        if let Some(which) = arguments.resume.as_ref().filter(|_| offer.is_some()) {
            self.screen.print_line(&banner::short())?;
            self.take(&format!(":resume {which}"))?;
            return Ok(());
        }
        self.screen.print_lines(&banner::lines(
            &self.session,
            arguments.file.as_deref(),
            loaded,
        ))?;
        if arguments.resume.is_some() {
            self.take(":resume")?;
        }
        if let Some(line) = offer {
            self.screen.print_line(&line)?;
        }
        if self.session.journal.is_none() {
            let words =
                "there is no home folder, so what you type can't be kept; `:save FILE` keeps it";
            self.screen.print_line(&banner::bold_backquoted(
                Line::styled(Style::Warning, "warning: "),
                words,
            ))?;
        }
        reply.map_or(Ok(()), |reply| self.show(reply))
    }

    /// One thing typed and answered; false when the person leaves.
    fn turn(&mut self) -> io::Result<bool> {
        self.measure();
        self.keep();
        let known = CompletionContext::new(&self.session, self.screen.colour);
        let prompt = match self.session.is_stopped() {
            true => "stopped> ".to_string(),
            false => format!("{}> ", self.session.language().info().name),
        };
        let session = &self.session;
        match self
            .reader
            .read_entry(known, &prompt, |text| is_incomplete(session, text))?
        {
            ReadResult::Cancelled => Ok(true),
            ReadResult::Eof => Ok(false),
            ReadResult::Entry(text)
                if text.trim().is_empty()
                    && !self.session.is_stopped()
                    && !command::accepts_blank_line(&self.session) =>
            {
                Ok(true)
            }
            ReadResult::Entry(text) => self.take(&text),
        }
    }

    fn take(&mut self, text: &str) -> io::Result<bool> {
        self.measure();
        self.interrupt.reset();
        let before = self.session.view(Viewport::NONE).status;
        let mut reply = command::handle_line(&mut self.session, text);
        reply
            .board_lines
            .extend(key_play::elapsed_time_line(&self.session, before));
        loop {
            if let Some(keys) = reply
                .start_key_play
                .then(|| KeyReader::open().ok())
                .flatten()
            {
                match self.play(keys)? {
                    Some(more) => reply = more,
                    None => return Ok(true),
                }
            }
            if let Some(pace) = reply.animation_delay.take() {
                match animate::run(&mut self.session, &mut self.screen, &self.interrupt, pace)? {
                    Some(more) => reply = more,
                    None => return Ok(true),
                }
            }
            let (question, quits, draft) = (
                reply.question.take(),
                reply.should_quit,
                reply.edit_request.take(),
            );
            self.show(reply)?;
            if quits {
                return Ok(false);
            }
            if let Some(question) = question {
                match self.ask(&question)? {
                    Some(more) => reply = more,
                    None => return Ok(true),
                }
                continue;
            }
            return match draft.map(|draft| edit(&draft)) {
                None => Ok(true),
                Some(Ok(EditResult::Unchanged)) => self.say(Line::styled(Style::Dim, "unchanged")),
                Some(Ok(EditResult::FileChanged)) => self.take(":reload"),
                Some(Ok(EditResult::NewText(text))) => self.take(&text),
                Some(Err(why)) => {
                    self.say(Line::styled(Style::Error, "error: ").with(Style::Plain, why))
                }
            };
        }
    }

    /// Plays with the arrow keys until Esc; what is to be shown at the prompt, if it ends otherwise.
    fn play(&mut self, keys: KeyReader) -> io::Result<Option<Reply>> {
        let Some(names) = self.session.language().info().arrow_keys else {
            return Ok(None);
        };
        let Repl {
            session,
            screen,
            reader,
            interrupt,
            ..
        } = self;
        key_play::KeyPlay {
            session,
            screen,
            reader,
            interrupt,
        }
        .run(keys, names)
    }

    /// Asks what the game asks; nothing if the person gives it up, and the entry with it.
    fn ask(&mut self, question: &str) -> io::Result<Option<Reply>> {
        let known = CompletionContext::new(&self.session, self.screen.colour);
        // Only the last line can be the prompt.
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
            .read_answer(known, &super::output::escape_controls(&last))?
        {
            ReadResult::Entry(line) => {
                self.measure();
                self.interrupt.reset();
                Ok(Some(command::handle_line(&mut self.session, &line)))
            }
            ReadResult::Cancelled | ReadResult::Eof => {
                self.session.end_input();
                self.say(Line::styled(Style::Dim, "given up; nothing was changed"))?;
                Ok(None)
            }
        }
    }

    fn show(&mut self, mut reply: Reply) -> io::Result<()> {
        self.keep();
        reply
            .hints
            .extend(self.hints.for_reply(&self.session, &reply));
        if self.interrupt.was_pressed() {
            // The terminal has written ^C into the line.
            self.screen.print_raw("")?;
        }
        show::print_reply(&mut self.screen, &self.session, &reply)
    }

    /// What is answered is on the disk, also if the power goes: it takes a few tenths of a millisecond.
    fn keep(&mut self) {
        if let Some(journal) = &mut self.session.journal {
            journal.sync();
        }
    }

    fn say(&mut self, line: Line) -> io::Result<bool> {
        self.screen.print_line(&line)?;
        Ok(true)
    }

    /// The terminal may have another size than before, also since the prompt was written.
    fn measure(&mut self) {
        let (width, height) = self.reader.terminal_size();
        (self.screen.width, self.screen.height) = (width, height);
        (
            self.session.view_settings.width,
            self.session.view_settings.height,
        ) = (width, height);
    }
}
