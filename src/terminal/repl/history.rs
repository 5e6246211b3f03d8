//! The history of entries across sessions, for the arrow keys and Ctrl-R.
//!
//! Several gridbug processes can write to the file at once. rustyline loads it, in its own format,
//! but does not save it: it would rewrite the whole file if another process has changed it, and
//! lose the file if it is killed while doing so. Instead, entries are appended here.

use crate::host::{Readers, append_to_private, create_private_dir, replace_file, state_dir};
use std::io;
use std::path::PathBuf;

/// How many entries the line editor keeps in memory.
pub const MAX_HISTORY_ENTRIES: usize = 5000;
/// A larger file is cut to its newer half when it is opened.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// First line of a rustyline history file, version 2.
const HEADER: &str = "#V2\n";

/// The history file.
pub struct History {
    path: PathBuf,
}

impl History {
    /// Opens the history in the user's state directory; `None` if there is no such directory.
    pub fn open() -> Option<History> {
        let dir = state_dir()?;
        create_private_dir(&dir).ok()?;
        let history = History {
            path: dir.join("history"),
        };
        // A file that cannot be shortened must not prevent the start.
        let _ = history.truncate();
        Some(history)
    }

    pub fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Appends an entry in a single write, under a file lock.
    pub fn add(&self, entry: &str) -> io::Result<()> {
        let mut file = append_to_private(&self.path)?;
        let header = if file.length()? == 0 { HEADER } else { "" };
        let line = entry.replace('\\', "\\\\").replace('\n', "\\n");
        file.write(format!("{header}{line}\n").as_bytes())
    }

    /// Drops the older half of a file that has grown too large.
    fn truncate(&self) -> io::Result<()> {
        if std::fs::metadata(&self.path)?.len() <= MAX_FILE_BYTES {
            return Ok(());
        }
        // Locked, so that no other process appends meanwhile.
        let _file = append_to_private(&self.path)?;
        let text = std::fs::read(&self.path)?;
        let half = text.len() / 2;
        let from = text[half..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(text.len(), |n| half + n + 1);
        let kept = [HEADER.as_bytes(), &text[from..]].concat();
        replace_file(&self.path, &kept, Readers::UserOnly)
    }
}

#[cfg(test)]
mod tests {
    use crate::terminal::repl::history::*;

    #[test]
    fn each_entry_is_one_line_and_a_large_file_is_cut() {
        let path = std::env::temp_dir().join(format!("gridbug-history-{}", std::process::id()));
        let history = History { path: path.clone() };
        history.add("a \\ b").unwrap();
        history.add("for {\n}").unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "#V2\na \\\\ b\nfor {\\n}\n"
        );
        let long = "x".repeat(5 << 20);
        history.add(&long).unwrap();
        history.add("last").unwrap();
        history.truncate().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "#V2\nlast\n");
        std::fs::remove_file(path).unwrap();
    }
}
