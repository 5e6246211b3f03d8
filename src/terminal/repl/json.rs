//! `--json`: reads lines and prints one JSON object for each of them, at once.

use super::entry_lines::BlankLine;
use super::input::{Input, InputLine};
use crate::answer::Notice;
use crate::driver::Driver;
use crate::protocol::answer_to_json_text;
use crate::session::{Answer, Session};
use crate::terminal::output::Screen;
use std::io;

/// Runs lines until the end of the input. Returns whether all of them succeeded.
pub fn run(session: &mut Session, input: &mut Input, screen: &mut Screen) -> io::Result<bool> {
    let (mut all_ok, mut driver) = (true, Driver::new());
    while let Some(read) = input.read(session, BlankLine::EndsEntry)? {
        let is_answer = session.predictions.pending.is_some();
        let answer = match read {
            InputLine::Unfinished(line) => Answer {
                is_unfinished: true,
                ..Answer::new(&line)
            },
            // At a prompt, a blank line may repeat a step; here, every step is asked for.
            InputLine::Entry(entry) if entry.trim().is_empty() && !is_answer => Answer::new(&entry),
            InputLine::Entry(entry) => driver.answer(session, &entry),
            InputLine::Discarded(entry) => {
                let mut answer = Answer::new(&entry);
                answer.push(Notice::Cancelled { entry });
                answer
            }
        };
        let (ok, should_quit) = handle_answer(&mut driver, session, answer, input, screen)?;
        all_ok &= ok;
        if should_quit {
            break;
        }
    }
    Ok(all_ok)
}

/// Prints an answer, with the computer's moves that follow it. While the program asks for input, the
/// next lines answer it, and each is answered in turn. Returns whether all of them succeeded and
/// whether one quits the session.
pub fn handle_answer(
    driver: &mut Driver,
    session: &mut Session,
    mut answer: Answer,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<(bool, bool)> {
    let mut all_ok = true;
    loop {
        answer = driver.finish(session, answer);
        screen.print_json(&answer_to_json_text(session, &answer))?;
        screen.flush()?;
        all_ok &= answer.ok;
        if answer.is_quit() || !session.target.is_waiting_for_input() {
            return Ok((all_ok, answer.is_quit()));
        }
        let Some(line) = input.read_line()? else {
            session.end_input();
            return Ok((all_ok, false));
        };
        answer = driver.answer(session, &line);
    }
}
