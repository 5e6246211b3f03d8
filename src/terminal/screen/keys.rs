//! Reads single key presses and mouse clicks, for the view, for playing with the arrow keys and for
//! "press any key to stop".
//!
//! [`KeyReader::open`] switches the terminal to raw mode and dropping the reader switches it back,
//! also when a panic unwinds. [`leave_raw_mode`] does the same from a thread that is about to end
//! the process. Ctrl-C is a key only while waiting for one; otherwise it sends SIGINT as usual.

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
    Tab,
    Backspace,
    PageUp,
    PageDown,
    /// Left or right with Shift.
    ShiftLeft,
    ShiftRight,
    Escape,
    Char(char),
    /// The left mouse button was pressed at this column and row of the screen, counted from 0.
    Click {
        col: usize,
        row: usize,
    },
    /// The right mouse button was pressed.
    RightClick {
        col: usize,
        row: usize,
    },
    /// The mouse was moved with its left button pressed.
    Drag {
        col: usize,
        row: usize,
    },
    /// The left mouse button was released.
    Release,
    WheelUp,
    WheelDown,
    /// The terminal says which background it has.
    Background {
        is_light: bool,
    },
    /// The terminal says what it can do, as every terminal does when asked.
    TerminalAttributes,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Undo,
    /// Ctrl-Y.
    Redo,
    /// Text was pasted, which [`KeyReader::take_pasted`] returns.
    Paste,
    /// Ctrl-D, or the terminal was closed.
    Closed,
    /// Not a key: a signal arrived, so the terminal size may have changed.
    Resized,
    Other,
}

/// Decodes key presses; the terminal is in raw mode as long as this exists.
pub struct KeyReader {
    /// Bytes read but not decoded yet.
    buffer: VecDeque<u8>,
    pasted: String,
}

/// What a terminal sends after pasted text.
const PASTE_END: &[u8] = b"\x1b[201~";

/// How long to wait for the end of a pasted text that does not come.
const PASTE_TIMEOUT: Duration = Duration::from_millis(500);

/// How long to wait for the rest of an escape sequence before treating Esc as a key of its own.
const SEQUENCE_TIMEOUT: Duration = Duration::from_millis(40);

impl KeyReader {
    /// Switches to raw mode. Fails if the terminal does not support it.
    pub fn open() -> io::Result<KeyReader> {
        tty::enable_raw_mode()?;
        Ok(KeyReader {
            buffer: VecDeque::new(),
            pasted: String::new(),
        })
    }

    /// The text of the last [`Key::Paste`], with line feeds at the ends of lines.
    pub fn take_pasted(&mut self) -> String {
        std::mem::take(&mut self.pasted)
    }

    /// Reads pasted text to its end.
    fn read_pasted(&mut self) -> io::Result<()> {
        while !self.buffer.make_contiguous().ends_with(PASTE_END) {
            match tty::read_bytes(&mut self.buffer, Some(PASTE_TIMEOUT))? {
                tty::ReadEvent::Bytes | tty::ReadEvent::Interrupted => {}
                tty::ReadEvent::Timeout | tty::ReadEvent::Eof => break,
            }
        }
        let bytes: Vec<u8> = self.buffer.drain(..).collect();
        let bytes = bytes.strip_suffix(PASTE_END).unwrap_or(&bytes);
        let text = String::from_utf8_lossy(bytes);
        self.pasted = text.replace("\r\n", "\n").replace('\r', "\n");
        Ok(())
    }

