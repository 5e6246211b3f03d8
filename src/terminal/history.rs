//! What was typed in all sessions, for the arrow keys and Ctrl-R: one file, to which several programs may write at once.
//!
//! The line editor reads it, in its own format. Writing is done here, by adding lines to the end: the editor would
//! write the file anew when another program has changed it, and lose it when it is killed in the midst of that.

use crate::host::state_dir;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

/// How many entries the editor keeps.
pub const MAX_HISTORY_ENTRIES: usize = 5000;
/// A file larger than this is cut down to its younger half.
const LARGEST: u64 = 4 << 20;
const HEAD: &str = "#V2\n";

pub struct History {
    path: PathBuf,
}

impl History {
    /// The history in the person's own folder for such things; nothing if there is none.
    pub fn open() -> Option<History> {
        let folder = state_dir()?;
        std::fs::create_dir_all(&folder).ok()?;
        let history = History {
            path: folder.join("history"),
        };
        // Too long a history is no reason not to begin.
        let _ = history.cut();
        Some(history)
    }

    pub fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Adds an entry, in one piece.
    pub fn add(&self, entry: &str) -> io::Result<()> {
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.path)?;
        let _ = file.lock();
        let head = if file.metadata()?.len() == 0 {
            HEAD
        } else {
            ""
        };
        let line = entry.replace('\\', "\\\\").replace('\n', "\\n");
        file.write_all(format!("{head}{line}\n").as_bytes())
    }

    fn cut(&self) -> io::Result<()> {
        if std::fs::metadata(&self.path)?.len() <= LARGEST {
            return Ok(());
        }
        let file = File::open(&self.path)?;
        file.lock()?;
        let text = std::fs::read(&self.path)?;
        let half = text.len() / 2;
        let from = text[half..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(text.len(), |n| half + n + 1);
        let new = self.path.with_extension("new");
        std::fs::write(&new, [HEAD.as_bytes(), &text[from..]].concat())?;
        std::fs::rename(new, &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_stands_on_a_line_of_its_own() {
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
        history.cut().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "#V2\nlast\n");
        std::fs::remove_file(path).unwrap();
    }
}
