//! The keyboard, byte by byte: taken from the line editor, read, and given back.

#[cfg(not(unix))]
pub use super::other::{give_back, keep_for_others, read, take};
#[cfg(unix)]
pub use super::unix::{give_back, keep_for_others, read, take};

/// What came of waiting for bytes.
pub enum Came {
    Bytes,
    Nothing,
    Signal,
    End,
}