    /// Waits for the next key; `None` after `timeout`. Without a timeout it waits indefinitely.
    pub fn read_key(&mut self, timeout: Option<Duration>) -> io::Result<Option<Key>> {
        if self.buffer.is_empty() {
            match tty::read_bytes(&mut self.buffer, timeout)? {
                tty::ReadEvent::Bytes => {}
                tty::ReadEvent::Timeout => return Ok(None),
                tty::ReadEvent::Interrupted => return Ok(Some(Key::Resized)),
                tty::ReadEvent::Eof => return Ok(Some(Key::Closed)),
            }
        }
        loop {
            if let Some((key, bytes)) = decode(self.buffer.make_contiguous()) {
                self.buffer.drain(..bytes);
                if key == Key::Paste {
                    self.read_pasted()?;
                }
                return Ok(Some(key));
            }
            if !matches!(
                tty::read_bytes(&mut self.buffer, Some(SEQUENCE_TIMEOUT))?,
                tty::ReadEvent::Bytes
            ) {
                let first = self.buffer.pop_front();
                return Ok(Some(if first == Some(0x1b) {
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
        leave_raw_mode();
    }
}

/// Leaves raw mode, if it is on.
pub fn leave_raw_mode() {
    tty::disable_raw_mode();
}

/// Decodes the first key and its length in bytes; `None` if the bytes are incomplete.
fn decode(bytes: &[u8]) -> Option<(Key, usize)> {
    let key = match *bytes.first()? {
        0x1b => return decode_escape(bytes),
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x08 | 0x7f => Key::Backspace,
        0x03 => Key::Interrupt,
        0x04 => Key::Closed,
        0x19 => Key::Redo,
        0x1a => Key::Undo,
        byte if byte < 0x20 => Key::Other,
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

/// Decodes bytes that start with Esc: `Esc [ … letter` and `Esc O letter` are keys, `Esc ] …` is an
/// answer of the terminal, anything else is the Esc key itself.
fn decode_escape(bytes: &[u8]) -> Option<(Key, usize)> {
    let last = match *bytes.get(1)? {
        b']' => return decode_terminal_answer(bytes),
        b'O' => 2,
        b'[' => 2 + bytes[2..].iter().position(|b| (0x40..0x7f).contains(b))?,
        _ => return Some((Key::Escape, 1)),
    };
    let key = match (*bytes.get(last)?, &bytes[2..last]) {
        (b'M', [b'<', report @ ..]) => decode_mouse(report),
        (b'm', [b'<', b'0', b';', ..]) => Key::Release,
        (b'c', [b'?', ..]) => Key::TerminalAttributes,
        (b'C', b"1;2") => Key::ShiftRight,
        (b'D', b"1;2") => Key::ShiftLeft,
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'C', _) => Key::Right,
        (b'D', _) => Key::Left,
        (b'~', b"5") => Key::PageUp,
        (b'~', b"6") => Key::PageDown,
        (b'~', b"200") => Key::Paste,
        _ => Key::Other,
    };
    Some((key, last + 1))
}

/// Decodes `Esc ] 11 ; rgb:RR/GG/BB`, with one to four digits per color, up to its terminator.
fn decode_terminal_answer(bytes: &[u8]) -> Option<(Key, usize)> {
    let end = bytes
        .iter()
        .skip(2)
        .position(|b| *b == 0x07 || *b == 0x1b)?
        + 2;
    let length = match bytes[end] {
        0x07 => end + 1,
        _ => bytes.get(end + 1).map(|_| end + 2)?,
    };
    let text = std::str::from_utf8(&bytes[2..end]).unwrap_or_default();
    let colors = text.strip_prefix("11;rgb:").map(|colors| {
        let parts = colors.split('/').map(|part| {
            let max = 16f64.powi(part.len() as i32) - 1.0;
            u32::from_str_radix(part, 16).map_or(0.0, |n| f64::from(n) / max)
        });
        parts.collect::<Vec<f64>>()
    });
    let key = match colors.as_deref() {
        Some([r, g, b]) => Key::Background {
            is_light: 0.3 * r + 0.59 * g + 0.11 * b > 0.5,
        },
        _ => Key::Other,
    };
    Some((key, length))
}

/// Decodes `button;column;row`, counted from 1.
fn decode_mouse(report: &[u8]) -> Key {
    let text = std::str::from_utf8(report).unwrap_or_default();
    let numbers: Vec<usize> = text.split(';').filter_map(|n| n.parse().ok()).collect();
    match numbers[..] {
        [0, col, row] if col > 0 && row > 0 => Key::Click {
            col: col - 1,
            row: row - 1,
        },
        [2, col, row] if col > 0 && row > 0 => Key::RightClick {
            col: col - 1,
            row: row - 1,
        },
        [32, col, row] if col > 0 && row > 0 => Key::Drag {
            col: col - 1,
            row: row - 1,
        },
        [64, ..] => Key::WheelUp,
        [65, ..] => Key::WheelDown,
        _ => Key::Other,
    }
}

#[cfg(test)]
mod tests {
    use crate::terminal::screen::keys::*;

    #[test]
    fn keys_are_decoded_from_bytes() {
        assert_eq!(decode(b"\x1b[Cx"), Some((Key::Right, 3)));
        assert_eq!(decode(b"\x1bOA"), Some((Key::Up, 3)));
        assert_eq!(decode(b"\x1b[1;5D"), Some((Key::Left, 6)));
        assert_eq!(decode(b"\x1b[1;2D"), Some((Key::ShiftLeft, 6)));
        assert_eq!(decode(b"\x1b[3~"), Some((Key::Other, 4)));
        assert_eq!(decode(b"q\r"), Some((Key::Char('q'), 1)));
        assert_eq!(decode("é".as_bytes()), Some((Key::Char('é'), 2)));
        assert_eq!(decode(b"\x03"), Some((Key::Interrupt, 1)));
        assert_eq!(decode(b"\x1b[5~"), Some((Key::PageUp, 4)));
        assert_eq!(decode(b"\x1a\x19"), Some((Key::Undo, 1)));
        assert_eq!(decode(b"\x19"), Some((Key::Redo, 1)));
        assert_eq!(decode(b"\x1b[200~text"), Some((Key::Paste, 6)));
        // A second Esc is a key of its own; incomplete sequences are not decoded yet.
        assert_eq!(decode(b"\x1b\x1b[A"), Some((Key::Escape, 1)));
        for incomplete in [&b"\x1b"[..], b"\x1b[", b"\x1b[1;", b"\x1bO", b"\xc3"] {
            assert_eq!(decode(incomplete), None, "{incomplete:?}");
        }
        assert_eq!(decode(b"\xff\xff\xff\xff"), Some((Key::Other, 4)));
    }

    #[test]
    fn the_background_of_the_terminal_is_decoded() {
        let background = |is_light, length| Some((Key::Background { is_light }, length));
        assert_eq!(
            decode(b"\x1b]11;rgb:ffff/ffff/e000\x07q"),
            background(true, 24)
        );
        assert_eq!(decode(b"\x1b]11;rgb:1e/1e/2e\x1b\\"), background(false, 19));
        assert_eq!(decode(b"\x1b]52;c;abc\x07"), Some((Key::Other, 11)));
        assert_eq!(decode(b"\x1b]11;rgb:1e/1e"), None);
        assert_eq!(decode(b"\x1b[?62;22c"), Some((Key::TerminalAttributes, 9)));
    }

    #[test]
    fn mouse_reports_are_decoded() {
        let click = |col, row| Some(Key::Click { col, row });
        let key = |bytes: &[u8]| decode(bytes).map(|(key, _)| key);
        assert_eq!(key(b"\x1b[<0;1;1M"), click(0, 0));
        assert_eq!(key(b"\x1b[<0;120;24Mx"), click(119, 23));
        assert_eq!(key(b"\x1b[<64;3;4M"), Some(Key::WheelUp));
        assert_eq!(key(b"\x1b[<65;3;4M"), Some(Key::WheelDown));
        let at = (2, 3);
        assert_eq!(
            key(b"\x1b[<2;3;4M"),
            Some(Key::RightClick {
                col: at.0,
                row: at.1
            })
        );
        assert_eq!(
            key(b"\x1b[<32;3;4M"),
            Some(Key::Drag {
                col: at.0,
                row: at.1
            })
        );
        assert_eq!(key(b"\x1b[<0;1;1m"), Some(Key::Release));
        // Other buttons and broken reports do nothing.
        for other in [
            &b"\x1b[<1;1;1M"[..],
            b"\x1b[<35;1;1M",
            b"\x1b[<0;0;1M",
            b"\x1b[<0;1M",
        ] {
            assert_eq!(key(other), Some(Key::Other), "{other:?}");
        }
    }
}
