//! Entries from standard input or the command line, answered as at the prompt, without banner, prompt and keys.

use super::input::Input;
use super::json;
use super::output::Screen;
use super::show;
use crate::command;
use crate::session::{Reply, Session};
use std::io;

/// Answers entries until there are no more; whether all went well.
pub fn converse(session: &mut Session, input: &mut Input, screen: &mut Screen) -> io::Result<bool> {
    let mut fine = true;
    while let Some(entry) = input.entry(session)? {
        if entry.trim().is_empty() && !session.is_stopped() {
            continue;
        }
        let reply = command::exchange(session, &entry);
        let (ok, quits) = answer(session, reply, input, screen)?;
        fine &= ok;
        if quits {
            break;
        }
    }
    if let Some(reply) = command::end_recording(session) {
        show::reply(screen, session, &reply)?;
        fine &= reply.ok;
    }
    Ok(fine)
}

/// Does what `--eval` says.
pub fn evaluate(
    session: &mut Session,
    entries: &[String],
    as_json: bool,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<bool> {
    let mut fine = true;
    for entry in entries {
        let reply = command::exchange(session, entry);
        fine &= match as_json {
            true => json::answer(session, reply, input, screen)?.0,
            false => answer(session, reply, input, screen)?.0,
        };
    }
    Ok(fine)
}

/// Shows one reply, and goes on with the lines that follow as long as the program asks; whether all went well, and
/// whether the person leaves.
pub fn answer(
    session: &mut Session,
    reply: Reply,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<(bool, bool)> {
    show::reply(screen, session, &reply)?;
    let (mut fine, mut quits) = (reply.ok, reply.quits);
    let mut question = reply.question;
    while let Some(words) = question {
        screen.part(&words)?;
        let Some(line) = input.line()? else {
            screen.made("")?;
            super::told_aside("gridbug: the program asks for input, and there is no more");
            session.give_up_asking();
            return Ok((false, false));
        };
        screen.made("")?;
        let more = command::exchange(session, &line);
        show::reply(screen, session, &more)?;
        fine &= more.ok;
        quits |= more.quits;
        question = more.question;
    }
    Ok((fine, quits))
}
