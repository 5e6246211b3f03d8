//! `:reload`: reads the game's file again and replays the session's entries on the new code.
//!
//! The entries run without breakpoints. They are run on the old code as well, so that the two sets
//! of replies can be compared.

use super::Arguments;
use super::files::{start_game, start_session};
use super::line_handler::handle_nested_line;
use super::replay::{line_diff, replies_match};
use crate::debugger::api::{CommandError, NumberedDiff, Part, Reloaded, ReplyDiff};
use crate::machine::Rng;
use crate::session::{Answer, Line, Session, Style};

/// An entry to replay, followed by the answers to its input prompts.
type ScriptEntry = Vec<String>;

pub(super) fn reload(session: &mut Session, _: Arguments<'_>) -> Result<Answer, CommandError> {
    let path = session.target.file.clone().ok_or_else(|| {
        CommandError::new("this game was not loaded from a file; use `:load FILE`")
    })?;
    let text = session.files.read(&path)?;
    let script = script(session);
    let old = replies_on_old_code(session, &script)
        .ok_or_else(|| CommandError::new("interrupted: nothing was changed"))?;
    // The replay must not stop at breakpoints or print a trace.
    let breakpoints = std::mem::take(&mut session.target.debugger.breakpoints);
    let trace = std::mem::take(&mut session.target.debugger.trace);
    // Repeat the same random draws; the replayed `:rand` entries script theirs again.
    let seed = session.transcript.game_start.seed;
    let old_rng = std::mem::replace(&mut session.target.machine.rng, Rng::new(seed));
    let mut answer = start_game(session, &path, &text);
    if !answer.ok {
        session.target.machine.rng = old_rng;
    }
    let new = if answer.ok && answer.stop.is_none() {
        play(session, &script)
    } else {
        Vec::new()
    };
    session.target.debugger.restore_breakpoints(breakpoints);
    session.target.debugger.trace = trace;
    if !answer.ok {
        answer.line(Line::styled(Style::Dim, "Nothing was changed"));
        return Ok(answer);
    }
    answer.absorb(session.target.run(|run| run.rebind_breakpoints()));
    if answer.stop.is_none() {
        let report = report(session, path, &script, &old, &new);
        answer.parts.push(Part::Reloaded(report));
        answer.board = Some(session.shown_board());
    }
    Ok(answer)
}

/// The entries in effect (not undone) since the program was loaded.
fn script(session: &Session) -> Vec<ScriptEntry> {
    let entries = session.target.timeline.entries();
    let first = entries
        .iter()
        .rposition(|r| r.text.starts_with(":load "))
        .map_or(1, |n| n + 1);
    let with_answers = |n: usize| {
        std::iter::once(&entries[n].text)
            .chain(&entries[n].answers)
            .cloned()
            .collect()
    };
    (first..entries.len()).map(with_answers).collect()
}

/// Runs the script on the program as loaded before, in a session of its own. Returns `None` if it
/// was interrupted.
fn replies_on_old_code(session: &Session, script: &[ScriptEntry]) -> Option<Vec<Vec<String>>> {
    let mut before = Session::with_host(
        session.target.language(),
        session.transcript.game_start.seed,
        session.host().clone(),
    );
    before.inherit_limits(session);
    before.view_settings = session.view_settings.clone();
    before.files.only_recorded = true;
    if let Some((name, text)) = &session.transcript.game_start.program {
        start_session(&mut before, name, text);
    }
    let replies = play(&mut before, script);
    (!before.target.is_stopped()).then_some(replies)
}

/// Runs the script and returns the reply to each entry; ends early if interrupted.
fn play(session: &mut Session, script: &[ScriptEntry]) -> Vec<Vec<String>> {
    let mut replies = Vec::new();
    for entry in script {
        let from = session.transcript.entries.len();
        for (n, line) in entry.iter().enumerate() {
            if n == 0 || session.target.is_waiting_for_input() {
                handle_nested_line(session, line);
            }
        }
        let reply = session.transcript.entries[from..]
            .iter()
            .flat_map(|e| e.reply_lines.clone())
            .collect();
        replies.push(reply);
        if session.target.is_waiting_for_input() {
            // The new code asks for more input than the old code did.
            session.target.abandon();
        }
        if session.target.is_stopped() {
            break;
        }
    }
    replies
}

fn report(
    session: &Session,
    path: String,
    script: &[ScriptEntry],
    old: &[Vec<String>],
    new: &[Vec<String>],
) -> Reloaded {
    let mut replies = old.iter().zip(new).enumerate();
    let first_difference = replies
        .find(|(_, (old, new))| !replies_match(old, new))
        .map(|(n, (old, new))| NumberedDiff {
            number: n + 1,
            diff: ReplyDiff {
                input: script[n].first().cloned().unwrap_or_default(),
                lines: line_diff(old, new),
            },
        });
    Reloaded {
        path,
        entry_count: script.len(),
        replayed_count: new.len(),
        is_interrupted: session.target.is_stopped(),
        first_difference,
    }
}
