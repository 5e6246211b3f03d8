//! `:resume`: restores a session that ended unexpectedly, from the journal it left.

use super::files::replace_session;
use super::replay::restore_session;
use super::{ArgumentCompletion, Command, CommandFn, Topic, tour};
use crate::session::session_file::{ProgramRef, SessionItem};
use crate::session::{
    Answer, BoardMarks, Journal, Line, OrphanJournal, Session, Style, count_noun,
};

pub const COMMANDS: &[Command] = &[Command {
    name: "resume",
    aliases: &[],
    usage: "[list | N | drop N]",
    topic: Topic::Session,
    help: "restore a session that ended unexpectedly, e.g. one that was killed",
    example: ":resume list",
    completion: ArgumentCompletion::Words(&["list", "drop"]),
    run: CommandFn::Fill(resume),
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
        summarize(newest)
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

/// `mines.gl, 12 entries, 5 minutes ago`
fn describe(journal: &OrphanJournal) -> String {
    format!("{}, {}", summarize(journal), age(journal))
}

/// `mines.gl, 12 entries`
fn summarize(journal: &OrphanJournal) -> String {
    let count = journal
        .file
        .items
        .iter()
        .filter(|p| matches!(p, SessionItem::Input(_)))
        .count();
    let name = match &journal.file.program {
        ProgramRef::Inline { name, .. } => {
            name.rsplit(['/', '\\']).next().unwrap_or(name).to_string()
        }
        _ => journal.file.language.clone(),
    };
    format!("{name}, {}", count_noun(count, "entry", "entries"))
}

fn age(journal: &OrphanJournal) -> String {
    let minutes = journal.age.as_secs() / 60;
    let (n, unit) = match minutes {
        0 => return "just now".into(),
        1..60 => (minutes, "minute"),
        60..2880 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{n} {unit}{} ago", if n == 1 { "" } else { "s" })
}

fn resume(session: &mut Session, rest: &str, reply: &mut Answer) {
    if session.journal.is_none() && rest != "list" {
        return reply.error(
            "this session has no journal; only sessions at a terminal keep one, in the home directory",
        );
    }
    let orphans = orphans(session);
    let (is_drop, which) = rest
        .strip_prefix("drop")
        .map_or((false, rest), |which| (true, which.trim()));
    if which == "list" {
        return list(&orphans, reply);
    }
    let number = if which.is_empty() && !is_drop {
        Ok(1)
    } else {
        which.parse::<usize>()
    };
    let Ok(number) = number else {
        return reply.error("use `:resume`, `:resume list`, `:resume 2` or `:resume drop 2`");
    };
    let Some(journal) = number
        .checked_sub(1)
        .and_then(|n| orphans.into_iter().nth(n))
    else {
        return reply.error(match number {
            1 => "nothing to restore: every session ended properly".to_string(),
            n => format!("there is no session {n} to restore; `:resume list` lists them"),
        });
    };
    if is_drop {
        reply.line(format!("deleted: {}", describe(&journal)));
        return journal.delete();
    }
    restore(session, journal, reply);
}

fn list(orphans: &[OrphanJournal], reply: &mut Answer) {
    for (n, journal) in orphans.iter().enumerate() {
        reply.line(format!("  {}  {}", n + 1, describe(journal)));
    }
    if orphans.is_empty() {
        let text = "Nothing to restore: every session ended properly";
        reply.line(Line::styled(Style::Dim, text));
    }
}

/// Replaces the current session by the one of a journal. The journal of the current session is
/// kept, so that it can be restored in turn.
fn restore(session: &mut Session, orphan: OrphanJournal, reply: &mut Answer) {
    let description = describe(&orphan);
    let restored = restore_session(&orphan.file, session).and_then(|new| {
        let journal = orphan
            .resume()
            .map_err(|e| format!("cannot write to its journal: {e}"))?;
        Ok((new, journal))
    });
    match restored {
        Ok((new, journal)) => {
            replace_session(session, new);
            session.journal = Some(journal);
            session.view_settings.reset_legend();
            reply.line(format!("restored: {description}"));
            if session.target.is_stopped() {
                reply.absorb(session.target.reshow_stop());
            }
            reply.question = session.target.question();
            reply.board_lines = session.draw_board(&BoardMarks::default());
            tour::show_if_active(session, reply);
        }
        Err(message) => reply.error(message),
    }
}
