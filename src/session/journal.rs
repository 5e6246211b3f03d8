//! The journal: a write-ahead log of the session's input, so that `:resume` can restore a session
//! that ended unexpectedly. Each entry is on disk before its reply is shown.
//!
//! A journal is a session file without replies, with a blank line after each item. The process that
//! writes it holds a lock on it: a journal that can be locked is an orphan, left behind by a
//! process that crashed or was killed. A session that ends normally deletes its journal.

use super::session_file::{ProgramRef, SessionFile, SessionItem, parse_intact_prefix};
use super::{Session, StartConfig, TranscriptEntry};
use crate::host::{JournalFile, JournalStore};
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// Only this many orphans are kept: the newest ones.
const MAX_ORPHANS: usize = 20;
/// Orphans older than this are deleted.
const MAX_ORPHAN_AGE: Duration = Duration::from_secs(60 * 24 * 3600);
/// An orphan without items is deleted at this age; before that, its process may be starting.
const MAX_EMPTY_ORPHAN_AGE: Duration = Duration::from_secs(60);

/// The journal of the running session.
pub struct Journal {
    store: Rc<dyn JournalStore>,
    /// Created and locked when the first item is recorded.
    file: Option<Box<dyn JournalFile>>,
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
    pub fn new(store: Rc<dyn JournalStore>, session: &Session) -> Journal {
        let mut header = full_session_file(session).to_text();
        header.push('\n');
        Journal {
            store,
            file: None,
            pending: header,
            needs_sync: false,
            warning: Warning::None,
        }
    }

    /// The journals of sessions that ended unexpectedly, see [`orphan_journals`].
    pub fn orphans(&self) -> Vec<OrphanJournal> {
        orphan_journals(&self.store)
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
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(self.store.create()?),
        };
        file.append(&self.pending)?;
        self.pending.clear();
        self.needs_sync = true;
        Ok(())
    }

    /// Flushes the file to disk, so that even a power cut loses nothing. Killing the process never
    /// does.
    pub fn sync(&mut self) {
        let Some(file) = self
            .file
            .as_mut()
            .filter(|_| std::mem::take(&mut self.needs_sync))
        else {
            return;
        };
        if let Err(e) = file.sync() {
            self.set_warning(&e);
        }
    }

    fn set_warning(&mut self, e: &io::Error) {
        if matches!(self.warning, Warning::None) {
            let dir = self.store.location();
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
        if let Some(file) = self.file {
            file.delete();
        }
    }
}

/// The session so far as a session file without replies, complete enough to restore it.
pub fn full_session_file(session: &Session) -> SessionFile {
    let transcript = &session.transcript;
    let mut file = new_session_file(session, &transcript.session_start);
    file.program_path = session
        .target
        .file
        .as_ref()
        .map(|path| session.host().absolute_path(path));
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
    /// The time since its last entry.
    pub age: Duration,
    /// What it contains, up to the last complete item.
    pub file: SessionFile,
    /// Bytes of its intact prefix.
    length: usize,
    locked: Box<dyn JournalFile>,
    store: Rc<dyn JournalStore>,
}

impl OrphanJournal {
    /// Parses a journal; `None` if it has no items.
    fn open(
        mut locked: Box<dyn JournalFile>,
        store: &Rc<dyn JournalStore>,
    ) -> Option<OrphanJournal> {
        let bytes = locked.read().ok()?;
        let age = locked.age();
        match parse_intact_prefix(&bytes) {
            Some((file, length)) if !file.items.is_empty() => Some(OrphanJournal {
                age,
                file,
                length,
                locked,
                store: store.clone(),
            }),
            // Cut short before its first item, or being created by another process.
            _ => {
                if age > MAX_EMPTY_ORPHAN_AGE {
                    locked.delete();
                }
                None
            }
        }
    }

    /// Turns it into the journal of the running session, which appends to its intact prefix.
    pub fn resume(mut self) -> io::Result<Journal> {
        self.locked.truncate(self.length as u64)?;
        Ok(Journal {
            store: self.store,
            file: Some(self.locked),
            pending: String::new(),
            needs_sync: false,
            warning: Warning::None,
        })
    }

    /// Deletes the file.
    pub fn delete(self) {
        self.locked.delete();
    }
}

/// Locks and returns the orphans, newest first, and deletes those that are too old.
pub fn orphan_journals(store: &Rc<dyn JournalStore>) -> Vec<OrphanJournal> {
    let locked = store.lock_orphans().into_iter();
    let mut orphans: Vec<OrphanJournal> = locked
        .filter_map(|file| OrphanJournal::open(file, store))
        .collect();
    orphans.sort_by_key(|orphan| orphan.age);
    let kept_count = orphans
        .iter()
        .take(MAX_ORPHANS)
        .take_while(|orphan| orphan.age <= MAX_ORPHAN_AGE)
        .count();
    orphans.drain(kept_count..).for_each(OrphanJournal::delete);
    orphans
}
