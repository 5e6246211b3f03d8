//! Journals as locked files in a directory. The lock tells a journal in use from others, and the
//! operating system releases it even if the process is killed.

use super::disk::{Access, Disk, DiskFile, NativeDisk};
use super::file_writer::random_number;
use super::{JournalFile, JournalStore};
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

/// Attempts to lock a new journal, [`LOCK_RETRY_DELAY`] apart.
const MAX_LOCK_ATTEMPTS: usize = 20;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(5);
/// Attempts to find a file name that is not in use.
const MAX_NAME_ATTEMPTS: usize = 100;

/// A directory of journals. It is created with the first journal.
pub struct JournalDir {
    path: PathBuf,
    disk: Rc<dyn Disk>,
}

impl JournalDir {
    /// The journals in this directory.
    pub fn new(path: impl Into<PathBuf>) -> JournalDir {
        JournalDir::on(Rc::new(NativeDisk), path)
    }

    /// The journals in a directory of this disk.
    pub fn on(disk: Rc<dyn Disk>, path: impl Into<PathBuf>) -> JournalDir {
        JournalDir {
            path: path.into(),
            disk,
        }
    }

    /// Locks a journal; `None` if it is in use.
    fn open(&self, path: PathBuf) -> Option<LockedFile> {
        let mut file = self.disk.open(&path, Access::Write).ok()?;
        file.try_lock().ok()?;
        Some(LockedFile {
            length: file.length().unwrap_or(0),
            age: file.age(),
            path,
            file,
            disk: self.disk.clone(),
        })
    }
}

impl JournalStore for JournalDir {
    fn location(&self) -> String {
        self.path.display().to_string()
    }

    fn create(&self) -> io::Result<Box<dyn JournalFile>> {
        self.disk.create_private_dir(&self.path)?;
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        let mut attempt = 0;
        loop {
            let path = self
                .path
                .join(format!("{now}-{:08x}.session", random_number() >> 32));
            match self.disk.open(&path, Access::NewPrivate) {
                Ok(mut file) => {
                    // Another process may be probing the lock right now. File systems without
                    // locks fail every time; the name is unique anyway.
                    let _ =
                        (0..MAX_LOCK_ATTEMPTS).any(|_| file.try_lock().is_ok() || wait_for_lock());
                    // So that the file's name survives a power cut.
                    let _ = self.disk.sync_dir(&self.path);
                    return Ok(Box::new(LockedFile {
                        path,
                        file,
                        age: Duration::ZERO,
                        length: 0,
                        disk: self.disk.clone(),
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
        let names = self.disk.names(&self.path).unwrap_or_default().into_iter();
        names
            .map(|name| self.path.join(name))
            .filter(|path| path.extension().is_some_and(|e| e == "session"))
            .filter_map(|path| Some(Box::new(self.open(path)?) as Box<dyn JournalFile>))
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
    file: Box<dyn DiskFile>,
    age: Duration,
    /// Bytes written successfully.
    length: u64,
    disk: Rc<dyn Disk>,
}

impl JournalFile for LockedFile {
    fn age(&self) -> Duration {
        self.age
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        self.file.read(u64::MAX)
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        if let Err(e) = self.file.write(text.as_bytes()) {
            // A partial line would corrupt everything after it.
            let _ = self.truncate(self.length);
            return Err(e);
        }
        self.length += text.len() as u64;
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.truncate(length)?;
        self.length = length;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }

    fn delete(self: Box<Self>) {
        // Windows cannot delete an open file.
        drop(self.file);
        let _ = self.disk.remove(&self.path);
    }

    fn set_aside(self: Box<Self>, extension: &str) -> io::Result<String> {
        // Windows cannot rename an open file.
        drop(self.file);
        let path = self.path.with_extension(extension);
        self.disk.rename(&self.path, &path)?;
        Ok(path.display().to_string())
    }
}
