//! Slow motion: steps by themselves, printed one below the other, until a key is pressed or there is more to be done.

use super::interrupt::Interrupt;
use super::keys::{Key, KeyReader};
use super::output::Screen;
use super::show;
use crate::command;
use crate::session::{Line, Reply, Session, Style};
use std::io;
use std::time::{Duration, Instant};

/// Steps with so much time between two. What is to be shown at the prompt, if it did not end by a key.
pub fn run(
    session: &mut Session,
    screen: &mut Screen,
    interrupt: &Interrupt,
    pace: Duration,
) -> io::Result<Option<Reply>> {
    let Ok(mut keys) = KeyReader::open() else {
        let mut reply = Reply::new("play");
        command::play_unpaced(session, &mut reply);
        return Ok(Some(reply));
    };
    screen.print_line(&Line::styled(Style::Dim, "any key stops it"))?;
    let mut steps = 0;
    loop {
        if is_pressed(&mut keys, pace)? {
            let times = if steps == 1 { "step" } else { "steps" };
            screen.print_line(&Line::styled(
                Style::Dim,
                format!("stopped by a key, after {steps} {times}"),
            ))?;
            return Ok(None);
        }
        interrupt.reset();
        let reply = command::handle_line(session, "step");
        steps += 1;
        if reply.stop.as_ref().is_none_or(|s| s.reason != "step") || interrupt.was_pressed() {
            return Ok(Some(reply));
        }
        show::print_reply(screen, session, &reply)?;
    }
}

/// Whether a key is pressed within that time. A window that is made larger is none.
fn is_pressed(keys: &mut KeyReader, within: Duration) -> io::Result<bool> {
    let until = Instant::now() + within;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match keys.read_key(Some(left))? {
            None => return Ok(false),
            Some(Key::Resized) if left.is_zero() => return Ok(false),
            Some(Key::Resized) => {}
            Some(_) => return Ok(true),
        }
    }
}
