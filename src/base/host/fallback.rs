//! Systems without support for single key presses: only the line editor is available.

use super::keyboard::ReadEvent;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

pub fn enable_raw_mode() -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "single key presses are not supported on this system",
    ))
}

pub fn disable_raw_mode() {}

pub fn restore_on_signal(_: fn(), _: fn()) {}

pub fn read_bytes(_: &mut VecDeque<u8>, _: Option<Duration>) -> io::Result<ReadEvent> {
    Ok(ReadEvent::Eof)
}
