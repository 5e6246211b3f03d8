//! The keyboard, byte by byte: taken from the line editor, read, and given back.

#[cfg(not(unix))]
pub use super::other::{give_back, keep_for_others, read, take};
#[cfg(unix)]
pub use super::unix::{disable_raw_mode, enable_raw_mode, read_bytes, restore_on_signal};

/// What came of waiting for bytes.
pub enum ReadEvent {
    Bytes,
    Timeout,
    Interrupted,
    Eof,
}
