//! The journal: a write-ahead log of the session's input, so that `:resume` can restore the
//! session. Each entry is on disk before its reply is shown.
//!
//! A journal is a session file without replies, with a checksum and a blank line after each item. The
//! process that writes it holds a lock on it, so a journal that can be locked is of a session that has ended. A
//! session that ends normally says so in its journal; otherwise the process crashed or was killed.

use super::session_file::{
    Checksum, Ending, IntactPrefix, PreludeRef, ProgramRef, RecordedQuestion, SessionFile,
    SessionInput, SessionItem, parse_intact_prefix, recover,
};
use super::{Session, StartConfig, TranscriptEntry};
use crate::host::{JournalFile, JournalStore};
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// This many journals are kept of sessions that ended normally, the newest ones, and as many are listed
/// of those that did not. Those are never deleted, but set aside.
const MAX_STORED: usize = 20;
/// The extension of a journal that is set aside because it is damaged.
const DAMAGED_EXTENSION: &str = "damaged";
/// The extension of a journal that is set aside because there are too many newer ones.
const OLD_EXTENSION: &str = "old";
/// A journal without items is deleted at this age; before that, its process may be starting.
const MAX_EMPTY_AGE: Duration = Duration::from_secs(60);

/// The journal of the running session.
pub struct Journal {
    store: Rc<dyn JournalStore>,
    /// Created and locked when the first item is recorded.
    file: Option<Box<dyn JournalFile>>,
    /// Text not written yet: the header at first, later whatever a failed write left over.
    pending: String,
    /// The checksum of what follows the last line with a checksum.
    checksum: Checksum,
    /// Whether anything was written since the last fsync.
    needs_sync: bool,
    has_items: bool,
    /// Whether its last line belongs to an unfinished entry.
    has_draft: bool,
    /// Whether it ends with a question that waits for its answer.
    has_question: bool,
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
        let mut journal = Journal {
            store,
            file: None,
            pending: String::new(),
            checksum: Checksum::default(),
            needs_sync: false,
            has_items: !session.transcript.entries.is_empty(),
            has_draft: false,
            has_question: session.predictions.pending.is_some(),
            warning: Warning::None,
        };
        journal.push_checked(&checked_text(&full_session_file(session)));
        journal
    }

    /// Adds text, and a line with a checksum.
    fn push_checked(&mut self, text: &str) {
        self.checksum.update(text.as_bytes());
        let checksum = std::mem::take(&mut self.checksum);
        self.pending.push_str(text);
        self.pending.push_str(&checksum.to_line());
        self.pending.push('\n');
    }

    /// Where this and other journals are kept.
    pub fn store(&self) -> &Rc<dyn JournalStore> {
        &self.store
    }

    /// The warning that nothing can be written, if that is so.
    pub fn check(&mut self) -> Option<String> {
        match self.store.create() {
            Ok(file) => file.delete(),
            Err(e) => self.set_warning(&e),
        }
        self.take_warning()
    }

    /// Writes the header at once, not only with the first entry.
    pub fn write_header(&mut self) {
        self.write();
    }

    /// Records the first lines of an entry that is not finished.
    pub fn begin_draft(&mut self, text: &str) {
        let mut lines = String::new();
        Ending::Draft(text.to_string()).write_to(&mut lines);
        self.push_checked(&lines);
        self.has_draft = true;
        self.write();
    }

    /// Records the next lines of that entry.
    pub fn continue_draft(&mut self, lines: &str) {
        let mut text = String::new();
        Ending::write_next_lines(&mut text, lines);
        self.push_checked(&text);
        self.write();
    }

    /// Records that the unfinished entry was discarded, if there is one.
    pub fn discard_draft(&mut self) {
        if std::mem::take(&mut self.has_draft) {
            self.push_checked("~\n");
            self.write();
        }
    }

    /// Records an entry. To be called before its reply is shown. If a question about it was open, only the
    /// answer is new.
    pub fn record(&mut self, entry: &TranscriptEntry) {
        match &entry.asked {
            Some(asked) if std::mem::take(&mut self.has_question) => {
                self.append(&SessionItem::QuestionAnswer(asked.typed.clone()));
            }
            _ => self.append(&entry.to_session_item()),
        }
    }

    /// Records that a question about a line is open. The line has not run.
    pub fn record_question(&mut self, line: &str) {
        self.append(&open_question(line));
        self.has_question = true;
    }

    /// Records a line that is not in the transcript: it dropped the question that was open.
    pub fn record_line(&mut self, line: &str) {
        self.append(&input_item(line, None));
        self.has_question = false;
    }

    pub(super) fn append(&mut self, item: &SessionItem) {
        let mut text = "\n".to_string();
        item.write_to(&mut text);
        self.push_checked(&text);
        (self.has_items, self.has_draft) = (true, false);
        self.write();
    }

    fn write(&mut self) {
        if let Err(e) = self.try_write() {
            self.set_warning(&e);
        }
    }

    fn try_write(&mut self) -> io::Result<()> {
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

    /// Records that the session ended normally. A journal without items is deleted.
    pub fn close(mut self) {
        if self.has_items && self.file.is_some() {
            Ending::Ended.write_to(&mut self.pending);
            self.write();
        } else if let Some(file) = self.file {
            file.delete();
        }
    }
}

