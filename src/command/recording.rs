//! `:record`: saves the session to a file when it ends.

use super::{Command, files};
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[command!(Session, Files; "record",
    &[],
    "[FILE | off]",
    "save this session to a file when it ends; off saves it now",
    ":record lesson.session",
    record
)];

fn record(session: &mut Session, rest: &str, reply: &mut Answer) {
    match (rest, session.recording_path.clone()) {
        ("", Some(path)) => reply.line(format!(
            "Recording to {path} when the session ends; `:record off` saves it now"
        )),
        ("", None) => {
            reply.line("Not recording; `:record lesson.session` saves this session when it ends")
        }
        ("off", Some(path)) => {
            session.recording_path = None;
            files::save(session, &path, reply);
        }
        ("off", None) => reply.error("not recording; start with `:record lesson.session`"),
        (path, _) => match files::session_path(session, path) {
            Ok(path) => {
                reply.line(format!(
                    "Recording the whole session to {path} when it ends"
                ));
                session.recording_path = Some(path);
            }
            Err(message) => reply.error(message),
        },
    }
}

/// Writes the recording when the session ends. Returns what to print, or `None` if none was active.
pub fn finish_recording(session: &mut Session) -> Option<Answer> {
    let path = session.recording_path.take()?;
    let mut reply = Answer::new("");
    files::save(session, &path, &mut reply);
    Some(reply)
}
