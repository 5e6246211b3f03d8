//! `:resume`: restores a session that ended unexpectedly, from the journal it left.

use super::files::replace_session;
use super::replay::restore_session;
use super::{ArgumentCompletion, Arguments, Command, Topic, tour};
use crate::debugger::api::{CommandError, Part, ResumableSession, ResumableSessions};
use crate::render::{resumable_name, resumable_text};
use crate::session::session_file::{ProgramRef, SessionItem};
use crate::session::{Answer, Journal, Line, OrphanJournal, Session, Style};

pub const COMMANDS: &[Command] = &[Command {
    name: "resume",
    aliases: &[],
    usage: "[list | N | drop N]",
    topic: Topic::Session,
    help: "restore a session that ended unexpectedly, e.g. one that was killed",
    example: ":resume list",
    completion: ArgumentCompletion::Words(&["list", "drop"]),
    run: resume,
}];

/// The journals of sessions that ended unexpectedly, newest first.
fn orphans(session: &Session) -> Vec<OrphanJournal> {
    session
        .journal
        .as_ref()
        .map_or_else(Vec::new, Journal::orphans)
}

/// The hint of the start screen if an earlier session ended unexpectedly.
pub fn resume_hint(session: &Session) -> Option<Line> {
    let orphans = orphans(session);
    let newest = orphans.first()?;
    // Fits in 80 columns with a short file name.
    let text = format!(
        "Your last session ({}) ended unexpectedly; ",
        resumable_name(&describe(1, newest))
    );
    let line = Line::styled(Style::Dim, text)
        .with(Style::Strong, ":resume")
        .with(Style::Dim, " restores it");
    Some(match orphans.len() - 1 {
        0 => line,
        more => line
            .with(Style::Dim, format!("; {more} more: "))
            .with(Style::Strong, ":resume list"),
    })
}

fn describe(number: usize, journal: &OrphanJournal) -> ResumableSession {
    let items = journal.file.items.iter();
    ResumableSession {
        number,
        name: match &journal.file.program {
            ProgramRef::Inline { name, .. } => {
                name.rsplit(['/', '\\']).next().unwrap_or(name).to_string()
            }
            _ => journal.file.language.clone(),
        },
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
    let orphans = orphans(session);
    match Request::parse(arguments)? {
        Request::List => {
            let numbered = (1..).zip(&orphans);
            let sessions = numbered.map(|(n, journal)| describe(n, journal)).collect();
            let list = ResumableSessions { sessions };
            Ok(Answer::of(Part::ResumableSessions(list)))
        }
        Request::Delete(number) => {
            let journal = nth(orphans, number)?;
            let description = resumable_text(&describe(number, &journal));
            journal.delete();
            Ok(Answer::message(format!("deleted: {description}")))
        }
        Request::Restore(number) => restore(session, nth(orphans, number)?),
    }
}

fn nth(orphans: Vec<OrphanJournal>, number: usize) -> Result<OrphanJournal, CommandError> {
    let index = number.checked_sub(1);
    index
        .and_then(|n| orphans.into_iter().nth(n))
        .ok_or_else(|| {
            CommandError::new(match number {
                1 => "nothing to restore: every session ended properly".to_string(),
                n => format!("there is no session {n} to restore; `:resume list` lists them"),
            })
        })
}

/// Replaces the current session by the one of a journal. The journal of the current session is
/// kept, so that it can be restored in turn.
fn restore(session: &mut Session, orphan: OrphanJournal) -> Result<Answer, CommandError> {
    let description = resumable_text(&describe(1, &orphan));
    let new = restore_session(&orphan.file, session)?;
    let journal = orphan
        .resume()
        .map_err(|e| format!("cannot write to its journal: {e}"))?;
    let (_, mut answer) = replace_session(session, new);
    session.journal = Some(journal);
    session.view_settings.reset_legend();
    answer.line(format!("restored: {description}"));
    if session.target.is_stopped() {
        answer.absorb(session.target.reshow_stop());
    }
    answer.question = session.target.question();
    answer.board = Some(session.shown_board());
    answer.hints.extend(tour::active_step(session));
    Ok(answer)
}
