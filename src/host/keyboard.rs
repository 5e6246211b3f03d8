//! Raw access to the keyboard, independent of the line editor.

#[cfg(not(unix))]
pub use super::fallback::{disable_raw_mode, enable_raw_mode, read_bytes, restore_on_signal};
#[cfg(unix)]
pub use super::unix::{disable_raw_mode, enable_raw_mode, read_bytes, restore_on_signal};

/// The result of waiting for input.
pub enum ReadEvent {
    Bytes,
    Timeout,
    /// A signal arrived, e.g. because the terminal was resized.
    Interrupted,
    Eof,
}
