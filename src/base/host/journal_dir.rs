//! Journals as locked files in a directory. The lock tells a journal in use from others, and the
//! operating system releases it even if the process is killed.

use super::{JournalFile, JournalStore, private_file_options};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Attempts to lock a new journal, [`LOCK_RETRY_DELAY`] apart.
const MAX_LOCK_ATTEMPTS: usize = 20;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(5);
/// Attempts to find a file name that is not in use.
const MAX_NAME_ATTEMPTS: usize = 100;

/// A directory of journals. It is created with the first journal.
pub struct JournalDir {
    path: PathBuf,
}

impl JournalDir {
    /// The journals in this directory.
    pub fn new(path: impl Into<PathBuf>) -> JournalDir {
        JournalDir { path: path.into() }
    }
}

impl JournalStore for JournalDir {
    fn location(&self) -> String {
        self.path.display().to_string()
    }

    fn create(&self) -> io::Result<Box<dyn JournalFile>> {
        std::fs::create_dir_all(&self.path)?;
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        let mut attempt = 0;
        loop {
            let name = format!("{now}-{}-{attempt}.session", std::process::id());
            let path = self.path.join(name);
            match private_file_options().open(&path) {
                Ok(file) => {
                    // Another process may be probing the lock right now. File systems without
                    // locks fail every time; the name is unique anyway.
                    let _ =
                        (0..MAX_LOCK_ATTEMPTS).any(|_| file.try_lock().is_ok() || wait_for_lock());
                    // Sync the directory, so that the file's name survives a power cut. Fails on
                    // systems that cannot open directories, where it is not needed.
                    let _ = File::open(&self.path).and_then(|f| f.sync_all());
                    return Ok(Box::new(LockedFile {
                        path,
                        file,
                        age: Duration::ZERO,
                        length: 0,
                    }));
                }
                Err(e)
                    if e.kind() == io::ErrorKind::AlreadyExists && attempt < MAX_NAME_ATTEMPTS =>
                {
                    attempt += 1
                }
                Err(e) => return Err(e),
            }
        }
    }

    fn lock_unused(&self) -> Vec<Box<dyn JournalFile>> {
        let now = SystemTime::now();
        let entries = std::fs::read_dir(&self.path)
            .into_iter()
            .flatten()
            .flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "session"))
            .filter_map(|path| Some(Box::new(LockedFile::open(path, now)?) as Box<dyn JournalFile>))
            .collect()
    }
}

/// Waits before the next attempt; always false.
fn wait_for_lock() -> bool {
    std::thread::sleep(LOCK_RETRY_DELAY);
    false
}

struct LockedFile {
    path: PathBuf,
    file: File,
    age: Duration,
    /// Bytes written successfully.
    length: u64,
}

impl LockedFile {
    /// Locks a journal; `None` if it is in use.
    fn open(path: PathBuf, now: SystemTime) -> Option<LockedFile> {
        let file = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        file.try_lock().ok()?;
        let metadata = file.metadata();
        let modified = metadata
            .as_ref()
            .map_err(|_| ())
            .and_then(|m| m.modified().map_err(|_| ()))
            .unwrap_or(SystemTime::UNIX_EPOCH);
        let age = now.duration_since(modified).unwrap_or_default();
        let length = metadata.map_or(0, |m| m.len());
        Some(LockedFile {
            path,
            file,
            age,
            length,
        })
    }
}

impl JournalFile for LockedFile {
    fn age(&self) -> Duration {
        self.age
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        if let Err(e) = self.file.write_all(text.as_bytes()) {
            // A partial line would corrupt everything after it.
            let _ = self.truncate(self.length);
            return Err(e);
        }
        self.length += text.len() as u64;
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        self.length = length;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn delete(self: Box<Self>) {
        // Windows cannot delete an open file.
        drop(self.file);
        let _ = std::fs::remove_file(self.path);
    }

    fn set_aside(self: Box<Self>) -> io::Result<String> {
        // Windows cannot rename an open file.
        drop(self.file);
        let path = self.path.with_extension("damaged");
        std::fs::rename(&self.path, &path)?;
        Ok(path.display().to_string())
    }
}
