//! Writes the session to a file, with the replies of a replay.

use super::clean::{Detours, without_detours};
use super::files::session_path;
use super::replay::replay_within;
use crate::answer::{CommandError, FileType, Part, SavedFile};
use crate::debugger::run;
use crate::session::session_file::{ProgramRef, SessionFile, SessionItem};
use crate::session::{Answer, Session, StartConfig, TranscriptEntry, Trust, new_session_file};
use crate::teach::replay::Replay;
use std::path::Path;

/// What a saved session leaves out, besides the entries that were dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cleaning {
    /// Nothing.
    None,
    /// What failed or led back to where it began (`--clean`).
    WithoutDetours,
}

/// The session as a file, and its replay.
pub(crate) struct SavedSession {
    file: SessionFile,
    pub(crate) replay: Replay,
    /// Whether the replay reaches the current state of the session.
    pub(crate) is_exact: bool,
}

/// Saves the session to a file.
pub(crate) fn save_to(
    session: &mut Session,
    name: &str,
    cleaning: Cleaning,
) -> Result<Answer, CommandError> {
    let path = session_path(session, name)?;
    let all = to_session_file(session, None)?;
    let all_count = all.file.items.len();
    let saved = match cleaning {
        Cleaning::None => all,
        Cleaning::WithoutDetours => clean_session_file(session, all)?,
    };
    let SavedSession {
        file,
        replay,
        is_exact,
    } = saved;
    if replay.is_interrupted {
        let error = CommandError::new("interrupted: nothing was saved");
        return Err(error.advise(format!(":save {path}"), "starts again"));
    }
    let left_out_count = all_count.saturating_sub(file.items.len());
    let entry_count = replay.entries.len() - 1;
    let text = file
        .with_replies(replay.entries.into_iter().map(|entry| entry.actual))
        .to_text();
    session
        .files
        .write(&path, &text)
        .map_err(|e| format!("cannot write {path}: {e}"))?;
    Ok(Answer::of(Part::SavedFile(SavedFile {
        path,
        file_type: FileType::Session,
        entry_count,
        left_out_count,
        is_exact,
    })))
}

/// Leaves out as much as possible without changing where the replay ends.
fn clean_session_file(
    session: &mut Session,
    mut all: SavedSession,
) -> Result<SavedSession, String> {
    for detours in [Detours::All, Detours::TimeTravel, Detours::None] {
        let mut clean = to_session_file(session, Some(detours))?;
        if ends_alike(&mut clean.replay.session, &mut all.replay.session) {
            return Ok(clean);
        }
    }
    Ok(all)
}

/// Whether two sessions are in the same state: the game, the program, and where it is stopped.
pub(crate) fn ends_alike(a: &mut Session, b: &mut Session) -> bool {
    let stop = |session: &mut Session| {
        let target = &mut session.target;
        let statement = run::frame_statement(target, 0).map(|s| target.excerpt(s.shown).text);
        (target.machine.frames().len(), statement)
    };
    let game = |session: &mut Session| session.target.machine.checkpoint();
    game(a).is_same_game(&game(b))
        && stop(a) == stop(b)
        && a.program_text("").text == b.program_text("").text
}

/// Turns the session into a file and replays it to fill in the replies.
///
/// The file starts with the current game if that is enough to reach the current state, and with the
/// start of the session otherwise.
pub(crate) fn to_session_file(
    session: &mut Session,
    left_out: Option<Detours>,
) -> Result<SavedSession, String> {
    let transcript = &session.transcript;
    let kept = |entries: Vec<&TranscriptEntry>| -> Vec<TranscriptEntry> {
        let entries = match left_out {
            Some(detours) => without_detours(&entries, detours),
            None => entries,
        };
        entries.into_iter().cloned().collect()
    };
    let game_entries = transcript.entries[transcript.game_offset..].iter();
    let game_entries = kept(
        game_entries
            .filter(|e| e.is_saved && !e.is_dropped)
            .collect(),
    );
    let is_clean = left_out.is_some();
    let game = file_from(session, &transcript.game_start, &game_entries, is_clean);
    let is_needed = |e: &&TranscriptEntry| (e.is_saved || e.loads_program) && !e.is_dropped;
    let all = transcript.entries.iter().filter(|e| !e.is_internal);
    let all = kept(all.filter(is_needed).collect());
    let full_session = file_from(session, &transcript.session_start, &all, is_clean);
    let saved = replay_and_compare(session, game)?;
    if saved.is_exact || full_session == saved.file {
        return Ok(saved);
    }
    replay_and_compare(session, full_session)
}

/// Replays a file.
fn replay_and_compare(session: &mut Session, file: SessionFile) -> Result<SavedSession, String> {
    let mut replay = replay_within(&file, Path::new(""), session, Trust::Full)?;
    let is_exact = replay
        .session
        .target
        .machine
        .checkpoint()
        .is_same_game(&session.target.machine.checkpoint());
    Ok(SavedSession {
        file,
        replay,
        is_exact,
    })
}

/// A session file with these entries; the replies are filled in later.
fn file_from(
    session: &Session,
    start: &StartConfig,
    entries: &[TranscriptEntry],
    is_clean: bool,
) -> SessionFile {
    let mut file = new_session_file(session, start);
    // The session file may be opened elsewhere, so only the name of the program file is kept.
    let program = match &mut file.program {
        ProgramRef::Inline { name, .. } => Some(name),
        _ => None,
    };
    let preludes = file.preludes.iter_mut().map(|prelude| &mut prelude.name);
    for name in preludes.chain(program) {
        if let Some(file_name) = Path::new(name.as_str()).file_name() {
            *name = file_name.to_string_lossy().into_owned();
        }
    }
    // What a search found is known, unless something before it is left out.
    let is_whole = !session.transcript.entries.iter().any(|e| e.is_dropped);
    file.items = entries.iter().flat_map(|e| e.to_saved_items()).collect();
    for item in &mut file.items {
        if let SessionItem::Input(input) = item {
            input.no_effect = input.no_effect.filter(|_| is_whole && !is_clean);
            if input.no_effect.is_none() {
                input.reply_lines.clear();
            }
        }
    }
    file
}
