//! Non-interactive sessions: entries from standard input or `--eval`, with the same replies as at
//! the prompt but without banner and prompt.

use super::entry_lines::BlankLine;
use super::input::{Input, InputRead};
use super::json;
use crate::command;
use crate::session::{Answer, Session, cancelled_message};
use crate::terminal::cli::show;
use crate::terminal::output::Screen;
use std::io;

/// Runs entries until the end of the input. Returns whether all of them succeeded.
pub fn run(session: &mut Session, input: &mut Input, screen: &mut Screen) -> io::Result<bool> {
    let mut all_ok = true;
    while let Some(read) = input.read_entry(session, BlankLine::BelongsToEntry)? {
        let entry = match read {
            InputRead::Entry(entry) => entry,
            InputRead::Discarded(entry) => {
                screen.print_line(&cancelled_message(&entry).into())?;
                continue;
            }
        };
        let is_answer = session.predictions.pending.is_some();
        if entry.trim().is_empty() && !session.target.is_stopped() && !is_answer {
            continue;
        }
        let reply = command::handle_line(session, &entry);
        let (ok, should_quit) = handle_reply(session, reply, input, screen)?;
        all_ok &= ok;
        if should_quit {
            break;
        }
    }
    if let Some(reply) = command::finish_recording(session) {
        show::print_reply(screen, session, &reply)?;
        all_ok &= reply.ok;
    }
    Ok(all_ok)
}

/// Runs the entries of `--eval`. Returns whether all of them succeeded.
pub fn run_entries(
    session: &mut Session,
    entries: &[String],
    as_json: bool,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<bool> {
    let mut all_ok = true;
    for entry in entries {
        let reply = command::handle_line(session, entry);
        all_ok &= match as_json {
            true => json::handle_reply(session, reply, input, screen)?.0,
            false => handle_reply(session, reply, input, screen)?.0,
        };
    }
    Ok(all_ok)
}

/// Prints a reply. While the program asks for input, the answers are taken from the next lines.
/// Returns whether the entry succeeded and whether it quits the session.
pub fn handle_reply(
    session: &mut Session,
    reply: Answer,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<(bool, bool)> {
    show::print_reply(screen, session, &reply)?;
    let (mut all_ok, mut should_quit) = (reply.ok, reply.is_quit());
    let mut question = reply.question;
    loop {
        if let Some(more) = command::play_opponent(session) {
            show::print_reply(screen, session, &more)?;
            all_ok &= more.ok;
            question = more.question;
            continue;
        }
        let Some(asked) = question else {
            break;
        };
        screen.print_partial(&asked.text)?;
        let Some(line) = input.read_line()? else {
            screen.print_raw("")?;
            crate::terminal::print_stderr(
                "gridbug: the program asked for input, but the input has ended",
            );
            session.end_input();
            return Ok((false, false));
        };
        screen.print_raw("")?;
        let more = command::handle_line(session, &line);
        show::print_reply(screen, session, &more)?;
        all_ok &= more.ok;
        should_quit |= more.is_quit();
        question = more.question;
    }
    Ok((all_ok, should_quit))
}
