//! Non-interactive sessions: entries from standard input or `--eval`, with the same answers as at
//! the prompt but without banner and prompt.

use super::entry_lines::BlankLine;
use super::input::{Input, InputLine};
use super::json;
use crate::command;
use crate::driver::Driver;
use crate::session::{Answer, Session, cancelled_message};
use crate::terminal::cli::show;
use crate::terminal::output::Screen;
use std::io;

/// Runs entries until the end of the input. Returns whether all of them succeeded.
pub fn run(session: &mut Session, input: &mut Input, screen: &mut Screen) -> io::Result<bool> {
    let (mut all_ok, mut driver) = (true, Driver::new());
    while let Some(read) = input.read_entry(session, BlankLine::BelongsToEntry)? {
        let entry = match read {
            InputLine::Entry(entry) => entry,
            InputLine::Unfinished(_) => continue,
            InputLine::Discarded(entry) => {
                screen.print_line(&cancelled_message(&entry).into())?;
                continue;
            }
        };
        let is_answer = session.predictions.pending.is_some();
        if entry.trim().is_empty() && !session.target.is_stopped() && !is_answer {
            continue;
        }
        driver.enter(entry);
        let (ok, should_quit) = show_answers(&mut driver, session, None, input, screen)?;
        all_ok &= ok;
        if should_quit {
            break;
        }
    }
    if let Some(answer) = command::finish_recording(session) {
        show::print_answer(screen, session, &answer)?;
        all_ok &= answer.ok;
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
    let (mut all_ok, mut driver) = (true, Driver::new());
    for entry in entries {
        driver.enter(entry);
        all_ok &= match as_json {
            true => {
                let answer = driver.next(session).unwrap_or_default();
                json::handle_answer(&mut driver, session, answer, input, screen)?.0
            }
            false => show_answers(&mut driver, session, None, input, screen)?.0,
        };
    }
    Ok(all_ok)
}

/// Prints the answers of the driver, after one that is there already. While the program asks for input, the answers are taken from the
/// next lines. Returns whether all of them succeeded and whether one quits the session.
pub fn show_answers(
    driver: &mut Driver,
    session: &mut Session,
    mut first: Option<Answer>,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<(bool, bool)> {
    let (mut all_ok, mut should_quit) = (true, false);
    let mut question = None;
    loop {
        if let Some(answer) = first.take().or_else(|| driver.next(session)) {
            show::print_answer(screen, session, &answer)?;
            all_ok &= answer.ok;
            should_quit |= answer.is_quit();
            question = answer.question;
            continue;
        }
        let Some(asked) = question.take() else {
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
        driver.enter(line);
    }
    Ok((all_ok, should_quit))
}
