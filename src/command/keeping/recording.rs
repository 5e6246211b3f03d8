//! `:record`: saves the session to a file when it ends.

use super::files;
use super::save_session::{Cleaning, save_to};
use crate::answer::{CommandError, Setting};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[Command {
    name: "record",
    aliases: &[],
    usage: "[FILE | off]",
    topic: Topic::Session,
    help: "save this session to a file when it ends; off saves it now",
    example: ":record lesson.session",
    effects: CommandEffects::of(Topic::Session)
        .writes_files()
        .must_be_typed(),
    completion: ArgumentCompletion::Files,
    run: record,
}];

fn record(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    match (arguments.text(), session.recording_path.clone()) {
        ("", path) => Ok(Answer::of(Setting::Record {
            path,
            is_new: false,
        })),
        ("off", Some(path)) => {
            session.recording_path = None;
            save_to(session, &path, Cleaning::None)
        }
        ("off", None) => {
            let error = CommandError::new("not recording");
            Err(error.instruct("start with", ":record lesson.session", ""))
        }
        (path, _) => {
            let path = files::session_path(session, path)?;
            session.recording_path = Some(path.clone());
            Ok(Answer::of(Setting::Record {
                path: Some(path),
                is_new: true,
            }))
        }
    }
}

/// Writes the recording when the session ends. Returns what to print, or `None` if none was active.
pub fn finish_recording(session: &mut Session) -> Option<Answer> {
    let path = session.recording_path.take()?;
    Some(save_to(session, &path, Cleaning::None).unwrap_or_else(Answer::from))
}
