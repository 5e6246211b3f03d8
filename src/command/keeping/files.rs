//! Commands for files: load, reload, save, edit and test.

use super::examples::extension;
use super::preludes::{is_prelude, load_prelude};
use super::replay::replay_within;
use super::save_program::{REPLACE_FLAG, is_program_path, save_program, split_flag};
use super::save_session::{Cleaning, save_to};
use crate::answer::{CommandError, Notice, OpenedSession, Part, TestResult};
use crate::command::changing::edit::edit;
use crate::command::changing::reload::reload;
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::languages;
use crate::session::session_file::SessionFile;
use crate::session::{
    Answer, RecordedIf, Session, Trust, begin_game, load_game, load_preludes, new_session,
    read_text, replace_session, start_game, start_preludes, start_session, stop_on_errors,
};
use crate::teach::replay::Replay;
use std::path::Path;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "load",
        aliases: &[],
        usage: "FILE",
        topic: Topic::Session,
        help: "load a game from a file, add a BoGL prelude, or replay a session file and continue it",
        example: ":load mines.gl",
        effects: CommandEffects::of(Topic::Session)
            .saved(RecordedIf::KeepsGame)
            .moves_history()
            .loads_program()
            .must_be_typed(),
        completion: ArgumentCompletion::Files,
        run: load,
    },
    Command {
        name: "reload",
        aliases: &["r"],
        usage: "",
        topic: Topic::Session,
        help: "read the file again, replay your entries and show the first reply that differs",
        example: ":reload",
        effects: CommandEffects::of(Topic::Session)
            .moves_history()
            .loads_program()
            .must_be_typed(),
        completion: ArgumentCompletion::Nothing,
        run: reload,
    },
    Command {
        name: "save",
        aliases: &[],
        usage: "[FILE] [--clean | --replace]",
        topic: Topic::Session,
        help: "write the program as it is now to its file or another, or everything to a .session",
        example: ":save game.gl",
        effects: CommandEffects::of(Topic::Session)
            .journaled(RecordedIf::Ok)
            .writes_files()
            .must_be_typed(),
        completion: ArgumentCompletion::Files,
        run: save,
    },
    Command {
        name: "edit",
        aliases: &[],
        usage: "[NAME]",
        topic: Topic::Session,
        help: "edit a definition, or the game's file, in $EDITOR and apply the result",
        example: ":edit winCondition",
        effects: CommandEffects::of(Topic::Session)
            .unrecorded()
            .must_be_typed(),
        completion: ArgumentCompletion::Names,
        run: edit,
    },
    Command {
        name: "test",
        aliases: &[],
        usage: "FILE",
        topic: Topic::Session,
        help: "replay a session file, apart from this session, and compare the replies",
        example: ":test lesson.session",
        effects: CommandEffects::of(Topic::Session)
            .unrecorded()
            .must_be_typed(),
        completion: ArgumentCompletion::Files,
        run: test,
    },
];

/// Loads the files of a game again: its preludes, and its program if it has one.
pub(crate) fn start_again(
    session: &mut Session,
    preludes: &[(String, String)],
    program: Option<(&str, &str)>,
) -> Answer {
    let sources: Vec<_> = preludes
        .iter()
        .map(|(name, text)| session.target.add_file(name, text))
        .collect();
    let answer = match program {
        Some((path, text)) => load_game(session, &sources, path, text),
        None => load_preludes(session, &sources),
    };
    let answer = begin_game(session, program, answer);
    if answer.ok
        && let Some((_, text)) = program
    {
        session.program_file_mut().disk_text = Some(text.to_string());
    }
    answer
}

/// Like [`start_game`], with a text that was read from the file `path`.
fn start_file(session: &mut Session, path: &str, text: &str) -> Answer {
    let answer = start_game(session, path, text);
    if answer.ok {
        session.program_file_mut().disk_text = Some(text.to_string());
    }
    answer
}

/// Starts a session with a program file, whatever its extension.
pub fn open_game(session: &mut Session, path: &str) -> Answer {
    match session.files.read(path) {
        Ok(text) => open_text(session, path, &text),
        Err(message) => {
            let answer = named_load(session, path, CommandError::new(message).into());
            session.set_session_start();
            answer
        }
    }
}

fn open_text(session: &mut Session, path: &str, text: &str) -> Answer {
    let answer = load_text(session, path, text);
    session.set_session_start();
    answer
}

/// Loads a game that was read from the file `path`.
fn load_text(session: &mut Session, path: &str, text: &str) -> Answer {
    let answer = start_file(session, path, text);
    named_load(session, path, answer)
}

fn named_load(session: &mut Session, path: &str, mut answer: Answer) -> Answer {
    answer.entry = format!(":load {path}");
    // Remember the file even if it has errors, so that `:edit` and `:reload` can fix it.
    let file = session.program_file_mut();
    file.path.get_or_insert_with(|| path.to_string());
    answer
}

/// Starts a session with the language's sample game.
pub fn open_sample(session: &mut Session) -> Answer {
    let language = session.target.language();
    let name = format!("sample.{}", extension(language));
    start_without_file(session, &name, language.info().sample)
}

/// Starts a session with a built-in program, which has no file yet.
pub(crate) fn start_without_file(session: &mut Session, name: &str, text: &str) -> Answer {
    let answer = start_session(session, name, text);
    session.program_file_mut().path = None;
    session.update_main_source();
    answer
}

