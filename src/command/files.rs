//! Commands about files: loading, saving, editing, and playing again.

use super::reload::reload;
use super::replay::{Replay, replay};
use super::{ArgumentCompletion, Command, Topic, parse_count};
use crate::languages;
use crate::session::session_file::{ProgramRef, SessionFile};
use crate::session::{
    BoardMarks, EditRequest, Line, Reply, Session, StartConfig, Style, TranscriptEntry, file_of,
    read_text,
};
use std::path::Path;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "load",
        aliases: &[],
        usage: "FILE",
        topic: Topic::Session,
        help: "a new game from a file, or a session file with all that was typed in it",
        example: ":load mines.gl",
        completion: ArgumentCompletion::Files,
        run: load,
    },
    Command {
        name: "reload",
        aliases: &[],
        usage: "",
        topic: Topic::Session,
        help: "read the file again; what was typed is played again on it, and told from where the answers differ",
        example: ":reload",
        completion: ArgumentCompletion::Nothing,
        run: reload,
    },
    Command {
        name: "save",
        aliases: &[],
        usage: "FILE",
        topic: Topic::Session,
        help: "write the program, all that was typed and all answers into a session file",
        example: ":save lesson.session",
        completion: ArgumentCompletion::Files,
        run: save,
    },
    Command {
        name: "edit",
        aliases: &[],
        usage: "[NAME]",
        topic: Topic::Session,
        help: "open a definition in $EDITOR, or the game's file, and take the result",
        example: ":edit winCondition",
        completion: ArgumentCompletion::Names,
        run: edit,
    },
    Command {
        name: "test",
        aliases: &[],
        usage: "FILE",
        topic: Topic::Session,
        help: "play a session file again, beside this session, and compare the answers",
        example: ":test lesson.session",
        completion: ArgumentCompletion::Files,
        run: test,
    },
    Command {
        name: "history",
        aliases: &[],
        usage: "[n]",
        topic: Topic::Session,
        help: "what was typed in this session: the last 20 lines, or the last n",
        example: ":history 5",
        completion: ArgumentCompletion::Nothing,
        run: history,
    },
];

/// Begins a game from a text, with its board.
pub(super) fn start_game(session: &mut Session, name: &str, text: &str) -> Reply {
    let mut reply = session.load(name, text);
    if reply.ok {
        let seed = session.machine.rng.seed();
        session.transcript.start_game(name, text, seed);
        session.view_settings.reset_legend();
        session.view_settings.scroll_origin = (0, 0);
        session.scroll_to_focus(session.viewport());
        reply.board_lines = session.draw_board(&BoardMarks::default());
    }
    reply
}

/// Begins a session with a game from a text.
pub fn start_session(session: &mut Session, name: &str, text: &str) -> Reply {
    let reply = start_game(session, name, text);
    session.set_session_start();
    reply
}

/// Begins a session with a game's file, whatever its ending.
pub fn open_game(session: &mut Session, path: &str) -> Reply {
    let reply = open_here(session, path);
    session.set_session_start();
    reply
}

fn open_here(session: &mut Session, path: &str) -> Reply {
    let mut reply = match session.files.read(path) {
        Ok(text) => start_game(session, path, &text),
        Err(why) => {
            let mut reply = Reply::default();
            reply.error(why);
            reply
        }
    };
    reply.entry = format!(":load {path}");
    // One that failed can be mended and loaded again.
    session.file.get_or_insert_with(|| path.to_string());
    reply
}

/// Begins the language's own first game.
pub fn open_sample(session: &mut Session) -> Reply {
    let about = session.language().info();
    let ending = about.extensions.first().copied().unwrap_or("txt");
    let reply = start_session(session, &format!("sample.{ending}"), about.sample);
    session.file = None;
    reply
}

/// Plays a session file, and goes on from its end.
pub fn open_session(session: &mut Session, path: &str) -> Reply {
    let mut reply = Reply::new(&format!(":load {path}"));
    let played = match played(path, session) {
        Ok(played) => played,
        Err(why) => {
            reply.error(why);
            return reply;
        }
    };
    let typed = played.entries.len() - 1;
    let differing = played.mismatches().count();
    reply.line(match differing {
        0 => format!("{path}: {typed} entries played again, all answers as in the file"),
        n => format!("{path}: {typed} entries played again, {n} answers are not those of the file (:test shows them)"),
    });
    replace_session(session, played.session);
    session.view_settings.reset_legend();
    reply.board_lines = session.draw_board(&BoardMarks::default());
    reply
}

