//! Everything that depends on the operating system: the directory for gridbug's own files, private
//! files, and reading single key presses.

#[cfg(all(feature = "terminal", not(unix)))]
mod fallback;
#[cfg(feature = "terminal")]
pub mod keyboard;
#[cfg(all(feature = "terminal", unix))]
mod unix;

use std::fs::OpenOptions;
use std::path::PathBuf;

/// The editor to use if neither `$VISUAL` nor `$EDITOR` is set.
pub const DEFAULT_EDITOR: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// The user's directory for the history and the journals of gridbug; `None` if there is no home
/// directory.
pub fn state_dir() -> Option<PathBuf> {
    let directory = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = directory("XDG_STATE_HOME")
        .or_else(|| directory("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| directory("HOME").map(|home| home.join(".local/state")))?;
    Some(base.join("gridbug"))
}

/// Options for creating a new file that other users cannot read. Opening fails if the file exists.
pub fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
