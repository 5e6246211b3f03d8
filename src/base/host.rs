//! What the engine needs from its surroundings: files and a clock, supplied by the client. Also
//! everything that depends on the operating system.
//!
//! The engine itself never touches the disk or a clock, so that it runs in a browser unchanged.
//!
//! ```text
//! disk         the operations on files that everything else is made of
//! fallback     systems without support for single key presses
//! file_writer  writes whole files: the old content or the new, never a part
//! journal_dir  journals as locked files in a directory
//! keyboard     raw access to the keyboard, independent of the line editor
//! memory       a host without an operating system, for browsers and tests
//! native       the files and the clock of the operating system
//! unix         single key presses on Unix, with termios, poll and signals
//! ```

#[cfg(feature = "keyboard")]
pub mod disk;
#[cfg(all(feature = "keyboard", not(unix)))]
mod fallback;
#[cfg(feature = "keyboard")]
mod file_writer;
#[cfg(feature = "keyboard")]
mod journal_dir;
#[cfg(feature = "keyboard")]
pub mod keyboard;
mod memory;
#[cfg(feature = "keyboard")]
mod native;
#[cfg(all(feature = "keyboard", unix))]
mod unix;

#[cfg(feature = "keyboard")]
pub use file_writer::Readers;
#[cfg(feature = "keyboard")]
pub use journal_dir::JournalDir;
pub use memory::MemoryHost;
#[cfg(feature = "keyboard")]
pub use native::NativeHost;
#[cfg(feature = "keyboard")]
pub use native::{
    append_to_private, create_file, create_private_dir, find_program, remove_file, replace_file,
    state_dir,
};

use std::io;
use std::time::Duration;

/// The files and the clock of a session.
pub trait Host {
    /// The content of a file, or its first `max_bytes` bytes if it is longer.
    fn read(&self, path: &str, max_bytes: u64) -> io::Result<Vec<u8>>;

    /// Writes a file so that a failure leaves either the old or the new content, never a part of
    /// it.
    fn write(&self, path: &str, text: &str) -> io::Result<()>;

    /// Whether there is a file at this path that is neither a directory nor a pipe or device, which could
    /// wait for ever when it is read.
    fn is_regular_file(&self, path: &str) -> bool {
        self.exists(path)
    }

    /// Whether there is a file at this path.
    fn exists(&self, path: &str) -> bool;

    /// The entries of a directory, in no particular order; none if it cannot be read. The current
    /// directory is `""`.
    fn list(&self, directory: &str) -> Vec<DirectoryEntry>;

    /// The path as an absolute one; unchanged if there is no current directory.
    fn absolute_path(&self, path: &str) -> String;

    /// The time since some fixed moment. It never goes back.
    fn now(&self) -> Duration;
}

/// A file or directory inside a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectoryEntry {
    /// The name, without the path of its directory.
    pub name: String,
    /// Whether it is a directory.
    pub is_directory: bool,
}

/// Where the journals of interactive sessions are kept.
pub trait JournalStore {
    /// The place, for messages.
    fn location(&self) -> String;

    /// Creates an empty journal, locked and readable only by the user.
    fn create(&self) -> io::Result<Box<dyn JournalFile>>;

    /// Locks and returns the journals that no running session has locked, in no particular order.
    fn lock_unused(&self) -> Vec<Box<dyn JournalFile>>;
}

/// The file of a journal, locked while this exists.
pub trait JournalFile {
    /// The time since it was last written.
    fn age(&self) -> Duration;

    /// The whole content.
    fn read(&mut self) -> io::Result<Vec<u8>>;

    /// Appends a text. A failure leaves the file as it was.
    fn append(&mut self, text: &str) -> io::Result<()>;

    /// Drops everything after the first `length` bytes.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Waits until everything is on disk.
    fn sync(&mut self) -> io::Result<()>;

    /// Deletes the file.
    fn delete(self: Box<Self>);

    /// Keeps the file with this extension, so that it is not among the journals. Returns where it is.
    fn set_aside(self: Box<Self>, extension: &str) -> io::Result<String>;
}
