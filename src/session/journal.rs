//! The journal: a write-ahead log of the session's input, so that `:resume` can restore a session
//! that ended unexpectedly. Each entry is on disk before its reply is shown.
//!
//! A journal is a session file without replies, with a blank line after each item. The process that
//! writes it holds a lock on it: a journal that can be locked is an orphan, left behind by a
//! process that crashed or was killed. A session that ends normally deletes its journal.

use super::session_file::{ProgramRef, SessionFile, SessionItem, parse_intact_prefix};
use super::{Session, StartConfig, TranscriptEntry};
use crate::host::private_file_options;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Only this many orphans are kept: the newest ones.
const MAX_ORPHANS: usize = 20;
/// Orphans older than this are deleted.
const MAX_ORPHAN_AGE: Duration = Duration::from_secs(60 * 24 * 3600);
/// An orphan without items is deleted at this age; before that, its process may be starting.
const MAX_EMPTY_ORPHAN_AGE: Duration = Duration::from_secs(60);
/// Attempts to lock a new journal, [`LOCK_RETRY_DELAY`] apart.
const MAX_LOCK_ATTEMPTS: usize = 20;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(5);
/// Attempts to find a file name that is not in use.
const MAX_NAME_ATTEMPTS: usize = 100;

/// The journal of the running session.
pub struct Journal {
    dir: PathBuf,
    /// Created, opened and locked when the first item is recorded.
    file: Option<(PathBuf, File)>,
    /// Bytes written successfully.
    length: u64,
    /// Text not written yet: the header at first, later whatever a failed write left over.
    pending: String,
    /// Whether anything was written since the last fsync.
    needs_sync: bool,
    warning: Warning,
}

/// The warning that the journal cannot be written, which is shown once.
enum Warning {
    None,
    Pending(String),
    Shown,
}

impl Journal {
    /// The journal of a new session. No file is created before the first entry.
    pub fn new(dir: PathBuf, session: &Session) -> Journal {
        let mut header = full_session_file(session).to_text();
        header.push('\n');
        Journal {
            dir,
            file: None,
            length: 0,
            pending: header,
            needs_sync: false,
            warning: Warning::None,
        }
    }

    /// The directory of this journal and of the orphans.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Records an entry. To be called before its reply is shown.
    pub fn record(&mut self, entry: &TranscriptEntry) {
        // These commands do not change the session.
        if !matches!(
            entry.command,
            Some("save" | "test" | "edit" | "history" | "help" | "quit" | "resume")
        ) {
            self.append(&entry.to_session_item());
        }
    }

    pub(super) fn append(&mut self, item: &SessionItem) {
        item.write_to(&mut self.pending);
        self.pending.push('\n');
        if let Err(e) = self.write() {
            self.set_warning(&e);
        }
    }

