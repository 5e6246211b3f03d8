//! `--json`: entries in, one object a line out.

use super::input::Input;
use super::output::Screen;
use crate::command;
use crate::session::{Reply, Session, json_answer};
use std::io;

/// Answers entries until there are no more; whether all went well.
pub fn converse(session: &mut Session, input: &mut Input, screen: &mut Screen) -> io::Result<bool> {
    let mut fine = true;
    while let Some(entry) = input.entry(session)? {
        let reply = command::exchange(session, &entry);
        let (ok, quits) = answer(session, reply, input, screen)?;
        fine &= ok;
        if quits {
            break;
        }
    }
    Ok(fine)
}

/// Prints one answer, after the questions that came up have had theirs from the lines that follow.
pub fn answer(
    session: &mut Session,
    mut reply: Reply,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<(bool, bool)> {
    while reply.question.is_some() {
        let Some(line) = input.line()? else { break };
        let more = command::exchange(session, &line);
        reply.go_on_with(more);
    }
    screen.json(&json_answer(session, &reply))?;
    screen.flush()?;
    session.give_up_asking();
    Ok((reply.ok, reply.quits))
}
