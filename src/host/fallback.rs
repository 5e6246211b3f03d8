//! The keyboard where nobody has taught gridbug to read it key by key: the line editor does without.

use super::keyboard::ReadEvent;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

pub fn enable_raw_mode() -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "keys are not read one by one on this system",
    ))
}

pub fn disable_raw_mode() {}

pub fn restore_on_signal() {}

pub fn read_bytes(_: &mut VecDeque<u8>, _: Option<Duration>) -> io::Result<ReadEvent> {
    Ok(ReadEvent::End)
}
