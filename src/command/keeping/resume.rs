//! `:resume`: restores an earlier session from its journal.

use super::replay::restore_session;
use crate::answer::{CommandError, Control, Notice, Part, ResumableSession, ResumableSessions};
use crate::command::teaching::tour;
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::debugger::run;
use crate::render::{notice_line, resumable_name};
use crate::session::session_file::{Ending, ProgramRef, SessionItem};
use crate::session::{
    Answer, DamagedJournal, Line, Session, StoredJournal, StoredJournals, Style, replace_session,
};
use crate::teach::lesson;

pub const COMMANDS: &[Command] = &[Command {
    name: "resume",
    aliases: &[],
    usage: "[list | N | drop N]",
    topic: Topic::Session,
    help: "restore an earlier session, e.g. one that was killed; `list` lists the last ones",
    example: ":resume list",
    effects: CommandEffects::of(Topic::Session)
        .unrecorded()
        .must_be_typed(),
    completion: ArgumentCompletion::Words(&["list", "drop"]),
    run: resume,
}];

/// What the start screen says about earlier sessions: one that ended unexpectedly, and journals that
/// are damaged.
pub fn resume_hints(session: &Session) -> Vec<Line> {
    let Some(journal) = &session.journal else {
        return Vec::new();
    };
    let stored = StoredJournals::unexpectedly_ended(journal.store());
    let notices = journal_notices(&stored);
    let mut lines: Vec<Line> = notices.iter().map(notice_line).collect();
    if let Some(newest) = stored.journals.first() {
        let (session, command) = match newest.number {
            1 => ("Your last session", ":resume".to_string()),
            n => ("An earlier session", format!(":resume {n}")),
        };
        // Fits in 80 columns with a short file name.
        let name = resumable_name(&describe(newest));
        let line = Line::styled(
            Style::Dim,
            format!("{session} ({name}) ended unexpectedly; "),
        )
        .with(Style::Strong, command)
        .with(Style::Dim, " restores it");
        lines.push(match stored.journals.len() - 1 {
            0 => line,
            more => line
                .with(Style::Dim, format!("; {more} more: "))
                .with(Style::Strong, ":resume list"),
        });
    }
    lines
}

/// Whether there is a session to restore.
pub fn has_stored_session(session: &Session) -> bool {
    let journal = session.journal.as_ref();
    journal.is_some_and(|journal| !StoredJournals::all(journal.store()).journals.is_empty())
}

/// What was found about the journals: which are damaged, and which were set aside.
fn journal_notices(stored: &StoredJournals) -> Vec<Notice> {
    let set_aside = stored.set_aside.first().map(|first| Notice::OldJournals {
        count: stored.set_aside.len(),
        location: first.clone(),
    });
    let damaged = stored.damaged.iter().map(damage);
    damaged.chain(set_aside).collect()
}

fn damage(journal: &DamagedJournal) -> Notice {
    Notice::DamagedJournal {
        location: journal.location.clone(),
        recovered_count: journal.recovered_count,
        lost: journal.lost.clone(),
    }
}

fn describe(journal: &StoredJournal) -> ResumableSession {
    let items = journal.file.items.iter();
    ResumableSession {
        number: journal.number,
        name: match &journal.file.program {
            ProgramRef::Inline { name, .. } => {
                name.rsplit(['/', '\\']).next().unwrap_or(name).to_string()
            }
            _ => journal.file.language.clone(),
        },
        language: journal.file.language.clone(),
        has_ended: journal.has_ended(),
        entry_count: items.filter(|p| matches!(p, SessionItem::Input(_))).count(),
        age_minutes: journal.age.as_secs() / 60,
    }
}

/// What `:resume` is asked to do.
enum Request {
    List,
    Restore(usize),
    Delete(usize),
}

impl Request {
    fn parse(arguments: Arguments<'_>) -> Result<Request, CommandError> {
        let number = |arguments: Arguments<'_>| {
            arguments.number().ok_or_else(|| {
                CommandError::new("use `:resume`, `:resume list`, `:resume 2` or `:resume drop 2`")
            })
        };
        match arguments.first_word() {
            ("", _) => Ok(Request::Restore(1)),
            ("list", rest) if rest.is_empty() => Ok(Request::List),
            ("drop", rest) => number(rest).map(Request::Delete),
            _ => number(arguments).map(Request::Restore),
        }
    }
}

fn resume(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    if session.journal.is_none() && arguments.text() != "list" {
        return Err(CommandError::new(
            "this session has no journal; only sessions at a terminal keep one, in the home directory",
        ));
    }
    let stored = match &session.journal {
        Some(journal) => StoredJournals::all(journal.store()),
        None => StoredJournals::default(),
    };
    let mut answer = Answer::new("");
    answer.notices(journal_notices(&stored));
    answer.absorb(match Request::parse(arguments)? {
        Request::List => {
            let sessions = stored.journals.iter().map(describe).collect();
            Answer::of(Part::ResumableSessions(ResumableSessions { sessions }))
        }
        Request::Delete(number) => {
            let journal = nth(stored, number)?;
            let session = describe(&journal);
            journal.delete();
            Answer::of(Notice::DeletedSession { session })
        }
        Request::Restore(number) => restore(session, nth(stored, number)?)?,
    });
    Ok(answer)
}

fn nth(stored: StoredJournals, number: usize) -> Result<StoredJournal, CommandError> {
    let mut journals = stored.journals.into_iter();
    journals
        .find(|j| j.number == number)
        .ok_or_else(|| match number {
            1 => CommandError::new("nothing to restore: there is no earlier session"),
            n => CommandError::new(format!("there is no session {n} to restore"))
                .advise(":resume list", "lists them"),
        })
}

/// Replaces the current session by the one of a journal. The current session can be restored in
/// turn.
fn restore(session: &mut Session, stored: StoredJournal) -> Result<Answer, CommandError> {
    let restored = describe(&stored);
    let mut new = restore_session(&stored.file, session)?;
    let ending = stored.file.ending.clone();
    let journal = stored
        .resume(new.predictions.pending.is_some())
        .map_err(|e| format!("cannot write to its journal: {e}"))?;
    let predictions = std::mem::take(&mut new.predictions);
    let (_, mut answer) = replace_session(session, new);
    session.predictions = predictions;
    if let Some(left) = session.journal.replace(journal) {
        left.close();
    }
    session.view_settings.reset_legend();
    answer.push(Notice::RestoredSession { session: restored });
    if session.target.is_stopped() {
        answer.absorb(run::reshow_stop(&mut session.target));
    }
    if let Ending::Draft(text) = ending {
        answer.push(Notice::RestoredDraft);
        answer.control = Some(Control::Prefill { text });
    }
    answer.question = session.target.question();
    answer.board = Some(session.shown_board());
    answer.hints.extend(tour::active_step(session));
    let lesson = session.lesson.as_deref();
    answer.hints.extend(lesson.map(lesson::current_step));
    let question = session.predictions.pending.as_ref();
    let question = question.map(|p| Part::Prediction(p.question.clone()));
    answer.hints.extend(question);
    Ok(answer)
}
