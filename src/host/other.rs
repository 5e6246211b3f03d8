//! The keyboard where nobody has taught gridbug to read it key by key: the line editor does without.

use super::keyboard::Came;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

pub fn take() -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "keys are not read one by one on this system",
    ))
}

pub fn give_back() {}

pub fn keep_for_others() {}

pub fn read(_: &mut VecDeque<u8>, _: Option<Duration>) -> io::Result<Came> {
    Ok(Came::End)
}
