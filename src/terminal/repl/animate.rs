//! `play` at a stop: steps automatically with a delay, until a key is pressed or the run ends or
//! stops for another reason.

use super::interrupt::Interrupt;
use crate::answer::StopReason;
use crate::command;
use crate::driver::Driver;
use crate::session::{Answer, Line, Session, Style, count_noun};
use crate::terminal::cli::show;
use crate::terminal::output::Screen;
use crate::terminal::screen::keys::{Key, KeyReader};
use std::io;
use std::time::{Duration, Instant};

/// Steps every `delay`. Returns the final answer, or `None` if a key was pressed.
pub fn run(
    driver: &mut Driver,
    session: &mut Session,
    screen: &mut Screen,
    interrupt: &Interrupt,
    delay: Duration,
) -> io::Result<Option<Answer>> {
    let Ok(mut keys) = KeyReader::open() else {
        let mut answer = Answer::new("play");
        answer.absorb(command::play_unpaced(session));
        return Ok(Some(answer));
    };
    screen.print_line(&Line::styled(Style::Dim, "Press any key to stop"))?;
    let mut steps = 0;
    loop {
        if wait_for_key(&mut keys, delay)? {
            screen.print_line(&Line::styled(
                Style::Dim,
                format!("stopped after {}", count_noun(steps, "step", "steps")),
            ))?;
            return Ok(None);
        }
        interrupt.reset();
        let answer = driver.answer(session, ":step");
        steps += 1;
        if answer
            .stop
            .as_ref()
            .is_none_or(|s| s.reason != StopReason::Step)
            || interrupt.was_pressed()
        {
            return Ok(Some(answer));
        }
        show::print_answer(screen, session, &answer)?;
    }
}

/// Waits for a key press; false after `timeout`. Resizing the terminal does not count.
fn wait_for_key(keys: &mut KeyReader, timeout: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + timeout;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match keys.read_key(Some(left))? {
            None => return Ok(false),
            Some(Key::Resized) if left.is_zero() => return Ok(false),
            Some(Key::Resized) => {}
            Some(_) => return Ok(true),
        }
    }
}