fn played(path: &str, like: &mut Session) -> Result<Replay, String> {
    let text = like.files.read(path)?;
    let file =
        SessionFile::parse(&text).map_err(|why| format!("{path} is no session file: {why}"))?;
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    replay(&file, folder, Some(like))
}

/// Puts another session in the place of this one, which is given back: the screen, Ctrl-C, the limits and the journal
/// stay.
pub(super) fn replace_session(session: &mut Session, mut new: Session) -> Session {
    new.journal = session.journal.take();
    new.files = std::mem::take(&mut session.files);
    new.recording_path = session.recording_path.take();
    new.has_replaced_session = true;
    new.machine
        .set_interrupt_flag(session.machine.interrupt_flag());
    new.machine.limits = session.machine.limits;
    (
        new.view_settings.width,
        new.view_settings.height,
        new.view_settings.is_ascii,
    ) = (
        session.view_settings.width,
        session.view_settings.height,
        session.view_settings.is_ascii,
    );
    std::mem::replace(session, new)
}

fn load(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error(format!(
            "say which file: `{}`",
            super::example(session, "load")
        ));
    }
    if rest.ends_with(".session") {
        *reply = open_session(session, rest);
        return;
    }
    let of_file =
        languages::for_file(rest).filter(|l| l.info().name != session.language().info().name);
    if let Some(language) = of_file {
        // The old session stays if the new one does not begin.
        let mut new = Session::new(language, session.machine.rng.seed());
        new.view_settings.width = session.view_settings.width;
        std::mem::swap(&mut new.files, &mut session.files);
        *reply = open_game(&mut new, rest);
        std::mem::swap(&mut new.files, &mut session.files);
        if reply.ok {
            reply.line(Line::styled(
                Style::Dim,
                format!("this is {}", language.info().title),
            ));
            replace_session(session, new);
        }
        return;
    }
    *reply = open_here(session, rest);
}

/// The file that a session is saved in: never one that holds something else.
pub(super) fn session_path(name: &str) -> Result<String, String> {
    let path = if name.ends_with(".session") {
        name.to_string()
    } else {
        format!("{name}.session")
    };
    match Path::new(&path).exists()
        && read_text(&path).is_ok_and(|t| SessionFile::parse(&t).is_err())
    {
        true => Err(format!("{path} is there already, and is no session file")),
        false => Ok(path),
    }
}

pub(super) fn save(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error("say where: `:save lesson.session`");
    }
    let path = match session_path(rest) {
        Ok(path) => path,
        Err(why) => return reply.error(why),
    };
    let (file, played, same) = match as_file(session) {
        Ok(found) => found,
        Err(why) => return reply.error(why),
    };
    let typed = played.entries.len() - 1;
    let text = file
        .with_replies(played.entries.into_iter().map(|c| c.actual))
        .to_text();
    match session.files.write(&path, &text) {
        Ok(()) => reply.line(format!(
            "saved {path}: {typed} entries with their answers; `gridbug test {path}` plays it again"
        )),
        Err(e) => return reply.error(format!("{path} can't be written: {e}")),
    }
    if !same {
        reply.line(Line::styled(Style::Warning, "warning: ").with(
            Style::Plain,
            "played again, it does not end where this session stands",
        ));
    }
}

/// The session as a file, played again: from the game that is played now, or, if that does not end where the session
/// stands, from the session's own beginning. Says whether it does.
fn as_file(session: &mut Session) -> Result<(SessionFile, Replay, bool), String> {
    let transcript = &session.transcript;
    let of_game: Vec<&TranscriptEntry> = transcript.entries[transcript.game_offset..]
        .iter()
        .filter(|e| e.is_saved)
        .collect();
    let game = file_from(session, &transcript.game_start, &of_game);
    let reads = |e: &&TranscriptEntry| e.is_saved || matches!(e.command, Some("load" | "reload"));
    let all: Vec<&TranscriptEntry> = transcript
        .entries
        .iter()
        .filter(|e| !e.is_internal)
        .filter(reads)
        .collect();
    let whole = file_from(session, &transcript.session_start, &all);
    let (played, same) = try_out(session, &game)?;
    if same || whole == game {
        return Ok((game, played, same));
    }
    let (played, same) = try_out(session, &whole)?;
    Ok((whole, played, same))
}

