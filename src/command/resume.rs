//! Taking up a session that did not end properly.

use super::files::replace_session;
use super::replay::restore_session;
use super::{ArgumentCompletion, Command, Topic, tour};
use crate::session::session_file::{ProgramRef, SessionItem};
use crate::session::{BoardMarks, Line, OrphanJournal, Reply, Session, Style, orphan_journals};

pub const COMMANDS: &[Command] = &[Command {
    name: "resume",
    aliases: &[],
    usage: "[list | N | drop N]",
    topic: Topic::Session,
    help: "take up a session that did not end properly, such as one that was killed",
    example: ":resume list",
    completion: ArgumentCompletion::Words(&["list", "drop"]),
    run: resume,
}];

/// The journals that were left behind, newest first.
fn all(session: &Session) -> Vec<OrphanJournal> {
    session
        .journal
        .as_ref()
        .map_or_else(Vec::new, |journal| orphan_journals(journal.dir()))
}

/// A line about the newest session that did not end, if there is one.
pub fn resume_hint(session: &Session) -> Option<Line> {
    let all = all(session);
    let newest = all.first()?;
    let line = Line::styled(Style::Dim, format!("{}, did not end: ", described(newest)));
    let line = line.with(Style::Strong, ":resume");
    Some(match all.len() - 1 {
        0 => line.with(Style::Dim, " takes it up"),
        more => line
            .with(Style::Dim, format!("; {more} more: "))
            .with(Style::Strong, ":resume list"),
    })
}

/// What it was, and when: `12 entries in mines.gl, 5 minutes ago`.
fn described(leftover: &OrphanJournal) -> String {
    let typed = leftover
        .file
        .items
        .iter()
        .filter(|p| matches!(p, SessionItem::Input(_)))
        .count();
    let of = match &leftover.file.program {
        ProgramRef::Inline { name, .. } => {
            name.rsplit(['/', '\\']).next().unwrap_or(name).to_string()
        }
        _ => leftover.file.language.clone(),
    };
    let entries = if typed == 1 {
        "1 entry".to_string()
    } else {
        format!("{typed} entries")
    };
    format!("{entries} in {of}, {}", ago(leftover))
}

fn ago(leftover: &OrphanJournal) -> String {
    let minutes = leftover.modified.elapsed().unwrap_or_default().as_secs() / 60;
    let (n, unit) = match minutes {
        0 => return "just now".into(),
        1..60 => (minutes, "minute"),
        60..2880 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{n} {unit}{} ago", if n == 1 { "" } else { "s" })
}

fn resume(session: &mut Session, rest: &str, reply: &mut Reply) {
    if session.journal.is_none() && rest != "list" {
        return reply.error(
            "there is no journal here: a session at the keyboard keeps one, in the home folder",
        );
    }
    let all = all(session);
    let (drops, which) = rest
        .strip_prefix("drop")
        .map_or((false, rest), |which| (true, which.trim()));
    if which == "list" {
        return list(&all, reply);
    }
    let number = if which.is_empty() && !drops {
        Ok(1)
    } else {
        which.parse::<usize>()
    };
    let Ok(number) = number else {
        return reply.error("say `:resume`, `:resume list`, `:resume 2` or `:resume drop 2`");
    };
    let Some(leftover) = number.checked_sub(1).and_then(|n| all.into_iter().nth(n)) else {
        return reply.error(match number {
            1 => NOTHING.to_string(),
            n => format!("there is no session {n} to take up; `:resume list` lists them"),
        });
    };
    if drops {
        reply.line(format!("gone: {}", described(&leftover)));
        return leftover.delete();
    }
    take_up(session, leftover, reply);
}

const NOTHING: &str = "every session ended properly: there is nothing to take up";

fn list(all: &[OrphanJournal], reply: &mut Reply) {
    for (n, leftover) in all.iter().enumerate() {
        reply.line(format!("  {}  {}", n + 1, described(leftover)));
    }
    if all.is_empty() {
        reply.line(Line::styled(Style::Dim, NOTHING));
    }
}

/// Puts the session of a journal in the place of this one. What was typed here stays in its own journal.
fn take_up(session: &mut Session, leftover: OrphanJournal, reply: &mut Reply) {
    let words = described(&leftover);
    let brought = restore_session(&leftover.file, session).and_then(|new| {
        let journal = leftover
            .resume()
            .map_err(|e| format!("its journal can't be gone on with: {e}"))?;
        Ok((new, journal))
    });
    match brought {
        Ok((new, journal)) => {
            replace_session(session, new);
            session.journal = Some(journal);
            session.view_settings.reset_legend();
            reply.line(format!("taken up: {words}"));
            if session.is_stopped() {
                session.reshow_stop(reply);
            }
            reply.question = session.question();
            reply.board_lines = session.draw_board(&BoardMarks::default());
            tour::show_if_active(session, reply);
        }
        Err(why) => reply.error(why),
    }
}
