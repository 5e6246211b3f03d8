//! A host without an operating system, for browsers and tests: files in memory, and a clock that
//! the client sets.

use super::{DirectoryEntry, Host};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

/// By how much a ticking clock advances whenever it is read: about as long as a browser takes for what a
/// search does between two readings.
const CLOCK_TICK: Duration = Duration::from_micros(25);

/// Files in memory. Directories exist only as parts of paths.
#[derive(Default)]
pub struct MemoryHost {
    files: RefCell<BTreeMap<String, String>>,
    now: Cell<Duration>,
    tick: Duration,
}

impl MemoryHost {
    /// A host without files, whose clock starts at zero.
    pub fn new() -> MemoryHost {
        MemoryHost::default()
    }

    /// The same, whose clock advances whenever it is read. A browser cannot set it while a request is being
    /// handled: otherwise the time limit of a search would never end it. Searches read the clock after a
    /// fixed amount of work, so that they end at the same place whenever they run.
    pub fn ticking() -> MemoryHost {
        MemoryHost {
            tick: CLOCK_TICK,
            ..MemoryHost::default()
        }
    }

    /// The text of a file.
    pub fn file(&self, path: &str) -> Option<String> {
        self.files.borrow().get(path).cloned()
    }

    /// Sets the clock. It does not go back.
    pub fn set_now(&self, now: Duration) {
        self.now.set(self.now.get().max(now));
    }

    /// The names of all files.
    pub fn file_names(&self) -> Vec<String> {
        self.files.borrow().keys().cloned().collect()
    }

    /// Deletes a file, if there is one of this name.
    pub fn remove_file(&self, path: &str) {
        self.files.borrow_mut().remove(path);
    }

    /// Adds or replaces a file.
    pub fn set_file(&self, path: &str, text: &str) {
        self.files
            .borrow_mut()
            .insert(path.to_string(), text.to_string());
    }
}

impl Host for MemoryHost {
    fn read(&self, path: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
        let text = self.file(path).ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = text.into_bytes();
        bytes.truncate(usize::try_from(max_bytes).unwrap_or(usize::MAX));
        Ok(bytes)
    }

    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        self.set_file(path, text);
        Ok(())
    }

    fn exists(&self, path: &str) -> bool {
        self.files.borrow().contains_key(path)
    }

    fn list(&self, directory: &str) -> Vec<DirectoryEntry> {
        let mut entries: Vec<DirectoryEntry> = Vec::new();
        for path in self.files.borrow().keys() {
            let Some(rest) = path.strip_prefix(directory) else {
                continue;
            };
            let (name, is_directory) = match rest.split_once('/') {
                Some((name, _)) => (name, true),
                None => (rest, false),
            };
            let entry = DirectoryEntry {
                name: name.to_string(),
                is_directory,
            };
            if !name.is_empty() && !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        entries
    }

    fn absolute_path(&self, path: &str) -> String {
        path.to_string()
    }

    fn now(&self) -> Duration {
        let now = self.now.get();
        self.now.set(now + self.tick);
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_parts_of_paths() {
        let host = MemoryHost::new();
        for path in ["game.gl", "lessons/one.session", "lessons/two.session"] {
            host.set_file(path, "text");
        }
        let names = |directory: &str| -> Vec<(String, bool)> {
            let entries = host.list(directory).into_iter();
            entries.map(|e| (e.name, e.is_directory)).collect()
        };
        assert_eq!(
            names(""),
            [
                ("game.gl".to_string(), false),
                ("lessons".to_string(), true)
            ]
        );
        assert_eq!(names("lessons/").len(), 2);
        assert_eq!(names("nowhere/").len(), 0);
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let host = MemoryHost::new();
        host.set_file("a", "12345");
        assert_eq!(host.read("a", 3).unwrap(), b"123");
        assert_eq!(
            host.read("b", 3).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
    }
}