/// The session so far as a session file without replies, complete enough to restore it.
pub fn full_session_file(session: &Session) -> SessionFile {
    let transcript = &session.transcript;
    let mut file = new_session_file(session, &transcript.session_start);
    file.program_path = session
        .program_file()
        .path
        .as_ref()
        .map(|path| session.host().absolute_path(path));
    for prelude in &mut file.preludes {
        prelude.name = session.host().absolute_path(&prelude.name);
    }
    let entries = transcript.entries.iter().filter(|e| !e.is_internal);
    file.items = entries
        .flat_map(TranscriptEntry::to_journal_items)
        .collect();
    let pending = session.predictions.pending.iter();
    file.items.extend(pending.map(|p| open_question(&p.line)));
    file
}

fn open_question(line: &str) -> SessionItem {
    input_item(line, Some(RecordedQuestion::Open))
}

fn input_item(line: &str, question: Option<RecordedQuestion>) -> SessionItem {
    SessionItem::Input(SessionInput {
        text: line.replace("\r\n", "\n").replace('\0', "\u{fffd}"),
        question,
        ..SessionInput::default()
    })
}

/// A session file without items that starts like a session or its current game.
pub fn new_session_file(session: &Session, start: &StartConfig) -> SessionFile {
    let program = start
        .program
        .clone()
        .map(|(name, text)| ProgramRef::Inline { name, text });
    let preludes = start.preludes.iter().map(|(name, text)| PreludeRef {
        name: name.clone(),
        text: Some(text.clone()),
    });
    SessionFile {
        preludes: preludes.collect(),
        language: session.target.language().info().name.to_string(),
        seed: start.seed,
        stops_on_errors: start.stops_on_errors,
        program: program.unwrap_or_default(),
        ..SessionFile::default()
    }
}

/// A journal that no running session uses. It is locked while this exists.
pub struct StoredJournal {
    /// Its position among all of them, from 1; the newest is the first.
    pub number: usize,
    /// The time since its last entry.
    pub age: Duration,
    /// What it contains, up to the last complete item.
    pub file: SessionFile,
    /// Bytes of its intact prefix.
    length: usize,
    /// The checksum of its end, after the last line with a checksum.
    checksum: Checksum,
    locked: Box<dyn JournalFile>,
    store: Rc<dyn JournalStore>,
}

impl StoredJournal {
    /// Whether the session ended normally.
    pub fn has_ended(&self) -> bool {
        self.file.ending == Ending::Ended
    }

    /// Turns it into the journal of the running session, which appends to its intact prefix. `has_question`
    /// says whether the restored session has an open question.
    pub fn resume(mut self, has_question: bool) -> io::Result<Journal> {
        self.locked.truncate(self.length as u64)?;
        Ok(Journal {
            store: self.store,
            file: Some(self.locked),
            pending: String::new(),
            checksum: self.checksum,
            needs_sync: false,
            has_items: !self.file.items.is_empty(),
            has_draft: matches!(self.file.ending, Ending::Draft(_)),
            has_question,
            warning: Warning::None,
        })
    }

    /// Deletes the file.
    pub fn delete(self) {
        self.locked.delete();
    }
}

/// A journal that could not be read completely. The file is kept.
pub struct DamagedJournal {
    /// Where it is kept.
    pub location: String,
    /// How many entries could be recovered. They are in a journal of their own.
    pub recovered_count: usize,
    /// The first line of each part that could not be recovered.
    pub lost: Vec<String>,
}

/// The journals that no running session uses.
#[derive(Default)]
pub struct StoredJournals {
    /// The newest first.
    pub journals: Vec<StoredJournal>,
    /// Those that have just been found to be damaged.
    pub damaged: Vec<DamagedJournal>,
    /// Where those are that have just been set aside, because there are too many newer ones.
    pub set_aside: Vec<String>,
}

