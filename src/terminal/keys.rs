//! Keys one by one, without Enter: for playing with the arrow keys, and for "any key stops it".
//!
//! [`Keys::open`] takes the keyboard from the line editor, dropping it gives it back, also when a panic unwinds;
//! [`restore`] does so from a thread that is about to end the program. While a key is waited for, Ctrl-C is a key; while
//! the game runs between two keys it is the signal that it always is.

use crate::host::keyboard as tty;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    Enter,
    Escape,
    Char(char),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or nobody is at the keyboard any more.
    Closed,
    /// No key: the terminal may have another size now.
    Resized,
    Other,
}

/// The keyboard, as long as it is read key by key.
pub struct KeyReader {
    /// Bytes that came and are not yet a key.
    waiting: VecDeque<u8>,
}

/// How long the rest of a sequence may take: what comes later was typed by a person after Esc.
const SEQUENCE: Duration = Duration::from_millis(40);

impl KeyReader {
    /// Takes the keyboard; an error if keys can't be read one by one here.
    pub fn open() -> io::Result<KeyReader> {
        tty::enable_raw_mode()?;
        Ok(KeyReader {
            waiting: VecDeque::new(),
        })
    }

    /// The next key; nothing if none comes in that time. Without a time it waits as long as it takes.
    pub fn read_key(&mut self, within: Option<Duration>) -> io::Result<Option<Key>> {
        if self.waiting.is_empty() {
            match tty::read_bytes(&mut self.waiting, within)? {
                tty::ReadEvent::Bytes => {}
                tty::ReadEvent::Timeout => return Ok(None),
                tty::ReadEvent::Interrupted => return Ok(Some(Key::Resized)),
                tty::ReadEvent::Eof => return Ok(Some(Key::Closed)),
            }
        }
        loop {
            if let Some((key, bytes)) = decoded(self.waiting.make_contiguous()) {
                self.waiting.drain(..bytes);
                return Ok(Some(key));
            }
            if !matches!(
                tty::read_bytes(&mut self.waiting, Some(SEQUENCE))?,
                tty::ReadEvent::Bytes
            ) {
                let begun = self.waiting.pop_front();
                return Ok(Some(if begun == Some(0x1b) {
                    Key::Escape
                } else {
                    Key::Other
                }));
            }
        }
    }
}

impl Drop for KeyReader {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Gives the keyboard back, if it was taken.
pub fn restore_terminal() {
    tty::disable_raw_mode();
}

/// The first key of some bytes and how many it takes; nothing if they are only its beginning.
fn decoded(bytes: &[u8]) -> Option<(Key, usize)> {
    let key = match *bytes.first()? {
        0x1b => return sequence(bytes),
        b'\r' | b'\n' => Key::Enter,
        0x03 => Key::Interrupt,
        0x04 => Key::Closed,
        byte if byte < 0x20 || byte == 0x7f => Key::Other,
        byte => {
            let length = if byte < 0x80 {
                1
            } else {
                (byte.leading_ones() as usize).clamp(1, 4)
            };
            let text = std::str::from_utf8(bytes.get(..length)?).unwrap_or_default();
            return Some((text.chars().next().map_or(Key::Other, Key::Char), length));
        }
    };
    Some((key, 1))
}

/// What begins with Esc: `Esc [ … letter` and `Esc O letter` are keys, all else is Esc itself.
fn sequence(bytes: &[u8]) -> Option<(Key, usize)> {
    let last = match *bytes.get(1)? {
        b'O' => 2,
        b'[' => 2 + bytes[2..].iter().position(|b| (0x40..0x7f).contains(b))?,
        _ => return Some((Key::Escape, 1)),
    };
    let key = match *bytes.get(last)? {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        _ => Key::Other,
    };
    Some((key, last + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_keys() {
        assert_eq!(decoded(b"\x1b[Cx"), Some((Key::Right, 3)));
        assert_eq!(decoded(b"\x1bOA"), Some((Key::Up, 3)));
        assert_eq!(decoded(b"\x1b[1;5D"), Some((Key::Left, 6)));
        assert_eq!(decoded(b"\x1b[3~"), Some((Key::Other, 4)));
        assert_eq!(decoded(b"q\r"), Some((Key::Char('q'), 1)));
        assert_eq!(decoded("é".as_bytes()), Some((Key::Char('é'), 2)));
        assert_eq!(decoded(b"\x03"), Some((Key::Interrupt, 1)));
        // A second Esc is a key of its own, and what only begins is none yet.
        assert_eq!(decoded(b"\x1b\x1b[A"), Some((Key::Escape, 1)));
        for begun in [&b"\x1b"[..], b"\x1b[", b"\x1b[1;", b"\x1bO", b"\xc3"] {
            assert_eq!(decoded(begun), None, "{begun:?}");
        }
        assert_eq!(decoded(b"\xff\xff\xff\xff"), Some((Key::Other, 4)));
    }
}