/// Replays a session file and continues from its end.
pub fn open_session(session: &mut Session, path: &str, trust: Trust) -> Answer {
    let mut answer = replay_and_continue(session, path, trust).unwrap_or_else(Answer::from);
    answer.entry = format!(":load {path}");
    answer
}

fn replay_and_continue(
    session: &mut Session,
    path: &str,
    trust: Trust,
) -> Result<Answer, CommandError> {
    let replay = replay_path(path, session, trust)?;
    let opened = Answer::of(Part::OpenedSession(OpenedSession {
        path: path.to_string(),
        entry_count: replay.entries.len() - 1,
        mismatch_count: replay.mismatches().count(),
    }));
    let mut new = replay.session;
    // Errors stop as before, unless the file shows errors that did not stop.
    if session.target.debugger.stops_on_program_errors && !replay.has_runtime_errors {
        stop_on_errors(&mut new, true);
    }
    let (_, mut answer) = replace_session(session, new);
    answer.absorb(opened);
    session.view_settings.reset_legend();
    answer.board = Some(session.shown_board());
    Ok(answer)
}

/// What a session file may read that a typed line names: anything. One that another session file names may
/// read no more than that.
fn trust_of(session: &Session) -> Trust {
    match session.files.confined_to {
        Some(_) => Trust::Beside,
        None => Trust::Full,
    }
}

fn replay_path(path: &str, parent: &mut Session, trust: Trust) -> Result<Replay, String> {
    let text = parent.files.read(path)?;
    let file = SessionFile::parse(&text)
        .map_err(|message| format!("{path} is not a session file: {message}"))?;
    let dir = Path::new(path).parent().unwrap_or(Path::new(""));
    replay_within(&file, dir, parent, trust)
}

fn load(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let path = arguments.file(session)?;
    if path.ends_with(".session") {
        return replay_and_continue(session, path, trust_of(session));
    }
    let other_language = languages::for_file(path)
        .filter(|l| l.info().name != session.target.language().info().name);
    let Some(language) = other_language else {
        let text = match session.files.read(path) {
            Ok(text) => text,
            Err(message) => {
                return Ok(named_load(session, path, CommandError::new(message).into()));
            }
        };
        return match is_prelude(session.target.language(), &text) {
            true => load_prelude(session, path, &text),
            false => Ok(load_text(session, path, &text)),
        };
    };
    // Keep the current session if the file does not load.
    let seed = session.target.machine.rng.seed();
    let mut new = new_session(session, language, seed);
    std::mem::swap(&mut new.files, &mut session.files);
    let mut answer = match new.files.read(path) {
        Ok(text) if is_prelude(language, &text) => {
            start_preludes(&mut new, &[(path.to_string(), text)])
        }
        Ok(text) => open_text(&mut new, path, &text),
        Err(message) => CommandError::new(message).into(),
    };
    std::mem::swap(&mut new.files, &mut session.files);
    if answer.ok {
        answer.push(Notice::SwitchedLanguage {
            language: language.info().name,
            title: language.info().title,
            is_by_file: true,
        });
        let (_, mut replaced) = replace_session(session, new);
        replaced.absorb(answer);
        return Ok(replaced);
    }
    Ok(answer)
}

/// Adds the extension `.session` if missing. Refuses to overwrite a file that is not a session
/// file.
pub(crate) fn session_path(session: &Session, name: &str) -> Result<String, String> {
    let path = if name.ends_with(".session") {
        name.to_string()
    } else {
        format!("{name}.session")
    };
    let host = session.host().as_ref();
    match host.exists(&path)
        && read_text(host, &path).is_ok_and(|t| SessionFile::parse(&t).is_err())
    {
        true => Err(format!("{path} already exists and is not a session file")),
        false => Ok(path),
    }
}

fn save(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let (path, may_replace) = split_flag(arguments.text(), REPLACE_FLAG);
    let (path, is_clean) = split_flag(path, "--clean");
    let language = session.target.language();
    let path = match (path, session.program_file().path.clone()) {
        ("", Some(file)) if is_program_path(language, &file) => file,
        ("", _) => arguments.file(session)?.to_string(),
        (path, _) => path.to_string(),
    };
    if is_program_path(language, &path) {
        return match is_clean {
            true => Err(CommandError::new(
                "`--clean` is for session files, e.g. `:save lesson.session --clean`",
            )),
            false => save_program(session, &path, may_replace),
        };
    }
    if let Some(other) = languages::for_file(&path) {
        let info = language.info();
        return Err(CommandError::new(format!(
            "{path} would be a {} program, but this is {}; use the extension .{}",
            other.info().title,
            info.title,
            info.extensions.first().copied().unwrap_or("txt")
        )));
    }
    let cleaning = if is_clean {
        Cleaning::WithoutDetours
    } else {
        Cleaning::None
    };
    save_to(session, &path, cleaning)
}

fn test(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let path = arguments.required(session, "a session file")?;
    let replay = replay_path(path, session, trust_of(session))?;
    let mismatches = replay.reply_diffs();
    let is_ok = mismatches.is_empty() && replay.problems.is_empty();
    let mut answer = Answer::of(Part::TestResult(TestResult {
        path: path.to_string(),
        entry_count: replay.entries.len() - 1,
        mismatches,
        problems: replay.problems,
    }));
    answer.ok = is_ok;
    Ok(answer)
}