    fn write(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(create(&self.dir)?);
        }
        let Some((_, file)) = &mut self.file else {
            return Ok(());
        };
        if let Err(e) = file.write_all(self.pending.as_bytes()) {
            // A partial line would corrupt everything after it.
            let _ = file
                .set_len(self.length)
                .and_then(|()| file.seek(SeekFrom::Start(self.length)));
            return Err(e);
        }
        self.length += self.pending.len() as u64;
        self.pending.clear();
        self.needs_sync = true;
        Ok(())
    }

    /// Flushes the file to disk, so that even a power cut loses nothing. Killing the process never
    /// does.
    pub fn sync(&mut self) {
        let Some((_, file)) = self
            .file
            .as_ref()
            .filter(|_| std::mem::take(&mut self.needs_sync))
        else {
            return;
        };
        if let Err(e) = file.sync_data() {
            self.set_warning(&e);
        }
    }

    fn set_warning(&mut self, e: &io::Error) {
        if matches!(self.warning, Warning::None) {
            let dir = self.dir.display();
            self.warning = Warning::Pending(format!(
                "cannot write the journal in {dir} ({e}): `:resume` will not be able to restore this session; use `:save FILE` to keep it"
            ));
        }
    }

    /// The warning that the journal cannot be written, the first time it is asked for.
    pub fn take_warning(&mut self) -> Option<String> {
        match std::mem::replace(&mut self.warning, Warning::Shown) {
            Warning::Pending(message) => Some(message),
            other => {
                self.warning = other;
                None
            }
        }
    }

    /// Deletes the file: the session ended normally.
    pub fn delete(self) {
        if let Some((path, file)) = self.file {
            // Windows cannot delete an open file.
            drop(file);
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Creates a new locked file, and the directory if necessary.
fn create(dir: &Path) -> io::Result<(PathBuf, File)> {
    std::fs::create_dir_all(dir)?;
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let mut attempt = 0;
    loop {
        let path = dir.join(format!("{now}-{}-{attempt}.session", std::process::id()));
        match private_file_options().open(&path) {
            Ok(file) => {
                // Another process may be probing the lock right now. File systems without locks
                // fail every time; the name is unique anyway.
                let _ = (0..MAX_LOCK_ATTEMPTS).any(|_| file.try_lock().is_ok() || wait_for_lock());
                // Sync the directory, so that the file's name survives a power cut. Fails on
                // systems that cannot open directories, where it is not needed.
                let _ = File::open(dir).and_then(|f| f.sync_all());
                return Ok((path, file));
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && attempt < MAX_NAME_ATTEMPTS => {
                attempt += 1
            }
            Err(e) => return Err(e),
        }
    }
}

/// Waits before the next attempt; always false.
fn wait_for_lock() -> bool {
    std::thread::sleep(LOCK_RETRY_DELAY);
    false
}

/// The session so far as a session file without replies, complete enough to restore it.
pub fn full_session_file(session: &Session) -> SessionFile {
    let transcript = &session.transcript;
    let mut file = new_session_file(session, &transcript.session_start);
    let absolute = |path: &String| {
        std::path::absolute(path).map_or_else(|_| path.clone(), |p| p.display().to_string())
    };
    file.program_path = session.target.file.as_ref().map(absolute);
    file.items = transcript
        .entries
        .iter()
        .filter(|e| !e.is_internal)
        .map(TranscriptEntry::to_session_item)
        .collect();
    file
}

/// A session file without items that starts like a session or its current game.
pub fn new_session_file(session: &Session, start: &StartConfig) -> SessionFile {
    let program = start
        .program
        .clone()
        .map(|(name, text)| ProgramRef::Inline { name, text });
    SessionFile {
        language: session.target.language().info().name.to_string(),
        seed: start.seed,
        program: program.unwrap_or_default(),
        ..SessionFile::default()
    }
}

/// A journal left behind by a process that did not end normally. It is locked while this exists.
pub struct OrphanJournal {
    pub path: PathBuf,
    pub modified: SystemTime,
    pub file: SessionFile,
    /// Bytes of its intact prefix.
    length: usize,
    locked: File,
}

impl OrphanJournal {
    /// Locks and parses a journal; `None` if it is in use or has no items.
    fn open(path: PathBuf) -> Option<OrphanJournal> {
        let mut locked = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        locked.try_lock().ok()?;
        let mut bytes = Vec::new();
        locked.read_to_end(&mut bytes).ok()?;
        let modified = locked
            .metadata()
            .and_then(|m| m.modified())
            .unwrap_or(SystemTime::UNIX_EPOCH);
        match parse_intact_prefix(&bytes) {
            Some((file, length)) if !file.items.is_empty() => Some(OrphanJournal {
                path,
                modified,
                file,
                length,
                locked,
            }),
            // Cut short before its first item, or being created by another process.
            _ => {
                drop(locked);
                if modified
                    .elapsed()
                    .is_ok_and(|age| age > MAX_EMPTY_ORPHAN_AGE)
                {
                    let _ = std::fs::remove_file(&path);
                }
                None
            }
        }
    }

    /// Turns it into the journal of the running session, which appends to its intact prefix.
    pub fn resume(mut self) -> io::Result<Journal> {
        let length = self.length as u64;
        self.locked.set_len(length)?;
        self.locked.seek(SeekFrom::Start(length))?;
        let dir = self.path.parent().unwrap_or(Path::new("")).to_path_buf();
        let file = Some((self.path, self.locked));
        Ok(Journal {
            dir,
            file,
            length,
            pending: String::new(),
            needs_sync: false,
            warning: Warning::None,
        })
    }

    /// Deletes the file.
    pub fn delete(self) {
        drop(self.locked);
        let _ = std::fs::remove_file(self.path);
    }
}

/// Locks and returns the orphans in a directory, newest first, and deletes those that are too old.
pub fn orphan_journals(dir: &Path) -> Vec<OrphanJournal> {
    let entries = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path());
    let journals = entries.filter(|p| p.extension().is_some_and(|e| e == "session"));
    let mut orphans: Vec<OrphanJournal> = journals.filter_map(OrphanJournal::open).collect();
    orphans.sort_by_key(|orphan| std::cmp::Reverse(orphan.modified));
    let is_old = |orphan: &OrphanJournal| {
        orphan
            .modified
            .elapsed()
            .is_ok_and(|age| age > MAX_ORPHAN_AGE)
    };
    let kept_count = orphans
        .iter()
        .take(MAX_ORPHANS)
        .take_while(|o| !is_old(o))
        .count();
    orphans.drain(kept_count..).for_each(OrphanJournal::delete);
    orphans
}
