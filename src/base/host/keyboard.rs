//! Raw access to the keyboard, independent of the line editor.

#[cfg(not(unix))]
pub use super::fallback::*;
#[cfg(unix)]
pub use super::unix::*;

/// The result of waiting for input.
pub enum ReadEvent {
    Bytes,
    Timeout,
    /// A signal arrived, e.g. because the terminal was resized.
    Interrupted,
    Eof,
}
