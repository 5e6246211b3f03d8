//! The one room that knows what is different between operating systems: where a program keeps its own files, how they
//! are kept from others, and how keys are read one by one.

#[cfg(all(feature = "terminal", not(unix)))]
mod fallback;
#[cfg(feature = "terminal")]
pub mod keyboard;
#[cfg(all(feature = "terminal", unix))]
mod unix;

use std::fs::OpenOptions;
use std::path::PathBuf;

/// The editor that is there, where nobody has chosen one.
pub const DEFAULT_EDITOR: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// The person's folder for what gridbug remembers; nothing if there is none.
pub fn state_dir() -> Option<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = folder("XDG_STATE_HOME")
        .or_else(|| folder("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| folder("HOME").map(|home| home.join(".local/state")))?;
    Some(base.join("gridbug"))
}

/// For making a file that nobody else is to read, and that must not be there yet.
pub fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
