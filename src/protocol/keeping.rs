//! Requests that keep, restore and replay sessions, and that exchange files.

use super::connection::{Connection, language_named, to_json};
use super::incoming::{FilesRequest, ReplayRequest, RestoreRequest};
use super::outgoing::{
    FilesAnswer, ReplayAnswer, ReplayedLine, RestoreAnswer, ScoreAnswer, SessionAnswer,
};
use super::score::score_to_json;
use crate::command;
use crate::session::session_file::{Checksum, Ending, SessionFile, parse_intact_prefix, recover};
use crate::session::{Session, full_session_file};
use serde_json::{Map, Value as Json};
use std::path::Path;

/// A session to restore, and what is lost of it.
struct Stored {
    file: SessionFile,
    lost: Vec<String>,
}

/// Reads a journal as far as it is intact, and recovers the rest; or a session file.
fn read_stored(text: &str) -> Result<Stored, String> {
    let whole = |file| Stored {
        file,
        lost: Vec::new(),
    };
    if !text.lines().any(Checksum::is_line) {
        return SessionFile::parse(text).map(whole);
    }
    let journal = parse_intact_prefix(text.as_bytes());
    if let (false, Some(intact)) = (journal.is_damaged, journal.intact) {
        return Ok(whole(intact.file));
    }
    let recovered = recover(text.as_bytes()).ok_or("this journal is damaged from its start")?;
    Ok(Stored {
        file: recovered.file,
        lost: recovered.lost,
    })
}

impl Connection {
    /// Replays a session file and continues it. `files` has the program files that it refers to.
    pub(super) fn replay(&mut self, request: ReplayRequest) -> Result<Json, String> {
        let file = SessionFile::parse(&request.session)?;
        for (name, text) in &request.files {
            let text = text.as_str().ok_or("`files` must contain strings")?;
            self.memory.set_file(name, text);
        }
        let replay = command::replay(&file, Path::new(""), self.memory.clone())?;
        let mismatch_count = replay.mismatches().count();
        let entries = replay.entries.iter().map(|entry| ReplayedLine {
            input: entry.input.clone(),
            reply: entry.actual.clone(),
        });
        let entries = entries.collect();
        self.start(replay.session);
        to_json(ReplayAnswer {
            ok: true,
            mismatch_count,
            entries,
            journal: self.journal.take().unwrap_or_default(),
        })
    }

    /// Restores a session from its journal, or from what `session` has answered.
    pub(super) fn restore(&mut self, request: RestoreRequest) -> Result<Json, String> {
        let Stored { file, lost } = read_stored(&request.session)?;
        let language = language_named(&file.language)?;
        let parent = Session::with_host(language, file.seed, self.memory.clone());
        let session = self.start(command::restore_session(&file, &parent)?);
        let entries = session.transcript.entries.iter();
        let entries = entries.filter(|entry| !entry.is_internal);
        let entries = entries.map(|entry| ReplayedLine {
            input: entry.input.clone(),
            reply: entry.reply_lines.clone(),
        });
        let mut answer = RestoreAnswer {
            ok: true,
            language: session.target.language().info().name,
            name: session.target.main_source.clone(),
            entries: entries.collect(),
            draft: match file.ending {
                Ending::Draft(text) => Some(text),
                _ => None,
            },
            lost,
            journal: String::new(),
        };
        answer.journal = self.journal.take().unwrap_or_default();
        if let Some(time) = &request.time {
            self.visit(time)?;
        }
        to_json(answer)
    }

    /// Everything that is needed to restore the session.
    pub(super) fn session_text(&mut self) -> Result<Json, String> {
        let is_away = self.driver.is_visiting();
        let session = self.session()?;
        to_json(SessionAnswer {
            ok: true,
            session: full_session_file(session).to_text(),
            time: session.target.machine.time(),
            is_away,
        })
    }

    /// Sets, reads and lists the files in memory.
    pub(super) fn files(&mut self, request: FilesRequest) -> Result<Json, String> {
        let texts = request.set.iter().map(|(name, text)| match text {
            Json::String(text) => Ok((name, Some(text))),
            Json::Null => Ok((name, None)),
            _ => Err(format!(
                "`files`: `{name}` must be a text, or `null` to delete it"
            )),
        });
        // An error changes nothing.
        let texts: Vec<_> = texts.collect::<Result<_, String>>()?;
        for (name, text) in texts {
            match text {
                Some(text) => self.memory.set_file(name, text),
                None => self.memory.remove_file(name),
            }
        }
        let read = |name: &String| (name.clone(), Json::from(self.memory.file(name)));
        to_json(FilesAnswer {
            ok: true,
            names: self.memory.file_names(),
            files: request.get.iter().map(read).collect::<Map<_, _>>(),
        })
    }

    /// The score of the lesson.
    pub(super) fn score(&mut self) -> Result<Json, String> {
        let session = self.session()?;
        let lesson = session.lesson.as_ref().ok_or("no lesson is open")?;
        let name = lesson.origin.argument();
        to_json(ScoreAnswer {
            ok: true,
            score: score_to_json(session, &name, &[]),
        })
    }
}