/// Plays a file, and tells whether it ends where the session stands.
fn try_out(session: &mut Session, file: &SessionFile) -> Result<(Replay, bool), String> {
    let mut played = replay(file, Path::new(""), Some(session))?;
    let same = played
        .session
        .machine
        .checkpoint()
        .is_same_game(&session.machine.checkpoint());
    Ok((played, same))
}

/// A session file with these exchanges, their answers still to be filled in.
fn file_from(
    session: &Session,
    beginning: &StartConfig,
    exchanges: &[&TranscriptEntry],
) -> SessionFile {
    let mut file = file_of(session, beginning);
    // The file may be opened elsewhere: where the program lay does not matter there.
    if let ProgramRef::Inline { name, .. } = &mut file.program
        && let Some(bare) = Path::new(name.as_str()).file_name()
    {
        *name = bare.to_string_lossy().into_owned();
    }
    file.items = exchanges.iter().map(|e| e.to_session_item()).collect();
    file
}

fn edit(session: &mut Session, rest: &str, reply: &mut Reply) {
    let ending = session
        .language()
        .info()
        .extensions
        .first()
        .copied()
        .unwrap_or("txt");
    if rest.is_empty() {
        match &session.file {
            Some(file) => {
                reply.edit_request = Some(EditRequest {
                    text: String::new(),
                    file: Some(file.clone()),
                    extension: ending,
                })
            }
            None => reply.error("say what to edit: `:edit NAME` opens a definition"),
        }
        return;
    }
    let definitions = session.language().definitions(session.program());
    match definitions.iter().rfind(|d| d.name == rest) {
        Some(definition) => {
            let text = session.sources.slice(definition.span).to_string();
            // Where what is defined has to be forgotten before it can be defined anew, its file is edited as a whole.
            let stays = session
                .language()
                .info()
                .commands
                .iter()
                .any(|(name, ..)| *name == "forget");
            let origin = session
                .sources
                .get(definition.span.source)
                .map(|s| s.origin.to_string());
            let file = session
                .file
                .clone()
                .filter(|file| stays && origin.as_ref() == Some(file));
            reply.edit_request = Some(EditRequest {
                text,
                file,
                extension: ending,
            });
        }
        None => {
            let near =
                crate::diagnostic::did_you_mean(rest, definitions.iter().map(|d| d.name.as_str()));
            reply.error(format!("nothing is called `{rest}`{near}"));
        }
    }
}

fn test(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error(format!(
            "say which file: `{}`",
            super::example(session, "test")
        ));
    }
    match played(rest, session) {
        Ok(played) => {
            let typed = played.entries.len() - 1;
            let differing = played.mismatches().count();
            reply.ok = differing == 0;
            reply.lines.extend(played.mismatch_report());
            reply.line(match differing {
                0 => format!("{rest}: {typed} entries, all answers as in the file"),
                n => format!("{rest}: {n} of {} answers differ", typed + 1),
            });
        }
        Err(why) => reply.error(why),
    }
}

fn history(session: &mut Session, rest: &str, reply: &mut Reply) {
    let most = if rest.is_empty() {
        Some(20)
    } else {
        parse_count(rest, reply)
    };
    let Some(most) = most else { return };
    let exchanges = &session.transcript.entries;
    if exchanges.is_empty() {
        return reply.line("nothing was typed yet");
    }
    let from = exchanges.len().saturating_sub(most);
    for (n, exchange) in exchanges.iter().enumerate().skip(from) {
        let number = format!("{:>4}  ", n + 1);
        let indent = " ".repeat(number.len());
        let text = exchange
            .input
            .trim_end()
            .replace('\n', &format!("\n{indent}"));
        for (i, line) in text.split('\n').enumerate() {
            let first = if i == 0 { number.as_str() } else { "" };
            reply.line(Line::styled(Style::Dim, first).with(Style::Plain, line));
        }
    }
}
