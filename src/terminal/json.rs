//! `--json`: entries in, one object a line out.

use super::input::Input;
use super::output::Screen;
use crate::command;
use crate::session::{Reply, Session, json_answer};
use std::io;

/// Answers entries until there are no more; whether all went well.
pub fn run(session: &mut Session, input: &mut Input, screen: &mut Screen) -> io::Result<bool> {
    let mut fine = true;
    while let Some(entry) = input.read_entry(session)? {
        let reply = command::handle_line(session, &entry);
        let (ok, quits) = handle_reply(session, reply, input, screen)?;
        fine &= ok;
        if quits {
            break;
        }
    }
    Ok(fine)
}

/// Prints one answer, after the questions that came up have had theirs from the lines that follow.
pub fn handle_reply(
    session: &mut Session,
    mut reply: Reply,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<(bool, bool)> {
    while reply.question.is_some() {
        let Some(line) = input.read_line()? else {
            break;
        };
        let more = command::handle_line(session, &line);
        reply.append(more);
    }
    screen.print_json(&json_answer(session, &reply))?;
    screen.flush()?;
    session.end_input();
    Ok((reply.ok, reply.should_quit))
}