/// A journal that has been read but not parsed.
struct UnparsedJournal {
    bytes: Vec<u8>,
    age: Duration,
    locked: Box<dyn JournalFile>,
}

impl UnparsedJournal {
    fn open(mut locked: Box<dyn JournalFile>) -> Option<UnparsedJournal> {
        Some(UnparsedJournal {
            bytes: locked.read().ok()?,
            age: locked.age(),
            locked,
        })
    }

    /// Whether the session ended normally; much faster than parsing.
    fn has_ended(&self) -> bool {
        self.bytes.ends_with(b"\n^Q\n")
    }
}

impl StoredJournals {
    /// Locks and returns all journals, without those for which there are too many newer ones.
    pub fn all(store: &Rc<dyn JournalStore>) -> StoredJournals {
        StoredJournals::open(store, |_| true)
    }

    /// Like [`StoredJournals::all`], but only those of sessions that ended unexpectedly.
    pub fn unexpectedly_ended(store: &Rc<dyn JournalStore>) -> StoredJournals {
        StoredJournals::open(store, |journal| !journal.has_ended())
    }

    fn open(
        store: &Rc<dyn JournalStore>,
        is_wanted: impl Fn(&UnparsedJournal) -> bool,
    ) -> StoredJournals {
        let mut all: Vec<UnparsedJournal> = store
            .lock_unused()
            .into_iter()
            .filter_map(UnparsedJournal::open)
            .collect();
        all.sort_by_key(|journal| journal.age);
        let (mut stored, mut number) = (StoredJournals::default(), 0);
        // How many ended unexpectedly, and how many normally.
        let mut counts = [0; 2];
        for journal in all {
            let count = &mut counts[usize::from(journal.has_ended())];
            *count += 1;
            if *count > MAX_STORED {
                match journal.has_ended() {
                    true => journal.locked.delete(),
                    false => stored
                        .set_aside
                        .extend(journal.locked.set_aside(OLD_EXTENSION)),
                }
            } else if !is_wanted(&journal) || stored.parse(journal, number + 1, store) {
                number += 1;
            }
        }
        stored
    }

    /// Adds a journal; false if there is nothing in it.
    fn parse(
        &mut self,
        journal: UnparsedJournal,
        number: usize,
        store: &Rc<dyn JournalStore>,
    ) -> bool {
        let UnparsedJournal { bytes, age, locked } = journal;
        let text = parse_intact_prefix(&bytes);
        if text.is_damaged {
            let recovered = recover(&bytes);
            let lost = recovered.as_ref().map_or(&[][..], |r| &r.lost).to_vec();
            let stored = recovered.and_then(|r| store_recovered(store, r.file, number));
            let recovered_count = stored.as_ref().map_or(0, |j| j.file.items.len());
            if let Ok(location) = locked.set_aside(DAMAGED_EXTENSION) {
                self.damaged.push(DamagedJournal {
                    location,
                    recovered_count,
                    lost,
                });
            }
            let is_recovered = stored.is_some();
            self.journals.extend(stored);
            return is_recovered;
        }
        let has_content =
            |p: &IntactPrefix| !p.file.items.is_empty() || p.file.ending != Ending::Open;
        if let Some(intact) = text.intact.filter(has_content) {
            self.journals.push(StoredJournal {
                number,
                age,
                file: intact.file,
                length: intact.length,
                checksum: intact.checksum,
                locked,
                store: store.clone(),
            });
            return true;
        }
        // Cut short before its first item, or being created by another process.
        if age > MAX_EMPTY_AGE {
            locked.delete();
        }
        false
    }
}

/// Writes what was recovered of a damaged journal to a new one.
fn store_recovered(
    store: &Rc<dyn JournalStore>,
    file: SessionFile,
    number: usize,
) -> Option<StoredJournal> {
    let mut text = checked_text(&file);
    text += &format!("{}\n", Checksum::of(text.as_bytes()).to_line());
    let mut locked = store.create().ok()?;
    locked.append(&text).ok()?;
    Some(StoredJournal {
        number,
        age: locked.age(),
        file,
        length: text.len(),
        checksum: Checksum::default(),
        locked,
        store: store.clone(),
    })
}

/// The text at the beginning of a journal, which a checksum follows.
fn checked_text(file: &SessionFile) -> String {
    file.to_text() + "\n"
}
