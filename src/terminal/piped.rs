//! Entries from standard input or the command line, answered as at the prompt, without banner, prompt and keys.

use super::input::Input;
use super::json;
use super::output::Screen;
use super::show;
use crate::command;
use crate::session::{Reply, Session};
use std::io;

/// Answers entries until there are no more; whether all went well.
pub fn run(session: &mut Session, input: &mut Input, screen: &mut Screen) -> io::Result<bool> {
    let mut fine = true;
    while let Some(entry) = input.read_entry(session)? {
        if entry.trim().is_empty() && !session.is_stopped() {
            continue;
        }
        let reply = command::handle_line(session, &entry);
        let (ok, quits) = handle_reply(session, reply, input, screen)?;
        fine &= ok;
        if quits {
            break;
        }
    }
    if let Some(reply) = command::finish_recording(session) {
        show::print_reply(screen, session, &reply)?;
        fine &= reply.ok;
    }
    Ok(fine)
}

/// Does what `--eval` says.
pub fn run_entries(
    session: &mut Session,
    entries: &[String],
    as_json: bool,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<bool> {
    let mut fine = true;
    for entry in entries {
        let reply = command::handle_line(session, entry);
        fine &= match as_json {
            true => json::handle_reply(session, reply, input, screen)?.0,
            false => handle_reply(session, reply, input, screen)?.0,
        };
    }
    Ok(fine)
}

/// Shows one reply, and goes on with the lines that follow as long as the program asks; whether all went well, and
/// whether the person leaves.
pub fn handle_reply(
    session: &mut Session,
    reply: Reply,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<(bool, bool)> {
    show::print_reply(screen, session, &reply)?;
    let (mut fine, mut quits) = (reply.ok, reply.should_quit);
    let mut question = reply.question;
    while let Some(words) = question {
        screen.print_partial(&words)?;
        let Some(line) = input.read_line()? else {
            screen.print_raw("")?;
            super::print_stderr("gridbug: the program asks for input, and there is no more");
            session.end_input();
            return Ok((false, false));
        };
        screen.print_raw("")?;
        let more = command::handle_line(session, &line);
        show::print_reply(screen, session, &more)?;
        fine &= more.ok;
        quits |= more.should_quit;
        question = more.question;
    }
    Ok((fine, quits))
}
