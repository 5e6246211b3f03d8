//! `--json`: reads entries and prints one JSON object per line.

use super::entry_lines::BlankLine;
use super::input::{Input, InputRead};
use crate::answer::Notice;
use crate::driver::Driver;
use crate::protocol::answer_to_json_text;
use crate::session::{Answer, Session};
use crate::terminal::output::Screen;
use std::io;

/// Runs entries until the end of the input. Returns whether all of them succeeded.
pub fn run(session: &mut Session, input: &mut Input, screen: &mut Screen) -> io::Result<bool> {
    let (mut all_ok, mut driver) = (true, Driver::new());
    while let Some(read) = input.read_entry(session, BlankLine::EndsEntry)? {
        let is_answer = session.predictions.pending.is_some();
        let answer = match read {
            // At a prompt, a blank line may repeat a step; here, every step is asked for.
            InputRead::Entry(entry) if entry.trim().is_empty() && !is_answer => Answer::new(&entry),
            InputRead::Entry(entry) => driver.answer(session, &entry),
            InputRead::Discarded(entry) => {
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

/// Prints one answer. If the program asks for input, the answers are taken from the next lines
/// first. Returns whether the entry succeeded and whether it quits the session.
pub fn handle_answer(
    driver: &mut Driver,
    session: &mut Session,
    mut answer: Answer,
    input: &mut Input,
    screen: &mut Screen,
) -> io::Result<(bool, bool)> {
    loop {
        answer = driver.finish(session, answer);
        if answer.question.is_none() {
            break;
        }
        let Some(line) = input.read_line()? else {
            break;
        };
        let more = driver.answer(session, &line);
        answer.append(more);
    }
    screen.print_json(&answer_to_json_text(session, &answer))?;
    screen.flush()?;
    session.end_input();
    Ok((answer.ok, answer.is_quit()))
}
