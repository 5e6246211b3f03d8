//! Recording: a session that keeps itself in a file when it ends.

use super::{Command, files};
use crate::session::{Reply, Session};

pub const COMMANDS: &[Command] = &[command!(Session, Files; "record",
    &[],
    "[FILE | off]",
    "keep this session in a file when it ends, as save does; off writes it now",
    ":record lesson.session",
    record
)];

fn record(session: &mut Session, rest: &str, reply: &mut Reply) {
    match (rest, session.recording_path.clone()) {
        ("", Some(path)) => reply.line(format!(
            "this session goes into {path} when it ends; `:record off` writes it now"
        )),
        ("", None) => reply
            .line("this session goes into no file; `:record lesson.session` keeps it when it ends"),
        ("off", Some(path)) => {
            session.recording_path = None;
            files::save(session, &path, reply);
        }
        ("off", None) => reply.error("nothing is recorded: `:record lesson.session` begins it"),
        (path, _) => match files::session_path(path) {
            Ok(path) => {
                reply.line(format!("this session goes into {path} when it ends, with all that was typed before this"));
                session.recording_path = Some(path);
            }
            Err(why) => reply.error(why),
        },
    }
}

/// The session ends: what is recorded is written. Says what became of it.
pub fn finish_recording(session: &mut Session) -> Option<Reply> {
    let path = session.recording_path.take()?;
    let mut reply = Reply::new("");
    files::save(session, &path, &mut reply);
    Some(reply)
}
