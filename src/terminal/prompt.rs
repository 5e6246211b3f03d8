//! The conversation at the prompt.

use super::draft::{Edited, edit};
use super::hint::Hints;
use super::input::is_begun;
use super::interrupt::Interrupt;
use super::keys::Keys;
use super::known::Known;
use super::output::Screen;
use super::reader::{Reader, Typed};
use super::{Arguments, arrow, banner, first, show, slow};
use crate::command;
use crate::host::{keyboard, state_folder};
use crate::language::Window;
use crate::session::{Journal, Line, Reply, Session, Style};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

struct Talk {
    session: Session,
    screen: Screen,
    reader: Reader,
    interrupt: Interrupt,
    hints: Hints,
}

/// Talks until the person leaves.
pub fn talk(session: Session, arguments: &Arguments, screen: Screen) -> io::Result<ExitCode> {
    keyboard::keep_for_others();
    let reader = Reader::new(Known::of(&session, screen.colour), screen.colour)?;
    let interrupt = Interrupt::listen(&session);
    let mut talk = Talk {
        session,
        screen,
        reader,
        interrupt,
        hints: Hints::default(),
    };
    talk.measure();
    talk.session.look.paced = true;
    talk.begin(arguments)?;
    while talk.turn()? {}
    if let Some(reply) = command::end_recording(&mut talk.session) {
        talk.show(reply)?;
    }
    // Who closes the terminal does not leave: the journal stays.
    if let Some(journal) = talk
        .session
        .journal
        .take()
        .filter(|_| io::stdin().is_terminal())
    {
        journal.end();
    }
    Ok(ExitCode::SUCCESS)
}

impl Talk {
    fn begin(&mut self, arguments: &Arguments) -> io::Result<()> {
        let reply = first(&mut self.session, arguments);
        let loaded = reply.as_ref().is_none_or(|r| r.ok);
        self.session.journal =
            state_folder().map(|folder| Journal::new(folder.join("journal"), &self.session));
        let offer = command::offer(&self.session);
        if let Some(which) = arguments.resume.as_ref().filter(|_| offer.is_some()) {
            self.screen.line(&banner::short())?;
            self.take(&format!(":resume {which}"))?;
            return Ok(());
        }
        self.screen.lines(&banner::lines(
            &self.session,
            arguments.file.as_deref(),
            loaded,
        ))?;
        if arguments.resume.is_some() {
            self.take(":resume")?;
        }
        if let Some(line) = offer {
            self.screen.line(&line)?;
        }
        if self.session.journal.is_none() {
            let words =
                "there is no home folder, so what you type can't be kept; `:save FILE` keeps it";
            self.screen.line(&banner::marked(
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
        let known = Known::of(&self.session, self.screen.colour);
        let prompt = match self.session.is_stopped() {
            true => "stopped> ".to_string(),
            false => format!("{}> ", self.session.language().about().name),
        };
        let session = &self.session;
        match self
            .reader
            .entry(known, &prompt, |text| is_begun(session, text))?
        {
            Typed::Cleared => Ok(true),
            Typed::Left => Ok(false),
            Typed::Entry(text)
                if text.trim().is_empty()
                    && !self.session.is_stopped()
                    && !command::takes_blank(&self.session) =>
            {
                Ok(true)
            }
            Typed::Entry(text) => self.take(&text),
        }
    }

    fn take(&mut self, text: &str) -> io::Result<bool> {
        self.measure();
        self.interrupt.forget();
        let before = self.session.view(Window::NONE).status;
        let mut reply = command::exchange(&mut self.session, text);
        reply.picture.extend(arrow::elapsed(&self.session, before));
        loop {
            if let Some(keys) = reply.by_keys.then(|| Keys::open().ok()).flatten() {
                match self.play(keys)? {
                    Some(more) => reply = more,
                    None => return Ok(true),
                }
            }
            if let Some(pace) = reply.pace.take() {
                match slow::play(&mut self.session, &mut self.screen, &self.interrupt, pace)? {
                    Some(more) => reply = more,
                    None => return Ok(true),
                }
            }
            let (question, quits, draft) = (reply.question.take(), reply.quits, reply.edit.take());
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
                Some(Ok(Edited::Unchanged)) => self.say(Line::styled(Style::Dim, "unchanged")),
                Some(Ok(Edited::File)) => self.take(":reload"),
                Some(Ok(Edited::Text(text))) => self.take(&text),
                Some(Err(why)) => {
                    self.say(Line::styled(Style::Error, "error: ").with(Style::Plain, why))
                }
            };
        }
    }

    /// Plays with the arrow keys until Esc; what is to be shown at the prompt, if it ends otherwise.
    fn play(&mut self, keys: Keys) -> io::Result<Option<Reply>> {
        let Some(names) = self.session.language().about().keys else {
            return Ok(None);
        };
        let Talk {
            session,
            screen,
            reader,
            interrupt,
            ..
        } = self;
        arrow::Table {
            session,
            screen,
            reader,
            interrupt,
        }
        .play(keys, names)
    }

    /// Asks what the game asks; nothing if the person gives it up, and the entry with it.
    fn ask(&mut self, question: &str) -> io::Result<Option<Reply>> {
        let known = Known::of(&self.session, self.screen.colour);
        // Only the last line can be the prompt.
        let (before, last) = question.rsplit_once('\n').unwrap_or(("", question));
        if !before.is_empty() {
            self.screen.text(before)?;
        }
        let last = if last.ends_with(' ') {
            last.to_string()
        } else {
            format!("{last} ")
        };
        match self.reader.answer(known, &super::output::visible(&last))? {
            Typed::Entry(line) => {
                self.measure();
                self.interrupt.forget();
                Ok(Some(command::exchange(&mut self.session, &line)))
            }
            Typed::Cleared | Typed::Left => {
                self.session.give_up_asking();
                self.say(Line::styled(Style::Dim, "given up; nothing was changed"))?;
                Ok(None)
            }
        }
    }

    fn show(&mut self, mut reply: Reply) -> io::Result<()> {
        self.keep();
        reply.hint.extend(self.hints.of(&self.session, &reply));
        if self.interrupt.was_pressed() {
            // The terminal has written ^C into the line.
            self.screen.made("")?;
        }
        show::reply(&mut self.screen, &self.session, &reply)
    }

    /// What is answered is on the disk, also if the power goes: it takes a few tenths of a millisecond.
    fn keep(&mut self) {
        if let Some(journal) = &mut self.session.journal {
            journal.sync();
        }
    }

    fn say(&mut self, line: Line) -> io::Result<bool> {
        self.screen.line(&line)?;
        Ok(true)
    }

    /// The terminal may have another size than before, also since the prompt was written.
    fn measure(&mut self) {
        let (width, height) = self.reader.size();
        (self.screen.width, self.screen.height) = (width, height);
        (self.session.look.width, self.session.look.height) = (width, height);
    }
}
